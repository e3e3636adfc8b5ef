"""Exceptions that no reader foresees become errors about the file, with the exception as their cause."""

import subprocess
import sys
from importlib import import_module

import pytest

import arbitree as at
from arbitree import plugins
from arbitree.errors import FormatError, Source, StudyError
from arbitree.reading import guard
from arbitree.reading.content import load
from arbitree.reading.guard import guarded, guarded_reader
from arbitree.web.project.project import ProjectSettings, open_project
from tests.support.commands import arbitree

TREE = "1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n"


@pytest.fixture
def switched_on(monkeypatch):
    monkeypatch.setattr(guard, "ON", True)


@pytest.fixture
def broken_reader(monkeypatch):
    """Make the reader of CoNLL-U fail at line 7 of a file."""

    def read(self, content):
        source = Source(content.path, 7)
        raise TypeError(f"unexpected {source.line}")

    monkeypatch.setattr(type(plugins.get("formats", "conllu")), "read", read)


@pytest.fixture
def tree(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(TREE, encoding="utf-8")
    return path


def test_guard_is_off_in_tests_and_in_the_commands_that_they_start():
    assert not guard.ON
    with pytest.raises(ZeroDivisionError), guarded("a.tsv"):
        _ = 1 / 0
    code = "from arbitree.reading import guard; print(guard.ON)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert ran.stdout.strip() == b"False"


@pytest.mark.usefixtures("switched_on")
def test_unforeseen_exceptions_become_errors_about_the_file():
    with pytest.raises(FormatError) as caught, guarded("a.tsv"):
        int("x")
    assert caught.value.typed == (
        "a.tsv: cannot read the file (ValueError: invalid literal for int() with base 10: 'x'). "
        "Run the command with --debug, and send us the traceback."
    )
    assert isinstance(caught.value.__cause__, ValueError)


@pytest.mark.usefixtures("switched_on")
def test_errors_name_the_line_that_the_reader_was_at():
    def row(source):
        return len(None)

    whole = Source("a.tsv", 1)
    with pytest.raises(FormatError) as caught, guarded(whole.path):
        row(Source(whole.path, 12))
    assert caught.value.source == Source("a.tsv", 12)


@pytest.mark.usefixtures("switched_on")
@pytest.mark.parametrize(
    ("error", "words"), [(MemoryError(), "does not fit into memory"), (RecursionError(), "nested too deeply")]
)
def test_memory_and_depth_have_their_own_words(error, words):
    with pytest.raises(FormatError, match=words), guarded("a.tsv"):
        raise error


@pytest.mark.usefixtures("switched_on")
@pytest.mark.parametrize("error", [StudyError("two"), KeyboardInterrupt(), SystemExit(3), UserWarning("odd")])
def test_errors_of_arbitree_stops_and_warnings_pass(error):
    with pytest.raises(type(error)) as caught, guarded("a.tsv"):
        raise error
    assert caught.value is error


@pytest.mark.usefixtures("switched_on")
def test_long_messages_are_cut():
    with pytest.raises(FormatError) as caught, guarded("a.tsv"):
        raise ValueError("x" * 100_000)
    assert len(caught.value.typed) < 400


@pytest.mark.usefixtures("switched_on")
def test_standard_input_is_called_so():
    @guarded_reader
    def read(path):
        raise IndexError("list index out of range")

    with pytest.raises(FormatError, match="<stdin>: cannot read the file"):
        read("-")


@pytest.mark.usefixtures("switched_on", "broken_reader")
def test_commands_report_unforeseen_exceptions_in_one_line(tree):
    ran = arbitree("convert", tree, tree.with_suffix(".conll"))
    assert ran.returncode == 2
    assert ran.stderr.decode() == (
        f"{tree}:7: cannot read the file (TypeError: unexpected 7). "
        "Run the command with --debug, and send us the traceback.\n"
    )


@pytest.mark.usefixtures("switched_on", "broken_reader")
@pytest.mark.parametrize("place", [0, 1, 2, 3])
def test_debug_prints_the_traceback_wherever_it_stands(tree, place):
    arguments = ["agree", f"ann={tree}", f"bob={tree}"]
    arguments.insert(place, "--debug")
    ran = arbitree(*arguments)
    lines = ran.stderr.decode().splitlines()
    assert ran.returncode == 2
    assert "Traceback (most recent call last):" in lines
    assert "TypeError: unexpected 7" in lines
    assert lines[-1].startswith(f"{tree}:7: cannot read the file")


def test_debug_prints_the_traceback_of_every_error(tmp_path):
    absent = str(tmp_path / "absent")
    for ran in (arbitree("agree", absent, "--debug"), arbitree("agree", absent, ARBITREE_DEBUG="1")):
        assert ran.stderr.decode().count("Traceback") == 1
        assert ran.returncode == 2
    for ran in (arbitree("agree", absent), arbitree("agree", absent, ARBITREE_DEBUG="0")):
        assert ran.stderr.decode().count("\n") == 1


def test_debug_after_two_hyphens_is_an_input():
    assert b"--debug: file not found" in arbitree("agree", "--", "--debug").stderr


@pytest.mark.usefixtures("switched_on")
def test_python_messages_name_the_option_of_the_command():
    with pytest.raises(FormatError) as caught, guarded("a.tsv"):
        int("x")
    assert "with --debug," in str(caught.value)


@pytest.mark.usefixtures("switched_on")
@pytest.mark.parametrize("name", ["read", "sniff", "records", "gather", "defects"])
def test_every_step_of_a_format_is_guarded(monkeypatch, tmp_path, name):
    def fail(self, *args):
        raise KeyError(name)

    tabular = name in ("records", "gather")
    path = tmp_path / ("a.tsv" if tabular else "a.conllu")
    path.write_text("item\tcoder\tlabel\n1\tann\tx\n1\tbob\ty\n" if tabular else TREE, encoding="utf-8")
    monkeypatch.setattr(type(plugins.get("formats", "labels" if tabular else "conllu")), name, fail)
    with pytest.raises(FormatError, match=rf"cannot read the file \(KeyError: '{name}'\)"):
        at.read(path)


@pytest.mark.usefixtures("switched_on")
def test_loading_is_guarded(monkeypatch, tree):
    def fail(*args):
        raise MemoryError

    monkeypatch.setattr("arbitree.reading.limits.read_bytes", fail)
    with pytest.raises(FormatError, match="does not fit into memory"):
        load(str(tree))


READERS = [
    ("arbitree.distances.ted", "read_costs"),
    ("arbitree.kinds.labels.hierarchy.estimation", "read_counts"),
    ("arbitree.kinds.labels.hierarchy.files", "read_hierarchy"),
    ("arbitree.kinds.phrase.measures.evalb_parameters", "read_parameters"),
    ("arbitree.kinds.dependency.measures.weighted", "read_weights"),
    ("arbitree.kinds.preference.judgments", "read_judgments"),
]


@pytest.mark.usefixtures("switched_on")
@pytest.mark.parametrize(("module", "reader"), READERS)
def test_every_side_file_is_guarded(monkeypatch, module, reader):
    """Whatever happens after the file has been loaded."""
    function = getattr(import_module(module), reader)
    monkeypatch.setattr(f"{module}.load", lambda *args, **options: None)
    with pytest.raises(FormatError, match=r"^a\.txt: cannot read the file \(AttributeError") as caught:
        function("a.txt")
    assert isinstance(caught.value.__cause__, AttributeError)


@pytest.mark.usefixtures("switched_on")
def test_project_settings_are_guarded(monkeypatch, tmp_path):
    def fail(document):
        raise IndexError("list index out of range")

    monkeypatch.setattr(ProjectSettings, "of_document", fail)
    (tmp_path / "project.json").write_text("{}", encoding="utf-8")
    with pytest.raises(FormatError, match=r"project\.json: cannot read the file \(IndexError: list"):
        open_project(None, tmp_path)
