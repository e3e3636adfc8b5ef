"""The dependency metrics once more, token by token, as a reader of the papers would write them down."""

import math
import unicodedata


def punctuation_form(form):
    return all(unicodedata.category(c).startswith("P") for c in form)


def climb(heads, token, removed):
    head = heads[token - 1]
    while head in removed:
        head = heads[head - 1]
    return head


def prepared(gold, other, policy):
    """Tokens that are scored, heads and relations of both trees, under one of the three policies."""
    tokens = range(1, len(gold) + 1)
    ours = {t: gold.heads[t - 1] for t in tokens}
    theirs = {t: other.heads[t - 1] for t in tokens}
    scored = list(tokens)
    if policy == "skip-form":
        scored = [t for t in tokens if not punctuation_form(gold.tokens[t - 1])]
    if policy == "remove-node":
        removed = {t for t in tokens if gold.columns["upos"][t - 1] == "PUNCT"}
        scored = [t for t in tokens if t not in removed]
        ours = {t: climb(gold.heads, t, removed) for t in scored}
        theirs = {t: climb(other.heads, t, removed) for t in scored}
    return scored, ours, theirs


def label(tree, token, subtypes):
    found = tree.relations[token - 1]
    return found.split(":")[0] if subtypes == "strip" else found


def depth(heads, token):
    steps = 0
    while token:
        token = heads[token]
        steps += 1
    return steps


def metrics(gold, other, policy="score-all", subtypes="keep"):
    """Numerator and denominator of every metric on one sentence."""
    scored, g, p = prepared(gold, other, policy)

    def same(t):
        return label(gold, t, subtypes) == label(other, t, subtypes)

    def tag(t):
        return gold.columns["upos"][t - 1]

    def mark(t):
        return punctuation_form(gold.tokens[t - 1]) if policy == "skip-form" else tag(t) == "PUNCT"

    right = [t for t in scored if g[t] == p[t] and same(t)]
    content = [t for t in scored if tag(t) in ("ADJ", "NOUN", "PROPN", "VERB")]
    function = [t for t in scored if t not in content and not mark(t)]
    weight = {t: 1 / math.log2(1 + depth(g, t)) for t in scored}
    found = {
        "uas": (sum(g[t] == p[t] for t in scored), len(scored)),
        "las": (len(right), len(scored)),
        "la": (sum(same(t) for t in scored), len(scored)),
        "content_las": (len(set(content) & set(right)), len(content)),
        "function_las": (len(set(function) & set(right)), len(function)),
        "root_las": (sum(weight[t] for t in right), sum(weight.values())),
        "undirected": (sum(g[t] == p[t] or g.get(p[t]) == t for t in scored), len(scored)),
        "ned": (
            sum(g[t] == p[t] or g.get(p[t]) == t or (g[t] != 0 and g.get(g[t]) == p[t]) for t in scored),
            len(scored),
        ),
        "exact": (int(len(right) == len(scored)), 1),
    }
    verbs = [t for t in g if tag(t) == "VERB"]

    def children(heads, verb):
        return {t for t in heads if heads[t] == verb and not mark(t)}

    complete = [v for v in verbs if children(g, v) == children(p, v)]
    found["ucp"] = (len(complete), len(verbs))
    found["lcp"] = (sum(all(same(c) for c in children(g, v)) for v in complete), len(verbs))
    found["literal"] = (sum(same(v) for v in complete), len(verbs))
    functional = {"aux", "cop", "mark", "det", "clf", "case", "cc", "punct"}
    ours = [t for t in scored if gold.relations[t - 1].split(":")[0] not in functional]
    theirs = [t for t in scored if other.relations[t - 1].split(":")[0] not in functional]
    found["clas"] = (len(set(ours) & set(right)), (len(ours) + len(theirs)) / 2)
    return found
