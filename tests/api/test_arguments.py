"""What the Python functions accept beside files and studies, and how they refuse the rest."""

import warnings
from dataclasses import fields
from inspect import signature
from pathlib import Path

import pytest

import arbitree as at
from arbitree.errors import StudyError
from arbitree.measures.computing import Computing
from arbitree.reading.inputs import Reading

ANN, BOB = "examples/dependency/ann.conllu", "examples/dependency/bob.conllu"


@pytest.fixture(scope="module")
def study():
    return at.read(ANN, BOB)


def test_one_measure_is_as_good_as_a_list(study):
    assert at.agree(study, "las", resamples=0).to_dict() == at.agree(study, ["las"], resamples=0).to_dict()


def test_a_measure_object_may_stand_alone(study):
    (result,) = at.agree(study, ("mine", at.Alpha(at.Ted("plain"))), resamples=0).results
    assert result.measure == "mine"


def test_interval_and_method_name_the_same_option(study):
    with pytest.raises(at.ArbitreeError, match="percntile"):
        at.agree(study, "las", interval="percntile")
    with pytest.raises(at.ArbitreeError, match="percntile"):
        at.agree(study, "las", method="percntile")
    with pytest.raises(at.ArbitreeError, match="percntile"):
        at.evaluate(study, "las", interval="percntile")


@pytest.mark.parametrize(("function", "options"), [(at.agree, Computing), (at.read, Reading)])
def test_every_option_of_the_command_line_is_an_argument_with_the_same_default(function, options):
    arguments = signature(function).parameters
    described = {each.name: each.default for each in fields(options) if each.metadata}
    assert described == {name: arguments[name].default for name in described}


def test_coders_may_be_given_by_name():
    assert at.read(coders={"first round": ANN, "second round": BOB}).coders == ("first round", "second round")
    cho = "examples/dependency/cho.conllu"
    assert at.read(ANN, coders={"two": BOB}, three=cho).coders == ("ann", "two", "three")


@pytest.mark.parametrize(
    ("name", "value", "meant"),
    [("fromat", "conllu", "format"), ("strct", True, "strict"), ("fmt", "conllu", "format")],
)
def test_a_mistyped_option_of_read_is_no_coder(name, value, meant):
    with pytest.raises(TypeError, match=f"'{name}'. Did you mean '{meant}'"):
        at.read(ANN, BOB, **{name: value})


def test_a_coder_whose_name_is_like_an_option_is_one_if_the_file_is_there(tmp_path):
    (tmp_path / "x.conllu").write_text(Path(ANN).read_text(encoding="utf-8"), encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert "forma" in at.read(ANN, forma=tmp_path / "x.conllu").coders


def test_a_mistyped_option_of_score_is_no_system():
    with pytest.raises(TypeError, match=r"'measure'. Did you mean 'measures'"):
        at.score(ANN, BOB, measure="las")


@pytest.mark.parametrize("name", ["agree", "agree_studies", "coders", "evaluate", "evaluate_all"])
def test_a_mistyped_option_is_an_error_that_names_the_nearest(study, name):
    with pytest.raises(TypeError, match=rf"^{name}\(\) got .* 'resample'. Did you mean 'resamples'\?$"):
        getattr(at, name)(study, "las", resample=0)


def test_every_function_names_the_nearest_argument():
    """A mistyped keyword is refused before anything is computed."""
    for name in set(at.__all__) - {"read", "score", "explain", "evaluate", "agree_studies"}:
        function = getattr(at, name)
        if isinstance(function, type) or not function.__module__.startswith("arbitree.api"):
            continue
        last = list(signature(function).parameters)[-1]
        with pytest.raises(TypeError, match=rf"^{name}\(\) got .* '{last}x'. Did you mean '{last}'\?$"):
            function(**{f"{last}x": None})


def test_warnings_name_the_line_of_the_caller():
    with pytest.warns(UserWarning, match="missing='off'") as caught:
        at.from_table([["NA", "x"], ["x", "x"]])
    assert {each.filename for each in caught} == {__file__}


def test_what_is_no_study_is_named(study):
    with pytest.raises(TypeError, match="study must be a Study or a pandas data frame, not list"):
        at.agree([["a", "b"]])


def test_a_data_frame_of_items_by_coders_is_a_study():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"ann": ["a", "b", "a"], "bob": ["a", "a", None]}, index=["i1", "i2", "i3"])
    assert at.agree(frame, "agreement", resamples=0)["agreement"].value == 0.5


def test_a_data_frame_with_a_row_per_label_is_a_study():
    pandas = pytest.importorskip("pandas")
    rows = [
        ("i1", "ann", "a"),
        ("i1", "bob", "a"),
        ("i2", "ann", "b"),
        ("i2", "bob", "a"),
        ("i3", "ann", None),
    ]
    frame = pandas.DataFrame(rows, columns=["item", "coder", "label"])
    table = at.agree(frame, "agreement", resamples=0)
    assert table["agreement"].value == 0.5
    assert table.study.coders == ("ann", "bob")


def test_a_label_that_stands_twice_in_a_data_frame_is_refused():
    pandas = pytest.importorskip("pandas")
    rows = [("i1", "ann", "a"), ("i1", "ann", "b"), ("i1", "bob", "b")]
    with pytest.raises(StudyError, match="labels item 'i1' twice"):
        at.agree(pandas.DataFrame(rows, columns=["item", "coder", "label"]))


def test_errors_name_arguments_in_python_and_options_on_the_command_line(tmp_path):
    (tmp_path / "a.conllu").write_bytes(b"\xff\xfe")
    with pytest.raises(at.ArbitreeError) as caught:
        at.read(tmp_path / "a.conllu", strict=True)
    assert "encoding=" in str(caught.value)
    assert "--encoding" in caught.value.typed
    with pytest.raises(at.ArbitreeError, match=r"at least two measures. Use measures at least twice.$"):
        at.agree(at.read(ANN, BOB), "las", difference=True, resamples=0)


def test_a_study_is_one_line_on_its_own(study):
    assert repr(study) == "Study of 16 sentences, 2 annotators (ann, bob), dependency trees"
    labels = at.from_table([["a"] * 7], coders=list("abcdefg"))
    assert repr(labels) == "Study of 1 item, 7 annotators (a, b, c, d, e, …), labels"
    assert repr(at.Study((), (), {})).startswith("Study of 0 items")


def test_what_functions_return_is_one_line_and_prints_as_its_table(study):
    trees = [f"examples/prefer/{name}.conllu" for name in ("gold", "birch", "cedar")]
    found = [
        at.agree(study, "las", resamples=0),
        at.coders(study, resamples=0),
        at.explain(study),
        at.score(ANN, BOB, measures="las", resamples=0),
        at.simulate(at.read(ANN), "heads", levels="0,1", runs=1, measures="las"),
        at.prefer(*trees, judgments="examples/prefer/judgments.csv", measures="las", resamples=0),
        at.tsdb("examples/profiles/ann", "examples/profiles/bob", resamples=0),
        at.draw(study),
        at.distance(ANN, BOB),
        at.agree(study, "las", resamples=0)["las"],
    ]
    for each in found:
        assert "\n" not in repr(each)
        assert len(repr(each)) < 200
    assert all("\n" in str(each) for each in found[:-1])
    assert repr(found[0]).startswith("ResultTable: ")
    assert repr(found[-1]).startswith("Result: las 0.")


def test_a_table_of_results_has_a_length_and_can_be_iterated(study):
    table = at.agree(study, ["las", "uas"], resamples=0)
    assert (len(table), [result.measure for result in table]) == (2, ["las", "uas"])


@pytest.mark.parametrize("option", [{"match": "text"}, {"encoding": "latin-1"}, {"strict": True}])
def test_score_refers_options_for_reading_to_read(option):
    (name,) = option
    with pytest.raises(TypeError, match=rf"'{name}'. It is an argument of read\(\): score\(read\("):
        at.score(ANN, BOB, **option)
    scores = at.score(at.read(ANN, BOB, **option), resamples=0)
    assert scores.scores.systems == ("bob",)


@pytest.mark.parametrize("function", [at.read, at.score])
def test_a_list_of_paths_is_refused_with_advice(function):
    with pytest.raises(TypeError, match=rf"not a list. Pass each path .*: {function.__name__}\(\*paths\)"):
        function([ANN, BOB])
    with pytest.raises(TypeError, match="takes paths, not a NoneType"):
        function(ANN, None)
