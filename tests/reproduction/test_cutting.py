"""Sentences that two releases of a document share."""

import pytest

from arbitree.reproduction.cutting import cut

FIRST = """(ROOT
  (S (NP (PRP It)) (VP (VBZ rains)) (. .)))

(ROOT (NP (NN Snow)))

(ROOT
  (NP (-LRB- -LRB-) (NN hail)
     (-RRB- -RRB-)))
"""


def test_trees_are_kept_by_their_words_in_order():
    other = (
        "(ROOT (FRAG (-LRB- -LRB-) (NP (NN hail)) (-RRB- -RRB-)))\n(S (X It) (Y rains) (Z .))\n(S (X Rain))"
    )
    assert cut(FIRST, other) == (
        "(ROOT (S (NP (PRP It)) (VP (VBZ rains)) (. .)))\n(ROOT (NP (-LRB- -LRB-) (NN hail) (-RRB- -RRB-)))\n"
    )


def test_other_words_or_another_order_are_another_sentence():
    assert cut(FIRST, "(S (X rains) (Y It) (Z .)) (S (X snow))") == ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("gum-two-versions/early", "gum-two-versions/late"),
        ("gum-parser-vs-gold/parser", "gum-parser-vs-gold/gold"),
    ],
)
def test_what_is_cut_stays_as_it_is(data, one, other):
    for path in sorted((data / one).iterdir())[:20]:
        text = path.read_text(encoding="utf-8")
        assert (
            cut(text.replace(" (", "\n  ("), (data / other / path.name).read_text(encoding="utf-8")) == text
        )
