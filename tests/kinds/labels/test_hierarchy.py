"""Hierarchies of tags, and what they hand down."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree.errors import FormatError, Source, UnknownName
from arbitree.kinds.labels.hierarchy.downward import Downward
from arbitree.kinds.labels.hierarchy.estimation import estimate_shares
from arbitree.kinds.labels.hierarchy.hierarchy import Hierarchy
from tests.support.hierarchies import hierarchies


def trees(max_nodes=12):
    return hierarchies(max_nodes, max_parents=1)


def options():
    return st.tuples(st.sampled_from(["walk", "uniform_leaves"]), st.sampled_from(["leaves", "inner"]))


def by_paths(hierarchy, tag):
    """All ways down from *tag* one by one: the textbook definition."""
    children = [hierarchy.nodes[child] for child in hierarchy.children[hierarchy.places[tag]]]
    if not children:
        return {tag: 1.0}
    found = {}
    for child in children:
        for leaf, mass in by_paths(hierarchy, child).items():
            found[leaf] = found.get(leaf, 0) + mass / len(children)
    return found


@given(hierarchies(), options())
def test_mass_sums_to_1_and_stays_below_the_tag(hierarchy, ways):
    down = Downward(hierarchy, *ways)
    for tag in hierarchy.nodes:
        masses = down.masses(tag)
        assert sum(masses.values()) == pytest.approx(1)
        assert set(masses) == down.leaves([tag])


@given(hierarchies())
def test_the_walk_is_the_sum_over_all_paths(hierarchy):
    for tag in hierarchy.nodes:
        assert Downward(hierarchy).down(tag) == pytest.approx(by_paths(hierarchy, tag))


@given(hierarchies(), st.randoms(use_true_random=False))
def test_names_and_the_order_of_links_do_not_matter(hierarchy, rng):
    names = {
        tag: f"n{number}" for number, tag in enumerate(rng.sample(hierarchy.nodes, len(hierarchy.nodes)))
    }
    below = zip(hierarchy.nodes, hierarchy.children, strict=True)
    links = [(names[tag], names[hierarchy.nodes[child]]) for tag, children in below for child in children]
    rng.shuffle(links)
    other = Hierarchy.of_links(dict.fromkeys(links), rng.sample(list(names.values()), len(names)))
    for tag in hierarchy.nodes:
        renamed = {names[leaf]: mass for leaf, mass in Downward(hierarchy).down(tag).items()}
        assert Downward(other).down(names[tag]) == pytest.approx(renamed)


@given(hierarchies(), st.booleans(), st.randoms(use_true_random=False))
def test_estimates_become_uniform_as_smoothing_grows(hierarchy, inner, rng):
    counts = {tag: rng.randint(0, 9) for tag in hierarchy.nodes}
    senses = "inner" if inner else "leaves"
    shares = estimate_shares(hierarchy, counts, 1e12, inner=inner)
    for tag in hierarchy.nodes:
        estimated = Downward(hierarchy, senses=senses, shares=shares).down(tag)
        assert estimated == pytest.approx(Downward(hierarchy, senses=senses).down(tag), abs=1e-9)


@given(hierarchies(), st.booleans(), st.sampled_from([0, 0.3, 2]), st.randoms(use_true_random=False))
def test_estimates_are_distributions(hierarchy, inner, smoothing, rng):
    counts = {tag: rng.choice([0, 0, 1, 2.5]) for tag in hierarchy.nodes}
    shares = estimate_shares(hierarchy, counts, smoothing, inner=inner)
    totals = dict.fromkeys((parent for parent, _ in shares), 0.0)
    for (parent, _), share in shares.items():
        assert 0 <= share <= 1
        totals[parent] += share
    assert all(total == pytest.approx(1) for total in totals.values())


@given(trees(), st.sampled_from([0.5, 3]), st.randoms(use_true_random=False))
def test_estimates_in_a_tree_count_what_is_at_or_below_each_child(tree, smoothing, rng):
    counts = {tag: rng.randint(0, 9) for tag in tree.nodes}
    shares = estimate_shares(tree, counts, smoothing)
    under = {tag: sum(counts[tree.nodes[n]] for n in tree.below(tree.places[tag])) for tag in tree.nodes}
    for (parent, child), share in shares.items():
        kids = [tree.nodes[kid] for kid in tree.children[parent]]
        total = sum(under[kid] for kid in kids) + smoothing * len(kids)
        assert share == pytest.approx((under[tree.nodes[child]] + smoothing) / total)


@given(hierarchies(max_nodes=8), st.sampled_from([0.2, 1.0]), st.randoms(use_true_random=False))
def test_no_small_step_from_the_estimate_makes_the_tokens_likelier(hierarchy, smoothing, rng):
    """The estimate is a stationary point of log-likelihood plus λ Σ log Pr(c|t)."""
    import math

    counts = {tag: rng.choice([0, 1, 4]) for tag in hierarchy.nodes}
    shares = estimate_shares(hierarchy, counts, smoothing)
    roots = hierarchy.roots

    def objective(shares, starts):
        reach = [0.0] * len(hierarchy.nodes)
        for tag, start in zip(roots, starts, strict=True):
            reach[hierarchy.places[tag]] = start
        for node, children in enumerate(hierarchy.children):
            for child in children:
                reach[child] += reach[node] * shares[node, child]
        tokens = sum(counts[tag] * math.log(reach[hierarchy.places[tag]]) for tag in hierarchy.nodes)
        return tokens + smoothing * sum(map(math.log, [*shares.values(), *starts]))

    def best_starts():
        """The shares of the roots, by rounds of expectation-maximisation with all else fixed."""
        starts = [1 / len(roots)] * len(roots)
        for _ in range(3000):
            fresh = [smoothing] * len(roots)
            reach = {}
            for tag, start in zip(roots, starts, strict=True):
                own = [0.0] * len(hierarchy.nodes)
                own[hierarchy.places[tag]] = start
                for node, children in enumerate(hierarchy.children):
                    for child in children:
                        own[child] += own[node] * shares[node, child]
                reach[tag] = own
            for tag, count in counts.items():
                place = hierarchy.places[tag]
                total = sum(own[place] for own in reach.values())
                for number, root in enumerate(roots):
                    fresh[number] += count * reach[root][place] / total
            starts = [each / sum(fresh) for each in fresh]
        return starts

    starts = best_starts()
    best = objective(shares, starts)
    for node, children in enumerate(hierarchy.children):
        for first in children:
            for second in children:
                if first != second and shares[node, second] > 1e-4:
                    moved = dict(shares)
                    moved[node, first] += 1e-4
                    moved[node, second] -= 1e-4
                    assert objective(moved, starts) <= best + 1e-6


def test_a_cycle_is_printed_with_the_line_of_one_of_its_links():
    links = {
        ("root", "a"): Source("tags.tsv", 1),
        ("a", "b"): Source("tags.tsv", 2),
        ("b", "c"): Source("tags.tsv", 3),
        ("c", "a"): Source("tags.tsv", 4),
        ("c", "leaf"): Source("tags.tsv", 5),
    }
    with pytest.raises(FormatError, match=r"^tags.tsv:\d: the hierarchy has a cycle: ") as caught:
        Hierarchy.of_links(links)
    shown = caught.value.what.partition(": ")[2].split(" > ")
    assert shown[0] == shown[-1]
    assert sorted(shown[1:]) == ["a", "b", "c"]
    assert all(pair in links for pair in pairwise(shown))


def test_a_tag_above_itself_is_a_cycle():
    with pytest.raises(FormatError, match="cycle: a > a"):
        Hierarchy.of_links({("a", "a"): None})


def test_a_long_cycle_is_shown_in_part():
    links = {(f"t{k}", f"t{(k + 1) % 100}"): None for k in range(100)}
    with pytest.raises(FormatError, match=r"\(81 more\)") as caught:
        Hierarchy.of_links(links)
    assert len(str(caught.value)) < 400


def test_a_deep_hierarchy_needs_no_deep_stack():
    deep = Hierarchy.of_links({(f"t{k}", f"t{k + 1}"): None for k in range(20_000)})
    assert Downward(deep).down("t0") == {"t20000": 1}
    assert len(estimate_shares(deep, {"t20000": 1}, 1)) == 20_000


def test_synonyms_are_one_node():
    tags = Hierarchy.of_links({("animal", "dog"): None}, synonyms={"hound": "dog", "beast": "animal"})
    assert Downward(tags).down("beast") == Downward(tags).down("hound") == {"dog": 1}


def test_estimates_and_uniform_leaves_exclude_each_other():
    with pytest.raises(UnknownName, match="walk"):
        Downward(Hierarchy.flat("ab"), way="uniform_leaves", shares={})
    with pytest.raises(UnknownName, match="Did you mean 'walk'"):
        Downward(Hierarchy.flat("ab"), way="walks")


def test_the_nearest_tag_is_found_among_many():
    many = Hierarchy.flat([f"word{k}%1" for k in range(6000)] + ["Lantern%1"])
    assert many.nearest("lantern%2") == "Lantern%1"
    assert many.nearest("zzz") is None
