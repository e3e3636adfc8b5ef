"""Check a study after reading: return warnings, or raise errors in strict mode."""

from __future__ import annotations

from collections import Counter
from typing import Any

from arbitree.errors import Source, StudyError
from arbitree.reading.content import Entry
from arbitree.reading.inputs import Input
from arbitree.study.study import Annotation, Study

# Two texts with one id are different sentences if words and letter pairs overlap less than this.
SAME_SENTENCE = 0.5

Files = list[tuple[Input, list[Entry[Any]]]]


def uneven_files(files: Files, strict: bool) -> list[str]:
    """Return warnings about files of one document with different numbers of sentences."""
    notes = []
    longest: dict[str, tuple[Input, int]] = {}
    for each, entries in files:
        if len(entries) > longest.get(each.document, (each, 0))[1]:
            longest[each.document] = (each, len(entries))
    for each, entries in files:
        other, count = longest[each.document]
        if len(entries) == count:
            continue
        what = f"{each.coder} has {len(entries)} sentences, but {other.coder} has {count} ({other.path})"
        if strict:
            raise StudyError(what, Source(each.path), hint="Add ids to the sentences, or omit --strict")
        notes.append(f"{each.path}: {what}; the last {count - len(entries)} count as missing annotations")
    return notes


def defects(found: list[tuple[Annotation[Any], str]], strict: bool) -> list[str]:
    """Return a warning about trees with a defect (a cycle)."""
    if not found:
        return []
    cell, defect = found[0]
    if strict:
        raise StudyError(
            f"{defect} (sentence {cell.item.id!r})", cell.source, hint="Fix the tree, or omit --strict"
        )
    first = "" if len(found) == 1 else "first at "
    more = f" ({first}{cell.source}: {defect})"
    count = "1 tree has a cycle" if len(found) == 1 else f"{len(found)} trees have a cycle"
    return [f"{count}{more}; attachment scores include the tokens on or below a cycle, edit distances do not"]


def differing_tokens(study: Study[Any], *, by_id: bool, strict: bool) -> list[str]:
    """Return warnings about sentences with different tokens; raise StudyError for different texts."""
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
        *_note(numbers, "different numbers of tokens"),
        *_note(
            forms, "different token forms but equal numbers of tokens, so measures compare them by position"
        ),
        *_note(strangers, "different texts in the same position, perhaps because a sentence is missing"),
    ]


def empty_trees(study: Study[Any]) -> list[str]:
    """Return a warning about annotations without tokens, which all measures exclude."""
    found = [cell for cell in study.cells.values() if not len(cell.value)]
    if not found:
        return []
    count = "1 annotation is" if len(found) == 1 else f"{len(found)} annotations are"
    first = "" if len(found) == 1 else "first at "
    return [f"{count} empty and excluded ({first}{found[0].source})"]


def _first_difference(cells: list[Annotation[Any]]) -> tuple[Annotation[Any], Annotation[Any]] | None:
    if len(cells) < 2 or all(cell.value.tokens == cells[0].value.tokens for cell in cells[1:]):
        return None
    full = [cell for cell in cells if len(cell.value)]  # an empty annotation counts as missing
    for other in full[1:]:
        if other.value.tokens != full[0].value.tokens:
            return full[0], other
    return None


def _mismatch(ours: Annotation[Any], theirs: Annotation[Any], *, by_id: bool) -> StudyError:
    there, here = (_quoted(cell.value.tokens) for cell in (theirs, ours))
    what = f"{theirs.coder} has {there} in {ours.item.id!r}, but {ours.coder} has {here} ({ours.source})"
    if not _different_sentences(ours.value.tokens, theirs.value.tokens):
        hint = "Use the same tokens, or omit --strict"
    elif by_id:
        hint = "Use the same id only for the same sentence"
    else:
        hint = "Add the missing sentence, or add ids to all sentences"
    return StudyError(what, theirs.source, hint=hint)


def _quoted(tokens: tuple[str, ...]) -> str:
    shown = " ".join(tokens[:6]) + (" …" if len(tokens) > 6 else "")
    return f"{len(tokens)} tokens ({shown!r})"


def _note(pairs: list[tuple[Annotation[Any], Annotation[Any]]], what: str) -> list[str]:
    if not pairs:
        return []
    ours, theirs = pairs[0]
    items = "1 sentence has" if len(pairs) == 1 else f"{len(pairs)} sentences have"
    first = "" if len(pairs) == 1 else "first: "
    return [f"{items} {what} ({first}{ours.item.id!r}, {ours.source} and {theirs.source})"]


def _different_sentences(ours: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    """Return whether two texts are different sentences, not one sentence with different tokenisation.

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
    """Raise StudyError if there are several annotators but none of them share an item."""
    if len(study.coders) < 2 or any(len(cells) > 1 for _, cells in study):
        return
    firsts = {cell.coder: cell for cell in reversed(list(study.cells.values()))}
    if len(firsts) < 2:
        return
    ours, theirs = (firsts[coder] for coder in [coder for coder in study.coders if coder in firsts][:2])
    what = (
        f"the annotators have no items in common: {ours.coder} has ids such as {ours.item.id!r}, "
        f"{theirs.coder} has ids such as {theirs.item.id!r}"
    )
    raise StudyError(what, theirs.source, hint="Use the same ids in all files, or set --match position")
