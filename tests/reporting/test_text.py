"""Results on consoles of several widths."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from arbitree import kinds
from arbitree.measures.evaluate import evaluate_all
from arbitree.reading.assembly import read_study
from arbitree.reporting.terminal import renderable

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(("width", "bars"), [(60, False), (80, False), (100, True)])
def test_names_and_numbers_stay_whole_on_a_narrow_console(width, bars):
    study = read_study([str(EXAMPLES / "labels/stars.csv")])
    file = io.StringIO()
    results = evaluate_all(study, (), resamples=20, by=("label",))
    Console(file=file, width=width, color_system=None).print(renderable(kinds.of(study), study, results))
    shown = file.getvalue()
    assert max(len(line.rstrip()) for line in shown.splitlines()) <= width
    assert ("●" in shown) == bars
    words = shown.split()
    for result in results:
        assert words.count(result.measure) >= 2  # in the table and in the breakdown
