"""Find the files of each annotator from command-line arguments (FILE, NAME=FILE, directories, ``-``)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from arbitree.errors import Source, StudyError
from arbitree.paths import exists, is_directory, possible_path, sheet_in
from arbitree.wording import listed

DEFAULT_DOCUMENT = "text"
SCHEMA = "relations"  # the file by which an [incr tsdb()] profile is recognised
_BACKUP = re.compile(r".+~|\.#.+|#.+#|.+\.(?:bak|swp)", re.IGNORECASE)  # of Emacs, Vim, gedit and others


@dataclass(frozen=True, slots=True)
class Input:
    """One file or profile, with its annotator and its document."""

    coder: str
    path: str
    document: str
    found: bool = False  # in a directory, not named itself
    named: bool = False  # whether the annotator is given before '='
    role: str = ""  # GOLD or BY_NAME of ``reading.annotators``, if the file names its annotators
    export: str = ""  # the input that names the annotators: a file, a zip file or a directory


def _named_column(what: str) -> dict[str, Any]:
    """Return the description of an option with the name of a column."""
    return {"metavar": "NAME", "help": f"Column of a table {what}.", "show_default": False}


@dataclass(frozen=True, slots=True)
class Reading:
    """The inputs and the options for reading them.

    Each field except ``inputs`` is an option of the commands that read studies. Its metadata contain the
    help text of the option.
    """

    inputs: tuple[str, ...] = ()  # FILE, NAME=FILE or, with dirs, directories
    dirs: bool = field(
        default=False,
        metadata={"help": "Inputs are directories, one per annotator. Files are matched by name."},
    )
    format: str | None = field(
        default=None, metadata={"metavar": "NAME", "help": "Format of the inputs. [default: detected]"}
    )
    encoding: str = field(
        default="utf-8", metadata={"metavar": "NAME", "help": "Text encoding of the inputs, such as latin-1."}
    )
    match: str = field(
        default="auto",
        metadata={
            "metavar": "auto|id|position|text",
            "help": "Match sentences across annotators by id, position or text. "
            "auto: by id if every sentence has one, otherwise by position, or by text if the order differs.",
        },
    )
    strict: bool = field(
        default=False,
        metadata={
            "help": "Fail on cycles, tokenisation differences, files that may be incomplete, and, if "
            "sentences have no ids, files with different numbers of sentences."
        },
    )
    column: str | None = field(
        default=None,
        metadata={
            "metavar": "NAME",
            "help": "Compare the labels in a column of the trees: deprel, upos, a feature such as Case, "
            "enhanced, phrase, pos ...",
            "show_default": False,
        },
    )
    view: str | None = field(
        default=None,
        metadata={
            "metavar": "NAME[:KEY=VALUE,...]",
            "help": "View of the annotations to compare: a layer of the files, such as t or a in PML, or "
            "another form, such as the readings of [incr tsdb()] profiles.",
            "show_default": False,
        },
    )
    zone: str | None = field(
        default=None,
        metadata={
            "metavar": "LANGUAGE[_SELECTOR]",
            "help": "Zone of Treex files, such as cs or cs_src. The selectors of a language are annotators.",
            "show_default": False,
        },
    )
    layer: str | None = field(
        default=None,
        metadata={
            "metavar": "NAME[.FEATURE]",
            "help": "Layer of INCEpTION or WebAnno to compare, such as Dependency or POS.PosValue. Run "
            "'arbitree list layers INPUT' to see the layers.",
            "show_default": False,
        },
    )
    state: str = field(
        default="finished",
        metadata={
            "metavar": "finished|all",
            "help": "Documents of an INCEpTION project to read: those that annotators finished, or all that "
            "they opened.",
        },
    )
    item_column: str | None = field(default=None, metadata=_named_column("that contains the items"))
    coder_column: str | None = field(default=None, metadata=_named_column("that contains the annotators"))
    label_column: str | None = field(default=None, metadata=_named_column("that contains the labels"))
    gold_column: str | None = field(
        default=None,
        metadata=_named_column("that contains the gold standard; off: no column is the gold standard"),
    )
    drop_column: list[str] | None = field(default=None, metadata=_named_column("to ignore; repeat for more"))
    missing: str = field(
        default="auto",
        metadata={
            "metavar": "auto|off|TEXT,...",
            "help": "Cells of a table that count as missing, besides empty ones. auto: NA, NaN, NULL, #N/A "
            "and similar markers; auto,n/a adds another one.",
        },
    )
    numbers: str = field(
        default="auto",
        metadata={
            "metavar": "auto|equal|off",
            "help": "Compare labels that are numbers by value, so that 1 and 1.0 are equal. "
            "auto: unless they look like codes, such as 01. off: compare them as text.",
        },
    )
    texts: str | None = field(
        default=None,
        metadata={
            "metavar": "FILE",
            "help": "Table with the text of each item, and a column of ids (.tsv, .csv, .json, .jsonl, "
            ".xlsx). Pages and reports show the texts.",
            "show_default": False,
        },
    )
    max_size: str = field(
        default="auto",
        metadata={
            "metavar": "auto|off|SIZE",
            "help": "Largest size of decompressed files and of pipes, such as 500M or 4G. auto: 2G, and 64M "
            "for files that decompress to more than 100 times their size.",
        },
    )

    @classmethod
    def of_document(cls, document: dict[str, Any]) -> Reading:
        """Return the options in *document*; raise KeyError or TypeError if it is not valid."""
        reading = cls(**document | {"inputs": tuple(document["inputs"])})
        columns = (reading.item_column, reading.coder_column, reading.label_column, reading.gold_column)
        names = (reading.format, reading.column, reading.view, reading.zone, reading.layer, reading.texts)
        optional = ("" if text is None else text for text in (*names, *columns))
        ways = (reading.match, reading.state, reading.missing, reading.numbers, reading.max_size)
        needed = (reading.encoding, *ways)
        texts = (*reading.inputs, *(reading.drop_column or ()), *needed, *optional)
        dropped = isinstance(reading.drop_column, list | None)
        if not dropped or not all(isinstance(text, str) for text in texts):
            raise TypeError("names of files and options must be strings")
        return reading

    def of(self, inputs: Iterable[str]) -> Reading:
        """Return the same options for *inputs*."""
        return replace(self, inputs=tuple(inputs))

    @property
    def arguments(self) -> list[str]:
        """The arguments of a command that reads the same inputs in the same way.

        Example:
            >>> Reading(("ann", "bob"), dirs=True, match="text").arguments
            ['--dirs', '--match', 'text', 'ann', 'bob']
        """
        found: list[str] = []
        for each in fields(self):
            value = getattr(self, each.name)
            if each.metadata and value != each.default:
                flag = f"--{each.name.replace('_', '-')}"
                values = value if isinstance(value, list) else [value]
                found += [flag] if value is True else [part for own in values for part in (flag, own)]
        return [*found, *self.inputs]

    def absolute(self) -> Reading:
        """Return the same options with absolute paths, which do not depend on the current directory."""
        texts = None if self.texts is None else str(Path(self.texts).resolve())
        return replace(self.of(map(_absolute, self.inputs)), texts=texts)


USUAL = Reading()
SIGNED = (
    "view",
    "zone",
    "layer",
    "state",
    "missing",
    "numbers",
)  # options that signatures contain as they are typed


def _absolute(argument: str) -> str:
    name, path = named_path(argument)
    whole = str(Path(path).resolve())
    return whole if name is None else f"{name}={whole}"


def inputs_of(arguments: Sequence[str], *, dirs: bool = False) -> list[Input]:
    """Return the files that *arguments* name, with their annotators.

    Args:
        arguments: ``FILE`` or ``NAME=FILE``; with *dirs*, ``DIRECTORY`` or ``NAME=DIRECTORY``.
        dirs: Whether every argument is the directory of one annotator. Two files of a directory may have the
            same document; call ``distinct`` once files that are not annotations are removed.

    Example:
        >>> [(i.coder, i.document) for i in inputs_of(["odin-danish.conll", "thor-danish.conll"])]
        [('odin', 'danish'), ('thor', 'danish')]
        >>> [i.coder for i in inputs_of(["gold=corpus.conllu", "parsed.conllu.gz"])]
        ['gold', 'parsed']
    """
    if not arguments:
        raise StudyError("no input files", hint="Pass one file per annotator")
    named = [named_path(argument) for argument in arguments]
    check_standard_input(path for _, path in named)
    return _in_directories(named) if dirs else distinct(_files(named))


def check_standard_input(paths: Iterable[str | None]) -> None:
    """Raise StudyError if more than one of *paths* is standard input, which can be read only once."""
    if sum(path == "-" for path in paths) > 1:
        hint = "Save it to a file, and pass the file"
        raise StudyError("standard input can be given only once", Source("<stdin>"), hint=hint)


def distinct(found: list[Input]) -> list[Input]:
    """Return *found*; raise StudyError if an annotator has two files for one document."""
    seen: dict[tuple[str, str], Input] = {}
    for each in found:
        other = seen.setdefault((each.coder, each.document), each)
        if other is not each:
            if Path(other.path).resolve() == Path(each.path).resolve():
                hint = "Pass each file once"
                raise StudyError("this file was given twice", Source(each.path), hint=hint)
            what = f"this file and {other.path} are both assigned to annotator {each.coder!r}"
            hint = "Name the annotators: ann=PATH bob=PATH"
            if each.found and other.found:
                what += f" as document {each.document!r}"
                hint = "Rename or remove one of them"
            elif each.named and other.named:
                hint = "Give each file another name before '='"
            raise StudyError(what, Source(each.path), hint=hint)
    return found


def shared_files(found: Sequence[Input]) -> list[str]:
    """Return a warning for every file that is given for several annotators."""
    names: dict[Path, list[str]] = {}
    for each in found:
        if each.path != "-":
            names.setdefault(Path(each.path).resolve(), []).append(each.coder)
    paths = {Path(each.path).resolve(): each.path for each in reversed(found)}
    return [
        f"{paths[path]}: this file was given twice, for {listed(coders)}"
        for path, coders in names.items()
        if len(coders) > 1
    ]


def is_profile(path: Path) -> bool:
    """Return whether *path* is an [incr tsdb()] profile, which is one input."""
    return (path / SCHEMA).is_file()


def stem(path: str) -> str:
    """Return the file name without ``.gz`` and the file extension; for a directory, its name.

    Example:
        >>> stem("round1/10003-ssd.mary.tree.gz"), stem("votes.xlsx#mary")
        ('10003-ssd.mary', 'votes-mary')
    """
    if is_directory(path):
        return Path(path).resolve().name
    path, sheet = sheet_in(path)
    name = Path(path.removesuffix(".gz")).stem
    return name if sheet is None else f"{name}-{sheet}"


def named_path(argument: str) -> tuple[str | None, str]:
    """Return the annotator and the path in ``NAME=FILE``; for any other argument, None and the argument.

    Example:
        >>> named_path("ann=first.conllu"), named_path("first.conllu")
        (('ann', 'first.conllu'), (None, 'first.conllu'))
    """
    name, equals, path = argument.partition("=")
    if equals and name and path and "/" not in name and not exists(sheet_in(argument)[0]):
        return name, possible_path(path)
    return None, possible_path(argument)


def is_special(path: str) -> bool:
    """Return whether *path* is a pipe, socket or device, which may never end."""
    try:
        return path != "-" and Path(path).exists() and not (Path(path).is_file() or Path(path).is_dir())
    except (OSError, ValueError):
        return False


def is_backup(path: str) -> bool:
    """Return whether *path* is called like a backup or lock file of an editor.

    Example:
        >>> [name for name in ("a.conllu", "a.conllu~", "#a.conllu#", "a.bak") if is_backup(name)]
        ['a.conllu~', '#a.conllu#', 'a.bak']
    """
    return _BACKUP.fullmatch(Path(path).name) is not None and not is_directory(path)


def _files(named: list[tuple[str | None, str]]) -> list[Input]:
    stems = ["stdin" if path == "-" else stem(path) for _, path in named]
    parts = [re.split("[-_]", each) for each in stems]
    shared = set(parts[0]).intersection(*parts[1:]) if len(parts) > 1 else set()
    document = "-".join(part for part in parts[0] if part in shared) or DEFAULT_DOCUMENT
    same = len(set(stems)) == 1 and len(stems) > 1
    found = []
    for (name, path), whole, pieces in zip(named, stems, parts, strict=True):
        rest = "-".join(piece for piece in pieces if piece not in shared)
        coder = name or (Path(path).resolve().parent.name if same else rest) or whole
        found.append(Input(coder, path, document, named=name is not None))
    return found


def _in_directories(named: list[tuple[str | None, str]]) -> list[Input]:
    found = []
    for name, path in named:
        folder = Path(path)
        if not folder.is_dir():
            what = "expected a directory, got a file" if folder.exists() else "directory not found"
            raise StudyError(what, Source(path), hint="With --dirs, pass one directory per annotator")
        coder = name or folder.resolve().name
        files = sorted(_units(folder))
        if not files:
            raise StudyError(
                "the directory is empty", Source(path), hint="Pass the directory with the annotator's files"
            )
        found += [
            Input(coder, str(each), _document(each, folder, coder), found=True, named=name is not None)
            for each in files
        ]
    return found


def _units(folder: Path) -> Iterator[Path]:
    """Yield the files and profiles under *folder*, except hidden ones."""
    for place, folders, files in os.walk(folder):
        if is_profile(Path(place)):
            folders.clear()
            yield Path(place)
            continue
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(place, name) for name in files if not name.startswith("."))


def _document(path: Path, folder: Path, coder: str) -> str:
    """Return the name by which files of different annotators are matched."""
    name = path.name if path.is_dir() else stem(path.name)
    for mark in "-_":
        name = name.removesuffix(mark + coder)
    if path == folder:
        return DEFAULT_DOCUMENT
    return str(path.relative_to(folder).with_name(name))
