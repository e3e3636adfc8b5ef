"""Compute the results that take long, as documents that are stored and shown on pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations, takewhile
from typing import Any

from arbitree import kinds, plugins
from arbitree.adjudication.differences import disagreements
from arbitree.adjudication.suggestions import reasons, suggest
from arbitree.annotator_models.findings import WHO_IS_RIGHT, CoderFindings
from arbitree.api.coders import find_coders
from arbitree.api.evaluate import evaluate_all
from arbitree.api.explain import find_inconsistencies
from arbitree.api.report import RESAMPLES
from arbitree.constructions.findings import Findings, Type
from arbitree.errors import UnsupportedStudy
from arbitree.measures.computing import Computing
from arbitree.measures.evaluate import check_coders
from arbitree.measures.options import fitting, omitted
from arbitree.reporting.document import notes_of
from arbitree.reporting.phrasing import REASONS, STATUS, headline, left_out, names_of
from arbitree.reporting.sections.explain import CLASS_WORDS, counts_text, side_text
from arbitree.reporting.sections.explain import headline as types_headline
from arbitree.study.comparable import annotated
from arbitree.study.result import Group, Interval, Result
from arbitree.study.study import Study
from arbitree.web.project.background import finite

Record = dict[str, Any]

MANY_PAIRS = 3e7  # pairs of trees, from which on alphas are estimated
SAMPLED = 1e5  # pairs that an estimate takes: an alpha of 0.8 is then known to 0.0003
FEW, MANY = 3, 10  # coders whose pairs are told apart; suggestions need as many as the first
TYPES = 300  # that are kept
EXAMPLES = 3  # of the words of each


class Analysis:
    """A study, and the results that several parts share."""

    def __init__(self, study: Study[Any]) -> None:
        self.study = study

    @cached_property
    def results(self) -> list[Result]:
        """The measures that fit the study, with confidence intervals, by pair if there are few annotators."""
        study = self.study
        first, *others = names = fitting(study, kinds.of(study))
        # Alphas share the comparison of all pairs of trees, also of those by two annotators.
        shared = [name for name in others if _over_pairs(name)] if _over_pairs(first) else []
        by = ("pair",) if FEW <= len(study.coders) <= MANY else ()
        rest = [name for name in others if name not in shared]
        found = [
            result
            for some, broken_down in (([first, *shared], by), (rest, ()))
            if some
            for result in evaluate_all(study, some, by=broken_down, pairs=_sampled(study, some))
        ]
        results = dict(zip((first, *shared, *rest), found, strict=True))
        results[first] = replace(results[first], notes=(*found[0].notes, *omitted(study, kinds.of(study))))
        return [results[name] for name in names]

    @cached_property
    def coders(self) -> CoderFindings:
        """The annotator model; raise UnsupportedStudy if there are fewer than three annotators."""
        if len(self.study.coders) < FEW:
            raise UnsupportedStudy(WHO_IS_RIGHT)
        return find_coders(self.study, computing=Computing(resamples=RESAMPLES))


def agreement(analysis: Analysis) -> Record:
    """Return the measures that fit the study, with confidence intervals."""
    study, results = analysis.study, analysis.results
    names = names_of(results)
    return {
        "headline": headline(kinds.of(study), study, results),
        "rows": [_row(name, result) for name, result in zip(names, results, strict=True)],
        "left_out": [
            {"reason": REASONS.get(each.reason, each.reason), "count": len(each.entries)}
            | {"measures": list(each.measures)}
            for each in left_out(results)
        ],
        "notes": notes_of(study, results),
    }


def pairs(analysis: Analysis) -> Record:
    """Return the agreement of every pair of annotators, by the first measure that fits."""
    study = analysis.study
    if not FEW <= len(study.coders) <= MANY:
        what = f"pairs are compared for {FEW} to {MANY} annotators, but the study has {len(study.coders)}"
        raise UnsupportedStudy(what)
    result = analysis.results[0]
    named = zip(combinations(study.coders, 2), result.groups["pair"], strict=True)
    return {"measure": result.measure, "rows": [{"coders": pair} | _group(group) for pair, group in named]}


def types(analysis: Analysis) -> Record:
    """Return the types of inconsistencies by question, the most surprising first."""
    study = analysis.study
    found = find_inconsistencies(study)
    places = {item.id: place for place, item in enumerate(study.items)}
    numbered = enumerate(found.by_question, start=1)
    asked = [({"number": n, "question": q.label}, each) for n, (q, types) in numbered for each in types]
    shown = _first(asked or [({"number": 0, "question": ""}, each) for each in found.types])
    return {
        "headline": types_headline(found),
        "total": len(found.types),
        "rows": [_type(each, found, places) | question for question, each in shown],
        "signature": found.signature,
        "notes": list(found.notes),
    }


def suggestions(analysis: Analysis) -> Record:
    """Return the value that the annotator model suggests for every contested place, and why.

    Items with fewer than three annotations have no suggestions: between two annotators, the model would
    always follow the one that it trusts more.
    """
    study, found = analysis.study, analysis.coders
    kind = kinds.of(study)
    several = {item.id for item, cells in study if len(annotated(cells)) >= FEW}
    consensus = {
        each.item: [value for value in (each.consensus, *each.ties) if value is not None]
        for each in found.items
        if each.item in several
    }
    differing = disagreements(study, kind)
    suggested = suggest(consensus, differing.places, kind.needed("places").value_at)
    why = {
        item: {key: each._asdict() for key, each in own.items()}
        for item, own in reasons(differing, suggested).items()
    }
    return {"model": found.model, "items": suggested, "reasons": why}


def coders(analysis: Analysis) -> Record:
    """Return the competence of each annotator."""
    found = analysis.coders
    return {
        "model": found.model,
        "about": found.about,
        "rows": [
            {
                "coder": each.coder,
                "competence": each.competence,
                "interval": _interval(each.interval),
                "status": each.status,
                "annotations": each.annotations,
                "agreement": each.agreement,
            }
            for each in found.coders
        ],
        "signature": found.results[0].signature,
        "notes": list(found.results[0].notes),
    }


MAKERS: dict[str, Callable[[Analysis], Record]] = {
    "suggestions": suggestions,
    "coders": coders,
    "agreement": agreement,
    "types": types,
    "pairs": pairs,
}  # the quick ones first


def compute(part: str, analysis: Analysis) -> Record:
    """Return one part as a JSON document."""
    check_coders(analysis.study)
    found: Record = finite(MAKERS[part](analysis))
    return found


def _sampled(study: Study[Any], names: Sequence[str]) -> float | None:
    """Return the number of pairs to sample; None if all pairs of annotations can be compared."""
    many = len(study.cells) * (len(study.cells) - 1) / 2 > MANY_PAIRS
    return SAMPLED if many and any(map(_over_pairs, names)) else None


def _over_pairs(name: str) -> bool:
    return plugins.get("measures", name).over_pairs is not None


def _row(name: str, result: Result) -> Record:
    return {
        "measure": name,
        "value": result.value,
        "interval": _interval(result.interval),
        "status": result.status,
        "why": STATUS.get(result.status, result.status),
        "used": result.items_used,
        "ignored": len(result.ignored),
        "estimated": bool(result.details.get("estimated")),
        "signature": result.signature,
    }


def _group(group: Group) -> Record:
    return {
        "value": group.value,
        "interval": _interval(group.interval),
        "status": group.status,
        "why": STATUS.get(group.status, group.status),
        "used": group.items_used,
    }


def _interval(interval: Interval | None) -> Record | None:
    if interval is None:
        return None
    return {
        "low": interval.low,
        "high": interval.high,
        "confidence": interval.confidence,
        "method": interval.method,
        "resamples": interval.resamples,
    }


def _first(asked: list[tuple[Record, Type]]) -> list[tuple[Record, Type]]:
    """Return the first types with their questions; the last question is complete."""
    rest = takewhile(lambda each: each[0]["question"] and each[0] == asked[TYPES - 1][0], asked[TYPES:])
    return [*asked[:TYPES], *rest]


def _type(each: Type, found: Findings, places: dict[str, int]) -> Record:
    items = {place.item for nucleus in each.nuclei for place in nucleus.places}
    words = dict.fromkeys(nucleus.words for nucleus in each.nuclei)
    return {
        "code": each.code,
        "title": each.label,
        "class": each.class_,
        "class_words": CLASS_WORDS.get(each.class_, each.class_),
        "count": each.occurrences,
        "counts": counts_text(each),
        "sides": [
            {"who": side_text(each, number, found), "brackets": fragment.brackets}
            for number, fragment in enumerate(each.fragments)
        ],
        "words": list(words)[:EXAMPLES],
        "items": sorted(items, key=lambda item: places.get(item, len(places))),
        "nuclei": [
            [
                nucleus.item,
                list(nucleus.places[0].positions),
                [list(nucleus.coders_of(side)) for side in range(len(each.fragments))],
                list(nucleus.answers),
            ]
            for nucleus in each.nuclei
        ],
    }
