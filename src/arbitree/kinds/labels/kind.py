"""The kind of labels and sets of tags."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from arbitree.kinds.kind import Kind, PartStudy
from arbitree.kinds.labels.value import Label, Tags, ratings
from arbitree.study.study import Annotation, Study

if TYPE_CHECKING:
    from arbitree.annotator_models.model import AnnotatorModel
    from arbitree.kinds.labels.places import LabelPlaces


class LabelsKind(Kind[Label | Tags]):
    """Labels and sets of tags."""

    name: ClassVar[str] = "labels"
    noun: ClassVar[str] = "labels"
    values: ClassVar[tuple[type, ...]] = (Label, Tags)
    writers: ClassVar[tuple[str, ...]] = ("labels",)
    leading: ClassVar[tuple[str, ...]] = ("agreement",)
    seen: ClassVar[tuple[str, ...]] = ("label",)
    order: ClassVar[tuple[str, ...]] = (
        "alpha_nominal",
        "alpha_ordinal",
        "alpha_interval",
        "alpha_ratio",
        "alpha_masi",
        "alpha_jaccard",
        "alpha_table",
        "kappa",
        "pi",
        "weighted_kappa",
        "agreement",
        "s",
        "multi_pi",
        "multi_kappa",
        "ac1",
        "hierarchical_kappa",
        "hierarchical_score",
        "ac2",
    )

    def size(self, study: Study[Label | Tags]) -> Mapping[str, int]:
        """Return the number of categories in use."""
        return {"categories": len(ratings(study).values)}

    def text(self, cells: Sequence[Annotation[Label | Tags]]) -> str:
        """Return the label of each annotator, because items have no words."""
        return ", ".join(f"{cell.coder}: {cell.value}" for cell in cells)

    @property
    def aspects(self) -> Mapping[str, Callable[[Label | Tags], str]]:
        """The label, or the tags and their weights."""
        return {"label": lambda value: repr(value.weights)}

    def tokens(self, value: Label | Tags) -> tuple[str, ...]:
        """Return an empty tuple, because items have no words."""
        return ()

    @property
    def places(self) -> LabelPlaces:
        """The comparison and adjudication of labels."""
        from arbitree.kinds.labels.places import PLACES

        return PLACES

    @property
    def models(self) -> Mapping[str, AnnotatorModel[Label | Tags]]:
        """The annotator models: MACE, Dawid-Skene, one coin and majority."""
        from arbitree.kinds.labels.votes import MODELS

        return MODELS

    @property
    def breakdowns(self) -> Mapping[str, Callable[[Study[Any]], Mapping[str, str]]]:
        """The breakdowns; there is none by length, because labels have no length."""
        return {}

    @property
    def parts(self) -> Mapping[str, Callable[[Study[Any]], Iterable[PartStudy]]]:
        """The studies of one label against all others."""
        from arbitree.kinds.labels.views import one_against_all

        return {"label": one_against_all}


KIND = LabelsKind()
