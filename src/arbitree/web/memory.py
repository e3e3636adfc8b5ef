"""Memory of the server process."""

from __future__ import annotations

import ctypes
from contextlib import suppress

_MMAP_THRESHOLD, _ARENA_MAX = -3, -8  # M_MMAP_THRESHOLD and M_ARENA_MAX in malloc.h of glibc


def keep_compact(size: int = 16 * 1024) -> None:
    """Make the C library keep less memory that is not in use; call it before threads start.

    By itself, glibc keeps blocks of *size* bytes and more once larger ones have been freed: drawings and
    responses of up to 100 kB then leave holes that the next ones do not fit into. It also gives each thread a
    heap of its own, whose free memory other threads cannot use; our threads take turns anyway. Other C
    libraries have no such options.
    """
    with suppress(AttributeError, OSError):
        library = ctypes.CDLL(None)
        library.mallopt(_MMAP_THRESHOLD, size)
        library.mallopt(_ARENA_MAX, 1)


def return_free_pages() -> None:
    """Return the pages that contain no block in use to the system, wherever they lie.

    By itself, glibc returns only those at the end of the heap, and smaller blocks leave holes too. Other C
    libraries have no such function.
    """
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
