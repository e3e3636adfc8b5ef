"""The pages on papers: what stands in them is what their programs find."""

import importlib
import re
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "docs/papers"
NAMES = sorted(path.stem.removeprefix("make_") for path in FOLDER.glob("make_*.py"))


@pytest.fixture(scope="module", autouse=True)
def _programs():
    """Make the programs importable, as they are when they are run."""
    sys.path.insert(0, str(FOLDER))
    yield
    sys.path.remove(str(FOLDER))


def parts_of(name):
    return importlib.import_module(f"make_{name}").PARTS


def page_of(name):
    folder = FOLDER.parent if name == "defaults" else FOLDER
    return (folder / f"{name}.md").read_text(encoding="utf-8")


def marked(name, mark):
    """What stands in a page after a mark."""
    (text,) = re.findall(rf"<!-- {re.escape(mark)} -->\n(.*?)<!-- end -->", page_of(name), re.DOTALL)
    return text.strip()


def test_there_is_a_page_for_each_of_the_five_papers():
    papers = ["castro2011", "kulick2013", "melamed_resnik2000", "plank2015", "skjaerholt2014"]
    assert sorted([*papers, "defaults"]) == NAMES
    listed = (FOLDER.parents[1] / "mkdocs.yml").read_text()
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


def test_parts_without_their_data_are_left_as_they_are(tmp_path, monkeypatch, capsys):
    import paper

    monkeypatch.setattr(paper, "FOLDER", tmp_path)
    monkeypatch.setattr(sys, "argv", ["make_kept.py", "--write"])
    monkeypatch.setenv("ARBITREE_DATA", str(tmp_path))
    page = tmp_path / "kept.md"
    page.write_text("<!-- one -->\nold\n<!-- end -->\n<!-- two -->\nold\n<!-- end -->\n")
    paper.run(
        "kept", [paper.Part(lambda: {"one": "new"}), paper.Part(lambda data: {"two": "new"}, ["corpus"])]
    )
    assert page.read_text() == "<!-- one -->\n\nnew\n\n<!-- end -->\n<!-- two -->\nold\n<!-- end -->\n"
    assert capsys.readouterr().err.startswith("kept: what needs corpus is left as it is")


def test_a_piece_without_a_mark_is_an_error():
    import paper

    with pytest.raises(SystemExit, match="0 marks 'two'"):
        paper.filled("<!-- one -->\n<!-- end -->", "two", "text")


def test_printed_values_that_agree_are_bold():
    """1/8 is printed as 0,13 in de Castro's table 5.2."""
    import paper

    assert [paper.beside(0.13, 0.125, 2), paper.beside(78.9, 80.27, 1)] == ["**.13**", "78.9 (80.3)"]


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
