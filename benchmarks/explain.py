"""Inconsistencies: time and memory of the whole command, and how they grow with the corpus.

    python benchmarks/explain.py                         # made corpora of 250,000 to 1,000,000 words
    ARBITREE_DATA=corpora python benchmarks/explain.py   # real treebanks too
    python benchmarks/explain.py --words 20000 40000     # smaller ones

The made corpora are in the style of the Penn corpora of historical English: IP-MAT, NP-SBJ, lemmas after a
hyphen, CODE and ID nodes. One phrase in fifty is annotated in another way than usual.
"""

import argparse
import math
import os
import random
import tempfile
from pathlib import Path

from agree import run

WORDS = {
    "N": 6000,
    "NPR": 2000,
    "VBD": 2500,
    "VB": 1500,
    "ADJ": 2000,
    "ADV": 600,
    "D": 6,
    "P": 20,
    "PRO": 9,
    "CONJ": 3,
}
ODD = 0.02


class Writer:
    """Writes random sentences whose words are drawn by rank, frequent ones first."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.words = 0

    def word(self, tag):
        """Return a word of this tag with its lemma."""
        rank = min(int(self.rng.paretovariate(0.9)), WORDS[tag])
        self.words += 1
        return f"({tag} {tag.lower()}{rank}-{tag.lower()}{rank})"

    def noun(self, role=""):
        """Return a noun phrase."""
        rng = self.rng
        label = f"NP{role}"
        if rng.random() < 0.25:
            return f"({label} {self.word('PRO')})"
        inner = [self.word("D")]
        if rng.random() < 0.4:
            adjective = self.word("ADJ")
            inner.append(f"(ADJP {adjective})" if rng.random() < ODD else adjective)
        inner.append(self.word("NPR" if rng.random() < ODD else "N"))
        if rng.random() < 0.25:
            inner.append(self.adjunct())
        return f"({label} {' '.join(inner)})"

    def adjunct(self):
        """Return a prepositional phrase."""
        return f"(PP {self.word('P')} {self.noun()})"

    def clause(self, label="IP-MAT", depth=0):
        """Return a clause, with others inside it now and then."""
        rng = self.rng
        parts = [self.noun("-SBJ"), self.word("VBD")]
        if rng.random() < 0.7:
            parts.append(self.noun("-OB1" if rng.random() > ODD else "-OB2"))
        if rng.random() < 0.4:
            parts.append(self.adjunct())
        if rng.random() < 0.3:
            parts.append(f"(ADVP-TMP {self.word('ADV')})" if rng.random() > ODD else self.word("ADV"))
        if depth < 3 and rng.random() < 0.3:
            parts.append(f"(CP-THT (C 0) {self.clause('IP-SUB', depth + 1)})")
        return f"({label} {' '.join(parts)})"

    def corpus(self, path, words):
        """Write at least *words* words."""
        with path.open("w") as file:
            number = 0
            while self.words < words:
                number += 1
                code = f"(CODE <P_{number // 20}>) " if number % 20 == 0 else ""
                file.write(f"( {code}{self.clause()}\n  (ID MADE,{number}))\n\n")


def grown(rows):
    """Return the exponent of the growth of CPU time, by least squares on the logarithms."""
    xs, ys = [math.log(words) for words, *_ in rows], [math.log(cpu) for _, _, cpu, _ in rows]
    middle, height = sum(xs) / len(xs), sum(ys) / len(ys)
    above = sum((x - middle) * (y - height) for x, y in zip(xs, ys, strict=True))
    return above / sum((x - middle) ** 2 for x in xs)


def show(name, words, measured):
    wall, cpu, memory = measured
    print(f"{name:34}{words:12,}{wall:10.1f}{cpu:10.1f}{memory:10,}", flush=True)
    return words, wall, cpu, memory


def made(sizes, folder):
    rows = []
    for words in sizes:
        path = folder / "made.psd"
        Writer(seed=1).corpus(path, words)
        rows.append(show("made corpus, mode corpus", words, run(["explain", "--tsv", path])))
    return rows


def real(data, folder):
    rows = []
    for share in (4, 2, 1):
        part = folder / f"late{share}"
        part.mkdir()
        paths = sorted((data / "gum-two-versions" / "late").iterdir())[::share]
        for path in paths:
            (part / path.name).symlink_to(path)
        words = sum(path.read_text().count(") ") for path in paths)
        rows.append(
            show("late, mode corpus (words: about)", words, run(["explain", "--tsv", "--dirs", part]))
        )
    for name, first, second in (
        ("early and late, mode coders", "gum-two-versions/early", "gum-two-versions/late"),
        ("gold and parser, mode parser", "gum-parser-vs-gold/gold", "gum-parser-vs-gold/parser"),
    ):
        mode = ["--mode", "parser"] if "gold" in name else []
        show(name, 0, run(["explain", "--tsv", "--no-alpha", "--dirs", *mode, data / first, data / second]))
    return rows


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--words", type=int, nargs="+", default=[250_000, 500_000, 1_000_000])
    options = parser.parse_args()
    print(f"{'job':34}{'words':>12}{'wall s':>10}{'CPU s':>10}{'peak MB':>10}")
    with tempfile.TemporaryDirectory() as folder:
        rows = made(options.words, Path(folder))
        print(f"CPU time grows as words to the power {grown(rows):.2f}" if len(rows) > 1 else "")
        if "ARBITREE_DATA" in os.environ:
            rows = real(Path(os.environ["ARBITREE_DATA"]), Path(folder))
            print(f"CPU time grows as words to the power {grown(rows):.2f}")


if __name__ == "__main__":
    main()
