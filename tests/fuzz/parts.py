"""Inputs that consist of several parts, such as the files of a profile: a line ``=== NAME`` before each."""

import re

MARK = re.compile(rb"^=== ([^\n]*)\n", re.MULTILINE)


def joined(parts: dict[str, bytes]) -> bytes:
    """Return the parts in one text."""
    return b"".join(b"=== " + name.encode() + b"\n" + content for name, content in parts.items())


def split(data: bytes) -> tuple[bytes, dict[str, bytes]]:
    """Return the text before the first part, and the parts by name."""
    before, *rest = MARK.split(data)
    names = (name.decode("latin-1") for name in rest[::2])
    return before, dict(zip(names, rest[1::2], strict=True))
