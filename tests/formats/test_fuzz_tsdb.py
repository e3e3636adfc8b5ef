"""Whatever stands in the tables of a profile, the reader answers with values, notes or one clear line."""

import shutil
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree.errors import ArbitreeError
from arbitree.kinds.treebanking.value import STATUSES
from arbitree.reading.assembly import read_study
from tests.support.profiles import RELATIONS, small, write_profile

FIELDS = st.one_of(
    st.integers(-3, 15).map(str),
    st.sampled_from(
        ["", "11", "12", "x", "\\s", "\\", "\\q", "(", '"', "a ARG1 b", "9" * 30, "\u2028", "-1"]
    ),
    st.text(st.characters(exclude_characters="\n", exclude_categories=("Cs",)), max_size=6),
)
ROWS = st.lists(st.lists(FIELDS, min_size=1, max_size=10).map("@".join), max_size=8)
TABLES = st.fixed_dictionaries(dict.fromkeys(("parse", "result", "tree", "decision", "preference"), ROWS))


def read(write):
    folder = Path(tempfile.mkdtemp())
    try:
        study = read_study([write(folder)])
    except ArbitreeError:
        return None
    finally:
        shutil.rmtree(folder)
    return study


@settings(max_examples=60)
@given(TABLES)
def test_any_rows(tables):
    study = read(lambda folder: small(folder, **tables))
    assert study is not None
    assert {cell.value.status for cell in study.cells.values()} <= set(STATUSES)
    assert len(study.items) == 4


@settings(max_examples=60)
@given(
    st.binary(max_size=80), st.sampled_from(["item", "parse", "decision", "preference", "tree", "relations"])
)
def test_any_bytes(data, table):
    def write(folder):
        path = small(folder)
        (Path(path) / table).write_bytes(data)
        return path

    read(write)


@settings(max_examples=40)
@given(st.lists(st.sampled_from([*RELATIONS.splitlines(), "x", "  y", ":", "  z :integer"]), max_size=30))
def test_any_schema(lines):
    read(
        lambda folder: write_profile(
            folder / "p", relations="\n".join(lines), item=["1@a@1"], parse=["1@1@1@1"]
        )
    )
