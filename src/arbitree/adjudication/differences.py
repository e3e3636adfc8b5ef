"""Where coders differ, place by place, and what is confused with what.

A place is what one decision is about: the head or the label of a token, a bracket over some tokens, the tag
of a token, or an item that was labelled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from arbitree.errors import UnsupportedStudy
from arbitree.kinds.dependency.measures.arc_pairs import coarse_tags
from arbitree.kinds.dependency.value import DepTree
from arbitree.kinds.labels.value import Label, Tags
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.kinds.phrase.views import phrase_labels, phrase_tags
from arbitree.study.result import Ignored, Table
from arbitree.study.study import Annotation, Study

HEAD, LABEL, BRACKET, TAG = "head", "label", "bracket", "tag"  # what is contested
NO_BRACKET = "(none)"
ROOT = "ROOT"
LEFT, RIGHT = "to the left", "to the right"  # of heads, where words have no parts of speech
AROUND = 6  # words on either side of a place that show where it stands
EXAMPLES = 3  # places kept for each confusion

Values = tuple[str | None, ...]  # by coder; None: the coder has not done the item


@dataclass(frozen=True, slots=True)
class Contested:
    """One place on which coders differ."""

    item: str
    place: str  # number of a token, or first-last; "" for a whole item
    what: str
    words: str
    values: Values
    context: str = ""
    source: str = ""  # where the first coder has it

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from all others."""
        return self.item, self.place, self.what

    @property
    def choices(self) -> tuple[str, ...]:
        """The different values, in the order of the coders."""
        return tuple(dict.fromkeys(value for value in self.values if value is not None))


@dataclass(slots=True)
class Confusion:
    """How often two coders give two values to one place; every pair of coders counts once."""

    agreed: Counter[str] = field(default_factory=Counter)
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)  # of names in order
    examples: dict[tuple[str, str], list[tuple[str, str]]] = field(default_factory=dict)  # item, words

    @property
    def pairs(self) -> int:
        """All pairs of values, equal ones included."""
        return self.agreed.total() + self.counts.total()

    def table(self) -> Table:
        """Return the pairs that are confused, the most frequent first."""
        rows = sorted(self.counts.items(), key=lambda entry: (-entry[1], entry[0]))
        return Table(
            ("label", "other", "count", "share", "of the two"),
            tuple((*pair, count, count / self.pairs, self._rate(pair, count)) for pair, count in rows),
        )

    def add(self, names: Sequence[str], given: Sequence[Any], item: str, words: str) -> None:
        """Count the pairs of one contested place: *names* are confused where what is *given* differs."""
        for one, two in combinations(range(len(names)), 2):
            if given[one] == given[two]:
                self.agreed[names[one]] += 1
                continue
            pair = (min(names[one], names[two]), max(names[one], names[two]))
            self.counts[pair] += 1
            known = self.examples.setdefault(pair, [])
            if len(known) < EXAMPLES and (item, words) not in known:
                known.append((item, words))

    def _rate(self, pair: tuple[str, str], count: int) -> float:
        """Return the share of the pair among the pairs of coders where each says one of the two."""
        agreed = sum(self.agreed[name] for name in set(pair))
        return count / (agreed + count)


@dataclass(slots=True)
class Disagreements:
    """All contested places of a study, and what is confused with what."""

    coders: tuple[str, ...]
    places: list[Contested] = field(default_factory=list)
    agreed: dict[str, list[int]] = field(default_factory=dict)  # by what: for every coder, and in all
    confusions: dict[str, Confusion] = field(default_factory=dict)  # labels, attachments, tags
    ignored: list[Ignored] = field(default_factory=list)

    def count(self, what: str) -> tuple[int, int]:
        """Return how many places of a kind are contested and how many were compared."""
        own = sum(place.what == what for place in self.places)
        return own, own + self.agreed.get(what, [0])[-1]

    @property
    def kinds(self) -> tuple[str, ...]:
        """What was compared."""
        return tuple(self.agreed)


def disagreements(study: Study[Any]) -> Disagreements:
    """Return every place on which coders of *study* differ.

    Args:
        study: of trees or labels. Sentences in which coders differ in the number of tokens are left out.
    Example:
        >>> from arbitree.api.read import read
        >>> found = disagreements(read("examples/dependency/ann.conllu", "examples/dependency/bob.conllu"))
        >>> found.places[0].what in found.kinds
        True
    """
    takers: dict[Any, Callable[[_Collector, list[Annotation[Any]]], None]] = {
        DepTree: _Collector.dependencies,
        PhraseTree: _Collector.phrases,
        Label: _Collector.labels,
        Tags: _Collector.labels,
    }
    take = takers.get(study.value_type)
    if take is None:
        kind = getattr(study.value_type, "kind", study.value_type.__name__)
        what = f"{kind} annotations have no places that are decided one by one"
        raise UnsupportedStudy(what, hint="Give trees or labels; for profiles use 'arbitree tsdb'")
    collector = _Collector(study)
    for item, cells in study:
        full = [cell for cell in cells if len(cell.value)]
        if len(full) < 2:
            continue
        lengths = {len(cell.value) for cell in full}
        if len(lengths) > 1 and study.value_type is not Tags:
            what = ", ".join(f"{cell.coder} {len(cell.value)}" for cell in full)
            collector.found.ignored.append(Ignored(item.id, "token_mismatch", f"tokens: {what}"))
            continue
        take(collector, full)
    return collector.found


class _Collector:
    """Disagreements while they are gathered."""

    def __init__(self, study: Study[Any]) -> None:
        self.numbers = {coder: number for number, coder in enumerate(study.coders)}
        self.found = Disagreements(study.coders)

    def dependencies(self, cells: list[Annotation[DepTree]]) -> None:
        tokens, who = cells[0].value.tokens, [self.numbers[cell.coder] for cell in cells]
        labels, attachments = self._confusion("labels"), self._confusion("attachments")
        tags = coarse_tags(cells[0].value)
        heads = list(zip(*(cell.value.heads for cell in cells), strict=True))
        relations = list(zip(*(cell.value.relations for cell in cells), strict=True))
        for token, (above, said) in enumerate(zip(heads, relations, strict=True), start=1):
            kinds = [_kind(head, token, tags) for head in above]
            if self._agree(HEAD, above, who):
                attachments.agreed[kinds[0]] += _pairs(len(who))
            else:
                attachments.add(kinds, above, cells[0].item.id, tokens[token - 1])
                names = [f"{head} {tokens[head - 1]}" if head else "0 root" for head in above]
                self._contest(HEAD, cells, (token, token), names)
            if self._agree(LABEL, said, who):
                labels.agreed[said[0]] += _pairs(len(who))
            else:
                labels.add(said, said, cells[0].item.id, tokens[token - 1])
                self._contest(LABEL, cells, (token, token), said)

    def phrases(self, cells: list[Annotation[PhraseTree]]) -> None:
        for what, title, take in ((BRACKET, "labels", phrase_labels), (TAG, "tags", phrase_tags)):
            confusion = self._confusion(title)
            said = [{name: str(value) for name, value in take(cell.value)} for cell in cells]
            who = [self.numbers[cell.coder] for cell in cells]
            for name in sorted(set().union(*said), key=_order):
                values = [own.get(name, NO_BRACKET) for own in said]
                if self._agree(what, values, who):
                    confusion.agreed[values[0]] += _pairs(len(who))
                    continue
                first, last = _order(name)[0], int(name.replace(",", "-").split("-")[-1])
                words = self._contest(what, cells, (first, last), values, name)
                confusion.add(values, values, cells[0].item.id, words)

    def labels(self, cells: list[Annotation[Any]]) -> None:
        values = [str(cell.value) for cell in cells]
        confusion = self._confusion("labels")
        if self._agree(LABEL, values, [self.numbers[cell.coder] for cell in cells]):
            confusion.agreed[values[0]] += _pairs(len(values))
            return
        item = cells[0].item.id
        confusion.add(values, values, item, "")
        row = self._row(cells, values)
        self.found.places.append(Contested(item, "", LABEL, "", row, "", _source(cells)))

    def _agree(self, what: str, values: Sequence[Any], who: Sequence[int]) -> bool:
        """Return whether all say the same, which is counted for each of them."""
        counts = self.found.agreed.setdefault(what, [0] * (len(self.numbers) + 1))
        if any(value != values[0] for value in values):
            return False
        for coder in who:
            counts[coder] += 1
        counts[-1] += 1
        return True

    def _contest(
        self,
        what: str,
        cells: list[Annotation[Any]],
        span: tuple[int, int],
        values: Sequence[str],
        name: str = "",
    ) -> str:
        """Note a place from the first to the last token, from 1; return its words."""
        words, context = in_context(cells[0].value.tokens, *span)
        row = self._row(cells, values)
        place = name or str(span[0])
        self.found.places.append(
            Contested(cells[0].item.id, place, what, words, row, context, _source(cells))
        )
        return words

    def _row(self, cells: list[Annotation[Any]], values: Sequence[str]) -> Values:
        row: list[str | None] = [None] * len(self.numbers)
        for cell, value in zip(cells, values, strict=True):
            row[self.numbers[cell.coder]] = value
        return tuple(row)

    def _confusion(self, title: str) -> Confusion:
        return self.found.confusions.setdefault(title, Confusion())


def _kind(head: int, token: int, tags: Sequence[str]) -> str:
    """Return what a head is: its part of speech, or on which side it stands if it has none."""
    if not head:
        return ROOT
    tag = tags[head - 1]
    return tag if tag != "_" else LEFT if head < token else RIGHT


def _pairs(count: int) -> int:
    return count * (count - 1) // 2


def _order(name: str) -> tuple[int, ...]:
    return tuple(int(part) for run in name.split(",") for part in run.split("-"))


def in_context(tokens: Sequence[str], first: int, last: int) -> tuple[str, str]:
    """Return the words from the first to the last token, from 1, and the same with those around them.

    Example:
        >>> in_context(("the", "dog", "barks"), 2, 2)
        ('dog', 'the [dog] barks')
    """
    words = _short(tokens[first - 1 : last])
    left, right = tokens[max(0, first - 1 - AROUND) : first - 1], tokens[last : last + AROUND]
    return words, " ".join([*left, f"[{words}]", *right])


def _short(words: Sequence[str]) -> str:
    """Return *words*, the middle of many left out."""
    return " ".join(words if len(words) <= 8 else (*words[:4], "…", *words[-3:]))


def _source(cells: Sequence[Annotation[Any]]) -> str:
    return str(cells[0].source or "")
