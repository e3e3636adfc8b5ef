"""Exports of Arborator and INCEpTION; the small ones are made in ``tests.support.uima``."""

from __future__ import annotations

import io
import json
import zipfile
from collections import Counter
from dataclasses import replace

import pytest

import arbitree as at
from arbitree.errors import ArbitreeError, FormatError, StudyError
from arbitree.reading.assembly import read_study
from arbitree.study.study import Study
from tests.support.commands import arbitree
from tests.support.uima import HEADS, TAGS, Doc, packed, project, types

TREE = "1\tRain\t_\tNOUN\t_\t_\t2\t{}\t_\t_\n2\tfell\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
RIGHT, WRONG = (f"# sent_id = s1\n{TREE.format(label)}" for label in ("nsubj", "obj"))
DUMP = {
    "ann/one.conllu": RIGHT,
    "ann/two.conllu": RIGHT,
    "bob/one.conllu": WRONG,
    "bob/two.conllu": RIGHT,
    "validated/one.conllu": RIGHT,
    "base_tree/one.conllu": WRONG,
    "last/one.conllu": WRONG,
}
OTHER = replace(Doc(), tags=(("NN", "NN", "VBD", None), TAGS[1]), heads=(HEADS[0], (2, 2, 1)))
DOCS = {
    ("a.txt", "ann"): Doc(),
    ("a.txt", "bob"): OTHER,
    ("b.txt", "ann"): Doc(),
    ("b.txt", "cho"): Doc(),
    ("a.txt", "CURATION_USER"): Doc(),
    ("a.txt", "INITIAL_CAS"): OTHER,
}


def saved(path, files) -> str:
    path.write_bytes(packed(files))
    return str(path)


def read(path, **options) -> tuple[Study, list[str]]:
    lines: list[str] = []
    return read_study([str(path)], say=lines.append, **options), lines


def test_a_dump_of_arborator_is_one_study_with_its_gold_standard_apart(tmp_path):
    study, lines = read(saved(tmp_path / "dump.weather.zip", DUMP))
    assert lines[:3] == [
        "Export of Arborator: 2 samples",
        "Format detected: conllu",
        "Annotators: ann (2), bob (2); gold standard: validated (1); "
        "used only by name: base_tree (1), last (1)",
    ]
    assert study.coders == ("ann", "bob")
    assert [item.id for item in study.items] == ["one/s1", "two/s1"]
    assert study.documents == ("one", "two")
    scores = at.score(study, measures="las", resamples=0)
    assert (scores["ann"]["las"].value, scores["bob"]["las"].value) == (1, 0.5)
    started = at.score(study, gold="base_tree", measures="las", resamples=0)
    assert (started["ann"]["las"].value, started["bob"]["las"].value) == (0.5, 1)


def test_dumps_of_older_versions_are_read(tmp_path):
    flat = {f"{name.split('/')[1][:-7]}.{name.split('/')[0]}.conllu": text for name, text in DUMP.items()}
    assert "one.ann.conllu" in flat
    study, _ = read(saved(tmp_path / "dump.zip", flat))
    assert study.coders == ("ann", "bob")
    assert study.documents == ("one", "two")


@pytest.mark.parametrize("format", ["tsv", "json", "xmi", "zip"])
def test_a_project_of_inception_is_one_study_in_every_format(tmp_path, format):
    study, lines = read(saved(tmp_path / "p.zip", project(DOCS, format=format)), layer="POS")
    assert lines[0] == "Export of INCEpTION: 2 documents"
    assert lines[2:4] == [
        "Layer: POS, feature PosValue (40 labels)",  # 7 each, one less for bob and in the initial document
        "Annotators: ann (14), bob (6), cho (7); gold standard: CURATION_USER (7); "
        "used only by name: INITIAL_CAS (6)",
    ]
    assert study.coders == ("ann", "bob", "cho")
    assert len(study.items) == 14
    assert study.texts.columns["text"]["a.txt/5-6"] == "Rain [\U0001f327] fell . Snow melts ."
    assert {item for (item, coder), cell in study.cells.items() if str(cell.value) == "SYM"} == {
        "a.txt/5-6",
        "b.txt/5-6",
    }


@pytest.mark.parametrize("format", ["xmi", "zip"])
def test_xmi_in_a_project_declares_its_encoding(tmp_path, format):
    words = (("Grêle", "été", "fell", "."), ("Snow", "melts", "."))
    files = project({key: replace(doc, words=words) for key, doc in DOCS.items()}, format=format)
    for name, data in files.items():
        if name.endswith(".xmi"):
            files[name] = _in_latin(data)
        elif name.endswith(".zip"):
            with zipfile.ZipFile(io.BytesIO(data)) as inner:
                texts = {each: inner.read(each).decode() for each in inner.namelist()}
            files[name] = packed(
                {each: _in_latin(text) if each.endswith(".xmi") else text for each, text in texts.items()}
            )
    study, _ = read(saved(tmp_path / "p.zip", files), layer="POS")
    assert study.texts.columns["text"]["a.txt/6-9"] == "Grêle [été] fell . Snow melts ."


def _in_latin(text: str) -> bytes:
    return text.replace('encoding="UTF-8"', 'encoding="ISO-8859-1"').encode("latin-1")


def test_a_layer_of_relations_in_a_project_gives_trees_of_all_annotators(tmp_path):
    path = saved(tmp_path / "p.zip", project(DOCS))
    study, lines = read(path, layer="Dependency")
    assert "Annotators: ann (4), bob (2), cho (2); gold standard: CURATION_USER (2); used only by name: " in (
        "\n".join(lines)
    )
    las = at.agree(study, "las", resamples=0)["las"].value
    assert las == pytest.approx(13 / 14)  # one of 14 tokens that two annotators share has another head
    scores = at.score(study, measures="uas", resamples=0)
    assert scores["bob"]["uas"].value == pytest.approx(6 / 7)


def test_unpacked_and_repacked_exports_are_the_same_study(tmp_path):
    files = project(DOCS)
    expected, _ = read(saved(tmp_path / "p.zip", files), layer="POS")
    mac = {f"__MACOSX/w/{name.rpartition('/')[0]}/._{name.rpartition('/')[2]}": b"\0\5" for name in files}
    again = {f"weather/{name}": text for name, text in files.items()} | mac | {"weather/.DS_Store": b"\0"}
    for name, text in files.items():
        place = tmp_path / "folder" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode())
    for path in (saved(tmp_path / "again.zip", again), tmp_path / "folder"):
        found, _ = read(path, layer="POS")
        assert {key: cell.value for key, cell in found.cells.items()} == {
            key: cell.value for key, cell in expected.cells.items()
        }


def test_documents_that_are_not_finished_are_missing_and_named(tmp_path):
    states = {("b.txt", "ann"): "IN_PROGRESS", ("b.txt", "cho"): "IN_PROGRESS", ("a.txt", "bob"): "IGNORE"}
    path = saved(tmp_path / "p.zip", project(DOCS | {("c.txt", "ann"): Doc()}, states))
    study, _ = read(path, layer="POS")
    assert study.coders == ("ann",)
    assert study.notes == (
        "documents that are not finished are missing: ann (b.txt); cho (b.txt). Set --state all to read them",
    )
    assert read(path, layer="POS", state="all")[0].coders == ("ann", "cho")
    only = {("a.txt", "ann"): "IN_PROGRESS"}
    path = saved(tmp_path / "open.zip", project({("a.txt", "ann"): Doc()}, only))
    with pytest.raises(FormatError, match="no annotator finished a document; not finished: 1 document"):
        read(path)
    with pytest.raises(ArbitreeError, match="unknown state 'al'"):
        read(path, state="al")


def test_finished_without_anything_to_mark_is_an_annotation(tmp_path):
    nothing = replace(Doc(), tags=None, heads=None)
    files = project({("a.txt", "ann"): Doc(), ("a.txt", "bob"): nothing})
    path = saved(tmp_path / "p.zip", files)
    trees, _ = read(path, layer="Dependency")
    assert trees.cells["1", "bob"].value.relations == ("_", "_", "_", "_")
    labels, _ = read(path, layer="POS")
    assert labels.coders == ("ann", "bob")
    assert labels.missing == 7


def test_two_texts_under_one_name_are_an_error_with_the_first_difference(tmp_path):
    other = replace(Doc(), words=(("Hail", *Doc().words[0][1:]), Doc().words[1]))
    path = saved(tmp_path / "p.zip", project({("a.txt", "ann"): Doc(), ("a.txt", "bob"): other}))
    with pytest.raises(StudyError) as error:
        read(path, layer="POS")
    assert str(error.value).startswith(
        f"{path}/annotation/a.txt/bob.tsv: the text of 'a.txt' differs from that of ann at character 1: 'Hail"
    )


def test_an_error_in_an_export_names_the_inner_file_and_the_line(tmp_path):
    path = saved(tmp_path / "dump.zip", {**DUMP, "bob/one.conllu": RIGHT.replace("\t2\t", "\tx\t")})
    with pytest.raises(FormatError) as error:
        read(path)
    assert str(error.value).startswith(f"{path}/bob/one.conllu:2: head 'x' is not a number")
    nested = project(DOCS, format="zip")
    name = next(name for name in nested if name.startswith("annotation/a.txt/"))
    nested[name] = packed({"ann.xmi": Doc().xmi().replace('end="4"', 'end="999"', 1)})
    path = saved(tmp_path / "p.zip", nested)
    with pytest.raises(FormatError) as error:
        read(path)
    assert str(error.value).startswith(f"{path}/{name}/ann.xmi:10: the annotation has the offsets '0-999'")


def _encrypted() -> bytes:
    data = bytearray(packed({"ann/one.conllu": RIGHT}))
    for place in (data.find(b"PK\3\4") + 6, data.find(b"PK\1\2") + 8):
        data[place] |= 1
    return bytes(data)


def _leaving() -> bytes:
    return packed({"ann/one.conllu": RIGHT, "../bob/one.conllu": RIGHT})


def _bomb() -> bytes:
    inner = packed({"ann.xmi": b"x" * (33 << 20)})
    return packed({"annotation/a/x.zip": inner, "annotation/b/x.zip": inner, "exportedproject1.json": "{}"})


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (packed({"readme.txt": "hello"}), "this zip file is not an export of Arborator or INCEpTION"),
        (packed({}), r"this zip file is not an export .* \(it is empty\)"),
        (_encrypted(), "the file 'ann/one.conllu' in the zip file is encrypted"),
        (_leaving(), r"the zip file contains a path that leaves it \('../bob/one.conllu'\)"),
        (_bomb(), "the compressed data expand to more than 100 times their size"),
        (packed(DUMP)[:-30], r"cannot read the zip file \(File is not a zip file\)"),
        (
            packed({"annotation_ser/a/x.ser": b"\0"}),
            r"only as \.ser files.*Export again with UIMA CAS JSON or",
        ),
        (packed({"annotation/a/x.txt": "Rain"}), "the annotations of x were exported without layers"),
        (packed({"annotation/a/x.tsv": " "}), "x.tsv:1: the file is empty"),
        (packed({"exportedproject1.json": "["}), r"exportedproject1\.json:1: the file is not valid JSON"),
        (packed({"exportedproject1.json": "[]"}), "the project contains no annotations"),
        (packed({"annotation/a/x.zip": b"PK"}), r"a/x\.zip: cannot read the zip file"),
    ],
    ids=lambda value: "" if isinstance(value, bytes) else value[:20],
)
def test_bad_exports_are_one_clear_line(tmp_path, data, what):
    path = tmp_path / "p.zip"
    path.write_bytes(data)
    with pytest.raises(ArbitreeError, match=what) as error:
        read(path)
    assert str(error.value).startswith(str(path))
    assert "\n" not in str(error.value)


def test_a_zip_file_with_one_document_belongs_to_the_annotator_of_the_file(tmp_path):
    paths = [
        saved(tmp_path / f"{user}.zip", {f"{user}.xmi": Doc().xmi(), "TypeSystem.xml": types()})
        for user in ("ann", "bob")
    ]
    study = read_study(paths, layer="POS")
    assert (study.coders, len(study.items), study.notes) == (("ann", "bob"), 7, ())


def test_converting_a_zip_file_says_what_to_do(tmp_path):
    path = saved(tmp_path / "dump.zip", DUMP)
    with pytest.raises(FormatError, match=r"this is a zip file\. Unpack it"):
        at.convert(path, tmp_path / "out.conllu")


def test_a_directory_that_is_no_export_names_what_to_pass_instead(tmp_path):
    with pytest.raises(FormatError, match=r"\(it is empty\)\. Pass one file per annotator\.$"):
        read(tmp_path)
    (tmp_path / "ann.mrg").write_text("(S (NP x))", encoding="utf-8")
    (tmp_path / "bob.mrg").write_text("(S (NP x))", encoding="utf-8")
    with pytest.raises(FormatError, match="got a directory that is not an export ") as error:
        read(tmp_path)
    files = f"{tmp_path}/ann.mrg {tmp_path}/bob.mrg"
    assert error.value.hint == f"Pass the files in it: {files}; if they belong to one annotator, add --dirs"
    (tmp_path / "cho").mkdir()
    (tmp_path / "cho" / "cho.mrg").write_text("(S (NP x))", encoding="utf-8")
    with pytest.raises(
        FormatError, match=rf"For one directory per annotator, add dirs=True, and pass {tmp_path}/cho"
    ):
        read(tmp_path)


def test_an_export_of_one_annotator_asks_for_the_others(tmp_path):
    path = saved(tmp_path / "dump.zip", {"ann/one.conllu": RIGHT})
    with pytest.raises(StudyError) as error:
        at.agree(read(path)[0])
    what = "agreement needs at least two annotators, but only ann was found"
    hint = "Export the annotations of all annotators, or pass those of others as well."
    assert str(error.value) == f"{path}: {what}. {hint}"


def test_a_directory_of_directories_names_them_for_the_option(tmp_path):
    for name in ("bob", "ann"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "text.mrg").write_text("(S (NP x))", encoding="utf-8")
    with pytest.raises(FormatError) as error:
        read(tmp_path)
    assert str(error.value).endswith(f"add dirs=True, and pass {tmp_path}/ann {tmp_path}/bob.")


def test_a_larger_limit_is_respected(tmp_path):
    path = saved(tmp_path / "dump.zip", DUMP)
    with pytest.raises(FormatError, match="the compressed data expand to more than 100 bytes"):
        read(path, max_size="100")


def test_the_same_name_twice_in_a_zip_file_is_an_error(tmp_path):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("ann/a.conllu", RIGHT)
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("ann/a.conllu", WRONG)
    (tmp_path / "p.zip").write_bytes(data.getvalue())
    with pytest.raises(FormatError, match="two files in the zip file have the same name"):
        read(tmp_path / "p.zip")


def test_list_layers_shows_layers_features_and_counts(tmp_path):
    path = saved(tmp_path / "p.zip", project(DOCS))
    done = arbitree("list", "layers", path)
    assert done.stdout.decode().splitlines() == [
        "Dependency.DependencyType  42 relations; read as dependency trees",
        "POS.PosValue               40 labels; read as labels",
    ]
    found = json.loads(arbitree("list", "layers", path, "--json").stdout)["layers"]
    assert [each["name"] for each in found] == ["Dependency.DependencyType", "POS.PosValue"]
    missing = arbitree("list", "layers")
    assert (missing.returncode, missing.stdout) == (2, b"")
    assert b"no layers" in arbitree("list", "layers", "README.md").stderr


def test_list_formats_tells_how_to_export():
    shown = arbitree("list", "formats").stdout.decode()
    assert "secondary format UIMA CAS JSON" in shown
    assert "click Export, and choose all users" in shown


def test_report_and_agree_read_an_export(tmp_path):
    path = saved(tmp_path / "p.zip", project(DOCS))
    done = arbitree("report", path, "--layer", "POS", "-o", tmp_path / "out", "--resamples", "0")
    assert done.returncode == 0, done.stderr
    assert "Rain [" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    stopped = arbitree("agree", path)
    assert stopped.returncode == 2
    assert stopped.stderr.decode().splitlines()[-1] == (
        f"{path}: there are several layers: Dependency.DependencyType (42 relations), "
        "POS.PosValue (40 labels). Choose one: --layer Dependency, or --layer POS."
    )


def test_a_value_of_an_export_is_verified_by_its_signature(tmp_path):
    path = saved(tmp_path / "p.zip", project(DOCS))
    found = json.loads(arbitree("agree", path, "--layer", "POS", "--json", "--resamples", "0").stdout)
    result = found["results"][0]
    done = arbitree("agree", path, "--verify", f"{result['value']:.4f} {result['signature']}")
    assert done.stdout.decode().startswith("verified: ")


def test_the_example_project_has_the_numbers_of_its_readme(data):
    """Computed there with krippendorff 0.9.0 over document, begin and end."""
    study, _ = read(data / "tools/inception/projects/Example_Project_POS.zip")
    assert study.coders == ("ia-test1", "ia-test2", "ia-test3")
    assert len(study.items) == 128
    assert any("zesch (test1.txt)" in note for note in study.notes)

    counts = Counter((cell.coder, cell.item.document) for cell in study.cells.values())
    assert [[counts[coder, name] for coder in study.coders] for name in study.documents] == [
        [40, 64, 63],  # spans without the two that have no value
        [44, 47, 47],
        [16, 16, 16],
    ]
    assert len(study.gold) == 16

    def alpha(*coders):
        return at.agree(study.select(coders=coders), "alpha_nominal", resamples=0)["alpha_nominal"].value

    assert alpha(*study.coders) == pytest.approx(0.812845, abs=5e-7)
    assert alpha("ia-test1", "ia-test2") == pytest.approx(0.769172, abs=5e-7)
    assert alpha("ia-test1", "ia-test3") == pytest.approx(0.758480, abs=5e-7)
    assert alpha("ia-test2", "ia-test3") == pytest.approx(0.881827, abs=5e-7)
    curated = study.taking("CURATION_USER")
    four = at.agree(curated, "alpha_nominal", resamples=0)["alpha_nominal"].value
    assert four == pytest.approx(0.812959, abs=5e-7)
    single = [
        at.agree(
            study.select(items=[item.id for item in study.items if item.document == name]), "alpha_nominal"
        )
        for name in study.documents
    ]
    values = [table["alpha_nominal"].value for table in single]
    assert values == pytest.approx([0.765723, 0.868364, 0.804777], abs=5e-7)


def test_a_project_with_only_java_files_names_the_formats_to_export(data):
    with pytest.raises(FormatError, match="Export again with UIMA CAS JSON or WebAnno TSV"):
        read(data / "tools/inception/projects/test-project-with-recommenders.zip")


def test_trees_packed_as_a_dump_have_the_agreement_of_the_files(data, tmp_path):
    """The alphas of NDT 1 in Skjærholt (2014), which ``tests/papers`` compares with the paper."""
    files = {}
    for coder in ("odin", "thor"):
        at.convert(data / f"syn-agreement/ndt/{coder}-danish.conll", tmp_path / f"{coder}.conllu")
        files[f"{coder}/danish.conllu"] = (tmp_path / f"{coder}.conllu").read_bytes()
    study, _ = read(saved(tmp_path / "dump.ndt.zip", files))
    table = at.agree(study, ["alpha_plain", "alpha_diff", "alpha_norm"], resamples=0)
    assert [len(study.items), *(result.value for result in table)] == pytest.approx(
        [130, 0.983827, 0.930487, 0.988325], abs=5e-7
    )
