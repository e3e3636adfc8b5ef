"""The command line: one file per command, each ending in ``COMMAND = function``."""

from __future__ import annotations

import errno
import functools
import gc
import io
import os
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from inspect import Parameter, signature
from pkgutil import iter_modules
from typing import Annotated, Any, cast, get_args

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup

import arbitree
from arbitree.cli import completion
from arbitree.cli.options import spread
from arbitree.errors import ArbitreeError

DEBUG = "ARBITREE_DEBUG"  # environment variable: whether errors are printed with their traceback
# Wrong or missing options and arguments. Some versions of typer have their own copy of the class.
_UsageError = cast(type[typer.BadParameter], typer.BadParameter.__mro__[1])
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)  # faults of the device behind standard output


def main() -> None:
    """Run the command line."""
    # Matrix products are small here: a second BLAS thread would only wait, and use a processor
    # that our own threads need to compare trees.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Studies consist of many small objects without cycles: searching them for cycles takes 10% of the time.
    gc.set_threshold(5_000_000, 20, 100)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # not every encoding has Greek letters and parts of bars
    given = _without_debug(sys.argv[1:])
    try:
        code = run(given or ["--help"])
        sys.stdout.flush()
    except _UsageError as error:
        print(_usage_message(error, given), file=sys.stderr)
        code = 2
    except OSError as error:
        if error.filename is not None or error.errno not in FULL:
            raise
        _discard_output()
        what = f"cannot write to standard output ({error.strerror})"
        print(f"error: {ArbitreeError(what, hint='Free space on the device').typed}", file=sys.stderr)
        code = 2
    sys.exit(code)


def run(given: Sequence[str]) -> int | None:
    """Run one command with its arguments, and return its exit code; None stands for 0."""
    completion.complete_at_first_tab()
    app = _build(completion.asked() or given[:1])
    code: int | None = app([*given], prog_name="arbitree", standalone_mode=False)
    return code


def _discard_output() -> None:
    """Write what is still waiting for standard output nowhere, so that it does not fail again at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _without_debug(given: list[str]) -> list[str]:
    """Return the arguments without ``--debug``, which is accepted anywhere; set its environment variable."""
    end = given.index("--") if "--" in given else len(given)  # what follows are inputs
    options = [each for each in given[:end] if each != "--debug"]
    if len(options) < end:
        os.environ[DEBUG] = "1"
    return options + given[end:]


def _usage_message(error: typer.BadParameter, given: Sequence[str]) -> str:
    """Return one line about options or arguments that are wrong or missing."""
    command = error.ctx.command_path if error.ctx else "arbitree"
    if not error.ctx and given and given[0] in _modules():  # such as an option without its value
        command = f"arbitree {given[0]}"
    names = "commands and options" if command == "arbitree" else "options"
    message = ArbitreeError(error.format_message(), hint=f"Run '{command} --help' to see the {names}")
    return f"error: {message.typed}"


def reported(function: Callable[..., None]) -> Callable[..., None]:
    """Report input errors in one line with exit code 2; other exceptions keep their traceback."""

    @functools.wraps(function)
    def command(*args: Any, **kwargs: Any) -> None:
        try:
            function(*args, **kwargs)
        except ArbitreeError as error:
            if os.environ.get(DEBUG, "0") not in ("", "0"):
                traceback.print_exception(error)
            print(error.typed if error.source else f"error: {error.typed}", file=sys.stderr)
            raise typer.Exit(2) from None
        except KeyboardInterrupt:
            print("interrupted", file=sys.stderr)
            raise typer.Exit(130) from None
        except BrokenPipeError:  # the reader of our output, such as head, has closed the pipe
            _discard_output()
            raise typer.Exit(0) from None

    return command


def _version(asked: bool) -> None:
    if asked:
        print(f"arbitree {arbitree.__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    debug: Annotated[
        bool,
        typer.Option(
            "--debug", help="Print errors with their traceback. Accepted anywhere on the command line."
        ),
    ] = False,
) -> None:
    """Measure, explain and resolve disagreement between annotators of trees and tags."""


class _Group(TyperGroup):
    """All commands, and the options of ``arbitree``, which take no value."""

    def get_params(self, ctx: typer.Context) -> list[Any]:  # type: ignore[override]
        return _converted_here(super().get_params(ctx), {})


class _Command(TyperCommand):
    """A command whose usage line shows which arguments can be repeated: ``INPUT...``."""

    def get_params(self, ctx: typer.Context) -> list[Any]:  # type: ignore[override]
        declared = signature(cast(Callable[..., None], self.callback)).parameters
        return _converted_here(super().get_params(ctx), declared)

    def collect_usage_pieces(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]
        pieces = [self.options_metavar or ""]
        for each in self.params:
            if isinstance(each, TyperArgument):
                name = each.metavar or str(each.name).upper()
                name += "..." if each.nargs == -1 and "..." not in name else ""
                pieces.append(name if each.required or name.startswith("[") else f"[{name}]")
        return pieces


def _converted_here(parameters: list[Any], declared: Mapping[str, Parameter]) -> list[Any]:
    """Return options and arguments whose values we convert.

    typer 0.29 loads pydantic to convert them, even those that are not given, which takes a tenth of a second.
    Its help shows Python types, such as ``<bool>``, where we give no other name.
    """
    for each in parameters:
        annotation: Any = declared[each.name].annotation if each.name in declared else Annotated[bool, None]
        each.process_value = partial(_process, each, annotation)
        if annotation.__origin__ is bool or isinstance(each, TyperArgument):
            each.display_type_rich = _no_type
    return parameters


def _no_type(ctx: typer.Context) -> None:
    """Return nothing to show in the help."""


def _process(parameter: Any, annotation: Any, ctx: typer.Context, value: Any) -> Any:
    """Return the value of an option or argument as the type of its annotation."""
    missing = value is None or parameter.value_is_missing(value)
    if missing and not parameter.required:
        value = () if parameter.multiple or parameter.nargs == -1 else None
        return parameter.callback(ctx, parameter, value) if parameter.callback else value
    if missing or annotation.__origin__ is bool:
        return type(parameter).process_value(parameter, ctx, value)
    types = get_args(annotation.__origin__) or (annotation.__origin__,)
    number = next((each for each in (int, float) if each in types), None)
    return _number(number, annotation.__metadata__[0], value) if number else value


def _number(number: type[int] | type[float], info: Any, value: str | float) -> float:
    """Return a number as *info*, the description of its option, allows it."""
    try:
        found = number(value)
    except ValueError:
        kind = "integer" if number is int else "float"
        raise typer.BadParameter(f"{value!r} is not a valid {kind}.") from None
    if (info.min is not None and found < info.min) or (info.max is not None and found > info.max):
        least = "" if info.min is None else f"{info.min}<="
        most = "" if info.max is None else f"<={info.max}"
        allowed = f"{least}x{most}" if most else f"x>={info.min}"
        raise typer.BadParameter(f"{found} is not in the range {allowed}.")
    return found


def _build(asked: Sequence[str] = ()) -> typer.Typer:
    """Return the command-line app, with only the command in *asked* if given, which starts faster."""
    built = typer.Typer(
        cls=_Group,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    built.callback()(_root)
    known = _modules()
    for name in [name for name in known if name in asked] or known:
        function = getattr(import_module(f"{__name__}.{name}"), "COMMAND", None)
        if function is not None:
            built.command(name, cls=_Command)(reported(spread(function)))
    return built


def _modules() -> list[str]:
    """Return the names of the modules here; most of them contain a command of this name."""
    return [module.name for module in iter_modules(__path__)]


def __getattr__(name: str) -> typer.Typer:
    """Build the command-line app with all commands when ``app`` is first used."""
    if name == "app":
        return _build()
    raise AttributeError(name)
