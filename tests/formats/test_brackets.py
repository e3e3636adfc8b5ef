"""Penn brackets with words and without."""

import pytest

from arbitree.errors import FormatError, Source
from arbitree.formats.brackets import PLUGINS
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.reading.content import Content, Entry
from arbitree.study.flat_tree import Vocabulary

LEXICALISED = PLUGINS["brackets"]
DELEXICALISED = PLUGINS["delexicalised"]
SNOW = "(ROOT (S (NP-SBJ-1 (DT The) (NN snow)) (VP (VBD melted) (ADVP=2 (RB slowly))) (. .)))"


def read(text, layout=LEXICALISED):
    return list(layout.read(Content("trees.ptb", text.encode())))


def tree(text, layout=LEXICALISED):
    (entry,) = read(text, layout)
    return entry.value


def written(*values, layout=LEXICALISED, name=None):
    return "".join(layout.write(Entry(value, Source("made", 3), name) for value in values))


def error(text, layout=LEXICALISED):
    with pytest.raises(FormatError) as caught:
        read(text, layout)
    return str(caught.value)


def refusal(value, layout=LEXICALISED):
    with pytest.raises(FormatError) as caught:
        written(value, layout=layout)
    return str(caught.value)


def test_terminals_come_first_and_phrases_follow_in_preorder():
    found = tree(SNOW)
    assert found.words == ("The", "snow", "melted", "slowly", ".")
    assert found.labels == ("DT", "NN", "VBD", "RB", ".", "ROOT", "S", "NP-SBJ-1", "VP", "ADVP=2")
    assert found.parents == (7, 7, 8, 9, 6, -1, 5, 6, 6, 8)


def test_one_tree_takes_one_line():
    assert written(tree(SNOW.replace(" (", "\n\t ( "))) == f"{SNOW}\n"


@pytest.mark.parametrize("text", ["( (S (NN rain)))", "((S (NN rain)))", "(\n(S\r\n(NN rain)\n)\n)"])
def test_the_empty_outer_bracket_is_a_node_without_a_label(text):
    assert tree(text) == PhraseTree(("rain",), ("NN", "", "S"), (2, -1, 1))
    assert written(tree(text)) == "( (S (NN rain)))\n"


def test_traces_and_escapes_stay_as_they_are():
    text = "(S (NP (-NONE- *T*-1)) (-LRB- -LRB-) (VB go) (# #))"
    found = tree(text)
    assert found.words == ("*T*-1", "-LRB-", "go", "#")
    assert found.tokens == ("-LRB-", "go", "#")
    assert written(found) == f"{text}\n"


def test_a_word_beside_others_has_no_tag():
    text = "(NP (DT a) warm south (NN wind))"
    words = ("a", "warm", "south", "wind")
    assert tree(text) == PhraseTree(words, ("DT", "", "", "NN", "NP"), (4, 4, 4, 4, -1))
    assert written(tree(text)) == f"{text}\n"


def test_a_bracket_with_a_label_alone_is_a_terminal_without_a_word():
    text = "(S (NP) (VP (VB rest)))"
    assert tree(text) == PhraseTree(("", "rest"), ("NP", "VB", "S", "VP"), (2, 3, -1, 2))
    assert written(tree(text)) == f"{text}\n"


def test_a_tree_may_be_one_terminal():
    assert tree("(UH Hush)") == PhraseTree(("Hush",), ("UH",), (-1,))
    assert tree("(N)") == tree("(N)", DELEXICALISED) == PhraseTree(("",), ("N",), (-1,))
    assert written(tree("(N)"), layout=DELEXICALISED) == "(N)\n"


def test_leaf_symbols_are_terminals_without_words():
    text = "(S (NP P) (VP V (NP D N)))"
    found = tree(text, DELEXICALISED)
    labels = ("P", "V", "D", "N", "S", "NP", "VP", "NP")
    assert found == PhraseTree(("",) * 4, labels, (5, 6, 7, 7, -1, 4, 4, 6))
    assert found.delexicalised
    assert written(found, layout=DELEXICALISED) == f"{text}\n"


def test_an_unlabelled_phrase_keeps_its_first_leaf_symbol():
    found = PhraseTree(("", ""), ("D", "N", ""), (2, 2, -1))
    assert written(found, layout=DELEXICALISED) == "( (D) N)\n"
    assert tree("( (D) N)", DELEXICALISED) == found


def test_words_are_left_out_of_leaf_symbols():
    assert written(tree(SNOW), layout=DELEXICALISED) == "(ROOT (S (NP-SBJ-1 DT NN) (VP VBD (ADVP=2 RB)) .))\n"


@pytest.mark.parametrize("text", ["()", "( )", "(())", "( ( ) () )"])
@pytest.mark.parametrize("layout", PLUGINS.values(), ids=PLUGINS)
def test_nothing_in_brackets_is_an_empty_tree(text, layout):
    assert tree(text, layout) == PhraseTree((), (), ())
    assert written(tree(text, layout), layout=layout) == "()\n"


def test_sources_name_the_line_where_a_tree_begins():
    entries = read("\n(A b) (C d)\r\n\n  (E\n\n (F g))\n(H i)\n")
    assert [str(entry.source) for entry in entries] == [f"trees.ptb:{line}" for line in (2, 2, 4, 7)]


def test_comments_go_with_the_next_tree():
    text = "# a remark\n# sent_id = hill-1\n(UH Oh)\n(UH Ah)\n#\n# sent_id = hill-3\n(UH Eh)\n"
    entries = read(text + "# that was all\n")
    assert [entry.id for entry in entries] == ["hill-1", None, "hill-3"]
    assert entries[0].value.comments == ("# a remark", "# sent_id = hill-1")
    assert "".join(LEXICALISED.write(entries)) == text


def test_an_id_that_no_comment_holds_is_written_as_one():
    assert written(tree("(UH Oh)"), name="hill-7") == "# sent_id = hill-7\n(UH Oh)\n"


def test_a_number_sign_inside_a_tree_is_a_word():
    assert tree("(NP\n# (CD 7))").words == ("#", "7")


def test_blanks_that_cannot_break_stay_in_words():
    assert tree("(CD 10\u00a0000)").words == ("10\u00a0000",)


def test_errors_name_the_place_and_the_way_out():
    assert error("(A b)\n(S (NP\n(C d))\n(E f)\n") == (
        "trees.ptb:2: the tree that begins here has no end. Add the missing closing brackets."
    )
    assert error("(A b)\n\n(C d))\n").startswith("trees.ptb:3: unmatched closing bracket. ")
    assert error("(A b)\nloose (C d)").startswith("trees.ptb:2: text outside brackets: 'loose (C d)'. ")
    assert error("(A b) # late\n").startswith("trees.ptb:1: text outside brackets: '# late'. ")
    assert "trees.ptb:2: the tree that begins here contains empty brackets" in error("(A b)\n(S (C d) ())")
    assert error("(A b)\n# sent_id = c\n") == (
        "trees.ptb:2: no tree after sent_id 'c'. Write () for a sentence without a tree."
    )


def test_a_discontinuous_tree_is_refused():
    found = PhraseTree(("wake", "me", "up"), ("V", "P", "R", "S", "VP"), (4, 3, 4, -1, 3))
    for layout in PLUGINS.values():
        assert refusal(found, layout) == (
            "made:3: brackets cannot represent the discontinuous phrase before word 3. "
            "Choose the format negra or tigerxml."
        )


@pytest.mark.parametrize("text", ["two words", "a(b", "a)", "tab\t", "line\nbreak"])
def test_what_would_break_the_brackets_is_refused(text):
    assert repr(text)[1:-1] in refusal(PhraseTree((text, "b"), ("A", "B", "S"), (2, 2, -1)))
    assert repr(text)[1:-1] in refusal(PhraseTree(("a", "b"), ("A", "B", text), (2, 2, -1)), DELEXICALISED)


def test_a_word_that_would_be_taken_for_a_label_is_refused():
    assert "'go'" in refusal(PhraseTree(("go",), ("",), (-1,)))
    assert "'go'" in refusal(PhraseTree(("go",), ("", "VP"), (1, -1)))
    assert "'go'" in refusal(PhraseTree(("go", "on"), ("", "RP", ""), (2, 2, -1)))
    assert "terminal 1" in refusal(PhraseTree(("",), ("", "VP"), (1, -1)))
    assert "terminal 1" in refusal(PhraseTree(("go",), ("", "VP"), (1, -1)), DELEXICALISED)


def test_a_comment_that_is_not_one_line_is_refused():
    assert "comment" in refusal(PhraseTree((), (), (), comments=("# one\n(two",)))
    assert "comment" in refusal(PhraseTree((), (), (), comments=("one",)))


@pytest.mark.parametrize(
    ("text", "words", "symbols"),
    [
        ("", 0.0, 0.0),
        ("# only\n", 0.0, 0.0),
        ("1\tGo\t_", 0.0, 0.0),
        ("\n# x y z\n(S (NP P) (VP V (NP D N)))", 0.3, 1.0),
        ("(S (NP P) (VP V))", 0.6, 0.5),
        (SNOW, 0.8, 0.3),
        ("# a b c d e f g\n" + SNOW + "\n# h i j k l m n\n" + SNOW, 0.8, 0.3),
        ("(S (NP PN) (VP ZÉ))", 0.95, 0.0),
        ("(S (A -LRB-) (B C) (D E))", 0.95, 0.0),
        ("(S (-NONE- T) (B C) (D E))", 0.95, 0.0),
        ("(((", 0.6, 0.3),
        (")", 0.0, 0.0),
    ],
)
def test_detection(text, words, symbols):
    content = Content("trees", text.encode())
    assert (LEXICALISED.sniff(content), DELEXICALISED.sniff(content)) == (words, symbols)


def test_a_tree_that_could_be_either_is_read_like_the_rest_of_its_study():
    """Leaf symbols of grammars are often in lower case, and a small tree may have each alone in a bracket."""
    from arbitree.reading.detection import detect

    alone = Content("a", b"(sb-hd_c (n_sg n_-_le) (v_pst v_-_le))")
    telling = Content("b", b"(sb-hd_c n_-_le (hd-cmp_c v_-_le n_-_le))")
    assert detect([alone]) == ["brackets"]
    assert detect([alone, telling]) == ["delexicalised", "delexicalised"]


def test_detection_forgives_a_tree_that_is_cut_short():
    content = Content("trees", ("(A B) " * 12000).encode()[:65533] + b"(A BCD")
    assert LEXICALISED.sniff(content) == 0.6


def test_a_tree_5000_deep_and_one_of_10000_words():
    deep = "(S " * 5000 + "(NN end)" + " (RB on))" * 5000
    wide = "(S " + " ".join(["(NN drop)"] * 10000) + ")"
    for text in (deep, wide):
        found = tree(text)
        assert written(found) == f"{text}\n"
        assert len(found.flatten(Vocabulary())) == len(found.labels)
        assert len(found.brackets()) == 10001
    shallow = "(S " * 5000 + "N" + " A)" * 5000
    assert written(tree(shallow, DELEXICALISED), layout=DELEXICALISED) == f"{shallow}\n"


def test_long_runs_in_a_broken_file_end_in_an_error():
    """Steps that grow with the square of the text would not come back from this."""
    text = "(S (NN drop)\n(VB falls))\n" * 40000 + "(" + " " * 200000 + "S" * 200000 + " " * 200000
    assert error(text).startswith("trees.ptb:80001: ")


def test_real_trees_come_back_as_they_were_and_equal_those_of_nltk(data):
    nltk = pytest.importorskip("nltk")
    paths = sorted((data / "gum-two-versions" / "early").glob("*.ptb"))
    assert len(paths) == 99
    for path in paths:
        text = path.read_text(encoding="utf-8")
        entries = read(text)
        assert "".join(LEXICALISED.write(entries)).split() == text.split()
        lines = filter(None, text.split("\n"))
        for entry, line in zip(entries, lines, strict=True):
            theirs = nltk.Tree.fromstring(line)
            assert entry.value.words == tuple(theirs.leaves())
            assert written(entry.value).split() == str(theirs).split()
