"""The road from contests to findings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from arbitree import registry
from arbitree.analyses.preferences.aggregation import given_verdicts, mace_verdicts, majority
from arbitree.analyses.preferences.agreement import agree, shares
from arbitree.analyses.preferences.contest import (
    PUNCTUATION,
    Contest,
    Measured,
    measure,
    roots_differ,
    with_punctuation,
)
from arbitree.analyses.preferences.correlation import spearman
from arbitree.analyses.preferences.dependent import contrast
from arbitree.analyses.preferences.findings import POOLED, Findings, Judged, SetFindings, Settings
from arbitree.analyses.preferences.results import notes_on, result_of
from arbitree.analyses.preferences.voting import (
    Overruled,
    agreement_with_coders,
    agreement_with_verdicts,
    overruled,
)
from arbitree.data.dependency import DepTree
from arbitree.errors import StudyError
from arbitree.measures.base import FloatArray
from arbitree.measures.options import fitting
from arbitree.measures.resampling import Resampling
from arbitree.registry import check_name

BASELINE = "las"
METRICS = ("las", "uas", "la", "ned", "ted", "lcp", "ucp", "content_las", "function_las", "root_las")


def default_metrics(contest: Contest) -> list[str]:
    """Return the metrics of the published study that there are, or all that fit trees of another kind."""
    if contest.trees.value_type is DepTree:
        known = registry.plugins("measures")
        return [name for name in METRICS if name in known]
    metrics = registry.plugins("measures")
    fit = [
        name for name in fitting(contest.trees, on_request=True) if getattr(metrics[name], "metric", False)
    ]
    return fit or fitting(contest.trees)


def prefer(
    contests: Sequence[Contest],
    measures: Sequence[str] = (),
    *,
    settings: Settings | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Findings:
    """Compare metrics with the preferences of people.

    Args:
        contests: one for each language or corpus.
        measures: names with options; by default those of the published study.
        settings: what is correlated, how judgments are aggregated, and the resamples.
        progress: called with the pieces done and the pieces in all.
    """
    settings = settings or Settings()
    chosen = with_punctuation(measures or default_metrics(contests[0]))
    judged, total = [], len(contests) + 1
    for done, contest in enumerate(contests, start=1):
        judged.append(_judge(measure(contest, chosen), settings))
        progress(done, total)
    base = _baseline(chosen, settings.against)
    settings = replace(settings, against=_short(chosen[base]))
    parts = [_correlate(each, settings, place, base) for place, each in enumerate(judged)]
    if len(parts) > 1:
        parts.append(_pool(parts, settings, base))
    progress(total, total)
    results = tuple(result_of(k, chosen, judged, parts, settings) for k in range(len(chosen)))
    between = tuple(tuple(spearman(a, b) for b in parts[-1].x) for a in parts[-1].x)
    names = tuple(_short(name) for name in chosen)
    return Findings(settings, names, tuple(judged), tuple(parts), results, between, notes_on(judged, names))


def _baseline(names: Sequence[str], against: str | None) -> int:
    """Return the place of the metric to test against; by default LAS if it is there, else the first."""
    for place, name in enumerate(names):
        if (against or BASELINE) in (name, _short(name), name.partition(":")[0]):
            return place
    if against is not None:
        check_name(against, [_short(name) for name in names], "the metrics that are compared")
    return 0


def _short(name: str) -> str:
    """Return the name without the policy that all metrics share.

    Example:
        >>> _short("las:punctuation=skip-form"), _short("las:punctuation=score-all")
        ('las', 'las:punctuation=score-all')
    """
    bare, _, rest = name.partition(":")
    kept = ",".join(part for part in rest.split(",") if part != f"punctuation={PUNCTUATION}")
    return f"{bare}:{kept}" if kept else bare


def _judge(measured: Measured, settings: Settings) -> Judged:
    if settings.aggregate == "given":
        if measured.given is None or measured.contest.given is None:
            what = f"{measured.contest.name}: no aggregated verdicts were given"
            raise StudyError(what, hint="Name their file, or aggregate by mace or majority")
        verdicts = given_verdicts(measured.given, "given")
    elif settings.aggregate == "majority":
        verdicts = majority(measured.codes)
    else:
        verdicts = mace_verdicts(measured.codes, measured.coders, name=settings.aggregate, seed=settings.seed)
    if np.all(np.isnan(verdicts.values)):
        what = f"{measured.contest.name}: no item has a verdict"
        raise StudyError(what, hint="Check that judgments and trees are of the same items")
    gold = measured.trees(0)
    lengths = np.array([len(tree) for tree in gold], dtype=float)
    share = shares(measured.codes)
    known = ~np.isnan(share)
    with_coders = tuple(agreement_with_coders(x, measured.codes, settings.ties) for x in measured.differences)
    return Judged(
        measured=measured,
        verdicts=verdicts,
        agreement=agree(measured.codes, measured.coders),
        with_coders=with_coders,
        overruled=_overruled(measured),
        length=float(lengths.mean()),
        depth=_mean_depth(gold),
        length_rho=spearman(lengths[known], share[known]),
    )


def _mean_depth(trees: Sequence[Any]) -> float | None:
    if not isinstance(trees[0], DepTree):
        return None
    return float(np.mean([max(depths(tree), default=0) for tree in trees]))


def depths(tree: DepTree) -> list[int]:
    """Return the distance of every token from the artificial root; 0 where a cycle keeps it from there.

    Example:
        >>> depths(DepTree(("birds", "sing", "softly"), (2, 0, 2), ("nsubj", "root", "advmod")))
        [2, 1, 2]
    """
    found = [0] * len(tree)
    children = tree.children()
    level, depth = children[0], 1
    while level:
        for token in level:
            found[token - 1] = depth
        level = [child for token in level for child in children[token]]
        depth += 1
    return found


def _overruled(measured: Measured) -> Overruled | None:
    bare = [name.partition(":")[0] for name in measured.names]
    if not {"las", "uas", "la"} <= set(bare):
        return None
    las, uas, la = (measured.differences[bare.index(name)] for name in ("las", "uas", "la"))
    return overruled(measured.codes, las, uas, la, roots_differ(measured))


def _correlate(each: Judged, settings: Settings, place: int, base: int) -> SetFindings:
    known = ~np.isnan(each.verdicts.values)
    raw, y = each.measured.differences[:, known], each.verdicts.values[known]
    members = np.arange(len(y))
    # Every set is drawn from a seed of its own, so that the pool does not repeat one draw in all sets.
    resampling = Resampling(settings.resamples, settings.confidence, settings.seed + place)
    weights = np.concatenate(list(resampling.rows(members, len(y))))[1:]
    return _findings(each.name, raw, y, weights, settings, base)


def _pool(parts: Sequence[SetFindings], settings: Settings, base: int) -> SetFindings:
    raw = np.concatenate([part.raw for part in parts], axis=1)
    y = np.concatenate([part.y for part in parts])
    drawn = min(len(part.weights) for part in parts)  # a set of one item cannot be resampled
    weights = np.concatenate([part.weights[:drawn] for part in parts], axis=1)
    return _findings(POOLED, raw, y, weights, settings, base)


def _findings(
    name: str, raw: FloatArray, y: FloatArray, weights: FloatArray, settings: Settings, base: int
) -> SetFindings:
    x = np.sign(raw) if settings.correlate == "sign" else raw
    contrasts = tuple(
        None if k == base else contrast(each, x[base], y, weights, settings.confidence)
        for k, each in enumerate(x)
    )
    right = tuple(agreement_with_verdicts(each, y, settings.ties) for each in raw)
    return SetFindings(name, x, raw, y, weights, contrasts, right)
