"""JSON from outside: what cannot be processed later is refused with a line."""

import json

import pytest

import arbitree as at
from arbitree.errors import FormatError, Source
from arbitree.kinds.dependency.measures.weighted import read_weights
from arbitree.kinds.preference.judgments import parse_judgments
from arbitree.reading.content import Content
from arbitree.reading.json_text import DEEPEST, MOST_DIGITS, decode_json, decode_json_at

LINE = Source("a.jsonl", 4)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", r"is not valid JSON \(Expecting property name"),
        ("9" * 5000, "contains a number with 5,000 digits"),
        ('{"a": [-' + "9" * (MOST_DIGITS + 1) + "]}", "contains a number with"),
        ("[" * 3000 + "]" * 3000, "is nested too deeply"),
        ("[" * 100_000, "is nested too deeply"),
        ('{"a":' * 300 + "1" + "}" * 300, "is nested too deeply"),
        (r'["\ud800"]', "contains half of a character"),
        (r'{"a": {"\uDFFF": 1}}', "contains half of a character"),
    ],
)
def test_values_that_cannot_be_processed_are_refused(text, words):
    with pytest.raises(FormatError, match=rf"^a\.jsonl:4: the line {words}.*\. Correct it\.$"):
        decode_json(text, LINE, what="the line", hint="Correct it")
    with pytest.raises(FormatError, match=words):
        decode_json_at(f"  {text}", 2, LINE, hint="Correct it")


@pytest.mark.parametrize(
    "value",
    [{"a": [1, 2.5, None, True]}, "x", [[]] * 1000, int("9" * MOST_DIGITS), "\U0001f600", {"a": "[" * 500}],
)
def test_other_values_are_decoded(value):
    text = json.dumps(value)
    assert decode_json(text, LINE, hint="") == value
    assert decode_json_at(f"{text},", 0, LINE, hint="") == (value, len(text))


def test_the_greatest_depth_is_exact():
    decode_json("[" * DEEPEST + "]" * DEEPEST, LINE, hint="")
    with pytest.raises(FormatError):
        decode_json("[" * (DEEPEST + 2) + "]" * (DEEPEST + 2), LINE, hint="")


def test_errors_in_a_whole_file_name_the_line_in_the_text():
    with pytest.raises(FormatError, match=r"^a\.json:3: the file is not valid JSON"):
        decode_json('{\n"a": 1,\n}', Source("a.json"), hint="Correct it")


TABLE = '{"item": "1", "coder": "ann", "label": %s}\n{"item": "1", "coder": "bob", "label": "x"}\n'


@pytest.mark.parametrize("label", ["9" * 5000, "[" * 3000 + "]" * 3000, r'"\udc80"'])
@pytest.mark.parametrize("listed", [False, True])
def test_tables_refuse_them(tmp_path, label, listed):
    text = TABLE % label
    path = tmp_path / "a.json"
    path.write_text("[" + ",".join(text.splitlines()) + "]" if listed else text, encoding="utf-8")
    with pytest.raises(FormatError, match=r"a\.json:1: .* (contains|is nested)"):
        at.read(path)


@pytest.mark.parametrize("key", ["item", "coder", "choice", "options"])
@pytest.mark.parametrize("value", ["9" * 5000, "[" * 3000 + "]" * 3000, "[" * 500 + "]" * 500, r'"\ud800"'])
def test_judgments_refuse_them(key, value):
    line = json.dumps({"item": "1", "coder": "ann", "choice": "first", key: "?"}).replace('"?"', value)
    with pytest.raises(FormatError, match=r"^j\.jsonl:1: .* (contains|is nested)"):
        parse_judgments(Content("j.jsonl", line.encode()))


@pytest.mark.parametrize("weight", ["1e400", "NaN", "9" * 299 + "0" * 300, "9" * 310, "[[]]", "true"])
def test_weights_are_numbers(tmp_path, weight):
    path = tmp_path / "weights.json"
    path.write_text('{"measure": "weighted_las", "head": {"base": %s}}' % weight, encoding="utf-8")  # noqa: UP031
    with pytest.raises(FormatError, match=r"weights\.json: .*number"):
        read_weights(str(path))
