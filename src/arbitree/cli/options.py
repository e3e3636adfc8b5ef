"""Arguments and options that several commands share, each declared once, and groups of them."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Iterable
from dataclasses import Field, dataclass, fields
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from arbitree.cli.completion import completer
from arbitree.errors import Source, UnknownName
from arbitree.extras import need
from arbitree.files import (
    announce,
    announce_standard_output,
    check_directory,
    inputs_kept,
    show_full_paths,
)
from arbitree.measures.computing import Computing
from arbitree.paths import is_directory
from arbitree.reading.inputs import Reading
from arbitree.study.groupings import GROUPINGS
from arbitree.wording import listed

WRITTEN = "written"  # marks options that name directories to write, or files that a command checks itself
WRITTEN_FILE = "written file"  # marks options that name files to write
FILES = (  # extensions of files whose contents are known; others are text
    *(".csv", ".doc", ".docx", ".eps", ".gif", ".gz", ".htm", ".html", ".jpeg", ".jpg", ".json", ".jsonl"),
    *(".ods", ".odt", ".parquet", ".pdf", ".png", ".ps", ".rtf", ".svg", ".tex", ".tsv", ".txt", ".webp"),
    *(".xls", ".xlsm", ".xlsx", ".xml", ".zip"),
)
ITEM_FILES = (".csv", ".json", ".tsv", ".txt", ".xlsx")  # known extensions that --per-item writes
Inputs = Annotated[
    list[str],
    typer.Argument(
        metavar="INPUT",
        help="One FILE or NAME=FILE per annotator, or one file with all annotators (a table, an export). "
        "'-' reads standard input; .gz files are decompressed.",
        show_default=False,
    ),
]
_COMPUTING = "Computation"
_PANELS = {"Reading": "Input", "Computing": _COMPUTING}  # headings in the help, by the class of the fields
Measures = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        "-m",
        metavar="NAME[:KEY=VALUE,...]",
        help="Measure to compute; repeat for more. Run 'arbitree list measures' to see the names. "
        "[default: a selection for the kind of annotation]",
        rich_help_panel=_COMPUTING,
        show_default=False,
    ),
]
As = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="NAME",
        help="Use the definitions of a paper or program: its measures and option values, except those that "
        "you set. Run 'arbitree list presets' to see the names.",
        rich_help_panel=_COMPUTING,
        show_default=False,
    ),
]
AsOptions = Annotated[  # of commands without --measure
    str | None,
    typer.Option(
        "--as",
        metavar="NAME",
        help="Use the definitions of a paper or program: its option values, except those that you set. Run "
        "'arbitree list presets' to see the names.",
        rich_help_panel=_COMPUTING,
        show_default=False,
    ),
]
By = Annotated[
    list[str] | None,
    typer.Option(
        "--by",
        metavar="|".join((*GROUPINGS, "coder", "pair", "length", "label")),
        help="Break the results down; repeat for more. annotator is accepted for coder.",
        rich_help_panel=_COMPUTING,
        show_default=False,
    ),
]
Confusions = Annotated[
    bool,
    typer.Option(
        "--confusions",
        help="Also list the confusions: pairs of labels given to the same token or item.",
        rich_help_panel=_COMPUTING,
    ),
]
Difference = Annotated[
    bool,
    typer.Option(
        "--difference",
        help="Also compare the first measure with each of the others of its family on the same items.",
        rich_help_panel=_COMPUTING,
    ),
]
Versus = Annotated[
    list[str] | None,
    typer.Option(
        metavar="INPUT",
        help="Input of a second study to compare with; repeat for each of its files.",
        rich_help_panel=_COMPUTING,
        show_default=False,
    ),
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        "--column",
        metavar="NAME",
        help="Compare the labels in a column of the trees: deprel, upos, a feature such as Case, enhanced, "
        "phrase, pos ...; repeat for more.",
        rich_help_panel=_PANELS["Reading"],
        show_default=False,
    ),
]
Studies = Annotated[
    bool,
    typer.Option(
        "--studies",
        help="Inputs are studies, and the output has one row for each. A study is a directory with one file "
        "or directory per annotator, a pattern such as 'DIR/*.conllu', or a table of labels.",
        rich_help_panel=_PANELS["Reading"],
    ),
]
Verify = Annotated[
    str | None,
    typer.Option(
        metavar='"VALUE SIGNATURE"',
        help="Only compute the value that a signature describes: exit with code 0 if it is the same, with 1 "
        "if it is not, and with 2 if the signature does not describe these inputs.",
        rich_help_panel=_COMPUTING,
        show_default=False,
    ),
]
_SHOWING = "Output"
Json = Annotated[
    bool, typer.Option("--json", help="Print JSON instead of a table.", rich_help_panel=_SHOWING)
]
Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write to a file instead of standard output, in the format of its extension: .csv, .html, "
        ".json, .tex, .tsv or .xlsx; .txt and unknown extensions as text.",
        rich_help_panel=_SHOWING,
    ),
    WRITTEN_FILE,
]
JsonOutput = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write to a file instead of standard output: .json; .txt and unknown extensions as text.",
        rich_help_panel=_SHOWING,
    ),
    WRITTEN_FILE,
]
PerItem = Annotated[
    str | None,
    typer.Option(
        "--per-item",
        metavar="FILE",
        help="Write the values of every item to a .csv, .json or .xlsx file; .tsv, .txt and unknown "
        "extensions are tab-separated.",
        rich_help_panel=_SHOWING,
        show_default=False,
    ),
    WRITTEN_FILE,
]
Figures = Annotated[
    str | None,
    typer.Option(
        metavar="DIR",
        help="Write figures to this directory, as SVG and PDF.",
        rich_help_panel=_SHOWING,
        show_default=False,
    ),
    WRITTEN,
]
FailUnder = Annotated[
    float | None,
    typer.Option(
        metavar="X",
        help="Exit with code 1 if the first measure is below X or undefined.",
        rich_help_panel=_SHOWING,
    ),
]
FailOver = Annotated[
    float | None,
    typer.Option(
        metavar="X",
        help="Exit with code 1 if the first measure is above X or undefined; for measures for which lower "
        "values are better.",
        rich_help_panel=_SHOWING,
    ),
]
Force = Annotated[
    bool,
    typer.Option(
        "--force", help="Replace a file of annotations that exists already.", rich_help_panel=_SHOWING
    ),
]
Cite = Annotated[
    bool,
    typer.Option(
        "--cite", help="Add BibTeX entries of the papers behind the measures.", rich_help_panel=_SHOWING
    ),
]
FullPaths = Annotated[
    bool,
    typer.Option(
        "--full-paths",
        help="Show the paths of the inputs in HTML pages and workbooks as given. [default: relative to the "
        "common directory of the inputs, if they are absolute]",
        rich_help_panel=_SHOWING,
    ),
]
Quiet = Annotated[
    bool,
    typer.Option(
        "--quiet",
        "-q",
        help="Print only the results, and warnings about sentences that do not match. Messages and other "
        "warnings, such as those about cycles, are hidden.",
        rich_help_panel=_SHOWING,
    ),
]
QuietAlone = Annotated[  # of commands that do not compare sentences
    bool,
    typer.Option(
        "--quiet",
        "-q",
        help="Print only results and errors, no messages or warnings.",
        rich_help_panel=_SHOWING,
    ),
]
Verbose = Annotated[
    bool,
    typer.Option(
        "--verbose",
        "-v",
        help="Also list excluded sentences and the signature of every value.",
        rich_help_panel=_SHOWING,
    ),
]


def check_ending(output: str | None, possible: Iterable[str], *, json: bool = False) -> None:
    """Raise UnknownName, before any computation, if a file has an extension that the command does not write.

    Args:
        output: the file, if there is one; names with an extension of no known type are accepted.
        possible: the extensions that the command writes.
        json: whether ``--json`` is given, which comes before the extension.
    """
    ending = "" if output is None or json else Path(output).suffix.lower()
    if ending in FILES and ending not in possible and not is_directory(str(output)):
        hint = f"Use {listed(sorted(possible), 'or')}"
        raise UnknownName(f"this command does not write {ending} files", Source(str(output)), hint=hint)


def check_folder(output: str | None) -> None:
    """Raise UnknownName if the name of a directory to write ends like that of a file."""
    if output is not None and Path(output).suffix.lower() in FILES and not is_directory(output):
        what = "this command writes several files to a directory"
        raise UnknownName(
            what, Source(output), hint=f"Use the name of a directory, such as {Path(output).stem}"
        )


def check_installed(*outputs: str | None) -> None:
    """Raise MissingExtra if a file cannot be written without an optional package, before any computation."""
    for path in filter(None, outputs):
        if path.lower().endswith(".xlsx"):
            need("a workbook", "xlsxwriter", source=Source(path))


@dataclass(frozen=True, slots=True)
class Showing:
    """Output options of a command."""

    json: Json = False
    output: Output = None
    figures: Figures = None
    fail_under: FailUnder = None
    fail_over: FailOver = None
    cite: Cite = False
    full_paths: FullPaths = False
    quiet: Quiet = False
    verbose: Verbose = False

    def __post_init__(self) -> None:
        if self.full_paths:
            show_full_paths()
        if self.output is not None:
            from arbitree.reporting.document import renderers

            check_ending(self.output, renderers(), json=self.json)
        if not self.json:
            check_installed(self.output)
        check_folder(self.figures)
        if self.figures is not None:
            need("--figures", "matplotlib")


class Group:
    """Command-line options that a command receives as one object.

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


def _option(type_: Any, field: Field[Any], owner: str) -> Any:
    """Return the type of a field, with the option that its metadata describe if it has any."""
    if not field.metadata:
        return type_
    panel = _PANELS[owner]
    flag = f"--{field.name.replace('_', '-')}"
    return Annotated[type_, typer.Option(flag, rich_help_panel=panel, **field.metadata)]


_TREES = "dirs format encoding match strict view zone layer state max_size"
_TABLES = "item_column coder_column label_column gold_column drop_column missing numbers"
_SHOWN = "json output fail_under fail_over cite full_paths quiet verbose"
_INTERVALS = "resamples confidence interval seed"
_RUN = "threads backend scheduler"

ReadingOptions = Annotated[Reading, Group(Reading, Reading)]
ReadingTrees = Annotated[Reading, Group(Reading, Reading, _TREES)]  # without --column and tables of labels
ReadingScored = Annotated[Reading, Group(Reading, Reading, f"{_TREES} {_TABLES}")]  # without --column
ReadingFiles = Annotated[Reading, Group(Reading, Reading, "format encoding match strict max_size")]
ReadingProfiles = Annotated[Reading, Group(Reading, Reading, "encoding match strict max_size")]
ReadingOne = Annotated[Reading, Group(Reading, Reading, "format encoding view zone max_size")]

# Keyword arguments of the Python function with the same name as the command.
Keywords = dict[str, Any]
ReadingTable = Annotated[
    Keywords, Group(dict, Reading, f"format encoding view zone layer max_size {_TABLES}")
]
ComputingOptions = Annotated[Keywords, Group(dict, Computing)]
ComputingReport = Annotated[Keywords, Group(dict, Computing, f"pairs tolerance {_INTERVALS} {_RUN}")]
ComputingScores = Annotated[Keywords, Group(dict, Computing, f"{_INTERVALS} {_RUN}")]
Intervals = Annotated[Keywords, Group(dict, Computing, _INTERVALS)]
Resampled = Annotated[Keywords, Group(dict, Computing, "resamples confidence seed")]
Running = Annotated[Keywords, Group(dict, Computing, _RUN)]

ShowingOptions = Annotated[Showing, Group(Showing, Showing, _SHOWN)]
ShowingCoders = Annotated[  # higher competence is always better
    Showing, Group(Showing, Showing, "json output fail_under cite full_paths quiet verbose")
]
ShowingFigures = Annotated[
    Showing, Group(Showing, Showing, "json output figures fail_under fail_over cite full_paths quiet verbose")
]


def spread(function: Callable[..., None]) -> Callable[..., None]:
    """Return *function* with its option groups replaced by single options."""
    groups: dict[str, Group] = {}
    parameters: list[Parameter] = []
    for each in signature(function, eval_str=True).parameters.values():
        found = [mark for mark in getattr(each.annotation, "__metadata__", ()) if isinstance(mark, Group)]
        if found:
            groups[each.name] = found[0]
            parameters += found[0].parameters
        else:
            parameters.append(each.replace(kind=Parameter.KEYWORD_ONLY))

    written = written_options(parameters)

    @functools.wraps(function)
    def command(**given: Any) -> None:
        with inputs_kept():
            announce_standard_output()
            for name, mark in written.items():
                paths = given[name] if isinstance(given[name], list) else [given[name]]
                if mark == WRITTEN_FILE:
                    check_directory(*paths)
                announce(*paths)
            for name, group in groups.items():
                given[name] = group.make(**{each: given.pop(each) for each in group.names})
            function(**given)

    parameters = [each.replace(annotation=_shown(each.name, each.annotation)) for each in parameters]
    command.__doc__ = _bracketed(function.__doc__ or "")
    command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {each.name: each.annotation for each in parameters}
    return command


def written_options(parameters: Iterable[Parameter]) -> dict[str, str]:
    """Return the options of a command that name files or directories to write, with their marks."""
    marks = {each.name: getattr(each.annotation, "__metadata__", ()) for each in parameters}
    return {name: mark for name, found in marks.items() for mark in (WRITTEN, WRITTEN_FILE) if mark in found}


def _shown(name: str, annotation: Any) -> Any:
    """Return the annotation of an option whose help prints brackets, which are markup to typer.

    The values of the option are completed if they are known.
    """
    marks = [copy.copy(mark) for mark in getattr(annotation, "__metadata__", ())]
    for mark in marks:
        if mark not in (WRITTEN, WRITTEN_FILE):
            mark.help = _bracketed(mark.help or "")
            # typer keeps the first name of an option as its default until it builds the command
            flags = [str(mark.default), *(mark.param_decls or ()), f"--{name.replace('_', '-')}"]
            mark.autocompletion = completer(flags, mark.metavar)
    return Annotated[annotation.__origin__, *marks] if marks else annotation


def _bracketed(text: str) -> str:
    return text.replace("[", r"\[")
