"""Two phrase-structure trees of one sentence."""

from arbitree import plugins
from arbitree.reading.content import Content

LOW = "(S (NP (NN Gulls)) (VP (VBD saw) (NP (NP (NNS boats)) (PP (IN off) (NP (NNP Malo))))))"


HIGH = "(S (NP (NN Gulls)) (VP (VBD saw) (NP (NNS boats)) (PP (IN off) (NP (NNP Malo)))))"


def tree(text):
    return next(iter(plugins.get("formats", "brackets").read(Content("test", text.encode())))).value
