"""Files with tag sets."""

import json

import pytest

from arbitree.adjudication.tag_sets import read_tag_set
from arbitree.errors import FormatError

NAMES = {"label": "label", "deprels": "label"}
UD = {
    "WARNING": "made by a program",
    "deprels": {
        "xa": {"obj": {"type": "universal", "permitted": 1}, "obj:odd": {"type": "local", "permitted": 0}},
        "xb": {"nsubj": {"type": "universal", "permitted": 1}, "root": {"permitted": 1}},
    },
}


def read(tmp_path, text, suffix="", name="tags.txt"):
    path = tmp_path / name
    path.write_text(text if isinstance(text, str) else json.dumps(text, indent=1), encoding="utf-8")
    return read_tag_set(f"{path}{suffix}", NAMES, ("upos",))


def test_a_list_has_one_tag_per_line_and_may_explain_them(tmp_path):
    tags = read(tmp_path, "# our relations\nobj\tdirect object\n\nnsubj\n#\n")
    assert tags.values == {"label": ("obj", "nsubj", "#")}
    assert tags.glosses == {"obj": "direct object"}


@pytest.mark.parametrize(
    ("document", "values"),
    [
        (["obj", "nsubj"], {"label": ("obj", "nsubj")}),
        ({"label": ["obj"], "upos": ["NOUN", "VERB"]}, {"label": ("obj",), "upos": ("NOUN", "VERB")}),
        ({"obj": "direct object"}, {"label": ("obj",)}),
        ({"upos": {"NOUN": "noun"}, "deprels": ["obj"]}, {"upos": ("NOUN",), "label": ("obj",)}),
        ({"deprels": {"xa": {"obj": {}}}}, {"label": ("obj",)}),
        ({"deprels": {"xa": ["obj"]}}, {"label": ("obj",)}),
    ],
)
def test_json_contains_lists_or_lists_by_kind_of_value(tmp_path, document, values):
    assert read(tmp_path, document).values == values


def test_the_validation_data_of_universal_dependencies_have_languages(tmp_path):
    assert read(tmp_path, UD, "#xa").values == {"label": ("obj",)}
    assert read(tmp_path, UD, "#xb").values == {"label": ("nsubj", "root")}


@pytest.mark.parametrize(
    ("text", "suffix", "message"),
    [
        ("obj\n1\tThe\tthe\n", "", r"tags.txt:2: expected one tag, .* found 3 columns"),
        ('["obj",\n"nsubj"', "", r"tags.txt:2: the tag set is not valid JSON"),
        ('["obj",\n 3]', "", r"tags.txt:2: expected a list of tags, found '3'"),
        ({"upos": 3}, "", "expected a list of tags, found '3'"),
        ({"uposs": ["NOUN"]}, "", "no kind of value called 'uposs'. Did you mean 'upos'"),
        ("# nothing\n", "", "the tag set contains no tags"),
        ([], "", "the tag set contains no tags"),
        (UD, "", r"the relations of 2 languages. Name the language: tagset.*#en"),
        (UD, "#xc", "no relations of 'xc'"),
        (["obj"], "#en", "only the validation data"),
        ({"deprels": {"xa": 3}}, "", "expected a list of tags"),
    ],
)
def test_files_that_are_no_tag_sets_are_refused_with_their_line(tmp_path, text, suffix, message):
    with pytest.raises(FormatError, match=message):
        read(tmp_path, text, suffix)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FormatError, match=r"absent\.txt: file not found"):
        read_tag_set(str(tmp_path / "absent.txt"), NAMES, ())
