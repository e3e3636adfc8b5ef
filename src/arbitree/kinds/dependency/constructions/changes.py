"""Changes between annotations of the same tokens: what a nucleus owns, asks and how unusual it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from arbitree.constructions.findings import Asked, Change, Nucleus
from arbitree.constructions.questions import Wording
from arbitree.constructions.surprise import most_surprising
from arbitree.kinds.dependency.constructions.fragments import NO_TAG
from arbitree.kinds.dependency.constructions.nuclei import Members, NucleusTokens, swapped
from arbitree.kinds.dependency.constructions.sentences import ROOT, UNPAIRED, CoderFacts, Sentence, tags_of
from arbitree.kinds.dependency.value import DepTree
from arbitree.study.study import Study

POS, HEAD, RELATION, DIRECTION = "pos", "head", "relation", "direction"
KINDS = (POS, HEAD, RELATION)  # in the order of a fact

Value = tuple[str | None, ...]  # some of part of speech, word of the head, relation


def changed(views: Sequence[CoderFacts], token: int) -> tuple[str, ...]:
    """Return what two or more annotators annotate differently at *token*.

    Example:
        >>> changed([CoderFacts("", (("N", ROOT, "x"),)), CoderFacts("", (("V", ROOT, "y"),))], 0)
        ('pos', 'relation')
    """
    columns = zip(*(view.facts[token] for view in views), strict=True)
    return tuple(kind for kind, column in zip(KINDS, columns, strict=True) if len(set(column)) > 1)


def changes_of(sentence: Sentence, owned: Sequence[int]) -> tuple[Change, ...]:
    """Return the changes of the *owned* tokens, with one label per annotator.

    A head is written as its position in the sentence of the first annotator, ROOT, or OUTSIDE if not all
    annotators have it.
    """
    positions = sentence.positions[0]

    def label(kind: str, value: str | int) -> str:
        if isinstance(value, str):
            return value or (NO_TAG if kind == POS else "")
        return {ROOT: "ROOT", UNPAIRED: "OUTSIDE"}.get(value) or str(positions[value])

    found = []
    for token in owned:
        for kind in changed(sentence.views, token):
            column = KINDS.index(kind)
            labels = tuple(label(kind, view.facts[token][column]) for view in sentence.views)
            found.append(Change(kind, (positions[token],), labels))
    return tuple(found)


def asked_of(views: Sequence[CoderFacts], tokens: Sequence[int], members: Members) -> tuple[Asked, ...]:
    """Return what the changes of *tokens* are about, without words and order.

    A changed head is described by the relations of the token. Two tokens that swap roles are one change of
    direction. Relations to heads outside the nucleus do not count.

    Example:
        >>> ann, bob = (CoderFacts("", (("", 1, r), ("", ROOT, "root"))) for r in ("obl", "nmod"))
        >>> asked_of([ann, bob], [0], frozenset({0, 1}))
        (('relation', ('nmod', 'obl')),)
    """
    found: set[Asked] = set()
    for token in tokens:
        kinds = changed(views, token)
        if POS in kinds:
            found.add((POS, tuple(sorted({view.facts[token][0] or NO_TAG for view in views}))))
        partners = [other for other in tokens if swapped(views, token, other) or swapped(views, other, token)]
        for other in partners:
            found.add((DIRECTION, _relations(views, (token, other), members)))
        if HEAD in kinds and not partners:
            found.add((HEAD, _relations(views, (token,), members)))
        elif kinds[-1:] == (RELATION,) and HEAD not in kinds:
            found.add((RELATION, _relations(views, (token,), members)))
    return tuple(sorted(found))


def _relations(views: Sequence[CoderFacts], tokens: Sequence[int], members: Members) -> tuple[str, ...]:
    facts = [view.facts[token] for view in views for token in tokens]
    return tuple(sorted({relation for _, head, relation in facts if head in members}))


class TokenSurprise:
    """How unusual a difference is, by all annotations of the same word forms in the study."""

    def __init__(self, pos: str) -> None:
        self._pos = pos
        self._counts: dict[str, Counter[Value]] = {}  # by word form
        self._parts: dict[tuple[str, tuple[str, ...]], Counter[Value]] = {}  # of some parts

    def count(self, study: Study[DepTree], wanted: Iterator[tuple[Sentence, NucleusTokens]]) -> None:
        """Count the annotations of the tokens that the *wanted* nuclei own."""
        for sentence, nucleus in wanted:
            for token in nucleus.owned:
                self._counts.setdefault(sentence.words[sentence.positions[0][token]], Counter())
        for cell in study.cells.values():
            for word, value in zip(cell.value.tokens, _values(cell.value, self._pos), strict=True):
                if word in self._counts:
                    self._counts[word][value] += 1

    def bits(self, sentence: Sentence, nucleus: NucleusTokens) -> float:
        """Return the largest surprise of the owned tokens."""
        if not nucleus.owned:
            return 1.0
        values = [_values(cell.value, self._pos) for cell in sentence.cells]
        found = []
        for token in nucleus.owned:
            kinds = changed(sentence.views, token)
            places = [positions[token] for positions in sentence.positions]
            own = [_part(each[place], kinds) for each, place in zip(values, places, strict=True)]
            found.append(most_surprising(self._with(sentence.words[places[0]], kinds), own))
        return max(found)

    def _with(self, word: str, kinds: tuple[str, ...]) -> Counter[Value]:
        """Return how often *word* has each combination of the parts *kinds*."""
        if (word, kinds) not in self._parts:
            counts: Counter[Value] = Counter()
            for value, count in self._counts[word].items():
                counts[_part(value, kinds)] += count
            self._parts[word, kinds] = counts
        return self._parts[word, kinds]


def _values(tree: DepTree, pos: str) -> list[Value]:
    """Return the annotation of each token, with the word of the head in place of its position."""
    words = (None, *tree.tokens)
    heads = [words[head] for head in tree.heads]
    return list(zip(tags_of(tree, pos), heads, tree.relations, strict=True))


def _part(value: Value, kinds: tuple[str, ...]) -> Value:
    """Return the parts of an annotation that changed."""
    return tuple([part for kind, part in zip(KINDS, value, strict=True) if kind in kinds])


def sides(nucleus: Nucleus) -> list[tuple[str, ...]]:
    """Return the labels that each fragment has, and where its heads are."""
    columns = [
        _nearness(change) if change.kind == HEAD else tuple(label or "" for label in change.labels)
        for change in nucleus.changes
    ]
    return list(zip(*sorted(columns, key=sorted), strict=True))


def _nearness(change: Change) -> tuple[str, ...]:
    """Return where the heads are, seen from the token: they are different words in every sentence.

    Example:
        >>> _nearness(Change("head", (5,), ("4", "2", "ROOT")))
        ('nearer head', 'farther head', 'ROOT')
        >>> _nearness(Change("head", (5,), ("4", "6")))
        ('head before', 'head after')
    """
    labels, token = [label or "" for label in change.labels], change.positions[0]
    known = {label: int(label) - token for label in labels if label.isdecimal()}
    distances = sorted({abs(step) for step in known.values()})
    if len(distances) == 1:
        words = {label: "head before" if step < 0 else "head after" for label, step in known.items()}
    else:
        far = {label: abs(step) > distances[0] for label, step in known.items()}
        words = {label: "farther head" if is_far else "nearer head" for label, is_far in far.items()}
    return tuple(words.get(label, label) for label in labels)


LEGEND = (
    "VERB [obj NOUN] is a verb with a noun that depends on it as obj, on its right. NOUN 2 is a noun that is "
    "the second word. A plus sign separates words that do not depend on each other; [...] stands for other "
    "words."
)
WORDING = Wording(
    {DIRECTION: "direction of {}", HEAD: "attachment of {}", RELATION: "{}", POS: "{}"},
    sides,
)
