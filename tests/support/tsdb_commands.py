"""Run ``arbitree tsdb``."""

from typer.testing import CliRunner

from arbitree.cli import app
from tests.support.commands import WIDE

FAST = ["--resamples", "20"]


def run(*arguments, code=0):
    done = CliRunner(env=WIDE).invoke(app, ["tsdb", *map(str, arguments)])
    assert done.exit_code == code, done.output
    assert not (done.exception and not isinstance(done.exception, SystemExit)), done.exception
    return done
