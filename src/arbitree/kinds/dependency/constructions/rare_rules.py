"""Scores of dependency rules: which heads have dependents that a treebank hardly knows side by side.

Reference:
    Dickinson (2010).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from arbitree.errors import UnsupportedStudy
from arbitree.kinds.dependency.constructions.sentences import POS_COLUMNS, tags_of
from arbitree.kinds.dependency.value import DepTree
from arbitree.plugins import check_name
from arbitree.study.result import Ignored, Table
from arbitree.study.study import Annotation, Study

START, END, HEAD, ROOT_RULE = "START", "END", "hd", "ROOT"

Rule = tuple[str, tuple[str, ...]]  # left-hand side, elements with START and END
Bigram = tuple[str, str, str]  # left-hand side, element, next element


@dataclass(frozen=True, slots=True)
class Scored:
    """A dependent, the rule of its head, and what the treebank knows of it."""

    item: str
    coder: str
    source: str
    token: int  # position, from 0
    form: str
    element: str  # relation and part of speech
    rule: str
    bigram: int  # training counts of the two bigrams that hold the element
    whole: int  # training count of the rule


@dataclass(frozen=True, slots=True)
class RuleScores:
    """All dependents, the least known first."""

    rows: tuple[Scored, ...]
    training: int  # rules counted
    held_out: bool  # whether the rule itself was left out of the counts: the corpus is its own treebank
    ignored: tuple[Ignored, ...] = ()

    def table(self) -> Table:
        """Return the scores as a table, the least known first."""
        columns = ("item", "coder", "token", "form", "element", "rule", "bigram", "whole", "source")
        rows = tuple(tuple(getattr(row, name) for name in columns) for row in self.rows)
        return Table(columns, rows)


def rule_scores(
    study: Study[DepTree], training: Study[DepTree] | None = None, *, by: str = "bigram", pos: str = "keep"
) -> RuleScores:
    """Score how well every dependent fits beside its neighbours under its head, as a treebank has it.

    Formula:
        A head gives a rule: its own relation -> START, the dependents and the head itself in their order,
        END, where a dependent is ``relation:tag`` and the head ``hd:tag``. With c(e, e') the times that the
        treebank has e and e' side by side in rules with the same left-hand side,
        bigram(e_k) = c(e_{k-1}, e_k) + c(e_k, e_{k+1}); whole = times that it has the same rule. The tokens
        at the root are the dependents in a rule ROOT, without a head in it.

    Args:
        study: whose dependents are scored: all coders but the reference.
        training: the treebank; by default the annotations of the reference, or, without one, the study
            itself. In that case a rule is not counted for itself.
        by: score by which the least known come first, ``bigram`` or ``whole``.
        pos: part of speech in the elements: ``keep`` the coarse one, ``fine``, ``both``, or ``strip``.
    Returns:
        A score for every dependent.
    """
    check_name(by, ("bigram", "whole"), "scores of rules")
    check_name(pos, tuple(POS_COLUMNS), "the settings of pos")
    for each in (study, training) if training is not None else (study,):
        if each.cells and each.value_type is not DepTree:
            what = f"rule scores are for dependency trees, not for {each.value_type.kind} annotations"
            raise UnsupportedStudy(what, hint="Give CoNLL files")
    scored = [cell for cell in _cells(study) if cell.coder != study.reference]
    known = (
        _cells(training)
        if training is not None
        else [cell for cell in _cells(study) if study.reference in (None, cell.coder)]
    )
    held_out = training is None and study.reference is None
    counts = _Counts()
    for cell in known:
        for rule, _ in rules_of(cell.value, pos=pos):
            counts.add(rule)
    rows = [row for cell in scored for row in _scored(cell, counts, pos, own=1 if held_out else 0)]
    rows.sort(key=lambda row: (getattr(row, by), row.whole, row.bigram))
    ignored = tuple(
        Ignored(cell.item.id, "empty_tree", f"empty for {cell.coder}")
        for cell in scored
        if not len(cell.value)
    )
    return RuleScores(tuple(rows), counts.rules.total(), held_out, ignored)


def rules_of(tree: DepTree, *, pos: str = "keep") -> Iterator[tuple[Rule, list[int | None]]]:
    """Yield the rule of every head, the root first, and the tokens of its elements; None for the head itself.

    Example:
        >>> tree = DepTree(("birds", "sing"), (2, 0), ("nsubj", "root"), {"upos": ("NOUN", "VERB")})
        >>> for rule, tokens in rules_of(tree): print(rule, tokens)
        ('ROOT', ('START', 'root:VERB', 'END')) [1]
        ('root', ('START', 'nsubj:NOUN', 'hd:VERB', 'END')) [0, None]
    """
    tags = tags_of(tree, pos)
    for head, dependents in enumerate(tree.children()):
        if not dependents:
            continue
        elements = [(token, False, f"{tree.relations[token - 1]}:{tags[token - 1]}") for token in dependents]
        if head:  # a token that is its own head is a dependent as well
            elements = sorted([*elements, (head, True, f"{HEAD}:{tags[head - 1]}")])
        left = tree.relations[head - 1] if head else ROOT_RULE
        tokens = [None if is_head else token - 1 for token, is_head, _ in elements]
        yield (left, (START, *(name for _, _, name in elements), END)), tokens


class _Counts:
    """What a treebank has: bigrams and whole rules, by left-hand side."""

    def __init__(self) -> None:
        self.bigrams: Counter[Bigram] = Counter()
        self.rules: Counter[Rule] = Counter()

    def add(self, rule: Rule) -> None:
        self.rules[rule] += 1
        self.bigrams.update(_bigrams(rule))


def _bigrams(rule: Rule) -> list[Bigram]:
    left, elements = rule
    return [(left, one, other) for one, other in pairwise(elements)]


def _scored(cell: Annotation[DepTree], counts: _Counts, pos: str, *, own: int) -> Iterator[Scored]:
    for rule, tokens in rules_of(cell.value, pos=pos):
        bigrams = _bigrams(rule)
        here = Counter(bigrams)
        known = [counts.bigrams[bigram] - own * here[bigram] for bigram in bigrams]
        text = f"{rule[0]} -> {' '.join(rule[1])}"
        for place, token in enumerate(tokens):
            if token is not None:
                yield Scored(
                    cell.item.id,
                    cell.coder,
                    str(cell.source or ""),
                    token,
                    cell.value.tokens[token],
                    rule[1][place + 1],
                    text,
                    known[place] + known[place + 1],
                    counts.rules[rule] - own,
                )


def _cells(study: Study[DepTree]) -> list[Annotation[DepTree]]:
    return [cell for _, cells in study for cell in cells]
