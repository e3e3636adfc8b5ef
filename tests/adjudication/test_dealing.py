"""Items are dealt by share, by document and doubly, and the same way every time."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree.adjudication.dealing import Deal, deal, equal_shares
from arbitree.errors import StudyError
from arbitree.study.study import Item


def items(*documents):
    """Return items in documents of these sizes."""
    return [
        Item(f"d{number}-{place}", f"d{number}", f"d{number}-{place}")
        for number, size in enumerate(documents, start=1)
        for place in range(size)
    ]


def loads(dealt):
    return Counter(person for people in dealt.values() for person in people)


def test_shares_are_met_as_exactly_as_whole_items_allow():
    dealt = deal(items(200), Deal({1: 50, 2: 30, 3: 20}))
    assert loads(dealt) == {1: 100, 2: 60, 3: 40}


def test_what_nobody_has_a_share_of_stays_open():
    dealt = deal(items(100), Deal({1: 10, 2: 0, 3: 15}))
    assert loads(dealt) == {1: 10, 3: 15}


@pytest.mark.parametrize("people", [1, 2, 3, 7])
def test_equal_shares_leave_nothing_over(people):
    dealt = deal(items(100), Deal(equal_shares(range(people))))
    assert len(dealt) == 100
    assert max(loads(dealt).values()) - min(loads(dealt).values()) <= 1


def test_a_document_goes_to_one_person():
    study = items(40, 30, 20, 10, 5, 5)
    dealt = deal(study, Deal({1: 50, 2: 50}, by_document=True))
    assert len(dealt) == 110
    by_document = {item.document: set() for item in study}
    for item in study:
        by_document[item.document] |= set(dealt[item.id])
    assert all(len(people) == 1 for people in by_document.values())
    assert loads(dealt) == {1: 55, 2: 55}


@pytest.mark.parametrize("by_document", [False, True])
def test_a_share_goes_to_two_different_people(by_document):
    dealt = deal(items(50, 50), Deal({1: 50, 2: 25, 3: 25}, by_document=by_document, double=20))
    doubles = [people for people in dealt.values() if len(people) == 2]
    assert len(dealt) == 100
    assert len(doubles) == 20
    assert all(one != other for one, other in doubles)


def test_second_people_are_chosen_by_their_shares():
    dealt = deal(items(300), Deal(equal_shares([1, 2, 3]), double=30))
    assert max(loads(dealt).values()) - min(loads(dealt).values()) <= 2


def test_the_seed_alone_makes_the_deal():
    study = items(60, 40)
    wanted = Deal({1: 50, 2: 50}, double=10, seed=3)
    assert deal(study, wanted) == deal(study[::-1], wanted)
    assert deal(study, wanted) != deal(study, Deal({1: 50, 2: 50}, double=10, seed=4))


@pytest.mark.parametrize(
    ("shares", "double", "told"),
    [
        ({1: 60, 2: 41}, 0, "the shares add up to 101%"),
        ({1: 101}, 0, "101 is not a percentage"),
        ({1: -1, 2: 5}, 0, "-1 is not a percentage"),
        ({1: float("nan")}, 0, "nan is not a percentage"),
        ({}, 0, "no person has a share"),
        ({1: 0}, 0, "no person has a share"),
        ({1: 100}, 10, "two people are needed"),
        ({1: 50, 2: 50}, 200, "200 is not a percentage"),
    ],
)
def test_shares_that_make_no_sense_are_refused(shares, double, told):
    with pytest.raises(StudyError, match=told):
        Deal(shares, double=double)


@given(
    sizes=st.lists(st.integers(1, 9), max_size=12),
    shares=st.lists(st.integers(0, 25), min_size=2, max_size=4).filter(
        lambda given: sum(map(bool, given)) > 1
    ),
    double=st.integers(0, 100),
    by_document=st.booleans(),
)
def test_nobody_gets_an_item_twice_and_nobody_much_more_than_their_share(sizes, shares, double, by_document):
    study = items(*sizes)
    dealt = deal(study, Deal(dict(enumerate(shares)), by_document, double))
    assert set(dealt) <= {item.id for item in study}
    assert all(len(set(people)) == len(people) <= 2 for people in dealt.values())
    assert sum(len(people) == 2 for people in dealt.values()) == round(len(dealt) * double / 100)
    largest = max(sizes, default=0) if by_document else 1
    for person, load in Counter(people[0] for people in dealt.values() if len(people) == 1).items():
        assert load <= len(study) * shares[person] / 100 + largest
