"""Cells with a published value and ours."""

from arbitree.reproduction.cells import beside, bold_if, rows, same


def test_a_table_knows_what_it_compares():
    table = rows(["", "raw", "kappa", "n"], [["da", beside(0.768, 0.7683), beside(0.53, 0.5, 2), "200"]])
    assert [tuple(each) for each in table.compared()] == [
        ("da, 200", "raw", 0.768, 0.7683, True),
        ("da, 200", "kappa", 0.53, 0.5, False),
    ]
    assert table.splitlines()[2] == "| da | **.768** | .53 (.50) | 200 |"


def test_text_behind_a_cell_keeps_its_values():
    cell = beside(0.297, 0.2974).followed_by(" .243 to .342")
    assert (cell, cell.plain, cell.equal) == ("**.297** .243 to .342", ".297 = .243 to .342", True)
    assert same(3, 4).plain == "3 (4)"
    assert bold_if(False, "2-3", "2", "2-3").plain == "2-3"
    assert beside(0.5, None, 1).ours is None


def test_a_remark_is_below_the_table():
    assert rows(["a"], [["b"]]).followed_by("Ours.").endswith("| b |\n\nOurs.")
