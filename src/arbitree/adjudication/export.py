"""What was decided, as a file that is read together with the coders' own."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import Any, NamedTuple

from arbitree import plugins
from arbitree.errors import Source, UnsupportedStudy
from arbitree.formats.conll_rows import comment_value, sentence_id
from arbitree.formats.format import Format
from arbitree.kinds.dependency.value import DepTree
from arbitree.kinds.labels.value import Label, Tags
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.kinds.treebanking.places import outcome_of, profile_sheet
from arbitree.kinds.treebanking.value import Decisions
from arbitree.reading.content import Entry
from arbitree.study.study import Item, Study

ADJUDICATED = "adjudicated"  # the coder whom tables name
BY, AGREED = "adjudicated_by", "agreed_by"  # comments


class Gold(NamedTuple):
    """The finished annotation of one item."""

    value: Any
    people: tuple[str, ...]  # who decided; none: all coders agree


def exported(
    study: Study[Any], golds: Mapping[str, Gold], format: str, *, coder: str = ADJUDICATED, own: bool = False
) -> str:
    """Return the text of a file with the finished annotations.

    Trees keep the ids of their sentences. Where sentences meet by position, as in files without ids, those
    that are not finished stand there without a tree, so that the others keep their places. A comment names
    who decided (``# adjudicated_by``) or the coders who agree (``# agreed_by``). Labels are a table in
    which *coder* has given them; so are the outcomes of profiles, which cannot be written.

    Args:
        study: whose items these are.
        golds: by the ids of items.
        format: the name of a format for such annotations.
        coder: whom tables name.
        own: whether *golds* are that coder's own annotations; no comments are added then.
    """
    writer = plugins.get("formats", format)
    kind = study.value_type
    wanted = Label if kind in (Tags, Decisions) else kind
    if writer.value_type is not wanted:
        fitting = [name for name, each in plugins.plugins("formats").items() if each.value_type is wanted]
        what = f"{kind.kind} annotations cannot be written as {format}"
        raise UnsupportedStudy(what, hint=f"Write one of {', '.join(fitting)}")
    if wanted is Label:
        return "".join(writer.write(_labels(study, golds, coder)))
    return "".join(writer.write(_trees(study, golds, writer, coder, own)))


def _labels(study: Study[Any], golds: Mapping[str, Gold], coder: str) -> Iterator[Entry[Any]]:
    for item in study.items:
        if item.id in golds:
            value = golds[item.id].value
            said = Label(_outcome(study, item, value)) if isinstance(value, Decisions) else value
            yield Entry(said, _source(study, item), item.id, item.document, coder)


def _outcome(study: Study[Any], item: Item, value: Decisions) -> str:
    """Return what came of a sentence, in the words in which an adjudicator chose it."""
    values = {cell.coder: cell.value for cell in study.of(item)}
    choices = profile_sheet(item, values).reading.choices if len(values) > 1 else ()
    own = (each.value for each in choices if any(values[coder] is value for coder in each.coders))
    return next(own, outcome_of(value))


def _trees(
    study: Study[Any], golds: Mapping[str, Gold], writer: Format[Any], coder: str, own: bool
) -> Iterator[Entry[Any]]:
    ids = _ids(study)
    gaps = writer.holds_gaps and _by_position(study)
    for item in study.items:
        gold = golds.get(item.id)
        if gold is None and not gaps:
            continue
        value = _nothing(study.value_type) if gold is None else gold.value
        comments = [
            comment
            for comment in value.comments
            if own or not any(comment_value(comment, key) for key in (BY, AGREED))
        ]
        name = " ".join(plain([ids[item.id]]))
        if sentence_id(comments) != name and (gold is None or writer.holds_ids):
            comments = [f"# sent_id = {name}", *(each for each in comments if not sentence_id([each]))]
        if gold is not None and not own:
            agreed = [cell.coder for cell in study.of(item) if len(cell.value)]
            who = f"# {BY} = {', '.join(plain(gold.people))}" if gold.people else ""
            comments.append(who or f"# {AGREED} = {', '.join(plain(agreed))}")
        yield Entry(
            replace(value, comments=tuple(comments)), _source(study, item), name, item.document, coder
        )


def plain(names: Iterable[str]) -> list[str]:
    """Return *names* as a comment can hold them: on one line, without control characters.

    Example:
        >>> plain(["Ann\\nLee", " bob"])
        ['Ann Lee', 'bob']
    """
    return [
        " ".join("".join(" " if unicodedata.category(c) in ("Cc", "Cs") else c for c in name).split())
        for name in names
    ]


def _ids(study: Study[Any]) -> dict[str, str]:
    """Return the id that each sentence has in its file; that of the item where such ids are not unique."""
    found = {}
    for item, cells in study:
        own = (sentence_id(cell.value.comments) for cell in cells)
        found[item.id] = next(filter(None, own), None) or item.id
    if len(set(found.values())) < len(found):
        return {item.id: item.id for item in study.items}
    return found


def _by_position(study: Study[Any]) -> bool:
    """Return whether the items are called after their places in files."""
    numbers: dict[str, count[int]] = {}
    for item in study.items:
        document, _, number = item.id.rpartition("/")
        if number != str(next(numbers.setdefault(document, count(1)))):
            return False
    return not any(sentence_id(cell.value.comments) for cell in study.cells.values())


def _nothing(kind: type[Any]) -> Any:
    """Return a sentence without a tree."""
    return DepTree((), (), ()) if kind is DepTree else PhraseTree((), (), ())


def _source(study: Study[Any], item: Item) -> Source:
    return next((cell.source for cell in study.of(item) if cell.source), Source(item.id))
