"""Arbitree measures, explains and resolves disagreement between people who annotate language.

import arbitree as at

study = at.read("first.conllu", "second.conllu")
print(at.agree(study))
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arbitree.analyses.inconsistencies.findings import Findings
    from arbitree.data.decisions import Decisions
    from arbitree.data.dependency import DepTree
    from arbitree.data.labels import Label, Tags
    from arbitree.data.phrase import PhraseTree
    from arbitree.data.readings import readings
    from arbitree.data.result import Result
    from arbitree.data.study import Annotation, Item, Study
    from arbitree.distances.script import edit_script
    from arbitree.distances.ted import CostFunctions, CostTable, Ted
    from arbitree.errors import ArbitreeError
    from arbitree.interface import agree, coders, explain, from_table, prefer, read, score, simulate
    from arbitree.measures.alpha import Alpha
    from arbitree.measures.evaluate import evaluate, evaluate_all
    from arbitree.reports.pictures import draw

__version__ = "0.1.0.dev1"

__all__ = [
    "Alpha",
    "Annotation",
    "ArbitreeError",
    "CostFunctions",
    "CostTable",
    "Decisions",
    "DepTree",
    "Findings",
    "Item",
    "Label",
    "PhraseTree",
    "Result",
    "Study",
    "Tags",
    "Ted",
    "agree",
    "coders",
    "draw",
    "edit_script",
    "evaluate",
    "evaluate_all",
    "explain",
    "from_table",
    "prefer",
    "read",
    "readings",
    "score",
    "simulate",
]

# Names are imported when they are first used, so that the command line starts at once.
_HOMES = {
    "agree": "interface",
    "coders": "interface",
    "explain": "interface",
    "from_table": "interface",
    "read": "interface",
    "draw": "reports.pictures",
    "simulate": "interface",
    "prefer": "interface",
    "score": "interface",
    "Label": "data.labels",
    "Tags": "data.labels",
    "evaluate": "measures.evaluate",
    "evaluate_all": "measures.evaluate",
    "Findings": "analyses.inconsistencies.findings",
    "Alpha": "measures.alpha",
    "CostFunctions": "distances.ted",
    "CostTable": "distances.ted",
    "Ted": "distances.ted",
    "edit_script": "distances.script",
    "Annotation": "data.study",
    "Item": "data.study",
    "Study": "data.study",
    "Decisions": "data.decisions",
    "DepTree": "data.dependency",
    "PhraseTree": "data.phrase",
    "Result": "data.result",
    "readings": "data.readings",
    "ArbitreeError": "errors",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'arbitree' has no attribute {name!r}")
    found = getattr(import_module(f"arbitree.{_HOMES[name]}"), name)
    globals()[name] = found
    return found
