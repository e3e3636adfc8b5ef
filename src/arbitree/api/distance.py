"""The edit distance of two trees: ``at.distance`` and ``arbitree distance``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arbitree import plugins
from arbitree.backends.base import Say, mute
from arbitree.distances.edit_script import EditScript, Step, edit_script
from arbitree.distances.ted import CostRule, CostTable
from arbitree.errors import Source, StudyError, UnsupportedStudy
from arbitree.reading.assembly import entries_of, formats_of
from arbitree.reading.content import Content, Entry, load
from arbitree.reading.inputs import Reading, check_standard_input
from arbitree.reading.views import check_views
from arbitree.study.flat_tree import TreeValue
from arbitree.study.study import place_of


@dataclass(frozen=True, slots=True, repr=False)
class TreeDistance:
    """Edit distance of two trees, with an optimal edit script from the first to the second."""

    script: EditScript
    values: tuple[Any, Any]
    names: tuple[str, str]

    @property
    def plain(self) -> float:
        """Cost of the edit script."""
        return self.script.plain

    @property
    def diff(self) -> float:
        """Distance minus the difference in size."""
        return self.script.diff

    @property
    def norm(self) -> float:
        """Distance divided by the joint size."""
        return self.script.norm

    @property
    def counts(self) -> dict[str, int]:
        """Number of steps of each operation."""
        return self.script.counts

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of the script."""
        return self.script.steps

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {operation}" for operation, count in self.counts.items())
        return f"TreeDistance of {self.plain:g} ({counts})"

    def __str__(self) -> str:
        from arbitree.reporting.sections.distance import script_text

        return script_text(self.script, self.values, self.names)

    def to_dict(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        from arbitree.reporting.document import record

        script = self.script
        steps = [
            {
                "operation": step.operation,
                "first": script.first.label(step.first) if step.first >= 0 else None,
                "second": script.second.label(step.second) if step.second >= 0 else None,
            }
            for step in script.steps
        ]
        values = {"plain": script.plain, "diff": script.diff, "norm": script.norm}
        return record("distance", {"distance": values, "counts": script.counts, "steps": steps})


def distance(
    first: Any,
    second: Any,
    *,
    item: str | int | None = None,
    unlabelled: bool = False,
    costs: CostRule | str | Path | None = None,
    format: str | None = None,
    encoding: str = "utf-8",
    view: str | None = None,
    zone: str | None = None,
    max_size: str = "auto",
    say: Say = mute,
) -> TreeDistance:
    """Return the edit distance of two trees, with the edit script.

    Args:
        first: First tree: a tree object, a file, or a bracketed tree such as ``(S (NP) (VP))``.
        second: Second tree.
        item: Id or number (from 1) of the sentence to compare (default: the first).
        unlabelled: Ignore labels and compare only the structure.
        costs: Relabelling costs: a CostTable, CostFunctions, or a file with label, label and cost per line.
        format: Format of the files (default: detected).
        encoding: Text encoding of the files.
        view, zone: Layer and zone of files that contain several, as in ``read``.
        max_size: Largest size of decompressed files and of pipes, as in ``read``.
        say: Function that is called with the chosen sentence and with warnings about the trees.
    Returns:
        The distance, which you can print. Its values are ``.plain``, ``.diff``, ``.norm``, ``.counts`` and
        ``.steps``.
    Example:
        >>> found = distance("(S (NP we) (VP ran))", "(S (NP we) (VP (V ran)))")
        >>> found.plain, found.counts["inserted"]
        (1.0, 1)
    """
    reading = Reading(format=format, encoding=encoding, view=view, zone=zone, max_size=max_size)
    entries = _pair(first, second, None if item is None else str(item), reading, say)
    for entry in entries:
        if not isinstance(entry.value, TreeValue):
            what = f"distance compares trees, but this file contains {entry.value.plural}"
            hint = "Pass files with trees; for [incr tsdb()] profiles, add --format derivations"
            raise UnsupportedStudy(what, entry.source, hint=hint)
    ours, theirs = (entry.value for entry in entries)
    if type(ours) is not type(theirs):
        found = (
            f"{entries[0].source} contains a {ours.kind} tree and {entries[1].source} a {theirs.kind} tree"
        )
        raise UnsupportedStudy(f"cannot compare trees of two kinds: {found}", hint="Pass trees of one kind")
    for entry in entries:
        for defect in entry.value.defects():
            say(f"warning: {entry.source}: {defect}")
        if not len(entry.value):
            raise UnsupportedStudy(
                "the tree is empty", entry.source, hint="Choose another sentence with --item"
            )
    rule = CostTable.read(str(costs)) if isinstance(costs, str | Path) else costs
    script = edit_script(ours, theirs, labelled=not unlabelled, costs=rule)
    return TreeDistance(script, (ours, theirs), (str(entries[0].source), str(entries[1].source)))


def _pair(first: Any, second: Any, item: str | None, reading: Reading, say: Say) -> list[Entry[Any]]:
    """Return the two trees, each with its source."""
    given = {"A": first, "B": second}
    check_standard_input(each for each in given.values() if isinstance(each, str))
    texts = {
        name: _content(f"<{name}>", str(each), reading)
        for name, each in given.items()
        if isinstance(each, str | Path)
    }
    formats = dict(zip(texts, formats_of(list(texts.values()), reading.format), strict=True)) if texts else {}
    for name in filter(None, formats.values()):
        check_views(plugins.get("formats", name), reading.view)
    return [
        _chosen(entries_of(texts[name], formats[name]), item, texts[name].path, say)
        if name in texts
        else Entry(each, Source(f"<{name}>"))
        for name, each in given.items()
    ]


def _content(name: str, text: str, reading: Reading) -> Content:
    if text.lstrip().startswith("("):
        return Content(name, text.encode("utf-8", "surrogateescape"))  # arguments may not be text
    return load(text, encoding=reading.encoding, reading=reading)


def _chosen(entries: list[Entry[Any]], item: str | None, path: str, say: Say) -> Entry[Any]:
    if item is None:
        if len(entries) > 1:
            say(f"{path}: comparing the first of {len(entries):,} sentences. Choose another with --item.")
        return entries[0]
    place = place_of(item, [entry.id for entry in entries])
    if place is None:
        hint = f"Set --item to an id, or to a number from 1 to {len(entries)}"
        raise StudyError(f"sentence {item!r} not found in this file", Source(path), hint=hint)
    return entries[place]
