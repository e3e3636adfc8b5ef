"""Output of ``arbitree explain``: questions, types of inconsistencies, annotators, every occurrence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from arbitree.constructions.findings import CODERS, CORPUS, PARSER, Findings, Nucleus, Question, Type
from arbitree.constructions.questions import HABIT
from arbitree.constructions.versus import SAME, STATES, Comparison, Difference
from arbitree.kinds.kind import Kind
from arbitree.reporting.document import (
    COUNT,
    CSV,
    DATA,
    NAME,
    PANDAS,
    SHOWN,
    TERMINAL,
    TEXT,
    XLSX,
    Details,
    Document,
    Field,
    Presentable,
    Section,
    Text,
    references_of,
    section_in,
    table_of_fields,
)
from arbitree.reporting.phrasing import REASONS, summary
from arbitree.study.result import Column, Form, Later, Table
from arbitree.study.study import Study
from arbitree.wording import count_of, decimal, listed, percent


def value_text(value: Any) -> str:
    """Return a cell of a table.

    Example:
        >>> value_text(1234), value_text(0.5), value_text(None)
        ('1,234', '0.50', '—')
    """
    if value is None:
        return "—"
    if isinstance(value, float):
        return f"{value:,.2f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


FIGURE = Form("figure", value_text, wraps=True)
BITS = Form("bits", lambda value: "" if value is None else f"{value:.2f}")
MOST = 20  # questions that are printed, or types if there are no questions
ROWS = 20  # of another table that are printed
TYPES_EACH = 3  # types of a question
EXAMPLES = 4  # of each type
LONGEST = 60  # letters of an example

CLASS_WORDS = {
    "function": "function tags only",
    "pos": "part of speech only",
    "function+pos": "function tags and part of speech",
    "structural": "structure",
    "label": "relation only",
    "subtype": "subtype of the relation only",
    "attachment": "attachment only",
    "direction": "head and dependent swapped",
}
AMONG_CODERS = ("coders", "pairs")  # tables that show nothing new for two annotators
TABLE_TITLES = {
    "coders": "Annotators",
    "pairs": "Pairs of annotators",
    "changes": "Changed questions",
    "changed-types": "Changed types",
}
COLUMN_TITLES = {"coder": "annotator", "per_thousand": "per 1,000 words"}
TABLE_NOTES = {
    "coders": "Minority: nuclei in which most other annotators agree on a different annotation. "
    "Ties: no annotation has a majority.",
    "pairs": "Nuclei that the two annotate differently.",
}
PARTLY = "words_aligned"  # sentences with this reason are compared as far as their words are shared
COLUMNS = (
    "code", "class", "kind", "label", "nuclei", "occurrences", "words", "item", "start", "end", "positions",
    "coder", "fragment", "differing", "source", "bits", "question", "question_label",
)  # fmt: skip


def headline(findings: Findings) -> str:
    """Return one sentence with the number of inconsistencies and types."""
    sentences = count_of(findings.items, "sentence")
    if not (findings.types or findings.narrowed):
        return f"Found no inconsistencies in {sentences}."
    between = ""
    if findings.mode == PARSER:
        others = [coder for coder in findings.coders if coder != findings.gold]
        between = f" between {findings.gold} and {listed(others)}"
    number, *grouped = counted(findings)
    if findings.narrowed:
        number, grouped = listed([number, *grouped]), []
    types = f" of {grouped[0]}" if grouped else ""
    types += f" ({grouped[1]})" if grouped[1:] else ""
    if findings.items_differing < findings.items:
        sentences = f"{findings.items_differing:,} of {sentences}"
    found = f"Found {number}{types}{between} in {sentences}"
    rate = f" ({findings.per_thousand:.1f} per 1,000 words)" if findings.per_thousand is not None else ""
    filters = f" Filter: {findings.narrowed.filter.text}." if findings.narrowed else ""
    if findings.mode == CORPUS:
        return f"{found}.{filters}"
    return f"{found}{rate}.{filters}{_agreement(findings)}"


def counted(findings: Findings) -> list[str]:
    """Return the number of inconsistencies, types and, if there are any, questions; with a filter, of all."""
    shown = []
    for name, count in findings.totals.items():
        before = findings.narrowed.before[name] if findings.narrowed else count
        if before or name != "questions":
            part = f"{count:,} of " if findings.narrowed else ""
            noun = "inconsistenc" if name == "nuclei" else name.removesuffix("s")
            ending = ("y", "ies") if name == "nuclei" else ("", "s")
            shown.append(f"{part}{before:,} {noun}{ending[before != 1]}")
    return shown


def legend(findings: Findings) -> str:
    """Return the notation of types in a few sentences; nothing if there are no types."""
    numbers = " The number after an annotator counts nuclei." if findings.mode == CODERS else ""
    return f"Notation: {findings.legend}{numbers}" if findings.legend and findings.types else ""


def terms(findings: Findings) -> str:
    """Return what the words in the table of classes and below it mean; nothing if there are no types."""
    if not findings.types:
        return ""
    nucleus = "A nucleus is the smallest part of a sentence that is annotated inconsistently"
    bits = " Bits: how unusual the rarer annotations are in this study." if findings.questions else ""
    return f"{nucleus}, and an occurrence is one appearance of it.{bits}"


def left_out_lines(findings: Findings) -> list[str]:
    """Return one line per reason for exclusion."""
    counts = Counter(
        reason for reason, _ in dict.fromkeys((each.reason, each.item) for each in findings.ignored)
    )
    return [_exclusion(reason, count) for reason, count in counts.items()]


def _exclusion(reason: str, count: int) -> str:
    sentences = count_of(count, "sentence")
    if reason == PARTLY:
        return f"Partly compared {sentences}: {REASONS[reason]}."
    return f"Excluded {sentences}: {REASONS.get(reason, reason)}."


def heading(each: Type) -> str:
    """Return the title of a type."""
    extra = ", label of the whole" if each.kind == "external" else ""
    extra += ", through the head" if each.via_head else ""
    return f"{each.label} [{CLASS_WORDS.get(each.class_, each.class_)}{extra}]"


def counts_text(each: Type) -> str:
    """Return the figures of a type: bits or evidence, its size, and how often a parser misses it."""
    text = f"{_nuclei(each)}, {count_of(each.occurrences, 'occurrence')}"
    if each.question:
        text = f"{bits_text(each.bits)}, {text}"
    elif each.evidence is not None:
        text = f"evidence {each.evidence:.1f}, {text}"
    if (rate := each.rate) and rate.value is not None:
        word = "missed" if rate.side == "gold" else "wrong in"
        text += (
            f"; {word} {rate.missed:,} of {rate.gold:,} ({percent(rate.value)}), {rate.this:,} in this way"
        )
    return text


def question_text(question: Question) -> str:
    """Return the figures of a question, and the side of each annotator if it is one-sided."""
    text = f"{bits_text(question.bits)}, {_nuclei(question)} of {count_of(len(question.types), 'type')}"
    text += f", {count_of(question.occurrences, 'occurrence')}"
    return f"{text}; {sides}" if (sides := sides_text(question)) else text


def sides_text(question: Question) -> str:
    """Return the side of each annotator of a one-sided question, else the directions; "" for few places."""
    if question.sides:
        return f"one-sided: {', '.join(f'{coder} {label}' for coder, label in question.sides.items())}"
    if question.occurrences < HABIT:
        return ""
    counts = " and ".join(f"{count:,}" for count in question.directions)
    return f"both ways ({counts})" if len(question.directions) == 2 else "both ways"


def bits_text(bits: float) -> str:
    """Return bits of surprise as a whole number, or with one digit if there are few.

    Example:
        >>> bits_text(141.7), bits_text(6.75), bits_text(1.0)
        ('142 bits', '6.8 bits', '1 bit')
    """
    shown = f"{bits:,.0f}" if bits >= 10 else f"{bits:.1f}".removesuffix(".0")
    return f"{shown} bit" if shown == "1" else f"{shown} bits"


def _nuclei(each: Type | Question) -> str:
    return f"{each.size:,} {'nucleus' if each.size == 1 else 'nuclei'}"


def side_text(each: Type, fragment: int, findings: Findings) -> str:
    """Return the annotators who have a fragment of a type, and how often."""
    if findings.mode == CORPUS:
        total = sum(nucleus.counts[fragment] for nucleus in each.nuclei)
        return f"{total:,} ×"
    shown = [(coder, counts[fragment]) for coder, counts in each.sides.items() if counts[fragment]]
    if findings.mode == PARSER:
        return ", ".join(coder for coder, _ in shown)
    return ", ".join(f"{coder} {count:,}" for coder, count in shown)


def place_rows(findings: Findings) -> Iterator[tuple[Any, ...]]:
    """Yield one row per occurrence of a nucleus, with the columns of the TSV."""
    labels = {question.code: question.label for question in findings.questions}
    for each in findings.types:
        start = (each.code, each.class_, each.kind, each.label, each.size, each.occurrences)
        question = (each.question or "", labels.get(each.question or "", ""))
        for nucleus in each.nuclei:
            bits = nucleus.bits if each.question else None
            yield from ((*start, *row, bits, *question) for row in _rows(each, nucleus))


def places_table(findings: Findings) -> Table:
    """Return a table with one row per occurrence of a nucleus."""
    columns = [Column(name, name, TEXT if name != "bits" else BITS) for name in COLUMNS]
    rows = Later(lambda: tuple(place_rows(findings)))
    return Table(columns, rows, name="Places", media=CSV | PANDAS | XLSX)


QUESTION_FIELDS: tuple[Field[Question], ...] = (
    (Column("code", "code", TEXT), lambda each: each.code),
    (Column("label", "question", TEXT), lambda each: each.label),
    (Column("kind", "kind", TEXT), lambda each: each.kind),
    (Column("bits", "bits", BITS), lambda each: each.bits),
    (Column("types", "types", COUNT), lambda each: len(each.types)),
    (Column("nuclei", "nuclei", COUNT), lambda each: each.size),
    (Column("occurrences", "occurrences", COUNT), lambda each: each.occurrences),
    (Column("sides", "sides", TEXT), sides_text),
    (Column("words", "most frequent words", TEXT), lambda each: " · ".join(each.words)),
)
TYPE_FIELDS: tuple[Field[Type], ...] = (
    (Column("code", "code", TEXT), lambda each: each.code),
    (Column("label", "type", TEXT), lambda each: each.label),
    (Column("class", "class", TEXT), lambda each: each.class_),
    (Column("bits", "bits", BITS), lambda each: each.bits if each.question else None),
    (Column("evidence", "evidence", BITS), lambda each: each.evidence),
    (Column("nuclei", "nuclei", COUNT), lambda each: each.size),
    (Column("occurrences", "occurrences", COUNT), lambda each: each.occurrences),
    (Column("annotations", "annotations", TEXT), lambda each: " | ".join(f.brackets for f in each.fragments)),
    (Column("words", "words", TEXT), lambda each: " · ".join(_words(each)[:EXAMPLES])),
    (Column("question", "question", TEXT), lambda each: each.question or ""),
)


def question_tables(findings: Findings) -> tuple[Table, ...]:
    """Return the tables of questions and of types, for programs and workbooks."""
    media = CSV | PANDAS | XLSX
    questions = table_of_fields(QUESTION_FIELDS, findings.questions, name="Questions", media=media)
    unused = "evidence" if findings.questions else "bits"
    fields = [field for field in TYPE_FIELDS if field[0].name != unused]
    types = table_of_fields(fields, findings.types, name="Types", media=media)
    return (questions, types) if findings.questions else (types,)


def document_of(
    findings: Findings,
    kind: Kind[Any] | None = None,
    study: Study[Any] | None = None,
    *,
    title: str = "",
    most: int = MOST,
) -> Document:
    """Return *findings* as a document.

    Args:
        findings: The inconsistencies.
        kind, study: The kind and the study they were found in, for JSON and for an HTML report.
        title: Title of the HTML report.
        most: Number of questions, or of types without questions, on a terminal.
    """
    whole = findings.by_question
    hidden = len(whole or findings.types) - most
    more = count_of(max(hidden, 0), "more question" if whole else "more type")
    hint = f"{more}. Use --most N to print more, or -o DIR for a full HTML report."
    shown = whole[:most] or [(None, (each,)) for each in findings.types[:most]]
    counts = ", ".join(f"{name} {count:,}" for name, count in findings.counts.items())
    ignored = (f"  {each.item}: {each.reason} {each.detail}".rstrip() for each in findings.ignored)
    notation = legend(findings)
    sections = (
        Section((replace(in_columns(findings.summary), note=terms(findings)),)),
        Section((Text(notation, "dim"),) if notation else ()),
        *(_changes(findings, findings.versus, most) if findings.versus else ()),
        *(_numbered(number, *each, findings) for number, each in enumerate(shown, start=1)),
        Section((Text(hint),) if hidden > 0 else ()),
        *(
            Section((in_columns(table),))
            for name, table in findings.tables.items()
            if name != "summary" and (name not in AMONG_CODERS or len(findings.coders) > 2)
        ),
        Section(tuple(map(Text, left_out_lines(findings)))),
        Section((Details((f"nuclei: {counts}", *ignored)), Details((findings.signature,), whole=True))),
        Section((*question_tables(findings), places_table(findings))),
    )
    return Document(
        "explain",
        headline(findings),
        sections,
        lambda: _data(findings, kind, study),
        (*findings.references, *references_of(findings.agreement)),
        main="Places",
        page=None if kind is None else lambda: _page(findings, kind, study, title),
        long="types",
    )


def _page(findings: Findings, kind: Kind[Any], study: Study[Any] | None, title: str) -> str:
    from arbitree.reporting.sections.explain_page import page

    return page(findings, kind, study, title)


def _data(findings: Findings, kind: Kind[Any] | None, study: Study[Any] | None) -> dict[str, Any]:
    found = findings.to_dict()
    results, notes = found.pop("agreement"), found.pop("notes")
    about = {} if kind is None or study is None else {"study": summary(kind, study)}
    return about | {"results": results} | found | {"warnings": notes}


CHANGE_FIELDS: tuple[Field[Difference], ...] = (
    (Column("label", "question", NAME), lambda each: each.label),
    (Column("state", "change", TEXT), lambda each: each.state),
    (Column("before", "before", COUNT), lambda each: each.before),
    (Column("now", "now", COUNT), lambda each: each.now),
    (Column("bits_before", "bits before", BITS), lambda each: each.bits[0]),
    (Column("bits_now", "bits now", BITS), lambda each: each.bits[1]),
    (Column("code", "code", TEXT, DATA), lambda each: each.code),
)


def change_tables(versus: Comparison, most: int | None = None) -> dict[str, Table]:
    """Return the tables of questions and types that differ from an earlier run.

    Args:
        versus: the comparison.
        most: number of rows on a terminal.
    """
    found = {}
    for name, thing, differences in (
        ("changes", "question", versus.questions),
        ("changed-types", "type", versus.types),
    ):
        changed = [each for each in differences if each.state != SAME]
        (label, take), *rest = CHANGE_FIELDS if versus.questions else CHANGE_FIELDS[:4] + CHANGE_FIELDS[6:]
        more, media = f"changed {thing}", DATA | SHOWN
        about = {"name": f"Changed {thing}s", "most": most, "more": more, "media": media}
        if changed:
            found[name] = table_of_fields([(label._replace(title=thing), take), *rest], changed, **about)
    return found


def versus_text(findings: Findings, versus: Comparison) -> str:
    """Return one sentence on how the findings differ from an earlier run."""
    nuclei, rate = versus.before["nuclei"], versus.before["per_thousand_tokens"]
    now = findings.per_thousand
    rates = f" ({rate:.1f} to {now:.1f} per 1,000 words)" if rate is not None and now is not None else ""
    changed = f"the number of inconsistencies went from {nuclei:,} to {findings.nuclei:,}{rates}"
    parts = [f"Compared with {versus.name}, {changed}."]
    for thing, found in (("Questions", versus.questions), ("Types", versus.types)):
        counts = versus.counts(found)
        if found:
            parts.append(f"{thing}: {', '.join(f'{counts[state]:,} {state}' for state in STATES)}.")
    return " ".join(parts)


def _changes(findings: Findings, versus: Comparison, most: int) -> Iterator[Section]:
    """Yield the comparison with an earlier run; a terminal shows questions, or types if there are none."""
    yield Section((Text(versus_text(findings, versus)),))
    for name, table in change_tables(versus, most).items():
        hidden = findings.questions and name == "changed-types"
        yield section_in(Section((table,)), DATA if hidden else DATA | TERMINAL)


def _numbered(number: int, question: Question | None, types: Sequence[Type], findings: Findings) -> Section:
    """Return a question with its first types, or a type alone."""
    if question is None:
        return Section((Text(counts_text(types[0])), *_type(types[0], findings)), heading(types[0]), number)
    blocks: list[Text | Table] = [Text(question_text(question))]
    for each in types[:TYPES_EACH]:
        counted = f"{counts_text(each)}: " if len(types) > 1 or each.rate else ""
        blocks += _type(each, findings, counted)
    if len(types) > TYPES_EACH:
        blocks.append(Text(f"{count_of(len(types) - TYPES_EACH, 'more type')} of this question"))
    return Section(tuple(blocks), question.label, number)


def _type(each: Type, findings: Findings, counted: str = "") -> list[Text | Table]:
    words = _words(each)
    shown = " · ".join(_short(text, LONGEST) for text in words[:EXAMPLES])
    rows = [
        (side_text(each, place, findings), _short(fragment.brackets, 4 * LONGEST))
        for place, fragment in enumerate(each.fragments)
    ]
    fragments = Table((Column("who", "", TEXT), Column("fragment", "", TEXT)), rows, media=TERMINAL)
    return [fragments, Text(f"{counted}{shown}{' …' if len(words) > EXAMPLES else ''}")]


def _words(each: Type) -> list[str]:
    return list(dict.fromkeys(nucleus.words for nucleus in each.nuclei))


def in_columns(table: Table) -> Table:
    """Return *table* with text left-aligned, numbers right-aligned, and the first rows on a terminal."""
    columns = []
    for place, name in enumerate(table.names):
        numeric = place > 0 and all(isinstance(row[place], int | float | None) for row in table.rows)
        form = FIGURE if numeric else FIGURE._replace(right=False)
        columns.append(Column(name, COLUMN_TITLES.get(name, name.replace("_", " ")), form))
    return Table(columns, table.rows, media=SHOWN, most=ROWS)


def _rows(each: Type, nucleus: Nucleus) -> Iterator[tuple[Any, ...]]:
    differing = " ".join(str(place) for place in nucleus.differing)
    for place in nucleus.places:
        positions = " ".join(map(str, place.positions))
        fragment = each.fragments[place.fragment].brackets
        yield (
            nucleus.words,
            place.item,
            *place.span,
            positions,
            place.coder,
            fragment,
            differing,
            place.source,
        )


def _short(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"


def _agreement(findings: Findings) -> str:
    found = [
        f"{'estimated ' if each.details.get('estimated') else ''}{each.measure} {decimal(each.value)}"
        for each in findings.agreement
        if each.value is not None
    ]
    return f" Agreement: {', '.join(found)}." if found else ""


@dataclass(frozen=True, slots=True, repr=False)
class FindingsTable(Presentable, Findings):
    """Inconsistencies that can be printed, shown in a notebook, or converted to a data frame."""

    @classmethod
    def of(cls, findings: Findings) -> FindingsTable:
        """Return *findings* as a table."""
        return cls(**{each.name: getattr(findings, each.name) for each in fields(findings)})

    to_dict = Findings.to_dict

    @property
    def document(self) -> Document:
        """The inconsistencies as a document."""
        return document_of(self)
