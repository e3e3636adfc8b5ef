"""The layers of PML: files that refer to each other, from t over a and m down to w."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from arbitree.errors import FormatError, Source, shorten
from arbitree.formats.prague.elements import Element, child, members, name_of, parse, root_of, text_in
from arbitree.reading.content import Content, load
from arbitree.reading.inputs import is_special

LAYERS = ("t", "a", "m", "w")  # each refers to the next one
TREEX = "treex"
ROOTS = "tdata, adata, mdata, wdata and treex_document"

_LAYER = re.compile(r"(?:lv)?([tamw])data")  # lv: the Latvian Treebank
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")  # such as http:
_LETTER = re.compile(r"[tamw]-")


def layer_of(root: str) -> str | None:
    """Return the layer that the name of a root element stands for.

    Example:
        >>> layer_of("adata"), layer_of("treex_document"), layer_of("vallex")
        ('a', 'treex', None)
    """
    found = _LAYER.fullmatch(root)
    return found[1] if found else TREEX if root == "treex_document" else None


def sentence_name(name: str) -> str:
    """Return the name of a sentence: the id of its root without the letter of the layer.

    Example:
        >>> sentence_name("t-ln94210-2-p1s1"), sentence_name("a-ln94210-2-p1s1")
        ('ln94210-2-p1s1', 'ln94210-2-p1s1')
    """
    return _LETTER.sub("", name, count=1)


@dataclass(frozen=True)
class Word:
    """A token of the m-layer."""

    form: str
    lemma: str = ""
    tag: str = ""
    spaced: bool = True  # whether a space follows


@dataclass(frozen=True)
class Layer:
    """One file of PML, with the files that it refers to."""

    content: Content
    root: Element = field(compare=False)

    @classmethod
    def of(cls, content: Content) -> Layer:
        """Return the layer in *content*; raise FormatError if the root element is not one of PML."""
        root = parse(content)
        found = cls(content, root)
        if layer_of(name_of(root)) is None:
            hint = f"Pass files whose root element is one of {ROOTS}"
            raise FormatError(f"the root element is <{name_of(root)}>", found.source(root), hint=hint)
        return found

    @property
    def letter(self) -> str:
        """The name of the layer."""
        return layer_of(name_of(self.root)) or ""

    @property
    def path(self) -> str:
        """The file, for errors."""
        return self.content.path

    def source(self, element: Element) -> Source:
        """Return the place of an element."""
        return Source(self.path, element.sourceline)

    @cached_property
    def below(self) -> Layer:
        """The layer that this one refers to."""
        letter = LAYERS[LAYERS.index(self.letter) + 1]
        references = child(self.root, "head")
        references = None if references is None else child(references, "references")
        found = [
            each
            for each in ([] if references is None else references)
            if each.get("name") == f"{letter}data" or (not each.get("name") and each.get("id") == letter)
        ]
        if not found:
            hint = f"Add <reffile name='{letter}data' href='FILE'/> to <references>"
            raise FormatError(
                f"the file does not refer to its {letter}-layer", self.source(self.root), hint=hint
            )
        layer = Layer.of(self._opened(found[0], letter))
        if layer.letter != letter:
            what = f"expected the {letter}-layer, found <{name_of(layer.root)}>"
            hint = f"Correct the reference in {self.source(found[0])}"
            raise FormatError(what, layer.source(layer.root), hint=hint)
        return layer

    def _opened(self, reference: Element, letter: str) -> Content:
        """Return the content of the file that a reference names, with or without the extension .gz."""
        href, source = reference.get("href", ""), self.source(reference)
        if not href or "\0" in href or _ADDRESS.match(href):
            hint = "Copy the file to this computer, and write its path relative to this file"
            raise FormatError(f"the reference {shorten(href)} is not the path of a file", source, hint=hint)
        path = str(Path(self.path).parent / href)
        for each in (path, path.removesuffix(".gz"), f"{path}.gz"):
            if is_special(each):
                hint = "Refer to a file"
                raise FormatError(f"{href} is a pipe, socket or device", source, hint=hint)
            if _is_file(each):
                return load(each, reading=self.content.reading)
        hint = f"Put the {letter}-layer at {path}, or correct the reference"
        raise FormatError(f"the file {shorten(href)}, which it refers to, does not exist", source, hint=hint)

    def target(self, reference: Element) -> str:
        """Return the id in a reference to the layer below, without the name of the file before ``#``."""
        return (reference.text or "").strip().rpartition("#")[2]

    def nowhere(self, reference: Element, path: str) -> FormatError:
        """Return the error for a reference to an id that the file at *path* lacks."""
        name = self.target(reference)
        hint = "Correct the reference, or pass the files that belong together"
        what = f"<{name_of(reference)}> refers to {shorten(name)}, which is not in {path}"
        return FormatError(what, self.source(reference), hint=hint)

    @cached_property
    def words(self) -> Mapping[str, Word]:
        """The tokens of an m-layer by id, with the spaces of its w-layer."""
        found: dict[str, Word] = {}
        for element in self.root.iter("{*}m"):
            name = element.get("id")
            if name in found:
                hint = "Use each id once"
                raise FormatError(f"duplicate id {shorten(name)}", self.source(element), hint=hint)
            if name is not None:
                found[name] = self.word(element)
        return found

    def word(self, element: Element) -> Word:
        """Return the token in an element of the m-layer; raise FormatError if its w does not exist."""
        spaced = True
        for reference in members(child(element, "w.rf")):
            inside = text_in(reference, "no_space_after")
            if child(reference, "token") is None:  # in knitted files, w.rf is the token itself
                name = self.target(reference)
                if name not in self.below.spaces:
                    raise self.nowhere(reference, self.below.path)
                spaced = self.below.spaces[name]
            else:
                spaced = inside != "1"
        form = text_in(element, "form")
        return Word(form, text_in(element, "lemma"), text_in(element, "tag"), spaced)

    @cached_property
    def spaces(self) -> Mapping[str, bool]:
        """Whether a space follows each token of a w-layer, by id."""
        return {each.get("id", ""): text_in(each, "no_space_after") != "1" for each in self.root.iter("{*}w")}

    def trees(self) -> Iterator[Element]:
        """Yield the roots of the trees of a t- or a-layer."""
        yield from members(child(self.root, "trees"))


def _is_file(path: str) -> bool:
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


def layer_in(content: Content) -> str | None:
    """Return the layer of a file, from the name of its first element; None if it is not PML."""
    found = root_of(content.head)
    return layer_of(found[0]) if found else None
