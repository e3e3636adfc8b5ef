"""Curves of measures over noise levels, for a corpus and experiments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, median, pstdev
from typing import Any

from arbitree.backends.base import Run
from arbitree.backends.serial import Serial
from arbitree.backends.threads import Threads
from arbitree.errors import ArbitreeError, StudyError
from arbitree.kinds.kind import Kind
from arbitree.measures.evaluate import evaluate
from arbitree.measures.measure import Named
from arbitree.measures.options import fitting
from arbitree.measures.resampling import Resampling
from arbitree.measures.signatures import Fingerprints, Signature, signature
from arbitree.simulation.noise import Habit, NoiseOptions, Perturbation, choose, source_of
from arbitree.study.result import Result
from arbitree.study.study import Annotation, Study
from arbitree.wording import brief

LEVELS = tuple(step / 10 for step in range(11))
CODERS = ("corpus", "noisy")
OF_ONE_RUN = ("items", "coders", "data", "order", "seed", "v")  # parts of the signature of a run
MEASURES = 4  # of those that agree computes: the three alphas, and las or jaccard


@dataclass(frozen=True, slots=True)
class Point:
    """The result of a measure at one noise level of one experiment."""

    experiment: str
    level: float
    result: Result  # value: the mean over the runs; details: their spread, and every one of them


@dataclass(frozen=True, slots=True)
class Simulation:
    """The curves of all experiments and measures, and the settings behind them."""

    corpus: Study[Any]  # the trees that are taken as right
    experiments: Mapping[str, str]  # by name, each in one line
    measures: tuple[str, ...]  # as they were asked for, with their options
    levels: tuple[float, ...]
    runs: int
    seed: int
    points: tuple[Point, ...]
    notes: tuple[str, ...]

    __repr__ = brief

    def curve(self, experiment: str, measure: str) -> list[Point]:
        """Return the points of one curve, ordered by level."""
        place = self.measures.index(measure)
        mine = [point for point in self.points if point.experiment == experiment]
        return mine[place :: len(self.measures)]


@dataclass(frozen=True, slots=True)
class _Cell:
    """One run at one level of one experiment."""

    experiment: str
    level: float
    number: int


@dataclass(frozen=True, slots=True)
class _Task:
    """A run: perturbs the whole corpus and compares it with the original."""

    corpus: Study[Any]
    kind: Kind[Any]
    perturbations: dict[str, Perturbation[Any]]
    measures: tuple[str | Named, ...]
    seed: int

    def __call__(self, cell: _Cell) -> list[Result]:
        study = self.noisy(cell)
        resampling = Resampling(0, seed=self.seed)
        results = evaluate(study, self.kind, self.measures, resampling=resampling, run=Serial())
        return [replace(result, per_item=None) for result in results]

    def noisy(self, cell: _Cell) -> Study[Any]:
        """Return a study of the corpus and its perturbed copy."""
        rng = source_of(self.seed, cell.experiment, cell.level, cell.number)
        perturb = self.perturbations[cell.experiment]
        cells: dict[tuple[str, str], Annotation[Any]] = {}
        for item, (right,) in self.corpus:
            worse = Annotation(item, CODERS[1], perturb(right.value, cell.level, rng))
            cells[item.id, CODERS[0]] = replace(right, coder=CODERS[0])
            cells[item.id, CODERS[1]] = worse
        return Study(self.corpus.items, CODERS, cells, reference=CODERS[0])


def simulate(
    study: Study[Any],
    kind: Kind[Any],
    experiments: Sequence[str] = (),
    *,
    others: Collection[str] = (),
    levels: Sequence[float] = LEVELS,
    runs: int = 10,
    measures: Sequence[str | Named] = (),
    sentences: int | None = None,
    habits: Sequence[Habit | str] = (),
    heads: str = "any",
    root: bool = False,
    single_root: bool = False,
    seed: int = 0,
    run: Run | None = None,
) -> Simulation:
    """Simulate annotation errors in the trees of *study*, and return the values of the measures.

    Args:
        study: a study with one annotator, whose trees are treated as correct.
        kind: the kind of its annotations, which provides the experiments.
        experiments: names of experiments; by default ``both``, ``labels`` and ``heads`` for dependency trees,
            all that begin with ``phrase`` for phrase-structure trees, ``graph``, ``graph_labels``,
            ``graph_roles`` and ``graph_move`` for graphs, and ``habit`` if *habits* are given.
        others: names of experiments for other kinds of annotation.
        levels: noise levels, from 0 (no errors) to 1.
        runs: the number of runs per level.
        measures: as in ``agree``; by default the three alphas and las, or jaccard for phrase-structure trees,
            or alpha_graph and smatch for graphs.
        sentences: the number of sentences to sample; by default all are used.
        habits: systematic confusions for the experiment ``habit``, such as ``"obl=nmod:0.3"``.
        heads: the candidates for heads: ``any``, ``others`` or ``new``.
        root: whether the artificial root is a candidate.
        single_root: whether unbiased trees have a single root.
        seed: the random seed.
        run: the backend, which distributes levels and runs; it does not affect the results.
    Returns:
        The means over the runs, with their spread.
    Reference:
        Skjærholt (2014), section 3.
    Example:
        >>> from arbitree.api.read import read
        >>> from arbitree.kinds.dependency.kind import KIND
        >>> study = read("examples/dependency/ann.conllu")
        >>> found = simulate(study, KIND, ["labels"], levels=[0, 1], runs=2, measures=["uas", "las"])
        >>> [point.result.value for point in found.curve("labels", "uas")]
        [1.0, 1.0]
        >>> found.curve("labels", "las")[1].result.value < 0.3
        True
    """
    noises = kind.needed("noises")
    _check(study, levels, runs)
    parsed = tuple(each if isinstance(each, Habit) else Habit.parse(each) for each in habits)
    options = NoiseOptions(heads, root, single_root, parsed)
    names = choose(experiments, noises, options, kind=kind.name, others=others)
    corpus, notes = _usable(study, kind, sentences, seed)
    trees = [cell.value for cell in corpus.cells.values()]
    wanted = tuple(dict.fromkeys(measures)) or tuple(fitting(study, kind)[:MEASURES])
    read = [*corpus.settings, f"data:{Fingerprints(corpus, kind).data()}"]
    task = _Task(corpus, kind, {name: noises[name].make(trees, options) for name in names}, wanted, seed)
    grid = [(name, float(level)) for name in names for level in levels]
    cells = [_Cell(name, level, number) for name, level in grid for number in range(runs)]
    found = list((run or Threads())(task, cells))
    points = []
    for place, (name, level) in enumerate(grid):
        for results in zip(*found[place * runs : (place + 1) * runs], strict=True):
            told = [f"experiment:{name}", f"level:{level:g}", f"runs:{runs}", *noises[name].recorded(options)]
            told += read
            points.append(Point(name, level, _joined(results, told, seed)))
    shown = tuple(each if isinstance(each, str) else each[0] for each in wanted)
    abouts = {name: noises[name].about for name in names}
    return Simulation(corpus, abouts, shown, tuple(map(float, levels)), runs, seed, tuple(points), notes)


def _check(study: Study[Any], levels: Sequence[float], runs: int) -> None:
    if len(study.coders) != 1:
        what = f"simulate needs the annotations of one annotator, but found {len(study.coders)} annotators"
        raise StudyError(what, hint="Pass one file")
    if runs < 1:
        raise ArbitreeError(f"runs is {runs}", hint="Use at least 1 run")
    if not levels:
        raise ArbitreeError("there are no noise levels", hint="Write levels such as 0:1:0.1")
    for level in levels:
        if not 0 <= level <= 1:
            raise ArbitreeError(
                f"noise level {level:g} is not between 0 and 1", hint="Write levels such as 0:1:0.1"
            )


def _usable(
    study: Study[Any], kind: Kind[Any], sentences: int | None, seed: int
) -> tuple[Study[Any], tuple[str, ...]]:
    """Return the usable annotations, sampled if requested, and notes on exclusions."""
    full = [(item.id, cells[0].value) for item, cells in study if cells and len(cells[0].value)]
    faulty = set(kind.faulty([value for _, value in full]))
    whole = [item for place, (item, _) in enumerate(full) if place not in faulty]
    notes = []
    lost = len(study.items) - len(whole)
    if lost:
        notes.append(f"{lost} of {len(study.items)} sentences excluded: empty, or with a cycle")
    if not whole:
        raise StudyError(
            "no sentence has a usable tree",
            hint="Pass a file with trees that are not empty and have no cycles",
        )
    if sentences is not None:
        if not 1 <= sentences <= len(whole):
            what = f"cannot sample {sentences} of {len(whole)} sentences"
            raise StudyError(what, hint=f"Use a number from 1 to {len(whole)}")
        rng = source_of(seed, "sentences")
        order = sorted(whole, key=lambda name: rng.random())
        whole = order[:sentences]
    return study.select(items=whole), tuple(notes)


def _reasons(results: Sequence[Result]) -> dict[str, float]:
    """Return the mean number of excluded sentences per run, by reason."""
    counts = Counter(each.reason for result in results for each in result.ignored)
    return {reason: count / len(results) for reason, count in counts.items()}


def _joined(results: Sequence[Result], told: Sequence[str], seed: int) -> Result:
    """Return the mean of the runs as one result, with the standard deviation in its details."""
    values = [result.value for result in results]
    known = [value for value in values if value is not None]
    first = results[0]
    used = fmean(result.items_used for result in results)
    details: dict[str, Any] = {
        "runs": len(results),
        "undefined_runs": len(results) - len(known),
        "sd": pstdev(known) if known else None,
        "median": median(known) if known else None,
        "low": min(known, default=None),
        "high": max(known, default=None),
        "mean_items_used": used,
        "mean_items_ignored": fmean(len(result.ignored) for result in results),
        "ignored": _reasons(results),
        "values": values,
        "options": first.details["options"],
    }
    status = next((r.status for r in results if r.value is None or r.status != "ok"), "ok")
    return Result(
        measure=first.measure,
        value=fmean(known) if known else None,
        status=status,
        interval=None,
        items_used=round(used),
        ignored=(),
        signature=_signature(first, told, seed),
        details=details,
        references=tuple(dict.fromkeys((*first.references, "skjaerholt2014"))),
    )


def _signature(result: Result, told: Sequence[str], seed: int) -> str:
    """Return the signature of a run's *result* for all runs: with the experiment, without the items."""
    found = Signature.parse(result.signature)
    kept = [f"{name}:{value}" for name, value in found.parts.items() if name not in OF_ONE_RUN]
    return signature(found.head, [*kept, *told, f"seed:{seed}"])
