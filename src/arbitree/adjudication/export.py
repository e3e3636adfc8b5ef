"""Export the gold standard as a file that can be read together with the annotators' files."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from arbitree import plugins
from arbitree.adjudication.places import V
from arbitree.errors import Source, UnsupportedStudy
from arbitree.extras import need
from arbitree.formats.conll_rows import comment_value, sentence_id
from arbitree.formats.format import Format
from arbitree.reading.content import Entry
from arbitree.reading.inputs import DEFAULT_DOCUMENT
from arbitree.study.study import Annotation, Item, Study

if TYPE_CHECKING:
    from arbitree.kinds.kind import Kind

ADJUDICATED = "adjudicated"  # the coder whom tables name
CONTROL = ("Cc", "Cs")  # Unicode categories of characters that do not fit a comment
BY, AGREED = "adjudicated_by", "agreed_by"  # comments


class Gold(NamedTuple):
    """The gold annotation of one item."""

    value: Any
    people: tuple[str, ...]  # who decided; none: all coders agree


def exported(
    study: Study[V],
    kind: Kind[V],
    golds: Mapping[str, Gold],
    format: str,
    *,
    coder: str = ADJUDICATED,
    own: bool = False,
) -> str:
    """Return the text of a file with the gold annotations.

    Trees keep the ids of their sentences. If sentences are matched by position, as in files without ids, an
    undecided sentence is written without a tree, so that the others keep their positions. A comment names
    the adjudicators (``# adjudicated_by``) or the annotators who agree (``# agreed_by``). Labels, and the
    decisions on profiles, are written as a table with *coder* as the annotator.

    Args:
        study: The study to which the items belong.
        kind: The kind of its annotations.
        golds: Gold annotations by item id.
        format: Name of the format to write.
        coder: Name of the annotator in tables.
        own: Whether *golds* are the annotator's own annotations; if so, no comments are added.
    """
    if format not in kind.writers:
        what = f"{study.kind} annotations cannot be written as {format}"
        raise UnsupportedStudy(what, hint=f"Choose one of {', '.join(kind.writers)}")
    writer: Format[Any] = plugins.get("formats", format)
    need(f"the format {format}", *writer.needs)
    entries = list(_entries(study, kind, golds, writer, coder, own))
    if not writer.tabular:
        return "".join(writer.write(entries))
    items = {item.id: item for item in study.items}
    if len(study.documents) == 1:  # it is named after the files, not in them
        items = {name: replace(item, document=DEFAULT_DOCUMENT) for name, item in items.items()}
    cells = {
        (item, coder): Annotation(items[item], coder, entry.value, entry.source)
        for entry in entries
        if (item := entry.id)
    }
    table = Study(tuple(items[item] for item, _ in cells), (coder,), cells)
    return "".join(writer.write_study(table, writer.suffixes[0]))


def _entries(
    study: Study[V], kind: Kind[V], golds: Mapping[str, Gold], writer: Format[Any], coder: str, own: bool
) -> Iterator[Entry[Any]]:
    ids: dict[str, str] = {}  # of sentences, where files can say them
    several = len(study.documents) > 1
    gaps = writer.holds_gaps and _by_position(study, kind)
    for item, cells in study:
        gold = golds.get(item.id)
        if gold is None and not gaps:
            continue
        value, name = kind.empty() if gold is None else gold.value, item.id
        found = kind.comments(value)
        if found is not None:
            ids = ids or _ids(study, kind)
            name = _comment_name(ids[item.id])
            comments = [
                comment
                for comment in found
                if own or not any(comment_value(comment, key) for key in (BY, AGREED))
            ]
            if sentence_id(comments) != name and (gold is None or writer.holds_ids):
                comments = [f"# sent_id = {name}", *(each for each in comments if not sentence_id([each]))]
            if gold is not None and not own:
                agreed = [cell.coder for cell in cells if len(cell.value)]
                who = f"# {BY} = {', '.join(plain(gold.people))}" if gold.people else ""
                comments.append(who or f"# {AGREED} = {', '.join(plain(agreed))}")
            value = kind.commented(value, tuple(comments))
        written = kind.written(value, {cell.coder: cell.value for cell in cells})
        document = item.document if several else None
        yield Entry(written, _source(cells, item), name, document, coder)


def plain(names: Iterable[str]) -> list[str]:
    """Return *names* in a form that fits a comment: on one line, without control characters.

    Example:
        >>> plain(["Ann\\nLee", " bob"])
        ['Ann Lee', 'bob']
    """
    return [
        " ".join("".join(" " if unicodedata.category(c) in CONTROL else c for c in name).split())
        for name in names
    ]


def _comment_name(name: str) -> str:
    """Return the id of a sentence as it fits a comment; only control characters change it."""
    odd = any(unicodedata.category(character) in CONTROL for character in name)
    return " ".join(plain([name])) if odd else name


def _ids(study: Study[V], kind: Kind[V]) -> dict[str, str]:
    """Return the id that each sentence has in its file; that of the item where such ids are not unique."""
    found = {}
    for item, cells in study:
        own = (sentence_id(kind.comments(cell.value) or ()) for cell in cells)
        found[item.id] = next(filter(None, own), None) or item.id
    if len(set(found.values())) < len(found):
        return {item.id: item.id for item in study.items}
    return found


def _by_position(study: Study[V], kind: Kind[V]) -> bool:
    """Return whether the item ids are positions in the files."""
    numbers: dict[str, count[int]] = {}
    for item in study.items:
        document, _, number = item.id.rpartition("/")
        if number != str(next(numbers.setdefault(document, count(1)))):
            return False
    return not any(sentence_id(kind.comments(cell.value) or ()) for cell in study.cells.values())


def _source(cells: Iterable[Annotation[V]], item: Item) -> Source:
    return next((cell.source for cell in cells if cell.source), Source(item.id))
