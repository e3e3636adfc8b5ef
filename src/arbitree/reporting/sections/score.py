"""Output of ``arbitree score``: scores of systems, significance tests, breakdowns, items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from arbitree.kinds.kind import Kind
from arbitree.measures.coverage import each_once
from arbitree.plugins import check_name
from arbitree.reporting.csv import with_tabs
from arbitree.reporting.document import (
    COUNT,
    CSV,
    DATA,
    NAME,
    P_VALUE,
    SHORT_INTERVAL,
    SIGNED,
    TERMINAL,
    TEXT,
    VALUE,
    XLSX,
    Details,
    Document,
    Field,
    Presentable,
    Section,
    Text,
    references_of,
    table_of_fields,
)
from arbitree.reporting.phrasing import ignored_lines, limit, names_of, origins, status_lines, summary, within
from arbitree.reporting.sections.agree import (
    fields_of_second,
    group_list,
    ignored_items,
    result_fields,
    signatures,
    span_of,
)
from arbitree.scoring.systems import Scores, SystemComparison
from arbitree.study.result import MEDIA, Column, Form, Later, Result, Table
from arbitree.wording import count_of, decimal, listed, shortened

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _six_digits(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def _signed_ends(interval: tuple[float, float] | None) -> str:
    return " – ".join(decimal(end, sign="+") for end in interval) if interval else ""


SIX_DIGITS = Form("value", _six_digits)
SIGNED_INTERVAL = Form("signed interval", _signed_ends)
TEST_COLUMNS = [
    Column("difference", "difference", SIGNED),
    Column("bootstrap", "p boot", P_VALUE),
    Column("randomisation", "p rand", P_VALUE),
]
WORDS = 70  # characters of an item that people see
START = TEXT._replace(text=lambda words: shortened(words, WORDS))
SIDE_BY_SIDE = 3  # systems that have room for their intervals in one table
WORST = 10  # rows of a table of confusions that the terminal shows


@dataclass(frozen=True, slots=True, repr=False)
class ScoreTable(Presentable):
    """The scores of systems against gold, best system first."""

    scores: Scores
    kind: Kind[Any]
    differing: int = 0  # items to list on which the two best systems differ

    @property
    def results(self) -> tuple[Result, ...]:
        """All results, system by system, the best first."""
        return tuple(result for system in self.scores.systems for result in self.scores.results[system])

    def __getitem__(self, system: str) -> dict[str, Result]:
        check_name(system, self.scores.results, "system")
        found = self.scores.results[system]
        return dict(zip(names_of(found), found, strict=True))

    def plot(self) -> Figure:
        """Return a figure of the scores with their confidence intervals; needs matplotlib."""
        from arbitree.reporting.charts import forest_figure

        return forest_figure(
            [
                (f"{system}: {name}", result)
                for system in self.scores.systems
                for name, result in self[system].items()
            ]
        )

    @property
    def warnings(self) -> list[str]:
        """Warnings about the study and the scores."""
        notes = [
            f"{system}: {note}" for system, found in self.scores.results.items() for note in _notes(found)
        ]
        return [*self.scores.study.notes, *notes, *_uneven(self.scores, self.kind.unit)]

    @property
    def document(self) -> Document:
        """The scores as a document."""
        scores, unit = self.scores, self.kind.unit
        ignored = ignored_items(self.results)
        sections = (
            *([Section((_ranking(scores),))] if len(scores.systems) > SIDE_BY_SIDE else ()),
            Section((_measures(scores), _results(scores, unit))),
            *([Section((_pairs(scores),))] if len(scores.systems) > 2 and scores.comparisons else ()),
            *([Section((_comparisons(scores),))] if scores.comparisons else ()),
            *_breakdowns(scores, unit),
            *(
                Section((_confusion(kind, system, confusion),))
                for system, tables in scores.confusions.items()
                for kind, confusion in tables.items()
            ),
            Section(_errors(scores)),
            *([Section((_differences(self.kind, scores, self.differing),))] if self.differing else ()),
            Section((_items(scores, self.kind),)),
            Section(tuple(map(Text, _remarks(scores, unit)))),
            Section((Details(ignored, whole=True),)),
            *(
                signatures(scores.results[system], of=system if len(scores.systems) > 1 else "")
                for system in scores.systems
            ),
        )
        return Document(
            "score", headline(scores, unit), sections, self.data, references_of(self.results), main="Results"
        )

    @property
    def per_item(self) -> Table:
        """One row per item and system, with one column per measure."""
        return replace(_items(self.scores, self.kind), media=MEDIA)

    def per_sentence(self) -> Iterator[str]:
        """Yield the lines of a TSV table: one row per item and system, one column per measure."""
        yield from with_tabs(_items(self.scores, self.kind)).splitlines()

    def data(self) -> dict[str, Any]:
        """Return the scores for JSON."""
        scores = self.scores
        found: dict[str, Any] = {
            "study": {**summary(self.kind, scores.study), "reference": scores.study.reference},
            "systems": list(scores.systems),
            "results": [
                {"system": system, **result.to_dict()}
                for system in scores.systems
                for result in scores.results[system]
            ],
            "comparisons": [each.to_dict() for each in scores.comparisons],
            "warnings": self.warnings,
        }
        if self.differing:
            found["differences"] = [
                {
                    "item": each.item,
                    "values": {scores.systems[0]: each.first, scores.systems[1]: each.second},
                }
                for each in scores.differences(self.differing)
            ]
        if scores.confusions:
            found["confusions"] = {
                system: {kind: table.records() for kind, table in tables.items()}
                for system, tables in scores.confusions.items()
            }
        return found


def headline(scores: Scores, unit: str) -> str:
    """Return one sentence with the first measure of the best system, or of all that tie for best."""
    best = scores.systems[0]
    first = scores.results[best][0]
    tied = [system for system, rank in scores.ranks().items() if rank == 1]
    several = len(scores.systems) > 1
    who = f"Scores of {len(scores.systems):,} systems" if several else f"Score of {best}"
    start = f"{who} against {scores.study.reference} on {count_of(first.items_used, unit)}"
    if first.value is None:
        return f"{start}: {first.measure} is undefined."
    lead = f"{listed(tied)} {'is' if len(tied) == 1 else 'tie for'} best with " if several else ""
    return f"{start}: {lead}{first.measure} {decimal(first.value)}{limit(first)}{within(first.interval)}."


def _results(scores: Scores, unit: str) -> Table:
    """Return one row per system and measure."""
    every = [(system, result) for system in scores.systems for result in scores.results[system]]
    fields: list[Field[tuple[str, Result]]] = [
        (Column("system", "system", NAME), lambda each: each[0]),
        (Column("measure", "measure", NAME), lambda each: each[1].measure),
        *fields_of_second(result_fields([result for _, result in every], unit)),
    ]
    return table_of_fields(fields, every, name="Results", media=DATA)


def _items(scores: Scores, kind: Kind[Any]) -> Table:
    """Return one row per item and system, with one column per measure."""

    def rows() -> list[tuple[Any, ...]]:
        tables = {
            system: [
                {row[0]: row[3] for row in result.per_item.rows} if result.per_item else {}
                for result in found
            ]
            for system, found in scores.results.items()
        }
        texts = origins(kind, scores.study)
        return [
            (
                item.id,
                system,
                *(table.get(item.id) for table in tables[system]),
                item.document,
                texts[item.id].text,
            )
            for item in scores.study.items
            for system in scores.systems
            if any(item.id in table for table in tables[system])
        ]

    names = names_of(scores.results[scores.systems[0]])
    columns = (
        Column("item", "item", TEXT),
        Column("system", "system", TEXT),
        *(Column(name, name, SIX_DIGITS) for name in names),
        Column("document", "document", TEXT),
        Column("text", "text", TEXT),
    )
    return Table(columns, Later(rows), name=f"{kind.unit}s".capitalize(), media=CSV | XLSX)


def _measures(scores: Scores) -> Table:
    """Return the values and intervals of every system; for two systems, also their difference and tests."""
    two = len(scores.systems) == 2 and bool(scores.comparisons)
    beside = len(scores.systems) <= SIDE_BY_SIDE
    columns = [Column("measure", "measure", TEXT)]
    for system in scores.systems:
        columns.append(Column(system, system, VALUE))
        columns += [Column("interval", _interval_head(scores), SHORT_INTERVAL)] if beside else []
    columns += TEST_COLUMNS if two else []
    rows = []
    names = names_of(scores.results[scores.systems[0]])
    results = zip(*(scores.results[system] for system in scores.systems), strict=True)
    for place, (name, row) in enumerate(zip(names, results, strict=True)):
        cells = [c for result in row for c in (result.value, span_of(result))[: 1 + beside]]
        rows.append((name, *cells, *(_tests(scores.comparisons[place]) if two else ())))
    return Table(columns, rows, media=TERMINAL, repeated=1)


def _ranking(scores: Scores) -> Table:
    """Return the systems by rank, with the intervals that do not fit into the table of measures."""
    columns = (
        Column("rank", "rank", TEXT),
        Column("system", "system", TEXT),
        Column("value", scores.measures[0], VALUE),
        Column("interval", _interval_head(scores), SHORT_INTERVAL),
    )
    best = [(system, scores.results[system][0]) for system in scores.systems]
    ranks = scores.ranks()
    shared = [rank for rank, count in Counter(ranks.values()).items() if count > 1]
    rows = [
        (f"{ranks[system]}{'=' * (ranks[system] in shared)}", system, first.value, span_of(first))
        for system, first in best
    ]
    return Table(columns, rows, media=TERMINAL)


def _interval_head(scores: Scores) -> str:
    first = scores.results[scores.systems[0]][0]
    return f"{100 * first.interval.confidence:g}% CI" if first.interval else ""


def _tests(each: SystemComparison) -> tuple[float | None, ...]:
    return each.difference, each.bootstrap, each.randomisation


def _pairs(scores: Scores) -> Table:
    """Return the tests between all pairs of systems under the first measure."""
    difference, *tests = TEST_COLUMNS
    columns = (
        Column("pair", f"pair, {scores.measures[0]}", TEXT),
        difference,
        Column("interval", _interval_head(scores), SIGNED_INTERVAL),
        *tests,
        Column("holm", "p Holm", P_VALUE),
    )
    pairs = len(scores.systems) * (len(scores.systems) - 1) // 2
    rows = []
    for each in scores.comparisons[:pairs]:
        found, *p_values = _tests(each)
        rows.append((f"{each.first} - {each.second}", found, each.interval, *p_values, each.holm))
    return Table(columns, rows, media=TERMINAL)


def _comparisons(scores: Scores) -> Table:
    """Return the tests between all pairs of systems under every measure."""
    fields: list[Field[SystemComparison]] = [
        (Column("measure", "measure", NAME), lambda each: each.measure),
        (Column("first", "first", NAME), lambda each: each.first),
        (Column("second", "second", NAME), lambda each: each.second),
        (Column("difference", "difference", SIGNED), lambda each: each.difference),
        (Column("low", "low", SIGNED), lambda each: each.interval and each.interval[0]),
        (Column("high", "high", SIGNED), lambda each: each.interval and each.interval[1]),
        (Column("items_used", "items_used", COUNT), lambda each: each.items),
        (Column("p_bootstrap", "p_bootstrap", P_VALUE), lambda each: each.bootstrap),
        (Column("p_randomisation", "p_randomisation", P_VALUE), lambda each: each.randomisation),
        (Column("p_holm", "p_holm", P_VALUE), lambda each: each.holm),
    ]
    return table_of_fields(fields, scores.comparisons, name="Comparisons", media=DATA)


def _breakdowns(scores: Scores, unit: str) -> Iterator[Section]:
    """Yield one table per breakdown and system for people, and one per breakdown for programs."""
    named = [Column("system", "system", NAME), Column("measure", "measure", NAME)]
    for kind in scores.results[scores.systems[0]][0].groups:
        for system in scores.systems:
            found = [result for result in scores.results[system] if result.groups[kind]]
            if found:
                yield Section((_groups(kind, system, found, unit),))
        every = [
            ((system, name), result)
            for system in scores.systems
            for name, result in zip(names_of(scores.results[system]), scores.results[system], strict=True)
        ]
        yield Section((group_list(kind, named, every, unit),))


def _groups(kind: str, system: str, results: Sequence[Result], unit: str) -> Table:
    first = results[0].groups[kind]
    counted = "tokens" if any("tokens" in group.details for group in first) else f"{unit}s"
    precise = any("precision" in group.details for group in first)
    names = names_of(results)
    columns = [
        Column(kind, f"{system} by {kind}", TEXT),
        Column(counted, counted, COUNT),
        *(Column(name, name, VALUE) for name in names),
        *([Column("precision", f"{names[0]} precision", VALUE)] if precise else []),
    ]
    rows = [
        (
            groups[0].name,
            groups[0].details.get("tokens", groups[0].items_used),
            *(group.value for group in groups),
            *([groups[0].details.get("precision")] if precise else []),
        )
        for groups in zip(*(result.groups[kind] for result in results), strict=True)
    ]
    return Table(columns, rows, media=TERMINAL, repeated=2)


def _confusion(kind: str, system: str, confusion: Table) -> Table:
    columns = (
        Column("gold", f"{system}: {kind}, gold", TEXT),
        Column("system", "system", TEXT),
        Column("tokens", "tokens", COUNT),
    )
    return Table(columns, confusion.rows, media=TERMINAL, most=WORST)


def _errors(scores: Scores) -> tuple[Table, ...]:
    """Return one table per kind of error, with the errors of all systems."""
    columns = (
        Column("system", "system", NAME),
        Column("gold", "gold", TEXT),
        Column("answer", "answer", TEXT),
        Column("tokens", "tokens", COUNT),
    )
    found: dict[str, list[tuple[Any, ...]]] = {}
    for system, tables in scores.confusions.items():
        for kind, table in tables.items():
            found.setdefault(kind, []).extend((system, *row) for row in table.rows)
    return tuple(Table(columns, rows, name=f"Errors in {kind}", media=DATA) for kind, rows in found.items())


def _differences(kind: Kind[Any], scores: Scores, most: int) -> Table:
    texts = origins(kind, scores.study)
    columns = (
        Column("item", kind.unit, TEXT),
        Column("words", "words", START),
        *(Column(system, system, VALUE) for system in scores.systems[:2]),
    )
    rows = [(each.item, texts[each.item].text, each.first, each.second) for each in scores.differences(most)]
    return Table(columns, rows, name="Differences", media=DATA | TERMINAL)


def _remarks(scores: Scores, unit: str) -> list[str]:
    notes = {system: _notes(scores.results[system]) for system in scores.systems}
    shared = [note for note in notes[scores.systems[0]] if all(note in own for own in notes.values())]
    lines = list(shared)
    for system in scores.systems:
        found = scores.results[system]
        own = [note for note in notes[system] if note not in shared]
        own += [*_undefined(found, unit), *ignored_lines(found, unit)]
        lines += [f"{system}: {line}" for line in own]
    every = [result for system in scores.systems for result in scores.results[system]]
    lines += status_lines(every)
    lines += _uneven(scores, unit)
    if scores.comparisons and len(scores.systems) > 1:
        lines.append(
            "p: two-sided, by paired bootstrap and by approximate randomisation, "
            f"{scores.resamples:,} iterations each"
        )
    return lines


def _uneven(scores: Scores, unit: str) -> list[str]:
    """Return a warning if the systems are not scored on the same items."""
    used = {system: scores.results[system][0].items_used for system in scores.systems}
    if len(set(used.values())) < 2:
        return []
    counts = ", ".join(f"{system} {count:,}" for system, count in used.items())
    return [f"numbers of {unit}s differ ({counts}); differences are computed on shared {unit}s"]


def _undefined(results: Sequence[Result], unit: str) -> list[str]:
    """Return one line for measures that are undefined on some items."""
    lost: dict[int, list[str]] = {}
    for result in results:
        count = result.details.get("undefined_items", 0)
        if count and result.value is not None:
            lost.setdefault(count, []).append(result.measure)
    return [
        f"{listed(names)} {'is' if len(names) == 1 else 'are'} undefined on {count_of(count, unit)}"
        for count, names in lost.items()
    ]


def _notes(results: Sequence[Result]) -> list[str]:
    return each_once(note for result in results for note in result.notes)
