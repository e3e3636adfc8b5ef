"""Read and write Penn brackets, with words ``(NP (DT the) (NN dog))`` or without ``(NP DT NN)``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from arbitree.errors import FormatError, Source, shorten
from arbitree.formats.conll_rows import document_id, sentence_id
from arbitree.formats.format import Format
from arbitree.formats.node_graphs import comments_to_write
from arbitree.formats.penman import is_penman
from arbitree.kinds.phrase.value import TRACE, PhraseTree
from arbitree.reading.content import Content, Entry

# Only ASCII whitespace separates: other spaces occur inside words, such as the no-break space in 10 000.
# The groups are a label and the one atom after it, the label of any other bracket, and an atom.
_TOKEN = re.compile(
    r"\(\s*+([^\s()]++)\s++([^\s()]++)\s*+\) | \(\s*+([^\s()]*+) | \) | ([^\s()]++)",
    re.ASCII | re.VERBOSE,
)
_PAIR, _OPEN, _CLOSE, _ATOM = 2, 3, None, 4  # the last group of a match
_OUTSIDE = re.compile(
    r"\s*+(?: ^(?P<comment>\#[^\n]*) | (?P<tree>\() | (?P<stray>[^\n]+) )",
    re.ASCII | re.MULTILINE | re.VERBOSE,
)
_BREAKING = re.compile(r"[\s()]", re.ASCII)
_COMMENT_LINE = re.compile(r"^#.*", re.MULTILINE)
_WORDLIKE = re.compile(r"[^A-Z]")

# How likely trees with words, and trees without, are.
_CONFIDENCE = {
    "": (0.0, 0.0),
    "leaf symbols": (0.3, 1.0),
    "words": (0.95, 0.0),
    "words, likely": (0.8, 0.3),
    "either": (0.6, 0.5),
    "no atoms": (0.6, 0.3),  # the trees are the same in both formats
}
SHARE_OF_LEAF_SYMBOLS = 0.1  # trees with words have a few such atoms: untagged punctuation


@dataclass(frozen=True, slots=True)
class Brackets(Format[PhraseTree]):
    """Read and write trees with words: ``(TAG word)`` is a terminal, a bare word a terminal without a tag.

    Labels and words are not changed: function tags, traces and ``-LRB-`` stay. Lines between trees that
    begin with ``#`` are comments of the next tree; comments after the last tree are skipped.
    """

    about: ClassVar[str] = "Penn brackets with words, (NP (DT the) (NN dog)) (.mrg, .ptb)"
    value_type: ClassVar[type[Any]] = PhraseTree
    suffixes: ClassVar[tuple[str, ...]] = (".mrg", ".ptb", ".brackets")
    holds_gaps: ClassVar[bool] = True

    def sniff(self, content: Content) -> float:
        """Return a high confidence if each atom is alone in its brackets, higher if it looks like a word."""
        return _CONFIDENCE[_evidence(content)][0]

    def read(self, content: Content) -> Iterator[Entry[PhraseTree]]:
        """Yield the trees of *content*."""
        return _entries(content, lexicalised=True)

    def write(self, entries: Iterable[Entry[PhraseTree]]) -> Iterator[str]:
        """Yield one line per tree, after its comments."""
        return _written(entries, lexicalised=True)


@dataclass(frozen=True, slots=True)
class Delexicalised(Format[PhraseTree]):
    """Read and write trees whose leaves are symbols, not words; the writer omits words."""

    about: ClassVar[str] = "brackets whose leaves are symbols, (NP DT NN) (.delex)"
    value_type: ClassVar[type[Any]] = PhraseTree
    suffixes: ClassVar[tuple[str, ...]] = (".delex",)
    holds_gaps: ClassVar[bool] = True

    def sniff(self, content: Content) -> float:
        """Return 1 if atoms have siblings, and 0 if they can only be words.

        A single tree may have no such atoms. It is then read like the other files of its study.
        """
        return _CONFIDENCE[_evidence(content)][1]

    def read(self, content: Content) -> Iterator[Entry[PhraseTree]]:
        """Yield the trees of *content*."""
        return _entries(content, lexicalised=False)

    def write(self, entries: Iterable[Entry[PhraseTree]]) -> Iterator[str]:
        """Yield one line per tree, after its comments."""
        return _written(entries, lexicalised=False)


def _evidence(content: Content) -> str:
    """Classify the beginning of *content*: not a tree, (likely) words, leaf symbols, either, or no atoms."""
    text = _COMMENT_LINE.sub("", content.head).strip()
    if not text.startswith("(") or is_penman(content.head):
        return ""
    pairs: list[tuple[str, str]] = []
    beside_others = 0
    for match in _TOKEN.finditer(text):
        if match.lastindex == _PAIR:
            pairs.append((match[1], match[2]))
        elif match.lastindex == _ATOM and match.end() < len(text):  # the last may be cut short
            beside_others += 1
    if not pairs and not beside_others:
        return "no atoms"
    if beside_others > SHARE_OF_LEAF_SYMBOLS * (beside_others + len(pairs)):
        return "leaf symbols"
    wordlike = sum(bool(_WORDLIKE.search(atom)) for _, atom in pairs)
    if any(tag == TRACE or atom == "-LRB-" or not atom.isascii() for tag, atom in pairs):
        return "words"
    return "words, likely" if wordlike > len(pairs) / 2 else "either"


def _entries(content: Content, *, lexicalised: bool) -> Iterator[Entry[PhraseTree]]:
    text = content.text
    comments: list[str] = []
    document = None
    end, line, counted = 0, 1, 0
    names: dict[str, str] = {}  # one object for each label and word
    while match := _OUTSIDE.match(text, end):
        found = match.lastgroup or ""
        start, end = match.span(found)
        line += text.count("\n", counted, start)
        counted = start
        source = Source(content.path, line)
        if found == "comment":
            comments.append(match[found].rstrip("\r"))
        elif found == "tree":
            tree, end = _tree(text, start, source, tuple(comments), names, lexicalised=lexicalised)
            document = document_id(comments) or document
            yield Entry(tree, source, sentence_id(comments), document)
            comments = []
        else:
            raise _stray(match[found], source)
    if missing := sentence_id(comments):
        what = f"no tree after sent_id {shorten(missing)}"
        raise FormatError(what, Source(content.path, line), hint="Write () for a sentence without a tree")


def _stray(text: str, source: Source) -> FormatError:
    if text.startswith(")"):
        hint = "Remove it, or add the missing opening bracket"
        return FormatError("unmatched closing bracket", source, hint=hint)
    hint = "Write trees as (S (NP ...) ...), and begin comment lines with #"
    return FormatError(f"text outside brackets: {shorten(text.rstrip())}", source, hint=hint)


def _tree(
    text: str,
    start: int,
    source: Source,
    comments: tuple[str, ...],
    names: dict[str, str],
    *,
    lexicalised: bool,
) -> tuple[PhraseTree, int]:
    """Return the tree whose first bracket is at *start*, and the offset of its end."""
    name = names.setdefault
    words: list[str] = []
    tags: list[str] = []
    above: list[int] = []  # the phrase that contains each terminal
    labels: list[str] = []
    parents: list[int] = []
    phrase = -1  # the innermost open bracket
    opened = hollow = False  # that bracket is empty so far; a bracket has no label and no children
    for match in _TOKEN.finditer(text, start):
        part = match.lastindex
        if part == _OPEN:
            label = match[3]
            parents.append(phrase)
            phrase = len(labels)
            labels.append(name(label, label))
        elif part == _PAIR:
            label, atom = match.group(1, 2)
            if lexicalised:
                above.append(phrase)
                tags.append(name(label, label))
                words.append(name(atom, atom))
            else:
                parents.append(phrase)
                above.append(len(labels))
                labels.append(name(label, label))
                tags.append(name(atom, atom))
                words.append("")
        elif part == _ATOM:
            atom = match[4]
            tags.append("" if lexicalised else name(atom, atom))
            words.append(name(atom, atom) if lexicalised else "")
            above.append(phrase)
        else:
            phrase = parents[phrase]
            if opened:  # the last phrase has no children, so it is a terminal
                tags.append(labels.pop())
                hollow = hollow or not tags[-1]
                words.append("")
                above.append(parents.pop())
        opened = part == _OPEN
        if phrase < 0:
            break
    else:
        raise FormatError(
            "the tree that begins here has no end", source, hint="Add the missing closing brackets"
        )
    if hollow:
        if any(words) or any(tags) or any(labels):
            hint = "Add a label, or remove the brackets"
            raise FormatError("the tree that begins here contains empty brackets", source, hint=hint)
        return PhraseTree((), (), (), comments=comments), match.end()
    size = len(words)
    upper = [size + parent for parent in above] + [size + parent for parent in parents]
    upper[size if labels else 0] = -1
    return PhraseTree(tuple(words), (*tags, *labels), tuple(upper), comments=comments), match.end()


def _written(entries: Iterable[Entry[PhraseTree]], *, lexicalised: bool) -> Iterator[str]:
    document = None
    for entry in entries:
        lines = (*comments_to_write(entry, document), _line(entry, lexicalised=lexicalised), "")
        document = entry.document or document
        yield "\n".join(lines)


def _line(entry: Entry[PhraseTree], *, lexicalised: bool) -> str:
    """Return the tree of *entry* as one line."""
    tree = entry.value
    if not tree.labels:
        return "()"
    _check_symbols(entry, lexicalised=lexicalised)
    children = tree.children()
    pieces: list[str] = []
    terminals = 0
    stack = [tree.parents.index(-1)]
    while stack:
        node = stack.pop()
        if node < 0:
            pieces.append(")")
        elif node >= len(tree.words):
            pieces.append(f" ({tree.labels[node]}")
            stack.append(-1)
            stack.extend(reversed(children[node]))
        elif node == terminals:
            terminals += 1
            pieces.append(_terminal(entry, node, children, lexicalised=lexicalised))
        else:
            what = f"brackets cannot represent the discontinuous phrase before word {node + 1}"
            raise FormatError(what, entry.source, hint="Choose the format negra or tigerxml")
    return "".join(pieces)[1:]


def _terminal(entry: Entry[PhraseTree], node: int, children: list[list[int]], *, lexicalised: bool) -> str:
    """Return terminal *node* after a space: as an atom if the reader would read that as a terminal."""
    tree = entry.value
    word, label, parent = tree.words[node], tree.labels[node], tree.parents[node]
    taken_for_label = parent < 0 or (tree.labels[parent] == "" and children[parent][0] == node)
    if not lexicalised:
        return f" ({label})" if taken_for_label else f" {label}"
    if label:
        return f" ({label} {word})" if word else f" ({label})"
    if taken_for_label or len(children[parent]) == 1:
        what = f"the word {shorten(word)} has no tag, so brackets cannot represent it here"
        raise FormatError(what, entry.source, hint="Add a tag, or choose the format tigerxml")
    return f" {word}"


def _check_symbols(entry: Entry[PhraseTree], *, lexicalised: bool) -> None:
    """Raise FormatError for a label or word that would not be read back unchanged."""
    tree = entry.value
    words = tree.words if lexicalised else ()
    for text in (*words, *tree.labels) if _BREAKING.search("".join((*words, *tree.labels))) else ():
        if _BREAKING.search(text):
            hint = "Replace spaces, and write -LRB- and -RRB- for round brackets"
            raise FormatError(f"{shorten(text)} contains a space or a bracket", entry.source, hint=hint)
    for number, label in enumerate(tree.labels[: len(tree.words)]):
        if not label and not (words and words[number]):
            hint = "Add a label, or remove the terminal"
            raise FormatError(
                f"terminal {number + 1} has neither a word nor a label", entry.source, hint=hint
            )


PLUGINS = {"brackets": Brackets(), "delexicalised": Delexicalised()}
