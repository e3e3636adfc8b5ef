"""What the first page shows, in the order in which people ask."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from arbitree.adjudication.index import Frequent
from arbitree.study.result import Interval
from arbitree.web.project.background import Finding
from arbitree.web.project.project import Project

CONFUSED = 15  # pairs of labels of each kind
LISTED = 100  # documents, types
FEWEST = 3  # coders whose pairs are worth a table
PARTS = ("agreement", "pairs", "types", "coders")


class Measured(NamedTuple):
    """A row with a value, its interval for the bar, and what stands beside it."""

    row: dict[str, Any]
    interval: Interval | None


class Confusions(NamedTuple):
    """Values of one kind that are confused."""

    title: str
    rows: tuple[Frequent, ...]
    more: int


class Document(NamedTuple):
    """A document, and how much of it is contested."""

    name: str
    items: int
    contested: int
    places: int


def parts_of(project: Project) -> tuple[str, ...]:
    """Return the parts that there can be of such a study: types need trees, pairs need three coders."""
    left_out = set()
    if len(project.study.coders) < 2:
        return ()
    if project.kind.pictures is None:
        left_out.add("types")
    if len(project.study.coders) < FEWEST:
        left_out.add("pairs")
    return tuple(name for name in PARTS if name not in left_out)


def measured(finding: Finding) -> list[Measured]:
    """Return the rows of a finding with intervals that a bar can be drawn of."""
    return [
        Measured(row, Interval(**row["interval"]) if row.get("interval") else None)
        for row in finding.document.get("rows", ())
    ]


def facts(project: Project) -> list[str]:
    """Return how much there is."""
    study, unit = project.study, project.kind.unit
    counts = {unit: len(study.items), "coder": len(study.coders), "annotation": len(study.cells)}
    if unit != "item":
        counts["token"] = int(project.index.counts.lengths.sum())
    found = [_counted(count, thing) for thing, count in counts.items()]
    if study.missing:
        found[2] += f" ({study.missing:,} missing)"
    return found


def differing(project: Project) -> str:
    """Return in a sentence how much is contested."""
    index, unit = project.index, project.kind.unit
    contested = index.tally()["contested"]
    if len(project.study.coders) < 2:
        return "There is one coder, so nothing is compared. Give files of several to see where they differ."
    if not contested:
        return f"They differ on none of {_counted(len(index), unit)}."
    places, compared = int(index.counts.contested.sum()), int(index.counts.compared.sum())
    return (
        f"They differ on {contested:,} of {_counted(len(index), unit)}, "
        f"in {places:,} of {_counted(compared, 'place')}."
    )


def _counted(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def done_by(project: Project) -> list[tuple[str, int]]:
    """Return how many items every coder did."""
    counts = project.index.counts.done.sum(axis=0).tolist()
    return list(zip(project.study.coders, counts, strict=True))


def confusions(project: Project) -> list[Confusions]:
    """Return what is confused with what, the kinds with most of it first."""
    kinds = Counter[str]()
    rows: dict[str, list[Frequent]] = {}
    for each in project.index.confusions:
        kinds[each.what] += each.times
        rows.setdefault(each.what, []).append(each)
    places = project.kind.places
    titles = {what: each.title for what, each in places.whats.items()} if places else {}
    return [
        Confusions(titles.get(what, what), tuple(rows[what][:CONFUSED]), max(0, len(rows[what]) - CONFUSED))
        for what, _ in kinds.most_common()
    ]


def documents(project: Project) -> tuple[list[Document], int]:
    """Return the documents with most contested items, and how many more there are."""
    found = [Document(*row) for row in project.index.by_document()]
    found.sort(key=lambda each: -each.contested)
    return found[:LISTED], max(0, len(found) - LISTED)
