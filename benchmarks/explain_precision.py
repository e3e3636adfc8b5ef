"""Precision of explain in one corpus: how many of the first 30 types are real, judged by hand.

    arbitree explain --dirs CORPUS --mode corpus --json > after.json    # and so with other builds or settings
    python -m benchmarks.explain_precision list CORPUS before=before.json after=after.json \
        --sheet judges/list.md --key list.tsv
    python -m benchmarks.explain_precision score list.tsv judges/one.tsv judges/two.tsv \
        --save benchmarks/explain_precision.tsv
    python -m benchmarks.explain_precision score benchmarks/explain_precision.tsv

``list`` takes one pair of places per type, the first that a result lists: a rarer and a not rarer annotation
of the same words. The pairs of all results are written into one shuffled sheet, with both sentences and both
trees. The sheet does not tell which result a pair is from, or its rank. This is in the key, which has item
ids and spans but no text. A pair that several results contain is judged once. The sheet quotes the corpus, so
keep it out of the repository.

A judge writes a line per pair: its number, a tab, and ``real`` or ``not``. A pair is real if nothing in the
two sentences licenses two annotations, so that an annotator would change one of them. Doubt counts as not
real.

``score`` prints the share of real types for each result and judge with a Wilson interval (95%), and Cohen's
kappa of every two judges. ``--save`` writes the key with the judgments, which ``score`` reads as well.
"""

import argparse
import csv
import json
import math
import random
from itertools import combinations
from pathlib import Path

FIRST = 30  # types per result
Z = 1.959964  # of the normal distribution, for 95%
COLUMNS = ("number", "results", "item_a", "span_a", "item_b", "span_b")
ANSWERS = ("real", "not")
TRACE = "-NONE-"  # no word of the sentence


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(required=True)
    listing = commands.add_parser("list", help="write a sheet for judges and its key")
    listing.add_argument("corpus", help="directory of the corpus that all results are about")
    listing.add_argument("results", nargs="+", metavar="NAME=FILE", help="output of arbitree explain --json")
    listing.add_argument("--sheet", type=Path, required=True, help="the sheet for the judges")
    listing.add_argument("--key", type=Path, required=True, help="where the pairs of the sheet come from")
    listing.add_argument("--seed", type=int, default=22)
    listing.set_defaults(run=write_list)
    scoring = commands.add_parser("score", help="print precision and agreement of the judges")
    scoring.add_argument("key", type=Path)
    scoring.add_argument("judgments", type=Path, nargs="*")
    scoring.add_argument("--save", type=Path, help="write the key with the judgments to this file")
    scoring.set_defaults(run=score)
    options = parser.parse_args()
    options.run(options)


def write_list(options):
    """Write the sheet and its key."""
    rng = random.Random(options.seed)
    found = {}
    for text in options.results:
        name, _, path = text.partition("=")
        for rank, type_ in enumerate(json.loads(Path(path).read_text())["types"][:FIRST], start=1):
            pair = first_pair(type_)
            shown = tuple(sorted((place["item"], *place["span"], brackets) for place, brackets in pair))
            found.setdefault(shown, []).append(f"{name}:{rank}")
    pairs = sorted(found.items())
    rng.shuffle(pairs)
    trees = trees_of(options.corpus)
    sheet, rows = [], []
    for number, (places, results) in enumerate(pairs, start=1):
        sides = list(places)
        rng.shuffle(sides)
        sheet.append(entry(number, sides, trees))
        spans = [value for item, start, end, _ in sides for value in (item, f"{start}-{end}")]
        rows.append((number, " ".join(results), *spans))
    options.sheet.write_text("\n".join(sheet), encoding="utf-8")
    write_rows(options.key, COLUMNS, rows)
    print(f"{len(rows)} pairs in {options.sheet}, key in {options.key}")


def first_pair(type_):
    """Return the first two places of a type with different fragments, and these fragments."""
    (first, *others) = type_["nuclei"][0]["places"]
    second = next(place for place in others if place["fragment"] != first["fragment"])
    return [(place, type_["fragments"][place["fragment"]]["brackets"]) for place in (first, second)]


def trees_of(corpus):
    """Return the words and the tree, as text, of every item."""
    import arbitree as at

    study = at.read(corpus, dirs=True)
    found = {}
    for (item, _), cell in study.cells.items():
        value = cell.value
        if study.value_type.kind == "phrase":
            words = [word for word, label in zip(value.words, value.labels, strict=False) if label != TRACE]
            found[item] = words, indented(value)
        else:
            rows = zip(value.tokens, value.heads, value.relations, strict=True)
            lines = (f"{k}\t{word}\t{head}\t{name}" for k, (word, head, name) in enumerate(rows, start=1))
            found[item] = value.tokens, "\n".join(lines)
    return found


def indented(tree, width=140):
    """Return a phrase-structure tree in brackets; phrases that do not fit into a line are broken."""
    children = tree.children()

    def flat(node):
        if node < len(tree.words):
            return f"({tree.labels[node]} {tree.words[node]})"
        return f"({tree.labels[node]} {' '.join(map(flat, children[node]))})"

    def lines(node, depth):
        text = flat(node)
        if node < len(tree.words) or len(text) + depth <= width:
            return [" " * depth + text]
        parts = [" " * depth + f"({tree.labels[node]}"]
        for child in children[node]:
            parts += lines(child, depth + 2)
        parts[-1] += ")"
        return parts

    return "\n".join(lines(tree.parents.index(-1), 0))


def entry(number, sides, trees):
    """Return a pair for the sheet."""
    parts = [f"## {number}\n"]
    for letter, (item, start, end, brackets) in zip("AB", sides, strict=True):
        words, tree = trees[item]
        inside = " ".join(words[start:end])
        sentence = " ".join([*words[:start], f"[[ {inside} ]]", *words[end:]])
        parts.append(f"{letter}: {sentence}\n\n    {letter}: {brackets}\n")
    for letter, (item, *_) in zip("AB", sides, strict=True):
        tree = "\n".join(f"    {line}" for line in trees[item][1].splitlines())
        parts.append(f"Tree {letter}:\n\n{tree}\n")
    return "\n".join(parts)


def score(options):
    """Print the table of results, and the agreement of the judges."""
    with options.key.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    judges = {name: {row["number"]: row[name] for row in rows} for name in rows[0] if name not in COLUMNS}
    for path in options.judgments:
        judges[path.stem] = read_judgments(path, [row["number"] for row in rows])
    names = list(dict.fromkeys(name for row in rows for name, _ in origins(row)))
    print(f"{'':24}" + "".join(f"{judge:>28}" for judge in judges))
    for name in names:
        numbers = [row["number"] for row in rows for result, _ in origins(row) if result == name]
        cells = []
        for answers in judges.values():
            real = sum(answers[number] == "real" for number in numbers)
            low, high = wilson(real, len(numbers))
            cells.append(f"{real}/{len(numbers)} = {real / len(numbers):.2f} ({low:.2f} to {high:.2f})")
        print(f"{name:24}" + "".join(f"{cell:>28}" for cell in cells))
    for one, other in combinations(judges, 2):
        pairs = [(judges[one][row["number"]], judges[other][row["number"]]) for row in rows]
        same = sum(a == b for a, b in pairs)
        print(f"{one} and {other}: kappa {kappa(pairs):.3f}, {same} of {len(pairs)} answers the same")
    if options.save:
        lines = [
            (*(row[name] for name in COLUMNS), *(judges[judge][row["number"]] for judge in judges))
            for row in rows
        ]
        write_rows(options.save, (*COLUMNS, *judges), lines)


def origins(row):
    """Return the results that contain a pair, with its rank there."""
    return [tuple(each.rsplit(":", 1)) for each in row["results"].split()]


def read_judgments(path, numbers):
    """Return the answer of one judge to every pair."""
    found = {}
    for place, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.strip():
            number, _, answer = (part.strip() for part in line.partition("\t"))
            if number not in numbers or answer not in ANSWERS or number in found:
                raise SystemExit(
                    f"{path}:{place}: {line!r} is not a number of the list, a tab, and real or not"
                )
            found[number] = answer
    missing = [number for number in numbers if number not in found]
    if missing:
        raise SystemExit(f"{path}: no answer to {', '.join(missing)}")
    return found


def wilson(count, total):
    """Return the Wilson interval of a share (Wilson 1927)."""
    share, spread = count / total, Z * Z / total
    middle = share + spread / 2
    half = Z * math.sqrt(share * (1 - share) / total + spread / (4 * total))
    return (middle - half) / (1 + spread), (middle + half) / (1 + spread)


def kappa(pairs):
    """Return Cohen's kappa of two judges."""
    total = len(pairs)
    observed = sum(a == b for a, b in pairs) / total
    ours, theirs = zip(*pairs, strict=True)
    expected = sum(ours.count(answer) * theirs.count(answer) for answer in ANSWERS) / total**2
    return (observed - expected) / (1 - expected) if expected < 1 else math.nan


def write_rows(path, columns, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)


if __name__ == "__main__":
    main()
