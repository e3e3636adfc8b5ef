"""Signatures: the text that identifies a value, and the fingerprint of the annotations behind it.

A signature is ``HEAD|part:value|...|v:VERSION``. The head of a measure is what a user types after
``--measure``: ``alpha_norm:labelled=yes,size=nodes``. ``docs/signatures.md`` describes the parts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

import arbitree
from arbitree.errors import SignatureError
from arbitree.kinds.kind import Kind
from arbitree.study.grid import MISSING, Grid
from arbitree.study.study import Study

Hashes = NDArray[np.uint64]

DATA = 12  # hexadecimal digits of the fingerprint of the annotations
ROUNDS = 3  # of refinement; one tells annotators apart by their values, more by the values of the others
PARTNERS = 1_000_000  # pairs of annotations of an item, up to which partners are hashed
VERSION = "v"
AUTO = "auto"  # the value of an option that the annotations decide
SIGNIFICANT = 10  # digits of a value beside its signature
UNDEFINED = "undefined"
SETTINGS = ("chosen", "preset", "view", "column", "match", "format")  # in this order, before all others

_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
_ROLE = np.uint64(0x9E3779B97F4A7C15)
_SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31))
_RESERVED = re.compile(r"[|%\n\r\t]")
_QUOTED = re.compile(r"%([0-9A-F]{2})")


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature in its parts.

    Example:
        >>> found = Signature.parse("las:subtypes=keep|items:16|data:0123456789ab|v:0.1")
        >>> found.measure, found.options, found.parts["items"]
        ('las', {'subtypes': 'keep'}, '16')
        >>> print(found)
        las:subtypes=keep|items:16|data:0123456789ab|v:0.1
    """

    measure: str
    options: Mapping[str, str] = field(default_factory=dict)  # as they are typed
    parts: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> Signature:
        """Return the parts of *text*; raise SignatureError if it is not a signature."""
        head, *rest = text.strip().split("|")
        pairs = [part.partition(":") for part in rest]
        name, _, options = head.partition(":")
        typed = [part.partition("=") for part in filter(None, options.split(","))]
        broken = [part for part, mark, _ in (*pairs, *typed) if not (part and mark)]
        names = [part for part, _, _ in pairs], [part for part, _, _ in typed]
        twice = [part for each in names for part, count in Counter(each).items() if count > 1]
        if not name or not rest or broken or twice or rest[-1].partition(":")[0] != VERSION:
            what = f"{broken[0]!r} has no value" if broken else f"there is no version (|{VERSION}:...)"
            what = f"{twice[0]!r} occurs twice" if twice else what
            hint = "Copy one whole line that -v prints"
            raise SignatureError(
                f"this is not a signature: {what if name else 'there is no measure'}", hint=hint
            )
        return cls(
            name,
            {key: _unquoted(value) for key, _, value in typed},
            {key: _unquoted(value) for key, _, value in pairs},
        )

    @property
    def head(self) -> str:
        """The measure with its options, as it is typed after ``--measure``."""
        return typed(self.measure, self.options)

    def __str__(self) -> str:
        parts = [f"{key}:{_quoted(value)}" for key, value in self.parts.items()]
        return "|".join([_quoted(self.head), *parts])


def typed(name: str, options: Mapping[str, Any]) -> str:
    """Return a measure with its options as they are typed, by name; options without a value are omitted.

    Example:
        >>> typed("alpha_norm", {"size": "nodes", "labelled": True, "costs": None})
        'alpha_norm:labelled=yes,size=nodes'
    """
    shown = {key: option_text(value) for key, value in sorted(options.items())}
    given = ",".join(f"{key}={value}" for key, value in shown.items() if value)
    return f"{name}:{given}" if given else name


def option_text(value: Any) -> str:
    """Return the value of an option as it is typed; empty if it has none.

    Example:
        >>> option_text(True), option_text(0.5), option_text(None)
        ('yes', '0.5', '')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def signature(head: str, parts: Iterable[str]) -> str:
    """Return *head* and *parts* with the version at the end; settings of reading come first.

    Args:
        head: the measure with its options.
        parts: texts such as ``items:16``.
    Example:
        >>> signature("las", ["items:16", "format:conllu"]).startswith("las|format:conllu|items:16|v:")
        True
    """
    found = dict(part.partition(":")[::2] for part in parts)
    first = {key: found.pop(key) for key in SETTINGS if key in found}
    shown = {**first, **found, VERSION: arbitree.__version__}
    return "|".join([_quoted(head), *(f"{key}:{_quoted(value)}" for key, value in shown.items())])


def with_parts(signed: str, *parts: str) -> str:
    """Return a signature with more parts, such as ``preset:evalb``.

    Example:
        >>> with_parts("las|items:16|v:0.1", "preset:conll18").startswith("las|preset:conll18|items:16|v:")
        True
        >>> with_parts("explain|items:13|v:0.1", "words:a|b").startswith("explain|items:13|words:a%7Cb|v:")
        True
    """
    head, *kept, _ = map(_unquoted, signed.split("|"))
    return signature(head, [*kept, *parts])


def citation(value: float | None, signed: str) -> str:
    """Return a value with its signature on one line, to copy into a paper or to ``--verify``.

    Example:
        >>> citation(0.123456789012, "las|v:0.1"), citation(None, "las|v:0.1")
        ('0.1234567890 las|v:0.1', 'undefined las|v:0.1')
    """
    return f"{UNDEFINED if value is None else format(value, f'#.{SIGNIFICANT}g')} {signed}"


def _quoted(text: str) -> str:
    return _RESERVED.sub(lambda found: f"%{ord(found[0]):02X}", text)


def _unquoted(text: str) -> str:
    return _QUOTED.sub(lambda found: chr(int(found[1], 16)), text)


def study_parts(study: Study[Any], kind: Kind[Any]) -> list[str]:
    """Return the parts that describe a study: the settings of reading, its annotators and its fingerprint."""
    data = Fingerprints(study, kind).data()
    return [*study.settings, f"coders:{len(study.coders)}", f"data:{data}"]


class Fingerprints:
    """Fingerprints of the annotations of one study; everything is hashed once.

    The fingerprint is a hash of the sorted hashes of all items. The hash of an item contains what a measure
    sees of its annotations, and a hash of each annotator, which contains all that the annotator did and
    whether it is the gold standard. Names and order of items, annotators and documents are left out.
    """

    def __init__(self, study: Study[Any], kind: Kind[Any]) -> None:
        self.study = study
        self.kind = kind
        self._hashed: dict[str, Hashes] = {}
        self._known: dict[tuple[str, ...], Hashes] = {}

    def data(self, aspects: Sequence[str] = ()) -> str:
        """Return the fingerprint of the annotations.

        Args:
            aspects: names among ``Kind.aspects`` (default, also if the kind has none of them: ``Kind.seen``).
        """
        return self._digest(np.sort(self._items(aspects)))

    def order(self, aspects: Sequence[str] = ()) -> str:
        """Return a hash of the order of the items, on which random samples depend."""
        return self._digest(self._items(aspects))[:8]

    def _digest(self, items: Hashes) -> str:
        return blake2b(items.astype("<u8").tobytes(), digest_size=DATA // 2).hexdigest()

    def _items(self, aspects: Sequence[str]) -> Hashes:
        known = tuple(each for each in aspects if each in self.kind.aspects)  # other kinds have other ones
        key = known or self.kind.seen
        if key not in self._known:
            self._known[key] = self._refined(key)
        return self._known[key]

    def _refined(self, aspects: tuple[str, ...]) -> Hashes:
        rows, columns, places, _ = self._cells
        hashes = np.repeat(_text_hashes(["|".join(aspects)]), len(self._cells[3]))
        for aspect in aspects:
            hashes = mixed(hashes + self._of(aspect))
        values = hashes[places]
        gold = np.zeros(len(self.study.coders), dtype=np.uint64)
        if self.study.reference is not None:
            gold[self.study.coders.index(self.study.reference)] = _ROLE
        items = _sums(rows, values, len(self.study.items))
        for _ in range(ROUNDS):
            coders = mixed(_sums(columns, mixed(values + mixed(items[rows])), len(gold)) + gold)
            items = _sums(rows, mixed(values + coders[columns]), len(items))
        counts = np.bincount(rows, minlength=len(items))
        if np.any((counts > 0) & (counts < len(gold))):  # otherwise, all pairs share all items
            coders = mixed(coders + _partners(rows, columns, values + coders[columns], len(gold)))
            items = _sums(rows, mixed(values + coders[columns]), len(items))
        return items[counts > 0]

    def _of(self, aspect: str) -> Hashes:
        """Return the hashes of one aspect of all values."""
        if aspect not in self._hashed:
            read = self.kind.aspects[aspect]
            self._hashed[aspect] = _text_hashes(map(read, self._cells[3]))
        return self._hashed[aspect]

    @cached_property
    def _cells(self) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp], Sequence[Any]]:
        """Item, annotator and value of every annotation, as indices, and the values."""
        cells = self.study.cells
        if isinstance(cells, Grid):
            rows, columns = np.nonzero(cells.codes != MISSING)
            return rows, columns, cells.codes[rows, columns].astype(np.intp), cells.distinct
        item = {each.id: row for row, each in enumerate(self.study.items)}
        coder = {each: column for column, each in enumerate(self.study.coders)}
        found = [(item[key[0]], coder[key[1]]) for key in cells]
        rows, columns = np.array(found, dtype=np.intp).reshape(-1, 2).T
        return rows, columns, np.arange(len(found)), [cell.value for cell in cells.values()]


def _partners(rows: NDArray[np.intp], columns: NDArray[np.intp], values: Hashes, count: int) -> Hashes:
    """Return a hash of each annotator's partners: of what both did to the items that they share.

    Refinement alone does not tell two pairs that share two items each from four pairs that share one.
    """
    shared = np.bincount(rows)
    if int(shared @ (shared - 1)) > PARTNERS:
        return np.zeros(count, dtype=np.uint64)
    order = np.argsort(rows, kind="stable")
    rows, columns, values = rows[order], columns[order], mixed(values[order])
    pairs, seen = [np.empty(0, dtype=np.intp)], [np.empty(0, dtype=np.uint64)]
    for step in range(1, int(shared.max(initial=0))):
        first = np.flatnonzero(rows[step:] == rows[:-step])
        for one, other in ((first, first + step), (first + step, first)):
            pairs.append(columns[one] * count + columns[other])
            seen.append(mixed(values[one] + mixed(values[other])))
    found, places = np.unique(np.concatenate(pairs), return_inverse=True)
    return _sums(found // count, mixed(_sums(places, np.concatenate(seen), len(found))), count)


def _text_hashes(texts: Iterable[str]) -> Hashes:
    """Return a number of 64 bits for each text, the same in every run and on every machine."""
    every = list(texts)
    digests = {
        text: blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest() for text in set(every)
    }
    return np.frombuffer(b"".join(map(digests.__getitem__, every)), dtype="<u8").astype(np.uint64)


def mixed(hashes: Hashes) -> Hashes:
    """Return other numbers of 64 bits, one for each, so that sums of them tell sets apart.

    Reference:
        Steele, Lea and Flood (2014), SplitMix64.
    """
    hashes = (hashes ^ (hashes >> _SHIFTS[0])) * _MIX[0]
    hashes = (hashes ^ (hashes >> _SHIFTS[1])) * _MIX[1]
    found: Hashes = hashes ^ (hashes >> _SHIFTS[2])
    return found


def _sums(groups: NDArray[np.intp], hashes: Hashes, count: int) -> Hashes:
    """Return the sum of the hashes in each group, modulo 2 to the power of 64."""
    found = np.zeros(count, dtype=np.uint64)
    np.add.at(found, groups, hashes)
    return found
