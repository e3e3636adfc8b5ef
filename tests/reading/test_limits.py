"""Limits on compressed files, pipes and devices."""

import gzip
import io
import os
import re
import socket
import sys
import threading
import zipfile

import openpyxl
import pytest

import arbitree as at
from arbitree.adjudication.workbook import read_decisions
from arbitree.errors import FormatError, StudyError
from arbitree.formats.profiles.tables import Profile
from arbitree.kinds.labels.hierarchy.files import read_hierarchy
from arbitree.kinds.phrase.constructions.head_tables import head_table
from arbitree.kinds.preference.judgments import read_judgments
from arbitree.reading import limits
from arbitree.reading.assembly import read_study
from arbitree.reading.content import load
from arbitree.reading.inputs import Reading
from arbitree.reading.limits import Limit
from tests.support.commands import arbitree

MEGABYTE = 1 << 20
ROWS = b"item,ann,bob\n1,x,x\n2,x,y\n"


def bomb(path, megabytes=70):
    """Write a small file that decompresses to many bytes."""
    path.write_bytes(gzip.compress(ROWS + b"," * megabytes * MEGABYTE, 9))
    return str(path)


def test_small_files_that_expand_a_lot_are_refused(tmp_path):
    with pytest.raises(FormatError, match=r"expand to more than 100 times their size.*max_size='off'"):
        load(bomb(tmp_path / "bomb.csv.gz"))


def test_files_may_expand_to_64_mb_at_any_ratio(tmp_path):
    assert len(load(bomb(tmp_path / "fine.csv.gz", 63)).data) > 63 * MEGABYTE


def test_no_more_than_the_limit_is_decompressed(tmp_path, monkeypatch):
    """A gigabyte of zeros would take seconds."""
    taken = []
    read = gzip.GzipFile.read

    def counted(self, size=-1):
        data = read(self, size)
        taken.append(len(data))
        return data

    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(bytes(256 * MEGABYTE), 9))
    monkeypatch.setattr(gzip.GzipFile, "read", counted)
    with pytest.raises(FormatError):
        load(str(path))
    assert sum(taken) < 80 * MEGABYTE


@pytest.mark.parametrize("reader", [read_hierarchy, read_judgments, at.CostTable.read])
def test_every_loader_has_the_limit(tmp_path, reader):
    with pytest.raises(FormatError, match="expand to more than 100 times"):
        reader(bomb(tmp_path / "bomb.tsv.gz"))


def test_a_size_replaces_both_limits(tmp_path):
    path = bomb(tmp_path / "bomb.csv.gz")
    for size in ("off", "71M", "1G"):
        assert len(load(path, reading=Reading(max_size=size)).data) > 70 * MEGABYTE
    with pytest.raises(FormatError, match="expand to more than 1 kB"):
        load(path, reading=Reading(max_size="1K"))


def test_the_size_in_all_is_limited(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "USUAL_LIMIT", Limit(size=1000))
    path = tmp_path / "table.csv.gz"
    path.write_bytes(gzip.compress(ROWS + os.urandom(2000)))
    with pytest.raises(FormatError, match=r"expand to more than 1,000 bytes\. If you trust the file"):
        limits.expand(path.read_bytes(), str(path), Limit(size=1000))


def test_plain_files_have_no_limit(tmp_path):
    path = tmp_path / "table.csv"
    path.write_bytes(ROWS * 1000)
    assert len(load(str(path), reading=Reading(max_size="10")).data) == 1000 * len(ROWS)


@pytest.mark.parametrize("size", ["", "4X", "-1", "4.5G", "²G", "G", "1" * 40, "auto,off"])
def test_unknown_sizes_are_errors(tmp_path, size):
    path = tmp_path / "table.csv"
    path.write_bytes(ROWS)
    with pytest.raises(FormatError, match="unknown maximum size"):
        at.read(path, max_size=size)


def test_standard_input_is_read_up_to_the_limit(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(bytes(3000))))
    with pytest.raises(FormatError, match="<stdin>: the pipe or device contains more than 2 kB"):
        load("-", reading=Reading(max_size="2K"))


@pytest.mark.parametrize("reader", [load, head_table, read_judgments])
def test_endless_devices_are_read_up_to_the_limit(monkeypatch, reader):
    small = Limit(size=MEGABYTE)
    monkeypatch.setattr(
        limits,
        "read_endless",
        lambda stream, path, limit, read=limits.read_endless: read(stream, path, small),
    )
    with pytest.raises(FormatError, match="/dev/zero: the pipe or device contains more than 1 MB"):
        reader("/dev/zero")


def feed(path, data):
    """Write *data* to a named pipe once somebody reads it."""
    os.mkfifo(path)
    writer = threading.Thread(target=lambda: path.write_bytes(data), daemon=True)
    writer.start()
    return writer


def test_a_pipe_that_is_named_is_read(tmp_path):
    writer = feed(tmp_path / "pipe.csv", gzip.compress(ROWS))
    assert read_study([str(tmp_path / "pipe.csv")]).coders == ("ann", "bob")
    writer.join()


def profile_of_zeros(folder):
    folder.mkdir()
    (folder / "relations").write_text("item:\n  i-id :integer :key\n  i-input :string\n", encoding="utf-8")
    (folder / "item.gz").write_bytes(gzip.compress(b"1@a\n" + bytes(70 * MEGABYTE)))
    return str(folder)


def test_tables_of_profiles_have_the_limit(tmp_path):
    path = profile_of_zeros(tmp_path / "ann")
    with pytest.raises(FormatError, match=r"item\.gz: the compressed data expand to more than 100 times"):
        list(Profile(path).lines("item"))
    assert len(list(Profile(path, limit=Limit.of("off")).lines("item"))) == 2
    (note,) = Profile(path).cut_notes()
    assert note.endswith(
        "cannot be read to its end (the compressed data expand to more than 100 times their size)"
    )


def directories(folder):
    for name in ("ann", "bob"):
        (folder / name).mkdir()
        (folder / name / "a.tree").write_text("(S (NP we) (VP ran))\n", encoding="utf-8")
    return [str(folder / name) for name in ("ann", "bob")]


def test_pipes_sockets_and_devices_in_directories_are_skipped(tmp_path):
    given = directories(tmp_path)
    os.mkfifo(tmp_path / "ann" / "b.tree")
    (tmp_path / "bob" / "z.tree").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "bob" / "s"))
        said = []
        study = read_study(given, dirs=True, say=said.append)
    assert len(study.cells) == 2
    (line,) = (line for line in said if "skipped" in line)
    name = tmp_path / "ann" / "b.tree"
    assert line == f"warning: skipped {name} and 2 more: not a file but a pipe, socket or device"


def test_directories_of_nothing_but_pipes_are_errors(tmp_path):
    (tmp_path / "ann").mkdir()
    os.mkfifo(tmp_path / "ann" / "a.tree")
    with pytest.raises(StudyError, match="the directory contains no files"):
        read_study([str(tmp_path / "ann")], dirs=True)


def test_pipes_in_the_directory_of_a_study_are_skipped(tmp_path):
    directories(tmp_path)
    os.mkfifo(tmp_path / "ann" / "b.tree")
    found = arbitree("agree", "--studies", tmp_path, "--resamples", 0, "-m", "alpha_norm")
    assert found.returncode == 0, found.stderr
    assert b"b.tree: not a file but a pipe" in found.stderr


def test_commands_have_the_option(tmp_path):
    path = bomb(tmp_path / "bomb.csv.gz")
    refused = arbitree("agree", path)
    assert refused.returncode == 2
    assert refused.stderr.decode() == (
        f"{path}: the compressed data expand to more than 100 times their size. "
        "If you trust the file, decompress it first or set --max-size off.\n"
    )


def workbook(path, rows, *, padding=0):
    """Write a workbook with these rows of XML in its adjudication sheet, and a member of zeros."""
    book = openpyxl.Workbook()
    book.active.title = "Adjudication"
    book.save(path)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    sheet = members["xl/worksheets/sheet1.xml"].decode()
    members["xl/worksheets/sheet1.xml"] = re.sub(
        "<sheetData */>|<sheetData></sheetData>", f"<sheetData>{rows}</sheetData>", sheet
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
        if padding:
            archive.writestr("xl/media/zeros", bytes(padding))
    return str(path)


def test_workbooks_that_expand_a_lot_are_refused(tmp_path):
    path = workbook(tmp_path / "book.xlsx", "", padding=17 * MEGABYTE)
    with pytest.raises(FormatError, match=r"expand to more than 20 times their size\. Save a workbook"):
        read_decisions(path)


def test_cells_far_apart_do_not_fill_the_space_between_them(tmp_path):
    """As a table, the sheet has 17,179,869,184 cells."""
    path = workbook(tmp_path / "book.xlsx", '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')
    with pytest.raises(FormatError, match="sheet 'Adjudication' has no column 'item'"):
        read_decisions(path)


def test_rows_of_wide_cells_are_counted(tmp_path):
    rows = "".join(f'<row r="{row}"><c r="XFD{row}"><v>1</v></c></row>' for row in range(1, 2000))
    path = workbook(tmp_path / "book.xlsx", rows)
    with pytest.raises(FormatError, match="sheet 'Adjudication' has more than 5,000,000 cells"):
        read_decisions(path)


def test_objects_with_ever_other_keys_are_refused(tmp_path):
    """A table of all keys would have 400,000,000 cells."""
    path = tmp_path / "table.jsonl"
    path.write_text(
        "".join(f'{{"item": "{row}", "key{row}": "x"}}\n' for row in range(20_000)), encoding="utf-8"
    )
    with pytest.raises(FormatError, match="the 20,000 objects have 20,001 different keys"):
        read_study([str(path)])


def test_objects_may_have_keys_of_many_annotators(tmp_path):
    path = tmp_path / "table.jsonl"
    path.write_text(
        "".join(
            f'{{"item": "{row}", "coder{row % 40}": "x", "coder{(row + 1) % 40}": "x"}}\n'
            for row in range(400)
        ),
        encoding="utf-8",
    )
    assert len(read_study([str(path)]).coders) == 40


def test_many_columns_that_share_no_label_are_annotators(tmp_path):
    """Comparing every column with every other would take minutes."""
    path = tmp_path / "table.csv"
    names, labels = (",".join(f"{letter}{place}" for place in range(20_000)) for letter in "cl")
    path.write_text(f"{names}\n" + f"{labels}\n" * 4, encoding="utf-8")
    assert len(read_study([str(path)]).coders) == 20_000


def test_many_gold_labels_of_one_item_are_one_contradiction(tmp_path):
    path = tmp_path / "table.csv"
    rows = "".join(f"1,coder{row},x,gold{row}\n" for row in range(50_000))
    path.write_text(f"item,coder,label,gold\n{rows}", encoding="utf-8")
    study = read_study([str(path)])
    assert not study.gold
    assert "has 2 gold labels, 'gold0' and 'gold1'" in study.notes[0]
