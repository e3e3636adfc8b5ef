"""``arbitree serve`` that knows which lines allocate: SIGUSR1 marks the beginning, SIGUSR2 prints the growth.

python -m tests.support.web.traced FILE serve ...
"""

import gc
import signal
import sys
import tracemalloc
from pathlib import Path

LINES = 30
OWN = (tracemalloc.Filter(False, tracemalloc.__file__),)


def main():
    """Be the program."""
    path, *words = sys.argv[1:]
    marked = []
    tracemalloc.start(8)
    signal.signal(signal.SIGUSR1, lambda *_: marked.append(_taken()))
    signal.signal(
        signal.SIGUSR2, lambda *_: Path(path).write_text(_growth(marked[0], _taken()), encoding="utf-8")
    )
    sys.argv = ["arbitree", *words]
    from arbitree.cli import main as run

    run()


def _taken():
    gc.collect()
    return tracemalloc.take_snapshot().filter_traces(OWN)


def _growth(before, after):
    found = after.compare_to(before, "traceback")[:LINES]
    total = sum(each.size_diff for each in after.compare_to(before, "filename"))
    texts = [
        f"{each.size_diff / 1024:9.1f} kB {each.count_diff:+7}\n" + "\n".join(each.traceback.format()[-8:])
        for each in found
    ]
    return "\n".join([f"{total / 1024:.1f} kB more than at the mark", *texts])


if __name__ == "__main__":
    main()
