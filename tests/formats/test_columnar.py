"""Tables read by column, compared with the reader of rows, which is the reference."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree.errors import ArbitreeError
from arbitree.formats import labels
from arbitree.formats.label_tables import columnar
from arbitree.formats.label_tables.columnar import numbered
from arbitree.reading.assembly import read_study
from arbitree.study.coded import Coded

HEADERS = [
    *(["item", "coder", "label"], ["label", "item", "coder"], ["task", "worker", "answer"]),
    *(["item", "coder", "label", "gold"], ["item", "ann", "bob"], ["text", "annotator", "label"]),
    *(["item", "coder", "label", "document"], ["sentence", "coder", "label", "doc", "item"]),
    *(["item", "label"], ["id", "ann", "bob", "cho"], ["id", "ann1", "tweet"], ["item", "ann", "ann"]),
    *([" item", "coder", "label "], ["item", "coder", "tag"], ["id", "", "label"], ["a", "b", "c"]),
]
ITEMS = [
    "i1",
    "i2",
    "i3",
    "a longer name of an item, with spaces"[:30].replace(",", ""),
    "é",
    "x" * 70,
    "7",
    "",
]
CODERS = ["ann", "bob", "cho", "zo\u00eb", "zoe\u0308", "ann "]
LABELS = [
    "a",
    "b",
    "NA",
    "1",
    "1.0",
    "2",
    "a|b",
    "a:0.3|b:0.7",
    'say "no"',
    '"q"',
    " a",
    "",
    "1,5",
    "\u00a0b",
]
DOCUMENTS = ["d1", "d2", "\u00e9", "We saw her.", "", "d1 "]
CELLS = {"document": DOCUMENTS, "doc": DOCUMENTS, "sentence": DOCUMENTS}
CELLS |= dict.fromkeys(("ann", "bob", "cho", "ann1", "tweet"), LABELS)
CELLS |= {"item": ITEMS, "task": ITEMS, "text": ITEMS, "id": ITEMS, "label": LABELS, "answer": LABELS}


@st.composite
def tables(draw):
    """Bytes of a table: mostly regular, with the oddities that tables have."""
    header = draw(st.sampled_from(HEADERS))
    sign = draw(st.sampled_from("\t,;"))
    size = draw(st.integers(1, 12))
    few = draw(st.sampled_from([True, True, False]))  # only usual cells, so that the table is regular
    wide = "label" not in map(str.strip, header) and "tag" not in header and "answer" not in header
    rows = []
    for number in range(size):
        row = []
        for name in header:
            known = CELLS.get(name.strip(), CODERS)
            if wide and known is ITEMS and few:
                row.append(f"i{number}")
                continue
            row.append(
                known[number % 3 if known is not CODERS else number // 3 % 3]
                if few
                else draw(st.sampled_from(known))
            )
        rows.append(row[: draw(st.sampled_from([9, 9, 9, 9, 2]))] if not few else row)
    end = draw(st.sampled_from(["\n", "\n", "\r\n", "\r"]))
    lines = [sign.join(cells) for cells in (header, *rows)]
    if not few and draw(st.booleans()):
        lines.insert(draw(st.integers(0, len(lines))), "")
    text = end.join(lines) + draw(st.sampled_from([end, end, "", end * 2]))
    data = draw(st.sampled_from([b"", b"", columnar.BOM])) + text.encode()
    return data if few or draw(st.integers(0, 9)) else data + b"\xff\n"


def outcome(path, **options):
    """Everything that a reader returns, or its error."""
    said = []
    try:
        study = read_study([str(path)], say=said.append, **options)
    except ArbitreeError as error:
        return str(error), said
    cells = {key: (cell.value, cell.source) for key, cell in study.cells.items()}
    parts = (study.items, study.coders, cells, study.notes, study.settings, study.gold, study.texts)
    return repr(parts), study.columns.tolist(), said


@settings(max_examples=250, deadline=None)
@given(
    data=tables(), options=st.sampled_from([{}, {}, {"missing": "off"}, {"numbers": "off"}, {"strict": True}])
)
def test_the_result_is_that_of_the_reader_of_rows(tmp_path_factory, data, options):
    path = tmp_path_factory.mktemp("tables") / "table.csv"
    path.write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columnar, "LEAST", 0)
        found = outcome(path, **options)
        patch.setattr(labels, "regular_records", lambda content: None)
        assert found == outcome(path, **options)


REGULAR = "item\tcoder\tlabel\n" + "".join(f"i{n}\t{c}\t{n % 2}\n" for n in range(4) for c in "xy")


WIDE = "item\tann\tbob\n" + "".join(f"i{n}\t{n % 2}\t{n % 3}\n" for n in range(4))


@pytest.mark.parametrize(
    ("change", "columns"),
    [
        (("", ""), True),
        (("i1\t1\t1", "i1\t\tNA"), True),
        (("i1\t1\t1", "i1\t\t"), True),
        (("i1\t1\t1", "i2\t1\t1"), False),
        (("i1\t1\t1", "item\t1\t1"), False),
        (("i1\t1\t1", "\t1\t1"), False),
        (("ann\tbob", "context\tbob"), False),
        (("item\tann", "ann\titem"), False),
    ],
)
def test_matrices_are_read_by_column(tmp_path, monkeypatch, change, columns):
    from arbitree.reading.content import load

    monkeypatch.setattr(columnar, "LEAST", 0)
    path = tmp_path / "table.tsv"
    path.write_text(WIDE.replace(*change), encoding="utf-8")
    assert (labels.regular_records(load(str(path))) is not None) == columns
    found = outcome(path)
    monkeypatch.setattr(labels, "regular_records", lambda content: None)
    assert found == outcome(path)


@pytest.mark.parametrize(
    ("change", "columns"),
    [
        (("", ""), True),
        (("\n", "\r\n"), True),
        (("\t", ";"), True),
        (("i1", "é"), True),
        (("i1\tx\t1", "i1\tx\tNA"), True),
        (("i1\tx\t1", "i1\tx\t"), False),
        (("i1\tx\t1", 'i1\tx\t"1"'), False),
        (("i1\tx\t1", "i1\tx"), False),
        (("i1\tx\t1", "\ni1\tx\t1"), False),
        (("i1", "i" * 65), False),
        (("item\tcoder\tlabel", "item\tann\tbob"), False),  # not one row per item
        (("item\tcoder\tlabel", "item\tlabel\tdoc"), True),
        (("item\tcoder\tlabel", "doc\titem\tlabel"), False),  # the ids restart in each document
    ],
)
def test_regular_tables_are_read_by_column_and_others_by_row(tmp_path, monkeypatch, change, columns):
    from arbitree.reading.content import load

    monkeypatch.setattr(columnar, "LEAST", 0)
    path = tmp_path / "table.tsv"
    path.write_bytes(REGULAR.replace(*change).encode())
    assert (labels.regular_records(load(str(path))) is not None) == columns


def test_an_error_names_the_line(tmp_path, monkeypatch):
    monkeypatch.setattr(columnar, "LEAST", 0)
    path = tmp_path / "table.tsv"
    path.write_text(REGULAR + "i1\tx\t1\n", encoding="utf-8")
    with pytest.raises(ArbitreeError, match=r"table\.tsv:10: x labels item 'i1' twice; first label at .*:4"):
        read_study([str(path)])


def test_a_table_that_needs_more_memory_than_there_is_is_refused_before_it_is_filled(tmp_path, monkeypatch):
    from arbitree.reading import limits

    path = tmp_path / "table.tsv"
    path.write_text(REGULAR, encoding="utf-8")
    read_study([str(path)])
    monkeypatch.setattr(limits, "memory", lambda: 100.0)
    with pytest.raises(ArbitreeError, match=r"table\.tsv: labels of 4 items by 2 annotators need about 1 GB"):
        read_study([str(path)])


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2**64 - 1)), min_size=1, max_size=60))
def test_numbers_of_rows_follow_their_first_appearance(rows):
    words = [np.array(column, dtype=np.uint64) for column in zip(*rows, strict=True)]
    first, codes = numbered(words)
    known = list(dict.fromkeys(rows))
    assert [rows[place] for place in first] == known
    assert codes.tolist() == [known.index(row) for row in rows]


@given(st.lists(st.integers(0, 3) | st.integers(2**16 - 2, 2**16 + 1), max_size=60))
def test_small_numbers_are_numbered_like_large_ones(rows):
    small, large = (np.array(rows, dtype=np.uint64) + np.uint64(more) for more in (0, 1 << 40))
    known = list(dict.fromkeys(rows))
    for words in (small, large):
        first, codes = numbered([words])
        assert [rows[place] for place in first] == known
        assert codes.tolist() == [known.index(row) for row in rows]


def test_rows_with_the_same_hash_are_told_apart(monkeypatch):
    monkeypatch.setattr(columnar, "ODD", 1 << 60 | 1)  # spreads badly
    words = [np.arange(500, dtype=np.uint64) % 250 + (1 << 32)]
    first, codes = numbered(words)
    assert first.tolist() == list(range(250))
    assert codes.tolist() == [*range(250), *range(250)]


def test_a_column_of_numbers_is_a_sequence_of_cells():
    column = Coded(["a", "b"], np.array([1, 0, 1]))
    assert (list(column), column[0], column[1:], len(column)) == (["b", "a", "b"], "b", ["a", "b"], 3)


def test_small_tables_are_read_by_row(tmp_path):
    from arbitree.reading.content import load

    path = tmp_path / "table.tsv"
    path.write_text(REGULAR, encoding="utf-8")
    assert labels.regular_records(load(str(path))) is None
