"""Files of annotations: by the name of their format, by detection, with options for tables, measured."""

import json
import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from arbitree import kinds, plugins
from arbitree.api.agree import agree
from arbitree.api.read import read
from arbitree.reading.assembly import entries_of, read_inputs
from arbitree.reading.content import Content
from arbitree.reading.inputs import Reading
from tests.fuzz import mutators
from tests.fuzz.parts import joined, split
from tests.fuzz.target import Run, Target, seeds_of
from tests.support.uima import Doc, packed, project

GRAPHS = ("simplemrs", "eds", "penman", "umr")
TREES = ("conllu", "conllx", "brackets", "delexicalised", "negra", "tigerxml", "pml", *GRAPHS)
READ_ONLY = ("pml", "umr")
LAYERED = ("webanno_tsv", "cas_xmi", "cas_json")
LABELS = ("labels", "triples", "ticks")
OPTIONS = (
    "item_column",
    "coder_column",
    "label_column",
    "gold_column",
    "missing",
    "numbers",
    "encoding",
    "match",
    "format",
)


def _entries(name: str, folder: Path) -> Run:
    """Read a file by the name of its format, and write it again."""
    reader = plugins.get("formats", name)

    def run(data: bytes) -> None:
        entries = entries_of(Content("file", data), name)
        reader.defects([entry.value for entry in entries])
        for suffix in reader.suffixes if name not in READ_ONLY else ():
            reader.text(entries, f"file{suffix}").encode()

    return run


def _study(folder: Path, data: bytes, suffix: str = "", **options: Any) -> Any:
    path = folder / f"ann{suffix}"
    path.write_bytes(data)
    return read_inputs(Reading((str(path),), **options))


def _table(name: str, folder: Path) -> Run:
    """Read a table of labels by the name of its layout, and write it again."""
    reader = plugins.get("formats", name)

    def run(data: bytes) -> None:
        _study(folder, data, format=name)
        entries = list(reader.read(Content("file", data)))
        for suffix in reader.suffixes:
            reader.text(entries, f"file{suffix}").encode()

    return run


def _options_and_table(folder: Path) -> Run:
    """Read a table with options for its columns; the first line contains the options."""

    def run(data: bytes) -> None:
        before, parts = split(data)
        words = before.decode("utf-8", "replace").strip("\n").split("\t")
        given = {
            name.lstrip("-").replace("-", "_"): value
            for name, value in zip(words[::2], words[1::2], strict=False)
        }
        options: dict[str, Any] = {name: given[name] for name in OPTIONS if name in given}
        if "drop_column" in given:
            options["drop_column"] = given["drop_column"].split("+")
        name, content = next(iter(parts.items()), ("file", b""))
        _study(folder, content, Path(name.replace("\x00", "").replace("/", "")[:40]).suffix, **options)

    return run


def _detected(folder: Path) -> Run:
    """Detect the format of a file, read it and compare two readings of it."""

    def run(data: bytes) -> None:
        paths = (folder / "ann", folder / "bob")
        paths[0].write_bytes(data)
        paths[1].write_bytes(data)
        study = read_inputs(Reading(tuple(map(str, paths))))
        kind = kinds.of(study)
        kind.size(study)
        for item in study.items[:2]:
            cells = [study.cells[item.id, coder] for coder in study.coders if (item.id, coder) in study.cells]
            kind.text(cells)
            for cell in cells:
                json.dumps(kind.record(cell.value))

    return run


def _layers(folder: Path) -> Run:
    """Read the layers of PML, which refer to each other, from t downwards; the first line is the view."""

    def run(data: bytes) -> None:
        before, parts = split(data)
        for name in ("s.t", "s.a", "s.m", "s.w"):
            (folder / name).unlink(missing_ok=True)
            if name in parts:
                (folder / name).write_bytes(parts[name])
        view, _, zone = before.decode("utf-8", "replace").strip("\n").partition("\t")
        read_inputs(Reading((str(folder / "s.t"),), format="pml", view=view or None, zone=zone or None))

    return run


def _agreement(folder: Path) -> Run:
    """Compare a changed file with the file from which it was made: all measures, without intervals."""

    def run(data: bytes) -> None:
        _, parts = split(data)
        paths = []
        for content in list(parts.values())[:3]:
            paths.append(folder / f"annotator{len(paths)}")
            paths[-1].write_bytes(content)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # notes about the files
            study = read(*map(str, paths))
        if sum(map(len, parts.values())) > 30_000:
            return
        document = agree(study, resamples=0, threads=1)
        str(document).encode()
        json.dumps(document.to_dict())

    return run


def _pairs() -> list[bytes]:
    """Two annotators with the same file, for every format."""
    return [joined(dict.fromkeys(("a", "b"), seed)) for seed in seeds_of(*TREES, *LABELS)()]


def _layered(name: str, folder: Path) -> Run:
    """Read all layers of a document, and the trees or labels in each."""
    reader = plugins.get("formats", name)

    def run(data: bytes) -> None:
        content = Content("file", data)
        for layer in reader.layers(content):
            if not layer.obstacle:
                own = replace(content, reading=Reading(layer=layer.full))
                reader.defects([entry.value for entry in entries_of(own, name)])
        _study(folder, data, format=name)

    return run


def _documents(name: str) -> Callable[[], list[bytes]]:
    """Return a function that returns small documents of INCEpTION."""
    texts = {"webanno_tsv": Doc.tsv, "cas_xmi": Doc.xmi, "cas_json": Doc.json}
    odd = Doc(tags=((r"a\b", "a|b[1]", "_", None), ("x", "y", "z")), heads=None)
    return lambda: [texts[name](doc).encode() for doc in (Doc(), Doc(tags=None), odd)]


def _export(folder: Path) -> Run:
    """Read the export of a tool with its first layer, and with all documents."""

    def run(data: bytes) -> None:
        path = folder / "export.zip"
        path.write_bytes(data)
        for state in ("finished", "all"):
            read_inputs(Reading((str(path),), state=state, layer="POS" if b".conllu" not in data else None))

    return run


def _exports() -> list[bytes]:
    """Exports of INCEpTION in all formats, and of Arborator."""
    docs = {("a.txt", "ann"): Doc(), ("a.txt", "bob"): Doc(), ("a.txt", "CURATION_USER"): Doc()}
    projects = [packed(project(docs, format=each)) for each in ("tsv", "json", "xmi", "zip")]
    tree = "1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    return [*projects, packed({f"{name}/s.conllu": tree for name in ("ann", "bob", "validated")})]


TARGETS = (
    *(Target(name, partial(_entries, name), seeds_of(name), share=2) for name in TREES),
    *(Target(name, partial(_table, name), seeds_of(name), share=2) for name in LABELS),
    Target("pml_layers", _layers, seeds_of("pml_layers"), share=2),
    *(Target(name, partial(_layered, name), _documents(name), share=2) for name in LAYERED),
    Target("exports", _export, _exports, mutators.archive, share=3, guided=False),
    Target("tables", _options_and_table, seeds_of("tables"), share=2),
    Target("detection", _detected, seeds_of(*TREES, *LABELS), share=3),
    Target("agreement", _agreement, _pairs, share=3),
)
