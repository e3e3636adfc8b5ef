"""Reading of tables of labels: CPU time beside pandas, and growth with rows and items.

    python benchmarks/tables.py

Tables are made. Arbitree reads each into a study, pandas into a frame, by turns in one process. pandas
returns columns of text, Arbitree items, annotators, labels and line numbers.
"""

import tempfile
from math import log
from pathlib import Path

import pandas as pd
from labels import least

import arbitree as at


def write(path, items, coders):
    """Write a table with the labels of all coders for each item."""
    rows = (
        f"s{item}\tann{coder}\tL{(item * 7 + coder % 3) % 5}\n"
        for item in range(items)
        for coder in range(coders)
    )
    path.write_text("item\tcoder\tlabel\n" + "".join(rows))


def main():
    """Print a row for each table, with the growth from the one before."""
    print(f"{'items x coders':>16}{'rows':>11}{'pandas s':>10}{'arbitree s':>12}{'ratio':>7}{'growth':>8}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table.tsv")
        before = None
        for items, coders in ((25_000, 10), (50_000, 10), (100_000, 10), (500_000, 2), (20_000, 50)):
            write(path, items, coders)
            times = [
                (least(lambda: pd.read_csv(path, sep="\t"), 1), least(lambda: at.read(path), 1))
                for _ in range(3)
            ]
            theirs, ours = (min(column) for column in zip(*times, strict=True))
            rows = items * coders
            known = before is not None and rows != before[0]
            growth = f"{log(ours / before[1]) / log(rows / before[0]):8.2f}" if known else f"{'':8}"
            size = f"{items:,} x {coders}"
            print(f"{size:>16}{rows:11,}{theirs:10.2f}{ours:12.2f}{ours / theirs:7.1f}{growth}", flush=True)
            before = (rows, ours)


if __name__ == "__main__":
    main()
