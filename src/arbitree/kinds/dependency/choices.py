"""Decisions on the heads of one sentence: the possible heads, and the consequences of a choice."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from arbitree.kinds.dependency.graph import cycle_through, cycles, nearest_tree, unreached
from arbitree.wording import listed

MOST_OFFERS = 6
MOST_MOVED = 50  # words of a cycle that are tried elsewhere one by one; each try looks at the whole sentence
MOST_NAMES = 6  # words of a long cycle that a sentence names

Chosen = Mapping[int, int]  # the head of a token
Way = tuple[str, dict[int, int]]  # an offer: in words, and all heads that it sets


@dataclass(frozen=True, slots=True)
class HeadChoices:
    """Heads on which annotators agree or differ; token numbers start at 1, and index 0 is not used."""

    tokens: tuple[str, ...]
    agreed: tuple[int | None, ...]  # None where the head is contested
    said: tuple[Mapping[int, tuple[str, ...]], ...]  # the coders' heads, and who gave them
    one_root: bool = False

    def heads(self, decided: Chosen) -> list[int | None]:
        """Return the heads that are agreed or decided."""
        found = list(self.agreed)
        for token, head in decided.items():
            found[token] = head
        return found

    def problem(self, decided: Chosen, wish: Collection[int]) -> str:
        """Return why the heads of the tokens in *wish*, a subset of *decided*, are not possible."""
        heads = self.heads(decided)
        for token in wish:
            if cycle := cycle_through(heads, token):
                return f"This head would create a cycle: {self._cycle(cycle)}."
        roots = [token for token in range(1, len(heads)) if heads[token] == 0] if self.one_root else []
        if len(roots) > 1 and not set(wish).isdisjoint(roots):
            there = [token for token in roots if token not in wish]
            if there:
                return f"The sentence can have only one root, and it is already {self.name(there[0])}."
            return f"The sentence can have only one root, but {self._names(roots)} would be roots."
        return ""

    def trouble(self, decided: Chosen) -> str:
        """Return why the agreed and decided heads cannot be part of a tree."""
        heads = self.heads(decided)
        found = cycles(heads)
        if found:
            return f"The heads form a cycle: {self._cycle(found[0])}."
        roots = [token for token in range(1, len(heads)) if heads[token] == 0]
        if self.one_root and len(roots) > 1:
            return f"The sentence can have only one root, but {self._names(roots)} are roots."
        return ""

    def blocked(self, decided: Chosen) -> dict[tuple[int, int], str]:
        """Return the annotators' heads that are impossible for undecided tokens, with reasons."""
        heads = self.heads(decided)
        root = next((token for token in range(1, len(heads)) if heads[token] == 0), 0) if self.one_root else 0
        found = {}
        for token in self._open(decided):
            for head in self.said[token]:
                if head == 0:
                    if root:
                        found[token, 0] = f"{self.name(root)} is the root"
                    continue
                heads[token] = head
                if cycle := cycle_through(heads, token):
                    found[token, head] = f"this would create a cycle: {self._cycle(cycle)}"
            heads[token] = None
        return found

    def entailed(self, before: Chosen, after: Chosen) -> list[str]:
        """Return the consequences of a step from one set of decisions to another, as sentences."""
        known, blocked = self.blocked(before), self.blocked(after)
        sentences = []
        for token in self._open(after):
            new = [
                head for head in self.said[token] if (token, head) in blocked and (token, head) not in known
            ]
            left = [head for head in self.said[token] if (token, head) not in blocked]
            if new and not left:
                sentences.append(
                    f"No annotator's head is possible for {self.name(token)}: enter a different one."
                )
            elif new and len(left) == 1:
                sentences.append(
                    f"Only 1 head is possible for {self.name(token)}: {self._head_name(left[0])}."
                )
            elif new:
                where = " or ".join(self._head_name(head) for head in new)
                reason = blocked[token, new[0]]
                sentences.append(f"{self.name(token)} can no longer be attached to {where}: {reason}.")
        if lost := self._lost(after):
            sentences.append(
                "The annotators' heads do not form a tree: "
                f"enter a different head for {self._names(lost, 'or')}."
            )
        return sentences

    def ways(self, decided: Chosen, wish: Chosen) -> list[Way]:
        """Return changes that would make the rejected *wish* possible."""
        after = {**decided, **wish}
        found: dict[frozenset[tuple[int, int]], Way] = {}
        for words, changes in self._tried(decided, after, wish):
            mark = frozenset(changes.items())
            if changes and mark not in found and not self.problem({**decided, **changes}, changes):
                found[mark] = (words, changes)
            if len(found) == MOST_OFFERS:
                break
        if not found and (rest := self._nearest(decided, wish)):
            found[frozenset(rest.items())] = (self._said_of(rest, wish), rest)
        return list(found.values())

    def _tried(self, decided: Chosen, after: Chosen, wish: Chosen) -> Iterator[Way]:
        heads = self.heads(after)
        cycle = next(filter(None, (cycle_through(heads, token) for token in wish)), [])
        roots = [token for token in range(1, len(heads)) if heads[token] == 0]
        kept = set(wish) if len(wish) == 1 else set()  # of many wishes some may have to give way
        at_fault = cycle or roots
        others = [token for token in at_fault if token not in kept]
        for token in others[:MOST_MOVED]:
            if cycle and self.agreed[token] is not None and token not in decided:
                continue
            for head, coders in self.said[token].items():
                if head != heads[token]:
                    yield (
                        f"Attach {self.name(token)} to {self._head_name(head)} (chosen by {listed(coders)}).",
                        {**wish, token: head},
                    )
        before = self.heads(decided)
        for token in (token for token in cycle if token in kept and before[token] is not None):
            for below in (other for other in others if heads[other] == token):
                place = before[token] or 0
                moved = (
                    f"attach {self.name(below)} to {self._head_name(place)}, the head of {self.name(token)}"
                )
                yield f"Reverse the two words: {moved}.", {**wish, below: place}
        if not cycle:
            for root in (token for token in roots if token in wish):
                rest = [token for token in roots if token != root]
                words = f"Make {self.name(root)} the root, and attach {self._names(rest)} to it."
                yield words, {**wish, **dict.fromkeys(rest, root)}
        for coder in dict.fromkeys(
            coder for token in others for own in self.said[token].values() for coder in own
        ):
            taken = {
                token: head
                for token in others
                for head, coders in self.said[token].items()
                if coder in coders and (self.agreed[token] is None or token in decided)
            }
            yield f"Use the heads that {coder} gave {self._names(list(taken))}.", {**wish, **taken}
        if len(wish) > 1:
            rest_of = {token: head for token, head in wish.items() if token not in at_fault}
            words = f"Apply the other changes, and leave the heads of {self._names(at_fault)} undecided."
            yield words, rest_of

    def _nearest(self, decided: Chosen, wish: Chosen) -> dict[int, int]:
        """Return *wish* with the fewest further changes to annotators' heads that allow a tree, if any."""
        every = list(range(len(self.agreed)))  # what is open can still be given any head
        candidates = [every if head is None else [head] for head in self.heads(decided)]
        for token in decided:
            known = self.agreed[token]
            candidates[token] = [decided[token], *(self.said[token] if known is None else [known])]
        for token, head in wish.items():
            candidates[token] = [head]
        tree = nearest_tree(candidates, decided, one_root=self.one_root)
        if tree is None:
            return {}
        return {**wish, **{token: tree[token] for token in decided if tree[token] != decided[token]}}

    def _said_of(self, changes: Chosen, wish: Chosen) -> str:
        parts = [
            f"{self.name(token)} to {self._head_name(head)}"
            for token, head in changes.items()
            if token not in wish
        ]
        return f"Attach {listed(parts)}."

    def _open(self, decided: Chosen) -> list[int]:
        """Return the tokens whose head is contested and not decided."""
        return [
            token
            for token in range(1, len(self.agreed))
            if self.agreed[token] is None and token not in decided
        ]

    def _candidates(self, decided: Chosen) -> list[list[int]]:
        heads = self.heads(decided)
        return [list(self.said[token]) if head is None else [head] for token, head in enumerate(heads)]

    def _lost(self, decided: Chosen) -> list[int]:
        """Return the undecided tokens that the annotators' heads cannot connect to the root."""
        lost = unreached(self._candidates(decided), one_root=self.one_root)
        open_ = self._open(decided)
        return [token for token in lost if token in open_] or (open_ if lost else [])

    def name(self, token: int) -> str:
        """Return the word of a token, with its number if the word occurs more than once."""
        word = self.tokens[token - 1]
        return f"{word} ({token})" if self.tokens.count(word) > 1 else word

    def _head_name(self, head: int) -> str:
        return self.name(head) if head else "the root"

    def _cycle(self, cycle: list[int]) -> str:
        if len(cycle) == 1:
            return f"{self.name(cycle[0])} is its own head"
        names = [self.name(token) for token in cycle]
        if len(names) > MOST_NAMES:
            names = [*names[: MOST_NAMES - 2], "…", names[-1]]
        return " → ".join([*names, names[0]])

    def _names(self, tokens: list[int], last: str = "and") -> str:
        names = [self.name(token) for token in tokens]
        if len(names) > MOST_NAMES:
            names = [*names[: MOST_NAMES - 1], f"{len(names) - MOST_NAMES + 1} more"]
        return listed(names, last)
