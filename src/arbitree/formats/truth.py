"""The true labels of a study: one a line, in the order of the items, or a table of items and labels."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from arbitree.data.study import Study
from arbitree.errors import FormatError, Source, StudyError, shorten
from arbitree.formats.base import Content, load
from arbitree.formats.labels import Labels
from arbitree.formats.records import value_of
from arbitree.formats.tables import separator


def read_truth(path: str, study: Study[Any], *, encoding: str = "utf-8") -> dict[str, str]:
    """Return the true label of every item that *path* has one for, as text.

    Args:
        path: a file with a label in each line (empty: not known), or a table that names item and label.
        study: whose items they are.
        encoding: of the file.
    Raises:
        StudyError: if lines and items differ in number, or an item is not in the study.
    """
    content = load(path, encoding=encoding)
    if separator(content.head) is None and not content.head.lstrip().startswith("{"):
        return _lines(content, study)
    return _table(content, study)


def _lines(content: Content, study: Study[Any]) -> dict[str, str]:
    lines = [line.strip() for line in content.lines]
    if not lines[-1]:
        lines.pop()  # what follows the last line feed
    while len(lines) > len(study.items) and not lines[-1]:
        lines.pop()
    if len(lines) != len(study.items):
        what = f"{len(lines)} lines for {len(study.items)} items"
        hint = "Give one label a line in the order of the items, or a table with the columns item and label"
        raise StudyError(what, Source(content.path), hint=hint)
    return {
        item.id: str(value_of(line, Source(content.path, number)))
        for number, (item, line) in enumerate(zip(study.items, lines, strict=True), start=1)
        if line
    }


def _table(content: Content, study: Study[Any]) -> dict[str, str]:
    records = Labels().records(content)
    known = {item.id for item in study.items}
    truth: dict[str, str] = {}
    for item, label, line in zip(records.items, records.labels, records.lines, strict=True):
        source = Source(content.path, line)
        if item not in known:
            close = get_close_matches(item, known, n=1)
            hint = f"Did you mean {close[0]!r}?" if close else "Name the items as the study does"
            raise StudyError(f"item {shorten(item)} is not in the study", source, hint=hint)
        value = str(value_of(label, source))
        if truth.setdefault(item, value) != value:
            what = f"item {shorten(item)} has two true labels, {shorten(truth[item])} and {shorten(value)}"
            raise FormatError(what, source, hint="Keep one of them")
    return truth
