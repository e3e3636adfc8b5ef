"""Completion of commands, options and names by shells."""

import os
import pty
import select
import shutil
import subprocess
import sys
from signal import SIGKILL

import pytest

from arbitree.cli import completion
from tests.support.commands import arbitree


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """A directory for the names, which are collected once."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "arbitree" / "names.json"


def completed(line):
    """Return what bash offers at the end of a line."""
    words = line.split(" ")
    place = {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    done = arbitree(**place, _ARBITREE_COMPLETE="complete_bash")
    assert done.returncode == 0, done.stderr
    return done.stdout.decode().split()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("arbitree ag", ["agree"]),
        ("arbitree agree --inter", ["--interval"]),
        ("arbitree agree --interval ", ["jackknife", "percentile"]),
        ("arbitree agree --format conll", ["conllu", "conllx"]),
        ("arbitree convert in out --to tig", ["tigerxml"]),
        ("arbitree score gold system -m la", ["las", "la"]),
        ("arbitree tsdb one two --as cas", ["castro2011"]),
        ("arbitree list m", ["measures", "models"]),
        ("arbitree agree examples", []),  # the shell offers files
    ],
)
def test_bash_offers(line, offered):
    assert completed(line) == offered


def test_the_other_shells_offer_the_same():
    zsh = arbitree(_ARBITREE_COMPLETE="complete_zsh", _TYPER_COMPLETE_ARGS="arbitree agree --as eva")
    assert b'"evalb"' in zsh.stdout
    fish = {"_ARBITREE_COMPLETE": "complete_fish", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    assert arbitree(**fish, _TYPER_COMPLETE_ARGS="arbitree agree --as eva").stdout.split() == [b"evalb"]


def test_names_are_collected_once(cache, monkeypatch):
    found = completion.names()
    assert "las" in found["measures"]
    code = "import sys; sys.argv = ['arbitree']; from arbitree.cli import main; main()"
    watched = f"import atexit, sys; atexit.register(lambda: print('numpy' in sys.modules)); {code}"
    place = {"COMP_WORDS": "arbitree agree -m ua", "COMP_CWORD": "3", "_ARBITREE_COMPLETE": "complete_bash"}
    done = subprocess.run(
        [sys.executable, "-c", watched], env=os.environ | place, capture_output=True, check=True, timeout=120
    )
    assert done.stdout.split() == [b"uas", b"False"]
    cache.write_text("{}", encoding="utf-8")
    assert completion.names() == found


def test_names_are_found_without_a_place_to_keep_them(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert "conllu" in completion.names()["formats"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_for_a_shell_calls_the_program(shell):
    script = arbitree(_ARBITREE_COMPLETE=f"source_{shell}").stdout.decode()
    assert "_ARBITREE_COMPLETE=complete_" in script
    assert shell != "bash" or "complete -o default -F _arbitree_completion arbitree" in script


@pytest.fixture
def programs(tmp_path):
    """Directories of programs, the first with arbitree."""
    program = tmp_path / "bin" / "arbitree"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m arbitree "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return f"{program.parent}{os.pathsep}{os.environ['PATH']}"


PROMPTS = {
    ".bashrc": "PS1='> '\n",
    ".zshrc": "PROMPT='> '\n",
    ".config/fish/config.fish": "function fish_prompt; echo -n '> '; end\n",
}  # others may contain a name, such as that of the machine, in which an expected text occurs


def talk(shell, environment, *talks):
    """Type each text into an interactive shell, and wait until it shows the expected one."""
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe(shell, [shell, "-i"], environment)
    try:
        for text, expected in talks:
            os.write(terminal, text)
            shown = b""
            while expected not in shown:
                assert select.select([terminal], [], [], 60)[0], shown
                shown += os.read(terminal, 4096)
    finally:
        os.kill(child, SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completes_after_the_installation(tmp_path, programs, shell):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    home = {"PATH": programs, "TERM": "xterm", "HOME": str(tmp_path), "LANG": "C.UTF-8"}
    for name, text in PROMPTS.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    talk(shell, home, (b"arbitree --install-completion\n", b"completion installed in"))
    talk(shell, home, (b"arbitree conv\t", b"ert"), (b"a b --to penm\t", b"an"))
    talk(shell, home, (b"arbitree agree -m alpha_pq\t", b"gram"), (b"--interval jack\t", b"knife"))


def test_bash_runs_the_script(programs):
    script = """
    eval "$(_ARBITREE_COMPLETE=source_bash arbitree)"
    COMP_WORDS=(arbitree agree -m ua) COMP_CWORD=3
    _arbitree_completion arbitree
    echo "${COMPREPLY[@]}"
    """
    done = subprocess.run(
        ["bash", "-c", script],
        env=os.environ | {"PATH": programs},
        capture_output=True,
        check=True,
        timeout=120,
    )
    assert (done.stdout, done.stderr) == (b"uas\n", b"")


def test_help_names_the_options_for_completion():
    done = arbitree("--help")
    assert b"--install-completion" in done.stdout
    assert b"--show-completion" in done.stdout
