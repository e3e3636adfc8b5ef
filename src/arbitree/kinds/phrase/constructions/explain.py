"""Inconsistencies in phrase structure, after Kulick et al. (2013)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import arbitree
from arbitree.constructions.findings import CODERS, CORPUS, PARSER, Findings, Type, summary_of
from arbitree.errors import StudyError
from arbitree.kinds.phrase.constructions.corpus import CorpusComparer
from arbitree.kinds.phrase.constructions.derivation import derive
from arbitree.kinds.phrase.constructions.fragments import Facts, sliced
from arbitree.kinds.phrase.constructions.head_tables import HeadTable, head_table, unknown_note
from arbitree.kinds.phrase.constructions.normalisation import Normaliser, look_lemmatised, looks_historical
from arbitree.kinds.phrase.constructions.nuclei import Comparer, Version
from arbitree.kinds.phrase.constructions.settings import Settings
from arbitree.kinds.phrase.constructions.types import CLASSES, Gathering, Gold
from arbitree.study.result import Ignored, Table
from arbitree.study.study import Annotation, Item, Study

MODES = (CODERS, CORPUS, PARSER)
REFERENCES = ("kulick2013",)

Progress = Callable[[int, int], None]


def explain_phrases(
    study: Study[Any],
    settings: Settings,
    *,
    mode: str,
    gold: str | None = None,
    progress: Progress = lambda done, total: None,
) -> Findings:
    """Return the inconsistencies of a study of phrase structure.

    Args:
        study: of trees.
        settings: of the method.
        mode: ``coders``, ``corpus`` or ``parser``.
        gold: in parser mode, the coder that others are measured against.
        progress: is told how many items are done.
    Reference:
        Kulick, Bies, Mott, Maamouri, Santorini and Kroch (2013).
    """
    road = _Road.of(study, settings)
    external = settings.external
    if external == "auto":
        external = "off" if mode == CORPUS else "label"
    gathering = Gathering(road.facts, settings.type_pos, settings.refine, ordered=mode == PARSER)
    counted = Gold() if mode == PARSER else None
    if mode == CORPUS:
        items, tokens, counts = _corpus(study, road, external, gathering, progress)
    else:
        comparer = Comparer(settings, external, road.facts, gathering, counted)
        items, tokens = _items(study, road, comparer, gold, progress)
        counts = comparer.counts
    types = gathering.types(counted)
    tables = {"summary": summary_of(types, tokens, CLASSES)}
    if mode == CODERS:
        tables |= {"coders": _habits(types, study.coders), "pairs": _pairs(types, study.coders)}
    recorded = settings.recorded(
        heads=road.table.name, style="historical" if road.normaliser.historical else "penn", external=external
    )
    return Findings(
        mode=mode,
        study_kind="phrase",
        coders=study.coders,
        items=items,
        tokens=tokens,
        types=types,
        counts={
            name: counts[name] for name in ("compared", "consistent", "exempt", "inconsistent", "explained")
        },
        tables=tables,
        ignored=tuple(road.ignored),
        notes=tuple(road.notes()),
        settings=recorded,
        signature=_signature(mode, recorded, items),
        references=REFERENCES,
        gold=gold,
    )


@dataclass(slots=True)
class _Road:
    """From annotations to derivations ready for fragments, and what happened on the way."""

    settings: Settings
    normaliser: Normaliser
    table: HeadTable
    facts: Facts
    ignored: list[Ignored]
    scattered: int = 0

    @classmethod
    def of(cls, study: Study[Any], settings: Settings) -> _Road:
        historical = settings.style == "historical"
        if settings.style == "auto":
            historical = looks_historical(cell.value for cell in study.cells.values())
        heads = settings.heads
        if heads == "auto":
            heads = "historical" if historical else "english"
        lemmas = historical and look_lemmatised(cell.value for cell in study.cells.values())
        normaliser = Normaliser(settings, historical, lemmas)
        return cls(settings, normaliser, head_table(heads), Facts(), [])

    def version(self, annotation: Annotation[Any]) -> Version:
        normal = self.normaliser.normal(annotation.value)
        derivation = derive(normal, self.table)
        self.scattered += bool(derivation.scattered)
        return Version(annotation, normal.words, sliced(derivation, self.facts))

    def notes(self) -> list[str]:
        found = unknown_note(self.table)
        if self.normaliser.historical and self.settings.style == "auto":
            found.append("labels such as IP-MAT: read in the Penn historical style (--set style=penn: not)")
        if self.normaliser.lemmas:
            found.append(
                "most words have a hyphen: what follows the last is taken for the lemma and left out"
            )
        if self.normaliser.removed:
            found.append(f"{self.normaliser.removed:,} CODE and ID nodes are no words and were left out")
        if self.scattered:
            found.append(f"{self.scattered:,} trees have phrases with gaps: these are no nuclei of their own")
        return found


def _items(
    study: Study[Any], road: _Road, comparer: Comparer, gold: str | None, progress: Progress
) -> tuple[int, int]:
    """Compare item after item; return how many were, and their words."""
    items = tokens = 0
    for done, (item, cells) in enumerate(study):
        progress(done, len(study.items))
        versions = [version for cell in cells if (version := road.version(cell)).words]
        if len(versions) < 2:
            road.ignored.append(_too_few(item, cells, versions))
            continue
        if gold is not None:
            reference = [version for version in versions if version.annotation.coder == gold]
            if not reference:
                road.ignored.append(Ignored(item.id, "no_gold", f"{gold} has no tree"))
                continue
            systems = [version for version in versions if version.annotation.coder != gold]
            sets = [[reference[0], system] for system in systems]
        else:
            sets = [versions]
        used = [_compared(item, each, road, comparer) for each in sets]
        items += any(used)
        tokens += len(versions[0].words) if any(used) else 0
    return items, tokens


def _compared(item: Item, versions: list[Version], road: _Road, comparer: Comparer) -> bool:
    """Compare the versions of one item; return whether that was possible."""
    first = versions[0]
    other = next((each for each in versions[1:] if each.words != first.words), None)
    if other is None:
        comparer.compare(versions)
        return True
    detail = _mismatch(first, other)
    if road.settings.mismatch == "error":
        hint = "Make the words alike, or choose mismatch 'skip' or 'align'"
        raise StudyError(f"item {item.id!r}: {detail}", other.annotation.source, hint=hint)
    aligned = road.settings.mismatch == "align"
    road.ignored.append(Ignored(item.id, "words_aligned" if aligned else "words_differ", detail))
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


def _too_few(item: Item, cells: list[Annotation[Any]], versions: list[Version]) -> Ignored:
    if len(cells) > len(versions) and len(cells) > 1:
        full = {version.annotation.coder for version in versions}
        empty = ", ".join(cell.coder for cell in cells if cell.coder not in full)
        return Ignored(item.id, "empty_tree", f"empty for {empty}")
    return Ignored(item.id, "single_annotation", f"only by {cells[0].coder}" if cells else "by nobody")


def _corpus(
    study: Study[Any], road: _Road, external: str, gathering: Gathering, progress: Progress
) -> tuple[int, int, Counter[str]]:
    versions = []
    for done, (item, cells) in enumerate(study):
        progress(done, len(study.items))
        for cell in cells:
            version = road.version(cell)
            if version.words:
                versions.append(version)
            else:
                road.ignored.append(Ignored(item.id, "empty_tree", f"empty for {cell.coder}"))
    comparer = CorpusComparer(road.settings, external, road.facts, gathering, versions)
    comparer.compare()
    return len(versions), sum(len(version.words) for version in versions), comparer.counts


def _habits(types: tuple[Type, ...], coders: tuple[str, ...]) -> Table:
    """Return for every coder the nuclei in which most others agree against him or her, and the ties."""
    rows = {coder: Counter[str]() for coder in coders}
    for each in types:
        for nucleus in each.nuclei:
            most = max(nucleus.counts)
            tie = nucleus.counts.count(most) > 1
            for place in nucleus.places:
                if tie:
                    rows[place.coder]["ties"] += 1
                elif nucleus.counts[place.fragment] < most:
                    rows[place.coder]["alone"] += 1
                    rows[place.coder][each.class_] += 1
    columns = ("coder", "minority", "ties", *CLASSES)
    body = [(c, r["alone"], r["ties"], *(r[name] for name in CLASSES)) for c, r in rows.items()]
    return Table(columns, tuple(body))


def _pairs(types: tuple[Type, ...], coders: tuple[str, ...]) -> Table:
    """Return for every pair of coders the nuclei in which they differ."""
    counts: Counter[tuple[str, str]] = Counter()
    for each in types:
        for nucleus in each.nuclei:
            for a, b in combinations(nucleus.places, 2):
                if a.fragment != b.fragment:
                    counts[a.coder, b.coder] += 1
                    counts[b.coder, a.coder] += 1
    return Table(
        ("first", "second", "nuclei"), tuple((a, b, counts[a, b]) for a, b in combinations(coders, 2))
    )


def _signature(mode: str, recorded: dict[str, Any], items: int) -> str:
    default = Settings().recorded()
    changed = [f"{name}:{value}" for name, value in recorded.items() if value != default[name]]
    return "|".join(
        ["explain", "trees:phrase", f"mode:{mode}", *changed, f"items:{items}", f"v:{arbitree.__version__}"]
    )
