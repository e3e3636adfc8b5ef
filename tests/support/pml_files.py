"""Small files of the Prague treebanks: two sentences of our own in the layers t, a, m and w, and in Treex.

A node is a tuple: id, order, fields and children. The files can be written in ways that mean the same:
children in another order, and single children without the element of the list.
"""

import gzip

NAMESPACE = "http://ufal.mff.cuni.cz/pdt/pml/"
WORDS = {
    "d1-p1s1": [("Rain", "rain", "NN"), ("fell", "fall", "VB"), (".", ".", "Z:-------------")],
    "d1-p1s2": [("Stay", "stay", "VB"), ("and", "and", "CC"), ("wait", "wait", "VB")],
}


def t_node(name, order, lemma, functor, *children, **fields):
    return (f"t-{name}", order, {"t_lemma": lemma, "functor": functor, **fields}, children)


def a_node(name, order, afun, *children, **fields):
    return (f"a-{name}", order, {"m.rf": f"m#m-{name}", "afun": afun, **fields}, children)


def linked(name):
    """The reference of a node of the t-layer to a node of the a-layer."""
    return f"<lex.rf>a#a-{name}</lex.rf>"


FALL = t_node(
    "d1-p1s1w2",
    2,
    "fall",
    "PRED",
    t_node("d1-p1s1w1", 1, "rain", "ACT", a=linked("d1-p1s1w1"), gram="<sempos>n.denot</sempos>"),
    t_node("d1-p1s1a1", 3, "#Gen", "LOC", is_generated="1", nodetype="qcomplex"),
    a=linked("d1-p1s1w2"),
    gram="<sempos>v</sempos>",
)
AND = t_node(
    "d1-p1s2w2",
    2,
    "and",
    "CONJ",
    t_node("d1-p1s2w1", 1, "stay", "PRED", is_member="1", a=linked("d1-p1s2w1")),
    t_node("d1-p1s2w3", 3, "wait", "PRED", is_member="1", a=linked("d1-p1s2w3")),
    a=linked("d1-p1s2w2"),
    nodetype="coap",
)
DEEP = {"d1-p1s1": [FALL], "d1-p1s2": [AND]}
SURFACE = {
    "d1-p1s1": [
        a_node("d1-p1s1w2", 2, "Pred", a_node("d1-p1s1w1", 1, "Sb")),
        a_node("d1-p1s1w3", 3, "AuxK"),
    ],
    "d1-p1s2": [
        a_node(
            "d1-p1s2w2",
            2,
            "Coord",
            a_node("d1-p1s2w1", 1, "Pred", is_member="1"),
            a_node("d1-p1s2w3", 3, "Pred", is_member="1"),
        )
    ],
}


def listed(name, nodes, order, *, reverse=False, short=False):
    """The element of a list of nodes."""
    if not nodes:
        return ""
    texts = [
        (f' id="{key}"', body(order, place, fields, children, reverse=reverse, short=short))
        for key, place, fields, children in (reversed(nodes) if reverse else nodes)
    ]
    if short and len(texts) == 1:
        return f"<{name}{texts[0][0]}>{texts[0][1]}</{name}>\n"
    return f"<{name}>\n" + "".join(f"<LM{key}>{text}</LM>\n" for key, text in texts) + f"</{name}>\n"


def body(order, place, fields, children, **ways):
    inside = "".join(f"<{key}>{value}</{key}>\n" for key, value in fields.items())
    placed = "" if place is None else f"<{order}>{place}</{order}>\n"
    return f"\n{inside}{placed}{listed('children', children, order, **ways)}"


def layer(root, text, **references):
    files = "".join(
        f'<reffile id="{name}" name="{name}data" href="{path}"/>\n' for name, path in references.items()
    )
    return (
        f'<?xml version="1.0" encoding="utf-8"?>\n<{root} xmlns="{NAMESPACE}">\n<head>\n'
        f"<references>\n{files}</references>\n</head>\n{text}</{root}>\n"
    )


def t_layer(trees=DEEP, *, a="s.a", **ways):
    roots = [
        (f"t-{name}", 0, {"atree.rf": f"a#a-{name}", "nodetype": "root"}, nodes)
        for name, nodes in trees.items()
    ]
    return layer("tdata", listed("trees", roots, "deepord", **ways), a=a)


def a_layer(trees=SURFACE, *, m="s.m", w="s.w", **ways):
    roots = [(f"a-{name}", 0, {"s.rf": f"m#m-{name}"}, nodes) for name, nodes in trees.items()]
    return layer("adata", listed("trees", roots, "ord", **ways), m=m, w=w)


def m_layer(*, w="s.w"):
    text = ""
    for name, words in WORDS.items():
        inside = "".join(
            f'<m id="m-{name}w{place}">\n<w.rf>w#w-{name}w{place}</w.rf>\n<form>{form}</form>\n'
            f"<lemma>{lemma}</lemma>\n<tag>{tag}</tag>\n</m>\n"
            for place, (form, lemma, tag) in enumerate(words, start=1)
        )
        text += f'<s id="m-{name}">\n{inside}</s>\n'
    return layer("mdata", text, w=w)


def w_layer():
    text = "".join(
        f'<w id="w-{name}w{place}">\n<token>{form}</token>\n'
        + (
            "<no_space_after>1</no_space_after>\n"
            if words[place : place + 1] == [(".", ".", words[-1][2])]
            else ""
        )
        + "</w>\n"
        for name, words in WORDS.items()
        for place, (form, _, _) in enumerate(words, start=1)
    )
    return layer("wdata", f'<doc id="w-d1">\n<para>\n{text}</para>\n</doc>\n')


def treex(*zones, ways=None):
    """A document with one bundle for each sentence: zones are pairs of attributes and t-trees by sentence."""
    bundles = []
    for name, words in WORDS.items():
        inside = ""
        for attributes, trees in zones:
            forms = [
                (f"a-{name}w{place}", place, {"form": form, "afun": "Sb"}, ())
                for place, (form, _, _) in enumerate(words, start=1)
            ]
            surface = body("ord", 0, {}, forms)
            deep = (
                f'<t_tree id="t-{name}">{body("ord", 0, {}, trees[name])}</t_tree>\n' if name in trees else ""
            )
            inside += (
                f"<zone {attributes}>\n<sentence>{' '.join(word[0] for word in words)}</sentence>\n<trees>\n"
                f'<a_tree id="a-{name}">{surface}</a_tree>\n{deep}</trees>\n</zone>\n'
            )
        bundles.append(f'<LM id="{name}">\n<zones>\n{inside}</zones>\n</LM>\n')
    return layer("treex_document", f"<bundles>\n{''.join(bundles)}</bundles>\n")


def save(folder, *, stem="s", packed=False, **layers):
    """Write the layers of one annotator to *folder*, as text or bytes; return the path of the first one."""
    texts = {"t": t_layer(), "a": a_layer(), "m": m_layer(), "w": w_layer()} | layers
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        if text is not None:
            data = text if isinstance(text, bytes) else text.encode()
            path = folder / f"{stem}.{name}{'.gz' if packed else ''}"
            path.write_bytes(gzip.compress(data) if packed else data)
    return str(folder / f"{stem}.t{'.gz' if packed else ''}")
