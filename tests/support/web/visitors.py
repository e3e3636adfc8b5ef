"""A study of two systems, and people who judge it or own it."""

import re
import time
from itertools import count

from starlette.testclient import TestClient

from arbitree.web.sessions import COOKIE, session
from tests.support.web.opened import app_of

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
        (folder / f"{name}.conllu").write_text(text, encoding="utf-8")
    return tuple(f"{name}={folder / name}.conllu" for name in CODERS)


class Visitor:
    """A browser in which somebody is signed in."""

    def __init__(self, project, person):
        self.project, self.person = project, person
        self.client = TestClient(app_of(project), follow_redirects=False)
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
    return {name: found[name] for name in ("seen", "request", "position", "marked") if name in found}


def make(owner, **settings):
    answer = owner.send("/api/rounds", **{"systems": SYSTEMS} | settings)
    assert answer.status_code == 201, answer.text
    return answer.json()


def entries(project, judge, number=1):
    return project.store.entries(project.edition.id, f"judge/{number}/{judge.person.id}")


def assert_blind(answer):
    raw = answer.content + repr(sorted(answer.headers.multi_items())).encode()
    found = [secret for secret in SECRETS if secret.encode() in raw]
    assert not found, (answer.request.url, found)
    if not re.search("/openapi|/static/", str(answer.request.url)):  # which know of no round
        assert not [word for word in HIDDEN if word.encode() in raw], answer.request.url
