"""Studies from files: matching, gaps, oddities said or refused."""

import gzip

import pytest

from arbitree.errors import ArbitreeError, FormatError, StudyError
from arbitree.reading.assembly import read_study
from tests.support.conllu_rows import sentence


@pytest.fixture
def files(tmp_path):
    def write(**contents):
        for name, content in contents.items():
            data = content if isinstance(content, bytes) else content.encode()
            path = tmp_path / f"{name}.conllu"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
        return [str(tmp_path / f"{name}.conllu") for name in contents]

    return write


def test_items_meet_by_id_whatever_their_order(files):
    ann = sentence("Rain fell .", name="a", document="d") + sentence("Snow fell .", name="b")
    bob = sentence("Snow fell .", name="b") + sentence("Rain fell .", name="a")
    lines = []
    study = read_study(files(ann=ann, bob=bob), say=lines.append)
    assert [(item.id, item.document) for item in study.items] == [("a", "d"), ("b", "d")]
    assert study.cells["b", "bob"].value.tokens == ("Snow", "fell", ".")
    assert "Sentences matched by id" in lines
    assert "Format detected: conllu" in lines
    assert str(study.cells["b", "ann"].source).endswith("ann.conllu:8")


def test_items_meet_by_position_where_an_id_is_missing(files):
    ann = sentence("Rain fell .", name="a") + sentence("Snow fell .", name="b")
    bob = sentence("Rain fell .") + sentence("Snow fell .", name="b")
    study = read_study(files(ann=ann, bob=bob))
    assert [item.id for item in study.items] == ["text/1", "text/2"]


def test_position_can_be_asked_for(files):
    study = read_study(
        files(ann=sentence("Rain fell .", name="a"), bob=sentence("Rain fell .", name="b")), match="position"
    )
    assert len(study.items) == 1


def test_a_missing_sentence_is_a_gap_not_a_category(files):
    ann = sentence("Rain fell .", name="a") + sentence("Snow fell .", name="b")
    study = read_study(files(ann=ann, bob=sentence("Snow fell .", name="b")))
    assert study.missing == 1
    assert study.notes == ()


def test_uneven_files_without_ids_are_said_or_refused(files):
    paths = files(ann=sentence("Rain fell .") + sentence("Snow fell ."), bob=sentence("Rain fell ."))
    study = read_study(paths)
    assert "bob has 1 sentence, but ann has 2" in study.notes[0]
    with pytest.raises(StudyError, match=r"bob\.conllu: bob has 1 sentence,"):
        read_study(paths, strict=True)


def test_cycles_are_said_or_refused(files):
    paths = files(ann=sentence("Rain fell .", heads=[2, 1, 0]), bob=sentence("Rain fell ."))
    study = read_study(paths)
    assert "1 tree has a cycle" in study.notes[0]
    with pytest.raises(StudyError, match=r"ann\.conllu:1: a cycle disconnects 2 of 3 tokens"):
        read_study(paths, strict=True)


def test_tokens_that_differ_are_said_or_refused(files):
    paths = files(ann=sentence("I do n't know", name="a"), bob=sentence("I don't know", name="a"))
    assert "different numbers of tokens" in read_study(paths).notes[0]
    with pytest.raises(StudyError, match="Use the same tokens"):
        read_study(paths, strict=True)
    forms = files(ann=sentence("the « end »", name="a"), bob=sentence('the " end "', name="a"))
    assert "different token forms" in read_study(forms).notes[0]


def test_different_sentences_under_one_id_are_refused(files):
    paths = files(
        ann=sentence("The dog barked .", name="a"), bob=sentence("A cat came home late .", name="a")
    )
    with pytest.raises(StudyError, match=r"bob\.conllu:2: bob has 6 tokens .* in 'a'"):
        read_study(paths)


def test_a_few_different_sentences_in_one_position_are_said_many_are_refused(files):
    same = sentence("Rain fell all day .") * 3
    paths = files(ann=same + sentence("The dog barked ."), bob=same + sentence("A cat came home late ."))
    assert "different texts in the same position" in read_study(paths).notes[0]
    with pytest.raises(StudyError, match="Set match='text'"):
        read_study(files(ann=sentence("The dog barked ."), bob=sentence("A cat came home late .")))


def test_duplicate_ids_are_refused_with_both_places(files):
    twice = sentence("Rain fell .", name="a") + sentence("Snow fell .", name="a")
    with pytest.raises(
        StudyError, match=r"ann\.conllu:7: duplicate id 'a'; it first appears at .*ann\.conllu:2"
    ):
        read_study(files(ann=twice, bob=twice))


def test_no_common_item_is_refused(files):
    paths = files(ann=sentence("Rain fell .", name="a"), bob=sentence("Snow fell .", name="b"))
    with pytest.raises(StudyError, match="no items in common"):
        read_study(paths)


def test_gzipped_files_are_read_and_truncated_ones_refused(files, tmp_path):
    packed = gzip.compress(sentence("Rain fell all day and all night .", name="a").encode() * 1)
    paths = files(ann=packed, bob=sentence("Rain fell all day and all night .", name="a"))
    assert len(read_study(paths).cells) == 2
    with pytest.raises(FormatError, match=r"ann\.conllu: cannot decompress the gzip"):
        read_study(files(ann=packed[:-12], bob=packed))


def test_wrong_encoding_empty_files_folders_and_absent_files_are_refused(files, tmp_path):
    good = sentence("Rain fell .", name="a")
    latin = sentence("Æbler faldt .", name="a").encode("latin-1")
    cases = [
        (latin, r"ann\.conllu:2: byte 0xc6 is not valid utf-8"),
        (b"", r"ann\.conllu:1: the file is empty"),
        (b"\n\n", r"ann\.conllu:1: the file is empty"),
        (good.encode("utf-16"), r"ann\.conllu:1: the text is UTF-16"),
        (b"once upon a time", r"ann\.conllu:1: cannot detect the file format"),
        (b"\x80\x81\x02\x03\xfe", r"ann\.conllu: this is not a text file"),
        (
            good.encode("utf-16-le"),
            "not a text file.*; if the file is text in another encoding, set encoding",
        ),
        (b"caf\xe9 au lait", r"ann\.conllu:1: cannot detect the file format"),
        (b"%PDF-1.7\n1 0 obj", r"ann\.conllu: this is not a text file"),
    ]
    for content, words in cases:
        with pytest.raises(FormatError, match=words):
            read_study(files(ann=content, bob=good))
    assert read_study(files(ann=latin, bob=latin), encoding="latin-1").notes == ()
    with pytest.raises(FormatError, match="expected a file, got a directory"):
        read_study([str(tmp_path), *files(bob=good)])
    with pytest.raises(FormatError, match="file not found"):
        read_study([str(tmp_path / "nothing.conllu"), *files(bob=good)])


def test_trees_of_two_kinds_are_refused(files, tmp_path):
    (tmp_path / "bob.mrg").write_text("(ROOT (S (NP (NN Rain)) (VP (VBD fell))))\n", encoding="utf-8")
    with pytest.raises(StudyError, match=r"found phrase-structure trees, but .* contains dependency trees"):
        read_study([*files(ann=sentence("Rain fell")), str(tmp_path / "bob.mrg")])


def test_folders_skip_files_that_no_format_knows_and_say_so(tmp_path):
    for coder in ("ann", "bob"):
        (tmp_path / coder).mkdir()
        (tmp_path / coder / f"one-{coder}.conll").write_text(sentence("Rain fell ."), encoding="utf-8")
        (tmp_path / coder / "notes.txt").write_text("ask about sentence 1", encoding="utf-8")
    lines = []
    study = read_study([str(tmp_path / "ann"), str(tmp_path / "bob")], dirs=True, say=lines.append)
    assert [item.id for item in study.items] == ["one/1"]
    assert sum("skipped" in line for line in lines) == 2


@pytest.mark.parametrize("text", ["who,when\nann,may\n", "who,when\nann\n"])
def test_folders_of_trees_skip_tables_and_say_so(tmp_path, text):
    for coder in ("ann", "bob"):
        (tmp_path / coder).mkdir()
        (tmp_path / coder / "x.conllu").write_text(sentence("Rain fell", name="s1"), encoding="utf-8")
    (tmp_path / "ann" / "about.csv").write_text(text, encoding="utf-8")
    said = []
    study = read_study([str(tmp_path / coder) for coder in ("ann", "bob")], dirs=True, say=said.append)
    assert study.coders == ("ann", "bob")
    assert any("about.csv: it is a table" in line for line in said)


def test_files_of_one_coder_that_number_alike_get_the_document_into_the_id(tmp_path):
    for coder in ("ann", "bob"):
        (tmp_path / coder).mkdir()
        for name in ("one", "two"):
            (tmp_path / coder / f"{name}.conllu").write_text(
                sentence(f"Rain fell {name} .", name="1"), encoding="utf-8"
            )
    study = read_study([str(tmp_path / "ann"), str(tmp_path / "bob")], dirs=True)
    assert [item.id for item in study.items] == ["one/1", "two/1"]


def test_unknown_names_get_a_suggestion(files):
    paths = files(ann=sentence("Rain fell ."), bob=sentence("Rain fell ."))
    with pytest.raises(ArbitreeError, match="Did you mean 'conllu'"):
        read_study(paths, format="conlu")
    with pytest.raises(ArbitreeError, match="Did you mean 'position'"):
        read_study(paths, match="postion")


def test_two_annotation_files_of_one_document_in_a_directory_are_refused(tmp_path):
    (tmp_path / "ann").mkdir()
    for name in ("fire.conllu", "fire-ann.conllu"):
        (tmp_path / "ann" / name).write_text("1\tGo\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    with pytest.raises(StudyError, match=r"to annotator 'ann' as document 'fire'\. Rename or remove"):
        read_study([str(tmp_path / "ann")], dirs=True)


def test_backup_files_of_editors_in_directories_are_skipped_and_counted(tmp_path):
    text = sentence("Rain fell .", name="s1")
    for coder in ("ann", "bob"):
        (tmp_path / coder).mkdir()
        (tmp_path / coder / "x.conllu").write_text(text, encoding="utf-8")
    for name in ("x.conllu~", ".#x.conllu", "#x.conllu#", "x.conllu.bak", "x.bak", "x.conllu.swp"):
        (tmp_path / "bob" / name).write_text(text, encoding="utf-8")
    said = []
    study = read_study([str(tmp_path / "ann"), str(tmp_path / "bob")], dirs=True, say=said.append)
    assert len(study.cells) == 2
    (line,) = (line for line in said if "skipped" in line)
    first = tmp_path / "bob" / "#x.conllu#"
    assert line == f"warning: skipped {first} and 4 more: a backup file of an editor"  # not the hidden one
    one = tmp_path / "bob" / "x.conllu~"
    assert read_study([f"ann={tmp_path}/ann/x.conllu", f"bob={one}"]).coders == ("ann", "bob")  # by its name
    (tmp_path / "ann" / "x.conllu").rename(tmp_path / "ann" / "x.conllu~")
    with pytest.raises(StudyError, match="the directory contains no files"):
        read_study([str(tmp_path / "ann")], dirs=True)
