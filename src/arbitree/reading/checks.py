"""What is odd about a study that was just read: said as notes, or refused when strict."""

from __future__ import annotations

from collections import Counter
from typing import Any

from arbitree.errors import Source, StudyError
from arbitree.reading.content import Entry
from arbitree.reading.inputs import Input
from arbitree.study.study import Annotation, Study

# Below this overlap of words and of letter pairs, two texts under one id are taken for different sentences.
SAME_SENTENCE = 0.5

Files = list[tuple[Input, list[Entry[Any]]]]


def uneven_files(files: Files, strict: bool) -> list[str]:
    """Note files of one document that differ in their number of sentences, matched by position."""
    notes = []
    longest: dict[str, tuple[Input, int]] = {}
    for each, entries in files:
        if len(entries) > longest.get(each.document, (each, 0))[1]:
            longest[each.document] = (each, len(entries))
    for each, entries in files:
        other, count = longest[each.document]
        if len(entries) == count:
            continue
        what = f"{each.coder} has {len(entries)} sentences where {other.coder} has {count} ({other.path})"
        if strict:
            raise StudyError(what, Source(each.path), hint="Give the sentences ids, or leave out --strict")
        notes.append(
            f"{each.path}: {what}; matched by position, the last {count - len(entries)} count as missing"
        )
    return notes


def defects(found: list[tuple[Annotation[Any], str]], strict: bool) -> list[str]:
    """Note trees that have a defect: a cycle."""
    if not found:
        return []
    cell, defect = found[0]
    if strict:
        raise StudyError(
            f"{defect} (item {cell.item.id!r})", cell.source, hint="Mend the tree, or leave out --strict"
        )
    more = f", the first at {cell.source}: {defect}" if len(found) > 1 else f" ({cell.source}: {defect})"
    count = "1 tree has a cycle" if len(found) == 1 else f"{len(found)} trees have a cycle"
    return [
        f"{count}{more}; tokens on it or below it are scored but are not in the tree that edit distance sees"
    ]


def differing_tokens(study: Study[Any], *, by_id: bool, strict: bool) -> list[str]:
    """Note items whose coders have other tokens; refuse different sentences under one id."""
    numbers, forms, strangers = [], [], []
    shared = 0
    for _, cells in study:
        shared += len(cells) > 1
        pair = _first_difference(cells)
        if pair is None:
            continue
        ours, theirs = pair
        if strict or (by_id and _different_sentences(ours.value.tokens, theirs.value.tokens)):
            raise _mismatch(ours, theirs, by_id=by_id)
        if _different_sentences(ours.value.tokens, theirs.value.tokens):
            strangers.append(pair)
        elif len(ours.value.tokens) != len(theirs.value.tokens):
            numbers.append(pair)
        else:
            forms.append(pair)
    if len(strangers) * 2 > shared:
        raise _mismatch(*strangers[0], by_id=by_id)
    return [
        *_note(numbers, "tokens that differ in number"),
        *_note(forms, "tokens that differ in form but not in number: measures compare them one by one"),
        *_note(strangers, "different sentences in one position: did a coder skip a sentence?"),
    ]


def empty_trees(study: Study[Any]) -> list[str]:
    """Note annotations without tokens, which no measure counts."""
    found = [cell for cell in study.cells.values() if not len(cell.value)]
    if not found:
        return []
    count = "1 annotation is" if len(found) == 1 else f"{len(found)} annotations are"
    return [f"{count} empty and left out ({found[0].source})"]


def _first_difference(cells: list[Annotation[Any]]) -> tuple[Annotation[Any], Annotation[Any]] | None:
    if len(cells) < 2 or all(cell.value.tokens == cells[0].value.tokens for cell in cells[1:]):
        return None
    full = [cell for cell in cells if len(cell.value)]  # an empty annotation is like a missing one
    for other in full[1:]:
        if other.value.tokens != full[0].value.tokens:
            return full[0], other
    return None


def _mismatch(ours: Annotation[Any], theirs: Annotation[Any], *, by_id: bool) -> StudyError:
    there, here = (_quoted(cell.value.tokens) for cell in (theirs, ours))
    what = f"{theirs.coder} has {there} for item {ours.item.id!r}, {ours.coder} has {here} ({ours.source})"
    if not _different_sentences(ours.value.tokens, theirs.value.tokens):
        hint = "Align the tokens, or leave out --strict"
    elif by_id:
        hint = "Give one sentence one id"
    else:
        hint = "See whether a coder skipped a sentence, or give the sentences ids"
    return StudyError(what, theirs.source, hint=hint)


def _quoted(tokens: tuple[str, ...]) -> str:
    shown = " ".join(tokens[:6]) + (" …" if len(tokens) > 6 else "")
    return f"{len(tokens)} tokens ({shown!r})"


def _note(pairs: list[tuple[Annotation[Any], Annotation[Any]]], what: str) -> list[str]:
    if not pairs:
        return []
    ours, theirs = pairs[0]
    items = "1 item has" if len(pairs) == 1 else f"{len(pairs)} items have"
    first = "" if len(pairs) == 1 else "the first: "
    return [f"{items} {what} ({first}{ours.item.id!r}, {ours.source} and {theirs.source})"]


def _different_sentences(ours: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    """Tell a different sentence from the same one cut into other tokens.

    Example:
        >>> _different_sentences(("I", "don't"), ("I", "do", "n't"))
        False
        >>> _different_sentences(("Rain", "fell", "."), ("Nobody", "came", "home", "."))
        True
    """
    if not ours or not theirs:
        return False
    return _overlap(Counter(ours), Counter(theirs)) < SAME_SENTENCE and (
        _overlap(_letter_pairs(ours), _letter_pairs(theirs)) < SAME_SENTENCE
    )


def _letter_pairs(tokens: tuple[str, ...]) -> Counter[str]:
    text = "".join(tokens)
    return Counter(text[k : k + 2] for k in range(len(text) - 1)) or Counter([text])


def _overlap(ours: Counter[str], theirs: Counter[str]) -> float:
    return 2 * (ours & theirs).total() / (ours.total() + theirs.total())


def check_common(study: Study[Any]) -> None:
    """Raise StudyError if there are two coders and no item that two of them annotated."""
    if len(study.coders) < 2 or any(len(cells) > 1 for _, cells in study):
        return
    firsts = {cell.coder: cell for cell in reversed(list(study.cells.values()))}
    if len(firsts) < 2:
        return
    ours, theirs = (firsts[coder] for coder in [coder for coder in study.coders if coder in firsts][:2])
    what = (
        f"no item is shared by two coders: {ours.coder} has ids such as {ours.item.id!r}, "
        f"{theirs.coder} such as {theirs.item.id!r}"
    )
    raise StudyError(what, theirs.source, hint="Use the same ids in all files, or give --match position")
