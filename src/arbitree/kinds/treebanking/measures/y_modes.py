"""The modes of Y-option kappa, which compare discriminants differently, and the choice of ``auto``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from arbitree.kinds.treebanking.derivation import Lexicon, accepted_derivation
from arbitree.kinds.treebanking.measures.discriminants import Exact, exact, has_stored, same_tree
from arbitree.kinds.treebanking.value import ACCEPTED, Decisions
from arbitree.study.study import Item

EXACT, DERIVATION, DISCRIMINANT, NEIGHBOURHOOD = "exact", "derivation", "discriminant", "neighbourhood"
MODES = ("auto", EXACT, DERIVATION, DISCRIMINANT, NEIGHBOURHOOD)

SPARSE = 0.8  # share of the discriminants of one annotator that the other has too, below which it is said
MOST_READINGS = 50_000  # parses that are read without being asked to, in the hope of exact values

Known = dict[str, Exact]
Candidates = list[tuple[Item, Decisions, Decisions]]


@dataclass(frozen=True, slots=True)
class Mode:
    """The mode for one pair of coders, and what it needs."""

    name: str
    reason: str = ""
    known: Known | None = None  # for the mode exact
    lexicon: Lexicon | None = None  # for the mode derivation
    fallback: bool = False  # sentences without derivations are compared by neighbourhoods


def lexicon_of(candidates: Candidates) -> Lexicon:
    """Return what the annotations of two coders tell about their grammars."""
    return Lexicon.of(each for _, first, second in candidates for each in (first, second))


def choose(candidates: Candidates) -> Mode:
    """Return the best mode for *candidates*, and why it was chosen."""
    accepted = [each for each in candidates if each[1].status == each[2].status == ACCEPTED]
    partly = _partly_stored(candidates)
    known = _all_exact(
        [(item, _incomplete(a), _incomplete(b)) for item, a, b in accepted] if partly else accepted
    )
    if isinstance(known, dict):
        counts = Counter(found.how for found in known.values())
        how = ", ".join(f"{count:,} {how}" for how, count in sorted(counts.items(), reverse=True))
        return Mode(EXACT, f"all discriminants of sentences that both accepted are known: {how}", known)
    gaps = _gaps(accepted)
    if gaps and any(accepted_derivation(a) and accepted_derivation(b) for _, a, b in accepted):
        return Mode(DERIVATION, gaps, fallback=True)
    return Mode(NEIGHBOURHOOD, partly or known)


def _gaps(accepted: Candidates) -> str:
    """Return why the recorded discriminants of two coders are not the same even where they agree, or ""."""
    if any(a.forest or b.forest for _, a, b in accepted):
        return "full-forest profiles do not record what follows from the choices of an annotator"
    if any(not a.same_grammar(b) for _, a, b in accepted):
        return "the grammars differ"
    if any(a.single and b.single and not same_tree(a, b) for _, a, b in accepted):
        return "the profiles state one parse for sentences with different parses"
    if overlap((a, b) for _, a, b in accepted if same_tree(a, b)) < SPARSE:
        return "the profiles record different discriminants for the same parses"
    return ""


def overlap(pairs: Iterable[tuple[Decisions, Decisions]]) -> float:
    """Return how many of the recorded discriminants of two coders are recorded for both."""
    union = common = 0
    for each in pairs:
        ours, theirs = ({option.identity for option in side.decided} for side in each)
        union += len(ours | theirs)
        common += len(ours & theirs)
    return common / union if union else 1.0


def _incomplete(decisions: Decisions) -> Decisions:
    return replace(decisions, options=decisions.decided, complete=False)


def _partly_stored(candidates: Candidates) -> str:
    """Return why undecided discriminants, of which a profile has some, cannot all be stored; "" if they can.

    If both tools store all of them, the annotators have the same ones also where a sentence was rejected.
    """
    for item, a, b in candidates:
        if not (a.complete and b.complete) or (a.single and b.single) or a.status == b.status == ACCEPTED:
            continue
        ours, theirs = ({option.identity for option in each.options} for each in (a, b))
        if not ours or ours != theirs:
            return f"undecided discriminants are stored for some sentences only; first without: {item.id!r}"
    return ""


def _all_exact(accepted: Candidates) -> Known | str:
    """Return what is known of every sentence that both accepted, or why it is not all of them."""
    chosen = [(item, a, b) for item, a, b in accepted if not (a.single and b.single)]
    to_read = sum(a.readings + b.readings for _, a, b in chosen if not (has_stored(a) and has_stored(b)))
    if not chosen:
        return "no sentence that both accepted has several parses"
    if to_read > MOST_READINGS:
        return f"there are more than {MOST_READINGS:,} parses to read"
    known = {}
    for item, first, second in chosen:
        found = exact(first, second)
        if found is None:
            return f"not all discriminants of every sentence that both accepted are known; first: {item.id!r}"
        known[item.id] = found
    return known
