"""``arbitree score`` beside udapi's evaluation with a bootstrap, on the same files.

    ARBITREE_DATA=corpora python benchmarks/score.py

The files have 2,000 sentences, of pcedt-sized/gold.conllu.gz or, without ARBITREE_DATA, made up; two systems
are made from them by noise. Ours: every dependency metric, intervals from 1,000 resamples, and two tests
with 1,000 rounds. Theirs: LAS by eval.Conll18 for each system, then its script with 1,000 resamples.
Programs run by turns, each in processes of its own; times are the least of five rounds, wall clock and CPU.
"""

import gzip
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SENTENCES = 2000
ROUNDS = 5
RELATIONS = ("nsubj", "obj", "obl", "nmod", "amod", "advmod", "det", "case", "conj", "punct")
TAGS = ("NOUN", "VERB", "DET", "ADP", "ADJ", "PUNCT", "PRON", "ADV")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make(folder)
        ours, theirs = [], []
        for _ in range(ROUNDS):
            ours.append(timed(arbitree, folder))
            theirs.append(timed(udapi, folder))
    print(f"{SENTENCES} sentences, two systems, 1,000 resamples\n")
    print(f"{'':10}{'wall s':>10}{'CPU s':>10}")
    best = {}
    for label, times in (("arbitree", ours), ("udapi", theirs)):
        best[label] = [min(column) for column in zip(*times, strict=True)]
        print(f"{label:10}{best[label][0]:10.2f}{best[label][1]:10.2f}")
    ratios = [a / b for a, b in zip(best["arbitree"], best["udapi"], strict=True)]
    print(f"{'ratio':10}{ratios[0]:10.2f}{ratios[1]:10.2f}")


def timed(run, folder):
    """Return wall and CPU seconds of the processes that *run* starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.perf_counter()
    run(folder)
    wall = time.perf_counter() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def arbitree(folder):
    files = [folder / f"{name}.conllu" for name in ("gold", "first", "second")]
    subprocess.run(
        [Path(sys.executable).parent / "arbitree", "score", "-q", *files], check=True, capture_output=True
    )


def udapi(folder):
    script = Path(sys.executable).parent / "udapy"
    for name in ("first", "second"):
        blocks = f"read.Conllu zone=gold files={folder / 'gold.conllu'} "
        blocks += f"read.Conllu zone=pred files={folder / name}.conllu ignore_sent_id=1 "
        blocks += "eval.Conll18 print_results=0 print_raw=LAS"
        done = subprocess.run([script, *blocks.split()], check=True, capture_output=True)
        target = folder / "results" / name
        target.mkdir(parents=True, exist_ok=True)
        (target / "test").write_bytes(done.stdout)
    command = [sys.executable, "-m", "udapi.block.eval.conll18", "-r", "1000"]
    subprocess.run(command, check=True, capture_output=True, cwd=folder)


def make(folder):
    """Write a gold file and two systems."""
    rng = random.Random(0)
    data = Path(os.environ.get("ARBITREE_DATA", "/nowhere")) / "pcedt-sized/gold.conllu.gz"
    sentences = read(data) if data.exists() else [made(rng, number) for number in range(SENTENCES)]
    for name, rate in (("gold", 0.0), ("first", 0.05), ("second", 0.06)):
        text = "".join(written(comment, noisy(rows, rate, rng)) for comment, rows in sentences)
        (folder / f"{name}.conllu").write_text(text, encoding="utf-8")


def read(path):
    found = []
    for block in gzip.decompress(path.read_bytes()).decode().strip().split("\n\n")[:SENTENCES]:
        lines = block.split("\n")
        rows = [line.split("\t") for line in lines if not line.startswith("#")]
        found.append((lines[0], [row for row in rows if row[0].isdigit()]))
    return found


def made(rng, number):
    """A random tree of about 17 words."""
    size = max(2, round(rng.gauss(17, 8)))
    order = rng.sample(range(1, size + 1), size)
    heads = {token: rng.choice(order[:place]) if place else 0 for place, token in enumerate(order)}
    rows = []
    for token in range(1, size + 1):
        relation = rng.choice(RELATIONS) if heads[token] else "root"
        word = f"w{rng.randrange(9999)}"
        rows.append(
            [str(token), word, "_", rng.choice(TAGS), "_", "_", str(heads[token]), relation, "_", "_"]
        )
    return f"# sent_id = s{number}", rows


def noisy(rows, rate, rng):
    """The rows with some heads and relations changed; they stay a tree."""
    rows = [list(row) for row in rows]
    for place, row in enumerate(rows):
        if row[6] != "0" and rng.random() < rate:
            head = rng.randint(1, len(rows))
            if place + 1 not in ancestors(rows, head):
                row[6] = str(head)
        if row[6] != "0" and rng.random() < rate:
            row[7] = rng.choice(RELATIONS)
    return rows


def ancestors(rows, token):
    found = set()
    while token:
        found.add(token)
        token = int(rows[token - 1][6])
    return found


def written(comment, rows):
    return "\n".join([comment, *("\t".join(row) for row in rows), "", ""])


if __name__ == "__main__":
    main()
