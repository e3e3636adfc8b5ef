"""Selection of the sentences that can be compared; excluded sentences are counted."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from arbitree.constructions.explain import Intake
from arbitree.errors import StudyError
from arbitree.kinds.dependency.value import DepTree
from arbitree.study.comparable import pairable, shared_positions
from arbitree.study.result import Ignored
from arbitree.study.study import Annotation, Item, Study

ROOT = -1  # the artificial root, as the head of a token
OUTSIDE = -2  # a head that is not part of the nucleus
UNPAIRED = -3  # a head that not all annotators have as a token

# What columns hold the part of speech: CoNLL-U and CoNLL-X call them differently.
POS_COLUMNS = {
    "keep": (("upos", "cpostag"),),
    "fine": (("xpos", "postag"),),
    "both": (("upos", "cpostag"), ("xpos", "postag")),
    "strip": (),
}

Fact = tuple[str, int, str]  # part of speech, head, relation ("" if the head is OUTSIDE)


@dataclass(frozen=True, slots=True)
class CoderFacts:
    """One annotator's annotation of a sentence, or of some of its tokens; token numbers start at 0.

    Example:
        >>> CoderFacts.of("ann", DepTree(("birds", "sing"), (2, 0), ("nsubj", "root")), pos="strip").facts
        (('', 1, 'nsubj'), ('', -1, 'root'))
    """

    coder: str
    facts: tuple[Fact, ...]

    @classmethod
    def of(
        cls, coder: str, tree: DepTree, *, pos: str = "keep", kept: Sequence[int] | None = None
    ) -> CoderFacts:
        """Return the facts of *tree*, or of the tokens *kept*; other heads become UNPAIRED."""
        tags = tags_of(tree, pos)
        kept = range(len(tree)) if kept is None else kept
        place = {token: k for k, token in enumerate(kept)} | {ROOT: ROOT}
        facts = (
            (tags[token], place.get(tree.heads[token] - 1, UNPAIRED), tree.relations[token]) for token in kept
        )
        return cls(coder, tuple(facts))

    def having(self, facts: Mapping[int, Fact]) -> CoderFacts:
        """Return the view with other *facts* for some tokens."""
        return CoderFacts(self.coder, tuple(facts.get(token, own) for token, own in enumerate(self.facts)))

    def inside(self, members: Collection[int], *, outer: bool = False) -> dict[int, Fact]:
        """Return the facts of the tokens of a nucleus; heads outside it become OUTSIDE.

        Args:
            members: the tokens, and ROOT or UNPAIRED if these heads are included.
            outer: keep the relation to an outside head, which is not part of the nucleus.

        Example:
            >>> CoderFacts("ann", (("A", 1, "x"), ("B", ROOT, "root"))).inside({1})
            {1: ('B', -2, '')}
        """
        found = {}
        for token in sorted(members):
            if token >= 0:
                tag, head, relation = self.facts[token]
                within = head in members
                found[token] = (tag, head if within else OUTSIDE, relation if within or outer else "")
        return found


def tags_of(tree: DepTree, pos: str) -> list[str]:
    """Return the parts of speech of *tree*, "" where it has none; coarse and fine are joined by a slash."""
    columns = []
    for names in POS_COLUMNS[pos]:
        found = next((tree.columns[name] for name in names if name in tree.columns), ("_",) * len(tree))
        columns.append(["" if tag == "_" else tag for tag in found])
    if not columns:
        return [""] * len(tree)
    if len(columns) == 1:
        return columns[0]
    return ["/".join(filter(None, tags)) for tags in zip(*columns, strict=True)]


def differing(views: Sequence[CoderFacts]) -> list[int]:
    """Return the tokens on which at least two of *views* differ.

    Example:
        >>> ann = CoderFacts("ann", (("", 1, "x"), ("", ROOT, "r")))
        >>> bob = CoderFacts("bob", (("", 1, "y"), ("", ROOT, "r")))
        >>> differing([ann, bob])
        [0]
    """
    first = views[0].facts
    others = [view.facts for view in views[1:] if view.facts != first]
    if not others:
        return []
    return [token for token, fact in enumerate(first) if any(other[token] != fact for other in others)]


def differing_inside(views: Sequence[CoderFacts], members: Collection[int]) -> set[tuple[int, int, int]]:
    """Return the differing tokens inside a nucleus, each with the two *views* that differ.

    Example:
        >>> ann = CoderFacts("ann", (("A", 1, "x"), ("B", ROOT, "r")))
        >>> bob = CoderFacts("bob", (("A", 1, "y"), ("C", ROOT, "r")))
        >>> sorted(differing_inside([ann, bob], {1}))
        [(0, 1, 1)]
    """
    inside = [view.inside(members) for view in views]
    return {
        (one, other, token)
        for one, other in combinations(range(len(views)), 2)
        if inside[one] != inside[other]
        for token, fact in inside[one].items()
        if inside[other][token] != fact
    }


Cells = list[Annotation[DepTree]]


@dataclass(frozen=True, slots=True)
class Sentence:
    """The tokens that all annotators of an item share, and each annotator's facts."""

    item: Item
    cells: tuple[Annotation[DepTree], ...]
    views: tuple[CoderFacts, ...]
    positions: tuple[Sequence[int], ...]  # of the tokens in each annotator's sentence

    @property
    def words(self) -> tuple[str, ...]:
        """The tokens of the first annotator."""
        return self.cells[0].value.tokens

    @property
    def tokens(self) -> tuple[str, ...]:
        """The shared tokens."""
        return tuple(self.words[position] for position in self.positions[0])


NOT_COMPARED = {
    "tags_hidden": "{} differing only in tags that are not compared (to compare them, use --set pos=both)",
    "enhanced": "{} with enhanced dependencies; explain does not compare enhanced dependencies",
    "aligned_items": "{} compared only on the tokens that all annotators share",
    "unaligned_tokens": "{} excluded, because not all annotators have them",
}


def add_notes(intake: Intake) -> None:
    """Add notes on excluded parts; cycles and multiple roots are compared, so they are only counted."""
    for name, text in NOT_COMPARED.items():
        count = intake.counts[name]
        what = {"unaligned_tokens": "token", "enhanced": "tree"}.get(name, "sentence")
        if count:
            intake.notes.append(text.format(f"{count} {what}{'' if count == 1 else 's'}"))


def sentences_of(
    study: Study[DepTree], intake: Intake, *, pos: str = "keep", mismatch: str = "skip"
) -> Iterator[Sentence]:
    """Yield the sentences with at least two annotations.

    Args:
        study: a study of dependency trees.
        intake: counts exclusions and problems.
        pos: the part of speech to compare.
        mismatch: if the annotators' tokens differ, ``skip`` the item, raise an ``error``, or ``align`` them.
    """
    used, ignored = pairable(study)
    intake.ignored += ignored
    for item, cells in used:
        same = all(cell.value.tokens == cells[0].value.tokens for cell in cells)
        if not same and mismatch == "error":
            raise _refused(cells)
        if not same and mismatch == "skip":
            detail = ", ".join(f"{cell.coder} {len(cell.value)} ({cell.source})" for cell in cells)
            intake.ignored.append(Ignored(item.id, "words_differ", f"tokens: {detail}"))
            continue
        positions: Sequence[Sequence[int]] = [range(len(cell.value)) for cell in cells]
        if not same:
            positions = _shared(item, cells, intake)
        intake.lengths[item.id] = len(positions[0])
        views = tuple(
            CoderFacts.of(cell.coder, cell.value, pos=pos, kept=kept)
            for cell, kept in zip(cells, positions, strict=True)
        )
        if _only_tags_differ(cells, views, positions):
            intake.counts["tags_hidden"] += 1
        yield Sentence(item, tuple(cells), views, tuple(positions))


def _only_tags_differ(cells: Cells, views: Sequence[CoderFacts], positions: Sequence[Sequence[int]]) -> bool:
    """Return whether annotations are the same to the comparison, but have different tags in any column."""
    if differing(views):
        return False
    found = set()
    for cell, kept in zip(cells, positions, strict=True):
        tags = tags_of(cell.value, "both")
        found.add(tuple(tags[token] for token in kept))
    return len(found) > 1


def oddities(tree: DepTree) -> list[str]:
    """Return the codes of the problems of *tree*, which is compared nevertheless."""
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
    return StudyError(
        what, theirs.source, hint="Make the tokens identical, or set mismatch=skip or mismatch=align"
    )


def _shared(item: Item, cells: Cells, intake: Intake) -> Sequence[Sequence[int]]:
    """Return the positions of the tokens that all annotators have, and list the other tokens."""
    found = shared_positions([cell.value.tokens for cell in cells])
    intake.counts["aligned_items"] += 1
    for cell, kept in zip(cells, found, strict=True):
        intake.leave_out(item, cell.coder, cell.value.tokens, kept)
        intake.counts["unaligned_tokens"] += len(cell.value.tokens) - len(kept)
    return found
