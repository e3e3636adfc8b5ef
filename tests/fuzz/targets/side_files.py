"""Files that options name: costs, hierarchies, parameters, weights, known labels, judgments, earlier runs."""

import json
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from arbitree.adjudication.tag_sets import read_tag_set
from arbitree.api.explain import explain
from arbitree.api.read import read
from arbitree.distances.ted import read_costs
from arbitree.kinds.dependency.measures.tedeval import Schemes
from arbitree.kinds.dependency.measures.weighted import read_weights
from arbitree.kinds.labels.hierarchy import wordnet_files
from arbitree.kinds.labels.hierarchy.estimation import read_counts
from arbitree.kinds.labels.hierarchy.files import read_hierarchy
from arbitree.kinds.labels.truth import read_truth
from arbitree.kinds.phrase.constructions.head_tables import head_table
from arbitree.kinds.phrase.constructions.options import read_pos_map
from arbitree.kinds.phrase.measures.evalb_parameters import read_parameters
from arbitree.kinds.preference.judgments import read_judgments
from arbitree.reading.texts import read_texts
from tests.fuzz.parts import joined, split
from tests.fuzz.target import EXAMPLES, Run, Target, seeds_of


def _reader(read: Callable[[str], Any], folder: Path) -> Run:
    """Read a file, and show it as in a signature."""
    path = folder / "file"

    def run(data: bytes) -> None:
        path.write_bytes(data)
        str(read(str(path)))

    return run


def _hierarchy(folder: Path) -> Run:
    def run(data: bytes) -> None:
        for suffix in ("", ".csv"):
            path = folder / f"file{suffix}"
            path.write_bytes(data)
            tags = read_hierarchy(str(path)).over(["rain", "snow", "nothing"])
            str(tags.roots)

    return run


def _wordnet(folder: Path) -> Run:
    def run(data: bytes) -> None:
        for cached in vars(wordnet_files).values():
            if hasattr(cached, "cache_clear"):
                cached.cache_clear()
        parts = split(data)[1]
        for name in ("index.noun", "data.noun"):
            (folder / name).write_bytes(parts.get(name, b""))
        found = wordnet_files.WordNet(str(folder))
        tags = found.over(["gust%1:19:00::", "wind%1:19:00::", "x%1:1:1::"])
        tags.roots, found.nearest("gusty%1:19:00::"), str(found)
        found.over(["gust%1:19:00::"], whole=True)

    return run


def _database() -> list[bytes]:
    """A WordNet of three synsets; the numbers are offsets in the file."""
    lines = ["  1 Written for tests.  \n"]
    rows = [
        "{:08d} 19 n 01 weather 0 002 ~ {:08d} n 0000 ~ {:08d} n 0000 | what falls or blows  \n",
        "{:08d} 19 n 02 wind 0 air_current 1 002 @ {:08d} n 0000 ~ {:08d} n 0000 | air that moves  \n",
        "{:08d} 19 n 01 gust 0 001 @ {:08d} n 0000 | a short wind  \n",
    ]
    starts = [len(lines[0])]
    for row in rows:
        starts.append(starts[-1] + len(row.format(*[0] * row.count("{"))))
    a, b, c, _ = starts
    text = lines[0] + rows[0].format(a, b, c) + rows[1].format(b, a, c) + rows[2].format(c, b)
    index = "  1 Written for tests.  \n" + "".join(
        f"{word} n 1 1 ~ 1 0 {start:08d}  \n"
        for word, start in (("air_current", b), ("gust", c), ("weather", a), ("wind", b))
    )
    return [joined({"index.noun": index.encode(), "data.noun": text.encode()})]


def _truth(folder: Path) -> Run:
    """Read known labels of the items of a small study."""
    table = folder / "study.tsv"
    table.write_bytes(b"item\tann\tbob\nr-1\tgood\tbad\nr-2\tbad\tbad\nr-3\t1\t2\nr-4\tmixed\tgood\n")
    study = read(str(table))
    return _reader(lambda path: read_truth(path, study), folder)


def _harbour() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return read(*(str(EXAMPLES / "harbour" / f"{name}.mrg") for name in ("ann", "bob")))


def _earlier(folder: Path) -> Run:
    """Compare the inconsistencies of a study with the JSON output of an earlier run."""
    study = _harbour()
    return _reader(lambda path: json.dumps(explain(study, versus=path).to_dict()), folder)


def _earlier_runs() -> list[bytes]:
    found = explain(_harbour()).to_dict()
    few = {name: found[name][:2] for name in ("types", "questions")}
    return [json.dumps(found | few).encode()]


READERS = {
    "judgments": read_judgments,
    "costs": read_costs,
    "counts": read_counts,
    "evalb": read_parameters,
    "weights": read_weights,
    "heads": head_table,
    "pos_maps": read_pos_map,
    "tag_sets": lambda path: read_tag_set(path, {"label": "label", "deprels": "label"}, ("upos",)),
    "texts": lambda path: read_texts(path, ["u1", "u2"], "item"),
}
TARGETS = (
    *(Target(name, partial(_reader, read), seeds_of(name)) for name, read in READERS.items()),
    Target("schemes", partial(_reader, Schemes.read), seeds_of("conllu", "conllx")),
    Target("hierarchies", _hierarchy, seeds_of("hierarchies", examples=("senses/weather.txt",))),
    Target("wordnet", _wordnet, _database),
    Target("truths", _truth, seeds_of("truths")),
    Target("earlier", _earlier, _earlier_runs, share=2),
)
