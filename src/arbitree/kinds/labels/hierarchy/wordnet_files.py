"""Read the files of a WordNet database as a hierarchy whose tags are sense keys.

A synset is a node, and the sense keys of its words are its tags. Its children are its hyponyms and
instances. Adjectives and adverbs have neither, so each is a leaf. Only the synsets that a study needs are
read, because the files contain the byte offset of each synset.

Reference:
    Fellbaum (1998); the manual pages wndb(5WN) and senseidx(5WN).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from arbitree.errors import FormatError, Source
from arbitree.files import note_input
from arbitree.kinds.labels.hierarchy.hierarchy import Hierarchy, nearest
from arbitree.reading.guard import guarded
from arbitree.reading.limits import read_bytes
from arbitree.reading.side_files import signed_name

PARTS = {"1": "noun", "2": "verb", "3": "adj", "4": "adv", "5": "adj"}  # by the digit in a sense key
DIGITS = {"n": "1", "v": "2", "a": "3", "r": "4", "s": "5"}  # by the type of a synset
DOWN = ("~", "~i")
SIMILAR = "&"

Place = tuple[str, int]  # part of speech, byte offset of the synset


@dataclass(frozen=True, slots=True)
class Synset:
    """The fields of a line of a data file that are used."""

    keys: tuple[str, ...]
    children: tuple[Place, ...]


@dataclass(frozen=True)
class WordNet:
    """A WordNet database in a directory, such as Debian's ``/usr/share/wordnet``."""

    path: str

    @property
    def name(self) -> str:
        """The directory."""
        return self.path

    def over(self, tags: Collection[str], *, whole: bool = False) -> Hierarchy:
        """Return the hierarchy below *tags*; with *whole*, of all synsets of their parts of speech."""
        with guarded(self.path):
            for path in _files(self.path):
                note_input(path)
            return self._over(tags, whole)

    def _over(self, tags: Collection[str], whole: bool) -> Hierarchy:
        starts = {tag: place for tag in tags if (place := self.find(tag))}
        parts = {place[0] for place in starts.values()}
        waiting = [place for part in sorted(parts) for place in self._every(part)] if whole else []
        waiting += starts.values()
        found: dict[Place, Synset] = {}
        while waiting:
            place = waiting.pop()
            if place not in found:
                found[place] = self._synset(place)
                waiting += found[place].children
        links = {
            (synset.keys[0], found[child].keys[0]): None
            for synset in found.values()
            for child in synset.children
        }
        synonyms = {key: synset.keys[0] for synset in found.values() for key in synset.keys}
        return Hierarchy.of_links(
            links, (synset.keys[0] for synset in found.values()), synonyms=synonyms, name=self.path
        )

    def find(self, tag: str) -> Place | None:
        """Return the part of speech and offset of the synset with the sense key *tag*, or None."""
        lemma, _, rest = tag.partition("%")
        part = PARTS.get(rest[:1], "")
        if not part or not self._has(part):
            return None
        with guarded(self.path):
            return next((each for each in self._places(lemma, part) if tag in self._synset(each).keys), None)

    def gloss(self, tag: str) -> str:
        """Return the definition of the sense key *tag*, without examples; "" if it is unknown."""
        place = self.find(tag)
        if place is None:
            return ""
        part, offset = place
        data = _text(self.path, f"data.{part}")
        line = data[offset : data.find(b"\n", offset)].decode("utf-8", "replace")
        return line.partition(" | ")[2].partition('; "')[0].strip()

    def nearest(self, tag: str) -> str | None:
        """Return the sense key that is most similar to *tag*: of the same word, or of a similar word."""
        lemma = tag.partition("%")[0]
        keys = self._keys(lemma)
        if not keys:
            lemmas = {each for part in set(PARTS.values()) if self._has(part) for each in self._lemmas(part)}
            close = nearest(lemma, lemmas)
            keys = self._keys(close) if close else []
        return nearest(tag, keys) or (keys[0] if keys else None)

    def __str__(self) -> str:
        return _signed(self.path)

    def _has(self, part: str) -> bool:
        return Path(self.path, f"data.{part}").is_file()

    def _keys(self, lemma: str) -> list[str]:
        places = (
            place
            for part in ("noun", "verb", "adj", "adv")
            if self._has(part)
            for place in self._places(lemma, part)
        )
        return [key for place in places for key in self._synset(place).keys if key.partition("%")[0] == lemma]

    def _lemmas(self, part: str) -> Iterable[str]:
        return re.findall(
            r"^(\S+) [nvar] ", _text(self.path, f"index.{part}").decode("latin-1"), re.MULTILINE
        )

    def _places(self, lemma: str, part: str) -> list[Place]:
        """Return the synsets of *lemma*; the last numbers of its line in the index are their offsets."""
        index = _text(self.path, f"index.{part}")
        start = index.find(f"\n{lemma} ".encode())
        if start < 0 or not lemma or " " in lemma:
            return []
        fields = index[start + 1 : index.find(b"\n", start + 1)].split()
        try:
            return [(part, int(offset)) for offset in fields[-int(fields[2]) :]]
        except (IndexError, ValueError):
            line = index.count(b"\n", 0, start + 1) + 1
            raise _damaged(self.path, f"index.{part}", line) from None

    def _every(self, part: str) -> Iterator[Place]:
        data = _text(self.path, f"data.{part}")
        return ((part, match.start()) for match in re.finditer(rb"^\d{8} ", data, re.MULTILINE))

    def _synset(self, place: Place) -> Synset:
        part, offset = place
        data = _text(self.path, f"data.{part}")
        line = data[offset : data.find(b"\n", offset)]
        try:
            if int(line[:8]) != offset:
                raise ValueError(offset)
            found = self._parsed(line.partition(b" | ")[0].decode().split(" "))
            if not found.keys:
                raise ValueError(offset)
            return found
        except (IndexError, KeyError, ValueError):
            raise _damaged(self.path, f"data.{part}", data.count(b"\n", 0, offset) + 1) from None

    def _parsed(self, fields: list[str]) -> Synset:
        """Parse offset, file, type, number of words, words, number of pointers, pointers."""
        words, rest = _words(fields)
        count = int(rest[0])
        if not words or len(rest) <= 4 * count:
            raise ValueError("a synset has words, and as many pointers as it says")
        pointers = [rest[1 + 4 * k : 5 + 4 * k] for k in range(count)]
        children = [
            (PARTS[DIGITS[kind]], int(offset)) for symbol, offset, kind, _ in pointers if symbol in DOWN
        ]
        head = ":"
        if fields[2] == "s":  # a satellite's keys end in the first word of the head that it is similar to
            (_, offset, kind, _), *_ = [each for each in pointers if each[0] == SIMILAR]
            data = _text(self.path, f"data.{PARTS[DIGITS[kind]]}")
            above = data[int(offset) : data.find(b"\n", int(offset))].decode().split(" ")
            head = ":".join(_words(above)[0][0])
        keys = tuple(f"{word}%{DIGITS[fields[2]]}:{fields[1]}:{number}:{head}" for word, number in words)
        return Synset(keys, tuple(dict.fromkeys(children)))


@cache
def _signed(folder: str) -> str:
    """Return the name of the database with a hash of its files."""
    hashes = [(path.name, sha256(read_bytes(path)).hexdigest()) for path in _files(folder)]
    return signed_name(folder, hashes)


def _files(folder: str) -> list[Path]:
    return sorted(path for part in ("data", "index") for path in Path(folder).glob(f"{part}.*"))


def _words(fields: list[str]) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the words with their numbers as in sense keys, and the fields after them."""
    count = int(fields[3], 16)
    words = [
        (re.sub(r"\((?:a|p|ip)\)$", "", fields[4 + 2 * k]).lower(), f"{int(fields[5 + 2 * k], 16):02}")
        for k in range(count)
    ]
    return words, fields[4 + 2 * count :]


@cache
def _text(folder: str, name: str) -> bytes:
    try:
        return read_bytes(Path(folder, name))
    except OSError as error:
        source = Source(str(Path(folder, name)))
        hint = "Pass a complete WordNet database"
        raise FormatError(f"cannot read the file ({error.strerror})", source, hint=hint) from None


def _damaged(folder: str, name: str, line: int) -> FormatError:
    hint = "Install the database again, because its files do not match"
    source = Source(str(Path(folder, name)), line)
    return FormatError("the line does not match the index of the WordNet database", source, hint=hint)
