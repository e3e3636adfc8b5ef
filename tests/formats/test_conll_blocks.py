"""The compiled part of the reader of CoNLL files finds what Python finds, and shares equal strings."""

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbitree.errors import FormatError
from arbitree.formats import conll_rows
from arbitree.formats.conllu import Conllu
from arbitree.formats.conllx import Conllx
from arbitree.reading.content import Content
from tests.support.conllu_rows import sentence
from tests.support.trees import needs_compiled

BLANKS = ["", " ", "\t", "\u3000", "\x85\t", "\x1c", "\xa0 "]
ODD = [
    "#",
    "# sent_id = s",
    "# sent_id = t",
    "# user_id = ann",
    "x",
    "\u3000x\t",
    "é\t\t",
    "\t\t",
    "1 word _ _",
]
CELLS = st.sampled_from(["_", "", "a", "é", "birds", "𝄞", "a|b", "dogs and", "\x0b", "#"])
NUMBERS = st.sampled_from(["1", "2", "3", "4", "0", "01", "-1", "1-2", "1.1", "_", "1000", "²", "1234567890"])


@st.composite
def rows(draw):
    """Return the rows of a sentence, of which some may have another form than usual."""
    count = draw(st.integers(1, 4))
    found = []
    for number in range(1, count + 1):
        cells = draw(st.lists(CELLS, min_size=10, max_size=10))
        cells[0], cells[6] = str(number), str(draw(st.integers(0, count)))
        found.append(cells)
    if draw(st.integers(0, 3)) == 0:
        spoilt = draw(st.sampled_from(found))
        place = draw(st.sampled_from([0, 6, 9]))
        spoilt[place] = draw(NUMBERS) if place < 9 else "x\ty"
    return ["\t".join(cells) for cells in found]


LINES = st.one_of(st.sampled_from(BLANKS), st.sampled_from(ODD)).map(lambda line: [line])
PARTS = st.lists(st.one_of(rows(), st.just([""]), LINES), max_size=12)
TEXTS = st.builds(
    lambda parts, feed, complete: feed.join(chain.from_iterable(parts)) + feed * complete,
    PARTS, st.sampled_from(["\n", "\r\n"]), st.booleans(),
)  # fmt: skip


def read(reader, text):
    """Return what *reader* yields, and the error that ends it, as text."""
    found = []
    try:
        for entry in reader.read(Content("a.conllu", text.encode())):
            found.append(repr(entry))
    except FormatError as error:
        found.append(str(error))
    return found


@needs_compiled
@pytest.mark.parametrize("reader", [Conllu(), Conllx()])
@given(text=TEXTS)
def test_python_finds_the_same(reader, text):
    compiled = read(reader, text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(conll_rows, "split_blocks", lambda text: None)
        assert read(reader, text) == compiled


@needs_compiled
def test_columns_of_usual_sentences_are_found_and_others_are_left_to_python():
    usual, range_of_words = sentence("birds sing", name="s1"), "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n"
    (comments, rows, columns, first), (_, lines, nothing, second) = conll_rows.split_blocks(
        usual + range_of_words + sentence("de le")
    )
    assert (comments, rows, columns[:2], first) == (["# sent_id = s1"], [], (("birds", "sing"), (0, 1)), 2)
    assert ([line[:3] for line in lines], nothing, second) == (["1-2", "1\td", "2\tl"], None, 5)


@needs_compiled
def test_lines_that_may_be_blank_are_left_to_python():
    assert conll_rows.split_blocks(sentence("birds sing") + "\u3000\n") is None
    assert conll_rows.split_blocks("\ud800\n") is None


@needs_compiled
def test_equal_cells_and_empty_columns_are_one_object():
    text = "".join(sentence("birds of birds") for _ in range(2))
    (_, _, first, _), (_, _, second, _) = conll_rows.split_blocks(text)
    assert first[0][0] is first[0][2] is second[0][0]
    assert first[3][0] is second[3][0] is first[3][5]


@needs_compiled
def test_many_different_words_keep_their_places():
    words = [f"word{number}" for number in range(20_000)]
    ((_, _, columns, _),) = conll_rows.split_blocks(sentence(" ".join(words)))
    assert list(columns[0]) == words
    assert columns[1] == tuple(range(20_000))
