"""Inconsistencies in phrase structure, after Kulick et al. (2013)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from arbitree.backends.base import Progress
from arbitree.constructions.explain import Constructions, Intake, findings_of
from arbitree.constructions.findings import CORPUS, PARSER, Findings, by_evidence
from arbitree.errors import StudyError
from arbitree.kinds.phrase.constructions.corpus import SAID, CorpusComparer, corpus_defaults
from arbitree.kinds.phrase.constructions.derivation import derive
from arbitree.kinds.phrase.constructions.fragments import Facts, sliced
from arbitree.kinds.phrase.constructions.head_tables import HeadTable, head_table, unknown_note
from arbitree.kinds.phrase.constructions.ngrams import NgramOptions, variation_ngrams
from arbitree.kinds.phrase.constructions.normalisation import Normaliser, look_lemmatised, looks_historical
from arbitree.kinds.phrase.constructions.nuclei import Comparer, Version
from arbitree.kinds.phrase.constructions.options import PhraseOptions
from arbitree.kinds.phrase.constructions.types import CLASSES, Gathering, GoldCounts
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.study.comparable import too_few
from arbitree.study.result import Ignored, signature
from arbitree.study.study import Annotation, Item, Study

REFERENCES = ("kulick2013",)


class PhraseConstructions(Constructions[PhraseTree]):
    """Inconsistencies of phrase structure, and variation n-grams as a baseline."""

    baselines: ClassVar[Mapping[str, str]] = {
        "ngrams": "variation n-grams need phrase-structure trees, but these are {} trees. "
        "For dependency trees, the corpus mode compares pairs of words"
    }

    def options(self, baseline: str | None = None) -> Mapping[str, Any]:
        """Return the settings with their defaults."""
        return NgramOptions().recorded() if baseline else PhraseOptions().recorded()

    def explain(
        self, study: Study[PhraseTree], *, mode: str, baseline: str | None, progress: Progress, **options: Any
    ) -> Findings:
        """Return the inconsistencies; the baseline treats all annotations as one corpus."""
        if baseline:
            return variation_ngrams(study, NgramOptions(**options))
        if mode == CORPUS:
            options = corpus_defaults(options) | options
        return _explain_fragments(study, PhraseOptions(**options), mode, progress)


def _explain_fragments(
    study: Study[PhraseTree], settings: PhraseOptions, mode: str, progress: Progress
) -> Findings:
    made = _Preparation.of(study, settings)
    external = settings.external
    if external == "auto":
        external = "off" if mode == CORPUS else "label"
    gathering = Gathering(made.facts, settings.type_pos, settings.refine, ordered=mode == PARSER)
    counted = GoldCounts() if mode == PARSER else None
    if mode == CORPUS:
        made.intake.counts = _corpus(study, made, external, gathering, progress)
    else:
        comparer = Comparer(settings, external, made.facts, gathering, counted)
        _items(study, made, comparer, study.reference if mode == PARSER else None, progress)
        made.intake.counts = comparer.counts
    types = gathering.types(counted)
    if mode == CORPUS:
        types = by_evidence(types)
    made.add_notes()
    recorded = settings.recorded(
        heads=made.table.name, style="historical" if made.normaliser.historical else "penn", external=external
    )
    return findings_of(
        study,
        made.intake,
        types,
        mode=mode,
        classes=CLASSES,
        counts=made.intake.nuclei(),
        settings=recorded,
        signature=_signature(mode, recorded, made.intake.items),
        references=REFERENCES,
    )


@dataclass(slots=True)
class _Preparation:
    """Converts annotations to derivations, and collects notes."""

    settings: PhraseOptions
    normaliser: Normaliser
    table: HeadTable
    facts: Facts
    intake: Intake = field(default_factory=Intake)
    scattered: int = 0

    @classmethod
    def of(cls, study: Study[Any], settings: PhraseOptions) -> _Preparation:
        historical = settings.style == "historical"
        if settings.style == "auto":
            historical = looks_historical(cell.value for cell in study.cells.values())
        heads = settings.heads
        if heads == "auto":
            heads = "historical" if historical else "english"
        lemmas = historical and look_lemmatised(cell.value for cell in study.cells.values())
        normaliser = Normaliser(settings, historical, lemmas)
        return cls(settings, normaliser, head_table(heads), Facts())

    def version(self, annotation: Annotation[Any]) -> Version:
        normal = self.normaliser.normal(annotation.value)
        derivation = derive(normal, self.table)
        self.scattered += bool(derivation.scattered)
        return Version(annotation, normal.words, sliced(derivation, self.facts))

    def add_notes(self) -> None:
        found = self.intake.notes
        found += unknown_note(self.table)
        if self.normaliser.historical and self.settings.style == "auto":
            found.append(
                "found labels such as IP-MAT and read the trees in the style of the Penn historical corpora "
                "(to turn this off, use --set style=penn)"
            )
        if self.normaliser.lemmas:
            found.append(
                "most words contain a hyphen: the part after the last hyphen is read as the lemma and removed"
            )
        if self.normaliser.removed:
            found.append(f"{self.normaliser.removed:,} CODE and ID nodes are not words and were removed")
        if self.scattered:
            found.append(f"{self.scattered:,} trees have discontinuous phrases, which are not used as nuclei")


def _items(
    study: Study[Any], made: _Preparation, comparer: Comparer, gold: str | None, progress: Progress
) -> None:
    """Compare the annotations of each item."""
    for done, (item, cells) in enumerate(study):
        progress(done, len(study.items))
        versions = [version for cell in cells if (version := made.version(cell)).words]
        if len(versions) < 2:
            full = [version.annotation for version in versions]
            made.intake.ignored.append(too_few(item, cells, full))
            continue
        if gold is not None:
            reference = [version for version in versions if version.annotation.coder == gold]
            if not reference:
                made.intake.ignored.append(Ignored(item.id, "no_gold", f"{gold} has no tree"))
                continue
            systems = [version for version in versions if version.annotation.coder != gold]
            sets = [[reference[0], system] for system in systems]
        else:
            sets = [versions]
        used = [_compared(item, each, made, comparer) for each in sets]
        if any(used):
            made.intake.lengths[item.id] = len(versions[0].words)


def _compared(item: Item, versions: list[Version], made: _Preparation, comparer: Comparer) -> bool:
    """Compare the versions of one item; return whether that was possible."""
    first = versions[0]
    other = next((each for each in versions[1:] if each.words != first.words), None)
    if other is None:
        comparer.compare(versions)
        return True
    detail = _mismatch(first, other)
    if made.settings.mismatch == "error":
        hint = "Make the tokens identical, or set mismatch=skip or mismatch=align"
        raise StudyError(f"item {item.id!r}: {detail}", other.annotation.source, hint=hint)
    aligned = made.settings.mismatch == "align"
    made.intake.ignored.append(Ignored(item.id, "words_aligned" if aligned else "words_differ", detail))
    if aligned:
        comparer.compare_aligned(versions)
    return aligned


def _mismatch(first: Version, other: Version) -> str:
    pairs = enumerate(zip(first.words, other.words, strict=False), start=1)
    names = (first.annotation.coder, other.annotation.coder)
    for number, (ours, theirs) in pairs:
        if ours != theirs:
            return f"word {number} is {ours!r} for {names[0]} and {theirs!r} for {names[1]}"
    return f"{len(first.words)} words for {names[0]}, {len(other.words)} for {names[1]}"


def _corpus(
    study: Study[Any], made: _Preparation, external: str, gathering: Gathering, progress: Progress
) -> Counter[str]:
    versions = []
    for done, (item, cells) in enumerate(study):
        progress(done, len(study.items))
        for cell in cells:
            version = made.version(cell)
            if version.words:
                versions.append(version)
                made.intake.lengths[item.id, cell.coder] = len(version.words)
            else:
                made.intake.ignored.append(Ignored(item.id, "empty_tree", f"empty for {cell.coder}"))
    if made.settings.function_tags == "strip" and made.settings.min_len > 1:
        made.intake.notes.append(SAID)
    comparer = CorpusComparer(made.settings, external, made.facts, gathering, versions)
    made.intake.notes += comparer.notes
    comparer.compare()
    return comparer.counts


def _signature(mode: str, recorded: dict[str, Any], items: int) -> str:
    default = PhraseOptions().recorded()
    changed = [f"{name}:{value}" for name, value in recorded.items() if value != default[name]]
    return signature(["explain", "trees:phrase", f"mode:{mode}", *changed, f"items:{items}"])
