"""What holds of every format: round trip, detection, line numbers, missing annotations, broken files."""

import gzip
import random
from dataclasses import dataclass, field, replace
from pathlib import Path
from shutil import copytree

import pytest

from arbitree import kinds, plugins
from arbitree.errors import ArbitreeError, FormatError, UnsupportedStudy
from arbitree.reading.assembly import read_study
from arbitree.reading.content import Content, Entry, load
from arbitree.reading.detection import detect
from tests.support.uima import Doc

FORMATS = plugins.plugins("formats")
PROFILE = Path("examples/profiles/ann")


@dataclass(frozen=True)
class Sample:
    """Two annotated items in one format, and what is known about the file."""

    text: str = ""  # empty: a directory
    wrong: dict[int, tuple[str, int]] = field(default_factory=dict)  # line number: its new text, error line
    without_last: str = ""  # the same file without the annotation of the last item
    gap: str = ""  # the same file with an empty annotation of the last item
    detected: str | None = None  # its format if not the one by which it is listed


CONLL = """1	Rain	rain	{0}	{0}	_	2	nsubj	_	_
2	fell	fall	{1}	{1}	_	0	root	_	_

"""
SAID = "1	Go	go	{1}	{1}	_	0	root	_	_\n\n"
NEGRA = (
    "#FORMAT 4\n#BOS 1 0 0 0\nRain\t--\tNN\t--\t--\t500\nfell\t--\tVBD\t--\t--\t500\n"
    "#500\t--\tS\t--\t--\t0\n#EOS 1\n"
)
NEGRA_2 = "#BOS 2 0 0 0\nGo\t--\tVB\t--\t--\t500\n#500\t--\tS\t--\t--\t0\n#EOS 2\n"
TIGER = """<corpus id="c">
<body>
{0}
</body>
</corpus>
"""
GRAPH = """<s id="{0}">
<graph root="{0}_5">
<terminals>
<t id="{0}_1" word="Go" pos="VB"/>
</terminals>
<nonterminals>
<nt id="{0}_5" cat="S">
<edge label="--" idref="{0}_1"/>
</nt>
</nonterminals>
</graph>
</s>"""
PRAGUE = """<treex_document xmlns="http://ufal.mff.cuni.cz/pdt/pml/">
<bundles>
{0}
</bundles>
</treex_document>
"""
BUNDLE = """<LM id="{0}">
<zones><zone language="en">
<sentence>Rain</sentence>
<trees>
<t_tree id="t-{0}"><children id="t-{0}-1">
<t_lemma>rain</t_lemma>
<deepord>1</deepord>
</children></t_tree>
</trees>
</zone></zones></LM>"""
MRS = """# sent_id = {0}
[ TOP: h0 INDEX: e2
RELS: < [ _rain_v_1<3:9> LBL: h1 ARG0: e2 ] >
HCONS: < h0 qeq h1 > ]
"""
EDS = "# sent_id = {0}\n{{e2: e2:_rain_v_1<3:9>[]}}\n"
AMR = "# ::id {0}\n(f / fall-01\n    :ARG1 (r / rain))\n"
UMR = (
    "# sent_id = {0}\n# sentence level graph:\n(f / fall-01\n    :ARG1 (r / rain))\n"
    "# alignment:\nf: 2-2\n# document level annotation:\n(s / sentence)\n"
)
DOC = Doc(tags=None)
LABELS = "item\tcoder\tlabel\ns1\tann\tN\ns1\tbob\tV\ns2\tann\tN\n"

SAMPLES = {
    "conllu": Sample(
        "# sent_id = s1\n" + CONLL.format("NOUN", "VERB") + "# sent_id = s2\n" + SAID.format("", "VERB"),
        {
            2: ("1	Rain	rain", 2),
            3: ("2	fell	fall	VERB	_	_	x	root	_	_", 3),
            6: ("7	Go	go	VERB	_	_	0	root	_	_", 6),
        },
        "# sent_id = s1\n" + CONLL.format("NOUN", "VERB"),
        "# sent_id = s1\n" + CONLL.format("NOUN", "VERB") + "# sent_id = s2\n\n",
    ),
    "conllx": Sample(
        CONLL.format("NN", "VBD") + SAID.format("", "VB"),
        {
            2: ("2	fell	fall", 2),
            1: ("1	Rain	rain	NN	NN	_	9	nsubj	_	_", 1),
            4: ("3	Go	go	VB	VB	_	0	root	_	_", 4),
        },
        CONLL.format("NN", "VBD"),
    ),
    "brackets": Sample(
        "# sent_id = s1\n(S (NP (NN Rain)) (VP (VBD fell)))\n# sent_id = s2\n(S (VP (VB go)))\n",
        {2: ("(S (NP (NN Rain)) (VP () (VBD fell)))", 2), 4: ("(S (VP (VB go))", 4), 3: ("and then", 3)},
        "# sent_id = s1\n(S (NP (NN Rain)) (VP (VBD fell)))\n",
        "# sent_id = s1\n(S (NP (NN Rain)) (VP (VBD fell)))\n# sent_id = s2\n()\n",
    ),
    "delexicalised": Sample(
        "# sent_id = s1\n(S NP (VP V NP))\n# sent_id = s2\n(S (VP V))\n",
        {2: ("(S NP (VP V NP)", 2), 4: ("(S VP))", 4), 3: ("and then", 3)},
        "# sent_id = s1\n(S NP (VP V NP))\n",
        "# sent_id = s1\n(S NP (VP V NP))\n# sent_id = s2\n()\n",
    ),
    "negra": Sample(
        NEGRA + NEGRA_2,
        {
            3: ("Rain\t--\tNN", 3),
            4: ("fell\t--\tVBD\t--\t--\t777", 4),
            8: ("Go\t--\tVB\t--\t--\tx", 8),
            10: ("#EOS 7", 10),
        },
        NEGRA,
        NEGRA + "#BOS 2 0 0 0\n#EOS 2\n",
    ),
    "tigerxml": Sample(
        TIGER.format(f"{GRAPH.format('s1')}\n{GRAPH.format('s2')}"),
        {
            6: ('<t id="s1_1" word="Go"/', 6),
            9: ('<nt id="s1_1" cat="S">', 9),
            22: ('<edge label="--" idref="s2_7"/>', 22),
        },
        TIGER.format(GRAPH.format("s1")),
    ),
    "pml": Sample(
        PRAGUE.format(f"{BUNDLE.format('s1')}\n{BUNDLE.format('s2')}"),
        {
            6: ("<trees/>", 11),
            9: ("<deepord>first</deepord>", 7),
            18: ("<t_lemma>rain</t_lemm>", 18),
        },
        PRAGUE.format(BUNDLE.format("s1")),
    ),
    "simplemrs": Sample(
        MRS.format("s1") + MRS.format("s2"),
        {3: ("RELS: < [ _rain_v_1<3:9> LBL ] >", 2), 5: ("and then", 5), 8: ("HCONS: < h0 qeq h1 >", 6)},
        MRS.format("s1"),
        MRS.format("s1") + "# sent_id = s2\n",
    ),
    "eds": Sample(
        EDS.format("s1") + EDS.format("s2"),
        {2: ("{e2: e2:_rain_v_1<3:9>[}", 2), 3: ("and then", 3), 4: ("{e2: e2:_rain_v_1<3:9>[]", 4)},
        EDS.format("s1"),
        EDS.format("s1") + "# sent_id = s2\n",
    ),
    "penman": Sample(
        AMR.format("s1") + "\n" + AMR.format("s2"),
        {
            3: ("    :ARG1 (r / rain", 3),
            4: ("and then", 4),
            6: ("(f / fall-01 :ARG1", 6),
            7: ("    :ARG1 (f / rain))", 7),
        },
        AMR.format("s1"),
        AMR.format("s1") + "\n# ::id s2\n",
    ),
    "umr": Sample(
        UMR.format("s1") + "\n" + UMR.format("s2"),
        {4: ("    :ARG1 (r / rain", 4), 6: ("f 1-1", 6), 12: ("    :ARG1 (f / rain))", 12)},
        UMR.format("s1"),
        UMR.format("s1") + "\n# sent_id = s2\n",
    ),
    "labels": Sample(
        LABELS,
        {2: ("s1\tann\tN\tV", 2), 3: ("s1\t\tV", 3), 4: ("\tann\tN", 4)},
        LABELS.replace("s2\tann\tN\n", ""),
        LABELS.replace("s2\tann\tN", "s2\tann\t"),
    ),
    "triples": Sample(
        "ann\ts1\tN\nbob\ts1\tV\nann\ts2\tN\n",
        {1: ("ann\ts1\tN\tV", 1), 2: ("\ts1\tV", 2), 3: ("ann\t\tN", 3)},
        "ann\ts1\tN\nbob\ts1\tV\n",
        "ann\ts1\tN\nbob\ts1\tV\nann\ts2\t\n",
        detected="labels",
    ),
    "ticks": Sample(
        "item\ttag\tcoder\tlabel\ns1\train\tann\t1\ns1\tsnow\tann\t0\ns1\train\tbob\t0\ns2\train\tann\t1\n",
        {2: ("s1\train\tann\tperhaps", 2), 3: ("s1\train\tann\t0", 3), 5: ("s2\train\t\t1", 5)},
        "item\ttag\tcoder\tlabel\ns1\train\tann\t1\ns1\tsnow\tann\t0\ns1\train\tbob\t0\n",
        detected="labels",
    ),
    "webanno_tsv": Sample(
        DOC.tsv(),
        {
            5: ("1-1\t0-4\tRain\tnsubj\t1-3\t", 5),
            7: ("1-3\t9-13\tfell\troot\tbasic\t1-3\t", 7),
            12: ("x\t16-20\tSnow", 12),
        },
        replace(DOC, words=DOC.words[:1]).tsv(),
    ),
    "cas_xmi": Sample(
        DOC.xmi(),
        {8: ("<p2:Sentence", 9), 10: ("<p1:Token/", 10)},
        replace(DOC, words=DOC.words[:1]).xmi(),
    ),
    "cas_json": Sample(DOC.json(), {3: ("[", 3)}, replace(DOC, words=DOC.words[:1]).json()),
    "tsdb": Sample(),
    "derivations": Sample(detected="tsdb"),
}
IN_FILES = [name for name, sample in SAMPLES.items() if sample.text]
READ_ONLY = ("tsdb", "derivations", "pml", "umr", "webanno_tsv", "cas_xmi", "cas_json")
WRITTEN = [name for name in SAMPLES if name not in READ_ONLY]
ALONE = [name for name in IN_FILES if not FORMATS[name].tabular]  # one annotator per file


def content_of(name, text=None, path="file"):
    return Content(path, (SAMPLES[name].text if text is None else text).encode())


def read(name, text=None, path="file"):
    return list(FORMATS[name].read(content_of(name, text, path)))


def known(entries):
    """What a reader found in a file: the annotations, their items and annotators."""
    return [(each.value, each.id, each.document, each.coder) for each in entries]


def saved(tmp_path, name, text=None, path="ann"):
    (tmp_path / path).write_text(SAMPLES[name].text if text is None else text, encoding="utf-8")
    return str(tmp_path / path)


def test_every_format_has_a_sample():
    own = {name for name, each in FORMATS.items() if type(each).__module__.startswith("arbitree.")}
    assert own == set(SAMPLES)


@pytest.mark.parametrize("name", WRITTEN)
def test_what_is_read_is_written_and_read_again(name):
    entries = read(name)
    written = "".join(FORMATS[name].write(entries))
    assert known(read(name, written)) == known(entries)
    assert "".join(FORMATS[name].write(read(name, written))) == written


@pytest.mark.parametrize(
    ("name", "suffix"), [(name, suffix) for name in WRITTEN for suffix in FORMATS[name].suffixes]
)
def test_every_extension_of_a_format_is_written_and_read_again(name, suffix):
    entries = read(name)
    written = FORMATS[name].text(entries, f"file{suffix}")
    assert known(read(name, written, f"file{suffix}")) == known(entries)


@pytest.mark.parametrize("name", sorted(set(SAMPLES) - set(WRITTEN)))
def test_a_format_that_is_only_read_says_so(name):
    entries = read(name) if SAMPLES[name].text else list(FORMATS[name].read(load(str(PROFILE))))
    assert entries
    with pytest.raises(UnsupportedStudy, match="only read") as error:
        "".join(FORMATS[name].write(entries))
    assert error.value.hint


@pytest.mark.parametrize("name", SAMPLES)
def test_a_file_is_detected_as_itself_with_and_without_its_extension(tmp_path, name):
    sample = SAMPLES[name]
    expected = sample.detected or name
    if not sample.text:
        copytree(PROFILE, tmp_path / "ann")
        assert detect([load(str(tmp_path / "ann"))]) == [expected]
        return
    suffixes = ("", ".txt", *FORMATS[expected].suffixes, f"{FORMATS[expected].suffixes[0]}.gz")
    for suffix in suffixes:
        path = tmp_path / f"ann{suffix}"
        data = sample.text.encode()
        path.write_bytes(gzip.compress(data) if suffix.endswith(".gz") else data)
        assert detect([load(str(path))]) == [expected], suffix


@pytest.mark.parametrize("name", [name for name in IN_FILES if SAMPLES[name].detected])
def test_the_name_of_a_layout_and_detection_read_the_same(tmp_path, name):
    path = saved(tmp_path, name)
    given, found = read_study([path], format=name), read_study([path])
    assert {key: cell.value for key, cell in given.cells.items()} == {
        key: cell.value for key, cell in found.cells.items()
    }


@pytest.mark.parametrize("name", IN_FILES)
def test_confidence_lies_between_0_and_1_whatever_the_format(name):
    for each in FORMATS.values():
        assert 0 <= each.sniff(content_of(name)) <= 1


@pytest.mark.parametrize("name", IN_FILES)
def test_line_endings_and_byte_order_marks_do_not_matter(name):
    entries = known(read(name))
    text = SAMPLES[name].text
    for other in (text.replace("\n", "\r\n"), text.replace("\n", "\r"), "\ufeff" + text, text.rstrip("\n")):
        assert known(read(name, other)) == entries
        assert detect([content_of(name, other)]) == [SAMPLES[name].detected or name]


@pytest.mark.parametrize(
    ("name", "line"), [(name, line) for name, sample in SAMPLES.items() for line in sample.wrong]
)
def test_an_error_names_the_file_and_the_line(tmp_path, name, line):
    text, expected = SAMPLES[name].wrong[line]
    lines = SAMPLES[name].text.split("\n")
    lines[line - 1] = text
    path = saved(tmp_path, name, "\n".join(lines))
    with pytest.raises(FormatError) as error:
        read_study([path], format=name)
    assert str(error.value).startswith(f"{path}:{expected}: ")
    assert error.value.hint


@pytest.mark.parametrize("name", IN_FILES)
def test_a_byte_that_is_not_utf_8_is_an_error_with_its_line(tmp_path, name):
    path = tmp_path / "ann"
    path.write_bytes(SAMPLES[name].text.encode().replace(b"\n", b" \xff\n", 1))
    with pytest.raises(FormatError) as error:
        read_study([str(path)], format=name)
    assert str(error.value).startswith(f"{path}:1: ")


@pytest.mark.parametrize("name", IN_FILES)
def test_every_annotation_has_its_line(name):
    lines = [entry.source.line for entry in read(name)]
    assert all(0 < line <= SAMPLES[name].text.count("\n") for line in lines)
    assert lines == sorted(lines)


@pytest.mark.parametrize("name", IN_FILES)
def test_an_item_that_one_annotator_lacks_is_missing(tmp_path, name):
    sample = SAMPLES[name]
    if FORMATS[name].tabular:
        study = read_study([saved(tmp_path, name)], format=name)
        assert [coder for item, coder in study.cells if item == "s2"] == ["ann"]
        study = read_study([saved(tmp_path, name, sample.without_last)], format=name)
        assert [item.id for item in study.items] == ["s1"]
        return
    whole, part = saved(tmp_path, name), saved(tmp_path, name, sample.without_last, "bob")
    study = read_study([whole, part], format=name)
    first, second = (item.id for item in study.items)
    assert set(study.cells) == {(first, "ann"), (first, "bob"), (second, "ann")}


@pytest.mark.parametrize("name", [name for name, sample in SAMPLES.items() if sample.gap])
def test_an_empty_annotation_counts_as_missing(tmp_path, name):
    gap = SAMPLES[name].gap
    if FORMATS[name].tabular:
        study = read_study([saved(tmp_path, name, gap)], format=name)
        assert [item.id for item in study.items] == ["s1", "s2"]
        assert not any(item == "s2" for item, _ in study.cells)
        return
    study = read_study([saved(tmp_path, name), saved(tmp_path, name, gap, "bob")], format=name)
    kind = kinds.of(study)
    assert not kind.done(study.cells[study.items[1].id, "bob"].value)
    assert any("annotation" in note for note in study.notes)


@pytest.mark.parametrize("name", [name for name in ALONE if FORMATS[name].holds_gaps])
def test_a_format_that_holds_gaps_writes_them(name):
    first, second = read(name)
    kind = kinds.of_type(FORMATS[name].value_type)
    written = "".join(FORMATS[name].write([first, Entry(kind.empty(), second.source, second.id)]))
    again = read(name, written)
    held = FORMATS[name].holds_ids
    assert [kind.done(each.value) for each in again] == ([True, False] if held else [True])


@pytest.mark.parametrize("name", IN_FILES)
def test_a_file_that_is_cut_off_is_refused_noted_or_ends_between_annotations(tmp_path, name):
    """Only what ends with a whole row or sentence can look complete."""
    text, whole = SAMPLES[name].text, known(read(name))
    for end in range(1, len(text)):
        path = saved(tmp_path, name, text[:end])
        found = outcome(path, name)
        if isinstance(found, str):
            continue
        if any("may be incomplete" in note for note in found.notes):
            with pytest.raises(FormatError, match=r"ann:\d+: "):
                read_study([path], format=name, strict=True)
        elif not text[:end].endswith("\n"):
            part = known(read(name, text[:end]))
            assert part == whole[: len(part)], text[:end]


def broken(text, rng):
    """Return *text* with a few characters or lines that are wrong, doubled or lost."""
    lines = text.split("\n")
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(lines))
        line = lines[place]
        at = rng.randrange(len(line) + 1)
        lines[place : place + 1] = rng.choice(
            [
                [],
                [line, line],
                [lines[rng.randrange(len(lines))]],
                [line[:at] + rng.choice("\t ()[]{}<>#\"'|:/-01xå\x00\u2028") + line[at:]],
                [line[:at] + line[at + 1 :]],
                [line[:at], line[at:]],
                [line[:at]],
            ]
        )
        lines = lines or [""]
    return "\n".join(lines)


def outcome(path, format=None):
    """Read a file, and return the study or the message of our error; other errors are raised."""
    try:
        return read_study([str(path)], format=format)
    except ArbitreeError as error:
        return str(error)


@pytest.mark.parametrize("name", IN_FILES)
def test_broken_files_raise_nothing_but_our_errors(tmp_path, name):
    rng = random.Random(name)
    text = SAMPLES[name].text
    cut = [text[:end] for end in range(1, len(text), 7)]
    for wrong in (*cut, *(broken(text, rng) for _ in range(80))):
        path = saved(tmp_path, name, wrong)
        for format in (name, None):
            found = outcome(path, format)
            assert "\n" not in found if isinstance(found, str) else found.items


@pytest.mark.parametrize("name", ["tsdb", "derivations"])
def test_broken_profiles_raise_nothing_but_our_errors(tmp_path, name):
    rng = random.Random(name)
    copytree(PROFILE, tmp_path / "ann")
    for table in ("relations", "item", "parse", "decision", "preference", "tree", "result"):
        path = tmp_path / "ann" / table
        text = path.read_text(encoding="utf-8")
        for _ in range(15):
            path.write_text(broken(text, rng), encoding="utf-8")
            found = outcome(tmp_path / "ann", name)
            assert not isinstance(found, str) or "\n" not in found
        path.write_text(text, encoding="utf-8")
