"""Settings of one person, in a table that databases of earlier versions get when they are opened."""

import re

from sqlalchemy import text

from arbitree.web.project.background import READY, Finding
from arbitree.web.store import Store
from tests.support.web.opened import visitor


def test_preferences_belong_to_one_person(store):
    ada, bea = store.owner("Ada").id, store.add_person("Bea", "adjudicator").id
    store.set_preference(ada, "names", "hidden")
    store.set_preference(ada, "names", "shown")
    store.set_preference(ada, "onward", "off")
    assert store.preferences(ada) == {"names": "shown", "onward": "off"}
    assert store.preferences(bea) == store.preferences(77) == {}


def test_a_database_without_the_table_gets_it(store, url):
    with store._writing() as connection:
        connection.execute(text("DROP TABLE preferences"))
    ada = store.owner("Ada").id
    with Store.open(url) as again:
        assert again.person(ada).name == "Ada"
        again.set_preference(ada, "names", "hidden")
        assert again.preferences(ada) == {"names": "hidden"}


def test_a_table_of_a_later_version_is_left_alone(store, url, tmp_path):
    with store._writing() as connection:
        connection.execute(text("CREATE TABLE later (id INTEGER PRIMARY KEY)"))
        connection.execute(text("INSERT INTO later VALUES (7)"))
    ada = store.owner("Ada").id
    with Store.open(url) as again:
        again.check()
        again.copy_to(tmp_path / "copy.sqlite")
        with again._reading() as connection:
            assert connection.scalar(text("SELECT id FROM later")) == 7
    with Store.open(f"sqlite:///{tmp_path}/copy.sqlite") as copy:
        assert copy.person(ada).name == "Ada"


def boxes(page):
    """Return which boxes of the settings are ticked."""
    found = re.findall(r'<input type="checkbox" name="(\w+)" value="yes"( checked)?>', page)
    return {name: bool(checked) for name, checked in found}


def test_the_settings_of_the_page_are_kept_for_the_person(project):
    ada, bea = visitor(project), visitor(project, "adjudicator", "Bea")
    assert boxes(ada.get("/adjudicate/1").text) == {"suggestions": True, "names": True, "onward": True}
    answer = ada.post("/adjudicate/1/settings?label=obj", data={"names": "yes"})
    assert answer.headers["location"] == "/adjudicate/1?label=obj"
    assert boxes(ada.get("/adjudicate/3").text) == {"suggestions": False, "names": True, "onward": False}
    assert all(boxes(bea.get("/adjudicate/1").text).values())
    ada.post("/adjudicate/1/settings", data={"suggestions": "yes", "names": "yes", "onward": "yes"})
    assert all(boxes(ada.get("/adjudicate/1").text).values())


def test_only_adjudicators_have_settings(project):
    viewer = visitor(project, "viewer", "Vic")
    assert viewer.post("/adjudicate/1/settings", data={"names": "yes"}).status_code == 403


def test_hidden_suggestions_are_not_in_the_page(project):
    ada = visitor(project)
    project.background._found["suggestions"] = Finding(READY, {"items": {"s1": {"3 head": "2 saw"}}})
    assert 'class="option suggested"' in ada.get("/adjudicate/1").text
    ada.post("/adjudicate/1/settings", data={"names": "yes"})
    assert "suggested" not in ada.get("/adjudicate/1").text


def test_a_suggestion_says_why(project):
    ada = visitor(project)
    why = {"probability": 0.834, "coder": "bob", "share": 0.9, "given": 1, "done": 3}
    document = {"items": {"s1": {"3 label": "dep"}}, "reasons": {"s1": {"3 label": why}}}
    project.background._found["suggestions"] = Finding(READY, document)
    assert "suggested, probability 0.83: bob is usually right on labels" in ada.get("/adjudicate/1").text


def test_suggestions_are_accepted_together_where_nothing_is_decided(project):
    ada = visitor(project)
    suggested = {"3 head": "2 saw", "3 label": "obj", "4 label": "obl"}
    project.background._found["suggestions"] = Finding(READY, {"items": {"s1": suggested}})
    ada.post("/adjudicate/1/decide", data={"seen": "0", "request": "request-1", "wish": "4 label\tadvmod"})
    assert '<button id="suggestions"' in ada.get("/adjudicate/1").text
    ada.post("/adjudicate/1/take", data={"seen": "1", "request": "request-2", "coder": ""})
    assert project.state(1).values == suggested | {"4 label": "advmod"}
    seen = project.state(1).seen
    ada.post("/adjudicate/1/undo", data={"seen": str(seen), "request": "request-3"})
    assert project.state(1).values == {"4 label": "advmod"}
