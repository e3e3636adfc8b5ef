"""Pairs of phrase-structure trees to score."""

from dataclasses import replace

from arbitree import plugins
from arbitree.reading.content import Content
from tests.support.build import study_of

# The structure of a published example, with other words.
SUBJECT = "(NP (ART A) (N girl))"


PLACE = "(PP (P near) (NP (ART the) (N mill)))"


GOLD = f"(S (S {SUBJECT} (VP (VP (V met) (NP (ART the) (N baker))) {PLACE})) (PNT .))"


TEST = f"(S (S {SUBJECT} (VP (V met) (NP (ART the) (N' (N baker) {PLACE})))) (PNT .))"


def trees(text):
    content = Content("test", text.encode())
    return [entry.value for entry in plugins.get("formats", "brackets").read(content)]


def against_gold(golds, systems):
    rows = {str(k): {"gold": g, "system": s} for k, (g, s) in enumerate(zip(golds, systems, strict=True))}
    return replace(study_of(rows, ("gold", "system")), reference="gold")


def pair(gold=GOLD, test=TEST):
    return against_gold(trees(gold), trees(test))
