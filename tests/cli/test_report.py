"""``arbitree report`` as a user meets it: two files in a directory, a sentence on standard output."""

import json
import os
import shlex
import shutil
from pathlib import Path

import pytest
from lxml import html

from tests.support.browser.pages import document_of, needs_browser
from tests.support.commands import arbitree
from tests.support.conllu_rows import sentence
from tests.support.report_workbooks import loaded


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_report_writes_both_files_and_says_where(coders, tmp_path):
    folder = tmp_path / "deep" / "down"
    done = arbitree("report", *coders, "-o", folder, "--title", "Dogs & rain")
    assert done.returncode == 0
    (line,) = done.stdout.decode().splitlines()
    assert line.startswith("Agreement of 3 annotators on 2 sentences: alpha_plain 0.")
    assert f"Wrote {folder / 'report.html'} and {folder / 'report.xlsx'}" in done.stderr.decode()
    assert names(folder) == ["report.html", "report.xlsx"]
    document, workbook = loaded(folder)
    assert document.findtext(".//title") == "Dogs & rain: Arbitree report"
    assert workbook.sheetnames[:2] == ["Start", "Measures"]


def test_page_and_workbook_show_the_numbers_that_agree_prints(coders, tmp_path):
    expected = json.loads(arbitree("agree", "--json", "--resamples", "50", *coders).stdout)["results"]
    arbitree("report", "--resamples", "50", *coders, "-o", tmp_path)
    document, workbook = loaded(tmp_path)
    shown = document.xpath("//section[@id='measures']//tbody//data/@value")
    assert [float(value) for value in shown] == [result["value"] for result in expected]
    _, *rows = workbook["Measures"].iter_rows(values_only=True)
    assert [row[:4] for row in rows] == [
        (result["measure"], *map(pytest.approx, (result["value"], *result["interval"])))
        for result in expected
    ]


def test_breakdowns_are_those_that_tell_more_than_the_whole(coders, tmp_path):
    arbitree("report", *coders, "-o", tmp_path / "three")
    arbitree("report", *coders[:2], "-o", tmp_path / "two")
    assert loaded(tmp_path / "three")[1].sheetnames == [
        "Start", "Measures", "By annotator", "By pair of annotators", "By document", "By sentence length",
        "Adjudication", "Questions", "Types", "Coders", "Confused attachments", "Items", "Excluded", "About",
    ]  # fmt: skip
    assert loaded(tmp_path / "two")[1].sheetnames == [
        "Start", "Measures", "By document", "By sentence length", "Adjudication", "Questions", "Types",
        "Confused attachments", "Items", "Excluded", "About",
    ]  # fmt: skip


SECTIONS = (
    "measures", "steps", "types", "confusions", "who", "models", "hardest", "length", "left-out", "paper",
    "computed",
)  # fmt: skip


def test_sections_appear_in_order_where_the_study_supports_them(coders, tmp_path):
    labels = tmp_path / "labels.csv"
    labels.write_text("item,ann,bob,cho\n1,x,x,y\n2,y,y,y\n3,x,y,y\n", encoding="utf-8")
    for name, inputs, expected in (
        ("three", coders, SECTIONS),
        ("two", coders[:2], [each for each in SECTIONS if each not in ("who", "models")]),
        ("labels", [labels], [each for each in SECTIONS if each not in ("types", "length")]),
    ):
        assert arbitree("report", "-q", *inputs, "-o", tmp_path / name).returncode == 0
        document, _ = loaded(tmp_path / name)
        found = [each for each in document.xpath("//section/@id") if each in SECTIONS]
        assert found == list(expected)
        assert set(found) <= {link[1:] for link in document.xpath("//nav//a/@href")} | {"hardest"}
        ids = document.xpath("//@id")
        assert len(ids) == len(set(ids))
        assert {link[1:] for link in document.xpath("//@href")} <= set(ids)


def test_sentences_whose_tokens_differ_are_to_be_fixed_first(tmp_path):
    """The trees of "u" differ most only because one has more words; ann and bob differ in "v"."""
    trees = {
        "ann": (("I don't mind at all", [3, 3, 0, 5, 3]), ("rain fell hard", [2, 0, 2])),
        "bob": (("I do n't mind at all", [4, 4, 4, 0, 6, 4]), ("rain fell hard", [2, 0, 1])),
    }
    for coder, (first, second) in trees.items():
        text = sentence(*first, name="u") + sentence(*second, name="v")
        (tmp_path / f"{coder}.conllu").write_text(text, encoding="utf-8")
    assert (
        arbitree("report", "-q", *sorted(tmp_path.glob("*.conllu")), "-o", tmp_path / "out").returncode == 0
    )
    document, workbook = loaded(tmp_path / "out")
    assert document.xpath("//section[@id='hardest']//tbody/tr/@id") == ["item-v"]
    (row,) = document.xpath("//section[@id='fix-first']//tbody/tr")
    counts = "ann (5 tokens), bob (6 tokens)"
    found = [" ".join(cell.text_content().split()) for cell in row]
    assert found[:3] == ["u", "different tokens", counts]
    assert document.xpath("//nav/a[@href='#fix-first']")
    assert [row[:3] for row in workbook["Fix first"].iter_rows(values_only=True)] == [
        ("item", "problem", "annotators"),
        ("u", "different tokens", counts),
    ]


def test_sentences_of_one_annotator_are_to_be_fixed_first(tmp_path):
    for coder, other in (("ann", "v"), ("bob", "w")):
        text = sentence("rain fell", name="u") + sentence("it stopped", name=other)
        (tmp_path / f"{coder}.conllu").write_text(text, encoding="utf-8")
    assert arbitree("report", "-q", *sorted(tmp_path.glob("*.conllu")), "-o", tmp_path).returncode == 0
    document, workbook = loaded(tmp_path)
    rows = [row[:3] for row in workbook["Fix first"].iter_rows(values_only=True)][1:]
    assert rows == [
        ("v", "one annotator only", "ann (2 tokens)"),
        ("w", "one annotator only", "bob (2 tokens)"),
    ]
    (note,) = document.xpath("//section[@id='fix-first']/p")
    assert note.text.startswith("2 sentences were matched with no sentence of another annotator")
    (first, *_) = document.xpath("//section[@id='steps']//pre")
    assert first.text.startswith("arbitree report ann.conllu bob.conllu")


def test_sentences_that_others_did_not_annotate_are_not_to_be_fixed(tmp_path):
    """Bob annotated only the first sentence, so no sentence of bob can be the second one of ann."""
    (tmp_path / "ann.conllu").write_text(
        sentence("rain fell", name="u") + sentence("it stopped", name="v"), encoding="utf-8"
    )
    (tmp_path / "bob.conllu").write_text(sentence("rain fell", name="u"), encoding="utf-8")
    assert arbitree("report", "-q", *sorted(tmp_path.glob("*.conllu")), "-o", tmp_path).returncode == 0
    document, workbook = loaded(tmp_path)
    assert "Fix first" not in workbook
    assert not document.xpath("//section[@id='fix-first']")
    assert document.xpath("//section[@id='left-out']")


def test_the_headline_names_a_confusion_of_two_values(tmp_path):
    """Bob has neither heavy nor again in both sentences, so (none) comes first in the list of confusions."""
    graphs = {
        "ann": "(f / fall-01 :ARG1 (r / rain) :manner (h / heavy) :mod (a / again))",
        "bob": "(f / fall-01 :ARG1 (r / snow))",
    }
    for coder, graph in graphs.items():
        text = "".join(f"# ::id {number}\n{graph}\n\n" for number in "12")
        (tmp_path / f"{coder}.amr").write_text(text, encoding="utf-8")
    assert arbitree("report", "-q", *sorted(tmp_path.glob("*.amr")), "-o", tmp_path).returncode == 0
    document, _ = loaded(tmp_path)
    (headline,) = document.xpath("//p[@class='headline']")
    assert "Most frequent confusion: rain and snow (2 times)." in " ".join(headline.text_content().split())


def test_a_token_without_a_label_of_others_is_not_to_be_fixed(tmp_path):
    """The tokens b, c and d are in a sentence that both annotators labelled, so their ids are right."""
    rows = {"ann": "ab", "bob": "acd"}
    lines = [f"{coder}\t{item}\tx\ts1\n" for coder, items in rows.items() for item in items]
    (tmp_path / "labels.tsv").write_text("coder\titem\tlabel\tcluster\n" + "".join(lines), encoding="utf-8")
    assert arbitree("report", "-q", tmp_path / "labels.tsv", "-o", tmp_path).returncode == 0
    document, _ = loaded(tmp_path)
    assert len(document.xpath("//section[@id='left-out']//tbody/tr")) == 3
    assert not document.xpath("//section[@id='fix-first']")


def test_a_report_warns_once_about_few_clusters(coders, tmp_path):
    """Measures and the annotator model resample the same sentences."""
    assert arbitree("report", "-q", *coders, "--column", "upos", "-o", tmp_path).returncode == 0
    document, _ = loaded(tmp_path)
    notes = [each for each in document.xpath("//section[@id='warnings']//li/text()") if " are few" in each]
    assert len(notes) == 1
    assert notes[0].startswith("2 clusters are few")


def text_of(document, path):
    return " ".join(document.xpath(path)[0].text_content().split())


def test_next_steps_name_the_inputs_as_they_were_given(coders, tmp_path, monkeypatch):
    monkeypatch.chdir(coders[0].parent)
    spaced = tmp_path / "my study"
    spaced.mkdir()
    shutil.copy(coders[1], spaced / "bob.conllu")
    arbitree("report", "-q", "ann.conllu", f"bob={spaced}/bob.conllu", "--match", "id", "-o", "out")
    document, _ = loaded(Path("out"))
    commands = [each.text for each in document.xpath("//section[@id='steps']//pre")]
    named = "--match id ann.conllu 'bob=my study/bob.conllu'"
    assert commands == [
        f"arbitree explain {named} -o explained",
        f"arbitree serve {named}",
        f"arbitree report {named} -o out --adjudicated out/report.xlsx",
    ]


def test_next_steps_can_be_run(coders, tmp_path, monkeypatch):
    monkeypatch.chdir(coders[0].parent)  # as the note below the commands says
    arbitree("report", "-q", *coders, "-o", "out")
    document, _ = loaded(Path("out"))
    assert "Run them in the directory in which these names are valid." in text_of(
        document, "//section[@id='steps']/p"
    )
    commands = [shlex.split(each) for each in document.xpath("//section[@id='steps']//pre/text()")]
    done = {each[1]: arbitree(*each[1:]).returncode for each in commands if each[1] != "serve"}
    assert done == {"explain": 0, "report": 0}


def test_long_inputs_are_not_repeated_in_next_steps(coders, tmp_path):
    arbitree(
        "report", "-q", *(f"{'x' * 300}{number}={path}" for number, path in enumerate(coders)), "-o", tmp_path
    )
    document, _ = loaded(tmp_path)
    assert "arbitree serve INPUT..." in document.xpath("//section[@id='steps']//pre/text()")


def test_a_paragraph_and_a_table_can_be_copied_into_a_paper(coders, tmp_path):
    arbitree("report", "-q", *coders, "-o", tmp_path)
    document, _ = loaded(tmp_path)
    prose, table = document.xpath("//section[@id='paper']//pre/text()")
    assert prose.startswith("We measured the agreement of 3 annotators (ann, bob, eve) on")
    assert "alpha_plain" in prose
    assert "95% CI" in prose
    assert "Skjærholt (2014)" in prose
    rows = document.xpath("//section[@id='measures']//tbody/tr")
    assert table.startswith("\\begin{tabular}{lrlrr}\n\\toprule\n")
    assert table.count(" & ") == 4 * (1 + len(rows))


def test_long_breakdowns_are_folded(tmp_path):
    for coder in ("ann", "bob"):
        (tmp_path / coder).mkdir()
        for number in range(21):
            heads = [0, 1, 1 if coder == "ann" and number == 7 else 2]
            text = sentence("rain fell hard", heads, name="1") + sentence("a b", name="2")
            (tmp_path / coder / f"{number}.conllu").write_text(text, encoding="utf-8")
    arbitree("report", "-q", "--dirs", tmp_path / "ann", tmp_path / "bob", "-o", tmp_path / "out")
    document, _ = loaded(tmp_path / "out")
    (folded,) = document.xpath("//section[@id='document']/details")
    assert folded.get("open") is None
    assert text_of(folded, "summary") == "Show all 21 rows"
    assert len(folded.xpath(".//tbody/tr")) == 21
    assert "Lowest alpha_plain: 7 (" in text_of(document, "//section[@id='document']")
    assert not document.xpath("//section[@id='measures']/details")


def test_hard_sentences_are_drawn_and_their_differences_said(coders, tmp_path):
    arbitree("report", "-q", *coders, "-o", tmp_path)
    document, _ = loaded(tmp_path)
    rows = document.xpath("//section[@id='hardest']//tbody/tr")
    assert [row.get("id") for row in rows] == ["item-a", "item-b"]
    assert all(len(row.xpath(".//*[name()='svg']")) == 1 for row in rows)
    lines = [each.text for each in rows[0].find_class("differences")[0]]
    assert lines == [
        "the: dep of man (ann and bob); dep of saw (eve).",
        "old: dep of man (ann and eve); dep of the (bob).",
    ]


def test_confusions_name_the_sentences_that_show_them(coders, tmp_path):
    """Each of four tokens has one coder of three elsewhere: two pairs each, in b at the root."""
    arbitree("report", "-q", *coders, "-o", tmp_path)
    document, workbook = loaded(tmp_path)
    text = " ".join(document.get_element_by_id("confusions").text_content().split())
    assert "Disagreements: 4 of 10 heads, 0 of 10 labels." in text
    links = document.xpath("//section[@id='confusions']//td[@class='few']//a/@href")
    assert links == ["#item-b", "#item-b", "#item-a", "#item-a"]
    _, first, *_ = workbook["Confused attachments"].iter_rows(values_only=True)
    assert first[:3] == ("ROOT", "X", 4)


def test_a_study_of_many_sentences_makes_a_small_page(tmp_path):
    """200 sentences that differ everywhere: pictures and lists are cut, and the page says so."""
    words = "a b c d e f g h i j"
    for name, heads in (("ann", [2, 3, 4, 5, 6, 7, 8, 9, 10, 0]), ("bob", [0, 1, 1, 1, 1, 1, 1, 1, 1, 1])):
        text = "".join(sentence(words, heads, name=str(number)) for number in range(200))
        (tmp_path / f"{name}.conllu").write_text(text, encoding="utf-8")
    inputs = [tmp_path / f"{name}.conllu" for name in ("ann", "bob")]
    arbitree("report", "-q", *inputs, "-o", tmp_path / "out", "--resamples", "0", "--measure", "las")
    size = (tmp_path / "out" / "report.html").stat().st_size
    assert size < 500_000
    assert loaded(tmp_path / "out")[1]["Adjudication"].max_row == 2_001


def test_a_crowd_has_no_table_of_pairs_and_is_told_so(tmp_path):
    table = tmp_path / "crowd.csv"
    names = ",".join(f"c{number}" for number in range(41))
    rows = [",".join([str(row), *("xy"[(row + k) % 5 == 0] for k in range(41))]) for row in range(4)]
    table.write_text("\n".join([f"item,{names}", *rows]), encoding="utf-8")
    done = arbitree("report", table, "-o", tmp_path / "out", "--resamples", "0")
    why = "41 annotators are more than 40; run 'arbitree agree --by coder' to see them"
    assert f"The report omits the tables by annotator and pair: {why}." in done.stderr.decode()
    document, workbook = loaded(tmp_path / "out")
    assert "By pair of annotators" not in workbook.sheetnames
    assert why in " ".join(document.get_element_by_id("computed").text_content().split())


def test_one_sentence_makes_a_report(tmp_path):
    for name in ("ann", "bob"):
        (tmp_path / f"{name}.conllu").write_text(
            sentence("Rain fell .", [2, 0, 2], name="a"), encoding="utf-8"
        )
    done = arbitree("report", tmp_path / "ann.conllu", tmp_path / "bob.conllu", "-o", tmp_path)
    assert done.returncode == 0
    assert done.stdout.decode().startswith("Agreement of 2 annotators: alpha_plain is undefined, because all")
    document, workbook = loaded(tmp_path)
    assert workbook.sheetnames == ["Start", "Measures", "Types", "Items", "Excluded", "About"]
    assert "undefined" in document.get_element_by_id("measures").text_content()


def test_hostile_words_and_names_stay_text_from_file_to_page(tmp_path):
    words = "<script>alert(1)</script> =cmd \"'><b> \u202eabc"
    for name, heads in (("ann", [0, 1, 1, 1]), ("bob", [0, 1, 2, 3])):
        text = sentence(words, heads, name="=1+1") + sentence("a b", name="b")
        (tmp_path / f"<u>{name}.conllu").write_text(text, encoding="utf-8")
    paths = [f"<i>{name}={tmp_path / f'<u>{name}.conllu'}" for name in ("ann", "bob")]
    done = arbitree("report", *paths, "-o", tmp_path / "out")
    assert done.returncode == 0
    document, workbook = loaded(tmp_path / "out")
    assert len(document.findall(".//script")) == 1
    assert not document.xpath("//b[not(@class='badge')] | //i[not(ancestor::p[@class='note'])]")
    assert not [each for each in document.iter("u") if each.getparent().tag != "mark"]
    assert "<script>alert(1)</script> =cmd \"'><b> \u202eabc" in document.text_content()
    cells = [cell for sheet in workbook for row in sheet.iter_rows() for cell in row]
    assert not [cell for cell in cells if cell.data_type == "f"]
    assert [cell.value for cell in workbook["Items"]["A"]] == ["item", "=1+1", "b"]
    assert [cell.value for cell in workbook["Adjudication"]["A"]] == ["item", "=1+1", "=1+1"]


def test_the_same_inputs_make_the_same_page(coders, tmp_path):
    pages = []
    for name, backend in (("one", "threads"), ("two", "serial")):
        arbitree("report", "-q", "--backend", backend, *coders, "-o", tmp_path / name / "out")
        pages.append((tmp_path / name / "out" / "report.html").read_bytes())
    assert pages[0] == pages[1]


def test_an_earlier_report_is_replaced_and_other_files_stay(coders, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "report.html").write_text("old", encoding="utf-8")
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    assert arbitree("report", "-q", *coders, "-o", folder).stderr == b""
    assert (folder / "report.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert names(folder) == ["notes.txt", "report.html", "report.xlsx"]


def test_a_file_in_place_of_the_directory_is_one_line(coders, tmp_path):
    file = tmp_path / "notes"
    file.touch()
    done = arbitree("report", "-q", *coders, "-o", file)
    assert done.returncode == 2
    assert done.stdout == b""
    (line,) = done.stderr.decode().splitlines()
    assert line == f"{file}: expected a directory, got a file. Choose another directory with --output."
    below = arbitree("report", "-q", *coders, "-o", coders[0] / "deep")
    assert below.returncode == 2
    assert len(below.stderr.decode().splitlines()) == 1


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_directory_that_cannot_be_written_is_one_line(coders, tmp_path):
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)
    done = arbitree("report", "-q", *coders, "-o", folder)
    assert done.returncode == 2
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith(f"{folder}: no permission to write to the directory")


def test_a_file_that_cannot_be_replaced_leaves_no_half_behind(coders, tmp_path):
    (tmp_path / "out" / "report.html").mkdir(parents=True)
    done = arbitree("report", "-q", *coders, "-o", tmp_path / "out")
    assert done.returncode == 2
    assert len(done.stderr.decode().splitlines()) == 1
    assert names(tmp_path / "out") == ["report.html"]


@needs_browser
def test_the_page_runs_from_disk_under_its_own_policy(coders, tmp_path):
    """The script turns headers into buttons; the policy would keep any other from running."""
    arbitree("report", "-q", *coders, "-o", tmp_path / "out")
    page = tmp_path / "out" / "report.html"
    document = html.document_fromstring(document_of(page, tmp_path))
    assert [each.text for each in document.xpath("//section[@id='measures']//th/button")] == [
        "measure", "value", "sentences", "excluded",
    ]  # fmt: skip
