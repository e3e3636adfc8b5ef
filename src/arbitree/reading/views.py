"""Choose the view of files that contain several layers of annotation, with its options (``--view``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from arbitree import plugins
from arbitree.backends.base import Say
from arbitree.errors import UnknownName, UnsupportedStudy
from arbitree.reading.content import Content
from arbitree.reading.inputs import Input
from arbitree.wording import count_of

VIEW, ZONE = "view:", "zone:"  # settings in signatures

Views = Mapping[str, Mapping[str, tuple[str, ...]]]  # options of each view, and their values; defaults first


class Viewed(Protocol):
    """The part of a format that is about views."""

    @property
    def views(self) -> Views:
        """The views that a user can choose."""

    @property
    def zoned(self) -> bool:
        """Whether a user can choose a zone."""

    def views_in(self, content: Content) -> tuple[str, ...]:
        """Return the views that *content* itself contains."""


def with_view(
    found: Sequence[tuple[Input, Content]], names: Sequence[str], say: Say
) -> tuple[list[tuple[Input, Content]], list[str]]:
    """Return the files that contain the view to read, and the format of each.

    The content of each file names the view with all options. Files in directories that lack the view are
    skipped if others contain it.
    """
    settled = dict(enumerate(found))
    for name in dict.fromkeys(names):
        places = [place for place, each in enumerate(names) if each == name]
        contents = in_view(plugins.get("formats", name), [found[place][1] for place in places])
        settled |= {place: (found[place][0], own) for place, own in zip(places, contents, strict=True)}
    lacking = [place for place, (_, content) in settled.items() if not _holds(names[place], content)]
    holding = {(each.coder, each.document) for place, (each, _) in settled.items() if place not in lacking}
    skipped = [settled[place][0] for place in lacking if holding and settled[place][0].found]
    beside = [each for each in skipped if (each.coder, each.document) in holding]
    alone = [each for each in skipped if each not in beside]
    if beside:
        say(f"Skipped {_files(beside)}: other layers of the same documents")
    if alone:
        say(f"warning: skipped {_files(alone)}: these documents do not contain the view")
    kept = [place for place, (each, _) in settled.items() if each not in skipped]
    for setting in view_settings([settled[place][1] for place in kept], [names[place] for place in kept]):
        say(f"Reading the {setting.replace(':', ' ', 1)}")
    return [settled[place] for place in kept], [names[place] for place in kept]


def in_view(reader: Viewed, contents: Sequence[Content]) -> list[Content]:
    """Return *contents* with the view that *reader* reads, and all options of the view.

    It is the view that the user named, otherwise the first view that a file contains.
    """
    if not contents:
        return []
    reading = contents[0].reading
    if reading.zone is not None and not reader.zoned:
        raise UnknownName("these files have no zones", hint="Omit --zone, which is for Treex files")
    if not reader.views:
        return list(contents)
    text = reading.view
    if text is None:
        held = {view for content in contents for view in reader.views_in(content)}
        text = next((view for view in reader.views if view in held), next(iter(reader.views)))
    chosen = replace(reading, view=resolved(text, reader.views))
    return [replace(content, reading=chosen) for content in contents]


def resolved(text: str, views: Views) -> str:
    """Return a view with the values of all its options.

    Example:
        >>> resolved("t:label=both", {"t": {"label": ("functor", "both"), "member": ("no", "yes")}})
        't:label=both,member=no'
    """
    name, given = plugins.with_options(text)
    plugins.check_name(name, views, "view")
    known = views[name]
    for key, value in given.items():
        plugins.check_name(key, known, f"option of the view {name}:")
        plugins.check_name(value, known[key], f"value of the option {key}:")
    options = ",".join(f"{key}={given.get(key, values[0])}" for key, values in known.items())
    return f"{name}:{options}" if options else name


def view_settings(contents: Sequence[Content], names: Sequence[str]) -> list[str]:
    """Return the views and the zone that the files were read in, for signatures."""
    views = {
        content.reading.view
        for content, name in zip(contents, names, strict=True)
        if content.reading.view and plugins.get("formats", name).views
    }
    zone = contents[0].reading.zone
    return [*(VIEW + view for view in sorted(views)), *([ZONE + zone] if zone else ())]


def check_views(reader: Viewed, view: str | None) -> None:
    """Raise UnsupportedStudy if the user named a view, but the format has none."""
    if view is not None and not reader.views:
        raise UnsupportedStudy("files in this format have only one view", hint="Omit --view")


def _files(skipped: Sequence[Input]) -> str:
    """Return the first of several files, and the number of the others."""
    others = f" and {count_of(len(skipped) - 1, 'other file')}" if len(skipped) > 1 else ""
    return f"{skipped[0].path}{others}"


def _holds(name: str, content: Content) -> bool:
    """Return whether a file contains the view that its content names."""
    reader: Viewed = plugins.get("formats", name)
    if not reader.views or content.reading.view is None:
        return True
    return plugins.with_options(content.reading.view)[0] in reader.views_in(content)
