"""Planted differences: tags on one spine, whose words have one head, are all shown."""

import random

from arbitree.api.explain import find_inconsistencies
from tests.support.build import study_of
from tests.support.constructions.build import tree

CATS = ("NP", "NP", "VP", "S", "PP")
TAGS = ("SBJ", "TMP", "ADV")


def spine(rng):
    """Return two trees that differ in the tags of phrases on one spine, and the words of these phrases."""
    depth = rng.randint(2, 5)
    chosen = rng.sample(range(depth), 2)
    ours = theirs = "(NN w0)"
    planted = []
    for level in range(depth):
        cat = rng.choice(CATS)
        tags = ["", ""]
        if level in chosen:
            tags = rng.sample(["", *(f"-{tag}" for tag in TAGS)], 2)
            planted.append(tuple(range(level + 1)))
        sister = f"(RB w{level})" if level else ""
        ours, theirs = (
            f"({cat}{tag} {text} {sister})" for tag, text in zip(tags, (ours, theirs), strict=True)
        )
    return ours, theirs, planted


def test_all_planted_tags_are_shown_with_every_setting():
    rng = random.Random(2)
    rows, planted = {}, set()
    for number in range(60):
        ours, theirs, places = spine(rng)
        rows[str(number)] = {"a": tree(ours), "b": tree(theirs)}
        planted |= {(str(number), place) for place in places}
    for external in ("off", "label", "full"):
        findings = find_inconsistencies(study_of(rows), external=external)
        changes = [
            (nucleus.item, change.positions)
            for each in findings.types
            for nucleus in each.nuclei
            for change in nucleus.changes
        ]
        assert sorted(changes) == sorted(planted)
