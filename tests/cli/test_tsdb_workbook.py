"""The workbook of ``arbitree tsdb``: what an adjudicator sees, prints, decides and exports."""

import json
from pathlib import Path

import openpyxl
import pytest
from delphin import itsdb

import arbitree as at
from arbitree.kinds.treebanking.value import ACCEPTED, REJECTED, UNANNOTATED, UNPARSED
from arbitree.reading.assembly import read_study
from tests.support.derivations import CLAUSE, COMPOUND, FIRST, SECOND, TEXT
from tests.support.profiles import RELATIONS, forest, small
from tests.support.tsdb_commands import FAST, run

SUBJECT = '(root (1 subj 0 0 2 (2 bird_n 0 0 1 ("birds")) (3 sing_v 0 1 2 ("sing"))))'
NAMED = '(root (1 name 0 0 2 (2 bird_n 0 0 1 ("birds")) (3 sing_n 0 1 2 ("sing"))))'
THIRD = '(root (1 list 0 0 2 (2 bird_n 0 0 1 ("birds")) (3 sing_n 0 1 2 ("sing"))))'
PARSES = [f"11@{n}@{tree}@" for n, tree in enumerate((THIRD, NAMED, SUBJECT))]


def profiles(folder):
    """Two annotators: sentence 1 with another parse by each, 2 accepted by bob alone, 3 agreed, 4 undecided,
    5 without a parse.
    """
    more = {
        "item": ["1@birds sing@2", "2@dogs bark@2", "3@it rains@2", "4@wind howls@2", "5@of the@2"],
        "parse": ["11@1@1@3", "12@1@2@2", "13@1@3@1", "14@1@4@5", "15@1@5@0"],
        "result": PARSES,
        "tree": ["11@1@1@ann@", "12@1@0@ann@", "13@1@1@ann@", "14@0@-1@ann@"],
        "relations": RELATIONS.replace("  t-author :string\n", "  t-author :string\n  t-comment :string\n"),
    }
    bob = {
        "tree": ["11@1@1@bob@", "12@1@1@bob@", "13@1@1@bob@"],
        "preference": ["11@1@0", "12@1@1", "13@1@0"],
        "decision": [
            "11@1@2@6@_sing_v_1 ARG1 _bird_n_1@@0@0@",
            "11@1@2@3@SUBJ-HEAD@birds || sing@0@2@",
            "12@1@1@6@_bark_v_1 ARG1 _dog_n_1@@0@0@",
        ],
    }
    return small(folder, name="ann", **more), small(folder, name="bob", **(more | bob))


def filled(path, *choices, comment=None):
    """Write choices into the column Decision, one for each disagreement."""
    book = openpyxl.load_workbook(path)
    sheet = book["Front"]
    start = next(cell.row for cell in sheet["A"] if cell.value == "Suite number")
    for row, choice in enumerate(choices, start=start + 1):
        sheet.cell(row, 5).value = choice
        sheet.cell(row, 4).value = comment
    book.save(path)
    return path


@pytest.fixture
def book(tmp_path):
    """The paths of two profiles and of their workbook."""
    one, two = profiles(tmp_path)
    target = tmp_path / "report.xlsx"
    run(one, two, "-o", target, "-q", *FAST)
    return one, two, target


def front(path):
    sheet = openpyxl.load_workbook(path)["Front"]
    start = next(cell.row for cell in sheet["A"] if cell.value == "Suite number")
    titles = [cell.value for cell in sheet[start]]
    return sheet, start, [dict(zip(titles, row, strict=True)) for row in sheet.iter_rows(min_row=start + 1)]


def test_a_row_carries_the_disputed_discriminants_and_both_analyses(book):
    _, _, rows = front(book[2])
    first, second = ({title: cell.value for title, cell in row.items()} for row in rows)
    assert first["Disputed discriminants"] == "dependency _sing_v_1 ARG1 _bird_n_1: ann yes, bob no"
    assert (first["Analysis of ann"], first["Analysis of bob"]) == ("[subj birds sing]", "[list birds sing]")
    assert second["Disputed discriminants"] == "dependency _bark_v_1 ARG1 _dog_n_1: ann no, bob yes"
    assert (second["Analysis of ann"], second["Analysis of bob"]) == ("rejected", "parse 1, not stored")


def test_links_lead_to_the_options_and_the_trees_of_the_sentence(book):
    _, _, rows = front(book[2])
    sheets = openpyxl.load_workbook(book[2])

    def target(title, row):
        name, _, cell = rows[row][title].hyperlink.location.partition("!")
        sheet = sheets[name.strip("'")]
        titles = [each.value for each in sheet[1]]
        return dict(zip(titles, [each.value for each in sheet[sheet[cell].row]], strict=True))

    for row, sentence in enumerate("12"):
        assert target("Disputed discriminants", row)["sentence"] == sentence
        for coder in ("ann", "bob"):
            found = target(f"Analysis of {coder}", row)
            assert (found["sentence"], found["annotator"]) == (sentence, coder)
    assert target("Analysis of ann", 0)["analysis"] == "subj\n  bird_n  birds\n  sing_v  sing"


def test_the_front_sheet_prints_on_one_landscape_page_width(book):
    sheet, start, _ = front(book[2])
    assert sheet.page_setup.orientation == "landscape"
    assert sheet.sheet_properties.pageSetUpPr.fitToPage
    assert (sheet.page_setup.fitToWidth or 1, sheet.page_setup.fitToHeight) == (1, 0)
    assert sheet.print_title_rows == f"${start}:${start}"  # the header, on every page
    widths = [sheet.column_dimensions[chr(65 + n)].width for n in range(sheet.max_column)]
    # A4 has about 11 inches between narrow margins; a character is 1/14 inch wide at full size.
    assert sum(widths) / 14 < 11 * 1.6  # printed at 60% or more
    assert all(cell.alignment.wrap_text for cell in sheet[start + 1])


def test_long_analyses_are_cut_on_the_front_and_whole_in_their_sheet(tmp_path):
    words = [f"w{n}" for n in range(200)]
    leaves = " ".join(f'(0 entry{n} 0 {n} {n + 1} ("{word}"))' for n, word in enumerate(words))
    trees = [f"(root (0 {rule} 0 0 200 {leaves}))" for rule in ("flat", "list")]
    paths = [
        forest(tmp_path, name, [(" ".join(words), tree, [(1, 7, rule, 0, 200)])])
        for name, tree, rule in zip(("ann", "bob"), trees, ("flat", "list"), strict=True)
    ]
    target = tmp_path / "report.xlsx"
    run(*paths, "-o", target, "-q", *FAST)
    _, _, (row,) = front(target)
    assert len(row["Analysis of ann"].value) == 500
    assert row["Analysis of ann"].value.endswith("…")
    assert openpyxl.load_workbook(target)["Analyses"]["E2"].value.count("\n") == 200


@pytest.mark.parametrize("choice", ["parse 1", "Parse 1", "1", 1, 1.0])
def test_a_decision_can_name_any_parse(book, choice):
    one, two, target = book
    filled(target, choice, "bob")
    found = json.loads(run("--adjudicated", target, "--json").stdout)["adjudication"][0]
    assert (found["decided"], found["neither"]) == (2, 1)
    assert [each["followed"] for each in found["annotators"]] == [0, 1]
    filled(target, "parse 2", "bob")  # the parse of ann
    found = json.loads(run(one, two, "--adjudicated", target, "--json", "-q", *FAST).stdout)["adjudication"][
        0
    ]
    assert [each["followed"] for each in found["annotators"]] == [1, 1]


def test_a_parse_that_does_not_exist_is_refused(book):
    one, two, target = book
    filled(target, "parse 3", "bob")
    done = run(one, two, "--adjudicated", target, code=2)
    assert "Front!E" in done.stderr
    assert "sentence '1' has no parse 3. Write a number from 0 to 2." in done.stderr
    filled(target, "parse x", "bob")
    assert "unknown decision 'parse x'" in run("--adjudicated", target, code=2).stderr


def test_parses_of_a_packed_forest_have_no_numbers(tmp_path):
    one = forest(tmp_path, "ann", [(TEXT, CLAUSE, FIRST)])
    two = forest(tmp_path, "bob", [(TEXT, COMPOUND, SECOND)])
    target = tmp_path / "report.xlsx"
    run(one, two, "-o", target, "-q", *FAST)
    filled(target, "parse 0")
    assert "have no numbers" in run("--adjudicated", target, code=2).stderr
    filled(target, "bob", comment="a compound")
    run(one, two, "--adjudicated", target, "--export", tmp_path / "gold", "-q", *FAST)
    gold = tmp_path / "gold"
    assert at.evaluate(read_study([two, str(gold)]), "y_option_kappa", resamples=0).value == 1
    assert (gold / "decision").read_text(encoding="utf-8") == (tmp_path / "bob" / "decision").read_text(
        encoding="utf-8"
    )


EXPORTED = {  # decisions on sentences 1 and 2, and what becomes of them: status and parses
    ("ann", "reject"): ((ACCEPTED, (2,)), (REJECTED, ())),
    ("bob", "bob"): ((ACCEPTED, (0,)), (ACCEPTED, (1,))),
    ("parse 1", "ann"): ((ACCEPTED, (1,)), (REJECTED, ())),
    ("other", None): ((UNANNOTATED, ()), (UNANNOTATED, ())),
}


@pytest.mark.parametrize("choices", EXPORTED)
def test_decisions_are_exported_as_a_profile(book, tmp_path, choices):
    one, two, target = book
    filled(target, *choices, comment="see @ page 3\\4")
    gold = tmp_path / "gold"
    done = run(one, two, "--adjudicated", target, "--export", gold, *FAST)
    decided = sum(choice not in (None, "other") for choice in choices)
    parts = [
        "1 agreed",
        *([f"{decided} decided"] if decided else []),
        f"{3 - decided} undecided",
        "1 unparsed",
    ]
    assert f"Wrote the gold standard to {gold}: {', '.join(parts)}" in done.stderr
    study = read_study([str(gold)], strict=False)
    found = {item.id: study.of(item)[0].value for item in study.items}
    assert tuple((found[name].status, found[name].chosen) for name in "12") == EXPORTED[choices]
    assert (found["3"].status, found["4"].status, found["5"].status) == (ACCEPTED, UNANNOTATED, UNPARSED)
    assert found["1"].stored.count() == 3

    suite = itsdb.TestSuite(str(gold))
    tables = {name: [dict(zip(row.keys(), row, strict=True)) for row in suite[name]] for name in suite.schema}
    for name in suite.schema:
        suite[name].close()
    assert [row["i-input"] for row in tables["item"]][:2] == ["birds sing", "dogs bark"]
    preferred = {row["parse-id"]: row["result-id"] for row in tables["preference"]}
    active = {row["parse-id"]: row["t-active"] for row in tables["tree"]}
    for parse, (status, chosen) in zip((11, 12), EXPORTED[choices], strict=True):
        assert active[parse] == {ACCEPTED: 1, REJECTED: 0, UNANNOTATED: -1}[status]
        assert ((preferred[parse],) if parse in preferred else ()) == chosen
    decided = [row for row in tables["decision"] if row["parse-id"] == 12]
    assert decided or choices[1] is None
    own = {row["parse-id"]: row["t-comment"] for row in tables["tree"] if row["t-author"] == "adjudicator"}
    told = [
        parse for parse, choice in zip((11, 12), choices, strict=True) if choice not in ("ann", "bob", None)
    ]
    assert {parse: own[parse] for parse in told} == dict.fromkeys(told, "see @ page 3\\4")


def test_an_exported_profile_can_be_the_adjudicated_one(book, tmp_path):
    """Bob is followed on both sentences, so bob agrees with gold fully, and ann does not."""
    one, two, target = book
    filled(target, "bob", "bob")
    gold = tmp_path / "gold"
    run(one, two, "--adjudicated", target, "--export", gold, "-q", *FAST)
    found = json.loads(run(one, two, "--adjudicated", gold, "--json", "-q", *FAST).stdout)["adjudicated"]
    assert [each["value"] == 1 for each in found] == [False, True]


def test_suites_are_exported_one_by_one(tmp_path):
    for name in ("s-1", "s-2"):
        for coder, path in zip(("ann", "bob"), profiles(tmp_path / "made" / name), strict=True):
            folder = tmp_path / "root" / coder
            folder.mkdir(parents=True, exist_ok=True)
            Path(path).rename(folder / name)
    target = tmp_path / "report.xlsx"
    run("--root", tmp_path / "root", "-o", target, "-q", *FAST)
    filled(target, "ann", "ann", "bob", "bob")
    gold = tmp_path / "gold"
    run("--root", tmp_path / "root", "--adjudicated", target, "--export", gold, "-q", *FAST)
    statuses = [
        [cell.value.status for cell in read_study([str(gold / name)]).cells.values()][:2]
        for name in ("s-1", "s-2")
    ]
    assert statuses == [[ACCEPTED, REJECTED], [ACCEPTED, ACCEPTED]]


def test_what_cannot_be_exported_is_refused(book, tmp_path):
    one, two, target = book
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("x", encoding="utf-8")
    cases = [
        ([one, two, "--export", tmp_path / "gold"], "there are no decisions to export"),
        (["--adjudicated", target, "--export", tmp_path / "gold"], "--export needs the profiles"),
        ([one, two, "--adjudicated", target, "--export", tmp_path / "full"], "a new or empty directory"),
        ([one, two, "--adjudicated", target, "--export", target], "a new or empty directory"),
    ]
    for arguments, message in cases:
        done = run(*arguments, "-q", *FAST, code=2)
        assert message in done.stderr
        assert done.stderr.count("\n") == 1
    assert not (tmp_path / "gold").exists()


def test_contradicting_decisions_of_several_pairs_are_refused(tmp_path):
    one, two = profiles(tmp_path)
    third = small(tmp_path / "c", name="cho", item=["1@birds sing@2"], parse=["11@1@1@3"], result=PARSES)
    target = tmp_path / "report.xlsx"
    run(one, two, third, "-o", target, "-q", *FAST)
    book = openpyxl.load_workbook(target)
    for name, choice in (("Front ann - bob", "ann"), ("Front bob - cho", "bob")):
        sheet = book[name]
        start = next(cell.row for cell in sheet["A"] if cell.value == "Suite number")
        sheet.cell(start + 1, 5).value = choice
    book.save(target)
    done = run(one, two, third, "--adjudicated", target, "--export", tmp_path / "gold", "-q", *FAST, code=2)
    assert "decide sentence '1' differently" in done.stderr


def test_a_comment_that_the_encoding_of_the_profile_lacks_is_refused(tmp_path):
    one, two = (
        small(tmp_path, name=name, encoding="latin-1", **more)
        for name, more in (("ann", {}), ("bob", {"preference": ["11@1@0", "13@1@0"]}))
    )
    for name in ("ann", "bob"):
        path = tmp_path / name / "relations"
        path.write_text(path.read_text(encoding="utf-8").replace("t-author", "t-comment"), encoding="utf-8")
    target = tmp_path / "report.xlsx"
    run(one, two, "--encoding", "latin-1", "-o", target, "-q", *FAST)
    filled(target, "reject", comment="雨")
    done = run(
        one,
        two,
        "--encoding",
        "latin-1",
        "--adjudicated",
        target,
        "--export",
        tmp_path / "gold",
        "-q",
        code=2,
    )
    assert "'雨' cannot be written in latin-1" in done.stderr


def test_sentences_that_the_first_annotator_lacks_are_counted(tmp_path):
    one, two = profiles(tmp_path)
    (tmp_path / "ann" / "item").write_text("2@dogs bark@2\n3@it rains@2\n", encoding="utf-8")
    target = tmp_path / "report.xlsx"
    run(one, two, "-o", target, "-q", *FAST)
    filled(target, "bob")
    done = run(one, two, "--adjudicated", target, "--export", tmp_path / "gold", *FAST)
    assert "1 agreed, 1 decided, 3 missing from the profile of ann and not exported" in done.stderr
    assert len(read_study([str(tmp_path / "gold")]).items) == 2
