"""Corpora that are compared as soon as their files are there."""

import pytest

from arbitree.reproduction import plank2015, skjaerholt2014
from arbitree.reproduction.papers import paper_named

WORDS = ("She", "sees", "rain", ".")
TREES = {
    "one": [((2, 0, 2, 2), ("subj", "root", "obj", "punct"))] * 3,
    "two": [((2, 0, 2, 2), ("subj", "root", "obl", "punct"))] * 2
    + [((2, 0, 2, 3), ("subj", "root", "obj", "punct"))],
}
PHRASES = {
    "ann": ("(S (NP P) (VP V (NP N)))", "(S (NP P) (VP V))"),
    "bob": ("(S (NP P) (VP V NP))", "(S (NP P) (VP V))"),
}


def conll(coder):
    sentences = []
    for heads, relations in TREES[coder]:
        rows = zip(WORDS, heads, relations, strict=True)
        sentences.append(
            "".join(f"{i}\t{w}\t_\tX\tX\t_\t{h}\t{r}\t_\t_\n" for i, (w, h, r) in enumerate(rows, start=1))
        )
    return "\n".join(sentences) + "\n"


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def corpora(tmp_path):
    """A few trees under the names of the released files."""
    for paths in skjaerholt2014.FILES.values():
        for place, each in enumerate(paths):
            path = tmp_path / skjaerholt2014.FOLDER / each
            coder = ("one", "two")[place % 2]
            write(path if path.suffix else path / f"0104-{path.name}.conll", conll(coder))
    return tmp_path


def rows_of(data, mark):
    (part,) = [each for each in paper_named("skjaerholt2014").parts if each.make.__name__ == "corpora"]
    lines = part.pieces(data)[mark].splitlines()[2:]
    return {line.split(" | ")[0].removeprefix("| "): line for line in lines}


def test_ndt_3_and_cdt_it_are_compared(corpora):
    table = rows_of(corpora, "table 1")
    assert table["NDT 3"] == "| NDT 3 | 150 (3) | 1997 (12) | **2** |  |"
    assert table["CDT it"] == "| CDT it | 136 (3) | 3057 (12) | **3** |  |"
    assert table["SSD"].endswith("| not compared |")
    table = rows_of(corpora, "table 2")
    assert table["NDT 3"].endswith(" | 95.3 (75.0) | **0** |")
    assert table["SSD"] == "| SSD | 99.1 | 98.6 | 99.3 | 87.9 (Jaccard) | 0 |"
    assert "ours, the same 7 corpora" in rows_of(corpora, "correlations")


def test_ssd_is_compared_by_jaccard(corpora):
    for coder, trees in PHRASES.items():
        for number, tree in enumerate(trees):
            write(corpora / f"syn-agreement/ssd/ssd.{coder}/{number}-ssd.{coder}.tree", f"{tree}\n")
    assert rows_of(corpora, "table 1")["SSD"] == "| SSD | 96 (2) | 1581 (5) | 3 (2) |  |"
    assert rows_of(corpora, "table 2")["SSD"].endswith(" (Jaccard) | **0** |")


def test_a_corpus_whose_files_are_not_all_there_is_left_out(corpora, tmp_path):
    (tmp_path / "syn-agreement/ndt/thor-norwegian.conll").unlink()
    assert "NDT 3" not in skjaerholt2014.corpora_in(tmp_path)
    for name in plank2015.FILES:
        for language in ("da", "es"):
            write(tmp_path / "plank2015" / language / name, "")
    (tmp_path / "plank2015/es/prediction").unlink()
    assert plank2015.languages_in(tmp_path / "plank2015") == ["da"]
