"""What an adjudicator writes, and what the entries come to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree.adjudication import events, history
from arbitree.api.read import from_table
from arbitree.errors import UnknownName
from arbitree.kinds.labels.kind import KIND as LABELS
from arbitree.web.adjudicate.view import view_of
from arbitree.web.project.completions import values_of
from arbitree.web.project.progress import next_undecided, progress_of
from arbitree.web.sentences.filters import tally
from tests.support.web.opened import ANN, BOB, opened, visitor, write_study

HEAD = "3 head"


@pytest.fixture
def ada(project):
    return project.store.owner("Ada")


@pytest.fixture
def bea(project):
    return project.store.add_person("Bea", "adjudicator")


def wish(person, seen, request):
    return history.Wish(person.id, person.name, seen, f"request-{request}")


def test_a_decision_stands_in_the_state_with_who_and_when(project, ada):
    outcome = project.write(1, wish(ada, 0, 1), events.Decide({HEAD: "2"}))
    assert outcome.saved
    decision = project.state(1).decisions[HEAD]
    assert (decision.value, decision.name) == ("2 saw", "Ada")
    assert decision.at


def test_what_would_break_the_tree_is_not_written(project, ada):
    before = project.write(1, wish(ada, 0, 1), events.Decide({HEAD: "2"})).state
    outcome = project.write(1, wish(ada, 1, 2), events.Decide({"2 head": "3"}))
    assert not outcome.saved
    assert "saw → it → saw" in outcome.verdict.problem
    assert project.state(1) == before


def test_undoing_takes_back_the_last_step_and_keeps_it_in_the_log(project, ada):
    project.write(1, wish(ada, 0, 1), events.Decide({HEAD: "2"}))
    project.write(1, wish(ada, 1, 2), events.Decide({HEAD: "4"}))
    state = project.write(1, wish(ada, 2, 3), events.Undo()).state
    assert state.values == {HEAD: "2 saw"}
    state = project.write(1, wish(ada, 3, 4), events.Undo()).state
    assert state.values == {}
    assert len(project.store.entries(project.edition.id, "item/s1")) == 4


@pytest.mark.parametrize("step", [events.Undo(), events.Reopen()])
def test_what_changes_nothing_is_not_said_to_be_saved(project, ada, step):
    with pytest.raises(UnknownName):
        project.write(1, wish(ada, 0, 1), step)
    assert project.state(1).seen == 0


def test_a_request_that_is_sent_again_counts_once(project, ada):
    first = project.write(1, wish(ada, 0, 1), events.Decide({HEAD: "2"}))
    again = project.write(1, wish(ada, 0, 1), events.Decide({HEAD: "2"}))
    assert again.state == first.state
    assert len(project.store.entries(project.edition.id, "item/s1")) == 1


def test_a_request_with_another_content_is_not_taken_for_the_first(project, ada):
    project.write(1, wish(ada, 0, 1), events.Decide({HEAD: "2"}))
    with pytest.raises(history.Conflict):
        project.write(1, wish(ada, 0, 1), events.Decide({HEAD: "4"}))


def test_of_two_who_looked_at_the_same_state_the_second_is_told_what_the_first_did(project, ada, bea):
    project.write(1, wish(ada, 0, 1), events.Decide({HEAD: "2"}))
    with pytest.raises(history.Conflict) as caught:
        project.write(1, wish(bea, 0, 2), events.Decide({HEAD: "4"}))
    assert [events.describe(entry, project.sheet(1)) for entry in caught.value.entries] == [
        "decided head of it: 2 saw"
    ]
    assert project.state(1).values == {HEAD: "2 saw"}


def test_notes_are_kept_apart_from_decisions_and_can_be_emptied(project, ada):
    project.write(1, wish(ada, 0, 1), events.Note(HEAD, " see the guidelines "))
    assert project.state(1).notes == {HEAD: "see the guidelines"}
    assert project.write(1, wish(ada, 1, 2), events.Note(HEAD, "")).state.notes == {}


def test_a_rejected_sentence_is_finished_and_can_be_taken_in_again(project, ada):
    project.write(1, wish(ada, 0, 1), events.Reject("garbled"))
    assert progress_of(project).rejected == 1
    assert events.gold_of(project.sheet(1), project.state(1)) is None
    project.write(1, wish(ada, 1, 2), events.Reopen())
    assert progress_of(project).rejected == 0


def test_the_next_sentence_is_the_next_that_waits_and_none_when_all_are_done(project, ada):
    assert next_undecided(project, 0) == 1
    assert next_undecided(project, 1) == 3
    for number in (1, 3):
        project.write(number, wish(ada, 0, number), events.Decide(project.sheet(number).of_coder("ann")))
    assert next_undecided(project, 0) is None
    found = progress_of(project)
    assert (found.agreed, found.to_decide, found.decided, found.left, found.percent) == (1, 2, 2, 0, 100)


def test_only_what_is_listed_is_gone_through(project):
    assert next_undecided(project, 0, [3, 1]) == 3
    assert next_undecided(project, 3, [3, 1]) == 1
    assert next_undecided(project, 1, [2]) is None


def test_places_made_undecided_wait_again(project, ada):
    project.write(3, wish(ada, 0, 1), events.Decide({HEAD: "1"}))
    project.write(3, wish(ada, 1, 2), events.Clear([HEAD]))
    assert next_undecided(project, 1) == 3


def test_a_correction_that_is_taken_back_in_part_waits_again(project, ada):
    changes = {"1 head": "0", "1 label": "root", "2 head": "1", "2 label": "nsubj"}
    project.write(2, wish(ada, 0, 1), events.Decide(changes))
    assert next_undecided(project, 1) == 3
    state = project.write(2, wish(ada, 1, 2), events.Clear(["1 head"])).state
    assert "birds → sing → birds" in project.sheet(2).trouble(state.values)
    assert events.gold_of(project.sheet(2), state) is None
    assert next_undecided(project, 1) == 2


STEPS = st.lists(st.sampled_from(["a", "b", events.Undo.name]), max_size=30)


@given(STEPS)
def test_the_state_is_what_a_stack_of_steps_comes_to(steps):
    """Undoing is taking off the top; what was undone leaves no trace in the state."""
    stack, entries = [], []
    for number, step in enumerate(steps, start=1):
        if step == events.Undo.name:
            stack[-1:] = []
        else:
            stack.append(step)
        action, body = (
            (events.Undo.name, {"of": 0})
            if step == events.Undo.name
            else (events.Decide.name, {"changes": {step: str(number)}})
        )
        entries.append(history.LogEntry(number, 1, "item/s", number, 1, "Ada", "", action, body, str(number)))
    state = events.fold(entries)
    assert set(state.decisions) == set(stack)
    assert state.seen == len(steps)
    assert len(state.standing) == len(stack)


def test_a_filter_goes_along_from_sentence_to_sentence(project):
    client = visitor(project)
    assert client.get("/adjudicate?label=obl").headers["location"] == "/adjudicate/1?label=obl"
    page = client.get("/adjudicate/1?label=obl").text
    assert "1 / 1 in which obl is contested" in page
    assert 'action="/adjudicate/1/undo?label=obl"' in page
    form = {"seen": 0, "request": "request-1", "wish": "4 label\tobl", "csrf": client.headers["X-CSRF-Token"]}
    answer = client.post("/adjudicate/1/decide?label=obl", data=form)
    assert answer.headers["location"] == "/adjudicate/1?label=obl"
    assert "No undecided sentences match this filter" in client.get("/adjudicate?label=nothing").text


def test_labels_that_go_with_a_decided_head_are_marked(project, ada):
    assert not any(option.beside for row in view_of(project, 1, ada).rows for option in row.options)
    project.write(1, wish(ada, 0, 1), events.Decide({HEAD: "4"}))
    marked = {
        (part.place.key, *option.values)
        for row in view_of(project, 1, ada).rows
        for part in row.fields
        for option in part.options
        if option.beside
    }
    assert marked == {("3 label", "dep")}


def test_values_that_coders_use_are_offered_where_one_types(project):
    page = visitor(project).get("/adjudicate/1").text
    assert 'list="words"' in page
    assert 'list="known-label"' in page
    assert '<option value="advmod">' in page


def test_a_comma_in_a_name_makes_no_second_person(project):
    byron = project.store.add_person("Byron, Ada", "adjudicator")
    assert project.write(1, wish(byron, 0, 1), events.Decide({HEAD: "2"})).state.people == ("Byron, Ada",)


@pytest.mark.parametrize("own", ["no word", "3"])
def test_what_was_typed_and_refused_is_not_lost(project, own):
    client = visitor(project)
    form = {"seen": 0, "request": "request-1", "key": HEAD, "own": own}
    answer = client.post("/adjudicate/1/decide", data=form)
    assert answer.status_code == 422
    assert f'name="own" value="{own}"' in answer.text


def test_a_note_on_what_all_agree_on_decides_nothing(project, ada):
    project.write(2, wish(ada, 0, 1), events.Note("", "nice"))
    assert view_of(project, 2, ada).status == "agreed"
    assert tally(project)["agreed"] == 1
    assert progress_of(project).to_decide == 2


def test_a_correction_of_what_all_agree_on_is_a_decision_until_it_is_undone(project, ada):
    project.write(2, wish(ada, 0, 1), events.Decide({"1 label": "obj"}))
    assert (view_of(project, 2, ada).status, tally(project)["decided"]) == ("decided", 1)
    project.write(2, wish(ada, 1, 2), events.Undo())
    assert (view_of(project, 2, ada).status, tally(project)["decided"]) == ("agreed", 0)


def test_what_one_coder_alone_did_stays_incomplete_when_somebody_notes_on_it(tmp_path):
    project = opened(write_study(tmp_path, ann=ANN, bob=BOB[:2]), tmp_path)
    with project.store:
        ada = project.store.owner("Ada")
        project.write(3, wish(ada, 0, 1), events.Note("", "who has it?"))
        assert view_of(project, 3, ada).status == "incomplete"
        assert tally(project)["incomplete"] == 1
        assert next_undecided(project, 1) == 3


def test_a_decision_does_not_take_a_rejected_sentence_in_again(project, ada):
    project.write(1, wish(ada, 0, 1), events.Reject("garbled"))
    assert project.write(1, wish(ada, 1, 2), events.Decide({HEAD: "2"})).state.rejected == "garbled"


def test_only_what_is_decided_can_be_cleared(project, ada):
    with pytest.raises(UnknownName, match="there is no decision on '3 head' to clear"):
        project.write(1, wish(ada, 0, 1), events.Clear([HEAD]))
    assert project.state(1).seen == 0


def test_labels_are_offered_in_the_order_of_their_frequency():
    assert values_of(from_table([["b", "b"], ["a", "b"]]), LABELS.places) == {"label": ("b", "a")}
