"""Kulick et al. (2013): the examples of the paper, with other words.

The corpora of the paper are not public. Its counts are compared with those of two releases of GUM, and of
parser output and gold trees of GUM.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import arbitree as at
from arbitree.kinds.phrase.constructions.derivation import derive
from arbitree.kinds.phrase.constructions.head_tables import head_table
from arbitree.kinds.phrase.constructions.normalisation import Normaliser
from arbitree.kinds.phrase.constructions.options import PhraseOptions
from arbitree.reading.assembly import read_study
from arbitree.reproduction.cells import bold_if, rows, same
from arbitree.reproduction.parts import Paper, Part, study_of, trees

VERSIONS, PARSED = "gum-two-versions", "gum-parser-vs-gold"
# The structures of examples (1), (3), (4) and (5) with other words.
EXAMPLES = {
    "1": (
        "(NP-SBJ (NP (NP (DT The) (NN name)) (NP (NN marmalade))) (NP (-LRB- -LRB-) (NP (NNP Marmelada))"
        " (PP (IN in) (NP (NNP Lisbon))) (-RRB- -RRB-)))",
        "(NP-SBJ (DT The) (NN name) (NN marmalade) (PRN (-LRB- -LRB-) (FRAG (NP (NNP Marmelada)"
        " (PP (IN in) (NP (NNP Lisbon))))) (-RRB- -RRB-)))",
    ),
    "3": (
        "(NP (NP (DT The) (NN word)) (NP (NN marmalade)))",
        "(NP (DT The) (NN word) (NN marmalade))",
    ),
    "4": (
        "(NP (DT the) (ADJP (JJ long) (JJ green)) (NN ladder))",
        "(NP (DT the) (JJ long) (JJ green) (NN ladder))",
    ),
    "5": (
        "(NP (PRP$ her) (ADJP (JJ small) (JJ red)) (NN boat))",
        "(NP (PRP$ her) (JJ small) (JJ red) (NN boat))",
    ),
}
# e-tree: categories bottom-up, governor, operation; as figure 2 draws them
FIGURE_2 = {
    "a": [("", 2, "A"), ("NP", 0, ""), ("NP", 2, "M"), ("", 5, "M"), ("NP", 2, "M"), ("PP", 5, "M"),
          ("NP", 6, "A"), ("", 5, "M")],
    "b": [("", 3, "A"), ("", 3, "A"), ("NP", 0, ""), ("", 5, "A"), ("NP FRAG PRN", 3, "A"), ("PP", 5, "A"),
          ("NP", 6, "A"), ("", 5, "A")],
}  # fmt: skip
# Words of example (1) and whether the paper reports them.
REPORTED = {(0, 3): "reported", (4, 7): "reported", (3, 8): "not reported"}
TABLE_1 = {  # class: types, of these true, nuclei
    "function": (53, 53, 56),
    "pos": (18, 13, 37),
    "structural": (129, 122, 130),
}
WEB_WORDS = 4270
BRITISH = {
    "words": 82701,
    "types": 1532,
    "nuclei": 2194,
    "largest type": 88,
    "second-largest type": 37,
    "20 largest types": 375,
}


def of_example(*names: str) -> Any:
    """Return the study of one or more examples."""
    found = {}
    for name in names:
        first, second = (next(trees(text)) for text in EXAMPLES[name])
        found[name] = {"a": first, "b": second}
    return study_of(found)


def figure_2() -> str:
    """Elementary trees and arcs."""
    body = []
    for side, text in zip("ab", EXAMPLES["1"], strict=True):
        normal = Normaliser(PhraseOptions()).normal(next(trees(text)))
        made = derive(normal, head_table("english"))
        for i, (form, printed) in enumerate(zip(made.forms, FIGURE_2[side], strict=True)):
            spine = " ".join(cat for cat, _ in made.chains[i].spine)
            above = made.governors[i]
            op = made.operation(i) if above >= 0 else ""
            drawn = f"{side}{printed[1]}" if printed[1] else ""
            cells = [
                (printed[0], spine), (drawn, f"{side}{above + 1}" if op else ""), (printed[2], op),
            ]  # fmt: skip
            shown = [same(a, b) if a or b else "" for a, b in cells]
            direction = ("L" if i < above else "R") if op else ""
            level = str(made.chains[above].levels[made.addresses[i]]) if op == "M" else ""
            body.append([f"{side}{i + 1}", form, *shown, direction, level])
    return rows(["e-tree", "word", "spine", "attached to", "operation", "side", "level"], body)


def figure_3() -> str:
    """How often each operation occurs."""
    drawn = [each[2] for rows_ in FIGURE_2.values() for each in rows_]
    ours = []
    for text in EXAMPLES["1"]:
        normal = Normaliser(PhraseOptions()).normal(next(trees(text)))
        made = derive(normal, head_table("english"))
        ours += [made.operation(i) for i, above in enumerate(made.governors) if above >= 0]
    names = {"M": "adjunction", "A": "sister adjunction"}
    body = [[f"{op}: {name}", same(drawn.count(op), ours.count(op))] for op, name in names.items()]
    return rows(["operation", "arcs in figure 2"], body)


def nuclei() -> str:
    """What is reported of example (1)."""
    words = next(trees(EXAMPLES["1"][0])).words
    spans = {}
    for check in ("off", "label"):
        found = at.explain(of_example("1"), external=check)
        spans[check] = {nucleus.span for each in found.types for nucleus in each.nuclei}
    every = sorted(set(REPORTED) | spans["off"] | spans["label"])
    body = []
    for low, high in every:
        cells = ["reported" if (low, high) in spans[check] else "not reported" for check in ("off", "label")]
        printed = REPORTED.get((low, high))
        first = bold_if(cells[0] == printed, cells[0], printed, cells[0]) if printed else cells[0]
        body.append([" ".join(words[low:high]), printed or "not stated", first, cells[1]])
    return rows(["words", "the paper", "`--external off`", "`--external label`, the default"], body)


def types() -> str:
    """Which examples fall under one type."""
    body = []
    for names in (("1", "3"), ("4", "5")):
        first = at.explain(of_example(*names), external="off").types[0]
        words = ", ".join(nucleus.words for nucleus in first.nuclei)
        ways = " against ".join(f"`{fragment.brackets}`" for fragment in first.fragments)
        body.append([" and ".join(f"({name})" for name in names), same(2, first.size), words, ways])
    return rows(["examples", "nuclei of one type", "ours", "annotated as"], body)


def precision() -> str:
    """Table 1 with what follows from it."""
    body = []
    for name, (found, true, count) in TABLE_1.items():
        rate = 1000 * found / WEB_WORDS
        body.append([name, f"{found}", f"{true}", f"{100 * true / found:.1f}", f"{count}", f"{rate:.1f}"])
    total = [sum(column) for column in zip(*TABLE_1.values(), strict=True)]
    share = 100 * total[1] / total[0]
    rate = 1000 * total[0] / WEB_WORDS
    body.append(["all", f"{total[0]}", f"{total[1]}", f"{share:.1f}", f"{total[2]}", f"{rate:.1f}"])
    return rows(["class", "types", "true", "%", "nuclei", "types per 1,000 words"], body)


def read(data: Path, folder: str, *coders: str) -> Any:
    """Return the study of two folders of trees."""
    return read_study([str(data / folder / coder) for coder in coders], dirs=True)


def versions(data: Path) -> dict[str, str]:
    """Return the classes of what differs between two releases of GUM."""
    study = read(data, VERSIONS, "early", "late")
    found = at.explain(study, external="off")
    body = []
    for row in found.summary.records():
        body.append([row["class"], f"{row['types']}", f"{row['nuclei']}", f"{row['occurrences']}"])
    shapes = (
        [(cell.value.words, cell.value.labels, cell.value.parents) for cell in cells] for _, cells in study
    )
    differing = sum(len(set(each)) > 1 for each in shapes)
    reported = {nucleus.item for each in found.types for nucleus in each.nuclei}
    text = rows(["class", "types", "nuclei", "occurrences"], body)
    size = f"{found.tokens:,} words in {found.items:,} sentences; {len(found.ignored)} excluded"
    remark = f"{size}. {differing} sentences differ, and {len(reported)} are reported."
    return {"versions": text.followed_by(remark)}


def parsed(data: Path) -> dict[str, str]:
    """Return how nuclei fall under types where many trees differ."""
    study = read(data, PARSED, "gold", "parser")
    options: dict[str, Any] = {"function_tags": "strip", "pos": "strip", "type_pos": False}
    found = at.explain(study, external="off", **options)
    sizes = sorted((each.size for each in found.types), reverse=True)
    ours = {
        "words": found.tokens,
        "types": len(sizes),
        "nuclei": sum(sizes),
        "largest type": sizes[0],
        "second-largest type": sizes[1],
        "20 largest types": sum(sizes[:20]),
    }
    body = [[name, f"{BRITISH[name]:,}", f"{ours[name]:,}"] for name in BRITISH]
    shares = [f"{counts['nuclei'] / counts['types']:.2f}" for counts in (BRITISH, ours)]
    body.append(["nuclei per type", *shares])
    return {"parsed": rows(["", "printed, Modern British English", "ours, GUM: parser and gold"], body)}


def from_print() -> dict[str, str]:
    """Return what needs no data."""
    figures = {f"example{name}.svg": at.draw(of_example(name), name).svg for name in ("1", "4")}
    return {
        "figure 2": figure_2(),
        "figure 3": figure_3(),
        "nuclei": nuclei(),
        "types": types(),
        "table 1": precision(),
        **figures,
    }


PAPER = Paper(
    "kulick2013",
    "Kulick et al. (2013)",
    (Part(from_print), Part(versions, needs=(VERSIONS,)), Part(parsed, needs=(PARSED,))),
    "kulick2013",
    unavailable={"both corpora of the paper": "they were never published; GUM replaces them"},
)
