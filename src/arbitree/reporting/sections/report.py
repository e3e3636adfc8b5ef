"""HTML report and workbook about a study: agreement, disagreements, annotators, hardest sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import IO, TYPE_CHECKING, Any

from arbitree.kinds.kind import Kind
from arbitree.measures.coverage import each_once
from arbitree.reporting import phrasing
from arbitree.reporting.citations import entries
from arbitree.reporting.document import Section
from arbitree.reporting.html import anchors, page_from
from arbitree.reporting.latex import latex_table
from arbitree.reporting.paper import methods_paragraph
from arbitree.reporting.phrasing import headline, summary
from arbitree.reporting.sections import survey as beside
from arbitree.reporting.sections.agree import (
    GROUPS,
    ResultTable,
    item_sections,
    measure_sections,
    measure_table,
)
from arbitree.reporting.sections.explain import CLASS_WORDS, sides_text
from arbitree.reporting.sections.matrices import pair_matrix
from arbitree.reporting.sections.next_steps import MOST, Step, workbook_steps
from arbitree.reporting.xlsx import Book, Start, sheet_name
from arbitree.study.result import Group, Result, Table
from arbitree.study.study import Study

if TYPE_CHECKING:
    from arbitree.reporting.sections.survey import Survey

ROWS = 200  # of a breakdown
ABOUT_CODERS = ("coder", "pair")  # breakdowns that answer who disagrees
LOWEST = 3  # rows of a folded breakdown that are named above it


def page(table: ResultTable, title: str, survey: Survey | None = None, steps: Sequence[Step] = ()) -> str:
    """Return the HTML report about *table*.

    Args:
        table: The results, with their breakdowns.
        title: Title of the study, such as the name of the corpus.
        survey: Further parts of the report.
        steps: Recommended commands; the page shows the first three.
    """
    results = table.results
    measures = measure_table(results, table.kind.unit)
    groups = _groups(results)
    return page_from(
        "report.html.j2",
        styles=("pictures.css", "explain.css", "report.css"),
        scripts=("pictures.js", "filter.js", "rows.js"),
        title=title,
        study=table.study,
        facts=_facts(table.kind, table.study),
        unit=table.kind.unit,
        noun=table.kind.noun,
        done=Counter(coder for _, coder in table.study.cells),
        headline=headline(table.kind, table.study, results),
        extremes=_extremes(results[0]),
        results=results,
        names=phrasing.names_of(results),
        measures=measures,
        steps=steps[:MOST],
        paragraph=methods_paragraph(table.kind, table.study, results),
        latex=latex_table(measures),
        group_words=GROUPS,
        interval=next((result.interval for result in results if result.interval), None),
        about_coders={kind: rows for kind, rows in groups.items() if kind in ABOUT_CODERS},
        breakdowns={kind: rows for kind, rows in groups.items() if kind not in ABOUT_CODERS},
        lowest={kind: _lowest(rows) for kind, rows in groups.items()},
        left_out=phrasing.left_out(results),
        warnings=each_once((*table.warnings, *(survey.notes if survey else ()))),
        disagreement=results[0].per_item_shows == "disagreement",
        **_parts(table, survey),
    )


SHEETS = {
    "Measures": "every measure, with its confidence interval",
    "Adjudication": "one row per disagreement, with a column for the decision of the adjudicator",
    "Fix first": "items that cannot be compared as they are",
    "Adjudicated": "how often the adjudicator followed each annotator",
    "Questions": "questions for the guidelines: groups of types that differ in the same labels",
    "Types": "types of inconsistencies, with examples",
    "Coders": "the competence of each annotator",
    "Items": "every item, with its values, its source and its words",
    "Excluded": "items that measures exclude, with the reason",
    "About": "the study, warnings, signatures and references",
}


def write_workbook(
    table: ResultTable, target: IO[bytes], survey: Survey | None = None, steps: Sequence[Step] = ()
) -> None:
    """Write the workbook of *table* to an open file, with the further parts in *survey*."""
    shown = headline(table.kind, table.study, table.results)
    measures = list(_tables(measure_sections(table.results, table.kind.unit)))
    bounded = {sheet_name(each.name) for each in measures if "low" in each.shown_in("xlsx").names}
    start = Start("Arbitree report", shown, workbook_steps(survey, steps), partial(_contents, bounded))
    with Book(target, "Arbitree report", start) as book:
        for found in measures:
            book.add_table(found)
        if survey is not None:
            beside.write_adjudication(book, survey)
            for found in beside.tables(survey, table.kind.unit):
                book.add_table(found)
        for found in _tables(item_sections(table)):
            book.add_table(found)


def _contents(bounded: Collection[str], name: str) -> str:
    """Return what a sheet contains; the sheets *bounded* of measures contain intervals."""
    if name.startswith("Confused"):
        return "values that annotators confuse, with examples"
    groups = "the measures for each group"
    return SHEETS.get(name, f"{groups}, with confidence intervals" if name in bounded else groups)


def _tables(sections: Iterable[Section]) -> Iterator[Table]:
    """Yield the tables of *sections* that a workbook contains."""
    for section in sections:
        for block in section.blocks:
            if isinstance(block, Table) and "xlsx" in block.media:
                yield block


def _parts(table: ResultTable, survey: Survey | None) -> dict[str, Any]:
    """Return the variables of the template for the parts of *survey*."""
    from arbitree.reporting.sections.survey import Survey

    survey = survey or Survey()
    first, origins = table.results[0], phrasing.origins(table.kind, table.study)
    confusions = beside.confused(survey, anchors)
    cards, choices = beside.cards(survey, table.kind.pictures)
    hardest, named = beside.sentences(
        table.study,
        table.kind.pictures,
        phrasing.hardest(first, apart={item.id for item, _ in survey.uneven}),
        beside.named_items(confusions, cards),
        phrasing.values_of(first),
        origins,
        anchors,
        Counter(place.item for place in survey.disagreements.places) if survey.disagreements else {},
    )
    pairs = first.groups.get("pair", ())
    pairs = pairs if len(pairs) <= ROWS else ()
    ids = anchors("pair", [group.name for group in pairs])
    keys = dict.fromkeys((*(key for each in table.results for key in each.references), *survey.references))
    return {
        "origins": origins,
        "fix_first": beside.fix_first(survey, table.kind.unit, most=ROWS),
        "hardest": hardest,
        "named": named,
        "links": {each.item: each.anchor for each in (*hardest, *named)},
        "disagreements": survey.disagreements,
        "confusions": confusions,
        "most_confused": beside.most_confused(confusions),
        "types": survey.types,
        "types_headline": beside.types_headline(survey),
        "cards": cards,
        "choices": choices,
        "class_words": CLASS_WORDS,
        "most_questions": beside.TYPES,
        "first_cards": beside.FIRST,
        "sides_text": sides_text,
        "table_sections": list(beside.table_sections(survey)),
        "adjudication": survey.adjudication,
        "pair_matrix": pair_matrix(table.study.coders, pairs) if len(pairs) > 1 else None,
        "pair_anchors": {(group.name, ""): anchor for group, anchor in zip(pairs, ids, strict=True)},
        "signatures": beside.signatures(survey),
        "absent": survey.absent,
        "citations": entries(keys),
    }


def _facts(kind: Kind[Any], study: Study[Any]) -> list[str]:
    found = summary(kind, study)
    counts = {
        kind.unit: found["items"],
        "annotator": len(study.coders),
        "annotation": found["annotations"],
        **({"token": found["tokens"]} if "tokens" in found else {}),
    }
    facts = [f"{count:,} {thing}{'' if count == 1 else 's'}" for thing, count in counts.items()]
    if study.missing:
        facts[2] += f" ({study.missing:,} missing)"
    return facts


def _groups(results: Sequence[Result]) -> dict[str, list[tuple[Group, ...]]]:
    """Return the rows of every breakdown, one group per measure; of many, those with lowest agreement."""
    found = {}
    for kind in results[0].groups:
        rows = list(zip(*(result.groups[kind] for result in results), strict=True))
        if len(rows) > ROWS:
            rows.sort(key=lambda row: (row[0].value is None, row[0].value))
        found[kind] = rows[:ROWS]
    return found


def _lowest(rows: Sequence[tuple[Group, ...]]) -> list[Group]:
    """Return the groups with the lowest agreement under the first measure."""
    found = [row[0] for row in rows if row[0].value is not None]
    return sorted(found, key=lambda group: group.value or 0.0)[:LOWEST]


def _extremes(result: Result) -> tuple[Group, Group] | None:
    """Return the pairs of annotators with highest and lowest agreement, unless all are equal."""
    groups = result.groups.get("pair", ())
    pairs = [(group.value, place) for place, group in enumerate(groups) if group.value is not None]
    if len({value for value, _ in pairs}) < 2:
        return None
    return groups[max(pairs)[1]], groups[min(pairs)[1]]
