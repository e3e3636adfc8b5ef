"""Numbers in files: digits of other scripts, exponents, signs and thousands of digits are never bugs."""

from contextlib import suppress

import pytest

import arbitree as at
from arbitree.distances.ted import read_costs
from arbitree.errors import ArbitreeError, FormatError
from arbitree.kinds.labels.hierarchy.estimation import read_counts
from arbitree.kinds.phrase.measures.evalb_parameters import read_parameters
from arbitree.numbers import whole_number
from arbitree.reading.content import Content, decoded
from tests.support.profiles import RELATIONS, small

ODD = ["²", "١", "1e400", "nan", "inf", "-1", "1_0", "0x1", "", "9" * 31, "9" * 5000, "½", "\u2028"]


@pytest.mark.parametrize("text", [each for each in ODD if each != "-1"])
def test_odd_numbers_are_not_whole_numbers(text):
    assert whole_number(text) is None


def written(folder, name, text):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("number", [each for each in ODD if each])
def test_evalb_parameters_refuse_them(tmp_path, number):
    path = written(tmp_path, "a.prm", f"LABELED 1\nCUTOFF_LEN {number}\n")
    with pytest.raises(FormatError, match=r"a\.prm:2: CUTOFF_LEN does not accept"):
        read_parameters(path)


@pytest.mark.parametrize("number", ["1e400", "nan", "inf", "-1", "²", "9" * 5000, ""])
def test_costs_and_counts_refuse_them(tmp_path, number):
    with pytest.raises(FormatError, match=r"costs\.tsv:1: cost .* is not a number"):
        read_costs(written(tmp_path, "costs.tsv", f"a\tb\t{number}\n"))
    with pytest.raises(FormatError, match=r"counts\.tsv:1: count .* is not a number"):
        read_counts(written(tmp_path, "counts.tsv", f"a\t{number}\n"))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "row",
    [
        "item: 1@it rains@{}",
        "parse: 11@1@1@{}",
        "tree: 11@{}@1@ann@",
        "decision: 11@1@2@3@K@@{}@1@",
        "preference: 11@1@{}",
        "result: 11@{}@@",
    ],
)
def test_rows_of_profiles_with_them_are_skipped_or_refused(tmp_path, row):
    table, _, text = row.partition(": ")
    for place, number in enumerate(ODD):
        rows = {table: [text.format(number)]}
        folders = [small(tmp_path / str(place), name=name, **rows) for name in ("ann", "bob")]
        with suppress(ArbitreeError):
            at.agree(at.read(*folders, format="tsdb"), resamples=0)


@pytest.mark.filterwarnings("ignore")
def test_a_sentence_of_10_to_the_31_words_is_skipped(tmp_path):
    rows = ["1@it rains@2", f"2@birds sing@1{'0' * 31}"]
    folder = small(tmp_path, item=rows)
    study = at.read(f"ann={folder}", f"bob={small(tmp_path, name='bob', item=rows)}", format="tsdb")
    assert any("item:2: skipped 1 row: not a number: '10000" in note for note in study.notes)


FIELDS = [line.strip() for line in RELATIONS.splitlines() if line.startswith("  ")]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("format", ["tsdb", "derivations"])
@pytest.mark.parametrize("place", range(len(FIELDS)))
def test_schemas_that_lack_a_field_are_read_or_refused(tmp_path, place, format):
    wanted = [k for k, line in enumerate(RELATIONS.splitlines()) if line.startswith("  ")][place]
    lines = [line for k, line in enumerate(RELATIONS.splitlines()) if k != wanted]
    paths = [f"{name}={small(tmp_path, name=name, relations=chr(10).join(lines))}" for name in ("ann", "bob")]
    with suppress(ArbitreeError):
        at.agree(at.read(*paths, format=format), resamples=0)


@pytest.mark.parametrize(
    ("data", "encoding", "words"),
    [
        (b"a\xff", "utf-8", "a.txt:1: byte 0xff is not valid utf-8"),
        (b"a\n+2AA-", "utf-7", "a.txt:2: the text contains half of a character"),
        (b"\\ud800", "unicode_escape", "a.txt:1: the text contains half of a character"),
        (b"xn--\xff", "idna", "is not valid idna"),
        (b"a", "undefined", "a.txt: the text is not valid undefined"),
        (b"a", "no such", "unknown encoding 'no such'"),
        (b"a", "a\0b", "unknown encoding"),
        (b"a", "hex", "unknown encoding 'hex'"),
        (b"a\x00b", "utf-16", "is not valid utf-16"),
    ],
)
def test_encodings_are_refused_in_words(data, encoding, words):
    with pytest.raises(FormatError, match=words):
        decoded(data, encoding, "a.txt")
    with pytest.raises(FormatError):
        _ = Content("a.txt", data, encoding).text
