"""Recognise missing labels and different spellings of one label: NA, 1 and 1.0, NFC and NFD."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from decimal import Decimal

from arbitree.errors import UnknownName
from arbitree.reading.inputs import Reading
from arbitree.wording import count_of, listed

# What programs write for a missing value (R, numpy, pandas, SQL, spreadsheets), and nobody as a label.
MARKERS = frozenset(
    ("NA", "<NA>", "NaN", "nan", "NAN", "-NaN", "-nan", "NULL", "\\N", "#N/A", "#NA", "#N/A N/A")
)
DOUBTFUL = frozenset(("N/A", "n/a", "null", "None", "-"))  # a label in many schemes, or a missing value
AUTO, OFF = "auto", "off"
EQUAL = "equal"
NUMBERS = (AUTO, EQUAL, OFF)
MOST = 3  # spellings that a note lists

_NUMBER = re.compile(r"[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
_WHOLE = re.compile(r"-?\d+(\.0*)?", re.ASCII)
_CODE = re.compile(r"[+-]?0\d", re.ASCII)
_COMMA = re.compile(r"[+-]?\d+,\d+", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}", re.ASCII)

Users = Callable[[str], Collection[str]]


def settings_of(reading: Reading | None) -> tuple[str, ...]:
    """Return the options about labels that are not the default, for signatures."""
    options = {} if reading is None else {"missing": reading.missing, "numbers": reading.numbers}
    return tuple(f"{name}:{value}" for name, value in options.items() if value != AUTO)


def missing_markers(option: str) -> frozenset[str]:
    """Return the texts of cells that count as missing, besides empty cells.

    Args:
        option: Texts, separated by commas; ``auto`` stands for the usual markers, ``off`` for none.

    Example:
        >>> sorted(missing_markers("?,n/a")), "NaN" in missing_markers("auto,?"), missing_markers("off")
        (['?', 'n/a'], True, frozenset())
    """
    parts = [part.strip() for part in option.split(",") if part.strip()]
    if not parts:
        raise UnknownName("no text in --missing", hint="Set it to texts such as NA,? or to auto or off")
    if parts == [OFF]:
        return frozenset()
    return frozenset(part for part in parts if part != AUTO) | (MARKERS if AUTO in parts else frozenset())


def missing_notes(missing: Mapping[str, int], labels: Mapping[str, int], option: str) -> list[str]:
    """Return warnings about cells that count as missing, and about labels that may mean a missing label.

    Args:
        missing: The number of cells with each marker.
        labels: The number of cells with each label.
        option: The option ``missing``.
    """
    notes = []
    if missing:
        advice = "; to read such cells as labels, set --missing off" if option == AUTO else ""
        notes.append(f"{_counted(missing, 'as missing', 'as missing')}{advice}")
    doubtful = {text: labels[text] for text in sorted(DOUBTFUL & labels.keys())}
    if doubtful and option == AUTO:
        wanted = f"--missing {','.join((AUTO, *doubtful))}"
        what = _counted(doubtful, "as a label", "as labels")
        notes.append(f"{what}; if the label is missing there, set {wanted}")
    return notes


def _counted(counts: Mapping[str, int], one: str, more: str) -> str:
    ordered = sorted(counts, key=lambda text: (-counts[text], text))
    parts = [f"{text} ({counts[text]:,})" if len(ordered) > 1 else text for text in ordered]
    names = listed(parts if len(parts) <= MOST else [*parts[:MOST], "others"], "or")
    total = sum(counts.values())
    verb = f"counts {one}" if total == 1 else f"count {more}"
    return f"{count_of(total, 'cell')} with {names} {verb}"


def composed_note(found: Mapping[str, str], what: str) -> list[str]:
    """Return a warning about texts in several Unicode forms; *what* names one of them."""
    if not found:
        return []
    forms = sorted(set(found.values()))
    return [
        f"{count_of(len(forms), what)} in several Unicode forms (composed and decomposed letters), such as "
        f"{forms[0]!r}, {'counts' if len(forms) == 1 else 'count'} as one each"
    ]


def numbers_as_one(texts: Collection[str], mode: str, *, commas: bool, users: Users) -> dict[str, str]:
    """Return the spelling of every number in *texts* that is written differently: 1 for 1.0.

    With ``auto``, all labels must be numbers, except that 1.0 always means 1. Numbers with leading zeros are
    codes. So are 1.1 and 1.10 if one annotator uses both.

    Args:
        texts: All labels of a study.
        mode: ``auto``, ``equal`` or ``off``.
        commas: Whether 1,5 is a number with a decimal comma.
        users: Returns the annotators who use a label.

    Example:
        >>> numbers_as_one(["1", "1.0", "2.50"], "auto", commas=False, users=lambda text: ())
        {'1.0': '1', '2.50': '2.5'}
        >>> numbers_as_one(["01", "1", "1.0"], "auto", commas=False, users=lambda text: ())
        {}
    """
    if mode == OFF:
        return {}
    points = {text: text.replace(",", ".") for text in texts if _COMMA.fullmatch(text)}
    if mode == AUTO and not (commas and _are_decimals(texts, points)):
        points = {}
    plain = {text: points.get(text, text) for text in texts}
    numbers = {text: form for text, form in plain.items() if _NUMBER.fullmatch(form)}
    if mode == AUTO:
        if any(map(_CODE.match, numbers.values())):
            return {}
        if len(numbers) < len(plain):
            numbers = {text: form for text, form in numbers.items() if _WHOLE.fullmatch(form)}
    groups: dict[Decimal, list[str]] = defaultdict(list)
    for text, form in numbers.items():
        groups[Decimal(form)].append(text)
    if mode == AUTO and any(_are_codes(group, users) for group in groups.values()):
        return {}
    return {
        text: shortest
        for group in groups.values()
        for shortest in [min(map(_short, (numbers[text] for text in group)), key=_length)]
        for text in group
        if text != shortest
    }


def number_notes(found: Mapping[str, str], labels: Collection[str], mode: str) -> list[str]:
    """Return warnings about numbers that are written in several ways, and about commas in numbers.

    Args:
        found: The spelling of every number that is written differently.
        labels: All labels.
        mode: ``auto``, ``equal`` or ``off``.
    """
    spellings: dict[str, set[str]] = defaultdict(set)
    for text, number in found.items():
        spellings[number].add(text)
    for number in spellings.keys() & set(labels):
        spellings[number].add(number)
    several = {number: sorted(texts, key=_length) for number, texts in spellings.items() if len(texts) > 1}
    notes = []
    if several:
        first = min(several, key=_length)
        example = listed(several[first][:MOST])
        what = f"{count_of(len(several), 'number')} in several spellings, such as {example}"
        verb = "counts as one label" if len(several) == 1 else "count as one label each"
        notes.append(f"{what}, {verb}; to compare numbers as text, set --numbers off")
    commas = min((text for text in found if "," in text), key=_length, default=None)
    if commas is not None:
        notes.append(f"commas in numbers are read as decimal points: {commas} as {found[commas]}")
    doubtful = sorted(filter(_COMMA.fullmatch, labels), key=_length)
    if mode == AUTO and doubtful and commas is None and all(map(_may_be_number, labels)):
        what = f"labels such as {doubtful[0]} are compared as text"
        notes.append(f"{what}; if they are numbers with decimal commas, set --numbers equal")
    return notes


def _may_be_number(text: str) -> bool:
    return bool(_NUMBER.fullmatch(text) or _COMMA.fullmatch(text))


def _are_decimals(texts: Collection[str], points: Mapping[str, str]) -> bool:
    """Return whether all texts are numbers, some with a comma that does not group thousands."""
    return all(map(_may_be_number, texts)) and not all(map(_THOUSANDS.fullmatch, points))


def _are_codes(spellings: list[str], users: Users) -> bool:
    """Return whether an annotator uses two spellings of a number that is not whole."""
    if len(spellings) < 2 or any(map(_WHOLE.fullmatch, spellings)):
        return False
    used = [set(users(text)) for text in spellings]
    return sum(map(len, used)) > len(set().union(*used))


def _short(number: str) -> str:
    """Return *number* without a plus sign and without zeros at the end; unchanged if it has an exponent."""
    if "e" in number.lower():
        return number
    short = number.removeprefix("+")
    short = short.rstrip("0").removesuffix(".") if "." in short else short
    short = short.replace(".", "0.", 1) if short.lstrip("-").startswith(".") else short
    return "0" if short in ("-0", "") else short


def _length(number: str) -> tuple[bool, int, str]:
    return "e" in number.lower(), len(number), number
