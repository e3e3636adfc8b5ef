"""Verification of a value by its signature: ``at.verify`` and the option ``--verify`` of commands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import arbitree
from arbitree import kinds
from arbitree.api.arguments import Measures, chosen_measures, study_from
from arbitree.api.score import with_reference
from arbitree.errors import ArbitreeError, SignatureError, shorten
from arbitree.kinds.kind import Kind
from arbitree.measures.evaluate import evaluate
from arbitree.measures.options import measure_named
from arbitree.measures.resampling import Resampling
from arbitree.measures.signatures import AUTO, SIGNIFICANT, UNDEFINED, VERSION, Signature, typed
from arbitree.reading.inputs import SIGNED, Reading, named_path
from arbitree.reading.side_files import JOINT, hashes_in, without_hashes
from arbitree.study.result import Result
from arbitree.study.study import Study

# Parts about intervals, and about reading: the fingerprint tells whether the annotations are the same.
FREE = {
    "chosen",
    "preset",
    "match",
    "format",
    "interval",
    "confidence",
    "resamples",
    "seed",
    "order",
    VERSION,
}
_NUMBER = re.compile(r"[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
MEANINGS = {
    "coders": "the number of annotators",
    "items": "the number of items",
    "data": "the fingerprint of the annotations",
    "order": "the order of the items",
}


@dataclass(frozen=True, slots=True)
class Verification:
    """Whether a value was computed again."""

    signature: Signature
    expected: str  # the value that is to be verified, as it is written
    result: Result

    @property
    def value(self) -> float | None:
        """The value that was computed."""
        return self.result.value

    @property
    def verified(self) -> bool:
        """Whether the values are equal to the digits that are given."""
        if self.value is None or self.expected == UNDEFINED:
            return self.value is None and self.expected == UNDEFINED
        expected = Decimal(self.expected)
        exponent = expected.as_tuple().exponent
        digits = Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)
        return abs(Decimal(self.value) - expected) <= digits / 2 + Decimal("1e-12")

    def __str__(self) -> str:
        found = UNDEFINED if self.value is None else format(self.value, f"#.{SIGNIFICANT}g")
        if self.verified:
            return f"verified: {self.signature.measure} is {found}"
        return f"not verified: {self.signature.measure} is {found}, not {self.expected}"

    def to_dict(self) -> dict[str, Any]:
        """Return the verification for JSON."""
        return {
            "verified": self.verified,
            "measure": self.signature.measure,
            "expected": self.expected,
            "value": self.value,
            "signature": self.result.signature,
        }


def verify(
    citation: str, study: Study[Any] | Any, *, gold: str | None = None, measures: Measures = ()
) -> Verification:
    """Compute the value that a signature describes on *study*, and compare it.

    Args:
        citation: A value and its signature on one line, as ``-v`` prints them.
        study: A study, or a pandas data frame of labels.
        gold: The gold standard, for a value of ``score``; not needed if the study has one.
        measures: Measures whose options name the files that the signature mentions, if these files are
            neither in the current directory nor beside the inputs.
    Returns:
        An object whose ``verified`` tells whether the value is the same to the digits that are given.
    Raises:
        ArbitreeError: If the signature cannot be applied: other annotations, another version, an unknown
            measure or option, a file that has changed or cannot be found, or a text that is not a signature.
    Example:
        >>> from arbitree.api.read import read
        >>> study = read("examples/dependency/ann.conllu", "examples/dependency/bob.conllu")
        >>> from arbitree.api.evaluate import evaluate
        >>> found = evaluate(study, "las", resamples=0)
        >>> verify(f"{found.value:.4f} {found.signature}", study).verified
        True
    """
    expected, signed = parsed(citation)
    study = study_from(study)
    if gold is not None:
        study = with_reference(study, gold)
    study = _column(study, signed)
    kind = kinds.of(study)
    head = _head(signed, kind, [*_folders(study)], chosen_measures(measures))
    resampling = Resampling(resamples=0, seed=_seed(signed))
    results = [evaluate(part, kind, [head], resampling=resampling)[0] for part in _parts(study)]
    found = next((each for each in results if _data(each) == signed.parts.get("data")), results[0])
    _check_same(Signature.parse(found.signature), signed)
    return Verification(signed, expected, found)


def parsed(citation: str) -> tuple[str, Signature]:
    """Return the value and the signature in *citation*, which are separated by a blank.

    Raises:
        SignatureError: if it is not a value with a signature of this version.
    """
    value, _, rest = citation.strip().partition(" ")
    hint = "Write a value and its signature, separated by a space, as -v prints them"
    if not (value == UNDEFINED or _NUMBER.fullmatch(value)) or not rest.strip():
        raise SignatureError(f"{shorten(citation)} is not a value with a signature", hint=hint)
    signed = Signature.parse(rest)
    version = signed.parts[VERSION]
    if version != arbitree.__version__:
        raise SignatureError(
            f"the signature is of version {version}, but this is version {arbitree.__version__}",
            hint=f"Install Arbitree {version} to check it",
        )
    return value, signed


def _column(study: Study[Any], signed: Signature) -> Study[Any]:
    """Return the labels in the column that the signature names, or the study itself."""
    column = signed.parts.get("column")
    taken = any(each.startswith("column:") for each in study.settings)
    return study if column is None or taken else kinds.of(study).column(study, column)


def _parts(study: Study[Any]) -> list[Study[Any]]:
    """Return the study, or the gold standard with each of the systems."""
    gold = study.reference
    if gold is None:
        return [study]
    return [study.select(coders=[gold, coder]) for coder in study.coders if coder != gold]


def _seed(signed: Signature) -> int:
    seed = signed.parts.get("seed", "0")
    if not re.fullmatch("[0-9]{1,100}", seed):
        hint = "Copy the whole line that -v prints"
        raise SignatureError(f"this is not a signature: seed:{seed} is not a number", hint=hint)
    return int(seed)


def _data(result: Result) -> str:
    return Signature.parse(result.signature).parts["data"]


def _check_same(ours: Signature, theirs: Signature) -> None:
    """Raise SignatureError that names the first part in which two signatures differ."""
    for key, value in theirs.options.items():
        if hashes_in(ours.options.get(key, "")) != hashes_in(value):
            raise _different(key, ours.options.get(key), value, "=")
    sampled = ("order",) if "pairs" in theirs.parts else ()
    names = dict.fromkeys(("column", "view", "coders", "items", "data", *theirs.parts, *ours.parts))
    for name in names:
        if name not in FREE or name in sampled:
            found, wanted = ours.parts.get(name), theirs.parts.get(name)
            if found != wanted:
                raise _different(name, found, wanted)


def _different(name: str, found: str | None, wanted: str | None, mark: str = ":") -> SignatureError:
    """Return the error for a part that differs."""
    theirs, ours = (f"{name}{mark}{text}" if text else f"no {name}" for text in (wanted, found))
    meaning = f" ({MEANINGS[name]})" if name in MEANINGS else ""
    hint = "Pass the inputs of the value, to the command that computed it"
    return SignatureError(f"the signature has {theirs}, but these inputs have {ours}{meaning}", hint=hint)


def _head(signed: Signature, kind: Kind[Any], folders: Sequence[Path], measures: Sequence[Any]) -> str:
    """Return the measure to compute, with paths of files, and ``auto`` where the annotations decided."""
    options = dict(signed.options)
    options |= dict.fromkeys(filter(None, signed.parts.get("chosen", "").split(JOINT)), AUTO)
    given = [*_given(measures)]
    for key, text in options.items():
        if without_hashes(text) != text:
            options[key] = JOINT.join(
                _file(signed.measure, key, each, kind, folders, given) for each in text.split(JOINT)
            )
    return typed(signed.measure, options)


def _given(measures: Sequence[Any]) -> Iterator[Path]:
    """Yield the files that the options of *measures* name."""
    for each in measures:
        for part in each.partition(":")[2].split(",") if isinstance(each, str) else ():
            for path in without_hashes(part.partition("=")[2]).split(JOINT):
                yield Path(path)


def _file(
    measure: str, key: str, text: str, kind: Kind[Any], folders: Sequence[Path], given: Sequence[Path]
) -> str:
    """Return *text*, the name of a file with its hash, with the path of a file that has this hash."""
    name = without_hashes(text)
    named = [path for path in given if path.name == name] or [path for path in given if path.exists()]
    places = named or [folder / name for folder in (Path(), *folders)]
    found = [place for place in dict.fromkeys(places) if place.exists()]
    if not found:
        hint = f"Copy it to the current directory, or name it: -m {measure}:{key}=PATH"
        raise SignatureError(f"cannot find the file {name}, which the signature names", hint=hint)
    failed: ArbitreeError | None = None
    for place in found:
        whole = f"{place}{text[len(name) :]}"
        try:
            measure_named(f"{measure}:{key}={whole}", kind)
        except ArbitreeError as error:
            failed = failed or error
        else:
            return whole
    assert failed is not None
    raise failed


def _folders(study: Study[Any]) -> Iterator[Path]:
    """Yield the directories of the files that the first items were read from, and those above."""
    for item in study.items[:1]:
        for cell in study.of(item):
            if cell.source:
                folder = Path(named_path(cell.source.path)[1]).parent
                yield folder
                yield folder.parent


def readings_of(citation: str, reading: Reading) -> Iterator[Reading]:
    """Yield *reading* with the options that the signature contains: with the matching that was asked for,
    and with that of the signature. The column is taken later.

    Raises:
        SignatureError: if another column was asked for.
    """
    _, signed = parsed(citation)
    column = signed.parts.get("column")
    if reading.column not in (None, column):
        raise _different("column", reading.column, column)
    known: dict[str, Any] = {name: signed.parts[name] for name in SIGNED if name in signed.parts}
    reading = replace(reading, column=None, **known)
    yield reading
    if reading.match == AUTO and "match" in signed.parts:
        yield replace(reading, match=signed.parts["match"])
