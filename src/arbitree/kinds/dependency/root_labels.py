"""Check that the label of a token fits its head: labels of the root, and labels of other words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from arbitree.adjudication.usage import Usage
from arbitree.kinds.dependency.choices import HeadChoices
from arbitree.wording import count_of

LABEL = "label"
ROOT_LABEL, OTHER_LABEL = "label of the root", "label of other words"  # kinds of values that are counted
ROOT = "root"  # and root:..., in tag sets


class Arc(NamedTuple):
    """The head of a token, 0 for the root, and its label."""

    head: int
    label: str


class RootDoubt(NamedTuple):
    """Why the label of a token does not fit its head, and arcs that would."""

    problem: str
    ways: tuple[tuple[str, Arc], ...]
    certain: bool


class RootLabels(NamedTuple):
    """How often each label stands at the root and elsewhere, or the labels of the root in a tag set."""

    at_root: Counter[str]
    elsewhere: Counter[str]
    fixed: frozenset[str]  # the labels of the root in the tag set; empty without one

    @classmethod
    def of(cls, usage: Usage) -> RootLabels:
        """Return the labels of a study."""
        tags = usage.tags.values.get(LABEL, ()) if usage.tags else ()
        fixed = frozenset(tag for tag in tags if tag.lower().partition(":")[0] == ROOT)
        counts = usage.counts
        return cls(counts.get(ROOT_LABEL, Counter()), counts.get(OTHER_LABEL, Counter()), fixed)

    def fits(self, arc: Arc) -> bool:
        """Return whether the label is more frequent at such a head; unknown labels fit everywhere."""
        if self.fixed:
            return (arc.label in self.fixed) == (arc.head == 0)
        own, other = self.at_root[arc.label], self.elsewhere[arc.label]
        return own >= other if arc.head == 0 else other >= own

    @property
    def are_certain(self) -> bool:
        """Whether the labels of the root are known: by the tag set, or because they never stand elsewhere."""
        return bool(self.fixed) or self.at_root.keys().isdisjoint(self.elsewhere)

    @property
    def usual(self) -> str:
        """The usual label of the root."""
        return next(iter(sorted(self.fixed))) if self.fixed else self.at_root.most_common(1)[0][0]


def root_doubt(
    usage: Usage, choices: HeadChoices, token: int, arc: Arc, given: Sequence[Arc]
) -> RootDoubt | None:
    """Return why *arc* does not fit the labels of the root; None if it does, or if an annotator gave it.

    Args:
        usage: The labels in the study.
        choices: The heads of the sentence.
        token: The number of the token.
        arc: The arc that is wanted.
        given: The arcs of the annotators.
    """
    if not (usage.tags and LABEL in usage.tags.values) and arc in given:
        return None
    labels = RootLabels.of(usage)
    if labels.fits(arc) or not (labels.at_root or labels.fixed):
        return None
    word, ways = choices.name(token), tuple(_ways(labels, choices, token, arc, given))
    # Without another label for this head, the label can only be changed afterwards.
    certain = labels.are_certain and any(other.head == arc.head for _, other in ways)
    if arc.head == 0:
        problem = f"{word} would be the root, but {arc.label} is not the label of a root."
    else:
        problem = (
            f"{arc.label} is the label of the root, but {word} would be attached to {choices.name(arc.head)}."
        )
    return RootDoubt(problem if certain else f"{problem} {_counted(labels, arc.label)}", ways, certain)


def _ways(
    labels: RootLabels, choices: HeadChoices, token: int, arc: Arc, given: Sequence[Arc]
) -> Iterator[tuple[str, Arc]]:
    """Yield other labels for the same head, then other heads for the same label."""
    found = [Arc(arc.head, other.label) for other in given]
    found += [Arc(0, labels.usual)] if arc.head == 0 else []
    for other in dict.fromkeys(found):
        if other != arc and labels.fits(other):
            yield f"Use the label {other.label}.", other
    heads = [Arc(other.head, arc.label) for other in given]
    for other in dict.fromkeys([*heads, *([Arc(0, arc.label)] if arc.head else [])]):
        if other.head != arc.head and labels.fits(other):
            name = choices.name(token)
            yield (
                f"Attach {name} to {choices.name(other.head)}." if other.head else f"Make {name} the root.",
                other,
            )


def _counted(labels: RootLabels, label: str) -> str:
    """Return how annotators use a label, in a sentence."""
    own, other = count_of(labels.at_root[label], "root"), count_of(labels.elsewhere[label], "other word")
    return f"In the annotations, {label} is the label of {own} and of {other}."
