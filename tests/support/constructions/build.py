"""Small phrase trees and what is found in them."""

import itertools
import random

from hypothesis import strategies as st

from arbitree import plugins
from arbitree.api.explain import find_inconsistencies
from arbitree.kinds.phrase.constructions.derivation import LEFT, RIGHT, derive
from arbitree.kinds.phrase.constructions.head_tables import head_table
from arbitree.kinds.phrase.constructions.normalisation import Normaliser, written
from arbitree.kinds.phrase.constructions.options import PhraseOptions
from arbitree.reading.content import Content
from tests.support.build import study_of


def trees(text):
    """The trees of a piece of text, with words."""
    return [entry.value for entry in plugins.get("formats", "brackets").read(Content("test", text.encode()))]


def tree(text):
    """One tree."""
    return trees(text)[0]


def derivation(text, **settings):
    """The derivation of a tree in brackets."""
    normal = Normaliser(PhraseOptions(**settings)).normal(tree(text))
    return derive(normal, head_table("english"))


def elementary_trees(made):
    """The elementary trees of a derivation with their arcs."""
    found = []
    for i, form in enumerate(made.forms):
        chain, governor, address = made.chains[i], made.governors[i], made.addresses[i]
        spine = [{"cat": cat, "levels": []} for cat, _ in chain.spine]
        for (_, tags), node, span in zip(chain.labels, chain.nodes, made.spans[i], strict=True):
            spine[node]["levels"].append({"tags": sorted(tags), "span": list(span)})
        arc = dict.fromkeys(("op", "side", "node", "level"))
        if governor >= 0:
            above = made.chains[governor]
            arc = {
                "op": made.operation(i),
                "side": LEFT if i < governor else RIGHT,
                "node": above.nodes[address],
                "level": above.levels[address],
            }
        gov = governor if governor >= 0 else None
        found.append({"i": i, "form": form, "pos": made.pos[i][0], "spine": spine, "gov": gov, **arc})
    return found


def rebuild(derivation):
    """The tree in brackets that a derivation was made from: nothing is lost on the way."""
    dependents = derivation.dependents()
    done = {}
    first = {}
    order = [derivation.root] if derivation.forms else []
    for terminal in order:
        order.extend(dependents[terminal])
    for terminal in reversed(order):
        pos = written(derivation.pos[terminal])
        text, start = f"({pos} {derivation.forms[terminal]})", terminal
        for level, label in enumerate(derivation.chains[terminal].labels):
            parts = [(start, text)]
            parts += [(first[d], done[d]) for d in dependents[terminal] if derivation.addresses[d] == level]
            parts.sort()
            start = parts[0][0]
            text = f"({written(label)} {' '.join(part for _, part in parts)})"
        done[terminal], first[terminal] = text, start
    return done[derivation.root] if order else ""


def found(*texts, coders="abcdef", **options):
    """The findings on one sentence, one tree a coder."""
    values = {coder: tree(text) for coder, text in zip(coders, texts, strict=False)}
    return find_inconsistencies(study_of({"s": values}), **options)


def reports(findings):
    """Span, class, kind, differing tokens and residual of every nucleus, in order of span."""
    rows = [
        (nucleus.span, each.class_, each.kind, nucleus.differing, nucleus.residual)
        for each in findings.types
        for nucleus in each.nuclei
    ]
    return sorted(rows)


def spans(findings):
    """The spans of all nuclei."""
    return sorted(nucleus.span for each in findings.types for nucleus in each.nuclei)


CATS = ("S", "NP", "VP", "PP", "ADJP", "X")
TAGS = ("", "", "", "-SBJ", "-TMP", "-1")
POS = ("NN", "DT", "IN", "VBD", "JJ", ",", "CC")


def random_text(rng: random.Random, size: int, *, traces: bool = False) -> str:
    """A random tree in brackets over *size* words."""

    def leaf(number):
        text = f"({rng.choice(POS)} w{number})"
        if traces and rng.random() < 0.2:
            empty = rng.choice(("(-NONE- *T*-1)", "(NP-SBJ (-NONE- *))"))
            return f"{text} {empty}" if rng.random() < 0.5 else f"{empty} {text}"
        return text

    def build(lo, hi, depth):
        label = rng.choice(CATS) + rng.choice(TAGS)
        if hi - lo == 1 and (depth > 4 or rng.random() < 0.6):
            return leaf(lo)
        if depth > 6:
            return f"({label} {' '.join(leaf(number) for number in range(lo, hi))})"
        if rng.random() < 0.15:
            return f"({label} {build(lo, hi, depth + 1)})"
        cuts = sorted({lo, hi, *(rng.randint(lo, hi) for _ in range(rng.randint(1, 3)))})
        parts = " ".join(build(a, b, depth + 1) for a, b in itertools.pairwise(cuts))
        return f"({label} {parts})"

    return f"({rng.choice(CATS)} {build(0, size, 0)})"


@st.composite
def random_trees(draw, max_size=9, traces=False):
    """Random trees in brackets."""
    size = draw(st.integers(1, max_size))
    return random_text(random.Random(draw(st.integers(0, 2**32))), size, traces=traces)


@st.composite
def versions(draw, count=2, max_size=8, traces=False):
    """Random trees in brackets over the same words."""
    size = draw(st.integers(1, max_size))
    rng = random.Random(draw(st.integers(0, 2**32)))
    return [random_text(rng, size, traces=traces) for _ in range(count)]
