"""Edit scripts and trees drawn as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arbitree.distances.edit_script import EditScript
from arbitree.study.flat_tree import Tree
from arbitree.wording import decimal

MARKS = {"matched": " ", "relabelled": "~", "deleted": "-", "inserted": "+"}
DEEPEST = 30  # deeper nodes show their depth as a number instead of branches


def script_text(script: EditScript, values: tuple[Any, Any], names: tuple[str, str]) -> str:
    """Return both trees as text, with a mark on every node that is edited."""
    first = {
        step.first: _remark(step.operation, script.second, step.second)
        for step in script.steps
        if step.first >= 0
    }
    second = {
        step.second: _remark(step.operation, script.first, step.first, arrow="was")
        for step in script.steps
        if step.second >= 0
    }
    counts = ", ".join(f"{count} {operation}" for operation, count in script.counts.items())
    title = f"distance {script.plain:g} (diff {script.diff:g}, norm {decimal(script.norm, 4)}): {counts}"
    legend = "~ relabelled   - deleted   + inserted"
    parts = [title, "", names[0], *draw(script.first, values[0], first), "", names[1]]
    return "\n".join([*parts, *draw(script.second, values[1], second), "", legend, ""])


def draw(tree: Tree, value: Any, remarks: Mapping[int, tuple[str, str]]) -> list[str]:
    """Return one line per node, top down, with box-drawing characters for the branches."""
    children: list[list[int]] = [[] for _ in range(len(tree))]
    for node, parent in enumerate(tree.parents):
        if parent >= 0:
            children[parent].append(node)
    lines = []
    stack: list[tuple[int, str, str, int]] = [(len(tree) - 1, "", "", 0)]
    while stack:
        node, lead, branch, depth = stack.pop()
        mark, remark = remarks.get(node, (" ", ""))
        word = value.name(int(tree.origins[node]))
        text = " ".join(filter(None, (tree.label(node), word, remark))) or ("·" if depth else "(root)")
        shown = lead + branch if depth <= DEEPEST else f"{lead}({depth}) "
        lines.append(f"{mark} {shown}{text}".rstrip())
        below = lead + {"": "", "├─ ": "│  ", "└─ ": "   "}[branch] if depth < DEEPEST else lead
        for child in reversed(children[node]):
            last = child == children[node][-1]
            stack.append((child, below, "└─ " if last else "├─ ", depth + 1))
    return lines


def _remark(operation: str, other: Tree, node: int, arrow: str = "→") -> tuple[str, str]:
    remark = f"({arrow} {other.label(node)})" if operation == "relabelled" else ""
    return MARKS[operation], remark
