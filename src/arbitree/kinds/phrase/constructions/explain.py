"""Inconsistencies in phrase structure, after Kulick et al. (2013)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple

from arbitree.backends.base import Progress
from arbitree.constructions.explain import Constructions, Intake, findings_of
from arbitree.constructions.findings import CODERS, CORPUS, PARSER, Findings, by_evidence
from arbitree.constructions.surprise import Surprise
from arbitree.errors import StudyError
from arbitree.kinds.phrase.constructions.corpus import (
    CorpusComparer,
    CorpusSentence,
    corpus_defaults,
    left_out,
)
from arbitree.kinds.phrase.constructions.decisions import Comparer
from arbitree.kinds.phrase.constructions.derivation import derive
from arbitree.kinds.phrase.constructions.fragments import Facts, Sliced, sliced
from arbitree.kinds.phrase.constructions.head_tables import HeadTable, head_table, shipped, unknown_note
from arbitree.kinds.phrase.constructions.ngrams import NgramOptions, variation_ngrams
from arbitree.kinds.phrase.constructions.normalisation import (
    Normal,
    Normaliser,
    look_lemmatised,
    looks_historical,
)
from arbitree.kinds.phrase.constructions.nuclei import Version
from arbitree.kinds.phrase.constructions.options import PhraseOptions
from arbitree.kinds.phrase.constructions.question_wording import WORDING
from arbitree.kinds.phrase.constructions.sites import Sites
from arbitree.kinds.phrase.constructions.types import CLASSES, Gathering, GoldCounts, Raw
from arbitree.kinds.phrase.kind import KIND
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.measures.signatures import signature, study_parts, typed
from arbitree.reading.limits import read_bytes
from arbitree.reading.side_files import signed_name
from arbitree.study.comparable import shared_positions, too_few
from arbitree.study.result import Ignored
from arbitree.study.study import Annotation, Item, Study
from arbitree.wording import count_of, listed

REFERENCES = ("kulick2013",)
LEGEND = (
    "(NP DT NN) is an NP of two words with these tags. A plus sign separates parts that do not form a "
    "phrase together."
)
TAGGED_AT_ALL = 6  # phrases of one annotator with function tags, where another has none at all
TAGGED = 20  # phrases; where fewer have function tags, the tags may be what annotators disagree on
RARE = 0.05  # an annotator has hardly any function tags: share of the frequency with which another has them

Seen = tuple[tuple[str, ...], Sites]  # the words of a tree and what it says about them


class _Switch(NamedTuple):
    """The value of a setting that keeps what is removed otherwise."""

    value: Any
    what: str
    option: str


SHOWING = {
    "indices": _Switch("keep", "indices", "--set indices=keep"),
    "empties": _Switch("keep", "traces", "--empties keep"),
    "unary": _Switch("keep", "phrases over one phrase of the same category", "--set unary=keep"),
    "strip_root": _Switch(False, "outer brackets", "--set strip_root=no"),
    "function_tags": _Switch("keep", "function tags", "--function-tags keep"),
    "pos": _Switch("keep", "parts of speech", "--set pos=keep"),
    "punctuation": _Switch("keep", "punctuation", "--set punctuation=keep"),
}


class PhraseConstructions(Constructions[PhraseTree]):
    """Inconsistencies of phrase structure, and variation n-grams as a baseline."""

    baselines: ClassVar[Mapping[str, str]] = {
        "ngrams": "variation n-grams need phrase-structure trees, but these are {}. "
        "For dependency trees, the corpus mode compares pairs of words"
    }

    wording = WORDING

    def options(self, baseline: str | None = None, mode: str = CODERS) -> Mapping[str, Any]:
        """Return the settings with their defaults, some of which differ in a corpus."""
        if baseline:
            return NgramOptions().recorded()
        return PhraseOptions(**(corpus_defaults({}) if mode == CORPUS else {})).recorded()

    def explain(
        self, study: Study[PhraseTree], *, mode: str, baseline: str | None, progress: Progress, **options: Any
    ) -> Findings:
        """Return the inconsistencies; the baseline treats all annotations as one corpus."""
        if baseline:
            return variation_ngrams(study, NgramOptions(**options))
        if mode == CORPUS:
            options = corpus_defaults(options) | options
        return _explain_fragments(study, PhraseOptions(**options), mode, progress)


@dataclass(slots=True)
class _Hidden:
    """Sentences that differ as written but not after normalisation, by the setting that shows them."""

    normaliser: Normaliser
    items: dict[str, set[str]] = field(default_factory=dict)  # by setting; "": no setting
    _others: dict[str, Normaliser] = field(default_factory=dict)

    def add(self, item: Item, trees: Sequence[PhraseTree]) -> None:
        """Add a sentence whose normalised trees are equal, if the trees differ."""
        written = [(tree.words, tree.labels, tree.parents, tree.columns.get("edge")) for tree in trees]
        if any(each != written[0] for each in written[1:]):
            found = (name for name in SHOWING if self._differ(name, trees))
            self.items.setdefault(next(found, ""), set()).add(item.id)

    def _differ(self, name: str, trees: Sequence[PhraseTree]) -> bool:
        own = self.normaliser
        if getattr(own.settings, name) == SHOWING[name].value:
            return False
        if name not in self._others:
            settings = replace(own.settings, **{name: SHOWING[name].value})
            self._others[name] = Normaliser(settings, own.historical, own.lemmas)
        return len({self._others[name].normal(tree).brackets() for tree in trees}) > 1

    def note(self) -> list[str]:
        """Return a note on these sentences, if any."""
        if not self.items:
            return []
        total = len(set().union(*self.items.values()))
        parts = [
            f"{len(self.items[name]):,} in {SHOWING[name].what} (shown by {SHOWING[name].option})"
            for name in SHOWING
            if name in self.items
        ]
        if "" in self.items:
            parts.append(f"{len(self.items['']):,} in what is never compared")
        verb = "sentence differs" if total == 1 else "sentences differ"
        return [f"{total:,} {verb} only in what is removed before the comparison: {', '.join(parts)}"]


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
        comparer = Comparer(settings, external, made.table, made.facts, gathering, counted)
        _items(study, made, comparer, study.reference if mode == PARSER else None, progress)
        made.intake.counts = comparer.counts
        made.intake.notes += comparer.notes()
        gathering.raws = made.weighed(gathering.raws)
    types = gathering.types(counted)
    if mode == CORPUS:
        types = by_evidence(types)
    made.add_notes(external)
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
        signature=_signature(mode, recorded | _files(settings), made.intake.items, study),
        references=REFERENCES,
        wording=WORDING,
        legend=LEGEND,
    )


@dataclass(slots=True)
class _Preparation:
    """Converts annotations to derivations, and collects notes."""

    settings: PhraseOptions
    normaliser: Normaliser
    table: HeadTable
    facts: Facts
    hidden: _Hidden
    intake: Intake = field(default_factory=Intake)
    scattered: int = 0
    seen: dict[tuple[str, str], Seen] = field(default_factory=dict)  # by item and annotator
    phrases: Counter[str] = field(default_factory=Counter)  # by annotator
    tagged: Counter[str] = field(default_factory=Counter)  # of these, phrases with function tags

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
        return cls(settings, normaliser, head_table(heads), Facts(), _Hidden(normaliser))

    def version(self, annotation: Annotation[Any], words: tuple[int, ...] | None = None) -> Version:
        """Return an annotation normalised, with all its words or only some."""
        normal = self.normaliser.normal(annotation.value, words)
        return Version(annotation, normal, self.derived, normal.words, normal.words, words)

    def derived(self, normal: Normal) -> Sliced:
        derivation = derive(normal, self.table)
        self.scattered += bool(derivation.scattered)
        return sliced(derivation, self.facts)

    def weighed(self, raws: Sequence[Raw]) -> list[Raw]:
        """Return the nuclei with their surprise: how often their words have each value in the whole study."""
        surprise = Surprise()
        for raw in raws:
            for words, _ in raw.sites:
                surprise.want(words)
        for words, sites in self.seen.values():
            surprise.add(words, sites.values_at)
        return [replace(raw, bits=surprise.most(raw.sites), sites=()) for raw in raws]

    def add_notes(self, external: str) -> None:
        found = self.intake.notes
        found += self.function_tags_note()
        found += unknown_note(self.table)
        found += self.hidden.note()
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
        if self.scattered and external == "off":
            found.append(f"{self.scattered:,} trees have discontinuous phrases, which are not used as nuclei")

    def function_tags_note(self) -> list[str]:
        """Return a note if some annotators use no function tags, or hardly any, and others use them."""
        shares = {coder: self.tagged[coder] / count for coder, count in self.phrases.items() if count}
        most = max(shares, key=shares.__getitem__, default="")
        few = [coder for coder, share in shares.items() if share < RARE * shares[most]]
        none = any(not self.tagged[coder] for coder in few)
        if not few or self.tagged[most] < (TAGGED_AT_ALL if none else TAGGED):
            return []
        verb = "has" if len(few) == 1 else "have"
        count = sum(self.tagged[coder] for coder in few)
        have = f"function tags on only {count_of(count, 'phrase')}" if count else "no function tags"
        return [
            f"{listed(few)} {verb} {have}, but {most} has them on {self.tagged[most]:,} phrases, which "
            "therefore differ. To compare the trees without function tags, use --function-tags strip"
        ]


def _items(
    study: Study[Any], made: _Preparation, comparer: Comparer, gold: str | None, progress: Progress
) -> None:
    """Compare the annotations of each item."""
    for done, (item, cells) in enumerate(study):
        progress(done, len(study.items))
        versions = [version for cell in cells if (version := made.version(cell)).words]
        for version in versions:
            coder, normal = version.annotation.coder, version.normal
            made.seen[item.id, coder] = version.words, version.sites
            phrases = normal.labels[len(normal.forms) :]
            made.phrases[coder] += len(phrases)
            made.tagged[coder] += sum(bool(tags) for _, tags in phrases)
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
            made.intake.lengths[item.id] = max(used)


def _compared(item: Item, versions: list[Version], made: _Preparation, comparer: Comparer) -> int:
    """Compare the versions of one item; return the number of words compared."""
    first = versions[0]
    other = next((each for each in versions[1:] if each.words != first.words), None)
    if other is not None:
        detail = _mismatch(first, other)
        if made.settings.mismatch == "error":
            hint = "Make the tokens identical, or set mismatch=skip or mismatch=align"
            raise StudyError(f"item {item.id!r}: {detail}", other.annotation.source, hint=hint)
        if made.settings.mismatch == "skip":
            made.intake.ignored.append(Ignored(item.id, "words_differ", detail))
            return 0
        versions = _aligned(item, versions, made)
    if versions and not comparer.compare(versions):
        made.hidden.add(item, [each.annotation.value for each in versions])
    return len(versions[0].words) if versions else 0


def _aligned(item: Item, versions: Sequence[Version], made: _Preparation) -> list[Version]:
    """Return the versions with the words that all share; the others are listed as ignored."""
    found = []
    shared = shared_positions([each.words for each in versions])
    for version, kept in zip(versions, shared, strict=True):
        coder = version.annotation.coder
        made.intake.leave_out(item, coder, version.words, kept)
        found.append(replace(made.version(version.annotation, kept), sentence=version.words))
        made.seen[item.id, coder] = found[-1].words, found[-1].sites
    return found if shared[0] else []


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
    sentences = []
    for done, (item, cells) in enumerate(study):
        progress(done, 2 * len(study.items))
        for cell in cells:
            version = made.version(cell)
            if version.words:
                sentences.append(CorpusSentence.of(version))
                made.intake.lengths[item.id, cell.coder] = len(version.words)
            else:
                made.intake.ignored.append(Ignored(item.id, "empty_tree", f"empty for {cell.coder}"))
    made.intake.notes += left_out(made.settings)
    comparer = CorpusComparer(made.settings, external, made.facts, gathering, sentences)
    made.intake.notes += comparer.notes
    comparer.compare(lambda done, total: progress(total + done, 2 * total))
    return comparer.counts


def _files(settings: PhraseOptions) -> dict[str, str]:
    """Return the options that name a file, with a hash of its content instead of its path."""
    own = ("auto", "keep", "strip", *shipped())
    named = {"heads": settings.heads, "pos": settings.pos}
    files = {name: path for name, path in named.items() if path not in own}
    return {name: signed_name(path, [read_bytes(path)]) for name, path in files.items()}


def _signature(mode: str, recorded: dict[str, Any], items: int, study: Study[Any]) -> str:
    default = PhraseOptions().recorded()
    changed = {name: value for name, value in recorded.items() if value != default[name]}
    head = typed("explain", {"mode": mode, **changed})
    return signature(head, [f"items:{items}", *study_parts(study, KIND)])
