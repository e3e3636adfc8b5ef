"""Inconsistencies of graphs: between annotators, or between parsers and gold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, ClassVar

from arbitree.backends.base import Progress
from arbitree.constructions.explain import Constructions, Intake, findings_of
from arbitree.constructions.findings import CODERS, PARSER, Findings, Occurrence
from arbitree.constructions.grouping import Grouping, Instance, Nature
from arbitree.kinds.graphs.choices import INEXACT
from arbitree.kinds.graphs.constructions.fragments import CLASSES, LEGEND, WORDING, GraphNucleus, nuclei_of
from arbitree.kinds.graphs.differences import KINDS, differences
from arbitree.kinds.graphs.gold import AnyGraph
from arbitree.kinds.graphs.kind import KIND
from arbitree.kinds.graphs.merging import merged
from arbitree.measures.signatures import signature, study_parts, typed
from arbitree.study.comparable import pairable
from arbitree.study.result import Table
from arbitree.study.study import Annotation, Study
from arbitree.wording import listed

Cells = Sequence[Annotation[AnyGraph]]


class GraphConstructions(Constructions[Any]):
    """Inconsistencies of graphs under the alignment of their nodes."""

    modes: ClassVar[tuple[str, ...]] = (CODERS, PARSER)
    wording = WORDING

    def options(self, baseline: str | None = None, mode: str = CODERS) -> Mapping[str, Any]:
        """Return no settings."""
        return {}

    def explain(
        self, study: Study[Any], *, mode: str, baseline: str | None, progress: Progress, **options: Any
    ) -> Findings:
        """Return the differences that belong together, grouped by type."""
        intake, grouping = Intake(), Grouping(ordered=mode == PARSER)
        done = list(_compared(study, mode, intake))
        for place, cells in enumerate(done, start=1):
            _compare(cells, intake, grouping)
            progress(place, len(done))
        types = grouping.types(study.coders)
        found = {each.class_ for each in types}
        return findings_of(
            study,
            intake,
            types,
            mode=mode,
            classes=[name for name in CLASSES if name in found],
            counts=intake.nuclei(),
            settings={},
            signature=signature(
                typed("explain", {"mode": mode}), [f"items:{intake.items}", *study_parts(study, KIND)]
            ),
            references=("cai-knight2013",),
            tables={"differences": _table(done, study.coders)},
            wording=WORDING,
            legend=LEGEND,
        )


def _compared(study: Study[Any], mode: str, intake: Intake) -> Iterator[Cells]:
    """Yield the annotations that are compared with each other: of one sentence, or of gold and one parser."""
    parts = [study]
    if mode == PARSER:
        gold = str(study.reference)
        pairs = [(gold, coder) for coder in study.coders if coder != gold]
        parts = [replace(study.select(coders=pair), coders=pair) for pair in pairs]
    for part in parts:
        used, ignored = pairable(part)
        intake.ignored += ignored
        yield from (cells for _, cells in used)


def _compare(cells: Cells, intake: Intake, grouping: Grouping) -> None:
    """Add the differences of one sentence to their types."""
    found, rows = merged([cell.value.graph for cell in cells])
    size = len(found.slots)
    differing = sum(not slot.agreed for slot in found.slots)
    item = cells[0].item.id
    intake.lengths[item] = len(cells[0].value.tokens) or len(cells[0].value)
    if not found.exact:
        intake.notes.append(f"{item}: {INEXACT}")
    intake.counts.update(compared=size, inconsistent=differing, consistent=size - differing)
    for number, nucleus in enumerate(nuclei_of(found)):
        _add(number, nucleus, cells, rows, grouping)


def _add(number: int, nucleus: GraphNucleus, cells: Cells, rows: Sequence[int], grouping: Grouping) -> None:
    words = (nucleus.words,)
    instances = [
        Instance(_occurrence(cell, number), nucleus.fragment(row))
        for cell, row in zip(cells, rows, strict=True)
    ]
    fragments = grouping.order(instances)
    label = listed([fragment.brackets for fragment in fragments], "or")
    kind, labels = nucleus.asked
    grouping.add(
        words,
        instances,
        Nature(nucleus.class_, label, categories=tuple(each.removeprefix(":") for each in labels)),
        differing=(0,),
        residual=(0,),
        changes=nucleus.changes(rows),
        asked=((kind, labels),),
    )


def _occurrence(cell: Annotation[AnyGraph], number: int) -> Occurrence:
    """Return the occurrence of the nucleus with this number in its sentence."""
    text = " ".join(cell.value.tokens)
    return Occurrence(
        cell.item.id, (number,), cell.coder, 0, str(cell.source or ""), right=f"in: {text}" if text else ""
    )


def _table(done: Sequence[Cells], coders: Sequence[str]) -> Table:
    """Return how often each pair of annotators differs in labels, values, roles, tops, nodes and so on."""
    counted: dict[tuple[str, str], Counter[str]] = {}
    for cells in done:
        for one, two in combinations(cells, 2):
            own = counted.setdefault((one.coder, two.coder), Counter())
            own.update(each.kind for each in differences(one.value.graph, two.value.graph))
    pairs = [pair for pair in combinations(coders, 2) if pair in counted]
    rows = tuple((*pair, *(counted[pair][kind] for kind in KINDS)) for pair in pairs)
    return Table(("first", "second", *KINDS), rows)
