"""Hierarchies of tags from text, JSON and tables."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree.errors import ArbitreeError, FormatError
from arbitree.kinds.labels.hierarchy.estimation import read_counts
from arbitree.kinds.labels.hierarchy.files import read_hierarchy

LINKS = {("tool", "saw"), ("tool", "hammer"), ("saw", "hacksaw"), ("toy", "hammer")}

SHAPES = {
    "indented.txt": "# own words\ntool\n  saw\n    hacksaw\n\n  hammer\ntoy\n  hammer\n",
    "tabs.txt": "tool\n\tsaw\n\t\thacksaw\n\thammer\ntoy\n\thammer\n",
    "windows.txt": "tool\r\n  saw\r\n    hacksaw\r\n  hammer\r\ntoy\r\n  hammer\r\n",
    "nested.json": '{"tool": {"saw": {"hacksaw": {}}, "hammer": null}, "toy": ["hammer"]}',
    "lists.json": '[{"tool": ["saw", "hammer"]}, {"saw": ["hacksaw"]}, {"toy": ["hammer"]}]',
    "children.json": '{"tool": ["saw", "hammer"], "toy": ["hammer"], "saw": ["hacksaw"]}',
    "parents.json": '{"saw": "tool", "hammer": ["tool", "toy"], "hacksaw": "saw", "tool": null}',
    "pairs.tsv": "tool\tsaw\ntool\thammer\nsaw\thacksaw\ntoy\thammer\n",
    "pairs.txt": "tool\tsaw\ntool\thammer\nsaw\thacksaw\ntoy\thammer\n",
    "named.tsv": "child\tparent\nsaw\ttool\nhammer\ttool\nhacksaw\tsaw\nhammer\ttoy\ntool\t\n",
    "named.csv": 'parent,child,note\ntool,saw,"a, b"\ntool,hammer,\nsaw,hacksaw,\ntoy,hammer,\n',
    "plain.csv": "tool,saw\ntool,hammer\nsaw,hacksaw\ntoy,hammer\n",
    "semicolons.csv": "hyponym;hypernym\nsaw;tool\nhammer;tool\nhacksaw;saw\nhammer;toy\n",
}


def links(hierarchy):
    below = zip(hierarchy.nodes, hierarchy.children, strict=True)
    return {(tag, hierarchy.nodes[child]) for tag, children in below for child in children}


@pytest.fixture
def written(tmp_path):
    def write(text, name="tags.txt"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return write


@pytest.mark.parametrize("name", SHAPES)
def test_every_shape_gives_the_same_hierarchy(written, name):
    hierarchy = read_hierarchy(written(SHAPES[name], name)).over([])
    assert links(hierarchy) == LINKS
    assert set(hierarchy.leaves) == {"hacksaw", "hammer"}
    assert set(hierarchy.roots) == {"tool", "toy"}


def test_packed_files_and_standard_names(written):
    path = written(gzip.compress(SHAPES["indented.txt"].encode()), "tags.txt.gz")
    assert links(read_hierarchy(path).over([])) == LINKS
    assert read_hierarchy(path).name == path
    assert str(read_hierarchy(path)).startswith("tags.txt.gz#")


def test_tags_may_hold_blanks_commas_and_colons(written):
    found = read_hierarchy(written("power tool\n  saw, electric\n  key%1:06:00::\n")).over([])
    assert found.leaves == ("saw, electric", "key%1:06:00::")


def test_a_list_of_tags_is_a_flat_hierarchy(written):
    assert read_hierarchy(written("saw\nhammer\n")).over([]).leaves == ("saw", "hammer")
    assert read_hierarchy("flat").over(["b", "a"]).leaves == ("a", "b")


@pytest.mark.parametrize(
    ("text", "name", "line", "what"),
    [
        ("tool\n    saw\n  hammer\n", "a.txt", 3, "the indentation of 'hammer' matches no line above"),
        ("tool\n  saw\n\thammer\n", "a.txt", 3, "the indentation mixes tabs and spaces"),
        ("  tool\nsaw\n", "a.txt", 1, "the first tag is indented"),
        ("tool\n  saw\n  saw\n", "a.txt", 3, "duplicate tag 'saw' below 'tool', first in line 2"),
        ("tool\n  saw\n    tool\n", "a.txt", None, "the hierarchy has a cycle: "),
        ("tool\tsaw\nsaw\thack\tmore\n", "a.tsv", 2, "expected 2 columns, found 3"),
        ("parent\tchild\ntool\t\n", "a.tsv", 2, "the child is empty"),
        ("tool\tsaw\nsaw\ttool\n", "a.tsv", None, "the hierarchy has a cycle: "),
        ("parent,child\ntool\n", "a.csv", 2, "expected 2 columns, found 1"),
        ('{"tool": {"saw": {}},\n "toy": }', "a.json", 2, "the file is not valid JSON"),
        ('{"tool": 3}', "a.json", 0, "'3' is not a tag"),
        ("[1]", "a.json", 0, "'1' is not a tag"),
        ('{"saw": "tool", "hammer": 2}', "a.json", 0, "'2' is not a tag"),
        ('{"saw": {}, "saw": {}}', "a.json", 0, "duplicate key 'saw' in one object"),
        ('{"saw": ["tool"], "tool": ["saw"]}', "a.json", 0, "the hierarchy has a cycle: "),
        ("[" * 100_000, "a.json", 0, "the file is nested too deeply"),
        ("{}", "a.json", 1, "the hierarchy contains no tags"),
        ("# nothing\n", "a.txt", 1, "the hierarchy contains no tags"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(written, text, name, line, what):
    path = written(text, name)
    with pytest.raises(FormatError) as caught:
        read_hierarchy(path)
    assert caught.value.what.startswith(what)
    assert caught.value.source.path == path
    assert caught.value.hint
    if line is not None:
        assert caught.value.source.line == line


def test_a_folder_without_wordnet_is_refused(tmp_path):
    with pytest.raises(FormatError, match="no WordNet database"):
        read_hierarchy(str(tmp_path))
    with pytest.raises(FormatError, match="file not found"):
        read_hierarchy(str(tmp_path / "missing.txt"))


@given(
    st.one_of(st.text(max_size=60), st.text(alphabet='ab \t\n,;{}[]":', max_size=60)), st.sampled_from("tjc")
)
def test_any_text_is_read_or_refused_in_words(tmp_path_factory, text, kind):
    path = tmp_path_factory.mktemp("fuzz") / {"t": "x.txt", "j": "x.json", "c": "x.csv"}[kind]
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    message = ""
    try:
        read_hierarchy(str(path))
    except ArbitreeError as error:
        message = str(error)
    assert "\n" not in message


@given(st.recursive(st.none(), lambda inner: st.dictionaries(st.text("abc", min_size=1), inner, max_size=4)))
def test_nested_json_is_read_back(tmp_path_factory, tree):
    path = tmp_path_factory.mktemp("fuzz") / "x.json"
    path.write_text(json.dumps({"root": tree}), encoding="utf-8")
    above = [("root", tree, ("root",))]
    cyclic = False
    while above:
        _, below, path_down = above.pop()
        cyclic |= len(set(path_down)) < len(path_down)
        above += [(tag, value, (*path_down, tag)) for tag, value in (below or {}).items()]
    if cyclic:
        with pytest.raises(FormatError, match=r"cycle|duplicate"):
            read_hierarchy(str(path))
        return
    try:
        found = read_hierarchy(str(path)).over([])
    except FormatError:
        return  # two places of one tag make a cycle, or have a child in common
    assert {child for tag, child in links(found) if tag == "root"} == set(tree or {})


def test_counts_have_the_tag_first_and_the_number_last(written):
    assert read_counts(written("# from a corpus\nbig saw\t12\nhammer\t0.5\n")) == (
        ("big saw", 12),
        ("hammer", 0.5),
    )
    assert read_counts(written("key%1:06:00:: 1 20\n")) == (("key%1:06:00::", 20),)


@pytest.mark.parametrize("text", ["saw\tmany\n", "saw\t-1\n", "saw\n", "saw\tinf\n"])
def test_bad_counts_are_refused(written, text):
    with pytest.raises(FormatError, match=r"tags.txt:1: "):
        read_counts(written(text))


def test_a_row_that_cannot_be_split_is_refused(tmp_path):
    """A carriage return inside a row is no end of a line."""
    path = tmp_path / "x.csv"
    path.write_bytes(b"a,b\r0\n")
    with pytest.raises(FormatError, match=r"x.csv:1: cannot read the row"):
        read_hierarchy(str(path))
