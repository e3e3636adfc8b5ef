"""The whole command, from files to the printed table: time, peak memory, start-up, beside zss.

    make bench
    ARBITREE_DATA=corpora python benchmarks/agree.py

Without ARBITREE_DATA a corpus of the same shape is made (smaller, so that it ends in a minute).
Peers are timed on a sample of the same pairs in the same run and extrapolated to all of them.
"""

import argparse
import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

from arbitree.reading.assembly import read_study
from arbitree.study.flat_tree import Vocabulary

MEASURES = ("alpha_plain", "alpha_diff", "alpha_norm", "las")


def run(arguments, repeat=1):
    """Return wall seconds (median), CPU seconds and peak MB of the command line."""
    walls, cpu, memory = [], 0.0, 0
    for _ in range(repeat):
        begin = time.perf_counter()
        pid = os.posix_spawn(
            sys.executable,
            [sys.executable, "-m", "arbitree", *map(str, arguments)],
            dict(os.environ),
            file_actions=[(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (1, 2)],
        )
        _, status, usage = os.wait4(pid, 0)
        walls.append(time.perf_counter() - begin)
        if status:
            raise SystemExit(f"arbitree {' '.join(map(str, arguments))} failed")
        cpu, memory = usage.ru_utime + usage.ru_stime, max(memory, usage.ru_maxrss // 1024)
    return statistics.median(walls), cpu, memory


def made_corpus(folder, sentences, coders=3, mean=17.5, seed=1):
    """Write files of *coders* who differ on a few tokens, and return their paths."""
    rng = random.Random(seed)
    labels = ["nsubj", "obj", "obl", "det", "case", "amod", "advmod", "nmod", "conj", "cc", "punct", "root"]
    texts = {f"c{coder}": [] for coder in range(coders)}
    for number in range(sentences):
        size = max(1, round(rng.gauss(mean, mean / 2)))
        order = rng.sample(range(1, size + 1), size)
        heads = {
            token: rng.choice(order[max(0, place - 8) : place] or [0]) for place, token in enumerate(order)
        }
        relations = {token: rng.choice(labels) for token in order}
        for rows in texts.values():
            rows.append(f"# sent_id = s{number}")
            for token in range(1, size + 1):
                relation = rng.choice(labels) if rng.random() < 0.03 else relations[token]
                rows.append(f"{token}\tw\t_\tX\t_\t_\t{heads[token]}\t{relation}\t_\t_")
            rows.append("")
    for name, rows in texts.items():
        Path(folder, f"{name}.conllu").write_text("\n".join([*rows, ""]))
    return [str(Path(folder, f"{name}.conllu")) for name in texts]


def zss_seconds(study, pairs, seed=0):
    """Return CPU seconds of zss for one pair, the mean over a random sample of pairs of trees."""
    import zss

    rng = random.Random(seed)
    cells = list(study.cells.values())

    def nodes(value):
        tree = value.flatten(Vocabulary())
        made = [zss.Node(tree.label(k) or "(root)") for k in range(len(tree))]
        for node, parent in enumerate(tree.parents):
            if parent >= 0:
                made[parent].addkid(made[node])
        return made[-1]

    sample = [(nodes(rng.choice(cells).value), nodes(rng.choice(cells).value)) for _ in range(pairs)]
    begin = time.process_time()
    for first, second in sample:
        zss.simple_distance(first, second, label_dist=lambda a, b: int(a != b))
    return (time.process_time() - begin) / pairs


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--sentences", type=int, default=600, help="size of the corpus made without ARBITREE_DATA"
    )
    parser.add_argument("--zss-pairs", type=int, default=400)
    options = parser.parse_args()
    data = os.environ.get("ARBITREE_DATA")
    with tempfile.TemporaryDirectory() as folder:
        if data and Path(data, "pcedt-sized").is_dir():
            paths = sorted(map(str, Path(data, "pcedt-sized").glob("a*.conllu")))
        else:
            paths = made_corpus(folder, options.sentences)
        pair = made_corpus(tempfile.mkdtemp(dir=folder), 130, coders=2)
        report(paths, pair, options.zss_pairs)


def report(paths, pair, zss_pairs):
    """Time everything and print one table."""
    print(f"{'':36}{'wall s':>10}{'CPU s':>10}{'peak MB':>10}{'x zss, CPU':>12}")
    show("arbitree --help (median of 10)", *run(["--help"], repeat=10))
    show("agree, 130 sentences, no intervals", *run(["agree", "--resamples", 0, *pair], repeat=10))
    study = read_study(paths)
    trees = len(study.cells)
    pairs = trees * (trees - 1) // 2
    peer = zss_seconds(study, zss_pairs) * pairs
    measures = [part for name in MEASURES for part in ("--measure", name)]
    walls = {}
    for threads in (1, 2):
        wall, cpu, memory = run(["agree", "--threads", threads, *measures, *paths])
        walls[threads] = wall
        show(f"agree, B=1000, {threads} thread(s)", wall, cpu, memory, peer / cpu)
    show(f"zss, from {zss_pairs} pairs", None, peer, None, 1)
    print(f"corpus: {len(study.items)} sentences, {trees} trees, {pairs:,} pairs")
    print(f"the whole command on two threads is {walls[1] / walls[2]:.2f} times as fast as on one")


def show(what, wall, cpu, memory, ratio=None):
    """Print a row; what is not known stays empty."""
    columns = [(wall, "10.2f"), (cpu, "10.2f"), (memory, "10d"), (ratio, "12,.0f")]
    print(f"{what:36}" + "".join(f"{v:{f}}" if v is not None else " " * int(f[:2]) for v, f in columns))


if __name__ == "__main__":
    main()
