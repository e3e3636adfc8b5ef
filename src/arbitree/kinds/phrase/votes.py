"""The consensus of phrase-structure trees by majority of brackets.

Any two majority brackets occur together in at least one annotator's tree. So they do not cross, and the
majority brackets always form a tree, which may be discontinuous.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from arbitree.annotator_models.model import (
    AnnotatorModel,
    Choice,
    ModelOutcome,
    chosen_values,
    clusters_of,
    confusion_rows,
    count_clusters,
    counted,
    shared_items,
    shared_lines,
    usable_trees,
)
from arbitree.annotator_models.votes import FloatArray
from arbitree.kinds.phrase.value import TRACE, PhraseTree, Yield
from arbitree.measures.resampling import Resampling
from arbitree.study.study import Study
from arbitree.wording import count_of

NODE_NUMBERS = "secedges"  # a column that points at nodes, whose numbers change
ABSENT = "--"

Phrases = Sequence[tuple[int, PhraseTree]]  # the coders who annotated a sentence, by number, with their trees


class Bracket(NamedTuple):
    """A phrase: its label, its tokens, and its number among phrases with both the same, top down."""

    label: str
    span: Yield
    number: int


def brackets_of(tree: PhraseTree) -> dict[Bracket, int]:
    """Return the phrases of *tree* with their nodes, top down, without phrases that contain only traces.

    Example:
        >>> tree = PhraseTree(("up",), ("RB", "VP", "S", "VP"), (3, -1, 1, 2))
        >>> [(each.label, each.number) for each in brackets_of(tree)]
        [('VP', 1), ('S', 1), ('VP', 2)]
    """
    found: dict[Bracket, int] = {}
    seen: Counter[tuple[str, Yield]] = Counter()
    for node, label, span in tree.phrases():
        if span:
            seen[label, span] += 1
            found[Bracket(label, span, seen[label, span])] = node
    return found


def majority_brackets(trees: Sequence[Mapping[Bracket, int]], choice: Choice) -> list[Bracket]:
    """Return the brackets that more than half of *trees* share, top down.

    If more than half have a phrase over the same tokens but no label has a majority, the most frequent label
    is used. Exactly half of the trees is not a majority.
    """
    votes = Counter(bracket for tree in trees for bracket in tree)
    chosen = [bracket for bracket, count in votes.items() if 2 * count > len(trees)]
    spans = Counter(span for tree in trees for span in {bracket.span for bracket in tree})
    named = {bracket.span for bracket in chosen}
    for span, count in spans.items():
        if 2 * count > len(trees) and span not in named:
            chosen.append(
                choice.of({each: n for each, n in votes.items() if each.span == span and each.number == 1})
            )
    above = {bracket: _rank(bracket, chosen, trees) for bracket in chosen}
    return sorted(
        chosen,
        key=lambda each: (each.span[0][0], -_length(each.span), -above[each], each.number, each.label),
    )


def tree_of(
    brackets: Sequence[Bracket], trees: Phrases, nodes: Sequence[Mapping[Bracket, int]], choice: Choice
) -> PhraseTree:
    """Return the tree of *brackets*, which are ordered top down and do not cross.

    Tags and columns of a node are the most frequent ones among annotators with the node. Traces are excluded.
    """
    words = tuple(choice.of(Counter(each)) for each in zip(*(tree.tokens for _, tree in trees), strict=True))
    terminals = [[node for node in range(len(tree.words)) if tree.labels[node] != TRACE] for _, tree in trees]
    owner = [-1] * len(words)
    upper: list[int] = []
    for place, bracket in enumerate(brackets, start=len(words)):
        upper.append(owner[bracket.span[0][0]])
        for start, end in bracket.span:
            owner[start:end] = [place] * (end - start)
    tags = [
        choice.of(Counter(tree.labels[own[token]] for (_, tree), own in zip(trees, terminals, strict=True)))
        for token in range(len(words))
    ]
    origins = [
        [(tree, own[token]) for (_, tree), own in zip(trees, terminals, strict=True)]
        for token in range(len(words))
    ] + [
        [(tree, found[bracket]) for (_, tree), found in zip(trees, nodes, strict=True) if bracket in found]
        for bracket in brackets
    ]
    columns = {
        name: tuple(
            choice.of(
                Counter(tree.columns[name][node] if name in tree.columns else ABSENT for tree, node in each)
            )
            for each in origins
        )
        for name in dict.fromkeys(name for _, tree in trees for name in tree.columns)
        if name != NODE_NUMBERS
    }
    labels = (*tags, *(bracket.label for bracket in brackets))
    comments = shared_lines(tree.comments for _, tree in trees)
    return PhraseTree(words, labels, (*owner, *upper), columns=columns, comments=comments)


def _rank(bracket: Bracket, chosen: Sequence[Bracket], trees: Sequence[Mapping[Bracket, int]]) -> int:
    """Return the number of brackets of the same span below *bracket* by majority, minus those above it.

    Phrase nodes are numbered top down, so the lower number is the higher phrase.
    """
    rank = 0
    for other in chosen:
        if other.span == bracket.span and other != bracket:
            both = [(tree[bracket], tree[other]) for tree in trees if bracket in tree and other in tree]
            rank += int(np.sign(sum(1 if here < there else -1 for here, there in both)))
    return rank


def _length(span: Yield) -> int:
    return sum(end - start for start, end in span)


def bracket_entropy(trees: Sequence[Mapping[Bracket, int]]) -> float:
    """Return the mean entropy of the presence of each bracket that any annotator has."""
    shares = np.array(list(Counter(each for tree in trees for each in tree).values())) / len(trees)
    open_ = shares[shares < 1]
    if not len(shares):
        return 0.0
    return float(-np.sum(open_ * np.log(open_) + (1 - open_) * np.log(1 - open_)) / len(shares))


def _scores(matched: FloatArray, size: FloatArray, cluster: Any, rows: FloatArray) -> FloatArray:
    """Return the F-scores (coders, rows of weights)."""
    weights = rows[:, cluster]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(2 * (weights @ matched) / (weights @ size)).T


def _count_labels(
    counts: dict[tuple[int, Any, Any], float],
    coder: int,
    chosen: Sequence[Bracket],
    found: Mapping[Bracket, int],
) -> None:
    """Count the labels of *coder* at the brackets of the consensus, and at other spans."""
    answers: dict[Yield, list[str]] = {}
    for bracket in found:
        if bracket not in chosen:
            answers.setdefault(bracket.span, []).append(bracket.label)
    for bracket in chosen:
        others = answers.get(bracket.span)
        answer = bracket.label if bracket in found else others.pop(0) if others else None
        counts[coder, bracket.label, answer] = counts.get((coder, bracket.label, answer), 0.0) + 1
    for label in (label for labels in answers.values() for label in labels):
        counts[coder, None, label] = counts.get((coder, None, label), 0.0) + 1


def _notes(annotations: Sequence[Phrases]) -> tuple[str, ...]:
    traces = sum(TRACE in tree.labels for trees in annotations for _, tree in trees)
    pointers = any(NODE_NUMBERS in tree.columns for trees in annotations for _, tree in trees)
    notes = []
    if traces:
        notes.append(
            f"the consensus excludes traces ({TRACE}, in {count_of(traces, 'tree')}) and phrases that "
            "contain only traces"
        )
    if pointers:
        notes.append("the consensus excludes secondary edges")
    return tuple(notes)


def _consensus(
    trees: Phrases, nodes: Sequence[Mapping[Bracket, int]], choice: Choice
) -> tuple[list[Bracket], PhraseTree]:
    """Return the majority brackets and their tree."""
    chosen = majority_brackets(nodes, choice)
    return chosen, tree_of(chosen, trees, nodes, choice)


class BracketAnnotators(AnnotatorModel[PhraseTree]):
    """Model for phrase-structure trees; the consensus consists of the majority brackets."""

    about = "the F-score of the annotator's phrases against the consensus"

    def __call__(
        self, study: Study[PhraseTree], resampling: Resampling, *, method: str, restarts: int
    ) -> ModelOutcome:
        """Return the consensus of every item, and the F-score of each annotator against it.

        Formula:
            competence_j = 2 Σ_i |B_ij ∩ C_i| / Σ_i (|B_ij| + |C_i|), over the items that j and at
            least one other annotator annotated
        """
        usable = usable_trees(study)
        coders = len(study.coders)
        consensus: list[PhraseTree | None] = [None] * len(study.items)
        ties: list[tuple[PhraseTree, ...]] = [()] * len(study.items)
        entropy = np.full(len(study.items), np.nan)
        matched, size = (np.zeros((len(usable.places), coders)) for _ in range(2))
        own = np.zeros((len(usable.places), coders))
        counts: dict[tuple[int, Any, Any], float] = {}
        for row, (place, trees) in enumerate(zip(usable.places, usable.annotations, strict=True)):
            nodes = [(coder, brackets_of(tree)) for coder, tree in trees]
            values = chosen_values(partial(_consensus, trees, [found for _, found in nodes]))
            chosen, consensus[place] = values[0]
            ties[place] = tuple(tree for _, tree in values) if len(values) > 1 else ()
            entropy[place] = bracket_entropy([found for _, found in nodes])
            for coder, found in nodes:
                matched[row, coder] = len(found.keys() & set(chosen))
                own[row, coder] = len(found)
                size[row, coder] = len(found) + len(chosen) if len(nodes) > 1 else 0
                _count_labels(counts, coder, chosen, found)
        cluster = clusters_of(study, usable.places)
        compared = np.where(size > 0, matched, 0)  # a tree without another is its own consensus
        draws = [
            _scores(compared, size, cluster, rows)
            for rows in resampling.rows(np.unique(cluster), len(study.clusters))
        ]
        scores = np.concatenate(draws, axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            agreement = matched.sum(axis=0) / own.sum(axis=0)
        return ModelOutcome(
            competence=scores[:, 0],
            draws=scores[:, 1:],
            answers=np.where(size > 0, own, 0).sum(axis=0),
            clusters=count_clusters(cluster, usable.annotations, coders),
            agreement=agreement,
            annotations=counted(usable.annotations, coders),
            entropy=entropy,
            consensus=tuple(consensus),
            ties=tuple(ties),
            shared=shared_items(study, usable.annotations),
            members=np.unique(cluster),
            varied=True,
            confusion=confusion_rows(study.coders, counts),
            details={"brackets": int(sum(len(tree.labels) - len(tree.words) for tree in consensus if tree))},
            ignored=usable.ignored,
            notes=_notes(usable.annotations),
        )


MODELS = {"brackets": BracketAnnotators()}
