"""Preferences of judges between two parses as a kind of annotation."""

from __future__ import annotations

from typing import ClassVar

from arbitree.kinds.kind import Kind
from arbitree.kinds.preference.value import Preference


class PreferencesKind(Kind[Preference]):
    """Preferences of judges between two parses."""

    name: ClassVar[str] = "preference"
    noun: ClassVar[str] = "judgments"
    values: ClassVar[tuple[type, ...]] = (Preference,)
    writers: ClassVar[tuple[str, ...]] = ()
    leading: ClassVar[tuple[str, ...]] = ()
    order: ClassVar[tuple[str, ...]] = ()


KIND = PreferencesKind()
