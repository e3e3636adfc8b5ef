"""Files in related formats are named, and never read as something else."""

import json
from pathlib import Path

import pytest

from arbitree import plugins
from arbitree.errors import FormatError
from arbitree.reading.assembly import read_study
from arbitree.reading.content import Content, load
from arbitree.reading.detection import detect, unknown_format
from arbitree.reading.foreign import FOREIGN, foreign_format

SPAN = {"value": {"start": 3, "end": 7, "text": "rain", "labels": ["Weather"]}, "type": "labels"}
TREE = "1\tRain\train\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tfell\tfall\tVERB\t_\t_\t0\troot\t_\t_\n\n"

AMR = "# ::id 1\n# ::snt Rain fell.\n(f / fall-01\n    :ARG1 (r / rain))\n\n(r / rain)\n"
UMR = """# :: snt1
Index: 1    2
Words: Rain fell

# sentence level graph:
(s1f / fall-01
    :ARG1 (s1r / rain))

# document level annotation:
(s1s0 / sentence :temporal ((past :before s1f)))
"""
WEBANNO = "#Text=Rain fell\n1-1\t0-4\tRain\tN\t\n1-2\t5-9\tfell\tV\t\n"
BRAT = "T1\tWeather 0 4\tRain\nT2\tEvent 5 9\tfell\nE1\tEvent:T2 Theme:T1\nA1\tSure E1\n"
ENTITY = '{"id": 0, "start_offset": 0, "end_offset": 4, "label": "W"}'
UIMA = "http://uima.apache.org/resourceSpecifier"
LABEL_STUDIO = {"id": 1, "annotations": [{"completed_by": 4, "result": [SPAN]}], "data": {"text": "rain"}}
MINIMAL = {"id": 1, "text": "rain", "annotator": 4, "tags": [SPAN["value"]]}
MARKED = '{"text": "Oslo", "spans": [{"start": 0, "end": 4, "label": "LOC"}], "answer": "accept"}'

# The beginning of the name of the format, the name of the file, and its text; all written for this test.
FILES = [
    ("WebAnno TSV without", "b.tsv", WEBANNO),
    ("a UIMA type system", "types.xml", f'<typeSystemDescription xmlns="{UIMA}"/>\n'),
    ("CoNLL-U Plus", "a.conllup", "# global.columns = ID FORM UPOS HEAD DEPREL\n1\ta\tX\t0\troot\n\n"),
    ("CoNLL-2009", "a.conll", "1\ta\ta\ta\tX\tX\t_\t_\t0\t0\troot\troot\t_\t_\n\n"),
    ("brat", "a.ann", BRAT),
    ("brat", "b.ann", "T1\tWeather 0 4;9 12\tRain sea\n#1\tAnnotatorNotes T1\twhich one?\n*\tEquiv T1 T1\n"),
    ("Label Studio", "b.json", json.dumps([LABEL_STUDIO])),
    ("Label Studio", "min.json", json.dumps([MINIMAL])),
    ("doccano", "a.jsonl", '{"id": 1, "text": "Rain fell", "label": [[0, 4, "W"]]}\n'),
    ("doccano", "b.jsonl", f'{{"text": "Rain", "entities": [{ENTITY}]}}\n'),
    ("doccano", "c.jsonl", '{"text": "Rain", "annotations": [{"label": 2, "user": 1}]}\n'),
    (
        "Prodigy JSON with spans",
        "p.jsonl",
        f'{{"spans": [], "answer": "accept"}}\n{MARKED}\n',
    ),
    ("EAF", "a.eaf", '<?xml version="1.0"?>\n<ANNOTATION_DOCUMENT VERSION="3.0"></ANNOTATION_DOCUMENT>\n'),
    ("TEI", "a.xml", '<?xml version="1.0"?>\n<TEI xmlns="http://www.tei-c.org/ns/1.0"><text/></TEI>\n'),
    ("TEI", "b.xml", "<!DOCTYPE TEI.2 [ <!ENTITY a 'b'> ]>\n<TEI.2><text/></TEI.2>\n"),
]
IDS = [path for _, path, _ in FILES]


@pytest.mark.parametrize(("name", "path", "text"), FILES, ids=IDS)
def test_a_related_format_is_named(tmp_path, name, path, text):
    for file in (path, "bare"):  # the extension does not matter
        (tmp_path / file).write_text(text, encoding="utf-8")
        with pytest.raises(FormatError) as error:
            read_study([str(tmp_path / file)])
        assert f": this looks like {name}" in str(error.value)
        assert ", which Arbitree does not read. " in str(error.value)


def test_every_entry_is_tested_and_documented():
    docs = Path(__file__).parents[2].joinpath("docs/reading-files.md").read_text(encoding="utf-8")
    for each in FOREIGN:
        assert any(each.name.startswith(name) for name, _, _ in FILES)
        assert each.name.partition(" (")[0].partition(" with")[0].removeprefix("a ") in docs


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.mrg", "(S (NP (NN rain)) (VP (VBD fell)) (: /) (NP (CD 7)))"),
        ("a.mrg", "(S/NP (NP (NN rain)) (S\\NP (VBD fell)))"),
        ("a.mrg", "(NP (SYM /) (NN rain))"),
        ("a.mrg", "(S (NP (NN a/b)) (SYM :x))"),
        ("a.delex", "(S (NP NN / NN) VP)"),
        ("a.conllu", f"# sent_id = 1\n# user_id = ann\n{TREE}# sent_id = 2\n# user_id = bob\n{TREE}"),
        ("a.conllu", f"# text = user_id\n{TREE}"),
        ("a.conllu", "1-2\t10-11\t_\t_\t_\t_\t_\t_\t_\t_\n" + TREE),
        ("a.tsv", "item\tcoder\tlabel\nT1\tann\tPER 1 2\n"),
        ("a.tsv", "T1\tx\ty\nT2\tx\tx\n"),
        ("a.jsonl", '{"id": 1, "text": "rain", "label": ["pos"]}\n'),
        ("a.jsonl", MARKED.replace('"answer"', '"accept": ["good"], "answer"')),
        ("a.jsonl", MARKED.replace('"label": "LOC"', '"source": "en"')),
        ("a.json", '[{"id": 1, "text": "rain", "annotator": 4, "mood": "pos", "lead_time": 3.5}]'),
        ("a.jsonl", '{"item": 1, "coder": "ann", "label": {"rain": 0.5, "snow": 0.5}}\n'),
        ("a.xml", "<corpus><head/><body><s><graph/></s></body></corpus>"),
        ("a.xml", "<?x?>" * 10000),
        ("a.txt", AMR),
        ("a.umr", UMR),
    ],
)
def test_files_that_arbitree_reads_are_not_foreign(name, text):
    assert foreign_format(Content(name, text.encode())) is None


def test_a_format_that_is_given_is_not_questioned(tmp_path):
    path = tmp_path / "ann.txt"
    path.write_text(AMR, encoding="utf-8")
    assert len(read_study([str(path)], format="brackets").items) == 2


def test_another_package_may_read_a_related_format(tmp_path, monkeypatch):
    class Brat(type(plugins.get("formats", "delexicalised"))):
        def sniff(self, content):
            return 1.0 if content.head.startswith("T1\t") else 0.0

    monkeypatch.setitem(plugins.plugins("formats"), "brat", Brat())
    assert detect([Content("a.txt", BRAT.encode()), Content("a.tsv", WEBANNO.encode())]) == ["brat", None]


def test_directories_skip_related_formats_with_their_name(tmp_path):
    for name in ("ann", "bob"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.conllu").write_text(TREE, encoding="utf-8")
        (tmp_path / name / "a.ann").write_text(BRAT, encoding="utf-8")
    said = []
    study = read_study([str(tmp_path / "ann"), str(tmp_path / "bob")], dirs=True, say=said.append)
    assert len(study.cells) == 2
    skipped = f"warning: skipped {tmp_path / 'ann' / 'a.ann'}: this looks like brat standoff, which Arbitree"
    assert any(line.startswith(skipped) for line in said)


def test_directories_without_a_known_format_name_the_related_one(tmp_path):
    for name in ("ann", "bob"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text("Rain fell.\n", encoding="utf-8")
        (tmp_path / name / "a.ann").write_text(
            BRAT, encoding="utf-8"
        )  # brat keeps text and annotations side by side
    with pytest.raises(FormatError, match="this looks like brat standoff"):
        read_study([str(tmp_path / "ann"), str(tmp_path / "bob")], dirs=True)


@pytest.mark.parametrize(
    ("folder", "pattern", "name"),
    [
        ("tools/brat", "**/*.ann", "brat"),
        ("tools/doccano", "*.json*", "doccano"),
        ("tools/label-studio", "*.json", "Label Studio"),
    ],
)
def test_files_of_real_tools_are_named(data, folder, pattern, name):
    paths = [path for path in sorted((data / folder).glob(pattern)) if path.stat().st_size]
    assert paths
    for path in paths:
        content = load(str(path))
        assert detect([content]) == [None]
        assert unknown_format(content).what.startswith(f"this looks like {name}"), path
