"""References of the measures as BibTeX, from ``references.bib``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from arbitree.study.result import Result


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
