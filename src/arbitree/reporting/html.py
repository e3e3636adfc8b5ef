"""HTML reports: self-contained files that need no network."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

import arbitree
from arbitree.drawing.lettering import visible
from arbitree.drawing.svg import ASSETS
from arbitree.files import portable
from arbitree.reporting import phrasing
from arbitree.reporting.document import SHOWN, Details
from arbitree.reporting.phrasing import REASONS, STATUS, bounds
from arbitree.study.result import Interval, Table
from arbitree.wording import count_of, decimal, encodable, encoded, percent

if TYPE_CHECKING:
    from arbitree.reporting.document import Document, Section, Text


TEMPLATES = Path(__file__).with_name("templates")
OPEN = 20  # longer lists start closed
LISTED = 500  # items of a list of what was left out
HIDDEN = (
    "options",
    "ignored",
    "interval_method",
    "resamples",
    "undefined_resamples",
)  # details told elsewhere on the page
STYLES = ("style.css",)  # of every page
SCRIPTS = ("sort.js", "copy.js")


@dataclass(frozen=True, slots=True)
class Bar:
    """Positions of a value and its interval on an axis from 0 to 1, in percent of its length."""

    mark: float | None  # None: below 0 or above 1
    start: float
    length: float
    label: str  # the same in words
    arrows: tuple[
        tuple[str, str], ...
    ] = ()  # class and side of each arrow: what continues below 0 or above 1


def render(document: Document) -> str:
    """Return the page of *document*: its own, or one with the headline and everything a terminal shows."""
    if document.page is not None:
        return document.page()
    shown = [(section.title, list(_shown(section))) for section in document.sections]
    return page_from("document.html.j2", document=document, sections=[each for each in shown if each[1]])


def _shown(section: Section) -> Iterator[tuple[str, Text | Table | Details]]:
    """Yield the blocks of *section* that a page shows, each with the name of its type.

    Tables for a terminal are shown if the section has none for a page.
    """
    tables = [block for block in section.blocks if isinstance(block, Table)]
    media = {"html"} if any("html" in table.media for table in tables) else SHOWN
    for block in section.blocks:
        if isinstance(block, Table):
            if block.media & media:
                yield "table", block
        elif isinstance(block, Details):
            if block.lines:
                yield "details", block
        else:
            yield "text", block


def files(document: Document, path: str) -> dict[str, bytes]:
    """Return the file *path*."""
    return {path: encoded(render(document))}


def page_from(
    template: str, *, styles: Sequence[str] = (), scripts: Sequence[str] = (), **context: Any
) -> str:
    """Return a page from *template*, with the given style sheets and scripts besides the common ones."""
    style = "\n".join(_inlined(name) for name in (*STYLES, *styles))
    script = "\n".join(_inlined(name) for name in (*SCRIPTS, *scripts))
    text = (
        _environment()
        .get_template(template)
        .render(
            context,
            version=arbitree.__version__,
            style=Markup(style),
            script=Markup(script),
            style_hash=_hash(style),
            script_hash=_hash(script),
        )
    )
    return encodable(text)


def bar(value: float, interval: Interval | None) -> Bar:
    """Return the positions of *value* and *interval* on the axis.

    Example:
        >>> bar(0.5, Interval(0.25, 0.75, 0.95, "percentile", 1000)).label
        '0.500, 95% CI 0.250 to 0.750, on an axis from 0 to 1'
        >>> bar(0.5, Interval(-0.479, 0.75, 0.95, "jackknife", 0)).arrows
        (('interval', 'left'),)
    """
    low, high = (_percent(interval.low), _percent(interval.high)) if interval else (0.0, 0.0)
    between = f", {100 * interval.confidence:g}% CI {bounds(interval, ' to ')}" if interval else ""
    label = f"{decimal(value)}{between}, on an axis from 0 to 1"
    parts = [("interval", interval.low, interval.high)] if interval else []
    arrows = [
        (name, side)
        for name, least, most in (*parts, ("mark", value, value))
        for side, cut in (("left", least < 0), ("right", most > 1))
        if cut
    ]
    mark = _percent(value) if 0 <= value <= 1 else None
    return Bar(mark, low, round(high - low, 2), label, tuple(arrows))


def anchors(kind: str, names: Sequence[str]) -> list[str]:
    """Return one unique id per name, valid in a URL.

    Example:
        >>> anchors("pair", ["ann - bob", "ann – bob", "<b>"])
        ['pair-ann-bob', 'pair-ann-bob-2', 'pair-b']
    """
    found: dict[str, None] = {}
    for name in names:
        slug = "-".join([kind, *(re.findall(r"\w+", name) or ["row"])])
        number = 1
        while (anchor := slug if number == 1 else f"{slug}-{number}") in found:
            number += 1
        found[anchor] = None
    return list(found)


@cache
def _environment() -> Environment:
    environment = environment_of()
    environment.finalize = _portable
    return environment


def _portable(value: Any) -> Any:
    """Return texts without absolute paths of inputs, because pages are sent to others."""
    return portable(value) if type(value) is str else value


def environment_of(*folders: Path) -> Environment:
    """Return the template environment for the templates in *folders* and those of the reports."""
    environment = Environment(
        loader=FileSystemLoader([*folders, TEMPLATES]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: dict[str, Callable[..., Any]] = {
        "grouped": lambda number: f"{number:,}",
        "number": decimal,
        "percent": percent,
        "detail": _detail,
        "reason": lambda code: REASONS.get(code, code),
        "status": lambda code: str(STATUS.get(code, code)).removeprefix("undefined, "),  # after "undefined"
        "bounds": bounds,
        "visible": visible,
        "sentence_case": lambda text: text[:1].upper() + text[1:],
    }
    environment.filters |= filters
    style, script = ("\n".join(map(_inlined, names)) for names in (STYLES, SCRIPTS))
    environment.globals |= {
        "style": Markup(style),
        "script": Markup(script),
        "style_hash": _hash(style),
        "script_hash": _hash(script),
        "anchors": anchors,
        "bar": bar,
        "count_of": count_of,
        "title_of": phrasing.title_of,
        "most_open": OPEN,
        "most_listed": LISTED,
        "hidden": HIDDEN,
    }
    return environment


def source_of(name: str) -> Path:
    """Return the path of a style sheet or script: in the templates, or in the drawing package."""
    return next(folder / name for folder in (TEMPLATES, ASSETS) if (folder / name).exists())


def _inlined(name: str) -> str:
    return source_of(name).read_text(encoding="utf-8")


def _detail(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_detail(each)}" for key, each in value.items())
    if isinstance(value, str) or value is None:
        return str(value or "undefined")
    if isinstance(value, float):
        return decimal(value, 4) if abs(value) < 1000 else f"{value:,.4f}"
    return f"{value:,}"


def _hash(text: str) -> str:
    """Return the hash source of *text* for a Content-Security-Policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _percent(value: float) -> float:
    return round(min(max(value, 0.0), 1.0) * 100, 2)


PLUGINS = {".html": files}
