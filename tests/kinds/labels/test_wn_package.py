"""Lexicons of the wn package, by one that is written here."""

import pytest

from arbitree.errors import FormatError, MissingExtra
from arbitree.kinds.labels.hierarchy import wn_package
from arbitree.kinds.labels.hierarchy.downward import Downward
from arbitree.kinds.labels.hierarchy.files import read_hierarchy

wn = pytest.importorskip("wn", reason="needs the package wn (pip install 'arbitree[wordnet]')")

LEXICON = """\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.1.dtd">
<LexicalResource xmlns:dc="https://globalwordnet.github.io/schemas/dc/">
  <Lexicon id="tiny" label="A tiny lexicon" language="en" email="x@example.org"
    license="Apache-2.0" version="1.0">
    <LexicalEntry id="tiny-tool-n">
      <Lemma writtenForm="tool" partOfSpeech="n" />
      <Sense id="tiny-tool-1" synset="tiny-1-n" />
    </LexicalEntry>
    <LexicalEntry id="tiny-saw-n">
      <Lemma writtenForm="saw" partOfSpeech="n" />
      <Sense id="tiny-saw-1" synset="tiny-2-n" />
    </LexicalEntry>
    <LexicalEntry id="tiny-ben-n">
      <Lemma writtenForm="Old Ben" partOfSpeech="n" />
      <Sense id="tiny-ben-1" synset="tiny-3-n" />
    </LexicalEntry>
    <Synset id="tiny-1-n" ili="" partOfSpeech="n">
      <SynsetRelation relType="hyponym" target="tiny-2-n" />
      <SynsetRelation relType="instance_hyponym" target="tiny-3-n" />
    </Synset>
    <Synset id="tiny-2-n" ili="" partOfSpeech="n">
      <SynsetRelation relType="hypernym" target="tiny-1-n" />
    </Synset>
    <Synset id="tiny-3-n" ili="" partOfSpeech="n">
      <SynsetRelation relType="instance_hypernym" target="tiny-1-n" />
    </Synset>
  </Lexicon>
</LexicalResource>
"""

# Open English WordNet writes sense keys into the ids of senses.
KEYED = (
    LEXICON.replace('id="tiny" ', 'id="oewn" ')
    .replace('version="1.0">', 'version="2024">')
    .replace("tiny-saw-1", "oewn-saw__1.06.00..")
    .replace("tiny-", "oewn-")
)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wn")
    before = wn.config.data_directory
    wn.config.data_directory = folder
    (folder / "tiny.xml").write_text(LEXICON, encoding="utf-8")
    wn.add(folder / "tiny.xml", progress_handler=None)
    (folder / "keyed.xml").write_text(KEYED, encoding="utf-8")
    wn.add(folder / "keyed.xml", progress_handler=None)
    yield read_hierarchy("wn:tiny:1.0")
    wn_package._lexicon.cache_clear()
    wn.config.data_directory = before


def test_synsets_and_senses_are_tags(tiny):
    hierarchy = tiny.over(["tiny-tool-1", "tiny-saw-1", "tiny-3-n"])
    assert Downward(hierarchy).down("tiny-tool-1") == {"tiny-2-n": 0.5, "tiny-3-n": 0.5}
    assert Downward(hierarchy).down("tiny-saw-1") == {"tiny-2-n": 1}
    assert set(hierarchy.over([]).nodes) == {"tiny-1-n", "tiny-2-n", "tiny-3-n"}


def test_sense_keys_are_tags_where_the_lexicon_has_them(tiny):
    hierarchy = read_hierarchy("wn:oewn:2024").over(["saw%1:06:00::", "oewn-1-n", "saw%1:06:01::"])
    assert hierarchy.places["saw%1:06:00::"] == hierarchy.places["oewn-2-n"]
    assert "saw%1:06:01::" not in hierarchy.places


def test_the_whole_lexicon_is_read_on_request(tiny):
    assert tiny.over(["tiny-saw-1"]).nodes == ("tiny-2-n",)
    assert len(tiny.over(["tiny-saw-1"], whole=True).nodes) == 3


def test_unknown_tags_are_not_there_and_have_neighbours(tiny):
    assert "saw%1:06:00::" not in tiny.over(["saw%1:06:00::"]).places
    assert tiny.nearest("tiny-sow-1") == "tiny-saw-1"
    assert str(tiny) == "wn:tiny:1.0"


def test_an_unknown_lexicon_is_an_error_that_says_how_to_get_it(tiny):
    with pytest.raises(FormatError, match="python -m wn download nowhere:1"):
        read_hierarchy("wn:nowhere:1")


def test_a_missing_package_is_an_error_that_says_how_to_get_it(monkeypatch):
    import sys

    wn_package._lexicon.cache_clear()
    monkeypatch.setitem(sys.modules, "wn", None)
    with pytest.raises(MissingExtra, match=r"pip install '.*\[wordnet\]'"):
        read_hierarchy("wn:tiny:1.0")
