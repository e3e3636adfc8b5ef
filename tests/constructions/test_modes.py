"""Classes, facets, modes, miss rates, settings; real treebanks where they are there."""

import pytest

import arbitree as at
from arbitree.errors import StudyError, UnknownName, UnsupportedStudy
from arbitree.reading.assembly import read_study
from tests.support.build import dep, study_of
from tests.support.constructions.build import found, reports, spans, tree


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        ("(NP-SBJ (DT a) (NN b))", "(NP-OBJ (DT a) (NN b))", "function"),
        ("(NP (DT a) (NN b))", "(NP (DT a) (NNP b))", "pos"),
        ("(NP (DT a) (NN b))", "(NP (DT a) (NP (NN b)))", "structural"),
    ],
)
def test_classes(ours, theirs, expected):
    assert {each.class_ for each in found(ours, theirs).types} == {expected}


def test_a_function_tag_and_a_part_of_speech_are_two_decisions_except_in_the_paper():
    ours, theirs = "(NP-SBJ (DT a) (NN b))", "(NP-OBJ (DT a) (NNP b))"
    assert [row[:2] for row in reports(found(ours, theirs))] == [((0, 2), "function"), ((1, 2), "pos")]
    assert [row[:2] for row in reports(found(ours, theirs, external="off"))] == [((0, 2), "function+pos")]


def test_a_tag_that_moves_the_head_is_no_difference_of_structure():
    """A noun is the head wherever it stands; of two numbers, the last."""
    ours, theirs = "(NP (NN a) (CD b))", "(NP (CD a) (CD b))"
    (only,) = found(ours, theirs).types
    assert (only.class_, only.via_head, only.nuclei[0].words) == ("pos", False, "a")
    (refined,) = found(ours, theirs, external="off").types
    assert (refined.class_, refined.via_head) == ("pos", True)
    (plain,) = found(ours, theirs, external="off", refine=False).types
    assert (plain.class_, plain.via_head) == ("structural", False)


def test_tags_of_a_larger_phrase_do_not_count():
    ours = "(S (NP-SBJ (DT a) (NN b)) (VP (VBD c)))"
    theirs = "(S (NP-TMP (DT a) (NN b) (PP (IN c))))"
    assert (0, 2) not in spans(found(ours, theirs))


def test_facets_and_categories_name_what_changes():
    saw = "(S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN man)) (PP (IN with) (NP (NNS eyes)))))"
    man = "(S (NP (PRP I)) (VP (VBD saw) (NP (NP (DT a) (NN man)) (PP (IN with) (NP (NNS eyes))))))"
    (only,) = found(saw, man).types
    assert "attachment change" in only.facets
    assert "PP" in only.categories
    assert only.label == "with and without NP"


def test_types_without_parts_of_speech_hold_more_nuclei():
    phrase, flat = "(NP (DT a) (ADJP ({0} b) (JJ {0})) (NN d))", "(NP (DT a) ({0} b) (JJ {0}) (NN d))"
    rows = {tag: {"a": tree(phrase.format(tag)), "b": tree(flat.format(tag))} for tag in ("JJ", "JJS")}
    assert [each.size for each in at.explain(study_of(rows)).types] == [1, 1]
    (only,) = at.explain(study_of(rows), type_pos=False).types
    assert (only.size, only.class_) == (2, "structural")
    assert sorted(each.brackets for each in only.fragments) == ["(ADJP _ _)", "_ + _"]


def test_without_parts_of_speech_in_types_a_difference_of_them_is_still_reported():
    (only,) = found("(NP (DT a) (NN b))", "(NP (DT a) (NNP b))", type_pos=False).types
    assert only.class_ == "pos"
    assert len(only.fragments) == 2


def test_parts_of_speech_function_tags_and_punctuation_can_be_left_out():
    assert not found("(NP (DT a) (NN b))", "(NP (DT a) (NNP b))", pos="strip").types
    assert not found("(NP-SBJ (NN b))", "(NP (NN b))", function_tags="strip").types
    assert not found("(S (NP (NN b)) (. .))", "(S (NP (NN b) (. .)))", punctuation="remove").types
    assert found("(S (NP (NN b)) (. .))", "(S (NP (NN b) (. .)))").types


def test_a_file_of_coarse_tags_makes_tags_alike(tmp_path):
    path = tmp_path / "coarse.tsv"
    path.write_text("NN\tNOUN\nNNP\tNOUN\n", encoding="utf-8")
    assert not found("(NP (DT a) (NN b))", "(NP (DT a) (NNP b))", pos=str(path)).types
    path.write_text("NN NOUN X\n", encoding="utf-8")
    with pytest.raises(at.ArbitreeError, match=r"coarse.tsv:1: expected 2 columns, found 3"):
        found("(NP (DT a) (NN b))", "(NP (DT a) (NNP b))", pos=str(path))


def test_full_external_check_finds_a_phrase_that_is_joined_elsewhere():
    """The PP is the same inside; where it hangs is told by the larger nucleus, so nothing is added."""
    saw = "(S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN man)) (PP (IN with) (NP (NNS eyes)))))"
    man = "(S (NP (PRP I)) (VP (VBD saw) (NP (NP (DT a) (NN man)) (PP (IN with) (NP (NNS eyes))))))"
    assert reports(found(saw, man, external="full")) == reports(found(saw, man, external="label"))


def test_gold_comes_first_and_misses_are_counted():
    right, wrong = "(NP (DT a) (ADJP (JJ b) (JJ c)) (NN d))", "(NP (DT a) (JJ b) (JJ c) (NN d))"
    rows = {
        "s": {"parser": tree(wrong), "gold": tree(right)},
        "t": {"parser": tree(right), "gold": tree(right)},
    }
    findings = at.explain(study_of(rows), gold="gold")
    (only,) = findings.types
    assert findings.mode == "parser"
    assert [each.brackets for each in only.fragments] == ["(ADJP JJ JJ)", "JJ + JJ"]
    assert (only.rate.gold, only.rate.missed, only.rate.this, only.rate.value) == (2, 1, 1, 0.5)
    backwards = at.explain(study_of(rows), gold="parser").types[0]
    assert backwards.code != only.code
    assert (backwards.rate.side, backwards.rate.gold, backwards.rate.missed) == ("parser", 2, 1)
    assert at.explain(study_of(rows), mode="parser").gold == "parser"


def test_several_parsers_are_each_compared_with_gold():
    right, wrong = "(NP (DT a) (NN b))", "(NP (DT a) (NNP b))"
    rows = {"s": {"gold": tree(right), "one": tree(wrong), "two": tree(wrong), "three": tree(right)}}
    (only,) = at.explain(study_of(rows), gold="gold").types
    assert only.sides == {"gold": (2, 0), "one": (0, 1), "two": (0, 1)}
    assert (only.rate.gold, only.rate.missed) == (3, 2)


def test_unknown_names_and_lone_coders_are_said():
    study = study_of({"s": {"a": tree("(NP (NN b))"), "b": tree("(NP (NN b))")}})
    with pytest.raises(UnknownName, match="Did you mean 'external'"):
        at.explain(study, extern="off")
    with pytest.raises(UnknownName, match="unknown mode 'sideways'"):
        at.explain(study, mode="sideways")
    with pytest.raises(StudyError, match="annotator 'c' not found"):
        at.explain(study, gold="c")
    with pytest.raises(UnsupportedStudy, match="needs at least two annotators"):
        at.explain(study.select(coders=["a"]), mode="coders")
    with pytest.raises(UnsupportedStudy, match="needs at least two annotators"):
        at.explain(study.select(coders=["a"]), gold="a")
    with pytest.raises(UnknownName, match="unknown baseline 'ngram'"):
        at.explain(study_of({"s": {"a": dep([0]), "b": dep([0])}}), baseline="ngram")


@pytest.fixture(scope="module")
def two_versions(data):
    return read_study([str(data / "gum-two-versions" / side) for side in ("early", "late")], dirs=True)


def test_two_versions_of_a_treebank_every_changed_sentence_and_no_other(two_versions):
    """295 of 4,480 sentences differ, by their labels and parents; counted without this package's analyses."""
    changed = {
        item.id
        for item, cells in two_versions
        if len({(cell.value.labels, cell.value.parents) for cell in cells}) > 1
    }
    for external in ("off", "label"):
        findings = at.explain(two_versions, external=external)
        assert {nucleus.item for each in findings.types for nucleus in each.nuclei} == changed
    assert len(changed) == 295
    assert (findings.items, findings.tokens) == (4480, 85768)


def test_two_versions_of_a_treebank_have_nuclei_as_small_as_their_differences(two_versions):
    """The numbers were found by an independent program that follows the same definitions."""
    findings = at.explain(two_versions)
    nuclei = [nucleus for each in findings.types for nucleus in each.nuclei]
    assert findings.counts["inconsistent"] == 369
    assert (len(nuclei), len(findings.types), len(findings.questions)) == (368, 179, 64)
    by_class = {row["class"]: row["occurrences"] for row in findings.summary.records()}
    assert by_class == {"function": 232, "pos": 129, "function+pos": 0, "structural": 7}
    for nucleus in nuclei:
        places = [place for change in nucleus.changes for place in change.positions]
        assert nucleus.span == (min(places), max(places) + 1)
    first = findings.questions[0]
    assert (first.label.startswith("NP or NP-ADV"), round(first.bits), first.occurrences) == (True, 142, 81)
    for each in at.explain(two_versions, type_pos=False).types:
        assert len({fragment.brackets for fragment in each.fragments}) == len(each.fragments)


def test_parser_and_gold_most_frequent_errors_have_a_miss_rate(data):
    sides = [str(data / "gum-parser-vs-gold" / side) for side in ("gold", "parser")]
    study = read_study(sides, dirs=True)
    study = study.select(items=[item.id for item in study.items[:600]])
    findings = at.explain(study, mode="parser")
    assert findings.gold == "gold"
    rates = [each.rate for each in findings.types if each.rate]
    assert len(rates) > 0.9 * len(findings.types)  # the others are no phrase for gold nor for the parser
    assert all(0 < rate.this <= rate.missed <= rate.gold for rate in rates)
    assert len({each.code for each in findings.types}) == len(findings.types)
