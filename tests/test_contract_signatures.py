"""Another number has another signature; another order, name, directory or format has the same one."""

import random
from dataclasses import replace
from itertools import combinations

import pytest

import arbitree as at
from arbitree import kinds
from arbitree.api.evaluate import evaluate
from arbitree.kinds.dependency.value import DepTree
from arbitree.kinds.graphs.value import Graph, Semantics
from arbitree.kinds.labels.value import Label, Tags
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.kinds.treebanking.value import ACCEPTED, REJECTED, Decisions
from arbitree.measures.signatures import Signature
from arbitree.study.study import Annotation, Item, Study
from tests.support.measured_studies import CASES, READY, a_study

SAME = 1e-12


def changed(values, place, value):
    return (*values[:place], value, *values[place + 1 :])


def dependency_mutants(tree):
    """The tree with another head, relation, word, tag or enhanced arc of one token."""
    for token, head in enumerate(tree.heads):
        yield replace(tree, heads=changed(tree.heads, token, 0 if head else 1 + (token == 0)))
        yield replace(tree, relations=changed(tree.relations, token, "other"))
        yield replace(tree, tokens=changed(tree.tokens, token, "."))
        for column, value in (("upos", "PUNCT"), ("deps", "0:other"), ("feats", "Case=Dat")):
            columns = {**tree.columns, column: changed(tree.columns[column], token, value)}
            yield replace(tree, columns=columns)


def phrase_mutants(tree):
    """The tree with another label of one node, or another parent of one word."""
    for node in range(len(tree.labels)):
        yield replace(tree, labels=changed(tree.labels, node, "OTHER"))
    for node in range(len(tree.words)):
        if tree.parents.count(tree.parents[node]) > 1:
            yield replace(tree, parents=changed(tree.parents, node, tree.parents.index(-1)))


def decision_mutants(value):
    """The decisions with one discriminant the other way round, and with another outcome."""
    for place, option in enumerate(value.options):
        yield replace(
            value, options=changed(value.options, place, option._replace(state=3 - min(option.state, 2)))
        )
    yield replace(value, status=REJECTED if value.status == ACCEPTED else ACCEPTED)


def graph_mutants(value):
    """The graph with another predicate, argument or top."""
    for place, (span, _, rest) in enumerate(value.names):
        yield replace(value, names=changed(value.names, place, (span, "_other_v_1", rest)))
    for place, (span, _, target) in enumerate(value.args):
        yield replace(value, args=changed(value.args, place, (span, "ARG3", target)))
    yield replace(value, top=())


def amr_mutants(value):
    """The graph with another label, role or top, or without its negation."""
    for place, node in enumerate(value.nodes):
        yield replace(value, nodes=changed(value.nodes, place, node._replace(label="other")))
    for place, edge in enumerate(value.edges):
        yield replace(value, edges=changed(value.edges, place, edge._replace(role="ARG3")))
    yield replace(value, edges=value.edges[:-1])
    yield replace(value, tops=())


MUTANTS = {
    DepTree: dependency_mutants,
    PhraseTree: phrase_mutants,
    Label: lambda value: [Label("3" if value.text == "1" else "1")],
    Tags: lambda value: [Tags.of("a"), Tags.of("bc"), Tags((("a", 0.25), ("b", 0.75)))],
    Semantics: graph_mutants,
    Graph: amr_mutants,
    Decisions: decision_mutants,
}


def with_cells(study, cells):
    return replace(study, cells=cells)


def mutated(study, kind):
    """Studies that differ from *study* in one annotation, or in the values of two annotators of one item."""
    rng = random.Random(5)
    for key, cell in rng.sample(sorted(study.cells.items()), 4):
        for value in MUTANTS[kind](cell.value):
            yield with_cells(study, {**study.cells, key: replace(cell, value=value)})
        yield with_cells(study, {each: other for each, other in study.cells.items() if each != key})
    for item, cells in study:
        for one, two in combinations(cells, 2):
            swapped = {(item.id, one.coder): replace(one, value=two.value)}
            swapped[item.id, two.coder] = replace(two, value=one.value)
            yield with_cells(study, {**study.cells, **swapped})
            yield with_cells(study, {**study.cells, (item.id, one.coder): replace(one, value=two.value)})
    for item in study.items[:3]:
        yield study.select(items=[each.id for each in study.items if each != item])
    yield study.select(coders=study.coders[1:])


def renamed(study):
    """The study with other ids, documents and annotators, in another order."""
    items = {item.id: Item(f"x{n}", "other", f"x{n}") for n, item in enumerate(study.items)}
    coders = {coder: f"c{n}" for n, coder in enumerate(study.coders)}
    cells = {
        (items[item].id, coders[coder]): Annotation(items[item], coders[coder], cell.value)
        for (item, coder), cell in study.cells.items()
    }
    reference = coders[study.reference] if study.reference else None
    return Study(tuple(items.values())[::-1], tuple(coders.values())[::-1], cells, reference)


def measured(study, name):
    found = evaluate(study, name, resamples=0)
    return found.value, Signature.parse(found.signature)


def differs(one, two):
    return (one is None) != (two is None) or (one is not None and abs(one - two) > SAME)


@pytest.mark.parametrize("gold", [None, "y"], ids=["agree", "score"])
@pytest.mark.parametrize(("name", "kind"), CASES)
def test_another_number_has_another_signature(name, kind, gold):
    study = replace(a_study(kind), reference=gold)
    measure = READY.get(name, name)
    value, signed = measured(study, measure)
    moved = 0
    for other in mutated(study, kind):
        if gold is None or gold in other.coders:
            theirs, their_signature = measured(other, measure)
            if differs(value, theirs):
                moved += 1
                assert their_signature != signed
    assert moved


@pytest.mark.parametrize("gold", [None, "y"], ids=["agree", "score"])
@pytest.mark.parametrize(("name", "kind"), CASES)
def test_names_and_order_do_not_change_the_signature(name, kind, gold):
    study = replace(a_study(kind), reference=gold)
    value, signed = measured(study, READY.get(name, name))
    theirs, their_signature = measured(renamed(study), READY.get(name, name))
    assert their_signature == signed
    assert theirs == pytest.approx(value)


VIEWS = [
    *((DepTree, column) for column in ("deprel", "upos", "Case", "feats", "enhanced", "enhanced_heads")),
    *((PhraseTree, column) for column in ("phrase", "pos")),
    *((Decisions, column) for column in ("outcome", "yes")),
]


@pytest.mark.parametrize(("kind", "column"), VIEWS)
def test_another_number_of_a_column_has_another_signature(kind, column):
    def view(study):
        return kinds.of(study).column(study, column)

    tagged = at.read(*[f"examples/phrase/{coder}.mrg" for coder in ("ann", "bob", "cho")])
    study = tagged if column == "pos" else a_study(kind)
    labels = view(study)
    measure = "alpha_masi" if labels.value_type is Tags else "alpha_nominal"
    value, signed = measured(labels, measure)
    assert signed.parts["column"] == column
    moved = 0
    for other in mutated(study, kind):
        theirs, their_signature = measured(view(other), measure)
        if differs(value, theirs):
            moved += 1
            assert their_signature != signed
    assert moved
    theirs, their_signature = measured(view(renamed(study)), measure)
    assert their_signature.parts["data"] == signed.parts["data"]
    assert theirs == pytest.approx(value)


FORMATS = [
    ("examples/dependency", ".conllu", "conllx", ["las", "uas", "clas", "alpha_plain", "ucp"]),
    ("examples/phrase", ".mrg", "tigerxml", ["alpha_norm", "parseval", "jaccard", "leaf_ancestor"]),
]


@pytest.mark.parametrize(("folder", "suffix", "target", "names"), FORMATS)
def test_the_format_changes_nothing_but_its_part(folder, suffix, target, names, tmp_path):
    paths = [f"{folder}/{coder}{suffix}" for coder in ("ann", "bob")]
    written = [tmp_path / str(number) for number in range(len(paths))]
    for path, other in zip(paths, written, strict=True):
        at.convert(path, other, to=target, say=[].append)  # CoNLL-X has no column misc
    one, two = at.read(*paths), at.read(*written, format=target)
    for name in names:
        value, signed = measured(one, name)
        theirs, their_signature = measured(two, name)
        assert theirs == pytest.approx(value)
        assert their_signature.parts["format"] == target
        for part in ("data", "items", "coders"):
            assert their_signature.parts[part] == signed.parts[part], name


def test_tables_of_labels_in_other_layouts_have_one_fingerprint(tmp_path):
    wide, long, lines = (tmp_path / name for name in ("wide.csv", "long.tsv", "rows.jsonl"))
    wide.write_text("item,ann,bob\n1,x,y\n2,x,\n3,y,y\n", encoding="utf-8")
    long.write_text(
        "item\tannotator\tlabel\n3\tbob\ty\n1\tann\tx\n1\tbob\ty\n2\tann\tx\n3\tann\ty\n", encoding="utf-8"
    )
    lines.write_text(
        '{"item": 1, "ann": "x", "bob": "y"}\n{"item": 2, "ann": "x"}\n{"item": 3, "ann": "y", "bob": "y"}\n',
        encoding="utf-8",
    )
    found = {measured(at.read(path), "kappa")[1].parts["data"] for path in (wide, long, lines)}
    assert len(found) == 1
