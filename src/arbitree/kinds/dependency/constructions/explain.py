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
from arbitree.constructions.findings import CODERS, CORPUS, PARSER, Findings
from arbitree.constructions.grouping import Grouping, Instance, Nature, occurrence
from arbitree.constructions.repeats import MASKED
from arbitree.kinds.dependency.constructions.changes import (
    LEGEND,
    WORDING,
    TokenSurprise,
    asked_of,
    changes_of,
)
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
    common_facts,
    pinpointed,
    subtrees,
)
from arbitree.kinds.dependency.constructions.rates import with_rates
from arbitree.kinds.dependency.constructions.sentences import (
    OUTSIDE,
    POS_COLUMNS,
    ROOT,
    CoderFacts,
    Fact,
    Sentence,
    add_notes,
    differing,
    differing_inside,
    oddities,
    sentences_of,
)
from arbitree.kinds.dependency.value import DepTree
from arbitree.study.study import Study

# Settings that only the comparison of a corpus with itself has.
CORPUS_ONLY = (
    "match", "case", "exclude", "nil_internal", "nonfringe", "dep_context", "punctuation", "examples"
)  # fmt: skip


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
        exclude: in a corpus, a regular expression for words that are in no pair, or ``none``.
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
    exclude: str = MASKED
    nil_internal: bool = True
    nonfringe: bool = False
    dep_context: bool = False
    punctuation: str = "remove"
    examples: int = 5


class DependencyConstructions(Constructions[DepTree]):
    """Inconsistencies of dependency trees."""

    wording = WORDING

    def options(self, baseline: str | None = None, mode: str = CODERS) -> Mapping[str, Any]:
        """Return the settings with their defaults."""
        return DependencyOptions().recorded()

    def explain(
        self, study: Study[DepTree], *, mode: str, baseline: str | None, progress: Progress, **options: Any
    ) -> Findings:
        """Return the inconsistencies, grouped by type."""
        settings = DependencyOptions(**options)
        if mode == CORPUS:
            names = ("pos", *CORPUS_ONLY)
            pairing = Pairing(**{name: getattr(settings, name) for name in names})
            return explain_corpus(study, pairing, progress)
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
    sentences = [
        sentence
        for part in parts
        for sentence in sentences_of(part, intake, pos=settings.pos, mismatch=settings.mismatch)
    ]
    found = [(sentence, _nuclei(sentence, intake, settings)) for sentence in sentences]
    surprise = TokenSurprise(settings.pos)
    surprise.count(study, ((sentence, nucleus) for sentence, nuclei in found for nucleus in nuclei))
    for sentence, nuclei in found:
        common = common_facts(sentence.views, nuclei, gold=parser)
        for nucleus in nuclei:
            if settings.partition == "none" or not _tops_differ(sentence.views, nucleus.members):
                bits = surprise.bits(sentence, nucleus)
                _add(sentence, nucleus, common, grouping, bits=bits, type_pos=settings.type_pos)
            else:
                intake.counts["exempt"] += 1
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
        signature=signature_of(mode, used, intake.items, study),
        references=("kulick2013",),
        wording=WORDING,
        legend=LEGEND,
    )


def _nuclei(sentence: Sentence, intake: Intake, settings: DependencyOptions) -> list[NucleusTokens]:
    """Return the nuclei of one sentence, and count its tokens."""
    views = sentence.views
    tokens = differing(views)
    size = len(views[0].facts)
    intake.counts.update(compared=size, inconsistent=len(tokens), consistent=size - len(tokens))
    if settings.nuclei != "subtrees":
        return pinpointed(views, connected=settings.nuclei == "connected")
    found, exempt = subtrees(views, unrooted=settings.unrooted, every=settings.report == "all")
    intake.counts.update(exempt=exempt, explained=sum(not nucleus.owned for nucleus in found))
    return found


def _tops_differ(views: Sequence[CoderFacts], members: Members) -> bool:
    """Whether the nucleus has one top for every annotator, and the tops differ in part of speech."""
    tops = []
    for view in views:
        own = [fact for fact in view.inside(members).values() if fact[1] in (OUTSIDE, ROOT)]
        if len(own) != 1:
            return False
        tops.append(own[0][0])
    return len(set(tops)) > 1


def _add(
    sentence: Sentence,
    nucleus: NucleusTokens,
    common: Mapping[int, Fact],
    grouping: Grouping,
    *,
    bits: float,
    type_pos: bool,
) -> None:
    """Add a nucleus to its type; tokens that other nuclei own are alike in all fragments."""
    members = sorted(token for token in nucleus.members if token >= 0)
    views = sentence.views
    tokens = nucleus.owned
    if tokens:
        others = {token: fact for token, fact in common.items() if token not in tokens}
        views = tuple(view.having(others) for view in views)
    else:
        tokens = tuple(sorted({token for _, _, token in differing_inside(views, nucleus.members)}))
    facts = [view.inside(nucleus.members) for view in views]
    tagged = None
    if not type_pos:
        tagged = {token for token in members if len({each[token][0] for each in facts}) > 1}
    instances = []
    for cell, positions, each in zip(sentence.cells, sentence.positions, facts, strict=True):
        place = occurrence(cell, cell.value.tokens, tuple(positions[token] for token in members))
        instances.append(Instance(place, fragment_of(each, tagged=tagged)))
    offset = {token: k for k, token in enumerate(members)}
    differing = tuple(offset[token] for token in tokens)
    outer = [view.inside(nucleus.members, outer=True) for view in views]
    facets, categories = facets_of(outer, tokens)
    first = sentence.positions[0]
    grouping.add(
        tuple(sentence.tokens[token] for token in members),
        instances,
        Nature(class_of(outer), label_of(grouping.order(instances), differing), facets, categories),
        differing=differing,
        residual=differing if nucleus.owned else (),
        explained_by=tuple(
            (first[min(own)], first[max(own)] + 1)
            for each in nucleus.explained_by
            if (own := {token for token in each if token >= 0})
        ),
        changes=changes_of(sentence, nucleus.owned),
        asked=asked_of(views, tokens, nucleus.members),
        bits=bits,
    )
