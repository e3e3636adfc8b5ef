"""The same measure per document, length, coder and pair."""

from itertools import combinations

import pytest

from arbitree.api.agree import agree
from arbitree.api.evaluate import evaluate, evaluate_all
from arbitree.backends.threads import Threads
from arbitree.errors import ArbitreeError, UnsupportedStudy
from arbitree.measures.sums import trees
from tests.support.build import dep, study_of
from tests.support.random_studies import some_study

THREE = study_of(
    {
        "a/1": {"x": dep([0, 1], "rs"), "y": dep([0, 1], "rs"), "z": dep([0, 1], "rt")},
        "a/2": {"x": dep([0, 1], "rs"), "y": dep([0, 1], "rt")},
        "b/1": {"y": dep([0] * 7), "z": dep([0] * 7)},
        "b/2": {"x": dep([0, 1, 2]), "z": dep([0, 1, 1])},
    }
)


@pytest.mark.parametrize("measure", ["alpha_plain", "alpha_norm", "las"])
def test_documents_equal_studies_of_those_items_alone(measure):
    study = some_study()
    groups = evaluate(study, measure, resamples=100, by=["document"]).groups["document"]
    assert [group.name for group in groups] == ["d0", "d1", "d2"]
    for group in groups:
        part = study.select(items=[item.id for item in study.items if item.document == group.name])
        alone = evaluate(part, measure, resamples=100)
        assert group.value == pytest.approx(alone.value, abs=1e-12)
        assert (group.interval.low, group.interval.high) == pytest.approx(
            (alone.interval.low, alone.interval.high), abs=1e-12
        )
        assert group.items_used == alone.items_used


def test_pairs_and_coders_equal_studies_of_those_coders_alone():
    for measure in ("alpha_plain", "las"):
        result = evaluate(THREE, measure, resamples=0, by=["pair", "coder"])
        pairs = {group.name: group for group in result.groups["pair"]}
        assert list(pairs) == ["x - y", "x - z", "y - z"]
        for name, group in pairs.items():
            alone = evaluate(THREE.select(coders=name.split(" - ")), measure, resamples=0)
            assert (group.value, group.status) == (alone.value, alone.status)
        coders = {group.name: group for group in result.groups["coder"]}
        own = [pairs["x - y"], pairs["x - z"]]
        mean = sum(group.value * group.items_used for group in own) / sum(group.items_used for group in own)
        assert coders["x"].value == pytest.approx(mean)
        without = evaluate(THREE.select(coders=["x", "y"]), measure, resamples=0).value
        assert coders["z"].details["without"] == without


def test_lengths_are_classes_in_order():
    groups = evaluate(THREE, "las", resamples=0, by=["length"]).groups["length"]
    assert [(group.name, group.items_used) for group in groups] == [("1-5", 3), ("6-10", 1)]


FOUR = some_study(coders="wxyz", missing=0.3)
MEASURES = ["alpha_plain", "alpha_diff", "alpha_norm:size=leaves", "alpha_norm:costs=COSTS", "alpha_pqgram"]


@pytest.fixture
def compared(monkeypatch):
    """Give a list of the comparisons of all pairs of trees: the trees of each."""
    found = []
    for name in ("sums", "triangle"):
        call = getattr(trees.DistinctTrees, name)

        def counted(self, rows, call=call):
            if rows[0] == 0:
                found.append(self.corpus.tree_count)
            return call(self, rows)

        monkeypatch.setattr(trees.DistinctTrees, name, counted)
    return found


def test_all_measures_and_parts_share_one_comparison(compared):
    names = ["alpha_plain", "alpha_diff", "alpha_norm"]
    evaluate_all(FOUR, names, resamples=10)
    assert len(compared) == 1
    evaluate_all(FOUR, names, resamples=10, by=["pair", "coder", "document", "length"])
    assert len(compared) == 2
    two = FOUR.select(coders=["w", "x"])
    evaluate_all(two, names, resamples=10, by=["pair", "coder"])
    assert len(compared) == 3


@pytest.mark.parametrize("room", [trees.TRIANGLE_BYTES, 0], ids=["stored", "compared again"])
@pytest.mark.parametrize("options", [{}, {"interval": "percentile"}, {"pairs": 40}], ids=str)
def test_parts_have_every_digit_of_studies_of_their_own(monkeypatch, tmp_path, room, options, compared):
    monkeypatch.setattr(trees, "TRIANGLE_BYTES", room)
    monkeypatch.setattr(trees, "ROWS", 7)
    (tmp_path / "costs.tsv").write_text("nsubj\tobj\t0.3\ndet\t\t0.7\n", encoding="utf-8")
    names = [name.replace("COSTS", str(tmp_path / "costs.tsv")) for name in MEASURES]

    def measured(study, by=()):
        return agree(study, names, by=by, resamples=20, run=Threads(2), **options).results

    whole = measured(FOUR, by=["pair", "coder"])
    if room and "pairs" not in options:
        assert len(compared) == 3  # for sizes of nodes, sizes of leaves, and costs
    for result, alone in zip(whole, measured(FOUR), strict=True):
        assert (result.value, result.interval) == (alone.value, alone.interval)
    for pair in combinations("wxyz", 2):
        for result, alone in zip(whole, measured(FOUR.select(coders=pair)), strict=True):
            group = next(each for each in result.groups["pair"] if each.name == " - ".join(pair))
            assert (group.value, group.interval) == (alone.value, alone.interval)
            assert group.items_used == alone.items_used
    for coder in "wxyz":
        others = FOUR.select(coders=[each for each in "wxyz" if each != coder])
        for result, alone in zip(whole, measured(others), strict=True):
            group = next(each for each in result.groups["coder"] if each.name == coder)
            assert group.details["without"] == alone.value


def test_unknown_breakdowns_are_refused():
    with pytest.raises(ArbitreeError, match="Did you mean 'document'"):
        evaluate(THREE, "las", by=["documnt"])
    with pytest.raises(UnsupportedStudy, match="needs a study of labels"):
        evaluate(THREE, "las", by=["label"])
