"""References of the measures as BibTeX, from ``references.bib``."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from arbitree.study.result import Result
from arbitree.wording import listed

_FIELD = re.compile(r"^ +(\w+) *= \{(.*?)\},?$", re.MULTILINE | re.DOTALL)
_LETTERS = {r"\ae": "æ", r"\o": "ø"}
_ACCENTS = {"'": "\u0301", '"': "\u0308", "v": "\u030c"}  # as combining characters


@cache
def bibliography() -> dict[str, str]:
    """Return all entries of ``references.bib`` by key; entries are separated by blank lines."""
    text = Path(__file__).with_name("references.bib").read_text(encoding="utf-8")
    return {entry.partition("{")[2].partition(",")[0]: entry for entry in text.strip().split("\n\n")}


def bibtex(results: Sequence[Result]) -> list[str]:
    """Return the entries cited by the measures of *results*, each once."""
    return entries(key for result in results for key in result.references)


def entries(keys: Iterable[str]) -> list[str]:
    """Return the entries of *keys*, each once; an unknown key, as of a plug-in, is used as the entry itself.

    Example:
        >>> entries(["scott1955", "@misc{mine}"])[1]
        '@misc{mine}'
    """
    known = bibliography()
    return [known.get(key, key) for key in dict.fromkeys(keys)]


def short_references(keys: Iterable[str]) -> list[str]:
    """Return one line for every key: the authors, the year and the title.

    Example:
        >>> short_references(["scott1955"])
        ['Scott (1955): Reliability of content analysis: the case of nominal scale coding']
    """
    return [_short(entry) for entry in entries(keys)]


def authors_and_year(key: str) -> str:
    """Return how a text mentions a paper; an empty string for an entry without these fields.

    Example:
        >>> authors_and_year("skjaerholt2014"), authors_and_year("@misc{mine}")
        ('Skjærholt (2014)', '')
    """
    found = _short(entries([key])[0])
    return "" if found == key else found.partition(": ")[0]


def _short(entry: str) -> str:
    fields = {name: " ".join(text.split()) for name, text in _FIELD.findall(entry)}
    if not {"author", "year", "title"} <= set(fields):
        return entry
    names = [author.partition(",")[0] for author in fields["author"].split(" and ")]
    authors = f"{names[0]} et al." if len(names) > 3 else listed(names)
    return _without_tex(f"{authors} ({fields['year']}): {fields['title']}")


def _without_tex(text: str) -> str:
    """Return a text of BibTeX with letters instead of commands.

    Example:
        >>> _without_tex(r"S{\\o}gaard and Agi{\\'c}, {\\v{Z}}eljko")
        'Søgaard and Agić, Željko'
    """
    for command, letter in _LETTERS.items():
        text = text.replace(f"{{{command}}}", letter)
    text = re.sub(r"""\\(['"v])\{?(\w)""", lambda found: found[2] + _ACCENTS[found[1]], text)
    return unicodedata.normalize("NFC", re.sub(r"[{}]", "", text))
