"""Words of two tokenisations of one sentence, aligned by their characters.

As in the evaluation of the CoNLL 2018 shared task, words are aligned if they cover the same characters. Words
of a multiword token have no characters of their own; they are aligned by the longest common subsequence of
their forms within the characters that such tokens cover.
"""

from __future__ import annotations

from arbitree.kinds.dependency.value import DepTree
from arbitree.study.comparable import common_subsequence

Span = tuple[int, int]


def align(gold: DepTree, other: DepTree) -> list[tuple[int, int]] | None:
    """Return the pairs of aligned words (numbers start at 0), or None if the characters differ.

    Example:
        >>> gold = DepTree(("can", "not", "go"), (3, 3, 0), ("aux", "advmod", "root"))
        >>> other = DepTree(("cannot", "go"), (2, 0), ("aux", "root"))
        >>> align(gold, other)
        [(2, 1)]
    """
    ours, our_text, our_ranges = _spans(gold)
    theirs, their_text, their_ranges = _spans(other)
    if our_text != their_text:
        return None
    if not our_ranges and not their_ranges:
        places = {span: word for word, span in enumerate(theirs)}
        return [(word, places[span]) for word, span in enumerate(ours) if span in places]
    return _with_ranges(gold, other, ours, theirs, sorted([*our_ranges, *their_ranges]))


def _spans(tree: DepTree) -> tuple[list[Span], str, list[Span]]:
    """Return the characters that every word covers, all characters, and those of multiword tokens."""
    ranges = dict(_ranges(tree))
    spans: list[Span] = []
    covered: list[Span] = []
    text = ""
    word = 0
    while word < len(tree):
        last, form = ranges.get(word, (word + 1, tree.tokens[word]))
        begin = len(text)
        text += "".join(form.split())
        if word in ranges:
            covered.append((begin, len(text)))
        spans += [(begin, len(text))] * (last - word)
        word = last
    return spans, text, covered


def _ranges(tree: DepTree) -> list[tuple[int, tuple[int, str]]]:
    """Return first word, end and form of every multiword token."""
    found = []
    for before, line in tree.extra:
        name, form = line.split("\t")[:2]
        if "-" in name:
            last = min(int(name.partition("-")[2]), len(tree))
            if last > before:
                found.append((before, (last, form)))
    return found


def _with_ranges(
    gold: DepTree, other: DepTree, ours: list[Span], theirs: list[Span], ranges: list[Span]
) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < len(ours) and j < len(theirs):
        region = _region(ours[i], theirs[j], ranges)
        if region is None:
            if ours[i] == theirs[j]:
                pairs.append((i, j))
                i, j = i + 1, j + 1
            elif ours[i][0] <= theirs[j][0]:
                i += 1
            else:
                j += 1
            continue
        end_i, end_j, end = i, j, region
        while True:  # words on either side that reach into the region, and ranges that they touch
            while end_i < len(ours) and ours[end_i][0] < end:
                end = max(end, ours[end_i][1])
                end_i += 1
            while end_j < len(theirs) and theirs[end_j][0] < end:
                end = max(end, theirs[end_j][1])
                end_j += 1
            if (end_i == len(ours) or ours[end_i][0] >= end) and (
                end_j == len(theirs) or theirs[end_j][0] >= end
            ):
                break
        forms = ([w.lower() for w in gold.tokens[i:end_i]], [w.lower() for w in other.tokens[j:end_j]])
        pairs += [(i + a, j + b) for a, b in common_subsequence(*forms)]
        i, j = end_i, end_j
    return pairs


def _region(ours: Span, theirs: Span, ranges: list[Span]) -> int | None:
    """Return the end of a multiword token that covers one of two words, or None."""
    ends = [end for begin, end in ranges for span in (ours, theirs) if begin <= span[0] and span[1] <= end]
    return max(ends, default=None)
