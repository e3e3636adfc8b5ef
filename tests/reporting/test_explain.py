"""Findings as text, TSV, JSON and as a page."""

import base64
import json
import re
import zlib
from dataclasses import replace

import pytest
from lxml import html

from arbitree.api.explain import find_inconsistencies
from arbitree.constructions.findings import Findings, Nucleus, Occurrence, Type, by_size, code_of, summary_of
from arbitree.constructions.versus import compared
from arbitree.drawing.fragment import Fragment, Node
from arbitree.kinds.dependency.kind import KIND as DEPENDENCY
from arbitree.kinds.phrase.kind import KIND as PHRASES
from arbitree.kinds.phrase.value import PhraseTree
from arbitree.reporting.csv import with_tabs
from arbitree.reporting.json import render as as_json
from arbitree.reporting.sections.explain import document_of, headline, places_table
from arbitree.reporting.sections.explain_page import PageData, card_of, page
from arbitree.reporting.terminal import text as as_text
from arbitree.study.result import Ignored
from tests.support.build import dep, study_of
from tests.support.constructions.build import found, tree
from tests.support.constructions.made_up import findings as findings_of
from tests.support.constructions.made_up import pos, type_of

PHRASE = "(NP (DT the) (ADJP (JJ long) (JJ green)) (NN ladder))"
FLAT = "(NP (DT the) (JJ long) (JJ green) (NN ladder))"
HOSTILE = "<script>alert(1)</script>"


def document(findings, title="title", kind=PHRASES, study=None):
    return html.document_fromstring(page(findings, kind, study, title))


def unpacked(shown, identifier):
    """The data that a script of the page reads."""
    (text,) = shown.xpath(f"//script[@id='{identifier}']/text()")
    return json.loads(zlib.decompress(base64.b64decode(text)))


@pytest.fixture(scope="module")
def small():
    return found(PHRASE, FLAT, FLAT, coders=("ann", "bob", "cho"), beside=("alpha_plain",))


def test_headline_says_who_differs_how_often_and_the_agreement_beside(small):
    assert headline(small).startswith(
        "Found 1 inconsistency of 1 type (1 question) in 1 sentence (250.0 per 1,000 words). "
        "Agreement: alpha_plain "
    )
    parser = headline(found(PHRASE, FLAT, gold="a", mode="parser"))
    assert parser.startswith("Found 1 inconsistency of 1 type (1 question) between a and b in 1 sentence")
    assert headline(found(FLAT, FLAT)) == "Found no inconsistencies in 1 sentence."
    assert headline(found(FLAT, mode="corpus")) == "Found no inconsistencies in 1 sentence."


def test_text_shows_the_fragments_with_who_has_them_and_examples(small):
    text = as_text(document_of(small))
    assert re.search(r"ann 1 +\(ADJP JJ JJ\)", text)
    assert re.search(r"bob 1, cho 1 +JJ \+ JJ", text)
    assert "long green" in text
    assert all(len(line) <= 100 for line in text.splitlines())


@pytest.mark.parametrize("mode", ["coders", "corpus"])
def test_a_legend_explains_the_notation_in_text_and_on_the_page(mode):
    phrases = found(PHRASE, FLAT, mode=mode, coders=("ann", "bob"), gold=None)
    study = study_of({"s": {"ann": dep([2, 0], ["det", "root"]), "bob": dep([2, 0], ["amod", "root"])}})
    for findings, kind, start in (
        (phrases, PHRASES, "Notation: (NP DT NN) is an NP of two words with these tags."),
        (
            find_inconsistencies(study, mode=mode),
            DEPENDENCY,
            "Notation: VERB [obj NOUN] is a verb with a noun",
        ),
    ):
        text = " ".join(as_text(document_of(findings)).split())
        assert start in text
        assert ("The number after an annotator counts nuclei." in text) == (mode == "coders")
        assert start in document(findings, kind=kind).text_content()


def test_without_types_there_is_no_legend():
    assert "Notation" not in as_text(document_of(found(FLAT, FLAT)))


def test_text_says_how_many_types_it_leaves_out():
    findings = found("(S-A (NP-A (NN b)) (VP (VB c)))", "(S-B (NP-B (NN b)) (VP (VB c)))")
    assert len(findings.types) == 2
    assert "1 more question. Use --most N" in as_text(document_of(findings, most=1))


def test_the_number_of_questions_does_not_cut_the_tables_of_annotators():
    findings = found("(S-A (NP (NN b)) (VP c))", "(S-B (NP (NN b)) (VP c))", "(S-C (NP (NN b)) (VP c))")
    text = as_text(document_of(findings, most=1))
    pairs = [line.split()[:2] for line in text.splitlines()]
    for each in findings.tables["pairs"].rows:
        assert list(each[:2]) in pairs
    assert "more row" not in text


@pytest.fixture(scope="module")
def asked():
    """Two questions: one of two types, one-sided; one with a surprising slip."""
    nouns = [pos(f"w{number}", "NN", "NNS", item=str(number)) for number in range(4)]
    more = [pos(f"v{number}", "NN", "NNS", item=str(number)) for number in range(2)]
    slip = type_of(["IN", "NN"], [pos("on", "IN", "NN", bits=6.75)])
    return findings_of(
        type_of(["(NP NN)", "(NP NNS)"], nouns), type_of(["(NP DT NN)", "(NP DT NNS)"], more), slip
    )


def test_text_lists_questions_with_their_types_beneath(asked):
    """Six of one bit each come after one slip of 6.75 bits."""
    assert headline(asked).startswith("Found 7 inconsistencies of 3 types (2 questions) in 5 of 10 sentences")
    text = as_text(document_of(asked))
    assert re.search(r"  1  IN or NN \(on\)\n     6.8 bits, 1 nucleus of 1 type, 1 occurrence\n", text)
    assert (
        "  2  NN or NNS (v0)\n     6 bits, 6 nuclei of 2 types, 6 occurrences; one-sided: ann NN, bob NNS"
        in text
    )
    assert re.search(
        r" ann 4 +\(NP NN\)\n +bob 4 +\(NP NNS\)\n +4 bits, 4 nuclei, 4 occurrences: w0 · w1", text
    )
    assert "1 more question. Use --most N" in as_text(document_of(asked, most=1))
    assert "NN or NNS" not in as_text(document_of(asked, most=1))


def test_a_question_prints_three_types_and_counts_the_others():
    types = [type_of([f"{number}", f"{number}s"], [pos(f"w{number}", "NN", "NNS")]) for number in range(5)]
    text = as_text(document_of(findings_of(*types)))
    assert text.count("ann 1") == 3
    assert "2 more types of this question" in text


def test_tables_for_programs_have_questions_types_and_the_question_of_every_place(asked):
    tables = document_of(asked).tables("xlsx")
    assert [table.name for table in tables] == ["Questions", "Types", "Places"]
    questions, types, places = (table.records() for table in tables)
    assert [(row["label"], row["bits"], row["occurrences"]) for row in questions] == [
        ("IN or NN (on)", 6.75, 1),
        ("NN or NNS (v0)", 6.0, 6),
    ]
    assert questions[1]["sides"] == "one-sided: ann NN, bob NNS"
    assert {row["question"] for row in types} == {row["code"] for row in questions}
    assert {row["question_label"] for row in places} == {"IN or NN (on)", "NN or NNS (v0)"}
    line = with_tabs(places_table(asked)).splitlines()[1].split("\t")
    assert line[-3:] == ["6.75", questions[0]["code"], "IN or NN (on)"]


def test_json_has_questions_and_types_name_theirs(asked):
    read = json.loads(as_json(document_of(asked)))
    assert [each["label"] for each in read["questions"]] == ["IN or NN (on)", "NN or NNS (v0)"]
    assert [each["question"] for each in read["types"]] == [
        read["questions"][0]["code"],
        read["questions"][1]["code"],
        read["questions"][1]["code"],
    ]
    assert [each["bits"] for each in read["types"]] == [6.75, 4.0, 2.0]


def test_tsv_has_a_line_for_each_place(small):
    lines = [line.split("\t") for line in with_tabs(places_table(small)).splitlines()]
    assert {len(line) for line in lines} == {len(lines[0])}
    assert len(lines) == 4
    rows = [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]
    assert {(row["words"], row["start"], row["end"], row["class"]) for row in rows} == {
        ("long green", "1", "3", "structural")
    }
    assert {row["coder"]: row["fragment"] for row in rows}["ann"] == "(ADJP JJ JJ)"


def test_json_has_types_with_class_fragments_and_nuclei(small):
    study = study_of({"s": {"ann": tree(PHRASE), "bob": tree(FLAT), "cho": tree(FLAT)}})
    read = json.loads(as_json(document_of(small, PHRASES, study), cite=True))
    assert read["command"] == "explain"
    assert read["study"]["coders"] == ["ann", "bob", "cho"]
    (only,) = read["types"]
    assert only["class"] == "structural"
    assert {each["brackets"] for each in only["fragments"]} == {"(ADJP JJ JJ)", "JJ + JJ"}
    nucleus = only["nuclei"][0]
    assert (nucleus["words"], nucleus["item"], nucleus["span"]) == ("long green", "s", [1, 3])
    assert read["results"][0]["measure"] == "alpha_plain"
    assert "kulick2013" in read["citations"][0]
    assert json.loads(as_json(document_of(found(FLAT, FLAT), PHRASES, study)))["types"] == []


def test_page_holds_every_type_with_its_fragments_and_nuclei():
    types = [type_of([f"{number}", f"{number}s"], [pos(f"w{number}", "NN", "NNS")]) for number in range(400)]
    shown = document(findings_of(*types))
    data = unpacked(shown, "data")
    assert [each[0] for each in data["types"]] == [each.code for each in findings_of(*types).types]
    assert {len(each[8]) for each in data["types"]} == {2}
    assert {each[9][0][1] for each in data["types"]} == {f"w{number}" for number in range(400)}


def test_page_lists_all_questions_with_figures_that_do_not_need_a_script(asked):
    shown = document(asked)
    first, second = shown.xpath("//details[@class='question']")
    assert first.get("id") == f"question-{asked.questions[0].code}"
    words = [" ".join(each.find("summary").text_content().split()) for each in (first, second)]
    assert words[0] == "1 IN or NN (on) 6.8 bits · 1 occurrence · 1 type"
    assert words[1] == "2 NN or NNS (v0) one-sided: ann NN, bob NNS 6 bits · 6 occurrences · 2 types"
    assert "v0 · v1 · w0" in second.text_content()
    assert unpacked(shown, "data")["questions"] == [
        [asked.questions[0].code, [0]],
        [asked.questions[1].code, [1, 2]],
    ]


def test_page_and_text_tell_what_changed_since_an_earlier_run(asked):
    before = replace(asked, questions=asked.questions[1:], types=asked.types[1:2])
    comparison, _ = compared(asked, before.to_dict(), "earlier.json")
    found = replace(asked, versus=comparison)
    text = as_text(document_of(found))
    assert "Compared with earlier.json, the number of inconsistencies went from 4 to 7" in text
    assert "Questions: 1 new, 0 grown, 0 shrunk, 0 gone, 1 same. Types: 2 new" in " ".join(text.split())
    assert re.search(r"IN or NN \(on\) +new +0 +1 +0.00 +6.75", text)
    shown = document(found)
    rows = [
        [cell.text_content() for cell in row] for row in shown.xpath("//section[@id='changes']//tbody/tr")
    ]
    assert rows == [["IN or NN (on)", "new", "0", "1", "0.00", "6.75"]]
    assert "Compared with earlier.json, the number" in shown.find(".//main").text_content()
    (first, second) = shown.xpath("//details[@class='question']/summary")
    assert "new" in first.text_content().split()
    assert "new" not in second.text_content().split()
    names = [table.name for table in document_of(found).tables("xlsx")]
    assert names[:2] == ["Changed questions", "Changed types"]


def test_page_has_filters_for_what_occurs(small):
    shown = document(small)
    options = {each.get("value") for each in shown.xpath("//select[@data-filter='category']/option")}
    assert "ADJP" in options
    assert set(shown.xpath("//select/@data-filter")) == {"class", "category", "facet", "coder"}
    assert "Minority: nuclei in which" in shown.text_content()


def two_documents():
    """Two documents, the second without its last sentence for bob; each annotator once."""
    values = {"ann": tree(PHRASE), "bob": tree(FLAT)}
    rows = {"news-1": values, "news-2": values, "tales-1": values}
    study = study_of(rows)
    items = tuple(replace(item, document=item.id.split("-")[0]) for item in study.items)
    named = {item.id: item for item in items}
    cells = {key: replace(cell, item=named[cell.item.id]) for key, cell in study.cells.items()}
    return replace(study, items=items, cells=cells)


def test_page_counts_by_document():
    study = two_documents()
    shown = document(find_inconsistencies(study), study=study)
    rows = [
        [cell.text_content() for cell in row] for row in shown.xpath("//section[@id='documents']//tbody/tr")
    ]
    assert rows == [["news", "2", "1", "2"], ["tales", "1", "1", "1"]]
    data = unpacked(shown, "data")
    assert [data["documents"][number] for number in data["document"]] == ["news", "news", "tales"]
    assert {each.get("value") for each in shown.xpath("//select[@data-filter='document']/option")} == {
        "",
        "news",
        "tales",
    }


def test_page_holds_the_whole_sentence_and_each_distinct_tree():
    study = study_of({"s": {"ann": tree(PHRASE), "bob": tree(FLAT), "cho": tree(FLAT)}})
    shown = document(find_inconsistencies(study), study=study)
    data = unpacked(shown, "data")
    ((one, two),) = unpacked(shown, "sentences-0")
    assert (one[0], two[0]) == ([0], [1, 2])
    assert one[2] == two[2] == ["the", "long", "green", "ladder"]
    labels = [[data["labels"][label] for label in each[4][::4]] for each in (one, two)]
    assert labels == [["DT", "JJ", "JJ", "NN", "NP", "ADJP"], ["DT", "JJ", "JJ", "NN", "NP"]]
    (place, *_) = data["types"][0][9][0][4]
    assert place[3:] == [1, 2]  # the first and the last word of the nucleus


def test_words_that_normalisation_removed_do_not_shift_the_marks():
    """Without punctuation, the words of the nucleus are at other positions than in the sentence as read."""
    ours = "(S (, ,) (NP (DT the) (ADJP (JJ long) (JJ green)) (NN ladder)))"
    theirs = "(S (, ,) (NP (DT the) (JJ long) (JJ green) (NN ladder)))"
    study = study_of({"s": {"ann": tree(ours), "bob": tree(theirs)}})
    found = find_inconsistencies(study, punctuation="remove")
    data = PageData(found, PHRASES, study)
    for each in data.main["types"]:
        assert [place[3:] for nucleus in each[9] for place in nucleus[4]] == [[2, 3], [2, 3]]
    twice = "(S (NP (JJ long) (JJ green) (NN rope)) (, ,) (NP (DT the) {} (NN ladder)))"
    values = [tree(twice.format(inner)) for inner in ("(ADJP (JJ long) (JJ green))", "(JJ long) (JJ green)")]
    study = study_of({"s": dict(zip(("ann", "bob"), values, strict=True))})
    data = PageData(find_inconsistencies(study, punctuation="remove"), PHRASES, study)
    assert [place[3:] for nucleus in data.main["types"][0][9] for place in nucleus[4]] == [[], []]


def test_page_stands_alone_and_allows_no_other_script(small):
    source = page(small, PHRASES, title="title")
    shown = html.document_fromstring(source)
    assert not shown.xpath("//@src | //link | //iframe | //@style | //img")
    assert all(link.startswith("#") for link in shown.xpath("//@href"))
    policy = shown.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    identifiers = shown.xpath("//@id")
    assert len(identifiers) == len(set(identifiers))


def test_hostile_words_labels_and_names_stay_text():
    words = (HOSTILE, '"><b>')
    ours = PhraseTree(words, ("A<B", 'C"D', "NP<i>"), (2, 2, -1))
    theirs = PhraseTree(words, ("A<B", "Z", "NP<i>"), (2, 2, -1))
    study = study_of({HOSTILE: {HOSTILE: ours, "b\u202e": theirs}})
    source = page(find_inconsistencies(study), PHRASES, study, HOSTILE)
    assert HOSTILE not in source
    shown = html.document_fromstring(source)
    scripts = shown.findall(".//script")
    assert [each.get("type") for each in scripts] == ["text/plain", "text/plain", None]
    assert all(re.fullmatch(r"[A-Za-z0-9+/=]+", each.text) for each in scripts[:-1])
    assert not shown.findall(".//b[b]")
    assert not shown.findall(".//i")
    assert HOSTILE in shown.text_content()
    data = unpacked(shown, "data")
    assert data["coders"] == [HOSTILE, "b\\u202e"]
    assert data["items"] == [HOSTILE]


def test_page_without_types_says_so():
    assert "All compared sentences are annotated consistently." in document(found(FLAT, FLAT)).text_content()


def test_page_lists_what_was_left_out():
    findings = found(PHRASE, PHRASE.replace("ladder", "rope"))
    assert "word 4 is 'ladder'" in document(findings).text_content()


def test_the_example_of_the_drawing_comes_first_and_is_marked():
    long = [pos(f"harbour{number}", "NN", "VB", item=f"s{number}") for number in range(15)]
    found = findings_of(type_of(["NN", "VB"], [*long, pos("sea", "NN", "VB", item="short")]))
    card = card_of(found.types[0], found, PHRASES.pictures)
    assert "sea" in card.sides[0].picture
    assert [example.item for example in card.examples if example.drawn] == ["short"]
    assert [example.item for example in card.examples[:2]] == ["short", "s0"]
    assert len(card.examples) + card.more == 16
    alone = findings_of(type_of(["NN", "VB"], long[:1]))
    assert not card_of(alone.types[0], alone, PHRASES.pictures).examples[0].drawn


def test_external_types_are_drawn_as_triangles_and_long_shared_phrases_too():
    external = Fragment("NP over all", "(NP …)", (Node("NP", -1),))
    assert 'class="triangle' in PHRASES.pictures.fragment(external, [], ["a", "b", "c", "d"], [0])
    words = " ".join(f"(NN w{number})" for number in range(20))
    (only,) = found(f"(S (NP {words}) (VP (VB go)))", f"(SINV (NP {words}) (VP (VB go)))").types
    first = only.fragments[0]
    nucleus = only.nuclei[0]
    assert 'class="triangle' in PHRASES.pictures.fragment(
        first, only.fragments[1:], nucleus.tokens, nucleus.differing
    )


def dependency_findings():
    """A nucleus with a gap, as dependency trees have them."""
    one = (Node("VERB", -1, 0), Node("NOUN", 0, 1, "obj"), Node("NOUN", 1, 2, "nmod"))
    two = (Node("VERB", -1, 0), Node("NOUN", 0, 1, "obj"), Node("NOUN", 0, 2, "obl"))
    fragments = (Fragment("one", "one", one), Fragment("two", "two", two))
    places = tuple(Occurrence("s", (0, 1, 4), coder, number) for number, coder in enumerate(("a", "b")))
    nucleus = Nucleus(("saw", "stars", "roofs"), places, (1, 1), (2,), (2,))
    kind = Type(code_of("internal", ["one", "two"]), "attachment", "label", fragments, (nucleus,))
    tables = {"summary": summary_of([kind], 6, ["attachment"])}
    ignored = (Ignored("t", "empty_tree", "empty for b"),)
    return Findings("coders", "dependency", ("a", "b"), 1, 6, by_size([kind]), tables=tables, ignored=ignored)


def test_dependency_fragments_are_drawn_with_arcs_and_gaps_are_shown():
    findings = dependency_findings()
    fragments = findings.types[0].fragments
    drawn = DEPENDENCY.pictures.fragment(fragments[0], fragments[1:], ["saw", "stars", "roofs"], [2])
    assert drawn.count("arc own") == 1
    study = study_of({"s": {coder: dep([0, 1, 4, 5, 1]) for coder in "ab"}})
    assert PageData(findings, DEPENDENCY, study).blocks[0][0][0][0] == [0, 1]
    assert "saw stars [...] roofs" in as_text(document_of(findings))
    assert "0 1 4" in with_tabs(places_table(findings))
    assert findings.types[0].to_dict()["nuclei"][0]["places"][0]["positions"] == [0, 1, 4]


def test_findings_print_in_a_line():
    assert repr(dependency_findings()) == "<Findings: 1 types, 1 nuclei in 1 sentences, mode coders>"


@pytest.mark.parametrize(
    ("kind", "fragment"),
    [
        (PHRASES, Fragment("", "(NP N A)", (Node("N", 2, 0), Node("A", 2, 1), Node("NP", -1)))),
        (DEPENDENCY, Fragment("", "N [amod A]", (Node("N", -1, 0), Node("A", 0, 1, "amod")))),
    ],
)
def test_pictures_follow_words_that_read_from_right_to_left(kind, fragment):
    def place(words, word):
        picture = kind.pictures.fragment(fragment, [], words, [])
        found = re.search(rf'x="([0-9.]+)" y="[0-9.]+">{word}<', picture)
        return float(found[1])

    assert place(["house", "big"], "house") < place(["house", "big"], "big")
    assert place(["בית", "גדול"], "בית") > place(["בית", "גדול"], "גדול")
