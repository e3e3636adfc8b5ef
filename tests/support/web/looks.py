"""What is looked for in the pages that explore a study."""

from lxml import html

from arbitree.web.project import background_parts
from arbitree.web.project.background import STAMP
from tests.support.report_tables import QUOTES, SCRIPT
from tests.support.web.opened import sentence

CHO = [
    sentence("s1", ("we", "saw", "it", "there"), (2, 0, 4, 2), ("nsubj", "root", "obj", "advmod")),
    sentence("s3", ("rain", "falls", "slowly"), (2, 0, 2), ("nsubj", "root", "advmod")),
]
PART = {"HX-Request": "true"}
LIST = {**PART, "HX-Target": "list"}
HOSTILE = f"{SCRIPT}{QUOTES}"


def keep(project, *parts):
    """Compute parts of the findings and keep them, as the worker does."""
    for part in parts:
        document = background_parts.compute(part, background_parts.Analysis(project.study)) | STAMP
        project.store.keep_finding(project.edition.id, part, document)


def parsed(answer, status=200):
    assert answer.status_code == status, answer.text
    return html.fromstring(answer.text)


def numbers_of(page):
    return [
        int(row.xpath("string(td[1])")) for row in page.xpath("//table[contains(@class, 'listing')]/tbody/tr")
    ]


def texts(page, path):
    return [" ".join(each.text_content().split()) for each in page.xpath(path)]


def pages_of(project):
    return [
        "/",
        "/sentences",
        "/sentences?text=a&state=contested",
        *(f"/sentences/{number}?sort=order" for number in range(1, len(project.index) + 1)),
        "/sentences/1/coders",
        "/sentences/1/picture",
    ]


def assert_well_made(page):
    """No inline script or style, no id twice, a name for every field, one first heading, no empty links."""
    assert not page.xpath("//@style")
    assert not page.xpath("//*[@*[starts-with(name(), 'on')]]")
    assert not page.xpath("//script[not(@src)] | //style")
    assert all(source.startswith("/static/") for source in page.xpath("//script/@src"))
    assert not page.xpath("//a[starts-with(translate(@href, 'JAVSCRIPT', 'javscript'), 'javascript:')]")
    ids = page.xpath("//@id")
    assert len(ids) == len(set(ids)), sorted(ids)
    assert len(page.xpath("//h1")) == 1
    for field in page.xpath("//main//input[not(@type='hidden')] | //main//select | //main//progress"):
        labelled = field.xpath("ancestor::label | @aria-label") or page.xpath(
            "//label[@for=$id]", id=field.get("id")
        )
        assert labelled
    for link in page.xpath("//main//a"):
        assert (link.get("aria-label") or link.text_content()).strip()
    for target in page.xpath("//@aria-labelledby"):
        assert target in ids
