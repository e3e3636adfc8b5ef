"""``arbitree tsdb``: one pair, roots, older versions, the workbook there and back, bad input."""

import csv
import json
from pathlib import Path

import openpyxl
import pytest
from lxml import html

from tests.support.profiles import ATTACHED, SPLIT, forest, small
from tests.support.simulated_profiles import Plan, simulate, write
from tests.support.tsdb_commands import FAST, run

PROFILES = Path(__file__).parents[2] / "examples" / "profiles"
HOSTILE = ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "<script>alert(1)</script>"]


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A small double-blind project of three suites."""
    root = tmp_path_factory.mktemp("project")
    drawn = simulate(Plan(suites=3, sentences=40, rejected=0.3, lost=0.05, skipped=0.05))
    write(drawn, root)
    return root


def pair(folder, **changes):
    return small(folder / "a", name="ann"), small(folder / "b", name="bob", **changes)


DIVERGING = {
    "tree": ["11@1@1@bob", "12@1@1@bob", "13@1@1@bob"],
    "preference": ["11@1@0", "12@1@1", "13@1@0"],
    "decision": [
        "11@1@2@6@_sing_v_1 ARG1 _bird_n_1@@0@0@",
        "11@1@2@3@SUBJ-HEAD@birds || sing@0@2@",
        "12@1@1@6@_bark_v_1 ARG1 _dog_n_1@@0@0@",
    ],
}


def test_two_profiles_as_json(tmp_path):
    found = json.loads(run(*pair(tmp_path, **DIVERGING), "--json", "-q", *FAST).stdout)
    assert (found["command"], found["study"]["kind"], found["study"]["coders"]) == (
        "tsdb",
        "decisions",
        ["ann", "bob"],
    )
    first = found["results"][0]
    assert first["measure"] == "y_option_kappa"
    # 1: _sing_v_1 differs, the rule is the same; 2: one against one, both say the other; 3: one parse.
    assert first["details"]["both_accepted_only"] == 0
    assert first["items_used"] == 3
    assert {"agreement", "pi", "kappa"} <= {each["measure"] for each in found["results"]}
    (only,) = found["pairs"]
    assert [row["who"] for row in only["divergences"]] == ["Both - 2/0", "bob - 1"]
    assert only["totals"]["countable"] == 3
    assert only["totals"]["parsed"] == 4
    assert [row["key"] for row in only["options"]] == ["_sing_v_1 ARG1 _bird_n_1", "_bark_v_1 ARG1 _dog_n_1"]
    assert [row["label"] for row in only["disputes"]] == ["_bark_v_1", "_sing_v_1"]
    assert only["sentences"][3]["remark"] == "lost"


def test_text_says_all_three_values_and_what_diverges(tmp_path):
    text = run(*pair(tmp_path, **DIVERGING), *FAST).stdout
    for line in (
        "with estimation",
        "without estimation",
        "accepted by both only",
        "2 sentences have disagreements",
    ):
        assert line in text
    assert "accepted or rejected" in text


def test_trees_are_measured_on_request(tmp_path):
    tree = '(root (1 subj 0 0 2 (2 bird_n 0 0 1 ("birds")) (3 sing_v 0 1 2 ("sing"))))'
    one, two = (
        small(tmp_path / "a", result=[f"11@2@{tree}@"]),
        small(tmp_path / "b", result=[f"11@2@{tree}@"]),
    )
    found = json.loads(run(one, two, "-m", "y_option_kappa", "-m", "jaccard", "--json", "-q", *FAST).stdout)
    assert [(each["measure"], each["value"]) for each in found["results"]][1] == ("jaccard", 1)


def test_a_root_with_suites(project):
    done = run("--root", project, "--json", *FAST)
    found = json.loads(done.stdout)
    assert found["suites"] == [{"corpus": "news", "start": "1", "end": "3", "sentences": 120}]
    assert found["study"]["items"] == 120
    totals = found["pairs"][0]["totals"]
    assert totals["parsed"] == totals["countable"] + totals["lost"] + totals["unannotated"]
    for named in ([project / "ann", project / "bob"], [project]):
        again = json.loads(run(*named, "--json", "-q", *FAST).stdout)
        assert again["results"][0]["value"] == found["results"][0]["value"]


def test_patterns_and_exclusions(project):
    found = json.loads(
        run("--root", project, "--annotator", "A=ann", "--annotator", "B=bob", "--pattern",
            r"^(?P<corpus>n)ews-(?P<suite>[12])$", "--exclude", "-2$", "--json", "-q", *FAST).stdout
    )  # fmt: skip
    assert found["study"]["coders"] == ["A", "B"]
    assert found["suites"] == [{"corpus": "n", "start": "1", "end": "1", "sentences": 40}]


def test_a_suite_of_one_annotator_only_is_said(tmp_path):
    for coder, suites in (("ann", ("s-1", "s-2")), ("bob", ("s-1",))):
        for suite in suites:
            small(tmp_path / coder, name=suite)
    done = run("--root", tmp_path, "--json", *FAST)
    assert "bob has no profile for 1 suite, excluded here: s-2" in done.stderr
    found = json.loads(done.stdout)
    assert found["results"][0]["details"]["ignored"]["single_annotation"] == 4
    assert found["pairs"][0]["totals"]["missing"] == 4


def test_suites_are_paired_without_the_names_of_annotators(tmp_path):
    for coder in ("ann", "bob"):
        small(tmp_path / coder, name=f"news-{coder}-7-V2")
    found = json.loads(run("--root", tmp_path, "--json", "-q", *FAST).stdout)
    assert found["suites"] == [{"corpus": "news", "start": "7", "end": "7", "sentences": 4}]


def test_changes_since_an_older_version(tmp_path):
    one, two = pair(tmp_path, **DIVERGING)
    earlier = small(tmp_path / "old", tree=["11@1@0@x", "12@1@0@x", "13@1@1@x"], preference=["13@1@0"])
    found = json.loads(run(one, two, "--old", f"ann={earlier}", "--json", "-q", *FAST).stdout)["versions"]
    changed = {
        (row["item"], row["before"], row["after"]) for row in found["changes"] if row["coder"] == "ann"
    }
    assert changed == {("1", "rejected", "accepted"), ("4", "lost", "unannotated")}
    run(one, two, "--old", f"zoe={earlier}", code=2)


def test_changes_of_a_root(project, tmp_path):
    older = tmp_path / "older"
    write(simulate(Plan(suites=3, sentences=40, rejected=0.3, lost=0.05, skipped=0.05)), older)
    (older / "ann" / "news-1" / "tree").write_text("", encoding="utf-8")
    (older / "ann" / "news-1" / "preference").write_text("", encoding="utf-8")
    (older / "ann" / "news-1" / "decision").write_text("", encoding="utf-8")
    found = json.loads(run("--root", project, "--old", older, "--json", "-q", *FAST).stdout)["versions"]
    assert {(row["suite"], row["before"]) for row in found["changes"]} == {("news-1", "lost")}
    text = run("--root", project, "--old", older, *FAST).stdout
    assert "since the older version" in text


def front(path):
    book = openpyxl.load_workbook(path)
    sheet = book["Front"]
    start = next(cell.row for cell in sheet["A"] if cell.value == "Suite number")
    return book, sheet, start


def test_the_workbook_has_front_and_data_sheets(project, tmp_path):
    target = tmp_path / "report.xlsx"
    run("--root", project, "-o", target, *FAST)
    book, sheet, start = front(target)
    assert book.sheetnames[:6] == ["Start", "Front", "Data", "Sentences", "Disputes", "Options"]
    facts = {row[0]: row[1] for row in sheet.iter_rows(values_only=True, max_row=start)}
    assert facts["Type:"] == "Comparison of annotators of [incr tsdb()] profiles"
    assert (facts["Parsed Sentences:"], facts["news"]) == (120, "Start Suite:")
    data = {row[0]: row[1] for row in book["Data"].iter_rows(values_only=True)}
    assert facts["Sentences accepted by at least one:"] == data["Accepted by at least one:"]
    rows = list(book["Data"].iter_rows(values_only=True))
    only = [row[1] for row in rows if str(row[0]).startswith("Only by")]
    assert (only[0], only[1]) == (only[3], only[2])
    header = [cell.value for cell in sheet[start]]
    assert header[:4] == ["Suite number", "Sentence number", "Accepted only by:", "Comments:"]
    (validation,) = sheet.data_validations.dataValidation
    assert validation.formula1 == '"ann,bob,reject,other"'
    assert sheet.cell(start + 1, 1).value.startswith("news - ")
    assert len(list(book["Sentences"].iter_rows())) == 121


def test_an_adjudicated_workbook_is_read_back(tmp_path):
    target = tmp_path / "report.xlsx"
    one, two = pair(tmp_path, **DIVERGING)
    run(one, two, "-o", target, *FAST)
    assert "agrees with the adjudicator" not in run("--adjudicated", target).stdout  # nothing is decided
    book, sheet, start = front(target)
    sheet.cell(start + 1, 5).value = "Ann "
    sheet.cell(start + 2, 5).value = "reject"  # bob alone accepted it: to reject is to follow ann
    sheet.cell(start + 2, 4).value = "no parse is right"
    book.save(target)
    found = json.loads(run("--adjudicated", target, "--json").stdout)["adjudication"]
    assert [(each["coder"], each["followed"], each["share"]) for each in found[0]["annotators"]] == [
        ("ann", 2, 1.0),
        ("bob", 0, 0.0),
    ]
    assert [each["agreement"] for each in found[0]["annotators"]] == [pytest.approx(1), pytest.approx(1 / 3)]
    assert (found[0]["decided"], found[0]["undecided"], found[0]["agreed"]) == (2, 0, 1)
    assert (
        "ann: followed 2 times (100%); agreement with the adjudicator 100.0%"
        in run("--adjudicated", target).stdout
    )
    both = run(one, two, "--adjudicated", target, *FAST).stdout
    assert "Adjudicated: 2 of 2 disagreements" in both


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda book, sheet, start: setattr(sheet.cell(start + 1, 5), "value", "zoe"), "Front!E"),
        (lambda book, sheet, start: sheet.delete_rows(4), "has no row 'Annotators:'"),
        (lambda book, sheet, start: sheet.delete_cols(5), "has no column 'Decision:'"),
        (lambda book, sheet, start: setattr(sheet, "title", "Else"), "the workbook has no sheet 'Front'"),
    ],
)
def test_a_workbook_that_was_spoilt_is_refused(tmp_path, change, message):
    target = tmp_path / "report.xlsx"
    run(*pair(tmp_path, **DIVERGING), "-o", target, *FAST)
    book, sheet, start = front(target)
    change(book, sheet, start)
    book.save(target)
    done = run("--adjudicated", target, code=2)
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    target.write_bytes(b"no workbook")
    assert "cannot read this workbook" in run("--adjudicated", target, code=2).stderr
    assert "file not found" in run("--adjudicated", tmp_path / "absent.xlsx", code=2).stderr


def test_an_adjudicated_profile_is_a_further_coder(tmp_path):
    one, two = pair(tmp_path, **DIVERGING)
    gold = small(tmp_path / "g", name="gold")
    found = json.loads(run(one, two, "--adjudicated", gold, "--json", "-q", *FAST).stdout)
    assert found["study"]["coders"] == ["ann", "bob"]
    assert [each["coder"] for each in found["adjudicated"]] == ["ann", "bob"]
    assert found["adjudicated"][0]["value"] == 1
    assert found["adjudicated"][1]["value"] < 1
    assert "Agreement with the adjudicated profile" in run(one, two, "--adjudicated", gold, *FAST).stdout


def test_three_annotators_are_compared_in_pairs(tmp_path):
    third = small(tmp_path / "c", name="cho")
    one, two = pair(tmp_path, **DIVERGING)
    target = tmp_path / "report.xlsx"
    found = json.loads(run(one, two, third, "--json", "-q", "-o", target, "--by", "pair", *FAST).stdout)
    assert [each["coders"] for each in found["pairs"]] == [["ann", "bob"], ["ann", "cho"], ["bob", "cho"]]
    assert found["results"][0]["details"]["pairs"]["ann - cho"] == 1
    book = openpyxl.load_workbook(target)
    assert book.sheetnames[1:5] == ["Front ann - bob", "Front ann - cho", "Front bob - cho", "Data ann - bob"]
    assert len(json.loads(run("--adjudicated", target, "--json").stdout)["adjudication"]) == 3


def test_text_that_looks_like_a_formula_stays_text(tmp_path):
    escaped = [text.replace("@", "\\s") for text in HOSTILE]
    items = [f"{n}@{text}@2" for n, text in enumerate(escaped, start=1)]
    rows = {
        "item": items,
        "parse": [f"1{n}@1@{n}@3" for n in range(1, 6)],
        "decision": [f"1{n}@1@1@6@{text}@@0@0@" for n, text in enumerate(escaped, start=1)],
    }
    one = small(tmp_path / "a", tree=[f"1{n}@1@0@x" for n in range(1, 6)], preference=[], **rows)
    other = rows | {"decision": [row.replace("@1@6@", "@2@6@") for row in rows["decision"]]}
    preferences = [f"1{n}@1@0" for n in range(1, 6)]
    two = small(
        tmp_path / "b", name="bob", tree=[f"1{n}@1@1@x" for n in range(1, 6)], preference=preferences, **other
    )
    names = [tmp_path / f"report.{ending}" for ending in ("xlsx", "csv", "html")]
    run(one, two, *(part for name in names for part in ("-o", name)), *FAST)
    book = openpyxl.load_workbook(names[0])
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert {cell.data_type for cell in cells} == {"s", "n"}
    assert set(HOSTILE) <= {cell.value for cell in cells}
    with names[1].open(newline="") as file:
        texts = [row["text"] for row in csv.DictReader(file)]
    assert texts == [f"'{text}" for text in HOSTILE[:4]] + HOSTILE[4:]
    page = names[2].read_text(encoding="utf-8")
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page
    assert (tmp_path / "report-options.csv").read_text(encoding="utf-8").count("\n") == 6


def test_nothing_is_made_or_half_written(tmp_path):
    one, two = pair(tmp_path)
    (tmp_path / "bare").mkdir()
    before = sorted(tmp_path.rglob("*"))
    cases = [
        ([one, tmp_path / "absent"], "directory not found"),
        ([one, tmp_path / "bare"], "a directory without the file 'relations'"),
        ([one, Path(one) / "item"], "expected an [incr tsdb()] profile, got a file"),
        ([one], "agreement needs at least two annotators"),
        ([], "no profile was given"),
        ([one, two, "--root", tmp_path], "profiles and --root cannot be combined"),
        (["--root", tmp_path / "absent"], "directory not found"),
        (["--root", tmp_path, "--annotator", "x=absent"], "Directories here: a, b, bare"),
        (["--root", tmp_path, "--pattern", "("], "is not a valid regular expression"),
        (["--root", tmp_path, "--annotator", "a", "--pattern", "nothing"], "no suite of a found"),
        ([one, two, "-o", tmp_path / "report.pdf"], "cannot infer the format from the file extension"),
        ([one, two, "-o", tmp_path / "absent" / "report.xlsx"], "does not exist. Create it"),
        ([one, two, "--mode", "magic"], "unknown mode value 'magic'"),
        ([one, two, "-m", "las"], "las cannot measure"),
        ([one, two, "--commit"], "no file to commit"),
        (
            [one, two, "-o", tmp_path / "report.xlsx", "--checkout", "svn://x"],
            "--checkout needs a target directory",
        ),
    ]
    for arguments, message in cases:
        done = run(*arguments, "-q", *FAST, code=2)
        assert message in done.stderr, done.stderr
        assert done.stderr.count("\n") == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_profiles_that_nobody_decided_have_no_value_and_every_report(tmp_path):
    nothing = {"tree": ["11@0@-1@x"], "decision": [], "preference": []}
    one, two = small(tmp_path / "a", **nothing), small(tmp_path / "b", name="bob", **nothing)
    names = [tmp_path / f"report.{ending}" for ending in ("xlsx", "csv", "html", "json", "txt")]
    done = run(one, two, *(part for name in names for part in ("-o", name)), *FAST)
    assert "y_option_kappa is undefined" in done.stdout
    assert all(name.stat().st_size for name in names)
    assert json.loads(names[3].read_text(encoding="utf-8"))["results"][0]["value"] is None
    assert "0 of 0 disagreements" in run("--adjudicated", names[0]).stdout


def test_fail_under_and_papers(tmp_path):
    one, two = pair(tmp_path, **DIVERGING)
    assert run(one, two, "--fail-under", "0.9", *FAST, code=1)
    assert "@mastersthesis{castro2011" in run(one, two, "--cite", *FAST).stdout


def test_fracas_in_two_releases_in_one_command(data, tmp_path):
    """Nearly identical; a program of its own, which only shares PyDelphin, gives .998798."""
    profiles = [data / "tsdb" / "erg" / year / "fracas" for year in ("2024", "2025")]
    if not all(each.exists() for each in profiles):
        pytest.skip("these profiles are not among the data")
    done = run(*profiles, "-o", tmp_path / "fracas.xlsx", "--json", "-q", *FAST)
    found = json.loads(done.stdout)["results"][0]
    assert found["value"] == pytest.approx(0.998798, abs=5e-7)
    assert found["details"]["mode"] == "derivation"
    assert found["items_used"] == 632
    assert (tmp_path / "fracas.xlsx").stat().st_size > 10_000


def test_the_mode_is_named_everywhere(tmp_path):
    one, two = pair(tmp_path, **DIVERGING)
    text = run(one, two, *FAST).stdout
    assert "mode neighbourhood: recorded discriminants are compared in groups with the same label" in text
    assert "(auto: not all" in text
    assert "mode=neighbourhood,noop" in run(one, two, "-v", *FAST).stdout
    found = json.loads(run(one, two, "--json", *FAST).stdout)["results"][0]
    assert (found["details"]["mode"], found["details"]["options"]["mode"]) == ("neighbourhood", "auto")
    assert "mode=neighbourhood," in found["signature"]
    assert "|chosen:mode|" in found["signature"]
    given = run(one, two, "--mode", "discriminant", *FAST).stdout
    assert "mode discriminant: recorded discriminants are compared one by one" in given
    assert "auto" not in given


def test_the_headline_counts_outcomes_and_not_estimates(tmp_path):
    """The third sentence has one parse and an estimated value below 1, but both accepted it."""
    found = run(*pair(tmp_path, **DIVERGING), *FAST).stdout
    assert "; 2 sentences differ." in " ".join(found.split())
    assert "2 sentences have disagreements" in found


def test_without_a_disagreement_there_is_nothing_to_adjudicate(tmp_path):
    text = run(*pair(tmp_path), *FAST).stdout
    assert "No sentence has a disagreement." in text
    assert "-o" not in text


@pytest.mark.parametrize("share", [0.3, 1.0])
@pytest.mark.parametrize("suite", ["fracas", "mrs", "esd"])
def test_real_profiles_that_lost_decisions_agree_fully(data, tmp_path, suite, share):
    """Before: .65, .34 and .57 with these 30% of the rows lost."""
    import gzip
    import random
    import shutil

    whole = data / "tsdb" / "erg" / "2025" / suite
    if not whole.exists():
        pytest.skip("these profiles are not among the data")
    thin = Path(shutil.copytree(whole, tmp_path / "thin", copy_function=shutil.copyfile))
    rng = random.Random(1)
    rows = gzip.decompress((whole / "decision.gz").read_bytes()).splitlines(keepends=True)
    (thin / "decision.gz").write_bytes(gzip.compress(b"".join(row for row in rows if rng.random() >= share)))
    found = json.loads(run(f"ann={whole}", f"bob={thin}", "--json", "-q", *FAST).stdout)["results"]
    assert found[0]["value"] == 1
    assert found[-1]["value"] == 1  # alpha_masi


@pytest.mark.parametrize("with_profiles", [False, True])
def test_a_workbook_of_another_type_is_refused_by_its_name(tmp_path, with_profiles):
    profiles = pair(tmp_path) if with_profiles else ()
    for name in ("report.ods", "report.xls", "report.csv"):
        done = run(*profiles, "--adjudicated", tmp_path / name, code=2)
        assert done.stderr == (
            f"{tmp_path / name}: cannot read decisions from this type of file. "
            "Save the workbook as .xlsx in your spreadsheet program.\n"
        )
    (tmp_path / "notes").write_text("not a workbook", encoding="utf-8")
    assert "this type of file" in run("--adjudicated", tmp_path / "notes", code=2).stderr


def test_two_grammars_with_other_tokens_are_said_to_be_incomparable_before_any_number(tmp_path):
    text, attached, split = "Birds sing.", ATTACHED, SPLIT
    one = forest(tmp_path, "ann", [(text, attached, [(1, 3, "SB-HD", 0, 2)])], grammar="Toy (2018)")
    two = forest(tmp_path, "bob", [(text, split, [(1, 3, "SB-HD", 0, 3)])], grammar="Toy (2025)")
    done = run(one, two, "-q", *FAST).stdout
    said = " ".join(done.split())
    assert said.startswith(
        "ann and bob cannot be compared as two annotations of the same parses: the grammars (Toy (2018) and "
        "Toy (2025)) use different tokens in 1 of 1 sentences that both accepted"
    )
    assert said.index("Aligned by characters: 1.") < said.index("y_option_kappa")
    page, book = tmp_path / "r.html", tmp_path / "r.xlsx"
    found = json.loads(run(one, two, "-q", "--json", "-o", page, "-o", book, *FAST).stdout)["results"][0]
    assert found["details"]["caution"].startswith("ann and bob cannot be compared")
    assert page.read_text(encoding="utf-8").index("cannot be compared") < page.read_text(
        encoding="utf-8"
    ).index("y_option_kappa")
    rows = [[cell for cell in row if cell] for row in openpyxl.load_workbook(book)["Front"].values]
    titles = [row[0] for row in rows if row]
    assert titles.index("Not comparable:") < titles.index("Avg. Y-Option Kappa:")


def test_the_page_names_next_steps_and_has_text_for_a_paper(tmp_path, monkeypatch):
    monkeypatch.chdir(PROFILES)
    run("ann", "bob", "-o", tmp_path / "r.html", *FAST)
    document = html.parse(tmp_path / "r.html")
    assert document.xpath("//section[@id='steps']//pre/text()") == [
        "arbitree tsdb ann bob -o report.xlsx",
        "arbitree tsdb ann bob --adjudicated report.xlsx --export gold",
        "arbitree serve ann bob",
    ]
    prose, table = document.xpath("//section[@id='paper']//pre/text()")
    assert prose.startswith("We measured the agreement of 2 annotators (ann, bob) on 8 sentences")
    assert table.startswith("\\begin{tabular}{llrlrr}")


def test_measures_of_few_sentences_have_one_note_that_names_them():
    found = json.loads(run(PROFILES / "ann", PROFILES / "bob", "--json", "-q").stdout)
    unknown, *notes = [each for each in found["warnings"] if " are few" in each]
    whose = "the 95% intervals of y_option_kappa are approximate; their coverage was not measured"
    assert unknown == f"7 sentences are few, so {whose}"
    (note,) = notes
    assert note.startswith("7 items (agreement, pi and kappa) and 4 items (alpha_masi) are few")


def test_next_steps_name_the_root_and_long_tables_are_folded(project, tmp_path):
    run("--root", project, "-o", tmp_path / "r.html", *FAST)
    document = html.parse(tmp_path / "r.html")
    first = document.xpath("//section[@id='steps']//pre/text()")[0]
    assert first == f"arbitree tsdb --root {project.name} -o report.xlsx"
    rows = document.xpath("count(//section[@id='divergences-1']//tbody/tr)")
    assert rows > 20
    (folded,) = document.xpath("//section[@id='divergences-1']/details/summary")
    assert folded.text == f"Show all {rows:.0f} rows"
