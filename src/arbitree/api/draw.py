"""One item of a study as a picture: for a page, as a file, for a notebook, for a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arbitree.drawing.picture import Picture, _parts
from arbitree.errors import StudyError, shorten
from arbitree.kinds.dependency.picture.overlay import Decided
from arbitree.kinds.dependency.value import DepTree
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.study.study import Study, find_item


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
