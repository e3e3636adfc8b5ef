"""Tables that compare printed values with ours: as Markdown, and cell by cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple


class Cell(str):
    """A printed value and ours. As text, it is one bold value if they are equal, and else both.

    Example:
        >>> cell = Cell("**.53**", 0.53, 0.534, equal=True)
        >>> cell, cell.equal, cell.plain
        ('**.53**', True, '.53 =')
    """

    __slots__ = ("equal", "ours", "published")

    published: Any
    ours: Any
    equal: bool

    def __new__(cls, text: str, published: Any, ours: Any, *, equal: bool) -> Cell:
        """Return the cell that *text* shows."""
        made = super().__new__(cls, text)
        made.published, made.ours, made.equal = published, ours, equal
        return made

    def followed_by(self, text: str) -> Cell:
        """Return the cell with *text* added."""
        return Cell(f"{self}{text}", self.published, self.ours, equal=self.equal)

    @property
    def plain(self) -> str:
        """The cell without Markdown; a sign of equality marks a value that is the printed one."""
        if not self.startswith("**"):
            return str(self)
        value, _, rest = self[2:].partition("**")
        return f"{value} ={rest}"


class Comparison(NamedTuple):
    """One cell of a table."""

    row: str
    column: str
    published: Any
    ours: Any
    equal: bool


class Grid(str):
    """A table as Markdown, with its cells."""

    __slots__ = ("body", "header", "remark")

    header: tuple[str, ...]
    body: tuple[tuple[str, ...], ...]
    remark: str

    def __new__(cls, header: Sequence[str], body: Sequence[Sequence[str]], remark: str = "") -> Grid:
        """Return the table, and a *remark* below it."""
        lines = [header, ["---"] * len(header), *body]
        text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        made = super().__new__(cls, f"{text}\n\n{remark}" if remark else text)
        made.header, made.body, made.remark = tuple(header), tuple(map(tuple, body)), remark
        return made

    def followed_by(self, remark: str) -> Grid:
        """Return the table with a *remark* below it."""
        return Grid(self.header, self.body, remark)

    def compared(self) -> Iterator[Comparison]:
        """Yield the cells that have a printed value and ours."""
        for line in self.body:
            labels = [each for each in line if not isinstance(each, Cell)]
            named = [each for each in labels[:2] if each.strip("*")]
            for title, cell in zip(self.header, line, strict=True):
                if isinstance(cell, Cell):
                    yield Comparison(", ".join(named), title, cell.published, cell.ours, cell.equal)


def rows(header: Sequence[str], body: Sequence[Sequence[str]]) -> Grid:
    """Return a table.

    Example:
        >>> print(rows(["", "tokens"], [["NDT", same(1674, 1674)]]))
        |  | tokens |
        | --- | --- |
        | NDT | **1674** |
    """
    return Grid(header, body)


def beside(printed: float, ours: float | None, digits: int = 3) -> Cell:
    """Return one number where both are the same, else both.

    Example:
        >>> beside(0.547, 0.5469), beside(0.33, 0.3411, 2), beside(0.5, None, 1)
        ('**.547**', '.33 (.34)', '.5 (—)')
    """
    if ours is None:
        return Cell(f"{number(printed, digits)} (—)", printed, None, equal=False)
    ours = float(ours)
    if abs(ours - printed) < 10**-digits / 2 + 1e-9:  # a half may have been rounded either way
        return Cell(f"**{number(printed, digits)}**", printed, ours, equal=True)
    return Cell(f"{number(printed, digits)} ({number(ours, digits)})", printed, ours, equal=False)


def same(printed: Any, ours: Any) -> Cell:
    """Return one value where both are the same, else both.

    Example:
        >>> same("NP", "NP"), same(3, 4)
        ('**NP**', '3 (4)')
    """
    equal = bool(printed == ours)
    return Cell(f"**{printed}**" if equal else f"{printed} ({ours})", printed, ours, equal=equal)


def bold_if(equal: bool, text: str, printed: Any, ours: Any) -> Cell:
    """Return our value as *text*, bold if it is the printed one, which another cell shows.

    Example:
        >>> bold_if(True, "82.9", 82.9, 82.9)
        '**82.9**'
    """
    return Cell(f"**{text}**" if equal else text, printed, ours, equal=equal)


def number(value: float, digits: int) -> str:
    """Return a number as papers print it.

    Example:
        >>> number(0.5, 3), number(-0.25, 2), number(12.34, 1)
        ('.500', '-.25', '12.3')
    """
    text = f"{value:.{digits}f}"
    return text.replace("0.", ".", 1) if abs(value) < 1 and digits else text
