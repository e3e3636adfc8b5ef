"""Tables of labels, compared with pandas, and growth with the number of rows.

Tables are generated. Arbitree reads a table into a study, and pandas into a frame. pandas returns columns of
text; Arbitree returns items, annotators, labels and line numbers.
"""

import tempfile

from benchmarks import labels
from benchmarks.costs import alone
from benchmarks.rows import Growth, Row


def measure(quick):
    """Yield the rows: large and small tables, and one with many annotators."""
    sizes = [(10_000, 10)] if quick else [(100_000, 10), (500_000, 2), (20_000, 50)]
    with tempfile.TemporaryDirectory() as folder:
        for items, coders in sizes:
            path = write(folder, items, coders)
            name = f"read {items * coders:,} rows: {items:,} items x {coders}"
            yield Row(name, alone(arbitree_reads, path), {"pandas": alone(pandas_reads, path)})
        if not quick:
            jobs = {
                10 * n: alone(arbitree_reads, write(folder, n, 10))
                for n in (25_000, 50_000, 100_000, 200_000)
            }
            yield Growth("read a table", "rows", jobs)


def write(folder, items, coders):
    """Write a table with the labels of all coders for each item, and return its path."""
    return labels.write(folder, labels.made(items, coders))


def arbitree_reads(path):
    """Return the work of Arbitree, after imports."""
    import arbitree as at

    at.read(write(path.parent, 10, 2))
    return lambda: at.read(path)


def pandas_reads(path):
    """Return the work of pandas, after imports."""
    import pandas as pd

    pd.read_csv(write(path.parent, 10, 2), sep="\t")
    return lambda: pd.read_csv(path, sep="\t")
