"""Style of figures, and their output as SVG and PDF.

A painter draws on axes. This module gives it axes, colours, markers and a place to write to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arbitree.errors import Source
from arbitree.extras import need
from arbitree.files import write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


Paint = Callable[[Any], None]  # draws on axes

# Okabe and Ito's colours, which people with any kind of colour vision can tell apart. Markers and dashes
# differ too, so that a figure printed in grey loses nothing.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)))
QUIET = "0.8"  # lines that only help to read
STYLE: Any = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "arbitree",  # the same figure is the same file
    "pdf.fonttype": 42,
}
ENDINGS = (".svg", ".pdf")
WIDTH = 6.0  # inches: a column and a half of most journals


def look(place: int) -> dict[str, Any]:
    """Return the colour, marker and dashes of the series with this number.

    Example:
        >>> look(0)["color"], look(7) == look(0)
        ('#0072B2', True)
    """
    place %= len(COLOURS)
    return {"color": COLOURS[place], "marker": MARKERS[place], "linestyle": DASHES[place], "markersize": 4.5}


def plain(text: str) -> str:
    """Return *text* escaped for a figure, so that it is not read as a formula or a hidden label.

    Example:
        >>> plain("a$b"), plain("_x")
        ('a\\\\$b', ' _x')
    """
    shown = text.replace("$", r"\$").replace("\n", " ")
    return f" {shown}" if shown.startswith("_") else shown


def save(
    stem: Path,
    paints: Sequence[Paint] | Paint,
    *,
    width: float = WIDTH,
    height: float = 3.0,
    columns: int = 3,
) -> list[Path]:
    """Draw a figure with one panel per painter, and return the paths of its files.

    Args:
        stem: path without an ending.
        paints: one painter, or one for each panel.
        width, height: of a figure with one panel, in inches; panels are smaller side by side.
        columns: panels in a row.
    """
    need("a figure", "matplotlib", source=Source(str(stem)))
    import matplotlib as mpl

    with mpl.rc_context(STYLE):
        figure = drawn_figure(paints, width=width, height=height, columns=columns)
        paths = [stem.with_name(stem.name + ending) for ending in ENDINGS]
        for path in paths:
            date = {"Date": None} if path.suffix == ".svg" else {"CreationDate": None}
            drawn = BytesIO()
            figure.savefig(drawn, format=path.suffix.removeprefix("."), metadata=date)
            write_whole(path, drawn.getvalue())
    return paths


def drawn_figure(
    paints: Sequence[Paint] | Paint, *, width: float = WIDTH, height: float = 3.0, columns: int = 3
) -> Figure:
    """Return a figure with one panel per painter, as ``save`` writes it; needs matplotlib."""
    need("a figure", "matplotlib")
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    panels = [paints] if callable(paints) else list(paints)
    across = min(columns, len(panels))
    down = -(-len(panels) // across)
    size = (width, height) if len(panels) == 1 else (0.6 * width * across, height * down)
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasAgg(figure)
        for place, paint in enumerate(panels, start=1):
            paint(figure.add_subplot(down, across, place))
    return figure


def legend(axes: Axes, *, outside: bool = False) -> None:
    """Add a legend without a frame, if the figure has labels."""
    if not axes.get_legend_handles_labels()[0]:
        return
    if outside:
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, fontsize=8)
    else:
        axes.legend(loc="best", frameon=False, fontsize=8)
