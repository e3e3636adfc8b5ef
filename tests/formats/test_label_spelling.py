"""Missing markers, equal numbers, decimal commas and Unicode forms in tables of labels."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree.api.evaluate import evaluate
from arbitree.errors import UnknownName
from arbitree.formats.label_tables.spelling import numbers_as_one
from arbitree.kinds.labels.value import ratings
from arbitree.reading.assembly import read_study


def read(tmp_path, text, name="table.csv", **options):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read_study([str(path)], **options)


def cells(study):
    return {key: str(cell.value) for key, cell in study.cells.items()}


def labels(study):
    return [str(value) for value in ratings(study).values]


@pytest.mark.parametrize("marker", ["NA", "NaN", "nan", "NULL", "#N/A", "<NA>", "\\N", "", " NA "])
def test_missing_markers_are_missing_labels(tmp_path, marker):
    study = read(tmp_path, f"item,ann,bob\n1,x,{marker}\n2,y,y\n3,{marker},{marker}\n")
    assert labels(study) == ["x", "y"]
    assert [item.id for item in study.items] == ["1", "2", "3"]
    assert study.missing == 3
    if marker:
        (note,) = study.notes
        assert note == (
            f"3 cells with {marker.strip()} count as missing; to read such cells as labels, set --missing off"
        )


def test_missing_markers_can_be_labels_and_others_can_be_added(tmp_path):
    text = "item,ann,bob\n1,NA,?\n2,NA,NA\n3,?,n/a\n"
    assert labels(read(tmp_path, text, missing="off")) == ["?", "NA", "n/a"]
    assert labels(read(tmp_path, text, missing="?")) == ["NA", "n/a"]
    assert labels(read(tmp_path, text, missing="auto,?")) == ["n/a"]
    with pytest.raises(UnknownName, match="no text in missing"):
        read(tmp_path, text, missing=" ")


@pytest.mark.parametrize("word", ["None", "none", "null", "n/a", "N/A", "-", "?", "na"])
def test_words_that_people_use_as_labels_are_labels(tmp_path, word):
    study = read(tmp_path, f"item,ann,bob\n1,{word},x\n2,x,x\n")
    assert word in labels(study)
    if word in ("None", "null", "n/a", "N/A", "-"):
        assert study.notes == (
            f"1 cell with {word} counts as a label; if the label is missing there, set --missing auto,{word}",
        )
    else:
        assert not study.notes


def test_a_label_after_a_missing_marker_is_not_a_second_label(tmp_path):
    study = read(tmp_path, "item,coder,label\n1,ann,NA\n1,ann,x\n1,bob,x\n")
    assert cells(study) == {("1", "ann"): "x", ("1", "bob"): "x"}


def test_equal_numbers_are_equal(tmp_path):
    """Worked by hand: all three items agree as numbers, none as text."""
    text = "item,ann,bob\na,1,1.0\nb,2.50,2.5\nc,1000,1e3\n"
    study = read(tmp_path, text)
    assert labels(study) == ["1", "2.5", "1000"]
    assert evaluate(study, "agreement").value == 1
    (note,) = study.notes
    assert note.startswith("3 numbers in several spellings, such as 1 and 1.0, count as one label each")
    apart = read(tmp_path, text, numbers="off")
    assert len(labels(apart)) == 6
    assert evaluate(apart, "agreement").value == 0
    assert not apart.notes
    assert "|numbers:off|" in evaluate(apart, "agreement").signature


def test_whole_numbers_are_equal_among_words_but_other_numbers_are_not(tmp_path):
    study = read(tmp_path, "item,ann,bob\n1,1,1.0\n2,2.50,2.5\n3,other,other\n")
    assert labels(study) == ["1", "2.5", "2.50", "other"]


@pytest.mark.parametrize(
    "codes",
    ["item,ann,bob\n1,01,1\n2,02,2\n", "item,ann,bob\n1,1.1,1.10\n2,1.10,1.2\n3,1.1,1.1\n4,1.10,1.10\n"],
    ids=["leading zeros", "1.1 and 1.10 by one annotator"],
)
def test_codes_are_no_numbers(tmp_path, codes):
    study = read(tmp_path, codes)
    assert not study.notes
    assert {"01", "1"} <= set(labels(study)) or {"1.1", "1.10"} <= set(labels(study))
    assert len(labels(read(tmp_path, codes, numbers="equal"))) == 2


def test_numbers_are_compared_exactly():
    """A float cannot tell these two apart."""
    texts = ["12345678901234567890", "12345678901234567891"]
    assert numbers_as_one(texts, "auto", commas=False, users=lambda text: ()) == {}


@given(st.lists(st.decimals(-999, 999, places=3).map(str), min_size=1, max_size=8))
def test_a_number_keeps_its_size(texts):
    found = numbers_as_one(texts, "auto", commas=False, users=lambda text: ())
    assert all(float(text) == float(number) for text, number in found.items())
    sizes = {float(text) for text in texts}
    assert len({found.get(text, text) for text in texts}) == len(sizes)


def test_numbers_in_sets_are_equal(tmp_path):
    study = read(tmp_path, "item,ann,bob\n1,1|2,1.0|2.0\n2,1,2\n")
    assert cells(study)["1", "bob"] == "1|2"
    assert study.cells["1", "ann"].value == study.cells["1", "bob"].value


def test_numbers_have_decimal_commas_between_semicolons(tmp_path):
    study = read(tmp_path, "item;ann;bob\n1;1,5;1,5\n2;2,0;2\n3;3;2,5\n")
    assert labels(study) == ["1.5", "2", "2.5", "3"]
    assert evaluate(study, "alpha_interval").value is not None
    assert study.notes[-1] == "commas in numbers are read as decimal points: 1,5 as 1.5"
    assert labels(read(tmp_path, "item;ann;bob\n1;1,5;1,5\n2;2,0;2\n", numbers="off")) == ["1,5", "2", "2,0"]


def test_decimal_commas_of_one_file_are_equal_to_points_of_another(tmp_path):
    (tmp_path / "ann.csv").write_text("item;label\n1;1,5\n2;2\n", encoding="utf-8")
    (tmp_path / "bob.csv").write_text("item,label\n1,1.5\n2,2.0\n", encoding="utf-8")
    study = read_study([str(tmp_path / "ann.csv"), str(tmp_path / "bob.csv")])
    assert evaluate(study, "agreement").value == 1


def test_commas_that_may_be_decimal_are_named(tmp_path):
    study = read(tmp_path, "item\tann\tbob\n1\t1,5\t2\n2\t2\t1,5\n", "table.tsv")
    (note,) = study.notes
    assert note.startswith("labels such as 1,5 are compared as text; if they are numbers with decimal commas")
    assert labels(read(tmp_path, "item\tann\tbob\n1\t1,5\t2\n", "table.tsv", numbers="equal")) == ["1.5", "2"]


@pytest.mark.parametrize(
    "measure",
    ["alpha_ordinal:order=3.0/2.0/1.0", "weighted_kappa:order=3.0/2.0/1.0", "s:categories=1.0/2.0/3.0"],
)
def test_options_may_spell_numbers_like_the_file(tmp_path, measure):
    study = read(tmp_path, "item,ann,bob\n1,1.0,1\n2,2.0,3\n3,3.0,3\n")
    same = measure.replace(".0", "")
    assert evaluate(study, measure).value == evaluate(study, same).value is not None


@pytest.mark.parametrize(
    "text",
    [
        'item,ann,bob\n1,"1,5",2\n2,2,"1,5"\n',
        "item;ann;bob\n1;1,5;both\n2;both;1,5\n",
        "item;ann;bob\n1;1,000;2,000\n2;2,000;1,000\n",
    ],
    ids=["a comma between quotes", "not only numbers", "thousands"],
)
def test_other_commas_are_part_of_the_label(tmp_path, text):
    assert any("," in label for label in labels(read(tmp_path, text)))


def test_composed_and_decomposed_letters_are_equal(tmp_path):
    composed, decomposed = (unicodedata.normalize(form, "caf\u00e9") for form in ("NFC", "NFD"))
    study = read(tmp_path, f"item,ann,bob\n1,{composed},{decomposed}\n2,bar,bar\n")
    assert labels(study) == ["bar", composed]
    assert evaluate(study, "agreement").value == 1
    (note,) = study.notes
    assert note.startswith("1 label in several Unicode forms (composed and decomposed letters)")


def test_items_and_annotators_in_two_unicode_forms_are_one(tmp_path):
    composed, decomposed = (unicodedata.normalize(form, "Zo\u00eb") for form in ("NFC", "NFD"))
    rows = [("1", composed, "x"), ("2", decomposed, "y"), ("1", "bob", "x")]
    text = "item,coder,label\n" + "".join(",".join(row) + "\n" for row in rows)
    assert read(tmp_path, text).coders == (composed, "bob")
    rows = [(composed, "ann", "x"), (decomposed, "bob", "y")]
    text = "item,coder,label\n" + "".join(",".join(row) + "\n" for row in rows)
    study = read(tmp_path, text)
    assert [item.id for item in study.items] == [composed]
    assert study.notes[0].startswith("1 item in several Unicode forms")
    only = read(tmp_path, f"item,ann,bob\n{decomposed},x,x\n")
    assert only.items[0].id == decomposed
    assert not only.notes


def test_ticks_are_compared_as_they_are_written(tmp_path):
    text = "item\ttag\tcoder\tlabel\n1\t1\tann\t1\n1\t1.0\tann\t1\n1\tNA\tann\t1\n"
    study = read(tmp_path, text, "table.ticks")
    assert study.cells["1", "ann"].value.tags == {"1", "1.0", "NA"}
    assert not study.notes


def test_an_unknown_way_to_compare_numbers_is_named(tmp_path):
    with pytest.raises(UnknownName, match="Did you mean 'equal'"):
        read(tmp_path, "item,ann,bob\n1,x,y\n", numbers="eqal")
