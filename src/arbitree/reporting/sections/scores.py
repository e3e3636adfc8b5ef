"""Scores of systems: what JSON, terminal, notebook and a table of sentences show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import arbitree
from arbitree.kinds.kind import Kind
from arbitree.plugins import check_name
from arbitree.reporting.outline import names_of, places
from arbitree.reporting.phrasing import bounds, ignored_lines, status_lines, summary
from arbitree.reporting.terminal import WIDTH, aligned, stacked
from arbitree.scoring.systems import Comparison, Scores
from arbitree.study.result import Result, Table
from arbitree.wording import count_of

if TYPE_CHECKING:
    import pandas as pd


WORDS = 70  # characters of a sentence that the terminal shows
SIDE_BY_SIDE = 3  # systems that have room for their intervals in one table
WORST = 10  # rows of a table of confusions that the terminal shows


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """The scores of systems against gold, best system first."""

    scores: Scores
    kind: Kind[Any]
    differing: int = 0  # sentences to list on which the two best systems differ

    def __str__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(as_text(self))}</pre>"

    @property
    def results(self) -> tuple[Result, ...]:
        """All results, system by system, the best first."""
        return tuple(result for system in self.scores.systems for result in self.scores.results[system])

    def __getitem__(self, system: str) -> dict[str, Result]:
        check_name(system, self.scores.results, "the systems of this table")
        found = self.scores.results[system]
        return dict(zip(names_of(found), found, strict=True))

    @property
    def warnings(self) -> list[str]:
        """What whoever reads the numbers should know."""
        notes = [
            f"{system}: {note}" for system, found in self.scores.results.items() for note in _notes(found)
        ]
        return [*self.scores.study.notes, *notes, *_uneven(self.scores)]

    def to_dict(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        scores = self.scores
        found: dict[str, Any] = {
            "arbitree": arbitree.__version__,
            "command": "score",
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

    def to_pandas(self) -> pd.DataFrame:
        """Return a data frame, one row for each system and measure; needs pandas."""
        import pandas

        rows = [
            {
                "system": system,
                "measure": result.measure,
                "value": result.value,
                "low": result.interval.low if result.interval else None,
                "high": result.interval.high if result.interval else None,
                "status": result.status,
                "items_used": result.items_used,
                "items_ignored": len(result.ignored),
                "signature": result.signature,
            }
            for system in self.scores.systems
            for result in self.scores.results[system]
        ]
        return pandas.DataFrame(rows)

    def per_sentence(self) -> Iterator[str]:
        """Yield the lines of a table with tabs: a row for each sentence and system, a column a measure."""
        names = names_of(self.scores.results[self.scores.systems[0]])
        yield "\t".join(("item", "system", *names))
        tables = {
            system: [
                {row[0]: row[3] for row in result.per_item.rows} if result.per_item else {}
                for result in found
            ]
            for system, found in self.scores.results.items()
        }
        for item in self.scores.study.items:
            for system in self.scores.systems:
                values = [table.get(item.id) for table in tables[system]]
                if any(item.id in table for table in tables[system]):
                    shown = ("" if value is None else f"{value:.6g}" for value in values)
                    yield "\t".join((item.id, system, *shown))


def as_text(table: ScoreTable, *, verbose: bool = False) -> str:
    """Return the scores as plain text: a sentence, the scores, the tests, breakdowns, what was left out."""
    scores = table.scores
    parts = [wrap(headline(scores), WIDTH), _measures(scores)]
    if len(scores.systems) > SIDE_BY_SIDE:
        parts.insert(1, _ranking(scores))
    if len(scores.systems) > 2 and scores.comparisons:
        parts.append(_pairs(scores))
    for kind in scores.results[scores.systems[0]][0].groups:
        for system in scores.systems:
            found = [result for result in scores.results[system] if result.groups[kind]]
            parts += [_groups(kind, system, found)] if found else []
    for system, tables in scores.confusions.items():
        parts += [_confusion(kind, system, confusion) for kind, confusion in tables.items()]
    if table.differing:
        parts.append(_differences(table.kind, scores, table.differing))
    parts.append(_remarks(scores))
    if verbose:
        ignored = dict.fromkeys(each for result in table.results for each in result.ignored)
        parts.append([f"  {each.item}: {each.reason} {each.detail}".rstrip() for each in ignored])
        parts.append(list(dict.fromkeys(result.signature for result in table.results)))
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def headline(scores: Scores) -> str:
    """Return one sentence with the first measure of the best system."""
    best = scores.systems[0]
    first = scores.results[best][0]
    systems = count_of(len(scores.systems), "system")
    systems = systems[0].upper() + systems[1:]
    start = f"{systems} against {scores.study.reference} on {count_of(first.items_used, 'sentence')}"
    if first.value is None:
        return f"{start}: {first.measure} has no value."
    interval = (
        f" ({first.interval.confidence:.0%} interval {bounds(first.interval, ' to ')})"
        if first.interval
        else ""
    )
    which = f"{best} comes first" if len(scores.systems) > 1 else best
    return f"{start}: {which} at {first.measure} {first.value:.3f}{interval}."


def p_text(value: float | None) -> str:
    """Return a p-value in three digits.

    Example:
        >>> p_text(0.00049), p_text(0.0312), p_text(None)
        ('<0.001', '0.031', '—')
    """
    if value is None:
        return "—"
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def _measures(scores: Scores) -> list[str]:
    """Return values and intervals of every system; for two systems, their difference and the tests too."""
    two = len(scores.systems) == 2 and bool(scores.comparisons)
    tests = ["difference", "p boot", "p rand"] if two else []
    beside = len(scores.systems) <= SIDE_BY_SIDE
    heads = [h for system in scores.systems for h in (system, _interval_head(scores))[: 1 + beside]]
    lines = [["measure", *heads, *tests]]
    rows = list(zip(*(scores.results[system] for system in scores.systems), strict=True))
    names = names_of(scores.results[scores.systems[0]])
    for place, (name, row) in enumerate(zip(names, rows, strict=True)):
        cells = [c for result in row for c in (number(result.value), _range(result))[: 1 + beside]]
        lines.append([name, *cells, *(_test_cells(scores.comparisons[place]) if two else [])])
    return stacked(lines)


def _ranking(scores: Scores) -> list[str]:
    """Return the systems by rank, with the intervals that a wide table has no room for."""
    lines = [["rank", "system", scores.measures[0], _interval_head(scores)]]
    for rank, system in enumerate(scores.systems, start=1):
        first = scores.results[system][0]
        lines.append([str(rank), system, number(first.value), _range(first)])
    return aligned(lines, left=2)


def _interval_head(scores: Scores) -> str:
    first = scores.results[scores.systems[0]][0]
    return f"{first.interval.confidence:.0%}" if first.interval else ""


def _range(result: Result) -> str:
    if result.interval:
        return f"{result.interval.low:.3f}–{result.interval.high:.3f}"
    return "" if result.status == "ok" else result.status


def number(value: float | None) -> str:
    """Return four digits."""
    return "—" if value is None else f"{value:.4f}"


def _test_cells(each: Comparison) -> list[str]:
    difference = "—" if each.difference is None else f"{each.difference:+.4f}"
    return [difference, p_text(each.bootstrap), p_text(each.randomisation)]


def _pairs(scores: Scores) -> list[str]:
    """Return the tests between all pairs of systems under the first measure."""
    lines = [
        [f"pair, {scores.measures[0]}", "difference", "interval", "p boot", "p rand", "Holm", "Bonferroni"]
    ]
    pairs = len(scores.systems) * (len(scores.systems) - 1) // 2
    for each in scores.comparisons[:pairs]:
        difference, *p_values = _test_cells(each)
        interval = f"{each.interval[0]:+.3f} – {each.interval[1]:+.3f}" if each.interval else ""
        corrected = [p_text(each.holm), p_text(each.bonferroni)]
        lines.append([f"{each.first} - {each.second}", difference, interval, *p_values, *corrected])
    return aligned(lines)


def _groups(kind: str, system: str, results: Sequence[Result]) -> list[str]:
    first = results[0].groups[kind]
    counted = "tokens" if any("tokens" in group.details for group in first) else "used"
    precise = any("precision" in group.details for group in first)
    names = names_of(results)
    lines = [[f"{system} by {kind}", counted, *names, *([f"{names[0]} precision"] if precise else [])]]
    for rows in zip(*(result.groups[kind] for result in results), strict=True):
        cells = [number(group.value) for group in rows]
        if precise:
            cells.append(number(rows[0].details.get("precision")))
        lines.append([rows[0].name, f"{rows[0].details.get('tokens', rows[0].items_used):,}", *cells])
    return stacked(lines, kept=2)


def _confusion(kind: str, system: str, confusion: Table) -> list[str]:
    lines = [[f"{system}: {kind}, gold", "system", "tokens"]]
    lines += [[gold, other, f"{count:,}"] for gold, other, count in confusion.rows[:WORST]]
    return aligned(lines, left=2)


def _differences(kind: Kind[Any], scores: Scores, most: int) -> list[str]:
    texts = places(kind, scores.study)
    lines = [["sentence", "words", *scores.systems[:2]]]
    for each in scores.differences(most):
        words = texts[each.item].text
        shown = words if len(words) <= WORDS else words[: WORDS - 1] + "…"
        lines.append([each.item, shown, number(each.first), number(each.second)])
    return aligned(lines, left=2)


def _remarks(scores: Scores) -> list[str]:
    lines = []
    for system in scores.systems:
        found = scores.results[system]
        said = [*_notes(found), *_undefined(found), *ignored_lines(found)]
        lines += [f"{system}: {line}" for line in said]
    every = [result for system in scores.systems for result in scores.results[system]]
    lines += status_lines(every)
    lines += _uneven(scores)
    if scores.comparisons and len(scores.systems) > 1:
        lines.append(
            "p: two-sided, by paired bootstrap and by approximate randomisation, "
            f"{scores.resamples:,} rounds each"
        )
    return lines


def _uneven(scores: Scores) -> list[str]:
    """Return a line that says so if the systems are not scored on the same sentences."""
    used = {system: scores.results[system][0].items_used for system in scores.systems}
    if len(set(used.values())) < 2:
        return []
    counts = ", ".join(f"{system} {count:,}" for system, count in used.items())
    return [f"systems are scored on the sentences that they have ({counts}), and compared on those of both"]


def _undefined(results: Sequence[Result]) -> list[str]:
    """Return one line for measures that have no value on some items."""
    lost: dict[int, list[str]] = {}
    for result in results:
        count = result.details.get("undefined_items", 0)
        if count and result.value is not None:
            lost.setdefault(count, []).append(result.measure)
    return [f"no value on {count_of(count, 'sentence')}: {', '.join(names)}" for count, names in lost.items()]


def _notes(results: Sequence[Result]) -> list[str]:
    return list(dict.fromkeys(note for result in results for note in result.notes))
