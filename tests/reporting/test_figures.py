"""Figures: written whole, the same bytes twice, whatever names they show."""

from functools import partial
from itertools import combinations
from xml.etree import ElementTree

import pytest
from matplotlib.figure import Figure

from arbitree.api.agree import agree
from arbitree.api.read import read
from arbitree.api.simulate import simulate
from arbitree.errors import FormatError
from arbitree.reporting.charts import draw_agreement, forest, scatter
from arbitree.reporting.figure_style import look, save
from arbitree.study.result import Group, Interval
from tests.support.build import dep, study_of

HOSTILE = ("a$b_{", "_hidden", "<script>&\"'", "x\ny")


@pytest.fixture(scope="module")
def study():
    return read(*(f"examples/dependency/{name}.conllu" for name in ("ann", "bob", "cho")))


def names(paths):
    return {path.name for path in paths}


def test_a_study_gets_the_figures_it_has_something_for(study, tmp_path):
    table = agree(study, resamples=50, by=["pair", "document"])
    paths = draw_agreement(study, table.results, str(tmp_path / "new" / "folder"))
    stems = {"measures", "by-pair", "by-document", "pairs", "distances"}
    assert names(paths) == {f"{stem}.{ending}" for stem in stems for ending in ("svg", "pdf")}
    for path in paths:
        if path.suffix == ".svg":
            assert ElementTree.parse(path).getroot().tag.endswith("svg")
        else:
            assert path.read_bytes().startswith(b"%PDF")


def test_the_same_figure_is_the_same_file(study, tmp_path):
    table = agree(study, ["las"], resamples=20)
    first, second = (draw_agreement(study, table.results, str(tmp_path / name)) for name in ("a", "b"))
    for ours, theirs in zip(first, second, strict=True):
        assert ours.read_bytes() == theirs.read_bytes()


def test_names_of_users_stand_as_they_are(tmp_path):
    rows = {f"d/{k}": {name: dep([2, 0], ["x", "y"]) for name in HOSTILE} for k in range(3)}
    rows["d/3"] = {name: dep([0], ["x"]) for name in HOSTILE}
    table = agree(study_of(rows), by=["pair", "coder"], resamples=20)
    paths = draw_agreement(study_of(rows), table.results, str(tmp_path))
    for path in paths:
        if path.suffix == ".svg":
            ElementTree.parse(path)
    corpora = [(name, {result.measure: result for result in table}) for name in HOSTILE]
    for others in (["alpha_plain"], ["alpha_plain", "alpha_norm"]):
        paint = partial(scatter, corpora=corpora, across="las", others=others)
        svg, _ = save(tmp_path / "scatter", paint)
        ElementTree.parse(svg)


def test_intervals_that_leave_the_axis_have_an_arrow_at_the_cut_end():
    def painted(value, low, high):
        axes = Figure().add_subplot()
        interval = Interval(low, high, 0.95, "jackknife", 0)
        forest(axes, [("y_option_kappa", Group("y_option_kappa", value, "ok", interval, 9))])
        return [line.get_marker() for line in axes.lines if line.get_marker() in "<>o"], axes.get_xlim()

    assert painted(0.4, 0.1, 0.9)[0] == ["o"]
    markers, (left, _) = painted(0.4, -0.479, 0.9)  # the axis is long enough
    assert (markers, left < -0.479) == (["o"], True)
    assert painted(0.4, -3.0, 0.9)[0] == ["<", "o"]
    assert painted(1.4, 0.8, 2.6)[0] == [">"]


def test_values_that_are_undefined_are_named_not_drawn(tmp_path):
    same = study_of({"a": {"x": dep([0]), "y": dep([0])}, "b": {"x": dep([0]), "y": dep([0])}})
    table = agree(same, resamples=20)
    assert table["alpha_plain"].value is None
    assert draw_agreement(same, table.results, str(tmp_path))


def test_curves_are_written_with_their_numbers(tmp_path):
    found = simulate(read("examples/dependency/ann.conllu"), ["nodes", "both"], levels=[0, 1], runs=2)
    paths = found.write(str(tmp_path))
    assert names(paths) == {
        "simulation.csv", "nodes.svg", "nodes.pdf", "both.svg", "both.pdf", "curves.svg", "curves.pdf",
    }  # fmt: skip
    lines = (tmp_path / "simulation.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("experiment,level,measure,mean,sd,median,low,high,runs,used,status")
    assert len(lines) == 1 + 2 * 2 * 4


def test_a_place_that_cannot_be_written_to_is_an_error_of_one_line(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(FormatError, match="cannot create the directory"):
        draw_agreement(read("examples/dependency/ann.conllu"), [], str(tmp_path / "file"))


def test_neighbouring_series_differ_in_more_than_colour():
    styles = [look(k) for k in range(7)]
    for key in ("color", "marker", "linestyle"):
        assert len({str(style[key]) for style in styles}) == 7


def test_names_in_a_scatter_plot_do_not_cover_each_other(tmp_path):
    whole = study_of({f"s{k}": {"x": dep([2, 0, 2]), "y": dep([2, 0, k % 2 + 1])} for k in range(9)})
    results = {result.measure: result for result in agree(whole, ["las", "uas"])}
    corpora = [(f"corpus {k}", results) for k in range(4)]
    figure = Figure()
    axes = figure.add_subplot()
    scatter(axes, corpora, "las", ["uas"])
    figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in axes.texts]
    assert len(boxes) == 4
    assert not any(first.overlaps(second) for first, second in combinations(boxes, 2))
