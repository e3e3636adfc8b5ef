"""Convert docstrings for mkdocstrings: formulas become code, and each parameter gets an entry."""

from __future__ import annotations

import re
from textwrap import dedent, indent
from typing import Any

import griffe

NAMES = {"Example": "Examples"}

_SECTION = re.compile(r"\n+^(Args|Returns|Raises|Reference|Formula|Example):$", re.MULTILINE)
_FORMULA = re.compile(r"^Formula:\n((?: +\S.*\n?)+)", re.MULTILINE)
_SHARED = re.compile(r"^( {4})(\w+(?:, \w+)+): ((?:.*\n?)(?: {8}.*\n?)*)", re.MULTILINE)


class Docstrings(griffe.Extension):
    """Rewrite docstrings before mkdocstrings parses them."""

    def on_instance(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Rewrite the docstring of *obj*, if it has one."""
        if obj.docstring is not None:
            obj.docstring.value = rewritten(obj.docstring.value)


def rewritten(text: str) -> str:
    """Return *text* with fenced formulas, one entry per parameter, and the section names of the parser.

    Example:
        >>> print(rewritten("Read.\\n\\nArgs:\\n    match, strict: As for ``read``."))
        Read.
        <BLANKLINE>
        Args:
            match: As for ``read``.
            strict: As for ``read``.
    """
    text = _SHARED.sub(_one_each, text)
    text = _SECTION.sub(lambda match: f"\n\n{NAMES.get(match[1], match[1])}:", text)
    return _FORMULA.sub(lambda match: f"Formula:\n{_fenced(match[1])}\n", text)


def _one_each(match: re.Match[str]) -> str:
    margin, names, description = match.groups()
    end = "\n" if description.endswith("\n") else ""
    entries = (f"{margin}{name}: {description.removesuffix(end)}" for name in names.split(", "))
    return "\n".join(entries) + end


def _fenced(body: str) -> str:
    return indent(f"```text\n{dedent(body).strip()}\n```", "    ")
