"""Run ``arbitree`` in this process, which saves half a second of imports, or in its own process."""

import gc
import io
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from unittest.mock import patch

from arbitree.cli import main

WIDE = {"COLUMNS": "100"}  # so that most sentences are on one line


class Stream(io.TextIOWrapper):
    """A standard stream in memory."""

    def __init__(self, content=b"", errors="strict"):
        super().__init__(io.BytesIO(content), encoding="utf-8", errors=errors, write_through=True)


def arbitree(*arguments, stdin=b"", together=False, **environment):
    """Run a command here, and return what ``subprocess.run`` would; a bug raises its exception.

    Errors are part of standard output if *together* is true.
    """
    command = ["arbitree", *map(str, arguments)]
    out, err, code = Stream(), Stream(errors="backslashreplace"), 0  # as in a process
    if together:
        err = out
    thresholds = gc.get_threshold()
    try:
        with patch.object(sys, "argv", command), patch.object(sys, "stdin", Stream(stdin)):  # noqa: SIM117
            with patch.dict(os.environ, WIDE | environment), redirect_stdout(out), redirect_stderr(err):
                main()
    except SystemExit as stop:
        code = stop.code or 0
    finally:
        gc.set_threshold(*thresholds)
    return subprocess.CompletedProcess(command, code, out.buffer.getvalue(), err.buffer.getvalue())


def arbitree_process(*arguments, stdin=None, stdout=subprocess.PIPE, **environment):
    """Run a command in a process of its own, for tests about signals, imports or the interpreter.

    Standard input is given as bytes or as an open file.
    """
    command = [sys.executable, "-m", "arbitree", *map(str, arguments)]
    given = {"input": stdin} if stdin is None or isinstance(stdin, bytes) else {"stdin": stdin}
    return subprocess.run(
        command,
        stdout=stdout,
        stderr=subprocess.PIPE,
        env={**os.environ, **WIDE, **environment},
        check=False,
        timeout=120,
        **given,
    )
