"""Export the gold standard as a file that can be read together with the annotators' files."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from arbitree import plugins
from arbitree.adjudication.places import V
from arbitree.errors import Source, UnsupportedStudy
from arbitree.extras import need
from arbitree.formats.conll_rows import comment_value, sentence_id
from arbitree.formats.format import Format
from arbitree.reading.content import Entry
from arbitree.study.study import Annotation, Item, Study

if TYPE_CHECKING:
    from arbitree.kinds.kind import Kind

ADJUDICATED = "adjudicated"  # the coder whom tables name
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
    return "".join(writer.write(_entries(study, kind, golds, writer, coder, own)))


def _entries(
    study: Study[V], kind: Kind[V], golds: Mapping[str, Gold], writer: Format[Any], coder: str, own: bool
) -> Iterator[Entry[Any]]:
    ids: dict[str, str] = {}  # of sentences, where files can say them
    gaps = writer.holds_gaps and _by_position(study, kind)
    for item, cells in study:
        gold = golds.get(item.id)
        if gold is None and not gaps:
            continue
        value, name = kind.empty() if gold is None else gold.value, item.id
        found = kind.comments(value)
        if found is not None:
            ids = ids or _ids(study, kind)
            name = " ".join(plain([ids[item.id]]))
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
        yield Entry(written, _source(cells, item), name, item.document, coder)


def plain(names: Iterable[str]) -> list[str]:
    """Return *names* in a form that fits a comment: on one line, without control characters.

    Example:
        >>> plain(["Ann\\nLee", " bob"])
        ['Ann Lee', 'bob']
    """
    return [
        " ".join("".join(" " if unicodedata.category(c) in ("Cc", "Cs") else c for c in name).split())
        for name in names
    ]


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
