"""The best alignment of the nodes of two graphs, exactly: Smatch without luck.

A problem is a quadratic assignment: a pair of nodes has a gain of its own (equal labels and attributes), and
two pairs have a common gain (equal relations between them). It is made smaller by exact rules, divided into
independent parts, and solved by branch and bound. Parts that need too many steps go to an integer program.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from arbitree.kinds.graphs.value import Triples

Pair = tuple[int, int]  # a node of the first graph and one of the second
Own = dict[Pair, int]
Common = dict[Pair, dict[Pair, int]]

STEPS = 3_000  # gains that branch and bound looks at in one part, before it goes to the integer program
SECONDS = 10.0  # for one part in the integer program


@dataclass(slots=True)
class Problem:
    """Pairs of nodes that gain something alone or together; pairs that share a node exclude each other.

    ``own`` contains every pair. ``common`` is symmetric and contains no pairs that share a node.
    """

    own: Own
    common: Common = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Alignment:
    """The pairs of an alignment, what it gains, and a bound that no alignment exceeds."""

    pairs: Mapping[int, int]
    gain: int
    bound: int

    @property
    def exact(self) -> bool:
        """Whether no alignment gains more."""
        return self.gain == self.bound


def problem_of(first: Triples, second: Triples) -> Problem:
    """Return the problem whose gain is the number of triples that two graphs share."""
    own: Own = {}
    theirs = _properties(second)
    for key, nodes in _properties(first).items():
        for j in theirs.get(key, ()):
            for i in nodes:
                own[i, j] = own.get((i, j), 0) + 1
    edges: dict[str, list[Pair]] = defaultdict(list)
    for source, role, target in second.relations:
        if source != target:
            edges[role].append((source, target))
    common: Common = defaultdict(dict)
    for i, role, k in first.relations:
        if i == k:
            continue
        for j, l in edges.get(role, ()):  # noqa: E741  the letters of the definition
            one, other = (i, j), (k, l)
            near = common[one]
            near[other] = gain = near.get(other, 0) + 1
            common[other][one] = gain
    for pair in common:
        own.setdefault(pair, 0)
    return Problem(own, dict(common))


def _properties(triples: Triples) -> dict[tuple[str, str, str], list[int]]:
    """Return the nodes with each label, attribute, top and relation to themselves."""
    found: dict[tuple[str, str, str], list[int]] = {}
    for node, label in enumerate(triples.labels):
        if label:
            found.setdefault(("label", "", label), []).append(node)
    for node, role, value in triples.attributes:
        found.setdefault(("attribute", role, value), []).append(node)
    for source, role, target in triples.relations:
        if source == target:
            found.setdefault(("loop", role, ""), []).append(source)
    return found


@lru_cache(maxsize=4096)
def best_alignment(first: Triples, second: Triples, seconds: float = SECONDS) -> Alignment:
    """Return an alignment with the largest number of equal triples.

    Args:
        first, second: The graphs.
        seconds: The time limit of the integer program. If it is hit, the bound exceeds the gain.
    """
    return solve(problem_of(first, second), seconds)


def solve(problem: Problem, seconds: float = SECONDS) -> Alignment:
    """Return an alignment with the largest gain."""
    done, rest = _reduced(problem)
    pairs, gain, bound = dict(done.pairs), done.gain, done.gain
    for part in _parts(rest):
        found = _solved_part(part, seconds)
        pairs |= found.pairs
        gain += found.gain
        bound += found.bound
    return Alignment(pairs, gain, bound)


def _solved_part(part: Problem, seconds: float) -> Alignment:
    try:
        return _branched(part, [STEPS])
    except _TooMany:
        from arbitree.kinds.graphs.program import programmed

        return programmed(part, _climbed(part), _bound(part), seconds)


# Reduction


def _potentials(problem: Problem) -> Own:
    """Return what each pair can gain at most: alone, and with the best partner of every neighbour."""
    found: Own = {}
    for pair, own in problem.own.items():
        most: dict[int, int] = {}
        for (k, _), gain in problem.common.get(pair, {}).items():
            if gain > most.get(k, 0):
                most[k] = gain
        found[pair] = own + sum(most.values())
    return found


def _reduced(problem: Problem) -> tuple[Alignment, Problem]:
    """Return the pairs that are part of a best alignment for certain, and the problem that remains.

    A pair is chosen if it gains as much alone as the best other partners of both its nodes could at most.
    """
    own, common = dict(problem.own), problem.common
    copied = False
    chosen: dict[int, int] = {}
    gain = 0
    while own:
        potentials = _potentials(Problem(own, common))
        fixed = _dominant(own, potentials)
        idle = [pair for pair, most in potentials.items() if most <= 0]
        if not fixed and not idle:
            break
        if not copied:
            common = {pair: dict(near) for pair, near in common.items()}
            copied = True
        for pair in fixed:
            if pair not in own:
                continue
            chosen[pair[0]] = pair[1]
            gain += own[pair]
            for other, more in common.get(pair, {}).items():
                own[other] += more
            _drop([each for each in own if each[0] == pair[0] or each[1] == pair[1]], own, common)
        _drop([pair for pair in idle if pair in own and own[pair] <= 0 and not common.get(pair)], own, common)
    return Alignment(chosen, gain, gain), Problem(own, common)


def _dominant(own: Own, potentials: Own) -> list[Pair]:
    """Return the pairs that gain at least as much alone as other partners of their nodes can gain."""
    rows: dict[int, list[int]] = {}  # the two largest potentials of each node
    columns: dict[int, list[int]] = {}
    for (i, j), most in potentials.items():
        for found, node in ((rows, i), (columns, j)):
            two = found.setdefault(node, [0, 0])
            if most > two[0]:
                two[1], two[0] = two[0], most
            elif most > two[1]:
                two[1] = most
    fixed: list[Pair] = []
    for pair, alone in own.items():
        if alone <= 0:
            continue
        row, column, most = rows[pair[0]], columns[pair[1]], potentials[pair]
        other = row[1] if row[0] == most else row[0]
        if alone >= other + (column[1] if column[0] == most else column[0]):
            fixed.append(pair)
    return fixed


def _drop(pairs: Iterable[Pair], own: Own, common: Common) -> None:
    for pair in pairs:
        del own[pair]
        for other in common.pop(pair, {}):
            del common[other][pair]


def _parts(problem: Problem) -> list[Problem]:
    """Return the independent parts of a problem: pairs in different parts share no node and no gain."""
    rows: dict[int, list[Pair]] = {}
    columns: dict[int, list[Pair]] = {}
    for pair in problem.own:
        rows.setdefault(pair[0], []).append(pair)
        columns.setdefault(pair[1], []).append(pair)
    found: list[Problem] = []
    seen: set[Pair] = set()
    for start in problem.own:
        if start in seen:
            continue
        seen.add(start)
        part, stack = [], [start]
        while stack:
            pair = stack.pop()
            part.append(pair)
            for near in (rows[pair[0]], columns[pair[1]], problem.common.get(pair, ())):
                for other in near:
                    if other not in seen:
                        seen.add(other)
                        stack.append(other)
        part.sort()
        found.append(
            Problem(
                {pair: problem.own[pair] for pair in part},
                {pair: problem.common[pair] for pair in part if pair in problem.common},
            )
        )
    return found


# Start values


def _climbed(problem: Problem) -> Alignment:
    """Return an alignment that no single change improves; the same in every run."""
    potentials = _potentials(problem)
    order = sorted(problem.own, key=lambda pair: (-problem.own[pair], -potentials[pair], pair))
    partner: dict[int, int] = {}
    taken: dict[int, int] = {}
    gains = dict(problem.own)  # of each pair, with the pairs chosen so far
    common = problem.common

    def choose(pair: Pair, sign: int) -> None:
        for other, more in common.get(pair, {}).items():
            gains[other] += sign * more
        if sign > 0:
            partner[pair[0]], taken[pair[1]] = pair[1], pair[0]
        else:
            del partner[pair[0]], taken[pair[1]]

    left = set(order)
    while left:
        pair = max(left, key=lambda each: (gains[each], potentials[each], -each[0], -each[1]))
        if potentials[pair] <= 0:
            break
        choose(pair, 1)
        left = {each for each in left if each[0] != pair[0] and each[1] != pair[1]}
    _improve(order, partner, taken, gains, common, choose)
    for i, j in list(partner.items()):
        if gains[i, j] < 0:
            choose((i, j), -1)
    gain = _gain(problem, partner)
    return Alignment(dict(partner), gain, gain)


def _improve(
    order: list[Pair],
    partner: dict[int, int],
    taken: dict[int, int],
    gains: Own,
    common: Common,
    choose: Callable[[Pair, int], None],
) -> None:
    """Exchange pairs for others as long as this gains something."""
    better = True
    while better:
        better = False
        for pair in order:
            i, j = pair
            if partner.get(i) == j:
                continue
            out = [(i, partner[i])] if i in partner else []
            out += [(taken[j], j)] if j in taken else []
            new: list[Pair] = [pair]
            if len(out) == 2 and (swapped := (taken[j], partner[i])) in gains:
                new.append(swapped)
            if _change(out, new, gains, common) > 0:
                for each in out:
                    choose(each, -1)
                for each in new:
                    choose(each, 1)
                better = True


def _change(out: list[Pair], new: list[Pair], gains: Own, common: Common) -> int:
    """Return what replacing the pairs *out* by the pairs *new* gains."""
    change = sum(gains[pair] for pair in new) - sum(gains[pair] for pair in out)
    change -= sum(common.get(one, {}).get(two, 0) for one in new for two in out)
    if len(out) == 2:
        change += common.get(out[0], {}).get(out[1], 0)
    if len(new) == 2:
        change += common.get(new[0], {}).get(new[1], 0)
    return change


def _gain(problem: Problem, partner: Mapping[int, int]) -> int:
    chosen = set(partner.items())
    total = sum(problem.own[pair] for pair in chosen)
    double = sum(
        gain for pair in chosen for other, gain in problem.common.get(pair, {}).items() if other in chosen
    )
    return total + double // 2


# Branch and bound


class _TooMany(Exception):
    """Branch and bound has used up its steps."""


def _bound(problem: Problem) -> int:
    """Return a number that no alignment of *problem* exceeds: the best assignment of halved gains.

    A pair gains at most half of its largest common gains with every neighbour, on either side.
    """
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    rows = {i: place for place, i in enumerate(dict.fromkeys(pair[0] for pair in problem.own))}
    columns = {j: place for place, j in enumerate(dict.fromkeys(pair[1] for pair in problem.own))}
    table = np.zeros((len(rows), len(columns)))
    for pair, own in problem.own.items():
        table[rows[pair[0]], columns[pair[1]]] = max(0, 2 * own + _most_common(problem.common.get(pair)))
    ours, theirs = linear_sum_assignment(table, maximize=True)
    return int(table[ours, theirs].sum()) // 2


def _most_common(near: Mapping[Pair, int] | None) -> int:
    """Return the sum of the largest gains, one for every neighbour of the first or of the second node."""
    if not near:
        return 0
    rows: dict[int, int] = {}
    columns: dict[int, int] = {}
    for (k, m), gain in near.items():
        if gain > rows.get(k, 0):
            rows[k] = gain
        if gain > columns.get(m, 0):
            columns[m] = gain
    return min(sum(rows.values()), sum(columns.values()))


def _branched(part: Problem, steps: list[int]) -> Alignment:
    """Return a best alignment of one part; raise _TooMany if it needs more than ``steps``."""
    best = _climbed(part)
    if _bound(part) <= best.gain:
        return best
    node = _branching_node(part)
    ways: list[tuple[int, Pair | None, Problem]] = []
    for pair in [each for each in part.own if each[0] == node] + [None]:
        gain, rest = _with(part, node, pair)
        ways.append((gain, pair, rest))
        steps[0] -= len(rest.own) + sum(map(len, rest.common.values()))
        if steps[0] < 0:
            raise _TooMany
    bounds = [gain + _bound(rest) for gain, _, rest in ways]
    for place in sorted(range(len(ways)), key=lambda place: -bounds[place]):
        if bounds[place] <= best.gain:
            break
        gain, pair, rest = ways[place]
        done, left = _reduced(rest)
        pairs = dict(done.pairs) | ({pair[0]: pair[1]} if pair else {})
        gain += done.gain
        for inner in _parts(left):
            found = _branched(inner, steps)
            pairs |= found.pairs
            gain += found.gain
        if gain > best.gain:
            best = Alignment(pairs, gain, gain)
    return best


def _branching_node(part: Problem) -> int:
    """Return the node of the first graph whose pairs have the largest common gains."""
    weight: dict[int, int] = {}
    for (i, _), near in part.common.items():
        weight[i] = weight.get(i, 0) + len(near)
    return max(weight or {pair[0]: 0 for pair in part.own}, key=lambda i: (weight.get(i, 0), -i))


def _with(part: Problem, node: int, pair: Pair | None) -> tuple[int, Problem]:
    """Return what *pair* gains, or no partner of *node*, and the problem that remains."""
    own = dict(part.own)
    common = {each: dict(near) for each, near in part.common.items()}
    gain = 0
    if pair is not None:
        gain = own[pair]
        for other, more in common.get(pair, {}).items():
            own[other] += more
    gone = [each for each in own if each[0] == node or (pair is not None and each[1] == pair[1])]
    _drop(gone, own, common)
    return gain, Problem(own, common)
