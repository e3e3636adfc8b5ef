"""Whatever the bytes, only ArbitreeError escapes, with a path."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbitree import plugins
from arbitree.errors import ArbitreeError
from arbitree.reading.content import Content, load
from arbitree.reading.detection import detect
from tests.support.conllu_files import FULL
from tests.support.fuzzing import mutated

FORMATS = ("conllu", "conllx")
ALPHABET = "\t\n\r #123-._=abc\u00e6\u2028\x00"


def read_all(content, name):
    entries = []
    message = "file:"
    try:
        entries = list(plugins.get("formats", name).read(content))
    except ArbitreeError as error:
        message = str(error)
    assert message.startswith("file:")
    assert "\n" not in message
    for entry in entries:
        entry.value.defects()
        assert entry.source.line > 0


@pytest.mark.parametrize("name", FORMATS)
@given(text=st.text(ALPHABET, max_size=80))
@settings(max_examples=300)
def test_random_text(name, text):
    content = Content("file", text.encode())
    detect([content])
    read_all(content, name)


@pytest.mark.parametrize("name", FORMATS)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=300)
def test_mutated_sentences(name, seed):
    read_all(Content("file", mutated(FULL.encode(), random.Random(seed))), name)


def test_mutated_real_files(data, tmp_path):
    rng = random.Random(5)
    paths = [*sorted(data.rglob("*.conll"))[:8], data / "pcedt-sized" / "a01.conllu"]
    for path in paths:
        whole = path.read_bytes()[:30000]
        for _ in range(40):
            broken = tmp_path / "file"
            broken.write_bytes(mutated(whole, rng))
            try:
                content = load(str(broken))
            except ArbitreeError:
                continue
            for name in FORMATS:
                read_all(Content("file", content.data), name)


def test_a_sentence_of_10000_tokens_and_a_tree_5000_deep():
    rows = [f"{k}\tw\t_\tX\t_\t_\t{max(0, k - 1 - 5000 * (k % 2))}\tdep\t_\t_" for k in range(1, 10001)]
    (entry,) = plugins.get("formats", "conllu").read(Content("file", "\n".join(rows).encode()))
    assert len(entry.value) == 10000
    from arbitree.study.flat_tree import Vocabulary

    assert len(entry.value.flatten(Vocabulary())) == 10001 - len(entry.value.unreached())
    deep = [f"{k}\tw\t_\tX\t_\t_\t{k - 1}\tdep\t_\t_" for k in range(1, 5001)]
    (entry,) = plugins.get("formats", "conllx").read(Content("file", "\n".join(deep).encode()))
    assert entry.value.flatten(Vocabulary()).leftmost[-1] == 0
    assert entry.value.defects() == []
