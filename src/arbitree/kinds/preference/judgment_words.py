"""The meaning of words in judgments: converts a table of words to a study of preferences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from arbitree.errors import FormatError, Source, StudyError, UnknownName, shorten
from arbitree.kinds.preference.value import Preference
from arbitree.numbers import whole_number
from arbitree.plugins import check_name
from arbitree.study.study import Annotation, Item, Study

if TYPE_CHECKING:
    from arbitree.kinds.preference.judgments import Judgment, Judgments


FIRST_WORDS = ("a", "1", "first", "left", "top", "up", "blue")
SECOND_WORDS = ("b", "2", "second", "right", "bottom", "down", "red")
BAD = ("both bad", "both_bad", "x")
EQUAL = ("equal", "=", "same", "tie", "both", "neither", *BAD, "both good", "both_good")
MISSING_WORDS = ("", "-", "_", "?", "na", "n/a", "nan", "null", "missing")
KNOWN_WORDS = frozenset((*FIRST_WORDS, *SECOND_WORDS, *EQUAL, *MISSING_WORDS))
STRAY = ("exclude", "error", "first", "second")


@dataclass(frozen=True, slots=True)
class Words:
    """The meaning of words: 0 and 1 for the two systems, None for neither, "missing" for no judgment.

    Args:
        options: the names of the two systems.
        given: meanings set by the user, such as ``{"blue": 0}``; they take precedence over system names.
        stray: the treatment of words without a meaning: ``exclude`` them, raise an ``error``, or count
            them for the ``first`` or the ``second`` system.

    Example:
        >>> words = Words(("malt", "mst"), given_words("green=malt", ("malt", "mst")))
        >>> [words.meaning(word) for word in ("green", "MST", "left", "equal", "")]
        [0, 1, 0, None, 'missing']
    """

    options: tuple[str, str]
    given: Mapping[str, int | str | None] = field(default_factory=dict)
    stray: str = "exclude"

    def __post_init__(self) -> None:
        check_name(self.stray, STRAY, "stray value")

    def meaning(self, word: str, shown: tuple[str, str] | None = None) -> int | str | None:
        """Return the meaning of *word*, or "stray"; *shown* are the systems shown first and second."""
        key = word.strip().casefold()
        if key in self.given:
            return self.given[key]
        names = [name.casefold() for name in self.options]
        if key in names:
            return names.index(key)
        if key in FIRST_WORDS or key in SECOND_WORDS:
            side = int(key in SECOND_WORDS)
            if shown is None:
                return side
            there = shown[side].casefold()
            return names.index(there) if there in names else "stray"
        if key in EQUAL:
            return None
        return "missing" if key in MISSING_WORDS else "stray"

    def both_bad(self, word: str) -> bool:
        """Return whether *word*, which does not name a system, means that both are bad."""
        key = word.strip().casefold()
        return key in BAD and key not in self.given


def given_words(text: str | None, options: tuple[str, str]) -> dict[str, int | str | None]:
    """Return the meanings in ``blue=A,red=B``; values are a system, A or B, ``equal`` or ``missing``.

    Example:
        >>> given_words("blue=A,red=mst,root=missing", ("malt", "mst"))
        {'blue': 0, 'red': 1, 'root': 'missing'}
    """
    found: dict[str, int | str | None] = {}
    plain = Words(options)
    for part in filter(None, (text or "").split(",")):
        word, equals, target = part.rpartition("=")
        meaning = plain.meaning(target) if equals and word.strip() else "stray"
        if meaning == "stray" or not target.strip():
            hint = f"Write WORD=NAME, with NAME one of {options[0]}, {options[1]}, A, B, equal, missing"
            raise UnknownName(f"{part!r} does not give a word a meaning", hint=hint)
        found[word.strip().casefold()] = meaning
    return found


def preferences(judgments: Judgments, items: Sequence[Item], words: Words) -> Study[Preference]:
    """Return the study of preferences over *items*; its notes list exclusions.

    Raises:
        StudyError: if the numbers of rows and items differ, or most words do not name a system.
        FormatError: for a stray word under ``error``.
    """
    find = _finder(judgments, items)
    cells: dict[tuple[str, str], Annotation[Preference]] = {}
    seen: dict[tuple[str, str], int | str | None] = {}
    strays: list[Judgment] = []
    strangers: list[Judgment] = []
    repeats: Counter[tuple[str, bool]] = Counter()
    known = 0
    for each in judgments.entries:
        meaning = words.meaning(each.word, each.shown)
        if meaning == "stray":
            strays.append(each)
            if words.stray == "error":
                raise _stray_error(each, words)
            meaning = {"first": 0, "second": 1}.get(words.stray, "missing")
        elif meaning != "missing":
            known += 1
        if meaning == "missing":
            continue
        item = find(each.item)
        if item is None:
            strangers.append(each)
            continue
        if (item.id, each.coder) in seen:
            repeats[each.coder, seen[item.id, each.coder] == meaning] += 1
            continue
        seen[item.id, each.coder] = meaning
        choice = words.options[meaning] if isinstance(meaning, int) else None
        value = Preference(words.options, choice, bad=choice is None and words.both_bad(each.word))
        cells[item.id, each.coder] = Annotation(item, each.coder, value, each.source)
    _check_known(judgments, words, strays, strangers, known)
    notes = [
        *judgments.notes,
        *_stray_notes(strays, words),
        *_stranger_notes(strangers),
        *_repeat_notes(repeats),
    ]
    judges = {coder for _, coder in cells}
    coders = tuple(coder for coder in judgments.coders if coder in judges)
    return replace(Study(items, coders, cells), notes=tuple(notes))


def _finder(judgments: Judgments, items: Sequence[Item]) -> Any:
    """Return a function that finds an item by its id in the file, or by number."""
    by_id = {item.id: item for item in items}
    if judgments.rows is not None and judgments.rows != len(items):
        what = f"found {judgments.rows} rows of judgments for {len(items)} sentences"
        hint = "Write one row per sentence, or add a first column 'item' with the ids"
        raise StudyError(what, Source(judgments.path), hint=hint)
    keys = {each.item for each in judgments.entries}
    if any(key in by_id for key in keys):
        return by_id.get
    by_tail = {item.id.rpartition("/")[2]: item for item in items}
    if len(by_tail) == len(items) and any(key in by_tail for key in keys):
        return by_tail.get
    start = 0 if any(whole_number(str(key)) == 0 for key in keys) else 1
    by_number = {str(number): item for number, item in enumerate(items, start=start)}
    return lambda key: by_number.get(str(key))


def _check_known(
    judgments: Judgments, words: Words, strays: list[Judgment], strangers: list[Judgment], known: int
) -> None:
    if strays and len(strays) > known:
        raise _stray_error(strays[0], words, strays)
    if strangers and len(strangers) == known:
        what = f"no sentence has the id {str(strangers[0].item)!r} or any other id in this file"
        raise StudyError(what, strangers[0].source, hint="Use the ids of the trees, or numbers from 1")
    if not known and not strays:
        raise StudyError(
            "the file contains no judgments", Source(judgments.path), hint="Write one row per sentence"
        )


def _stray_error(each: Judgment, words: Words, strays: list[Judgment] | None = None) -> FormatError:
    first, second = words.options
    counted = Counter(stray.word for stray in strays or [each]).most_common(3)
    listed = ", ".join(f"{shorten(word)}{f' ({count:,})' if strays else ''}" for word, count in counted)
    hint = f"Set the meaning of the words: --options {_plain(each.word)}={first},OTHER={second}"
    return FormatError(f"{listed} does not name {first} or {second}", each.source, hint=hint)


def _plain(word: str) -> str:
    return word if word.isalnum() else "WORD"


def _stray_notes(strays: list[Judgment], words: Words) -> list[str]:
    if not strays:
        return []
    taken = {"exclude": "excluded", "first": f"counted for {words.options[0]}"}
    what = taken.get(words.stray, f"counted for {words.options[1]}")
    listed = ", ".join(f"{shorten(w)} ({n})" for w, n in Counter(each.word for each in strays).most_common(5))
    count = "1 judgment does" if len(strays) == 1 else f"{len(strays)} judgments do"
    return [f"{count} not name a parse and {'is' if len(strays) == 1 else 'are'} {what}: {listed}, "
            f"the first at {strays[0].source}"]  # fmt: skip


def _stranger_notes(strangers: list[Judgment]) -> list[str]:
    if not strangers:
        return []
    count = "1 judgment is" if len(strangers) == 1 else f"{len(strangers)} judgments are"
    first = strangers[0]
    return [
        f"{count} excluded, because the item has no trees; the first is {str(first.item)!r} at {first.source}"
    ]


def _repeat_notes(repeats: Counter[tuple[str, bool]]) -> list[str]:
    coders = dict.fromkeys(coder for coder, _ in repeats)
    notes = []
    for coder in coders:
        same, other = repeats[coder, True], repeats[coder, False]
        notes.append(
            f"{coder} judged {same + other} items twice and gave the same answer on {same}; "
            "the first judgment counts"
        )
    return notes
