"""``arbitree distance``."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from arbitree.cli import options as opt
from arbitree.cli.console import Talk, deliver


def distance(
    first: Annotated[
        str, typer.Argument(metavar="A", help="A file, or a tree in brackets such as '(S (NP) (VP))'.")
    ],
    second: Annotated[str, typer.Argument(metavar="B", help="Another.")],
    item: Annotated[
        str | None, typer.Option(metavar="ID", help="Which sentence of the files: its id or its number.")
    ] = None,
    unlabelled: Annotated[bool, typer.Option("--unlabelled", help="Compare structure alone.")] = False,
    costs: Annotated[
        str | None, typer.Option(metavar="FILE", help="Label costs: label<TAB>label<TAB>cost a line.")
    ] = None,
    format: opt.FormatName = None,
    encoding: opt.Encoding = "utf-8",
    json: opt.Json = False,
    output: opt.Output = None,
    quiet: opt.Quiet = False,
) -> None:
    """Edit distance of two trees, and the edit script, drawn.

    Example: arbitree distance first.conllu second.conllu --item 3
    """
    from arbitree.distances.edit_script import edit_script
    from arbitree.distances.ted import CostTable
    from arbitree.errors import UnsupportedStudy
    from arbitree.kinds.dependency.value import DepTree
    from arbitree.kinds.phrase.value import PhraseTree

    talk = Talk(quiet)
    entries = _pair(first, second, item, format, encoding, talk)
    ours, theirs = (entry.value for entry in entries)
    for entry in entries:
        if not isinstance(entry.value, DepTree | PhraseTree):
            what = f"{entry.value.kind} annotations are no trees"
            hint = "Give files with trees; of profiles, --format derivations takes the trees"
            raise UnsupportedStudy(what, entry.source, hint=hint)
    if type(ours) is not type(theirs):
        what = f"{entries[0].source} holds a {ours.kind} tree, {entries[1].source} a {theirs.kind} tree"
        raise UnsupportedStudy(what, hint="Compare trees of one kind")
    for entry in entries:
        talk.warn([f"{entry.source}: {defect}" for defect in entry.value.defects()])
        if not len(entry.value):
            raise UnsupportedStudy(
                "the tree is empty", entry.source, hint="Choose another sentence with --item"
            )
    script = edit_script(
        ours, theirs, labelled=not unlabelled, costs=CostTable.read(costs) if costs else None
    )
    if json:
        deliver(_json(script), output)
        return
    from arbitree.reporting.sections.edit_script import script_text

    names = (str(entries[0].source), str(entries[1].source))
    deliver(script_text(script, (ours, theirs), names), output)


def _pair(
    first: str, second: str, item: str | None, format: str | None, encoding: str, talk: Talk
) -> list[Any]:
    from arbitree.reading.assembly import entries_of, formats_of
    from arbitree.reading.content import Content, load

    contents = [
        Content(f"<{name}>", text.encode())
        if text.lstrip().startswith("(")
        else load(text, encoding=encoding)
        for name, text in (("A", first), ("B", second))
    ]
    return [
        _chosen(entries_of(content, name), item, content.path, talk)
        for content, name in zip(contents, formats_of(contents, format), strict=True)
    ]


def _chosen(entries: list[Any], item: str | None, path: str, talk: Talk) -> Any:
    from arbitree.errors import Source, StudyError

    if item is None:
        if len(entries) > 1:
            talk.say(f"{path} has {len(entries)} sentences; this is the first. Choose another with --item")
        return entries[0]
    for entry in entries:
        if entry.id == item:
            return entry
    if item.isdigit() and 0 < int(item) <= len(entries):
        return entries[int(item) - 1]
    hint = f"Give an id, or a number from 1 to {len(entries)}"
    raise StudyError(f"no sentence {item!r} in this file", Source(path), hint=hint)


def _json(script: Any) -> str:
    from json import dumps

    import arbitree

    steps = [
        {
            "operation": step.operation,
            "first": script.first.label(step.first) if step.first >= 0 else None,
            "second": script.second.label(step.second) if step.second >= 0 else None,
        }
        for step in script.steps
    ]
    found = {"plain": script.plain, "diff": script.diff, "norm": script.norm}
    document = {
        "arbitree": arbitree.__version__,
        "command": "distance",
        "distance": found,
        "counts": script.counts,
    }
    return dumps(document | {"steps": steps}, indent=2, ensure_ascii=False) + "\n"


COMMAND = distance
