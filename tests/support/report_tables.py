"""Tables of results for the tests of page and workbook: some of the names in them are hostile."""

from arbitree import kinds
from arbitree.errors import Source
from arbitree.kinds.dependency.value import DepTree
from arbitree.reporting.sections.agree import table_of
from arbitree.study.result import Group, Ignored, Interval, Result, Table
from arbitree.study.study import Annotation, Item, Study

SCRIPT = "<script>alert(1)</script>"
QUOTES = "\"'><img src=x onerror=alert(1)>"
REVERSED = "\u202egnp.\u200fexe"
FORMULA = "=cmd|'/C calc'!A0"

CODERS = (SCRIPT, f"@{QUOTES}", f"+{REVERSED}")
ITEMS = (f"{FORMULA}/1", f"{SCRIPT}/2", f"-{QUOTES}/3")
RELATION = f"{SCRIPT}{QUOTES}"


def hostile_table():
    """Three coders and items, all with names that try to get out of their place."""
    items = tuple(Item(name, name.rpartition("/")[0], name) for name in ITEMS)
    value = DepTree((SCRIPT, QUOTES, REVERSED, FORMULA), (0, 1, 1, 1), (RELATION,) * 4)
    cells = {
        (item.id, coder): Annotation(
            item, coder, value, Source(f"{FORMULA}/{SCRIPT}{QUOTES}{REVERSED}.conllu", 7)
        )
        for item in items
        for coder in CODERS
    }
    study = Study(items, CODERS, cells, notes=(f"{FORMULA} {SCRIPT}", f"{QUOTES} {REVERSED}"))
    return table_of("report", kinds.of(study), study, [alpha(study), las(study)])


def alpha(study, value=0.12345678, status="ok"):
    """An alpha with breakdowns of every kind."""
    interval = Interval(-0.1, 0.75, 0.95, "percentile", 1000, undefined=3)
    groups = {
        "coder": tuple(
            Group(coder, 0.5 + place / 10, "ok", None, 6, {"without": None if place else 0.625})
            for place, coder in enumerate(study.coders)
        ),
        "pair": (
            Group(f"{study.coders[0]} - {study.coders[1]}", -0.25, "ok", interval, 3),
            Group(f"{study.coders[0]} - {study.coders[2]}", None, "no_variation", None, 3),
            Group(f"{study.coders[1]} - {study.coders[2]}", 0.9, "ok", interval, 3),
        ),
        "document": tuple(Group(name, 1.0, "single_item", None, 1) for name in study.documents),
        "length": (Group("1-5", 0.8125, "ok", interval, 3),),
    }
    rows = tuple((item.id, 2.0 * place, 3, 2.0 * place / 3) for place, item in enumerate(study.items))
    return Result(
        measure="alpha_plain",
        value=value,
        status=status,
        interval=None if value is None else interval,
        items_used=len(study.items),
        ignored=(),
        signature=f"alpha_plain|delta:plain|v:0.1.0|{SCRIPT}",
        details={
            "observed": 1.5,
            "expected": 12.25,
            "annotations": len(study.cells),
            "options": {"delta": "plain"},
        },
        per_item=Table(("item", "numerator", "denominator", "value"), rows),
        per_item_shows="disagreement",
        groups=groups,
        notes=("a note",),
        references=("skjaerholt2014",),
    )


def las(study):
    """A similarity that could not use the last item."""
    last = study.items[-1].id
    rows = tuple((item.id, 1.0, 4.0, 0.25) for item in study.items[:-1])
    names = {kind: [group.name for group in groups] for kind, groups in alpha(study).groups.items()}
    return Result(
        measure="las",
        value=0.87654321,
        status="ok",
        interval=Interval(0.8, 0.95, 0.95, "percentile", 1000),
        items_used=len(study.items) - 1,
        ignored=(Ignored(last, "token_mismatch", f"tokens: {SCRIPT} 4, {FORMULA} 5"),),
        signature="las|v:0.1.0",
        per_item=Table(("item", "numerator", "denominator", "value"), rows),
        groups={
            kind: tuple(
                Group(name, 0.75, "ok", None, 2, {"without": 0.7} if kind == "coder" else {})
                for name in found
            )
            for kind, found in names.items()
        },
    )


def small_table(value=0.5, status="ok"):
    """One item, two coders, one measure without breakdowns."""
    item = Item("only", "doc", "only")
    tree = DepTree(("birds", "sing"), (2, 0), ("nsubj", "root"))
    cells = {("only", coder): Annotation(item, coder, tree) for coder in ("ann", "bob")}
    study = Study((item,), ("ann", "bob"), cells)
    rows = (("only", 0.0, 2, 0.0),)
    result = Result(
        "alpha_plain", value, status, None, 1, (), "alpha_plain|v:0.1.0",
        per_item=Table(("item", "numerator", "denominator", "value"), rows), per_item_shows="disagreement",
    )  # fmt: skip
    return table_of("report", kinds.of(study), study, [result])
