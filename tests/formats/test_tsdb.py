"""Profiles of [incr tsdb()]: tables, status of items, odd input."""

import os
import subprocess
import sys
from codecs import BOM_UTF8
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

import arbitree as at
from arbitree import plugins
from arbitree.errors import ArbitreeError, FormatError, StudyError
from arbitree.kinds.treebanking.value import ACCEPTED, AMBIGUOUS, LOST, REJECTED, UNANNOTATED, UNPARSED
from arbitree.kinds.treebanking.views import readings
from arbitree.reading.assembly import read_study
from tests.support.profiles import RELATIONS, small

TREE = '(root (1 subj 0 0 2 (2 bird_n 0 0 1 ("birds")) (3 sing_v 0 1 2 ("sing"))))'


def values(path, **settings):
    study = read_study([path], **settings)
    return {item.id: study.of(item)[0].value for item in study.items}, study.notes


@pytest.mark.parametrize("packed", [False, True])
def test_a_profile_is_read(tmp_path, packed):
    found, notes = values(small(tmp_path, packed=packed))
    assert {name: value.status for name, value in found.items()} == {
        "1": ACCEPTED, "2": REJECTED, "3": ACCEPTED, "4": UNANNOTATED,
    }  # fmt: skip
    first = found["1"]
    assert (first.text, first.readings, first.chosen) == ("birds sing", 3, (2,))
    assert [option.identity for option in first.options] == [
        (6, "_sing_v_1 ARG1 _bird_n_1", 0, 0),
        (6, "_sing_v_1 ARG1 pron", 0, 0),
        (3, "SUBJ-HEAD", 0, 2),
    ]
    assert [option.label for option in first.options] == ["_sing_v_1", "_sing_v_1", (0, 2)]
    assert len(found["2"].options) == 1
    assert not notes


def test_the_older_schema_and_an_older_packed_table(tmp_path):
    old = RELATIONS.replace("  run-id :integer :key\n", "").replace("  t-author :string\n", "")
    path = small(
        tmp_path,
        relations=old,
        parse=["11@1@3", "12@2@2", "13@3@1", "14@4@5"],
        tree=["11@1@1", "12@1@0", "13@1@1", "14@0@-1"],
    )
    import gzip

    stale = Path(path) / "item.gz"
    stale.write_bytes(gzip.compress(b"9@stale@1\n"))
    os.utime(stale, (1, 1))
    found, _ = values(path)
    assert list(found) == ["1", "2", "3", "4"]


def test_encodings_and_escapes(tmp_path):
    item = ["1@雨が降る \\s\\\\s\\n@4"]
    path = small(tmp_path, encoding="euc-jp", item=item, parse=["11@1@1@3"])
    with pytest.raises(FormatError, match=r"item:1: byte .* is not valid utf-8\. .* encoding='latin-1'"):
        values(path)
    found, _ = values(path, encoding="euc-jp")
    assert found["1"].text == "雨が降る @\\s\n"
    with pytest.raises(FormatError, match="unknown encoding"):
        values(path, encoding="klingon")


@pytest.mark.parametrize("packed", [False, True])
def test_every_table_may_begin_with_a_byte_order_mark(tmp_path, packed):
    """The first row of such a table was skipped: its first field was not a number."""
    import gzip

    expected = values(small(tmp_path / "plain"))
    path = Path(small(tmp_path / "marked", packed=packed))
    for each in path.iterdir():
        if each.suffix == ".gz":
            each.write_bytes(gzip.compress(BOM_UTF8 + gzip.decompress(each.read_bytes())))
        else:
            each.write_bytes(BOM_UTF8 + each.read_bytes())
    found, notes = values(str(path))
    assert (list(found), list(notes)) == (["1", "2", "3", "4"], [])
    for name, value in found.items():
        assert replace(value, stored=None) == replace(expected[0][name], stored=None)


STATUSES = {  # tree, decision, preference of one parse with three readings
    "accepted": (["11@1@1@x"], [], ["11@1@0"], ACCEPTED),
    "rejected": (["11@1@0@x"], [], [], REJECTED),
    "several left": (["11@1@2@x"], [], ["11@1@0", "11@1@1"], AMBIGUOUS),
    "one left, two preferred": (["11@1@1@x"], [], ["11@1@0", "11@1@1"], AMBIGUOUS),
    "skipped": (["11@0@-1@x"], [], [], UNANNOTATED),
    "revised": (["11@1@1@x", "11@2@0@x"], [], ["11@1@0"], REJECTED),
    "revised, lines turned": (["11@2@0@x", "11@1@1@x"], [], ["11@1@0"], REJECTED),
    "no tree, preferred": ([], [], ["11@1@0"], ACCEPTED),
    "no tree, rejected": ([], ["11@1@-1@5@@@0@2@"], [], REJECTED),
    "no tree, accepted first": ([], ["11@2@-1@5@@@0@2@"], ["11@1@0"], REJECTED),
    "no tree, rejected first": ([], ["11@1@-1@5@@@0@2@"], ["11@2@0"], ACCEPTED),
    "no tree, two preferred": ([], [], ["11@1@0", "11@1@2"], AMBIGUOUS),
    "no tree, options alone": ([], ["11@1@1@6@a ARG1 b@@0@0@"], [], UNANNOTATED),
    "nothing": ([], [], [], LOST),
}


@pytest.mark.parametrize("name", STATUSES)
def test_status(tmp_path, name):
    tree, decision, preference, expected = STATUSES[name]
    path = small(tmp_path, tree=tree, decision=decision, preference=preference)
    assert values(path)[0]["1"].status == expected


def test_an_item_without_readings_is_unparsed(tmp_path):
    path = small(tmp_path, parse=["11@1@1@0", "12@1@2@-1", "13@1@3@1"])
    found, _ = values(path)
    assert [found[name].status for name in "124"] == [UNPARSED] * 3


def test_versions_the_latest_counts_and_others_are_noted(tmp_path):
    rows = ["11@1@1@6@old ARG1 x@@0@0@", "11@3@2@6@new ARG1 x@@0@0@"]
    path = small(tmp_path, tree=["11@3@1@x"], decision=rows, preference=["11@3@1"])
    found, notes = values(path)
    assert [option.key for option in found["1"].options] == ["new ARG1 x"]
    assert not notes
    path = small(tmp_path, name="bob", tree=["11@5@1@x"], decision=rows, preference=["11@4@1"])
    found, notes = values(path)
    assert ([option.key for option in found["1"].options], found["1"].chosen) == (["new ARG1 x"], (1,))
    assert any("differ in version" in note for note in notes)


def test_full_forest_decisions_have_no_version(tmp_path):
    rows = [r"11@-1@1@7@n_pl\sbird_n@@0@1@23-6-2013 14:28:24", "11@-1@1@3@subj@@0@2@"]
    path = small(tmp_path, tree=["11@1@1@x"], decision=rows, preference=["11@1@0"])
    found, notes = values(path)
    assert [option.key for option in found["1"].options] == ["n_pl@bird_n", "subj"]
    assert found["1"].forest
    assert not notes


def test_the_grammar_is_read_where_runs_are_recorded(tmp_path):
    schema = RELATIONS + "\nrun:\n  run-id :integer :key\n  grammar :string\n"
    path = small(tmp_path, relations=schema)
    assert values(path)[0]["1"].grammar == ""
    (Path(path) / "run").write_text("1@Toy (1)\n2@Toy (1)\n", encoding="utf-8")
    assert values(path)[0]["1"].grammar == "Toy (1)"


def test_undecided_discriminants_say_that_all_are_stored(tmp_path):
    rows = ["11@1@1@6@a ARG1 b@@0@0@", "12@1@5@6@a ARG1 c@@0@0@"]
    found, _ = values(small(tmp_path, decision=rows))
    assert found["1"].complete
    assert (len(found["2"].options), len(found["2"].decided)) == (1, 0)


def test_malformed_rows_are_counted_with_their_line(tmp_path):
    rows = [
        "11@1@1@6@a ARG1 b@@0@0@",
        "11@1@1@6@too few@@0",
        "11@1@x@6@no number@@0@0@",
        "11@1@1@6@again too few",
        "11@1@9@6@unknown state@@0@0@",
        "11@1@1@0@unknown type@@0@0@",
        r"11@1@1@6@unknown \q escape@@0@0@",
        "11@1@-1@3@@@0@2@",
        "",
    ]
    path = small(tmp_path, decision=rows)
    found, notes = values(path)
    assert len(found["1"].options) == 1
    assert [note.removeprefix(path) for note in notes] == [
        "/decision:2: skipped 1 row: 7 fields instead of 9",
        "/decision:3: skipped 1 row: not a number: 'x'",
        "/decision:4: skipped 1 row: 5 fields instead of 9",
        "/decision:5: skipped 1 row: unknown state 9",
        "/decision:6: skipped 1 row: unknown discriminant type 0",
        "/decision:7: skipped 1 row: unknown escape \\q",
        "/decision:8: skipped 1 row: unknown action 3",
    ]
    with pytest.raises(FormatError, match="decision:2"):
        read_study([path], strict=True)


@pytest.mark.parametrize("table", ["item", "parse", "decision", "preference"])
def test_a_missing_table_is_an_error(tmp_path, table):
    with pytest.raises(FormatError, match=f"no table '{table}'"):
        values(small(tmp_path, **{table: None}))


def test_tree_and_result_may_be_missing(tmp_path):
    found, _ = values(small(tmp_path, tree=None, result=None))
    assert [found[name].status for name in "1234"] == [ACCEPTED, REJECTED, ACCEPTED, LOST]
    assert found["1"].stored.count() == 0


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ("nothing here\n", "cannot read the schema|contains no tables"),
        ("item:\n  i-id\n", "cannot read the schema"),
        ("item:\n  i-id :integer\n\nitem:\n  i-id :integer\n", "redefined"),
        (RELATIONS.replace("i-input", "sentence"), "no field 'i-input'"),
        (
            RELATIONS.replace("t-version :integer\n  t-active", "t-active"),
            "no field 't-version' in table 'tree'",
        ),
        ("\n\n", "empty"),
    ],
)
def test_a_broken_schema_is_an_error(tmp_path, schema, message):
    with pytest.raises(ArbitreeError, match=message):
        values(small(tmp_path, relations=schema))


def test_a_directory_that_is_no_profile_is_not_made_one(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(FormatError, match="expected a file, got a directory"):
        read_study([str(tmp_path / "empty")])
    with pytest.raises(FormatError, match="file not found"):
        read_study([str(tmp_path / "absent")])
    assert not (tmp_path / "absent").exists()
    assert not list((tmp_path / "empty").iterdir())


def test_a_damaged_table_is_an_error(tmp_path):
    path = Path(small(tmp_path, packed=True)) / "decision.gz"
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(FormatError, match="cannot decompress the gzip data"):
        values(str(path.parent))


def test_profiles_are_inputs_with_coders_and_documents(tmp_path):
    for coder in ("ann", "bob"):
        for suite in ("news", "mail"):
            small(tmp_path / coder, name=suite)
    study = at.read(tmp_path / "ann" / "news", tmp_path / "bob" / "news")
    assert (study.coders, study.documents) == (("ann", "bob"), ("news",))
    study = at.read(tmp_path / "ann", tmp_path / "bob", dirs=True)
    assert (study.coders, len(study.items)) == (("ann", "bob"), 8)
    assert sorted(study.documents) == ["mail", "news"]
    assert "news/1" in {item.id for item in study.items}
    single = at.read(tmp_path / "ann" / "news", tmp_path / "bob" / "mail", dirs=True)
    assert single.coders == ("news", "mail")


def test_items_meet_by_text_when_ids_differ(tmp_path):
    one = small(tmp_path)
    shifted = ["7@it rains@2", "8@birds sing@2", "9@birds sing@2"]
    two = small(tmp_path, name="bob", item=shifted, parse=["11@1@8@3", "12@1@9@3", "13@1@7@1"])
    with pytest.raises(StudyError, match="no items in common"):
        read_study([one, two])
    study = read_study([one, two], match="text")
    assert study.cells["text/1", "bob"].value.status == ACCEPTED  # the first of the two
    assert study.cells["text/9", "bob"].value.status == REJECTED
    assert {name for name, coder in study.cells if coder == "bob"} == {"text/1", "text/3", "text/9"}
    assert any("without a partner" in note and "bob 1 (" in note for note in study.notes)


def test_accepted_readings_become_trees(tmp_path):
    result = [f"11@0@{TREE.replace('subj', 'other')}@", f"11@2@{TREE}@", "13@0@(broken@", "12@0@x@y"]
    study = read_study([small(tmp_path, result=result), small(tmp_path, name="bob", result=result[:2])])
    trees = readings(study)
    assert trees.cells["1", "ann"].value.labels == ("bird_n", "sing_v", "root", "subj")
    assert set(trees.cells) == {("1", "ann"), ("1", "bob")}
    assert any("cannot read the derivation" in note for note in trees.notes)
    assert any("1 accepted sentences are stored without derivation" in note for note in trees.notes)
    assert at.evaluate(trees, "jaccard", resamples=0).value == 1


def test_the_output_of_a_parser_gives_its_first_parses(tmp_path):
    result = [f"11@1@{TREE.replace('subj', 'other')}@", f"11@0@{TREE}@"]
    study = read_study([small(tmp_path, tree=[], decision=[], preference=[], result=result)])
    trees = readings(study)
    assert trees.cells["1", "ann"].value.labels[-1] == "subj"
    assert any("the first parse of each sentence is used" in note for note in trees.notes)


def test_reading_a_parse_that_is_cut_short_is_noted(tmp_path):
    study = read_study([small(tmp_path, result=[f"11@2@{TREE}@", "13@0"])])
    assert any("result:2" in note for note in readings(study).notes)


def test_a_profile_through_the_command_line(tmp_path):
    one, two = small(tmp_path / "a"), small(tmp_path / "b")
    run = [sys.executable, "-m", "arbitree", "agree", one, two, "--json"]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert '"measure": "y_option_kappa"' in done.stdout
    assert "Format detected: tsdb" in done.stderr


def test_jacy_and_erg_are_read_without_loss(data):
    """Row counts by the shell's own wc; status counts by the table tree."""
    jacy = data / "tsdb" / "jacy" / "tsdb" / "gold" / "mrs"
    if not jacy.exists():
        pytest.skip("this profile is not among the data")
    found, notes = values(str(jacy))
    assert not notes
    assert len(found) == 135
    assert sum(len(value.options) for value in found.values()) == 847 - 3
    assert Counter(value.status for value in found.values()) == {ACCEPTED: 127, REJECTED: 3, UNPARSED: 5}
    for year, rows in (("2024", 16549), ("2025", 16558)):
        found, notes = values(str(data / "tsdb" / "erg" / year / "fracas"))
        assert not notes
        assert len(found) == 640
        assert sum(len(value.options) for value in found.values()) == rows
        assert Counter(value.status for value in found.values()) == {ACCEPTED: 632, UNPARSED: 8}


def test_jacy_tc_006_has_the_known_counts(data):
    """Counts taken from the table itself: states and types, actions, statuses."""
    path = data / "tsdb" / "jacy" / "tsdb" / "gold" / "tc-006"
    if not path.exists():
        pytest.skip("this profile is not among the data")
    found, _ = values(str(path))
    counts = Counter((each.state, each.type) for value in found.values() for each in value.options)
    assert counts == {
        (1, 1): 40, (1, 2): 1037, (1, 3): 1669, (2, 1): 3, (2, 2): 283, (2, 3): 235, (3, 1): 11, (3, 2): 10,
        (3, 3): 18, (4, 1): 3274, (4, 2): 4293, (4, 3): 16501,
    }  # fmt: skip
    statuses = Counter(value.status for value in found.values())
    assert (statuses[REJECTED], statuses[UNANNOTATED], statuses[AMBIGUOUS], statuses[ACCEPTED]) == (
        198,
        139,
        37,
        867,
    )


def test_a_profile_as_trees_by_name(tmp_path):
    result = [f"11@2@{TREE}@", "13@0@(broken@"]
    one, two = small(tmp_path / "a", result=result), small(tmp_path / "b", result=result[:1])
    study = read_study([one, two], format="derivations")
    assert {name for name, _ in study.cells} == {"1"}
    assert study.cells["1", "a"].value.words == ("birds", "sing")
    assert sum("cannot be read" in note for note in study.notes) == 1
    assert sum("no stored derivation" in note for note in study.notes) == 1
    run = [
        sys.executable,
        "-m",
        "arbitree",
        "convert",
        one,
        "-",
        "--format",
        "derivations",
        "--to",
        "brackets",
    ]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert "(root (subj (bird_n birds) (sing_v sing)))" in done.stdout, done.stderr


MRS = (
    "[ TOP: h0 INDEX: e2 RELS: < [ _rain_v_1<3:8> LBL: h1 [ h SCOPE: W ] ARG0: e2 ] > HCONS: < h0 qeq h1 > ]"
)


@pytest.mark.skipif("edm" not in plugins.plugins("measures"), reason="there is no measure edm")
def test_accepted_readings_become_meanings(tmp_path):
    """With properties on handles, as older grammars write them."""
    result = [f"11@2@{TREE}@{MRS}", "13@0@@[ broken"]
    study = read_study([small(tmp_path / "a", result=result), small(tmp_path / "b", result=result)])
    found = at.evaluate(study, "edm", resamples=0)
    assert (found.value, found.items_used) == (1, 1)
    assert any("cannot read the mrs of 2 sentences" in note for note in found.notes)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("table", ["decision", "tree", "item", "result"])
def test_a_table_without_its_last_line_break_is_named(tmp_path, table, packed):
    import gzip

    path = small(tmp_path, packed=packed, result=[f"11@2@{TREE}@"])
    file = Path(path) / (f"{table}.gz" if packed else table)
    data = gzip.decompress(file.read_bytes()) if packed else file.read_bytes()
    cut = data[:-1]  # all fields are there, so nothing else shows that the end is missing
    file.write_bytes(gzip.compress(cut) if packed else cut)
    _, notes = values(path)
    assert [note for note in notes if str(file) in note] == [
        f"{file}: the last line does not end with a line break, so the table may be cut off"
    ]
    with pytest.raises(FormatError, match="does not end with a line break"):
        values(path, strict=True)


def test_a_packed_table_that_nobody_reads_is_named_if_it_is_cut(tmp_path):
    path = small(tmp_path, packed=True, result=[f"11@2@{TREE}@"])
    file = Path(path) / "result.gz"
    file.write_bytes(file.read_bytes()[:-9])
    _, notes = values(path)
    assert [note.partition(" (")[0] for note in notes] == [f"{file}: the table cannot be read to its end"]


def test_accepted_items_with_several_parses_and_no_decisions_are_named(tmp_path):
    path = small(tmp_path, decision=["12@1@-1@5@@@0@2@9-jun-2009 12:55"])
    _, notes = values(path)
    assert notes == (f"{path}/decision: 1 accepted item has several parses but no decisions; first: '1'",)
    with pytest.raises(FormatError, match="no decisions"):
        values(path, strict=True)
    picked = ["11@1@-1@4@@@0@2@", "12@1@-1@5@@@0@2@"]  # a tree picked as a whole is a decision
    assert not values(small(tmp_path, name="bob", decision=picked))[1]


@pytest.mark.parametrize(("kept", "named"), [(30, False), (29, False), (27, True), (0, True)])
def test_full_forest_profiles_that_end_without_decisions_are_named(tmp_path, kept, named):
    """All 30 items state one parse. With 1 in 29 bare, one at the end is chance, three are not."""
    numbers = range(1, 31)
    path = small(
        tmp_path,
        item=[f"{n}@birds sing@2" for n in numbers],
        parse=[f"{n}@1@{n}@1" for n in numbers],
        tree=[f"{n}@1@1@x" for n in numbers],
        preference=[f"{n}@1@0" for n in numbers],
        decision=[f"{n}@-1@1@7@subj@@0@2@" for n in numbers if n <= kept and n != 5],
    )
    _, notes = values(path)
    expected = f"the last {30 - kept} accepted items have no decisions, beginning with '{kept + 1}'"
    assert [expected in note for note in notes] == ([True] if named else [])
