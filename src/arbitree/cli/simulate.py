"""``arbitree simulate``."""

from __future__ import annotations

from typing import Annotated

import typer

from arbitree.cli import options as opt
from arbitree.cli.console import Talk, present, read_inputs

_NOISE = "Noise"
Corpus = Annotated[
    str, typer.Argument(metavar="CORPUS", help="A file of trees that are taken as right.", show_default=False)
]
Experiments = Annotated[
    list[str] | None,
    typer.Option(
        "--experiment",
        "-e",
        metavar="NAME",
        help="both, labels, heads, unbiased, nodes, phrase, habit ...; repeat for more "
        "(default: both, labels and heads; all that fit phrase trees).",
        rich_help_panel=_NOISE,
        show_default=False,
    ),
]
Levels = Annotated[
    str,
    typer.Option(
        metavar="FROM:TO:STEP",
        help="Levels of noise from 0 to 1; or a list, as 0.1,0.5,1.",
        rich_help_panel=_NOISE,
    ),
]
Runs = Annotated[int, typer.Option(min=1, help="Runs at each level.", rich_help_panel=_NOISE)]
Sentences = Annotated[
    int | None,
    typer.Option(
        metavar="N", help="Draw N sentences (default: use all).", rich_help_panel=_NOISE, show_default=False
    ),
]
HabitTexts = Annotated[
    list[str] | None,
    typer.Option(
        "--habit",
        metavar="LABEL=LABEL:P",
        help="For the experiment habit: a label, what it is taken for, and how often; repeat for more.",
        rich_help_panel=_NOISE,
        show_default=False,
    ),
]
HeadDraw = Annotated[
    str,
    typer.Option(
        metavar="any|others|new",
        help="Heads are drawn from tokens not below: any, without the token itself, without its head too.",
        rich_help_panel=_NOISE,
    ),
]
RootHead = Annotated[
    bool, typer.Option("--root", help="Draw the artificial root as a head too.", rich_help_panel=_NOISE)
]
SingleRoot = Annotated[
    bool,
    typer.Option("--single-root", help="Unbiased trees have a single root.", rich_help_panel=_NOISE),
]
Measures = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        "-m",
        metavar="NAME[:KEY=VALUE,...]",
        help="Measure to compute; repeat for more (default: the alphas, and las or jaccard).",
        rich_help_panel="Computing",
        show_default=False,
    ),
]
Seed = Annotated[int, typer.Option(min=0, help="Seed of everything random.", rich_help_panel="Computing")]
Folder = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="DIR",
        help="Write the numbers as CSV and the curves as SVG and PDF.",
        rich_help_panel="Showing",
        show_default=False,
    ),
]


def simulate(
    corpus: Corpus,
    *,
    experiment: Experiments = None,
    levels: Levels = "0:1:0.1",
    runs: Runs = 10,
    sentences: Sentences = None,
    habit: HabitTexts = None,
    heads: HeadDraw = "any",
    root: RootHead = False,
    single_root: SingleRoot = False,
    measure: Measures = None,
    seed: Seed = 0,
    running: opt.Running,
    reading: opt.ReadingOne,
    json: opt.Json = False,
    output: Folder = None,
    cite: opt.Cite = False,
    quiet: opt.Quiet = False,
) -> None:
    """How measures answer to controlled noise: the trees of a corpus against worse and worse copies.

    Example: arbitree simulate corpus.conllu -o curves
    """
    from arbitree.api.simulate import simulate as simulated
    from arbitree.files import make_directory
    from arbitree.simulation.noise import parse_levels

    talk = Talk(quiet)
    grid = parse_levels(levels)
    study = read_inputs(reading.of([corpus]), talk)
    if output is not None:
        make_directory(output)  # a place that cannot be written to is better known before the work than after
    table = simulated(
        study,
        experiment or (),
        levels=grid,
        runs=runs,
        measures=measure or (),
        sentences=sentences,
        habits=habit or (),
        heads=heads,
        root=root,
        single_root=single_root,
        seed=seed,
        say=talk.say,
        progress=talk.progress,
        **running,
    )
    present(table.document, opt.Showing(json=json, cite=cite))
    if output is not None:
        paths = table.write(output)
        talk.say(f"wrote {', '.join(path.name for path in paths)} into {output}")
    else:
        talk.say("Write the curves as figures and numbers: -o DIR")


COMMAND = simulate
