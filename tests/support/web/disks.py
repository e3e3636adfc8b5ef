"""A small disk that can be filled and freed."""

import os
import subprocess
from contextlib import contextmanager, suppress
from pathlib import Path

PIECE = bytes(64 * 1024)


class NoDisk(Exception):
    """This user cannot mount a disk."""


class Disk:
    """A directory of a file system of its own."""

    def __init__(self, folder):
        self.folder = folder
        self._ballast = folder / "ballast"

    def fill(self):
        """Take all the space that is left."""
        with self._ballast.open("ab", buffering=0) as file:
            for piece in (PIECE, PIECE[:1]):
                with suppress(OSError):
                    while file.write(piece) == len(piece):
                        pass

    def free(self):
        """Give the space back."""
        self._ballast.unlink(missing_ok=True)


@contextmanager
def small_disk(folder, megabytes):
    """Mount a disk of that size in memory at *folder* for as long as the block lasts; only root can."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0755", "arbitree", str(folder)]
    if os.geteuid() != 0 or subprocess.run(command, check=False, capture_output=True).returncode:
        raise NoDisk("only root can mount the small disk that this test fills")
    try:
        yield Disk(folder)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
