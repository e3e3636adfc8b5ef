"""Random damage to files."""

import random


def mutated(data: bytes, rng: random.Random) -> bytes:
    """Change, drop, double or insert a few bytes or lines."""
    lines = data.split(b"\n")
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(lines))
        kind = rng.randrange(5)
        line = bytearray(lines[place])
        if kind == 0:
            del lines[place]
        elif kind == 1:
            lines.insert(place, lines[rng.randrange(len(lines))])
        elif line:
            at = rng.randrange(len(line))
            if kind == 2:
                line[at] = rng.randrange(256)
            elif kind == 3:
                del line[at]
            else:
                line.insert(at, rng.choice(b"\t\n -.0a\xff"))
            lines[place] = bytes(line)
        lines = lines or [b""]
    return b"\n".join(lines)
