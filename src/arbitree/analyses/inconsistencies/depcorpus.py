"""Inconsistencies of one dependency corpus: pairs of words whose relations vary, grouped by how they vary."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arbitree.analyses.inconsistencies.attachments import OUTSIDE, Fact, tags_of
from arbitree.analyses.inconsistencies.depfragments import CLASSES, class_of, facets_of, fragment_of, label_of
from arbitree.analyses.inconsistencies.depgroups import Grouping, Instance, Nature, context_of
from arbitree.analyses.inconsistencies.depsentences import Intake, oddities
from arbitree.analyses.inconsistencies.findings import CORPUS, Findings, Fragment, Place, summary_of
from arbitree.analyses.inconsistencies.repeats import IntArray, Text
from arbitree.analyses.inconsistencies.wordpairs import LEFT_OUT, NIL, RIGHT, Pairing, Pairs, variation
from arbitree.data.dependency import DepTree
from arbitree.data.result import Ignored
from arbitree.data.study import Annotation, Study
from arbitree.data.tree import Vocabulary

# Relations of punctuation in the treebanks that are about: UD, CDT, Penn2Malt and CoNLL-X.
PUNCTUATION = frozenset({"punct", "pnct", "P", "p", "PUNC", "PUNCT", "PU", "Punc", "--"})


def explain_corpus(study: Study[DepTree], pairing: Pairing) -> Findings:
    """Return the word pairs of a corpus whose relations vary, grouped by how they vary."""
    intake = Intake()
    cells = _cells(study, intake)
    text = Text.of([pairing.words(cell.value) for cell in cells])
    relations = Vocabulary()
    edges, heads = _edges(cells, text, relations, pairing)
    pairs = variation(text, edges, heads, pairing)
    grouping = Grouping()
    corpus = _Corpus(cells, text, relations, [tags_of(cell.value, pairing.pos) for cell in cells])
    for start, end in _bounds(text, pairs):
        _add(corpus, pairs.take(slice(start, end)), grouping, pairing)
    types = grouping.types(study.coders)
    intake.counts.update(
        compared=_number_of_pairs(text, edges.take(edges.labels != LEFT_OUT)),
        inconsistent=sum(len(each.nuclei) for each in types),
        unlabelled=int((pairs.labels == NIL).sum()),
    )
    intake.counts["consistent"] = intake.counts["compared"] - intake.counts["inconsistent"]
    intake.close()
    return Findings(
        mode=CORPUS,
        study_kind=DepTree.kind,
        coders=study.coders,
        items=intake.items,
        tokens=intake.tokens,
        types=types,
        counts=dict(intake.counts),
        tables={"summary": summary_of(types, intake.tokens, CLASSES)},
        ignored=tuple(intake.ignored),
        notes=tuple(intake.notes),
        references=("boyd2008", *(["demarneffe2017"] if pairing.match == "lemma" else [])),
    )


@dataclass(frozen=True, slots=True)
class _Corpus:
    cells: list[Annotation[DepTree]]
    text: Text
    relations: Vocabulary
    tags: list[list[str]]


def _cells(study: Study[DepTree], intake: Intake) -> list[Annotation[DepTree]]:
    cells = []
    for item, found in study:
        for cell in found:
            if not len(cell.value):
                intake.ignored.append(Ignored(item.id, "empty_tree", f"empty for {cell.coder}"))
                continue
            cells.append(cell)
            intake.lengths[item.id] = intake.lengths.get(item.id, 0) + len(cell.value)
            intake.counts.update(oddities(cell.value))
    return cells


def _edges(
    cells: Sequence[Annotation[DepTree]], text: Text, relations: Vocabulary, pairing: Pairing
) -> tuple[Pairs, IntArray]:
    """Return the edges between tokens, and for every token the number of its relation.

    The number of a label is that of its relation from 1, doubled, and one more if the head is on the right.
    """
    rows: list[tuple[int, int, int]] = []
    own = []
    for cell, start in zip(cells, text.starts.tolist(), strict=True):
        for token, (head, relation) in enumerate(zip(cell.value.heads, cell.value.relations, strict=True)):
            number = relations.number(relation)
            own.append(number)
            if head == 0 or head - 1 == token:  # a token that is its own head is no pair
                continue
            left_out = pairing.punctuation == "remove" and relation in PUNCTUATION
            right = head - 1 > token
            first, second = (token, head - 1) if right else (head - 1, token)
            label = LEFT_OUT if left_out else 2 * (number + 1) + (RIGHT if right else 0)
            rows.append((start + first, start + second, label))
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return Pairs(columns[0], columns[1], columns[2]), np.array(own, dtype=np.int64)


def _number_of_pairs(text: Text, labelled: Pairs) -> int:
    keys = text.words[labelled.first] * len(text.vocabulary) + text.words[labelled.second]
    return len(np.unique(keys))


def _bounds(text: Text, pairs: Pairs) -> list[tuple[int, int]]:
    """Return where each pair of words begins and ends among the sorted *pairs*."""
    keys = text.words[pairs.first] * len(text.vocabulary) + text.words[pairs.second]
    cuts = np.flatnonzero(np.diff(keys)) + 1
    edges = [0, *cuts.tolist(), len(keys)] if len(keys) else [0]
    return list(itertools.pairwise(edges))


def _add(corpus: _Corpus, pairs: Pairs, grouping: Grouping, pairing: Pairing) -> None:
    """Put one pair of words, with all its places, into its type."""
    fragments: dict[tuple[str, str, int], Fragment] = {}
    counts: Counter[str] = Counter()
    labels_of_tags: dict[tuple[str, str], set[int]] = {}
    instances = []
    for first, second, label in zip(
        pairs.first.tolist(), pairs.second.tolist(), pairs.labels.tolist(), strict=True
    ):
        number, start = corpus.text.place(first)
        positions = (start, start + second - first)
        tags = (corpus.tags[number][positions[0]], corpus.tags[number][positions[1]])
        labels_of_tags.setdefault(tags, set()).add(label)
        if (*tags, label) not in fragments:
            fragments[*tags, label] = fragment_of(_facts(corpus, tags, label))
        fragment = fragments[*tags, label]
        counts[fragment.text] += 1
        if counts[fragment.text] <= pairing.examples:
            cell = corpus.cells[number]
            left, right = context_of(cell.value.tokens, positions)
            place = Place(cell.item.id, positions, cell.coder, 0, str(cell.source or ""), left, right)
            instances.append(Instance(place, fragment))
    facts = [_facts(corpus, ("", ""), label) for label in sorted(set(pairs.labels.tolist()))]
    differing = tuple(token for token in (0, 1) if len({each[token] for each in facts}) > 1)
    facets, categories = facets_of(facts, differing)
    if all(len(labels) == 1 for labels in labels_of_tags.values()):
        facets = (*facets, "part of speech decides")
    label_text = label_of(grouping.order(instances), differing)
    number, start = corpus.text.place(int(pairs.first[0]))
    here = corpus.cells[number].value.tokens
    tokens = (here[start], here[start + int(pairs.second[0] - pairs.first[0])])
    grouping.add(
        tokens,
        instances,
        Nature(class_of(facts), label_text, facets, categories),
        differing=differing,
        residual=differing,
        counts=counts,
    )


def _facts(corpus: _Corpus, tags: tuple[str, str], label: int) -> dict[int, Fact]:
    """Return what a label says of the two words.

    The dependent of an edge has the other word as its head; without an edge both heads are outside.
    """
    facts: dict[int, Fact] = {token: (tags[token], OUTSIDE, "") for token in (0, 1)}
    if label != NIL:
        dependent = 0 if label % 2 == RIGHT else 1
        facts[dependent] = (tags[dependent], 1 - dependent, corpus.relations.labels[label // 2 - 1])
    return facts
