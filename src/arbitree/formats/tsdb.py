"""Read [incr tsdb()] profiles: the treebanking decisions on each sentence, from LOGON or FFTB."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from arbitree.errors import Source, UnsupportedStudy
from arbitree.formats.format import Format
from arbitree.formats.profiles.tables import NULL, Profile, Results, Skips, Stored
from arbitree.kinds.treebanking.value import (
    ACCEPTED,
    AMBIGUOUS,
    DISCRIMINANTS,
    LOST,
    REJECT,
    REJECTED,
    SELECT,
    TWIG,
    UNANNOTATED,
    UNDECIDED,
    UNPARSED,
    Decisions,
    Option,
)
from arbitree.reading.content import Content, Entry
from arbitree.reading.limits import Limit

NEEDED = {
    "item": ("i-id", "i-input"),
    "parse": ("parse-id", "i-id", "readings"),
    "decision": ("parse-id", "t-version", "d-state", "d-type", "d-key", "d-start", "d-end"),
    "preference": ("parse-id", "t-version", "result-id"),
}


RARE = 0.005  # probability of a run of items without decisions below which it is named


@dataclass(slots=True)
class Record:
    """The rows of the tables about one parse, by version."""

    trees: list[tuple[int, int]] = field(default_factory=list)  # version, trees left
    preferences: dict[int, list[int]] = field(default_factory=dict)
    options: dict[int, list[Option]] = field(default_factory=dict)
    actions: dict[int, set[int]] = field(default_factory=dict)  # SELECT, REJECT

    @property
    def version(self) -> int | None:
        """The latest version in the table ``tree``."""
        return max(self.trees)[0] if self.trees else None

    def status(self, readings: int) -> str:
        """Return the status of the sentence in the latest version."""
        if readings < 1:
            return UNPARSED
        if self.trees:
            # If a version has two rows, the last one counts.
            left = [active for version, active in self.trees if version == self.version][-1]
            if left < 0:
                return UNANNOTATED
            return REJECTED if left == 0 else ACCEPTED if left == 1 and len(self.chosen()) <= 1 else AMBIGUOUS
        if not (self.preferences or self.options or self.actions):
            return LOST
        rejected = max((each for each, found in self.actions.items() if REJECT in found), default=None)
        preferred = max(self.preferences, default=None)
        if preferred is not None and (rejected is None or preferred > rejected):
            return ACCEPTED if len(self.preferences[preferred]) == 1 else AMBIGUOUS
        return UNANNOTATED if rejected is None else REJECTED

    def chosen(self) -> tuple[int, ...]:
        """Return the preferred parses of the latest version, or else of the latest that has any."""
        version = self.version
        if version not in self.preferences:
            version = max(self.preferences, default=None)
        return () if version is None else tuple(dict.fromkeys(self.preferences[version]))

    def latest(self) -> tuple[list[Option], set[int], bool]:
        """Return the options and actions that count, and whether the tree has another version."""
        known = {*self.options, *self.actions}
        version, off = self.version, False
        if version not in known:
            off = version is not None and bool(known) and known != {NULL}
            version = max(known, default=NULL)
        return self.options.get(version, []), self.actions.get(version, set()), off


@dataclass(frozen=True, slots=True)
class Tsdb(Format[Decisions]):
    """Read profiles; writing them is left to treebanking tools."""

    about: ClassVar[str] = "[incr tsdb()] profile (a directory): treebanking decisions from LOGON or FFTB"
    value_type: ClassVar[type[Any]] = Decisions
    writes: ClassVar[bool] = False
    needs: ClassVar[tuple[str, ...]] = ("delphin",)
    instead: ClassVar[str] = "To read the accepted trees of a profile, use --format derivations"

    def sniff(self, content: Content) -> float:
        """Return 1 for a directory, which is always a profile at this point."""
        # For a name that is too long, Path.is_dir raises OSError.
        return 1.0 if os.path.isdir(content.path) else 0.0  # noqa: PTH112

    def read(self, content: Content) -> Iterator[Entry[Decisions]]:
        """Yield one entry for each item of the profile."""
        profile = Profile(content.path, content.encoding, Limit.of(content.reading.max_size))
        for table, columns in NEEDED.items():
            profile.need(table, columns)
        return read_profile(profile, content.notes)

    def write(self, entries: Iterable[Entry[Decisions]]) -> Iterator[str]:
        """Raise UnsupportedStudy, because Arbitree does not write profiles."""
        raise UnsupportedStudy(
            "cannot write [incr tsdb()] profiles, only read them",
            hint="Write a workbook with 'arbitree tsdb -o'",
        )


def read_profile(profile: Profile, notes: list[str]) -> Iterator[Entry[Decisions]]:
    """Yield one entry for each item of *profile*; append warnings to *notes*."""
    skips = {name: Skips(str(profile.path(name))) for name in (*NEEDED, "tree")}
    # If the profile has no column i-length, the id is read in its place and not used.
    counted = "i-length" in profile.schema["item"]
    numbers = ["i-id", "i-length" if counted else "i-id"]
    items = list(profile.rows("item", numbers, ["i-input"], skips["item"]))
    parses = _parses(profile, skips["parse"], notes)
    records = _records(profile, skips)
    recorded = [option for each in records.values() for rows in each.options.values() for option in rows]
    complete = any(option.state == UNDECIDED for option in recorded)
    forest = any(option.type == TWIG for option in recorded) or any(
        NULL in r.options for r in records.values()
    )
    grammar = _grammar(profile)
    results = Results(profile)
    source = str(profile.path("item"))
    other_version = no_preference = 0
    accepted: list[tuple[str, int, bool]] = []  # id, parses, whether decisions are recorded
    for line, number, length, text in items:
        place, readings = parses.get(number, (None, 0))
        record = Record() if place is None else records.get(place, Record())
        options, actions, off = record.latest()
        status = record.status(readings)
        chosen = record.chosen() if status in (ACCEPTED, AMBIGUOUS) else ()
        other_version += off
        no_preference += status == ACCEPTED and not chosen
        if status == ACCEPTED:
            accepted.append((str(number), readings, bool(options or actions)))
        value = Decisions(
            text=text,
            status=status,
            readings=max(readings, 0),
            options=tuple(options),
            chosen=chosen,
            length=max(length, 0) if counted else 0,
            grammar=grammar,
            direct=SELECT in actions,
            complete=complete,
            forest=forest,
            stored=None if place is None else Stored(results, place, chosen),
        )
        yield Entry(value, Source(source, line), str(number))
    notes += [note for each in skips.values() for note in each.notes()]
    notes += profile.cut_notes()
    notes += [f"{profile.path('decision')}: {what}" for what in _undecided(accepted)]
    if other_version:
        what = f"decisions and tree of {other_version:,} items differ in version; using the latest decisions"
        notes.append(f"{profile.folder}: {what}")
    if no_preference:
        what = f"{no_preference:,} accepted items have no preferred parse"
        notes.append(f"{profile.folder}: {what}")


def _undecided(accepted: list[tuple[str, int, bool]]) -> Iterator[str]:
    """Yield warnings about accepted items, in the order of the profile, whose decisions seem to be lost.

    Full-forest profiles state one parse for every item, so that only a long run of items without decisions
    at the end shows that rows are missing. How often an item has none is estimated from the others.
    """
    several = [name for name, readings, decided in accepted if readings > 1 and not decided]
    if several:
        items = "1 accepted item has" if len(several) == 1 else f"{len(several):,} accepted items have"
        yield f"{items} several parses but no decisions; first: {several[0]!r}"
    last = max((place for place, each in enumerate(accepted) if each[2]), default=-1)
    run = accepted[last + 1 :]
    usual = (sum(not each[2] for each in accepted[: last + 1]) + 1) / (last + 3)
    if usual ** len(run) < RARE and any(readings == 1 for _, readings, _ in run):
        items = (
            "the last accepted item has" if len(run) == 1 else f"the last {len(run):,} accepted items have"
        )
        yield f"{items} no decisions, beginning with {run[0][0]!r}, so the table may be cut off"


def _grammar(profile: Profile) -> str:
    """Return the names of the grammars in the table ``run``, usually one."""
    if "grammar" not in profile.schema.get("run", []):
        return ""
    rows = profile.rows("run", [], ["grammar"], Skips(""))  # broken rows do not matter here
    return ", ".join(sorted({name for _, name in rows if name}))


def _parses(profile: Profile, skips: Skips, notes: list[str]) -> dict[int, tuple[int, int]]:
    """Return the parse id and the number of parses of every item; the last run counts."""
    found: dict[int, tuple[int, int]] = {}
    again = 0
    for _, parse, item, readings in profile.rows("parse", ["parse-id", "i-id", "readings"], [], skips):
        again += item in found
        found[item] = (parse, readings)
    if again:
        notes.append(
            f"{profile.path('parse')}: {again:,} items were parsed more than once; using the last parse"
        )
    return found


def _records(profile: Profile, skips: dict[str, Skips]) -> dict[int, Record]:
    records: dict[int, Record] = {}
    if profile.has("tree") and "t-active" in profile.schema.get("tree", []):
        columns = ["parse-id", "t-version", "t-active"]
        profile.need("tree", columns)
        for _, parse, version, active in profile.rows("tree", columns, [], skips["tree"]):
            records.setdefault(parse, Record()).trees.append((version, active))
    columns = ["parse-id", "t-version", "result-id"]
    for _, parse, version, result in profile.rows("preference", columns, [], skips["preference"]):
        records.setdefault(parse, Record()).preferences.setdefault(version, []).append(result)
    numbers = ["parse-id", "t-version", "d-state", "d-type", "d-start", "d-end"]
    intern = sys.intern  # two profiles share most keys
    for line, parse, version, state, kind, start, end, key in profile.rows(
        "decision", numbers, ["d-key"], skips["decision"]
    ):
        if state == -1 and kind in (SELECT, REJECT):
            records.setdefault(parse, Record()).actions.setdefault(version, set()).add(kind)
        elif not 1 <= state <= UNDECIDED:
            skips["decision"].add(f"unknown state {state}" if state != -1 else f"unknown action {kind}", line)
        elif kind not in DISCRIMINANTS:
            skips["decision"].add(f"unknown discriminant type {kind}", line)
        else:
            option = Option(state, kind, intern(key), start, end)
            records.setdefault(parse, Record()).options.setdefault(version, []).append(option)
    return records


PLUGINS = {"tsdb": Tsdb()}
