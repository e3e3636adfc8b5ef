"""A project: the study, the database of decisions, and the current decisions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from arbitree import kinds
from arbitree.adjudication import events, history
from arbitree.adjudication.gold import Adjudication, Settled, state_of
from arbitree.adjudication.index import AGREED, Index, index_of
from arbitree.adjudication.places import Sheet
from arbitree.api.read import study_of
from arbitree.errors import FormatError, Source, StudyError
from arbitree.files import make_directory
from arbitree.kinds.kind import Kind
from arbitree.reading.inputs import Reading
from arbitree.study.study import Item, Study
from arbitree.web.project.assignment import Assignment
from arbitree.web.project.background import Background
from arbitree.web.project.blind import Mask, letters_of
from arbitree.web.project.completions import values_of
from arbitree.web.project.drawings import Drawings
from arbitree.web.project.editions import (
    Contents,
    changes_between,
    contents_of,
    fingerprint_of,
    unchanged,
)
from arbitree.web.project.latest import Latest
from arbitree.web.project.progress import Statuses
from arbitree.web.project.settings import (
    DATABASE,
    ProjectSettings,
    read_settings,
    store_seal,
    write_settings,
)
from arbitree.web.project.tags import NO_TAGS, ProjectTags, absolute, read_tags
from arbitree.web.store import Edition, LossError, Store, damaged
from arbitree.web.store.assignments import double_subject
from arbitree.web.store.log import Stamp

NAMED = 5  # coders in a title
MASKS = 64  # items with hidden names that are kept


@dataclass
class Project:
    """The study and the database behind all pages."""

    study: Study[Any]
    reading: Reading
    store: Store
    edition: Edition
    title: str
    index: Index
    one_root: bool = False
    preselect: bool = False
    tags: ProjectTags = NO_TAGS
    blind: bool = False  # adjudicators do not see names of annotators
    changes: list[str] = field(default_factory=list)  # on disk since the edition before
    before: Edition | None = None  # the edition whose decisions are kept apart
    kept: list[str] = field(default_factory=list)  # items that are as they were in it
    folder: Path | None = None  # where the seal of the history is stored

    def __post_init__(self) -> None:
        self.numbers = {item.id: number for number, item in enumerate(self.study.items, start=1)}
        self.drawings = Drawings(self.study, self.kind.pictures)
        job = asdict(self.reading) | {"fingerprint": self.edition.fingerprint}
        self.background = Background(self.store, self.edition.id, job)
        self.to_decide = self.index.to_decide
        self.statuses = Statuses(self.store, self.edition.id, self._needs, self._is_open)
        self.adjudication = Adjudication(
            self.study, self.kind, one_root=self.one_root, to_decide=self.to_decide, tags=self.tags.tags
        )
        self.assignment = Assignment(self)
        self._mask = lru_cache(maxsize=MASKS)(self._mask_of)
        self._states: dict[str, events.State] = {}
        self._settled = Latest(self._stamp, self._settle)

    @cached_property
    def kind(self) -> Kind[Any]:
        """The kind of the annotations."""
        return kinds.of(self.study)

    @property
    def compared(self) -> str:
        """The noun for the values that are compared, in the plural."""
        return self.kind.places.compared if self.kind.places else "annotations"

    @cached_property
    def vocabulary(self) -> dict[str, tuple[str, ...]]:
        """The values to complete in input fields, by kind of value: the tag set, or what annotators use."""
        return values_of(self.study, self.kind.places) | dict(self.tags.tags.values if self.tags.tags else {})

    def item(self, number: int) -> Item:
        """Return an item by its number from 1; raise IndexError if it does not exist."""
        if not 0 < number <= len(self.study.items):
            raise IndexError(number)
        return self.study.items[number - 1]

    def sheet(self, number: int) -> Sheet[Any]:
        """Return the sheet of an item."""
        return self.adjudication.sheet(number)

    def mask(self, number: int) -> Mask:
        """Return an item with letters for the names of its annotators."""
        return self._mask(number)

    def _mask_of(self, number: int) -> Mask:
        letters = letters_of(self.store.secret(), self.item(number).id, self.study.coders)
        return Mask(self, number, letters)

    def subject(self, number: int, person: int | None = None, request: str = "") -> str:
        """Return the name of an item's log; that of *person* if two people decide it independently."""
        if person is not None and self.assignment.is_independent(number, person, request):
            return double_subject(self.item(number).id, person)
        return f"{history.ITEM}{self.item(number).id}"

    def entries(self, number: int, person: int | None = None) -> list[history.LogEntry]:
        """Return the log of an item, as ``subject`` names it."""
        return self.store.entries(self.edition.id, self.subject(number, person))

    def state(self, number: int, person: int | None = None) -> events.State:
        """Return the current decisions on an item; those of *person* if two decide it independently."""
        return events.fold(self.entries(number, person))

    def write(
        self, number: int, wish: history.Wish, action: events.Action, *, shared: bool = False
    ) -> events.WishOutcome:
        """Perform an action on an item, and append it to the log that ``subject`` names.

        Args:
            number: The number of the item.
            wish: The person who writes, and the request.
            action: The action.
            shared: Write to the log of all people, even if the person has one of their own.
        Raises:
            Conflict: if others wrote after the last entry that the person has seen.
            UnknownName: if the action names an unknown place or value.
        """
        sheet = self.sheet(number)
        subject = self.subject(number, None if shared else wish.person, wish.request)
        entries = self.store.entries(self.edition.id, subject)
        step = events.step_of(entries, wish, action, sheet, subject)
        if not step.new:
            return step
        self.assignment.check(number, subject)
        written = self.store.append_all(step.new, edition=self.edition.id, person=wish.person)
        self.assignment.accept(number, subject)
        return step._replace(state=events.fold([*entries, *written]), new=())

    def settled(self) -> Settled:
        """Return the result of all decisions, computed again only after a new entry."""
        return self._settled.get()

    def _stamp(self) -> Stamp:
        return self.store.stamp(self.edition.id)

    def _settle(self, *_: object) -> Settled:
        """Read the entries of the items that have new ones."""
        lengths = self.store.lengths(self.edition.id, history.ITEM)
        known = {f"{history.ITEM}{item}": state.seen for item, state in self._states.items()}
        changed = [subject for subject, length in lengths.items() if known.get(subject) != length]
        read = {
            entries[0].subject.removeprefix(history.ITEM): state_of(entries)
            for entries in self.store.logs(self.edition.id, changed)
        }
        self._states = self._states | read
        return Settled(self.adjudication, self._states)

    def close(self) -> None:
        """Stop the computation, store the seal of the history, and close the database."""
        self.background.stop()
        with self.store:
            if self.folder is not None:
                store_seal(self.folder, self.store.seal())

    def _needs(self, item: str) -> bool:
        """Return whether an item needs a decision."""
        return bool(self.to_decide[self.numbers[item] - 1])

    def _is_open(self, item: str) -> bool:
        """Return whether an item needs a decision and has a more specific state in the index."""
        return self._needs(item) and self.index.words[self.numbers[item] - 1] != AGREED


def open_project(
    reading: Reading | None,
    folder: Path,
    *,
    database: str | None = None,
    title: str | None = None,
    one_root: bool = False,
    preselect: bool = False,
    tagset: str | None = None,
    glosses: str | None = None,
    blind: bool = False,
    accept_loss: bool = False,
    say: Callable[[str], None] = lambda line: None,
) -> Project:
    """Open the project in *folder*, or create it.

    Args:
        reading: Inputs and reading options; None for those of the last start.
        folder: The project directory.
        database: URL of the database (default: a file in the directory).
        title: Title of the study (default: the names of its annotators).
        one_root: Refuse decisions that give a sentence a second root.
        preselect: Put the cursor on the suggested choice.
        tagset: A file with the tags that decisions may use.
        glosses: What tags mean: a table, a WordNet database, or ``wn:LEXICON``.
        blind: Hide the names of annotators from adjudicators.
        accept_loss: Open the project even if entries of the history were lost.
        say: Receives status lines.
    """
    given = ProjectSettings(
        Reading(()), title, one_root, preselect, absolute(tagset), absolute(glosses), database, blind=blind
    )
    chosen = _chosen(reading, folder, given, say)
    study = study_of(chosen.reading, say)
    tags = read_tags(study, chosen.tagset, chosen.glosses, say)
    contents = contents_of(study)
    make_directory(folder, fault="cannot create this directory", hint="Choose another with --project")
    store = Store.open(database or f"sqlite:///{folder.resolve() / DATABASE}")
    try:
        chosen = replace(chosen, database=store.place if database else None)
        chosen = _sealed(chosen, store, say, accept_loss=accept_loss)
        edition, before = _edition(store, contents, folder)
        write_settings(folder, chosen)
    except BaseException:
        store.close()
        raise
    old = Contents.of_text(before.contents) if before else None
    project = Project(
        study=study,
        reading=chosen.reading,
        store=store,
        edition=edition,
        title=chosen.title or titled(study.coders),
        index=index_of(study, kinds.of(study), one_root=chosen.one_root),
        one_root=chosen.one_root,
        preselect=chosen.preselect,
        tags=tags,
        blind=chosen.blind,
        changes=changes_between(old, contents) if old else [],
        before=before,
        kept=unchanged(old, contents) if old else [],
        folder=folder,
    )
    try:
        project.assignment.tidy()
    except BaseException:
        store.close()
        raise
    return project


def _sealed(
    settings: ProjectSettings, store: Store, say: Callable[[str], None], *, accept_loss: bool
) -> ProjectSettings:
    """Check that the database is complete, and return the settings with its seal."""
    store.check()
    try:
        return replace(settings, seal=store.seal(settings.seal))
    except LossError as loss:
        if not accept_loss:
            raise
        say(f"warning: {loss.what}")
        return replace(settings, seal=store.seal())


def titled(coders: Sequence[str]) -> str:
    """Return a title made of the names of the annotators, shortened if there are many.

    Example:
        >>> titled(["ann", "bob"]), titled(["a1", "a2", "a3", "a4", "a5", "a6"])
        ('ann, bob', 'a1, a2, a3 and 3 more')
    """
    shown = coders if len(coders) <= NAMED else coders[: NAMED - 2]
    more = len(coders) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _edition(store: Store, contents: Contents, folder: Path) -> tuple[Edition, Edition | None]:
    """Return the version with these contents, and the latest other version with decisions."""
    if any(fingerprint_of(each.contents) != each.fingerprint for each in store.editions()):
        raise damaged(store.place)
    known = store.edition(contents.fingerprint)
    latest = store.latest()
    if known is None:
        if latest is not None and not set(Contents.of_text(latest.contents).cells) & set(contents.cells):
            what = "this project directory has decisions on another study; the studies share no items"
            raise StudyError(what, Source(str(folder)), hint="Choose another directory with --project")
        known = store.add_edition(contents.fingerprint, contents.text)
    tallied = [each for each in store.editions() if store.tallies(each.id)]
    earlier = [each for each in tallied if each.id != known.id]
    return known, earlier[-1] if earlier else None


def _chosen(
    reading: Reading | None, folder: Path, given: ProjectSettings, say: Callable[[str], None]
) -> ProjectSettings:
    """Return the given settings; without inputs, combine them with the stored settings."""
    try:
        known = read_settings(folder)
    except FormatError as error:
        if reading is None:
            raise
        say(f"warning: {error.source}: {error.what}; cannot check that the history is complete")
        known = None
    if known and known.database and not given.database:
        what = f"the decisions of this project are stored in {known.database}"
        raise StudyError(what, Source(str(folder)), hint="Pass its URL with --database")
    if reading:
        return replace(given, reading=reading.absolute(), seal=known.seal if known else None)
    if known is None:
        hint = "Pass one file per annotator, or one directory per annotator with --dirs"
        raise StudyError("not a project directory", Source(str(folder)), hint=hint)
    return replace(
        known,
        title=given.title or known.title,
        one_root=given.one_root or known.one_root,
        preselect=given.preselect or known.preselect,
        tagset=given.tagset or known.tagset,
        glosses=given.glosses or known.glosses,
        blind=given.blind or known.blind,
    )
