"""Inconsistencies of dependency trees: between annotators, in a corpus, or between parsers and gold.

Reference:
    Kulick, Bies, Mott, Maamouri, Santorini & Kroch (2013), adapted from phrase structure; in a corpus,
    Boyd, Dickinson & Meurers (2008).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from arbitree.backends.base import Progress
from arbitree.constructions.explain import Constructions, ExplainOptions, Intake, findings_of
from arbitree.constructions.findings import CORPUS, PARSER, Findings
from arbitree.constructions.grouping import Grouping, Instance, Nature, occurrence
from arbitree.kinds.dependency.constructions.corpus import Pairing, explain_corpus, signature_of
from arbitree.kinds.dependency.constructions.fragments import (
    CLASSES,
    class_of,
    facets_of,
    fragment_of,
    label_of,
)
from arbitree.kinds.dependency.constructions.nuclei import (
    Members,
    NucleusTokens,
    comparable_subtrees,
    pinpointed,
    reported,
)
from arbitree.kinds.dependency.constructions.rates import with_rates
from arbitree.kinds.dependency.constructions.sentences import (
    OUTSIDE,
    POS_COLUMNS,
    ROOT,
    CoderFacts,
    Sentence,
    add_notes,
    differing,
    oddities,
    sentences_of,
)
from arbitree.kinds.dependency.value import DepTree
from arbitree.study.study import Study

# Settings that only the comparison of a corpus with itself has.
CORPUS_ONLY = ("match", "case", "nil_internal", "nonfringe", "dep_context", "punctuation", "examples")


@dataclass(frozen=True)
class DependencyOptions(ExplainOptions):
    """Settings of the method for dependency trees.

    Args:
        nuclei: ``pinpoint`` for the smallest token sets around each difference, ``connected`` for one set per
            connected group of differences, or ``subtrees`` for contiguous subtrees.
        pos: the part of speech to compare: ``keep`` the coarse one, ``fine``, ``both``, or ``strip``.
        type_pos: whether types distinguish parts of speech on which the annotators agree.
        partition: with ``upos``, nuclei whose tops have different parts of speech are not compared.
        unrooted: see ``comparable_subtrees``.
        report: ``minimal`` excludes nuclei that smaller ones explain, ``all`` includes them.
        mismatch: if tokens differ, ``skip`` the item, raise an ``error``, or ``align``.
        match: in a corpus, compare words by ``form`` or ``lemma``.
        case: in a corpus, ``lower`` ignores the difference between upper and lower case.
        nil_internal: in a corpus, count unconnected words only if the words between them are the same as
            for some connected pair.
        nonfringe: in a corpus, require the same words before and after.
        dep_context: in a corpus, the head of the pair must have the same relation to its own head.
        punctuation: in a corpus, ``keep`` or ``remove`` the relations of punctuation.
        examples: in a corpus, the number of occurrences stored per annotation of a pair.
    """

    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "nuclei": ("pinpoint", "connected", "subtrees"),
        "pos": tuple(POS_COLUMNS),
        "partition": ("none", "upos"),
        "unrooted": ("slot", "always", "never"),
        "report": ("minimal", "all"),
        "mismatch": ("skip", "error", "align"),
        "match": ("form", "lemma"),
        "case": ("keep", "lower"),
        "punctuation": ("remove", "keep"),
    }

    nuclei: str = "pinpoint"
    pos: str = "keep"
    type_pos: bool = True
    partition: str = "none"
    unrooted: str = "slot"
    report: str = "minimal"
    mismatch: str = "skip"
    match: str = "form"
    case: str = "keep"
    nil_internal: bool = True
    nonfringe: bool = False
    dep_context: bool = False
    punctuation: str = "remove"
    examples: int = 5


class DependencyConstructions(Constructions[DepTree]):
    """Inconsistencies of dependency trees."""

    def options(self, baseline: str | None = None) -> Mapping[str, Any]:
        """Return the settings with their defaults."""
        return DependencyOptions().recorded()

    def explain(
        self, study: Study[DepTree], *, mode: str, baseline: str | None, progress: Progress, **options: Any
    ) -> Findings:
        """Return the inconsistencies, grouped by type."""
        settings = DependencyOptions(**options)
        if mode == CORPUS:
            names = ("pos", *CORPUS_ONLY)
            return explain_corpus(study, Pairing(**{name: getattr(settings, name) for name in names}))
        return _explain_coders(study, settings, mode)


def _explain_coders(study: Study[DepTree], settings: DependencyOptions, mode: str) -> Findings:
    parser = mode == PARSER
    intake = Intake()
    intake.counts.update(oddity for cell in study.cells.values() for oddity in oddities(cell.value))
    grouping = Grouping(ordered=parser)
    if parser:
        gold = str(study.reference)
        systems = [coder for coder in study.coders if coder != gold]
        parts = [replace(study.select(coders=[gold, system]), coders=(gold, system)) for system in systems]
    else:
        parts = [study]
    sentences: list[Sentence] = []
    for part in parts:
        for sentence in sentences_of(part, intake, pos=settings.pos, mismatch=settings.mismatch):
            _compare(sentence, grouping, intake, settings)
            if parser:
                sentences.append(sentence)
    add_notes(intake)
    types = grouping.types(study.coders)
    if parser:
        types = with_rates(types, sentences, type_pos=settings.type_pos)
    used = {name: value for name, value in settings.recorded().items() if name not in CORPUS_ONLY}
    return findings_of(
        study,
        intake,
        types,
        mode=mode,
        classes=CLASSES,
        counts=intake.nuclei(),
        settings=used,
        signature=signature_of(mode, used, intake.items, len(study.coders)),
        references=("kulick2013",),
    )


def _compare(sentence: Sentence, grouping: Grouping, intake: Intake, settings: DependencyOptions) -> None:
    """Find the inconsistent nuclei of one sentence, and add them to their types."""
    views = sentence.views
    tokens = differing(views)
    if settings.nuclei != "subtrees":
        candidates = pinpointed(views, connected=settings.nuclei == "connected") if tokens else []
        compared, inconsistent = len(views[0].facts), len(tokens)
    else:
        candidates, exempt = comparable_subtrees(views, unrooted=settings.unrooted)
        intake.counts["exempt"] += exempt
        compared = len(candidates) + exempt
    if settings.partition == "upos":
        kept = [members for members in candidates if not _tops_differ(views, members)]
        intake.counts["exempt"] += len(candidates) - len(kept)
        candidates = kept
    found = reported(views, candidates)
    if settings.nuclei == "subtrees":
        inconsistent = len(found)
        intake.counts["consistent"] += len(candidates) - len(found)
    else:
        intake.counts["consistent"] += compared - inconsistent
    intake.counts.update(compared=compared, inconsistent=inconsistent)
    for difference in found:
        if difference.explained_by:
            intake.counts["explained"] += 1
            if settings.report == "minimal":
                continue
        _add(sentence, difference, grouping, type_pos=settings.type_pos)


def _tops_differ(views: Sequence[CoderFacts], members: Members) -> bool:
    """Whether the nucleus has one top for every annotator, and the tops differ in part of speech."""
    tops = []
    for view in views:
        own = [fact for fact in view.inside(members).values() if fact[1] in (OUTSIDE, ROOT)]
        if len(own) != 1:
            return False
        tops.append(own[0][0])
    return len(set(tops)) > 1


def _add(sentence: Sentence, difference: NucleusTokens, grouping: Grouping, *, type_pos: bool) -> None:
    members = sorted(difference.members - {ROOT})
    facts = [view.inside(difference.members) for view in sentence.views]
    tagged = None
    if not type_pos:
        tagged = {token for token in members if len({each[token][0] for each in facts}) > 1}
    instances = []
    for cell, run, each in zip(sentence.cells, sentence.runs, facts, strict=True):
        positions = tuple(run[token] for token in members)
        place = occurrence(cell, cell.value.tokens, positions)
        instances.append(Instance(place, fragment_of(each, tagged=tagged)))
    offset = {token: k for k, token in enumerate(members)}
    offsets = tuple(offset[token] for token in difference.differing)
    outer = [view.inside(difference.members, outer=True) for view in sentence.views]
    facets, categories = facets_of(outer, difference.differing)
    residual = tuple(offset[token] for token in difference.residual)
    label = label_of(grouping.order(instances), residual or offsets)
    start = sentence.runs[0].start
    grouping.add(
        tuple(sentence.tokens[token] for token in members),
        instances,
        Nature(class_of(outer), label, facets, categories),
        differing=offsets,
        residual=residual,
        explained_by=tuple(
            (start + min(each - {ROOT}), start + max(each) + 1) for each in difference.explained_by
        ),
    )
