"""Choices in a picture of arcs: the heads and labels that a click on the adjudication page chooses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from arbitree.drawing import svg
from arbitree.drawing.badges import listed
from arbitree.kinds.dependency.picture.overlay import AGREED, Arc, GivenRelation, Overlay
from arbitree.kinds.dependency.places import HEAD, LABEL, shown_head


@dataclass(frozen=True)
class Clicks:
    """The places of an overlay that can be decided; none in reports and files.

    Example:
        >>> from arbitree.kinds.dependency.picture.overlay import overlay_of
        >>> from arbitree.kinds.dependency.value import DepTree
        >>> ann = DepTree(("we", "saw", "it"), (2, 0, 2), ("nsubj", "root", "obj"))
        >>> bob = DepTree(("we", "saw", "it"), (2, 0, 1), ("nsubj", "root", "dep"))
        >>> clicks = Clicks(overlay_of({"ann": ann, "bob": bob}), ("3 head", "3 label"))
        >>> arc = clicks.overlay.arcs[-1]
        >>> clicks.wish(arc, arc.readings)
        {'3 head': '1 we', '3 label': 'dep'}
    """

    overlay: Overlay
    keys: Sequence[str]

    @property
    def active(self) -> bool:
        """Whether there is a contested token with a place to decide."""
        return any(self.of_token(token) for token in self.overlay.contested)

    @property
    def tokens(self) -> list[int]:
        """The tokens with a place to decide."""
        return [token for token in range(1, len(self.overlay.tokens) + 1) if self.of_token(token)]

    def of_token(self, token: int) -> list[str]:
        """Return the keys of the places of a token."""
        return self._by_token.get(str(token), [])

    def wish(self, arc: Arc, readings: Sequence[GivenRelation]) -> dict[str, str]:
        """Return the changes that choose an arc, with its label if it has a single one."""
        given = [reading for reading in readings if reading.coders]
        if arc.state == AGREED or not given:
            return {}
        found = {f"{arc.token} {HEAD}": shown_head(self.overlay.tokens, arc.head)}
        if len(given) == 1:
            found[f"{arc.token} {LABEL}"] = given[0].label
        return {key: value for key, value in found.items() if key in self.of_token(arc.token)}

    def button(self, arc: Arc, readings: Sequence[GivenRelation], inside: str) -> str:
        """Return elements of an arc or of a label as a button, if a click can choose something."""
        wish = self.wish(arc, readings)
        if not wish:
            return inside
        who = [self.overlay.coders[coder] for reading in readings for coder in reading.coders]
        claims = ", ".join(self.overlay.claim(arc, reading) for reading in readings if reading.coders)
        about = f"{self.overlay.word(arc.token)}: {claims} ({listed(who)})"
        return svg.choice(inside, list(wish), wish, about, pressed=self._is_decided(arc, wish))

    def _is_decided(self, arc: Arc, wish: dict[str, str]) -> bool:
        head, label = self.overlay.decided.get(arc.token, (None, None))
        known = {f"{arc.token} {LABEL}": label}
        if head is not None:
            known[f"{arc.token} {HEAD}"] = shown_head(self.overlay.tokens, head)
        return all(known.get(key) == value for key, value in wish.items())

    @cached_property
    def _by_token(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for key in self.keys:
            found.setdefault(key.partition(" ")[0], []).append(key)
        return found
