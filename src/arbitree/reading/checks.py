"""Check a study after reading: return warnings, or raise errors in strict mode."""

from __future__ import annotations

from typing import Any

from arbitree.errors import Source, StudyError, Urgent
from arbitree.reading.alignment import different_sentences
from arbitree.reading.content import Entry
from arbitree.reading.inputs import Input
from arbitree.reading.matching import Files, Placed
from arbitree.study.comparable import annotated, tokens_match
from arbitree.study.study import Annotation, Study
from arbitree.wording import count_of

AROUND = 15  # characters of a text before and after the first difference


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
        own = count_of(len(entries), "sentence")
        what = f"{each.coder} has {own}, but {other.coder} has {count} ({other.path})"
        if strict:
            hint = "Set --match text, add ids to all sentences, or omit --strict"
            raise StudyError(what, Source(each.path), hint=hint)
        rest = count - len(entries)
        last = "one counts as a missing annotation" if rest == 1 else f"{rest} count as missing annotations"
        notes.append(f"{each.path}: {what}; the last {last}")
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


def differing_tokens(study: Study[Any], *, method: str, strict: bool) -> list[str]:
    """Return warnings about sentences with different tokens; raise StudyError for different texts.

    Args:
        study: the study; tokens of items with a text of their own can differ as annotators like.
        method: how sentences were matched: by ``id``, ``position`` or ``text``.
        strict: whether all differences are errors.
    """
    numbers, forms, strangers = [], [], []
    shared = 0
    for item, cells in study:
        full = annotated(cells)  # an empty annotation counts as missing
        shared += len(full) > 1
        others = [cell for cell in full[1:] if cell.value.tokens != full[0].value.tokens]
        if not others:
            continue
        same = bool(study.texts.main(item.id))  # whatever the tokens are
        if strict and not same:
            raise _mismatch(full[0], others[0], method)
        strange = next((cell for cell in others if not same and _different(full[0], cell)), None)
        uneven = next((cell for cell in others if not tokens_match([full[0].value, cell.value])), None)
        if strange:
            strangers.append((full[0], strange))
        elif uneven:
            numbers.append((full[0], uneven))
        else:
            forms.append((full[0], others[0]))
    if strangers and (method == "id" or len(strangers) * 2 > shared):
        raise _mismatch(*strangers[0], method)
    advice = "Set --match text to align them"
    return [
        *map(Urgent, _note(strangers, "different texts in the same position", advice)),
        *_note(numbers, "different numbers of tokens"),
        *_note(
            forms, "different token forms but equal numbers of tokens, so measures compare them by position"
        ),
    ]


def item_texts(placed: Placed) -> dict[str, str]:
    """Return the text of each item whose annotations do not contain the annotated words.

    Raises:
        StudyError: if annotators have different texts under one id; it shows the first difference.
    """
    found: dict[str, tuple[str, Entry[Any]]] = {}
    for item, coder, entry in placed:
        if not entry.text:
            continue
        other, first = found.setdefault(item.id, (coder, entry))
        ours, theirs = (" ".join(each.text.split()) for each in (first, entry))
        if ours != theirs:
            start = next((place for place in range(len(ours)) if ours[: place + 1] != theirs[: place + 1]), 0)
            here, there = (f"…{text[max(start - AROUND, 0) : start + AROUND]}…" for text in (ours, theirs))
            what = f"{coder} has another text of {item.id!r} ({there}) than {other} ({here}, {first.source})"
            hint = "Use the same id only for the same sentence"
            raise StudyError(what, entry.source, hint=hint)
    return {item: entry.text for item, (_, entry) in found.items()}


def empty_trees(study: Study[Any]) -> list[str]:
    """Return a warning about annotations without tokens, which all measures exclude."""
    found = [cell for cell in study.cells.values() if not len(cell.value)]
    if not found:
        return []
    count = "1 annotation is" if len(found) == 1 else f"{len(found)} annotations are"
    first = "" if len(found) == 1 else "first at "
    return [f"{count} empty and excluded ({first}{found[0].source})"]


def _different(ours: Annotation[Any], theirs: Annotation[Any]) -> bool:
    return different_sentences(ours.value.tokens, theirs.value.tokens)


def _mismatch(ours: Annotation[Any], theirs: Annotation[Any], method: str) -> StudyError:
    there, here = (_quoted(cell.value.tokens) for cell in (theirs, ours))
    what = f"{theirs.coder} has {there} in {ours.item.id!r}, but {ours.coder} has {here} ({ours.source})"
    if not _different(ours, theirs):
        hint = "Use the same tokens, or omit --strict"
    elif method == "id":
        hint = "Use the same id only for the same sentence, or set --match text"
    else:
        hint = "Set --match text, or add ids to all sentences"
    return StudyError(what, theirs.source, hint=hint)


def _quoted(tokens: tuple[str, ...]) -> str:
    shown = " ".join(tokens[:6]) + (" …" if len(tokens) > 6 else "")
    return f"{len(tokens)} tokens ({shown!r})"


def _note(pairs: list[tuple[Annotation[Any], Annotation[Any]]], what: str, advice: str = "") -> list[str]:
    if not pairs:
        return []
    ours, theirs = pairs[0]
    items = "1 sentence has" if len(pairs) == 1 else f"{len(pairs)} sentences have"
    first = "" if len(pairs) == 1 else "first: "
    note = f"{items} {what} ({first}{ours.item.id!r}, {ours.source} and {theirs.source})"
    return [f"{note}. {advice}" if advice else note]


def check_common(study: Study[Any], method: str = "") -> None:
    """Raise StudyError if there are several annotators but none of them share an item.

    Args:
        study: the study.
        method: how sentences were matched; "" for tables of labels, which contain no sentences.
    """
    if len(study.coders) < 2 or any(len(cells) > 1 for _, cells in study):
        return
    firsts = {cell.coder: cell for cell in reversed(list(study.cells.values()))}
    if len(firsts) < 2:
        return
    ours, theirs = (firsts[coder] for coder in [coder for coder in study.coders if coder in firsts][:2])
    if method == "text":
        what = f"no sentence of {theirs.coder} has the words of a sentence of {ours.coder}"
        raise StudyError(what, theirs.source, hint="Pass files with the same sentences, or set --match id")
    what = (
        f"the annotators have no items in common: {ours.coder} has ids such as {ours.item.id!r}, "
        f"{theirs.coder} has ids such as {theirs.item.id!r}"
    )
    hint = "Use the same ids in all files" + (", or set --match text" if method else "")
    raise StudyError(what, theirs.source, hint=hint)
