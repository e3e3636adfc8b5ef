"""WordNet databases: a small one written here, and the one that the system has, if it has."""

import pytest

from arbitree.errors import FormatError
from arbitree.kinds.labels.hierarchy.downward import Downward
from arbitree.kinds.labels.hierarchy.files import read_hierarchy
from arbitree.kinds.labels.hierarchy.wordnet_files import WordNet
from arbitree.kinds.labels.places import PLACES
from tests.support.wordnet import NO_WORDNET, SYSTEM

# number: (type, words with their numbers, pointers to other numbers)
SYNSETS = {
    "noun": {
        1: ("n", ["thing 0"], ["~ 2 n", "~ 3 n"]),
        2: ("n", ["tool 0", "Gadget 1"], ["@ 1 n", "~ 4 n", "~ 5 n"]),
        3: ("n", ["toy 0"], ["@ 1 n", "~ 5 n"]),
        4: ("n", ["saw 0"], ["@ 2 n"]),
        5: ("n", ["hammer 0"], ["@ 2 n", "@ 3 n", "~i 6 n", "+ 7 v"]),
        6: ("n", ["Old_Ben 0"], ["@i 5 n"]),
    },
    "verb": {7: ("v", ["hammer 0"], ["+ 5 n"]), 8: ("v", ["hammer 1"], [])},
    "adj": {
        9: ("a", ["sharp(p) 0", "keen 2"], ["& 10 a"]),
        10: ("s", ["toothed 0"], ["& 9 a"]),
    },
}
TYPES = {"noun": "n", "verb": "v", "adj": "a"}


@pytest.fixture
def folder(tmp_path):
    """The files, with the offsets that the lines turn out to have."""
    names = {number: part for part, synsets in SYNSETS.items() for number in synsets}

    def line(number, places):
        kind, words, pointers = SYNSETS[names[number]][number]
        head = f"{places.get(number, 0):08} 06 {kind} {len(words):02x} {' '.join(words)} {len(pointers):03}"
        links = [f"{s} {places.get(int(n), 0):08} {k} 0000" for s, n, k in map(str.split, pointers)]
        return " ".join([head, *links]) + f' | a gloss of {number}; "an example"\n'

    places = {}
    for synsets in SYNSETS.values():
        offset = len("  1 A licence\n")
        for number in synsets:
            places[number] = offset
            offset += len(line(number, {}))
    for part, synsets in SYNSETS.items():
        data = "  1 A licence\n" + "".join(line(number, places) for number in synsets)
        (tmp_path / f"data.{part}").write_text(data, encoding="utf-8")
        index: dict[str, list[int]] = {}
        for number, (_, words, _) in synsets.items():
            for word in words:
                index.setdefault(word.split()[0].lower().removesuffix("(p)"), []).append(places[number])
        rows = [
            f"{word} {TYPES[part]} {len(found)} 1 @ {len(found)} 0 {' '.join(f'{o:08}' for o in found)}  \n"
            for word, found in sorted(index.items())
        ]
        (tmp_path / f"index.{part}").write_text("  1 A licence\n" + "".join(rows), encoding="utf-8")
    return tmp_path


def test_synsets_are_nodes_and_sense_keys_their_tags(folder):
    inventory = read_hierarchy(str(folder))
    tags = [
        "tool%1:06:00::",
        "gadget%1:06:01::",
        "old_ben%1:06:00::",
        "toothed%5:06:00:sharp:00",
        "keen%3:06:02::",
    ]
    hierarchy = inventory.over(tags)
    down = Downward(hierarchy)
    assert set(tags) <= set(hierarchy.places)
    assert down.down(tags[0]) == down.down(tags[1]) == {"saw%1:06:00::": 0.5, "old_ben%1:06:00::": 0.5}
    assert down.down("toothed%5:06:00:sharp:00") == {"toothed%5:06:00:sharp:00": 1}
    assert down.down("keen%3:06:02::") == {"sharp%3:06:00::": 1}


def test_only_what_is_below_the_tags_is_read(folder):
    hierarchy = WordNet(str(folder)).over(["toy%1:06:00::", "hammer%2:06:01::"])
    assert set(hierarchy.nodes) == {
        "toy%1:06:00::",
        "hammer%1:06:00::",
        "old_ben%1:06:00::",
        "hammer%2:06:01::",
    }
    whole = WordNet(str(folder)).over(["toy%1:06:00::"], whole=True)
    assert whole.roots == ("thing%1:06:00::",)
    assert len(whole.nodes) == 6


@pytest.mark.parametrize(
    "tag", ["", "tool", "tool%1:06:07::", "tool%9:06:00::", "% %", "well%4:02:00::", "a b%1"]
)
def test_unknown_tags_are_left_to_whoever_asks(folder, tag):
    assert tag not in WordNet(str(folder)).over([tag]).places


def test_the_nearest_key_is_of_the_same_word_or_of_one_like_it(folder):
    assert WordNet(str(folder)).nearest("tool%1:06:07::") == "tool%1:06:00::"
    assert WordNet(str(folder)).nearest("hamer%2:06:01::") == "hammer%2:06:01::"
    assert WordNet(str(folder)).nearest("zzz%1:06:01::") is None


def test_a_folder_dict_inside_is_found(folder, tmp_path_factory):
    above = tmp_path_factory.mktemp("wordnet")
    folder.rename(above / "dict")
    assert "saw%1:06:00::" in read_hierarchy(str(above)).over(["saw%1:06:00::"]).places


def test_files_that_do_not_fit_together_are_refused_with_the_line(folder):
    text = (folder / "data.noun").read_text(encoding="utf-8")
    (folder / "data.noun").write_text(
        text.replace("  1 A licence\n", "  1 Another licence\n"), encoding="utf-8"
    )
    with pytest.raises(FormatError, match=r"data.noun:\d+: the line does not match"):
        WordNet(str(folder)).over(["saw%1:06:00::"])


@pytest.mark.parametrize(("good", "bad"), [("001 @", "9999999999 @"), ("01 saw 0 001", "00 001")])
def test_a_synset_with_too_few_pointers_or_no_words_is_refused(folder, good, bad):
    """The list of the pointers would not fit into memory."""
    data = (folder / "data.noun").read_text(encoding="utf-8")
    line = next(each for each in data.splitlines() if " saw " in each)
    (folder / "data.noun").write_text(data.replace(line, line.replace(good, bad)), encoding="utf-8")
    with pytest.raises(FormatError, match=r"data.noun:\d+: "):
        WordNet(str(folder)).over(["toy%1:06:00::", "saw%1:06:00::"], whole=True)


def test_a_missing_index_is_named(folder):
    (folder / "index.noun").unlink()
    with pytest.raises(FormatError, match=r"index.noun: cannot read"):
        WordNet(str(folder)).over(["saw%1:06:00::"])


@pytest.fixture(scope="module")
def system():
    if not (SYSTEM / "data.noun").is_file():
        pytest.skip(NO_WORDNET)
    return WordNet(str(SYSTEM))


def test_the_system_has_all_synsets_and_no_cycle(system):
    """117,659 synsets, as the database's own statistics say of version 3.0."""
    tags = ["entity%1:03:00::", "move%2:38:00::", "good%3:00:01::", "well%4:02:00::"]
    whole = system.over(tags, whole=True)
    assert set(tags) <= set(whole.places)
    assert len(whole.nodes) == 117_659
    assert sum(len(below) > 0 for below in whole.children) > 16_000


def test_the_system_agrees_with_the_index_of_senses(system):
    index = SYSTEM / "index.sense"
    if not index.is_file():
        pytest.skip("needs the package wordnet-sense-index")
    keys = {line.split(" ")[0] for line in index.read_text(encoding="utf-8").splitlines()}
    tags = ["entity%1:03:00::", "move%2:38:00::", "good%3:00:01::", "well%4:02:00::"]
    assert keys <= set(system.over(tags, whole=True).places)


def test_glosses_are_read_without_examples(folder):
    found = PLACES.glosses(str(folder), ["saw%1:06:00::", "toothed%5:06:00:sharp:00", "zzz%1:06:00::"])
    assert found == {"saw%1:06:00::": "a gloss of 4", "toothed%5:06:00:sharp:00": "a gloss of 10"}
