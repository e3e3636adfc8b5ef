"""How time and memory of the whole command grow with the number of trees and with their size.

    python benchmarks/growth.py                  # 1, 2, 5 and 10 times 1,000 sentences, and longer ones
    python benchmarks/growth.py --items 40000    # one large study

Corpora are made; see benchmarks/agree.py for their shape.
"""

import argparse
import tempfile

from agree import made_corpus, run

MEASURES = ("alpha_plain", "alpha_diff", "alpha_norm")


def measure(sentences, mean, resamples):
    """Print a row of the table: sentences, trees, length, wall and CPU seconds, peak memory."""
    with tempfile.TemporaryDirectory() as folder:
        paths = made_corpus(folder, sentences, coders=2, mean=mean)
        options = [part for name in MEASURES for part in ("--measure", name)]
        wall, cpu, memory = run(["agree", "--resamples", resamples, *options, *paths])
    trees = 2 * sentences
    pairs = trees * (trees - 1) // 2
    print(
        f"{sentences:10,}{trees:10,}{mean:8.1f}{pairs:16,}{wall:10.1f}{cpu:10.1f}{memory:10,}"
        f"{1e9 * cpu / pairs:12.0f}",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--items", type=int, help="one study of so many sentences")
    parser.add_argument("--resamples", type=int, default=1000)
    options = parser.parse_args()
    heads = ("sentences", "trees", "length", "pairs", "wall s", "CPU s", "peak MB", "ns a pair")
    print(
        "".join(
            f"{head:>{width}}" for head, width in zip(heads, (10, 10, 8, 16, 10, 10, 10, 12), strict=True)
        )
    )
    if options.items:
        measure(options.items, 17.5, options.resamples)
        return
    for factor in (1, 2, 5, 10):
        measure(1000 * factor, 17.5, options.resamples)
    for mean in (35.0, 70.0):
        measure(1000, mean, options.resamples)


if __name__ == "__main__":
    main()
