"""Arguments and options that commands share, each declared once, and the groups that travel whole."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import Field, dataclass, fields
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, get_type_hints

import typer

from arbitree.measures.computing import Computing
from arbitree.reading.inputs import Reading

Inputs = Annotated[
    list[str],
    typer.Argument(
        metavar="INPUT",
        help="FILE or NAME=FILE for each coder; '-' is standard input; .gz is read as it is.",
        show_default=False,
    ),
]
_COMPUTING = "Computing"
Measures = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        "-m",
        metavar="NAME[:KEY=VALUE,...]",
        help="Measure to compute; repeat for more (default: all that fit; see 'arbitree list measures').",
        rich_help_panel=_COMPUTING,
        show_default=False,
    ),
]
By = Annotated[
    list[str] | None,
    typer.Option(
        "--by",
        metavar="document|coder|pair|length|label",
        help="Break the results down; repeat for more.",
        rich_help_panel=_COMPUTING,
        show_default=False,
    ),
]
Confusions = Annotated[
    bool,
    typer.Option(
        "--confusions", help="List which labels are confused with which.", rich_help_panel=_COMPUTING
    ),
]
Difference = Annotated[
    bool,
    typer.Option(
        "--difference",
        help="Compare the first measure with each of the others on the same resamples.",
        rich_help_panel=_COMPUTING,
    ),
]
Versus = Annotated[
    list[str] | None,
    typer.Option(
        metavar="INPUT",
        help="Inputs of a second study to compare with; repeat for each of its files.",
        rich_help_panel=_COMPUTING,
        show_default=False,
    ),
]
_SHOWING = "Showing"
Json = Annotated[
    bool, typer.Option("--json", help="Print JSON instead of a table.", rich_help_panel=_SHOWING)
]
Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write to a file instead of standard output.",
        rich_help_panel=_SHOWING,
    ),
]
Figures = Annotated[
    str | None,
    typer.Option(
        metavar="DIR",
        help="Draw figures into this directory, as SVG and PDF.",
        rich_help_panel=_SHOWING,
        show_default=False,
    ),
]
FailUnder = Annotated[
    float | None,
    typer.Option(
        metavar="X",
        help="Exit with 1 if the first measure is below X or has no value.",
        rich_help_panel=_SHOWING,
    ),
]
Cite = Annotated[
    bool,
    typer.Option("--cite", help="Add the papers behind the measures as BibTeX.", rich_help_panel=_SHOWING),
]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Say nothing but the results.", rich_help_panel=_SHOWING)
]
Verbose = Annotated[
    bool,
    typer.Option(
        "--verbose", "-v", help="List what was left out, and how numbers were made.", rich_help_panel=_SHOWING
    ),
]


@dataclass(frozen=True, slots=True)
class Showing:
    """How a command shows what it found."""

    json: Json = False
    output: Output = None
    figures: Figures = None
    fail_under: FailUnder = None
    cite: Cite = False
    quiet: Quiet = False
    verbose: Verbose = False


class Group:
    """Options of the command line that a command gets as one object.

    They are fields of *defaults*, by default all that have metadata. The metadata of a field describe its
    option, unless its type does.
    """

    def __init__(self, make: Callable[..., Any], defaults: type, names: str = "") -> None:
        self.make = make
        known = {each.name: each for each in fields(defaults)}
        self.names = names.split() or [name for name, each in known.items() if each.metadata]
        types = get_type_hints(defaults, include_extras=True)
        self.parameters = [
            Parameter(
                name,
                Parameter.KEYWORD_ONLY,
                default=known[name].default,
                annotation=_option(types[name], known[name], defaults.__name__),
            )
            for name in self.names
        ]


def _option(type_: Any, field: Field[Any], panel: str) -> Any:
    """Return the type of a field, with the option that its metadata describe if it has any."""
    if not field.metadata:
        return type_
    return Annotated[type_, typer.Option(f"--{field.name}", rich_help_panel=panel, **field.metadata)]


_TREES = "dirs format encoding match strict"
_SHOWN = "json output fail_under cite quiet verbose"
_INTERVALS = "resamples confidence interval seed"
_RUN = "threads backend scheduler"

ReadingOptions = Annotated[Reading, Group(Reading, Reading)]
ReadingTrees = Annotated[Reading, Group(Reading, Reading, _TREES)]  # with no column of theirs
ReadingFiles = Annotated[Reading, Group(Reading, Reading, "format encoding match strict")]
ReadingProfiles = Annotated[Reading, Group(Reading, Reading, "encoding match strict")]
ReadingOne = Annotated[Reading, Group(Reading, Reading, "format encoding")]

# Keywords of the Python function of the same name as the command.
Keywords = dict[str, Any]
ComputingOptions = Annotated[Keywords, Group(dict, Computing)]
ComputingReport = Annotated[Keywords, Group(dict, Computing, f"pairs tolerance {_INTERVALS} {_RUN}")]
Intervals = Annotated[Keywords, Group(dict, Computing, _INTERVALS)]
Resampled = Annotated[Keywords, Group(dict, Computing, "resamples confidence seed")]
Running = Annotated[Keywords, Group(dict, Computing, _RUN)]

ShowingOptions = Annotated[Showing, Group(Showing, Showing, _SHOWN)]
ShowingFigures = Annotated[
    Showing, Group(Showing, Showing, "json output figures fail_under cite quiet verbose")
]


def spread(function: Callable[..., None]) -> Callable[..., None]:
    """Return *function* with single options in place of the groups among its parameters."""
    groups: dict[str, Group] = {}
    parameters: list[Parameter] = []
    for each in signature(function, eval_str=True).parameters.values():
        found = [mark for mark in getattr(each.annotation, "__metadata__", ()) if isinstance(mark, Group)]
        if found:
            groups[each.name] = found[0]
            parameters += found[0].parameters
        else:
            parameters.append(each.replace(kind=Parameter.KEYWORD_ONLY))

    @functools.wraps(function)
    def command(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group.make(**{each: given.pop(each) for each in group.names})
        function(**given)

    command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {each.name: each.annotation for each in parameters}
    return command
