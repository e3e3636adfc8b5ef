"""Read the answers of Prodigy: tasks that an annotator ignored or rejected have no label."""

from __future__ import annotations

from dataclasses import replace

from arbitree.errors import Source
from arbitree.reading.columns import prodigy_answers
from arbitree.reading.tables import TextTable, text_of
from arbitree.wording import count_of

IGNORED, REJECTED = "ignore", "reject"


def with_answers(table: TextTable, label_at: int, path: str) -> tuple[TextTable, list[str]]:
    """Return the table without labels of tasks that were not accepted, and warnings with their number.

    If the label is the answer itself, a rejected task has a label.

    Args:
        table: A table with a header.
        label_at: The column of labels.
        path: The name of the table in warnings.
    """
    answer_at = prodigy_answers(table)
    if answer_at is None:
        return table, []
    without = (IGNORED,) if answer_at == label_at else (IGNORED, REJECTED)
    answers = [text_of(row[answer_at]) if len(row) > answer_at else "" for row in table.rows]
    rows = [
        [*row[:label_at], None, *row[label_at + 1 :]] if answer in without else row
        for row, answer in zip(table.rows, answers, strict=True)
    ]
    notes = [
        f"{Source(path, table.lines[answers.index(answer)])}: the answer {answer!r} of "
        f"{count_of(answers.count(answer), 'task')} (here the first) counts as a missing annotation"
        for answer in without
        if answer in answers
    ]
    return replace(table, rows=rows), notes
