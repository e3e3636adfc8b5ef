"""Splits the text of a CoNLL file; ``conll_rows.py`` says what everything means."""

from arbitree.formats.conll_rows import Part

def blocks(text: str) -> list[Part] | None: ...
