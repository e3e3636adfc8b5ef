"""Every table that a function or a command gives is shown in notebooks and taken as a data frame."""

import pytest
from lxml import html

import arbitree as at
from arbitree.errors import UnknownName
from arbitree.kinds.treebanking.report import TreebankReport
from tests.support.build import dep, study_of

DEPENDENCY = ("examples/dependency/ann.conllu", "examples/dependency/bob.conllu")
PREFER = [f"examples/prefer/{name}.conllu" for name in ("gold", "birch", "cedar")]


def tsdb():
    return at.tsdb("examples/profiles/ann", "examples/profiles/bob", resamples=0)


TABLES = {
    "agree": lambda: at.agree(at.read(*DEPENDENCY), ["las", "uas"], resamples=0),
    "coders": lambda: at.coders(at.read(*DEPENDENCY), resamples=0),
    "score": lambda: at.score(
        *(f"examples/score/{name}.conllu" for name in ("gold", "heron", "wren")),
        measures=["las"],
        resamples=20,
    ),
    "prefer": lambda: at.prefer(
        *PREFER, judgments="examples/prefer/judgments.csv", measures=["las"], resamples=0
    ),
    "simulate": lambda: at.simulate(at.read(DEPENDENCY[0]), ["labels"], levels=[0, 1], runs=2),
    "explain": lambda: at.explain(at.read("examples/harbour/ann.mrg", "examples/harbour/bob.mrg")),
    "tsdb": tsdb,
    "papers": lambda: at.papers("melamed_resnik2000", offline=True),
}
ROWS = {  # what a row of the data frame is told by, and how many there are
    "agree": (["measure"], 2),
    "coders": (["coder"], 2),
    "score": (["system", "measure"], 2),
    "prefer": (["metric"], 2),
    "simulate": (["experiment", "level", "measure"], 8),
    "tsdb": (["first", "second", "sentence"], 8),
    "papers": (["paper", "part", "row", "column"], 17),
}


@pytest.fixture(scope="module", params=TABLES)
def table(request):
    return request.param, TABLES[request.param]()


def test_notebooks_show_what_print_shows(table):
    _, found = table
    shown = html.fromstring(found._repr_html_()).text_content()
    lines = [line.rstrip() for line in str(found).splitlines()]
    assert [line.rstrip() for line in shown.splitlines()] == lines
    assert len(lines) > 2


def test_a_notebook_shows_a_table_once(table, monkeypatch):
    _, found = table
    printed, shown = str(found), found._repr_html_()
    displayed = []
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    monkeypatch.setattr("rich.jupyter.display", lambda *what: displayed.append(what))
    assert (str(found), found._repr_html_()) == (printed, shown)
    assert not displayed


def test_data_frames_have_a_row_for_each_thing(table):
    name, found = table
    frame = found.to_pandas()
    if name in ROWS:
        keys, count = ROWS[name]
        assert len(frame.drop_duplicates(keys)) == len(frame) == count
    else:
        places = [place for each in found.types for nucleus in each.nuclei for place in nucleus.places]
        assert list(frame["coder"]) == [place.coder for place in places]
        assert next(iter(frame["nuclei"])) == found.types[0].size


def test_values_of_the_data_frame_are_those_of_the_results():
    found = TABLES["agree"]()
    assert list(found.to_pandas()["value"]) == [result.value for result in found.results]


def test_other_tables_are_asked_for_by_name():
    found = TABLES["prefer"]()
    assert list(found.to_pandas("people").columns) == list(found["people"][0])
    with pytest.raises(UnknownName, match="Did you mean 'people'"):
        found.to_pandas("peple")
    report = tsdb()
    assert isinstance(report, TreebankReport)
    assert len(report.to_pandas("Divergences")) == 2
    with pytest.raises(UnknownName, match="Did you mean 'Disputes'"):
        report.to_pandas("Dispute")


@pytest.mark.parametrize(("name", "labels"), [("agree", 2), ("score", 2), ("simulate", 0)])
def test_tables_of_results_are_drawn_on_request(name, labels):
    pytest.importorskip("matplotlib")
    (axes, *_) = TABLES[name]().plot().axes
    if labels:
        assert len(axes.get_yticklabels()) == labels
    assert axes.lines


@pytest.mark.parametrize("name", ["coders", "prefer", "explain", "tsdb"])
def test_results_without_a_figure_say_so(name):
    with pytest.raises(at.ArbitreeError, match=rf"results of {name} have no figure\. Use to_pandas"):
        TABLES[name]().plot()


def test_a_missing_package_for_figures_names_its_extra(monkeypatch):
    table = TABLES["agree"]()
    monkeypatch.setattr("arbitree.extras.find_spec", lambda name: None)
    with pytest.raises(at.ArbitreeError, match=r"pip install .*\[report\]"):
        table.plot()
    with pytest.raises(at.ArbitreeError, match=r"pip install .*\[pandas\]"):
        table.to_pandas()


def test_findings_stay_findings():
    found = TABLES["explain"]()
    assert isinstance(found, at.Findings)
    assert repr(found).startswith("FindingsTable: ")
    assert found.to_dict()["types"][0]["label"] == found.types[0].label


def test_hostile_names_and_labels_are_escaped():
    bad = "<script>alert(1)</script>"
    rows = {f"{bad}{k}": {bad: dep([2, 0], [bad, "x"]), "b": dep([2, 0], ["y", bad])} for k in range(3)}
    study = study_of(rows)
    tables = [at.agree(study, resamples=0, by=["pair"]), at.coders(study, resamples=0), at.explain(study)]
    for found in tables:
        assert "<script" not in found._repr_html_()
        assert not html.fromstring(found._repr_html_()).xpath("//script")
