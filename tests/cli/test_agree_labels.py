"""``arbitree agree`` on labels, as a user meets it."""

import json
import re

import pytest

from tests.support.commands import arbitree

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
        (["-m", "las"], "las cannot measure labels. Use one of: "),
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
    path.write_text("item\tcoder\tlabel\n1\tann\tx\n2\tann\ty\n", encoding="utf-8")
    done = arbitree("agree", path)
    assert done.returncode == 2
    assert "only ann was found" in done.stderr.decode()


def test_the_report_is_about_items(tmp_path):
    done = arbitree("report", STANCE, "-o", tmp_path, "--resamples", 20)
    assert done.returncode == 0
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "24 items" in page
    assert "Hardest items" in page
    assert "By label, each against all others" in page
    assert "sentence" not in re.sub(r"<(style|script).*?</\1>", "", page, flags=re.DOTALL)


CROWD = "HITId,WorkerId,Answer.mood\nu1,ann,1\nu1,bob,1.0\nu2,ann,2\nu2,bob,NA\nu3,ann,2\nu3,bob,1\n"


def test_how_a_table_was_read_is_said_once_unless_quiet(tmp_path):
    path = tmp_path / "crowd.csv"
    path.write_text(CROWD, encoding="utf-8")
    done = arbitree("agree", path, "-m", "agreement", "--json", "--resamples", 0)
    lines = done.stderr.decode().splitlines()
    columns = "item = HITId, annotator = WorkerId, label = Answer.mood"
    assert lines == [
        "Format detected: labels",
        f"Read as a long table: {columns}; 3 items, 2 annotators, 5 labels",
        "Items matched by id",
        "warning: 1 cell with NA counts as missing; to read such cells as labels, set --missing off",
        "warning: 1 number in several spellings, such as 1 and 1.0, counts as one label; "
        "to compare numbers as text, set --numbers off",
    ]
    found = json.loads(done.stdout)
    assert found["results"][0]["value"] == 0.5
    assert found["study"]["categories"] == 2
    assert arbitree("agree", path, "-q", "-m", "agreement", "--resamples", 0).stderr == b""
    options = ("--missing", "off", "--numbers", "off")
    found = json.loads(arbitree("agree", path, "--json", "--resamples", 0, *options).stdout)
    assert found["study"]["categories"] == 4


def test_options_name_and_drop_columns(tmp_path):
    path = tmp_path / "crowd.csv"
    path.write_text("page,who,mood,sure\np1,ann,x,1\np1,bob,x,2\np2,ann,y,1\np2,bob,x,1\n", encoding="utf-8")
    options = ["--item-column", "page", "--coder-column", "who", "--label-column", "mood"]
    found = json.loads(arbitree("agree", path, "--json", "--resamples", 0, *options).stdout)
    assert found["study"]["coders"] == ["ann", "bob"]
    dropped = arbitree("agree", path, *options[:2], "--drop-column", "mood", "--drop-column", "sure")
    assert dropped.returncode == 2
    wrong = arbitree("agree", path, "--label-column", "moood")
    assert wrong.returncode == 2
    assert (
        wrong.stderr.decode()
        .splitlines()[-1]
        .endswith("the table has no column 'moood'. Did you mean 'mood'?")
    )


def test_the_gold_column_is_used_where_gold_is_asked_for(tmp_path):
    path = tmp_path / "crowd.csv"
    rows = [("1", "x", "x", "y", "x"), ("2", "y", "y", "y", "y.0"), ("3", "x", "x", "x", "")]
    path.write_text(
        "item,ann,bob,cho,gold\n" + "".join(",".join(row) + "\n" for row in rows), encoding="utf-8"
    )
    done = arbitree("coders", path, "--model", "majority", "--json", "--resamples", 0)
    found = json.loads(done.stdout)
    assert found["study"]["coders"] == ["ann", "bob", "cho"]
    accuracy = next(result for result in found["results"] if result["measure"] == "accuracy")
    assert (accuracy["value"], accuracy["details"]["total"]) == (0.5, 2)


def test_gold_scores_hierarchical_tags(tmp_path):
    (tmp_path / "tags.txt").write_text("weather\n  rain\n  snow\n", encoding="utf-8")
    (tmp_path / "table.csv").write_text(
        "item,ann,bob,gold\n1,rain,snow,rain\n2,snow,snow,snow\n", encoding="utf-8"
    )
    measure = f"hierarchical_score:hierarchy={tmp_path / 'tags.txt'}"
    for name in (measure, f"{measure},gold=gold"):
        done = arbitree("agree", tmp_path / "table.csv", "-m", name, "--json", "--resamples", 0)
        assert json.loads(done.stdout)["results"][0]["value"] == 0.75  # 3 of 4 answers are gold


def test_convert_reads_a_table_with_the_same_options(tmp_path):
    source = tmp_path / "in.csv"
    first, *rows = CROWD.splitlines()
    source.write_text("\n".join([f"{first},Answer.why", *(f"{row},z" for row in rows)]), encoding="utf-8")
    refused = arbitree("convert", source, tmp_path / "out.tsv")
    assert b"Name it with --label-column" in refused.stderr
    done = arbitree("convert", source, tmp_path / "out.tsv", "--label-column", "Answer.mood")
    assert b"warning: 1 cell with NA counts as missing" in done.stderr
    assert (tmp_path / "out.tsv").read_text(encoding="utf-8") == (
        "item\tcoder\tlabel\tAnswer.why\n"
        "u1\tann\t1\tz\nu1\tbob\t1\tz\nu2\tann\t2\tz\nu3\tann\t2\tz\nu3\tbob\t1\tz\n"
    )


def test_known_labels_are_compared_by_value(tmp_path):
    (tmp_path / "table.csv").write_text("item,ann,bob,cho\n1,1,1,1\n2,2,2,1\n3,1,1,1\n", encoding="utf-8")
    (tmp_path / "truth.csv").write_text("item,label\n1,1.0\n2,2.0\n3,NA\n", encoding="utf-8")
    options = ("--model", "majority", "--truth", tmp_path / "truth.csv", "--json", "--resamples", 0)
    found = json.loads(arbitree("coders", tmp_path / "table.csv", *options).stdout)
    accuracy = next(result for result in found["results"] if result["measure"] == "accuracy")
    assert (accuracy["value"], accuracy["details"]["total"]) == (1.0, 2)
