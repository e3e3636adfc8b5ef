"""All that can be told of a study beside its agreement: each part where the study supports it."""

from __future__ import annotations

from dataclasses import dataclass, field

from arbitree.adjudication.differences import Disagreements
from arbitree.adjudication.standings import Adjudicated
from arbitree.annotator_models.findings import CoderFindings
from arbitree.constructions import findings as inconsistencies


@dataclass(frozen=True, slots=True)
class Survey:
    """Parts of a report; None where the study does not support one."""

    disagreements: Disagreements | None = None
    types: inconsistencies.Findings | None = None
    models: CoderFindings | None = None
    adjudication: Adjudicated | None = None
    absent: dict[str, str] = field(default_factory=dict)  # why a part is not there, by its name

    @property
    def notes(self) -> list[str]:
        """What whoever reads the numbers should know."""
        found = [*(self.types.notes if self.types else ())]
        found += [note for each in (self.models.results if self.models else ()) for note in each.notes]
        return list(dict.fromkeys(found))

    @property
    def references(self) -> tuple[str, ...]:
        """Keys of the papers behind the parts."""
        models = [key for each in (self.models.results if self.models else ()) for key in each.references]
        return (*(self.types.references if self.types else ()), *models)
