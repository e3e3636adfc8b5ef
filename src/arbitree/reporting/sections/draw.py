"""Pictures of items as one page of HTML that opens from disk and asks the network for nothing."""

from __future__ import annotations

from collections.abc import Sequence

from arbitree.drawing.picture import Picture
from arbitree.reporting.html import anchors, page_from
from arbitree.wording import count_of


def page(pictures: Sequence[Picture], title: str) -> str:
    """Return a page with *pictures*.

    Args:
        pictures: one for each item.
        title: whose trees they are.
    """
    names = anchors("item", [picture.item for picture in pictures])
    contested = sum(len(picture.differences) for picture in pictures)
    sentences = count_of(len(pictures), "sentence")
    places = count_of(contested, "contested place") if contested else "nothing is contested"
    return page_from(
        "draw.html.j2",
        styles=("pictures.css",),
        scripts=("pictures.js",),
        title=title,
        headline=f"{sentences[0].upper()}{sentences[1:]}: {places}.",
        contested=contested,
        legend=pictures[0].parts[0].legend,
        pictures=list(zip(names, pictures, strict=True)),
    )
