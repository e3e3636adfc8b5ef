"""Settings of ``explain`` for phrase structure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from arbitree.constructions.explain import ExplainOptions
from arbitree.constructions.repeats import MASKED
from arbitree.errors import FormatError, Source
from arbitree.files import note_input
from arbitree.reading.guard import guarded_reader
from arbitree.reading.limits import read_bytes


@dataclass(frozen=True)
class PhraseOptions(ExplainOptions):
    """Settings of the method for phrase structure; see the documentation for their meaning.

    Example:
        >>> PhraseOptions(external="off").external
        'off'
        >>> PhraseOptions(report="mini")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        arbitree.errors.UnknownName: unknown report value 'mini'. ...
    """

    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "style": ("auto", "penn", "historical"),
        "empties": ("remove", "keep"),
        "indices": ("drop", "keep"),
        "function_tags": ("keep", "strip"),
        "punctuation": ("keep", "remove"),
        "unary": ("collapse", "keep"),
        "case": ("keep", "lower"),
        "unrooted": ("slot", "always", "never"),
        "report": ("minimal", "all"),
        "external": ("auto", "off", "label", "full"),
        "mismatch": ("skip", "error", "align"),
    }

    heads: str = "auto"  # a table that is shipped, a file, or leftmost, rightmost
    style: str = "auto"  # historical: IP-MAT is a category, words carry lemmas, CODE and ID are no words
    strip_root: bool = True  # take off an outer bracket without label, ROOT, TOP or S1
    empties: str = "remove"
    indices: str = "drop"
    function_tags: str = "keep"  # strip in a corpus
    pos: str = "keep"  # strip, or a file of two columns: tag and coarse tag
    split_pos: bool = False  # NN-TL is NN with the function tag TL
    punctuation: str = "keep"
    unary: str = "collapse"  # X over X alone
    case: str = "keep"  # corpus mode: lower matches words without regard to case
    exclude: str = MASKED  # corpus mode: words that are in no nucleus
    min_len: int = 1  # 2 in a corpus
    max_len: int | None = None
    unrooted: str = "slot"  # when words that are no unit in one annotation are compared
    report: str = "minimal"
    external: str = "auto"  # label among coders, off in a corpus
    mismatch: str = "skip"  # what to do with sentences whose words differ
    type_pos: bool = True  # parts of speech tell types apart
    refine: bool = True  # a head that a tag moved is no difference of structure

    def __post_init__(self) -> None:
        ExplainOptions.__post_init__(self)
        if self.min_len < 1 or (self.max_len is not None and self.max_len < self.min_len):
            raise FormatError(
                "no nucleus can have this length", hint="Set the lengths so that 1 <= min_len <= max_len"
            )

    def admits(self, length: int) -> bool:
        """Return whether nuclei can have this number of words."""
        return self.min_len <= length and (self.max_len is None or length <= self.max_len)


@guarded_reader
def read_pos_map(path: str) -> dict[str, str]:
    """Return the coarse tag of every tag, read from a file with two columns.

    Raises:
        FormatError: for a line with more or fewer columns.
    """
    note_input(path)
    try:
        lines = read_bytes(path).decode().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        what = getattr(error, "strerror", None) or "not UTF-8"
        hint = "Use keep, strip, or a file with a tag and its coarse tag on each line"
        raise FormatError(f"cannot read the tags ({what})", Source(path), hint=hint) from None
    found = {}
    for number, line in enumerate(lines, start=1):
        parts = line.split()
        if not parts or line.startswith("#"):
            continue
        if len(parts) != 2:
            raise FormatError(
                f"expected 2 columns, found {len(parts)}",
                Source(path, number),
                hint="Write a tag and its coarse tag on each line",
            )
        found[parts[0]] = parts[1]
    return found
