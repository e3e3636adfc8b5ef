"""Questions about unusual values, the tag set of a project, and glosses beside the choices."""

import pytest

from arbitree.errors import FormatError, UnsupportedStudy
from arbitree.reading.inputs import Reading
from arbitree.web.project.project import open_project
from tests.support.report_tables import SCRIPT
from tests.support.web.looks import assert_well_made, parsed
from tests.support.web.opened import ANN, BOB, opened, visitor, write_study


def post(client, number, **fields):
    form = {"seen": 0, "request": "request-1", **fields}
    token = client.headers["X-CSRF-Token"]
    return client.post(f"/adjudicate/{number}/decide", data={**form, "csrf": token})


def decide(client, number, changes, **more):
    body = {"changes": changes, "seen": 0, "request": "request-1", **more}
    return client.post(f"/api/sentences/{number}/decisions", json=body)


def test_a_typed_value_that_no_annotator_uses_is_saved_on_the_second_try(project):
    ada = visitor(project)
    page = parsed(post(ada, 1, key="4 label", own="zzz"), 422)
    assert "No annotator uses zzz as the label." in page.xpath("string(//main//*[@role='alert'])")
    assert "also change one of the following" not in page.text_content()
    button = page.xpath("//button[@class='offer']")[0]
    assert button.text == "Save anyway"
    fields = {each.get("name"): each.get("value") for each in button.xpath("..//input")}
    assert project.state(1).values == {}
    answer = post(ada, 1, wish=button.get("value"), confirm=fields["confirm"])
    assert answer.status_code == 303
    assert project.state(1).values == {"4 label": "zzz"}


def test_json_says_that_a_value_is_unusual_and_saves_it_when_confirmed(project):
    ada = visitor(project)
    answer = decide(ada, 1, {"4 label": "zzz"}).json()
    assert not answer["saved"]
    assert answer["offers"] == [{"words": "Save anyway", "changes": {"4 label": "zzz"}, "confirm": True}]
    assert decide(ada, 1, {"4 label": "zzz"}, confirm=True).json()["saved"]


def test_head_and_label_that_contradict_each_other_are_refused_with_offers(project):
    answer = decide(visitor(project), 1, {"3 head": "0", "3 label": "obj"}).json()
    assert answer["problem"] == "it would be the root, but obj is not the label of a root."
    assert {
        "words": "Use the label root.",
        "changes": {"3 head": "0 root", "3 label": "root"},
        "confirm": False,
    } in (answer["offers"])


@pytest.fixture
def tagged(tmp_path):
    """A function that opens the study with a tag set."""
    projects = []

    def serve(text, **options):
        path = tmp_path / "tags.txt"
        path.write_text(text, encoding="utf-8")
        said = []
        paths = write_study(tmp_path, ann=ANN, bob=BOB)
        project = opened(paths, tmp_path, tagset=str(path), say=said.append, **options)
        projects.append(project)
        return project, said

    yield serve
    for project in projects:
        project.store.close()


RELATIONS = f"nsubj\tnominal subject\nroot\nobj\tdirect object {SCRIPT}\nadvmod\nobl\nobl:arg\n"


def test_values_outside_the_tag_set_are_refused_and_the_field_completes_from_it(tagged):
    project, said = tagged(RELATIONS)
    assert said[-1] == "warning: annotators use 1 label not in the tag set tags.txt: dep (1)"
    ada = visitor(project)
    refused = decide(ada, 1, {"4 label": "obl:agr"}, confirm=True)
    assert refused.status_code == 422
    assert refused.json()["detail"] == "'obl:agr' is not in the tag set tags.txt"
    assert refused.json()["hint"] == "Did you mean obl:arg or obl?"
    page = parsed(ada.get("/adjudicate/1"))
    assert page.xpath("//datalist[@id='known-label']/option/@value") == [
        "nsubj",
        "root",
        "obj",
        "advmod",
        "obl",
        "obl:arg",
    ]
    assert decide(ada, 1, {"4 label": "obl:arg"}).json()["saved"]


def test_what_tags_mean_is_shown_beside_the_choices(tagged):
    project, _ = tagged(RELATIONS)
    page = parsed(visitor(project).get("/adjudicate/1"))
    assert f"direct object {SCRIPT}" in page.xpath("//*[@class='gloss']/bdi/text()")
    assert_well_made(page)


def test_the_tag_set_is_remembered(tagged, tmp_path):
    project, _ = tagged(RELATIONS)
    project.store.close()
    again = open_project(None, tmp_path / "project")
    with again.store:
        assert again.tags.tags.values["label"][-1] == "obl:arg"


def test_a_tag_set_that_does_not_parse_is_refused_with_its_line(tagged, tmp_path):
    with pytest.raises(FormatError, match=r"tags\.txt:2: expected one tag"):
        tagged("nsubj\n1\tThe\tthe\n")
    assert not (tmp_path / "project").exists()


def test_profiles_have_no_tag_set(tmp_path):
    path = tmp_path / "tags.txt"
    path.write_text("a\n", encoding="utf-8")
    profiles = Reading(("examples/profiles/ann", "examples/profiles/bob"))
    with pytest.raises(UnsupportedStudy, match="have no tags"):
        open_project(profiles, tmp_path / "project", tagset=str(path))


SENSES = "item\tcoder\tlabel\nu1\tann\trank|ask\nu1\tbob\trank\nu2\tann\task\nu2\tbob\trank\n"


def test_glosses_of_a_table_are_shown_for_each_tag_of_a_set(tmp_path):
    labels, senses = tmp_path / "labels.tsv", tmp_path / "senses.tsv"
    labels.write_text(SENSES, encoding="utf-8")
    senses.write_text("senseID\tdefinition\tlemma\nrank\tput into an order\torder.v\n", encoding="utf-8")
    said = []
    project = open_project(
        Reading((str(labels),)), tmp_path / "project", glosses=str(senses), say=said.append
    )
    with project.store:
        page = parsed(visitor(project).get("/adjudicate/1"))
        assert page.xpath("//*[@class='gloss']/bdi/text()") == ["put into an order"] * 2
        assert not page.xpath("//*[@class='gloss']/b")
    assert said[-1].endswith("senses.tsv: 1 tag without a gloss (first: 'ask')")
