"""Documents of INCEpTION in three formats. Expected values are those of ``tests.support.uima``."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

import arbitree as at
from arbitree import plugins
from arbitree.errors import ArbitreeError, FormatError, UnknownName, UnsupportedStudy
from arbitree.formats.uima.cas import Cas, code_points
from arbitree.reading.assembly import entries_of, read_study
from arbitree.reading.content import Content, load
from arbitree.reading.detection import detect
from arbitree.reading.inputs import Reading
from tests.support.commands import arbitree
from tests.support.uima import DEPENDENCY, HEADS, POS, RELATIONS, TAGS, WORDS, Doc, types

FORMATS = {"webanno_tsv": Doc.tsv, "cas_xmi": Doc.xmi, "cas_json": Doc.json}
SUITE = "tools/inception/tsv3-suite"


def content(name: str, doc: Doc, layer: str | None = None) -> Content:
    return Content("file", FORMATS[name](doc).encode(), reading=Reading(layer=layer), types=types().encode())


@pytest.mark.parametrize("name", FORMATS)
def test_a_layer_of_relations_gives_trees(name):
    entries = entries_of(content(name, Doc(), "Dependency"), name)
    assert [entry.value.tokens for entry in entries] == [*WORDS]
    assert [entry.value.heads for entry in entries] == [(3, 1, 0, 3), (2, 0, 2)]  # self-governed: the root
    assert [entry.value.relations for entry in entries] == [*RELATIONS]
    assert [entry.value.columns["xpos"] for entry in entries] == [*TAGS]
    assert [entry.id for entry in entries] == ["1", "2"]


@pytest.mark.parametrize("name", FORMATS)
def test_a_layer_with_a_value_per_token_gives_labels_at_code_points(name):
    entries = entries_of(content(name, Doc(), "POS"), name)
    assert [str(entry.value) for entry in entries] == [tag for tags in TAGS for tag in tags]
    assert [entry.id for entry in entries[:4]] == ["0-4", "5-6", "7-11", "12-13"]  # UTF-16: 5-7, 8-12, 13-14
    assert entries[1].text == "Rain [\U0001f327] fell . Snow melts ."
    assert [entry.cluster for entry in entries] == ["1"] * 4 + ["2"] * 3


@pytest.mark.parametrize("name", FORMATS)
def test_values_with_signs_of_the_format_are_read_as_they_are(name):
    odd = ((r"a\b", "a|b[1]", "_", "*"), ("x;y", "[", "a]"))
    entries = entries_of(content(name, Doc(tags=odd), "POS"), name)
    assert [str(entry.value) for entry in entries] == [tag for tags in odd for tag in tags]


@pytest.mark.parametrize("name", FORMATS)
def test_tokens_without_a_relation_are_roots_without_a_label(name):
    found = content(name, Doc(heads=((3, None, 3, 3), (2, 2, 2))), "Dependency")
    first = entries_of(found, name)[0].value
    assert (first.heads, first.relations) == ((3, 0, 0, 3), ("nsubj", "_", "root", "punct"))
    assert found.remarks == ["tokens without a head are attached to the root with the relation _"]


@pytest.mark.parametrize("name", FORMATS)
def test_several_layers_are_listed_with_the_option_to_type(name):
    with pytest.raises(UnsupportedStudy) as error:
        entries_of(content(name, Doc()), name)
    assert error.value.typed == (
        "file: there are several layers: Dependency.DependencyType (7 relations), POS.PosValue (7 labels). "
        "Choose one: --layer Dependency, or --layer POS."
    )
    with pytest.raises(UnknownName, match=r"unknown layer 'Dependencies'\. Did you mean 'Dependency'\?"):
        entries_of(content(name, Doc(), "Dependencies"), name)


def test_a_second_head_excludes_the_sentence():
    rows = Doc().tsv().replace("nsubj\tbasic\t1-3", "nsubj|obl\tbasic|basic\t1-3|1-4")
    found = Content("file", rows.encode(), reading=Reading(layer="Dependency"))
    assert [entry.id for entry in entries_of(found, "webanno_tsv")] == ["2"]
    assert found.notes == [
        "file:6: the sentence is not a tree, so it is missing: 'Rain' has 2 heads (line 6)"
    ]


def test_layers_of_spans_and_chains_are_named_as_not_read(tmp_path):
    path = tmp_path / "ann.tsv"
    path.write_text(
        "#FORMAT=WebAnno TSV 3.2\n#T_SP=custom.Span|value\n#T_CH=custom.Link|relation|type\n\n"
        "#Text=Rain fell\n1-1\t0-4\tRain\tA[1]\t*->1-1\tb[1]\n1-2\t5-9\tfell\tA[1]\t*->1-2\tb[1]\n",
        encoding="utf-8",
    )
    with pytest.raises(UnsupportedStudy) as error:
        read_study([str(path)])
    assert "Link (2 links, a chain), Span.value (1 span, spans of several tokens)" in str(error.value)
    with pytest.raises(UnsupportedStudy, match="the layer Span cannot be compared: spans of several tokens"):
        read_study([str(path)], layer="Span")


@pytest.mark.parametrize("name", ["webanno_tsv", "cas_json"])
@pytest.mark.parametrize("layer", ["POS", None])
def test_the_error_about_stacked_annotations_names_their_place(tmp_path, name, layer):
    """It named the first input, whichever contained them."""
    doc = Doc(heads=None)
    if name == "webanno_tsv":
        stacked = doc.tsv().replace("\tVBD\t*\t", "\tVBD|NN\t*|*\t")
    else:
        listed = doc.structures()
        again = next(each for each in listed if each.get("PosValue") == "VBD")
        stacked = json.dumps({"%FEATURE_STRUCTURES": [*listed, again | {"%ID": 99}]}, indent=1)
    (tmp_path / "ann").write_text(FORMATS[name](doc), encoding="utf-8")
    (tmp_path / "bob").write_text(stacked, encoding="utf-8")
    with pytest.raises(UnsupportedStudy, match="several annotations of one token") as error:
        read_study([str(tmp_path / "ann"), str(tmp_path / "bob")], format=name, layer=layer)
    where = '"%ID": 99' if name == "cas_json" else "VBD|NN"
    line = next(number for number, text in enumerate(stacked.split("\n"), start=1) if where in text)
    assert str(error.value).startswith(f"{tmp_path}/bob:{line}: ")


def test_sub_tokens_and_places_without_width_are_labels():
    rows = (
        "#FORMAT=WebAnno TSV 3.3\n#T_SP=custom.Span|value\n\n#Text=Raindrop falls\n"
        "1-1\t0-8\tRaindrop\t_\t\n1-1.1\t0-4\tRain\tNOUN\t\n1-1.2\t8-8\t\tgap\t\n1-2\t9-14\tfalls\tVERB\t\n"
    )
    entries = entries_of(Content("file", rows.encode()), "webanno_tsv")
    assert [(entry.id, str(entry.value)) for entry in entries] == [
        ("0-4", "NOUN"),
        ("8-8", "gap"),
        ("9-14", "VERB"),
    ]


@pytest.mark.parametrize("version", ["3.0", "3.1", "3.2", "3.3"])
def test_all_versions_of_tsv_3_are_read(version):
    text = Doc().tsv().replace("TSV 3.3", f"TSV {version}")
    text = text if version == "3.3" else text.replace("\t\n", "\n")  # without a tab at the end of rows
    found = Content("file", text.encode(), reading=Reading(layer="POS"))
    assert len(entries_of(found, "webanno_tsv")) == 7


@pytest.mark.parametrize(
    ("name", "old", "new", "what"),
    [
        ("webanno_tsv", "8-12\tfell", "9-13\tfell", r":8: token 'fell' has the offsets 9-13, but the text"),
        ("webanno_tsv", "TSV 3.3", "TSV 2", r":1: expected WebAnno TSV 3, found version '2'"),
        ("webanno_tsv", "1-2\t5-7", "1-2\t7-5", r":7: the token ends before it begins"),
        ("webanno_tsv", "basic\t1-3", "basic\t1-9", r":6: the relation refers to '1-9', which is not in"),
        ("webanno_tsv", "\tbasic\t1-3", "\t1-3", r":6: expected 5 columns of layers, found 4"),
        ("cas_xmi", 'begin="8" end="12"', 'begin="8" end="99"', r":\d+: the annotation has the offsets"),
        ("cas_xmi", 'Governor="5"', 'Governor="99"', r":\d+: the relation refers to an annotation"),
        (
            "cas_xmi",
            "<xmi:XMI",
            "<!DOCTYPE a [<!ENTITY b 'c'>]>\n<xmi:XMI",
            r":2: the XML declares a document",
        ),
        ("cas_xmi", "sofaString", "sofaText", r"the document contains no text"),
        ("cas_xmi", "</xmi:XMI>", "", r":\d+: "),
        ("cas_json", '"end": 12', '"end": 99', r":\d+: the annotation has the offsets '8-99'"),
        ("cas_json", '"%FEATURE_STRUCTURES"', '"%OTHER"', r"has no list %FEATURE_STRUCTURES"),
    ],
)
def test_an_error_names_the_line(tmp_path, name, old, new, what):
    text = FORMATS[name](Doc())
    assert old in text
    path = tmp_path / "file"
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(FormatError, match=what):
        read_study([str(path)], format=name, layer="Dependency")


def test_xmi_without_a_type_system_is_read_by_names_and_says_so(tmp_path):
    for user in ("ann", "bob"):
        (tmp_path / f"{user}.xmi").write_text(Doc().xmi(), encoding="utf-8")
    paths = [str(tmp_path / f"{user}.xmi") for user in ("ann", "bob")]
    study = read_study(paths, layer="Dependency")
    assert study.notes == (
        f"{paths[0]} and 1 other file: there is no type system, so features are known by their names",
    )
    (tmp_path / "TypeSystem.xml").write_text(types(), encoding="utf-8")
    assert read_study(paths, layer="Dependency").notes == ()


@pytest.mark.parametrize("layer", ["Dependency", "POS"])
def test_xmi_declares_its_encoding(tmp_path, layer):
    latin = replace(Doc(), words=(("Grêle", "été", "fell", "."), WORDS[1])).xmi()
    latin = latin.replace('encoding="UTF-8"', 'encoding="ISO-8859-1"')
    paths = [tmp_path / f"{user}.xmi" for user in ("ann", "bob")]
    for path in paths:
        path.write_bytes(latin.encode("latin-1"))
    run = arbitree("agree", *paths, "--layer", layer)
    assert (run.returncode, b"not valid" in run.stderr) == (0, False)
    target = tmp_path / ("out.conllu" if layer == "Dependency" else "out.tsv")
    assert arbitree("convert", paths[0], target, "--layer", layer).returncode == 0


def test_controls_of_xml_1_1_keep_their_places():
    doc = Doc(words=(("Rain", "x", "fell", "."), WORDS[1]))
    text = doc.xmi().replace('sofaString="Rain x', 'sofaString="Rain &#1;')
    entries = entries_of(Content("file", text.encode(), reading=Reading(layer="POS")), "cas_xmi")
    assert [str(entry.value) for entry in entries[:3]] == ["NN", "SYM", "VBD"]


def test_parts_of_speech_with_types_of_their_own_are_one_layer():
    text = Doc(heads=None).xmi().replace(":POS ", ":POS_NOUN ", 1)
    found = Content("file", text.encode())
    assert [layer.count for layer in plugins.get("formats", "cas_xmi").layers(found)] == [7]


@pytest.mark.parametrize("name", ["cas_xmi", "cas_json"])
@pytest.mark.parametrize("layer", [DEPENDENCY, POS])
def test_subtypes_belong_to_the_layer_of_their_supertype(name, layer):
    """A token with a relation of such a type had no head; a subtype of a subtype is the same."""
    short = layer.rpartition(".")[2]
    supertypes = {"Between": layer, "Own": "webanno.custom.Between"}
    text = FORMATS[name](Doc())
    if name == "cas_xmi":
        other = re.sub(rf"<p\d+:{short} ", "<own:Own ", text, count=1)
        other = other.replace("<xmi:XMI ", '<xmi:XMI xmlns:own="http:///webanno/custom.ecore" ')
    else:
        described = {f"webanno.custom.{each}": {"%SUPER_TYPE": above} for each, above in supertypes.items()}
        other = text.replace(f'"%TYPE": "{layer}"', '"%TYPE": "webanno.custom.Own"', 1)
        other = other.replace('"%TYPES": {}', f'"%TYPES": {json.dumps(described)}')
    assert "Own" in other
    system = types(**supertypes).encode()
    read = [
        entries_of(Content("file", each.encode(), reading=Reading(layer=short), types=system), name)
        for each in (text, other)
    ]
    assert [str(each.value) for each in read[1]] == [str(each.value) for each in read[0]]


def test_xmi_without_a_type_system_knows_subtypes_in_the_package_of_a_layer():
    text = Doc(tags=None).xmi().replace(":Dependency ", ":ROOT ", 1)
    found = Content("file", text.encode())
    assert [layer.count for layer in plugins.get("formats", "cas_xmi").layers(found)] == [7]


@pytest.mark.parametrize("types", [[], {"a": [], "b": {"%SUPER_TYPE": 1}, "c": {"%SUPER_TYPE": "c"}}])
def test_a_broken_type_system_in_json_is_not_used(types):
    text = Doc().json().replace('"%TYPES": {}', f'"%TYPES": {json.dumps(types)}')
    assert len(entries_of(Content("file", text.encode(), reading=Reading(layer="POS")), "cas_json")) == 7


def test_two_files_of_two_formats_are_one_study(tmp_path):
    (tmp_path / "ann.tsv").write_text(Doc().tsv(), encoding="utf-8")
    other = replace(Doc(), heads=(HEADS[0], (2, 2, 1)))
    (tmp_path / "bob.json").write_text(other.json(), encoding="utf-8")
    study = read_study([str(tmp_path / "ann.tsv"), str(tmp_path / "bob.json")], layer="Dependency")
    assert study.coders == ("ann", "bob")
    assert study.settings[-1].endswith("type.dependency.Dependency.DependencyType")


def test_a_layer_is_converted_to_a_format_that_other_programs_read(tmp_path):
    (tmp_path / "ann.json").write_text(Doc().json(), encoding="utf-8")
    trees = at.convert(tmp_path / "ann.json", tmp_path / "ann.conllu", layer="Dependency")
    assert trees.read_text(encoding="utf-8").splitlines()[1] == "1\tRain\t_\t_\tNN\t_\t3\tnsubj\t_\t_"
    table = at.convert(tmp_path / "ann.json", tmp_path / "ann.tsv", layer="POS")
    assert [str(cell.value) for cell in read_study([str(table)]).cells.values()][:2] == ["NN", "SYM"]


def test_white_space_around_annotations_is_not_a_difference():
    cas = Cas("Rain  fell", tokens=[(0, 4), (6, 10)])
    assert cas.settled((0, 5)) == (0, 4)
    assert cas.settled((5, 5)) == (4, 4)  # as INCEpTION moves it when it exports TSV


def test_offsets_in_utf_16_become_code_points():
    """The nine annotations and the 38 units are in the README of the data."""
    offset = code_points("a\U0001f327b\U0001f327")
    assert [offset(unit) for unit in (0, 1, 3, 4, 6)] == [0, 1, 2, 3, 4]


def test_tsv_and_xmi_of_the_suite_of_the_tool_are_the_same(data):
    """The README says that both contain the same annotations, with other names for some types."""
    compared = 0
    for case in sorted((data / SUITE).iterdir()):
        if not (case / "reference.xmi").exists():
            continue
        first, second = (_found(case, name) for name in ("reference.tsv", "reference.xmi"))
        assert first == second, case.name
        compared += any(entries for entries in first.values())
    assert compared >= 20


def _found(case, file):
    """Return the places and values of every layer that can be read, by feature."""
    name = {".tsv": "webanno_tsv", ".xmi": "cas_xmi"}[file[-4:]]
    reader = plugins.get("formats", name)
    whole = Content(str(case / file), (case / file).read_bytes())
    found = {}
    for layer in reader.layers(whole):
        feature = layer.feature.replace("intValue", "integerValue")  # the cases name it differently
        if layer.obstacle:
            found[feature, layer.unit] = []
            continue
        own = replace(whole, reading=Reading(layer=layer.full))
        entries = entries_of(own, name)
        found[feature, layer.unit] = [
            (entry.id, entry.value.tokens, getattr(entry.value, "heads", None)) for entry in entries
        ]
    return found


def test_relations_of_two_annotators_differ_in_one_label(data):
    """26 tokens with the same heads and one other label, counted in the files: LAS 25/26, UAS 1."""
    folder = data / "tools/inception/curation-testsuite/relationLabelTest"
    study = at.read(folder / "user1.tsv", folder / "user2.tsv", layer="Dependency")
    table = at.agree(study, ["las", "uas"], resamples=0)
    assert (table["las"].value, table["uas"].value) == (pytest.approx(25 / 26), 1)


def test_nine_annotations_with_emoji_have_the_places_of_the_readme(data):
    path = data / "tools/inception/cas-json/casWithEmojiUnicodeTextAndAnnotations/data.json"
    cas = plugins.get("formats", "cas_json").parse(Content(str(path), path.read_bytes()))
    (layer,) = cas.layers.values()
    assert len(layer.marks) == 9
    assert [cas.text[mark.begin : mark.end] for mark in layer.marks][:2] == ["\U0001f973", "This"]
    assert len(cas.text.encode("utf-16-le")) == 2 * 38
    assert len(cas.text) < 38


def test_spans_of_the_curiam_corpus_are_counted_and_not_read(data):
    """782 and 783 spans, as in the README of the data."""
    folders = [str(data / "tools/inception/curiam" / name) for name in ("michael", "nathan")]
    with pytest.raises(ArbitreeError, match=r"Span\.label \(1,565 spans, spans of several tokens\)"):
        read_study(folders, dirs=True)


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        ("inception/**/*.tsv", "webanno_tsv"),
        ("inception/**/*.xmi", "cas_xmi"),
        ("inception/**/*.json", "cas_json"),
        ("redewiedergabe/**/*.xmi*", "cas_xmi"),
    ],
)
def test_files_of_the_tools_are_detected_and_parsed(data, pattern, name):
    paths = [path for path in sorted((data / "tools").glob(pattern)) if path.stat().st_size]
    assert paths
    for path in paths[::3]:
        content = load(str(path))
        assert detect([content]) == [name]
        assert plugins.get("formats", name).parse(content).text
