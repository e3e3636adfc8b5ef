"""Documents in notebooks: what the terminal shows, as a piece of HTML."""

from __future__ import annotations

import io

from rich.console import Console

from arbitree.reporting.document import Document
from arbitree.reporting.terminal import WIDTH, renderable


def render(document: Document) -> str:
    """Return *document* as a piece of HTML in which nothing is interpreted.

    Example:
        >>> render(Document("agree", "a < b", (), dict))
        '<pre>a &lt; b\\n</pre>'
    """
    console = Console(file=io.StringIO(), width=WIDTH, record=True)
    console.print(renderable(document), crop=False)
    return console.export_html(inline_styles=True, code_format="<pre>{code}</pre>")
