"""Derivations of one sentence by two grammars."""

from arbitree.kinds.treebanking.value import CONSTITUENT, TWIG, TYPE

TEXT = "Cats chase mice"


CLAUSE = (
    '(root_strict (0 sb-hd 0 0 3 (0 n_pl 0 0 1 (0 cat_n1 0 0 1 ("cats"))) (0 hd-cmp 0 1 3 '
    '(0 v_n3s 0 1 2 (0 chase_v1 0 1 2 ("chase"))) (0 n_pl 0 2 3 (0 mouse_n1 0 2 3 ("mice"))))))'
)


COMPOUND = (
    '(root_frag (0 np_frg 0 0 3 (0 cmpnd 0 0 3 (0 n_pl 0 0 1 (0 cat_n1 0 0 1 ("cats"))) (0 n-n 0 1 3 '
    '(0 chase_n1 0 1 2 ("chase")) (0 n_pl 0 2 3 (0 mouse_n1 0 2 3 ("mice")))))))'
)


FIRST = [
    (1, TWIG, "sb-hd", 0, 3),
    (1, TWIG, "v_n3s@v_np_le", 1, 2),
    (1, CONSTITUENT, "HD-CMP", 1, 3),
    (1, CONSTITUENT, "N_PL", 0, 1),
]


SECOND = [(1, TWIG, "np_frg@cmpnd", 0, 3), (1, TYPE, "n_-_c_le", 1, 2)]
