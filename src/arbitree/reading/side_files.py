"""Files that options name, such as tables of costs: their names in signatures, with a hash."""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path

from arbitree.errors import FormatError, Source

DIGITS = 8  # hexadecimal digits of a hash
JOINT = "+"  # between several files in one option
_RESERVED = re.compile(r"[,+=#]")  # marks in the text of an option
_MARK = re.compile(rf"#([0-9a-f]{{{DIGITS}}})(?=$|\+)")


def signed_name(path: str, content: Iterable[object]) -> str:
    """Return the name of the file at *path* with a short hash of its *content*: ``costs.tsv#1a2b3c4d``.

    Args:
        path: the file; its directory is left out.
        content: what was read from it, in an order that does not depend on the file.
    Example:
        >>> signed_name("project/costs.tsv", [("det", "case", 0.5)])
        'costs.tsv#d5c85d4d'
    """
    text = "\n".join(map(repr, content))
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=DIGITS // 2).hexdigest()
    return f"{_RESERVED.sub('_', Path(path).name)}#{digest}"


def without_hashes(text: str) -> str:
    """Return the value of an option without the hashes of files.

    Example:
        >>> without_hashes("a.tsv#1a2b3c4d+b.tsv#5e6f7a8b")
        'a.tsv+b.tsv'
    """
    return _MARK.sub("", text)


def hashes_in(text: str) -> str:
    """Return the hashes of the files in the value of an option, or the value itself if it names no files.

    Example:
        >>> hashes_in("a.tsv#1a2b3c4d+b.tsv#5e6f7a8b"), hashes_in("leaves")
        ('1a2b3c4d+5e6f7a8b', 'leaves')
    """
    return JOINT.join(_MARK.findall(text)) or text


def check_hashes(text: str, found: str) -> None:
    """Raise FormatError if a file that *text* names has another hash in *found*, where it was read."""
    for wanted, actual, name in zip(
        _MARK.findall(text), _MARK.findall(found), without_hashes(text).split(JOINT), strict=False
    ):
        if wanted != actual:
            what = f"the content of the file has changed: its hash is {actual}, not {wanted}"
            raise FormatError(what, Source(name), hint=f"Use the file with the hash {wanted}")
