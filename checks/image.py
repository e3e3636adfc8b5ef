"""Build the image of container/Containerfile with Buildah, and start it with a read-only root file system.

    make image    # or, as root: .venv/bin/python checks/image.py

Needs no container engine, but root on a Debian system with Buildah. If the base image cannot be pulled, a
stand-in takes its place: the same Debian, made with debootstrap, with the Python that runs this program. The
app runs as an ordinary user, with only the project and /tmp writable. The program checks that it answers,
signs the owner in, and keeps its project.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
IMAGE = "localhost/arbitree-check"
BASE = "docker.io/library/python:3.13-slim"
USER = 1000
PATIENCE = 60  # seconds
LIBRARIES = (
    "ca-certificates", "libbz2-1.0", "libffi8", "liblzma5", "libncursesw6", "libreadline8", "libsqlite3-0",
    "libssl3", "libuuid1", "zlib1g",
)  # fmt: skip
# The network of this machine, for apt and pip inside the build.
SETTINGS = ("/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt", "/etc/apt/apt.conf.d")
# What the options --read-only, --tmpfs /tmp and --volume of an engine do. $1 is the root file system.
READ_ONLY = """
set -e
mount --bind "$1" "$1"
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
mount --bind "$2" "$1/project"
mount --bind "$3" "$1/study"
mount -t tmpfs tmpfs "$1/tmp"
mount -o remount,ro,bind "$1/study"
mount -o remount,ro,bind "$1"
exec chroot --userspec="$4:$4" "$1" env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/tmp \\
  MPLCONFIGDIR=/tmp/matplotlib PYTHONDONTWRITEBYTECODE=1 \\
  sh -c 'if touch /usr/local/written; then exit 3; fi; cd /project; exec start'
"""


def main() -> int:
    """Build and start the image, and return the exit code."""
    missing = [name for name in ("buildah", "unshare", "chroot") if shutil.which(name) is None]
    if missing or os.geteuid():
        print(f"checks/image.py needs {' and '.join(missing) or 'root'}", file=sys.stderr)
        return 2
    base = based()
    mounts = [f"--volume={path}:{path}:ro" for path in SETTINGS if Path(path).exists()]
    file = str(ROOT / "container" / "Containerfile")
    buildah("bud", "--pull-never", "--isolation=chroot", *mounts, "--file", file, "--tag", IMAGE, str(ROOT))
    layers = json.loads(buildah("inspect", "--type=image", "--format={{.Manifest}}", IMAGE))["layers"]
    with tempfile.TemporaryDirectory() as folder:
        check(Path(folder))
    buildah("rmi", "--force", IMAGE, *([BASE] if base != BASE else []))
    print(f"Built the image from {base}: {layers[-1]['size'] / 1e6:,.0f} MB more than that, not compressed.")
    print("Started it with a read-only root file system, signed in, and stopped it.")
    return 0


def based() -> str:
    """Pull the base image, or make a stand-in; return what it is."""
    if subprocess.run(["buildah", "pull", "--quiet", BASE], capture_output=True, check=False).returncode == 0:
        return BASE
    if shutil.which("debootstrap") is None:
        raise SystemExit(f"{BASE} cannot be pulled; a stand-in needs debootstrap, which is not installed")
    debian = platform.freedesktop_os_release()["VERSION_CODENAME"]
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    with tempfile.TemporaryDirectory() as folder:
        system, prefix = Path(folder) / "system", Path(sys.base_prefix)
        call(["debootstrap", "--variant=minbase", f"--include={','.join(LIBRARIES)}", debian, str(system)])
        local = system / "usr" / "local"
        skipped = shutil.ignore_patterns("site-packages", "__pycache__", "test")
        shutil.copytree(prefix / "lib", local / "lib", symlinks=True, ignore=skipped, dirs_exist_ok=True)
        shutil.copy(prefix / "bin" / version, local / "bin")
        links = f"ldconfig; cd /usr/local/bin; ln -sf {version} python; ln -sf {version} python3"
        call(["chroot", str(system), "sh", "-ec", f"{links}; python -m ensurepip; ln -sf pip3 pip"])
        made = buildah("from", "scratch")
        buildah("copy", "--quiet", made, str(system), "/")
        buildah("commit", "--quiet", "--rm", made, BASE)
    return f"a stand-in for {BASE} (Debian {debian}, {version})"


def check(folder: Path) -> None:
    """Start the app, and check that it answers, signs the owner in and stops."""
    study, project = folder / "study", folder / "project"
    shutil.copytree(ROOT / "examples" / "dependency", study, ignore=shutil.ignore_patterns("*.md"))
    project.mkdir()
    os.chown(project, USER, USER)
    folder.chmod(0o755)
    with mounted() as root:
        line = ["unshare", "--mount", "sh", "-c", READ_ONLY, "sh", root, str(project), str(study), str(USER)]
        with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            link = process.stdout.readline().strip()
            try:
                page = answer(link)
                if answer("/".join([*link.split("/")[:3], "healthy"])) or "owner" not in page:
                    raise SystemExit("the app does not answer as expected")
            finally:
                process.terminate()
                _, told = process.communicate(timeout=PATIENCE)
        if process.returncode or not (project / "project.json").exists():
            raise SystemExit(f"the app ended with code {process.returncode}:\n{told}")


@contextmanager
def mounted() -> Iterator[str]:
    """Mount the root file system of the image."""
    made = buildah("from", "--pull-never", IMAGE)
    try:
        yield buildah("mount", made)
    finally:
        buildah("rm", made)


def answer(address: str) -> str:
    """Return the page at *address*, as soon as the app answers."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(address, timeout=PATIENCE) as found:
                return str(found.read().decode())
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


def buildah(*arguments: str) -> str:
    """Run buildah, and return what it prints."""
    return call(["buildah", *arguments])


def call(line: Sequence[str]) -> str:
    """Return the output of a command; end with its errors if it fails."""
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(line)} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
