"""One item of a study as a picture: for a page, as a file, for a notebook, for a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arbitree import kinds
from arbitree.drawing.picture import Picture, draw_item, draw_values
from arbitree.errors import StudyError, UnsupportedStudy
from arbitree.study.study import Study, Value


def draw(
    what: Study[Any] | Value | Mapping[str, Value], item: str | int | None = None, *, decided: Any = None
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
        >>> from arbitree import DepTree
        >>> tree = DepTree(("birds", "sing"), (2, 0), ("nsubj", "root"))
        >>> print(draw(tree).text)
                 root
          ╭─nsubj─╮│
          ▾       │▾
        birds    sing
        <BLANKLINE>
    """
    if isinstance(what, Study):
        return draw_item(kinds.of(what).needed("pictures", what.kind), what, item, decided)
    values = what if isinstance(what, Mapping) else {"": what}
    if not values:
        raise StudyError("there is no tree to draw", hint="Give a tree, or trees by coder")
    for each in values.values():
        pictures = kinds.of_type(type(each)).needed("pictures", each.kind)
    if len({type(each) for each in values.values()}) > 1:
        raise UnsupportedStudy("the trees are of two kinds", hint="Draw trees of one kind together")
    return Picture("", draw_values(pictures, values, decided=decided))
