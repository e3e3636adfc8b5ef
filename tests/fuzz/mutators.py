"""Change an input a little: bytes, lines, cells, numbers, brackets, members of an archive."""

import gzip
import io
import random
import re
import zipfile
import zlib
from collections.abc import Callable, Sequence

Mutator = Callable[[bytes, random.Random, Sequence[bytes]], bytes]  # the input, dice, words and other inputs

LARGEST = 400_000  # bytes of an input in which a piece was repeated
NUMBERS = [
    *b"0 -1 1 2 00 +1 -0 1.0 1e3 1e400 -1e-400 nan inf -inf 0x10 1_000 3. .5 1,5 1.5e 1-2 true null".split(),
    *b"255 256 65536 2147483647 2147483648 4294967296 9223372036854775807 9223372036854775808".split(),
    *"² ١٢ ½ １".encode().split(),
    b"1" + b"0" * 31,
    b"9" * 400,
    b"9" * 5000,
]
TEXTS = [
    *rb"""_ # ' " \ % = + @ / .. * | & < > NA None NaN <!-- &lt; \ud800 &#0; {} [] () =1+1 %s %00""".split(),
    *"\u202e \U0010ffff e\u0301 ß \ufeff %ED%A0%80".encode().split(b" "),
    *(b"", b" ", b"\t", b"\r", b"\r\n", b"\n\n", b"\x0b", "\u2028".encode(), b"\x85"),
    *(b"\x00", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\x1a", b"x" * 300),
]
BRACKETS = [(b"(", b")"), (b"[", b"]"), (b"{", b"}"), (b"<", b">"), (b"<a>", b"</a>"), (b'{"a":', b"}")]
DEPTHS = (2, 9, 60, 500, 1200, 3000)
DIGITS = re.compile(rb"\d+")
CELLS = re.compile(rb"[^\s,;|@=:()\[\]{}<>\"/&?]+")


def text(data: bytes, rng: random.Random, words: Sequence[bytes]) -> bytes:
    """Return a text with one to five changes."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 5))):
        data = rng.choice(_CHANGES)(data, rng, words)[:LARGEST]
    if rng.random() < 0.005:
        data = gzip.compress(data, mtime=0)
    return data


def binary(data: bytes, rng: random.Random, words: Sequence[bytes]) -> bytes:
    """Return a file in which some bytes are changed or missing."""
    return _cut(data, rng, words) if rng.random() < 0.05 else _bytes(data, rng, words)


def archive(data: bytes, rng: random.Random, words: Sequence[bytes]) -> bytes:
    """Return a zip file with a changed member, or with changed bytes."""
    if rng.random() < 0.15:
        return rng.choice((_bytes, _cut, _bytes))(data, rng, words)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as book:
            members = [(name, book.read(name)) for name in book.namelist()]
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError, RuntimeError):
        return _bytes(data, rng, words)
    for _ in range(rng.choice((1, 1, 2, 4))):
        place = rng.randrange(len(members)) if members else 0
        change = rng.random()
        if not members or change < 0.03:
            members.append((rng.choice(("x", "xl/a", "[Content_Types].xml", "/", "..")), rng.choice(TEXTS)))
        elif change < 0.06:
            del members[place]
        elif change < 0.08:
            members[place] = (members[place][0], members[rng.randrange(len(members))][1])
        else:
            members[place] = (members[place][0], text(members[place][1], rng, words))
    whole = io.BytesIO()
    kind = rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
    with zipfile.ZipFile(whole, "w", kind) as book:
        for name, content in members:
            book.writestr(zipfile.ZipInfo(name), content, kind)
    return whole.getvalue()


def blown_up(data: bytes, rng: random.Random) -> bytes:
    """Return an input in which a line, a cell or a bracket occurs very often."""
    if rng.random() < 0.3:
        opened, closed = rng.choice(BRACKETS)
        count = LARGEST // 2 // (len(opened) + len(closed))
        at = rng.randrange(len(data) + 1)
        return data[:at] + opened * count + closed * rng.choice((0, count)) + data[at:]
    start = rng.randrange(len(data) + 1)
    end = min(len(data), start + rng.choice((1, 2, 8, 40, 200)))
    if rng.random() < 0.4:
        start = data.rfind(b"\n", 0, start) + 1
        end = data.find(b"\n", start) + 1 or len(data)
    piece = data[start:end] or b"\t"
    return data[:start] + piece * (LARGEST // len(piece) // rng.choice((1, 1, 10, 100)) or 1) + data[end:]


def _bytes(data: bytes, rng: random.Random, words: Sequence[bytes]) -> bytes:
    found = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8))):
        at = rng.randrange(len(found) + 1)
        kind = rng.randrange(4)
        if kind == 0:
            found[at : at + 1] = bytes([rng.randrange(256)])
        elif kind == 1:
            del found[at : at + rng.choice((1, 1, 2, 10))]
        elif kind == 2:
            found[at:at] = rng.choice((b"\t", b"\n", b" ", b"-", b".", b"0", b"a", b"\xff", b"\x00"))
        else:
            found[at : at + 1] = bytes([(found[at] if at < len(found) else 0) ^ (1 << rng.randrange(8))])
    return bytes(found)


def _cut(data: bytes, rng: random.Random, words: Sequence[bytes]) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] if rng.random() < 0.7 else data[at:]


def _lines(data: bytes, rng: random.Random, words: Sequence[bytes]) -> bytes:
    lines = data.split(b"\n")
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    kind = rng.randrange(6)
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines.insert(at, lines[other])
    elif kind == 2:
        lines[at], lines[other] = lines[other], lines[at]
    elif kind == 3:
        lines[at : at + 2] = [b"".join(lines[at : at + 2])]
    elif kind == 4:
        del lines[min(at, other) : max(at, other)]
    else:
        lines[at:at] = [lines[other]] * rng.choice((2, 3, 20))
    return b"\n".join(lines)


def _cell(data: bytes, rng: random.Random, words: Sequence[bytes]) -> bytes:
    found, other = _found(CELLS, data, rng), _found(CELLS, data, rng)
    if found is None or other is None:
        return _word(data, rng, words)
    kind = rng.randrange(6)
    if kind == 0:
        new = other[0]
    elif kind == 1:
        new = rng.choice(NUMBERS)
    elif kind == 2:
        new = rng.choice(TEXTS)
    elif kind == 3:
        new = _any(words, rng)
    elif kind == 4:
        new = found[0] + rng.choice(TEXTS)
    else:
        new = found[0][:40] * rng.choice((2, 100, 1000))
    return data[: found.start()] + new + data[found.end() :]


def _number(data: bytes, rng: random.Random, words: Sequence[bytes]) -> bytes:
    found, other = _found(DIGITS, data, rng), _found(DIGITS, data, rng)
    if found is None or other is None:
        return _cell(data, rng, words)
    near = str(int(found[0][:9]) + rng.choice((-1, 1, 10))).encode()
    new = rng.choice((near, other[0], rng.choice(NUMBERS), rng.choice(NUMBERS)))
    return data[: found.start()] + new + data[found.end() :]


def _word(data: bytes, rng: random.Random, words: Sequence[bytes]) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice((_any(words, rng), rng.choice(TEXTS), rng.choice(NUMBERS))) + data[at:]


def _nesting(data: bytes, rng: random.Random, words: Sequence[bytes]) -> bytes:
    known = [pair for pair in BRACKETS if pair[0] in data] or BRACKETS
    opened, closed = rng.choice(known)
    depth = rng.choice(DEPTHS)
    start = rng.randrange(len(data) + 1)
    end = min(len(data), start + rng.choice((0, 0, 1, 10, 50)))
    after = closed * rng.choice((depth, depth, 0, depth - 1))
    return data[:start] + opened * depth + data[start:end] + after + data[end:]


def _splice(data: bytes, rng: random.Random, words: Sequence[bytes]) -> bytes:
    other = _any(words, rng)
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]


def _copy(data: bytes, rng: random.Random, words: Sequence[bytes]) -> bytes:
    start, at = rng.randrange(len(data) + 1), rng.randrange(len(data) + 1)
    return data[:at] + data[start : start + rng.choice((1, 4, 16, 64, 500))] + data[at:]


def _ends(data: bytes, rng: random.Random, words: Sequence[bytes]) -> bytes:
    kind = rng.randrange(6)
    if kind == 0:
        return data.replace(b"\n", rng.choice((b"\r\n", b"\r", b" ", b"\x0b")))
    if kind == 1:
        return rng.choice((b"\xef\xbb\xbf", b"\xff\xfe", b"\n", b" ", b"#", b"sep=;\n")) + data
    if kind == 2:
        return data.rstrip(b"\n")
    if kind == 3:
        return data.replace(
            *rng.choice(((b"\t", b","), (b",", b"\t"), (b"\t", b" "), (b",", b";"), (b" ", b"\t")))
        )
    if kind == 4:
        return data.upper()
    return data + rng.choice(TEXTS)


def _found(pattern: re.Pattern[bytes], data: bytes, rng: random.Random) -> re.Match[bytes] | None:
    """Return a place where the pattern matches, after a random one."""
    return pattern.search(data, rng.randrange(len(data) + 1)) or pattern.search(data)


def _any(words: Sequence[bytes], rng: random.Random) -> bytes:
    return rng.choice(words) if words else rng.choice(TEXTS)


_CHANGES = (_bytes, _bytes, _cut, _lines, _lines, _cell, _cell, _cell, _number, _number, _word, _word)
_CHANGES += (_nesting, _splice, _copy, _ends)
