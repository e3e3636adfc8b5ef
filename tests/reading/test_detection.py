"""Formats are detected by their content, and a guess that leads by little is refused."""

import pytest

from arbitree import plugins
from arbitree.errors import FormatError
from arbitree.reading.assembly import read_study
from arbitree.reading.content import Content
from arbitree.reading.detection import detect

EITHER = b"(S (NP N) (VP V))\n"
ROWS = "1\tRain\t_\t{0}\t_\t_\t2\tSBJ\t_\t_\n2\tfell\t_\t{0}\t_\t_\t0\tROOT\t_\t_\n"


def test_two_formats_that_are_equally_likely_are_both_named(tmp_path):
    path = tmp_path / "trees.txt"
    path.write_bytes(EITHER)
    with pytest.raises(FormatError) as error:
        read_study([str(path)])
    assert error.value.typed == (
        f"{path}:1: the file could be brackets or delexicalised. "
        "Set --format brackets or --format delexicalised."
    )
    assert "Set format='brackets' or format='delexicalised'." in str(error.value)
    for format in ("brackets", "delexicalised"):
        assert len(read_study([str(path)], format=format).items) == 1


@pytest.mark.parametrize(
    ("name", "format"), [("a.mrg", "brackets"), ("a.delex", "delexicalised"), ("a.mrg.gz", "brackets")]
)
def test_the_extension_decides_between_them(name, format):
    assert detect([Content(name, EITHER)]) == [format]


def test_so_do_the_other_files_of_the_study():
    telling = Content("b", b"(S N (VP V N))")
    assert detect([Content("a.mrg", EITHER), telling]) == ["delexicalised", "delexicalised"]


def test_in_directories_such_a_file_is_not_skipped(tmp_path):
    for name in ("ann", "bob"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "trees").write_bytes(EITHER)
    with pytest.raises(FormatError, match="the file could be brackets or delexicalised"):
        read_study([str(tmp_path / "ann"), str(tmp_path / "bob")], dirs=True)


def test_a_certain_format_wins_unless_another_is_certain_too(monkeypatch):
    conllu = plugins.get("formats", "conllu")

    class Other(type(conllu)):
        def sniff(self, content):
            return 1.0

    certain = Content("a", b"# sent_id = 1\n" + ROWS.format("N").encode())
    assert detect([certain]) == ["conllu"]
    monkeypatch.setitem(plugins.plugins("formats"), "other", Other())
    with pytest.raises(FormatError, match="the file could be "):
        detect([certain])


@pytest.mark.parametrize(("tag", "format"), [("NOUN", "conllu"), ("N", "conllx")])
def test_ten_columns_are_told_apart_by_the_tags(tag, format):
    assert detect([Content("a", ROWS.format(tag).encode())]) == [format]


def test_ids_of_items_with_a_point_are_not_empty_nodes():
    rows = "item\tcoder\tlabel\tcluster\tgold\n1.1\tann\tN\tc1\tN\n1.2\tann\tV\tc1\tN\n"
    assert detect([Content("study.tsv.gz", rows.encode())]) == ["labels"]
    assert detect([Content("study", rows.encode())]) == ["labels"]


def test_a_list_of_labels_is_not_conllx():
    assert detect([Content("a.key", b"1\n0\n1\n")]) == [None]
    assert detect([Content("a.key", b"1\t2\t1\n2\t2\t1\n")]) == ["labels"]


def test_a_format_with_the_name_of_an_extension_is_the_first_with_this_extension():
    """``detect`` asks it before the others, which it does not import if the first is certain."""
    formats = plugins.plugins("formats")
    for name, reader in formats.items():
        if f".{name}" in reader.suffixes:
            assert next(each for each in formats if f".{name}" in formats[each].suffixes) == name
