"""Projects over small studies, and somebody who is signed in there."""

import re

from starlette.testclient import TestClient

from arbitree.adjudication.history import Wish
from arbitree.reading.inputs import Reading
from arbitree.web.app import create_app
from arbitree.web.project.project import open_project
from arbitree.web.store import HOUR

ADDRESS = "http://127.0.0.1:8765"


def sentence(name, words, heads, labels, tags=None):
    """Return a sentence of CoNLL-U."""
    tags = tags or ["X"] * len(words)
    rows = zip(words, tags, heads, labels, strict=True)
    lines = [f"{n}\t{w}\t_\t{t}\t_\t_\t{h}\t{d}\t_\t_" for n, (w, t, h, d) in enumerate(rows, start=1)]
    return "\n".join([f"# sent_id = {name}", *lines, "", ""])


def write_study(folder, **coders):
    """Write a file for each coder, a list of sentences, and return the paths."""
    paths = []
    for coder, sentences in coders.items():
        path = folder / f"{coder}.conllu"
        path.write_text("".join(sentences), encoding="utf-8")
        paths.append(str(path))
    return paths


def opened(paths, folder, **options):
    """Return the project of these files."""
    return open_project(Reading(tuple(paths)), folder / "project", **options)


_ROUTES = []


def app_of(project, **options):
    """Return the application of *project*, with the routes of the first one: to build them takes 0.1 s."""
    app = create_app(project, compute=False, **options)
    _ROUTES.extend(() if _ROUTES else app.router.routes)
    app.router.routes[:] = _ROUTES
    return app


def visitor(project, role="owner", name="Ada"):
    """Return a client who is signed in, with the token that changes need in its headers."""
    client = TestClient(app_of(project), base_url=ADDRESS, follow_redirects=False)
    owner = project.store.owner("Ada")
    person = owner if role == "owner" else project.store.add_person(name, role)
    client.post(f"/join/{project.store.invite(person.id, HOUR)}")
    page = client.get("/judge" if role == "judge" else "/decisions").text
    client.headers["X-CSRF-Token"] = re.search(r'X-CSRF-Token": "([^"]+)"', page)[1]
    return client


def wish(person, seen, request):
    """Return what somebody wants to write after the entry *seen*."""
    return Wish(person.id, person.name, seen, request)


WORDS = ("we", "saw", "it", "there")
ANN = [
    sentence("s1", WORDS, (2, 0, 2, 2), ("nsubj", "root", "obj", "advmod")),
    sentence("s2", ("birds", "sing"), (2, 0), ("nsubj", "root")),
    sentence("s3", ("rain", "falls", "slowly"), (2, 0, 2), ("nsubj", "root", "advmod")),
]
BOB = [
    sentence("s1", WORDS, (2, 0, 4, 2), ("nsubj", "root", "dep", "obl")),
    sentence("s2", ("birds", "sing"), (2, 0), ("nsubj", "root")),
    sentence("s3", ("rain", "falls", "slowly"), (2, 0, 1), ("nsubj", "root", "advmod")),
]
