"""Whatever programs and browsers send: an answer in words, never a crash."""

import re
from urllib.parse import quote

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import checks
from starlette.testclient import TestClient

from arbitree.web.app import create_app
from arbitree.web.sessions import COOKIE
from arbitree.web.store import HOUR
from tests.support.web.opened import ADDRESS, ANN, BOB, opened, visitor, write_study

BOUNDED = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=[
        HealthCheck.function_scoped_fixture,
        HealthCheck.too_slow,
        HealthCheck.filter_too_much,
    ],
)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fuzzed")
    project = opened(write_study(folder, ann=ANN, bob=BOB), folder)
    with project.store:
        visitor(project).post("/rounds", data={"first": "ann", "second": "bob", "repeats": "0"})
        yield project


@pytest.fixture(scope="module")
def ada(project):
    """The owner; a crash is an answer with status 500."""
    app = create_app(project, compute=False)
    client = TestClient(app, base_url=ADDRESS, follow_redirects=False, raise_server_exceptions=False)
    client.post(f"/join/{project.store.invite(project.store.owner('Ada').id, HOUR)}")
    client.headers["X-CSRF-Token"] = re.search(r'X-CSRF-Token": "([^"]+)"', client.get("/people").text)[1]
    return client


CHECKS = [
    checks.not_a_server_error,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.status_code_conformance,
]


def test_programs_get_what_the_description_says(ada):
    described = schemathesis.openapi.from_asgi("/api/openapi.json", ada.app)
    headers = {"X-CSRF-Token": ada.headers["X-CSRF-Token"], "Cookie": f"{COOKIE}={ada.cookies[COOKIE]}"}
    operations = [found.ok() for found in described.get_all_operations()]
    assert len(operations) > 15
    for operation in operations:

        @BOUNDED
        @given(case=operation.as_strategy())
        def check(case):
            case.call_and_validate(headers=headers, checks=CHECKS)

        check()


NUMBERS = st.one_of(
    st.integers(-2, 5).map(str),
    st.sampled_from(
        ["", "1e3", "٣", "1.0", "-0", "0x1", "+1", " 1", str(2**31), str(2**63), str(2**64), "9" * 5000]
    ),
)
TEXTS = st.one_of(
    st.text(max_size=40),
    st.text(st.characters(min_codepoint=0xD800, max_codepoint=0xDFFF), min_size=1, max_size=3),
    st.sampled_from(
        ["\x00", "a\x00b", "\ud800", "\u202e", "ann", "bob", "x" * 4001, "<b>", "\r\n", "\t", "\U0010ffff"]
    ),
)
KEYS = st.one_of(
    TEXTS,
    st.sampled_from(["3 head", "3 label", "4 label", "0 head", "99 head", "-1 head", "3 upos", "1-2 bracket",
                     "whole", "label", "3  head", "head", "3 head\n", "³ head", "9" * 4400 + " head",
                     "1-" + "9" * 4400 + " bracket"]),
)  # fmt: skip
VALUES = st.one_of(
    TEXTS,
    st.sampled_from(
        ["2 saw", "2", "0", "0 root", "root", "obj", "(none)", "²", "-1", "9" * 4400, "2 sa", "٢"]
    ),
)
WISHES = st.lists(st.tuples(KEYS, VALUES), max_size=4).map(
    lambda pairs: "\n".join("\t".join(each) for each in pairs)
)
FIELDS = {
    "seen": NUMBERS,
    "request": st.one_of(st.text(min_size=8, max_size=20), TEXTS),
    "wish": st.one_of(WISHES, TEXTS),
    "own": VALUES,
    "key": KEYS,
    "coder": TEXTS,
    "text": TEXTS,
    "why": TEXTS,
    "name": TEXTS,
    "suggestions": st.one_of(st.just("yes"), TEXTS),
    "names": TEXTS,
    "onward": TEXTS,
    "place": st.one_of(
        st.tuples(NUMBERS, NUMBERS, WISHES).map(lambda sent: "{}\t{}\n{}".format(*sent)), TEXTS
    ),
    "role": st.one_of(st.sampled_from(["adjudicator", "judge", "viewer", "owner"]), TEXTS),
    "days": NUMBERS,
    "first": TEXTS,
    "second": TEXTS,
    "sentences": st.one_of(NUMBERS, TEXTS),
    "repeats": st.one_of(NUMBERS, st.sampled_from(["nan", "inf", "-1", "50", "1e999"])),
    "equal": TEXTS,
    "bad": TEXTS,
    "reference": TEXTS,
    "seed": NUMBERS,
    "share-1": st.one_of(NUMBERS, st.sampled_from(["50", "nan", "inf", "1e999", "33,3 %"]), TEXTS),
    "share-2": st.one_of(NUMBERS, st.sampled_from(["50", "0.0001"])),
    "by_document": st.one_of(st.just("true"), TEXTS),
    "double": st.one_of(NUMBERS, st.sampled_from(["50", "nan"])),
    "milliseconds": NUMBERS,
    "position": NUMBERS,
    "choice": st.one_of(st.sampled_from(["upper", "lower", "equal", "bad"]), TEXTS),
}
FORMS = {
    "adjudicate/{}/decide": ("seen", "request", "wish", "own", "key"),
    "adjudicate/{}/take": ("seen", "request", "coder"),
    "adjudicate/{}/clear": ("seen", "request", "key"),
    "adjudicate/{}/note": ("seen", "request", "key", "text"),
    "adjudicate/{}/reject": ("seen", "request", "why"),
    "adjudicate/{}/reopen": ("seen", "request"),
    "adjudicate/{}/undo": ("seen", "request"),
    "adjudicate/{}/settings": ("suggestions", "names", "onward"),
    "bulk": ("request", "place"),
    "bulk/{}/undo": ("request",),
    "people": ("name", "role", "days"),
    "people/{}/link": ("days",),
    "people/{}/role": ("role",),
    "people/{}/remove": (),
    "rounds": ("first", "second", "sentences", "repeats", "equal", "bad", "reference", "seed"),
    "rounds/{}/close": (),
    "rounds/{}/reopen": (),
    "judge/{}": ("seen", "request", "position", "choice"),
    "judge/{}/undo": ("seen", "request"),
    "editions/carry": (),
    "progress/assign": ("share-1", "share-2", "by_document", "double", "seed"),
    "progress/withdraw": (),
    "pace/{}": ("milliseconds",),
}


def encoded(fields):
    """Return a form as bytes, halves of characters included."""
    pairs = ((quote(key), quote(value.encode("utf-8", "surrogatepass"))) for key, value in fields.items())
    return "&".join(f"{key}={value}" for key, value in pairs).encode()


@pytest.mark.parametrize("form", FORMS)
@BOUNDED
@given(data=st.data())
def test_forms_never_crash_whatever_is_in_them(ada, project, form, data):
    number = data.draw(st.one_of(st.just("1"), NUMBERS))
    fields = {name: data.draw(FIELDS[name]) for name in FORMS[form] if data.draw(st.integers(0, 9))}
    if "seen" in fields and data.draw(st.booleans()):
        fields["seen"] = str(len(project.store.entries(project.edition.id, "item/s1")))
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    part = {"HX-Request": "true"} if data.draw(st.booleans()) else {}
    answer = ada.post(f"/{form.format(quote(number))}", content=encoded(fields), headers=kind | part)
    assert answer.status_code < 500, answer.text
    assert "Traceback" not in answer.text


ADDRESSES = [
    "adjudicate/{}", "adjudicate/{}/next", "bulk/{}", "bulk?label={}", "bulk?label=obl&choose={}",
    "bulk?type={}", "sentences/{}", "judge/{}", "judge/1/{}", "rounds/{}",
    "rounds/{}/judgments.jsonl", "export/log.tsv?edition={}", "decisions?start={}", "history?start={}",
    "people?returned={}",
    "sentences?page={}", "sentences?text={}", "sentences?label={}", "join/{}", "export/gold.{}", "static/{}",
]  # fmt: skip
KINDS = [
    "application/json", "application/json; charset=utf-16", "application/x-www-form-urlencoded", "text/plain",
    "multipart/form-data; boundary=x", "multipart/form-data", "", "é",
]  # fmt: skip
TAKERS = ["/adjudicate/1/decide", "/api/sentences/1/decisions", "/people", "/join/x"]


@BOUNDED
@given(address=st.sampled_from(ADDRESSES), text=st.one_of(NUMBERS, TEXTS))
def test_pages_never_crash_whatever_their_address(ada, address, text):
    shown = quote(text.encode("utf-8", "surrogatepass"), safe="")
    assert ada.get(f"/{address.format(shown)}").status_code < 500


@BOUNDED
@given(body=st.binary(max_size=200), kind=st.sampled_from(KINDS), address=st.sampled_from(TAKERS))
def test_bodies_never_crash_whatever_they_are(ada, body, kind, address):
    answer = ada.post(address, content=body, headers={"Content-Type": kind.encode()})
    assert answer.status_code < 500
