"""Sentences of several annotators: repeated, inserted, missing, swapped, divided differently."""

import json
import unicodedata

import pytest

from arbitree.errors import StudyError, Urgent
from arbitree.reading.assembly import read_study
from tests.support.commands import arbitree
from tests.support.conllu_rows import sentence

TEXT = ["A boat came .", "Yes .", "The door broke .", "Yes .", "Bread is cheap ."]


@pytest.fixture
def study(tmp_path):
    """Read files of sentences, one per annotator; with documents, one directory per annotator."""

    def read(match="auto", say=lambda line: None, **texts):
        paths = []
        for coder, text in texts.items():
            documents = text if isinstance(text, dict) else {"text": text}
            for document, lines in documents.items():
                path = tmp_path / coder / f"{document}.conllu"
                path.parent.mkdir(exist_ok=True)
                path.write_text("".join(_written(line) for line in lines), encoding="utf-8")
            paths.append(str(path.parent if isinstance(text, dict) else path))
        dirs = isinstance(text, dict)
        inputs = [f"{coder}={path}" for coder, path in zip(texts, paths, strict=True)]
        return read_study(inputs, match=match, dirs=dirs, say=say)

    return read


def _written(line):
    name, text = line if isinstance(line, tuple) else (None, line)
    return sentence(text, name=name) if text else f"# sent_id = {name}\n# text =\n\n"


def rows(found):
    """The texts of every item, by annotator."""
    return [
        tuple(
            " ".join(cell.value.tokens) if (cell := found.cells.get((item.id, coder))) else None
            for coder in found.coders
        )
        for item in found.items
    ]


def both(*texts):
    return [(text, text) for text in texts]


@pytest.mark.parametrize("match", ["text", "position", "auto"])
def test_repeated_sentences_are_all_kept(study, match):
    found = study(match, ann=TEXT, bob=TEXT)
    assert rows(found) == both(*TEXT)
    assert found.notes == ()
    assert [item.id for item in found.items] == [f"text/{number}" for number in range(1, 6)]


@pytest.mark.parametrize("match", ["text", "auto"])
def test_an_inserted_sentence_shifts_nothing(study, match):
    said = []
    found = study(match, said.append, ann=TEXT, bob=[*TEXT[:2], "Who is there ?", *TEXT[2:]])
    assert rows(found) == [*both(*TEXT[:2]), (None, "Who is there ?"), *both(*TEXT[2:])]
    assert [item.id for item in found.items] == ["text/1", "text/2", "text/3", "text/3+", "text/4", "text/5"]
    assert "Sentences matched by text: 5 by text" in said
    assert "bob 1 (" in found.notes[0]
    assert "/bob/text.conllu:" in found.notes[0]
    assert found.settings == ("match:text", "format:conllu")


def test_deleted_and_swapped_sentences(study):
    ann = [*TEXT, "Smoke rose .", "Fish sleep ."]
    bob = ["A boat came .", "Yes .", "Yes .", "Fish sleep .", "Bread is cheap .", "Smoke rose ."]
    found = study(ann=ann, bob=bob)
    assert set(rows(found)) == {*both(*ann[:2], *ann[3:]), ("The door broke .", None)}


def test_sentences_of_each_annotator_are_counted(study):
    said = []
    study("text", said.append, ann=TEXT, bob=TEXT, cho=TEXT[1:])
    assert "Sentences matched by text: bob 5 by text; cho 4 by text" in said


def test_a_wrong_order_is_reported_even_if_quiet(study, tmp_path):
    found = study(ann=TEXT, bob=["Who is there ?", *TEXT])
    assert isinstance(found.notes[0], Urgent)
    paths = [f"{coder}={tmp_path / coder / 'text.conllu'}" for coder in ("ann", "bob")]
    done = arbitree("agree", *paths, "-q", "-m", "las", "--resamples", "0")
    assert "warning: the files do not contain the same sentences in the same order" in done.stderr.decode()
    assert "5 by text; without a partner: bob 1 (" in done.stderr.decode()
    given = arbitree("agree", *paths, "-q", "-m", "las", "--resamples", "0", "--match", "position")
    assert given.returncode == 2
    assert "Set --match text" in given.stderr.decode()


def test_a_few_wrong_positions_are_named_even_if_quiet(study, tmp_path):
    study(match="position", ann=TEXT, bob=[*TEXT[:4], "Who is there ?"])
    paths = [f"{coder}={tmp_path / coder / 'text.conllu'}" for coder in ("ann", "bob")]
    done = arbitree("agree", *paths, "-q", "-m", "las", "--resamples", "0", "--match", "position")
    assert done.returncode == 0
    assert "1 sentence has different texts in the same position" in done.stderr.decode()
    assert "Set --match text" in done.stderr.decode()


def test_a_replaced_sentence_stays_in_its_position(study):
    """Nothing is gained by another order, so that files keep the matching that they had."""
    found = study(ann=TEXT, bob=[*TEXT[:4], "Who is there ?"])
    assert len(found.items) == 5
    assert "different texts in the same position" in found.notes[0]
    assert rows(study("text", ann=TEXT, bob=[*TEXT[:4], "Who is there ?"]))[-2:] == [
        ("Bread is cheap .", None),
        (None, "Who is there ?"),
    ]


def test_a_missing_end_is_a_matter_of_position(study):
    found = study(ann=TEXT, bob=TEXT[:-1], cy=TEXT)
    assert len(found.items) == 5
    assert "bob has 4 sentences" in found.notes[0]
    assert found.settings == ("match:position", "format:conllu")
    first = study(ann=TEXT[:-1], bob=TEXT, cy=TEXT)
    assert rows(first)[-1] == (None, "Bread is cheap .", "Bread is cheap .")
    assert first.settings == ("match:position", "format:conllu")


def test_strict_does_not_guess(tmp_path):
    for coder, text in (("ann", TEXT), ("bob", ["Who is there ?", *TEXT])):
        (tmp_path / f"{coder}.conllu").write_text("".join(map(sentence, text)), encoding="utf-8")
    with pytest.raises(StudyError, match="Set match='text', add ids"):
        read_study([str(tmp_path / f"{coder}.conllu") for coder in ("ann", "bob")], strict=True)


def test_ids_of_some_sentences_help_to_align_them(study):
    """Bob has no id for one sentence, so that position counts; the ids tell which answer he lacks."""
    ann = [("a", "Yes ."), ("b", "Yes ."), ("c", "A boat came ."), ("d", "Bread is cheap .")]
    found = study(ann=ann, bob=[*ann[1:3], "Bread is cheap ."])
    assert rows(found) == [("Yes .", None), *both("Yes .", "A boat came .", "Bread is cheap .")]


def test_unicode_forms_do_not_matter(study):
    text = ["Caf\u00e9 Zo\u00e9 .", "Yes .", "D\u00e9j\u00e0 vu ."]
    other = [unicodedata.normalize("NFD", line) for line in text]
    found = study("text", ann=text, bob=["No .", *other])
    assert sum(len(cells) == 2 for _, cells in found) == 3


def test_unicode_forms_of_ids_do_not_matter(study):
    text = [("Zo\u00e9-1", "A boat came ."), ("Zo\u00e9-2", "Yes .")]
    other = [(unicodedata.normalize("NFD", name), line) for name, line in text]
    assert rows(study(ann=text, bob=other[::-1])) == both("A boat came .", "Yes .")


def test_ids_that_begin_again_in_each_document_are_told_apart(tmp_path):
    parts = {
        name: sentence(text, name="1") + sentence("Yes .", name="2")
        for name, text in (("sea", "A boat came ."), ("town", "Bread is cheap ."))
    }
    whole = "".join(f"# newdoc id = {name}\n{part}" for name, part in parts.items())
    for folder, files in (("ann", {"all": whole}), ("bob", parts), ("cy", {"all": whole})):
        (tmp_path / folder).mkdir()
        for name, text in files.items():
            (tmp_path / folder / f"{name}.conllu").write_text(text, encoding="utf-8")
    found = read_study([str(tmp_path / folder) for folder in ("ann", "bob", "cy")], dirs=True)
    assert [item.id for item in found.items] == ["sea/1", "sea/2", "town/1", "town/2"]
    assert [len(cells) for _, cells in found] == [3, 3, 3, 3]
    one = read_study([str(tmp_path / folder / "all.conllu") for folder in ("ann", "cy")])
    assert [item.id for item in one.items] == ["sea/1", "sea/2", "town/1", "town/2"]


def test_different_texts_are_refused_though_some_sentences_are_similar(study):
    ann = [*TEXT, "The old cat sat on a mat .", "Smoke rose ."]
    bob = [
        "The young cat sat on it .",
        "Nobody spoke .",
        "Fish sleep at night .",
        "Who is there ?",
        "We won .",
    ]
    with pytest.raises(StudyError, match="Set match='text', or add ids"):
        study(ann=ann, bob=bob)


def test_three_annotators_meet_in_one_order(study):
    new = "Who is there ?"
    found = study(ann=TEXT, bob=[*TEXT[:2], new, *TEXT[2:]], cy=[TEXT[0], new, *TEXT[2:]])
    assert rows(found) == [
        (TEXT[0],) * 3,
        (TEXT[1], TEXT[1], None),
        (None, new, new),
        *((text,) * 3 for text in TEXT[2:]),
    ]


def test_an_empty_sentence_keeps_its_place(study):
    named = [(f"s{number}", text) for number, text in enumerate(TEXT)]
    bob = [*named[:2], ("s2", ""), *named[3:], ("s9", "Fish sleep .")]
    found = study("text", ann=[("x0", "Smoke rose ."), *named], bob=bob)
    assert ("The door broke .", "") in rows(found)
    assert sum(None in row for row in rows(found)) == 2


def test_documents_that_one_annotator_lacks_stay_apart(study):
    """The short answer in the lost document is not the answer that bob has added elsewhere."""
    ann = {"one": TEXT, "two": ["Fish sleep .", "No .", "Smoke rose ."]}
    found = study("text", ann=ann, bob={"one": [*TEXT, "No ."]})
    assert rows(found) == [*both(*TEXT), (None, "No ."), *((text, None) for text in ann["two"])]


@pytest.mark.parametrize("parts", [{"all": 0}, {"one": 0}, {"x": 2, "y": 0}, {"one": 2, "y": 0}])
def test_documents_divided_differently_are_matched_by_text(study, parts):
    text = [*TEXT, "Fish sleep .", "No .", "Smoke rose ."]
    ann = {"one": text[:5], "two": text[5:]}
    bounds = [*parts.values()]
    bob = {
        name: text[begin if name != "y" else 2 : (bounds[0] or None) if name != "y" else None]
        for name, begin in zip(parts, [0, 2], strict=False)
    }
    found = study("text", ann=ann, bob=bob)
    assert sorted(rows(found)) == sorted(both(*text))


def test_trees_without_words_cannot_be_matched_by_text(tmp_path):
    for coder in ("ann", "bob"):
        (tmp_path / f"{coder}.mrg").write_text("(S (NP (N)) (VP (V)))\n", encoding="utf-8")
    paths = [str(tmp_path / f"{coder}.mrg") for coder in ("ann", "bob")]
    with pytest.raises(StudyError, match="contain no words to match sentences by"):
        read_study(paths, match="text")
    assert len(read_study(paths).items) == 1


@pytest.mark.parametrize("match", ["auto", "id"])
def test_shifted_ids_are_refused_with_the_remedy(study, match):
    ann = [(str(number), text) for number, text in enumerate(TEXT)]
    bob = [(str(number), text) for number, text in enumerate(["Who is there ?", *TEXT])]
    with pytest.raises(StudyError, match="or set match='text'"):
        study(match, ann=ann, bob=bob)
    assert rows(study("text", ann=ann, bob=bob))[1:] == both(*TEXT)


@pytest.mark.parametrize(
    ("match", "words"),
    [
        ("text", "no sentence of bob has the words of a sentence of ann. Pass files with the same sentences"),
        ("auto", "no items in common: .* Use the same ids in all files, or set match='text'"),
    ],
)
def test_without_a_sentence_in_common_the_remedy_is_another(study, match, words):
    with pytest.raises(StudyError, match=words):
        study(match, ann=[("a", "A boat came .")], bob=[("b", "Bread is cheap !")])


def test_the_way_of_matching_is_in_signature_and_json(tmp_path):
    for coder, text in (("ann", TEXT), ("bob", ["Who is there ?", *TEXT])):
        (tmp_path / f"{coder}.conllu").write_text("".join(map(sentence, text)), encoding="utf-8")
    paths = [tmp_path / f"{coder}.conllu" for coder in ("ann", "bob")]
    found = json.loads(arbitree("agree", *paths, "--json", "-m", "las", "--resamples", "0").stdout)
    assert found["study"]["settings"] == ["match:text"]
    assert "|match:text|format:conllu|items:5|" in found["results"][0]["signature"]
    assert "matched by text: 5 by text" in found["warnings"][0]


def test_sentences_that_differ_in_number_are_counted_over_all_annotators(study):
    """The second annotator has other words, and the third one another number of them."""
    ann, bob, cy = ("I do n't mind", "I do not mind", "I don't mind")
    notes = study("position", ann=[ann] * 3, bob=[bob, ann, bob], cy=[cy, cy, ann]).notes
    assert [note.partition(" (")[0].partition(" but")[0] for note in notes] == [
        "2 sentences have different numbers of tokens",
        "1 sentence has different token forms",
    ]


@pytest.mark.parametrize("named", [True, False], ids=["by id", "by position"])
def test_words_in_two_unicode_forms_are_equal(tmp_path, named):
    text = sentence("나는 학교에 갔다 .", name="s1" if named else None).replace("nsubj", "sujé")
    for form in ("NFC", "NFD"):
        (tmp_path / f"{form}.conllu").write_text(unicodedata.normalize(form, text), encoding="utf-8")
    first, second = (str(tmp_path / f"{form}.conllu") for form in ("NFC", "NFD"))
    found = read_study([first, second])
    ours, theirs = (found.cells[found.items[0].id, coder].value for coder in found.coders)
    assert (ours.tokens, ours.relations) == (theirs.tokens, theirs.relations)
    warning = f"{second}: decomposed letters are compared as composed ones (Unicode NFC)"
    assert list(found.notes) == [warning]
    alone = read_study([second, f"again={second}"])
    assert alone.cells[alone.items[0].id, "again"].value.tokens[0] == unicodedata.normalize("NFD", "나는")
    assert warning not in alone.notes


def test_a_study_with_the_same_forms_for_all_annotators_stays_as_it_is(tmp_path):
    """A word may occur in both forms: projects that adjudicate such a study keep their decisions."""
    text = sentence("été été .", name="s1").replace("été", "e\u0301te\u0301", 1)
    for coder in ("ann", "bob"):
        (tmp_path / f"{coder}.conllu").write_text(text, encoding="utf-8")
    found = read_study([str(tmp_path / f"{coder}.conllu") for coder in ("ann", "bob")])
    assert len(set(found.cells["s1", "ann"].value.tokens)) == 3
    assert found.notes == ()


def test_names_of_documents_in_two_unicode_forms_are_equal(tmp_path):
    for coder, form in (("ann", "NFC"), ("bob", "NFD")):
        (tmp_path / coder).mkdir()
        for name in ("fête", "été", "plain"):
            path = tmp_path / coder / f"{unicodedata.normalize(form, name)}.conllu"
            path.write_text(sentence("A boat came .", name="s1"), encoding="utf-8")
    found = read_study([str(tmp_path / coder) for coder in ("ann", "bob")], dirs=True)
    assert sorted(item.document for item in found.items) == sorted(["fête", "été", "plain"])
    assert len(found.cells) == 6
