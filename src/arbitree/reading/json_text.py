"""Decode JSON from outside: values that the rest of the program cannot process are refused here."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from arbitree.errors import FormatError, Source
from arbitree.reading.content import SURROGATE

DEEPEST = 200  # lists and objects within each other
MOST_DIGITS = 300  # a longer number has no floating-point value

_ESCAPED = re.compile(r"\\u[dD][89a-fA-F]")  # of a surrogate, which is half of a character


def decode_json(
    text: str,
    source: Source,
    *,
    hint: str,
    what: str = "the file",
    hook: Callable[[list[tuple[str, Any]]], Any] | None = None,
) -> Any:
    """Return the value of a JSON text.

    Args:
        text: The whole text.
        source: The line of the text; for a whole file, errors name the line within it.
        hint: How to correct the text.
        what: What errors call the text.
        hook: Function that makes an object from its keys and values.
    Raises:
        FormatError: if the text is not valid, is nested too deeply, or contains a number or a character that
            does not exist outside JSON.
    Example:
        >>> decode_json('{"item": 1}', Source("a.jsonl", 1), hint="Write one JSON object per line")
        {'item': 1}
    """
    decoder = _DECODER if hook is None else json.JSONDecoder(object_pairs_hook=hook, parse_int=_whole)
    with _in_words(source, what, hint):
        value = decoder.decode(text)
        _check(value, text)
    return value


def decode_json_at(
    text: str, start: int, source: Source, *, hint: str, what: str = "the file"
) -> tuple[Any, int]:
    """Return the value that begins at *start*, and where it ends; see ``decode_json``."""
    with _in_words(source, what, hint):
        value, end = _DECODER.raw_decode(text, start)
        _check(value, text[start:end])
    return value, end


class _Unusable(ValueError):
    """A value that is valid JSON, but cannot be processed."""


@contextmanager
def _in_words(source: Source, what: str, hint: str) -> Iterator[None]:
    try:
        yield
    except json.JSONDecodeError as error:
        place = source if source.line else Source(source.path, error.lineno)
        message = f"{what} is not valid JSON ({error.msg}, column {error.colno})"
        raise FormatError(message, place, hint=hint) from None
    except _Unusable as error:
        raise FormatError(f"{what} {error}", source, hint=hint) from None
    except RecursionError:
        raise FormatError(f"{what} {_DEEP}", source, hint=hint) from None


_DEEP = "is nested too deeply"


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise _Unusable(f"contains a number with {len(digits):,} digits")
    return int(digits)


_DECODER = json.JSONDecoder(parse_int=_whole)


def _check(value: Any, text: str) -> None:
    if _ESCAPED.search(text) and any(map(SURROGATE.search, _strings(value))):
        raise _Unusable("contains half of a character (an escape from \\ud800 to \\udfff without its pair)")
    if text.count("[") + text.count("{") > DEEPEST and _is_deep(value):
        raise _Unusable(_DEEP)


def _inside(value: Any) -> list[Any]:
    """Return the keys and values of an object, or the values of a list."""
    if isinstance(value, dict):
        return [*value, *value.values()]
    return value if isinstance(value, list) else []


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(DEEPEST + 1):
        level = [each for outer in level for each in _inside(outer) if isinstance(each, dict | list)]
        if not level:
            return False
    return True


def _strings(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            yield each
        else:
            waiting += _inside(each)
