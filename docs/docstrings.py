"""Show the house's docstrings as they are meant: formulas and examples are code, not Markdown."""

from __future__ import annotations

import re
from textwrap import dedent, indent
from typing import Any

import griffe

NAMES = {"Example": "Examples"}

_SECTION = re.compile(r"\n+^(Args|Returns|Raises|Reference|Formula|Example):$", re.MULTILINE)
_FORMULA = re.compile(r"^Formula:\n((?: +\S.*\n?)+)", re.MULTILINE)


class Docstrings(griffe.Extension):
    """Rewrites docstrings before the page on Python is made."""

    def on_instance(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Rewrite the docstring of *obj*, if it has one."""
        if obj.docstring is not None:
            obj.docstring.value = rewritten(obj.docstring.value)


def rewritten(text: str) -> str:
    """Return *text* with formulas fenced and with sections as the parser knows them."""
    text = _SECTION.sub(lambda match: f"\n\n{NAMES.get(match[1], match[1])}:", text)
    return _FORMULA.sub(lambda match: f"Formula:\n{_fenced(match[1])}\n", text)


def _fenced(body: str) -> str:
    return indent(f"```text\n{dedent(body).strip()}\n```", "    ")
