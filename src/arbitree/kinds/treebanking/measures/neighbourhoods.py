"""Two lists of decisions, compared label by label: figure 5.13 of de Castro (2011) made precise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

from arbitree.kinds.treebanking.value import TWIG, Identity, Label, Option


class Row(NamedTuple):
    """An option with what the comparison asks of it again and again."""

    label: Label
    manual: bool
    yes: bool
    identity: Identity
    option: Option


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The decisions of both coders under one label: what the thesis counts as one option."""

    label: Label
    hit: Option  # the decision that it was found by
    common: bool  # both coders have decisions under this label
    same: bool  # and they contradict each other nowhere
    matched: int  # discriminants that both have

    @property
    def vacuous(self) -> bool:
        """Whether the coders agree because they share no discriminant under this label."""
        return self.same and not self.matched


def neighbourhoods(
    first: Sequence[Option], second: Sequence[Option], *, below_only: bool = False
) -> list[Neighbourhood]:
    """Return the neighbourhoods of two lists of options, in the order in which they are found.

    Args:
        first, second: options with a value, in the order of the file.
        below_only: the neighbourhood of a discriminant set to *yes* has the rows from there on only, as in
            the figure; by default all rows with the label, since the order of the file tells nothing.
    Example:
        >>> yes = Option(1, 6, "_near_p ARG1 _sing_v_1", 0, 0)
        >>> no = Option(2, 6, "_near_p ARG1 _sing_v_1", 0, 0)
        >>> [found.same for found in neighbourhoods([yes], [yes])], neighbourhoods([yes], [no])[0].same
        ([True], False)
    """
    ours, theirs = _rows(first), _rows(second)
    reference, other = (ours, theirs) if len(ours) >= len(theirs) else (theirs, ours)
    if below_only and any(row.manual for row in (*ours, *theirs)):
        return _from_hits(reference, other)
    return _by_label(reference, other)


def _by_label(reference: list[Row], other: list[Row]) -> list[Neighbourhood]:
    """Return one neighbourhood for each label with a decision by hand, in the order in which lines meet.

    Where trees were picked directly, and no decision was made by hand, every label is one.
    """
    here, there = _grouped(reference), _grouped(other)
    seeds: dict[Label, Row] = {}
    for mine, theirs in zip_longest(reference, other):
        for row in (mine, theirs):
            if row is not None and row.manual:
                seeds.setdefault(row.label, row)
    if not seeds:
        for row in (*reference, *other):
            seeds.setdefault(row.label, row)
    found = []
    for label, hit in seeds.items():
        near, far = here.get(label, []), there.get(label, [])
        found.append(_compared(hit, near or far, far if near else []))
    return found


def _from_hits(reference: list[Row], other: list[Row]) -> list[Neighbourhood]:
    """Return the neighbourhoods as the figure finds them, line by line, each taken out before the next."""
    found = []
    while (hit := _next(reference, other)) is not None:
        near, far = (reference, other) if hit.mine else (other, reference)
        start = hit.place if hit.row.option.state == 1 else 0
        label = hit.row.label
        here = [row for row in near[start:] if row.label == label]
        there = [row for row in far if row.label == label]
        found.append(_compared(hit.row, here, there))
        kept = near[:start] + [row for row in near[start:] if row.label != label]
        rest = [row for row in far if row.label != label]
        reference, other = (kept, rest) if hit.mine else (rest, kept)
    return found


class _Hit(NamedTuple):
    row: Row
    place: int
    mine: bool  # in the reference list


def _rows(options: Sequence[Option]) -> list[Row]:
    return [Row(each.label, each.manual, each.yes, each.identity, each) for each in options]


def _next(reference: list[Row], other: list[Row]) -> _Hit | None:
    """Return the next decision by hand, looking at both lists in turn, line by line."""
    mine = next((place for place, row in enumerate(reference) if row.manual), None)
    end = len(other) if mine is None else mine  # in the line of *mine* the reference comes first
    for place in range(min(end, len(other))):
        if other[place].manual:
            return _Hit(other[place], place, False)
    return None if mine is None else _Hit(reference[mine], mine, True)


def _grouped(rows: list[Row]) -> dict[Label, list[Row]]:
    found: dict[Label, list[Row]] = {}
    for row in rows:
        found.setdefault(row.label, []).append(row)
    return found


def _compared(hit: Row, here: list[Row], there: list[Row]) -> Neighbourhood:
    common = bool(here) and bool(there)
    matched, same = 0, common
    for ours in here:
        for theirs in there:
            if ours.identity == theirs.identity:
                matched += 1
                same = same and ours.yes == theirs.yes
            elif contradict(ours.option, theirs.option):
                same = False
    return Neighbourhood(hit.label, hit.option, common, same, matched)


def contradict(ours: Option, theirs: Option) -> bool:
    """Whether two different discriminants cannot both hold: a span has one maximal chain of unary rules.

    Example:
        >>> contradict(Option(1, TWIG, "n_pl@dog", 0, 1), Option(1, TWIG, "v_3s@dog", 0, 1))
        True
    """
    return (
        ours.type == TWIG == theirs.type
        and (ours.start, ours.end) == (theirs.start, theirs.end)
        and ours.key != theirs.key
        and ours.yes
        and theirs.yes
    )
