"""The texts of items on the pages of a study of labels."""

import pytest

import arbitree as at
from arbitree.reading.inputs import Reading
from arbitree.web.project.project import open_project
from tests.support.report_tables import SCRIPT
from tests.support.web.looks import assert_well_made, parsed
from tests.support.web.opened import visitor

LABELS = "item\tcoder\tlabel\nu1\tann\task\nu1\tbob\trank\nu2\tann\trank\nu2\tbob\trank\n"
USES = (
    "dataID\tlemma\tcontext\tindices_target_token\tindices_target_sentence\n"
    f"u1\torder\tThey order tea & {SCRIPT}.\t5:10\t0:17\nu2\torder\tAll in order now.\t7:12\t0:17\n"
)


@pytest.fixture
def client(tmp_path):
    labels, uses = tmp_path / "labels.tsv", tmp_path / "uses.tsv"
    labels.write_text(LABELS, encoding="utf-8")
    uses.write_text(USES, encoding="utf-8")
    project = open_project(Reading((str(labels),), texts=str(uses)), tmp_path / "project")
    with project.store:
        yield visitor(project)


@pytest.mark.parametrize("address", ["/adjudicate/1", "/sentences/1"])
def test_the_page_of_an_item_shows_its_text_and_the_other_columns(client, address):
    page = parsed(client.get(address))
    assert page.xpath("string(//p[@class='sentence'])") == f"They order tea & {SCRIPT}."
    assert page.xpath("string(//p[@class='sentence']/mark)") == "order"
    assert [each.text_content() for each in page.xpath("//dl//dt")] == ["lemma"]
    assert [each.text_content() for each in page.xpath("//dl//dd")] == ["order"]
    assert page.xpath("normalize-space(//main//*[@class='facts'])") == "u1"
    assert_well_made(page)


def test_one_disagreement_is_written_in_the_singular(client):
    assert "The annotators disagree." in client.get("/sentences/1").text
    assert "1 of 2 items has disagreements: 1 of 2 labels differs." in client.get("/").text


def test_the_list_shows_and_searches_the_texts(client):
    page = parsed(client.get("/sentences?text=ORDER tea"))
    assert page.xpath("string(//tbody//a/bdi)") == f"They order tea & {SCRIPT}."
    assert len(page.xpath("//tbody/tr")) == 1
    assert "lemma order" in page.xpath("normalize-space(//tbody//th)")


def test_the_example_of_labels_contains_the_text_of_every_review():
    study = at.read("examples/labels/stance.tsv")
    texts = {study.texts.main(item.id) for item in study.items}
    assert len(texts) == len(study.items)
    assert "" not in texts


def test_json_contains_the_texts(client):
    texts = client.get("/api/sentences/2").json()["texts"]
    assert texts["context"] == "All in order now."


def test_the_texts_are_read_again_at_the_next_start(client, tmp_path):
    client.app.state.project.store.close()
    project = open_project(None, tmp_path / "project")
    with project.store:
        assert project.study.texts.main("u2") == "All in order now."
        assert not project.changes


def test_new_texts_do_not_make_another_edition(client, tmp_path):
    before = client.app.state.project.edition
    client.app.state.project.store.close()
    project = open_project(Reading((str(tmp_path / "labels.tsv"),)), tmp_path / "project")
    with project.store:
        assert project.edition.id == before.id


def test_an_item_that_is_a_sentence_is_its_own_text(tmp_path):
    path = tmp_path / "labels.tsv"
    path.write_text(
        "text\tcoder\tlabel\nWe like it here.\tann\tyes\nWe like it here.\tbob\tno\n", encoding="utf-8"
    )
    project = open_project(Reading((str(path),)), tmp_path / "project")
    with project.store:
        page = parsed(visitor(project).get("/adjudicate/1"))
        assert page.xpath("string(//p[@class='sentence'])") == "We like it here."
