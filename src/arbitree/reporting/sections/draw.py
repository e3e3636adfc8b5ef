"""Drawings of items as one self-contained HTML file."""

from __future__ import annotations

from collections.abc import Sequence

from arbitree.drawing.picture import Picture
from arbitree.reporting.html import anchors, page_from
from arbitree.wording import count_of


def page(pictures: Sequence[Picture], title: str) -> str:
    """Return an HTML page with *pictures*.

    Args:
        pictures: One picture per item.
        title: The names of the annotators.
    """
    names = anchors("item", [picture.item for picture in pictures])
    contested = sum(len(picture.differences) for picture in pictures)
    places = count_of(contested, "disagreement") if contested else "No disagreements"
    return page_from(
        "draw.html.j2",
        styles=("pictures.css",),
        scripts=("pictures.js",),
        title=title,
        headline=f"{places} in {count_of(len(pictures), 'sentence')}.",
        contested=contested,
        legend=pictures[0].parts[0].legend,
        pictures=list(zip(names, pictures, strict=True)),
    )
