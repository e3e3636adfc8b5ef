"""Detect the format of a file from its content."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from arbitree import plugins
from arbitree.errors import FormatError, Source
from arbitree.reading.content import Content

CERTAIN = 0.9


def detect(contents: Sequence[Content]) -> list[str | None]:
    """Return the name of the format of each content, or None if it is unknown.

    If several formats are possible, one that is certain for another file of the study is preferred. For
    example, one-word trees look the same with words and without.

    Example:
        >>> plain = Content("a", b"1\\tGo\\t_\\tVERB\\t_\\t_\\t0\\troot\\t_\\t_\\n")
        >>> telling = Content("b", b"# sent_id = b1\\n" + plain.data)
        >>> detect([plain, telling])
        ['conllu', 'conllu']
    """
    usual = [_by_suffix(content) for content in contents]
    if all(usual):
        return list(usual)
    formats = plugins.plugins("formats")
    scores = [{name: each.sniff(content) for name, each in formats.items()} for content in contents]
    certain = {name for found in scores for name, score in found.items() if score >= CERTAIN}
    return [_best(found, certain) for found in scores]


def _by_suffix(content: Content) -> str | None:
    """Return a format with this file extension that is certain about the content, or None."""
    suffix = Path(content.path.removesuffix(".gz")).suffix
    if not suffix:
        return None
    for name, each in plugins.plugins("formats").items():
        if suffix in each.suffixes and each.sniff(content) == 1:
            return name
    return None


def unknown_format(content: Content) -> FormatError:
    """Return the error for a file whose format is unknown."""
    hint = "Set it with --format; run 'arbitree list formats' to see the choices"
    return FormatError("cannot detect the file format", Source(content.path, 1), hint=hint)


def _best(scores: dict[str, float], certain: set[str]) -> str | None:
    best = max(scores, key=lambda name: scores[name])
    if scores[best] == 0:
        return None
    if scores[best] < CERTAIN:
        likely = [name for name in sorted(certain) if scores[name] > 0]
        if likely:
            return max(likely, key=lambda name: scores[name])
    return best
