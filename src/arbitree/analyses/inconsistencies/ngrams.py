"""Variation n-grams: words that are one phrase in some places of a corpus, and another or none elsewhere.

A baseline: it sees the label of a string and not what is inside, and trusts a difference the more, the more
words around it are the same.

Reference:
    Dickinson & Meurers (2003).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import arbitree
from arbitree.analyses.inconsistencies.depgroups import Grouping, Instance, Nature, context_of
from arbitree.analyses.inconsistencies.findings import CORPUS, Findings, Fragment, Node, Place, summary_of
from arbitree.analyses.inconsistencies.phrasetext import LabelledText
from arbitree.analyses.inconsistencies.repeats import Text
from arbitree.analyses.inconsistencies.settings import Settings
from arbitree.data.phrase import PhraseTree
from arbitree.data.result import Table
from arbitree.data.study import Study
from arbitree.errors import UnsupportedStudy

NIL = "NIL"  # the words are no phrase
CLASSES = ("phrase or not", "label")


def variation_ngrams(
    study: Study[PhraseTree],
    settings: Settings | None = None,
    *,
    context: int = 0,
    nonfringe: bool = False,
    examples: int = 5,
) -> Findings:
    """Return the word strings with several labels, with the longest contexts in which they vary.

    A nucleus is a string that is a phrase somewhere, occurs twice, and has two labels: the category of the
    phrase with just these words (joined by a slash if one stands over the other), or NIL. Annotations of all
    coders are taken as one corpus.

    Args:
        study: of phrase-structure trees.
        settings: how trees are made alike first, and the lengths of nuclei.
        context: keep a nucleus only if it varies with so many identical words around it.
        nonfringe: keep it only if it varies with an identical word on either side.
        examples: places kept for each label of a nucleus.
    Returns:
        Types by set of labels; the table ``ngrams`` has the longest contexts.
    """
    if study.cells and study.value_type is not PhraseTree:
        what = f"variation n-grams are for phrase structure, not for {study.value_type.kind} trees"
        raise UnsupportedStudy(what, hint="For dependency trees the corpus mode compares pairs of words")
    chosen = settings or Settings()
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
            if left + right >= context and (not nonfringe or (left and right))
        ]
        if not found:
            counts["exempt"] += 1
            continue
        kept = sorted({member for _, _, members in found for member in members})
        _add(corpus, grouping, length, [(starts[k], labels[k]) for k in kept], examples)
        rows += [_row(corpus, length, starts, labels, *each) for each in found]
    types = grouping.types(study.coders)
    counts["inconsistent"] = sum(len(each.nuclei) for each in types)
    recorded = chosen.recorded(context=context, nonfringe=nonfringe)
    return Findings(
        mode=CORPUS,
        study_kind=PhraseTree.kind,
        coders=study.coders,
        items=len({cell.item.id for cell in corpus.cells}),
        tokens=len(corpus.text.words),
        types=types,
        counts=dict(counts),
        tables={"summary": summary_of(types, len(corpus.text.words), CLASSES), "ngrams": _table(rows)},
        ignored=tuple(corpus.ignored),
        notes=tuple(corpus.notes()),
        settings=recorded,
        signature=_signature(recorded, corpus),
        references=("dickinson-meurers2003",),
    )


def explain(
    study: Study[PhraseTree],
    *,
    mode: str | None = None,
    context: int = 0,
    nonfringe: bool = False,
    examples: int = 5,
    min_len: int = 1,
    max_len: int | None = None,
    case: str = "keep",
    punctuation: str = "keep",
    style: str = "auto",
    strip_root: bool = True,
) -> Findings:
    """Return the variation n-grams, with all settings by name; whatever the mode, all is one corpus."""
    settings = Settings(
        min_len=min_len,
        max_len=max_len,
        case=case,
        punctuation=punctuation,
        style=style,
        strip_root=strip_root,
    )
    return variation_ngrams(study, settings, context=context, nonfringe=nonfringe, examples=examples)


def maximal(
    text: Text, starts: Sequence[int], labels: Sequence[str], length: int
) -> Iterator[tuple[int, int, list[int]]]:
    """Yield the contexts in which a nucleus varies and that no word more leaves varying.

    Args:
        text: the corpus.
        starts: the positions of the nucleus.
        labels: its label in each of them.
        length: of the nucleus.
    Returns:
        Words on the left, words on the right, and which of the places have them.
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
    """Put a nucleus into the type of its set of labels."""
    counts: Counter[str] = Counter()
    instances = []
    for start, label in places:
        fragment = _fragment(label)
        counts[fragment.text] += 1
        if counts[fragment.text] <= examples:
            number, first = corpus.text.place(start)
            positions = tuple(range(first, first + length))
            cell = corpus.cells[number]
            left, right = context_of(corpus.words[number], positions)
            place = Place(cell.item.id, positions, cell.coder, 0, str(cell.source or ""), left, right)
            instances.append(Instance(place, fragment))
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
    """Return a label as a fragment: the categories one over the other, the highest first."""
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
    """Return the row of one n-gram: its words, nucleus, contexts, and how often each label."""
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


def _signature(settings: dict[str, Any], corpus: LabelledText) -> str:
    parts = [f"{key}:{value}" for key, value in sorted(settings.items()) if value is not None]
    return "|".join(["variation_ngrams", *parts, f"trees:{len(corpus.cells)}", f"v:{arbitree.__version__}"])
