"""Recognise related formats that Arbitree does not read, so that errors can name them.

To add a reader for one of these formats, remove its entry from ``FOREIGN``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice
from typing import NamedTuple

from arbitree.reading.content import Content
from arbitree.reading.guard import guarded
from arbitree.reading.tables import is_json

ROWS = 50  # rows of a file that are compared with a pattern

_WEBANNO_ROW = re.compile(r"\d+-\d+(?:\.\d+)?\t\d+-\d+\t")  # sentence-token, begin-end
_BRAT_ROW = re.compile(
    r"""T\d+\t\S+\ \d+\ \d+(?:;\d+\ \d+)*\t      # text-bound: type, begin, end; text
      | E\d+\t\S+:[TE]\d+                        # event
      | R\d+\t\S+\ \S+:[TE]\d+\ \S+:[TE]\d+      # relation
      | [AM]\d+\t\S+\ [TER]\d+                   # attribute
      | N\d+\tReference\ T\d+                    # normalisation
      | \#\d+\t\S+\ \S+                          # note
      | \*\t\S+\ [TE]\d+                         # equivalence
    """,
    re.VERBOSE,
)
# ID, seven other columns, HEAD and PHEAD, and at least four others
_CONLL_2009_ROW = re.compile(r"\d+(?:\t[^\t]*){7}(?:\t(?:\d+|_)){2}(?:\t[^\t]+){4}")
_COLUMNS = re.compile(r"^#\s*global\.columns\s*=(.*)$", re.MULTILINE)
_CONLLU_COLUMNS = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC"
_BRAT_SPAN = re.compile(r"[TR]\d+\t")
_LABEL_STUDIO = re.compile(r'"(?:annotations|completions|predictions)"\s*:\s*\[\s*\{')
_LABEL_STUDIO_RESULT = re.compile(r'"result"\s*:\s*\[')
_LABEL_STUDIO_SPAN = re.compile(r'\{[^{}\[\]]{0,500}"start"\s*:[^{}\[\]]{0,500}"\w*labels"\s*:\s*\[')
_DOCCANO = re.compile(
    r"""
        "start_offset"\s*:                                        # spans as objects
      | "labels?"\s*:\s*\[\s*\[\s*\d+\s*,\s*\d+\s*,\s*"          # spans as lists
      | "annotations"\s*:\s*\[\s*\{[^{}]{0,500}"user"\s*:         # labels by number, with the user
    """,
    re.VERBOSE,
)
_PRODIGY_ANSWER = re.compile(r'"answer"\s*:\s*"(?:accept|reject|ignore)"')
_PRODIGY_SPAN = re.compile(r'"spans"\s*:\s*\[\s*\{[^{}]{0,500}"label"\s*:')
# Tasks about the whole text, which may highlight spans, and about one suggested span.
_PRODIGY_WHOLE = re.compile(r'"accept"\s*:\s*\[|"_view_id"\s*:\s*"(?:choice|classification|ner)"')
# The first element after declarations and comments; groups that do not backtrack, as files may be broken.
_ELEMENT = re.compile(
    r"(?>\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^<>\[]*+(?:\[.*?\])?\s*+>)*+<([^\s<>/?!]++)([^<>]*+)", re.DOTALL
)

_TABLE = "Write a table with the columns item, coder and label"


class Foreign(NamedTuple):
    """A format that Arbitree recognises but does not read."""

    name: str  # as in "this looks like NAME"
    recognises: Callable[[Content], bool]
    hint: str  # what to do instead


def foreign_format(content: Content) -> Foreign | None:
    """Return the format of *content* if it is one that Arbitree does not read.

    Example:
        >>> found = foreign_format(Content("a.eaf", b"<ANNOTATION_DOCUMENT/>"))
        >>> found.name if found else None
        'EAF (ELAN)'
        >>> foreign_format(Content("a.mrg", b"(S (NP (NN rain)) (VP (VBD fell)))")) is None
        True
    """
    with guarded(content.path):
        return next((each for each in FOREIGN if each.recognises(content)), None)


def _is_brat(content: Content) -> bool:
    """Return whether all lines are annotations with an id, some of them spans or relations."""
    return _all_rows(content, _BRAT_ROW) and bool(_BRAT_SPAN.search(content.head))


def _is_conllu_plus(content: Content) -> bool:
    """Return whether the columns that the first line names are not those of CoNLL-U."""
    found = _COLUMNS.search(content.head)
    return found is not None and found[1].split() != _CONLLU_COLUMNS.split()


def _is_conll_2009(content: Content) -> bool:
    return _all_rows(content, _CONLL_2009_ROW)


def _all_rows(content: Content, row: re.Pattern[str], *, comments: bool = False) -> bool:
    """Return whether the first lines match *row*; *comments* are lines that begin with a hash."""
    lines = (line for line in content.head.split("\n")[:-1] or [content.head] if line.strip())
    rows = (line for line in lines if not (comments and line.lstrip().startswith("#")))
    found = [bool(row.match(line)) for line in islice(rows, ROWS)]
    return bool(found) and all(found)


def _is_label_studio(content: Content) -> bool:
    """Return whether JSON contains annotations with results, or spans; not a table of choices or ratings."""
    head = content.head
    if not is_json(head):
        return False
    whole = _LABEL_STUDIO.search(head) and _LABEL_STUDIO_RESULT.search(head)
    return bool(whole or _LABEL_STUDIO_SPAN.search(head))


def _is_doccano(content: Content) -> bool:
    return is_json(content.head) and _DOCCANO.search(content.head) is not None


def _is_prodigy(content: Content) -> bool:
    """Return whether JSON contains the answers of tasks in which annotators mark spans."""
    head = content.head
    if not is_json(head) or _PRODIGY_ANSWER.search(head) is None:
        return False
    return _PRODIGY_SPAN.search(head) is not None and _PRODIGY_WHOLE.search(head) is None


def _is_headless(content: Content) -> bool:
    """Return whether the rows are those of WebAnno, but no line names the format and its layers."""
    return not content.head.startswith("#FORMAT=") and _all_rows(content, _WEBANNO_ROW, comments=True)


def _is_uima_types(content: Content) -> bool:
    return _has_root(content, "typeSystemDescription", "http://uima.apache.org/resourceSpecifier")


def _is_eaf(content: Content) -> bool:
    return _has_root(content, "ANNOTATION_DOCUMENT")


def _is_tei(content: Content) -> bool:
    return _has_root(content, r"(?:[\w.-]+:)?(?:TEI(?:\.2)?|teiCorpus)", "http://www.tei-c.org/ns/1.0")


def _has_root(content: Content, name: str, namespace: str = "") -> bool:
    """Return whether the first element of an XML file has this *name*, or declares this *namespace*."""
    if not content.head.lstrip().startswith("<"):
        return False
    root = _ELEMENT.match(content.head)
    if root is None:
        return False
    return re.fullmatch(name, root[1]) is not None or (bool(namespace) and namespace in root[2])


FOREIGN = (
    Foreign(
        "WebAnno TSV without its first lines",
        _is_headless,
        "Export again with WebAnno TSV v3.3; the file begins with #FORMAT=WebAnno TSV 3.3",
    ),
    Foreign("CoNLL-U Plus", _is_conllu_plus, f"Convert it to CoNLL-U, with the columns {_CONLLU_COLUMNS}"),
    Foreign("CoNLL-2009", _is_conll_2009, f"Convert it to CoNLL-U, with the columns {_CONLLU_COLUMNS}"),
    Foreign("a UIMA type system", _is_uima_types, "Pass files with annotations"),
    Foreign("brat standoff", _is_brat, _TABLE),
    Foreign(
        "Label Studio JSON",
        _is_label_studio,
        "For choices and ratings, export CSV or JSON-MIN; for spans, write a table with one row per label",
    ),
    Foreign("doccano JSON", _is_doccano, _TABLE),
    Foreign("Prodigy JSON with spans", _is_prodigy, _TABLE),
    Foreign("EAF (ELAN)", _is_eaf, _TABLE),
    Foreign("TEI", _is_tei, _TABLE + ", or convert the trees to CoNLL-U or brackets"),
)
