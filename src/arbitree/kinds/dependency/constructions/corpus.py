"""Word pairs with more than one relation in a corpus.

Reference:
    Boyd, Dickinson & Meurers (2008); with lemmas, de Marneffe, Grioni, Kanerva & Ginter (2017).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from arbitree.backends.base import Progress
from arbitree.constructions.evidence import Occurrences, Place, Witness
from arbitree.constructions.explain import Intake, findings_of
from arbitree.constructions.findings import CORPUS, Change, Findings, Occurrence, by_evidence
from arbitree.constructions.grouping import Grouping, Instance, Nature, occurrence
from arbitree.constructions.repeats import MASKED, CorpusWords, Exclusion, IntArray, repeated
from arbitree.drawing.fragment import Fragment
from arbitree.kinds.dependency.constructions.changes import HEAD, LEGEND, RELATION
from arbitree.kinds.dependency.constructions.fragments import (
    CLASSES,
    class_of,
    facets_of,
    fragment_of,
    label_of,
)
from arbitree.kinds.dependency.constructions.sentences import OUTSIDE, Fact, add_notes, oddities, tags_of
from arbitree.kinds.dependency.kind import KIND
from arbitree.kinds.dependency.value import DepTree
from arbitree.measures.signatures import signature, study_parts, typed
from arbitree.study.flat_tree import Vocabulary
from arbitree.study.result import Ignored
from arbitree.study.study import Annotation, Study

NIL = 0  # both words, and no edge between them
LEFT_OUT = -1  # an edge of punctuation, or of an excluded word
RIGHT = 1  # a label with an odd number has its head on the right


@dataclass(frozen=True, slots=True)
class Pairing:
    """Settings for identifying words and selecting word pairs; see ``explain``."""

    match: str = "form"
    pos: str = "keep"
    case: str = "keep"
    nil_internal: bool = True
    nonfringe: bool = False
    dep_context: bool = False
    punctuation: str = "remove"
    exclude: str = MASKED
    examples: int = 5

    def settings(self) -> dict[str, Any]:
        """Return the options by name."""
        return asdict(self)

    def words(self, tree: DepTree) -> list[str]:
        """Return the forms or lemmas of *tree*; a missing lemma is replaced by the form."""
        words = list(tree.tokens)
        if self.match == "lemma" and "lemma" in tree.columns:
            words = [
                w if lemma in ("", "_") else lemma
                for w, lemma in zip(words, tree.columns["lemma"], strict=True)
            ]
        return [word.casefold() for word in words] if self.case == "lower" else words


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Occurrences of word pairs: the position of each word, and the number of the label."""

    first: IntArray
    second: IntArray
    labels: IntArray

    def __len__(self) -> int:
        return len(self.first)

    def take(self, kept: Any) -> Pairs:
        """Return the pairs at the given indices."""
        return Pairs(self.first[kept], self.second[kept], self.labels[kept])

    def and_others(self, other: Pairs) -> Pairs:
        """Return these pairs followed by the others."""
        columns = zip(
            (self.first, self.second, self.labels), (other.first, other.second, other.labels), strict=True
        )
        return Pairs(*(np.concatenate(column) for column in columns))


def variation(text: CorpusWords, edges: Pairs, heads: IntArray, pairing: Pairing) -> Pairs:
    """Return all occurrences of word pairs with two or more labels, sorted by pair and position.

    Args:
        text: the corpus.
        edges: every edge, as a pair of positions in text order. LEFT_OUT edges are never compared, but
            their words do not count as unconnected either.
        heads: (n,) number of the relation of each token to its own head.
        pairing: the required contexts.
    """
    labelled = edges.take(edges.labels != LEFT_OUT)
    find = _same_words_between if pairing.nil_internal else _anywhere
    pairs = labelled.and_others(_not_better_off(text, edges, find(text, labelled)))
    keys = text.words[pairs.first] * len(text.vocabulary) + text.words[pairs.second]
    groups = np.unique(keys, return_inverse=True)[1]
    if pairing.nonfringe:
        inside = (pairs.first - 1 >= 0) & (pairs.second + 1 < text.ends[pairs.second])
        inside &= text.sentences[pairs.first - 1] == text.sentences[pairs.first]
        pairs, groups = pairs.take(inside), groups[inside]
        for neighbours in (text.words[pairs.first - 1], text.words[pairs.second + 1]):
            groups = np.unique(groups * len(text.vocabulary) + neighbours, return_inverse=True)[1]
    kept = _in_context(pairs, groups, heads) if pairing.dep_context else _varying(groups, pairs.labels)
    pairs = pairs.take(kept)
    order = np.lexsort((pairs.second, pairs.first, text.words[pairs.second], text.words[pairs.first]))
    return pairs.take(order)


def _varying(groups: IntArray, labels: IntArray) -> Any:
    """Return which occurrences are in a group with two or more labels."""
    if not len(groups):
        return np.zeros(0, dtype=bool)
    different = np.unique(groups * (labels.max() + 1) + labels) // (labels.max() + 1)
    found = np.unique(different, return_counts=True)
    return np.isin(groups, found[0][found[1] > 1])


def _same_words_between(text: CorpusWords, labelled: Pairs) -> Pairs:
    """Return unconnected pairs with the same words between them as a connected pair of the same words."""
    distance = labelled.second - labelled.first + 1
    order = np.argsort(distance, kind="stable")
    firsts_by_length = labelled.first[order]
    longest = int(distance.max(initial=0))
    bounds = np.searchsorted(distance[order], np.arange(longest + 2))
    marked = np.zeros(len(text.words), dtype=bool)
    firsts, seconds = [], []
    for length, starts, strings in repeated(text):
        if length > longest:
            break
        own = firsts_by_length[bounds[length] : bounds[length + 1]]
        if not len(own):
            continue
        marked[own] = True
        with_edge = np.zeros(int(strings.max()) + 1, dtype=bool)
        with_edge[strings[marked[starts]]] = True
        found = starts[with_edge[strings]]
        marked[own] = False
        firsts.append(found)
        seconds.append(found + length - 1)
    return _nil(firsts, seconds)


def _anywhere(text: CorpusWords, labelled: Pairs) -> Pairs:
    """Return all pairs of words that have an edge somewhere, with any words between them."""
    size = len(text.vocabulary)
    known = np.unique(text.words[labelled.first] * size + text.words[labelled.second])
    firsts, seconds = [], []
    starts = np.arange(len(text.words))
    length = 1
    while len(starts := starts[starts + length < text.ends[starts]]):
        found = starts[np.isin(text.words[starts] * size + text.words[starts + length], known)]
        firsts.append(found)
        seconds.append(found + length)
        length += 1
    return _nil(firsts, seconds)


def _nil(firsts: list[IntArray], seconds: list[IntArray]) -> Pairs:
    empty = np.zeros(0, dtype=np.int64)
    first, second = np.concatenate([empty, *firsts]), np.concatenate([empty, *seconds])
    return Pairs(first, second, np.full(len(first), NIL, dtype=np.int64))


def _not_better_off(text: CorpusWords, edges: Pairs, unlabelled: Pairs) -> Pairs:
    """Remove pairs with an edge, and pairs with a token that has an edge to another copy of its partner."""
    size = len(text.vocabulary)
    taken_first = np.unique(edges.first * size + text.words[edges.second])
    taken_second = np.unique(edges.second * size + text.words[edges.first])
    free = ~np.isin(unlabelled.first * size + text.words[unlabelled.second], taken_first)
    free &= ~np.isin(unlabelled.second * size + text.words[unlabelled.first], taken_second)
    return unlabelled.take(free)


def _in_context(pairs: Pairs, groups: IntArray, heads: IntArray) -> Any:
    """Return which occurrences are in a group with two labels and one relation of the head to its own head.

    Without an edge, either word may be the head; such an occurrence joins the groups of both relations.
    """
    size = int(heads.max(initial=0)) + 1
    on_left, on_right = (groups * size + heads[tokens] for tokens in (pairs.first, pairs.second))
    nil = pairs.labels == NIL
    places = np.concatenate([np.flatnonzero(~nil), np.flatnonzero(nil), np.flatnonzero(nil)])
    own = np.where(pairs.labels % 2 == RIGHT, on_right, on_left)
    contexts = np.concatenate([own[~nil], on_left[nil], on_right[nil]])
    kept = np.zeros(len(pairs), dtype=bool)
    kept[places[_varying(contexts, pairs.labels[places])]] = True
    return kept


# Relations of punctuation in the treebanks that are about: UD, CDT, Penn2Malt and CoNLL-X.
PUNCTUATION = frozenset({"punct", "pnct", "P", "p", "PUNC", "PUNCT", "PU", "Punc", "--"})


def explain_corpus(study: Study[DepTree], pairing: Pairing, progress: Progress) -> Findings:
    """Return the word pairs of a corpus whose relations vary, grouped by type of variation."""
    intake = Intake()
    cells = _cells(study, intake)
    exclusion = Exclusion(pairing.exclude)
    excluded = exclusion.of([cell.value.tokens for cell in cells])
    if count := sum(excluded):
        intake.counts["excluded_words"] = count
        intake.notes.append(exclusion.note(count))
    text = CorpusWords.of([pairing.words(cell.value) for cell in cells], excluded)
    relations = Vocabulary()
    edges, heads = _edges(cells, text, relations, pairing)
    pairs = variation(text, edges, heads, pairing)
    grouping = Grouping()
    tags = Vocabulary()
    tag_numbers = _flat(map(tags.number, tags_of(cell.value, pairing.pos)) for cell in cells)
    corpus = _Corpus(cells, text, relations, tags, tag_numbers, Witness(text))
    sets = _label_sets(pairs)
    bounds = _bounds(text, pairs)
    for done, (start, end) in enumerate(bounds):
        progress(done, len(bounds))
        here = slice(start, end)
        _add(corpus, pairs.take(here), sets[here], grouping, pairing)
    types = by_evidence(grouping.types(study.coders))
    intake.counts.update(
        compared=_number_of_pairs(text, edges.take(edges.labels != LEFT_OUT)),
        inconsistent=sum(len(each.nuclei) for each in types),
        unlabelled=int((pairs.labels == NIL).sum()),
    )
    intake.counts["consistent"] = intake.counts["compared"] - intake.counts["inconsistent"]
    add_notes(intake)
    settings = pairing.settings()
    return findings_of(
        study,
        intake,
        types,
        mode=CORPUS,
        classes=CLASSES,
        counts=dict(intake.counts),
        settings=settings,
        signature=signature_of(CORPUS, settings, intake.items, study),
        references=("boyd2008", *(["demarneffe2017"] if pairing.match == "lemma" else [])),
        legend=LEGEND,
    )


def signature_of(mode: str, settings: Mapping[str, Any], items: int, study: Study[DepTree]) -> str:
    """Return the signature of findings on dependency trees."""
    head = typed("explain", {"mode": mode, **settings})
    return signature(head, [f"items:{items}", *study_parts(study, KIND)])


@dataclass(frozen=True, slots=True)
class _Corpus:
    cells: list[Annotation[DepTree]]
    text: CorpusWords
    relations: Vocabulary
    tags: Vocabulary
    tag_numbers: IntArray  # (n,) of the words
    witness: Witness
    _fragments: dict[tuple[int, int, int], Fragment] = field(default_factory=dict)

    def occurrence(self, first: int, second: int) -> Occurrence:
        """Return the occurrence of a pair of words."""
        number, start = self.text.place(first)
        cell = self.cells[number]
        return occurrence(cell, cell.value.tokens, (start, start + second - first))

    def fragment(self, tags: tuple[int, int], label: int) -> Fragment:
        """Return the fragment of two words with these parts of speech."""
        found = self._fragments.get((*tags, label))
        if found is None:
            first, second = (self.tags.labels[tag] for tag in tags)
            found = self._fragments[*tags, label] = fragment_of(_facts(self, (first, second), label))
        return found


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
    cells: Sequence[Annotation[DepTree]], text: CorpusWords, relations: Vocabulary, pairing: Pairing
) -> tuple[Pairs, IntArray]:
    """Return the edges between tokens, and for every token the number of its relation.

    The number of a label is that of its relation from 1, doubled, and one more if the head is on the right.
    """
    heads = _flat(cell.value.heads for cell in cells)
    numbers = _flat(map(relations.number, cell.value.relations) for cell in cells)
    tokens = np.arange(len(heads))
    targets = heads - 1 + text.starts[text.sentences]
    kept = (heads != 0) & (targets != tokens)  # a token that is its own head is not a pair
    tokens, targets, own = tokens[kept], targets[kept], numbers[kept]
    first, second = np.minimum(tokens, targets), np.maximum(tokens, targets)
    left_out = text.excluded[first] | text.excluded[second]
    if pairing.punctuation == "remove":
        left_out |= np.array([label in PUNCTUATION for label in relations.labels], dtype=bool)[own]
    labels = np.where(left_out, LEFT_OUT, 2 * (own + 1) + np.where(targets > tokens, RIGHT, 0))
    return Pairs(first, second, labels), numbers


def _flat(rows: Iterable[Iterable[int]]) -> IntArray:
    return np.fromiter(itertools.chain.from_iterable(rows), dtype=np.int64)


def _number_of_pairs(text: CorpusWords, labelled: Pairs) -> int:
    keys = text.words[labelled.first] * len(text.vocabulary) + text.words[labelled.second]
    return len(np.unique(keys))


def _bounds(text: CorpusWords, pairs: Pairs) -> list[tuple[int, int]]:
    """Return the start and end of each word pair in the sorted *pairs*."""
    keys = text.words[pairs.first] * len(text.vocabulary) + text.words[pairs.second]
    cuts = np.flatnonzero(np.diff(keys)) + 1
    edges = [0, *cuts.tolist(), len(keys)] if len(keys) else [0]
    return list(itertools.pairwise(edges))


def _label_sets(pairs: Pairs) -> IntArray:
    """Return a number for the labels of each place, of which a cycle of two words has two."""
    found = pairs.labels.copy()
    again = (np.diff(pairs.first) == 0) & (np.diff(pairs.second) == 0)
    sets: dict[tuple[int, ...], int] = {}
    for place in np.flatnonzero(again).tolist():
        both = sorted({int(pairs.labels[place]), int(pairs.labels[place + 1])})
        number = sets.setdefault(tuple(both), LEFT_OUT - 1 - len(sets))
        found[place : place + 2] = number if len(both) > 1 else both[0]
    return found


def _add(corpus: _Corpus, pairs: Pairs, sets: IntArray, grouping: Grouping, pairing: Pairing) -> None:
    """Add one word pair with all its occurrences to its type."""
    first_tags, second_tags = (corpus.tag_numbers[each] for each in (pairs.first, pairs.second))
    keys = (first_tags * len(corpus.tags) + second_tags) * (int(pairs.labels.max()) + 1) + pairs.labels
    _, examples, kinds = np.unique(keys, return_index=True, return_inverse=True)
    fragments: dict[str, Fragment] = {}
    numbers = np.zeros(len(examples), dtype=np.int64)  # of the fragments
    labels_of_tags: dict[tuple[int, int], set[int]] = {}
    for kind in np.argsort(examples).tolist():
        here = examples[kind]
        tags, label = (int(first_tags[here]), int(second_tags[here])), int(pairs.labels[here])
        labels_of_tags.setdefault(tags, set()).add(label)
        fragment = corpus.fragment(tags, label)
        fragments[fragment.text] = fragment
        numbers[kind] = list(fragments).index(fragment.text)
    members = [np.flatnonzero(numbers[kinds] == number) for number in range(len(fragments))]
    places = np.stack([pairs.first, pairs.second], axis=1)
    occurrences = [Occurrences(places[own], sets[own]) for own in members]
    evidence = corpus.witness.best(occurrences, contiguous=False)
    pair = list(evidence[1:]) if evidence else []
    shown = [
        (place, fragment)
        for fragment, found in zip(fragments.values(), occurrences, strict=True)
        for place in _shown(found.places, pair, pairing.examples)
    ]
    shown.sort(key=lambda each: pair.index(each[0]) if each[0] in pair else len(pair))
    instances = [Instance(corpus.occurrence(*place), fragment) for place, fragment in shown]
    facts = [_facts(corpus, ("", ""), label) for label in sorted(set(pairs.labels.tolist()))]
    differing = tuple(token for token in (0, 1) if len({each[token] for each in facts}) > 1)
    facets, categories = facets_of(facts, differing)
    if all(len(labels) == 1 for labels in labels_of_tags.values()):
        facets = (*facets, "part of speech decides")
    label_text = label_of(grouping.order(instances), differing)
    number, start = corpus.text.place(int(pairs.first[0]))
    words = corpus.cells[number].value.tokens
    tokens = (words[start], words[start + int(pairs.second[0] - pairs.first[0])])
    grouping.add(
        tokens,
        instances,
        Nature(class_of(facts), label_text, facets, categories),
        differing=differing,
        residual=differing,
        counts={text: len(own) for text, own in zip(fragments, members, strict=True)},
        evidence=evidence.value if evidence else 0.0,
        changes=_changes(instances),
    )


def _shown(places: IntArray, pair: Sequence[Place], count: int) -> list[Place]:
    """Return the first places, those of *pair* before all others."""
    others = np.ones(len(places), dtype=bool)
    for place in pair:
        others &= (places != place).any(axis=1)
    chosen = places[np.argsort(others, kind="stable")[:count]]
    return [(first, second) for first, second in chosen.tolist()]


def _changes(instances: Sequence[Instance]) -> list[Change]:
    """Return the changes of head and relation of the two words; None stands for a head elsewhere."""
    found = []
    positions = instances[0].place.positions
    for token in (0, 1):
        nodes = [instance.fragment.nodes[token] for instance in instances]
        heads = [str(positions[node.parent]) if node.parent >= 0 else None for node in nodes]
        relations = [node.edge if node.parent >= 0 else None for node in nodes]
        for kind, labels in ((HEAD, heads), (RELATION, relations)):
            if len(set(labels)) > 1:
                found.append(Change(kind, (positions[token],), tuple(labels)))
    return found


def _facts(corpus: _Corpus, tags: tuple[str, str], label: int) -> dict[int, Fact]:
    """Return the facts that a label states about the two words.

    The dependent of an edge has the other word as its head; without an edge both heads are outside.
    """
    facts: dict[int, Fact] = {token: (tags[token], OUTSIDE, "") for token in (0, 1)}
    if label != NIL:
        dependent = 0 if label % 2 == RIGHT else 1
        facts[dependent] = (tags[dependent], 1 - dependent, corpus.relations.labels[label // 2 - 1])
    return facts
