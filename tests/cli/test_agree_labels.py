"""``arbitree agree`` on labels, as a user meets it."""

import json

import pytest

from tests.cli.commands import arbitree

STANCE = "examples/labels/stance.tsv"


def test_the_table_is_about_items():
    done = arbitree("agree", STANCE, "--by", "label", "--confusions", "--difference", "--resamples", 50)
    out, err = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == 0
    assert out.startswith("Agreement of 4 annotators on 24 items: alpha_nominal 0.")
    assert "Format detected: labels" in err
    assert "by label" in out
    assert "praise     question" in out
    assert "alpha_nominal - kappa" in out
    assert max(map(len, out.splitlines())) <= 100


def test_json_has_categories_and_tables():
    done = arbitree("agree", STANCE, "--json", "--confusions", "--versus", STANCE, "--resamples", 20)
    found = json.loads(done.stdout)
    assert found["study"] == {
        "kind": "label",
        "items": 24,
        "coders": ["ann", "bob", "cho", "dee"],
        "annotations": 88,
        "categories": 3,
    }
    assert set(found["confusions"][0]) == {"label", "other", "count", "share"}
    assert all(row["difference"] == 0 for row in found["versus"])


def test_labels_come_from_trees():
    files = ("examples/dependency/ann.conllu", "examples/dependency/bob.conllu")
    done = arbitree("agree", *files, "--column", "upos", "--json", "--resamples", 20)
    found = json.loads(done.stdout)
    assert (found["study"]["kind"], found["study"]["items"]) == ("label", 195)
    wrong = arbitree("agree", *files, "--column", "upso")
    assert wrong.returncode == 2
    assert b"Did you mean 'upos'?" in wrong.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-m", "alpha_ordinal"], "alpha_ordinal needs ordered labels, but 'complaint' is not a number"),
        (["-m", "s:categories=praise/complaint"], "unknown category 'question'"),
        (["-m", "las"], "las cannot measure label annotations. Use one of: "),
        (["-m", "weighted_kappa:weights=cubic"], "cubic: file not found"),
        (["--by", "length"], "unknown breakdown 'length'"),
        (["--difference", "-m", "kappa"], "a difference needs at least two measures"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(options, message):
    done = arbitree("agree", STANCE, *options)
    assert done.returncode == 2
    assert message in done.stderr.decode().splitlines()[-1]


def test_one_coder_is_refused(tmp_path):
    path = tmp_path / "alone.tsv"
    path.write_text("item\tcoder\tlabel\n1\tann\tx\n2\tann\ty\n")
    done = arbitree("agree", path)
    assert done.returncode == 2
    assert "only ann was found" in done.stderr.decode()


def test_the_report_is_about_items(tmp_path):
    done = arbitree("report", STANCE, "-o", tmp_path, "--resamples", 20)
    assert done.returncode == 0
    page = (tmp_path / "report.html").read_text()
    assert "24 items" in page
    assert "Hardest items" in page
    assert "By label, each against all others" in page
    assert "sentence" not in page
