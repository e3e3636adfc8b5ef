"""Variation n-grams: words with one phrase label in some places of a corpus, and another or none elsewhere.

A baseline: it compares the label of a word sequence, not its inner structure. The more words around it are
the same, the more likely a difference is an error.

Reference:
    Dickinson & Meurers (2003).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from arbitree.constructions.explain import ExplainOptions, Intake, findings_of
from arbitree.constructions.findings import CORPUS, Findings
from arbitree.constructions.grouping import Grouping, Instance, Nature, occurrence
from arbitree.constructions.repeats import CorpusWords, repeated_phrases
from arbitree.drawing.fragment import Fragment, Node
from arbitree.kinds.phrase.constructions.normalisation import Normal, Normaliser, looks_historical
from arbitree.kinds.phrase.constructions.options import PhraseOptions
from arbitree.kinds.phrase.kind import KIND
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.measures.signatures import signature, study_parts, typed
from arbitree.study.result import Ignored, Table
from arbitree.study.study import Annotation, Study

Labels = dict[tuple[int, int], str]  # by first position and length


@dataclass(slots=True)
class LabelledText:
    """All annotations as one text, with the labels of their phrases."""

    cells: list[Annotation[PhraseTree]]
    words: list[tuple[str, ...]]
    text: CorpusWords
    labels: Labels
    intake: Intake

    @classmethod
    def of(cls, study: Study[PhraseTree], settings: PhraseOptions) -> LabelledText:
        """Return the text of all annotations in *study*; those without words are excluded and counted."""
        trees = [cell.value for cell in study.cells.values()]
        historical = settings.style == "historical" or (settings.style == "auto" and looks_historical(trees))
        normaliser = Normaliser(settings, historical=historical)
        cells, words, intake = [], [], Intake()
        labels: Labels = {}
        scattered = start = 0
        for item, found in study:
            for cell in found:
                normal = normaliser.normal(cell.value)
                if not normal.words:
                    intake.ignored.append(Ignored(item.id, "empty_tree", f"empty for {cell.coder}"))
                    continue
                for span, chain in _chains(normal).items():
                    if span is None:
                        scattered += len(chain)
                    else:
                        labels[start + span[0], span[1] - span[0]] = "/".join(chain)
                cells.append(cell)
                words.append(normal.words)
                start += len(normal.words)
                intake.lengths[item.id] = intake.lengths.get(item.id, 0) + len(normal.words)
        shown = [[word.lower() for word in each] for each in words] if settings.case == "lower" else words
        if scattered:
            intake.notes.append(
                f"discontinuous phrases excluded, because their words are not adjacent: {scattered}"
            )
        return cls(cells, words, CorpusWords.of(shown), labels, intake)

    def strings(self, settings: PhraseOptions) -> Iterator[tuple[int, list[int]]]:
        """Yield the length and the positions of every repeated word sequence that is a phrase somewhere."""
        by_length: dict[int, list[int]] = defaultdict(list)
        for start, length in self.labels:
            by_length[length].append(start)
        least, most = settings.min_len, settings.max_len
        for length, starts in repeated_phrases(self.text, by_length, min_len=least, max_len=most):
            yield length, starts.tolist()


def _chains(normal: Normal) -> dict[tuple[int, int] | None, list[str]]:
    """Return the phrase categories of each span, highest first; discontinuous phrases are under None."""
    size = len(normal.forms)
    position, width = [], 0
    for terminal in range(size):
        position.append(width)
        width += terminal not in normal.traces
    runs: list[tuple[int, int, int]] = [
        (position[k], position[k] + (k not in normal.traces), int(k not in normal.traces))
        for k in range(size)
    ]
    phrases: list[tuple[int, int, int]] = [(0, 0, 0)] * len(normal.children)
    for place in range(len(normal.children) - 1, -1, -1):  # phrases are in preorder
        below = [runs[child] if child < size else phrases[child - size] for child in normal.children[place]]
        real = [each for each in below if each[2]]
        if real:
            phrases[place] = (min(r[0] for r in real), max(r[1] for r in real), sum(r[2] for r in real))
    chains: dict[tuple[int, int] | None, list[str]] = defaultdict(list)
    for place, (first, end, count) in enumerate(phrases):
        if count:
            span = (first, end) if end - first == count else None
            chains[span].append(normal.labels[size + place][0])
    return chains


NIL = "NIL"  # the words are not a phrase
CLASSES = ("phrase or not", "label")


@dataclass(frozen=True)
class NgramOptions(ExplainOptions):
    """Settings of variation n-grams.

    Args:
        context: report a nucleus only if it varies with this many identical words around it.
        nonfringe: report it only if it varies with an identical word on either side.
        examples: the number of occurrences stored per label of a nucleus.
        min_len, max_len, case, punctuation, style, strip_root: as in ``PhraseOptions``.
    """

    context: int = 0
    nonfringe: bool = False
    examples: int = 5
    min_len: int = 1
    max_len: int | None = None
    case: str = "keep"
    punctuation: str = "keep"
    style: str = "auto"
    strip_root: bool = True

    def trees(self) -> PhraseOptions:
        """Return the settings for normalising trees and for the lengths of nuclei."""
        return PhraseOptions(
            min_len=self.min_len,
            max_len=self.max_len,
            case=self.case,
            punctuation=self.punctuation,
            style=self.style,
            strip_root=self.strip_root,
        )


def variation_ngrams(study: Study[PhraseTree], options: NgramOptions) -> Findings:
    """Return the word sequences with several labels, with the longest contexts in which they vary.

    A nucleus is a word sequence that is a phrase somewhere, occurs at least twice, and has two labels. The
    label is the category of the phrase with exactly these words (joined by a slash for several), or NIL.
    The annotations of all annotators form one corpus. Types are sets of labels; the table ``ngrams`` lists
    the longest contexts.
    """
    chosen = options.trees()
    corpus = LabelledText.of(study, chosen)
    grouping = Grouping()
    rows = []
    counts: Counter[str] = Counter()
    for length, starts in corpus.strings(chosen):
        counts["compared"] += 1
        labels = [corpus.labels.get((start, length), NIL) for start in starts]
        if len(set(labels)) < 2:
            counts["consistent"] += 1
            continue
        found = [
            (left, right, members)
            for left, right, members in maximal(corpus.text, starts, labels, length)
            if left + right >= options.context and (not options.nonfringe or (left and right))
        ]
        if not found:
            counts["exempt"] += 1
            continue
        kept = sorted({member for _, _, members in found for member in members})
        _add(corpus, grouping, length, [(starts[k], labels[k]) for k in kept], options.examples)
        rows += [_row(corpus, length, starts, labels, *each) for each in found]
    types = grouping.types(study.coders)
    counts["inconsistent"] = sum(len(each.nuclei) for each in types)
    recorded = chosen.recorded(context=options.context, nonfringe=options.nonfringe)
    return findings_of(
        study,
        corpus.intake,
        types,
        mode=CORPUS,
        classes=CLASSES,
        counts=dict(counts),
        settings=recorded,
        signature=_signature(recorded, corpus, study),
        references=("dickinson-meurers2003",),
        tables={"ngrams": _table(rows)},
        legend="NIL stands for words that are not a phrase. NP/ADJP is a phrase over another one.",
    )


def maximal(
    text: CorpusWords, starts: Sequence[int], labels: Sequence[str], length: int
) -> Iterator[tuple[int, int, list[int]]]:
    """Yield the maximal contexts in which a nucleus varies.

    Args:
        text: the corpus.
        starts: the positions of the nucleus.
        labels: its label in each of them.
        length: the length of the nucleus.
    Returns:
        The number of words on the left and on the right, and the occurrences with this context.
    """
    words = text.words
    ends = text.ends
    firsts = text.starts[text.sentences]

    def before(place: int, left: int) -> int:
        position = starts[place] - left - 1
        return int(words[position]) if position >= firsts[starts[place]] else -1 - place

    def after(place: int, right: int) -> int:
        position = starts[place] + length + right
        return int(words[position]) if position < ends[starts[place]] else -1 - place

    stack = [(0, 0, list(range(len(starts))))]
    seen: set[tuple[int, int, int]] = set()
    while stack:
        left, right, members = stack.pop()
        while len({before(place, left) for place in members}) == 1:
            left += 1
        while len({after(place, right) for place in members}) == 1:
            right += 1
        # All places with these words around them are members, so the first one stands for the context.
        if (left, right, members[0]) in seen:
            continue
        seen.add((left, right, members[0]))
        longer: list[tuple[int, int, list[int]]] = []
        for side, shift in ((before, (1, 0)), (after, (0, 1))):
            split: dict[int, list[int]] = defaultdict(list)
            for place in members:
                split[side(place, left if side is before else right)].append(place)
            longer += [
                (left + shift[0], right + shift[1], part)
                for part in split.values()
                if len(part) > 1 and len({labels[place] for place in part}) > 1
            ]
        if longer:
            stack.extend(longer)
        else:
            yield left, right, members


def _add(
    corpus: LabelledText, grouping: Grouping, length: int, places: Sequence[tuple[int, str]], examples: int
) -> None:
    """Add a nucleus to the type of its set of labels."""
    counts: Counter[str] = Counter()
    instances = []
    for start, label in places:
        fragment = _fragment(label)
        counts[fragment.text] += 1
        if counts[fragment.text] <= examples:
            number, first = corpus.text.place(start)
            positions = tuple(range(first, first + length))
            cell = corpus.cells[number]
            instances.append(Instance(occurrence(cell, corpus.words[number], positions), fragment))
    labels = sorted({label for _, label in places})
    named = [label for label in labels if label != NIL]
    class_ = CLASSES[0] if NIL in labels else CLASSES[1]
    categories = sorted({part for label in named for part in label.split("/")})
    number, first = corpus.text.place(places[0][0])
    grouping.add(
        corpus.words[number][first : first + length],
        instances,
        Nature(class_, " / ".join(labels), ("label change",), tuple(categories)),
        counts=counts,
    )


def _fragment(label: str) -> Fragment:
    """Return a label as a fragment: nested categories, the highest first."""
    names = label.split("/")
    nodes = tuple(Node(name, place - 1) for place, name in enumerate(names))
    return Fragment(label, label if label == NIL else f"({' ('.join(names)} …{')' * len(names)}", nodes)


def _row(
    corpus: LabelledText,
    length: int,
    starts: Sequence[int],
    labels: Sequence[str],
    left: int,
    right: int,
    members: list[int],
) -> tuple[Any, ...]:
    """Return the row of one n-gram: its words, nucleus, contexts, and the count of each label."""
    number, first = corpus.text.place(starts[members[0]])
    words = corpus.words[number]
    counted = Counter(labels[member] for member in members)
    shown = ", ".join(f"{label} {count}" for label, count in sorted(counted.items()))
    return (
        " ".join(words[first : first + length]),
        " ".join(words[first - left : first + length + right]),
        left,
        right,
        len(members),
        shown,
    )


def _table(rows: Sequence[tuple[Any, ...]]) -> Table:
    """Return the n-grams, those with most words around the nucleus first."""
    ordered = sorted(rows, key=lambda row: (-row[2] - row[3], row[0], row[1]))
    return Table(("nucleus", "ngram", "left", "right", "places", "labels"), tuple(ordered))


def _signature(settings: dict[str, Any], corpus: LabelledText, study: Study[PhraseTree]) -> str:
    head = typed("variation_ngrams", settings)
    return signature(head, [f"trees:{len(corpus.cells)}", *study_parts(study, KIND)])
