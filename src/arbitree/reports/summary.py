"""What JSON says of a study."""

from __future__ import annotations

from typing import Any

from arbitree.data.labels import ratings
from arbitree.data.study import Study
from arbitree.reports.words import unit_of


def summary(study: Study[Any]) -> dict[str, Any]:
    """Return what JSON says of a study: tokens of the first annotation of every item, or categories."""
    found = {
        "kind": study.value_type.kind,
        "items": len(study.items),
        "coders": list(study.coders),
        "annotations": len(study.cells),
    }
    if unit_of(study) == "item":
        return found | {"categories": len(ratings(study).values)}
    return found | {"tokens": sum(len(cells[0].value) for _, cells in study if cells)}
