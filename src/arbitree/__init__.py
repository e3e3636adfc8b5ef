"""Measure, explain and resolve disagreement between annotators of trees and tags.

import arbitree as at

study = at.read("first.conllu", "second.conllu")
print(at.agree(study))
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arbitree.api.agree import agree
    from arbitree.api.agree_studies import agree_studies
    from arbitree.api.coders import coders
    from arbitree.api.convert import convert
    from arbitree.api.distance import distance
    from arbitree.api.draw import draw
    from arbitree.api.evaluate import evaluate, evaluate_all
    from arbitree.api.explain import explain
    from arbitree.api.papers import paper_files, papers
    from arbitree.api.prefer import prefer
    from arbitree.api.read import from_table, read
    from arbitree.api.report import report
    from arbitree.api.score import score
    from arbitree.api.simulate import simulate
    from arbitree.api.tsdb import tsdb
    from arbitree.api.verify import verify
    from arbitree.constructions.findings import Findings
    from arbitree.distances.edit_script import edit_script
    from arbitree.distances.ted import CostFunctions, CostTable, Ted
    from arbitree.errors import ArbitreeError
    from arbitree.kinds.dependency.value import DepTree
    from arbitree.kinds.labels.value import Label, Tags
    from arbitree.kinds.phrase.value import PhraseTree
    from arbitree.kinds.treebanking.value import Decisions
    from arbitree.kinds.treebanking.views import readings
    from arbitree.measures.alpha import Alpha
    from arbitree.study.result import Result
    from arbitree.study.study import Annotation, Item, Study

__version__ = "0.1.0.dev5"

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
    "agree_studies",
    "coders",
    "convert",
    "distance",
    "draw",
    "edit_script",
    "evaluate",
    "evaluate_all",
    "explain",
    "from_table",
    "paper_files",
    "papers",
    "prefer",
    "read",
    "readings",
    "report",
    "score",
    "simulate",
    "tsdb",
    "verify",
]

# Names are imported when they are first used, so that the command line starts quickly.
_HOMES = {
    "Alpha": "measures.alpha",
    "Annotation": "study.study",
    "ArbitreeError": "errors",
    "CostFunctions": "distances.ted",
    "CostTable": "distances.ted",
    "Decisions": "kinds.treebanking.value",
    "DepTree": "kinds.dependency.value",
    "Findings": "constructions.findings",
    "Item": "study.study",
    "Label": "kinds.labels.value",
    "PhraseTree": "kinds.phrase.value",
    "Result": "study.result",
    "Study": "study.study",
    "Tags": "kinds.labels.value",
    "Ted": "distances.ted",
    "agree": "api.agree",
    "agree_studies": "api.agree_studies",
    "coders": "api.coders",
    "convert": "api.convert",
    "distance": "api.distance",
    "draw": "api.draw",
    "edit_script": "distances.edit_script",
    "evaluate": "api.evaluate",
    "evaluate_all": "api.evaluate",
    "explain": "api.explain",
    "from_table": "api.read",
    "paper_files": "api.papers",
    "papers": "api.papers",
    "prefer": "api.prefer",
    "read": "api.read",
    "readings": "kinds.treebanking.views",
    "report": "api.report",
    "score": "api.score",
    "simulate": "api.simulate",
    "tsdb": "api.tsdb",
    "verify": "api.verify",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'arbitree' has no attribute {name!r}")
    found = getattr(import_module(f"arbitree.{_HOMES[name]}"), name)
    if _HOMES[name].startswith("api."):
        found = import_module("arbitree.api.arguments").refusing(found)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
