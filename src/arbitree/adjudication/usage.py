"""The values that annotators of a study use, and the tag set that decisions must keep to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from arbitree.errors import UnknownName, shorten
from arbitree.wording import listed

if TYPE_CHECKING:
    from arbitree.adjudication.places import Places
    from arbitree.adjudication.tag_sets import TagSet
    from arbitree.study.study import Study

NEAREST = 3  # tags that an error names


class Usage:
    """The values of a study by kind of value, counted when they are first needed.

    Args:
        study: The study that is adjudicated.
        places: The places of its kind of annotation.
        tags: The tag set, if there is one.

    Example:
        >>> from arbitree import kinds, read
        >>> study = read("examples/labels/stance.tsv")
        >>> usage = Usage(study, kinds.of(study).places)
        >>> usage.unused("label", "praise"), usage.unused("label", "zzz")
        ([], ['zzz'])
    """

    def __init__(self, study: Study[Any], places: Places[Any] | None, tags: TagSet | None = None) -> None:
        self._study = study
        self._places = places
        self.tags = tags

    @cached_property
    def counts(self) -> Mapping[str, Counter[str]]:
        """How often annotators use each value, by kind of value; the parts of sets count one by one."""
        found: dict[str, Counter[str]] = {}
        if self._places is None:
            return found
        coded = self._places.coded(self._study)
        if coded is not None:
            times = np.bincount(coded.codes[coded.codes >= 0], minlength=len(coded.names)).tolist()
            whole = {coded.what: Counter(dict(zip(coded.names, times, strict=True)))}
        else:
            whole = {}
            for cell in self._study.cells.values():
                for what, said in self._places.vocabulary(cell.value):
                    whole.setdefault(what, Counter()).update(said)
        for what, values in whole.items():
            found[what] = Counter()
            for value, count in values.items():
                found[what].update(dict.fromkeys(self._places.atoms(what, value), count))
        return found

    def unused(self, what: str, value: str) -> list[str]:
        """Return the parts of *value* that no annotator uses; nothing where any text is a usual value."""
        if self._places is None or what in self._places.free or not self._is_listed(what):
            return []
        return [part for part in self._places.atoms(what, value) if part not in self.counts[what]]

    def outside(self, what: str, value: str) -> list[str]:
        """Return the parts of *value* that are not in the tag set."""
        if self._places is None or self.tags is None or what not in self.tags.values:
            return []
        return [part for part in self._places.atoms(what, value) if part not in self.tags.values[what]]

    def check(self, what: str, value: str) -> None:
        """Raise UnknownName if a part of *value* is not in the tag set; the error names the nearest tags."""
        for part in self.outside(what, value):
            assert self.tags is not None
            known = self.tags.values[what]
            near = _nearest(part, known)
            hint = f"Did you mean {listed(near, 'or')}?" if near else ""
            hint = hint or f"Choose one of its {len(known):,} tags, such as {listed(known[:NEAREST], 'or')}"
            raise UnknownName(f"{shorten(part)} is not in the tag set {self.tags.name}", hint=hint)

    def unlisted(self) -> Iterator[tuple[str, Counter[str]]]:
        """Yield the values that annotators use although they are not in the tag set, by kind of value."""
        for what, known in self.tags.values.items() if self.tags else ():
            found = {value: count for value, count in self.counts.get(what, {}).items() if value not in known}
            if found:
                yield what, Counter(found)

    def _is_listed(self, what: str) -> bool:
        """Return whether values of this kind are counted; those in a tag set need no question."""
        return what in self.counts and not (self.tags and what in self.tags.values)


def _nearest(tag: str, known: Sequence[str]) -> list[str]:
    """Return the most similar tags: with the same spelling, of the same universal relation, or similar.

    Example:
        >>> _nearest("NOUn", ["NOUN", "VERB"]), _nearest("obl:argh", ["obl", "obl:arg", "obj"])
        (['NOUN'], ['obl:arg', 'obl'])
    """
    same = [each for each in known if each.lower() == tag.lower()]
    base = tag.partition(":")[0]
    own = [each for each in known if ":" in tag and each.partition(":")[0] == base]
    return same or get_close_matches(tag, own or known, n=NEAREST, cutoff=0.0 if own else 0.6)
