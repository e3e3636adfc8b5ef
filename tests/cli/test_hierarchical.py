"""Hierarchical tags on the command line: in one command, and with all that can be mistyped."""

import json
import re

import pytest

from tests.support.commands import arbitree
from tests.support.wordnet import NO_WORDNET, SYSTEM

DIARY = "examples/senses/diary.tsv"
KAPPA = "hierarchical_kappa:hierarchy=examples/senses/weather.txt"
SCORE = "hierarchical_score:hierarchy=examples/senses/weather.txt"


def run(*arguments):
    done = arbitree("agree", *arguments)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def results(*arguments):
    code, out, err = run(*arguments, "--json")
    assert code == 0, err
    return json.loads(out)["results"]


def test_flat_and_hierarchical_agreement_in_one_command():
    masi, kappa = results(DIARY, "-m", "alpha_masi", "-m", KAPPA)
    assert masi["measure"] == "alpha_masi"
    assert kappa["measure"] == "hierarchical_kappa"
    assert kappa["interval"][0] < kappa["value"] < kappa["interval"][1] <= kappa["details"]["highest"]
    assert kappa["details"]["options"]["hierarchy"].startswith("weather.txt#")


def test_the_highest_possible_value_is_stated_everywhere(tmp_path):
    """Both annotators write inner tags, so even identical ones do not agree fully."""
    table = tmp_path / "same.tsv"
    table.write_text(
        "item\tann\tbob\n1\train\train\n2\tsnow\tsnow\n3\twind\twind\n4\tdrizzle\tdrizzle\n", encoding="utf-8"
    )
    code, out, _ = run("-q", table, "-m", KAPPA, "-m", "multi_pi", "--by", "document")
    assert code == 0
    (found, other) = results(table, "-m", KAPPA, "-m", "multi_pi", "--by", "document")
    value = found["value"]
    assert found["details"]["highest"] == found["by"]["document"][0]["highest"] == pytest.approx(value)
    assert value < 0.5
    assert "highest" not in other["details"]
    assert f"hierarchical_kappa {value:.3f} of at most {value:.3f} (95% CI" in " ".join(out.split())
    assert "no item differs" in out
    assert re.search(rf"\nmeasure +value +of at most .*\nhierarchical_kappa +{value:.4f} +{value:.4f} ", out)
    done = arbitree("report", "-q", table, "-m", KAPPA, "-o", tmp_path / "out", "--resamples", 0)
    assert done.returncode == 0
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert f"hierarchical_kappa {value:.3f} of at most {value:.3f}; no item differs." in page
    assert '<th scope="col" class="right">of at most</th>' in page


def test_normalised_kappa_has_no_other_maximum_than_1():
    (found,) = results(DIARY, "-m", f"{KAPPA},normalised=yes")
    assert found["details"]["highest"] == 1
    assert "of at most" not in run("-q", DIARY, "-m", f"{KAPPA},normalised=yes")[1]


def test_a_tagger_with_probabilities_is_scored_against_a_coder():
    """The scores are worked out by hand from the three files; the eleventh line has no answer."""
    by_hand = [0.6, 0.5, 0.45, 1 / 3 * 0.5 + 0.5 * 0.5, 1, 1, 0.4, 0.8, 0.5, 1 / 3, 0, 1 / 3]
    (score,) = results(DIARY, "examples/senses/tagger.tsv", "-m", f"{SCORE},gold=ann", "--by", "pair")
    (pair,) = [group for group in score["by"]["pair"] if group["group"] == "ann - tagger"]
    assert pair["value"] == pytest.approx(sum(by_hand) / 12)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (
            "hierarchical_kappa",
            "hierarchical_kappa needs a hierarchy of tags. Set hierarchical_kappa:hierarchy=",
        ),
        (f"{KAPPA},senses=iner", "Did you mean 'inner'?"),
        (f"{KAPPA},hierachy=x", "Did you mean 'hierarchy'?"),
        ("hierarchical_kappa:hierarchy=nowhere.txt", "nowhere.txt: file not found."),
        ("hierarchical_kappa:hierarchy=examples", "examples: the directory contains no WordNet database."),
        (f"{SCORE},gold=an", "Did you mean 'ann'?"),
    ],
)
def test_mistyped_options_end_with_2_and_one_line(option, message):
    code, out, err = run("-q", DIARY, "-m", option)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_an_unknown_tag_is_named_with_its_line_and_the_nearest(tmp_path):
    table = tmp_path / "labels.tsv"
    table.write_text("item\tcoder\tlabel\n1\tann\train\n1\tbob\trian\n", encoding="utf-8")
    code, _, err = run("-q", str(table), "-m", KAPPA)
    assert code == 2
    assert err == (
        f"{table}:3: the tag 'rian' that bob gave to '1' is not in examples/senses/weather.txt. "
        "Did you mean 'rain'?\n"
    )


def test_a_cycle_is_printed(tmp_path):
    tags = tmp_path / "tags.tsv"
    tags.write_text("parent\tchild\nwater\train\nrain\tdrizzle\ndrizzle\twater\n", encoding="utf-8")
    code, _, err = run("-q", DIARY, "-m", f"hierarchical_kappa:hierarchy={tags}")
    assert code == 2
    assert "the hierarchy has a cycle: " in err
    assert " > " in err


def test_the_papers_are_cited():
    _, out, _ = run("-q", DIARY, "-m", KAPPA, "--resamples", "0", "--cite")
    assert "@article{melamed-resnik2000" in out


def test_senses_of_eight_coders_with_wordnet(data):
    """α as nltk 3.10 gives it with MASI; κ as a separate program over the hypernym links gives it."""
    if not (SYSTEM / "data.noun").is_file():
        pytest.skip(NO_WORDNET)
    table = str(data / "wsbest" / "judgments.tsv")
    masi, kappa = results(table, "-m", "alpha_masi", "-m", f"hierarchical_kappa:hierarchy={SYSTEM}")
    assert masi["value"] == pytest.approx(0.5396293154327452, abs=1e-12)
    assert kappa["value"] == pytest.approx(0.369566654256097, abs=1e-12)
    assert kappa["details"]["observed_agreement"] == pytest.approx(0.37396921124903104, abs=1e-12)
    assert kappa["details"]["expected_agreement"] == pytest.approx(0.0069833821809330895, abs=1e-12)
    assert (kappa["items_used"], kappa["details"]["annotations"]) == (260, 2080)
    assert kappa["interval"][0] < kappa["value"] < kappa["interval"][1]
