"""Align two versions of a text, sentence by sentence, by the words of the sentences."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import NamedTuple
from unicodedata import normalize

from arbitree.study.comparable import common_subsequence

Tokens = tuple[str, ...]
Pairs = list[tuple[int, int]]

SAME_SENTENCE = 0.5  # texts whose words and letter pairs overlap less are different sentences
TRUSTED_IDS = 0.9  # ids are used if at least this share of those in common belong to the same sentences
FEW = 2_500  # pairs of sentences that are all compared
MANY = 400_000_000  # pairs of sentences for which a longest common subsequence is computed
EDGE = 12  # first or last letters by which one of very many similar sentences is found
NEAR = 4  # next sentences to compare if that fails


class Sentence(NamedTuple):
    """A sentence to align: its words, and its id, if any."""

    tokens: Tokens
    id: str | None = None


class Match(NamedTuple):
    """The places of two matched sentences, and what matched them: ``id``, ``text`` or ``position``."""

    ours: int
    theirs: int
    by: str


def text_of(tokens: Tokens) -> str:
    """Return the text of a sentence without blanks and in one Unicode form.

    Example:
        >>> text_of(("do", "n't")) == text_of(("don't",)), text_of(("\u00e9",)) == text_of(("e\u0301",))
        (True, True)
    """
    text = "".join("".join(tokens).split())
    return text if text.isascii() else normalize("NFC", text)


def align(ours: Sequence[Sentence], theirs: Sequence[Sentence]) -> list[Match]:
    """Return the matched sentences of two versions of a text.

    1. Sentences with the same id and the same words, if nearly all ids in common belong to such sentences.
    2. Texts that occur once on both sides, in order.
    3. Between these, equal texts in order, so that repeated sentences match in order; and similar texts.
    4. Equal texts in another order.
    5. Similar texts that remain between two matched sentences.

    Example:
        >>> ours = [Sentence(("Yes",)), Sentence(("Rain", "fell")), Sentence(("Yes",))]
        >>> theirs = [Sentence(("Rain", "falls")), Sentence(("Yes",))]
        >>> [(each.ours, each.theirs, each.by) for each in align(ours, theirs)]
        [(1, 0, 'position'), (2, 1, 'text')]
    """
    both = _Texts(ours), _Texts(theirs)
    found = dict.fromkeys(_by_id(ours, theirs, both), "id")
    gaps = _between(longest_chain(found), *_unmatched(found, ours, theirs))
    found |= dict.fromkeys([pair for gap in gaps for pair in _unique(both, *gap)], "text")
    gaps = _between(longest_chain(found), *_unmatched(found, ours, theirs))
    for pair in [pair for gap in gaps for pair in _in_order(both, *gap)]:
        found[pair] = "text" if both[0].texts[pair[0]] == both[1].texts[pair[1]] else "position"
    chain = longest_chain(found)
    found |= dict.fromkeys(_in_any_order(both, *_unmatched(found, ours, theirs)), "text")
    gaps = _between(chain, *_unmatched(found, ours, theirs))
    found |= dict.fromkeys([pair for gap in gaps for pair in _similar(both, *gap)], "position")
    return [Match(i, j, by) for (i, j), by in sorted(found.items())]


class _Texts:
    """The sentences of one side: their texts, and the profiles that similar sentences share."""

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        self.sentences = sentences
        self.texts = [text_of(each.tokens) for each in sentences]
        self.counts = Counter(self.texts)
        self._profiles: dict[int, _Profile] = {}

    def profile(self, place: int) -> _Profile:
        """Return the profile of a sentence, made once."""
        if place not in self._profiles:
            self._profiles[place] = _Profile(self.sentences[place].tokens)
        return self._profiles[place]


Both = tuple[_Texts, _Texts]


def _by_id(ours: Sequence[Sentence], theirs: Sequence[Sentence], both: Both) -> Pairs:
    """Return the pairs with the same id and the same sentence, if ids can be trusted."""
    places = {each.id: place for place, each in enumerate(theirs) if each.id}
    shared = {each.id: (i, places[each.id]) for i, each in enumerate(ours) if each.id in places}
    same = [
        (i, j)
        for i, j in shared.values()
        if both[0].texts[i] == both[1].texts[j] or not different_sentences(ours[i].tokens, theirs[j].tokens)
    ]
    return same if len(same) >= TRUSTED_IDS * len(shared) else []


def _unmatched(
    found: Iterable[tuple[int, int]], ours: Sequence[Sentence], theirs: Sequence[Sentence]
) -> tuple[list[int], list[int]]:
    left, right = {i for i, _ in found}, {j for _, j in found}
    return [i for i in range(len(ours)) if i not in left], [j for j in range(len(theirs)) if j not in right]


def _between(chain: Pairs, left: list[int], right: list[int]) -> list[tuple[list[int], list[int]]]:
    """Return the places on both sides that lie between the same two pairs of *chain*."""
    gaps: list[tuple[list[int], list[int]]] = []
    first = second = 0
    for bound in (*chain, None):
        i = len(left) if bound is None else bisect_left(left, bound[0])
        j = len(right) if bound is None else bisect_left(right, bound[1])
        if first < i and second < j:
            gaps.append((left[first:i], right[second:j]))
        first, second = i, j
    return gaps


def longest_chain(pairs: Iterable[tuple[int, int]]) -> Pairs:
    """Return a longest part of *pairs* that increases on both sides.

    Example:
        >>> longest_chain([(0, 2), (1, 0), (2, 1), (2, 2)])
        [(1, 0), (2, 1)]
    """
    pairs = sorted(pairs, key=lambda pair: (pair[0], -pair[1]))
    least: list[int] = []  # the least second place at the end of a chain of each length
    last: list[int] = []  # its pair
    before: list[int] = []
    for place, (_, second) in enumerate(pairs):
        length = bisect_left(least, second)
        before.append(last[length - 1] if length else -1)
        least[length : length + 1] = [second]
        last[length : length + 1] = [place]
    chain: Pairs = []
    place = last[-1] if last else -1
    while place >= 0:
        chain.append(pairs[place])
        place = before[place]
    return chain[::-1]


def _unique(both: Both, left: list[int], right: list[int]) -> Pairs:
    """Return the pairs of texts that occur once on both sides, in order."""
    once = {both[1].texts[j]: j for j in right if both[1].counts[both[1].texts[j]] == 1}
    texts = ((i, both[0].texts[i]) for i in left if both[0].counts[both[0].texts[i]] == 1)
    return longest_chain([(i, once[text]) for i, text in texts if text and text in once])


def _in_order(both: Both, left: list[int], right: list[int]) -> Pairs:
    """Return pairs of equal texts in order, and of similar texts if they have no equal text."""
    if len(left) * len(right) <= FEW:
        return _best(left, right, lambda i, j: _worth(both, i, j))
    if len(left) * len(right) > MANY:
        return []
    ours, theirs = [both[0].texts[i] for i in left], [both[1].texts[j] for j in right]
    return [(left[i], right[j]) for i, j in common_subsequence(ours, theirs)]


def _worth(both: Both, i: int, j: int) -> float:
    """Return the number of words that two sentences share; 0 for different sentences."""
    ours, theirs = both[0].texts[i], both[1].texts[j]
    if ours == theirs:
        return max(1.0, len(both[0].sentences[i].tokens))
    if ours in both[1].counts or theirs in both[0].counts:
        return 0.0
    return _likeness(both, i, j)


def _likeness(both: Both, i: int, j: int) -> float:
    words = len(both[0].sentences[i].tokens) + len(both[1].sentences[j].tokens)
    return _similarity(both[0].profile(i), both[1].profile(j)) * max(1, words) / 2


def _in_any_order(both: Both, left: list[int], right: list[int]) -> Pairs:
    """Return the pairs of equal texts, the first with the first."""
    places: dict[str, list[int]] = defaultdict(list)
    for j in reversed(right):
        places[both[1].texts[j]].append(j)
    return [(i, places[text].pop()) for i in left if (text := both[0].texts[i]) and places[text]]


def _similar(both: Both, left: list[int], right: list[int]) -> Pairs:
    """Return pairs of similar sentences in order."""
    if len(left) * len(right) <= FEW:
        return _best(left, right, lambda i, j: _likeness(both, i, j))
    found = longest_chain({*_same_edge(both, left, right, 0), *_same_edge(both, left, right, -EDGE)})
    inside = {i for i, _ in found}, {j for _, j in found}
    rest = [i for i in left if i not in inside[0]], [j for j in right if j not in inside[1]]
    for first, second in _between(found, *rest):
        few = len(first) * len(second) <= FEW
        found = [*found, *(_similar if few else _near)(both, first, second)]
    return found


def _same_edge(both: Both, left: list[int], right: list[int], begin: int) -> Pairs:
    """Return pairs of similar sentences whose first or last letters occur once on both sides."""

    def edges(texts: list[str], places: list[int]) -> dict[str, int]:
        cut = {i: texts[i][begin : begin + EDGE or None] for i in places}
        once = Counter(cut.values())
        return {edge: i for i, edge in cut.items() if once[edge] == 1}

    ours, theirs = edges(both[0].texts, left), edges(both[1].texts, right)
    shared = [(i, theirs[edge]) for edge, i in ours.items() if edge in theirs]
    return [pair for pair in shared if _likeness(both, *pair)]


def _near(both: Both, left: list[int], right: list[int]) -> Pairs:
    """Return pairs of sentences in order that share most words; each is compared with the next few."""
    found: Pairs = []
    begin = 0
    for i in left:
        words = both[0].profile(i).words
        near = [_overlap(words, both[1].profile(j).words) for j in right[begin : begin + NEAR]]
        if near and max(near) >= SAME_SENTENCE:
            begin += near.index(max(near)) + 1
            found.append((i, right[begin - 1]))
    return found


def _best(left: list[int], right: list[int], worth: Callable[[int, int], float]) -> Pairs:
    """Return the pairs in order that are worth most together."""
    values = [[worth(i, j) for j in right] for i in left]
    best = [[0.0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in range(len(left) - 1, -1, -1):
        here, below, row = best[i], best[i + 1], values[i]
        for j in range(len(right) - 1, -1, -1):
            paired = below[j + 1] + row[j] if row[j] else 0.0
            here[j] = max(paired, below[j], here[j + 1])
    found: Pairs = []
    i = j = 0
    while i < len(left) and j < len(right):
        if values[i][j] and best[i][j] == best[i + 1][j + 1] + values[i][j]:
            found.append((left[i], right[j]))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return found


class _Profile:
    """The words and the letter pairs of a sentence, each with its number."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.words = Counter(tokens)

    @cached_property
    def letters(self) -> Counter[str]:
        """The letter pairs, or the text if it has only one letter."""
        text = "".join(self.tokens)
        return Counter(text[k : k + 2] for k in range(len(text) - 1)) or Counter([text])


def _similarity(ours: _Profile, theirs: _Profile) -> float:
    """Return the overlap of two sentences, or 0 if they are different; a little if one of them is empty."""
    if not ours.words or not theirs.words:
        return 0.01
    found = _overlap(ours.words, theirs.words)
    if found < SAME_SENTENCE:  # the words may differ in tokenisation only
        found = _overlap(ours.letters, theirs.letters)
    return found if found >= SAME_SENTENCE else 0.0


def _overlap(ours: Counter[str], theirs: Counter[str]) -> float:
    both = ours.total() + theirs.total()
    return 2 * (ours & theirs).total() / both if both else 0.0


def different_sentences(ours: Tokens, theirs: Tokens) -> bool:
    """Return whether two texts are different sentences, not one sentence with different tokenisation.

    Example:
        >>> different_sentences(("I", "don't"), ("I", "do", "n't"))
        False
        >>> different_sentences(("Rain", "fell", "."), ("Nobody", "came", "home", "."))
        True
    """
    return ours != theirs and not _similarity(_Profile(ours), _Profile(theirs))
