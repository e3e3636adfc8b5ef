"""The tag set of a project, and what its tags mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from arbitree import kinds
from arbitree.adjudication.tag_sets import TagSet, read_tag_set, split_language
from arbitree.adjudication.usage import Usage
from arbitree.errors import UnsupportedStudy, shorten
from arbitree.study.study import Study
from arbitree.wording import count_of, listed

LEXICON = "wn:"  # before the name of a lexicon of the package wn
NAMED = 5  # values that a warning names


class ProjectTags(NamedTuple):
    """The tag set, if there is one, and what tags mean."""

    tags: TagSet | None = None
    glosses: Mapping[str, str] = {}


NO_TAGS = ProjectTags()


def absolute(path: str | None) -> str | None:
    """Return the path of a tag set or of glosses that does not depend on the current directory."""
    if path is None or path.startswith(LEXICON):
        return path
    place, language = split_language(path)
    return str(Path(place).resolve()) + (f"#{language}" if language else "")


def read_tags(
    study: Study[Any], tagset: str | None, glosses: str | None, say: Callable[[str], None]
) -> ProjectTags:
    """Read the tag set and the glosses; say which values of annotators are not in the tag set.

    Args:
        study: The study that is adjudicated.
        tagset: A file with a tag set.
        glosses: A table, a WordNet database, or ``wn:LEXICON``.
        say: Receives warnings.
    """
    places = kinds.of(study).places
    if not tagset and not glosses:
        return NO_TAGS
    if places is None or not places.tagged:
        hint = "Remove --tagset and --glosses, or adjudicate trees or labels"
        raise UnsupportedStudy(f"{kinds.of(study).noun} have no tags", hint=hint)
    used = Usage(study, places).counts
    tags = read_tag_set(tagset, places.tagged, used) if tagset else None
    for what, values in Usage(study, places, tags).unlisted():
        shown = [f"{value} ({count:,})" for value, count in values.most_common(NAMED)]
        more = [f"{len(values) - NAMED:,} more"] if len(values) > NAMED else []
        known = f"not in the tag set {tags.name if tags else ''}"
        say(f"warning: annotators use {count_of(len(values), what)} {known}: {listed([*shown, *more])}")
    found = dict(tags.glosses) if tags else {}
    if glosses:
        main = next(iter(places.tagged.values()))
        names = dict.fromkeys((*used.get(main, ()), *(tags.values.get(main, ()) if tags else ())))
        found |= places.glosses(glosses, list(names))
        lacking = [name for name in names if name not in found]
        if lacking:
            without = f"{count_of(len(lacking), 'tag')} without a gloss (first: {shorten(lacking[0])})"
            say(f"warning: {glosses}: {without}")
    return ProjectTags(tags, found)
