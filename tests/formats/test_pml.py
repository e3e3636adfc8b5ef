"""Prague files: the layers of PML, their references, and zones of Treex files."""

import socket

import pytest

import arbitree as at
from arbitree.errors import ArbitreeError, FormatError, StudyError, UnsupportedStudy
from arbitree.reading.content import load
from arbitree.reading.detection import detect
from tests.support.commands import arbitree
from tests.support.pml_files import (
    AND,
    FALL,
    SURFACE,
    a_layer,
    a_node,
    layer,
    linked,
    m_layer,
    save,
    t_layer,
    t_node,
    treex,
    w_layer,
)

ANN = "examples/phrase/ann.mrg"
FIRST, SECOND = "d1-p1s1", "d1-p1s2"


def trees(*paths, **options):
    """The trees of one annotator by item."""
    study = at.read(*paths, **options)
    return {item: cell.value for (item, _), cell in study.cells.items()}


def error(*paths, **options):
    with pytest.raises(FormatError) as caught:
        at.read(*paths, **options)
    assert caught.value.hint
    return str(caught.value)


@pytest.fixture
def deep(tmp_path):
    return save(tmp_path)


def test_nodes_of_the_t_layer_are_tokens_and_functors_are_relations(deep):
    found = trees(deep)
    assert found[FIRST].tokens == ("rain", "fall", "#Gen")
    assert found[FIRST].heads == (2, 0, 2)
    assert found[FIRST].relations == ("ACT", "PRED", "LOC")
    assert found[FIRST].comments == ("# text = Rain fell.",)
    assert found[SECOND].relations == ("PRED", "CONJ", "PRED")


def test_columns_contain_tags_grammatemes_words_and_ids_of_nodes(deep):
    tree = trees(deep)[FIRST]
    assert tree.columns["cpostag"] == ("n", "v", "qcomplex")
    assert tree.columns["feats"] == ("sempos=n.denot", "sempos=v", "_")
    assert tree.columns["misc"] == (
        "NodeId=t-d1-p1s1w1|Form=Rain",
        "NodeId=t-d1-p1s1w2|Form=fell",
        "NodeId=t-d1-p1s1a1|Generated=Yes",
    )


@pytest.mark.parametrize(
    ("view", "relations"),
    [
        ("t:label=t_lemma", ("stay", "and", "wait")),
        ("t:label=both", ("PRED:stay", "CONJ:and", "PRED:wait")),
        ("t:member=yes", ("PRED_M", "CONJ", "PRED_M")),
        ("a", ("Pred", "Coord", "Pred")),
        ("a:member=yes", ("Pred_M", "Coord", "Pred_M")),
    ],
)
def test_the_view_decides_the_labels(deep, view, relations):
    assert trees(deep, view=view)[SECOND].relations == relations


def test_tokens_of_the_m_layer_are_those_of_the_a_layer(tmp_path, deep):
    alone = trees(tmp_path / "s.a")
    assert alone[FIRST].tokens == ("Rain", "fell", ".")
    assert alone[FIRST].heads == (2, 0, 0)  # the root has two children
    assert alone[FIRST].relations == ("Sb", "Pred", "AuxK")
    assert alone[FIRST].columns["postag"] == ("NN", "VB", "Z:-------------")
    assert alone[FIRST].columns["cpostag"] == ("NN", "VB", "Z")
    assert alone[FIRST].columns["misc"][1] == "NodeId=a-d1-p1s1w2|SpaceAfter=No"
    assert trees(deep, view="a") == alone  # through the reference of the t-layer


@pytest.mark.parametrize("ways", [{"reverse": True}, {"short": True}, {"reverse": True, "short": True}])
def test_neither_the_place_in_the_file_nor_the_form_of_a_list_matters(tmp_path, deep, ways):
    """Order is that of ``deepord`` and ``ord``, and a list of one may lack its LM."""
    one = {FIRST: [FALL]}
    other = save(tmp_path / "other", t=t_layer(**ways), a=a_layer(**ways))
    assert trees(other) == trees(deep)
    assert trees(other, view="a") == trees(deep, view="a")
    short = save(tmp_path / "one", t=t_layer(one, **ways))  # a single tree
    assert trees(short) == {FIRST: trees(deep)[FIRST]}


def test_trees_that_are_not_projective_keep_their_order(tmp_path):
    crossing = [
        a_node("d1-p1s1w1", 1, "Sb", a_node("d1-p1s1w3", 3, "AuxK")),
        a_node("d1-p1s1w2", 2, "Pred"),
    ]
    path = save(tmp_path, a=a_layer({**SURFACE, FIRST: crossing}))
    tree = trees(path, view="a")[FIRST]
    assert (tree.heads, tree.relations) == ((0, 0, 1), ("Sb", "Pred", "AuxK"))


def test_files_are_recognised_by_their_content(tmp_path):
    save(tmp_path, stem="packed", packed=True, t=t_layer(a="packed.a.gz"), a=a_layer(m="packed.m.gz"))
    for name in ("packed.t.gz", "packed.a.gz", "packed.m.gz", "packed.w.gz"):
        plain = tmp_path / f"{name[7]}-layer.txt"
        plain.write_bytes((tmp_path / name).read_bytes())
        assert detect([load(str(plain))]) == ["pml"]


def test_a_reference_finds_the_file_whether_it_is_compressed_or_not(tmp_path, deep):
    packed = save(tmp_path / "packed", packed=True)  # refers to s.a, which is s.a.gz
    plain = save(tmp_path / "plain", t=t_layer(a="s.a.gz"), a=a_layer(m="s.m.gz"), m=m_layer(w="s.w.gz"))
    assert trees(packed) == trees(plain) == trees(deep)


def test_layers_of_one_annotator_lie_in_one_directory(tmp_path):
    for coder in ("ann", "bob"):
        save(tmp_path / coder)
    for view, count in (("t", 6), ("a", 6)):
        study = at.read(tmp_path / "ann", tmp_path / "bob", dirs=True, view=view)
        assert study.coders == ("ann", "bob")
        assert sum(len(cell.value) for (_, coder), cell in study.cells.items() if coder == "bob") == count


def test_sentences_are_matched_by_the_id_of_their_root(tmp_path, deep):
    other = save(tmp_path / "bob", t=t_layer({SECOND: [AND]}))
    study = at.read(ann=deep, bob=other)
    assert [item.id for item in study.items] == [FIRST, SECOND]
    assert {item.document for item in study.items} == {"d1"}
    assert (FIRST, "bob") not in study.cells


def test_nodes_may_differ_as_long_as_the_sentence_is_the_same(tmp_path, deep):
    """Trees with other nodes are the normal case; only the text tells whether they belong together."""
    only = save(tmp_path / "bob", t=t_layer({FIRST: [t_node("d1-p1s1a1", 1, "#EmpVerb", "PRED")]}))
    with pytest.warns(UserWarning, match="1 sentence has different numbers of tokens"):
        study = at.read(ann=deep, bob=only)
    assert study.texts.main(FIRST) == "Rain fell."
    assert at.read(ann=deep, bob=deep, strict=True, view="a").texts.main(FIRST) == ""  # its tokens are words


def test_two_texts_under_one_id_are_an_error_that_shows_the_difference(tmp_path, deep):
    other = save(tmp_path / "bob", m=m_layer().replace("<form>fell", "<form>falls"))
    with pytest.raises(StudyError) as caught:
        at.read(ann=deep, bob=other)
    assert "bob has another text of 'd1-p1s1' (…Rain falls.…) than ann (…Rain fell.…, " in str(caught.value)
    assert "bob/s.t:9: " in str(caught.value)


@pytest.mark.parametrize("packed", [False, True])
def test_every_layer_declares_its_own_encoding(tmp_path, packed):
    texts = {"t": t_layer(), "a": a_layer(), "m": m_layer(), "w": w_layer()}
    texts = {name: text.replace("Rain", "Ráj").replace("rain", "ráj") for name, text in texts.items()}
    plain = trees(save(tmp_path / "plain", **texts))
    for name, encoding in (("t", "iso-8859-2"), ("m", "windows-1250")):
        texts[name] = texts[name].replace('encoding="utf-8"', f'encoding="{encoding}"').encode(encoding)
    assert trees(save(tmp_path / "old", packed=packed, **texts)) == plain


def test_a_treex_file_declares_its_encoding(tmp_path):
    text = treex(('language="cs"', other("ráj"))).replace('encoding="utf-8"', 'encoding="iso-8859-2"')
    for name in ("ann.treex", "bob.treex"):
        (tmp_path / name).write_bytes(text.encode("iso-8859-2"))
    run = arbitree("agree", tmp_path / "ann.treex", tmp_path / "bob.treex", "--view", "t:label=t_lemma")
    assert (run.returncode, b"not valid" in run.stderr) == (0, False)


def test_alternatives_of_a_functor_are_one_label(tmp_path):
    unsure = t_node("d1-p1s1w1", 1, "rain", "<AM>PAT</AM><AM>ACT</AM>")
    assert trees(save(tmp_path, t=t_layer({FIRST: [unsure]})))[FIRST].relations == ("ACT/PAT",)


def test_phrases_of_the_latvian_treebank_are_nodes(tmp_path):
    text = (
        '<trees>\n<LM id="a-d1-p1s1">\n<children>\n<pmcinfo>\n<pmctype>sent</pmctype>\n<ord>2</ord>\n'
        "<children>\n"
        '<node id="n1">\n<m.rf>m#m-d1-p1s1w1</m.rf>\n<role>subj</role>\n<ord>1</ord>\n</node>\n'
        "</children>\n</pmcinfo>\n</children>\n</LM>\n</trees>\n"
    )
    path = save(tmp_path, a=layer("lvadata", text, m="s.m", w="s.w"), t=None)
    tree = trees(path.replace(".t", ".a"))[FIRST]
    assert (tree.tokens, tree.heads, tree.relations) == (("Rain", "_"), (2, 0), ("subj", "sent"))


def test_a_file_that_contains_its_m_layer_is_read(tmp_path):
    knitted = '<m.rf id="m-d1-p1s1w1">\n<form>Rain</form>\n<lemma>rain</lemma>\n<tag>NN</tag>\n</m.rf>\n'
    node = f'<children id="a-1">{knitted}<ord>1</ord></children>\n'
    text = f'<trees>\n<LM id="a-d1-p1s1">\n{node}</LM>\n</trees>\n'
    path = tmp_path / "k.pml"
    path.write_text(layer("adata", text, m="lost.m"), encoding="utf-8")
    assert trees(path)[FIRST].tokens == ("Rain",)


@pytest.mark.parametrize(
    ("lost", "message"),
    [
        ("a", "s.t:5: the file 's.a', which it refers to, does not exist. Put the a-layer at "),
        ("m", "s.a:5: the file 's.m', which it refers to, does not exist. Put the m-layer at "),
        ("w", "s.m:5: the file 's.w', which it refers to, does not exist. Put the w-layer at "),
    ],
)
def test_a_missing_layer_is_an_error_at_the_reference(tmp_path, lost, message):
    assert message in error(save(tmp_path, **{lost: None}))


@pytest.mark.parametrize(
    ("layers", "message"),
    [
        (
            {"t": t_layer().replace("a#a-d1-p1s1w1", "a#a-gone")},
            "s.t:24: <lex.rf> refers to 'a-gone', which is not in",
        ),
        (
            {"t": t_layer().replace("a#a-d1-p1s2<", "a#a-gone<")},
            "<atree.rf> refers to 'a-gone', which is not in",
        ),
        ({"a": a_layer().replace("m#m-d1-p1s1w1", "m#m-gone")}, "<m.rf> refers to 'm-gone', which is not in"),
        ({"m": m_layer().replace("w#w-d1-p1s2w1", "w#w-gone")}, "<w.rf> refers to 'w-gone', which is not in"),
        ({"m": m_layer().replace("m-d1-p1s1w2", "m-d1-p1s1w1")}, "s.m:15: duplicate id 'm-d1-p1s1w1'"),
        ({"a": w_layer()}, "s.a:2: expected the a-layer, found <wdata>"),
        (
            {"t": t_layer(a="http://localhost/s.a")},
            "s.t:5: the reference 'http://localhost/s.a' is not the path",
        ),
        ({"t": t_layer(a="/dev/zero")}, "s.t:5: /dev/zero is a pipe, socket or device"),
        ({"t": layer("tdata", "<trees/>")}, "s.t:2: the file does not refer to its a-layer"),
        ({"t": layer("tdata", "<trees/>", a="s.a")}, "s.t:1: the file contains no sentences"),
        ({"t": t_layer().replace("<deepord>1</deepord>", "", 1)}, "s.t:21: <LM> has no <deepord>"),
        (
            {"t": t_layer().replace("<deepord>1<", "<deepord>nan<", 1)},
            "s.t:21: deepord 'nan' is not a number",
        ),
        (
            {"t": t_layer().replace("<deepord>1<", "<deepord>3<", 1)},
            "two nodes of the tree have the deepord 3",
        ),
        ({"t": t_layer()[:-60]}, "s.t:64: "),
        ({"a": a_layer()[:-60]}, "s.a:"),
        (
            {"t": layer("vallex", "")},
            "s.t:2: the root element is <vallex>. Pass files whose root element is one of",
        ),
        ({"t": m_layer()}, "s.t:2: the m-layer contains no trees. Pass the file of the t-layer"),
    ],
)
def test_broken_layers_are_errors_with_file_and_line(tmp_path, layers, message):
    found = error(save(tmp_path, **layers))
    assert message in found
    assert "\n" not in found


@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE tdata [<!ENTITY a "Rain">]>',
        '<!DOCTYPE tdata [\n<!ENTITY a SYSTEM "file:///etc/hostname">]>',
        '<!DOCTYPE tdata SYSTEM "http://localhost/tdata.dtd">',
        "",
    ],
)
@pytest.mark.parametrize("name", ["t", "m"])
def test_entities_are_refused(tmp_path, monkeypatch, declaration, name):
    def refuse(*args, **options):
        raise AssertionError("the network is used")

    monkeypatch.setattr(socket, "socket", refuse)
    text = {
        "t": t_layer().replace("<t_lemma>rain", "<t_lemma>&a;"),
        "m": m_layer().replace("<form>Rain", "<form>&a;"),
    }
    head, rest = text[name].split("\n", 1)
    found = error(save(tmp_path, **{name: f"{head}\n{declaration}{rest}"}))
    assert "ntit" in found  # the XML contains entities; Entity 'a' not defined
    assert f"s.{name}:" in found


def test_a_layer_that_expands_too_much_is_refused(tmp_path):
    path = save(tmp_path, packed=True, m=m_layer() + " " * 100_000)
    assert "s.m.gz: the compressed data expand to more than" in error(path, max_size="50K")


def test_files_that_are_opened_by_reference_are_not_replaced(tmp_path, deep):
    before = (tmp_path / "s.m").read_bytes()
    done = arbitree("convert", deep, tmp_path / "s.m", "--to", "conllu", "--force")
    assert done.returncode == 2
    assert (tmp_path / "s.m").read_bytes() == before


def test_trees_are_written_as_conllu_with_the_ids_of_the_nodes(tmp_path, deep):
    at.convert(deep, tmp_path / "s.conllu")
    again = trees(tmp_path / "s.conllu")
    assert again[FIRST].relations == ("ACT", "PRED", "LOC")
    assert again[FIRST].columns["misc"][2] == "NodeId=t-d1-p1s1a1|Generated=Yes"
    assert "# text = Rain fell.\n" in (tmp_path / "s.conllu").read_text(encoding="utf-8")


def zones(tmp_path, *given, name="two.treex"):
    (tmp_path / name).write_text(treex(*given), encoding="utf-8")
    return str(tmp_path / name)


def other(text):
    """The trees without links to the a-layer, of another annotator."""
    return {FIRST: [t_node("d1-p1s1w2", 1, text, "PRED")], SECOND: [t_node("d1-p1s2w2", 1, text, "PRED")]}


INSIDE = {FIRST: [t_node("d1-p1s1w1", 1, "rain", "ACT", a=linked("d1-p1s1w1").replace("a#", ""))]}


def test_selectors_of_a_language_are_annotators(tmp_path):
    path = zones(
        tmp_path, ('language="en" selector="ann"', other("fall")), ('language="en" selector="bob"', INSIDE)
    )
    with pytest.warns(UserWarning, match="different token forms"):
        study = at.read(path)
    assert study.coders == ("ann", "bob")
    assert set(study.cells) == {(FIRST, "ann"), (SECOND, "ann"), (FIRST, "bob")}
    assert study.cells[FIRST, "bob"].value.columns["misc"] == ("NodeId=t-d1-p1s1w1|Form=Rain",)
    assert study.cells[FIRST, "bob"].value.comments == ("# text = Rain fell .",)
    assert at.read(path, view="a").cells[FIRST, "bob"].value.tokens == ("Rain", "fell", ".")
    assert at.read(path, zone="en_bob").coders == ("two",)
    with pytest.warns(UserWarning, match="different token forms"):
        assert at.read(path, zone="en_bob,en_ann").coders == ("ann", "bob")
    assert "view:t:label=functor,member=no" in at.read(path, zone="en_bob").settings
    assert "zone:en_bob" in at.read(path, zone="en_bob").settings


def test_converting_one_of_several_annotators(tmp_path):
    path = zones(tmp_path, ('language="en" selector="ann"', INSIDE), ('language="en" selector="bob"', INSIDE))
    with pytest.warns(UserWarning, match=r"not kept in conllu: annotators \(2 sentences\)"):
        at.convert(path, tmp_path / "both.conllu")
    at.convert(path, tmp_path / "bob.conllu", zone="en_bob", view="a")
    assert trees(tmp_path / "bob.conllu")[FIRST].tokens == ("Rain", "fell", ".")
    assert at.distance(path, path, zone="en_bob", item=FIRST).plain == 0
    for function in (
        lambda: at.distance("(S a)", "(S a)", view="t"),
        lambda: at.convert(ANN, "x.mrg", view="t"),
    ):
        with pytest.raises(UnsupportedStudy, match="files in this format have only one view"):
            function()


def test_one_file_per_annotator_is_named_after_the_file(tmp_path):
    paths = [zones(tmp_path, ('language="en" selector="src"', INSIDE), name=f"{name}.treex") for name in "ab"]
    assert at.read(*paths).coders == ("a", "b")


def test_a_file_with_several_languages_needs_a_zone(tmp_path):
    path = zones(tmp_path, ('language="en"', INSIDE), ('language="cs" selector="src"', other("padat")))
    assert "two.treex:" in error(path)
    assert "zones in several languages: cs_src and en. Choose one, such as zone='cs'" in error(path)
    assert trees(path, zone="cs")[FIRST].tokens == ("padat",)
    assert trees(path, zone="en")[FIRST].tokens == ("rain",)
    assert "the file has no zone 'de' with t-trees; it has cs_src and en" in error(path, zone="de")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"zone": "en"}, "s.t:1: the file has no zones. Omit zone"),
        ({"view": "x"}, "unknown view 'x'. Expected one of: a, t"),
        ({"view": "t:label=lemma"}, "Did you mean 't_lemma'"),
    ],
)
def test_mistyped_views_and_zones_are_errors(deep, options, message):
    with pytest.raises(ArbitreeError) as caught:
        at.read(deep, **options)
    assert message in str(caught.value)


def test_the_a_layer_has_no_t_trees(tmp_path, deep):
    assert "s.a:2: the a-layer contains no t-trees" in error(tmp_path / "s.a", view="t")
    path = zones(tmp_path, ('language="en"', {}))
    assert trees(path)[FIRST].tokens == ("Rain", "fell", ".")  # the first view that the file contains
    assert "the file contains no t-trees" in error(path, view="t")


def test_a_reference_inside_a_treex_file_must_exist(tmp_path):
    lost = {FIRST: [t_node("n1", 1, "rain", "ACT", a="<lex.rf>a-gone</lex.rf>")]}
    assert "<lex.rf> refers to 'a-gone', which is not in" in error(zones(tmp_path, ('language="en"', lost)))


def test_a_tree_may_have_a_hundred_levels_but_not_any_number(tmp_path):
    def chain(length):
        node = ("n", length, {}, ())
        for place in range(length - 1, 0, -1):
            node = (f"n{place}", place, {}, (node,))
        (tmp_path / "deep.a").write_text(a_layer({FIRST: [node]}), encoding="utf-8")
        return tmp_path / "deep.a"

    assert trees(chain(100))[FIRST].heads == tuple(range(100))
    found = error(chain(200))
    assert "deep.a:" in found
    assert "the elements are nested too deeply. Remove levels: 256 are allowed" in found


def test_the_technical_root_counts_in_the_size(tmp_path):
    """One of three nodes and the root has another label: 1 / (4 + 4) by hand."""
    changed = str(t_layer()).replace("<functor>LOC", "<functor>DIR3")
    paths = [save(tmp_path / "ann"), save(tmp_path / "bob", t=changed)]
    found = [next(iter(trees(path).values())) for path in paths]
    assert at.distance(*found).norm == 1 / 8


@pytest.mark.parametrize("view", ["t", "a"])
@pytest.mark.parametrize(
    ("command", "shown"),
    [
        (["agree", "--resamples", "0", "-m", "alpha_plain", "-v"], "|view:{0}:"),
        (["explain", "--no-alpha"], "inconsistencies"),
        (["draw", "--item", "pier-p1s3"], "bob"),
        (["coders", "--resamples", "0"], "competence"),
        (["score", "--gold", "ann", "--resamples", "0", "-m", "las"], "Score of bob against ann"),
    ],
)
def test_commands_work_on_both_views(command, shown, view):
    name, *options = command
    done = arbitree(name, "examples/prague/pier.treex", "--view", view, *options)
    assert done.returncode == 0, done.stderr
    assert shown.format(view) in done.stdout.decode()


def test_the_gold_standard_is_conllu_with_the_ids_of_the_nodes(tmp_path):
    target = tmp_path / "gold.conllu"
    options = ("--consensus", target, "--prefer", "bob", "--resamples", "0")
    done = arbitree("coders", "examples/prague/pier.treex", *options)
    assert done.returncode == 0, done.stderr
    found = trees(target)
    assert found["pier-p1s3"].relations == ("ACT", "PRED", "RSTR", "LOC")
    assert found["pier-p1s3"].columns["misc"][3] == "NodeId=t-bob-pier-p1s3w6|Form=pier"
    assert "# text = Rain fell on the old pier." in found["pier-p1s3"].comments
    assert "pier-p1s2" not in found  # bob has no node #Cor


@pytest.mark.filterwarnings("ignore:.*different:UserWarning")
def test_attachment_is_compared_node_by_node():
    """11 of 21 nodes, counted by hand; the sentence with different numbers of nodes is excluded."""
    table = at.agree(at.read("examples/prague/pier.treex"), "las", resamples=0)
    assert table["las"].value == 11 / 21
    assert [each.item for each in table["las"].ignored] == ["pier-p1s2"]


def test_a_value_is_verified_in_its_view_and_zone():
    path = "examples/prague/pier.treex"
    done = arbitree(
        "agree", path, "--view", "t:label=both", "--zone", "en", "-m", "uas", "-v", "-q", "--resamples", "0"
    )
    (line,) = (each for each in done.stdout.decode().splitlines() if "|v:" in each)
    assert "|view:t:label=both,member=no|" in line
    assert arbitree("agree", path, "-q", "--verify", line).stdout.startswith(b"verified")
