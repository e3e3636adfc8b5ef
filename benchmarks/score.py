"""Scores of two systems (`score`), compared with udapi.

Ours: every dependency metric, intervals from 1,000 resamples, and two tests with 1,000 rounds. udapi: LAS by
eval.Conll18 for each system, then its script with 1,000 resamples. The gold standard is generated, or read
from pcedt-sized/gold.conllu.gz in ARBITREE_DATA; two systems are made from it by noise.
"""

import gzip
import random
import sys
import tempfile
from pathlib import Path

from benchmarks.costs import arbitree, command, data
from benchmarks.rows import Row

RELATIONS = ("nsubj", "obj", "obl", "nmod", "amod", "advmod", "det", "case", "conj", "punct")
TAGS = ("NOUN", "VERB", "DET", "ADP", "ADJ", "PUNCT", "PRON", "ADV")
UDAPI = """
for name in first second; do
    mkdir -p results/$name
    udapy read.Conllu zone=gold files=gold.conllu \\
        read.Conllu zone=pred files=$name.conllu ignore_sent_id=1 \\
        eval.Conll18 print_results=0 print_raw=LAS > results/$name/test || exit 1
done
python -m udapi.block.eval.conll18 -r 1000
"""


def measure(quick):
    """Yield the row."""
    count = 500 if quick else 2000
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder), None if quick else data("pcedt-sized/gold.conllu.gz"), count)
        ours = arbitree("score", *(f"{name}.conllu" for name in ("gold", "first", "second")), folder=folder)
        path = f"PATH={Path(sys.executable).parent}:$PATH"
        theirs = command("sh", "-c", f"{path}; {UDAPI}", folder=folder)
        yield Row(f"`score`, {count:,} sentences, two systems, 1,000 resamples", ours, {"udapi, LAS": theirs})


def make(folder, gold, count):
    """Write a gold file and two systems."""
    rng = random.Random(0)
    sentences = read(gold, count) if gold else [made(rng, number) for number in range(count)]
    for name, rate in (("gold", 0.0), ("first", 0.05), ("second", 0.06)):
        text = "".join(written(comment, noisy(rows, rate, rng)) for comment, rows in sentences)
        (folder / f"{name}.conllu").write_text(text, encoding="utf-8")


def read(path, count):
    """Return the comment and the rows of the first sentences."""
    found = []
    for block in gzip.decompress(path.read_bytes()).decode().strip().split("\n\n")[:count]:
        lines = block.split("\n")
        rows = [line.split("\t") for line in lines if not line.startswith("#")]
        found.append((lines[0], [row for row in rows if row[0].isdigit()]))
    return found


def made(rng, number):
    """Return a random tree of about 17 words."""
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
    """Return the rows with some heads and relations changed; they still form a tree."""
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
    """Return the tokens above a token, and itself."""
    found = set()
    while token:
        found.add(token)
        token = int(rows[token - 1][6])
    return found


def written(comment, rows):
    """Return a sentence in CoNLL-U."""
    return "\n".join([comment, *("\t".join(row) for row in rows), "", ""])
