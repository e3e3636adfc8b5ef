"""Labels, what is no word, head tables, words that differ, odd trees."""

import pytest

import arbitree as at
from arbitree.errors import FormatError, StudyError, UnknownName
from arbitree.kinds.phrase.constructions.head_tables import head_table, parse, shipped
from arbitree.kinds.phrase.constructions.normalisation import Normaliser, split
from arbitree.kinds.phrase.constructions.options import PhraseOptions
from arbitree.reading.assembly import read_study
from arbitree.study.comparable import common_subsequence, shared_positions
from tests.support.build import study_of
from tests.support.constructions.build import derivation, elementary_trees, found, reports, spans, tree


def normal(text, *, historical=False, **settings):
    return Normaliser(PhraseOptions(**settings), historical, lemmas=historical).normal(tree(text)).brackets()


@pytest.mark.parametrize(
    ("label", "cat", "tags"),
    [
        ("NP-SBJ-1", "NP", {"SBJ"}),
        ("NP=2", "NP", set()),
        ("PP-LOC-CLR", "PP", {"LOC", "CLR"}),
        ("-LRB-", "-LRB-", set()),
        ("ADVP|PRT", "ADVP", set()),
        ("", "", set()),
        ("S1", "S1", set()),
    ],
)
def test_labels_are_split_into_category_and_tags(label, cat, tags):
    assert split(label) == (cat, tags)


@pytest.mark.parametrize(
    ("text", "settings", "expected"),
    [
        ("( (S (NP (NN b))))", {}, "(S (NP (NN b)))"),
        ("(ROOT (S (NP (NN b))))", {"strip_root": False}, "(ROOT (S (NP (NN b))))"),
        ("(ROOT (NN b))", {}, "(NN b)"),
        ("(ROOT (NN b) (NN c))", {}, "(ROOT (NN b) (NN c))"),
        ("(NP (NP-SBJ (NP-1 (NN b))))", {}, "(NP-SBJ (NN b))"),
        ("(NP (NP (NN b)))", {"unary": "keep"}, "(NP (NP (NN b)))"),
        ("(S (NP (-NONE- *T*-1)) (VP (VB b)))", {}, "(S (VP (VB b)))"),
        ("(S (NP (-NONE- *T*-1)) (VP (VB b)))", {"empties": "keep"}, "(S (NP (-NONE- *T*)) (VP (VB b)))"),
        ("(NP-SBJ-2 (NN b))", {"indices": "keep"}, "(NP-2-SBJ (NN b))"),
        ("(NP (NN-TL b))", {"split_pos": True}, "(NP (NN-TL b))"),
        ("(NP (NN b) (, ,))", {"punctuation": "remove"}, "(NP (NN b))"),
        ("(S (NP (-NONE- *)))", {}, ""),
    ],
)
def test_switches_of_normalisation(text, settings, expected):
    assert normal(text, **settings) == expected


def test_penn_historical_trees_lose_codes_ids_and_lemmas():
    text = (
        "( (CODE <P_12>) (IP-MAT-SPE (NP-SBJ (PRO he-he)) (VBD seyde-say)"
        " (NP-OB1 (D a-a) (N well-being-well-being)) (CP-THT (C 0)))(ID X,1))"
    )
    assert normal(text, historical=True) == (
        "(IP-MAT-SPE (NP-SBJ (PRO he)) (VBD seyde) (NP-OB1 (D a) (N well-being)))"
    )
    value = tree(text)
    findings = at.explain(study_of({"s": {"a": value}}))
    assert findings.settings["style"] == "historical"
    assert findings.settings["heads"] == "historical"
    assert any("2 CODE and ID nodes" in note for note in findings.notes)
    assert any("read as the lemma" in note for note in findings.notes)
    assert at.explain(study_of({"s": {"a": value}}), style="penn").settings["heads"] == "english"


def test_hyphens_stay_where_words_have_no_lemmas():
    text = "(IP-MAT (NP-SBJ (D the) (ADJ well-known) (N man)) (VBD spoke))"
    other = text.replace("(ADJ well-known)", "(ADJP (ADJ well-known))")
    (only,) = at.explain(study_of({"s": {"a": tree(text), "b": tree(other)}})).types
    assert only.nuclei[0].words == "well-known"


@pytest.mark.parametrize(
    ("cat", "children", "head"),
    [
        ("NP", ("DT", "JJ", "NN", "NN"), 3),
        ("NP", ("NP", "PP"), 0),
        ("NP", ("NP", ",", "NP", ","), 0),
        ("PP", ("ADVP", "IN", "NP"), 1),
        ("S", ("NP", "VP", "."), 1),
        ("PRN", ("-LRB-", "NP", "-RRB-"), 1),
        ("VP", ("VP", "CC", "VP"), 0),
        ("ADJP", ("RB", "JJ"), 1),
        ("SBAR", ("IN", "S"), 0),
        ("FRAG", ("NP", "PP", "."), 1),
    ],
)
def test_english_heads(cat, children, head):
    assert head_table("english").head(cat, children) == head


def test_the_head_after_a_conjunction_moves_before_it():
    """The last noun of a coordination is not its head: 'cats and dogs' is headed by 'cats'."""
    assert head_table("english").head("NP", ("NNS", "CC", "NNS")) == 0
    assert head_table("english").head("NP", ("NNS", ",", "CC", "NNS")) == 0


def test_tables_without_rules_take_one_side_but_not_punctuation():
    assert head_table("leftmost").head("NP", (",", "A", "B")) == 1
    assert head_table("rightmost").head("NP", ("A", "B", ".")) == 1
    assert head_table("rightmost").head("NP", (".", ".")) == 1


def test_marked_heads_win():
    (row,) = (
        each
        for each in elementary_trees(derivation("(NP (JJ-HD a) (NN b))", split_pos=True))
        if each["gov"] is None
    )
    assert row["form"] == "a"


def test_head_tables_from_files_and_their_faults(tmp_path):
    path = tmp_path / "mine.heads"
    path.write_text("# mine\nNP left DT\nWHNP like NP\n", encoding="utf-8")
    assert head_table(str(path)).head("WHNP", ("JJ", "DT", "NN")) == 1
    assert found("(NP (DT a) (NN b))", "(NP (DT a) (NNP b))", heads=str(path)).settings["heads"] == "mine"
    with pytest.raises(FormatError, match=r"mine:2: not a head rule: 'NP sideways DT'"):
        parse("\nNP sideways DT\n", "mine")
    with pytest.raises(FormatError, match="XP is declared like YP, which has no rules"):
        parse("XP like YP\nNP left NN\n", "mine", "mine.heads")
    with pytest.raises(FormatError, match="no head rules in this file"):
        parse("# nothing\n", "mine")
    with pytest.raises(UnknownName, match="unknown head table 'nope', and no such file"):
        head_table("nope")
    assert {"english", "german", "historical", "leftmost", "rightmost"} <= set(shipped())
    for name in shipped():
        assert head_table(name).name == name


def test_categories_without_a_rule_are_said_once():
    findings = found("(ZP (AA a) (BB b))", "(ZP (YP (AA a) (BB b)))")
    (note,) = (note for note in findings.notes if "no rule for" in note)
    assert note.startswith("the head table 'english' has no rule for YP, ZP; Arbitree uses their first child")


def test_sentences_whose_words_differ_are_skipped_refused_or_aligned():
    ours = "(S (NP (DT a) (ADJP (JJ b) (JJ c)) (NN d)) (VP (VBD e)))"
    theirs = "(S (NP (DT a) (JJ b) (JJ c) (NN d)) (VP (VBD went)))"
    skipped = found(ours, theirs)
    assert not skipped.types
    assert [(each.reason, each.detail) for each in skipped.ignored] == [
        ("words_differ", "word 5 is 'e' for a and 'went' for b")
    ]
    assert skipped.items == 0
    with pytest.raises(StudyError, match="word 5 is 'e' for a and 'went' for b"):
        found(ours, theirs, mismatch="error")
    aligned = found(ours, theirs, mismatch="align")
    assert reports(aligned) == [((1, 3), "structural", "internal", (0, 1), (0, 1))]
    assert aligned.items == 1
    assert aligned.ignored[0].reason == "words_aligned"


def test_aligned_words_may_stand_at_different_places():
    ours = "(S (INTJ (UH oh)) (NP (DT a) (ADJP (JJ b) (JJ c)) (NN d)))"
    theirs = "(S (NP (DT a) (JJ b) (JJ c) (NN d)))"
    (only,) = found(ours, theirs, mismatch="align").types
    assert [place.span for place in only.nuclei[0].places] in ([(2, 4), (1, 3)], [(1, 3), (2, 4)])
    assert only.nuclei[0].words == "b c"
    assert only.occurrences == 1


def test_shared_positions_are_what_all_versions_share():
    assert common_subsequence("abcd", "xbcy") == [(1, 1), (2, 2)]
    assert shared_positions(["abcdef", "abcxef", "bcdef"]) == [(1, 2, 4, 5), (1, 2, 4, 5), (0, 1, 3, 4)]
    assert shared_positions(["abc", "xyz"]) == [(), ()]


def test_empty_trees_and_lone_annotations_are_counted():
    rows = {
        "s": {"a": tree("(NP (NN x))"), "b": tree("()")},
        "t": {"a": tree("(NP (NN x))")},
        "u": {"a": tree("(S (NP (-NONE- *)))"), "b": tree("(NP (NN x))")},
    }
    findings = at.explain(study_of(rows))
    assert [(each.item, each.reason) for each in findings.ignored] == [
        ("s", "empty_tree"), ("t", "single_annotation"), ("u", "empty_tree"),
    ]  # fmt: skip
    assert (findings.items, findings.tokens, findings.per_thousand) == (0, 0, None)


def test_chains_of_one_label_and_very_deep_trees():
    assert not found("(NP (NP (NP (NN b))))", "(NP (NN b))").types
    deep = "(X " * 3000 + "(NN b)" + ")" * 3000
    other = "(X (Y " * 1500 + "(NN b)" + "))" * 1500
    assert spans(found(deep, other)) == [(0, 1)]


def test_a_sentence_of_a_thousand_words():
    words = " ".join(f"(NN w{number})" for number in range(1000))
    assert spans(found(f"(S (NP {words}) (VP (VB go)))", f"(S (QP {words}) (VP (VB go)))")) == [(0, 1000)]


def test_discontinuous_trees_are_compared_and_said(tmp_path):
    text = (
        "#BOS 1\nwake\tV\t--\tHD\t500\nher\tP\t--\tOA\t501\nup\tR\t--\tPT\t500\n"
        "#500\tVP\t--\tHD\t501\n#501\tS\t--\t--\t0\n#EOS 1\n"
    )
    for name, change in (("a", ("VP", "VP")), ("b", ("VP", "VX"))):
        (tmp_path / f"{name}.export").write_text(text.replace(*change), encoding="utf-8")
    study = read_study([str(tmp_path / "a.export"), str(tmp_path / "b.export")])
    findings = at.explain(study, heads="german")
    assert spans(findings) == [(0, 3)]
    assert findings.types[0].nuclei[0].changes[0].positions == (0, 2)
    assert not findings.notes
    off = at.explain(study, heads="german", external="off")
    assert spans(off) == [(0, 3)]
    assert any("2 trees have discontinuous phrases" in note for note in off.notes)


def test_leaf_symbols_serve_as_words():
    from tests.support.build import phrase

    rows = {"s": {"a": phrase("(NP DT (AP JJ JJ) NN)"), "b": phrase("(NP DT JJ JJ NN)")}}
    (only,) = at.explain(study_of(rows)).types
    assert only.nuclei[0].words == "JJ JJ"
