"""Files of three annotators, for several commands."""

import pytest

from tests.support.conllu_rows import sentence

TEXTS = {
    "ann": ([2, 3, 0, 6, 6, 3, 3], [2, 0, 2]),
    "bob": ([2, 3, 0, 6, 4, 3, 3], [2, 0, 2]),
    "eve": ([2, 3, 0, 3, 6, 3, 3], [0, 1, 2]),
}


@pytest.fixture
def coders(tmp_path):
    """Three coders, two documents of one sentence each."""
    paths = []
    for name, (long, short) in TEXTS.items():
        text = sentence("The dog saw the old man .", long, name="a", document="d1")
        text += sentence("Rain fell .", short, name="b", document="d2")
        paths.append(tmp_path / f"{name}.conllu")
        paths[-1].write_text(text, encoding="utf-8")
    return paths
