"""Workbooks of reports."""

import openpyxl
from lxml import html


def loaded(folder):
    document = html.document_fromstring((folder / "report.html").read_text(encoding="utf-8"))
    with (folder / "report.xlsx").open("rb") as file:
        return document, openpyxl.load_workbook(file)
