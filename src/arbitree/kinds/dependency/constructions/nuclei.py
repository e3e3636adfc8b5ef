"""Nuclei of dependency trees: which differing tokens belong together, and which tokens show them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from arbitree.kinds.dependency.constructions.sentences import (
    ROOT,
    UNPAIRED,
    CoderFacts,
    Fact,
    differing,
    differing_inside,
)

# Tokens, and ROOT or UNPAIRED if one of the owned tokens is attached there.
Members = frozenset[int]


@dataclass(frozen=True, slots=True)
class NucleusTokens:
    """A nucleus in a sentence: its tokens, and those whose difference it owns."""

    members: Members
    owned: tuple[int, ...]  # every differing token is owned by exactly one nucleus
    explained_by: tuple[Members, ...] = ()  # if it owns nothing: the smaller nuclei that own its differences


def pinpointed(views: Sequence[CoderFacts], *, connected: bool = False) -> list[NucleusTokens]:
    """Return the nuclei of a sentence: groups of differing tokens, with the heads that show the difference.

    Two tokens form a group if one annotator makes the first the head of the second, and another annotator
    does the reverse. Tokens that are attached to different members of a group belong to the group as well.
    All other differing tokens are groups of their own, even if they share a head.

    Args:
        views: the views of one sentence.
        connected: also group differing tokens if one is a head of the other, or if they share a head, even
            for different annotators.
    Example:
        >>> ann = CoderFacts("ann", (("", 1, "det"), ("", ROOT, "root"), ("", 1, "appos")))
        >>> bob = CoderFacts("bob", (("", 2, "det"), ("", 2, "compound"), ("", ROOT, "root")))
        >>> pinpointed([ann, bob])
        [NucleusTokens(members=frozenset({0, 1, 2}), owned=(0, 1, 2), explained_by=())]
    """
    heads = {token: {view.facts[token][1] for view in views} for token in differing(views)}
    groups = _connected(heads) if connected else _groups(views, heads)
    return [NucleusTokens(_hull(views, group), tuple(sorted(group))) for group in groups]


def _hull(views: Sequence[CoderFacts], group: set[int]) -> Members:
    """Return the owned tokens, and their heads for any annotator if head or relation differ.

    A head above the group is excluded if, for every annotator, the group is attached to it in the same way
    (the slot rule).
    """
    return _without_shared_governor(views, group, _needed(views, group) - group)


def _needed(views: Sequence[CoderFacts], tokens: Collection[int]) -> set[int]:
    """Return the heads of *tokens* for any annotator, where head or relation differ."""
    edges = [{view.facts[token][1:] for view in views} for token in tokens]
    return {head for each in edges if len(each) > 1 for head, _ in each}


def _groups(views: Sequence[CoderFacts], heads: dict[int, set[int]]) -> list[set[int]]:
    """Group tokens that swap roles, then the tokens that follow them."""
    groups = {token: {token} for token in heads}  # joined tokens share one set
    for token, above in heads.items():
        for head in above & heads.keys():
            if groups[head] is not groups[token] and swapped(views, token, head):
                _join(groups, token, head)
    waiting = [token for token, above in heads.items() if len(above) > 1 and above <= heads.keys()]
    settled = False
    while not settled:
        settled = True
        for token in waiting:
            first, *rest = (groups[head] for head in heads[token])
            if first is not groups[token] and len(first) > 1 and all(each is first for each in rest):
                _join(groups, token, next(iter(first)))
                settled = False
    return list({id(group): group for group in groups.values()}.values())


def _connected(heads: dict[int, set[int]]) -> list[set[int]]:
    """Group tokens with their heads, and so with all tokens that share a head."""
    everything = {*heads, *(head for above in heads.values() for head in above)} - {ROOT, UNPAIRED}
    groups = {token: {token} for token in everything}
    for token, above in heads.items():
        for head in above & everything:
            if groups[token] is not groups[head]:
                _join(groups, token, head)
    return [group & heads.keys() for group in {id(group): group for group in groups.values()}.values()]


def _join(groups: dict[int, set[int]], one: int, other: int) -> None:
    groups[one] |= groups[other]
    for token in groups[other]:
        groups[token] = groups[one]


def swapped(views: Sequence[CoderFacts], token: int, head: int) -> bool:
    """Return whether one annotator attaches *token* to *head*, and another attaches *head* to *token*."""
    down = any(view.facts[token][1] == head != token and view.facts[head][1] != token for view in views)
    up = any(view.facts[head][1] == token and view.facts[token][1] != head for view in views)
    return down and up


def _without_shared_governor(views: Sequence[CoderFacts], group: set[int], above: set[int]) -> Members:
    """Remove a head above *group* if, for every annotator, the group is attached to it in one way only."""
    members = frozenset(group | above)
    for governor in sorted(above):
        rest = members - {governor}
        slots = slots_of(views[0], rest)
        same = len(slots) == 1 and all(slots_of(view, rest) == slots for view in views)
        if same and slots.pop()[1] == governor:
            return rest
    return members


def slots_of(view: CoderFacts, members: Collection[int]) -> set[tuple[str, int, str]]:
    """Return the attachments of *members* to other tokens: side, governor and relation."""
    return {
        (side_of(token, view.facts[token][1]), *view.facts[token][1:])
        for token in members
        if token >= 0 and view.facts[token][1] not in members
    }


def side_of(token: int, governor: int) -> str:
    """Return the side of a token relative to its governor, L or R; "" under the artificial root."""
    if governor < 0:
        return ""
    return "L" if token < governor else "R"


def subtrees(
    views: Sequence[CoderFacts], *, unrooted: str = "slot", every: bool = False
) -> tuple[list[NucleusTokens], int]:
    """Return the contiguous subtrees of any annotator that own a difference, and the number not compared.

    A differing token belongs to the smallest subtree that shows its whole difference. The whole sentence with
    the artificial root is always included, so no difference is lost.

    Args:
        views: the views of one sentence.
        unrooted: when to compare tokens that are one subtree for some annotators and several for others:
            if all their tops are attached to one governor in the same way (``slot``), ``always``, or
            ``never``.
        every: also return subtrees that contain differences but own none.
    """
    whole = frozenset(range(len(views[0].facts)))
    spans = {span for view in views for span in _yields(view)} - {whole}
    compared = [span for span in spans if unrooted == "always" or _comparable(views, span, unrooted)]
    nuclei = sorted([*compared, whole | {ROOT, UNPAIRED}], key=lambda each: (len(each), sorted(each)))
    owned: dict[Members, list[int]] = defaultdict(list)
    for token in differing(views):
        needed = _needed(views, {token}) | {token}
        owned[next(members for members in nuclei if needed <= members)].append(token)
    found = []
    for members in nuclei:
        if members in owned:
            found.append(NucleusTokens(members, tuple(owned[members])))
        elif every and differing_inside(views, members):
            inner = tuple(other for other in owned if other < members)
            found.append(NucleusTokens(members, (), explained_by=inner))
    return found, len(spans) - len(compared)


def _yields(view: CoderFacts) -> set[Members]:
    """Return the contiguous yields; a token on a cycle dominates itself and its descendants."""
    below: dict[int, list[int]] = defaultdict(list)
    for token, (_, head, _) in enumerate(view.facts):
        below[head].append(token)
    found = set()
    for top in range(len(view.facts)):
        reached, stack = {top}, [top]
        while stack:
            new = [token for token in below[stack.pop()] if token not in reached]
            reached.update(new)
            stack.extend(new)
        if max(reached) - min(reached) + 1 == len(reached):
            found.add(frozenset(reached))
    return found


def _comparable(views: Sequence[CoderFacts], span: Members, unrooted: str) -> bool:
    tops = [sum(view.facts[token][1] not in span for token in span) for view in views]
    if all(count == 1 for count in tops):
        return True
    slots = [slots_of(view, span) for view in views]
    return unrooted == "slot" and all(slots) and len(set().union(*slots)) == 1


def common_facts(
    views: Sequence[CoderFacts], nuclei: Sequence[NucleusTokens], *, gold: bool = False
) -> dict[int, Fact]:
    """Return the version of each nucleus that most annotators gave, by token; used wherever others show it.

    A tie is decided by the values, so that the order of the annotators does not matter.

    Args:
        views: the views of one sentence.
        nuclei: its nuclei.
        gold: use the first view instead.
    Example:
        >>> views = [CoderFacts("", (("", ROOT, relation),)) for relation in "xyy"]
        >>> common_facts(views, pinpointed(views))
        {0: ('', -1, 'y')}
    """
    found: dict[int, Fact] = {}
    for nucleus in nuclei:
        versions = Counter(tuple(view.facts[token] for token in nucleus.owned) for view in views)
        first = tuple(views[0].facts[token] for token in nucleus.owned)
        chosen = (
            first if gold else min(versions, key=lambda each: (-versions[each], _sortable(each, nucleus)))
        )
        found.update(zip(nucleus.owned, chosen, strict=True))
    return found


def _sortable(version: Sequence[Fact], nucleus: NucleusTokens) -> list[tuple[str, str, int]]:
    pairs = zip(version, nucleus.owned, strict=True)
    return [(tag, relation, head - token) for (tag, head, relation), token in pairs]
