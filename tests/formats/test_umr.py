"""UMR: sentence graphs, words, alignments, the document level, and what is refused."""

import pytest

from arbitree.errors import FormatError, StudyError
from arbitree.reading.assembly import read_study
from arbitree.reading.content import Content

pytest.importorskip("penman")
from arbitree.formats.umr import PLUGINS

RULE = "#" * 80
SENTENCE = """# sent_id = {0}
# :: snt1
Index: 1    2
Words: {1}

# sentence level graph:
(s1f / fall-01

    :ARG1 (s1r / rain))

# alignment:
s1f: 2-2
s1r: 0-0

# document level annotation:
(s1s0 / sentence :temporal ((past :before s1f)))
"""


def read(text):
    return list(PLUGINS["umr"].read(Content("a.umr", text.encode())))


def joined(*sentences):
    return "".join(f"{RULE}\n{SENTENCE.format(*each)}\n" for each in sentences)


def test_the_parts_of_a_sentence():
    first, second = read(joined(("a", "Rain fell"), ("b", "Rain fell again")))
    assert (first.id, second.id) == ("a", "b")
    assert (first.source.line, second.source.line) == (8, 26)
    assert first.value.tokens == ("Rain", "fell")
    assert [node.anchor for node in first.value.nodes] == [((2, 2),), ()]
    assert first.value.triples.size == 4
    (range_of,) = read(joined(("a", "Rain fell")).replace("s1f: 2-2", "s1f: 1-2, 7-7"))
    assert range_of.value.nodes[0].anchor == ((1, 1), (2, 2), (7, 7))
    assert first.value.unread == ("(s1s0 / sentence :temporal ((past :before s1f)))",)


def test_the_number_is_the_id_of_a_sentence_without_another():
    entries = read(
        "# :: snt1\n# sentence level graph:\n(a / x)\n# :: snt2\n# sentence level graph:\n(b / y)\n"
    )
    assert [entry.id for entry in entries] == ["snt1", "snt2"]


def test_a_sentence_without_a_graph_is_a_missing_annotation():
    _, second = read(joined(("a", "Rain fell")) + f"{RULE}\n# sent_id = b\nWords: Go\n")
    assert (second.id, len(second.value)) == ("b", 0)


def test_ids_that_repeat_are_refused_and_matched_by_text_never_by_position(tmp_path):
    """The order differs, so that matching by position would compare different sentences."""
    rain, snow = ("u1", "Rain fell in the old town"), ("u1", "Snow fell on all the hills")
    (tmp_path / "ann.umr").write_text(joined(rain, snow), encoding="utf-8")
    (tmp_path / "bob.umr").write_text(joined(snow, rain), encoding="utf-8")
    files = [str(tmp_path / "ann.umr"), str(tmp_path / "bob.umr")]
    with pytest.raises(StudyError, match=r"ann\.umr:26: duplicate id 'u1'"):
        read_study(files)
    study = read_study(files, match="text")
    assert [len(cells) for _, cells in study] == [2, 2]
    assert all(one.value.tokens == two.value.tokens for _, (one, two) in study)


def test_the_same_id_for_different_words_is_refused(tmp_path):
    (tmp_path / "ann.umr").write_text(joined(("u1", "Rain fell in the old town")), encoding="utf-8")
    (tmp_path / "bob.umr").write_text(joined(("u1", "Nobody saw her yesterday")), encoding="utf-8")
    with pytest.raises(StudyError, match=r"bob\.umr:8: bob has 4 tokens"):
        read_study([str(tmp_path / "ann.umr"), str(tmp_path / "bob.umr")])


@pytest.mark.parametrize(
    ("wrong", "right", "line", "what"),
    [
        ("s1f: 2-2", "s1f: two", 13, "'s1f: two' is not an alignment"),
        ("(s1r / rain))", "(s1r / rain heavy))", 10, "expected a role such as :ARG0, found 'heavy))'"),
        ("(s1r / rain))", "(s1r / rain)", 8, "the bracket that opens here is never closed"),
        ("(s1r / rain))", "s1q)", 10, "variable 's1q' is used but not defined"),
    ],
)
def test_an_error_names_the_line(wrong, right, line, what):
    with pytest.raises(FormatError) as error:
        read(joined(("a", "Rain fell")).replace(wrong, right))
    assert str(error.value).startswith(f"a.umr:{line}: {what}")


def test_a_file_that_is_not_well_formed_is_refused_with_its_line(data):
    path = data / "tools/umr/estonsko/ZU.umr"
    with pytest.raises(FormatError) as error:
        read_study([str(path)])
    assert str(error.value).startswith(f"{path}:52: ")  # the line that its README names


def test_joined_files_are_not_matched_by_position(data):
    files = [str(data / f"tools/umr/concatenated/pdtc-{coder}.umr") for coder in ("ML", "HH")]
    with pytest.raises(StudyError, match="duplicate id"):
        read_study(files)
    shared = [cells for _, cells in read_study(files, match="text") if len(cells) == 2]
    assert len(shared) == 21  # as in the README of the data
    assert all(one.value.tokens == two.value.tokens for one, two in shared)
