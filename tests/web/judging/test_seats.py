"""What a judge sees and can do."""

import re

import pytest

from arbitree.adjudication.history import LogEntry
from arbitree.web.judge.seats import fold
from tests.support.web.visitors import Visitor, entries, fields_of, make, once

FIRST, SECOND = "ArrowUp ArrowLeft 1", "ArrowDown ArrowRight 2"  # keys


def test_a_judge_goes_from_sentence_to_sentence_to_the_thanks(project, owner, judge):
    make(owner, repeats=0.25)
    assert judge.get("/judge").headers["location"] == "/judge/1"
    for number in range(1, 16):
        page = judge.get("/judge/1")
        assert f'value="{number - 1}"' in re.search("<progress[^>]*>", page.text)[0]
        assert fields_of(page.text)["position"] == str(number)
        answer = judge.answer(("upper", "lower", "equal", "bad")[number % 4])
        assert (answer.status_code, answer.headers["location"]) == (303, "/judge/1")
    assert "Thank you" in judge.get("/judge/1").text
    assert len(entries(project, judge)) == 15


def test_the_page_has_the_sentence_once_two_pictures_buttons_and_keys(owner, judge):
    make(owner)
    page = judge.get("/judge/1").text
    assert len(re.findall(r'class="sentence"[^>]*>\s*<bdi>gulls chased', page)) == 1
    assert page.count("<svg") == 2
    assert page.count('aria-label="Dependency arcs over 7 words."') == 2
    assert re.findall('data-keys="([^"]+)"', page) == [FIRST, SECOND, "=", "x", "m"]
    assert "gulls: nsubj of chased" in page


def test_two_open_rounds_are_listed_with_progress(owner, judge):
    make(owner)
    make(owner, seed=1)
    judge.answer("upper", number=2)
    page = judge.get("/judge")
    assert page.status_code == 200
    assert '<a href="/judge/1">' in page.text
    assert "1 of 13" in page.text


def test_without_a_round_a_judge_is_told_so_and_the_owner_can_create_one(owner, judge):
    assert "No judging round is open. The study owner will tell you" in judge.get("/judge").text
    assert 'No judging round is open. <a href="/rounds">Create a round</a>' in owner.get("/judge").text


def test_a_judge_who_comes_back_elsewhere_sees_the_same_sentence(project, owner, judge):
    make(owner)
    judge.answer("upper")
    again = Visitor(project, judge.person)
    pictures = [re.findall("<svg.*?</svg>", who.get("/judge/1").text) for who in (judge, again)]
    assert pictures[0] == pictures[1]
    assert fields_of(again.get("/judge/1").text)["position"] == "2"


def test_parses_that_are_equal_are_not_shown(owner):
    made = make(owner)
    assert (made["items"], made["left_out"]) == (12, {"same parse": 1})


def test_posting_twice_gives_one_entry(project, owner, judge):
    make(owner)
    fields = fields_of(judge.get("/judge/1").text)
    answers = [judge.post("/judge/1", choice="upper", **fields) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [303, 303]
    assert [entry.body for entry in entries(project, judge)] == [{"position": 1, "choice": "upper"}]


def test_another_answer_with_the_same_request_is_not_passed_off_as_saved(project, owner, judge):
    make(owner)
    fields = fields_of(judge.get("/judge/1").text)
    judge.post("/judge/1", choice="upper", **fields)
    answer = judge.post("/judge/1", choice="lower", **fields)
    assert answer.status_code == 409
    assert "Not saved" in answer.text
    assert [entry.body for entry in entries(project, judge)] == [{"position": 1, "choice": "upper"}]


def test_an_answer_from_a_stale_window_is_not_saved(project, owner, judge):
    make(owner)
    stale = fields_of(judge.get("/judge/1").text)
    judge.answer("upper")
    answer = judge.post("/judge/1", choice="lower", **stale | {"request": once()})
    assert answer.status_code == 409
    assert "another window" in answer.text
    assert fields_of(answer.text)["position"] == "2"
    assert len(entries(project, judge)) == 1


def test_undo_takes_the_last_answer_back_and_shows_its_sentence(project, owner, judge):
    make(owner)
    judge.answer("upper")
    judge.answer("lower")
    answer = judge.post("/judge/1/undo", seen=2, request=once())
    assert answer.headers["location"] == "/judge/1/2"
    assert fields_of(judge.get("/judge/1").text)["position"] == "2"
    assert fold(entries(project, judge)).answers == {1: "upper"}


def test_undo_sent_twice_takes_one_answer_back(project, owner, judge):
    make(owner)
    judge.answer("upper")
    judge.answer("lower")
    fields = {"seen": 2, "request": once()}
    places = [judge.post("/judge/1/undo", **fields).headers["location"] for _ in range(2)]
    assert places == ["/judge/1/2", "/judge/1/2"]
    assert fold(entries(project, judge)).answers == {1: "upper"}


def test_there_must_be_something_to_undo(owner, judge):
    make(owner)
    assert judge.post("/judge/1/undo", seen=0, request=once()).status_code == 409


def test_a_verdict_is_changed_by_going_back(project, owner, judge):
    make(owner)
    judge.answer("upper")
    judge.answer("lower")
    page = judge.get("/judge/1/1").text
    assert "Your answer: the first parse is better" in page
    assert re.search('value="upper"[^>]* aria-pressed="true"', page)
    assert judge.post("/judge/1", choice="equal", **fields_of(page)).status_code == 303
    assert fold(entries(project, judge)).answers == {1: "equal", 2: "lower"}


def test_fold_lets_undo_bring_the_answer_before_back():
    def entry(sequence, action, **body):
        return LogEntry(sequence, 1, "judge/1/2", sequence, 2, "Judit", "", action, body, f"r{sequence}")

    log = [
        entry(1, "verdict", position=1, choice="upper"),
        entry(2, "verdict", position=1, choice="bad"),
        entry(3, "undo", position=1),
    ]
    assert fold(log[:2]).answers == {1: "bad"}
    assert fold(log) == (3, {1: "upper"}, 1)
    assert fold([]) == (0, {}, None)


@pytest.mark.parametrize(
    ("position", "choice", "status"),
    [
        (1, "better", 422),
        (1, "", 422),
        (1, "equal", 422),  # not in this round
        (1, "bad", 422),
        (0, "upper", 422),
        (99, "upper", 422),
        (-1, "upper", 422),
        ("one", "upper", 422),
        (10**30, "upper", 422),
        (5, "upper", 303),  # not the one that is shown, but it exists
    ],
)
def test_only_verdicts_that_the_round_knows_are_taken(project, owner, judge, position, choice, status):
    make(owner, equal=False, bad=False)
    fields = {"seen": 0, "position": position, "choice": choice}
    assert judge.post("/judge/1", request=once(), **fields).status_code == status
    assert len(entries(project, judge)) == (status == 303)
    if isinstance(position, int):
        answer = judge.send("/api/judge/1/verdicts", request=once(), **fields | {"seen": status == 303})
        assert answer.status_code == (200 if status == 303 else 422)


def test_buttons_are_those_that_the_round_allows(owner, judge):
    make(owner, equal=False, bad=False)
    assert re.findall('data-keys="([^"]+)"', judge.get("/judge/1").text) == [FIRST, SECOND, "m"]


def test_differences_are_marked_on_request_and_the_answer_tells(project, owner, judge):
    make(owner)
    plain, marked = judge.get("/judge/1/1").text, judge.get("/judge/1/1?marked=true").text
    assert "differs" not in plain
    assert marked.count('class="token differs"') % 2 == 0
    assert 'class="token differs"' in marked
    assert judge.post("/judge/1", choice="upper", **fields_of(plain)).status_code == 303
    again = fields_of(judge.get("/judge/1/2?marked=true").text)
    assert judge.post("/judge/1", choice="upper", **again).status_code == 303
    assert [entry.body.get("marked", False) for entry in entries(project, judge)] == [False, True]


def test_words_are_at_the_same_place_in_both_parses(owner, judge):
    make(owner)
    pictures = re.findall(r"<svg.*?</svg>", judge.get("/judge/1/1").text, re.DOTALL)
    places = [re.findall(r'<text class="word" x="([\d.]+)"', each) for each in pictures]
    assert len(places[0]) == 7
    assert places[0] == places[1]


def test_a_closed_round_takes_nothing_until_it_is_opened_again(project, owner, judge):
    make(owner)
    fields = fields_of(judge.get("/judge/1").text)
    assert owner.post("/rounds/1/close").headers["location"] == "/rounds/1"
    assert judge.get("/judge/1").status_code == 410
    assert judge.post("/judge/1", choice="upper", **fields).status_code == 410
    assert "No judging round is open" in judge.get("/judge").text
    assert not entries(project, judge)
    owner.post("/rounds/1/reopen")
    assert judge.post("/judge/1", choice="upper", **fields).status_code == 303


def test_an_answer_that_was_saved_before_the_round_was_closed_may_be_sent_again(project, owner, judge):
    make(owner)
    fields = fields_of(judge.get("/judge/1").text)
    judge.post("/judge/1", choice="upper", **fields)
    owner.post("/rounds/1/close")
    assert judge.post("/judge/1", choice="upper", **fields).status_code == 303
    assert len(entries(project, judge)) == 1


def test_programs_can_judge_too(owner, judge):
    make(owner)
    assert judge.get("/api/judge").json()[0]["next"] == 1
    trial = judge.get("/api/judge/1/trials/1").json()
    assert trial["tokens"][:2] == ["gulls", "chased"]
    assert trial["upper"]["svg"].startswith("<svg")
    assert trial["upper"]["words"] != trial["lower"]["words"]
    assert (trial["answer"], trial["reference"]) == (None, None)
    sent = {"position": 1, "choice": "lower", "seen": 0, "request": once()}
    seats = [judge.send("/api/judge/1/verdicts", **sent).json() for _ in range(2)]
    assert seats[0] == seats[1]
    assert (seats[0]["done"], seats[0]["next"], seats[0]["seen"]) == (1, 2, 1)
    assert judge.get("/api/judge/1/trials/1").json()["answer"] == "lower"
    assert judge.send("/api/judge/1/verdicts", **sent | {"request": once()}).status_code == 409
    assert judge.send("/api/judge/1/undo", seen=1, request=once()).json()["done"] == 0


def test_a_reference_is_shown_only_where_the_round_says_so(owner, judge):
    make(owner, reference="okapi")
    assert judge.get("/judge/1").text.count("<svg") == 3
    assert "chased" in judge.get("/api/judge/1/trials/1").json()["reference"]["words"][0]
