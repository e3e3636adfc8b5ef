"""Output of ``arbitree coders``: competence of annotators, confusions, hardest items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from arbitree.annotator_models.findings import (
    ONE_AND_GOLD,
    TWO,
    WHO_IS_RIGHT,
    CoderEstimate,
    CoderFindings,
    Difficulty,
)
from arbitree.annotator_models.model import CoderConfusion
from arbitree.kinds.kind import Kind
from arbitree.measures.coverage import each_once
from arbitree.plugins import check_name
from arbitree.reporting.document import (
    COUNT,
    CSV,
    DATA,
    FRACTION,
    HTML,
    INTERVAL,
    NAME,
    PANDAS,
    SHOWN,
    TERMINAL,
    TEXT,
    VALUE,
    XLSX,
    Details,
    Document,
    Field,
    Presentable,
    Section,
    Span,
    Text,
    bar_column,
    interval_title,
    named_in_data,
    notes_of,
    references_of,
    table_of_fields,
)
from arbitree.reporting.phrasing import STATUS as REMARKS
from arbitree.reporting.phrasing import ignored_lines, summary, within
from arbitree.reporting.sections.agree import ignored_items, signatures
from arbitree.study.result import Column, Form, Result, Table
from arbitree.study.study import Study
from arbitree.wording import count_of, decimal, percent, shortened


def _times(value: float) -> str:
    return f"{value:.3g}"


def _percent(value: float) -> str:
    return percent(value)


AGREES = VALUE._replace(wraps=True)
TIMES = Form("times", _times, wraps=True)
PERCENT = Form("percent", _percent, wraps=True)
MOST_CODERS = 40  # rows of a table on the terminal; --verbose shows all
MOST_ITEMS = 10
MOST_CONFUSIONS = 10
SHORT = 20  # characters of a name that are not wrapped
LONGEST = 48  # characters of an item's words that people see
START = TEXT._replace(text=lambda words: shortened(words, LONGEST))
BAR = 16
KNOWN_OF_TWO = ("coder", "annotations")  # the columns that are shown for two annotators

STATUS = REMARKS | {"no_variation": "undefined, because all annotations have the same value"}


def _sentences(findings: CoderFindings, unit: str) -> list[str]:
    first, *rest = findings.results
    coders = count_of(len(findings.study.coders), "annotator")
    if findings.two:
        differ = count_of(len(findings.undecided), unit)
        lines = [
            f"{coders} on {count_of(first.items_used, unit)}: they differ on {differ}.",
            *(note[0].upper() + note[1:] for note in _two(findings)),
        ]
        known = [result for result in rest if result.value is not None]
        return lines + [
            f"Where they agree, they are correct for {each.details['correct']:,} of "
            f"{each.details['total']:,} {unit}s: accuracy {decimal(each.value or 0.0, 4)}."
            for each in known
        ]
    begin = f"Mean competence of {coders} on {count_of(first.items_used, unit)}"
    if first.value is None:
        why = STATUS.get(first.status, first.status)
        lines = [f"{begin}: {why}; model {findings.model}."]
    else:
        lines = [f"{begin}: {decimal(first.value)}{within(first.interval)}, model {findings.model}."]
    for result in rest:
        if result.value is not None:
            found = result.details
            split = (
                f" ({decimal(found['ties_split'], 4)} with {found['ties']:,} ties split)"
                if found["ties"]
                else ""
            )
            right = f"{found['correct']:,} of {found['total']:,} {unit}s"
            lines.append(f"The consensus is correct for {right}: accuracy {decimal(result.value, 4)}{split}.")
    return [*lines, f"Competence is {findings.about}."]


def coder_table(findings: CoderFindings) -> Table:
    """Return a table with one row per annotator."""
    spans = [each.interval for each in findings.coders]
    short = max((len(each.coder) for each in findings.coders[:MOST_CODERS]), default=0) <= SHORT
    name = NAME._replace(wraps=not short)
    fields: list[Field[CoderEstimate]] = [
        (Column("coder", "annotator", name, TERMINAL | HTML | XLSX), lambda each: each.coder),
        (Column("coder", "coder", name, PANDAS | CSV), lambda each: each.coder),
        (Column("competence", "competence", FRACTION), lambda each: each.competence),
        (bar_column(SHOWN, BAR), lambda each: Span(each.competence, each.interval)),
        (Column("interval", interval_title(spans), INTERVAL, SHOWN), _span),
        (Column("low", "low", VALUE, DATA), lambda each: each.interval and each.interval.low),
        (Column("high", "high", VALUE, DATA), lambda each: each.interval and each.interval.high),
        (Column("status", "status", TEXT, PANDAS | CSV), lambda each: each.status),
        (Column("agreement", "agreement with consensus", VALUE, XLSX | HTML), lambda each: each.agreement),
        (Column("annotations", "annotations", COUNT), lambda each: each.annotations),
        (Column("agreement", "agreement with consensus", AGREES, TERMINAL), lambda each: each.agreement),
        (Column("agreement", "agrees", VALUE, PANDAS | CSV), lambda each: each.agreement),
        (Column("remark", "remark", TEXT, XLSX), lambda each: REMARKS.get(each.status, each.status)),
    ]
    if findings.two:
        fields = [
            (column if column.name in KNOWN_OF_TWO else column._replace(media=column.media & DATA), value)
            for column, value in fields
        ]
    about = {"name": "Coders", "most": MOST_CODERS, "more": "annotator", "folded": True}
    return table_of_fields(fields, findings.coders, **about)


def _span(each: CoderEstimate) -> Span:
    return Span(each.competence, each.interval, "" if each.status == "ok" else each.status)


def _confusions(confusion: Sequence[CoderConfusion]) -> Table:
    found = [each for each in confusion if each.truth != each.answer]
    fields: list[Field[CoderConfusion]] = [
        (Column("coder", "annotator", NAME), lambda each: each.coder),
        (Column("truth", "consensus label", TEXT), lambda each: each.truth or "(none)"),
        (Column("answer", "annotator's label", TEXT), lambda each: each.answer or "(none)"),
        (Column("count", "count", TIMES), lambda each: each.count),
        (Column("share", "share of cases", PERCENT), lambda each: each.share),
    ]
    about = {"name": "Confusions", "most": MOST_CONFUSIONS, "more": "confusion"}
    ranked = sorted(found, key=_frequency)
    return table_of_fields(named_in_data(fields), ranked, media=DATA | TERMINAL, **about)


def _frequency(row: CoderConfusion) -> tuple[Any, ...]:
    """Return the key that sorts confusions: the most frequent first, in an order of their own."""
    count, share = round(row.count, 6), round(row.share, 6)
    return -count, -share, row.truth or "", row.answer or "", row.coder


def _items(kind: Kind[Any], hardest: Sequence[Difficulty]) -> Table:
    short = max((len(each.item) for each in hardest[:MOST_ITEMS]), default=0) <= SHORT
    words = kind.unit == "sentence"  # of a tree, only its words are shown
    consensus = any(each.consensus is not None for each in hardest)
    shown = "words" if words else "consensus" if consensus else "labels"
    fields: list[Field[Difficulty]] = [
        (Column("item", f"hardest {kind.unit}s", NAME._replace(wraps=not short)), lambda each: each.item),
        (Column("entropy", "entropy", VALUE), lambda each: each.entropy),
        (Column(shown, shown, START), lambda each: _shown(kind, each, whole=words)),
    ]
    about = {"name": f"Hardest {kind.unit}s", "most": MOST_ITEMS, "more": f"uncertain {kind.unit}"}
    return table_of_fields(named_in_data(fields), hardest, media=DATA | TERMINAL, **about)


def _two(findings: CoderFindings) -> list[str]:
    """Return the note about two annotators, which the headline contains if there are no others."""
    notes = findings.results[0].notes if findings.two else ()
    return [note for note in notes if note.startswith((WHO_IS_RIGHT, ONE_AND_GOLD))]


def _notes(findings: CoderFindings, unit: str) -> Iterator[str]:
    notes = each_once(note for result in findings.results for note in result.notes)
    yield from (note for note in notes if note not in _two(findings))
    others = [each.status for each in findings.coders if each.status not in ("ok", TWO)]  # TWO has a note
    for status in dict.fromkeys(others):
        who = [each.coder for each in findings.coders if each.status == status]
        named = ", ".join(who[:5]) + (f" and {len(who) - 5} more" if len(who) > 5 else "")
        yield f"{status}: {STATUS.get(status, 'see the documentation')} ({named})"
    ties = sum(bool(each.ties) for each in findings.items) - len(findings.undecided)
    if ties:
        which = "is" if ties == 1 else "are"
        yield (
            f"{count_of(ties, unit)} {which} tied: several values are equally probable, and the consensus "
            "contains the first of them in sorted order"
        )
    yield from ignored_lines(findings.results[:1], unit)


def _shown(kind: Kind[Any], each: Difficulty, *, whole: bool) -> str:
    """Return the consensus of an item in words; if several values tie, all of them or the first (*whole*)."""
    values = each.ties or (each.consensus,)
    return " or ".join(kind.describe(value) for value in (values[:1] if whole else values))


@dataclass(frozen=True, slots=True, repr=False)
class CoderTable(Presentable):
    """The estimates of an annotator model, as ``arbitree coders`` shows them."""

    findings: CoderFindings
    kind: Kind[Any]

    def __getitem__(self, coder: str) -> CoderEstimate:
        found = {each.coder: each for each in self.findings.coders}
        check_name(coder, found, "annotator")
        return found[coder]

    @property
    def results(self) -> tuple[Result, ...]:
        """The mean competence, then the accuracy if known labels were given."""
        return self.findings.results

    @property
    def consensus(self) -> Study[Any]:
        """The consensus, as a study with one annotator."""
        return self.findings.consensus

    @property
    def warnings(self) -> list[str]:
        """Warnings about the study and the values."""
        return notes_of(self.findings.study, self.results)

    @property
    def document(self) -> Document:
        """The estimates as a document."""
        found = self.findings
        confusions, hardest = _confusions(found.confusion), found.hardest()
        notes = map(Text, _notes(found, self.kind.unit))
        sections = (
            Section((coder_table(found),)),
            Section((confusions,) if confusions.rows else ()),
            Section((_items(self.kind, hardest),) if hardest else ()),
            Section((*notes, Details(ignored_items(found.results[:1])))),
            signatures(found.results),
        )
        references = references_of(found.results)
        return Document(
            "coders",
            "\n".join(_sentences(found, self.kind.unit)),
            sections,
            self.data,
            references,
            main="Coders",
        )

    def data(self) -> dict[str, Any]:
        """Return the estimates for JSON."""
        found = self.findings
        return {
            "study": summary(self.kind, found.study),
            "results": [result.to_dict() for result in found.results],
            "warnings": self.warnings,
            "model": found.model,
            "coders": [_coder(each) for each in found.coders],
            "confusion": [_confused(each) for each in found.confusion],
            "items": [_item(each, self.kind) for each in found.items],
        }


def _coder(each: CoderEstimate) -> dict[str, Any]:
    return {
        "coder": each.coder,
        "competence": each.competence,
        "interval": [each.interval.low, each.interval.high] if each.interval else None,
        "status": each.status,
        "annotations": each.annotations,
        "agreement": each.agreement,
    }


def _confused(each: CoderConfusion) -> dict[str, Any]:
    return {
        "coder": each.coder,
        "truth": each.truth,
        "answer": each.answer,
        "count": each.count,
        "share": each.share,
    }


def _item(each: Difficulty, kind: Kind[Any]) -> dict[str, Any]:
    consensus = None if each.consensus is None else kind.short_record(each.consensus)
    found = {"item": each.item, "consensus": consensus, "entropy": each.entropy}
    return found | ({"ties": [kind.short_record(value) for value in each.ties]} if each.ties else {})
