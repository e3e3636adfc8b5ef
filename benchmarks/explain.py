"""Inconsistencies in a treebank (`explain`), compared with nltk and conllu, which only read the files.

Corpora are generated. Those of phrases are in the style of the Penn corpora of historical English: IP-MAT,
NP-SBJ, lemmas after a hyphen, CODE and ID nodes. One phrase in fifty is annotated in another way than usual.
In those of dependencies, words follow Zipf's law, most heads are near, and a relation depends on two words.
"""

import random
import re
import tempfile
import zlib
from pathlib import Path

from benchmarks.costs import alone, arbitree, data
from benchmarks.rows import Growth, Row

RELATIONS = ("nsubj", "obj", "obl", "det", "case", "amod", "advmod", "nmod", "conj", "cc")
TAGS = ("NOUN", "VERB", "ADJ", "ADP", "DET")
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


def measure(quick):
    """Yield the rows."""
    words, rounds = (10_000, 2) if quick else (1_000_000, 1)
    with tempfile.TemporaryDirectory() as folder:
        path = phrases(folder, words)
        yield Row(f"`explain`, {words:,} words in phrases", explain(path), nltk(path), rounds)
        ann, bob = dependencies(folder, words)
        name = f"`explain`, {words:,} words with heads"
        yield Row(f"{name}, one annotator", explain(ann), conllu(ann), rounds)
        yield Row(f"{name}, two annotators", explain(ann, bob), conllu(ann, bob), rounds)
        if not quick:
            yield from treebanks()
            sizes = (62_500, 125_000, 250_000, 500_000)
            yield Growth("`explain` of phrases", "words", {n: explain(phrases(folder, n)) for n in sizes})
            jobs = {n: explain(dependencies(folder, n)[0]) for n in sizes}
            yield Growth("`explain` of dependencies, one annotator", "words", jobs)
            jobs = {n: explain(*dependencies(folder, n)) for n in sizes}
            yield Growth("`explain` of dependencies, two annotators", "words", jobs)


def explain(*paths, options=()):
    """Return the job of our command."""
    return arbitree("explain", "--tsv", *options, *paths)


def treebanks():
    """Yield rows of the treebanks in ARBITREE_DATA."""
    if versions := data("gum-two-versions"):
        late = versions / "late"
        yield Row("`explain`, GUM", explain(late, options=["--dirs"]), nltk(*late.iterdir()), 1)
        both = [versions / "early", late]
        files = [path for folder in both for path in folder.iterdir()]
        ours = explain(*both, options=["--dirs", "--no-alpha"])
        yield Row("`explain`, two releases of GUM", ours, nltk(*files), 1)
    if parsed := data("gum-parser-vs-gold"):
        both = [parsed / "gold", parsed / "parser"]
        files = [path for folder in both for path in folder.iterdir()]
        ours = explain(*both, options=["--dirs", "--no-alpha", "--mode", "parser"])
        yield Row("`explain`, GUM and a parser", ours, nltk(*files), 1)


def nltk(*paths):
    """Return nltk, which reads the same files, as a peer."""
    return {"nltk, reading": alone(read_brackets, paths)}


def conllu(*paths):
    """Return conllu, which reads the same files, as a peer."""
    return {"conllu, reading": alone(read_conllu, paths)}


def read_brackets(paths):
    """Return work that reads trees with nltk."""
    from nltk import Tree

    texts = (path.read_text(encoding="utf-8") for path in paths)
    return lambda: [
        Tree.fromstring(tree) for text in texts for tree in re.split(r"\n(?=\()", text) if tree.strip()
    ]


def read_conllu(paths):
    """Return work that reads sentences with conllu."""
    import conllu

    def work():
        for path in paths:
            with path.open(encoding="utf-8") as file:
                list(conllu.parse_incr(file))

    return work


def phrases(folder, words):
    """Write a corpus of phrase-structure trees, and return its path."""
    path = Path(folder, f"{words}.psd")
    Writer(seed=1).corpus(path, words)
    return path


def dependencies(folder, words):
    """Write dependency trees of two annotators, and return their paths."""
    rng = random.Random(1)
    paths = [Path(folder, f"{words}.{coder}.conllu") for coder in ("ann", "bob")]
    with paths[0].open("w") as ann, paths[1].open("w") as bob:
        number = count = 0
        while count < words:
            number += 1
            rows = made_tree(rng, max(1, round(rng.gauss(18, 8))))
            count += len(rows)
            for file, own in ((ann, rows), (bob, differing(rng, rows))):
                file.write(f"# sent_id = s{number}\n" + "".join("\t".join(row) + "\n" for row in own) + "\n")
    return paths


def made_tree(rng, size):
    """Return the rows of a tree of *size* words."""
    words = [int(rng.paretovariate(0.9)) for _ in range(size)]
    heads = [
        0,
        *(max(1, token - min(token - 1, int(rng.paretovariate(1.2)))) for token in range(2, size + 1)),
    ]
    rows = []
    for place, (word, head) in enumerate(zip(words, heads, strict=True)):
        relation = RELATIONS[zlib.crc32(f"{word} {words[head - 1]}".encode()) % len(RELATIONS)]
        rows.append(
            [str(place + 1), f"w{word}", "_", TAGS[word % 5], "_", "_", str(head), relation, "_", "_"]
        )
    return rows


def differing(rng, rows):
    """Return the rows with three words in a hundred attached or labelled in another way."""
    return [
        [*row[:6], str(rng.randint(0, len(rows))), rng.choice(RELATIONS), *row[8:]]
        if rng.random() < 0.03
        else row
        for row in rows
    ]
