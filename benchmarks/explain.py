"""Inconsistencies: time and memory of the whole command, and how they grow with the corpus.

    python benchmarks/explain.py                         # made corpora of 250,000 to 1,000,000 words
    ARBITREE_DATA=corpora python benchmarks/explain.py   # real treebanks too
    python benchmarks/explain.py --words 20000 40000     # smaller ones
    python benchmarks/explain.py --shown                 # planted differences that are shown, minimal nuclei

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

import arbitree as at
from arbitree.study.study import Annotation, Item

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


def sites(value):
    """Return the labels of words and phrases by their tokens, topmost first."""
    found = {}
    runs = value.yields()
    order = sorted(
        range(len(value.labels)), key=lambda node: node if node >= len(value.words) else len(runs) + node
    )
    for node in order:
        tokens = tuple(token for first, last in runs[node] for token in range(first, last))
        if tokens:
            found.setdefault(tokens, []).append(value.labels[node])
    return found


def planted(values, count, seed=1):
    """Return pairs of trees with two more tags, on a phrase of one and on the phrase above of the other."""
    rng = random.Random(seed)
    pairs = []
    while len(pairs) < count:
        value = rng.choice(values)
        size = len(value.words)
        below = value.children()
        inner = [
            node
            for node in range(size + 1, len(value.labels))
            if value.parents[node] > size and len(below[value.parents[node]]) > 1
        ]
        if not inner:
            continue
        node = rng.choice(inner)
        above = value.parents[node]
        versions = []
        for place, tag in ((node, "QQ"), (above, "RR")):
            labels = list(value.labels)
            labels[place] += f"-{tag}"
            versions.append(at.PhraseTree(value.words, tuple(labels), value.parents))
        runs = value.yields()
        where = [
            (tag, tuple(t for a, b in runs[place] for t in range(a, b)))
            for place, tag in ((node, "QQ"), (above, "RR"))
        ]
        pairs.append((versions, where))
    return pairs


def shows(each, nucleus, tag, tokens):
    """Return whether one fragment has the tag on the phrase over these tokens, and another has not."""
    sides = set()
    for fragment in each.fragments:
        below = [set() for _ in fragment.nodes]
        for node in fragment.nodes:
            above = node.parent
            while node.token is not None and above >= 0:
                below[above].add(nucleus.span[0] + node.token)
                above = fragment.nodes[above].parent
        labels = [node.label for node, own in zip(fragment.nodes, below, strict=True) if own == set(tokens)]
        sides.add(any(tag in label.split("-") for label in labels))
    return len(sides) > 1


def report_shown(values, count):
    """Print how many planted differences the fragments of some nucleus show."""
    pairs = planted(values, count)
    rows = {str(n): dict(zip("ab", versions, strict=True)) for n, (versions, _) in enumerate(pairs)}
    items = {}
    for each in at.explain(study_of(rows)).types:
        for nucleus in each.nuclei:
            items.setdefault(nucleus.item, []).append((each, nucleus))
    shown = sum(
        any(shows(each, nucleus, tag, tokens) for each, nucleus in items.get(str(n), ()))
        for n, (_, where) in enumerate(pairs)
        for tag, tokens in where
    )
    print(f"planted tags, two on one spine: {shown:,} of {2 * count:,} shown ({shown / (2 * count):.1%})")


def report_minimal(name, study, **options):
    """Print how many nuclei are no larger than the differences inside them."""
    values = {}
    for item, cells in study:
        values[item.id] = [sites(cell.value) for cell in cells]
    small = total = 0
    for each in at.explain(study, **options).types:
        for nucleus in each.nuclei:
            lo, hi = nucleus.span
            versions = values[nucleus.item]
            tokens = {
                tokens for version in versions for tokens in version if lo <= tokens[0] and tokens[-1] < hi
            }
            changed = [t for t in tokens if any(version.get(t) != versions[0].get(t) for version in versions)]
            total += 1
            small += bool(changed) and (min(t[0] for t in changed), max(t[-1] for t in changed) + 1) == (
                lo,
                hi,
            )
    print(f"{name}: {small:,} of {total:,} nuclei are as small as their differences ({small / total:.1%})")


def study_of(rows):
    """Return a study of trees by item and annotator."""
    items = tuple(Item(name, "made", name) for name in rows)
    cells = {
        (item.id, coder): Annotation(item, coder, rows[item.id][coder]) for item in items for coder in "ab"
    }
    return at.Study(items, ("a", "b"), cells)


def nested(rng, depth):
    """Return a noun phrase inside noun phrases, whose head is one word."""
    if not depth:
        return f"(NP (DT the) (NN n{rng.randrange(100)}))"
    inner = nested(rng, depth - 1)
    return rng.choice((f"(NP {inner} (ADVP (RB far)))", f"(NP {inner} (PP (IN of) {nested(rng, 0)}))", inner))


def shown(data):
    """Print what the nuclei show, with a treebank if there is one."""
    if data:
        early, late = (str(data / "gum-two-versions" / name) for name in ("early", "late"))
        study = at.read(early, late, dirs=True)
        values = [cell.value for cell in study.cells.values() if cell.coder == study.coders[1]]
    else:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "made.mrg"
            rng = random.Random(1)
            path.write_text("\n".join(f"(S {nested(rng, 4)} (VP (VBD fell)))" for _ in range(500)))
            values = [cell.value for cell in at.read(str(path)).cells.values()]
    report_shown(values, 568)
    if data:
        report_minimal("two releases of a treebank", study)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--words", type=int, nargs="+", default=[250_000, 500_000, 1_000_000])
    parser.add_argument("--shown", action="store_true", help="print what nuclei show instead of the time")
    options = parser.parse_args()
    data = os.environ.get("ARBITREE_DATA")
    if options.shown:
        shown(Path(data) if data else None)
        return
    print(f"{'job':34}{'words':>12}{'wall s':>10}{'CPU s':>10}{'peak MB':>10}")
    with tempfile.TemporaryDirectory() as folder:
        rows = made(options.words, Path(folder))
        print(f"CPU time grows as words to the power {grown(rows):.2f}" if len(rows) > 1 else "")
        if "ARBITREE_DATA" in os.environ:
            rows = real(Path(os.environ["ARBITREE_DATA"]), Path(folder))
            print(f"CPU time grows as words to the power {grown(rows):.2f}")


if __name__ == "__main__":
    main()
