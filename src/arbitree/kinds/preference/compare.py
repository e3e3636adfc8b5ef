"""Comparison of metrics with human preferences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from arbitree.errors import StudyError
from arbitree.kinds.kind import Kind
from arbitree.kinds.preference.contest import (
    PUNCTUATION,
    Contest,
    Measured,
    as_seen,
    measure,
    roots_differ,
    with_punctuation,
)
from arbitree.kinds.preference.findings import POOLED, Judged, PreferenceFindings, PreferOptions, SetFindings
from arbitree.kinds.preference.kind import KIND
from arbitree.kinds.preference.statistics.agreement import agree, shares
from arbitree.kinds.preference.statistics.correlation import associate, resampled, spearman
from arbitree.kinds.preference.statistics.dependent import contrast
from arbitree.kinds.preference.statistics.verdicts import (
    Overruled,
    agreement_with_coders,
    agreement_with_verdicts,
    given_verdicts,
    mace_verdicts,
    majority,
    overruled,
    votes_right,
)
from arbitree.measures.measure import FloatArray
from arbitree.measures.options import fitting, known_measures
from arbitree.measures.presets import Preset
from arbitree.measures.resampling import percentile_bounds
from arbitree.measures.signatures import Fingerprints, Signature, signature, typed
from arbitree.plugins import check_name
from arbitree.study.result import Group, Interval, Result

REFERENCES = ("plank2015", "hovy2013", "steiger1980")


def result_of(
    k: int,
    names: Sequence[str],
    judged: Sequence[Judged],
    parts: Sequence[SetFindings],
    settings: PreferOptions,
) -> Result:
    """Return the correlation of one metric with human preferences, pooled and by data set."""
    whole = parts[-1]
    groups = tuple(_group(k, part, each, settings) for part, each in zip(parts, judged, strict=False))
    coefficients = associate(whole.x[k], whole.y)
    value = coefficients.spearman
    ignored = tuple(item for each in judged for item in each.measured.ignored)
    first = judged[0].measured.results[k][0]
    return Result(
        measure=names[k].partition(":")[0],
        value=value,
        status="ok" if value is not None else "no_variation",
        interval=_interval(k, whole, settings, value),
        items_used=len(whole.y),
        ignored=ignored,
        signature=_signature(k, len(whole.y), judged, settings),
        details=_details(k, whole, settings)
        | {"undefined_items": sum(each.measured.undefined[k] for each in judged)}
        | {"options": first.details.get("options", {})},
        groups={"set": groups},
        references=tuple(dict.fromkeys((*REFERENCES, *first.references))),
    )


def _details(k: int, part: SetFindings, settings: PreferOptions) -> dict[str, Any]:
    contrasted = part.contrasts[k]
    return {
        **associate(part.x[k], part.y).to_dict(),
        "correlate": settings.correlate,
        "ties": int(np.sum(part.raw[k] == 0)),
        "agreement": part.right[k],
        "verdicts": part.decided[k],
        "against": None if contrasted is None else {"metric": settings.against} | dict(contrasted.to_dict()),
    }


def _group(k: int, part: SetFindings, each: Judged, settings: PreferOptions) -> Group:
    details = _details(k, part, settings)
    first, second = each.measured.results[k]
    details |= {"agreement_with_coders": each.with_coders[k], "scores": [first.value, second.value]}
    value = details.pop("spearman")
    status = "ok" if value is not None else "no_variation"
    return Group(part.name, value, status, _interval(k, part, settings, value), len(part.y), details)


def _interval(k: int, part: SetFindings, settings: PreferOptions, value: float | None) -> Interval | None:
    if value is None or not len(part.weights):
        return None
    drawn = resampled(part.x[k], part.y, part.weights)
    found = percentile_bounds(drawn, settings.resampling.confidence)
    if found is None:
        return None
    undefined = int(np.isnan(drawn).sum())
    return Interval(*found, settings.resampling.confidence, "percentile", len(part.weights), undefined)


def _signature(k: int, items: int, judged: Sequence[Judged], settings: PreferOptions) -> str:
    measured = [each.measured for each in judged]
    head = Signature.parse(measured[0].results[k][0].signature).head  # with hashes instead of paths
    data = Fingerprints(as_seen(measured, k), KIND).data()
    shown = {"correlate": settings.correlate, "aggregate": settings.aggregate, "ties": settings.ties}
    reading = dict.fromkeys(part for each in measured for part in each.contest.trees.settings)
    judges = sum(len(each.coders) for each in measured)
    parts = [f"measure:{head}", *reading, f"items:{items}", f"coders:{judges}", f"data:{data}"]
    parts += [f"resamples:{settings.resampling.resamples}", f"seed:{settings.resampling.seed}"]
    return signature(typed("prefer", shown), parts)


def notes_on(judged: Sequence[Judged], names: Sequence[str]) -> tuple[str, ...]:
    """Return notes on excluded items and ties."""
    notes = []
    for each in judged:
        total = len(each.measured.items)
        for name, count in zip(names, each.measured.undefined, strict=True):
            if count:
                notes.append(
                    f"{each.name}: {name} is undefined on {count} of {total} items; they count as ties"
                )
        reasons: Mapping[str, int] = each.verdicts.left_out
        words = {"tie": "tied judgments", "no_judgment": "no judgments"}
        for reason, count in reasons.items():
            notes.append(f"{each.name}: {count} of {total} items have no verdict ({words[reason]})")
        if each.verdicts.ties:
            first = each.measured.contest.systems[0]
            notes.append(
                f"{each.name}: MACE finds both systems equally likely on {each.verdicts.ties} items; "
                f"they count for {first}"
            )
    return tuple(notes)


BASELINE = "las"
METRICS = ("las", "uas", "la", "ned", "ted", "lcp", "ucp", "content_las", "function_las", "root_las")


def default_metrics(contest: Contest, kind: Kind[Any]) -> list[str]:
    """Return the available metrics of the published study, or all metrics for trees of another kind."""
    known = known_measures(kind)
    found = [name for name in METRICS if name in known]
    if found:
        return found
    fit = [name for name in fitting(contest.trees, kind, on_request=True) if known[name].scores_systems]
    return fit or fitting(contest.trees, kind)


def prefer(
    contests: Sequence[Contest],
    measures: Sequence[str] = (),
    *,
    kind: Kind[Any],
    settings: PreferOptions | None = None,
    preset: Preset | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> PreferenceFindings:
    """Compare metrics with human preferences.

    Args:
        contests: the data, one contest per language or corpus.
        measures: names of metrics, with options; by default those of the published study.
        kind: the kind of the trees.
        settings: the correlation, the aggregation of judgments, and the resamples.
        preset: the preset whose option values the metrics have, unless *measures* sets them.
        progress: called with the number of finished steps and of all steps.
    """
    settings = settings or PreferOptions()
    if preset is not None:
        measures = [each for each in preset.applied(measures, kind) if isinstance(each, str)]
    chosen = with_punctuation(measures or default_metrics(contests[0], kind), kind)
    names = tuple(preset.short(each, kind) if preset else _short(each) for each in chosen)
    judged, total = [], len(contests) + 1
    for done, contest in enumerate(contests, start=1):
        judged.append(_judge(measure(contest, chosen, kind), kind, settings))
        progress(done, total)
    base = _baseline(names, settings.against and _short(settings.against))
    settings = replace(settings, against=names[base])
    parts = [_correlate(each, settings, place, base) for place, each in enumerate(judged)]
    if len(parts) > 1:
        parts.append(_pool(parts, settings, base))
    progress(total, total)
    results = tuple(result_of(k, chosen, judged, parts, settings) for k in range(len(chosen)))
    between = tuple(tuple(spearman(a, b) for b in parts[-1].x) for a in parts[-1].x)
    return PreferenceFindings(
        settings, names, tuple(judged), tuple(parts), results, between, notes_on(judged, names)
    )


def _baseline(names: Sequence[str], against: str | None) -> int:
    """Return the index of the metric to test against; by default LAS if included, otherwise the first."""
    for place, name in enumerate(names):
        if (against or BASELINE) in (name, name.partition(":")[0]):
            return place
    if against is not None:
        check_name(against, names, "metric")
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


def _judge(measured: Measured, kind: Kind[Any], settings: PreferOptions) -> Judged:
    if settings.aggregate == "given":
        if measured.given is None or measured.contest.given is None:
            what = f"{measured.contest.name}: there are no aggregated verdicts"
            raise StudyError(what, hint="Set --aggregate to a file of verdicts, mace or majority")
        verdicts = given_verdicts(measured.given, "given")
    elif settings.aggregate == "majority":
        verdicts = majority(measured.codes)
    else:
        verdicts = mace_verdicts(
            measured.codes, measured.coders, name=settings.aggregate, seed=settings.resampling.seed
        )
    if np.all(np.isnan(verdicts.values)):
        what = f"{measured.contest.name}: no item has a verdict"
        raise StudyError(what, hint="Use judgments of the same items as the trees")
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
        depth=_mean_depth([kind.depth(tree) for tree in gold]),
        length_rho=spearman(lengths[known], share[known]),
    )


def _mean_depth(depths: Sequence[int | None]) -> float | None:
    known = [depth for depth in depths if depth is not None]
    return float(np.mean(known)) if known else None


def _overruled(measured: Measured) -> Overruled | None:
    bare = [name.partition(":")[0] for name in measured.names]
    if not {"las", "uas", "la"} <= set(bare):
        return None
    las, uas, la = (measured.differences[bare.index(name)] for name in ("las", "uas", "la"))
    return overruled(measured.codes, las, uas, la, roots_differ(measured))


def _correlate(each: Judged, settings: PreferOptions, place: int, base: int) -> SetFindings:
    known = ~np.isnan(each.verdicts.values)
    raw, y = each.measured.differences[:, known], each.verdicts.values[known]
    members = np.arange(len(y))
    # Every set is drawn from a seed of its own, so that the pool does not repeat one draw in all sets.
    resampling = replace(settings.resampling, seed=settings.resampling.seed + place)
    weights = np.concatenate(list(resampling.rows(members, len(y))))[1:]
    return _findings(each.name, raw, y, weights, settings, base)


def _pool(parts: Sequence[SetFindings], settings: PreferOptions, base: int) -> SetFindings:
    raw = np.concatenate([part.raw for part in parts], axis=1)
    y = np.concatenate([part.y for part in parts])
    drawn = min(len(part.weights) for part in parts)  # a set of one item cannot be resampled
    weights = np.concatenate([part.weights[:drawn] for part in parts], axis=1)
    return _findings(POOLED, raw, y, weights, settings, base)


def _findings(
    name: str, raw: FloatArray, y: FloatArray, weights: FloatArray, settings: PreferOptions, base: int
) -> SetFindings:
    x = np.sign(raw) if settings.correlate == "sign" else raw
    contrasts = tuple(
        None if k == base else contrast(each, x[base], y, weights, settings.resampling.confidence)
        for k, each in enumerate(x)
    )
    right = tuple(agreement_with_verdicts(each, y, settings.ties) for each in raw)
    decided = tuple(int(np.sum(~np.isnan(votes_right(each, y, settings.ties)))) for each in raw)
    return SetFindings(name, x, raw, y, weights, contrasts, right, decided)
