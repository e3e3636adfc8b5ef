"""One item of a study as a picture: for a page, as a file, for a notebook, for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from textwrap import wrap
from typing import Any, TypeVar

from markupsafe import Markup

from arbitree.data.dependency import DepTree
from arbitree.data.phrase import PhraseTree
from arbitree.data.study import Study
from arbitree.errors import StudyError, UnsupportedStudy, shorten
from arbitree.reports import phrases, svg
from arbitree.reports.arcs import Decided, Overlay, overlay_of
from arbitree.reports.arcsvg import arcs_svg
from arbitree.reports.arctext import WIDTH, arcs_text
from arbitree.reports.badges import NOT_DONE, OTHER_WORDS, absences
from arbitree.reports.treesvg import is_folded, phrases_svg
from arbitree.reports.treetext import phrases_text

Tree = TypeVar("Tree", DepTree, PhraseTree)


@dataclass(frozen=True)
class Picture:
    """Annotations of one item, drawn.

    Coders who have other words than the first are drawn in a part of their own.
    """

    item: str
    parts: tuple[ArcsPart | PhrasesPart, ...]
    sources: Mapping[str, str] = field(default_factory=dict)  # path:line, by coder

    @cached_property
    def markup(self) -> Markup:
        """The picture for a page that has the style sheet ``pictures.css``."""
        return Markup("".join(part.markup for part in self.parts))

    @cached_property
    def svg(self) -> str:
        """The picture as a file of its own."""
        if len(self.parts) == 1:
            return svg.standalone(self.parts[0].markup) + "\n"
        return svg.standalone(svg.stacked([part.markup for part in self.parts], self.alternative)) + "\n"

    @cached_property
    def text(self) -> str:
        """The picture for a terminal of 100 columns."""
        return self.text_in(WIDTH)

    def text_in(self, width: int, *, colour: bool = False) -> str:
        """Return the picture for a terminal of *width* columns, with colours if it has them."""
        return "\n\n".join(part.text(width, colour) for part in self.parts) + "\n"

    @property
    def alternative(self) -> str:
        """What the picture shows, in words."""
        return " ".join(part.alternative for part in self.parts)

    @property
    def differences(self) -> list[str]:
        """A sentence for every place where coders differ."""
        return [line for part in self.parts for line in part.differences]

    @property
    def whole(self) -> Markup:
        """The picture with nothing folded to triangles; empty where nothing is."""
        return Markup("".join(part.whole for part in self.parts))

    def _repr_html_(self) -> str:
        return f'<div class="pictures">{self.svg}</div>'

    def __repr__(self) -> str:
        return (
            f"<Picture of {self.item}: {self.alternative}>" if self.item else f"<Picture: {self.alternative}>"
        )

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class ArcsPart:
    """Dependency trees over the same words."""

    overlay: Overlay

    @cached_property
    def markup(self) -> str:
        """The picture for a page."""
        return arcs_svg(self.overlay)

    def text(self, width: int, colour: bool) -> str:
        """Return the picture for a terminal."""
        return arcs_text(self.overlay, width=width, colour=colour)

    @property
    def alternative(self) -> str:
        """What it shows, in words."""
        return self.overlay.alternative

    @property
    def differences(self) -> list[str]:
        """A sentence for every contested word."""
        return self.overlay.differences()

    @property
    def whole(self) -> str:
        """Nothing: arcs are never folded."""
        return ""


@dataclass(frozen=True)
class PhrasesPart:
    """Phrase trees over the same words, each different one once."""

    trees: tuple[phrases.Phrases, ...]
    notes: tuple[str, ...]

    @cached_property
    def markup(self) -> str:
        """The picture for a page."""
        return phrases_svg(self.trees, notes=self.notes)

    def text(self, width: int, colour: bool) -> str:
        """Return the picture for a terminal."""
        notes = [line for note in self.notes for line in wrap(note, width)]
        return "\n\n".join(
            [phrases_text(self.trees, width=width, colour=colour), *filter(None, ["\n".join(notes)])]
        )

    @property
    def alternative(self) -> str:
        """What it shows, in words."""
        return phrases.alternative(self.trees)

    @property
    def differences(self) -> list[str]:
        """A sentence for every contested bracket."""
        return phrases.differences(self.trees)

    @property
    def whole(self) -> str:
        """The picture without triangles, if it has any."""
        return phrases_svg(self.trees, notes=self.notes, folded=False) if is_folded(self.trees) else ""


def draw(
    what: Study[Any] | DepTree | PhraseTree | Mapping[str, DepTree] | Mapping[str, PhraseTree],
    item: str | int | None = None,
    *,
    decided: Decided | PhraseTree | None = None,
) -> Picture:
    """Draw one item of a study, or a tree, or the trees that coders give one sentence.

    Args:
        what: a study, a tree, or trees by coder.
        item: of a study: its id, or its number from 1 (default: the first).
        decided: what an adjudicator chose: by token from 1 a head and a relation, either of them None while
            it is open; or a phrase tree. It is not drawn where coders have other words than one another.
    Returns:
        A picture: show it in a notebook, print it, or take ``.svg`` or ``.text``.
    Example:
        >>> tree = DepTree(("birds", "sing"), (2, 0), ("nsubj", "root"))
        >>> print(draw(tree).text)
                 root
          ╭─nsubj─╮│
          ▾       │▾
        birds    sing
        <BLANKLINE>
    """
    if isinstance(what, Study):
        return _of_study(what, item, decided)
    trees = what if isinstance(what, Mapping) else {"": what}
    if not trees:
        raise StudyError("there is no tree to draw", hint="Give a tree, or trees by coder")
    return Picture("", _parts(trees, tuple(trees), decided))


def _of_study(study: Study[Any], item: str | int | None, decided: Decided | PhraseTree | None) -> Picture:
    chosen = find_item(study, item)
    cells = study.of(chosen)
    if not cells:
        raise StudyError(f"nobody has annotated {shorten(chosen.id)}", hint="Choose another item")
    trees = {cell.coder: cell.value for cell in cells}
    sources = {cell.coder: str(cell.source) for cell in cells if cell.source}
    return Picture(chosen.id, _parts(trees, study.coders, decided), sources)


def find_item(study: Study[Any], item: str | int | None) -> Any:
    """Return the item with an id or, if none has it, a number from 1; by default the first."""
    if not study.items:
        raise StudyError("the study has no items", hint="Check the files that it was read from")
    if item is None:
        return study.items[0]
    for each in study.items:
        if each.id == item:
            return each
    place = str(item)
    if place.isascii() and place.isdigit() and 0 < int(place) <= len(study.items):
        return study.items[int(place) - 1]
    hint = f"Give an id such as {study.items[0].id!r}, or a number from 1 to {len(study.items)}"
    raise StudyError(f"no item {shorten(place)} in the study", hint=hint)


def _parts(
    trees: Mapping[str, Any], coders: Sequence[str], decided: Any
) -> tuple[ArcsPart | PhrasesPart, ...]:
    groups: dict[tuple[str, ...], dict[str, Any]] = {}
    for coder, tree in trees.items():
        if not isinstance(tree, DepTree | PhraseTree):
            what = f"there is no picture of {getattr(tree, 'kind', type(tree).__name__)} annotations"
            hint = (
                "Draw dependency or phrase-structure trees; of profiles, --format derivations takes the trees"
            )
            raise UnsupportedStudy(what, hint=hint)
        groups.setdefault(tree.tokens, {})[coder] = tree
    if len({type(tree) for tree in trees.values()}) > 1:
        raise UnsupportedStudy("the trees are of two kinds", hint="Draw trees of one kind together")
    chosen = decided if len(groups) == 1 else None
    return tuple(_part(group, trees, coders, chosen) for group in groups.values())


def _part(
    group: dict[str, Any], trees: Mapping[str, Any], coders: Sequence[str], decided: Any
) -> ArcsPart | PhrasesPart:
    absent = {name: OTHER_WORDS if name in trees else NOT_DONE for name in coders if name not in group}
    if isinstance(next(iter(group.values())), DepTree):
        return ArcsPart(overlay_of(group, coders, absent, decided))
    return PhrasesPart(tuple(phrases.side_by_side(group, coders, decided)), tuple(absences(absent)))
