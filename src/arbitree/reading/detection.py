"""Which format a file is in, by its content."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from arbitree import plugins
from arbitree.errors import FormatError, Source
from arbitree.reading.content import Content

CERTAIN = 0.9


def detect(contents: Sequence[Content]) -> list[str | None]:
    """Return the name of the format of each content; None where no format knows it.

    A file that could be one thing or another is taken for what other files of the study certainly are:
    one-word trees, for instance, look the same with words and without.

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
    """Return a format that has files of this ending and is certain of this one; None if there is no such."""
    suffix = Path(content.path.removesuffix(".gz")).suffix
    if not suffix:
        return None
    for name, each in plugins.plugins("formats").items():
        if suffix in each.suffixes and each.sniff(content) == 1:
            return name
    return None


def unknown_format(content: Content) -> FormatError:
    """Return the error for a file that no format knows."""
    hint = "Name it with --format; 'arbitree list formats' shows which there are"
    return FormatError("cannot tell the format of this file", Source(content.path, 1), hint=hint)


def _best(scores: dict[str, float], certain: set[str]) -> str | None:
    best = max(scores, key=lambda name: scores[name])
    if scores[best] == 0:
        return None
    if scores[best] < CERTAIN:
        likely = [name for name in sorted(certain) if scores[name] > 0]
        if likely:
            return max(likely, key=lambda name: scores[name])
    return best
