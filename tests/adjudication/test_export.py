"""Files of what was decided, read back together with the coders' own."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree import kinds, plugins
from arbitree.adjudication import export, whole
from arbitree.adjudication.export import Gold
from arbitree.errors import UnsupportedStudy
from arbitree.kinds.labels.value import Label, Tags
from arbitree.reading.assembly import read_study
from arbitree.reading.content import Content
from tests.support.build import dep, random_dep, study_of
from tests.support.profiles import decisions

ANN = """\
# newdoc id = letters
# sent_id = s1
# text = Birds sing
1	Birds	bird	NOUN	_	_	2	nsubj	_	_
2	sing	sing	VERB	_	_	0	root	_	SpaceAfter=No

# sent_id = s2
1	Rain	rain	NOUN	_	_	2	nsubj	_	_
2	fell	fall	VERB	_	_	0	root	_	_

# sent_id = s3
1	Go	go	VERB	_	_	0	root	_	_

"""
BOB = ANN.replace(
    "1	Rain	rain	NOUN	_	_	2	nsubj", "1	Rain	rain	PROPN	_	_	2	obj"
)
BARE = "".join(f"{line}\n" for line in ANN.splitlines() if not line.startswith("#"))


def exported(study, *args, **options):
    return export.exported(study, kinds.of(study), *args, **options)


def sheet_of(study, item):
    return whole.sheet_of(study, item, kinds.of(study))


@pytest.fixture
def coders(tmp_path):
    """Write the files of two coders and return the function that reads them, and more."""

    def write(ann, bob, ending="conllu"):
        paths = []
        for name, text in (("ann", ann), ("bob", bob)):
            path = tmp_path / f"{name}.{ending}"
            path.write_text(text, encoding="utf-8")
            paths.append(f"{name}={path}")
        return paths

    return write


def with_gold(paths, text, tmp_path, ending="conllu"):
    path = tmp_path / f"out.{ending}"
    path.write_text(text, encoding="utf-8")
    return read_study([*paths, f"gold={path}"])


def golds_of(study, decided, people=("Ann Lee",)):
    found = {}
    for item in study.items:
        value = sheet_of(study, item).gold(decided.get(item.id, {}))
        if value is not None:
            found[item.id] = Gold(value, people if item.id in decided else ())
    return found


def test_decided_sentences_meet_those_of_the_coders_by_id(coders, tmp_path):
    paths = coders(ANN, BOB)
    study = read_study(paths)
    golds = golds_of(study, {"s2": {"1 label": "nsubj", "1 upos": "PROPN"}})
    text = exported(study, golds, "conllu")
    assert "# sent_id = s2\n# adjudicated_by = Ann Lee\n1\tRain\train\tPROPN\t_\t_\t2\tnsubj" in text
    assert "# text = Birds sing\n# agreed_by = ann, bob\n" in text
    both = with_gold(paths, text, tmp_path)
    assert [item.id for item in both.items] == ["s1", "s2", "s3"]
    assert both.cells["s2", "gold"].value.columns["upos"] == ("PROPN", "VERB")
    assert both.cells["s1", "gold"].value.columns == study.cells["s1", "ann"].value.columns


def test_undecided_sentences_are_left_out_where_ids_tell_the_others(coders, tmp_path):
    paths = coders(ANN, BOB)
    study = read_study(paths)
    both = with_gold(paths, exported(study, golds_of(study, {}), "conllu"), tmp_path)
    assert [item.id for item, cells in both if len(cells) == 3] == ["s1", "s3"]


@pytest.mark.parametrize(("format", "ending"), [("conllu", "conllu"), ("conllx", "conll")])
def test_undecided_sentences_keep_their_place_where_there_are_no_ids(coders, tmp_path, format, ending):
    paths = coders(BARE, BARE.replace("nsubj", "obj", 2).replace("obj", "nsubj", 1), ending)
    study = read_study(paths, format=format)
    golds = golds_of(study, {})
    assert set(golds) == {"text/1", "text/3"}
    out = tmp_path / f"out.{ending}"
    out.write_text(exported(study, golds, format), encoding="utf-8")
    both = read_study([*paths, f"gold={out}"], format=format, match="position")
    cells = {item.id: both.cells[item.id, "gold"].value for item in both.items}
    assert [len(tree) for tree in cells.values()] == [2, 0, 1]
    assert cells["text/3"].tokens == ("Go",)


def test_complete_conllx_is_told_from_conllu(coders, tmp_path):
    paths = coders(BARE, BARE, "conll")
    study = read_study(paths, format="conllx")
    text = exported(study, golds_of(study, {}), "conllx")
    assert "sent_id" not in text
    path = tmp_path / "out.conll"
    path.write_text(text, encoding="utf-8")
    again = read_study([*paths, f"gold={path}"], format="conllx")
    assert again.cells["text/1", "gold"].value.columns == study.cells["text/1", "ann"].value.columns


def test_ids_that_two_documents_share_become_those_of_the_items():
    trees = {name: replace(dep((0,)), comments=("# sent_id = 1",)) for name in ("a/1", "b/1")}
    study = study_of({name: {"ann": tree, "bob": tree} for name, tree in trees.items()})
    text = exported(study, {name: Gold(tree, ()) for name, tree in trees.items()}, "conllu")
    assert text.count("# sent_id = ") == 2
    assert "# sent_id = a/1\n" in text
    assert "# sent_id = b/1\n" in text


def test_names_of_people_cannot_break_the_file():
    study = study_of({"s1": {"ann": dep((0,)), "bob": dep((0,))}})
    gold = Gold(dep((0,)), ("Eve\n1\tx\x00", "Ann\u2028Lee"))
    (entry,) = plugins.get("formats", "conllu").read(
        Content("out", exported(study, {"s1": gold}, "conllu").encode())
    )
    assert entry.value.comments == ("# sent_id = s1", "# adjudicated_by = Eve 1 x, Ann Lee")


def test_an_earlier_adjudication_is_not_named_again():
    tree = replace(dep((0,)), comments=("# adjudicated_by = Old", "# agreed_by = x", "# text = w0"))
    study = study_of({"s1": {"ann": tree, "bob": tree}})
    text = exported(study, {"s1": Gold(tree, ("New",))}, "conllu")
    assert text.startswith("# sent_id = s1\n# text = w0\n# adjudicated_by = New\n")


def test_the_files_of_coders_have_no_comments_on_deciding():
    study = study_of({"s1": {"ann": dep((0,)), "bob": dep((0,))}})
    text = exported(study, {"s1": Gold(dep((0,)), ())}, "conllu", coder="ann", own=True)
    assert text.startswith("# sent_id = s1\n1\t")


def test_brackets_are_read_back(coders, tmp_path):
    ann = "(S (NP (N birds)) (VP (V sing)))\n(S (VP (V go)) (R now))\n"
    paths = coders(ann, ann.replace("(VP (V go))", "(V go)"), "mrg")
    study = read_study(paths)
    golds = golds_of(study, {"text/2": {"1-1 bracket": "XP"}})
    both = with_gold(paths, exported(study, golds, "brackets"), tmp_path, "mrg")
    assert both.cells["text/2", "gold"].value.labels == ("V", "R", "S", "XP")
    gap = with_gold(paths, exported(study, golds_of(study, {}), "brackets"), tmp_path, "mrg")
    assert len(gap.cells["text/2", "gold"].value) == 0


def test_labels_are_a_table_of_the_adjudicator(tmp_path):
    study = study_of(
        {
            "i1": {"ann": Label("for"), "bob": Label("against")},
            "i2": {"ann": Label("for"), "bob": Label("for")},
        }
    )
    golds = golds_of(study, {"i1": {"label": "neither"}})
    path = tmp_path / "gold.tsv"
    path.write_text(exported(study, golds, "labels"), encoding="utf-8")
    again = read_study([str(path)])
    assert again.coders == ("adjudicated",)
    assert {item.id: str(cells[0].value) for item, cells in again} == {"i1": "neither", "i2": "for"}


def test_tags_are_read_back_as_sets(tmp_path):
    study = study_of({"i1": {"ann": Tags.of("ab"), "bob": Tags.of("a")}})
    path = tmp_path / "gold.tsv"
    path.write_text(exported(study, golds_of(study, {"i1": {"label": "c|b"}}), "labels"), encoding="utf-8")
    assert read_study([str(path)]).cells["i1", "adjudicated"].value == Tags.of("bc")


def test_outcomes_of_profiles_are_a_table():
    study = study_of({"1": {"ann": decisions(chosen=(2,)), "bob": decisions(chosen=(3,))}})
    golds = golds_of(study, {"1": {"reading": "other"}})
    assert exported(study, golds, "labels").splitlines()[1] == "1\tadjudicated\tother"


def test_outcomes_of_packed_forests_are_written_as_they_were_chosen():
    np, vp = (replace(decisions((1, key), chosen=(0,)), forest=True) for key in ("np", "vp"))
    study = study_of({"1": {"ann": np, "bob": vp}})
    golds = golds_of(study, {"1": {"reading": "accepted (bob)"}})
    assert exported(study, golds, "labels").splitlines()[1] == "1\tadjudicated\taccepted (bob)"
    own = {"1": Gold(np, ())}
    assert exported(study, own, "labels", coder="ann", own=True).splitlines()[1] == "1\tann\taccepted (ann)"


@pytest.mark.parametrize("format", ["brackets", "labels", "tsdb"])
def test_formats_for_other_annotations_are_refused(format):
    study = study_of({"s1": {"ann": dep((0,))}})
    with pytest.raises(UnsupportedStudy, match="conllu"):
        exported(study, {"s1": Gold(dep((0,)), ())}, format)


@given(st.integers(0, 2**32))
def test_what_is_written_is_read_back(seed):
    rng = random.Random(seed)
    rows = {f"s{k}": {c: random_dep(rng, 1 + k % 4) for c in ("ann", "bob")} for k in range(5)}
    study = study_of(rows)
    golds = golds_of(study, {item.id: sheet_of(study, item).of_coder("bob") for item in study.items})
    assert len(golds) == 5
    for format in ("conllu", "conllx"):
        content = Content("out", exported(study, golds, format).encode())
        for entry, gold in zip(plugins.get("formats", format).read(content), golds.values(), strict=True):
            value = entry.value
            assert (value.tokens, value.heads, value.relations) == (
                gold.value.tokens,
                gold.value.heads,
                gold.value.relations,
            )
