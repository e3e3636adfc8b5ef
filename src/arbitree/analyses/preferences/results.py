"""Findings as results: a value, an interval and details for every metric, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import arbitree
from arbitree.analyses.preferences.correlation import associate, resampled
from arbitree.analyses.preferences.dependent import bounds
from arbitree.analyses.preferences.findings import Judged, SetFindings, Settings
from arbitree.data.result import Group, Interval, Result

REFERENCES = ("plank2015", "hovy2013", "steiger1980", "meng1992")


def result_of(
    k: int, names: Sequence[str], judged: Sequence[Judged], parts: Sequence[SetFindings], settings: Settings
) -> Result:
    """Return the correlation of one metric with people, pooled and by set."""
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
        signature=_signature(names[k], len(whole.y), settings),
        details=_details(k, whole, settings)
        | {"undefined_items": sum(each.measured.undefined[k] for each in judged)}
        | {"options": first.details.get("options", {})},
        groups={"set": groups},
        references=tuple(dict.fromkeys((*REFERENCES, *first.references))),
    )


def _details(k: int, part: SetFindings, settings: Settings) -> dict[str, Any]:
    contrasted = part.contrasts[k]
    return {
        **associate(part.x[k], part.y).to_dict(),
        "correlate": settings.correlate,
        "ties": int(np.sum(part.raw[k] == 0)),
        "agreement": part.right[k],
        "against": None if contrasted is None else {"metric": settings.against} | dict(contrasted.to_dict()),
    }


def _group(k: int, part: SetFindings, each: Judged, settings: Settings) -> Group:
    details = _details(k, part, settings)
    first, second = each.measured.results[k]
    details |= {"agreement_with_coders": each.with_coders[k], "scores": [first.value, second.value]}
    value = details.pop("spearman")
    status = "ok" if value is not None else "no_variation"
    return Group(part.name, value, status, _interval(k, part, settings, value), len(part.y), details)


def _interval(k: int, part: SetFindings, settings: Settings, value: float | None) -> Interval | None:
    if value is None or not len(part.weights):
        return None
    drawn = resampled(part.x[k], part.y, part.weights)
    found = bounds(drawn, settings.confidence)
    if found is None:
        return None
    undefined = int(np.isnan(drawn).sum())
    return Interval(*found, settings.confidence, "percentile", len(part.weights), undefined)


def _signature(name: str, items: int, settings: Settings) -> str:
    parts = [f"prefer:{name}", f"correlate:{settings.correlate}", f"aggregate:{settings.aggregate}"]
    parts += [f"ties:{settings.ties}", f"items:{items}", f"resamples:{settings.resamples}"]
    return "|".join([*parts, f"seed:{settings.seed}", f"v:{arbitree.__version__}"])


def notes_on(judged: Sequence[Judged], names: Sequence[str]) -> tuple[str, ...]:
    """Return what was left out or taken for a tie."""
    notes = []
    for each in judged:
        total = len(each.measured.items)
        for name, count in zip(names, each.measured.undefined, strict=True):
            if count:
                notes.append(
                    f"{each.name}: {name} has no value on {count} of {total} items; they count as ties"
                )
        reasons: Mapping[str, int] = each.verdicts.left_out
        words = {"tie": "judgments are tied", "no_judgment": "there is no judgment"}
        for reason, count in reasons.items():
            notes.append(f"{each.name}: {count} of {total} items have no verdict ({words[reason]})")
        if each.verdicts.ties:
            first = each.measured.contest.systems[0]
            notes.append(
                f"{each.name}: MACE finds both equally likely on {each.verdicts.ties} items and takes {first}"
            )
    return tuple(notes)
