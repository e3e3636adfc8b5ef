"""What people type: signatures, measures with options, trees, commands."""

import re
import shutil
import warnings
from contextlib import chdir
from pathlib import Path

from arbitree import kinds
from arbitree.api.agree import agree
from arbitree.api.distance import distance
from arbitree.api.read import read
from arbitree.api.verify import verify
from arbitree.measures.options import known_measures, options
from tests.fuzz.target import EXAMPLES, Run, Target, seeds_of
from tests.support.commands import arbitree


def _verify(folder: Path) -> Run:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        studies = [read(*map(str, paths)) for paths in _study_files()]

    def run(data: bytes) -> None:
        text = data.decode("utf-8", "surrogateescape")
        number, _, citation = text.partition(":")
        str(verify(citation, studies[number == "labels"]))

    return run


def _study_files() -> list[list[Path]]:
    trees = [EXAMPLES / "score" / f"{name}.conllu" for name in ("gold", "wren")]
    return [trees, [EXAMPLES / "labels" / "stars.csv"]]


def _citations() -> list[bytes]:
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, paths in zip(("trees", "labels"), _study_files(), strict=True):
            for result in agree(read(*map(str, paths)), resamples=0):
                value = "undefined" if result.value is None else f"{result.value:.4f}"
                found.append(f"{name}:{value} {result.signature}".encode())
    return found


def _measure(folder: Path) -> Run:
    """Parse the name of a measure with options, and compute it on a study of its kind."""
    shutil.copy(EXAMPLES / "costs.tsv", folder)
    shutil.copy(EXAMPLES / "senses" / "weather.txt", folder)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        studies = [
            read(*(str(EXAMPLES / "dependency" / f"{name}.conllu") for name in ("ann", "cho"))),
            read(*(str(EXAMPLES / "phrase" / f"{name}.mrg") for name in ("ann", "cho"))),
            read(str(EXAMPLES / "senses" / "diary.tsv")),
            read(*(str(EXAMPLES / "profiles" / name) for name in ("ann", "bob"))),
        ]

    def run(data: bytes) -> None:
        text = data.decode("utf-8", "surrogateescape")
        if "/" in text or "wn:" in text:
            return  # no other files, and no downloads
        number = sum(data[:1]) % len(studies)
        with chdir(folder):
            agree(studies[number], text[1:], resamples=0, threads=1)

    return run


def _measures() -> list[bytes]:
    """Names of measures with options of each type."""
    names = [(0, "dependency"), (1, "phrase"), (2, "labels"), (3, "treebanking")]
    found = []
    for number, name in names:
        kind = kinds.kinds()[name]
        for measure, each in known_measures(kind).items():
            shown = ",".join(f"{key}={value}" for key, value in options(each).items())
            found.append(f"{number}{measure}:{shown}".encode() if shown else f"{number}{measure}".encode())
    return [*found, b"2hierarchical_kappa:hierarchy=weather.txt", b"0alpha_plain:costs=costs.tsv"]


# Commands that are meant to take long, to use a network or to start processes, and paths outside.
HEAVY = re.compile(rb"dask|gpu|://|wn:|serve|checkout|[1-9]\d\d|e\+?\d|/|\.\.|~|\n-\n|backup|restore|\x00")
FILES = {
    "a.conllu": "dependency/ann.conllu",
    "b.conllu": "dependency/bob.conllu",
    "g.conllu": "dependency/cho.conllu",
    "a.mrg": "phrase/ann.mrg",
    "b.mrg": "phrase/bob.mrg",
    "stars.csv": "labels/stars.csv",
    "costs.tsv": "costs.tsv",
    "j.csv": "prefer/judgments.csv",
    "t.txt": "coders/reviews.key",
}


def _commands(folder: Path) -> Run:
    """Run a command on small examples; each line is an argument."""
    clean, here = folder / "clean", folder / "work"
    clean.mkdir()
    for name, source in FILES.items():
        text = (EXAMPLES / source).read_bytes()
        few = b"\n\n".join(text.split(b"\n\n")[:3]) + b"\n\n" if name.endswith(("u", "g")) else text
        (clean / name).write_bytes(few)
    for name in ("ann", "bob"):
        shutil.copytree(EXAMPLES / "profiles" / name, clean / name)

    def run(data: bytes) -> None:
        if HEAVY.search(data) or len(data) > 3000:
            return
        shutil.rmtree(here, ignore_errors=True)
        shutil.copytree(clean, here)
        with chdir(here):
            found = arbitree(*data.decode("utf-8", "surrogateescape").split("\n"))
        assert found.returncode in (0, 1, 2), found.stderr
        left = [path.name for path in here.iterdir() if path.name.startswith(".arbitree-")]
        assert not left, f"left {left}"

    return run


def _trees(folder: Path) -> Run:
    """Compute the distance of two trees that were typed."""

    def run(data: bytes) -> None:
        first, _, second = data.decode("utf-8", "surrogateescape").partition("\n")
        if first.lstrip().startswith("(") and second.lstrip().startswith("(") and len(data) < 3000:
            str(distance(first, second)).encode("utf-8", "surrogateescape")

    return run


TARGETS = (
    Target("signatures", _verify, _citations, share=2),
    Target("measures", _measure, _measures, share=3),
    Target("trees", _trees, seeds_of("trees")),
    Target("commands", _commands, seeds_of("commands"), share=4),
)
