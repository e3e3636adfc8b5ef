"""TIGER-XML."""

import re

import pytest

from arbitree.errors import FormatError, Source
from arbitree.formats.negra import PLUGINS as NEGRA
from arbitree.formats.tigerxml import PLUGINS
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.reading.content import Content, Entry
from arbitree.study.flat_tree import Vocabulary
from tests.support.commands import arbitree
from tests.support.negra_files import FOUR
from tests.support.tigerxml_files import GRAPH, corpus

TIGER = PLUGINS["tigerxml"]


def read(text, encoding="utf-8"):
    return list(TIGER.read(Content("a.xml", text.encode(encoding))))


def phrase(name, *children):
    edges = "".join(f'<edge idref="{child}"/>' for child in children)
    return f'<nt id="{name}" cat="X">{edges}</nt>\n'


def tree(text):
    (entry,) = read(text)
    return entry.value


def small(terminals='<t id="a" word="Ahoi" pos="ITJ"/>', phrases="", root="a"):
    return corpus(
        f'<graph root="{root}">\n<terminals>\n{terminals}\n</terminals>\n'
        f"<nonterminals>\n{phrases}\n</nonterminals></graph>"
    )


def written(*values, name=None):
    return "".join(TIGER.write(Entry(value, Source("made", 3), name) for value in values))


def error(text, encoding="utf-8"):
    with pytest.raises(FormatError) as caught:
        read(text, encoding)
    return str(caught.value)


def test_a_discontinuous_sentence_equals_that_of_the_export_format():
    (entry,) = read(corpus(GRAPH, more="<?comment # from the harbour?>"))
    (theirs, _) = NEGRA["negra"].read(Content("a.export", FOUR.encode()))
    assert entry.value.comments == ("# from the harbour",)
    assert (entry.id, str(entry.source)) == ("s7", "a.xml:5")
    for field in ("words", "labels", "parents", "columns"):
        assert getattr(entry.value, field) == getattr(theirs.value, field)
    assert entry.value.yields()[8] == ((0, 1), (3, 5))


def test_what_is_written_is_read_back():
    (entry,) = read(corpus(GRAPH, more="<?comment # a -- b?>"))
    text = "".join(TIGER.write([entry]))
    assert '<graph root="s7_502" discontinuous="true">' in text
    assert '<feature name="lemma" domain="T"/>' in text
    (again,) = read(text)
    assert (again.value, again.id) == (entry.value, entry.id)


def test_the_root_may_be_a_terminal():
    value = tree(small())
    assert value == PhraseTree(("Ahoi",), ("ITJ",), (-1,))
    assert tree(written(value)) == value


def test_a_sentence_of_no_words():
    value = tree(corpus("<graph><terminals/><nonterminals/></graph>"))
    assert value == PhraseTree((), (), ())
    assert tree(written(value)) == value


def test_a_tag_may_be_missing_and_other_attributes_are_columns():
    phrase = '<nt id="b" cat="S" mood="calm"><edge idref="a"/></nt>'
    value = tree(small('<t id="a" word="Ahoi" mood="loud"/>', phrase, "b"))
    assert value == PhraseTree(("Ahoi",), ("", "S"), (1, -1), {"mood": ("loud", "calm")})
    assert '<feature name="mood" domain="FREC"/>' in written(value)
    assert tree(written(value)) == value


def test_words_of_any_kind_survive():
    words = ('"', "<&>", "a\tb\nc\r", "", "\u2028", "\U0001f980")
    value = PhraseTree(words, ("N",) * 6 + ("S",), (6,) * 6 + (-1,))
    assert tree(written(value)) == value


def test_namespaces_are_ignored():
    plain = corpus(GRAPH)
    spaced = plain.replace("<corpus", '<corpus xmlns="http://example.org/t"')
    prefixed = re.sub("<(/?)(?=[a-z])", r"<\1x:", plain)
    prefixed = prefixed.replace("<x:corpus", '<x:corpus xmlns:x="http://example.org/t"')
    assert tree(spaced) == tree(prefixed) == tree(plain)


def test_the_declaration_names_the_encoding():
    text = corpus(GRAPH, declared="ISO-8859-1")
    assert read(text, "latin-1")[0].value == tree(corpus(GRAPH))
    assert "a.xml:8: " in error(corpus(GRAPH), "latin-1")


@pytest.mark.parametrize("command", ["agree", "score", "explain", "draw", "convert"])
def test_commands_read_the_declared_encoding(tmp_path, command):
    """The check whether the file ends early decoded it as UTF-8."""
    paths = [tmp_path / "a.xml", tmp_path / "b.xml"]
    for path, label in zip(paths, ("VP", "NP"), strict=True):
        text = corpus(GRAPH.replace('cat="VP"', f'cat="{label}"'), declared="ISO-8859-1")
        path.write_bytes(text.encode("latin-1"))
    if command == "convert":
        paths[1] = tmp_path / "out.xml"
    run = arbitree(command, *paths)
    assert (run.returncode, run.stderr.decode().count("not valid")) == (0, 0)
    if command == "convert":
        assert "Darüber" in paths[1].read_text(encoding="utf-8")


def test_ids_that_are_no_names_are_kept_as_comments():
    value = tree(small())
    assert read(written(value, name="7"))[0].id == "7"
    assert read(written(value))[0].id == "s1"
    (entry,) = read(written(value, name="harbour/7"))
    assert entry.id == "harbour/7"
    assert entry.value.comments == ("# sent_id = harbour/7",)
    assert "".join(TIGER.write([entry])) == written(value, name="harbour/7")


TWICE = '<t id="a" word="x"/>\n<t id="a" word="y"/>'
OUTSIDE = "<corpus>\n<subcorpus name='x' external='file:x.xml'/>\n</corpus>"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (small(phrases=phrase("b", "a"), root="c"), "a.xml:6: node 'c' not found"),
        (small(phrases=phrase("b", "a")), "a.xml:8: node 'a' is the root but has a parent"),
        (small(phrases=phrase("b", "z"), root="b"), "a.xml:11: node 'z' not found"),
        (small(TWICE), "a.xml:9: 2 nodes have the name 'a'"),
        (
            small(TWICE.replace('"a" word="y"', '"c" word="y"')),
            "a.xml:9: node 'c' is not connected to the root",
        ),
        (small(phrases=phrase("b", "a") + phrase("c", "a"), root="b"), "a.xml:12: node 'a' has 2 parents"),
        (
            small(phrases=phrase("b", "a") + phrase("c"), root="b"),
            "a.xml:12: node 'c' is not connected to the root",
        ),
        (small(phrases=phrase("b", "a", "c") + phrase("c"), root="b"), "a.xml:12: node 'c' has no children"),
        (
            small(phrases=phrase("b", "a") + phrase("c", "c"), root="b"),
            "a.xml:12: node 'c' is on a cycle of parents",
        ),
        (
            small(phrases=phrase("b", "a") + phrase("c", "d") + phrase("d", "c"), root="b"),
            "a.xml:12: node 'c' is on a cycle of parents",
        ),
        (small("", phrase("b"), "b"), "a.xml:11: node 'b' is a sentence without words"),
        (small('<t id="a"/>'), "a.xml:8: <t> has no attribute 'word'"),
        (small('<t word="a"/>'), "a.xml:8: <t> has no attribute 'id'"),
        (small('<t id="a" word="x" edge="y"/>'), "a.xml:8: a node cannot have an attribute 'edge'"),
        (small('<t id="a" word="x"><secedge label="b c" idref="a"/></t>'), "a.xml:8: cannot read the"),
        (small(phrases='<nt id="b"/>'), "a.xml:11: <nt> has no attribute 'cat'"),
        (small().replace('root="a"', ""), "a.xml:6: <graph> has no attribute 'root'"),
        (corpus(""), "a.xml:5: the sentence has no graph"),
        (corpus("<graph>"), "a.xml:7: "),
        ("<html><body/></html>", "a.xml:1: expected <corpus>, found <html>"),
        ("<?comment #?>\n<s><graph/></s>", "a.xml:2: expected <corpus>, found <s>"),
        (OUTSIDE, "a.xml:2: the corpus continues in another file"),
        ("plain text", "a.xml:1: "),
    ],
)
def test_errors_name_the_line(text, message):
    assert message in error(text)


def test_corpora_may_have_parts():
    part = f'<subcorpus name="part">\n<s id="s7">{GRAPH}</s></subcorpus>'
    whole = f"<corpus><body>{part}{part}</body></corpus>"
    assert [entry.value for entry in read(whole)] == [tree(part)] * 2


def declaring(kind, text):
    """A corpus with a document type of its own instead of the declaration."""
    return f"<!DOCTYPE corpus {kind}>\n" + text.partition("\n")[2]


def test_entities_do_not_grow_and_none_is_lost():
    levels = "".join(f'<!ENTITY e{k} "{f"&e{k - 1};" * 20}">' for k in range(1, 12))
    bomb = small('<t id="a" word="&e11;"/>')
    assert "a.xml:" in error(declaring(f'[<!ENTITY e0 "boom">{levels}]', bomb))
    unknown = small('<t id="a" word="M&auml;rz"/>')
    message = "a.xml:8: Entity 'auml' not defined. Write the character itself"
    assert message in error(declaring('SYSTEM "tiger.dtd"', unknown))


def test_files_elsewhere_are_not_read(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("word", encoding="utf-8")
    word = small('<t id="a" word="&e;"/>')
    assert "a.xml:" in error(declaring(f'[<!ENTITY e SYSTEM "{secret}">]', word))
    parameter = declaring(f'[<!ENTITY % e SYSTEM "{secret}"> %e;]', small())
    assert tree(parameter).words == ("Ahoi",)


def test_what_xml_cannot_hold_is_refused():
    for value in (
        PhraseTree(("\x01",), ("N",), (-1,)),
        PhraseTree(("a",), ("N",), (-1,), {"two words": ("b",)}),
        PhraseTree(("a",), ("N",), (-1,), comments=("# ?>",)),
    ):
        with pytest.raises(FormatError, match=r"^made:3: cannot write this sentence as XML"):
            written(value)


def test_detection():
    telling = (corpus(GRAPH), written(), '<x:corpus xmlns:x="y"><x:graph>')
    assert [TIGER.sniff(Content("a", text.encode())) for text in telling] == [1.0, 1.0, 1.0]
    assert TIGER.sniff(Content("a", b"<corpus>")) == 0.3
    for text in ("", "<html>", "(S (N <corpus>))", "<corpora>"):
        assert TIGER.sniff(Content("a", text.encode())) == 0.0


def test_a_tree_5000_deep_and_one_of_10000_words():
    chain = tuple(range(1, 5000))
    deep = PhraseTree(("end",), ("N", "VROOT", *("S",) * 4999), (5000, -1, *chain))
    wide = PhraseTree(("drop",) * 10000, ("N",) * 10000 + ("VROOT",), (10000,) * 10000 + (-1,))
    for value in (deep, wide):
        again = tree(written(value))
        assert again == value
        assert len(again.flatten(Vocabulary())) == len(value.labels)
        assert len(again.brackets()) == (3 if value is deep else 10001)
