from collections import Counter

from arbitree.adjudication.differences import Confusion
from arbitree.reporting.sections.matrices import confusion_matrix, level, pair_matrix
from arbitree.study.result import Group


def test_names_are_sorted_by_their_disagreements():
    found = Confusion(Counter(a=5, c=7), Counter({("a", "b"): 3, ("b", "c"): 2, ("a", "a"): 1}))
    matrix = confusion_matrix(found)
    assert matrix.names == ("b", "a", "c")
    assert [[cell.text for cell in row] for row in matrix.rows] == [
        ["0", "3", "2"],
        ["3", "1", ""],
        ["2", "", "7"],
    ]
    assert [cell.agreed for cell in matrix.rows[2]] == [False, False, True]
    assert matrix.rows[1][1].title == "a and another a: 1 confusion"


def test_names_without_room_are_counted():
    found = Confusion(counts=Counter({("x", f"y{k:02}"): 30 - k for k in range(20)}))
    matrix = confusion_matrix(found, most=5)
    assert (len(matrix.names), matrix.hidden) == (5, 16)


def test_shades_grow_with_the_count():
    levels = [level(share / 100) for share in range(101)]
    assert levels == sorted(levels)
    assert (levels[0], levels[-1]) == (0, 5)


def test_the_pair_that_agrees_least_is_darkest():
    values = (0.9, 0.5, None)
    groups = [Group(f"pair {k}", value, "ok", None, 3) for k, value in enumerate(values)]
    matrix = pair_matrix(("a", "b", "c"), groups)
    assert [[cell.text for cell in row] for row in matrix.rows] == [
        ["", "0.900", "0.500"],
        ["0.900", "", "—"],
        ["0.500", "—", ""],
    ]
    assert (matrix.rows[0][1].level, matrix.rows[0][2].level) == (0, 5)
