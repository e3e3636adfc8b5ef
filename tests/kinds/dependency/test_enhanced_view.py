"""Enhanced dependencies as graphs, chosen with --view enhanced."""

import pytest

from arbitree.api.evaluate import evaluate
from arbitree.api.read import read
from arbitree.errors import StudyError, UnsupportedStudy

ROWS = """# sent_id = s1
1	Ida	Ida	PROPN	_	_	2	nsubj	{0}	_
2	sang	sing	VERB	_	_	0	root	0:root	_
3	and	and	CCONJ	_	_	4	cc	4:cc	_
4	left	leave	VERB	_	_	2	conj	2:conj:and	_
4.1	home	home	NOUN	_	_	_	_	4:obj	_

"""


@pytest.fixture
def files(tmp_path):
    for name, deps in (("ann", "2:nsubj|4:nsubj"), ("bob", "2:nsubj")):
        (tmp_path / f"{name}.conllu").write_text(ROWS.format(deps), encoding="utf-8")
    return [str(tmp_path / "ann.conllu"), str(tmp_path / "bob.conllu")]


def test_tokens_and_empty_nodes_are_nodes_and_the_root_is_the_top(files):
    """By hand: ann has 5 arcs and a top, bob one arc less."""
    study = read(*files, view="enhanced")
    ann, bob = (study.cells["s1", coder].value for coder in ("ann", "bob"))
    assert [node.variable for node in ann.nodes] == ["t1", "t2", "t3", "t4", "t4.1"]
    assert [node.anchor for node in ann.nodes][3:] == [((4, 4),), ()]
    assert ann.triples.relations == (
        (1, "conj:and", 3),
        (1, "nsubj", 0),
        (3, "cc", 2),
        (3, "nsubj", 0),
        (3, "obj", 4),
    )
    assert (ann.tops, ann.triples.size, bob.triples.size) == (("t2",), 6, 5)
    found = evaluate(study, "smatch", resamples=0)
    assert found.value == 2 * 5 / 11
    assert "view:enhanced" in found.signature


@pytest.mark.parametrize(
    ("deps", "what"),
    [("x:nsubj", "is not HEAD:RELATION"), ("2", "is not HEAD:"), ("9:nsubj", "does not exist")],
)
def test_an_arc_that_cannot_be_read_is_an_error(tmp_path, files, deps, what):
    (tmp_path / "ann.conllu").write_text(ROWS.format(deps), encoding="utf-8")
    with pytest.raises(StudyError, match=what):
        read(*files, view="enhanced")


def test_files_without_enhanced_dependencies_are_refused(tmp_path):
    (tmp_path / "ann.conllu").write_text(
        "# sent_id = s1\n1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8"
    )
    with pytest.raises(UnsupportedStudy, match="no enhanced dependencies"):
        read(str(tmp_path / "ann.conllu"), view="enhanced")
