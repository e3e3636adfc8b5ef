"""Splits the text of a CoNLL file; see ``conll_rows.py`` for the result."""

from arbitree.formats.conll_rows import Part

def blocks(text: str) -> list[Part] | None: ...
