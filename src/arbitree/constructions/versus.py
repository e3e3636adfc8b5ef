"""Comparison of findings with those of an earlier run: questions and types that are gone, new, or changed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arbitree.constructions.findings import RULES, Findings, Question, Type
from arbitree.errors import FormatError, Source, UnsupportedStudy
from arbitree.reading.content import load
from arbitree.reading.guard import guarded_reader
from arbitree.reading.json_text import decode_json

GONE, NEW, GROWN, SHRUNK, SAME = "gone", "new", "grown", "shrunk", "same"
STATES = (NEW, GROWN, SHRUNK, GONE, SAME)  # in the order in which they are told
COUNTS = ("items", "tokens", "nuclei", "per_thousand_tokens")
AGAIN = "Run explain on the earlier files again with this version"


@dataclass(frozen=True, slots=True)
class Difference:
    """A question or a type in two runs."""

    code: str
    label: str
    before: int  # occurrences
    now: int
    bits: tuple[float, float]  # 0 for types without a question

    @property
    def state(self) -> str:
        """Whether it is new, gone, has grown or shrunk by its occurrences, or is the same."""
        if not self.before or not self.now:
            return NEW if self.now else GONE
        if self.before == self.now:
            return SAME
        return GROWN if self.now > self.before else SHRUNK

    def to_dict(self) -> dict[str, Any]:
        """Return the difference for JSON."""
        return {
            "code": self.code,
            "label": self.label,
            "state": self.state,
            "occurrences": [self.before, self.now],
            "bits": list(self.bits),
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """Differences from an earlier run, the largest first."""

    name: str  # of the earlier run
    before: Mapping[str, Any]  # its counts: items, tokens, nuclei, per_thousand_tokens
    questions: tuple[Difference, ...]
    types: tuple[Difference, ...]

    def counts(self, found: Sequence[Difference]) -> Counter[str]:
        """Return the number of differences by state."""
        return Counter(each.state for each in found)

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison for JSON."""
        return {
            "name": self.name,
            **self.before,
            "questions": [each.to_dict() for each in self.questions],
            "types": [each.to_dict() for each in self.types],
        }


@guarded_reader
def read_earlier(path: str | Path) -> dict[str, Any]:
    """Return the JSON output of an earlier run of ``explain``; refuse one whose types cannot be compared."""
    source = Source(str(path))
    hint = "Pass a file written by explain with --json or -o FILE.json"
    found = decode_json(load(str(path)).text, source, hint=hint)
    if not isinstance(found, dict) or found.get("command", "explain") != "explain" or "types" not in found:
        raise FormatError("this is not the output of explain", source, hint=hint)
    if "questions" not in found or found.get("rules") != RULES:
        rules = f"rules {found['rules']}" if "rules" in found else "rules without questions"
        what = f"Arbitree {found.get('arbitree', '')} used {rules}; this version uses rules {RULES}"
        raise UnsupportedStudy(f"{what}, which give other types", source, hint=AGAIN)
    return found


def compared(findings: Findings, earlier: Mapping[str, Any], name: str) -> tuple[Comparison, list[str]]:
    """Return the differences of *findings* from an earlier run, and notes on settings that differ.

    Args:
        findings: the findings of this run.
        earlier: the JSON output of the earlier run.
        name: what messages call it.
    """
    source = Source(name)
    for key, own in (("kind", findings.study_kind), ("mode", findings.mode)):
        if earlier.get(key) != own:
            what = f"the earlier run has {key} {earlier.get(key)!r}, but this one has {own!r}"
            raise UnsupportedStudy(what, source, hint="Compare runs of the same kind and mode")
    _check_shape(earlier, source)
    then = {key: value for key, value in (earlier.get("filter") or {}).items() if key != "of"}
    if then != (findings.narrowed.filter.to_dict() if findings.narrowed else {}):
        raise UnsupportedStudy(
            "the earlier run has other filters than this one",
            source,
            hint="Use the same --only, --class and --words in both runs",
        )
    questions = _differences(findings.questions, earlier["questions"])
    types = _differences(findings.types, earlier["types"])
    before = {key: earlier.get(key) for key in ("arbitree", *COUNTS)}
    return Comparison(name, before, questions, types), _other_settings(findings, earlier, name)


def _check_shape(earlier: Mapping[str, Any], source: Source) -> None:
    """Raise FormatError unless the compared parts of an earlier run are as ``explain`` writes them."""
    whole = isinstance(earlier.get("arbitree", ""), str)
    whole &= all(isinstance(earlier.get(key) or {}, dict) for key in ("filter", "settings"))
    whole &= all(_is_count(earlier.get(key, 0)) for key in COUNTS)
    for key in ("questions", "types"):
        rows = earlier.get(key)
        whole &= isinstance(rows, list) and all(map(_is_row, rows))
    if not whole:
        raise FormatError("the counts, questions or types of the earlier run are damaged", source, hint=AGAIN)


def _is_row(row: Any) -> bool:
    """Return whether *row* has what is compared of a question or type."""
    if not isinstance(row, dict) or not all(isinstance(row.get(key), str) for key in ("code", "label")):
        return False
    return isinstance(row.get("occurrences"), int) and _is_count(row.get("bits", 0.0))


def _is_count(value: Any) -> bool:
    return isinstance(value, int | float) and 0 <= value < math.inf


def _differences(
    now: Sequence[Question] | Sequence[Type], before: Sequence[Mapping[str, Any]]
) -> tuple[Difference, ...]:
    then = {each["code"]: (each["occurrences"], each.get("bits", 0.0), each["label"]) for each in before}
    here = {each.code: (each.occurrences, _bits(each), each.label) for each in now}
    found = []
    for code in {**here, **then}:
        old, new = (run.get(code, (0, 0.0, "")) for run in (then, here))
        found.append(Difference(code, new[2] or str(old[2]), int(old[0]), new[0], (float(old[1]), new[1])))
    found.sort(key=lambda each: (-abs(each.now - each.before), -max(each.bits), each.label, each.code))
    return tuple(found)


def _bits(each: Question | Type) -> float:
    return each.bits if isinstance(each, Question) or each.question else 0.0


def _other_settings(findings: Findings, earlier: Mapping[str, Any], name: str) -> list[str]:
    """Return a note on the settings in which the runs differ."""
    before = earlier.get("settings") or {}
    names = sorted(key for key, value in findings.settings.items() if before.get(key) != value)
    if not names:
        return []
    shown = ", ".join(f"{key} {before.get(key)} before, {findings.settings[key]} now" for key in names)
    return [f"{name} was made with other settings ({shown}), so differences may come from them"]
