"""Everything that the Python functions return is one short line in an interactive session."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass

import pytest

import arbitree as at
from arbitree import kinds
from arbitree.study.flat_tree import Tree, Vocabulary
from arbitree.study.result import Interval, Table

LONGEST = 300
DEPENDENCY = [f"examples/dependency/{name}.conllu" for name in ("ann", "bob", "cho")]
PREFER = [f"examples/prefer/{name}.conllu" for name in ("gold", "birch", "cedar")]


def trees():
    return at.read(*DEPENDENCY)


def script():
    ann, bob = (trees().cells["weather-3", coder].value for coder in ("ann", "bob"))
    return at.edit_script(ann, bob)


RETURNED = {
    "agree": lambda: at.agree(trees(), resamples=0, by=["document", "pair"]),
    "agree_studies": lambda: at.agree_studies({"a": trees(), "b": trees()}, "las", resamples=0),
    "coders": lambda: at.coders(trees(), resamples=0),
    "distance": lambda: at.distance(*DEPENDENCY[:2]),
    "draw": lambda: at.draw(trees(), "weather-3"),
    "edit_script": script,
    "evaluate": lambda: at.evaluate(trees(), "alpha_plain", resamples=0),
    "explain": lambda: at.explain(at.read("examples/harbour/ann.mrg", "examples/harbour/bob.mrg")),
    "papers": lambda: at.papers("melamed_resnik2000", offline=True),
    "paper_files": lambda: at.paper_files("castro2011"),
    "prefer": lambda: at.prefer(
        *PREFER, judgments="examples/prefer/judgments.csv", measures="las", resamples=0
    ),
    "read": trees,
    "read phrases": lambda: at.read("examples/harbour/ann.mrg"),
    "read labels": lambda: at.read("examples/labels/stance.tsv"),
    "score": lambda: at.score(*DEPENDENCY, measures="las", resamples=20),
    "simulate": lambda: at.simulate(at.read(DEPENDENCY[0]), "heads", levels=[0, 1], runs=1, measures="las"),
    "tsdb": lambda: at.tsdb("examples/profiles/ann", "examples/profiles/bob", resamples=0),
    "measure": lambda: at.Alpha(at.Ted("plain", costs=at.CostTable.read("examples/costs.tsv"))),
}


def parts(thing: object, seen: set[int]) -> Iterator[object]:
    """Yield *thing* and what its fields contain, three of each container; not the parts of drawings."""
    if id(thing) in seen:
        return
    seen.add(id(thing))
    if isinstance(thing, Mapping):
        yield from (part for each in list(thing.values())[:3] for part in parts(each, seen))
    elif isinstance(thing, Sequence) and not isinstance(thing, str | bytes):
        yield from (part for each in list(thing)[:3] for part in parts(each, seen))
    if is_dataclass(thing) and not isinstance(thing, type) and "picture" not in type(thing).__module__:
        yield thing
        for each in fields(thing):
            yield from parts(getattr(thing, each.name), seen)


def is_value(thing: object) -> bool:
    """Return whether *thing* is an annotation itself, whose complete form identifies it in projects."""
    return isinstance(thing, tuple(each for kind in kinds.kinds().values() for each in kind.values))


@pytest.mark.parametrize("name", RETURNED)
def test_what_a_function_returns_is_one_short_line_with_all_its_parts(name):
    kept = RETURNED[name]()
    found = list(parts(kept, set()))
    assert found or name in ("agree_studies", "draw")
    for each in (kept, *found):
        assert "\n" not in repr(each), type(each)
        assert is_value(each) or len(repr(each)) <= LONGEST, (type(each), repr(each)[:LONGEST])


def test_every_public_class_is_among_them():
    """A class that joins the interface is walked above, or is an error or a function of two labels."""
    walked = {type(each) for make in RETURNED.values() for each in parts(make(), set())}
    walked |= {base for each in walked for base in each.__mro__}
    public = {found for name in at.__all__ if isinstance(found := getattr(at, name), type)}
    assert {each.__name__ for each in public - walked} <= {"ArbitreeError", "CostFunctions", "Tags"}


def test_a_study_of_any_size_is_one_short_line():
    rows = [[f"a very long label number {row}"] * 9 for row in range(2000)]
    coders = [f"coder with a rather long name {place}" for place in range(9)]
    assert len(repr(at.from_table(rows, coders=coders))) < LONGEST


def test_line_breaks_in_names_are_escaped():
    study = at.from_table([["a", "b"]], coders=["first\nline", "bob"])
    assert "\n" not in repr(study)
    assert "\n" not in repr(at.evaluate(study, "agreement", resamples=0))


def test_short_fields_are_shown_and_containers_counted():
    assert repr(Table(("item", "value"), (("a", 1.0), ("b", 0.5)))) == "Table of 2 rows: item, value"
    item = at.Item("s1", "demo", "s1")
    tree = at.DepTree(("birds", "sing"), (2, 0), ("nsubj", "root"))
    assert repr(at.Annotation(item, "ann", tree)) == (
        "Annotation(item=Item(id='s1', document='demo', cluster='s1'), coder='ann', value=DepTree(…))"
    )
    assert repr(tree.flatten(Vocabulary())).startswith("Tree(labels: 3, parents: 3")
    assert repr(Interval(0.25, 0.5, 0.95, "jackknife", 0)).startswith("Interval(low=0.25, high=0.5")
    assert isinstance(tree.flatten(Vocabulary()), Tree)


def test_values_keep_the_complete_form():
    """Projects of the web app identify annotations by it."""
    assert repr(at.Label("NN")) == "Label(text='NN')"
    assert repr(at.DepTree(("a",), (0,), ("root",))).startswith("DepTree(tokens=('a',), heads=(0,)")
