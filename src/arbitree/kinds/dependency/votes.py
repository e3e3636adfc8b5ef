"""Annotator models for dependency trees, and the consensus tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from arbitree.annotator_models.fitting import ITERATIONS, climb, entropy_of, resample
from arbitree.annotator_models.know_or_guess import KnowOrGuess
from arbitree.annotator_models.model import (
    AnnotatorModel,
    Choice,
    ModelOutcome,
    chosen_values,
    clusters_of,
    confusion_rows,
    count_clusters,
    counted,
    pattern_weights,
    shared_items,
    shared_lines,
    usable_trees,
)
from arbitree.annotator_models.votes import FloatArray, IntArray, Sample, Votes, informative
from arbitree.kinds.dependency.graph import spanning_tree
from arbitree.kinds.dependency.value import DepTree
from arbitree.measures.resampling import Resampling
from arbitree.study.study import Study

Edge = tuple[int, str]  # head and relation; the relation is "" where heads alone are modelled
Sentence = Sequence[tuple[int, DepTree]]  # the coders who annotated it, by number, with their trees


@dataclass(frozen=True, slots=True)
class TokenVotes:
    """Votes, the guess probability of each kind, and the sentence, pattern and edges of every token.

    The edges of a token are in the order of the cells of its pattern.
    """

    votes: Votes
    guess: FloatArray  # (kinds,)
    sentence: IntArray  # (tokens,)
    pattern: IntArray  # (tokens,)
    edges: tuple[tuple[Edge, ...], ...]


def token_votes(sentences: Sequence[Sentence], coders: int, *, labelled: bool) -> TokenVotes:
    """Return the votes of all tokens; tokens with the same annotators and agreement share a pattern.

    Args:
        sentences: the trees of each sentence, which have the same number of tokens.
        coders: the number of annotators.
        labelled: vote for edges with their relations, not for heads alone.
    Example:
        >>> first, second = (DepTree(("a", "b"), heads, ("x", "y")) for heads in ((2, 0), (0, 1)))
        >>> found = token_votes([[(0, first), (1, second)]], 2, labelled=False)
        >>> found.edges
        (((2, ''), (0, '')), ((0, ''), (1, '')))
        >>> found.pattern.tolist()
        [0, 0]
    """
    patterns: dict[tuple[int, ...], int] = {}
    sentence, pattern, edges = [], [], []
    for place, trees in enumerate(sentences):
        who = [coder for coder, _ in trees]
        size = len(trees[0][1])
        columns = [
            list(zip(tree.heads, tree.relations, strict=True)) if labelled else [(h, "") for h in tree.heads]
            for _, tree in trees
        ]
        for votes in zip(*columns, strict=True):
            named = {edge: number for number, edge in enumerate(dict.fromkeys(votes))}
            key = (size, *who, *(named[edge] for edge in votes))
            sentence.append(place)
            pattern.append(patterns.setdefault(key, len(patterns)))
            edges.append(tuple(named))
    relations = len({relation for found in edges for _, relation in found}) if labelled else 1
    votes_found, sizes = _votes(patterns, coders)
    return TokenVotes(
        votes=votes_found,
        guess=1 / (sizes * relations),
        sentence=np.array(sentence, dtype=np.intp),
        pattern=np.array(pattern, dtype=np.intp),
        edges=tuple(edges),
    )


def _votes(
    patterns: Sequence[tuple[int, ...]] | dict[tuple[int, ...], int], coders: int
) -> tuple[Votes, FloatArray]:
    """Return the votes of *patterns*, and the sentence length of each kind.

    A token can be attached to any other token or to the root, so the number of candidates is the number of
    tokens.
    """
    kinds: dict[tuple[int, int], int] = {}
    cell_pattern: list[int] = []
    cell_value: list[int] = []
    pairs: list[tuple[int, tuple[int, int]]] = []
    for number, (size, *rest) in enumerate(patterns):
        half = len(rest) // 2
        start = len(cell_pattern)
        cells = max(rest[half:]) + 1
        cell_pattern += [number] * cells
        cell_value += range(cells)
        pairs += [
            (start + value, (coder, size)) for coder, value in zip(rest[:half], rest[half:], strict=True)
        ]
    for kind in sorted({kind for _, kind in pairs}):
        kinds[kind] = len(kinds)
    place = np.array(cell_pattern, dtype=np.intp)
    votes = Votes(
        patterns=len(patterns),
        coders=coders,
        cell_pattern=place,
        cell_value=np.array(cell_value, dtype=np.intp),
        kind_coder=np.array([coder for coder, _ in kinds], dtype=np.intp),
        votes=np.array([(cell, kinds[kind]) for cell, kind in pairs], dtype=np.intp).reshape(-1, 2),
        candidates=np.bincount(place, minlength=len(patterns)).astype(float),
    )
    return votes, np.array([size for _, size in kinds], dtype=float)


SEEN = 1e-20  # the least posterior of an annotated edge
UNSEEN = 1e-30  # of any other edge: only a cycle can make it necessary
TIE = 1e-9  # between edges that are equally likely, the chosen one is better by this
TRUST = 1e-3  # the part of a vote that depends on the competence, so that it decides ties of votes
NOT_MODELLED = "deps"  # the column of enhanced edges, which a new tree makes wrong
EMPTY = "_"


class Belief(NamedTuple):
    """The posteriors of the edges of a token, and their entropy in nats."""

    posterior: tuple[float, ...]
    entropy: float

    @classmethod
    def of(cls, posterior: FloatArray) -> Belief:
        """Return the belief for these posteriors."""
        return cls(tuple(posterior.tolist()), float(entropy_of(posterior[None])[0]))


def consensus_tree(
    trees: Sentence,
    edges: Sequence[Sequence[Edge]],
    beliefs: Sequence[Belief],
    trust: FloatArray,
    choice: Choice,
) -> DepTree:
    """Return the most probable tree; it has a single root if all given trees do.

    Args:
        trees: the trees by annotator number.
        edges: the annotated edges of every token; relations are "" if only heads are modelled.
        beliefs: the probabilities of these edges.
        trust: the competence of every annotator, which weights the votes for values that are not modelled.
        choice: chooses between values with the same support.
    """
    single = all(tree.heads.count(0) == 1 for _, tree in trees)
    best = [
        choice.of(dict(zip(options, belief.posterior, strict=True)))
        for options, belief in zip(edges, beliefs, strict=True)
    ]
    heads = tuple(head for head, _ in best)
    first = trees[0][1]
    if (single and heads.count(0) != 1) or replace(first, heads=heads).unreached():
        heads = spanning_tree(_scores(edges, beliefs, best), single_root=single)
    relations = []
    for token, (head, options, belief) in enumerate(zip(heads, edges, beliefs, strict=True)):
        rows = zip(belief.posterior, options, strict=True)
        named = {relation: p for p, (other, relation) in rows if other == head and relation}
        relations.append(choice.of(named or _relations(trees, token, head, trust)))
    names = dict.fromkeys(name for _, tree in trees for name in tree.columns)
    columns = {
        name: (EMPTY,) * len(first)
        if name == NOT_MODELLED
        else _merged([(coder, tree.columns.get(name)) for coder, tree in trees], trust, choice)
        for name in names
    }
    return DepTree(
        tokens=_merged([(coder, tree.tokens) for coder, tree in trees], trust, choice),
        heads=heads,
        relations=tuple(relations),
        columns=columns,
        comments=shared_lines(tree.comments for _, tree in trees),
        extra=choice.of(Counter(tree.extra for _, tree in trees)),
    )


def _scores(edges: Sequence[Sequence[Edge]], beliefs: Sequence[Belief], best: Sequence[Edge]) -> FloatArray:
    """Return the log posteriors of all edges, with the most probable relation of each."""
    size = len(edges)
    scores = np.full((size + 1, size + 1), np.log(UNSEEN))
    for token, (options, belief) in enumerate(zip(edges, beliefs, strict=True), start=1):
        places = {edge: place for place, edge in enumerate(sorted(options), start=1)} | {best[token - 1]: 0}
        for edge, p in zip(options, belief.posterior, strict=True):
            if edge[0] != token:
                score = np.log(max(p, SEEN)) - places[edge] * TIE
                scores[edge[0], token] = max(scores[edge[0], token], score)
    return scores


def _relations(trees: Sentence, token: int, head: int, trust: FloatArray) -> dict[str, float]:
    """Return the support of relations among annotators with this head, or among all if none has it."""
    having = [(coder, tree) for coder, tree in trees if tree.heads[token] == head] or trees
    votes: dict[str, float] = {}
    for coder, tree in having:
        votes[tree.relations[token]] = votes.get(tree.relations[token], 0.0) + float(trust[coder])
    return votes


def _merged(
    versions: Sequence[tuple[int, tuple[str, ...] | None]], trust: FloatArray, choice: Choice
) -> tuple[str, ...]:
    """Return the most frequent value of a column for every token; competence decides ties."""
    columns = [(coder, column) for coder, column in versions if column is not None]
    if len({column for _, column in columns}) == 1:
        return columns[0][1]
    merged = []
    for values in zip(*(column for _, column in columns), strict=True):
        votes: dict[str, float] = {}
        for (coder, _), value in zip(columns, values, strict=True):
            votes[value] = votes.get(value, 0.0) + 1 + TRUST * float(trust[coder])
        merged.append(choice.of(votes))
    return tuple(merged)


def _compare(
    chosen: Sequence[Any], annotations: Sequence[Sentence], coders: int, *, labelled: bool
) -> tuple[FloatArray, FloatArray, Mapping[tuple[int, str, str], float]]:
    """Return each annotator's number of tokens with the consensus edge, all tokens, and relation pairs."""
    agreed, total = np.zeros(coders), np.zeros(coders)
    counts: dict[tuple[int, str, str], float] = {}
    for truth, trees in zip(chosen, annotations, strict=True):
        for coder, tree in trees:
            rows = zip(truth.heads, truth.relations, tree.heads, tree.relations, strict=True)
            for head, relation, own_head, own_relation in rows:
                agreed[coder] += head == own_head and (relation == own_relation or not labelled)
                pair = (coder, relation, own_relation)
                counts[pair] = counts.get(pair, 0.0) + 1
            total[coder] += len(tree)
    return agreed, total, counts


def _notes(annotations: Sequence[Sentence]) -> tuple[str, ...]:
    enhanced = any(
        value != EMPTY
        for trees in annotations
        for _, tree in trees
        for value in tree.columns.get(NOT_MODELLED, ())
    )
    return (
        ("the model does not cover enhanced dependencies (column 9), so the consensus excludes them",)
        if enhanced
        else ()
    )


@dataclass(frozen=True, slots=True)
class DependencyAnnotators(AnnotatorModel[DepTree]):
    """Model for dependency trees: an annotator knows the true edge or head of a token, or guesses.

    Args:
        about: the definition of competence.
        labelled: whether to model edges with relations instead of heads alone.
    """

    about: str
    labelled: bool
    references: tuple[str, ...] = ("hovy2013", "chu-liu1965", "edmonds1967")

    def __call__(
        self, study: Study[DepTree], resampling: Resampling, *, method: str, restarts: int
    ) -> ModelOutcome:
        """Return the result of the model of edges (*labelled*) or of heads.

        Formula:
            P(h | T) = c_j [h = T] + (1 - c_j) / n for heads, n the number of tokens; for edges with one of L
            relations, (1 - c_j) / (n L); T uniform over the values given by annotators. Sentences with one
            annotation do not affect the competence.
        """
        usable = usable_trees(study)
        found = token_votes(usable.annotations, len(study.coders), labelled=self.labelled)
        clusters = clusters_of(study, usable.places)
        cluster = clusters[found.sentence]
        weights = pattern_weights(study, resampling, found.pattern, cluster, found.votes.patterns)
        weights[found.votes.single] = 0  # a vote without another agrees with itself only
        model = KnowOrGuess(found.guess)
        sample = Sample(found.votes, weights[:, :1])
        best = climb(model, sample, iterations=ITERATIONS, restarts=1, seed=0)
        posterior = model.posterior(sample, best.parameters)[:, 0]
        split = np.split(posterior, found.votes.starts[1:]) if len(posterior) else []
        patterns = [Belief.of(cells) for cells in split]
        tokens = [patterns[pattern] for pattern in found.pattern]
        trust = best.parameters.know[:, 0]
        bounds = np.searchsorted(found.sentence, np.arange(len(usable.places) + 1))
        consensus: list[DepTree | None] = [None] * len(study.items)
        ties: list[tuple[DepTree, ...]] = [()] * len(study.items)
        entropy = np.full(len(study.items), np.nan)
        for place, trees, first, last in zip(
            usable.places, usable.annotations, bounds[:-1], bounds[1:], strict=True
        ):
            make = partial(consensus_tree, trees, found.edges[first:last], tokens[first:last], trust)
            values = chosen_values(make)
            consensus[place] = values[0]
            ties[place] = tuple(values) if len(values) > 1 else ()
            entropy[place] = np.mean([each.entropy for each in tokens[first:last]])
        chosen = [consensus[place] for place in usable.places]
        agreed, total, counts = _compare(
            chosen, usable.annotations, len(study.coders), labelled=self.labelled
        )
        with np.errstate(invalid="ignore"):
            agreement = agreed / total
        return ModelOutcome(
            competence=np.where(total > 0, trust, np.nan),
            draws=resample(model, found.votes, best.parameters, weights[:, 1:]),
            answers=informative(sample, model.chance),
            clusters=count_clusters(clusters, usable.annotations, len(study.coders)),
            agreement=agreement,
            annotations=counted(usable.annotations, len(study.coders)),
            entropy=entropy,
            consensus=tuple(consensus),
            ties=tuple(ties),
            shared=shared_items(study, usable.annotations),
            members=np.unique(cluster),
            varied=bool(np.any(found.guess < 1)),
            confusion=confusion_rows(study.coders, counts),
            details={
                "log_likelihood": best.log_likelihood,
                "iterations": ITERATIONS,
                "tokens": len(found.pattern),
            },
            ignored=usable.ignored,
            notes=_notes(usable.annotations),
        )


MODELS = {
    "edges": DependencyAnnotators(
        "the estimated probability that the annotator knows the correct head and relation "
        "instead of guessing",
        labelled=True,
    ),
    "heads": DependencyAnnotators(
        "the estimated probability that the annotator knows the correct head instead of guessing",
        labelled=False,
    ),
}
