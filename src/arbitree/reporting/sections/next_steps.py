"""Commands that a report recommends, with the inputs of the user."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arbitree.files import STREAM, portable
from arbitree.study.study import Study
from arbitree.wording import count_of

if TYPE_CHECKING:
    from arbitree.reporting.sections.survey import Survey

MOST = 3  # that a page shows
LONGEST = 300  # characters of a command; longer inputs are not repeated


@dataclass(frozen=True, slots=True)
class Step:
    """A recommendation and its command."""

    text: str
    command: str

    @property
    def elsewhere(self) -> bool:
        """Whether the command has to run in the directory of the inputs, because their names are relative."""
        return portable(self.command) != self.command


def next_steps(study: Study[Any], survey: Survey, inputs: Sequence[str], output: Path) -> list[Step]:
    """Return recommendations, the most important first.

    Args:
        study: The study.
        survey: The parts of the report.
        inputs: Arguments that name the inputs and say how to read them; empty if unknown.
        output: The directory of the report.
    """
    folder = "DIR" if output.is_absolute() else shlex.quote(str(output))
    return list(_steps(study, survey, typed_inputs(inputs), folder))


def typed_inputs(inputs: Sequence[str], unknown: str = "INPUT...") -> str:
    """Return *inputs* as they are typed in a shell, or *unknown* if they are unknown, a pipe or too long.

    Example:
        >>> typed_inputs(["my study/ann.conllu", "bob.conllu"]), typed_inputs(["-"])
        ("'my study/ann.conllu' bob.conllu", 'INPUT...')
    """
    typed = shlex.join(inputs)
    return typed if inputs and STREAM not in inputs and len(typed) <= LONGEST else unknown


def _steps(study: Study[Any], survey: Survey, inputs: str, folder: str) -> Iterator[Step]:
    if survey.uneven or survey.alone:
        yield Step(
            "Correct the files as described under Fix these first, and create the report again.",
            f"arbitree report {inputs} -o {folder}",
        )
    if survey.types is not None and survey.types.types:
        yield Step(
            "Decide with the annotators how to treat the inconsistencies, and update the guidelines. This "
            "command draws all of them.",
            f"arbitree explain {inputs} -o explained",
        )
    if survey.disagreements is not None and survey.disagreements.places:
        yield Step(
            "Adjudicate the disagreements in the browser, and export the gold standard.",
            f"arbitree serve {inputs}",
        )
        if survey.adjudication is None:
            yield Step(
                "Or adjudicate in the sheet Adjudication of the workbook, and read the decisions back.",
                f"arbitree report {inputs} -o {folder} --adjudicated {folder}/report.xlsx",
            )
    if len(study.coders) > 2:
        yield Step(
            "Estimate how reliable each annotator is, and compute a consensus annotation.",
            f"arbitree coders {inputs}",
        )
    yield Step(
        "Check agreement again after the next round of annotation; the exit code is 1 below the threshold.",
        f"arbitree agree {inputs} --fail-under 0.8",
    )


def workbook_steps(survey: Survey | None, steps: Sequence[Step]) -> list[tuple[str, str]]:
    """Return what to do in the workbook of a report, each with a command if it has one."""
    found: list[tuple[str, str]] = []
    if survey is not None and (survey.uneven or survey.alone):
        found.append(("Correct the files as the sheet Fix first describes, and create the report again.", ""))
    if survey is not None and survey.disagreements is not None and survey.disagreements.places:
        places = count_of(len(survey.disagreements.places), "disagreement")
        how = "Choose a value in the yellow column decision, or type another one. Empty cells mean undecided."
        found.append((f"Decide {places} in the sheet Adjudication, one per row. {how}", ""))
        back = next((each.command for each in steps if "--adjudicated" in each.command), "")
        found.append(
            ("Save the workbook as .xlsx, and read the decisions back together with the files.", back)
        )
    found.append(("Read the results in report.html; the sheets contain all rows of its tables.", ""))
    return found
