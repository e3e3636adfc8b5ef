"""Nuclei of dependency trees: the smallest token sets that contain a whole difference."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from arbitree.kinds.dependency.constructions.sentences import (
    OUTSIDE,
    ROOT,
    CoderFacts,
    differing,
    differing_inside,
)

Members = frozenset[int]  # tokens, and ROOT where the artificial root takes part


@dataclass(frozen=True, slots=True)
class NucleusTokens:
    """A nucleus in a sentence: its tokens, the differing ones, and the smaller nuclei that explain it."""

    members: Members
    differing: tuple[int, ...]
    residual: tuple[int, ...] = ()  # differing tokens that no smaller nucleus explains
    explained_by: tuple[Members, ...] = ()


def pinpointed(views: Sequence[CoderFacts], *, connected: bool = False) -> list[Members]:
    """Return the nuclei around the differing tokens: each a group of differing tokens and all their heads.

    Two tokens form a group if one annotator makes the first the head of the second, and another annotator
    does the reverse. Tokens that are attached to different members of a group belong to the group as well.
    All other differing tokens are groups of their own, even if they share a head. Finally, a head above the
    group is excluded if, for every annotator, the group is attached to it in the same way (the slot rule).

    Args:
        views: the views of one sentence.
        connected: also group differing tokens if one is a head of the other, or if they share a head, even
            for different annotators.
    Example:
        >>> ann = CoderFacts("ann", (("", 1, "det"), ("", ROOT, "root"), ("", 1, "appos")))
        >>> bob = CoderFacts("bob", (("", 2, "det"), ("", 2, "compound"), ("", ROOT, "root")))
        >>> pinpointed([ann, bob])
        [frozenset({0, 1, 2})]
    """
    heads = {token: {view.facts[token][1] for view in views} for token in differing(views)}
    found: dict[Members, None] = {}
    for group in _connected(heads) if connected else _groups(views, heads):
        edges = {view.facts[token][1:] for token in group for view in views}
        if len(group) == 1 and len(edges) == 1:  # the part of speech alone differs
            found[frozenset(group)] = None
            continue
        above = {head for token in group for head in heads[token]} - group - {OUTSIDE}
        found[_without_shared_governor(views, group, above)] = None
    return list(found)


def _groups(views: Sequence[CoderFacts], heads: dict[int, set[int]]) -> list[set[int]]:
    """Group tokens that swap roles, then the tokens that follow them."""
    groups = {token: {token} for token in heads}  # joined tokens share one set
    for token, above in heads.items():
        for head in above & heads.keys():
            swapped = len(above) > 1 and token in heads[head] and head != token
            if swapped and groups[head] is not groups[token] and _reversed(views, token, head):
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
    everything = {*heads, *(head for above in heads.values() for head in above)} - {ROOT, OUTSIDE}
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


def _reversed(views: Sequence[CoderFacts], token: int, head: int) -> bool:
    """Whether one annotator attaches *token* to *head*, and another attaches *head* to *token*."""
    down = {view.facts[token][1] == head and view.facts[head][1] != token for view in views}
    up = {view.facts[head][1] == token and view.facts[token][1] != head for view in views}
    return True in down and True in up


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
        if token != ROOT and view.facts[token][1] not in members
    }


def side_of(token: int, governor: int) -> str:
    """Return the side of a token relative to its governor, L or R; "" under the artificial root."""
    if governor == ROOT:
        return ""
    return "L" if token < governor else "R"


def comparable_subtrees(views: Sequence[CoderFacts], *, unrooted: str = "slot") -> tuple[list[Members], int]:
    """Return the comparable contiguous yields of subtrees of any annotator, and the number of others.

    The whole sentence with the artificial root is always included, so no difference is lost.

    Args:
        views: the views of one sentence.
        unrooted: when to compare tokens that are one subtree for some annotators and several for others:
            if all their tops are attached to one governor in the same way (``slot``), ``always``, or
            ``never``.
    """
    whole = frozenset(range(len(views[0].facts)))
    spans = {span for view in views for span in _yields(view)} - {whole}
    compared = [span for span in spans if unrooted == "always" or _comparable(views, span, unrooted)]
    return [*compared, whole | {ROOT}], len(spans) - len(compared)


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


def reported(views: Sequence[CoderFacts], nuclei: Iterable[Members]) -> list[NucleusTokens]:
    """Return the *nuclei* that differ, small ones first, and which of them are explained by smaller ones.

    A nucleus is explained if, for any two annotators, each differing token also differs in a smaller nucleus
    inside it that is not explained itself.
    """
    found: list[NucleusTokens] = []
    known: list[tuple[Members, set[tuple[int, int, int]]]] = []
    for members in sorted(nuclei, key=lambda each: (len(each), sorted(each))):
        differences = differing_inside(views, members)
        if not differences:
            continue
        smaller = [each for each in known if each[0] < members]
        rest = differences.difference(*(told for _, told in smaller))
        found.append(
            NucleusTokens(
                members,
                differing=tuple(sorted({token for _, _, token in differences})),
                residual=tuple(sorted({token for _, _, token in rest})),
                explained_by=() if rest else tuple(inner for inner, _ in smaller),
            )
        )
        if rest:
            known.append((members, differences))
    return found
