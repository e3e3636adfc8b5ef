"""The laws of nuclei between annotators, on random trees with two or three annotators.

Every difference has one owner; the differences of any nuclei can be exchanged between the trees; fragments
show what their annotators have; the order of annotators has no effect; no nucleus is larger than its
differences.
"""

import random
from functools import cache
from itertools import combinations

import pytest

from arbitree.api.explain import find_inconsistencies
from tests.support.build import study_of
from tests.support.constructions.random_trees import crossing, random_versions, settled, sites_of

SETS = [
    pytest.param(2, False, False, id="two trees"),
    pytest.param(3, False, False, id="three trees"),
    pytest.param(2, True, False, id="two trees with gaps"),
    pytest.param(3, True, False, id="three trees with gaps"),
]
ROUNDS = 80


def explained(values, **options):
    return find_inconsistencies(study_of({"s": dict(zip("abcd", values, strict=False))}), **options)


def nuclei_of(findings):
    return [(each, nucleus) for each in findings.types for nucleus in each.nuclei]


def owned(nucleus):
    """The sites of the changes of a nucleus."""
    return {("word" if change.kind == "pos" else "phrase", change.positions) for change in nucleus.changes}


@cache
def sets_of(count, gaps, traces):
    """Random trees, their sites, and the findings on them."""
    rng = random.Random(count * 100 + gaps * 10 + traces)
    sets = [random_versions(rng, count, gaps=gaps, traces=traces) for _ in range(ROUNDS)]
    return [(values, [sites_of(value) for value in values], explained(values)) for values in sets]


def differences(sites):
    keys = {key for each in sites for key in each}
    return {key for key in keys if len({each.get(key, ()) for each in sites}) > 1}


@pytest.mark.parametrize(("count", "gaps", "traces"), SETS)
def test_every_difference_has_one_owner(count, gaps, traces):
    for _, sites, findings in sets_of(count, gaps, traces):
        found = [site for _, nucleus in nuclei_of(findings) for site in owned(nucleus)]
        assert len(found) == len(set(found))
        assert set(found) == differences(sites)
        assert findings.counts["compared"] == len({key for each in sites for key in each})
        assert findings.counts["inconsistent"] == len(found)
        assert findings.counts["consistent"] == findings.counts["compared"] - len(found)


@pytest.mark.parametrize(("count", "gaps", "traces"), SETS)
def test_any_nuclei_can_be_exchanged_between_trees(count, gaps, traces):
    rng = random.Random(7)
    for _, sites, findings in sets_of(count, gaps, traces):
        nuclei = [nucleus for _, nucleus in nuclei_of(findings)]
        whole = dict(sites[0])
        for nucleus in nuclei:
            whole |= {site: sites[1].get(site, ()) for site in owned(nucleus)}
        assert settled(whole) == sites[1]
        for _ in range(4):
            chosen = [nucleus for nucleus in nuclei if rng.random() < 0.5]
            mixed, moved = dict(sites[0]), dict(sites[0])
            for nucleus in chosen:
                source = rng.choice(sites)
                mixed |= {site: source.get(site, ()) for site in owned(nucleus)}
                moved |= {site: sites[1].get(site, ()) for site in owned(nucleus)}
            assert not crossing(settled(mixed))
            left = {site for nucleus in nuclei if nucleus not in chosen for site in owned(nucleus)}
            rest = {site for site in left if sites[0].get(site, ()) != sites[1].get(site, ())}
            assert differences([settled(moved), sites[1]]) == rest


def shown_at(fragment, offsets):
    """The labels of the whole phrases over exactly these words, topmost first, and a part of speech."""
    below = [set() for _ in fragment.nodes]
    for node in fragment.nodes:
        above = node.parent
        while node.token is not None and above >= 0:
            below[above].add(node.token)
            above = fragment.nodes[above].parent
    places = [k for k, words in enumerate(below) if words == offsets and not fragment.nodes[k].partial]
    return tuple(fragment.nodes[k].label for k in sorted(places, key=lambda k: depth(fragment, k)))


def depth(fragment, place):
    steps = 0
    while fragment.nodes[place].parent >= 0:
        place, steps = fragment.nodes[place].parent, steps + 1
    return steps


def without_tags(chain):
    return (chain[0].split("-")[0], *chain[1:]) if chain else chain


@pytest.mark.parametrize(("count", "gaps", "traces"), SETS)
@pytest.mark.parametrize("type_pos", [True, False])
def test_fragments_show_what_their_annotators_have(count, gaps, traces, type_pos):
    for values, sites, findings in sets_of(count, gaps, traces):
        by_coder = dict(zip("abcd", sites, strict=False))
        for each, nucleus in nuclei_of(findings if type_pos else explained(values, type_pos=False)):
            assert len({fragment.text for fragment in each.fragments}) == len(each.fragments)
            assert len({fragment.brackets for fragment in each.fragments}) == len(each.fragments)
            assert len(each.fragments) == len({place.fragment for place in nucleus.places})
            lo, hi = nucleus.span
            for place in nucleus.places:
                fragment = each.fragments[place.fragment]
                if each.kind == "external":
                    chain = by_coder[place.coder]["phrase", tuple(range(lo, hi))]
                    labels = tuple(node.label for node in fragment.nodes)
                    assert labels in (chain, without_tags(chain))
                    continue
                for kind, positions in owned(nucleus):
                    value = by_coder[place.coder].get((kind, positions), ())
                    if kind == "word":
                        assert fragment.nodes[positions[0] - lo].label == value
                        continue
                    shown = shown_at(fragment, {position - lo for position in positions})
                    hull = positions == tuple(range(lo, hi))
                    values_here = (by_coder[other.coder].get((kind, positions)) for other in nucleus.places)
                    tags = {chain[0].partition("-")[2] for chain in values_here if chain}
                    if hull and len(tags) < 2:
                        assert without_tags(shown) == without_tags(value)
                    else:
                        assert shown == value


@pytest.mark.parametrize(("count", "gaps", "traces"), SETS)
def test_the_order_of_annotators_changes_no_span_and_no_type(count, gaps, traces):
    for values, _, findings in sets_of(count, gaps, traces):
        found = [
            sorted(
                (nucleus.span, each.code, nucleus.asked, nucleus.residual)
                for each, nucleus in nuclei_of(some)
            )
            for some in (findings, explained(values[::-1]))
        ]
        assert found[0] == found[1]


@pytest.mark.parametrize(("count", "gaps", "traces"), SETS)
def test_a_nucleus_is_the_hull_of_its_differences(count, gaps, traces):
    for _, _, findings in sets_of(count, gaps, traces):
        for _, nucleus in nuclei_of(findings):
            places = [place for change in nucleus.changes for place in change.positions]
            assert nucleus.span == (min(places), max(places) + 1)


def test_labels_of_changes_are_those_of_the_fragments_in_order():
    for _, sites, findings in sets_of(3, False, False):
        by_coder = dict(zip("abc", sites, strict=True))
        for each, nucleus in nuclei_of(findings):
            coders = [nucleus.coders_of(number)[0] for number in range(len(each.fragments))]
            for change in nucleus.changes:
                assert len(change.labels) == len(coders)
                assert len(set(change.labels)) > 1
                key = ("word" if change.kind == "pos" else "phrase", change.positions)
                for coder, label in zip(coders, change.labels, strict=True):
                    value = by_coder[coder].get(key, ())
                    assert label == value if change.kind == "pos" else label is None or label in value


def test_three_annotators_cluster_by_their_values():
    for _, sites, findings in sets_of(3, False, False):
        for _, nucleus in nuclei_of(findings):
            side = {place.coder: place.fragment for place in nucleus.places}
            for (a, ours), (b, theirs) in combinations(zip("abc", sites, strict=True), 2):
                same = all(ours.get(site, ()) == theirs.get(site, ()) for site in owned(nucleus))
                assert (side[a] == side[b]) == same


@pytest.mark.parametrize(("count", "gaps", "traces"), SETS)
@pytest.mark.parametrize("settings", [{"external": "off"}, {"unrooted": "never"}, {"report": "all"}])
def test_every_difference_has_one_owner_with_other_settings(count, gaps, traces, settings):
    for values, sites, _ in sets_of(count, gaps, traces)[:30]:
        found = [site for _, nucleus in nuclei_of(explained(values, **settings)) for site in owned(nucleus)]
        assert len(found) == len(set(found))
        assert set(found) == differences(sites)


@pytest.mark.parametrize("count", [2, 3])
def test_laws_hold_with_traces(count):
    rng = random.Random(count)
    for _ in range(ROUNDS // 2):
        values = random_versions(rng, count, traces=True)
        findings, backwards = (explained(order, empties="keep") for order in (values, values[::-1]))
        rows = [sorted((nucleus.span, each.code, nucleus.asked) for each, nucleus in nuclei_of(some))
                for some in (findings, backwards)]  # fmt: skip
        assert rows[0] == rows[1]
        for each, nucleus in nuclei_of(findings):
            assert len({fragment.brackets for fragment in each.fragments}) == len(each.fragments)
            places = [place for change in nucleus.changes for place in change.positions]
            assert nucleus.span == (min(places), max(places) + 1)
            assert all(len(set(change.labels)) > 1 for change in nucleus.changes)
