"""Run independent programs on the corpora in ``corpus/`` and record their values in ``values.tsv``.

Usage: python -m tests.outsiders.record

Each function drives one program. A program that is not installed keeps the values that were recorded before.
The conversions here use none of Arbitree's code.
"""

import csv
import sys
from collections.abc import Iterator
from importlib.metadata import version
from itertools import combinations
from pathlib import Path
from statistics import mean

FOLDER = Path(__file__).parent
CORPUS = FOLDER / "corpus"
VALUES = FOLDER / "values.tsv"
COLUMNS = ("program", "version", "command", "corpus", "measure", "value")
Found = Iterator[tuple[str, str, str, float]]  # command, corpus, measure, value

TREES = ("gold.conllu parser.conllu", "gold.mrg parser.mrg")


def labels(name):
    """The labels of a table by annotator, with None for an empty cell."""
    with (CORPUS / name).open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {coder: [row[coder] or None for row in rows] for coder in ("ann", "bob", "cho")}


def triples(name):
    """The cells of a table as (annotator, item, label), without the empty ones."""
    return [
        (coder, str(place), label)
        for coder, found in labels(name).items()
        for place, label in enumerate(found)
        if label is not None
    ]


def tag_sets():
    with (CORPUS / "topics.tsv").open(newline="") as file:
        return [
            (row["coder"], row["item"], frozenset(row["label"].split("|")))
            for row in csv.DictReader(file, delimiter="\t")
        ]


def tokens(name):
    """The rows of words of a CoNLL-U file, sentence by sentence."""
    blocks = (CORPUS / name).read_text(encoding="utf-8").strip().split("\n\n")
    rows = [[line.split("\t") for line in block.splitlines() if line[0] != "#"] for block in blocks]
    return [[row for row in block if row[0].isdigit()] for block in rows]


def brackets(name):
    return [
        line for line in (CORPUS / name).read_text(encoding="utf-8").splitlines() if line and line[0] != "#"
    ]


def dependency_nodes(rows, head=0):
    """The tree of a sentence in the notation of apted: relations, in the order of the sentence."""
    below = "".join(dependency_nodes(rows, int(row[0])) for row in rows if int(row[6]) == head)
    return f"{{{rows[head - 1][7] if head else '<top>'}{below}}}"


def phrase_nodes(tree):
    """The same of phrases and parts of speech."""
    return f"{{{tree.label()}{''.join(phrase_nodes(each) for each in tree if not isinstance(each, str))}}}"


def node_trees(files):
    """The trees of two files as apted reads them, sentence by sentence."""
    names = files.split()
    if names[0].endswith(".conllu"):
        return [[dependency_nodes(rows) for rows in tokens(name)] for name in names]
    from nltk import Tree

    return [[phrase_nodes(Tree.fromstring(line)) for line in brackets(name)] for name in names]


def apted() -> Found:
    from apted import APTED
    from apted.helpers import Tree

    for files in TREES:
        ours, theirs = ([Tree.from_text(text) for text in found] for found in node_trees(files))
        distances = [APTED(a, b).compute_edit_distance() for a, b in zip(ours, theirs, strict=True)]
        yield "APTED.compute_edit_distance, mean", files, "edit_distance", mean(distances)
        yield "APTED.compute_edit_distance, share of 0", files, "exact", mean(d == 0 for d in distances)


def simpledorff() -> Found:
    import pandas
    from apted import APTED
    from apted.helpers import Tree
    from simpledorff import calculate_krippendorffs_alpha_for_df as alpha

    for files in TREES:
        texts = node_trees(files)
        cells = [
            (str(item), coder, text)
            for coder, found in zip(("ann", "bob"), texts, strict=True)
            for item, text in enumerate(found)
        ]
        frame = pandas.DataFrame(cells, columns=["item", "coder", "tree"])
        known = {}

        def distance(x, y, known=known):
            if (x, y) not in known:
                known[x, y] = APTED(Tree.from_text(x), Tree.from_text(y)).compute_edit_distance()
            return known[x, y]

        squares = {
            "alpha_plain": lambda x, y: distance(x, y) ** 2,
            "alpha_diff": lambda x, y: (distance(x, y) - abs(x.count("{") - y.count("{"))) ** 2,
            "alpha_norm": lambda x, y: (distance(x, y) / (x.count("{") + y.count("{"))) ** 2,
        }
        for measure, square in squares.items():
            value = alpha(frame, "item", "coder", "tree", metric_fn=square)
            yield "calculate_krippendorffs_alpha_for_df, distances by apted", files, measure, value
    frame = pandas.DataFrame(triples("moods_gaps.csv"), columns=["coder", "item", "label"])
    costs = {frozenset(("glad", "calm")): 0.5, frozenset(("calm", "cross")): 0.25}
    value = alpha(
        frame,
        "item",
        "coder",
        "label",
        metric_fn=lambda x, y: 0 if x == y else costs.get(frozenset((x, y)), 1),
    )
    yield "calculate_krippendorffs_alpha_for_df", "moods_gaps.csv", "alpha_table:distance=moods.costs", value


def udtools() -> Found:
    from udtools import udeval

    flags = dict.fromkeys(
        (
            *("no_gapping", "no_shared_parents_in_coordination", "no_shared_dependents_in_coordination"),
            *("no_control", "no_external_arguments_of_relative_clauses"),
            *("no_case_info", "no_empty_nodes", "multiple_roots_okay"),
        ),
        0,
    )
    loaded = []
    for name in ("gold.conllu", "parser.conllu"):
        with (CORPUS / name).open(encoding="utf-8") as file:
            loaded.append(udeval.load_conllu(file, name, flags))
    result = udeval.evaluate(*loaded)
    for theirs, ours in (
        ("UAS", "uas"),
        ("LAS", "las:subtypes=strip"),
        ("CLAS", "clas:subtypes=strip"),
        ("ELAS", "elas"),
        ("EULAS", "elas:subtypes=strip"),
    ):
        yield f"udeval.evaluate, {theirs} F1", TREES[0], ours, result[theirs].f1


def scikit_learn() -> Found:
    from sklearn.metrics import accuracy_score, cohen_kappa_score

    ours, theirs = (
        [row for block in tokens(name) for row in block] for name in ("gold.conllu", "parser.conllu")
    )
    relations = [[row[7] for row in found] for found in (ours, theirs)]
    arcs = [[f"{row[6]} {row[7]}" for row in found] for found in (ours, theirs)]
    yield "accuracy_score", TREES[0], "la", accuracy_score(*relations)
    yield "accuracy_score", TREES[0], "las", accuracy_score(*arcs)
    yield "cohen_kappa_score", TREES[0], "kappa_labels", cohen_kappa_score(*relations)
    same = [a[6] == b[6] for a, b in zip(ours, theirs, strict=True)]
    kept = [[each for each, equal in zip(found, same, strict=True) if equal] for found in relations]
    yield "cohen_kappa_score", TREES[0], "kappa_labels:tokens=equal_heads", cohen_kappa_score(*kept)
    pairs = list(combinations(labels("moods.csv").values(), 2))
    yield "cohen_kappa_score", "moods.csv", "kappa", mean(cohen_kappa_score(*pair) for pair in pairs)
    pairs = list(combinations(labels("stars.csv").values(), 2))
    for weights in ("linear", "quadratic"):
        value = mean(cohen_kappa_score(*pair, weights=weights) for pair in pairs)
        yield "cohen_kappa_score", "stars.csv", f"weighted_kappa:weights={weights}", value


def krippendorff() -> Found:
    from krippendorff import alpha
    from numpy import nan

    for name in ("stars.csv", "stars_gaps.csv"):
        table = [[float(each) if each else nan for each in row] for row in labels(name).values()]
        for level in ("nominal", "ordinal", "interval", "ratio"):
            yield "alpha", name, f"alpha_{level}", alpha(table, level_of_measurement=level)


def nltk() -> Found:
    from nltk.metrics import jaccard_distance, masi_distance
    from nltk.metrics.agreement import AnnotationTask

    for distance in (masi_distance, jaccard_distance):
        task = AnnotationTask(data=tag_sets(), distance=distance)
        yield (
            f"AnnotationTask.alpha, {distance.__name__}",
            "topics.tsv",
            f"alpha_{distance.__name__[:-9]}",
            task.alpha(),
        )
    task = AnnotationTask(data=triples("moods.csv"))
    yield "AnnotationTask.avg_Ao", "moods.csv", "agreement", task.avg_Ao()
    yield "AnnotationTask.S", "moods.csv", "s", task.S()
    yield "AnnotationTask.multi_kappa", "moods.csv", "multi_kappa", task.multi_kappa()
    pair = AnnotationTask(data=[each for each in triples("moods.csv") if each[0] != "cho"])
    yield "AnnotationTask.pi", "moods.csv without cho", "pi", pair.pi()
    yield (
        "AnnotationTask.alpha",
        "moods_gaps.csv",
        "alpha_nominal",
        AnnotationTask(data=triples("moods_gaps.csv")).alpha(),
    )


def statsmodels() -> Found:
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

    table, _ = aggregate_raters([list(row) for row in zip(*labels("moods.csv").values(), strict=True)])
    yield "fleiss_kappa", "moods.csv", "multi_pi", fleiss_kappa(table)


def irr_cac() -> Found:
    import pandas
    from irrCAC.raw import CAC

    for name in ("moods.csv", "moods_gaps.csv"):
        frame = pandas.DataFrame(labels(name))
        for theirs, ours in (("gwet", "ac1"), ("bp", "s")):
            value = getattr(CAC(frame, digits=10), theirs)()["est"]["coefficient_value"]
            yield f"CAC.{theirs}", name, ours, value
    for name in ("stars.csv", "stars_gaps.csv"):
        table = {
            coder: [float(each) if each else None for each in row] for coder, row in labels(name).items()
        }
        for weights in ("linear", "quadratic"):
            found = CAC(pandas.DataFrame(table), weights=weights, digits=10).gwet()["est"]
            yield f"CAC.gwet, {weights}", name, f"ac2:weights={weights}", found["coefficient_value"]


def pyevalb() -> Found:
    from PYEVALB import parser, scorer

    files = TREES[1]
    pairs = zip(*map(brackets, files.split()), strict=True)
    found = [scorer.Scorer().score_trees(*map(parser.create_from_bracket_string, pair)) for pair in pairs]
    crossing = [each.cross_brackets for each in found]
    yield "Scorer.score_trees, mean of cross_brackets", files, "crossing:prm=plain.prm", mean(crossing)
    matched = sum(each.matched_brackets for each in found)
    both = sum(each.gold_brackets + each.test_brackets for each in found)
    yield "Scorer.score_trees, F1 of all brackets", files, "brants", 2 * matched / both


def disco_dop() -> Found:
    from discodop.eval import Evaluator, f_measure, readparam
    from discodop.treebank import READERS

    collins = {"DELETE_LABEL": {"ROOT", "-NONE-", ",", ".", ":", "``", "''"}, "LA": 1}
    collins["EQ_LABEL"] = {"ADVP": "ADVP", "PRT": "ADVP"}
    lineages = "leaf_ancestor:include_pos=no,substitution=1,similar=none,average=sentences"
    for measure, functions, settings, score in (
        ("parseval", "remove", collins, "lf"),
        ("parseval:prm=plain.prm", "remove", {}, "lf"),
        (lineages, "leave", {"LA": 1}, "la"),
    ):
        evaluator = Evaluator(readparam(None) | settings, 1)
        ours, theirs = (
            READERS["bracket"](str(CORPUS / name), functions=functions) for name in TREES[1].split()
        )
        for name, tree in theirs.trees().items():
            evaluator.add(name, ours.trees()[name], ours.sents()[name], tree, theirs.sents()[name])
        found = evaluator.acc
        value = mean(found.lascores) if score == "la" else f_measure(found.goldb, found.candb)
        yield f"Evaluator, {score}", TREES[1], measure, float(value)


def crowd_kit() -> Found:
    import pandas
    from crowdkit.aggregation import DawidSkene

    rows = [(item, coder, label) for coder, item, label in triples("moods_gaps.csv")]
    frame = pandas.DataFrame(rows, columns=["task", "worker", "label"])
    chosen = DawidSkene(n_iter=2000, tol=1e-12).fit_predict(frame)
    for label in ("glad", "calm", "cross"):
        value = float((chosen == label).sum())
        yield "DawidSkene.fit_predict", "moods_gaps.csv", f"dawid_skene, consensus {label}", value


def smatch() -> Found:
    import smatch as program

    program.iteration_num = 50  # starts of its hill climbing
    graphs = [(CORPUS / name).read_text(encoding="utf-8") for name in ("gold.amr", "parser.amr")]
    pairs = zip(*(each.strip().split("\n\n") for each in graphs), strict=True)
    sums = [0, 0, 0]
    for pair in pairs:
        first, second = (" ".join(row for row in each.split("\n") if row[:1] != "#") for each in pair)
        program.match_triple_dict.clear()
        sums = [old + new for old, new in zip(sums, program.get_amr_match(first, second), strict=True)]
    yield "get_amr_match, 50 starts, F", "gold.amr parser.amr", "smatch", 2 * sums[0] / (sums[1] + sums[2])


PROGRAMS = {
    "apted": apted,
    "simpledorff": simpledorff,
    "udtools": udtools,
    "scikit-learn": scikit_learn,
    "krippendorff": krippendorff,
    "nltk": nltk,
    "statsmodels": statsmodels,
    "irrCAC": irr_cac,
    "PYEVALB": pyevalb,
    "disco-dop": disco_dop,
    "crowd-kit": crowd_kit,
    "smatch": smatch,
}


def recorded():
    """The recorded values as dictionaries."""
    if not VALUES.exists():
        return []
    with VALUES.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def main():
    known = recorded()
    rows = []
    for program, values in PROGRAMS.items():
        try:
            found = [(program, version(program), *each) for each in values()]
        except ImportError as error:
            print(f"{program}: not run ({error})", file=sys.stderr)
            rows += [tuple(row[name] for name in COLUMNS) for row in known if row["program"] == program]
            continue
        rows += [(*row[:-1], f"{row[-1]:.10g}") for row in found]
        print(f"{program}: {len(found)} values", file=sys.stderr)
    with VALUES.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows)


if __name__ == "__main__":
    main()
