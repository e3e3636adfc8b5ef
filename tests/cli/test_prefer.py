"""``arbitree prefer`` as people type it."""

import json
import re
from pathlib import Path

import pytest
from lxml import html
from typer.testing import CliRunner

from arbitree.cli import app
from tests.support.commands import WIDE

EXAMPLES = Path(__file__).parents[2] / "examples" / "prefer"
TREES = [str(EXAMPLES / f"{name}.conllu") for name in ("gold", "birch", "cedar")]
JUDGMENTS = ["--judgments", str(EXAMPLES / "judgments.csv")]


def run(*arguments):
    return CliRunner(env=WIDE).invoke(app, ["prefer", *map(str, arguments)])


def test_text_is_the_headline_the_judges_and_the_correlations():
    result = run(*TREES, *JUDGMENTS, "--resamples", 50)
    assert result.exit_code == 0, result.output
    assert len(result.stdout.splitlines()) < 30
    blocks = result.stdout.split("\n\n")
    assert [block.split(maxsplit=1)[0] for block in blocks] == ["Preferences", "Agreement", "Correlations"]
    for title in ("Scores of the two systems", "Comparison with las", "Other coefficients"):
        assert title not in result.stdout
    assert "add --all" in result.stderr
    assert "--all" not in run(*TREES, *JUDGMENTS, "--resamples", 50, "-q").stderr


def test_every_correlation_has_one_p_value_corrected_for_the_number_of_metrics():
    found = json.loads(run(*TREES, *JUDGMENTS, "--resamples", 50, "--json", "-q").stdout)
    corrected = {row["metric"]: row["holm"] for row in found["tables"]["tests"]}
    shown = {row["metric"]: row["p_holm"] for row in found["tables"]["correlations"]}
    assert shown == {"las": None, **corrected, "(ceiling)": None}
    text = run(*TREES, *JUDGMENTS, "--resamples", 50, "-q").stdout
    header = next(line for line in text.splitlines() if line.startswith("metric"))
    assert header.split() == ["metric", "study", "95%", "CI", "p"]
    (ted,) = [line.split() for line in text.splitlines() if line.startswith("ted")]
    assert (ted[1], ted[-1]) == ("-.422", ".157")  # no star: Steiger's p of .017 is one of nine


def test_stars_are_corrected_for_the_number_of_metrics_of_a_data_set(tmp_path):
    for name in ("en", "xx"):
        folder = tmp_path / name
        folder.mkdir()
        for path in EXAMPLES.iterdir():
            (folder / path.name).write_bytes(path.read_bytes())
    text = run("--dirs", tmp_path / "en", tmp_path / "xx", "-q", "--resamples", 20).stdout
    ted = next(line.split() for line in text.splitlines() if line.startswith("ted"))
    assert ted[1:3] == ["-.422", "-.422"]  # on 12 items as above
    assert ted[3] == "-.422*"  # the same on 24 items: p = .0003 by Steiger's formula, times nine
    assert "95% CI and p: column all" in text


def test_signatures_are_printed_on_request():
    brief = run(*TREES, *JUDGMENTS, "-m", "las", "-m", "uas", "--resamples", 20, "-q").stdout
    text = run(*TREES, *JUDGMENTS, "-m", "las", "-m", "uas", "--resamples", 20, "-q", "-v").stdout
    found = json.loads(run(*TREES, *JUDGMENTS, "-m", "las", "-m", "uas", "--resamples", 20, "--json").stdout)
    for result in found["results"]:
        assert any(line.endswith(result["signature"]) for line in text.splitlines())
        assert result["signature"] not in brief


def signatures(*arguments):
    shown = run(*arguments, "-m", "las", "-m", "uas", "--resamples", 0, "--json", "-q").stdout
    return [each["signature"] for each in json.loads(shown)["results"]]


def test_a_signature_identifies_trees_and_judgments(tmp_path):
    before = signatures(*TREES, *JUDGMENTS)
    judgments = (EXAMPLES / "judgments.csv").read_text(encoding="utf-8")
    header, first, second, *others = judgments.splitlines()
    other = tmp_path / "judgments.csv"
    # One answer, and the answers to two sentences swapped, which have other trees:
    swapped = [f"{a.partition(',')[0]},{b.partition(',')[2]}" for a, b in ((first, second), (second, first))]
    for rows in ([first.replace("birch", "cedar", 1), second], swapped):
        other.write_text("\n".join([header, *rows, *others]), encoding="utf-8")
        assert not set(before) & set(signatures(*TREES, "-j", other))
    trees = (EXAMPLES / "birch.conllu").read_text(encoding="utf-8")
    birch = tmp_path / "birch.conllu"
    birch.write_text(
        trees.replace("\tdet\t", "\tamod\t", 1), encoding="utf-8"
    )  # a relation: LAS sees it, UAS does not
    las, uas = signatures(TREES[0], birch, TREES[2], *JUDGMENTS)
    assert las != before[0]
    assert uas == before[1]


def test_a_signature_is_the_same_for_judges_and_sentences_in_another_order(tmp_path):
    header, *rows = (EXAMPLES / "judgments.csv").read_text(encoding="utf-8").splitlines()
    shuffled = [",".join([item, *answers[::-1]]) for item, *answers in (row.split(",") for row in rows[::-1])]
    other = tmp_path / "judgments.csv"
    other.write_text("\n".join([header, *shuffled]), encoding="utf-8")
    assert signatures(*TREES, "-j", other) == signatures(*TREES, *JUDGMENTS)


def test_all_prints_all_tables():
    result = run(*TREES, *JUDGMENTS, "--resamples", 50, "--cite", "--all")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("Preferences of ")
    assert "judges on" in result.stdout.splitlines()[0]
    for title in (
        "Agreement between judges",
        "Scores of the two systems",
        "Comparison with las",
        "Items on which judges",
    ):
        assert title in result.stdout
    assert "@inproceedings{plank2015" in result.stdout


def test_a_directory_gets_a_page_with_all_tables_and_json(tmp_path):
    folder = tmp_path / "out"
    result = run(*TREES, *JUDGMENTS, "--resamples", 20, "-o", folder)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("Preferences of 3 judges")
    assert len(result.stdout.splitlines()) < 5
    assert f"Wrote prefer.html and prefer.json to {folder}" in result.stderr
    assert sorted(path.name for path in folder.iterdir()) == ["prefer.html", "prefer.json"]
    found = json.loads((folder / "prefer.json").read_text(encoding="utf-8"))
    page = html.document_fromstring((folder / "prefer.html").read_text(encoding="utf-8"))
    tables = {each.get("aria-label") for each in page.xpath("//div[@role='group'][table]")}
    assert tables == set(found["tables"])
    p_values = [row["holm"] for row in found["tables"]["tests"]]
    shown = page.xpath("//div[@aria-label='tests']//tbody/tr/td[6]/@data-key")  # by which a table is sorted
    assert list(map(float, shown)) == p_values
    titles = [each.text_content().strip() for each in page.xpath("//h2")]
    assert titles[:2] == ["Agreement between judges", "Correlations with human preferences"]
    assert len(titles) == len(set(titles))
    targets = [each.get("href").removeprefix("#") for each in page.xpath("//nav/a")]
    assert len(targets) == len(titles)
    assert all(page.get_element_by_id(each) is not None for each in targets)


def test_a_page_alone_has_all_tables_too(tmp_path):
    result = run(*TREES, *JUDGMENTS, "--resamples", 0, "-o", tmp_path / "x.html", "-q")
    assert result.exit_code == 0, result.output
    text = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert text.count("<table") == 9
    assert "Correlations between metrics" in text


def test_a_file_in_the_place_of_the_directory_is_refused_before_any_work(tmp_path):
    (tmp_path / "out").write_text("", encoding="utf-8")
    result = run(*TREES, *JUDGMENTS, "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert "expected a directory, got a file" in result.stderr
    assert "Format detected" not in result.stderr


def test_json_is_whole_and_keeps_to_the_schema():
    result = run(*TREES, *JUDGMENTS, "--resamples", 50, "--json", "-q")
    found = json.loads(result.stdout)
    assert found["command"] == "prefer"
    assert found["study"]["judgments"] == 35
    assert {"arbitree", "command", "study", "results", "sets", "tables", "warnings"} == set(found)
    las = found["results"][0]
    assert las["measure"] == "las"
    assert las["interval"][0] <= las["value"] <= las["interval"][1]
    assert las["by"]["set"][0]["group"] == "study"
    uas = found["results"][1]["details"]["against"]
    assert uas["metric"] == "las"
    assert 0 <= uas["steiger"]["p"] <= 1
    assert found["sets"][0]["verdicts"]["method"] == "mace"


def test_shares_have_their_denominators():
    found = json.loads(run(*TREES, *JUDGMENTS, "--resamples", 0, "--json", "-q").stdout)
    las = found["results"][0]["details"]
    assert (las["verdicts"], las["agreement"] * las["verdicts"]) == (12, 8.5)
    text = run(*TREES, *JUDGMENTS, "--resamples", 0, "-q").stdout.replace("\n", " ")
    assert "las agrees with 8.5 of 12 verdicts (a tie counts half): 70.8%." in text
    # 35 judgments in the file, of which 1 is "equal"; 11 items with 3 judgments and 1 item with 2.
    assert [row["of"] for row in found["tables"]["agreement"]] == [34, 12]
    assert found["tables"]["people"][0]["pairs"] == 11 * 3 + 1
    for row in found["tables"]["overruled"]:
        assert row["of"] == row["items"] - row["neither"]


def test_directories_are_sets(tmp_path):
    for name in ("en", "xx"):
        folder = tmp_path / name
        folder.mkdir()
        for path in EXAMPLES.iterdir():
            (folder / path.name).write_bytes(path.read_bytes())
    result = run("--dirs", tmp_path / "en", f"other={tmp_path / 'xx'}", "--json", "--resamples", 20)
    found = json.loads(result.stdout)
    assert [each["set"] for each in found["sets"]] == ["en", "other"]
    assert found["results"][0]["items_used"] == 24


def test_a_file_of_verdicts_replaces_aggregation(tmp_path):
    path = tmp_path / "verdicts.txt"
    path.write_text("cedar\nbirch\n" * 6, encoding="utf-8")
    result = run(*TREES, *JUDGMENTS, "--aggregate", path, "--json", "--resamples", 0)
    found = json.loads(result.stdout)
    assert found["sets"][0]["verdicts"] | {"competence": {}} == {
        "method": "given",
        "items": 12,
        "first": 6,
        "left_out": {},
        "ties": 0,
        "competence": {},
    }


def test_fitted_weights_can_be_saved_and_used(tmp_path):
    weights = tmp_path / "weights.json"
    result = run(*TREES, *JUDGMENTS, "--save-weights", weights, "--resamples", 20)
    assert result.exit_code == 0, result.output
    assert re.search("The fitted weights are not better than LAS", result.stdout)
    assert json.loads(weights.read_text(encoding="utf-8"))["measure"] == "weighted_las"
    again = run(*TREES, *JUDGMENTS, "-m", "las", "-m", f"weighted_las:weights={weights}", "--resamples", 0)
    assert again.exit_code == 0, again.output
    assert "weighted_las" in again.stdout


def test_figures_are_drawn(tmp_path):
    result = run(*TREES, *JUDGMENTS, "--figures", tmp_path / "f", "-m", "las", "-m", "uas", "--resamples", 20)
    assert result.exit_code == 0, result.output
    names = {path.name for path in (tmp_path / "f").iterdir()}
    assert names == {
        f"{stem}.{ending}"
        for stem in ("correlation", "agreement", "between", "difference")
        for ending in ("svg", "pdf")
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (TREES, "no file of judgments was given. Set it with --judgments."),
        ([*TREES[:2], *JUDGMENTS], "expected 3 files (GOLD A B), got 2"),
        ([*TREES, "-j", "nowhere.csv"], "nowhere.csv: file not found"),
        ([*TREES, *JUDGMENTS, "--aggregate", "majorty"], "majorty: file not found"),
        ([*TREES, *JUDGMENTS, "--correlate", "sing"], "Did you mean 'sign'?"),
        ([*TREES, *JUDGMENTS, "--test", "student"], "unknown test 'student'"),
        ([*TREES, *JUDGMENTS, "--against", "lsa"], "unknown metric 'lsa'"),
        ([*TREES, *JUDGMENTS, "--stray", "ignore"], "unknown stray value 'ignore'"),
        ([*TREES, *JUDGMENTS, "--options", "blue=pine"], "does not give a word a meaning"),
        (["--dirs", str(EXAMPLES / "gold.conllu")], "expected a directory, got a file"),
        (["--dirs", str(EXAMPLES.parent / "phrase")], "expected one table of judgments"),
        ([TREES[0], TREES[1], TREES[1], *JUDGMENTS], "this file was given twice"),
    ],
)
def test_mistakes_are_one_line_and_exit_2(arguments, message):
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr.strip().splitlines()[-1]


def test_judgments_that_name_neither_parse(tmp_path):
    path = tmp_path / "j.csv"
    path.write_text("oak,pine\n" * 12, encoding="utf-8")
    result = run(*TREES, "-j", path)
    assert result.exit_code == 2
    assert "does not name birch or cedar" in result.stderr


def test_without_las_the_first_metric_is_tested_against():
    result = run(*TREES, *JUDGMENTS, "-m", "la", "-m", "uas", "--resamples", 20, "--all")
    assert result.exit_code == 0, result.output
    assert "Comparison with la, study" in result.stdout


def test_phrase_trees_can_be_judged_too(tmp_path):
    folder = EXAMPLES.parent / "phrase"
    path = tmp_path / "j.csv"
    path.write_text(
        "item,ann\nweather-3,a\nweather-5,b\nweather-7,a\nweather-8,b\nmarket-3,a\n", encoding="utf-8"
    )
    trees = [folder / f"{name}.mrg" for name in ("ann", "bob", "cho")]
    result = run(*trees, "-j", path, "--json", "-m", "jaccard", "-m", "alpha_plain", "--resamples", 20)
    found = json.loads(result.stdout)
    assert found["study"]["kind"] == "phrase"
    assert found["results"][1]["details"]["against"]["metric"] == "jaccard"
    alike = {each["item"] for each in found["results"][0]["ignored"] if each["reason"] == "identical_parses"}
    judged = {"weather-3", "weather-5", "weather-7", "weather-8", "market-3"}
    assert found["results"][0]["items_used"] == len(judged - alike)
