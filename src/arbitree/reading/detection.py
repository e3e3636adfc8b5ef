"""Detect the format of a file from its content."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from arbitree import plugins
from arbitree.errors import FormatError, Source
from arbitree.reading.content import Content
from arbitree.reading.foreign import foreign_format
from arbitree.reading.guard import guarded
from arbitree.reading.workbooks import is_workbook

CERTAIN = 0.9
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")  # characters that texts do not contain
LEAD = 0.15  # a guess must be more likely than the next one by this much


def detect(contents: Sequence[Content]) -> list[str | None]:
    """Return the name of the format of each content, or None if Arbitree does not read it.

    If several formats are possible, one that is certain for another file of the study is preferred. For
    example, one-word trees look the same with words and without. Otherwise the file extension decides
    between two formats that are about equally likely.

    Raises:
        FormatError: If two formats are about equally likely, and the file extension belongs to neither.

    Example:
        >>> plain = Content("a", b"1\\tGo\\t_\\tVERB\\t_\\t_\\t0\\troot\\t_\\t_\\n")
        >>> telling = Content("b", b"# sent_id = b1\\n" + plain.data)
        >>> detect([plain, telling])
        ['conllu', 'conllu']
    """
    named = [_named_like_suffix(content) for content in contents]
    if all(named):
        return list(named)
    possible = [_possible(content) for content in contents]
    usual = [_by_suffix(content, names) for content, names in zip(contents, possible, strict=True)]
    if all(usual):
        return list(usual)
    scores = [_scores(content, names) for content, names in zip(contents, possible, strict=True)]
    certain = {name for found in scores for name, score in found.items() if score >= CERTAIN}
    return [_best(content, found, certain) for content, found in zip(contents, scores, strict=True)]


def unknown_format(content: Content) -> FormatError:
    """Return the error for a file whose format is unknown, or known but not read."""
    source = Source(content.path, 1)
    foreign = foreign_format(content)
    if foreign is not None:
        what = f"this looks like {foreign.name}, which Arbitree does not read"
        return FormatError(what, source, hint=foreign.hint)
    if content.encoding == "utf-8" and _is_binary(content.data):
        hint = (
            "Export the annotations in one of the formats that 'arbitree list formats' shows; "
            "if the file is text in another encoding, set --encoding"
        )
        return FormatError("this is not a text file", Source(content.path), hint=hint)
    hint = "Set it with --format; run 'arbitree list formats' to see the choices"
    if is_workbook(content.path):
        others = [note.removeprefix(f"{content.path}: ") for note in content.notes]
        hint = "; ".join(["The sheet needs a table with a header, such as item, coder, label", *others])
    return FormatError("cannot detect the file format", source, hint=hint)


def _is_binary(data: bytes) -> bool:
    """Return whether *data* are those of a PDF file, or not UTF-8 and with control characters.

    Texts in other encodings, such as Latin-1, have no control characters.

    Example:
        >>> _is_binary(b"%PDF-1.7"), _is_binary(b"\\x89PNG\\x00\\xff"), _is_binary("Bjørn".encode("latin-1"))
        (True, True, False)
    """
    if b"\0" in data or data.startswith(b"%PDF-"):
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return _CONTROL.search(data) is not None
    return False


def _possible(content: Content) -> list[str]:
    """Return the formats to try: all, or those of other packages if Arbitree does not read the file."""
    names = list(plugins.plugins("formats"))
    if foreign_format(content) is None:
        return names
    own = plugins.plugins_in("arbitree.formats")
    return [name for name in names if name not in own]


def _scores(content: Content, names: Iterable[str]) -> dict[str, float]:
    """Return how likely each format is, without those that are impossible."""
    with guarded(content.path):
        found = {name: plugins.get("formats", name).sniff(content) for name in names}
    return {name: score for name, score in found.items() if score > 0}


def _named_like_suffix(content: Content) -> str | None:
    """Return the format whose name is the file extension if it is certain; other formats are not imported.

    Such a format is also the first one with this extension, so ``_by_suffix`` would return it.
    """
    name = _suffix(content).removeprefix(".")
    reader = plugins.in_own_module("formats", name)
    if reader is None or f".{name}" not in reader.suffixes or foreign_format(content) is not None:
        return None
    with guarded(content.path):
        return name if reader.sniff(content) == 1 else None


def _by_suffix(content: Content, names: Iterable[str]) -> str | None:
    """Return a format with this file extension that is certain about the content, or None."""
    with guarded(content.path):
        usual = _with_suffix(content, names)
        return next((name for name in usual if plugins.get("formats", name).sniff(content) == 1), None)


def _with_suffix(content: Content, names: Iterable[str]) -> list[str]:
    """Return the formats among *names* that have the extension of this file."""
    suffix = _suffix(content)
    return [name for name in names if suffix and suffix in plugins.get("formats", name).suffixes]


def _suffix(content: Content) -> str:
    return Path(content.file.removesuffix(".gz")).suffix


def _best(content: Content, scores: dict[str, float], certain: set[str]) -> str | None:
    """Return the most likely format, None if there is none; raise FormatError for an even choice."""
    ranked = sorted(scores, key=lambda name: scores[name], reverse=True)
    if not ranked:
        return None
    if scores[ranked[0]] < CERTAIN:
        ranked = [name for name in ranked if name in certain] or ranked
    near = [name for name in ranked if scores[ranked[0]] - scores[name] < LEAD]
    if scores[ranked[0]] == 1:  # certain, unless another one is certain, too
        near = [name for name in near if scores[name] == 1]
    near = _with_suffix(content, near) or near
    if len(near) > 1:
        hint = f"Set --format {near[0]} or --format {near[1]}"
        what = f"the file could be {near[0]} or {near[1]}"
        raise FormatError(what, Source(content.path, 1), hint=hint)
    return near[0]
