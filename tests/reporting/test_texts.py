"""The texts of items in reports on labels."""

from openpyxl import load_workbook

from arbitree import read, report

LABELS = """\
item\tcontext\tlemma\tcoder\tlabel
u1\tThey order <tea> for two.\torder\tann\task
u1\tThey order <tea> for two.\torder\tbob\trank
u2\tAll in good order now.\torder\tann\trank
u2\tAll in good order now.\torder\tbob\trank
u3\tThey order the files.\torder\tann\trank
u3\tThey order the files.\torder\tbob\trank
"""


def test_the_report_contains_the_texts_of_items(tmp_path):
    path = tmp_path / "labels.tsv"
    path.write_text(LABELS, encoding="utf-8")
    report(read(path), tmp_path / "out", resamples=0)
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "They order &lt;tea&gt; for two. (ann: ask, bob: rank)" in page
    book = load_workbook(tmp_path / "out" / "report.xlsx")
    cells = {str(cell.value) for sheet in book for row in sheet.iter_rows() for cell in row}
    assert "They order <tea> for two." in cells  # where the disagreement is to be decided
