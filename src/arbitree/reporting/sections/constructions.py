"""Findings on inconsistencies in words, as text for the terminal, as TSV and as JSON."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from json import dumps
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

import arbitree
from arbitree.constructions.findings import CORPUS, PARSER, Findings, Nucleus, Type
from arbitree.kinds.kind import Kind
from arbitree.reporting.citations import entries
from arbitree.reporting.phrasing import REASONS, summary
from arbitree.reporting.terminal import WIDTH, in_notebook
from arbitree.study import result
from arbitree.study.study import Study
from arbitree.wording import count_of

if TYPE_CHECKING:
    import pandas as pd


MOST = 20  # types that are printed
EXAMPLES = 4  # of each
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
AMONG_CODERS = ("coders", "pairs")  # tables that say nothing new of two
COLUMNS = (
    "code", "class", "kind", "label", "nuclei", "occurrences", "words", "item", "start", "end", "positions",
    "coder", "fragment", "differing", "source",
)  # fmt: skip


def headline(findings: Findings) -> str:
    """Return one sentence that says how much was found."""
    sentences = count_of(findings.items, "sentence")
    if not findings.types:
        return f"No inconsistencies in {sentences}."
    types = count_of(len(findings.types), "type")
    places = count_of(findings.nuclei, "place")
    rate = f"{findings.per_thousand:.1f} in 1,000 words" if findings.per_thousand is not None else ""
    if findings.mode == CORPUS:
        start = f"{count_of(findings.nuclei, 'string')} of words in {sentences}"
        text = f"{_capital(start)} {'is' if findings.nuclei == 1 else 'are'} annotated in more than one way"
        return f"{text}, in {types}."
    who = f"{_capital(count_of(len(findings.coders), 'coder'))} differ"
    if findings.mode == PARSER:
        others = [coder for coder in findings.coders if coder != findings.gold]
        who = f"{', '.join(others)} {'differs' if len(others) == 1 else 'differ'} from {findings.gold}"
    return f"{who} in {places} in {sentences} ({rate}), in {types}.{_beside(findings)}"


def left_out_lines(findings: Findings) -> list[str]:
    """Return one line for each reason why items were left out."""
    counts = Counter(each.reason for each in findings.ignored)
    return [f"{_capital(count_of(n, 'item'))}: {REASONS.get(reason, reason)}" for reason, n in counts.items()]


def heading(each: Type) -> str:
    """Return what a type is, in a line."""
    extra = ", label of the whole" if each.kind == "external" else ""
    extra += ", by way of the head" if each.via_head else ""
    return f"{each.label} [{CLASS_WORDS.get(each.class_, each.class_)}{extra}]"


def counts_text(each: Type) -> str:
    """Return how many nuclei and places a type has, and how often a parser misses it."""
    nuclei = f"{each.size:,} {'nucleus' if each.size == 1 else 'nuclei'}"
    text = f"{nuclei}, {each.occurrences:,} {'place' if each.occurrences == 1 else 'places'}"
    if each.rate and each.rate.value is not None:
        rate = each.rate
        word = "missed" if rate.side == "gold" else "wrong in"
        text += f"; {word} {rate.missed:,} of {rate.gold:,} ({rate.value:.0%}), this way {rate.this:,}"
    return text


def side_text(each: Type, fragment: int, findings: Findings) -> str:
    """Return who has a fragment of a type, and how often."""
    if findings.mode == CORPUS:
        total = sum(nucleus.counts[fragment] for nucleus in each.nuclei)
        return f"{total:,} ×"
    shown = [(coder, counts[fragment]) for coder, counts in each.sides.items() if counts[fragment]]
    if findings.mode == PARSER:
        return ", ".join(coder for coder, _ in shown)
    return ", ".join(f"{coder} {count:,}" for coder, count in shown)


def as_text(findings: Findings, *, most: int = MOST, verbose: bool = False) -> str:
    """Return the findings as plain text."""
    file = io.StringIO()
    Console(file=file, width=WIDTH, color_system=None).print(renderable(findings, most, verbose=verbose))
    return "".join(f"{line.rstrip()}\n" for line in file.getvalue().splitlines())


def print_findings(findings: Findings, *, most: int = MOST, verbose: bool = False) -> None:
    """Print the findings on the terminal, in colour unless NO_COLOR is set."""
    console = Console(highlight=False)
    console.width = min(console.width, WIDTH)
    console.print(renderable(findings, most, verbose=verbose))


def place_rows(findings: Findings) -> Iterator[tuple[Any, ...]]:
    """Yield a row for each place of a nucleus, with the columns of the TSV."""
    for each in findings.types:
        start = (each.code, each.class_, each.kind, each.label, each.size, each.occurrences)
        for nucleus in each.nuclei:
            yield from ((*start, *row) for row in _rows(each, nucleus))


def as_tsv(findings: Findings) -> str:
    """Return one line a place of a nucleus, tab-separated, after a line of names."""
    lines = (COLUMNS, *place_rows(findings))
    return "".join("\t".join(map(_cell, row)) + "\n" for row in lines)


def document(findings: Findings, kind: Kind[Any], study: Study[Any], *, cite: bool = False) -> dict[str, Any]:
    """Return what ``--json`` prints."""
    found = findings.to_dict()
    results, notes = found.pop("agreement"), found.pop("notes")
    head = {"arbitree": arbitree.__version__, "command": "explain", "study": summary(kind, study)}
    return (
        head
        | {"results": results}
        | found
        | {"warnings": notes}
        | ({"citations": cited(findings)} if cite else {})
    )


def as_json(findings: Findings, kind: Kind[Any], study: Study[Any], *, cite: bool = False) -> str:
    """Return the document as text, one line a type: there can be thousands."""
    found = document(findings, kind, study, cite=cite)
    types = found.pop("types")
    head = dumps(found, indent=2, ensure_ascii=False, allow_nan=False).removesuffix("\n}")
    lines = [dumps(each, ensure_ascii=False, allow_nan=False) for each in types]
    body = "[\n    " + ",\n    ".join(lines) + "\n  ]" if lines else "[]"
    return f'{head},\n  "types": {body}\n}}\n'


def cited(findings: Findings) -> list[str]:
    """Return the papers behind the findings as BibTeX."""
    return entries((*findings.references, *(key for each in findings.agreement for key in each.references)))


def renderable(findings: Findings, most: int = MOST, *, verbose: bool = False) -> RenderableType:
    """Return what a rich console prints."""
    parts: list[RenderableType] = [Text(headline(findings)), Text(), table_of(findings.summary)]
    for number, each in enumerate(findings.types[:most], start=1):
        parts += [Text(), *_type(number, each, findings)]
    hidden = len(findings.types) - most
    if hidden > 0:
        parts += [
            Text(),
            Text(f"… and {count_of(hidden, 'more type')}: --most N, --tsv, --json or -o DIR show them"),
        ]
    for name, table in findings.tables.items():
        if name != "summary" and (name not in AMONG_CODERS or len(findings.coders) > 2):
            parts += [Text(), table_of(replace(table, rows=table.rows[:most]))]
            more = len(table.rows) - most
            parts += [Text(f"… and {count_of(more, 'more row')}: --json has all")] if more > 0 else []
    lines = left_out_lines(findings)
    if lines:
        parts += [Text(), *map(Text, lines)]
    if verbose:
        counts = ", ".join(f"{name} {count:,}" for name, count in findings.counts.items())
        parts += [Text(), Text(f"nuclei: {counts}")]
        parts += [Text(f"  {each.item}: {each.reason} {each.detail}".rstrip()) for each in findings.ignored]
        parts.append(Text(findings.signature, overflow="fold"))
    return Group(*parts)


def _type(number: int, each: Type, findings: Findings) -> Iterator[RenderableType]:
    title = Table.grid(padding=(0, 2, 0, 0))
    title.add_row(Text(f"{number:>3}", "bold"), Text(heading(each), "bold"))
    yield title
    yield Padding(Text(counts_text(each)), (0, 0, 0, 5))
    table = Table.grid(padding=(0, 2, 0, 0))
    for place, fragment in enumerate(each.fragments):
        name = Text(side_text(each, place, findings))
        table.add_row("    ", name, Text(_short(fragment.brackets, 4 * LONGEST), overflow="fold"))
    yield table
    words = list(dict.fromkeys(nucleus.words for nucleus in each.nuclei))
    shown = " · ".join(_short(text, LONGEST) for text in words[:EXAMPLES])
    yield Padding(Text(f"{shown}{' …' if len(words) > EXAMPLES else ''}"), (0, 0, 0, 5))


def table_of(table: result.Table) -> Table:
    """Return a table for a rich console."""
    drawn = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for place, name in enumerate(table.columns):
        numeric = place > 0 and all(isinstance(row[place], int | float | None) for row in table.rows)
        drawn.add_column(name.replace("_", " "), justify="right" if numeric else "left", overflow="fold")
    for row in table.rows:
        drawn.add_row(*(Text(value_text(value)) for value in row))
    return drawn


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


def _cell(value: Any) -> str:
    """Return *value* without what would break the line or the column."""
    return str(value).replace("\t", " ").replace("\r", " ").replace("\n", " ")


def _short(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _beside(findings: Findings) -> str:
    found = [
        f"{'an estimated ' if each.details.get('estimated') else ''}{each.measure} {each.value:.3f}"
        for each in findings.agreement
        if each.value is not None
    ]
    return f" They agree at {', '.join(found)}." if found else ""


@dataclass(frozen=True, slots=True, repr=False)
class FindingsTable(Findings):
    """Findings that can be printed, shown in a notebook, and taken as a data frame."""

    @classmethod
    def of(cls, findings: Findings) -> FindingsTable:
        """Return *findings* as a table."""
        return cls(**{each.name: getattr(findings, each.name) for each in fields(findings)})

    def __str__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        return in_notebook(renderable(self))

    def to_pandas(self) -> pd.DataFrame:
        """Return a data frame, one row a place of a nucleus, with the columns of the TSV; needs pandas."""
        import pandas

        return pandas.DataFrame(list(place_rows(self)), columns=list(COLUMNS))
