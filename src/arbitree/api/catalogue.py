"""Lists of names to choose from: formats, measures, presets, distances, backends, models, head tables."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from arbitree import kinds, plugins
from arbitree.errors import Source, UnknownName, UnsupportedStudy
from arbitree.extras import extra_of, installed
from arbitree.measures.measure import Measure
from arbitree.measures.options import known_measures, options
from arbitree.measures.presets import presets
from arbitree.measures.signatures import option_text
from arbitree.reading.assembly import read_layers
from arbitree.reading.exports.tools import TOOLS
from arbitree.reading.inputs import USUAL, Reading, inputs_of
from arbitree.reporting.citations import short_references
from arbitree.wording import count_of

LAYERS = "layers"  # the list that depends on an input


@dataclass(frozen=True, slots=True)
class Entry:
    """A name that can be chosen, with its description."""

    name: str
    what: str  # one line
    fits: tuple[str, ...] = ()  # the annotations that it is for
    definition: str = ""
    options: tuple[Option, ...] = ()
    references: tuple[str, ...] = ()
    example: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a measure or a distance."""

    name: str
    default: str
    what: str = ""


@dataclass(frozen=True, slots=True)
class Category:
    """A list of names: what it contains, how one of them is chosen, and its entries."""

    what: str
    chosen_by: str  # the command-line option, if any
    entries: Callable[[], list[Entry]]


def category(name: str) -> Category:
    """Return the category called *name*; raise UnknownName, with a suggestion, if there is none."""
    if name.lower() not in CATEGORIES:
        for known, each in CATEGORIES.items():
            if any(found.name == name for found in each.entries()):
                raise UnknownName(f"unknown list {name!r}", hint=f"Run 'arbitree list {known} {name}'")
    return CATEGORIES[plugins.known_name(name, (*CATEGORIES, LAYERS), "list")]


def entry(of: str, name: str) -> Entry:
    """Return the entry called *name* of the category *of*.

    Example:
        >>> [option.name for option in entry("measures", "las").options]
        ['punctuation', 'subtypes', 'marks']
    """
    known = {each.name: each for each in category(of).entries()}
    return known[plugins.known_name(name, known, of.lower().removesuffix("s"))]


def record(each: Entry) -> dict[str, Any]:
    """Return an entry as JSON."""
    found: dict[str, Any] = {"name": each.name, "what": each.what}
    if each.fits:
        found["fits"] = list(each.fits)
    if each.definition:
        found["definition"] = each.definition
    if each.options:
        found["options"] = [
            {"name": one.name, "default": one.default, "what": one.what} for one in each.options
        ]
    if each.references:
        found["references"] = list(each.references)
    return found


def _formats() -> list[Entry]:
    return [
        Entry(
            name,
            f"{each.about}{_extra(each.needs)}",
            fits=tuple(kind.noun for kind in kinds.kinds().values() if any(map(each.holds, kind.values))),
            definition=_definition(each),
            example=f"arbitree agree INPUT... --format {name}",
        )
        for name, each in plugins.plugins("formats").items()
    ] + _exports()


def _exports() -> list[Entry]:
    """Return the exports of tools, which contain files of several annotators."""
    return [
        Entry(
            tool.key,
            tool.about,
            definition=_definition(tool),
            example=f"arbitree agree {tool.example}",
        )
        for tool in TOOLS
    ]


def layers_in(path: str, reading: Reading = USUAL) -> list[Entry]:
    """Return the layers of an export or a file of INCEpTION, with their features and counts.

    Raises:
        UnsupportedStudy: If the file has no layers.
    """
    layers = read_layers(inputs_of([path]), reading)
    if not layers:
        hint = "Pass an export of INCEpTION or WebAnno"
        raise UnsupportedStudy("the input has no layers", Source(path), hint=hint)
    return [
        Entry(
            f"{each.short}.{each.feature}" if each.feature else each.short,
            f"{count_of(each.count, each.unit)}; {each.read_as}",
            definition=each.name,
            example="" if each.obstacle else f"arbitree agree {path} --layer {each.short}",
        )
        for each in layers
    ]


def _extra(needs: Sequence[str]) -> str:
    """Return a remark on the extra of the installation that a plug-in needs, if any."""
    if not needs:
        return ""
    missing = "" if installed(*needs) else ", which is not installed"
    return f"; needs the extra {extra_of(*needs)!r}{missing}"


def _measures() -> list[Entry]:
    """Return every measure: first those that fit several kinds, then those of each kind."""
    found: dict[str, Measure[Any]] = {}
    fits: dict[str, tuple[str, ...]] = {}
    for kind in kinds.kinds().values():
        known = known_measures(kind)
        for name in kind.sorted(known):
            if known[name].fits_any(kind.values):
                found.setdefault(name, known[name])
                fits[name] = (*fits.get(name, ()), kind.noun)
    entries = (_measure(name, each, fits[name]) for name, each in found.items())
    return sorted(entries, key=lambda each: -len(each.fits))


def _measure(name: str, measure: Measure[Any], fits: tuple[str, ...]) -> Entry:
    told = tuple(_options(measure))
    chosen = f"{name}:{_example(told)}" if told else name
    command = "agree INPUT..." if measure.by_default or not measure.scores_systems else "score GOLD SYSTEM..."
    return Entry(
        name,
        measure.about,
        fits=fits,
        definition=_definition(measure),
        options=told,
        references=tuple(short_references(measure.references)),
        example=f"arbitree {command} --measure {chosen}",
    )


def _example(options: Sequence[Option]) -> str:
    """Return an option with a value: the first that can be switched, or else the first with its default.

    Example:
        >>> _example([Option("size", "nodes"), Option("labelled", "yes")]), _example([Option("costs", "")])
        ('labelled=no', 'costs=VALUE')
    """
    other = {"yes": "no", "no": "yes"}
    shown = next((each for each in options if each.default in other), options[0])
    return f"{shown.name}={other.get(shown.default, shown.default) or 'VALUE'}"


def _presets() -> list[Entry]:
    return [
        Entry(
            name,
            each.about,
            fits=tuple(kinds.kinds()[kind].noun for kind in each.rules),
            definition="\n".join(each.lines()),
            references=tuple(short_references([each.reference])),
            example=f"arbitree {each.commands[0]} INPUT... --as {name}",
        )
        for name, each in presets().items()
    ]


def _distances() -> list[Entry]:
    return [
        Entry(name, each.about, definition=_definition(each), options=tuple(_options(each)))
        for name, each in plugins.plugins("distances").items()
    ]


def _backends() -> list[Entry]:
    return [
        Entry(
            name,
            _first_line(each),
            definition=_definition(each),
            example=f"arbitree agree INPUT... --backend {name}",
        )
        for name, each in plugins.plugins("backends").items()
    ]


def _models() -> list[Entry]:
    return [
        Entry(
            name,
            f"for {kind.noun}; competence is {model.about}",
            fits=(kind.noun,),
            references=tuple(short_references(model.references)),
            example=f"arbitree coders INPUT... --model {name}",
        )
        for kind in kinds.kinds().values()
        for name, model in kind.models.items()
    ]


def _heads() -> list[Entry]:
    from arbitree.kinds.phrase.constructions.head_tables import shipped

    return [
        Entry(name, what, example=f"arbitree explain INPUT... --heads {name}")
        for name, what in shipped().items()
    ]


def _options(owner: Any) -> Iterator[Option]:
    """Yield the options of a measure or a distance, with the descriptions in the docstrings of classes."""
    if not is_dataclass(owner) or isinstance(owner, type):
        return
    told = _described(owner)
    for name, value in options(owner).items():
        yield Option(name, option_text(value), told.get(name, ""))


def _described(owner: Any) -> Mapping[str, str]:
    """Return the descriptions of options in the docstring of *owner*, its base classes and its parts."""
    found: dict[str, str] = {}
    for each in fields(owner):
        part = getattr(owner, each.name)
        if is_dataclass(part):
            found |= _described(part)
    for base in reversed(type(owner).__mro__):
        found |= dict(_arguments(_sections(base).get("Args", "")))
    return found


def _arguments(text: str) -> Iterator[tuple[str, str]]:
    """Yield the names and the descriptions of a section of arguments."""
    for names, what in re.findall(r"^(\w+(?:, \w+)*): (.*(?:\n +.*)*)", text, re.MULTILINE):
        for name in names.split(", "):
            yield name, _plain(what)


def _definition(described: Any) -> str:
    """Return the description and the formula in the docstring of a class."""
    found = _sections(described if isinstance(described, type) else type(described))
    return "\n".join(filter(None, [_plain(found.get("", "")), _unmarked(found.get("Formula", ""))]))


def _first_line(described: Any) -> str:
    return _definition(described).partition("\n")[0].removesuffix(".")


def _sections(described: type) -> dict[str, str]:
    """Return the sections of the docstring of a class by heading; the first one has none."""
    text = inspect.cleandoc(described.__doc__ or "")
    parts = re.split(r"^([A-Z]\w+):$", text, flags=re.MULTILINE)
    return {"": parts[0].strip()} | {
        heading: inspect.cleandoc(body).strip()
        for heading, body in zip(parts[1::2], parts[2::2], strict=True)
    }


def _plain(text: str) -> str:
    """Return text of a docstring without markup, each paragraph on one line."""
    return "\n".join(" ".join(each.split()) for each in _unmarked(text).split("\n\n")).strip()


def _unmarked(text: str) -> str:
    return re.sub(r"\*(\w+)\*", r"\1", text.replace("``", ""))


CATEGORIES: dict[str, Category] = {
    "formats": Category("Formats", "--format", _formats),
    "measures": Category("Measures", "--measure", _measures),
    "presets": Category("Presets", "--as", _presets),
    "distances": Category("Distances", "", _distances),
    "models": Category("Annotator models", "coders --model", _models),
    "backends": Category("Backends", "--backend", _backends),
    "heads": Category("Head tables", "explain --heads", _heads),
}
