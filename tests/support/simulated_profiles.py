"""Double-blind treebanking projects with known agreement, written as profiles.

Every sentence has some points of choice, each with a few alternatives; every combination is a parse. What
each annotator holds true is drawn first, for rejected sentences too: agreement is known by construction.
Then it is written down, either as treebanking tools do, which forget what was not decided before a sentence
was rejected, or with every discriminant.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

WORDS = ("rain", "mill", "lamp", "crow", "boat", "salt", "wind", "stone", "bread", "fox", "harbour", "clock")
DATE = "1-jan-2024 12:00"
SCHEMA = """\
item:
  i-id :integer :key
  i-origin :string
  i-input :string
  i-wf :integer
  i-length :integer

parse:
  parse-id :integer :key
  run-id :integer :key
  i-id :integer :key
  readings :integer

result:
  parse-id :integer :key
  result-id :integer
  derivation :string
  mrs :string

tree:
  parse-id :integer :key
  t-version :integer
  t-active :integer :key
  t-confidence :integer
  t-author :string
  t-start :date
  t-end :date
  t-comment :string

decision:
  parse-id :integer :key
  t-version :integer
  d-state :integer
  d-type :integer
  d-key :string
  d-value :string
  d-start :integer
  d-end :integer
  d-date :date

preference:
  parse-id :integer :key
  t-version :integer
  result-id :integer
"""


@dataclass(frozen=True, slots=True)
class Plan:
    """A project to simulate."""

    suites: int = 40
    sentences: int = 300  # of a suite
    coders: tuple[str, str] = ("ann", "bob")
    agreement: float = 0.9  # how often the second annotator makes the choice of the first
    harder: float = 0.0  # how much less where a sentence has no good parse
    rejected: float = 0.4  # share of sentences without a good parse
    slips: float = 0.1  # how often an annotator takes a good sentence for a bad one, or the other way
    lost: float = 0.02  # how often an annotator has no record of a sentence
    skipped: float = 0.01  # how often one opens a sentence and decides nothing
    single: float = 0.1  # share of sentences with one parse
    points: tuple[int, int] = (2, 18)  # choices in a sentence, least and most
    alternatives: int = 2
    seed: int = 0


@dataclass(frozen=True, slots=True)
class View:
    """What one annotator holds of one sentence, and how far the annotator goes."""

    choices: tuple[int, ...]
    rejects: bool
    order: tuple[int, ...]  # in which points are decided
    decided: int  # how many before the sentence is rejected
    by_hand: tuple[bool, ...]  # whether the choice itself is marked, or its rivals are ruled out
    fate: str  # done, lost, skipped


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence and both views of it."""

    number: int
    words: tuple[str, ...]
    views: tuple[View, View]

    @property
    def counts(self) -> bool:
        """Whether both annotators decided it and there was something to choose."""
        return all(view.fate == "done" for view in self.views) and bool(self.views[0].choices)

    def kappa(self, alternatives: int) -> float:
        """Return Y-option kappa, from what both hold true of every discriminant."""
        pairs = list(zip(self.views[0].choices, self.views[1].choices, strict=True))
        differing = sum(2 for ours, theirs in pairs if ours != theirs)  # the choice of each is one
        return 1 - 2 * differing / (alternatives * len(pairs))


@dataclass(frozen=True, slots=True)
class Project:
    """What was drawn: suites by name, and the agreement that a perfect record would show."""

    plan: Plan
    suites: dict[str, list[Sentence]] = field(default_factory=dict)

    @property
    def truth(self) -> float:
        """The mean Y-option kappa of all sentences that both decided."""
        found = [each for suite in self.suites.values() for each in suite if each.counts]
        return fmean(each.kappa(self.plan.alternatives) for each in found)

    @property
    def rejected(self) -> float:
        """The share of those sentences that somebody rejected."""
        found = [each for suite in self.suites.values() for each in suite if each.counts]
        return fmean(any(view.rejects for view in each.views) for each in found)


def simulate(plan: Plan) -> Project:
    """Draw a project.

    Example:
        >>> project = simulate(Plan(suites=1, sentences=200, agreement=1.0))
        >>> project.truth
        1.0
    """
    rng = random.Random(plan.seed)
    suites = {}
    for number in range(1, plan.suites + 1):
        suites[f"news-{number}"] = [_sentence(rng, plan, place) for place in range(1, plan.sentences + 1)]
    return Project(plan, suites)


def write(project: Project, root: Path, *, thorough: bool = False) -> list[Path]:
    """Write a profile for each annotator and suite: ``root/CODER/SUITE``; return the folders.

    Args:
        project: what was drawn.
        root: a directory.
        thorough: annotators decide everything before they reject a sentence, and all is recorded, the
            discriminants of sentences that they skipped included.
    """
    folders = []
    for side, coder in enumerate(project.plan.coders):
        for suite, sentences in project.suites.items():
            folder = root / coder / suite
            folder.mkdir(parents=True)
            (folder / "relations").write_text(SCHEMA, encoding="utf-8")
            for table, lines in _tables(sentences, side, coder, project.plan, thorough).items():
                (folder / table).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            folders.append(folder)
    return folders


def _sentence(rng: random.Random, plan: Plan, number: int) -> Sentence:
    size = 0 if rng.random() < plan.single else rng.randint(*plan.points)
    bad = rng.random() < plan.rejected
    same = plan.agreement - (plan.harder if bad else 0)
    first = tuple(rng.randrange(plan.alternatives) for _ in range(size))
    second = tuple(
        choice if rng.random() < same else (choice + rng.randrange(1, plan.alternatives)) % plan.alternatives
        for choice in first
    )
    views = [_view(rng, plan, choices, bad) for choices in (first, second)]
    words = tuple(rng.choice(WORDS) for _ in range(size + 1))
    return Sentence(number, words, (views[0], views[1]))


def _view(rng: random.Random, plan: Plan, choices: tuple[int, ...], bad: bool) -> View:
    drawn = rng.random()
    fate = "lost" if drawn < plan.lost else "skipped" if drawn < plan.lost + plan.skipped else "done"
    return View(
        choices=choices,
        rejects=bad != (rng.random() < plan.slips),
        order=tuple(rng.sample(range(len(choices)), len(choices))),
        decided=rng.randint(0, len(choices)),
        by_hand=tuple(rng.random() < 0.5 for _ in choices),
        fate=fate,
    )


def _tables(
    sentences: list[Sentence], side: int, coder: str, plan: Plan, thorough: bool
) -> dict[str, list[str]]:
    names = ("item", "parse", "result", "tree", "decision", "preference")
    tables: dict[str, list[str]] = {name: [] for name in names}
    for each in sentences:
        view, number = each.views[side], each.number
        readings = plan.alternatives ** len(view.choices)
        tables["item"].append(f"{number}@simulated@{' '.join(each.words)}@1@{len(each.words)}")
        tables["parse"].append(f"{number}@1@{number}@{readings}")
        if view.fate == "lost":
            continue
        active = -1 if view.fate == "skipped" else 0 if view.rejects else 1
        version = 0 if view.fate == "skipped" else 1
        tables["tree"].append(f"{number}@{version}@{active}@-1@{coder}@{DATE}@{DATE}@")
        tables["decision"] += _decisions(number, view, plan, thorough)
        if active == 1:
            chosen = sum(choice * plan.alternatives**place for place, choice in enumerate(view.choices))
            tables["preference"].append(f"{number}@1@{chosen}")
            tables["result"].append(f"{number}@{chosen}@{_derivation(each.words, view.choices)}@")
    return tables


def _decisions(number: int, view: View, plan: Plan, thorough: bool) -> Iterator[str]:
    version = 1
    decided = set(view.order if thorough or not view.rejects else view.order[: view.decided])
    if view.fate == "skipped":
        version, decided = 0, set()
    elif view.rejects:
        yield f"{number}@{version}@-1@5@@@0@{len(view.choices) + 1}@{DATE}"
    for point, choice in enumerate(view.choices):
        if point not in decided and not thorough:
            continue
        for other in range(plan.alternatives):
            yes = other == choice
            state = (1 if yes else 4) if view.by_hand[point] else (3 if yes else 2)
            key = f"_w{point}_v_1 ARG1 _n{other}_n_1"
            yield f"{number}@{version}@{state if point in decided else 5}@6@{key}@@0@0@{DATE}"


def _derivation(words: tuple[str, ...], choices: tuple[int, ...]) -> str:
    """Return a tree that branches to the right, the choices as names of its rules."""
    size = len(words)
    leaves = [f'({k} {word}_n 0 {k} {k + 1} ("{word}"))' for k, word in enumerate(words)]
    text = leaves[-1]
    for place in range(size - 2, -1, -1):
        text = f"({size + place} rule-{place}-{choices[place]} 0 {place} {size} {leaves[place]} {text})"
    return f"(root {text})"
