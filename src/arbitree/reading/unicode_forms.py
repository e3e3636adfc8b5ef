"""Compare texts in one Unicode form: é is one character (NFC) or a letter and an accent (NFD)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from unicodedata import is_normalized, normalize

from arbitree.errors import FormatError
from arbitree.reading.content import Content
from arbitree.wording import count_of


def in_one_form(contents: Sequence[Content]) -> tuple[list[Content], list[str]]:
    """Return *contents* with composed letters if they have different Unicode forms, and a warning then.

    Files that all have the same form stay as they are.

    Example:
        >>> first, second = (Content(f"{form}.txt", f"caf{form}".encode()) for form in ("\\xe9", "e\\u0301"))
        >>> [each.text for each in in_one_form([first, second])[0]] == ["caf\\xe9", "caf\\xe9"]
        True
    """
    texts = [_text(each) for each in contents]
    composed = [is_normalized("NFC", text) for text in texts]
    if all(composed) or all(is_normalized("NFD", text) for text in texts):
        return list(contents), []
    found = [
        each if known else replace(each, data=normalize("NFC", text).encode(each.encoding))
        for each, text, known in zip(contents, texts, composed, strict=True)
    ]
    changed = [each.path for each, known in zip(contents, composed, strict=True) if not known]
    others = f" and {count_of(len(changed) - 1, 'other file')}" if len(changed) > 1 else ""
    return found, [f"{changed[0]}{others}: decomposed letters are compared as composed ones (Unicode NFC)"]


def _text(content: Content) -> str:
    """Return the text of a file; empty for XML, which may declare another encoding."""
    if content.data.isascii() or content.head.lstrip().startswith("<"):
        return ""
    try:
        return content.text
    except FormatError:  # for example a zip file
        return ""
