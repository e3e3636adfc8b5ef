"""The page of each sentence, for studies of every kind."""

import httpx
import pytest

from arbitree.adjudication import events
from arbitree.files import inputs_kept, show_full_paths
from arbitree.kinds.labels.value import Label, Tags
from arbitree.kinds.treebanking.value import REJECTED
from arbitree.web.project.background import STAMP
from arbitree.web.project.project import titled
from tests.support.build import dep, phrase, study_of
from tests.support.phrase_trees import HIGH, LOW, tree
from tests.support.profiles import decisions
from tests.support.report_tables import SCRIPT
from tests.support.web.looks import HOSTILE, PART, assert_well_made, numbers_of, parsed, texts
from tests.support.web.opened import ANN, BOB, opened, visitor, wish, write_study
from tests.support.web.serving import serving


def test_a_sentence_shows_the_picture_and_who_says_what_with_sources(project, client):
    page = parsed(client.get("/sentences/1"))
    assert page.xpath("//*[contains(@class, 'picture') and contains(@class, 'arcs')]")
    rows = texts(page, "//section[@id='differences']//tbody/tr")
    assert any(row.startswith("it 3 head 2 saw a ann 4 there b bob c cho") for row in rows)
    assert any(source.endswith("ann.conllu:2") for source in texts(page, "//*[@class='source']"))
    assert "missing" in parsed(client.get("/sentences/2")).xpath("string(//section[@id='who'])")
    assert page.xpath("//a[@id='adjudicate']/@href") == ["/adjudicate/1"]


@pytest.mark.parametrize(("options", "full"), [((), False), (["--full-paths"], True)])
def test_pages_show_paths_relative_to_the_common_directory_of_the_files(tmp_path, options, full):
    paths = write_study(tmp_path, ann=ANN, bob="".join(BOB).removesuffix("\n"))  # which gives a warning
    before = f"{tmp_path.resolve()}/" if full else ""
    with serving(*paths, project=tmp_path / "project", options=options) as server, httpx.Client() as client:
        client.post(server.link)
        page = parsed(client.get(f"{server.address}/sentences/1"))
        annotations = client.get(f"{server.address}/api/sentences/1").json()["annotations"]
        overview = parsed(client.get(f"{server.address}/"))
        study = client.get(f"{server.address}/api/study").json()
    sources = texts(page, "//*[@class='source']")
    assert sources == [f"{before}ann.conllu:2", f"{before}bob.conllu:2"]
    assert [each["source"] for each in annotations] == sources
    (warning,) = texts(overview, "//section[@id='notes']//li")
    assert warning.startswith(f"{before}bob.conllu:")
    assert study["notes"] == [warning]


@pytest.mark.parametrize("full", [False, True])
def test_results_of_the_background_name_files_as_other_pages_do(tmp_path, full):
    """Its process has no list of inputs, and stored results may come from another start of the server."""
    paths = write_study(tmp_path, ann=ANN, bob=BOB)
    before = f"{tmp_path}/" if full else ""
    with inputs_kept():
        if full:
            show_full_paths()
        project = opened(paths, tmp_path)
        absent = {"absent": f"{paths[0]}:3: cycle"} | STAMP
        ready = {"headline": "", "rows": [], "left_out": [], "notes": [f"{paths[1]}:3: cycle"]} | STAMP
        for part, document in (("types", absent), ("agreement", ready)):
            project.store.keep_finding(project.edition.id, part, document)
        client = visitor(project)
    with project.store:
        findings = client.get("/api/study").json()["findings"]
        overview = parsed(client.get("/"))
        refused = client.get("/api/sentences?type=1").json()["detail"]
    assert findings["types"]["why"] == f"{before}ann.conllu:3: cycle"
    assert findings["agreement"]["document"]["notes"] == [f"{before}bob.conllu:3: cycle"]
    assert f"Not available: {before}ann.conllu:3: cycle." in texts(overview, "//section[@id='types']//p")
    assert texts(overview, "//section[@id='agreement']//li") == [f"{before}bob.conllu:3: cycle"]
    assert refused.endswith(f"not available: {before}ann.conllu:3: cycle")


def test_paths_are_relative_also_if_the_server_answers_in_a_context_of_its_own(tmp_path):
    with inputs_kept():
        project = opened(write_study(tmp_path, ann=ANN, bob=BOB), tmp_path)
        client = visitor(project)
    try:
        sources = texts(parsed(client.get("/sentences/1")), "//*[@class='source']")
    finally:
        project.store.close()
    assert sources == ["ann.conllu:2", "bob.conllu:2"]


def test_previous_and_next_stay_within_the_filter(client):
    page = parsed(client.get("/sentences/1?state=contested&sort=order"))
    assert page.xpath("//a[@id='next']/@href") == ["/sentences/3?state=contested&sort=order"]
    assert not page.xpath("//a[@id='previous']")
    assert page.xpath("//a[@id='back']/@href") == ["/sentences?state=contested&sort=order"]
    outside = parsed(client.get("/sentences/2?state=contested&sort=order"))
    assert "not among the 2 sentences" in outside.text_content()
    assert outside.xpath("//a[@id='next']/@href") == ["/sentences/1?state=contested&sort=order"]


def test_trees_by_themselves_are_loaded_when_they_are_asked_for(client):
    page = parsed(client.get("/sentences/1"))
    lazy = page.xpath("//details[@id='alone']/div")[0]
    assert lazy.get("hx-get") == "/sentences/1/coders"
    part = client.get("/sentences/1/coders", headers=PART).text
    assert "<html" not in part
    assert part.count("<figure") == 3
    assert parsed(client.get("/sentences/1/coders")).xpath("//figure")


def test_a_long_sentence_is_drawn_on_request(served):
    size = 700
    heads = (0, *range(1, size))
    study = study_of({"s": {"ann": dep(heads), "bob": dep(heads)}})
    _, client = served(study)
    page = parsed(client.get("/sentences/1"))
    assert not page.xpath("//section[@id='picture']//svg")
    assert page.xpath("//section[@id='picture']//@hx-get") == ["/sentences/1/picture"]
    assert "<svg" in client.get("/sentences/1/picture", headers=PART).text


def test_coders_with_other_tokens_have_a_picture_for_each_tokenisation(served):
    study = study_of({"s": {"ann": dep((0,), tokens=("Ho",)), "bob": dep((0, 1), tokens=("H", "o"))}})
    _, client = served(study)
    page = parsed(client.get("/sentences/1"))
    assert len(page.xpath("//section[@id='picture']//*[contains(@class, 'arcs')]")) == 2
    assert "tokens differ" in page.text_content()
    assert "tokens differ" in parsed(client.get("/sentences")).text_content()


def test_sentences_whose_tokens_differ_are_a_group_of_their_own(served):
    """They would come first, because their only place is contested."""
    study = study_of(
        {
            "uneven": {"ann": dep((0,), tokens=("Ho",)), "bob": dep((0, 1), tokens=("H", "o"))},
            "half": {"ann": dep((0, 1), tokens=("a", "b")), "bob": dep((2, 0), tokens=("a", "b"))},
            "same": {coder: dep((0, 1), tokens=("c", "d")) for coder in ("ann", "bob")},
        }
    )
    _, client = served(study)
    page = parsed(client.get("/sentences"))
    assert numbers_of(page) == [2, 3, 1]
    assert "different tokens in 1 sentence: fix these first" in page.text_content()
    assert page.xpath("//a[text()='fix these first']/@href") == ["/sentences?state=uneven"]
    assert numbers_of(parsed(client.get("/sentences?state=uneven"))) == [1]
    assert numbers_of(parsed(client.get("/sentences?sort=order"))) == [1, 2, 3]
    assert "different tokens in 1 sentence" in parsed(client.get("/")).text_content()


def test_trees_without_words_have_no_tokens_to_fix(served):
    study = study_of({"s": {"ann": phrase("(S V)"), "bob": phrase("(S V R)")}})
    _, client = served(study)
    page = parsed(client.get("/sentences"))
    assert numbers_of(page) == [1]
    assert "tokens differ" not in page.xpath("string(//table)")
    assert "fix these first" not in page.text_content()


def test_phrase_trees_are_shown_with_what_is_decided(served):
    study = study_of({"s": {"ann": tree(LOW), "bob": tree(HIGH)}})
    project, client = served(study)
    keys = {place.key: place.values[1] for place in project.sheet(1).places}
    project.write(1, wish(project.store.owner("Ada"), 0, "request-1"), events.Decide(keys))
    page = client.get("/sentences/1").text
    assert 'class="panel decided"' in page
    assert_well_made(parsed(client.get("/sentences/1")))


def test_labels_and_tags_are_told_in_a_table(served):
    study = study_of(
        {
            "1": {"ann": Label("yes"), "bob": Label("no")},
            "2": {"ann": Label("yes"), "bob": Label("yes")},
            "3": {"bob": Label(HOSTILE)},
        }
    )
    _, client = served(study)
    page = parsed(client.get("/sentences/1"))
    assert texts(page, "//section[@id='who']//tbody/tr")[0].startswith("a ann yes")
    assert client.get("/sentences/1/picture").status_code == 404
    assert HOSTILE in parsed(client.get("/sentences/3")).text_content()
    assert_well_made(parsed(client.get("/")))


def test_items_without_words_are_called_items_and_listed_once(served):
    _, client = served(study_of({"1": {"ann": Label("yes"), "bob": Label("no")}}))
    page = parsed(client.get("/sentences"))
    assert "Items" in texts(page, "//nav/a")
    assert texts(page, "//tbody/tr/th") == ["1"]
    events = parsed(client.get("/adjudicate/1"))
    assert "sentence" not in events.text_content().lower()


def test_the_overview_leaves_out_what_such_a_study_cannot_have(served):
    _, client = served(study_of({"1": {"ann": Label("yes"), "bob": Label("yes")}}))
    page = parsed(client.get("/"))
    assert not page.xpath("//section[@id='types' or @id='pairs' or @id='confusions']")


def test_crowds_have_no_badges_in_the_list_and_a_short_title(served):
    study = study_of({"1": {f"worker{k}": Label(str(k % 2)) for k in range(20)}})
    _, client = served(study)
    assert "between" not in texts(parsed(client.get("/sentences")), "//thead//th")
    assert titled(study.coders) == "worker0, worker1, worker2 and 17 more"


def test_of_a_crowd_the_page_of_decisions_tells_only_who_was_followed(served):
    _, client = served(study_of({"1": {f"worker{k}": Label(str(k % 2)) for k in range(40)}}))
    body = {"changes": {"label": "1"}, "seen": 0, "request": "0123456789"}
    assert client.post("/api/sentences/1/decisions", json=body).json()["saved"]
    heads = texts(parsed(client.get("/decisions")), "//table[1]/thead//th")
    assert "followed" in heads
    assert not any("0 to 1" in head for head in heads)


def test_a_coder_whose_badge_is_the_name_is_named_once(served):
    _, client = served(study_of({"1": {"a": Label("yes"), "b": Label("no")}}))
    for address in ("/sentences/1", "/adjudicate/1"):
        page = parsed(client.get(address))
        assert texts(page, "//main//*[contains(@class, 'badge')]/..")[0].split().count("a") == 1


def test_sets_of_tags_are_shown(served):
    study = study_of({"1": {"ann": Tags.of(["run"]), "bob": Tags.of(["run", "walk"])}})
    _, client = served(study)
    assert "run|walk" in parsed(client.get("/sentences/1")).text_content()


def test_profiles_show_status_parse_and_options_that_differ(served):
    one = decisions((1, "_sing_v_1 ARG1 _bird_n_1"), (2, SCRIPT), chosen=(1,))
    two = decisions((2, "_sing_v_1 ARG1 _bird_n_1"), (2, SCRIPT), chosen=(2,))
    refused = decisions(status=REJECTED, chosen=())
    _, client = served(study_of({"1": {"ann": one, "bob": two}, "2": {"ann": one, "bob": refused}}))
    page = parsed(client.get("/sentences/1"))
    assert "accepted number 1 of 4 parses" in page.text_content()
    assert "_sing_v_1 ARG1 _bird_n_1" in page.text_content()
    assert texts(page, "//section[contains(@aria-labelledby, 'splits')]//tbody/tr/td")[-2:] == ["yes", "no"]
    assert "rejected 4 parses" in parsed(client.get("/sentences/2")).text_content()
    for address in ("/", "/sentences", "/sentences/1"):
        assert_well_made(parsed(client.get(address)))


def test_one_coder_alone_can_be_looked_at(served):
    _, client = served(study_of({"s": {"ann": dep((0, 1))}}))
    assert "only 1 annotator" in parsed(client.get("/")).text_content()
    assert "only 1 annotator has annotated it" in parsed(client.get("/sentences/1")).text_content()
    assert texts(parsed(client.get("/sentences")), "//tbody//span[contains(@class, 'state')]") == [
        "incomplete"
    ]
    assert texts(parsed(client.get("/adjudicate/1")), "//*[contains(@class, 'place')]/span[last()]") == [
        "incomplete"
    ]
    assert not parsed(client.get("/")).xpath("//section[@id='agreement' or @id='types' or @id='coders']")


def test_what_all_agree_on_but_is_no_tree_is_undecided(served):
    _, client = served(study_of({"s": {"ann": dep((2, 1)), "bob": dep((2, 1))}}))
    page = parsed(client.get("/adjudicate/1"))
    assert texts(page, "//*[contains(@class, 'place')]/span[last()]") == ["undecided"]


def test_an_item_that_nobody_did_is_shown_as_such(served):
    _, client = served(study_of({"s": {"ann": dep((0,))}, "t": {}}, ("ann", "bob")))
    page = parsed(client.get("/sentences/2"))
    assert "no annotator has annotated it" in page.text_content()
    assert not page.xpath("//a[@id='adjudicate']")
