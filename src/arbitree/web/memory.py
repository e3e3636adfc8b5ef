"""Memory of the server process."""

from __future__ import annotations

import ctypes
from contextlib import suppress

_MMAP_THRESHOLD = -3  # M_MMAP_THRESHOLD in malloc.h of glibc


def return_large_blocks(size: int = 64 * 1024) -> None:
    """Make the C library return blocks of *size* bytes and more to the system as soon as they are freed.

    By itself, glibc keeps such blocks once larger ones have been freed. Responses of 100 kB then leave holes
    that the next ones do not fit into, and the process grows. Other C libraries have no such option.
    """
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, size)
