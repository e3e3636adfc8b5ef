"""Compare the speed of Arbitree with other packages, and write the tables of docs/speed.md and docs/scale.md.

    python -m benchmarks                  # all programs: our time, the time of a peer, and the ratio
    python -m benchmarks labels tables    # some programs
    python -m benchmarks --quick          # small inputs; fails if anything is slower
    python -m benchmarks --write          # also write the tables into their page
    python -m benchmarks --record         # also record the ratios, with --quick those of quick runs

A row is slower if its ratio is lower than the one recorded on the same machine by more than a quarter. It is
then measured twice more, and the least times count, before it is reported. Wall times and growth are not
compared, so that quick runs measure programs that have nothing else only if they are named.

If ARBITREE_BEFORE is the directory of an earlier version, with its environment in .venv, commands and jobs in
processes of their own are also run with that version, as a further peer.
"""

import argparse
import ast
import os
import platform
import sys
import time
from importlib import import_module
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # threads that wait would count as CPU time

from arbitree.reproduction.cells import rows
from arbitree.reproduction.pages import filled
from benchmarks import records
from benchmarks.costs import BEFORE, ROOT
from benchmarks.rows import Comparison, Unavailable, rounded, tables

PAGE, SCALE = (ROOT / "docs" / name for name in ("speed.md", "scale.md"))
PROGRAMS = (
    *(
        "ted",
        "longtrees",
        "agree",
        "labels",
        "tables",
        "explain",
        "score",
        "coders",
        "graphs",
        "tsdb",
        "pictures",
        "serve",
    ),
    "gpu",
    *("scale", "scale_pairs", "scale_dask"),
)
NOT_COMPARED = ("gpu", "scale", "scale_dask")  # growth and wall times only


def main():
    """Run the programs that the command line names."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "programs", nargs="*", metavar="PROGRAM", help=f"of {', '.join(PROGRAMS)}; default: all"
    )
    parser.add_argument("--quick", action="store_true", help="use small inputs")
    parser.add_argument("--write", action="store_true", help="write the tables into their page")
    parser.add_argument("--record", action="store_true", help="record the ratios in benchmarks/recorded.tsv")
    options = parser.parse_args()
    if unknown := set(options.programs) - set(PROGRAMS):
        parser.error(f"no program {', '.join(sorted(unknown))}; choose from {', '.join(PROGRAMS)}")
    if options.write and options.quick:
        parser.error("--write needs a full run")
    if BEFORE and (options.write or options.record):
        parser.error("--write and --record need a run without ARBITREE_BEFORE")
    run = "quick" if options.quick else "full"
    begin, recorded, measured = time.perf_counter(), records.read(), {}
    for name in options.programs or [each for each in PROGRAMS if run == "full" or each not in NOT_COMPARED]:
        try:
            found, notes = measure(name, run, recorded)
        except Unavailable as reason:
            print(f"  skipped: {reason}\n")
            measured[name] = []
            continue
        measured[name] = found
        if options.write:
            write(name, "\n\n".join([f"{circumstances()}.", tables(found), *notes]))
        if options.record:
            records.write(run, name, found)
    if options.write:
        write("programs", program_table())
    print(f"{time.perf_counter() - begin:.0f} s; {circumstances()}")
    if options.record:
        print("recorded")
    else:
        summing, slower = verdict(run, measured, recorded)
        print(summing)
        sys.exit("\n".join(slower) or None)


def verdict(run, measured, recorded):
    """Return a line about the rows of some programs, and one for each row that is slower than recorded."""
    ratios = {
        (run, name, each.job, each.peer): each.ratio
        for name, found in measured.items()
        for each in records.compared(found)
    }
    known = {key: row for key, row in recorded.items() if key[0] == run and key[1] in measured}
    both = ratios.keys() & known.keys()
    if not both:
        return "nothing to compare with: no such ratio is recorded on this machine; --record does it", []
    slower = [
        f"{key[1]}: {key[2]}: ratio to {key[3]} {rounded(ratio)}, recorded {known[key]['ratio']}"
        for key, ratio in ratios.items()
        if key in both and ratio < records.limit(known[key])
    ]
    left = {"not recorded": ratios.keys() - both, "recorded, but not measured": known.keys() - both}
    counts = "".join(f"; {what}: {len(keys)}" for what, keys in left.items() if keys)
    found = len(slower) or "none"
    return f"slower than recorded by more than a quarter: {found} of {len(both)} ratios{counts}", slower


def measure(name, run, recorded):
    """Print the rows of a program, and return them and its notes."""
    print(f"{name}: {summary(name)}", flush=True)
    program = import_module(f"benchmarks.{name}")
    found, notes, begin = [], [], time.perf_counter()

    def before(job, peer):
        return recorded.get((run, name, job, peer))

    for row in program.measure(run == "quick"):
        if isinstance(row, str):
            notes.append(row)
            print(f"  {row}", flush=True)
            continue
        for each in repeated(row, lambda job, peer: records.limit(before(job, peer))):
            found.append(each)
            known = before(each.job, each.peer) if isinstance(each, Comparison) else None
            cells = " | ".join(filter(None, each.cells()))
            print(f"  {cells}" + (f" (recorded {known['ratio']})" if known else ""), flush=True)
    print(f"  {time.perf_counter() - begin:.0f} s\n", flush=True)
    return found, notes


def repeated(row, limit, times=2):
    """Measure a row, and again up to so many times if it is below its limit; return the least costs."""
    found = row.measure()
    for _ in range(times):
        if all(each.ratio >= limit(each.job, each.peer) for each in records.compared(found)):
            break
        found = [each.least(again) for each, again in zip(found, row.measure(), strict=True)]
    return found


def circumstances():
    """Return the machine, the version of Python and the load."""
    version, load = platform.python_version(), os.getloadavg()[1]
    return f"{records.machine()}; Python {version}; average load {load:.1f} processes"


def summary(name):
    """Return the first line of the docstring of a program, whose packages need not be installed."""
    source = ast.parse((Path(__file__).parent / f"{name}.py").read_text(encoding="utf-8"))
    return ast.get_docstring(source).partition("\n")[0].rstrip(".")


def page_of(name):
    """Return the page that has the tables of a program."""
    return SCALE if name.startswith("scale") else PAGE


def write(mark, text):
    """Write *text* into the region of its page that has this mark."""
    page = page_of(mark)
    page.write_text(filled(page.read_text(encoding="utf-8"), mark, text, page), encoding="utf-8")


def program_table():
    """Return the list of programs in the page."""
    listed = [[f"`{name}`", summary(name)] for name in PROGRAMS]
    return rows(("program", "content"), listed)


if __name__ == "__main__":
    main()
