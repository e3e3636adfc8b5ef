"""The parses that a profile stores, read when somebody asks for them and not before: they are large."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from arbitree.data.decisions import Reading
from arbitree.formats.profiles import Profile, Skips


class Results:
    """The table ``result`` of a profile."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.wanted: set[tuple[int, int]] = set()
        self.notes: list[str] = []  # of rows that could not be read

    @cached_property
    def counts(self) -> Counter[int]:
        """How many parses are stored of each sentence."""
        found: Counter[int] = Counter()
        if self._there:
            for _, line in self.profile.lines("result"):
                parse = line.partition("@")[0]  # by the schema, the first field of this table
                found[int(parse) if parse.isdigit() else -1] += 1
        return found

    @cached_property
    def preferred(self) -> dict[int, list[Reading]]:
        """The parses that were preferred; the others are passed over as the table is read."""
        return self._read(self.wanted)

    @cached_property
    def every(self) -> dict[int, list[Reading]]:
        """All parses that are stored."""
        return self._read(None)

    @property
    def _there(self) -> bool:
        return "result" in self.profile.schema and self.profile.has("result")

    def _read(self, wanted: set[tuple[int, int]] | None) -> dict[int, list[Reading]]:
        found: dict[int, list[Reading]] = {}
        if not self._there:
            return found
        texts = [name for name in ("derivation", "mrs") if name in self.profile.schema["result"]]
        skips = Skips(str(self.profile.path("result")))
        for _, parse, number, *rest in self.profile.rows("result", ["parse-id", "result-id"], texts, skips):
            if wanted is None or (parse, number) in wanted:
                texts_by_name = dict(zip(texts, rest, strict=True))
                reading = Reading(number, texts_by_name.get("derivation", ""), texts_by_name.get("mrs", ""))
                found.setdefault(parse, []).append(reading)
        self.notes[:] = skips.notes()
        return found


@dataclass(frozen=True, slots=True)
class Stored:
    """The stored parses of one sentence."""

    results: Results
    parse: int
    ids: tuple[int, ...]

    def __post_init__(self) -> None:
        self.results.wanted.update((self.parse, number) for number in self.ids)

    def count(self) -> int:
        """Return how many are stored."""
        return self.results.counts[self.parse]

    def chosen(self) -> list[Reading]:
        """Return those that were preferred."""
        return self.results.preferred.get(self.parse, [])

    def every(self) -> list[Reading]:
        """Return all that are stored."""
        return self.results.every.get(self.parse, [])

    def notes(self) -> list[str]:
        """Return what was odd about the table when it was read."""
        return self.results.notes
