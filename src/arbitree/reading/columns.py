"""Find the columns of a table of labels by options, by their names and, where needed, by their content."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import lru_cache

from arbitree.errors import FormatError, Source
from arbitree.reading.inputs import Reading
from arbitree.reading.tables import TextTable
from arbitree.wording import listed


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# Usual names of columns, the preferred ones first; case, spaces and punctuation do not matter. They include
# those of Mechanical Turk (HITId), Appen (_unit_id), Toloka (ASSIGNMENT:task_id), Prodigy and crowd-kit.
ITEM = _names(
    "item task instance instanceid itemid taskid hitid unitid origid assignmenttaskid inputhash exampleid "
    "sampleid unit subject question id text"
)
CODER = _names(
    "coder worker annotator rater judge coderid workerid annotatorid performer raterid judgeid performerid "
    "annotatorname annotatoremail annotatedby labeler labelerid labeller labellerid assignmentworkerid "
    "amtworkerids amtworkerid turker turkerid crowdworker crowdworkerid completedby prolificpid"
)
LABEL = _names("label value answer response rating category tag tags code choice")
TAG = _names(
    "tag sense sensekey candidate option"
)  # in a table with one row per tag, and 1 or 0 as its label
GOLD = _names(
    "gold goldlabel goldstandard goldanswer truth groundtruth truelabel adjudicated adjudication "
    "adjudicatedlabel"
)
DOCUMENT = _names("document doc documentid docid")
CLUSTER = _names("cluster sentence sent sentid sentenceid sentencenumber sentno sentnr")
# Names that count only if the table has one row per label for another reason.
LIKELY_CODER = _names(
    "user userid username participant participantid respondent respondentid person sessionid"
)
LIKELY_LABEL = _names(
    "annotation judgment judgement class classification score grade vote verdict decision result"
)
# Columns about an annotation: never items, annotators or labels.
ABOUT = _names(
    "time date timestamp createdat updatedat startedat submittedat leadtime duration seconds starttime "
    "endtime accepttime submittime worktimeinseconds comment comments note notes remark remarks confidence "
    "certainty trust country region city ip channel tainted missed golden annotationid annotationids "
    "amtannotationids assignmentid assignmentstatus status hittypeid hitgroupid viewid batch batchid approve "
    "reject displayedtext majority majorityvote majoritylabel consensus url link"
)
# Of these, the columns that tell something about the item.
SHOWN = _names("displayedtext url link")
# Columns of a matrix that are texts of the items, not annotators.
TEXT = _names(
    "context utterance passage tweet post premise hypothesis prompt paragraph headline snippet lemma gloss "
    "definition translation sentence1 sentence2 text1 text2"
)
# Columns of a matrix that are the words themselves, and positions in a sentence or text if they are numbers.
FORM = _names("form word wordform token tok surface")
TOKEN = _names("token tokenid tokennumber tokenno tokennr tokenindex wordid wordnumber wordno wordindex")
POSITION = (
    *TOKEN,
    *_names("position index idx start end begin offset startoffset endoffset tokenstart tokenend"),
)
PREFIXES = {"item": "input", "label": "answer|output", "gold": "golden"}  # Input.text, OUTPUT:mood
# Item and label in Prodigy: an input and the options chosen for it, or a task and the answer.
PRODIGY = (("inputhash", "accept"), ("taskhash", "answer"))
ANSWERS = frozenset(("accept", "reject", "ignore"))  # the cells of its column answer
UNNAMED = re.compile(r"(Unnamed: \d\S*)?")  # a name that is empty, or that pandas makes of an empty one
NUMBERED = re.compile(rf"({'|'.join((*CODER, *LABEL))})(\d+|[a-e])")  # annotator1, label_2, raterA
ID = re.compile(r"(?:^|[\W_])(?:id|ID|Id)$|[a-z]I[Dd]$")  # tweet_id, tweetID; not valid
OFF = "off"
MOST = 8  # columns that an error lists


@dataclass(frozen=True, slots=True)
class Columns:
    """The indices of columns; a table without a label column has one column per annotator."""

    item: int | None = None
    coder: int | None = None
    label: int | None = None
    gold: int | None = None
    document: int | None = None
    cluster: int | None = None

    @property
    def taken(self) -> set[int]:
        """The indices of all columns that have a role."""
        places = (self.item, self.coder, self.label, self.gold, self.document, self.cluster)
        return {place for place in places if place is not None}


@lru_cache(maxsize=4096)  # of the columns of one table
def plain(name: str) -> str:
    """Return the name of a column in lower case, without spaces and punctuation.

    Example:
        >>> plain("ASSIGNMENT:worker_id"), plain("Instance-ID")
        ('assignmentworkerid', 'instanceid')
    """
    return re.sub(r"[\W_]+", "", name.lower())


def place_of(header: Sequence[str], names: Sequence[str]) -> int | None:
    """Return the index of the first column of *header* whose name is one of *names*, or None.

    Example:
        >>> place_of(["instance_ID", "label"], ITEM)
        0
    """
    found = [plain(name) for name in header]
    return next((found.index(name) for name in names if name in found), None)


def is_header(cells: Sequence[str]) -> bool:
    """Return whether *cells* name the columns of a table with one row per label.

    Example:
        >>> is_header(["item", "label"]), is_header(["HITId", "WorkerId"]), is_header(["item", "ann"])
        (True, True, False)
    """
    item, coder, label = (place_of(cells, names) is not None for names in (ITEM, CODER, LABEL))
    return (item or coder) and (label or (item and coder) or bool(_with_prefix(cells, "label")))


def is_about(name: str) -> bool:
    """Return whether a column called *name* is about the item or the annotation, and so not an annotator.

    Example:
        >>> is_about("Text"), is_about("lead_time"), is_about("ann")
        (True, True, False)
    """
    return plain(name) in (*ITEM, *DOCUMENT, *CLUSTER, *ABOUT)


def may_be_text(name: str) -> bool:
    """Return whether a column called *name* can be a text of the items that people may read.

    Columns about single annotations are not, and neither are columns that tell the correct label.

    Example:
        >>> may_be_text("context"), may_be_text("lead_time"), may_be_text("mood_gold"), may_be_text("url")
        (True, False, False, True)
    """
    found = plain(name)
    hidden = found in ABOUT or found.startswith("assignment") or tells_gold(name)
    return not is_unnamed(name) and (found in SHOWN or not hidden)


def tells_gold(name: str) -> bool:
    """Return whether a column called *name* contains correct labels, which adjudicators must not see.

    Example:
        >>> tells_gold("gold_label"), tells_gold("mood_gold"), tells_gold("mood")
        (True, True, False)
    """
    found = plain(name)
    return found in GOLD or found.endswith("gold") or found.startswith("gold")


def is_unnamed(name: str) -> bool:
    """Return whether a column has no name, as the row names written by R and pandas.

    Example:
        >>> is_unnamed(" "), is_unnamed("Unnamed: 0.1"), is_unnamed("ann")
        (True, True, False)
    """
    return UNNAMED.fullmatch(name.strip()) is not None


def is_known(name: str) -> bool:
    """Return whether the name of a column may tell its role.

    Example:
        >>> is_known("Answer.mood"), is_known("mood_gold"), is_known("ann")
        (True, True, False)
    """
    found = plain(name)
    names = (*CODER, *LABEL, *GOLD, *LIKELY_CODER, *LIKELY_LABEL)
    prefixed = any(_with_prefix([name], role) for role in PREFIXES)
    return is_about(name) or found in names or found.endswith("gold") or prefixed


def column_called(header: Sequence[str], name: str, path: str) -> int:
    """Return the index of the column that a user calls *name*; raise FormatError if there is none."""
    if name in header:
        return list(header).index(name)
    near = [place for place, known in enumerate(header) if plain(known) == plain(name) != ""]
    if len(near) == 1:
        return near[0]
    close = get_close_matches(name, header, n=1)
    shown = ", ".join(list(header)[:MOST]) + (", ..." if len(header) > MOST else "")
    hint = f"Did you mean {close[0]!r}?" if close else f"The first row contains: {shown}"
    raise FormatError(f"the table has no column {name!r}", Source(path, 1), hint=hint)


def prodigy_answers(table: TextTable) -> int | None:
    """Return the column that tells whether annotators accepted a task of Prodigy, or None in other tables.

    Example:
        >>> header = ["text", "label", "answer"]
        >>> prodigy_answers(TextTable([["Rain", "GOOD", "accept"]], [1], header))
        2
        >>> prodigy_answers(TextTable([["Rain", "GOOD", "yes"]], [1], header)) is None
        True
    """
    header = table.header or []
    place = place_of(header, ("answer",))
    if place is None or place_of(header, ("inputhash", "taskhash", "accept", "label")) is None:
        return None
    cells = set(table.column(place)) - {""}
    return place if cells and cells <= ANSWERS else None


def find_columns(table: TextTable, reading: Reading, path: str) -> Columns:
    """Return the columns of a table with a header.

    Raises:
        FormatError: If an option names an unknown column, or the table has one row per label but the column
            of items or labels is not known.
    """
    search = _Search(table, path)
    golden = reading.gold_column != OFF
    chosen = Columns(
        item=search.given(reading.item_column),
        coder=search.given(reading.coder_column),
        label=search.given(reading.label_column),
        gold=search.given(reading.gold_column) if golden else None,
    )
    item, label = next((own for own in PRODIGY if search.has(own)), ("item", search.usual_label()))
    found = Columns(
        item=search.first(chosen.item, (item, *ITEM)),
        coder=search.first(chosen.coder, CODER),
        label=search.first(chosen.label, (label, *LABEL)),
        gold=search.first(chosen.gold, GOLD if golden else ()),
        document=search.first(None, DOCUMENT),
        cluster=search.first(None, CLUSTER),
    )
    if chosen.item is None:
        found = search.with_shared_items(found)
    if chosen == Columns() and found.label is not None and search.has_numbered_annotators(found):
        gold = found.label if found.gold is None and golden else found.gold
        return replace(found, label=None, gold=gold)
    forced = chosen.label is not None or chosen.coder is not None
    return search.long(found, forced=forced) or replace(found, coder=None, label=None)


class _Search:
    """The search for the columns of one table."""

    def __init__(self, table: TextTable, path: str) -> None:
        self.table, self.path = table, path
        self.header = table.header or []
        self.taken: set[int] = set()

    def has(self, names: Sequence[str]) -> bool:
        """Return whether the table has columns with all these names."""
        return all(place_of(self.header, (name,)) is not None for name in names)

    def usual_label(self) -> str:
        """Return the preferred name of the label column; a constant label is what Prodigy asks about."""
        if prodigy_answers(self.table) is None:
            return "label"
        if self.has(("accept",)):
            return "accept"
        place = place_of(self.header, ("label",))
        return "answer" if place is not None and len(set(self.table.column(place))) == 1 else "label"

    def given(self, name: str | None) -> int | None:
        """Return the index of the column that an option names."""
        if name is None:
            return None
        place = column_called(self.header, name, self.path)
        self.taken.add(place)
        return place

    def first(self, chosen: int | None, names: Sequence[str]) -> int | None:
        """Return the chosen column or the first free one that has one of these *names*."""
        if chosen is not None:
            return chosen
        free = ["" if place in self.taken else name for place, name in enumerate(self.header)]
        found = place_of(free, names)
        self.taken |= set() if found is None else {found}
        return found

    def with_shared_items(self, found: Columns) -> Columns:
        """Replace an item column that numbers the rows by another one with items of several annotators."""
        if found.item is None or found.coder is None or self._repeats(found.item):
            return found
        free = [place for place in range(len(self.header)) if place not in found.taken - {found.cluster}]
        sentences = tuple(name for name in CLUSTER if name != "cluster")  # a cluster contains several items
        named = [place for place in free if plain(self.header[place]) in (*ITEM, *sentences)]
        shared = self._keys(found, named)
        if not shared:
            return found
        return replace(found, item=shared[0], cluster=None if shared[0] == found.cluster else found.cluster)

    def has_numbered_annotators(self, found: Columns) -> bool:
        """Return whether the table has columns such as annotator1 and annotator2, and none of annotators."""
        numbered = [name for name in map(plain, self.header) if NUMBERED.fullmatch(name)]
        return found.coder is None and len(numbered) > 1

    def long(self, found: Columns, *, forced: bool) -> Columns | None:
        """Return the columns of a table with one row per label, or None for a matrix."""
        if found.label is None:
            answers = [place for place in _with_prefix(self.header, "label") if place not in self.taken]
            found = replace(found, label=answers[0] if len(answers) == 1 else None)
        if found.coder is None and (found.item is None or self._repeats(found.item)):
            found = replace(found, coder=self.first(None, LIKELY_CODER))
        if found.coder is not None and found.label is None:
            found = replace(found, label=self.first(None, LIKELY_LABEL))
        if not forced and not self._has_row_per_label(found):
            return None
        if found.item is None:
            item = self._item(found)
            document = None if found.document == item else found.document
            cluster = None if plain(self.header[item]) in CLUSTER else found.cluster
            found = replace(found, item=item, document=document, cluster=cluster)
        if found.label is None:
            found = replace(found, label=self._label(found))
        return self._with_gold(found)

    def _has_row_per_label(self, found: Columns) -> bool:
        """Return whether the table has one row per label, judged by the columns found so far."""
        if found.label is not None:
            return found.item is not None or found.coder is not None or len(self._about(found)) == 1
        if found.coder is None:
            return False
        numbered = plain(self.header[found.coder]).endswith(("id", "ids"))  # not the name of an annotator
        if found.item is not None and (numbered or self._repeats(found.item)):
            return True
        if not self._is_apart(found.coder, found):  # an annotator called judge, with the labels of the others
            return False
        about = self._about(found)
        return found.item is not None or (len(about) > 1 and bool(self._keys(found, about)))

    def _item(self, found: Columns) -> int:
        """Return the column of items in a table whose names do not tell it."""
        about = self._about(found)
        named = [place for place in about if is_about(self.header[place])]
        inputs = [place for place in _with_prefix(self.header, "item") if place in about]
        keys = self._keys(found, about)
        ids = [place for place in keys if ID.search(self.header[place].strip())]
        for places in (about, inputs, ids, [place for place in keys if place in named], keys):
            if len(places) == 1:
                return places[0]
        raise self._unknown("item", about)

    def _label(self, found: Columns) -> int:
        """Return the column of labels in a table whose names do not tell it."""
        names = [plain(name) for name in self.header]
        free = [place for place in self._free(found) if not names[place].endswith("gold")]
        free = [place for place in free if not ID.search(self.header[place].strip())]
        known = set(names)
        golden = [place for place in free if f"{names[place]}gold" in known]
        for places in (golden, free):
            if len(places) == 1:
                return places[0]
        raise self._unknown("label", _with_prefix(self.header, "label") or free)

    def _with_gold(self, found: Columns) -> Columns:
        """Add the gold column that belongs to the label column: ``mood_gold`` for ``mood``."""
        if found.gold is not None or found.label is None:
            return found
        label = plain(self.header[found.label])
        own = place_of(self.header, (f"{label}gold", f"gold{label}"))
        golden = _with_prefix(self.header, "gold") if own is None else [own]
        return replace(found, gold=golden[0] if len(golden) == 1 else None)

    def _unknown(self, role: str, places: Sequence[int]) -> FormatError:
        names = [repr(self.header[place]) for place in places][:MOST]
        which = f"; it could be {listed(names, 'or')}" if names else ""
        what = f"the table seems to have one row per label, but its {role} column is not known{which}"
        hint = f"Name it with --{role}-column; if every column is an annotator, rename the columns"
        return FormatError(what, Source(self.path, 1), hint=hint)

    def _free(self, found: Columns) -> list[int]:
        """Return the columns that could contain labels."""
        return [
            place
            for place, name in enumerate(self.header)
            if place not in found.taken and not is_unnamed(name) and not is_about(name)
        ]

    def _about(self, found: Columns) -> list[int]:
        """Return the columns that could contain items."""
        kinds = (*CLUSTER, *DOCUMENT)
        named = (place for place, name in enumerate(self.header) if plain(name) in kinds)
        return [*named, *self._free(found)]

    def _is_apart(self, place: int, found: Columns) -> bool:
        """Return whether a column shares no cell with the columns of unknown meaning, if there are any."""
        cells, free = set(self.table.column(place)), self._free(found)
        return bool(free) and all(cells.isdisjoint(self.table.column(other)) for other in free)

    def _repeats(self, place: int) -> bool:
        cells = list(filter(None, self.table.column(place)))
        return len(set(cells)) < len(cells)

    def _keys(self, found: Columns, places: Sequence[int]) -> list[int]:
        """Return the full columns whose cells occur several times, but only once with each annotator."""
        if found.coder is None:
            return []
        coders = self.table.column(found.coder)
        return [place for place in places if self._repeats(place) and self._is_key(place, coders)]

    def _is_key(self, place: int, coders: list[str]) -> bool:
        cells = self.table.column(place)
        return all(cells) and len(set(zip(cells, coders, strict=False))) == len(coders)


def _with_prefix(header: Sequence[str], role: str) -> list[int]:
    """Return the columns with a name such as ``Answer.mood``, whose prefix tells their role."""
    pattern = re.compile(rf"({PREFIXES[role]})[.:]")
    return [place for place, name in enumerate(header) if pattern.match(name.strip().lower())]
