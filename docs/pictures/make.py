"""Draw docs/pictures/agree.svg from the real output of ``arbitree agree`` on the examples, and trees of them.

    python docs/pictures/make.py

The picture asks the network for nothing: the web font that rich would load is taken out.
"""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich.console import Console
from rich.text import Text

import arbitree as at
from arbitree.reporting.terminal import renderable

ROOT = Path(__file__).parents[2]
COMMAND = "arbitree agree examples/dependency/*.conllu --by pair"
TREES = (("dependency", "weather-4"), ("phrase", "weather-3"))
FONT_FACE = re.compile(r"\s*@font-face\s*\{[^}]*\}")
FONTS = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"


def main() -> None:
    """Write the pictures beside this file."""
    for kind, item in TREES:
        files = sorted((ROOT / "examples" / kind).glob("*.*"))
        _write(f"{kind}.svg", at.draw(at.read(*files), item).svg)
    study = at.read(*sorted((ROOT / "examples" / "dependency").glob("*.conllu")))
    table = at.agree(study, by=["pair"])
    console = Console(record=True, width=96, file=io.StringIO(), highlight=False, force_terminal=True)
    console.print(Text(f"$ {COMMAND}", style="bold"))
    console.print(renderable(table.document))
    svg = console.export_svg(title="arbitree", unique_id="agree")
    svg = FONT_FACE.sub("", svg).replace("font-family: Fira Code, monospace", f"font-family: {FONTS}")
    if "url(http" in svg or "@font-face" in svg:
        raise SystemExit("the picture would load a font from the network")
    _write("agree.svg", svg + "\n")


def _write(name: str, text: str) -> None:
    target = Path(__file__).with_name(name)
    target.write_text(text, encoding="utf-8")
    print(f"wrote {target.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
