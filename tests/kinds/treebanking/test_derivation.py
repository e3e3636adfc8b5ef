"""Discriminants scored by the accepted derivations: worked examples, lost rows, other tokens."""

import itertools
import random
import re

import pytest

import arbitree as at
from arbitree.errors import FormatError
from arbitree.kinds.treebanking.derivation import Lexicon, derivation_of
from arbitree.kinds.treebanking.value import CONSTITUENT, DEPENDENCY, TWIG, TYPE
from arbitree.reading.assembly import read_study
from tests.support.derivations import CLAUSE, COMPOUND, FIRST, SECOND, TEXT
from tests.support.profiles import ATTACHED, SPLIT, forest, small


def pair(folder, first, second, **options):
    """Two full-forest profiles of the sentences of each."""
    return read_study([forest(folder, "ann", first), forest(folder, "bob", second)], **options)


def kappa(study, mode="auto", **more):
    settings = ",".join(f"{key}={value}" for key, value in ({"mode": mode} | more).items())
    return at.evaluate(study, f"y_option_kappa:{settings}", resamples=0)


def test_a_discriminant_has_the_value_that_it_has_in_the_derivation(tmp_path):
    """By hand: the two chains over 0-3 exclude each other and are one discriminant, which differs. So do the
    chain over 1-2, HD-CMP, and the type of the second word, which is a verb for ann. N_PL was recorded for
    ann alone and holds for both. 1 of 5 agree: A_o is 0.2 and K_Y -0.6.
    """
    study = pair(tmp_path, [(TEXT, CLAUSE, FIRST)], [(TEXT, COMPOUND, SECOND)])
    found = kappa(study)
    (row,) = found.per_item.records()
    assert (row["mode"], row["options"], row["equal"], row["value"]) == (
        "derivation",
        5,
        1,
        pytest.approx(-0.6),
    )
    assert not row["same_tree"]
    again = kappa(pair(tmp_path / "x", [(TEXT, COMPOUND, SECOND)], [(TEXT, CLAUSE, FIRST)]))
    assert again.value == found.value


@pytest.mark.parametrize("seed", range(4))
def test_equal_trees_agree_whatever_rows_are_lost(tmp_path, seed):
    """Before, the discriminants of one annotator counted as differences."""
    rng = random.Random(seed)
    whole = [(TEXT, CLAUSE, FIRST), (TEXT, COMPOUND, SECOND)] * 3
    thin = [(text, tree, [row for row in rows if rng.random() > 0.5]) for text, tree, rows in whole]
    thin[0] = (*whole[0][:2], [])  # all rows lost on one side, and below on both
    bare = [(TEXT, CLAUSE, [])]
    found = kappa(pair(tmp_path, whole + bare, thin + bare))
    assert (found.value, found.items_used, found.details["same_tree"]) == (1, 7, 7)
    assert kappa(pair(tmp_path / "n", whole, thin), "neighbourhood").value < 1


def test_different_trees_never_agree_fully_whatever_rows_are_lost(tmp_path):
    """If no row that is left distinguishes the trees, the choice of the tree itself is one that does."""
    for number, (ours, theirs) in enumerate(itertools.product((FIRST, FIRST[3:], []), (SECOND, []))):
        found = kappa(pair(tmp_path / str(number), [(TEXT, CLAUSE, ours)], [(TEXT, COMPOUND, theirs)]))
        options, equal = (found.per_item.records()[0][key] for key in ("options", "equal"))
        assert equal < options, (ours, theirs)
    assert (options, equal) == (1, 0)


@pytest.mark.parametrize(
    "root", ["(root_inffrag (0 sb-hd", "(root (9 root_inffrag 0 0 3 (0 sb-hd", "(0 sb-hd"]
)
def test_the_same_derivation_under_another_root_is_the_same_tree(tmp_path, root):
    informal = CLAUSE.replace("(root_strict (0 sb-hd", root)
    informal += ")" * (informal.count("(") - informal.count(")"))
    informal = informal[: len(informal) - max(0, informal.count(")") - informal.count("("))]
    study = pair(tmp_path, [(TEXT, CLAUSE, FIRST)], [(TEXT, informal, FIRST)])
    found = kappa(study)
    assert (found.value, found.details["same_tree"]) == (1, 1)
    assert not at.tsdb(str(tmp_path / "ann"), str(tmp_path / "bob"), resamples=0).comparisons[0].divergences


def test_a_rejected_sentence_keeps_recorded_values_and_estimates(tmp_path):
    """FFTB deletes what was decided on a rejected sentence: the four rows of ann are estimated (5.6)."""
    agreed = (TEXT, CLAUSE, FIRST)
    study = pair(tmp_path, [agreed, agreed], [agreed, (TEXT, "", [])])
    rows = kappa(study).per_item.records()
    assert [(row["subset"], row["options"], row["unique"]) for row in rows] == [
        ("both", 4, 0),
        ("rejected", 4, 4),
    ]
    assert [row["estimated"] for row in rows] == [0, 4]


def test_a_recorded_value_that_the_tree_contradicts_is_named(tmp_path):
    stale = [*FIRST, (2, CONSTITUENT, "SB-HD", 0, 3)]
    found = kappa(pair(tmp_path, [(TEXT, CLAUSE, stale)], [(TEXT, CLAUSE, FIRST)]))
    assert found.value == 1
    assert (
        "decisions of ann and bob that contradict the accepted parse, which counts instead: 1" in found.notes
    )


def test_node_labels_and_dependencies_keep_their_recorded_values(tmp_path):
    """A derivation does not contain them; what only one annotator recorded is then unknown."""
    ours = [(1, CONSTITUENT, "S", 0, 3), (1, DEPENDENCY, "_chase_v_1 ARG1 _cat_n_1", 0, 0), *FIRST]
    theirs = [(2, CONSTITUENT, "S", 0, 3), *SECOND]
    (row,) = kappa(pair(tmp_path, [(TEXT, CLAUSE, ours)], [(TEXT, COMPOUND, theirs)])).per_item.records()
    assert (row["options"], row["equal"], row["unique"]) == (6, 1, 1)


def test_auto_names_the_mode_and_why(tmp_path):
    study = pair(tmp_path, [(TEXT, CLAUSE, FIRST)], [(TEXT, CLAUSE, [])])
    found = kappa(study)
    assert found.details["mode"] == "derivation"
    assert "full-forest profiles" in found.details["mode_reason"]
    assert "mode=derivation" in found.signature
    assert "|chosen:mode|" in found.signature
    assert found.details["options"]["mode"] == "auto"
    for mode in ("derivation", "discriminant", "neighbourhood"):
        given = kappa(study, mode)
        assert (given.details["mode"], given.details["mode_reason"]) == (mode, "")
        assert f"mode={mode}" in given.signature
        assert "|chosen:" not in given.signature


def test_without_derivations_gaps_in_the_records_are_named(tmp_path):
    """The second profile of LOGON's kind records one of three discriminants for the same parse."""
    row = "11@1@1@6@_sing_v_1 ARG1 _bird_n_1@@0@0@"
    one, two = small(tmp_path / "a"), small(tmp_path / "b", name="bob", preference=["11@1@2"], decision=[row])
    study = read_study([one, two])
    found = kappa(study)
    assert found.details["mode"] == "neighbourhood"
    assert any("only 33% of the recorded discriminants are recorded for both" in note for note in found.notes)
    tree = '(root (1 subj-head 0 0 2 (2 bird_n 0 0 1 ("birds")) (3 sing_v 0 1 2 ("sing"))))'
    (tmp_path / "a" / "ann" / "result").write_text(f"11@2@{tree}@\n", encoding="utf-8")
    (tmp_path / "b" / "bob" / "result").write_text(f"11@2@{tree}@\n", encoding="utf-8")
    found = kappa(read_study([one, two]))
    assert (found.details["mode"], found.details["both_accepted_only"]) == ("derivation", 1)
    assert not any("recorded for both" in note for note in found.notes)


def test_a_sentence_without_its_derivation(tmp_path):
    unread = "(root (0 broken"
    ours, theirs = [(TEXT, CLAUSE, FIRST)] * 2, [(TEXT, CLAUSE, FIRST), (TEXT, unread, FIRST)]
    study = pair(tmp_path, ours, theirs)
    found = kappa(study)
    assert [row["mode"] for row in found.per_item.records()] == ["derivation", "neighbourhood"]
    assert any("because an accepted parse is not stored: 1; first: '2'" in note for note in found.notes)
    given = kappa(study, "derivation")
    assert (given.items_used, [each.reason for each in given.ignored]) == (1, ["no_derivation"])


def test_all_annotators_at_once(tmp_path):
    """By hand: cho recorded nothing, but accepted the tree of ann. Of six discriminants, ann and cho agree on
    all, and bob with both on N_PL only: A_o is (5 * 1/3 + 1) / 6.
    """
    sides = {"ann": (CLAUSE, FIRST), "bob": (COMPOUND, SECOND), "cho": (CLAUSE, [])}
    paths = [forest(tmp_path, name, [(TEXT, tree, rows)]) for name, (tree, rows) in sides.items()]
    found = at.evaluate(read_study(paths), "y_option_kappa:several=fleiss", resamples=0)
    assert found.value == pytest.approx(2 * (5 / 3 + 1) / 6 - 1)


def test_derivations_that_cannot_be_read_are_refused():
    for text in ("", "(", "(0 a", "birds", "(root (1 a 0 0 1 (2 b 0 0"):
        with pytest.raises(FormatError, match="cannot read a derivation"):
            derivation_of(text)


def test_lexical_types_of_extended_derivations():
    """The notation UDX has the type of an entry behind @."""
    tree = derivation_of('(root (1 n_pl 0 0 1 (2 bird_n1@n_-_c_le 0 0 1 ("birds"))))')
    found = Lexicon({**tree.types}, frozenset())
    assert found.holds(tree, (TYPE, "n_-_c_le", 0, 1))
    assert found.holds(tree, (TWIG, "n_pl@n_-_c_le", 0, 1))
    assert found.holds(tree, (TWIG, "n_sg@n_-_c_le", 0, 1)) is False


@pytest.mark.parametrize("profile", ["erg/2025/fracas", "erg/2025/mrs", "erg/2025/esd", "jacy/tsdb/gold/mrs"])
def test_real_decisions_hold_of_their_own_derivations(data, profile):
    """Every discriminant that was set to yes holds, and none that was set to no."""
    folder = data / "tsdb" / profile
    if not folder.exists():
        pytest.skip("these profiles are not among the data")
    study = read_study([f"ann={folder}", f"bob={folder}"])
    found = kappa(study, "derivation")
    assert found.value == 1
    assert not any("contradict" in note for note in found.notes)


OURS = [(1, CONSTITUENT, "SB-HD", 0, 2), (1, CONSTITUENT, "N_PL", 0, 1), (4, CONSTITUENT, "NP-FRG", 0, 2)]
THEIRS = [(1, CONSTITUENT, "SB-HD", 0, 3), (1, CONSTITUENT, "HD-PCT", 1, 3)]
BARE = re.compile(r' \d+ "token [^]]*]"')


@pytest.mark.parametrize("positions", ["derivation", "text"])
def test_other_tokens_are_aligned_by_characters(tmp_path, positions):
    """By hand: SB-HD covers characters 0-10 for both, punctuation aside. N_PL, recorded for ann, holds for
    both over 0-5, and NP-FRG for neither. HD-PCT over 6-10 holds for bob alone. 3 of 4 agree: K_Y is 0.5.
    """
    trees = (
        [ATTACHED, SPLIT] if positions == "derivation" else [BARE.sub("", each) for each in (ATTACHED, SPLIT)]
    )
    study = pair(tmp_path, [("Birds sing.", trees[0], OURS)], [("Birds sing.", trees[1], THEIRS)])
    found = kappa(study)
    (row,) = found.per_item.records()
    assert (row["options"], row["equal"], row["value"]) == (4, 3, pytest.approx(0.5))
    assert not row["same_tree"]
    assert "use different tokens in 1 of 1 sentences" in found.details["caution"]
    assert "Aligned by characters: 1." in found.details["caution"]


def test_tokens_of_the_parser_place_what_the_tree_does_not_have(tmp_path):
    """A rule over the first half of a compound was ruled out, and the tree has no word that ends there. It
    holds for neither, and the choice of the tree is what differs: 1 of 2 agree.
    """
    tree = '(root (0 n_pl 0 0 2 (0 ice_bear_n1 0 0 2 ("ice bears"))))'
    other = '(root (0 n-n 0 0 3 (0 ice_n1 0 0 1 ("ice")) (0 b 0 1 2 ("bear")) (0 s 0 2 3 ("s"))))'
    tokens = '(1, 0, 1, <0:3>, 1, "ice", 0, "null") (2, 1, 2, <4:9>, 1, "bears", 0, "null")'
    paths = [
        forest(tmp_path, "ann", [("Ice bears", tree, [(4, CONSTITUENT, "N-FRG", 0, 1)])], tokens=[tokens]),
        forest(tmp_path, "bob", [("Ice bears", other, [])]),
    ]
    (row,) = kappa(read_study(paths)).per_item.records()
    assert (row["options"], row["equal"]) == (2, 1)


def test_tokens_that_cannot_be_aligned_are_excluded(tmp_path):
    unknown = BARE.sub("", SPLIT).replace('"sing"', '"vocalise"')
    agreed = ("Birds sing.", ATTACHED, OURS)
    study = pair(tmp_path, [agreed, agreed], [agreed, ("Birds sing.", unknown, THEIRS)])
    found = kappa(study)
    assert [(each.item, each.reason) for each in found.ignored] == [("2", "tokens_not_aligned")]
    assert "Not aligned, and excluded: 1." in found.details["caution"]
    assert found.value == 1


def test_few_sentences_with_other_tokens_are_noted_only(tmp_path):
    same = ("Birds sing.", ATTACHED, OURS)
    study = pair(tmp_path, [same] * 11, [same] * 10 + [("Birds sing.", SPLIT, THEIRS)])
    found = kappa(study)
    assert found.details["caution"] == ""
    assert "sentences of ann and bob with different tokens, aligned by characters: 1" in found.notes


def test_without_derivations_the_tokens_of_the_parsers_show_that_grammars_differ(tmp_path):
    tokens = {
        "ann": '(1, 0, 1, <0:5>, 1, "Birds", 0, "null") (2, 1, 2, <6:11>, 1, "sing.", 0, "null")',
        "bob": '(1, 0, 1, <0:5>, 1, "Birds", 0, "null") (2, 1, 2, <6:10>, 1, "sing", 0, "null") '
        '(3, 2, 3, <10:11>, 1, ".", 0, "null")',
    }
    paths = []
    for name, rows in (("ann", OURS), ("bob", THEIRS)):
        sentences = [("Birds sing.", ATTACHED, rows)]
        paths.append(forest(tmp_path, name, sentences, tokens=[tokens[name]], grammar=f"Toy of {name}"))
        (tmp_path / name / "result").write_text("", encoding="utf-8")
    found = kappa(read_study(paths))
    assert (found.value, [each.reason for each in found.ignored]) == (None, ["tokens_not_aligned"])
    assert "Not aligned, and excluded: 1." in found.details["caution"]
