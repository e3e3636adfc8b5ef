"""Small documents of INCEpTION in its export formats, and projects of them; the sentences are our own."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

DKPRO = "de.tudarmstadt.ukp.dkpro.core.api"
POS = f"{DKPRO}.lexmorph.type.pos.POS"
DEPENDENCY = f"{DKPRO}.syntax.type.dependency.Dependency"
TOKEN, SENTENCE = f"{DKPRO}.segmentation.type.Token", f"{DKPRO}.segmentation.type.Sentence"
WORDS = (("Rain", "\U0001f327", "fell", "."), ("Snow", "melts", "."))  # the second word has two UTF-16 units
TAGS = (("NN", "SYM", "VBD", "$."), ("NN", "VBZ", "$."))
HEADS = ((3, 1, 3, 3), (2, 2, 2))  # a token that governs itself is the root
RELATIONS = (("nsubj", "dep", "root", "punct"), ("nsubj", "root", "punct"))


@dataclass(frozen=True)
class Doc:
    """One document of one annotator: a tag, a head and a relation for every token; None for none."""

    tags: Sequence[Sequence[str | None]] | None = TAGS
    heads: Sequence[Sequence[int | None]] | None = HEADS
    relations: Sequence[Sequence[str]] = RELATIONS
    words: Sequence[Sequence[str]] = WORDS

    @property
    def text(self) -> str:
        """The sentences, one per line."""
        return "\n".join(" ".join(words) for words in self.words)

    def places(self) -> list[list[tuple[int, int]]]:
        """Return the places of tokens in UTF-16 units."""
        found, begin = [], 0
        for words in self.words:
            row = []
            for word in words:
                end = begin + len(word.encode("utf-16-le")) // 2
                row.append((begin, end))
                begin = end + 1
            found.append(row)
        return found

    def tsv(self) -> str:
        """Return the document as WebAnno TSV."""
        head = "#FORMAT=WebAnno TSV 3.3\n"
        if self.tags is not None:
            head += f"#T_SP={POS}|PosValue|coarseValue\n"
        if self.heads is not None:
            head += f"#T_RL={DEPENDENCY}|DependencyType|flavor|BT_{POS}\n"
        blocks = [head]
        for number, (words, places) in enumerate(zip(self.words, self.places(), strict=True), start=1):
            rows = [f"#Text={' '.join(words)}\n"]
            for token, (word, (begin, end)) in enumerate(zip(words, places, strict=True), start=1):
                cells = [f"{number}-{token}", f"{begin}-{end}", word]
                if self.tags is not None:
                    tag = self.tags[number - 1][token - 1]
                    cells += [_escaped(tag), "*"] if tag is not None else ["_", "_"]
                if self.heads is not None:
                    governor = self.heads[number - 1][token - 1]
                    relation = _escaped(self.relations[number - 1][token - 1])
                    given = governor is not None
                    cells += [relation, "basic", f"{number}-{governor}"] if given else ["_"] * 3
                rows.append("\t".join(cells) + "\t\n")
            blocks.append("".join(rows))
        return "\n".join(blocks)

    def structures(self) -> list[dict[str, Any]]:
        """Return the document as feature structures of CAS JSON."""
        sofa = {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaID": "_InitialView", "sofaString": self.text}
        found: list[dict[str, Any]] = [sofa]

        def add(type_: str, begin: int, end: int, **values: Any) -> int:
            number = len(found) + 1
            place = {"%ID": number, "%TYPE": type_, "@sofa": 1, "begin": begin, "end": end}
            found.append(place | {key.replace("at_", "@"): value for key, value in values.items()})
            return number

        for number, places in enumerate(self.places()):
            add(SENTENCE, places[0][0], places[-1][1])
            tokens = [add(TOKEN, *place) for place in places]
            for token, place in enumerate(places):
                tag = None if self.tags is None else self.tags[number][token]
                if tag is not None:
                    add(POS, *place, PosValue=tag)
                head = None if self.heads is None else self.heads[number][token]
                if head is not None:
                    own = {"at_Governor": tokens[head - 1], "at_Dependent": tokens[token]}
                    relation = self.relations[number][token]
                    add(DEPENDENCY, *place, **own, DependencyType=relation, flavor="basic")
        return found

    def json(self) -> str:
        """Return the document as UIMA CAS JSON."""
        return (
            json.dumps({"%TYPES": {}, "%FEATURE_STRUCTURES": self.structures(), "%VIEWS": {}}, indent=1)
            + "\n"
        )

    def xmi(self) -> str:
        """Return the document as UIMA CAS XMI, declared as XML 1.1 as by INCEpTION."""
        types = sorted({each["%TYPE"] for each in self.structures()})
        spaces = {name.rpartition(".")[0]: f"p{number}" for number, name in enumerate(types)}
        rows = ['<?xml version="1.1" encoding="UTF-8"?>', '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI"']
        rows += [
            f' xmlns:{prefix}="http:///{space.replace(".", "/")}.ecore"' for space, prefix in spaces.items()
        ]
        rows.append(' xmi:version="2.0">')
        for each in self.structures():
            space, _, name = each["%TYPE"].rpartition(".")
            rest = {key.removeprefix("@"): value for key, value in each.items() if key[0] != "%"}
            shown = " ".join(f'{key}="{_quoted(str(value))}"' for key, value in rest.items())
            rows.append(f'<{spaces[space]}:{name} xmi:id="{each["%ID"]}" {shown}/>')
        return "\n".join([*rows, "</xmi:XMI>", ""])


def _escaped(text: str) -> str:
    return "".join(f"\\{sign}" if sign in "\\[]|_;*" else sign for sign in text)


def _quoted(text: str) -> str:
    signs = {"&": "&amp;", '"': "&quot;", "<": "&lt;", "\n": "&#10;"}
    return "".join(signs.get(sign, sign) for sign in text)


def types(**subtypes: str) -> str:
    """Return a type system for the two layers, and for *subtypes* by name, without features of their own."""
    ranges = {
        POS: {"PosValue": "uima.cas.String", "coarseValue": "uima.cas.String"},
        DEPENDENCY: {"Governor": TOKEN, "Dependent": TOKEN, "DependencyType": "uima.cas.String"},
    }
    ranges |= {f"webanno.custom.{name}": {} for name in subtypes}
    above = {f"webanno.custom.{name}": supertype for name, supertype in subtypes.items()}
    described = "".join(
        f"<typeDescription><name>{name}</name>"
        f"<supertypeName>{above.get(name, 'uima.tcas.Annotation')}</supertypeName><features>"
        + "".join(
            f"<featureDescription><name>{feature}</name><rangeTypeName>{kind}</rangeTypeName>"
            "</featureDescription>"
            for feature, kind in features.items()
        )
        + "</features></typeDescription>"
        for name, features in ranges.items()
    )
    space = "http://uima.apache.org/resourceSpecifier"
    return f'<typeSystemDescription xmlns="{space}"><types>{described}</types></typeSystemDescription>'


def packed(files: Mapping[str, str | bytes]) -> bytes:
    """Return a zip file of *files*."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


def project(
    docs: Mapping[tuple[str, str], Doc],
    states: Mapping[tuple[str, str], str] | None = None,
    *,
    format: str = "tsv",
) -> dict[str, str | bytes]:
    """Return the files of a project.

    Args:
        docs: The documents by document and user.
        states: Their states, by default FINISHED.
        format: tsv, json, xmi, or zip for XMI in zip files.
    """
    found: dict[str, str | bytes] = {}
    for (document, user), doc in docs.items():
        place = f"{'curation' if user == 'CURATION_USER' else 'annotation'}/{document}/"
        if format == "zip":
            inner = packed({f"{user}.xmi": doc.xmi(), "TypeSystem.xml": types()})
            found[f"{place}webanno{len(found)}export.zip"] = inner
        else:
            texts = {"tsv": doc.tsv, "json": doc.json, "xmi": doc.xmi}
            found[f"{place}{user}.{format}"] = texts[format]()
        found[f"source/{document}"] = doc.text
    rows = [
        {"name": document, "user": user, "state": (states or {}).get((document, user), "FINISHED")}
        for document, user in docs
        if user not in ("CURATION_USER", "INITIAL_CAS")
    ]
    sources = [
        {"name": name, "state": "CURATION_FINISHED"} for name in dict.fromkeys(name for name, _ in docs)
    ]
    described = {"name": "weather", "annotation_documents": rows, "source_documents": sources}
    return {**found, "exportedproject123.json": json.dumps(described), "event.log": "{}\n"}
