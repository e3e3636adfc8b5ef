"""Tables in LaTeX, with the rules of the package booktabs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arbitree.files import portable
from arbitree.study.result import Column, Table
from arbitree.wording import encoded

if TYPE_CHECKING:
    from arbitree.reporting.document import Document

_SPECIAL = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"$<$",
        ">": r"$>$",
        "–": "--",
        "—": "---",
        "\n": " ",
        **{letter: f"\\{letter}" for letter in "&%$#_{}"},
    }
)


def latex_text(text: str) -> str:
    r"""Return *text* as LaTeX shows it.

    Example:
        >>> latex_text("alpha_plain >0.999, 95% CI 0.91 – 0.96")
        'alpha\\_plain $>$0.999, 95\\% CI 0.91 -- 0.96'
    """
    return text.translate(_SPECIAL)


def latex_table(table: Table) -> str:
    r"""Return *table* as a ``tabular`` environment, with the numbers as a terminal shows them.

    Example:
        >>> print(latex_table(Table(("measure", "value"), (("las", 0.5),))))
        \begin{tabular}{lr}
        \toprule
        measure & value \\
        \midrule
        las & 0.5000 \\
        \bottomrule
        \end{tabular}
    """
    shown = table.shown_in("terminal")
    rows = [[_cell(*each) for each in zip(shown.columns, row, strict=True)] for row in shown.rows]
    places = [
        place
        for place, column in enumerate(shown.columns)
        if column.form.name != "bar" and (place == 0 or any(row[place] for row in rows))
    ]
    right = [shown.columns[place].form.right for place in places[1:]]
    lines = [[latex_text(column.title) for column in shown.columns], *rows]
    head, *body = (" & ".join(line[place] for place in places) + r" \\" for line in lines)
    layout = "l" + "".join("r" if each else "l" for each in right)
    begin = [r"\begin{tabular}{" + layout + "}", r"\toprule", head, r"\midrule"]
    return "\n".join([*begin, *body, r"\bottomrule", r"\end{tabular}"])


def _cell(column: Column, value: Any) -> str:
    return latex_text(portable(column.form.text(value)))


def files(document: Document, path: str) -> dict[str, bytes]:
    """Return the file *path* with the tables of *document*, the main one first."""
    tables = sorted(document.tables("terminal"), key=lambda each: each.name != document.main)
    return {path: encoded("\n\n".join(latex_table(each) for each in tables if each.rows) + "\n")}


PLUGINS = {".tex": files}
