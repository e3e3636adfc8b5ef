"""Inconsistencies of dependency trees: among coders, inside a corpus, or of parsers against a gold standard.

Reference:
    Kulick, Bies, Mott, Maamouri, Santorini & Kroch (2013), carried over from phrase structure; in a corpus
    Boyd, Dickinson & Meurers (2008).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import arbitree
from arbitree.constructions.findings import CODERS, CORPUS, PARSER, Findings, Place, summary_of
from arbitree.constructions.grouping import Grouping, Instance, Nature, coders_table, context_of, pairs_table
from arbitree.errors import StudyError, UnsupportedStudy
from arbitree.kinds.dependency.constructions.corpus import Pairing, explain_corpus
from arbitree.kinds.dependency.constructions.fragments import (
    CLASSES,
    class_of,
    facets_of,
    fragment_of,
    label_of,
)
from arbitree.kinds.dependency.constructions.nuclei import (
    Difference,
    Members,
    comparable_subtrees,
    pinpointed,
    reported,
)
from arbitree.kinds.dependency.constructions.rates import with_rates
from arbitree.kinds.dependency.constructions.sentences import (
    OUTSIDE,
    POS_COLUMNS,
    ROOT,
    Intake,
    Sentence,
    View,
    differing,
    oddities,
    sentences_of,
)
from arbitree.kinds.dependency.value import DepTree
from arbitree.plugins import check_name
from arbitree.study.study import Study

CHOICES = {
    "mode": (CODERS, CORPUS, PARSER),
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


def explain(
    study: Study[DepTree],
    *,
    mode: str | None = None,
    nuclei: str = "pinpoint",
    pos: str = "keep",
    type_pos: bool = True,
    partition: str = "none",
    unrooted: str = "slot",
    report: str = "minimal",
    mismatch: str = "skip",
    match: str = "form",
    case: str = "keep",
    nil_internal: bool = True,
    nonfringe: bool = False,
    dep_context: bool = False,
    punctuation: str = "remove",
    examples: int = 5,
) -> Findings:
    """Say where dependency annotations differ, and group what differs in the same way.

    Args:
        study: two or more coders; one coder: the corpus is compared with itself; with a reference: parsers
            are compared with it.
        mode: ``coders``, ``corpus`` or ``parser``, if not what the study suggests.
        nuclei: ``pinpoint``, the smallest token sets around what differs; ``connected``, one set for all that
            hangs together; or ``subtrees`` without gaps.
        pos: part of speech that is compared: ``keep`` the coarse one, ``fine``, ``both``, or ``strip``.
        type_pos: whether types tell parts of speech apart where the coders agree on them.
        partition: with ``upos``, nuclei whose tops have different parts of speech are not compared.
        unrooted: see ``comparable_subtrees``.
        report: ``minimal`` leaves out nuclei that smaller ones explain, ``all`` keeps them.
        mismatch: if tokens differ, ``skip`` the item, raise an ``error``, or ``align``.
        match: in a corpus, compare words by ``form`` or ``lemma``.
        case: in a corpus, ``lower`` takes upper and lower case for the same.
        nil_internal: in a corpus, words without a relation count only if the words between them are the
            same as for some pair with one.
        nonfringe: in a corpus, the words before and after must be the same too.
        dep_context: in a corpus, the head of the pair must have the same relation to its own head.
        punctuation: in a corpus, ``keep`` or ``remove`` the relations of punctuation.
        examples: in a corpus, places kept for each way to annotate a pair.
    Returns:
        Types with their fragments and nuclei, those with most nuclei first.
    Example:
        >>> from arbitree.reading.assembly import read_study
        >>> found = explain(read_study(["examples/dependency/ann.conllu", "examples/dependency/bob.conllu"]))
        >>> found.mode, found.types[0].class_
        ('coders', 'structural')
    """
    settings = {key: value for key, value in locals().items() if key != "study"}
    settings["mode"] = mode or CODERS
    for name, allowed in CHOICES.items():
        check_name(str(settings[name]), allowed, f"the settings of {name}")
    chosen = _mode(study, mode)
    if chosen == CORPUS:
        pairing = Pairing(
            match=match,
            pos=pos,
            case=case,
            nil_internal=nil_internal,
            nonfringe=nonfringe,
            dep_context=dep_context,
            punctuation=punctuation,
            examples=examples,
        )
        return _signed(explain_corpus(study, pairing), pairing.settings())
    apart = {"match", "case", "nil_internal", "nonfringe", "dep_context", "punctuation", "examples"}
    settings = {key: value for key, value in settings.items() if key not in (*apart, "mode")}
    found = _explain_coders(study, settings, parser=chosen == PARSER)
    return _signed(found, settings)


def _mode(study: Study[DepTree], mode: str | None) -> str:
    if study.cells and study.value_type is not DepTree:
        what = f"this analysis is for dependency trees, not for {study.value_type.kind} annotations"
        raise UnsupportedStudy(what, hint="Give CoNLL files")
    if study.reference is not None and study.reference not in study.coders:
        known = ", ".join(study.coders)
        raise StudyError(f"no coder {study.reference!r} in the study", hint=f"Coders: {known}")
    if mode == PARSER and study.reference is None:
        raise UnsupportedStudy(
            "no coder is the gold standard", hint="Name the one that parsers are held against"
        )
    if mode in (CODERS, PARSER) and len(study.coders) < 2:
        raise UnsupportedStudy("there is one coder only", hint="Give two coders, or look at it as a corpus")
    if mode is None:
        mode = CORPUS if len(study.coders) < 2 else PARSER if study.reference else CODERS
    return mode


def _explain_coders(study: Study[DepTree], settings: Mapping[str, Any], *, parser: bool) -> Findings:
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
        for sentence in sentences_of(part, intake, pos=settings["pos"], mismatch=settings["mismatch"]):
            _compare(sentence, grouping, intake, settings)
            if parser:
                sentences.append(sentence)
    intake.close()
    types = grouping.types(study.coders)
    if parser:
        types = with_rates(types, sentences, type_pos=settings["type_pos"])
    tables = {"summary": summary_of(types, intake.tokens, CLASSES)}
    if not parser:
        tables["coders"] = coders_table(types, study.coders, CLASSES)
        tables["pairs"] = pairs_table(types, study.coders)
    return Findings(
        mode=PARSER if parser else CODERS,
        study_kind=DepTree.kind,
        coders=study.coders,
        items=intake.items,
        tokens=intake.tokens,
        types=types,
        counts=_counts(intake),
        tables=tables,
        ignored=tuple(intake.ignored),
        notes=tuple(intake.notes),
        references=("kulick2013",),
        gold=study.reference if parser else None,
    )


def _counts(intake: Intake) -> dict[str, int]:
    always = ("compared", "consistent", "exempt", "inconsistent", "explained")
    return {name: intake.counts[name] for name in dict.fromkeys((*always, *sorted(intake.counts)))}


def _compare(sentence: Sentence, grouping: Grouping, intake: Intake, settings: Mapping[str, Any]) -> None:
    """Find the nuclei of one sentence that differ, and put them into their types."""
    views = sentence.views
    tokens = differing(views)
    if settings["nuclei"] != "subtrees":
        candidates = pinpointed(views, connected=settings["nuclei"] == "connected") if tokens else []
        compared, inconsistent = len(views[0].facts), len(tokens)
    else:
        candidates, exempt = comparable_subtrees(views, unrooted=settings["unrooted"])
        intake.counts["exempt"] += exempt
        compared = len(candidates) + exempt
    if settings["partition"] == "upos":
        kept = [members for members in candidates if not _tops_differ(views, members)]
        intake.counts["exempt"] += len(candidates) - len(kept)
        candidates = kept
    found = reported(views, candidates)
    if settings["nuclei"] == "subtrees":
        inconsistent = len(found)
        intake.counts["consistent"] += len(candidates) - len(found)
    else:
        intake.counts["consistent"] += compared - inconsistent
    intake.counts.update(compared=compared, inconsistent=inconsistent)
    for difference in found:
        if difference.explained_by:
            intake.counts["explained"] += 1
            if settings["report"] == "minimal":
                continue
        _add(sentence, difference, grouping, type_pos=settings["type_pos"])


def _tops_differ(views: Sequence[View], members: Members) -> bool:
    """Whether the nucleus has one top for every coder, and these differ in their part of speech."""
    tops = []
    for view in views:
        own = [fact for fact in view.inside(members).values() if fact[1] in (OUTSIDE, ROOT)]
        if len(own) != 1:
            return False
        tops.append(own[0][0])
    return len(set(tops)) > 1


def _add(sentence: Sentence, difference: Difference, grouping: Grouping, *, type_pos: bool) -> None:
    members = sorted(difference.members - {ROOT})
    facts = [view.inside(difference.members) for view in sentence.views]
    tagged = None
    if not type_pos:
        tagged = {token for token in members if len({each[token][0] for each in facts}) > 1}
    instances = []
    for cell, run, each in zip(sentence.cells, sentence.runs, facts, strict=True):
        positions = tuple(run[token] for token in members)
        left, right = context_of(cell.value.tokens, positions)
        place = Place(sentence.item.id, positions, cell.coder, 0, str(cell.source or ""), left, right)
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


def _signed(findings: Findings, settings: Mapping[str, Any]) -> Findings:
    parts = ["explain", "kind:dependency", f"mode:{findings.mode}"]
    parts += [f"{key}:{value}" for key, value in sorted(settings.items())]
    parts += [f"items:{findings.items}", f"coders:{len(findings.coders)}", f"v:{arbitree.__version__}"]
    return replace(findings, settings=dict(settings), signature="|".join(parts))
