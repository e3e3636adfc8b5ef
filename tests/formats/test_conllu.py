"""CoNLL-U: what is read is written back; what is wrong is said with its line."""

import conllu
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree.errors import FormatError
from tests.support.conllu_files import FULL, read, write


def row(number, head, relation="dep"):
    return f"{number}\tw\t_\tX\t_\t_\t{head}\t{relation}\t_\t_\n"


def test_comments_ranges_empty_nodes_and_enhanced_dependencies_are_kept():
    entries = read(FULL)
    first = entries[0]
    assert (first.id, first.document, first.source.line) == ("weather-1", "weather", 4)
    assert first.value.tokens == ("It", "wo", "n't", "rain", ".")
    assert first.value.heads == (4, 4, 4, 0, 4)
    assert first.value.columns["deps"][3] == "0:root"
    assert [line.split("\t")[0] for _, line in first.value.extra] == ["2-3", "4.1"]
    assert entries[1].document == "weather"
    assert write(entries) == FULL


def test_the_conllu_package_reads_the_same():
    for ours, theirs in zip(read(FULL), conllu.parse(FULL), strict=True):
        tokens = [token for token in theirs if isinstance(token["id"], int)]
        assert ours.value.tokens == tuple(token["form"] for token in tokens)
        assert ours.value.heads == tuple(token["head"] for token in tokens)
        assert ours.value.relations == tuple(token["deprel"] for token in tokens)
        assert ours.id == theirs.metadata["sent_id"]


def test_missing_final_newline_crlf_and_byte_order_mark_change_nothing():
    plain = [entry.value for entry in read(FULL)]
    assert [entry.value for entry in read(FULL.rstrip("\n"))] == plain
    assert [entry.value for entry in read(FULL.replace("\n", "\r\n"))] == plain
    assert [entry.value for entry in read(b"\xef\xbb\xbf" + FULL.encode())] == plain


def test_an_id_without_a_comment_is_written_as_one():
    (entry,) = read(row(1, 0), "conllx")
    from dataclasses import replace

    assert write([replace(entry, id="s7")]).startswith("# sent_id = s7\n1\tw\t")


def test_other_line_marks_inside_a_token_do_not_end_the_line():
    (entry,) = read("1\ta\u2028b\x0cc\t_\tX\t_\t_\t0\troot\t_\t_\n")
    assert entry.value.tokens == ("a\u2028b\x0cc",)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("1\tw\t_\n", 1, "found 3"),
        (row(1, 0) + "2 w _ X _ _ 1 dep _ _\n", 2, "found 1"),
        (row(1, "x"), 1, "'x' is not a number"),
        (row(1, "_"), 1, "Annotate the token"),
        (row(1, "-1"), 1, "'-1' is not a number"),
        (row(1, "²"), 1, "is not a number"),
        ("# comment\n" + row(1, 0) + row(2, 7), 3, "head 7 is out of range"),
        (row(1, 0) + row(3, 1), 2, "expected token id 2, found '3'"),
        (row(2, 0), 1, "expected token id 1, found '2'"),
        (row("1-", 0), 1, "is not a number"),
        (row(1, "9" * 40), 1, "is not a number"),
    ],
)
def test_bad_rows_are_refused_with_their_line(text, line, words):
    with pytest.raises(FormatError, match=words) as caught:
        read(text)
    assert str(caught.value).startswith(f"file:{line}: ")
    assert str(caught.value).endswith(".")


def test_a_comment_alone_stays_with_the_sentence_after_it():
    (entry,) = read("# made by hand\n\n# sent_id = a\n" + row(1, 0))
    assert entry.value.comments == ("# made by hand", "# sent_id = a")


def test_an_announced_sentence_without_tokens_is_an_empty_tree():
    first, second = read("# sent_id = a\n\n# sent_id = b\n" + row(1, 0))
    assert (first.id, len(first.value)) == ("a", 0)
    assert (second.id, len(second.value)) == ("b", 1)


FIELD = st.text(st.characters(blacklist_categories=("Cs", "Cc")), min_size=1, max_size=6).filter(
    lambda text: "\t" not in text and text.strip() == text
)


@given(st.lists(st.tuples(FIELD, FIELD, FIELD), min_size=1, max_size=6))
def test_any_tokens_round_trip(fields):
    rows = [
        f"{k}\t{form}\t{lemma}\tX\t_\t_\t{k - 1}\t{rel}\t_\t_"
        for k, (form, lemma, rel) in enumerate(fields, 1)
    ]
    text = "\n".join([*rows, "", ""])
    assert write(read(text)) == text
