"""``arbitree simulate``."""

from __future__ import annotations

from typing import Annotated

import typer

from arbitree.cli import options as opt
from arbitree.cli.console import Talk, present, read_inputs
from arbitree.errors import Source
from arbitree.extras import need

_NOISE = "Simulated errors"
Corpus = Annotated[
    str,
    typer.Argument(
        metavar="CORPUS", help="File of trees or graphs that are treated as correct.", show_default=False
    ),
]
Experiments = Annotated[
    list[str] | None,
    typer.Option(
        "--experiment",
        "-e",
        metavar="NAME",
        help="Kind of simulated error: both, labels, heads, unbiased, nodes, phrase, habit ...; repeat for "
        "more. [default: both, labels and heads; for phrase-structure trees, all that begin with phrase; for "
        "graphs, graph, graph_labels, graph_roles and graph_move]",
        rich_help_panel=_NOISE,
        show_default=False,
    ),
]
Levels = Annotated[
    str,
    typer.Option(
        metavar="FROM:TO:STEP",
        help="Noise levels between 0 and 1, as a range or as a list such as 0.1,0.5,1.",
        rich_help_panel=_NOISE,
    ),
]
Runs = Annotated[
    int, typer.Option(metavar="N", min=1, help="Number of runs at each noise level.", rich_help_panel=_NOISE)
]
Sentences = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Use a random sample of N sentences. [default: all]",
        rich_help_panel=_NOISE,
        show_default=False,
    ),
]
HabitTexts = Annotated[
    list[str] | None,
    typer.Option(
        "--habit",
        metavar="LABEL=LABEL:P",
        help="Systematic confusion for the experiment habit: a label, the label that replaces it, and the "
        "probability; repeat for more.",
        rich_help_panel=_NOISE,
        show_default=False,
    ),
]
HeadDraw = Annotated[
    str,
    typer.Option(
        metavar="any|others|new",
        help="Tokens that a new head is drawn from, among those that the token does not dominate: all of "
        "them (any), all but the token itself (others), or all but itself and its current head (new).",
        rich_help_panel=_NOISE,
    ),
]
RootHead = Annotated[
    bool, typer.Option("--root", help="Also draw the artificial root as a head.", rich_help_panel=_NOISE)
]
SingleRoot = Annotated[
    bool,
    typer.Option(
        "--single-root",
        help="Draw only trees with a single root in the experiment unbiased.",
        rich_help_panel=_NOISE,
    ),
]
Measures = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        "-m",
        metavar="NAME[:KEY=VALUE,...]",
        help="Measure to compute; repeat for more. [default: the alphas, and las, jaccard or smatch]",
        rich_help_panel="Computation",
        show_default=False,
    ),
]
Seed = Annotated[int, typer.Option(metavar="N", min=0, help="Random seed.", rich_help_panel="Computation")]
Folder = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="DIR",
        help="Write the values as CSV and the curves as SVG and PDF to this directory.",
        rich_help_panel="Output",
        show_default=False,
    ),
    opt.WRITTEN,
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
    """Simulate annotation errors in a corpus and show how agreement measures respond.

    Example: arbitree simulate corpus.conllu -o curves
    """
    from arbitree.api.simulate import simulate as simulated
    from arbitree.files import make_directory
    from arbitree.simulation.noise import parse_levels

    opt.check_folder(output)
    talk = Talk(quiet)
    grid = parse_levels(levels)
    if output is not None:
        need("a figure", "matplotlib", source=Source(output))  # fail before the computation
    study = read_inputs(reading.of([corpus]), talk)
    if output is not None:
        make_directory(output)  # fail before the computation if it is not writable
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
        talk.say(f"Wrote {', '.join(path.name for path in paths)} to {output}")
    else:
        talk.say("To write the curves as figures and CSV, add -o DIR.")


COMMAND = simulate
