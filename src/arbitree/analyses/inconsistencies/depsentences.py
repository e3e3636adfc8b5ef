"""The sentences of a study that can be compared, and what was left out on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from arbitree.analyses.inconsistencies.alignment import runs_of
from arbitree.analyses.inconsistencies.attachments import View
from arbitree.data.dependency import DepTree
from arbitree.data.result import Ignored
from arbitree.data.study import Annotation, Item, Study
from arbitree.errors import StudyError
from arbitree.measures.base import pairable

Cells = list[Annotation[DepTree]]


@dataclass(frozen=True, slots=True)
class Sentence:
    """Tokens that all coders of an item share, and what each says of them."""

    item: Item
    cells: tuple[Annotation[DepTree], ...]
    views: tuple[View, ...]
    runs: tuple[range, ...]  # where the tokens stand in the sentence of each coder

    @property
    def tokens(self) -> tuple[str, ...]:
        """The shared tokens."""
        return self.cells[0].value.tokens[self.runs[0].start : self.runs[0].stop]


@dataclass(slots=True)
class Intake:
    """Counts of what was met while the sentences were prepared."""

    ignored: list[Ignored] = field(default_factory=list)
    lengths: dict[str, int] = field(default_factory=dict)  # tokens compared, by item
    counts: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)

    @property
    def items(self) -> int:
        """The number of items compared."""
        return len(self.lengths)

    @property
    def tokens(self) -> int:
        """The number of their tokens."""
        return sum(self.lengths.values())

    def close(self) -> None:
        """Put into words what was not compared; cycles and several roots are, and are counted only."""
        told = {
            "enhanced": "{} with enhanced dependencies, which are not compared",
            "aligned_items": "{} compared on the tokens that all coders share",
            "unaligned_tokens": "{} without a partner, not compared",
        }
        for name, text in told.items():
            count = self.counts[name]
            what = "token" if name == "unaligned_tokens" else "item" if name == "aligned_items" else "tree"
            if count:
                self.notes.append(text.format(f"{count} {what}{'' if count == 1 else 's'}"))


def sentences_of(
    study: Study[DepTree], intake: Intake, *, pos: str = "keep", mismatch: str = "skip"
) -> Iterator[Sentence]:
    """Yield the sentences that two coders annotated.

    Args:
        study: of dependency trees.
        intake: where everything that is left out, or odd, is counted.
        pos: which part of speech is compared.
        mismatch: if the coders' tokens differ, ``skip`` the item, raise an ``error``, or ``align`` them.
    """
    used, ignored = pairable(study)
    intake.ignored += ignored
    for item, cells in used:
        same = all(cell.value.tokens == cells[0].value.tokens for cell in cells)
        if not same and mismatch == "error":
            raise _refused(cells)
        if not same:
            detail = ", ".join(f"{cell.coder} {len(cell.value)} ({cell.source})" for cell in cells)
            reason = "words_aligned" if mismatch == "align" else "words_differ"
            intake.ignored.append(Ignored(item.id, reason, f"tokens: {detail}"))
        if not same and mismatch == "skip":
            continue
        if same:
            intake.lengths[item.id] = len(cells[0].value)
            views = tuple(View.of(cell.coder, cell.value, pos=pos) for cell in cells)
            runs = tuple(range(len(cell.value)) for cell in cells)
            yield Sentence(item, tuple(cells), views, runs)
        else:
            yield from _aligned(item, cells, intake, pos)


def oddities(tree: DepTree) -> list[str]:
    """Return the codes of what is odd about *tree*, though it is compared."""
    found = ["cyclic_trees"] if tree.unreached() else []
    if tree.heads.count(0) > 1:
        found.append("several_roots")
    if any(value not in ("", "_") for value in tree.columns.get("deps", ())):
        found.append("enhanced")
    return found


def _refused(cells: Cells) -> StudyError:
    ours = cells[0]
    theirs = next(cell for cell in cells if cell.value.tokens != ours.value.tokens)
    what = f"the tokens of {theirs.coder} differ from those of {ours.coder} in item {ours.item.id!r}"
    return StudyError(what, theirs.source, hint="Align the files, or let such items be skipped or aligned")


def _aligned(item: Item, cells: Cells, intake: Intake, pos: str) -> Iterator[Sentence]:
    intake.counts["aligned_items"] += 1
    shared = runs_of([cell.value.tokens for cell in cells])
    size = sum(run.hi - run.lo for run in shared)
    intake.lengths[item.id] = size
    intake.counts["unaligned_tokens"] += sum(len(cell.value) - size for cell in cells)
    for run in shared:
        runs = tuple(range(run.lo + shift, run.hi + shift) for shift in run.shifts)
        views = tuple(
            View.of(cell.coder, cell.value, pos=pos, run=own) for cell, own in zip(cells, runs, strict=True)
        )
        yield Sentence(item, tuple(cells), views, runs)
