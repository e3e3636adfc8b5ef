"""Outputs are written completely or not at all, through links, and never over an input."""

import ast
import json
import os
import re
import shutil
import stat
import threading
from pathlib import Path

import pytest

import arbitree as at
from arbitree.errors import ArbitreeError, FormatError
from arbitree.files import announce, check_new, date_of, inputs_kept, note_input, write_whole
from arbitree.paths import not_found
from tests.support.commands import arbitree, arbitree_process

ANN, BOB, CHO = (f"examples/phrase/{coder}.mrg" for coder in ("ann", "bob", "cho"))
CONSENSUS = (ANN, BOB, CHO, "--resamples", "0", "--consensus")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_concurrent_writers_of_one_file_all_succeed(tmp_path):
    """With a common name for the unfinished file, one writer renames that of another."""
    path, errors = tmp_path / "out.txt", []
    texts = [f"{number}\n" * 1000 for number in range(72)]
    ready = threading.Barrier(len(texts))

    def write(text):
        ready.wait()
        try:
            write_whole(path, text)
        except FormatError as error:
            errors.append(error)

    threads = [threading.Thread(target=write, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert path.read_text(encoding="utf-8") in texts
    assert names(tmp_path) == ["out.txt"]


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_an_interrupted_write_leaves_the_earlier_file_and_nothing_else(tmp_path, monkeypatch, interruption):
    path = tmp_path / "out.txt"
    path.write_text("earlier", encoding="utf-8")

    def fail(handle):
        raise interruption

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises((KeyboardInterrupt, FormatError)):
        write_whole(path, "later")
    assert path.read_text(encoding="utf-8") == "earlier"
    assert names(tmp_path) == ["out.txt"]


def test_the_file_and_its_directory_are_on_the_disk_before_the_end(tmp_path, monkeypatch):
    flushed, fsync = [], os.fsync
    monkeypatch.setattr(os, "fsync", lambda handle: (flushed.append(os.fstat(handle)), fsync(handle)))
    write_whole(tmp_path / "out.txt", "text")
    assert [stat.S_ISDIR(each.st_mode) for each in flushed] == [False, True]
    assert flushed[0].st_size == 4


def test_a_link_stays_and_its_file_is_replaced(tmp_path):
    (tmp_path / "far").mkdir()
    link, file = tmp_path / "out.txt", tmp_path / "far" / "file.txt"
    link.symlink_to("far/file.txt")
    for text in ("created", "replaced"):
        write_whole(link, text)
        assert link.is_symlink()
        assert file.read_text(encoding="utf-8") == text
    assert names(tmp_path / "far") == ["file.txt"]


def test_permissions_are_those_of_a_new_file_or_of_the_earlier_one(tmp_path):
    path = tmp_path / "out.txt"
    before = os.umask(0o027)
    try:
        write_whole(path, "new")
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        path.chmod(0o604)
        write_whole(path, "later")
        assert stat.S_IMODE(path.stat().st_mode) == 0o604
    finally:
        os.umask(before)


def test_a_name_of_the_longest_length_can_be_written(tmp_path):
    path = tmp_path / ("x" * 251 + ".txt")
    write_whole(path, "text")
    assert path.read_text(encoding="utf-8") == "text"


def test_a_pipe_is_written_to_and_stays(tmp_path):
    path, found = tmp_path / "pipe", []
    os.mkfifo(path)
    reader = threading.Thread(target=lambda: found.append(path.read_text(encoding="utf-8")))
    reader.start()
    write_whole(path, "text")
    reader.join()
    assert found == ["text"]
    assert stat.S_ISFIFO(path.stat().st_mode)


def test_a_terminal_is_written_to():
    master, slave = os.openpty()
    write_whole(os.ttyname(slave), "text")
    assert os.read(master, 100) == b"text"


def test_what_standard_output_held_before_is_kept(tmp_path):
    """As after ``arbitree ... -o /dev/stdout >> out.txt``."""
    path = tmp_path / "out.txt"
    path.write_text("earlier\n", encoding="utf-8")
    with path.open("a", encoding="utf-8") as stream:
        write_whole(f"/proc/self/fd/{stream.fileno()}", "later\n")
    assert path.read_text(encoding="utf-8") == "earlier\nlater\n"


def test_a_directory_that_does_not_exist_is_an_error_in_one_line(tmp_path):
    with pytest.raises(FormatError, match=r"cannot write the file \(No such file or directory\)"):
        write_whole(tmp_path / "absent" / "out.txt", "text")


def test_a_file_that_was_read_is_not_written_in_the_same_call_only(tmp_path):
    path = tmp_path / "file.json"
    path.write_text("{}", encoding="utf-8")
    with inputs_kept():
        note_input(path)
        with pytest.raises(FormatError, match="cannot write to an input"):
            write_whole(path, "[]")
    assert path.read_text(encoding="utf-8") == "{}"
    with inputs_kept():
        announce(path)
        with pytest.raises(FormatError, match="cannot write to an input"):
            note_input(path)
    write_whole(path, "[]")
    assert path.read_text(encoding="utf-8") == "[]"


def test_python_functions_do_not_write_over_the_files_of_their_study(tmp_path):
    paths = [tmp_path / f"{name}.mrg" for name in "abc"]
    for path, source in zip(paths, (ANN, BOB, CHO), strict=True):
        shutil.copy(source, path)
    before = paths[0].read_bytes()
    with pytest.raises(FormatError, match="cannot write to an input"):
        at.convert(paths[0], paths[0], to="brackets", force=True)
    study = at.read(*paths)
    with pytest.raises(FormatError, match="cannot write to an input"):
        at.coders(study, consensus=paths[0], force=True, resamples=0)
    assert paths[0].read_bytes() == before


def test_annotations_replace_an_existing_file_only_with_force(tmp_path):
    for arguments in (("convert", ANN), ("coders", *CONSENSUS)):
        path = tmp_path / f"{arguments[0]}.mrg"
        assert arbitree(*arguments, path).returncode == 0
        path.write_text("mine", encoding="utf-8")
        done = arbitree(*arguments, path)
        hint = "Choose another path, or add --force to replace the file."
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr.decode().endswith(f"{path}: the file exists already. {hint}\n")
        assert path.read_text(encoding="utf-8") == "mine"
        assert arbitree(*arguments, path, "--force").returncode == 0
        assert path.read_text(encoding="utf-8") != "mine"


def test_in_python_force_is_an_argument(tmp_path):
    path = tmp_path / "ann.mrg"
    at.convert(ANN, path)
    with pytest.raises(FormatError, match="add force=True to replace the file"):
        at.convert(ANN, path)
    at.convert(ANN, path, force=True)


def test_tables_and_pages_are_replaced(tmp_path):
    for name in ("out.txt", "out.json", "out.html", "out.csv"):
        path = tmp_path / name
        path.write_text("earlier", encoding="utf-8")
        assert arbitree("agree", ANN, BOB, "--resamples", "0", "-o", path).returncode == 0
        assert "earlier" not in path.read_text(encoding="utf-8")


def test_standard_input_from_a_file_is_an_input(tmp_path):
    path = tmp_path / "ann.mrg"
    shutil.copy(ANN, path)
    with path.open("rb") as stream:
        done = arbitree_process("agree", "-", BOB, "-o", path, stdin=stream)
    assert done.returncode == 2
    assert f"{path}: cannot write to the same file as the input -." in done.stderr.decode()


def test_a_redirection_to_an_input_is_named(tmp_path):
    path = tmp_path / "ann.mrg"
    shutil.copy(ANN, path)
    with path.open("ab") as stream:
        done = arbitree_process("agree", path, BOB, stdout=stream)
    assert done.returncode == 2
    assert f"standard output: cannot write to the same file as the input {path}." in done.stderr.decode()


@pytest.mark.parametrize(
    "arguments", [("agree", ANN, BOB, "--resamples", "0"), ("list", "formats"), ("--version",), ("--help",)]
)
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_device_behind_standard_output_is_one_line(arguments, unbuffered):
    with Path("/dev/full").open("wb") as full:
        done = arbitree_process(*arguments, stdout=full, PYTHONUNBUFFERED=unbuffered)
    assert done.returncode == 2
    last = done.stderr.decode().splitlines()[-1]
    assert (
        last == "error: cannot write to standard output (No space left on device). Free space on the device."
    )
    assert "Traceback" not in done.stderr.decode()


def test_the_date_of_an_output_is_that_of_the_environment_or_of_the_newest_file(tmp_path, monkeypatch):
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    for name, seconds in (("old", 1_000_000_000), ("new", 1_500_000_000)):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (seconds, seconds))
    paths = [tmp_path / "old", tmp_path / "new", tmp_path / "absent"]
    assert date_of(paths).isoformat() == "2017-07-14T02:40:00+00:00"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert date_of(paths).isoformat() == "1970-01-02T00:00:00+00:00"
    for text in ("x", "9" * 40):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", text)
        with pytest.raises(ArbitreeError, match="is not a number of seconds since 1970"):
            date_of(paths)


@pytest.mark.parametrize("name", ["a\0b", "\ud800", "x" * 300])
def test_a_name_that_no_file_can_have_is_an_error_in_one_line(tmp_path, name):
    with pytest.raises(FormatError, match="cannot write the file") as caught:
        at.convert(ANN, tmp_path / f"{name}.export")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "command",
    [
        ("agree", "--json"),
        ("agree", "-o", "out.json"),
        ("coders", "--consensus", "consensus.mrg", "--json"),
        ("explain", "-o", "explained"),
        ("explain", "-o", "out.html"),
        ("report", "-o", "report"),
        ("draw", "--html", "out.html"),
    ],
)
def test_names_that_are_not_utf_8_are_written_with_escapes(tmp_path, monkeypatch, command):
    name = os.fsdecode(b"\xe9")
    for coder, source in ((name, ANN), ("bob", BOB), ("cho", CHO)):
        shutil.copy(source, tmp_path / f"{coder}.mrg")
    monkeypatch.chdir(tmp_path)
    few = () if command[0] in ("explain", "draw") else ("--resamples", "0")
    done = arbitree(*command, *few, f"{name}.mrg", "bob.mrg", "cho.mrg")
    assert done.returncode == 0, done.stderr
    if command[-1] == "--json":
        assert name in json.loads(done.stdout)["study"]["coders"]


WRITERS = {"write_text", "write_bytes", "copyfile", "copytree", "rename", "mkstemp", "NamedTemporaryFile"}


def writes(node):
    """Return whether a call writes to a file by its path, and not to a member of an archive."""
    if not isinstance(node, ast.Call) or any(each.arg == "force_zip64" for each in node.keywords):
        return False
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    modes = [
        each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)
    ]
    return name in WRITERS or (name == "open" and any(re.fullmatch("[wax]b?[+]?", mode) for mode in modes))


def test_only_one_module_writes_files():
    found = [
        f"{path}:{node.lineno}"
        for path in Path("src/arbitree").rglob("*.py")
        if path.name != "files.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if writes(node)
    ]
    assert found == []


def test_a_new_file_needs_no_force(tmp_path):
    check_new(tmp_path / "absent", force=False)
    check_new(None, force=False)
    check_new("-", force=False)


def test_a_path_that_does_not_exist_is_answered_with_a_similar_one(tmp_path):
    (tmp_path / "ann.conllu").touch()
    (tmp_path / "bob").mkdir()
    hints = {
        "anm.conllu": f"Did you mean {tmp_path / 'ann.conllu'}?",
        "ANN.conll": f"Did you mean {tmp_path / 'ann.conllu'}?",
        "zoe.conllu": f"The directory {tmp_path} contains no similar name. Pass the path of an existing file",
        "sub/ann.conllu": f"The directory {tmp_path / 'sub'} does not exist",
    }
    assert {name: not_found(tmp_path / name).hint for name in hints} == hints
    assert not_found(tmp_path / "bop", directory=True).hint == f"Did you mean {tmp_path / 'bob'}?"
    assert "no similar name" in not_found(tmp_path / "anm", directory=True).hint
    (tmp_path / "cho.conllu").symlink_to("moved.conllu")
    assert not_found(tmp_path / "cho.conllu").hint == "It is a link to moved.conllu, which does not exist"
    assert "no similar name" in not_found(tmp_path / "choo.conllu").hint
    done = arbitree("restore", tmp_path / "ann.zip", tmp_path / "project")
    assert done.stderr.decode() == f"{tmp_path / 'ann.zip'}: file not found. {hints['anm.conllu']}\n"
