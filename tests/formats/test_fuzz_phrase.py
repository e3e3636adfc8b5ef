"""Whatever the bytes, only ArbitreeError escapes; whatever the tree, it comes back as it was."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree import plugins
from arbitree.errors import ArbitreeError, Source
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.reading.content import Content, Entry, load
from arbitree.reading.detection import detect
from arbitree.study.flat_tree import Vocabulary
from tests.support.fuzzing import mutated
from tests.support.negra_files import FOUR, THREE
from tests.support.tigerxml_files import GRAPH, corpus

FORMATS = ("brackets", "delexicalised", "negra", "tigerxml")
BRACKETS = ["(", ")", "NP", "dog", "#", "-NONE-", "\u00a0", "\x00", " ", "\n", "\r\n", "\n# sent_id = a\n"]
MARKS = ["#FORMAT 4", "#BOS 1", "#EOS 1", "#BOT X", "#EOT X", "%% a", "#501", "--", "500", "", "\u2028\x00"]
PIECES = {
    "brackets": BRACKETS,
    "delexicalised": BRACKETS,
    "negra": [f"{mark}{end}" for mark in MARKS for end in ("\n", "\t", " ", "")],
    "tigerxml": ["<corpus>", "<s>", "</s>", "<graph/>", "<!--", "<?comment #?>", "&x;", "<!DOCTYPE x>"],
}
SENTENCE = "(ROOT (S (NP-SBJ (DT The) (NN tide)) (VP (VBZ turns) (-NONE- *T*-1)) (. .)))"
EXAMPLES = {
    "brackets": f"# sent_id = 1\n{SENTENCE}\n" * 3,
    "delexicalised": "(S (NP P) (VP V (NP D N)))\n# a remark\n( (S\n  (N)))\n()\n" * 3,
    "negra": THREE + FOUR,
    "tigerxml": corpus(GRAPH),
}
LETTERS = st.characters(exclude_categories=["Cc", "Cs", "Z"], exclude_characters="()\ufffe\uffff")
ATOM = st.text(LETTERS, min_size=1)
WORD = ATOM.filter(lambda text: not text.startswith("#"))
COMMENTS = st.lists(st.sampled_from(["# a remark", "#", "# the tide -- and the wind"]), max_size=2).map(tuple)


def check_reading(content, name):
    plugin = plugins.get("formats", name)
    assert 0 <= plugin.sniff(content) <= 1
    try:
        entries = list(plugin.read(content))
    except ArbitreeError as error:
        message = str(error)
    else:
        check_entries(plugin, entries)
        return
    assert message.startswith("file:")
    assert "\n" not in message


def check_entries(plugin, entries):
    for entry in entries:
        check_tree(entry.value)
        assert entry.source.line > 0
    try:
        text = "".join(plugin.write(entries))
    except ArbitreeError:
        return
    again = plugin.read(Content("again", text.encode()))
    assert list(map(without_id, again)) == list(map(without_id, entries))


def without_id(entry):
    """The tree less its id, which becomes a comment where the format cannot hold it."""
    return replace(entry.value, comments=[text for text in entry.value.comments if "sent_id" not in text])


def check_tree(tree):
    """The promises of a tree: one root, parents before children, a terminal under every phrase."""
    size = len(tree.words)
    assert tree.parents.count(-1) == (1 if tree.labels else 0)
    assert all(size <= parent < len(tree.labels) for parent in tree.parents if parent >= 0)
    assert all(parent < node for node, parent in enumerate(tree.parents) if node >= size)
    assert all(below or node < size for node, below in enumerate(tree.children()))
    assert all(len(values) == len(tree.labels) for values in tree.columns.values())
    if tree.labels:
        assert len(tree.flatten(Vocabulary())) <= len(tree.labels)
    tree.brackets()


@pytest.mark.parametrize("name", FORMATS)
@given(data=st.data())
@settings(max_examples=200)
def test_random_pieces(name, data):
    text = "".join(data.draw(st.lists(st.sampled_from(PIECES[name]) | st.text(max_size=3), max_size=25)))
    check_reading(Content("file", text.encode("utf-8", "replace")), name)


@pytest.mark.parametrize("name", FORMATS)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=200)
def test_mutated_examples(name, seed):
    check_reading(Content("file", mutated(EXAMPLES[name].encode(), random.Random(seed))), name)


@pytest.mark.parametrize("name", FORMATS)
def test_each_example_is_detected(name):
    assert detect([Content("file", EXAMPLES[name].encode())]) == [name]


@given(seed=st.integers(0, 2**32))
@settings(max_examples=400)
def test_nodes_under_random_parents(seed):
    """Cycles, orphans, doubles and empty phrases among them: read alike or refused by both formats."""
    rng = random.Random(seed)
    words, phrases = range(rng.randint(0, 4)), [500 + rng.randint(0, 4) for _ in range(rng.randint(1, 4))]
    parents = {node: rng.choice([0, *phrases, *phrases, 504]) for node in (*words, *phrases)}
    rows = [f"w\tw\tN\t--\t--\t{parents[node]}" for node in words]
    rows += [f"#{node}\t--\tX\t--\t--\t{parents[node]}" for node in phrases]
    export = "\n".join(["#FORMAT 4", "#BOS 1", *rows, "#EOS 1"])
    terminals = "".join(f'<t id="w{node}" word="w" lemma="w" pos="N"/>' for node in words)
    edges = dict.fromkeys((0, *phrases, 504), "")
    for child, parent in parents.items():
        edges[parent] += f'<edge idref="{"w" if child < 500 else ""}{child}"/>'
    nonterminals = f'<nt id="0" cat="VROOT">{edges[0]}</nt>'
    nonterminals += "".join(f'<nt id="{node}" cat="X">{edges[node]}</nt>' for node in phrases)
    graph = f"<terminals>{terminals}</terminals><nonterminals>{nonterminals}</nonterminals>"
    xml = corpus(f'<graph root="0">{graph}</graph>')
    check_reading(Content("file", export.encode()), "negra")
    check_reading(Content("file", xml.encode()), "tigerxml")
    assert outcome(export, "negra") == outcome(xml, "tigerxml")


def outcome(text, name):
    """The trees, or None where they are refused."""
    try:
        return [entry.value for entry in plugins.get("formats", name).read(Content("file", text.encode()))]
    except ArbitreeError:
        return None


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("data", [b"", b"\xff", b"\xfe\xff\x00", b"\x1f\x8b\x08", b"\x00", b"\xef\xbb\xbf"])
def test_files_that_are_nothing(name, data, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(data)
    try:
        content = load(str(path))
    except ArbitreeError:
        return
    check_reading(Content("file", content.data), name)


def canonical(words, labels, groups, columns=()):
    """The tree of nested *groups*: a number is a terminal, a list (label, parts) a phrase."""
    parents = [-1] * len(words)
    labels = list(labels)

    def first(part):
        return part if isinstance(part, int) else min(map(first, part[1]))

    def add(part, parent):
        if isinstance(part, int):
            parents[part] = parent
            return
        node = len(labels)
        labels.append(part[0])
        parents.append(parent)
        for below in sorted(part[1], key=first):
            add(below, node)

    add(groups, -1)
    return PhraseTree(tuple(words), tuple(labels), tuple(parents), dict(columns))


@st.composite
def trees(draw, *, words=WORD, continuous=False, top=None):
    """Random trees: some neighbours, or any nodes, are put together until one is left."""
    size = draw(st.integers(1, 7))
    rng = random.Random(draw(st.integers(0, 2**32)))
    parts = list(range(size))
    while len(parts) > 1 or rng.random() < 0.4:
        if not continuous:
            rng.shuffle(parts)
        start = rng.randrange(len(parts))
        end = rng.randint(start + 1, len(parts))
        parts[start:end] = [(rng.choice(["S", "NP-SBJ", "VP=2", "-X-"]), parts[start:end])]
    if top:
        parts = [(top, parts)]
    found = canonical(draw(st.lists(words, min_size=size, max_size=size)), draw_tags(draw, size), parts[0])
    return PhraseTree(found.words, found.labels, found.parents, {}, draw(COMMENTS))


def draw_tags(draw, size):
    return draw(st.lists(st.sampled_from(["N", "PRP$", "-NONE-", "$.", "--"]), min_size=size, max_size=size))


def there_and_back(name, *values):
    plugin = plugins.get("formats", name)
    text = "".join(plugin.write(Entry(value, Source("made", 1)) for value in values))
    return [entry.value for entry in plugin.read(Content("made", text.encode()))]


@given(values=st.lists(trees(words=ATOM | st.just(""), continuous=True), max_size=3))
@settings(max_examples=200)
def test_trees_with_words_come_back(values):
    assert there_and_back("brackets", *values) == values


@given(values=st.lists(trees(words=st.just(""), continuous=True), max_size=3))
@settings(max_examples=100)
def test_trees_without_words_come_back(values):
    assert there_and_back("delexicalised", *values) == values


@st.composite
def decorated(draw):
    """Discontinuous trees with values in the columns that both NEGRA and TIGER-XML have."""
    tree = draw(trees(top="VROOT"))
    size, nodes = len(tree.words), len(tree.labels)
    rng = random.Random(draw(st.integers(0, 2**32)))
    root = tree.parents.index(-1)

    def some(*values, upto=nodes):
        return [rng.choice(("--", *values)) if root != node < upto else "--" for node in range(nodes)]

    targets = [f"{label}:{node}" for label in ("RE", "a:b") for node in range(size, nodes)]
    columns = {
        "edge": some("SB", "HD"),
        "lemma": some("tide", upto=size),
        "comment": some("a -- b", "%%"),
        "secedges": some(rng.choice(targets), " ".join(rng.choices(targets, k=2))),
    }
    kept = {name: tuple(values) for name, values in columns.items() if set(values) != {"--"}}
    return PhraseTree(tree.words, tree.labels, tree.parents, kept, tree.comments)


@given(tree=decorated())
@settings(max_examples=200)
def test_discontinuous_trees_come_back_through_both_formats(tree):
    (export,) = there_and_back("negra", tree)
    (xml,) = there_and_back("tigerxml", export)
    assert tree == export == xml
    assert there_and_back("negra", xml) == [tree]


@given(tree=trees(words=st.just("") | WORD))
@settings(max_examples=100)
def test_any_tree_comes_back_from_xml(tree):
    assert there_and_back("tigerxml", tree) == [tree]


PLAIN = st.text("abcXYZ019.,*#%-", min_size=1)  # no blanks of other scripts, at which nltk splits


@given(tree=trees(words=PLAIN, continuous=True), seed=st.integers())
@settings(max_examples=150)
def test_our_trees_are_those_of_nltk(tree, seed):
    nltk = pytest.importorskip("nltk")
    plugin = plugins.get("formats", "brackets")
    bare = PhraseTree(tree.words, tree.labels, tree.parents)
    text = "".join(plugin.write([Entry(bare, Source("made", 1))]))
    rng = random.Random(seed)
    spaced = "".join(rng.choice([mark, f" {mark}\n"]) if mark in "()" else mark for mark in text)
    theirs = nltk.Tree.fromstring(spaced)
    (ours,) = plugin.read(Content("made", spaced.encode()))
    assert ours.value == bare
    assert nested(ours.value) == as_tuples(theirs)


def nested(tree):
    children = tree.children()

    def below(node):
        if node >= len(tree.words):
            return (tree.labels[node], *map(below, children[node]))
        return (tree.labels[node], tree.words[node])

    return below(tree.parents.index(-1))


def as_tuples(tree):
    return tree if isinstance(tree, str) else (tree.label(), *map(as_tuples, tree))


def test_the_export_format_keeps_real_trees(data):
    for path in sorted((data / "gum-two-versions" / "early").glob("*.ptb"))[:20]:
        read = plugins.get("formats", "brackets").read(Content(str(path), path.read_bytes()))
        values = [entry.value for entry in read]
        assert there_and_back("tigerxml", *values) == values
        exported = there_and_back("negra", *values)
        assert [tree.parents for tree in exported] == [tree.parents for tree in values]
        assert there_and_back("negra", *exported) == exported


def test_mutated_real_trees(data):
    rng = random.Random(5)
    for path in sorted((data / "gum-two-versions" / "early").glob("*.ptb"))[:10]:
        whole = path.read_bytes()[:8000]
        for _ in range(20):
            for name in ("brackets", "delexicalised"):
                check_reading(Content("file", mutated(whole, rng)), name)
