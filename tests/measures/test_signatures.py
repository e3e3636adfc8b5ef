"""Signatures: what they contain, and what they leave out."""

import shutil
from dataclasses import replace

import pytest

import arbitree as at
from arbitree.api.evaluate import evaluate
from arbitree.errors import ArbitreeError
from arbitree.kinds import of
from arbitree.measures.options import measure_named
from arbitree.measures.signatures import Signature
from arbitree.study.study import Annotation, Item, Study
from tests.support.commands import arbitree

TREES = [f"examples/dependency/{coder}.conllu" for coder in ("ann", "bob", "cho")]


def signed(study, name, **options):
    return Signature.parse(evaluate(study, name, resamples=0, **options).signature)


def renamed(study):
    """Return the study with other ids, documents and annotators, in another order."""
    items = {item.id: Item(f"x{n}", "other", f"x{n}") for n, item in enumerate(study.items)}
    coders = {coder: f"c{n}" for n, coder in enumerate(study.coders)}
    cells = {
        (items[item].id, coders[coder]): Annotation(items[item], coders[coder], cell.value)
        for (item, coder), cell in study.cells.items()
    }
    return Study(
        tuple(reversed(items.values())), tuple(reversed(coders.values())), cells, settings=study.settings
    )


def test_columns_have_signatures_of_their_own():
    """Three columns, three numbers: on an earlier version they had one signature."""
    found = [evaluate(at.read(*TREES, column=name), "alpha_nominal") for name in ("upos", "deprel")]
    assert found[0].value != found[1].value
    parts = [Signature.parse(each.signature).parts for each in found]
    assert [each["column"] for each in parts] == ["upos", "deprel"]
    assert parts[0]["data"] != parts[1]["data"]


def test_options_are_written_as_they_are_typed():
    study = at.read(*TREES)
    found = signed(study, "alpha_norm:labelled=no")
    assert found.head == "alpha_norm:labelled=no,size=nodes"
    assert signed(study, found.head) == found


@pytest.mark.parametrize(
    "name", ["las", "clas", "ucp:core=nsubj+obj", "alpha_pqgram:p=3", "weighted_las", "ted"]
)
def test_the_head_can_be_typed(name):
    study = at.read(*TREES)
    found = signed(study, name)
    assert measure_named(found.head, of(study)) == measure_named(name, of(study))


def test_matching_and_format_are_parts(tmp_path):
    parts = signed(at.read(*TREES, match="text"), "las").parts
    assert (parts["match"], parts["format"]) == ("text", "conllu")
    table = tmp_path / "labels.csv"
    table.write_text("item,ann,bob\n1,x,y\n2,x,x\n3,y,y\n", encoding="utf-8")
    parts = signed(at.read(table), "agreement").parts
    assert (parts["match"], parts["format"]) == ("id", "labels")


def test_side_files_count_by_their_content(tmp_path):
    study = at.read(*TREES)
    found = []
    for folder, cost in (("a", "0.5"), ("b", "0.5"), ("c", "0.25")):
        (tmp_path / folder).mkdir()
        table = tmp_path / folder / "costs.tsv"
        table.write_text(f"nsubj\tobj\t{cost}\n", encoding="utf-8")
        found.append(signed(study, f"alpha_plain:costs={table}"))
    assert found[0] == found[1]
    assert found[0].options["costs"] != found[2].options["costs"]
    assert found[0].options["costs"].startswith("costs.tsv#")
    assert str(tmp_path) not in str(found[0])


def test_a_file_that_changed_is_refused(tmp_path):
    table = tmp_path / "costs.tsv"
    table.write_text("nsubj\tobj\t0.5\n", encoding="utf-8")
    study = at.read(*TREES)
    typed = signed(study, f"alpha_plain:costs={table}").options["costs"]
    assert signed(study, f"alpha_plain:costs={tmp_path}/{typed}").options["costs"] == typed
    table.write_text("nsubj\tobj\t0.7\n", encoding="utf-8")
    with pytest.raises(ArbitreeError, match=r"costs.tsv: the content of the file has changed: its hash is"):
        evaluate(study, f"alpha_plain:costs={tmp_path}/{typed}")


@pytest.mark.parametrize("name", ["las", "alpha_plain", "kappa_labels"])
def test_names_and_order_do_not_matter(name):
    study = at.read(*TREES)
    assert signed(renamed(study), name) == signed(study, name)


def test_the_directory_and_the_names_of_files_do_not_matter(tmp_path):
    copies = [shutil.copy(path, tmp_path / f"{n}.conllu") for n, path in enumerate(TREES)]
    assert signed(at.read(*copies[::-1]), "las") == signed(at.read(*TREES), "las")


def test_who_gave_which_value_matters():
    """κ depends on it, although every item has the same labels."""
    rows = [["a", "a"], ["a", "b"], ["b", "b"], ["a", "b"]]
    other = [["a", "a"], ["b", "a"], ["b", "b"], ["a", "b"]]
    one, two = (evaluate(at.from_table(each), "kappa", resamples=0) for each in (rows, other))
    assert one.value != two.value
    assert one.signature != two.signature


def test_who_shares_items_with_whom_matters():
    """Four annotators, two labels each: in pairs that share two items, or in a circle."""
    pairs = [["x", "x", None, None], ["y", "y", None, None], [None, None, "x", "x"], [None, None, "y", "y"]]
    circle = [["x", "x", None, None], [None, "y", "y", None], [None, None, "x", "x"], ["y", None, None, "y"]]
    one, two = (evaluate(at.from_table(each), "kappa", resamples=0) for each in (pairs, circle))
    assert (one.value, two.value) == (1, None)
    assert one.signature != two.signature
    turned = [row[1:] + row[:1] for row in circle[::-1]]
    assert evaluate(at.from_table(turned), "kappa", resamples=0).signature == two.signature


def test_the_gold_standard_matters():
    study = at.read(*TREES[:2])
    first, second = (signed(replace(study, reference=coder), "las").parts for coder in study.coders)
    assert len({first["data"], second["data"], signed(study, "las").parts["data"]}) == 3


def test_measures_see_different_things():
    """Words and tags are not part of what alpha compares."""
    study = at.read(*TREES)
    cells = {
        key: replace(cell, value=replace(cell.value, tokens=tuple("x" * len(cell.value))))
        for key, cell in study.cells.items()
    }
    other = replace(study, cells=cells)
    assert signed(other, "alpha_plain") == signed(study, "alpha_plain")
    assert signed(other, "las").parts["data"] != signed(study, "las").parts["data"]


def test_random_samples_depend_on_the_order_of_items():
    study = at.read(*TREES)
    turned = replace(study, items=study.items[::-1])
    one, two = (
        Signature.parse(evaluate(each, "las", resamples=10, interval="percentile").signature).parts
        for each in (study, turned)
    )
    assert one["order"] != two["order"]
    assert one["data"] == two["data"]


def test_verbose_prints_value_and_signature_on_one_line():
    found = evaluate(at.read(*TREES), "las", resamples=0)
    out = arbitree("agree", *TREES, "-m", "las", "--resamples", "0", "-v", "-q").stdout.decode()
    assert f"{found.value:#.10g} {found.signature}" in out.splitlines()


def test_reserved_characters_in_parts_are_quoted():
    found = Signature("x", {"order": "a|b"}, {"missing": "50%|?", "v": "1"})
    assert str(found) == "x:order=a%7Cb|missing:50%25%7C?|v:1"
    assert Signature.parse(str(found)) == found


@pytest.mark.parametrize(
    "text",
    ["", "las", "las|items", "las|items:3", "las:size|v:1", "|v:1", "0.5", "x|a:1|a:2|v:1", "x:a=1,a=2|v:1"],
)
def test_other_texts_are_no_signatures(text):
    with pytest.raises(ArbitreeError, match="this is not a signature"):
        Signature.parse(text)


def test_explain_and_coders_have_fingerprints():
    study = at.read(*TREES)
    found = [at.explain(study).to_dict()["signature"], at.coders(study, resamples=0).results[0].signature]
    assert all(Signature.parse(each).parts["data"] for each in found)


def test_files_of_explain_count_by_their_content(tmp_path):
    study = at.read("examples/phrase/ann.mrg", "examples/phrase/bob.mrg")
    found = []
    for folder, tag in (("a", "NOUN"), ("b", "NOUN"), ("c", "N")):
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / "tags.txt"
        path.write_text(f"NN {tag}\n", encoding="utf-8")
        found.append(at.explain(study, pos=str(path)).to_dict()["signature"])
    assert found[0] == found[1] != found[2]
    assert "pos=tags.txt#" in found[0]
    assert str(tmp_path) not in found[0]


def test_signatures_of_explain_are_not_wrapped():
    out = arbitree("explain", *TREES, "-v", "-q").stdout.decode()
    assert any(line.startswith("explain:") and "|v:" in line for line in out.splitlines())
