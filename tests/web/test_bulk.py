"""One decision for many disagreements: listed, saved whole or not at all, undone as one step."""

import re

import pytest

from arbitree import kinds
from arbitree.adjudication import bulk, events, history
from arbitree.adjudication.bulk import BulkWish
from arbitree.adjudication.whole import sheet_of
from arbitree.api.read import read
from arbitree.web.bulk.candidates import wish_of
from arbitree.web.project import background_parts
from arbitree.web.project import bulk as saving
from arbitree.web.project.background import READY, Finding
from arbitree.web.project.bulk import batch_of, decide_all, undo_all
from tests.support.web.opened import opened, sentence, visitor, wish, write_study

WORDS = ("we", "saw", "it", "there")
HEADS = (2, 0, 2, 2)
PAIR = "/bulk?label=obl&other=advmod"
CHANGES = {"4 label": "obl"}


@pytest.fixture
def project(tmp_path):
    """Four sentences with the same confusion; in the last one, each head is right only without the other."""
    ann = [sentence(f"s{n}", WORDS, HEADS, ("nsubj", "root", "obj", "advmod")) for n in range(1, 4)]
    bob = [sentence(f"s{n}", WORDS, HEADS, ("nsubj", "root", "obj", "obl")) for n in range(1, 4)]
    ann.append(sentence("s4", WORDS, (2, 0, 4, 2), ("nsubj", "root", "obj", "advmod")))
    bob.append(sentence("s4", WORDS, (2, 0, 2, 3), ("nsubj", "root", "obj", "obl")))
    project = opened(write_study(tmp_path, ann=ann, bob=bob), tmp_path)
    with project.store:
        yield project


@pytest.fixture
def ada(project):
    return project.store.owner("Ada")


@pytest.fixture
def client(project):
    return visitor(project)


def boxes(page):
    return [
        value.replace("&#10;", "\n") for value in re.findall(r'name="place" value="([^"]*)" checked', page)
    ]


def wishes(numbers=(1, 2, 3), seen=0):
    return [BulkWish(number, seen, CHANGES) for number in numbers]


def decided(project):
    return [project.state(number).values.get("4 label") for number in range(1, 5)]


def test_the_undecided_disagreements_are_listed_with_the_choice(client, project, ada):
    project.write(2, wish(ada, 0, "request-2"), events.Decide({"4 label": "advmod"}))
    page = client.get(PAIR).text
    assert boxes(page) == []
    page = client.get(f"{PAIR}&choose=obl").text
    both = BulkWish(4, 0, {"4 head": "3 it", **CHANGES})  # who gives this label gives this head
    assert [wish_of(each) for each in boxes(page)] == [*wishes((1, 3)), both]
    assert "we saw it [there]" in page
    assert 'Apply to <span id="ticked">3 disagreements</span>' in page


@pytest.mark.parametrize("address", ["/bulk", "/bulk?label=obl&choose=x", "/bulk?type=1", "/bulk?text=saw"])
def test_without_a_choice_to_make_the_page_says_so(client, address):
    assert client.get(address).status_code == 422


def test_a_decided_head_stays_and_annotators_with_different_heads_decide_the_label_alone(tmp_path):
    trees = {"ann": (2, "advmod"), "bob": (3, "obl"), "cho": (1, "obl"), "dan": (3, "dep")}
    paths = write_study(
        tmp_path,
        **{
            name: [sentence("s1", WORDS, (2, 0, 2, head), ("nsubj", "root", "obj", label))]
            for name, (head, label) in trees.items()
        },
    )
    project = opened(paths, tmp_path)
    with project.store:
        sheet, state = project.sheet(1), events.State()
        assert list(bulk.by_value(sheet, state, "obl", "advmod")) == [CHANGES]
        assert list(bulk.by_value(sheet, state, "dep")) == [{"4 head": "3 it", "4 label": "dep"}]
        decided = events.State(decisions={"4 head": events.Decision("2 saw", ("Ada",), "")})
        assert list(bulk.by_value(sheet, decided, "dep")) == [{"4 label": "dep"}]


def test_a_filter_restricts_the_list(client):
    found = client.get("/api/bulk?label=obl&choose=obl&text=s2").json()
    assert found == [{"number": 2, "seen": 0, "changes": CHANGES, "problem": ""}]


def test_ticked_places_are_decided_and_undone_in_one_step(client, project):
    places = boxes(client.get(f"{PAIR}&choose=obl").text)
    sent = {"request": "request-1", "place": places[:3]}
    page = client.post(PAIR, data=sent).text
    assert "Saved 3 decisions at once." in page
    assert decided(project) == ["obl", "obl", "obl", None]
    assert len({entry.at for entry in project.store.entries_under(1, "item/")}) == 1
    history = client.get("/history").text
    assert history.count("decided label of there: obl (as one of 3 decisions)") == 3
    assert client.get("/bulk/request-1").status_code == 200
    page = client.post("/bulk/request-1/undo", data={"request": "request-2"}).text
    assert "Undone: 3 sentences changed back." in page
    assert decided(project) == [None] * 4
    assert client.get("/api/progress").json()["decided"] == 0


def test_a_form_that_is_sent_again_is_saved_once(client, project):
    sent = {"request": "request-1", "place": boxes(client.get(f"{PAIR}&choose=obl").text)}
    first, again = (client.post(PAIR, data=sent).text for _ in range(2))
    assert "Saved 4 decisions at once." in first
    assert "Saved 4 decisions at once." in again
    assert len(project.store.entries_under(1, "item/")) == 4


def test_nothing_ticked_and_nonsense_are_refused(client, project):
    assert client.post(PAIR, data={"request": "request-1"}).status_code == 422
    for place in ["", "1", "x\ty\n4 label\tobl", "1\t0", "9" * 40 + "\t0\n4 label\tobl"]:
        assert client.post(PAIR, data={"request": "request-1", "place": place}).status_code == 422, place
    far = {"request": "request-1", "place": "77\t0\n4 label\tobl"}
    assert client.post(PAIR, data=far).status_code == 404
    assert client.get("/bulk/request-1").status_code == 404
    assert client.post("/bulk/request-1/undo", data={"request": "request-2"}).status_code == 404
    assert project.store.entries_under(1, "") == []


@pytest.mark.parametrize("role", ["viewer", "judge"])
def test_only_adjudicators_decide_together(project, role):
    client = visitor(project, role, "Eve")
    for address in (PAIR, "/api/bulk?label=obl&choose=obl", "/bulk/request-1"):
        assert client.get(address).status_code == 403
    assert client.post(PAIR, data={"request": "request-1", "place": "1\t0\n4 label\tobl"}).status_code == 403
    assert client.post("/bulk/request-1/undo", data={"request": "request-2"}).status_code == 403
    assert decided(project) == [None] * 4


def test_a_choice_that_would_break_a_tree_is_skipped_and_listed(project, ada, client):
    """Either head alone is valid; both together would be a cycle."""
    project.write(4, wish(ada, 0, "request-0"), events.Decide({"3 head": "4 there"}))
    sent = [
        {"number": 1, "seen": 0, "changes": CHANGES},
        {"number": 4, "seen": 1, "changes": {"4 head": "3 it"}},
    ]
    answer = client.post("/api/bulk", json={"request": "request-1", "places": sent}).json()
    assert answer["saved"] == 1
    (skipped,) = answer["skipped"]
    assert (skipped["number"], skipped["places"]) == (4, "head of there: 3 it")
    assert "there → it → there" in skipped["why"]
    assert project.state(1).values == CHANGES
    assert project.state(4).values == {"3 head": "4 there"}


def test_two_choices_of_one_sentence_that_exclude_each_other_are_not_both_saved(project, ada):
    both = [
        BulkWish(4, 0, {"3 head": "4 there"}),
        BulkWish(4, 0, {"4 head": "3 it"}),
        BulkWish(4, 0, CHANGES),
    ]
    outcome = decide_all(project, ada, both, "request-1")
    assert [entry.sequence for entry in outcome.entries] == [1, 2]
    assert [each.places for each in outcome.skipped] == ["head of there: 3 it"]
    assert project.state(4).values == {"3 head": "4 there", **CHANGES}


@pytest.mark.parametrize(
    ("before", "why"),
    [
        (events.Note("", "look again"), bulk.CHANGED),
        (events.Reject("odd"), bulk.EXCLUDED),
        (events.Decide({"4 label": "advmod"}), bulk.DECIDED),
    ],
)
def test_what_changed_meanwhile_is_skipped(project, ada, before, why):
    project.write(2, wish(ada, 0, "request-0"), before)
    seen = 0 if why == bulk.CHANGED else 1
    outcome = decide_all(project, ada, [*wishes((1, 3)), BulkWish(2, seen, CHANGES)], "request-1")
    assert len(outcome.entries) == 2
    assert outcome.skipped == [(2, "label of there: obl", why)]
    assert decided(project)[::2] == ["obl", "obl"]


def test_somebody_who_writes_between_looking_and_saving_is_noticed(project, ada, monkeypatch):
    steps_of = saving.steps_of

    def interrupted(sheet, entries, own):
        steps = steps_of(sheet, entries, own)
        if own[0].number == 3 and not entries:
            project.write(2, wish(ada, 0, "request-0"), events.Decide({"4 label": "advmod"}))
        return steps

    monkeypatch.setattr(saving, "steps_of", interrupted)
    outcome = decide_all(project, ada, wishes(), "request-1")
    assert decided(project) == ["obl", "advmod", "obl", None]
    assert outcome.skipped == [(2, "label of there: obl", bulk.CHANGED)]


def test_places_that_were_changed_afterwards_are_kept(project, ada):
    batch = decide_all(project, ada, wishes(), "request-1").entries
    project.write(1, wish(ada, 1, "request-2"), events.Decide({"4 label": "advmod"}))
    project.write(2, wish(ada, 1, "request-3"), events.Note("4 label", "sure"))
    project.write(3, wish(ada, 1, "request-4"), events.Undo())
    outcome = undo_all(project, ada, batch, "request-5")
    assert [entry.subject for entry in outcome.entries] == ["item/s2"]
    assert [(each.number, each.why) for each in outcome.skipped] == [(1, bulk.KEPT), (3, bulk.KEPT)]
    assert decided(project) == ["advmod", None, None, None]
    assert project.state(2).notes == {"4 label": "sure"}
    assert undo_all(project, ada, batch, "request-5").entries == outcome.entries
    assert undo_all(project, ada, batch, "request-6").entries == []


def test_two_who_decide_a_sentence_independently_do_not_see_each_other(project, client):
    bea = visitor(project, "adjudicator", "Bea")
    project.store.assign(1, {"s2": (1, 2)})
    sent = {"request": "request-1", "place": boxes(client.get(f"{PAIR}&choose=obl").text)[:3]}
    assert "Saved 3 decisions at once." in client.post(PAIR, data=sent).text
    assert decided(project) == ["obl", None, "obl", None]
    assert project.state(2, 1).values == CHANGES
    assert [wish_of(each).number for each in boxes(bea.get(f"{PAIR}&choose=obl").text)] == [2, 4]
    assert ">s2<" not in bea.get("/bulk/request-1").text
    assert ">s2<" in client.get("/bulk/request-1").text
    choice = {"request": "request-2", "places": [{"number": 2, "seen": 0, "changes": CHANGES}]}
    assert bea.post("/api/bulk", json=choice).json()["saved"] == 1
    assert decided(project) == ["obl", "obl", "obl", None]
    page = client.post("/bulk/request-1/undo", data={"request": "request-3"}).text
    assert "Undone: 2 sentences changed back." in page
    assert decided(project) == [None, "obl", None, None]


def test_a_request_of_somebody_else_is_not_taken_for_ones_own(project, ada):
    decide_all(project, ada, wishes(), "request-1")
    bea = project.store.add_person("Bea", "adjudicator")
    with pytest.raises(history.Conflict):
        decide_all(project, bea, wishes(), "request-1")
    project.write(4, wish(ada, 0, "request-2"), events.Note("", "x"))
    with pytest.raises(history.Conflict):
        decide_all(project, ada, wishes((4,)), "request-2")
    assert batch_of(project, "request-2") == []


def test_the_occurrences_of_a_type_are_decided_as_one_side_has_them(project, client):
    document = background_parts.compute("types", background_parts.Analysis(project.study))
    project.background._found["types"] = Finding(READY, document)
    for number, row in enumerate(document["rows"], start=1):
        for side in range(1, len(row["sides"]) + 1):
            found = client.get(f"/api/bulk?type={number}&choose={side}").json()
            assert {project.study.items[each["number"] - 1].id for each in found} == set(row["items"])
            coders = {coder for _, _, sides, _ in row["nuclei"] for coder in sides[side - 1]}
            if len(coders) == 1:
                given = [project.sheet(each["number"]).of_coder(*coders) for each in found]
                assert all(
                    each["changes"].items() <= own.items() for each, own in zip(found, given, strict=True)
                )
    page = client.get("/").text
    assert "/bulk?type=1" in page
    assert "/bulk?label=advmod&amp;other=obl" in page
    assert "Decide these disagreements together" in client.get("/sentences?label=obl").text


@pytest.fixture
def pinned(tmp_path):
    """The example study of phrase-structure trees, with its types of inconsistencies."""
    project = opened([f"examples/phrase/{name}.mrg" for name in ("ann", "bob", "cho")], tmp_path)
    document = background_parts.compute("types", background_parts.Analysis(project.study))
    project.background._found["types"] = Finding(READY, document)
    with project.store:
        yield project


def test_all_occurrences_of_a_question_are_decided_by_one_answer(pinned):
    """Question 1 of examples/phrase: six prepositional phrases, with or without an NP around them.

    docs/explain.md shows the types; two of six lie in the same sentence, "a warning for drivers crossing the
    high bridge in heavy wind".
    """
    client = visitor(pinned)
    page = client.get("/bulk?question=1").text
    assert "with question 1: with or without NP (hail in June)" in page
    assert re.findall(r"choose=(\d)\"><bdi>([^<]*)</bdi>", page) == [("1", "no NP"), ("2", "NP")]
    found = client.get("/api/bulk?question=1&choose=1").json()
    types = [row for row in pinned.background.get("types").document["rows"] if row["number"] == 1]
    assert len(types) == 6
    assert {pinned.study.items[each["number"] - 1].id for each in found} == {
        item for row in types for item in row["items"]
    }
    answer = client.post("/api/bulk", json={"request": "request-1", "places": found}).json()
    assert (answer["saved"], answer["skipped"]) == (len(found), [])
    assert client.get("/api/bulk?question=1&choose=2").json() == []
    for item, positions, sides, answers in (each for row in types for each in row["nuclei"]):
        number = pinned.numbers[item]  # the choices of those who have no NP there
        without, around = (sides[answers.index(answer)] for answer in ("no NP", "NP"))
        given = bulk.by_coder(pinned.sheet(number), events.State(), positions, without, around)
        assert given
        assert given.items() <= pinned.state(number).values.items()


def test_a_question_filters_the_list_and_is_offered_on_the_overview(pinned):
    client = visitor(pinned)
    page = client.get("/").text
    assert "/bulk?question=1" in page
    assert "/bulk?question=2" not in page  # it has a single type
    assert "5 of 16 sentences" in client.get("/sentences?question=1").text
    assert client.get("/sentences?question=99").status_code == 422
    assert client.get("/bulk?question=0").status_code == 422
    assert client.get("/bulk?question=1&choose=9").status_code == 422


def test_phrase_trees_have_types_to_decide_too():
    study = read("examples/phrase/ann.mrg", "examples/phrase/bob.mrg")
    row = background_parts.compute("types", background_parts.Analysis(study))["rows"][0]
    item, positions, sides, _ = row["nuclei"][0]
    sheet = sheet_of(study, next(each for each in study.items if each.id == item), kinds.of(study))
    both = [bulk.by_coder(sheet, events.State(), positions, *given) for given in (sides, sides[::-1])]
    assert both[0].keys() == both[1].keys()
    assert all(both[0][key] != both[1][key] for key in both[0])
    assert both[0]
