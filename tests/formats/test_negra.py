"""NEGRA export format, versions 3 and 4."""

import pytest

from arbitree.errors import FormatError, Source
from arbitree.formats.negra import PLUGINS
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.reading.content import Content, Entry
from arbitree.study.flat_tree import Vocabulary
from tests.support.negra_files import FOUR, THREE

NEGRA = PLUGINS["negra"]
ROWS = ("Es\tes\tPPER\t--\tSB\t500", "regnet\tregnen\tVVFIN\t--\tHD\t500", "#500\t--\tS\t--\t--\t0")


def read(text):
    return list(NEGRA.read(Content("a.export", text.encode())))


def sentence(*rows, begin="#BOS 1", end="#EOS 1"):
    return "\n".join(["#FORMAT 4", begin, *rows, end, ""])


def written(*values, name=None):
    return "".join(NEGRA.write(Entry(value, Source("made", 3), name) for value in values))


def error(text):
    with pytest.raises(FormatError) as caught:
        read(text)
    return str(caught.value)


def refusal(*arguments, **fields):
    with pytest.raises(FormatError) as caught:
        written(PhraseTree(*arguments, **fields))
    return str(caught.value)


@pytest.mark.parametrize("text", [THREE, FOUR])
def test_a_discontinuous_sentence(text):
    entry = read(text)[0]
    tree = entry.value
    assert tree.words == ("Darüber", "hat", "Ida", "lange", "nachgedacht", ".")
    assert tree.labels[6:] == ("VROOT", "S", "VP")
    assert tree.parents == (8, 7, 7, 8, 8, 6, -1, 6, 7)
    assert tree.yields()[8] == ((0, 1), (3, 5))
    assert tree.columns["edge"] == ("OP", "HD", "SB", "MO", "HD", "--", "--", "--", "OC")
    assert tree.columns["morph"][:4] == ("--", "3.Sg", "Nom", "--")
    assert tree.columns["secedges"][2] == "SB:8"
    assert tree.columns["comment"][2] == "who is a boat"
    assert tree.comments == ("# from the harbour", "# bos = 2 1099000000 1 %% seen twice")
    assert entry.id == "7"


def test_lemmas_are_in_version_4_only():
    assert "lemma" not in read(THREE)[0].value.columns
    assert read(FOUR)[0].value.columns["lemma"][4] == "nachdenken"


def test_what_is_read_in_version_4_is_written_as_it_was():
    assert "".join(NEGRA.write(read(FOUR))) == FOUR


def test_a_sentence_of_one_word_and_one_of_none():
    assert read(FOUR)[1].value == PhraseTree(("Ahoi",), ("ITJ", "VROOT"), (1, -1))
    (entry,) = read(sentence())
    assert entry.value == PhraseTree((), (), ())
    assert written(entry.value) == "#FORMAT 4\n#BOS 1 0 0 0\n#EOS 1\n"


def test_the_first_row_tells_the_version_where_no_line_does():
    bare = THREE.partition("%% from")[2]
    assert read(f"%% from{bare}") == [
        Entry(entry.value, Source("a.export", entry.source.line - 6), entry.id) for entry in read(THREE)
    ]
    assert read(FOUR.removeprefix("#FORMAT 4\n"))[0].value == read(FOUR)[0].value


def test_sources_name_the_line_where_a_sentence_begins():
    assert [str(entry.source) for entry in read(THREE)] == ["a.export:8", "a.export:19"]


def test_the_top_node_is_left_out_whatever_it_is_called():
    for label in ("VROOT", "ROOT", "TOP", ""):
        tree = PhraseTree(("Ahoi",), ("ITJ", label, "S"), (2, -1, 1))
        assert written(tree) == written(PhraseTree(("Ahoi",), ("ITJ", "S"), (1, -1)))
    assert "#501\t--\tS" in written(PhraseTree(("Ahoi",), ("ITJ", "S", "VP"), (2, -1, 1)))


def test_rows_may_come_in_any_order_and_nodes_have_any_number():
    mixed = [ROWS[2].replace("500", "0731"), *(row.replace("500", "731") for row in ROWS[:2])]
    assert read(sentence(*mixed))[0].value == read(sentence(*ROWS))[0].value


def test_a_small_number_after_the_sign_is_a_word():
    text = sentence("#1\t--\tCARD\t--\t--\t0")
    assert read(text)[0].value.words == ("#1",)
    assert "".join(NEGRA.write(read(text))).splitlines()[2] == "#1\t--\tCARD\t--\t--\t0"


def test_percent_signs_are_words_before_the_comment():
    text = sentence("%%\t--\tX\t--\t--\t0\t%% a %% b")
    (entry,) = read(text)
    assert entry.value.words == ("%%",)
    assert entry.value.columns["comment"][0] == "a %% b"
    assert read("".join(NEGRA.write([entry])))[0].value == entry.value


def test_ids_that_are_not_numbers_are_kept_as_comments():
    tree = PhraseTree(("Ahoi",), ("ITJ", "VROOT"), (1, -1))
    text = written(tree, name="harbour-1")
    assert text.splitlines()[1:3] == ["%% sent_id = harbour-1", "#BOS 1 0 0 0"]
    (entry,) = read(text)
    assert entry.id == "harbour-1"
    assert "".join(NEGRA.write([entry])) == text
    assert read(written(tree, name="s12"))[0].id == "s12"
    assert "sent_id" not in written(tree, name="12")


def test_secondary_edges_to_the_virtual_root():
    (entry,) = read(sentence(*ROWS[:2], ROWS[2] + "\tRE\t0"))
    assert entry.value.columns["secedges"] == ("--", "--", "--", "RE:2")
    assert "".join(NEGRA.write([entry])).splitlines()[-2] == "#500\t--\tS\t--\t--\t0\tRE\t0"


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (("Es\tes\tPPER",), "a.export:3: expected 6 columns in version 4, found 3"),
        (("Es\tes\tPPER\t--\tSB\t0\tRE",), "a.export:3: expected 6 columns in version 4, found 7"),
        (("\tes\tPPER\t--\tSB\t0",), "a.export:3: expected 6 columns"),
        (("Es\tes\tPPER\t--\tSB\t0", ""), "a.export:4: expected 6 columns in version 4, found 1"),
        (("Es\tes\tPPER\t--\tSB\t50x",), "a.export:3: parent '50x' is not a number"),
        (("Es\tes\tPPER\t--\tSB\t501", ROWS[2]), "a.export:3: node '501' not found"),
        (("Es\tes\tPPER\t--\tSB\t0\tRE\t777",), "a.export:3: node '777' not found"),
        ((*ROWS, ROWS[2]), "a.export:6: 2 nodes have the name '500'. Rename one"),
        ((*ROWS, "#501\t--\tNP\t--\t--\t500"), "a.export:6: node '501' has no children"),
        ((*ROWS[:2], ROWS[2][:-1] + "500"), "a.export:5: node '500' is on a cycle of parents"),
        (
            (*ROWS[:2], "#500\t--\tS\t--\t--\t501", "#501\t--\tS\t--\t--\t500"),
            "node '500' is on a cycle of parents",
        ),
    ],
)
def test_errors_in_rows_name_the_line(rows, message):
    assert message in error(sentence(*rows))


@pytest.mark.parametrize("name", ["s12", "news-3.a", "T.1:2", "Sätze_9", "2024/05"])
@pytest.mark.parametrize("rest", ["", " 0 0 0", "\t2 1099000000 1 %% seen twice"])
def test_an_id_need_not_be_a_number(name, rest):
    (entry,) = read(sentence(*ROWS, begin=f"#BOS {name}{rest}", end=f"#EOS {name}"))
    assert entry.id == name
    assert entry.value.words == ("Es", "regnet")


def test_an_id_that_is_not_a_number_is_kept_when_written():
    (entry,) = read(sentence(*ROWS, begin="#BOS news-3.a", end="#EOS news-3.a"))
    (again,) = read("".join(NEGRA.write([entry])))
    assert (again.id, again.value.words) == ("news-3.a", ("Es", "regnet"))


def test_comments_may_stand_anywhere():
    rows = (ROWS[0], "%% checked by Ida", *ROWS[1:])
    text = sentence(*rows, end="#EOS 1 %% done").replace("#FORMAT 4", "#FORMAT 4 %% as delivered")
    (entry,) = read(text)
    assert entry.value.comments == ("# checked by Ida",)
    assert read(sentence("%%\t--\tNN\t--\t--\t0"))[0].value.words == ("%%",)


def test_an_end_without_an_id_is_an_end():
    assert read(sentence(*ROWS, begin="#BOS s1", end="#EOS"))[0].id == "s1"


def test_a_wrong_version_is_named():
    three = ["\t".join(row.split("\t")[:1] + row.split("\t")[2:]) for row in ROWS]
    assert "a.export:3: expected 6 columns in version 4, found 5. If there is no column of lemmas" in error(
        sentence(*three)
    )
    assert "expected 5 columns in version 3, found 6. If the second column contains lemmas" in error(
        sentence(*ROWS).replace("#FORMAT 4", "#FORMAT 3")
    )


def test_errors_around_sentences_name_the_line():
    assert "a.export:6: #EOS '2' does not match #BOS 1" in error(sentence(*ROWS, end="#EOS 2"))
    assert "a.export:2: the sentence that begins here has no #EOS" in error(sentence(*ROWS, end=""))
    assert "a.export:2: the sentence that begins here has no #EOS" in error(sentence(*ROWS, end="#BOS 2"))
    assert "a.export:2: 'Es" in error(sentence(ROWS[0], begin=ROWS[0]))
    assert "a.export:2: '#EOS 1' is outside a sentence" in error("#FORMAT 4\n#EOS 1\n")
    assert "a.export:2: the sentence has no id. Write a line such as #BOS 1" in error(sentence(begin="#BOS"))
    assert "a.export:6: #EOS 's2' does not match #BOS s1" in error(
        sentence(*ROWS, begin="#BOS s1", end="#EOS s2")
    )
    assert "a.export:1: unknown version '5' of the NEGRA export format" in error("#FORMAT 5\n")
    assert "a.export:1: the table that begins here has no #EOT" in error("#BOT ORIGIN\n#BOS 1\n#EOS 1\n")


def test_what_the_format_cannot_hold_is_refused():
    assert "column '' is empty" in refusal(("",), ("N", "S"), (1, -1))
    assert "column '' is empty" in refusal(("go",), ("", "S"), (1, -1))
    assert "'two words'" in refusal(("two words",), ("N", "S"), (1, -1))
    assert "made:3: the word '#500' is a mark" in refusal(("#500",), ("N", "S"), (1, -1))
    assert "the word '#EOS' is a mark" in refusal(("#EOS",), ("N", "S"), (1, -1))
    assert "contains a comment mark (%%) or a line break" in refusal(
        ("go",), ("N", "S"), (1, -1), {"comment": ("a\nb", "--")}
    )
    assert "contains a comment mark (%%) or a line break" in refusal(
        ("go",), ("N", "S"), (1, -1), {"secedges": ("%%:1", "--")}
    )
    assert "cannot represent a secondary edge to a word" in refusal(
        ("go",), ("N", "S"), (1, -1), {"secedges": ("--", "RE:0")}
    )
    assert "the comment" in refusal((), (), (), comments=("# a\n#BOS",))


def test_detection():
    for text in (THREE, FOUR, "#BOS 1\r\n", "\n#BOT ORIGIN\n"):
        assert NEGRA.sniff(Content("a", text.encode())) == 1.0
    for text in ("", "(S (N a))", "# sent_id = 1\n", "#BOSS 1\n"):
        assert NEGRA.sniff(Content("a", text.encode())) == 0.0


def test_line_ends_and_latin_letters():
    content = Content("a.export", THREE.replace("\n", "\r\n").encode("latin-1"), "latin-1")
    assert [entry.value for entry in NEGRA.read(content)] == [entry.value for entry in read(THREE)]


def test_a_tree_5000_deep_and_one_of_10000_words():
    chain = tuple(range(1, 5000))
    deep = PhraseTree(("end",), ("N", "VROOT", *("S",) * 4999), (5000, -1, *chain))
    wide = PhraseTree(("drop",) * 10000, ("N",) * 10000 + ("VROOT",), (10000,) * 10000 + (-1,))
    for tree in (deep, wide):
        (entry,) = read(written(tree))
        assert entry.value == tree
        assert len(entry.value.flatten(Vocabulary())) == len(tree.labels)
        assert len(entry.value.brackets()) == (3 if tree is deep else 10001)
