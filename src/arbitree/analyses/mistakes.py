"""What a system takes for what: relations, and heads by their parts of speech."""

from __future__ import annotations

from collections import Counter
from typing import Any

from arbitree.backends.serial import Serial
from arbitree.data.result import Table
from arbitree.data.study import Study
from arbitree.measures.arcs import ROOT, Arcs

ROOT_NAME = "ROOT"
NO_WORD = "—"  # a word that has no partner on the other side


def mistakes(study: Study[Any], measure: Any) -> dict[str, Table]:
    """Return two tables of errors of the one system in *study*, the most frequent first.

    Args:
        study: a reference and one system.
        measure: a dependency metric, whose options say which tokens count.
    Returns:
        ``relations``: gold and system relation of tokens where these differ. ``attachments``: relation of a
        token and part of speech of its gold head, and of its system head, for tokens with the wrong head.
    """
    arcs = measure.statistics.prepare(study, Serial()).forward
    return {
        "relations": _table(_relations(arcs)),
        "attachments": _table(_attachments(arcs)),
    }


def _relations(arcs: Arcs) -> Counter[tuple[str, str]]:
    wrong = arcs.gold.scored & (arcs.gold.labels != arcs.labels)
    names = (*arcs.labelled, NO_WORD)
    pairs = zip(arcs.gold.labels[wrong].tolist(), arcs.labels[wrong].tolist(), strict=True)
    return Counter((names[gold], names[other] if other >= 0 else NO_WORD) for gold, other in pairs)


def _attachments(arcs: Arcs) -> Counter[tuple[str, str]]:
    wrong = arcs.gold.scored & (arcs.gold.heads != arcs.heads)
    labels = arcs.gold.labels[wrong].tolist()
    heads = zip(labels, arcs.gold.heads[wrong].tolist(), arcs.heads[wrong].tolist(), strict=True)
    return Counter(
        (f"{arcs.labelled[label]} under {_head(arcs, gold)}", f"under {_head(arcs, other)}")
        for label, gold, other in heads
    )


def _head(arcs: Arcs, place: int) -> str:
    if place == ROOT:
        return ROOT_NAME
    return arcs.tagged[int(arcs.gold.tags[place])] if place >= 0 else NO_WORD


def _table(counts: Counter[tuple[str, str]]) -> Table:
    rows = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return Table(("gold", "system", "tokens"), tuple((*names, count) for names, count in rows))
