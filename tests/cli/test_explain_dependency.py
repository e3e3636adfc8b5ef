"""``arbitree explain`` on dependency trees, from files to what is printed."""

import json

import pytest

from tests.support.commands import arbitree

PAIR = ("examples/dependency/ann.conllu", "examples/dependency/bob.conllu")
CORPUS = "examples/corpus/ferry.conllu"


def findings(*arguments):
    done = arbitree("explain", *arguments, "--json", "--no-alpha", "-q")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_two_coders_give_types_with_fragments_and_nuclei():
    """The radar of weather-3 hangs on the storm for one coder and on the verb for the other."""
    found = findings(*PAIR)
    assert (found["mode"], found["kind"]) == ("coders", "dependency")
    (radar,) = [
        (each, nucleus)
        for each in found["types"]
        for nucleus in each["nuclei"]
        if nucleus["tokens"] == ["watched", "storm", "radar"]
    ]
    assert [fragment["brackets"] for fragment in radar[0]["fragments"]] == [
        "VERB [obj NOUN [nmod NOUN]]",
        "VERB [obj NOUN] [obl NOUN]",
    ]
    assert radar[1]["places"][0]["positions"] == [2, 4, 8]
    assert radar[1]["differing"] == [2]


def test_gold_gives_rates():
    found = findings(*PAIR, "--gold", "ann")
    assert found["mode"] == "parser"
    assert all(each["rate"]["gold"] >= 1 for each in found["types"] if "rate" in each)


def test_one_file_is_a_corpus():
    found = findings(CORPUS)
    assert found["mode"] == "corpus"
    assert {nucleus["words"] for each in found["types"] for nucleus in each["nuclei"]} == {
        "ferry [...] island",
        "the harbour",
        "harbour master",
        "At least",
        "At [...] ten",
        "least ten",
    }


def test_a_page_is_written(tmp_path):
    target = tmp_path / "page.html"
    done = arbitree("explain", *PAIR, "-o", target, "-q", "--no-alpha")
    assert done.returncode == 0, done.stderr
    assert "watched" in target.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*PAIR, "--set", "nuclei=subtree"), "Did you mean 'subtrees'"),
        ((*PAIR, "--heads", "english"), "unknown setting 'heads'"),
        ((*PAIR, "--baseline", "ngrams"), "variation n-grams need phrase-structure trees"),
        ((CORPUS, "--mode", "coders"), "needs at least two annotators"),
    ],
)
def test_what_does_not_fit_is_one_line_and_exit_code_2(arguments, message):
    done = arbitree("explain", *arguments, "-q")
    assert done.returncode == 2
    assert message in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()
