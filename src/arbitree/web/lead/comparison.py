"""The agreement between adjudicators on the items that two people decided independently."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from arbitree import kinds
from arbitree.adjudication import doubles, whole
from arbitree.adjudication.doubles import Compared, compare
from arbitree.formats.label_tables.frames import table_study
from arbitree.measures.evaluate import evaluate
from arbitree.measures.resampling import Resampling
from arbitree.web.project.project import Project

ALPHA = "alpha_nominal"
ALL = "all"
ITEMS = (doubles.WHOLE, whole.WHOLE)  # decisions on an item as a whole


class ComparedPlace(NamedTuple):
    """A place that two people decided independently."""

    number: int
    item: str
    people: tuple[str, ...]
    compared: Compared
    decided: str  # in the gold standard; "" while it is undecided

    @property
    def words(self) -> str:
        """The words at the place; "" for the whole item."""
        return self.compared.place.words if self.compared.place else ""


class Row(NamedTuple):
    """The agreement on one kind of value."""

    what: str
    places: int
    same: int
    alpha: float | None  # None where values do not recur from item to item, or do not vary

    @property
    def share(self) -> float:
        """The share of places on which two people made the same decision."""
        return self.same / self.places


@dataclass(frozen=True)
class Between:
    """The decisions of people who decided the same items independently, when both were done."""

    project: Project
    places: list[ComparedPlace]
    items: int  # that both have decided
    waiting: int  # that only one has decided, or nobody

    @cached_property
    def differing(self) -> list[ComparedPlace]:
        """The places on which two people made different decisions."""
        return [place for place in self.places if not place.compared.same]

    @cached_property
    def rows(self) -> list[Row]:
        """The agreement by kind of value; all kinds together come last, if there are several."""
        found: dict[str, list[ComparedPlace]] = defaultdict(list)
        for place in self.places:
            found[place.compared.what].append(place)
        rows = [_row(what, own, self._alpha(what, own)) for what, own in found.items()]
        return [*rows, _row(ALL, self.places, None)] if len(rows) > 1 else rows

    def _alpha(self, what: str, own: Sequence[ComparedPlace]) -> float | None:
        """Return Krippendorff's alpha of the adjudicators at these places."""
        places = self.project.kind.places
        known = places.whats.get(what) if places else None
        if what in ITEMS or (known and (known.token or known.explained)):  # values of this item alone
            return None
        names = sorted({name for place in own for name in place.people})
        codes: dict[str, str] = {}
        rows: list[list[Any]] = []
        for place in own:
            said = dict(zip(place.people, place.compared.values, strict=True))
            rows.append([_code(codes, said[name]) if name in said else None for name in names])
        study = table_study(rows, coders=names)
        (result,) = evaluate(study, kinds.of(study), (ALPHA,), resampling=Resampling(0))
        return result.value


def between_adjudicators(project: Project) -> Between:
    """Return what people decided independently of each other."""
    names = project.store.names()
    doubles = project.assignment.doubles()
    done = {number: halves for number, halves in doubles.items() if all(half.done for half in halves)}
    places = []
    for number, halves in sorted(done.items()):
        people = tuple(names[half.person] for half in halves)
        gold = project.state(number)
        for each in compare(project.sheet(number), [half.state for half in halves]):
            decided = gold.values.get(each.place.key, "") if each.place else ""
            places.append(ComparedPlace(number, project.item(number).id, people, each, decided))
    return Between(project, places, len(done), len(doubles) - len(done))


def _row(what: str, own: Sequence[ComparedPlace], alpha: float | None) -> Row:
    return Row(what, len(own), sum(place.compared.same for place in own), alpha)


def _code(codes: dict[str, str], value: str) -> str:
    """Return a name for a value that cannot be taken for a number or a missing label."""
    return codes.setdefault(value, f"value {len(codes)}")
