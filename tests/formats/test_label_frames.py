"""Data frames as tables of labels, and the same labels in every layout and every file format."""

import random
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arbitree as at
from arbitree.errors import StudyError
from arbitree.reading.assembly import read_study

pandas = pytest.importorskip("pandas")


def facts(study):
    """Everything about a study that a measure can see, whatever the order of the rows."""
    cells = {key: str(cell.value) for key, cell in study.cells.items()}
    return {item.id for item in study.items}, set(study.coders), cells, study.value_type


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def test_integers_with_gaps_are_labels():
    frame = pandas.DataFrame({"ann": [1, 2, None], "bob": [1, None, 3]}, dtype="Int64")
    study = at.from_table(frame)
    assert facts(study)[2] == {("0", "ann"): "1", ("0", "bob"): "1", ("1", "ann"): "2", ("2", "bob"): "3"}
    named = at.from_table(frame, coders=["x", "y"], items=["a", "b", "c"])
    assert facts(named)[2] == {("a", "x"): "1", ("a", "y"): "1", ("b", "x"): "2", ("c", "y"): "3"}
    rows = [[1, pandas.NA], [pandas.NA, 2]]
    assert at.from_table(rows).missing == 2
    assert at.agree(frame, "agreement", resamples=0)["agreement"].value == 1


@pytest.mark.parametrize("names", [("item", "coder", "label"), ("sentence", "annotator", "stance")])
def test_a_frame_with_a_row_per_label_is_read_like_a_file(names):
    rows = [("u1", "ann", "x"), ("u1", "bob", "y"), ("u2", "ann", "x")]
    frame = pandas.DataFrame(rows, columns=list(names))
    for given_frame in (frame, frame.set_index(names[0]), frame[frame.iloc[:, 2] != "z"]):
        study = at.from_table(given_frame)
        assert study.coders == ("ann", "bob")
        assert facts(study)[2] == {("u1", "ann"): "x", ("u1", "bob"): "y", ("u2", "ann"): "x"}
    chosen = at.from_table(frame, item_column=names[0], coder_column=names[1], label_column=names[2])
    assert facts(chosen) == facts(at.from_table(frame))


FRAMES = {
    "integers with gaps": pandas.DataFrame({"ann": [1, 2, None], "bob": [1, None, 3]}, dtype="Int64"),
    "floats with gaps": pandas.DataFrame({"ann": [1, 2.5, None], "bob": [1, 2, 3]}),
    "whole floats": pandas.DataFrame({"ann": [1.0, 2, None], "bob": [1, 2, 3]}),
    "words": pandas.DataFrame({"ann": ["x", "y", None], "bob": ["x", "NA", "y"]}, index=["a", "b", "c"]),
    "truth values": pandas.DataFrame({"ann": [True, False], "bob": [True, True]}),
    "categories": pandas.DataFrame({"ann": ["x", "y"], "bob": ["x", "x"]}, dtype="category"),
    "an id column": pandas.DataFrame({"item": ["a", "b"], "ann": ["x", "y"], "bob": ["x", "x"]}),
    "gold": pandas.DataFrame({"ann": ["x", "y"], "bob": ["x", "x"], "gold": ["x", None]}),
    "one row per label": pandas.DataFrame(
        {"HITId": [7, 7, 8], "WorkerId": ["W1", "W2", "W1"], "Answer.mood": [1, 2, None]}
    ),
}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_a_frame_and_its_file_give_the_same_study(tmp_path, frame):
    frame.to_csv(tmp_path / "frame.csv")
    from_frame, from_file = at.from_table(frame), at.read(tmp_path / "frame.csv")
    assert facts(from_frame) == facts(from_file)
    assert {item: str(value) for item, value in from_frame.gold.items()} == {
        item: str(value) for item, value in from_file.gold.items()
    }
    for measure in ("alpha_nominal", "agreement"):
        values = [at.evaluate(study, measure, resamples=0).value for study in (from_frame, from_file)]
        assert values[0] == values[1]


def test_what_was_unified_is_a_python_warning_with_python_names():
    with pytest.warns(UserWarning, match="set missing='off'"):
        at.from_table([["NA", "x"], ["x", "x"]])
    with pytest.warns(UserWarning, match="set numbers='off'"):
        at.from_table([["1", "1.0"], ["2", "2"]])
    assert at.from_table([["NA", "x"]], missing="off").missing == 0
    assert len(at.evaluate(at.from_table([["1", "1.0"]], numbers="off"), "agreement").per_item.rows) == 1


def test_a_label_none_is_not_a_missing_label():
    study = at.from_table([["None", None], ["x", "None"]])
    assert facts(study)[2] == {("1", "coder1"): "None", ("2", "coder1"): "x", ("2", "coder2"): "None"}


def test_a_table_without_cells_is_a_study_without_labels():
    assert len(at.from_table([[], []]).cells) == 0


def test_lists_give_the_same_study_as_a_file(tmp_path):
    """Sets, numbers among words, and NaN are not changed by numpy."""
    path = tmp_path / "table.csv"
    path.write_text("item,ann,bob\n1,a|b,b\n2,,1\n3,1.0,c\n", encoding="utf-8")
    options = {"coders": ["ann", "bob"], "missing": "off"}
    for first, none in (("a|b", None), (("a", "b"), float("nan")), ({"b", "a"}, pandas.NA)):
        study = at.from_table([[first, "b"], [none, "1"], [1.0, "c"]], **options)
        assert facts(study) == facts(at.read(path, missing="off"))


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        ([["x", "y"], ["x"]], {}, "row 2 has 1 cell, but row 1 has 2. Pass rows of equal length"),
        (["xy", "xx"], {}, "expected a table with rows and columns"),
        ([["x", "y"]], {"coders": ["ann"]}, "expected 2 names of annotators, got 1"),
        ([[1, 2], [2, 2]], {"items": ["a", "a"]}, "2 items have the name 'a'"),
    ],
)
def test_lists_that_are_no_table_are_refused(rows, options, message):
    with pytest.raises(StudyError) as error:
        at.from_table(rows, **options)
    assert message in str(error.value)


def test_levels_of_an_index_are_columns_if_their_names_tell_them():
    rows = [("d1", "u1", "x", "y"), ("d2", "u2", "y", "y")]
    frame = pandas.DataFrame(rows, columns=["document", "item", "ann", "bob"])
    study = at.from_table(frame.set_index(["document", "item"]))
    assert [(item.document, item.id) for item in study.items] == [("d1", "u1"), ("d2", "u2")]
    study = at.from_table(frame.set_index(["document", "item"]).rename_axis([None, None]))
    assert [item.id for item in study.items] == ["d1/u1", "d2/u2"]
    long = frame.melt(id_vars="item", value_vars=["ann", "bob"], var_name="coder", value_name="label")
    study = at.from_table(long.set_index(["item", "coder"]))
    assert facts(study)[2] == {("u1", "ann"): "x", ("u1", "bob"): "y", ("u2", "ann"): "y", ("u2", "bob"): "y"}
    wide = long.pivot(index="item", columns="coder", values=["label"])
    assert at.from_table(wide).coders == ("label/ann", "label/bob")


def test_a_column_of_a_frame_can_be_dropped():
    frame = pandas.DataFrame({"ann": ["x"], "bob": ["y"], "age": ["x"]})
    assert at.from_table(frame, drop_column="age").coders == ("ann", "bob")


LABELS = st.sampled_from(["a", "b", "c d", "1", "2.0", "caf\u00e9", "NA", ""])


@st.composite
def tables(draw):
    items = draw(st.integers(2, 6))
    coders = ["ann", "bob", "cho"][: draw(st.integers(2, 3))]
    cells = {(f"item{number}", coder): draw(LABELS) for number in range(1, items + 1) for coder in coders}
    if all(label in ("", "NA") for label in cells.values()):
        cells["item1", "ann"] = "a"
    return [f"item{number}" for number in range(1, items + 1)], coders, cells


@settings(max_examples=60, deadline=None)
@given(table=tables(), sign=st.sampled_from("\t,;"), seed=st.integers(0, 99))
def test_layout_separator_and_order_of_rows_do_not_matter(tmp_path_factory, table, sign, seed):
    items, coders, cells = table
    shuffled = random.Random(seed)
    matrix = [[item, *(cells[item, coder] for coder in coders)] for item in items]
    long = [[item, coder, cells[item, coder]] for item in items for coder in coders]
    folder = tmp_path_factory.mktemp("tables")
    found = []
    for name, header, rows in (
        ("matrix", ["item", *coders], matrix),
        ("long", ["item", "coder", "label"], long),
    ):
        shuffled.shuffle(rows)
        path = folder / f"{name}.csv"
        path.write_text("".join(sign.join(row) + "\n" for row in [header, *rows]), encoding="utf-8")
        found.append(read_study([str(path)]))
        frame = pandas.DataFrame(rows, columns=header)
        found.append(at.from_table(frame))
    for study in found:
        assert facts(study) == facts(found[0])
        values = [at.evaluate(each, "alpha_nominal", resamples=0).value for each in (study, found[0])]
        assert values[0] == pytest.approx(values[1])
