"""A cache of markup: pictures, and parts of pages."""

from __future__ import annotations

import hashlib
import zlib
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any

from markupsafe import Markup

from arbitree.adjudication.events import State
from arbitree.drawing.picture import Picture, Pictures, draw_known
from arbitree.study.study import Item, Study
from arbitree.web.waiting import may_wait

ROOM = 16 * 1024 * 1024  # bytes: about 7,000 sentences of 20 words
ENTRY = 500  # bytes of an entry beside its markup: its name, digest and place in the dictionary
Name = tuple[str, ...]  # id of an item, or "", then the page


class Drawings:
    """The pictures and parts of pages that were asked for last. A decision replaces those of its item.

    They are kept as compressed markup, which takes a sixth of its size.

    Args:
        study: The study.
        pictures: The drawing ability of its kind; None if there are no pictures.
        room: The number of bytes that the entries may take.
    """

    def __init__(self, study: Study[Any], pictures: Pictures[Any] | None, room: int = ROOM) -> None:
        self._study = study
        self._pictures = pictures
        self._room = room
        self._lock = Lock()
        self._kept: OrderedDict[Name, tuple[bytes, bytes]] = OrderedDict()  # a digest of the state, markup
        self._size = 0

    def get(self, item: Item, decided: Any) -> Markup:
        """Return the picture of an item with what is *decided*."""
        return self._latest((item.id, "picture"), repr(decided), lambda: self.draw(item, decided).page)

    def around(self, item: Item, state: State, render: Callable[[], Markup]) -> Markup:
        """Return what the page of an item shows in a state: what *render* returned, or returns now."""
        decided = (state.decisions, state.notes, state.rejected)
        return self._latest((item.id, "page"), repr(decided), render)

    def shared(self, page: tuple[str, ...], shown: object, render: Callable[[], Markup]) -> Markup:
        """Return a part of a page that is not about one item: what *render* returned, or returns now.

        Args:
            page: The page, and what is different for different people, such as their rights.
            shown: What else it depends on, except the study; its ``repr`` must contain all of it.
            render: Returns the markup; called if *shown* is new.
        """
        return self._latest(("", *page), repr(shown), render)

    def clickable(self, item: Item, decided: Any, keys: tuple[str, ...]) -> Markup | None:
        """Return the picture of an item for the adjudication page; None if there is no picture."""
        if self._pictures is None:
            return None
        shown = (decided, keys)
        return self._latest((item.id, "desk"), repr(shown), lambda: self.draw(item, decided).clickable(keys))

    def draw(self, item: Item, decided: Any) -> Picture:
        """Return the picture of an item with what is *decided*, drawn now."""
        assert self._pictures is not None
        return draw_known(self._pictures, self._study, item, decided)

    def _latest(self, name: Name, state: str, draw: Callable[[], Markup]) -> Markup:
        digest = hashlib.sha256(state.encode("utf-8", "surrogatepass")).digest()
        with self._lock:
            known, packed = self._kept.get(name, (b"", b""))
            if known == digest:
                self._kept.move_to_end(name)
        if known == digest:
            return Markup(zlib.decompress(packed).decode("utf-8", "surrogatepass"))
        may_wait()
        found = draw()
        self._keep(name, digest, zlib.compress(found.encode("utf-8", "surrogatepass"), 1))
        return found

    def _keep(self, name: Name, digest: bytes, packed: bytes) -> None:
        with self._lock:
            if name in self._kept:
                self._size -= ENTRY + len(self._kept.pop(name)[1])
            self._kept[name] = (digest, packed)
            self._size += ENTRY + len(packed)
            while self._size > self._room:
                _, (_, oldest) = self._kept.popitem(last=False)
                self._size -= ENTRY + len(oldest)
