"""Two dependency trees, and what a picture of them contains."""

from lxml import etree, html

from tests.support.build import dep

HOSTILE = ("<script>alert(1)</script>", "\"q'&", "\u202egpj.exe", "a\x1b[31m\x00", "\ud800\uffff", "]]>", "")


WORDS = ("sea", "harbour", "水", "e\u0301te\u0301", "שלום", "a\u200db", *HOSTILE)


SVG = "{http://www.w3.org/2000/svg}"


def parsed(picture):
    return etree.fromstring(picture.encode())


def words_of(picture):
    return [each for each in parsed(picture).iter(f"{SVG}text") if each.get("class").startswith("word")]


def with_class(picture, name):
    return [each for each in parsed(picture).iter() if name in (each.get("class") or "").split()]


SEA = ("Gulls", "saw", "boats", "off", "Malo")


PAIR = {
    "ann": dep((2, 0, 2, 5, 2), ("nsubj", "root", "obj", "case", "obl"), SEA),
    "bob": dep((2, 0, 2, 5, 3), ("nsubj", "root", "obj", "case", "nmod"), SEA),
}


def choices_in(picture):
    """Return what a click chooses in a picture of the adjudication page, as lists of keys and values."""
    found = html.fragment_fromstring(picture, create_parent=True).xpath("//*[@data-wish]")
    return [[tuple(line.split("\t")) for line in each.get("data-wish").split("\n")] for each in found]
