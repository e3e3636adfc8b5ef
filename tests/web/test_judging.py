"""Judging through the web: what a judge sees and can do, and what never reaches a judge."""

import json
import re
import shlex
import time
from itertools import count

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from arbitree.cli import app as commands
from arbitree.web.app import create_app
from arbitree.web.judging import fold
from arbitree.web.people import COOKIE, session
from arbitree.web.project import open_project
from arbitree.web.reading import Reading
from arbitree.web.store import Entry

WORDS = ("gulls", "chased", "the", "ferry", "near", "our", "harbour")
GOLD = ((2, 0, 4, 2, 7, 7, 2), ("nsubj", "root", "det", "obj", "case", "nmod", "obl"))
CODERS = ("okapi", "quagga", "zorilla")  # the first is the reference
SYSTEMS = CODERS[1:]
ITEM, COMMENT, DOCUMENT = "sentencekey", "drafted in a hurry", "logbook"
SECRETS = (*CODERS, ITEM, COMMENT, DOCUMENT, "conllu", ".mrg", "arbitree.sqlite")
HIDDEN = ("repeat",)  # which trials check the judge
requests = count(1)


def once():
    return f"request-{next(requests)}"


def sentence(number, heads, relations, words=WORDS):
    rows = [
        f"{k}\t{word}\t_\tX\t_\t_\t{head}\t{relation}\t_\t_"
        for k, (word, head, relation) in enumerate(zip(words, heads, relations, strict=True), start=1)
    ]
    head = f"# newdoc id = {DOCUMENT}\n# sent_id = {ITEM}-{number}\n# note = {COMMENT}\n"
    return head + "\n".join(rows) + "\n\n"


def write_trees(folder, *, items=12, same=1):
    """Two systems which differ in one arc of every sentence, but in none of the last *same*."""
    texts = dict.fromkeys(CODERS, "")
    heads, relations = GOLD
    for number in range(1, items + same + 1):
        differ = number <= items
        words = (*WORDS[:-1], f"harbour{number}")
        texts["okapi"] += sentence(number, heads, relations, words)
        texts["quagga"] += sentence(number, (*heads[:-1], 4 if differ else 2), relations, words)
        texts["zorilla"] += sentence(number, heads, (*relations[:-1], "dep" if differ else "obl"), words)
    for name, text in texts.items():
        (folder / f"{name}.conllu").write_text(text)
    return tuple(f"{name}={folder / name}.conllu" for name in CODERS)


class Visitor:
    """A browser in which somebody is signed in."""

    def __init__(self, project, person):
        self.project, self.person = project, person
        self.client = TestClient(create_app(project, compute=False), follow_redirects=False)
        if person is not None:
            self.client.cookies.set(COOKIE, session(project.store.secret(), person, time.time()))

    def get(self, address, **headers):
        return self.client.get(address, headers=headers)

    def follow(self, address):
        return self.client.get(address, follow_redirects=True)

    def csrf(self):
        return re.search(r'"X-CSRF-Token": "([^"]+)"', self.client.get("/judge/0").text)[1]

    def post(self, address, **form):
        return self.client.post(address, data={"csrf": self.csrf(), **form})

    def send(self, address, **document):
        return self.client.post(address, json=document, headers={"X-CSRF-Token": self.csrf()})

    def answer(self, choice, *, number=1):
        """Press a button on the page that the round shows now."""
        fields = fields_of(self.get(f"/judge/{number}").text)
        return self.post(f"/judge/{number}", choice=choice, **fields)


def fields_of(page):
    form = re.search(r'<form class="verdicts".*?</form>', page, re.DOTALL)[0]
    found = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
    return {name: found[name] for name in ("seen", "request", "position")}


@pytest.fixture
def project(tmp_path):
    opened = open_project(Reading(write_trees(tmp_path)), tmp_path / "project")
    opened.store.owner("Olga")
    yield opened
    opened.store.close()


@pytest.fixture
def owner(project):
    return Visitor(project, project.store.person(1))


@pytest.fixture
def judge(project):
    return Visitor(project, project.store.add_person("Judit", "judge"))


def make(owner, **settings):
    answer = owner.send("/api/rounds", **{"systems": SYSTEMS} | settings)
    assert answer.status_code == 201, answer.text
    return answer.json()


def entries(project, judge, number=1):
    return project.store.entries(project.edition.id, f"judge/{number}/{judge.person.id}")


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
    assert re.findall('data-key="([^"]+)"', page) == ["ArrowUp", "ArrowDown", "=", "x"]
    assert "gulls: nsubj of chased" in page


def test_two_open_rounds_are_listed_with_progress(owner, judge):
    make(owner)
    make(owner, seed=1)
    judge.answer("upper", number=2)
    page = judge.get("/judge")
    assert page.status_code == 200
    assert '<a href="/judge/1">' in page.text
    assert "1 of 13" in page.text


def test_without_a_round_a_judge_is_told_so(judge):
    assert "nothing to judge" in judge.get("/judge").text


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
    assert "nothing was changed" in answer.text
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
    assert "You said: the upper one is better" in page
    assert re.search('value="upper"[^>]* aria-pressed="true"', page)
    assert judge.post("/judge/1", choice="equal", **fields_of(page)).status_code == 303
    assert fold(entries(project, judge)).answers == {1: "equal", 2: "lower"}


def test_fold_lets_undo_bring_the_answer_before_back():
    def entry(sequence, action, **body):
        return Entry(sequence, 1, "judge/1/2", sequence, 2, "Judit", "", action, body, f"r{sequence}")

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
    assert re.findall('data-key="([^"]+)"', judge.get("/judge/1").text) == ["ArrowUp", "ArrowDown"]


def test_a_closed_round_takes_nothing_until_it_is_opened_again(project, owner, judge):
    make(owner)
    fields = fields_of(judge.get("/judge/1").text)
    assert owner.post("/rounds/1/close").headers["location"] == "/rounds/1"
    assert judge.get("/judge/1").status_code == 410
    assert judge.post("/judge/1", choice="upper", **fields).status_code == 410
    assert "nothing to judge" in judge.get("/judge").text
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


ADDRESSES = (
    "/", "/judge", "/judge/1", "/judge/1/1", "/judge/1/2", "/judge/1/99", "/judge/1/x", "/judge/x",
    "/judge/9", "/api/judge", "/api/judge/1", "/api/judge/1/trials/1", "/api/judge/1/trials/99",
    "/api/judge/x",
    "/sentences", "/sentences/1", "/adjudicate", "/adjudicate/1", "/history", "/decisions", "/people",
    "/rounds", "/rounds/1", "/rounds/1/judgments.jsonl", "/export/conllu", "/nowhere", "/static/nothing.css",
    "/api/rounds", "/api/rounds/1", "/api/rounds/1/judgments", "/api/items", "/api/study", "/api/nowhere",
    "/api/openapi.json", f"/sentences/{'9' * 40}", f"/judge/{'9' * 40}",
)  # fmt: skip


def assert_blind(answer):
    raw = answer.content + repr(sorted(answer.headers.multi_items())).encode()
    found = [secret for secret in SECRETS if secret.encode() in raw]
    assert not found, (answer.request.url, found)
    if not re.search("/openapi|/static/", str(answer.request.url)):  # which know of no round
        assert not [word for word in HIDDEN if word.encode() in raw], answer.request.url


def everything(judge):
    """All answers that a judge can get: pages, parts of pages, refusals, conflicts, files."""
    yield from (judge.get(address) for address in ADDRESSES)
    yield from (judge.get(address, **{"HX-Request": "true"}) for address in ADDRESSES)
    yield from (
        judge.get(file) for file in re.findall('(?:href|src)="(/static/[^"]+)"', judge.get("/judge/1").text)
    )
    verdict = {"position": 1, "choice": "upper", "seen": 0}
    for sent in (
        verdict,
        verdict,
        verdict | {"choice": "quite"},
        verdict | {"position": 99},
        {"seen": "many"},
    ):
        yield judge.post("/judge/1", request=once(), **sent)
        yield judge.send("/api/judge/1/verdicts", request=once(), **sent)
    for position in range(1, 20):
        yield judge.post("/judge/1", request=once(), **verdict | {"position": position, "seen": position})
        yield judge.get(f"/judge/1/{position}")
        yield judge.get(f"/api/judge/1/trials/{position}")
    yield judge.post("/judge/1/undo", seen=0, request=once())
    yield judge.post("/rounds", first="a", second="b")
    yield judge.client.post("/judge/1", data=verdict)
    yield judge.client.delete("/judge/1")
    yield judge.get("/judge/1")


@pytest.mark.parametrize("reference", ["", "okapi"])
def test_nothing_that_a_judge_can_get_tells_whose_parse_it_is(owner, judge, reference):
    make(owner, repeats=0.5, reference=reference)
    statuses = set()
    for answer in everything(judge):
        assert_blind(answer)
        statuses.add(answer.status_code)
    assert statuses >= {200, 303, 403, 404, 405, 409, 422}
    owner.post("/rounds/1/close")
    for answer in everything_closed(judge):
        assert_blind(answer)


def everything_closed(judge):
    yield from (judge.get(address) for address in ADDRESSES)
    yield judge.send("/api/judge/1/verdicts", position=1, choice="upper", seen=0, request=once())


def test_the_secrets_do_reach_the_owner(owner):
    """Else the test above would look for what is nowhere."""
    make(owner)
    page = owner.get("/rounds/1").text
    assert all(name in page for name in SYSTEMS)
    assert ITEM in json.dumps(owner.project.store.round(1).settings)


@pytest.mark.parametrize("role", ["viewer", "adjudicator"])
def test_others_may_not_judge(project, owner, role):
    make(owner)
    other = Visitor(project, project.store.add_person("Otto", role))
    assert other.get("/judge/1").status_code == 403
    assert other.get("/api/judge/1").status_code == 403


@pytest.mark.parametrize("address", ["/judge", "/judge/1", "/api/judge/1", "/rounds", "/api/rounds/1"])
def test_nobody_comes_in_without_a_link(project, owner, address):
    make(owner)
    assert Visitor(project, None).get(address).status_code == 401


def test_a_verdict_without_the_token_of_the_session_is_refused(project, owner, judge):
    make(owner)
    sent = {"position": 1, "choice": "upper", "seen": 0, "request": once()}
    assert judge.client.post("/judge/1", data=sent).status_code == 403
    assert judge.client.post("/api/judge/1/verdicts", json=sent).status_code == 403
    assert not entries(project, judge)


def test_judges_see_no_rounds_and_change_none(owner, judge):
    make(owner)
    for address in (
        "/rounds",
        "/rounds/1",
        "/rounds/1/judgments.jsonl",
        "/api/rounds",
        "/api/rounds/1/judgments",
    ):
        assert judge.get(address).status_code == 403
    assert judge.post("/rounds/1/close").status_code == 403
    assert judge.send("/api/rounds", systems=SYSTEMS).status_code == 403
    assert judge.get("/judge/1").status_code == 200


def test_the_owner_may_judge_but_is_warned(owner, judge):
    make(owner)
    assert "not blind" in owner.get("/judge/1").text
    assert "not blind" not in judge.get("/judge/1").text


def test_pages_hold_no_script_and_no_style_of_their_own(owner, judge):
    make(owner)
    judge.answer("upper")
    for page in (
        judge.get("/judge/1"),
        judge.get("/judge/1/1"),
        owner.get("/rounds"),
        owner.get("/rounds/1"),
    ):
        assert page.status_code == 200
        assert not re.search(r"<style|<script(?![^>]* src=)|\sstyle=|\son\w+=", page.text)


def test_judgments_go_through_prefer_with_the_command_that_the_page_shows(
    project, owner, judge, tmp_path, monkeypatch
):
    """Judges who always find the parse of quagga better: the command must hear exactly that."""
    make(owner, repeats=0.25)
    for who in (judge, owner):
        for position in range(1, 16):
            trial = who.get(f"/api/judge/1/trials/{position}").json()
            choice = "upper" if trial["upper"]["words"][-1].endswith("of ferry") else "lower"
            who.send(
                "/api/judge/1/verdicts", position=position, choice=choice, seen=position - 1, request=once()
            )
    found = owner.get("/api/rounds/1").json()
    assert [each["counts"] for each in found["judges"]] == [{"quagga": 12}, {"quagga": 12}]
    assert [(each["repeats_alike"], each["repeats"]) for each in found["judges"]] == [(3, 3), (3, 3)]
    assert found["agreement"]["raw"] == 1
    file = owner.get("/rounds/1/judgments.jsonl")
    assert file.headers["content-disposition"] == 'attachment; filename="judgments-1.jsonl"'
    assert file.content == owner.get("/api/rounds/1/judgments").content
    (tmp_path / "judgments-1.jsonl").write_bytes(file.content)
    monkeypatch.chdir(tmp_path)
    program, *arguments = shlex.split(found["command"])
    result = CliRunner().invoke(commands, [*arguments, "--resamples", "0", "--json", "-q"])
    assert (program, result.exit_code) == ("arbitree", 0), result.output
    verdicts = json.loads(result.stdout)["sets"][0]["verdicts"]
    assert verdicts["items"] == verdicts["first"] == 12


def test_both_bad_and_equal_are_told_apart_in_the_file(owner, judge):
    make(owner)
    judge.answer("equal")
    judge.answer("bad")
    lines = [json.loads(line) for line in owner.get("/rounds/1/judgments.jsonl").text.splitlines()]
    assert {line["choice"] for line in lines} == {None, "both bad"}
    assert {line["coder"] for line in lines} == {"Judit"}


def test_the_owner_makes_a_round_with_the_form(project, owner):
    fields = {
        "first": "quagga",
        "second": "zorilla",
        "sentences": "5",
        "repeats": "20",
        "equal": "true",
        "seed": "7",
    }
    assert owner.post("/rounds", **fields).headers["location"] == "/rounds/1"
    kept = project.store.round(1).settings
    assert len(kept["items"]) == 5
    assert (kept["repeats"], kept["equal"], kept["bad"], kept["reference"]) == (0.2, True, False, "")
    assert "Round 1" in owner.get("/rounds").text


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"second": "quagga"}, "itself"),
        ({"second": "okapi", "reference": "okapi"}, "compared"),
        ({"second": "yak"}, "yak"),
        ({"sentences": "none"}, "none"),
        ({"sentences": "0"}, "sentences"),
        ({"repeats": "60"}, "repeats"),
        ({"seed": "-1"}, "seed"),
    ],
)
def test_a_form_that_makes_no_sense_comes_back_with_what_was_typed(project, owner, wrong, said):
    fields = {"first": "quagga", "second": "zorilla", "sentences": "7", "repeats": "10", "seed": "3"} | wrong
    answer = owner.post("/rounds", **fields)
    assert answer.status_code == 422
    assert said in re.search('<p class="warnings" role="alert">(.*?)</p>', answer.text, re.DOTALL)[1]
    assert (
        f'name="sentences" inputmode="numeric" autocomplete="off" value="{fields["sentences"]}"'
        in answer.text
    )
    assert not project.store.rounds(project.edition.id)


def test_the_page_of_a_round_follows_the_judges(owner, judge):
    make(owner, repeats=0)
    assert "0 of 12 answers are given" in owner.get("/rounds/1").text
    judge.answer("upper")
    part = owner.get("/rounds/1", **{"HX-Request": "true"}).text
    assert "1 of 12 answers are given" in part
    assert "<html" not in part
    assert 'hx-trigger="every 3s"' in part
    assert "1 : 0" in part
    owner.post("/rounds/1/close")
    assert '<div id="poll"></div>' in owner.get("/rounds/1", **{"HX-Request": "true"}).text


def test_agreement_is_shown_once_two_have_judged(project, owner, judge):
    make(owner, repeats=0)
    for who in (judge, owner):
        for _ in range(12):
            who.answer("equal")
    page = owner.get("/rounds/1").text
    assert "Judges agree on 100 % of the sentences" in page


def test_rounds_of_earlier_files_keep_their_judgments(project, owner, judge, tmp_path):
    make(owner)
    judge.answer("upper")
    inputs = write_trees(tmp_path, items=4)
    later = open_project(Reading(inputs), tmp_path / "project")
    try:
        other, old = Visitor(later, judge.person), Visitor(later, owner.person)
        assert later.edition.id != project.edition.id
        assert other.get("/judge/1").status_code == 410
        assert "nothing to judge" in other.get("/judge").text
        assert "earlier files" in old.get("/rounds").text
        assert "files have changed" in old.get("/rounds/1").text
        assert len(old.get("/rounds/1/judgments.jsonl").text.splitlines()) == 1
    finally:
        later.store.close()


def test_phrase_trees_are_judged_too(tmp_path):
    for name, text in (
        ("quagga", "(S (NP (P we)) (VP (V saw) (NP (N gulls))))"),
        ("zorilla", "(S (P we) (VP (V saw) (N gulls)))"),
    ):
        (tmp_path / f"{name}.mrg").write_text(f"{text}\n")
    project = open_project(
        Reading(tuple(f"{name}={tmp_path / name}.mrg" for name in SYSTEMS)), tmp_path / "project"
    )
    try:
        owner = Visitor(project, project.store.owner("Olga"))
        judge = Visitor(project, project.store.add_person("Judit", "judge"))
        assert make(owner)["items"] == 1
        page = judge.get("/judge/1")
        assert_blind(page)
        assert page.text.count("<svg") == 2
        assert "NP: gulls" in page.text
        assert owner.get("/api/rounds/1").json()["command"].startswith("arbitree prefer GOLD quagga=")
    finally:
        project.store.close()


def test_labels_are_not_judged(tmp_path):
    (tmp_path / "labels.csv").write_text("coder,item,label\nann,1,N\nbob,1,V\nann,2,N\nbob,2,N\n")
    project = open_project(Reading((str(tmp_path / "labels.csv"),)), tmp_path / "project")
    try:
        owner = Visitor(project, project.store.owner("Olga"))
        assert "needs dependency or phrase-structure trees" in owner.get("/rounds").text
        assert owner.send("/api/rounds", systems=["ann", "bob"]).status_code == 422
    finally:
        project.store.close()


def test_names_cannot_smuggle_markup_into_the_owners_pages(tmp_path):
    names = ("<b>one", '"two"')
    write_trees(tmp_path)
    inputs = tuple(f"{name}={tmp_path}/{file}.conllu" for name, file in zip(names, SYSTEMS, strict=True))
    project = open_project(Reading(inputs), tmp_path / "project")
    try:
        owner = Visitor(project, project.store.owner("Olga"))
        make(owner, systems=project.study.coders)
        for address in ("/rounds", "/rounds/1"):
            page = owner.get(address).text
            assert "&lt;b&gt;one" in page
            assert "<b>one" not in page
    finally:
        project.store.close()


def test_the_document_for_programs_names_the_models(owner):
    document = owner.get("/api/openapi.json").json()
    assert {"SeatOut", "TrialOut", "VerdictIn", "RoundIn", "RoundOut"} <= set(
        document["components"]["schemas"]
    )
    assert "/api/judge/{number}/verdicts" in document["paths"]
    assert "/judge" not in document["paths"]


def test_parts_that_are_polled_are_all_in_the_page(owner):
    make(owner)
    page = owner.get("/rounds/1").text
    named = re.search('hx-select-oob="([^"]+)"', page)[1].split(",")
    assert len(named) == 5
    assert all(page.count(f'id="{name[1:]}"') == 1 for name in named)


def test_the_form_offers_two_systems_and_not_gold(tmp_path):
    inputs = [source.replace("okapi=", "Gold=") for source in write_trees(tmp_path)]
    project = open_project(Reading(tuple(inputs)), tmp_path / "project")
    try:
        page = Visitor(project, project.store.owner("Olga")).get("/rounds").text
        assert re.findall('value="([^"]*)" selected', page) == list(SYSTEMS)
    finally:
        project.store.close()


def test_a_round_is_closed_and_opened_again_in_either_database(store):
    edition = store.add_edition("0a1b", "{}")
    number = store.add_round(edition.id, {"items": []}).id
    store.close_round(number)
    assert store.round(number).closed
    store.reopen_round(number)
    assert not store.round(number).closed


def test_seeds_are_drawn_so_that_no_judge_can_guess_them(owner):
    seeds = {re.search(r'name="seed"[^>]*value="(\d+)"', owner.get("/rounds").text)[1] for _ in range(3)}
    assert len(seeds) == 3
