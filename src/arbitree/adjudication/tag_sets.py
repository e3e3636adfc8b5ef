"""Read tag sets: plain lists, lists by kind of value, and the validation data of Universal Dependencies."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from arbitree.errors import FormatError, Source, shorten
from arbitree.paths import exists
from arbitree.reading.content import Content, load
from arbitree.reading.guard import guarded_reader
from arbitree.reading.json_text import decode_json

RELATIONS = "deprels"  # in the validation data, relations by language
COMMENT = "# "
SHOWN = 8  # languages or kinds of values that an error names

_HINT = 'Write one tag per line, a JSON list of tags, or a JSON object of lists, such as {"upos": ["NOUN"]}'


@dataclass(frozen=True, slots=True)
class TagSet:
    """The tags that decisions may use, by kind of value."""

    name: str  # in messages
    values: Mapping[str, tuple[str, ...]]
    glosses: Mapping[str, str] = field(default_factory=dict)  # what tags mean, where the file says so


@dataclass(slots=True)
class _Found:
    """What a file contains: tags by the name of their kind, "" for a plain list."""

    tags: dict[str, list[str]] = field(default_factory=dict)
    glosses: dict[str, str] = field(default_factory=dict)


@guarded_reader
def read_tag_set(path: str, names: Mapping[str, str], used: Collection[str]) -> TagSet:
    """Return the tag set in the file at *path*.

    Args:
        path: The file; ``FILE#LANGUAGE`` for one language of the validation data of Universal Dependencies.
        names: The kinds of values by their names in tag sets. A plain list has the first kind.
        used: More kinds of values, which tag sets name as they are.
    Raises:
        FormatError: If the file is not a tag set, with the line where it is wrong.
    """
    place, language = split_language(path)
    content = load(place)
    is_json = content.head.lstrip()[:1] in ("{", "[")
    found = _of_json(content, language) if is_json else _of_lines(content)
    if language and RELATIONS not in found.tags:
        hint = f"Write {place} without #{language}"
        raise FormatError(
            "only the validation data of Universal Dependencies have languages", Source(path), hint=hint
        )
    if not any(found.tags.values()):
        raise FormatError("the tag set contains no tags", Source(content.path, 1), hint=_HINT)
    if not names:
        hint = "Remove --tagset, or adjudicate trees or labels"
        raise FormatError("annotations of this kind have no tags", Source(content.path), hint=hint)
    values: dict[str, tuple[str, ...]] = {}
    for name, tags in found.tags.items():
        what = _what(name, names, used, content.path)
        values[what] = tuple(dict.fromkeys((*values.get(what, ()), *tags)))
    return TagSet(Path(place).name, values, found.glosses)


def split_language(path: str) -> tuple[str, str]:
    """Return the file and the language in ``FILE#LANGUAGE``; "" if it names none.

    Example:
        >>> split_language("deprels.json#en"), split_language("tags.txt")
        (('deprels.json', 'en'), ('tags.txt', ''))
    """
    place, mark, language = path.rpartition("#")
    return (place, language) if mark and place and not exists(path) else (path, "")


def _what(name: str, names: Mapping[str, str], used: Collection[str], path: str) -> str:
    """Return the kind of value that a tag set calls *name*."""
    if not name:
        return next(iter(names.values()))
    plain = name.lower()
    if plain in names or name in used:
        return names.get(plain, name)
    known = sorted({*names, *used})
    close = get_close_matches(plain, known, n=1)
    hint = f"Did you mean {close[0]!r}?" if close else f"Choose among: {', '.join(known[:SHOWN])}"
    raise FormatError(f"this study has no kind of value called {shorten(name)}", Source(path), hint=hint)


def _of_lines(content: Content) -> _Found:
    """Read one tag per line, with an optional explanation after a tab."""
    found = _Found({"": []})
    for number, line in enumerate(content.lines, start=1):
        if not line.strip() or line.startswith(COMMENT):
            continue
        cells = [cell.strip() for cell in line.strip().split("\t")]
        if len(cells) > 2 or not all(cells):
            what = f"expected one tag, and perhaps an explanation after a tab, found {len(cells)} columns"
            raise FormatError(what, Source(content.path, number), hint=_HINT)
        found.tags[""].append(cells[0])
        found.glosses |= {cells[0]: cells[1]} if len(cells) == 2 else {}
    return found


def _of_json(content: Content, language: str) -> _Found:
    document = decode_json(content.text, Source(content.path), hint=_HINT, what="the tag set")
    if isinstance(document, list):
        return _Found({"": _texts(document, content)})
    relations = document.get(RELATIONS)
    if isinstance(relations, dict):
        return _Found({RELATIONS: _of_language(relations, language, content)})
    if all(isinstance(gloss, str) for gloss in document.values()):
        return _Found({"": list(document)}, document)
    found = _Found()
    for name, tags in document.items():
        explained = isinstance(tags, dict) and all(isinstance(gloss, str) for gloss in tags.values())
        found.glosses |= tags if explained else {}
        found.tags[name] = _texts(list(tags) if explained else tags, content)
    return found


def _of_language(languages: Mapping[str, Any], language: str, content: Content) -> list[str]:
    """Return the relations that the validation data permit in a language."""
    if not language and len(languages) != 1:
        hint = f"Name the language: --tagset {content.path}#en"
        raise FormatError(
            f"the file has the relations of {len(languages)} languages", Source(content.path), hint=hint
        )
    chosen = language or next(iter(languages))
    if chosen not in languages:
        hint = f"Choose one of {', '.join(list(languages)[:SHOWN])} ..."
        raise FormatError(f"the file has no relations of {shorten(chosen)}", Source(content.path), hint=hint)
    relations = languages[chosen]
    if isinstance(relations, list):
        return _texts(relations, content)
    if not isinstance(relations, dict):
        raise _odd(relations, content)
    return [
        name for name, about in relations.items() if not isinstance(about, dict) or about.get("permitted", 1)
    ]


def _texts(tags: Any, content: Content) -> list[str]:
    if not isinstance(tags, list):
        raise _odd(tags, content)
    for tag in tags:
        if not isinstance(tag, str) or not tag.strip():
            raise _odd(tag, content)
    return [tag.strip() for tag in tags]


def _odd(value: Any, content: Content) -> FormatError:
    """Return the error for something that is not a tag, with the first line that contains it."""
    text = f'"{value}"' if isinstance(value, str) else str(value)
    places = [number for number, line in enumerate(content.lines, start=1) if text in line]
    line = places[0] if places else 1
    what = f"expected a list of tags, found {shorten(text)}"
    return FormatError(what, Source(content.path, line), hint=_HINT)
