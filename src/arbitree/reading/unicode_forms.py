"""Compare texts in one Unicode form: é is one character (NFC), or a letter and an accent (NFD).

Texts are changed only if annotators write the same word differently, so that the ids and words of all other
studies, and of projects that adjudicate them, stay as they are in the files.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from unicodedata import is_normalized, normalize

from arbitree.errors import FormatError
from arbitree.reading.content import Content
from arbitree.wording import count_of

_BETWEEN_WORDS = re.compile(r"[\x00-/:-@\[-`{-\x7f]+")  # all ASCII characters except letters and digits
Forms = dict[str, set[str]]  # the spellings of a word, by its composed form


def in_one_form(contents: Sequence[tuple[str, Content]]) -> tuple[list[Content], list[str]]:
    """Return the files with composed letters if two of one document write a word differently, and a warning.

    Example:
        >>> names = {"caf\\xe9.txt": "caf\\xe9", "cafe.txt": "cafe\\u0301"}
        >>> files = [("text", Content(path, word.encode())) for path, word in names.items()]
        >>> [each.text for each in in_one_form(files)[0]] == ["caf\\xe9", "caf\\xe9"]
        True
    """
    texts = [_text(content) for _, content in contents]
    composed = [is_normalized("NFC", text) for text in texts]
    unchanged = [content for _, content in contents]
    if all(composed) or not _differ(zip((document for document, _ in contents), texts, strict=True)):
        return unchanged, []
    found = [
        each if known else replace(each, data=normalize("NFC", text).encode(each.encoding))
        for each, text, known in zip(unchanged, texts, composed, strict=True)
    ]
    changed = [each.path for each, known in zip(unchanged, composed, strict=True) if not known]
    others = f" and {count_of(len(changed) - 1, 'other file')}" if len(changed) > 1 else ""
    return found, [f"{changed[0]}{others}: decomposed letters are compared as composed ones (Unicode NFC)"]


def names_in_one_form(texts: Iterable[str]) -> dict[str, str]:
    """Return the composed form (NFC) of each text that occurs in several Unicode forms.

    Example:
        >>> [text.encode() for text in names_in_one_form(["cafe", "caf\\xe9", "cafe\\u0301"]).values()]
        [b'caf\\xc3\\xa9', b'caf\\xc3\\xa9']
    """
    whole = set(texts)
    if "".join(whole).isascii():
        return {}
    odd = {text: normalize("NFC", text) for text in whole if not is_normalized("NFC", text)}
    forms: dict[str, list[str]] = defaultdict(list)
    for text, form in odd.items():
        forms[form].append(text)
    found = {form: [*texts, form] if form in whole else texts for form, texts in forms.items()}
    return {text: form for form, texts in found.items() if len(texts) > 1 for text in texts}


def _text(content: Content) -> str:
    """Return the text of a file; empty for XML, which may declare another encoding."""
    if content.data.isascii() or content.head.lstrip().startswith("<"):
        return ""
    try:
        return content.text
    except FormatError:  # for example a zip file
        return ""


def _differ(texts: Iterable[tuple[str, str]]) -> bool:
    """Return whether two texts of one document contain a word in different forms."""
    known: dict[str, Forms] = defaultdict(dict)
    for document, text in texts:
        before = known[document]
        for word, spelt in _forms(_BETWEEN_WORDS.split(text)).items():
            if before.setdefault(word, spelt) != spelt:
                return True
    return False


def _forms(words: Iterable[str]) -> Forms:
    """Return the spellings of all words with letters beyond ASCII."""
    found: Forms = defaultdict(set)
    for word in set(words):
        if not word.isascii():
            found[normalize("NFC", word)].add(word)
    return found
