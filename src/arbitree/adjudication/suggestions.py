"""Suggest values for contested places from the consensus of an annotator model, and say why."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import prod
from typing import NamedTuple

from arbitree.adjudication.differences import Contested, Disagreements
from arbitree.adjudication.places import Key, V

MOST = 0.99  # the largest share of places at which an annotator is taken to know the value

Suggested = Mapping[str, Mapping[Key, str]]  # by item and place


class Reason(NamedTuple):
    """Why a value is suggested."""

    probability: float
    coder: str  # the one of its annotators who is right most often at such places
    share: float  # of these places
    given: int  # annotators who give the value
    done: int  # annotators who give any value

    def words(self, values: str, name: Callable[[str], str] = str) -> str:
        """Return the probability and the reason.

        Args:
            values: The noun for values of this kind, in the plural.
            name: Returns the name of an annotator as it is shown.

        Example:
            >>> Reason(0.834, "lotte", 0.9, 1, 3).words("labels")
            'probability 0.83: lotte is usually right on labels'
            >>> Reason(0.998, "lotte", 0.9, 2, 3).words("labels")
            'probability >0.99: 2 of 3 annotators'
        """
        share = f"probability {self.probability:.2f}" if self.probability < 0.995 else "probability >0.99"
        if self.probability < 0.5:
            return "uncertain: part of the most probable annotation"
        if 2 * self.given > self.done:
            return f"{share}: {self.given} of {self.done} annotators"
        if self.share > 0.5:
            return f"{share}: {name(self.coder)} is usually right on {values}"
        return f"{share}: {name(self.coder)} is right on {values} more often than the others"


def suggest(
    consensus: Mapping[str, Sequence[V]],
    places: Iterable[Contested],
    value_at: Callable[[V, Key], str | None],
) -> dict[str, dict[Key, str]]:
    """Return the suggested values by item and by the key of the place.

    Args:
        consensus: The most probable annotations of each item; several if they are equally probable.
        places: The places on which annotators differ.
        value_at: Returns the value of an annotation at a place, written like the annotators' values.
    """
    found: dict[str, dict[Key, str]] = {}
    for place in places:
        key = key_of(place)
        said = {value_at(value, key) for value in consensus.get(place.item, ())}
        suggested = said.pop() if len(said) == 1 else None  # as probable as another is not a suggestion
        if suggested is not None:
            found.setdefault(place.item, {})[key] = suggested
    return found


def reasons(found: Disagreements, suggested: Suggested) -> dict[str, dict[Key, Reason]]:
    """Return the probability of each suggested value that an annotator gives, and who speaks for it.

    Formula:
        P(v) ∝ Π_j (c_j [v_j = v] + (1 - c_j) / m), over the values v_j that annotators j give to the place.
        c_j = (r_j - 1/m) / (1 - 1/m) is the share of contested places of this kind at which j knows the
        value, r_j the share at which j gives the suggestion, and m the number of values given to the place:
        who errs gives one of them, since annotators often make the same error. Agreed places do not count:
        they are easier, and would make the probabilities too high.
    """
    shares = _shares(found, suggested)
    made: dict[str, dict[Key, Reason]] = {}
    for place in found.places:
        key = key_of(place)
        value = suggested.get(place.item, {}).get(key)
        if value not in place.choices:
            continue
        given = {
            coder: said for coder, said in zip(found.coders, place.values, strict=True) if said is not None
        }
        own = {coder: shares[place.what].get(coder, 0.0) for coder in given}
        weights = {each: _likelihood(each, given, own) for each in place.choices}
        best = max((coder for coder in given if given[coder] == value), key=lambda coder: own[coder])
        count = sum(said == value for said in given.values())
        probability = weights[value] / sum(weights.values())
        made.setdefault(place.item, {})[key] = Reason(probability, best, own[best], count, len(given))
    return made


def key_of(place: Contested) -> Key:
    """Return the key of a place on the adjudication page."""
    return f"{place.place} {place.what}" if place.place else place.what


def _likelihood(value: str, given: Mapping[str, str], shares: Mapping[str, float]) -> float:
    """Return the probability of what annotators give if *value* is right."""
    guess = 1 / max(2, len(set(given.values())))
    known = {coder: min(max((share - guess) / (1 - guess), 0.0), MOST) for coder, share in shares.items()}
    return prod(
        (known[coder] if said == value else 0.0) + (1 - known[coder]) * guess for coder, said in given.items()
    )


def _shares(found: Disagreements, suggested: Suggested) -> dict[str, dict[str, float]]:
    """Return for each kind of value the share of contested places at which annotators give the suggestion."""
    right: defaultdict[str, Counter[str]] = defaultdict(Counter)
    total: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for place in found.places:
        value = suggested.get(place.item, {}).get(key_of(place))
        for coder, said in zip(found.coders, place.values, strict=True):
            if value is not None and said is not None:
                right[place.what][coder] += said == value
                total[place.what][coder] += 1
    return {
        what: {coder: right[what][coder] / count for coder, count in counts.items() if count}
        for what, counts in total.items()
    }
