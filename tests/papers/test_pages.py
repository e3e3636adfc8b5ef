"""The pages on papers: their tables are those that the modules of the papers make."""

import re
from pathlib import Path

import pytest

from arbitree.errors import ArbitreeError
from arbitree.reproduction.cells import beside
from arbitree.reproduction.pages import filled, write_page
from arbitree.reproduction.papers import NAMES as PAPERS
from arbitree.reproduction.papers import paper_named
from arbitree.reproduction.parts import Part

FOLDER = Path(__file__).parents[2] / "docs/papers"
NAMES = sorted([*PAPERS, "defaults"])


def parts_of(name):
    return paper_named(name).parts


def page_of(name):
    folder = FOLDER.parent if name == "defaults" else FOLDER
    return (folder / f"{name}.md").read_text(encoding="utf-8")


def marked(name, mark):
    """What stands in a page after a mark."""
    (text,) = re.findall(rf"<!-- {re.escape(mark)} -->\n(.*?)<!-- end -->", page_of(name), re.DOTALL)
    return text.strip()


def test_there_is_a_page_for_each_of_the_five_papers():
    papers = ["castro2011", "kulick2013", "melamed_resnik2000", "plank2015", "skjaerholt2014"]
    assert sorted(PAPERS) == papers
    listed = (FOLDER.parents[1] / "mkdocs.yml").read_text(encoding="utf-8")
    for name in [*(f"papers/{each}.md" for each in papers), "defaults.md"]:
        assert f": {name}" in listed


@pytest.mark.parametrize("name", NAMES)
def test_pages_are_up_to_date_in_all_that_needs_no_data(name):
    made = [part for part in parts_of(name) if not part.needs]
    assert made
    for part in made:
        for mark, text in part.pieces(None).items():
            if mark.endswith(".svg"):
                assert (FOLDER / f"{name}-{mark}").read_text(encoding="utf-8") == text
            else:
                assert marked(name, mark) == text.strip(), mark


@pytest.mark.parametrize("name", NAMES)
def test_no_mark_is_left_empty_and_every_picture_is_there(name):
    page = page_of(name)
    assert not re.search(r"-->\s*<!-- end -->", page)
    for picture in re.findall(r"\]\(([\w-]+\.svg)\)", page):
        assert (FOLDER / picture).stat().st_size < 150_000
    for path in FOLDER.glob(f"{name}-*.svg"):
        assert path.name in page


def test_a_page_keeps_its_text_and_the_parts_that_were_not_made(tmp_path):
    page = tmp_path / "kept.md"
    page.write_text(
        "mine\n<!-- one -->\nold\n<!-- end -->\n<!-- two -->\nold\n<!-- end -->\n", encoding="utf-8"
    )
    parts = [Part(lambda: {"one": "new"}), Part(lambda data: {"two": "new"}, ["corpus"])]
    made = {mark: text for part in parts for mark, text in part.pieces(tmp_path).items()}
    write_page(tmp_path, "kept", "A (2000)", made)
    assert (
        page.read_text(encoding="utf-8")
        == "mine\n<!-- one -->\n\nnew\n\n<!-- end -->\n<!-- two -->\nold\n<!-- end -->\n"
    )
    assert parts[1].lacks(tmp_path) == ["corpus"]


def test_a_new_page_has_all_pieces_and_can_be_updated(tmp_path):
    paths = write_page(tmp_path, "new", "A (2000)", {"table 1": "| a |", "curve.svg": "<svg/>"})
    assert [path.name for path in paths] == ["new.md", "new-curve.svg"]
    text = (
        "# Reproduction of A (2000)\n\n## Table 1\n\n<!-- table 1 -->\n\n| a |\n\n<!-- end -->\n\n"
        "![curve](new-curve.svg)\n"
    )
    assert paths[0].read_text(encoding="utf-8") == text
    write_page(tmp_path, "new", "A (2000)", {"table 1": "| b |"})
    assert paths[0].read_text(encoding="utf-8") == text.replace("| a |", "| b |")


def test_a_piece_without_a_mark_is_an_error(tmp_path):
    with pytest.raises(ArbitreeError, match="expected one mark <!-- two --> in this page, got 0"):
        filled("<!-- one -->\n<!-- end -->", "two", "text", tmp_path / "page.md")


def test_printed_values_that_agree_are_bold():
    """1/8 is printed as 0,13 in de Castro's table 5.2."""
    assert [beside(0.13, 0.125, 2), beside(78.9, 80.27, 1)] == ["**.13**", "78.9 (80.3)"]


@pytest.mark.parametrize(
    ("mark", "row"),
    [
        ("table 1", "| CDT es | **55** | **924** | **4** | **2.8** per text, **2** to **4** |"),
        ("table 2", "| CDT es | **86.6** | **48.8** | **85.8** | 78.9 (80.3) | **2** |"),
        ("las", "| all pairs of all sentences together | 78.9 (78.5) |"),
    ],
)
def test_cells_of_skjaerholt_from_the_data(data, mark, row):
    """78.5 was worked out by another program."""
    (made,) = [part for part in parts_of("skjaerholt2014") if part.make.__name__ == "corpora"]
    text = made.pieces(data)[mark]
    assert row in text.splitlines()
    assert text == marked("skjaerholt2014", mark)


def test_every_differing_sentence_of_two_releases_has_a_report(data):
    (made,) = [part for part in parts_of("kulick2013") if part.make.__name__ == "versions"]
    text = made.pieces(data)["versions"]
    counts = "85,768 words in 4,480 sentences; 0 excluded. 295 sentences differ, and 295 are reported."
    assert text.endswith(counts)
    assert text == marked("kulick2013", "versions")
