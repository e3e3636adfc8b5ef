"""Share of planted differences that the fragments of explain show, and share of minimal nuclei.

python -m benchmarks.explain_shown
ARBITREE_DATA=corpora python -m benchmarks.explain_shown   # in a treebank
"""

import random
import tempfile
from pathlib import Path

import arbitree as at
from arbitree.study.study import Annotation, Item
from benchmarks.costs import data


def sites(value):
    """Return the labels of words and phrases by their tokens, topmost first."""
    found = {}
    runs = value.yields()
    order = sorted(
        range(len(value.labels)), key=lambda node: node if node >= len(value.words) else len(runs) + node
    )
    for node in order:
        tokens = tuple(token for first, last in runs[node] for token in range(first, last))
        if tokens:
            found.setdefault(tokens, []).append(value.labels[node])
    return found


def planted(values, count, seed=1):
    """Return pairs of trees with two more tags, on a phrase of one and on the phrase above of the other."""
    rng = random.Random(seed)
    pairs = []
    while len(pairs) < count:
        value = rng.choice(values)
        size = len(value.words)
        below = value.children()
        inner = [
            node
            for node in range(size + 1, len(value.labels))
            if value.parents[node] > size and len(below[value.parents[node]]) > 1
        ]
        if not inner:
            continue
        node = rng.choice(inner)
        above = value.parents[node]
        versions = []
        for place, tag in ((node, "QQ"), (above, "RR")):
            labels = list(value.labels)
            labels[place] += f"-{tag}"
            versions.append(at.PhraseTree(value.words, tuple(labels), value.parents))
        runs = value.yields()
        where = [
            (tag, tuple(t for a, b in runs[place] for t in range(a, b)))
            for place, tag in ((node, "QQ"), (above, "RR"))
        ]
        pairs.append((versions, where))
    return pairs


def shows(each, nucleus, tag, tokens):
    """Return whether one fragment has the tag on the phrase over these tokens, and another has not."""
    sides = set()
    for fragment in each.fragments:
        below = [set() for _ in fragment.nodes]
        for node in fragment.nodes:
            above = node.parent
            while node.token is not None and above >= 0:
                below[above].add(nucleus.span[0] + node.token)
                above = fragment.nodes[above].parent
        labels = [node.label for node, own in zip(fragment.nodes, below, strict=True) if own == set(tokens)]
        sides.add(any(tag in label.split("-") for label in labels))
    return len(sides) > 1


def report_shown(values, count):
    """Print how many planted differences the fragments of some nucleus show."""
    pairs = planted(values, count)
    rows = {str(n): dict(zip("ab", versions, strict=True)) for n, (versions, _) in enumerate(pairs)}
    items = {}
    for each in at.explain(study_of(rows)).types:
        for nucleus in each.nuclei:
            items.setdefault(nucleus.item, []).append((each, nucleus))
    shown = sum(
        any(shows(each, nucleus, tag, tokens) for each, nucleus in items.get(str(n), ()))
        for n, (_, where) in enumerate(pairs)
        for tag, tokens in where
    )
    print(f"planted tags, two on one spine: {shown:,} of {2 * count:,} shown ({shown / (2 * count):.1%})")


def report_minimal(name, study, **options):
    """Print how many nuclei are no larger than the differences inside them."""
    values = {}
    for item, cells in study:
        values[item.id] = [sites(cell.value) for cell in cells]
    small = total = 0
    for each in at.explain(study, **options).types:
        for nucleus in each.nuclei:
            lo, hi = nucleus.span
            versions = values[nucleus.item]
            tokens = {
                tokens for version in versions for tokens in version if lo <= tokens[0] and tokens[-1] < hi
            }
            changed = [t for t in tokens if any(version.get(t) != versions[0].get(t) for version in versions)]
            total += 1
            small += bool(changed) and (min(t[0] for t in changed), max(t[-1] for t in changed) + 1) == (
                lo,
                hi,
            )
    print(f"{name}: {small:,} of {total:,} nuclei are as small as their differences ({small / total:.1%})")


def study_of(rows):
    """Return a study of trees by item and annotator."""
    items = tuple(Item(name, "made", name) for name in rows)
    cells = {
        (item.id, coder): Annotation(item, coder, rows[item.id][coder]) for item in items for coder in "ab"
    }
    return at.Study(items, ("a", "b"), cells)


def nested(rng, depth):
    """Return a noun phrase inside noun phrases, whose head is one word."""
    if not depth:
        return f"(NP (DT the) (NN n{rng.randrange(100)}))"
    inner = nested(rng, depth - 1)
    return rng.choice((f"(NP {inner} (ADVP (RB far)))", f"(NP {inner} (PP (IN of) {nested(rng, 0)}))", inner))


def main():
    """Print what the nuclei show, in a treebank if there is one."""
    treebank = data("gum-two-versions")
    if treebank:
        early, late = (str(treebank / name) for name in ("early", "late"))
        study = at.read(early, late, dirs=True)
        values = [cell.value for cell in study.cells.values() if cell.coder == study.coders[1]]
    else:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "made.mrg"
            rng = random.Random(1)
            path.write_text("\n".join(f"(S {nested(rng, 4)} (VP (VBD fell)))" for _ in range(500)))
            values = [cell.value for cell in at.read(str(path)).cells.values()]
    report_shown(values, 568)
    if treebank:
        report_minimal("two releases of a treebank", study)


if __name__ == "__main__":
    main()
