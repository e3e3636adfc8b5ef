"""Every command and option that writes files, with its inputs.

Run as a program, it runs them in the current directory; its argument is the directory to write to.
"""

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.support.commands import arbitree
from tests.support.web.opened import opened

TREES = ("dependency/ann.conllu", "dependency/bob.conllu", "dependency/cho.conllu")
PHRASES = ("phrase/ann.mrg", "phrase/bob.mrg")
PROFILES = tuple(
    f"profiles/{coder}/{table}" for coder in ("ann", "bob") for table in ("decision", "relations")
)
CONTEST = ("prefer/gold.conllu", "prefer/birch.conllu", "prefer/cedar.conllu", "prefer/judgments.csv")
PROJECT = ("project/project.json", "project/arbitree.sqlite")
_AGREE = ("agree", *TREES[:2], "-m", "alpha_plain:costs=costs.tsv", "--resamples", "0")
_SCORE = ("score", "score/gold.conllu", "score/heron.conllu", "-m", "las", "--resamples", "0")
_LABELS = (
    "agree",
    "senses/diary.tsv",
    "-m",
    "hierarchical_kappa:hierarchy=senses/weather.txt",
    "--resamples",
    "0",
)
_CODERS = ("coders", "coders/reviews.csv", "--truth", "coders/reviews.key", "--resamples", "0")
_EXPLAIN = ("explain", *PHRASES, "--heads", "rules.heads", "--versus", "earlier.json", "--no-alpha")
_PREFER = ("prefer", *CONTEST[:3], "--judgments", CONTEST[3], "-m", "las", "-m", "uas", "--resamples", "0")
_TSDB = ("tsdb", "profiles/ann", "profiles/bob", "--adjudicated", "decided.xlsx", "--resamples", "0")


@dataclass(frozen=True)
class Writing:
    """A command that writes to the argument OUT, which is a file, or a directory if it has no extension."""

    option: str  # as the parameter of the command is called
    arguments: tuple[str, ...]
    output: str
    inputs: tuple[str, ...]
    dated: bool = False  # whether the output contains the time of the run

    @property
    def command(self):
        return self.arguments[0]

    def run(self, output):
        """Run the command in the current directory."""
        return arbitree(*(str(output) if each == "OUT" else each for each in self.arguments))


WRITINGS = [
    Writing("output", (*_AGREE, "-o", "OUT"), "agree.txt", (*TREES[:2], "costs.tsv")),
    Writing("output", (*_AGREE, "--json", "-o", "OUT"), "agree.json", (*TREES[:2], "costs.tsv")),
    Writing(
        "output", (*_AGREE, "--versus", TREES[2], "--versus", TREES[0], "-o", "OUT"), "versus.html", TREES
    ),
    Writing("output", (*_LABELS, "-o", "OUT"), "labels.xlsx", ("senses/diary.tsv", "senses/weather.txt")),
    Writing("per_item", (*_AGREE, "--per-item", "OUT"), "items.tsv", (*TREES[:2], "costs.tsv")),
    Writing("figures", (*_AGREE, "--figures", "OUT"), "figures", TREES[:2]),
    Writing("output", (*_SCORE, "-o", "OUT"), "score.csv", _SCORE[1:3]),
    Writing("per_item", (*_SCORE, "--per-item", "OUT"), "scores.xlsx", _SCORE[1:3]),
    Writing("output", (*_CODERS, "-o", "OUT"), "coders.html", (_CODERS[1], _CODERS[3])),
    Writing(
        "consensus", (*_CODERS, "--force", "--consensus", "OUT"), "consensus.csv", (_CODERS[1], _CODERS[3])
    ),
    Writing("feedback", (*_CODERS, "--feedback", "OUT"), "feedback", (_CODERS[1],)),
    Writing("target", ("convert", PHRASES[0], "OUT", "--force"), "trees.xml", PHRASES[:1]),
    Writing("target", ("convert", PHRASES[0], "OUT", "--force"), "trees.export.gz", PHRASES[:1]),
    Writing("svg", ("draw", *TREES[:2], "--svg", "OUT"), "tree.svg", TREES[:2]),
    Writing("html", ("draw", *TREES[:2], "--html", "OUT"), "tree.html", TREES[:2]),
    Writing("output", ("draw", *TREES[:2], "-o", "OUT"), "tree.txt", TREES[:2]),
    Writing("output", ("distance", *TREES[:2], "--costs", "costs.tsv", "-o", "OUT"), "edits.txt", TREES[:2]),
    Writing("output", (*_EXPLAIN, "-o", "OUT"), "types.tsv", (*PHRASES, "rules.heads", "earlier.json")),
    Writing("output", (*_EXPLAIN, "-o", "OUT"), "types.xlsx", (*PHRASES, "rules.heads", "earlier.json")),
    Writing("output", (*_EXPLAIN, "-o", "OUT"), "explained", PHRASES),
    Writing("output", (*_PREFER, "-o", "OUT"), "prefer.json", CONTEST),
    Writing("output", (*_PREFER, "-o", "OUT"), "preferred", CONTEST),
    Writing("save_weights", (*_PREFER, "--save-weights", "OUT"), "weights.json", CONTEST),
    Writing("figures", (*_PREFER, "--figures", "OUT"), "plots", CONTEST),
    Writing("output", ("report", *TREES, "--resamples", "0", "-o", "OUT"), "report", TREES),
    Writing(
        "output",
        ("simulate", TREES[0], "-e", "labels", "--levels", "0,1", "--runs", "2", "-m", "las", "-o", "OUT"),
        "curves",
        TREES[:1],
    ),
    Writing("output", (*_TSDB, "-o", "OUT"), "profiles.xlsx", (*PROFILES, "decided.xlsx")),
    Writing("output", (*_TSDB, "-o", "OUT"), "profiles.html", (*PROFILES, "decided.xlsx")),
    Writing("output", ("papers", "melamed_resnik2000", "--offline", "-o", "OUT"), "papers", ()),
    Writing("file", ("backup", "project", "OUT", "--force"), "backup.zip", PROJECT, dated=True),
    Writing("export", (*_TSDB, "--export", "OUT"), "gold", PROFILES),
]


def make_inputs(folder):
    """Write the inputs of all commands to *folder*, which becomes the current directory."""
    from arbitree.kinds.phrase.constructions.head_tables import FOLDER

    shutil.copytree("examples", folder, dirs_exist_ok=True)
    shutil.copy(FOLDER / "english.heads", folder / "rules.heads")


def make_earlier_outputs():
    """Write the outputs of earlier commands, which are inputs of others, to the current directory."""
    with opened(TREES[:2], Path()).store:
        pass
    for arguments in (
        ("explain", *PHRASES, "--heads", "rules.heads", "--no-alpha", "-o", "earlier.json"),
        (*_TSDB[:3], "--resamples", "0", "-o", "decided.xlsx"),
    ):
        done = arbitree(*arguments)
        assert done.returncode == 0, done.stderr


def run_all(outputs):
    """Run every command in the current directory; write to *outputs*."""
    for writing in WRITINGS:
        done = writing.run(Path(outputs, writing.output))
        assert done.returncode == 0, (writing, done.stderr)


if __name__ == "__main__":
    run_all(sys.argv[1])
