"""Choose the layer of files that contain several, such as those of INCEpTION (``--layer``)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Protocol

from arbitree import plugins
from arbitree.backends.base import Say
from arbitree.errors import Source, StudyError, UnknownName, UnsupportedStudy, shorten
from arbitree.reading.content import Content
from arbitree.reading.guard import guarded
from arbitree.reading.inputs import Input
from arbitree.wording import count_of

LAYER = "layer:"  # setting in signatures
CHOSEN = "layer"  # key of the chosen layer in Content.parsed
AROUND = 15  # characters of a text before and after the first difference


@dataclass(frozen=True, slots=True)
class Layer:
    """One feature of a layer, with the number of annotations that have a value for it."""

    name: str  # of the layer, in full
    feature: str  # "" for a layer without features
    unit: str  # what is counted: relation, label, span, link
    count: int
    obstacle: str = ""  # why it is not read; "" if it is
    main: bool = False  # whether it is the feature that users mean by the name of the layer
    place: Source | None = field(default=None, compare=False)  # an annotation that shows the obstacle

    @property
    def short(self) -> str:
        """The name without its package."""
        return self.name.rpartition(".")[2]

    @property
    def read_as(self) -> str:
        """What the layer is read as, or why it is not read."""
        if self.obstacle:
            return f"not read: {self.obstacle}"
        return "read as dependency trees" if self.unit == "relation" else "read as labels"

    @property
    def full(self) -> str:
        """The name of the layer and the feature, for signatures and as a value of the option."""
        return f"{self.name}.{self.feature}"


class Layered(Protocol):
    """The part of a format that is about layers."""

    @property
    def layered(self) -> bool:
        """Whether files contain layers."""

    def layers(self, content: Content) -> list[Layer]:
        """Return the layers of *content*; empty if the format has no layers."""

    def plain_text(self, content: Content) -> str:
        """Return the annotated text."""


def with_layer(
    found: Sequence[tuple[Input, Content]], names: Sequence[str], say: Say
) -> list[tuple[Input, Content]]:
    """Return the files, whose contents name the layer to read and its feature."""
    readers = [plugins.get("formats", name) for name in names]
    wanted = found[0][1].reading.layer if found else None
    if not any(reader.layered for reader in readers):
        if wanted is not None:
            raise UnknownName("these files have no layers", hint="Omit --layer, which is for INCEpTION")
        return list(found)
    _check_texts(found, readers)
    total = layers_of([content for _, content in found], readers)
    chosen = choose(total, wanted, Source(found[0][0].export or found[0][1].path))
    feature = f", feature {chosen.feature}" if chosen.feature else ""
    say(f"Layer: {chosen.short}{feature} ({count_of(chosen.count, chosen.unit)})")
    for _, content in found:
        content.parsed[CHOSEN] = chosen
    return [
        (each, replace(content, reading=replace(content.reading, layer=chosen.full)))
        for each, content in found
    ]


def layers_of(contents: Sequence[Content], readers: Sequence[Layered]) -> list[Layer]:
    """Return the layers of all *contents* with their total counts; one obstacle is enough."""
    total: dict[tuple[str, str], Layer] = {}
    for reader, content in zip(readers, contents, strict=True):
        for layer in _layers(reader, content):
            other = total.get((layer.name, layer.feature))
            total[layer.name, layer.feature] = layer if other is None else _sum(other, layer)
    return in_order(total.values())


def in_order(layers: Iterable[Layer]) -> list[Layer]:
    """Return *layers* as users see them: those that are read first, and trees before labels."""
    return sorted(
        layers, key=lambda each: (bool(each.obstacle), each.unit == "label", each.name, not each.main)
    )


def _layers(reader: Layered, content: Content) -> list[Layer]:
    with guarded(content.path):
        return reader.layers(content)


def _sum(first: Layer, second: Layer) -> Layer:
    worse = first if first.obstacle else second
    return replace(worse, count=first.count + second.count)


def choose(layers: Sequence[Layer], wanted: str | None, source: Source) -> Layer:
    """Return the layer and feature to read: the one that is *wanted*, or the only one that can be read.

    Raises:
        UnknownName: If there is no such layer.
        UnsupportedStudy: If the layer cannot be read, or if there are several and none is wanted.
    """
    if wanted is not None:
        return _feature(_named(layers, wanted, source), source)
    readable = [layer for layer in layers if not layer.obstacle and layer.count]
    names = list(dict.fromkeys(layer.name for layer in readable))
    if not names:
        found = described(layers) or "there are no annotations"
        what = f"no layer has one value per token or is a tree: {found}"
        places = {layer.name: layer.place for layer in layers if layer.count}
        only = next(iter(places.values())) if len(places) == 1 else None
        raise UnsupportedStudy(what, only or source, hint="Arbitree does not compare spans and chains yet")
    if len(names) > 1:
        firsts = [next(layer for layer in readable if layer.name == name) for name in names]
        what = f"there are several layers: {described(readable)}"
        hint = f"Choose one: {', or '.join(f'--layer {layer.short}' for layer in firsts)}"
        raise UnsupportedStudy(what, source, hint=hint)
    return _feature(readable, source)


def described(layers: Sequence[Layer]) -> str:
    """Return the layers with their counts, on one line."""
    parts = []
    for layer in layers:
        if layer.count:
            why = f", {layer.obstacle}" if layer.obstacle else ""
            name = f"{layer.short}.{layer.feature}" if layer.feature else layer.short
            parts.append(f"{name} ({count_of(layer.count, layer.unit)}{why})")
    return ", ".join(parts)


def _named(layers: Sequence[Layer], wanted: str, source: Source) -> list[Layer]:
    """Return the features that the user can mean by ``NAME`` or ``NAME.FEATURE``."""
    low = wanted.lower()
    found = [layer for layer in layers if low in (layer.name.lower(), layer.short.lower())]
    if not found:
        whole = {layer: (layer.full.lower(), f"{layer.short}.{layer.feature}".lower()) for layer in layers}
        found = [layer for layer, names in whole.items() if low in names]
    if found:
        return found
    known = [name for layer in layers for name in (layer.short, f"{layer.short}.{layer.feature}")]
    near = get_close_matches(wanted, known, 1)
    guess = f"Did you mean {near[0]!r}? " if near else ""
    hint = f"{guess}Expected one of: {', '.join(dict.fromkeys(layer.short for layer in layers)) or 'none'}"
    raise UnknownName(f"unknown layer {shorten(wanted)}", source, hint=hint)


def _feature(found: Sequence[Layer], source: Source) -> Layer:
    """Return the only feature with values, or the main one."""
    full = [layer for layer in found if layer.count] or list(found)
    layer = next((each for each in full if each.main), full[0])
    if layer.obstacle:
        what = f"the layer {layer.short} cannot be compared: {layer.obstacle}"
        hint = "Choose a layer with one value per token, or a tree"
        raise UnsupportedStudy(what, layer.place or source, hint=hint)
    if len(full) > 1 and not layer.main:
        choices = ", or ".join(f"--layer {each.short}.{each.feature}" for each in full)
        what = f"the layer {layer.short} has several features: {described(full)}"
        raise UnsupportedStudy(what, source, hint=f"Choose one: {choices}")
    return layer


def _check_texts(found: Sequence[tuple[Input, Content]], readers: Sequence[Layered]) -> None:
    """Raise StudyError if two annotators of a document have different texts."""
    texts: dict[str, tuple[Input, str]] = {}
    for (each, content), reader in zip(found, readers, strict=True):
        if not each.export:
            continue
        with guarded(content.path):
            text = reader.plain_text(content)
        other, known = texts.setdefault(each.document, (each, text))
        if known != text:
            signs = enumerate(zip(known, text, strict=False))
            place = next((n for n, (a, b) in signs if a != b), min(len(known), len(text)))
            part = slice(max(0, place - AROUND), place + AROUND)
            what = (
                f"the text of {each.document!r} differs from that of {other.coder} at character {place + 1}: "
                f"{text[part]!r}, but {known[part]!r}"
            )
            hint = "Documents of one name must have one text: rename one of them, and export again"
            raise StudyError(what, Source(content.path), hint=hint)


def layer_settings(contents: Sequence[Content]) -> list[str]:
    """Return the layer that the files were read in, and the states of documents, for signatures."""
    if not contents:
        return []
    reading = contents[0].reading
    layer = [LAYER + reading.layer] if reading.layer else []
    return [*layer, *([f"state:{reading.state}"] if reading.state != "finished" else ())]
