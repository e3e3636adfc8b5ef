"""Drawings of an item, as SVG or text: ``at.draw`` and ``arbitree draw``."""

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
    """Draw one item of a study, a tree, or the trees of several annotators for one sentence.

    Args:
        what: A study, a tree, or trees by annotator.
        item: Id or number (from 1) of an item of the study (default: the first).
        decided: Decisions of the adjudicator: a head and a relation by token from 1, each None while
            undecided; or a phrase-structure tree. Not drawn if the tokens differ between annotators.
    Returns:
        A picture that you can show in a notebook or print; its forms are ``.svg`` and ``.text``.
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
        return draw_item(kinds.of(what).needed("pictures"), what, item, decided)
    values = what if isinstance(what, Mapping) else {"": what}
    if not values:
        raise StudyError("no tree to draw", hint="Pass a tree, or trees by annotator")
    for each in values.values():
        pictures = kinds.of_type(type(each)).needed("pictures")
    if len({type(each) for each in values.values()}) > 1:
        raise UnsupportedStudy("cannot draw trees of two kinds together", hint="Pass trees of one kind")
    return Picture("", draw_values(pictures, values, decided=decided))
