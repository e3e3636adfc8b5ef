"""Tables in LaTeX: every special character is escaped, empty columns and bars are left out."""

import re

import pytest

import arbitree as at
from arbitree.reporting.latex import latex_table, latex_text
from arbitree.study.result import Column, Table
from tests.support.commands import arbitree


@pytest.fixture(scope="module")
def found():
    return at.agree(at.read("examples/labels/stance.tsv"), ["alpha_nominal", "agreement"], resamples=0)


@pytest.mark.parametrize("letter", "&%$#_{}")
def test_special_characters_are_escaped(letter):
    assert latex_text(f"a{letter}b") == f"a\\{letter}b"


def test_no_text_breaks_a_row():
    table = Table(("a & b", "c"), [("x \\\\ y\nz", "\\input{secret}"), ("~^", "<0.001")])
    rows = latex_table(table).splitlines()
    assert rows[2] == r"a \& b & c \\"
    assert rows[4:6] == [
        r"x \textbackslash{}\textbackslash{} y z & \textbackslash{}input\{secret\} \\",
        r"\textasciitilde{}\textasciicircum{} & $<$0.001 \\",
    ]


def test_columns_without_text_are_left_out():
    empty = Column("remark", "remark", Column("", "").form._replace(text=lambda value: value or ""))
    assert latex_table(Table(("a", empty), [("x", None)])).splitlines()[2] == r"a \\"


def test_numbers_are_right_aligned_and_rounded(found):
    first, _, head, _, row, *_ = found.to_latex().splitlines()
    assert first == r"\begin{tabular}{lrrr}"
    assert head == r"measure & value & items & excluded \\"
    assert re.fullmatch(r"alpha\\_nominal & 0\.\d{4} & 24 & 0 \\\\", row)


def test_a_file_with_the_extension_tex_is_latex(found, tmp_path):
    names = ["--resamples", "0", "-m", "alpha_nominal", "-m", "agreement"]
    arbitree("agree", "examples/labels/stance.tsv", *names, "-o", tmp_path / "table.tex")
    assert (tmp_path / "table.tex").read_text(encoding="utf-8") == found.to_latex()
