"""The tables of docs/speed.md and docs/scale.md are written by programs, and quick runs find slower rows."""

import re
import sys

import pytest

from benchmarks import __main__ as benchmarks
from benchmarks import records
from benchmarks.__main__ import PAGE, PROGRAMS, SCALE, page_of, program_table, repeated, verdict
from benchmarks.costs import Cost, arbitree
from benchmarks.rows import Comparison, Growth, Row, tables

REGION = re.compile(r"^<!-- (?P<name>\w+) -->\n(?P<text>.*?)^<!-- end -->$", re.MULTILINE | re.DOTALL)
TABLE = re.compile(r"^(\|.*)\n\|(?:---\|)+\n((?:\|.*\n)*)", re.MULTILINE)


def regions(page=PAGE):
    return {found["name"]: found["text"] for found in REGION.finditer(page.read_text(encoding="utf-8"))}


def header(columns):
    return f"| {' | '.join(columns)} |"


def test_every_table_of_a_page_lies_in_the_region_of_a_program():
    assert list(regions()) == ["programs", *(name for name in PROGRAMS if page_of(name) == PAGE)]
    programs = [name for name in PROGRAMS if page_of(name) == SCALE]
    assert sorted(regions(SCALE)) == sorted([*programs, *(f"people_{workers}" for workers in (1, 2))])
    for page in (PAGE, SCALE):
        assert not TABLE.findall(REGION.sub("", page.read_text(encoding="utf-8")))
    assert regions()["programs"].strip() == program_table()


@pytest.mark.parametrize("name", PROGRAMS)
def test_tables_have_the_columns_that_programs_write(name):
    for first, body in TABLE.findall(regions(page_of(name))[name] + "\n"):
        columns = next(each.COLUMNS for each in (Comparison, Growth) if header(each.COLUMNS) == first)
        assert all(line.count(" | ") == len(columns) - 1 for line in body.splitlines())


def test_recorded_ratios_are_those_of_their_times():
    for row in records.every():
        assert float(row["theirs"]) / float(row["ours"]) == pytest.approx(float(row["ratio"]), rel=0.02)
        assert row["program"] in PROGRAMS
        assert row["run"] in ("quick", "full")


def test_records_of_a_run_replace_those_of_the_same_program(tmp_path):
    path = tmp_path / "recorded.tsv"
    old, new, wall = (
        Comparison(job, Cost(2.0, 1.0), "peer", Cost(1.0, 1.0), clock)
        for job, clock in (("old", "cpu"), ("new", "cpu"), ("on two threads", "wall"))
    )
    records.write("quick", "ted", [old], path)
    records.write("full", "ted", [old], path)
    records.write("quick", "ted", [new, wall], path)
    assert [key[0::2] for key in records.read(path)] == [("full", "old"), ("quick", "new")]
    assert records.read(path)["quick", "ted", "new", "peer"]["ratio"] == "0.5"


def test_ratios_of_another_machine_are_kept_and_not_compared(tmp_path, monkeypatch):
    path = tmp_path / "recorded.tsv"
    row = Comparison("job", Cost(2.0, 1.0), "peer", Cost(1.0, 1.0))
    records.write("quick", "ted", [row], path)
    monkeypatch.setattr(records, "machine", lambda: "another machine")
    assert records.read(path) == {}
    records.write("quick", "ted", [row], path)
    assert len(records.read(path)) == 1
    assert len(records.every(path)) == 2


def test_slow_rows_are_measured_again_and_the_least_times_count():
    ours = iter([4.0, 1.0, 9.0])
    row = Row("job", lambda: Cost(next(ours), 0.0), {"peer": lambda: Cost(2.0, 0.0)}, rounds=1)
    (found,) = repeated(row, lambda job, peer: 1.6)
    assert found.ratio == 2.0
    assert next(ours) == 9.0


def comparison(job, ratio, clock="cpu"):
    return Comparison(job, Cost(1.0, 1.0), "peer", Cost(ratio, ratio), clock)


def recorded(**ratios):
    return {("quick", "ted", job, "peer"): {"ratio": str(ratio)} for job, ratio in ratios.items()}


def test_a_verdict_lists_slower_rows_and_counts_those_that_cannot_be_compared():
    found = [comparison("same", 8.1), comparison("slower", 7.9), comparison("new", 1.0)]
    found.append(comparison("waits", 1.0, "wall"))
    known = recorded(same=10, slower=10, gone=10, waits=10)
    other = {
        ("full", "ted", "old", "peer"): {"ratio": "10"},
        ("quick", "agree", "old", "peer"): {"ratio": "9"},
    }
    assert verdict("quick", {"ted": found}, {**known, **other}) == (
        "slower than recorded by more than a quarter: 1 of 2 ratios; not recorded: 1; "
        "recorded, but not measured: 2",
        ["ted: slower: ratio to peer 7.90, recorded 10"],
    )
    line, slower = verdict("quick", {"ted": found[:1]}, recorded(same=10))
    assert (line.partition(": ")[2], slower) == ("none of 1 ratios", [])


@pytest.mark.parametrize(("ratio", "code"), [(8.1, None), (7.9, "ted: job: ratio to peer 7.90, recorded 10")])
def test_a_quick_run_fails_if_a_row_is_slower(ratio, code, monkeypatch, capsys):
    ran = []

    def measure(name, run, known):
        ran.append(name)
        return [comparison("job", ratio)] if name == "ted" else [], []

    monkeypatch.setattr(benchmarks, "measure", measure)
    monkeypatch.setattr(records, "read", lambda: recorded(job=10))
    monkeypatch.setattr(sys, "argv", ["benchmarks", "--quick"])
    with pytest.raises(SystemExit) as ended:
        benchmarks.main()
    assert ended.value.code == code
    assert capsys.readouterr().out.endswith(f": {1 if code else 'none'} of 1 ratios\n")
    assert set(PROGRAMS) - set(ran) == set(benchmarks.NOT_COMPARED)


def test_a_run_without_recorded_rows_says_that_nothing_is_compared():
    line, slower = verdict("quick", {"ted": [comparison("job", 1.0)]}, {})
    assert line.startswith("nothing to compare with")
    assert not slower


def test_memory_of_a_command_is_not_that_of_the_process_that_starts_it():
    held = bytearray(b"x" * 300_000_000)
    assert arbitree("--version")().memory < 200 < len(held) / 1e6


def test_cells_of_a_peer_that_is_not_installed_are_empty():
    (found,) = Row("job", lambda: Cost(0.002, 0.0), rounds=1).measure()
    assert tables([found]).splitlines()[-1] == "| job | 2.00 ms |  |  |  |  |  |"
