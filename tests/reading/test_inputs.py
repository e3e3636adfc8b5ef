"""Coders and documents from what the user types."""

import pytest

from arbitree.errors import StudyError
from arbitree.reading.inputs import inputs_of
from tests.support.commands import arbitree


def names(*arguments, **options):
    return [(each.coder, each.document) for each in inputs_of(arguments, **options)]


def test_parts_that_all_stems_share_name_the_document():
    assert names("x/odin-danish.conll", "x/thor-danish.conll") == [("odin", "danish"), ("thor", "danish")]
    assert names("da_lotte_v2.conll.gz", "da_morten_v2.conll") == [("lotte", "da-v2"), ("morten", "da-v2")]


def test_stems_that_share_nothing_are_names():
    assert names("first.conllu", "second.conllu") == [("first", "text"), ("second", "text")]


def test_a_stem_that_is_shared_whole_stays_a_name():
    assert names("danish.conll", "thor-danish.conll") == [("danish", "danish"), ("thor", "danish")]


def test_equal_names_in_two_folders_are_told_apart_by_the_folder(tmp_path):
    assert names(f"{tmp_path}/ann/a.conllu", f"{tmp_path}/bob/a.conllu") == [("ann", "a"), ("bob", "a")]


def test_names_can_be_given():
    assert names("gold=a.conllu", "-") == [("gold", "text"), ("stdin", "text")]


def test_a_path_with_an_equals_sign_is_a_path(tmp_path):
    path = tmp_path / "a=b.conllu"
    path.write_text("", encoding="utf-8")
    assert [each.path for each in inputs_of([str(path), "c.conllu"])] == [str(path), "c.conllu"]


def test_one_name_twice_is_refused():
    with pytest.raises(StudyError, match=r"are both assigned .* Give each file another name before '='"):
        inputs_of(["ann=a.conllu", "ann=b.conllu"])
    with pytest.raises(StudyError, match=r"are both assigned .* Name the annotators: ann=PATH bob=PATH"):
        inputs_of(["b=a.conllu", "b.conllu"])


def test_a_file_given_twice_is_named():
    with pytest.raises(StudyError, match=r"^a\.conllu: this file was given twice"):
        inputs_of(["a.conllu", "a.conllu"])
    assert len(inputs_of(["ann=a.conllu", "bob=a.conllu"])) == 2  # on purpose


@pytest.mark.parametrize(
    "arguments",
    [
        ("agree", "-", "-"),
        ("agree", "ann=-", "bob=-"),
        ("score", "-", "-", "b.conllu"),
        ("report", "-", "b.conllu", "--texts", "-", "-o", "out"),
        ("distance", "-", "-"),
    ],
)
def test_standard_input_twice_is_an_error_of_its_own(arguments):
    """The advice to name both annotators led to another error."""
    run = arbitree(*arguments, stdin=b"1\tGo\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n")
    said = "<stdin>: standard input can be given only once. Save it to a file, and pass the file."
    assert (run.returncode, run.stderr.decode().strip()) == (2, said)


def test_directories_match_files_by_name_with_or_without_the_coder(tmp_path):
    for path in (
        "ann/0388-es-ann.conll",
        "bob/0388-es_bob.conll",
        "cho/0388-es.conll",
        "cho/.hidden",
        "cho/deep/1.conll",
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("x", encoding="utf-8")
    found = names(*(str(tmp_path / coder) for coder in ("ann", "bob", "cho")), dirs=True)
    assert found == [("ann", "0388-es"), ("bob", "0388-es"), ("cho", "0388-es"), ("cho", "deep/1")]


def test_a_dot_in_the_name_of_the_coder_is_part_of_it(tmp_path):
    (tmp_path / "ssd.mary").mkdir()
    (tmp_path / "ssd.mary" / "10003-ssd.mary.tree").write_text("x", encoding="utf-8")
    assert names(str(tmp_path / "ssd.mary"), dirs=True) == [("ssd.mary", "10003")]


def test_directories_that_are_none_are_refused(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    for name, words in (("file", "got a file"), ("nothing", "directory not found"), ("empty", "is empty")):
        with pytest.raises(StudyError, match=words):
            inputs_of([str(tmp_path / name)], dirs=True)
    with pytest.raises(StudyError, match="no input"):
        inputs_of([])


def test_a_name_longer_than_any_file_is_still_a_name():
    (found,) = inputs_of([f"{'a' * 300}=first.conllu"])
    assert (len(found.coder), found.path) == (300, "first.conllu")
