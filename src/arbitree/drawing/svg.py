"""SVG elements of pictures: text, badges, legends and the frame, styled by CSS classes only."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from html import escape
from pathlib import Path
from textwrap import wrap

from arbitree.drawing.badges import hue_of, style_of
from arbitree.drawing.lettering import KEPT, LONGEST, columns

LETTER = 7.83  # width of a letter in words, in pixels: 13 px, monospaced
SMALL = 6.63  # of the labels: 11 px
PAD = 10
ASSETS = Path(__file__).with_name("assets")  # style sheets and scripts that pictures share with pages
SIZE = re.compile(r'width="(\d+)" height="(\d+)"')
TICK = "✓"
DESK = 1120  # maximum width of a row on the adjudication page, in pixels
ROOTS = re.compile(r":root (\{[^}]*\})")


@lru_cache(maxsize=KEPT)
def number(value: float) -> str:
    """Return a coordinate as text, rounded to a tenth of a pixel.

    Example:
        >>> number(3.04), number(2.5), number(-0.0)
        ('3', '2.5', '0')
    """
    return f"{value + 0.0:.1f}".removesuffix(".0")  # 0.0 and -0.0 are one key of the cache, so one text


def text(x: float, y: float, shown: str, kind: str) -> str:
    """Return a text element; its class determines the anchor."""
    return f'<text class="{kind}" x="{number(x)}" y="{number(y)}">{quoted(shown)}</text>'


def quoted(shown: str) -> str:
    """Return *shown* escaped for text and attributes in markup."""
    # Descriptions of whole pictures, which change with every decision, are not kept.
    return _word(shown) if len(shown) <= LONGEST else escape(shown)


@lru_cache(maxsize=KEPT)
def _word(shown: str) -> str:
    return escape(shown)


def badge_width(shown: str) -> float:
    """Return the width of a badge with the space after it."""
    return columns(shown) * SMALL + 9


def badge(x: float, y: float, shown: str, coder: int) -> str:
    """Return a badge that begins at *x*, for text on the line *y*."""
    return _boxed(x, y, shown, hue_of(coder))


def tick(x: float, y: float, shown: str) -> str:
    """Return the badge of a decision, such as a check mark."""
    return _boxed(x, y, shown, "decided")


def _boxed(x: float, y: float, shown: str, kind: str) -> str:
    width = badge_width(shown) - 3
    box = (
        f'<rect class="box" x="{number(x)}" y="{number(y - 10)}" width="{number(width)}" height="13" rx="3"/>'
    )
    return f'<g class="badge {kind}">{box}{text(x + width / 2, y, shown, "name")}</g>'


def check_box(x: float, y: float, state: str = "open") -> str:
    """Return the box before a value that can be chosen: ``open``, ``decided``, or ``half`` decided."""
    if state == "open":
        return f'<rect class="check" x="{number(x)}" y="{number(y - 10)}" width="12.6" height="13" rx="3"/>'
    return _boxed(x, y, TICK, state)


def choice(inside: str, keys: Sequence[str], wish: Mapping[str, str], about: str, *, pressed: bool) -> str:
    """Return elements as a button of the adjudication page that chooses the values in *wish*.

    Its attributes have one line per place: ``data-key`` has the key, ``data-wish`` the key, a tab and the
    value, as the buttons of the page send them.
    """
    lines = "\n".join(f"{key}\t{value}" for key, value in wish.items())
    # A title, not aria-label: the name of a button with a label must contain the text that it shows.
    return (
        f'<g class="choice" role="button" tabindex="-1" aria-pressed="{"true" if pressed else "false"}"'
        f' {keyed(keys)} data-wish="{_attribute(lines)}"><title>choose {quoted(about)}</title>{inside}</g>'
    )


def keyed(keys: Sequence[str]) -> str:
    """Return the attribute that names the places an element belongs to, one key per line."""
    lines = "\n".join(keys)
    return f'data-key="{_attribute(lines)}"'


def _attribute(lines: str) -> str:
    return quoted(lines).replace("\n", "&#10;").replace("\t", "&#9;")


def legend(
    coders: Mapping[int, str], badges: Sequence[str], notes: Sequence[str], width: float, *, top: float
) -> tuple[list[str], float, float]:
    """Return the legend of badges, colours and dashes, its width, and its lower end."""
    pieces, widest, bottom = _legend(tuple(coders.items()), tuple(badges), tuple(notes), width, top)
    return list(pieces), widest, bottom


@lru_cache(maxsize=64)  # most pictures of a study have the same one
def _legend(
    coders: tuple[tuple[int, str], ...],
    badges: tuple[str, ...],
    notes: tuple[str, ...],
    width: float,
    top: float,
) -> tuple[tuple[str, ...], float, float]:
    pieces, x, y, widest = [], float(PAD), top + 12, 0.0
    for coder, name in coders:
        line = badge_width(badges[coder])
        need = line + 32 + columns(name) * SMALL + 18
        if x > PAD and x + need > width:
            x, y = float(PAD), y + 20
        path = f"M{number(x + line)} {number(y - 4)}h26"
        pieces += [badge(x, y, badges[coder], coder), f'<path class="arc own {style_of(coder)}" d="{path}"/>']
        pieces.append(text(x + line + 32, y, name, "who"))
        x += need
        widest = max(widest, x)
    below, reach, bottom = remarks(notes, width, top=y + 8)
    return (*pieces, *below), max(widest, reach), bottom + 4


def remarks(notes: Sequence[str], width: float, *, top: float) -> tuple[list[str], float, float]:
    """Return lines of text, their width, and their lower end."""
    lines = [line for note in notes for line in wrap(note, max(int((width - 2 * PAD) / SMALL), 20))]
    pieces = [text(PAD, top + 16 * k, line, "who incomplete") for k, line in enumerate(lines, start=1)]
    return pieces, max((columns(line) * SMALL + PAD for line in lines), default=0.0), top + 16 * len(lines)


def frame(
    width: float, height: float, pieces: Iterable[str], *, kind: str, label: str, role: str = "img"
) -> str:
    """Return the complete picture for a page with the style sheet of pictures."""
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="picture {kind}" role="{role}" {size}'
        f' aria-label="{quoted(label)}">{"".join(pieces)}</svg>'
    )


def width_of(picture: str) -> int:
    """Return the width of a picture for a page, in pixels.

    Example:
        >>> width_of(frame(120.4, 80, [], kind="arcs", label="a tree"))
        120
    """
    return int(picture.partition(' width="')[2].partition('"')[0])


def stacked(pictures: Sequence[str], label: str) -> str:
    """Return several pictures in one, below one another."""
    sizes = [SIZE.search(picture) for picture in pictures]
    widths, heights = ([int(size[k]) for size in sizes if size] for k in (1, 2))
    pieces = [
        picture.replace("<svg ", f'<svg y="{sum(heights[:place])}" ', 1)
        for place, picture in enumerate(pictures)
    ]
    return frame(max(widths), sum(heights), pieces, kind="stack", label=label, role="group")


def standalone(picture: str) -> str:
    """Return *picture* with its style sheet included, for a file or a notebook."""
    end = picture.index(">") + 1
    return f"{picture[:end]}<style>{sheet()}</style>{picture[end:]}"


@cache
def sheet() -> str:
    """Return the style sheet of pictures with the colours of pages: light, dark and printed."""
    light, dark, printed = ROOTS.findall((ASSETS / "style.css").read_text(encoding="utf-8"))
    own = (ASSETS / "pictures.css").read_text(encoding="utf-8")
    return (
        (
            f".picture {light}\n@media (prefers-color-scheme: dark) {{ .picture {dark} }}\n"
            f"{own}@media print {{ .picture {printed} }}\n"
        )
        .replace("&", "&amp;")
        .replace("<", "&lt;")
    )
