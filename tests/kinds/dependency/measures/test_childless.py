"""Verbs without dependents in UCP and LCP."""

from dataclasses import replace

import pytest

from arbitree.api.evaluate import evaluate
from arbitree.errors import UnknownName
from tests.support.build import dep, study_of

# Three verbs: 2 has the dependents 1 and 4, 4 has 3, 5 has none.
TAGS = {"upos": ("PRON", "VERB", "NOUN", "VERB", "VERB")}
GOLD = replace(dep([2, 0, 4, 2, 1], ["a", "b", "c", "d", "e"]), columns=TAGS)
SYSTEM = replace(dep([2, 0, 2, 2, 1], ["a", "b", "c", "d", "e"]), columns=TAGS)


def value(name, system=SYSTEM):
    study = study_of({"s": {"gold": GOLD, "system": system}})
    return evaluate(replace(study, reference="gold"), name, resamples=0).value


def test_a_verb_without_dependents_counts_unless_it_is_skipped():
    assert value("ucp") == pytest.approx(1 / 3)
    assert value("ucp:childless=skip") == 0
    assert value("lcp:childless=skip", GOLD) == 1


def test_other_ways_are_refused():
    with pytest.raises(UnknownName, match="unknown childless value"):
        value("ucp:childless=drop")
