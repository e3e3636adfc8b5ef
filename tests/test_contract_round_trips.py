"""A file that is written contains the same study, or a warning names what it lacks."""

import json
import re
import warnings
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import arbitree as at
from arbitree import kinds, plugins
from arbitree.adjudication.export import Gold, exported
from arbitree.errors import ArbitreeError, Source
from arbitree.kinds.dependency.value import DepTree
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.reading.assembly import entries_of, read_study
from arbitree.reading.content import Content, Entry
from tests.support.commands import arbitree

FORMATS = plugins.plugins("formats")
NUMBERS = count()
UNCHECKED = [HealthCheck.filter_too_much, HealthCheck.too_slow]  # many names are no valid tables
FEW = settings(max_examples=25, deadline=None, suppress_health_check=UNCHECKED)

PLAIN = "abNé1.0-_ '\"#,;:=()&<%\\\u00a0\u2028\x85"
# Texts as a reader returns them: without space at the ends, in one Unicode form.
names = st.text(PLAIN, min_size=1, max_size=6).map(str.strip).filter(bool)
odd_names = st.text(PLAIN + "|\t\n\r", min_size=1, max_size=6).map(str.strip).filter(bool)
labels = st.sampled_from(["N", "V", "01", "1", "1.0", "2.50", "NA", "None", "-", "a b", "a:1", '"', "x,y"])
sets = st.lists(st.sampled_from(["rain", "snow", "a:b", "1", "N A"]), max_size=3, unique=True)
odd_sets = st.lists(st.one_of(odd_names, st.sampled_from(["a|b", "a:0.5"])), max_size=3, unique=True)


@st.composite
def shares(draw):
    weights = draw(st.lists(st.integers(1, 9), min_size=2, max_size=3))
    return {f"t{place}": weight / sum(weights) for place, weight in enumerate(weights)}


@st.composite
def tables(draw, names=names, values=labels):
    """Rows of a table with missing labels, empty items and annotators, documents, clusters and gold."""
    items = draw(st.lists(names, min_size=1, max_size=4, unique=True))
    coders = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    documents = draw(st.sampled_from([(), ("d1",), ("d 1", "#2")]))
    clusters, golden = draw(st.booleans()), draw(st.booleans())
    rows = []
    for place, item in enumerate(items):
        about = {"document": documents[place % len(documents)]} if documents else {}
        about |= {"cluster": f"c{place // 2}"} if clusters else {}
        about |= {"gold": draw(st.one_of(st.none(), values))} if golden else {}
        rows += [
            {"item": item, "coder": coder, "label": draw(st.one_of(st.none(), values)), **about}
            for coder in coders
        ]
    return rows


def quiet(function, *arguments, **options):
    """Call a function, and return its result and its warnings."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        result = function(*arguments, **options)
    return result, [str(each.message) for each in found]


def read_again(path, said, **options):
    """Read a file with the options that a warning names."""
    for note in said:
        if note.startswith("to read "):
            options |= dict(re.findall(r"(format|missing|numbers)='(\w+)'", note))
    return quiet(at.read, str(path), **options)[0]


def seen(study):
    """Return all that a table can contain, in a form that does not depend on the writer."""
    return {
        "items": [(item.id, item.document, item.cluster) for item in study.items],
        "coders": set(study.coders),
        "cells": {key: cell.value for key, cell in study.cells.items()},
        "gold": dict(study.gold),
    }


def table(folder, rows, missing="auto"):
    """Write rows as JSON, and return the path and the study, if it can be read."""
    path = folder / f"in{next(NUMBERS)}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    try:
        return path, quiet(at.read, str(path), missing=missing)[0]
    except ArbitreeError:
        assume(False)


SUFFIXES = [".tsv", ".csv", ".jsonl", ".json", ".tsv.gz", ".json.gz"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("tables")


@pytest.mark.parametrize("suffix", SUFFIXES)
@FEW
@given(rows=st.one_of(tables(), tables(values=sets), tables(values=shares())))
def test_a_table_of_labels_contains_the_whole_study(folder, suffix, rows):
    path, study = table(folder, rows)
    target, said = quiet(at.convert, path, folder / f"out{next(NUMBERS)}{suffix}")
    assert not any("not kept" in note for note in said)
    assert seen(read_again(target, said)) == seen(study)


@pytest.mark.parametrize("suffix", [*SUFFIXES, ".triples", ".ticks"])
@FEW
@given(
    rows=st.one_of(tables(odd_names), tables(odd_names, odd_sets), tables(values=shares())),
    missing=st.sampled_from(["auto", "off"]),
)
def test_every_table_contains_the_study_or_says_what_it_lacks(folder, suffix, rows, missing):
    path, study = table(folder, rows, missing)
    try:
        target, said = quiet(at.convert, path, folder / f"out{next(NUMBERS)}{suffix}", missing=missing)
    except ArbitreeError:
        assume(False)
    again = seen(read_again(target, said))
    assert (again != seen(study)) == any("not kept" in note for note in said), said


@FEW
@given(rows=tables(values=sets.filter(len)))
def test_ticks_keep_empty_sets(folder, rows):
    for row, place in zip(rows, count()):
        row["label"] = [] if place % 2 else row["label"] or ["rain"]
        row.pop("gold", None)
    path, study = table(folder, rows)
    target, said = quiet(at.convert, path, folder / f"out{next(NUMBERS)}.ticks")
    assert not any("not kept" in note for note in said)
    assert seen(read_again(target, said)) == seen(study)


def test_items_without_labels_are_kept_or_counted(tmp_path):
    source = tmp_path / "in.tsv"
    source.write_text(
        "item\tcoder\tlabel\n1\tann\ta|b\n1\tbob\t|\n2\tann\t\n2\tbob\t\n3\tann\t|\n3\tcho\t\n",
        encoding="utf-8",
    )
    run = arbitree("convert", source, tmp_path / "out.csv")
    assert run.stderr == b"3 labels from labels to labels\n"
    assert seen(at.read(tmp_path / "out.csv")) == seen(at.read(source))
    run = arbitree("convert", source, tmp_path / "out.ticks")
    lost = "not kept in ticks: items without labels (1), annotators (1)"
    assert run.stderr.decode() == f"warning: {lost}\n3 labels from labels to ticks\n"
    study = at.read(tmp_path / "out.ticks")
    assert [item.id for item in study.items] == ["1", "3"]
    assert len(study.cells["3", "ann"].value) == 0


def test_only_options_that_are_needed_are_named(tmp_path):
    (tmp_path / "a.csv").write_text("item,ann,bob\n1,NA,x\n2,x,y\n", encoding="utf-8")
    done = arbitree("convert", tmp_path / "a.csv", tmp_path / "b.csv", "--missing", "off")
    assert f"to read {tmp_path / 'b.csv'}, set --missing off\n" in done.stderr.decode()


def test_a_table_of_one_annotator_is_converted(tmp_path):
    source = tmp_path / "ann.csv"
    source.write_text("item,label\n1,x\n2,y\n", encoding="utf-8")
    for name in ("out.tsv", "out.triples", "out.json"):
        target, said = quiet(at.convert, source, tmp_path / name)
        assert seen(read_again(target, said)) == seen(at.read(source))


# Trees.

words = st.text("abNé1.-_'\"#,;:=&<%\\\u00a0\u2028\x85", min_size=1, max_size=4)
ids = st.one_of(st.none(), st.integers(1, 99).map(str), names.filter(lambda name: "=" not in name))


@st.composite
def dependency_entries(draw):
    found = []
    for place in range(draw(st.integers(1, 4))):
        size = draw(st.integers(0, 3))
        cells = st.lists(words, min_size=size, max_size=size).map(tuple)
        heads = tuple(draw(st.integers(0, size)) for _ in range(size))
        columns = {name: draw(cells) for name in draw(st.sets(st.sampled_from(["upos", "feats", "misc"])))}
        columns = {
            name: columns.get(name, ("_",) * size)
            for name in ("lemma", "upos", "xpos", "feats", "deps", "misc")
        }
        extra = ((0, "1-2\tvon\t" + "\t".join("_" * 8)),) if size > 1 and draw(st.booleans()) else ()
        remarks = tuple(draw(st.lists(st.sampled_from(["# a remark", "# text = a b"]), max_size=1)))
        tree = DepTree(draw(cells), heads, draw(cells), columns, remarks, extra)
        found.append(
            Entry(tree, Source("generated", place + 1), draw(ids), draw(st.sampled_from([None, "d 1", "#2"])))
        )
    return found


@st.composite
def phrase_entries(draw):
    """Trees with discontinuous phrases, unary phrases, edge labels and several top nodes."""
    found = []
    for place in range(draw(st.integers(1, 3))):
        size = draw(st.integers(0, 4))
        symbols = st.lists(words, min_size=size, max_size=size)
        parents = [-1] if size else []  # of phrases, the root first
        while size and len(parents) < 4 and draw(st.booleans()):
            parents.append(draw(st.integers(0, len(parents) - 1)))
        above = [draw(st.integers(0, len(parents) - 1)) for _ in range(size)]
        tree = grown(draw(symbols), draw(symbols), above, parents, draw)
        found.append(
            Entry(tree, Source("generated", place + 1), draw(ids), draw(st.sampled_from([None, "d 1", "#2"])))
        )
    return found


def grown(tokens, tags, above, parents, draw):
    """Return the tree without phrases that have no words, its phrases in preorder."""
    if not tokens:
        return PhraseTree((), (), ())
    kept = sorted({node for start in above for node in chain_of(start, parents)})
    first = {node: min(k for k, own in enumerate(above) if node in chain_of(own, parents)) for node in kept}
    order, stack = [], [0]
    while stack:
        node = stack.pop()
        order.append(node)
        stack += sorted((n for n in kept if parents[n] == node), key=lambda n: (first[n], n), reverse=True)
    place = {node: len(tokens) + number for number, node in enumerate(order)} | {-1: -1}
    labels = [draw(st.sampled_from(["S", "NP", "VROOT", "TOP"])) for _ in order]
    size = len(tokens) + len(order)
    edges = (
        {"edge": tuple(draw(st.sampled_from(["--", "SB"])) for _ in range(size - 1))}
        if draw(st.booleans())
        else {}
    )
    edges = {
        name: (*cells[: len(tokens)], "--", *cells[len(tokens) :])
        for name, cells in edges.items()
        if set(cells) != {"--"}
    }
    return PhraseTree(
        tuple(tokens),
        (*tags, *labels),
        (*(place[n] for n in above), *(place[parents[n]] for n in order)),
        edges,
    )


def chain_of(node, parents):
    found = []
    while node >= 0:
        found.append(node)
        node = parents[node]
    return found


def written(entries, name):
    return "".join(FORMATS[name].write(entries))


def own(entry):
    """Return a tree without its comments."""
    return kinds.of_type(type(entry.value)).commented(entry.value, ())


@FEW
@given(entries=dependency_entries())
def test_conllu_keeps_dependency_trees(entries):
    content = Content("a.conllu", written(entries, "conllu").encode())
    kept = [each for each in entries if each.value.tokens or each.id]
    assume(kept)
    again = entries_of(content, "conllu")
    assert [(each.id, own(each)) for each in again] == [(each.id, own(each)) for each in kept]


@FEW
@given(entries=phrase_entries())
def test_tiger_xml_keeps_phrase_structure_trees(entries):
    assume(all(word.isprintable() for each in entries for word in (*each.value.words, *each.value.labels)))
    again = entries_of(Content("a.xml", written(entries, "tigerxml").encode()), "tigerxml")
    assert [own(each) for each in again] == [own(each) for each in entries]
    assert [each.id for each, ours in zip(again, entries, strict=True) if ours.id] == [
        e.id for e in entries if e.id
    ]


TREES = [
    (name, other)
    for name, form in FORMATS.items()
    for other in FORMATS
    if not form.tabular and form.holds(FORMATS[other].value_type) and name not in ("tsdb", "derivations")
    if other not in ("tsdb", "derivations") and form.writes and FORMATS[other].writes
]


@pytest.mark.parametrize(("name", "other"), TREES)
@settings(FEW, max_examples=15)
@given(data=st.data())
def test_trees_are_kept_or_the_loss_is_said(folder, name, other, data):
    """From every format to every other of the same kind, and back again."""
    if FORMATS[name].value_type is DepTree:
        entries = data.draw(dependency_entries())
    elif FORMATS[name].value_type is PhraseTree:
        entries = data.draw(phrase_entries())
    else:
        entries = data.draw(graph_entries(name))
    source = folder / f"in{next(NUMBERS)}{FORMATS[name].suffixes[0]}"
    target = folder / f"out{next(NUMBERS)}{FORMATS[other].suffixes[0]}"
    try:
        source.write_text(written(entries, name), encoding="utf-8")
        before = entries_of(Content(str(source), source.read_bytes()), name)
    except ArbitreeError:
        assume(False)
    try:
        _, said = quiet(at.convert, source, target, format=name, to=other)
    except ArbitreeError:
        return  # an error is a warning, too
    options = " ".join(said)
    given = re.search(r"format='(\w+)'", options)
    content = Content(str(target), target.read_bytes())
    detected = given[1] if given else at_detected(content) or other
    again = entries_of(content, detected)
    lost = "not kept" in options
    if not lost:
        assert len(again) == len(before)
        for ours, theirs in zip(before, again, strict=True):
            assert ours.id in (None, theirs.id)
            assert ours.document in (None, theirs.document)
            parts = kinds.of_type(type(ours.value)).content
            assert parts(ours.value) == parts(theirs.value)
    if name == other and not any(
        part in options for part in ("without an annotation", "ids", "top nodes", "words")
    ):
        assert not lost, options


def at_detected(content):
    from arbitree.reading.detection import detect

    return detect([content])[0]


@st.composite
def graph_entries(draw, name):
    graph = {
        "simplemrs": "[ TOP: h0 INDEX: e2 RELS: < [ _rain_v_1<3:9> LBL: h1 ARG0: e2 ] > "
        "HCONS: < h0 qeq h1 > ]",
        "eds": "{e2: e2:_rain_v_1<3:9>[]}",
        "penman": "(s / sing-01 :ARG0 (b / bird :quant 2) :ARG1 b)",
    }[name]
    value = entries_of(Content("a", graph.encode()), name)[0].value
    documents = st.sampled_from([None, "d 1", "#2"])
    return [Entry(value, Source("a", 1), draw(ids), draw(documents)) for _ in range(draw(st.integers(1, 3)))]


def test_the_loss_is_said_with_counts(tmp_path):
    run = arbitree("convert", "examples/dependency/ann.conllu", tmp_path / "ann.conll")
    assert run.stderr.decode().splitlines()[0] == "warning: not kept in conllx: column misc (16 sentences)"
    run = arbitree("convert", "examples/phrase/ann.mrg", tmp_path / "ann.delex")
    assert run.stderr.decode().splitlines()[0] == "warning: not kept in delexicalised: words (16 sentences)"
    with pytest.warns(UserWarning, match="not kept in delexicalised"):
        at.convert("examples/phrase/ann.mrg", tmp_path / "again.delex")


def test_ids_and_documents_survive_all_phrase_formats(tmp_path):
    source = tmp_path / "a.mrg"
    source.write_text(
        "# newdoc id = one\n# sent_id = 7\n(TOP (S (VB go)))\n# sent_id = s7\n(TOP (S (VB run)))\n"
        "# newdoc id = two\n# sent_id = a b\n()\n",
        encoding="utf-8",
    )
    path = source
    for name in ("b.export", "c.xml", "d.mrg"):
        path = quiet(at.convert, path, tmp_path / name)[0]
        found = entries_of(
            Content(str(path), path.read_bytes()), at_detected(Content(str(path), path.read_bytes()))
        )
        assert [(each.id, each.document) for each in found] == [("7", "one"), ("s7", "one"), ("a b", "two")]


# The consensus and the gold standard.


def test_the_consensus_of_labels_is_read_back(tmp_path):
    study = at.read("examples/labels/stance.tsv")
    for suffix in (".tsv", ".csv", ".json", ".triples"):
        path = tmp_path / f"c{suffix}"
        found, said = quiet(at.coders, study, resamples=0, consensus=path)
        again = seen(read_again(path, said))
        assert again["cells"] == {key: cell.value for key, cell in found.consensus.cells.items()}


def test_the_consensus_of_documents_with_the_same_ids_is_read_back(tmp_path):
    text = Path("examples/dependency/ann.conllu").read_text(encoding="utf-8").split("\n\n")[1] + "\n\n"
    text = re.sub("# sent_id = .*", "# sent_id = 1", text)
    for coder in ("ann", "bob", "cho"):
        (tmp_path / coder).mkdir()
        for document in ("one", "two"):
            (tmp_path / coder / f"{document}.conllu").write_text(text, encoding="utf-8")
    study = read_study([str(tmp_path / coder) for coder in ("ann", "bob", "cho")], dirs=True)
    at.coders(study, resamples=0, consensus=tmp_path / "all.conllu")
    again = read_study([str(tmp_path / "all.conllu")])
    assert [(item.id, item.document) for item in again.items] == [(i.id, i.document) for i in study.items]


@pytest.mark.parametrize(
    "paths",
    [
        ["examples/dependency/ann.conllu", "examples/dependency/bob.conllu"],
        ["examples/phrase/ann.mrg", "examples/phrase/bob.mrg"],
        ["examples/labels/stance.tsv"],
        ["examples/labels/topics.tsv"],
    ],
)
def test_the_gold_standard_is_read_back(tmp_path, paths):
    study = read_study(paths)
    kind = kinds.of(study)
    golds = {item.id: Gold(cells[0].value, ("Ada",)) for item, cells in study if cells}
    for name in kind.writers:
        path = tmp_path / f"gold{FORMATS[name].suffixes[0]}"
        path.write_text(exported(study, kind, golds, name), encoding="utf-8")
        again = read_study([str(path)], format=name)
        assert len(again.items) == len(golds)
        if FORMATS[name].holds_ids:
            assert [item.id for item in again.items] == list(golds)
        for gold, cell in zip(golds.values(), again.cells.values(), strict=True):
            if name not in ("negra", "conllx"):
                assert kind.content(cell.value) == kind.content(gold.value)


def test_the_gold_standard_keeps_ids_with_several_spaces(tmp_path):
    text = re.sub(
        "# sent_id = ",
        "# sent_id = a  \u00a0",
        Path("examples/dependency/ann.conllu").read_text(encoding="utf-8"),
    )
    (tmp_path / "ann.conllu").write_text(text, encoding="utf-8")
    study = read_study([str(tmp_path / "ann.conllu")])
    golds = {item.id: Gold(cells[0].value, ("Ada",)) for item, cells in study}
    for name in ("conllu", "conllx"):
        path = tmp_path / f"gold.{name}"
        path.write_text(exported(study, kinds.of(study), golds, name), encoding="utf-8")
        assert [item.id for item in read_study([str(path)]).items] == list(golds)
