"""``arbitree draw``."""

import re

from lxml import etree

from tests.support.browser.pages import document_of, needs_browser
from tests.support.commands import arbitree

FILES = [f"examples/dependency/{coder}.conllu" for coder in ("ann", "bob", "cho")]
TREES = [f"examples/phrase/{coder}.mrg" for coder in ("ann", "bob", "cho")]


def test_draw_prints_a_picture_that_fits_the_terminal():
    done = arbitree("draw", *FILES, "--item", "weather-3")
    out = done.stdout.decode()
    assert done.returncode == 0
    assert "a:obl" in out
    assert "b,c:nmod" in out
    assert max(map(len, out.splitlines())) <= 100


def test_draw_takes_the_first_sentence_and_says_so():
    done = arbitree("draw", *TREES)
    assert b"Drawing the first of 16 sentences" in done.stderr
    assert b"stopped" in done.stdout


def test_draw_writes_a_picture_and_a_page(tmp_path):
    picture, page = tmp_path / "a.svg", tmp_path / "a.html"
    done = arbitree("draw", *TREES, "--item", "weather-3", "--svg", picture, "--html", page)
    assert done.returncode == 0
    assert done.stdout == b""
    assert etree.parse(picture).getroot().tag.endswith("svg")
    assert "examples/phrase/ann.mrg:6" in page.read_text(encoding="utf-8")
    several = arbitree("draw", *TREES, "--item", "1", "--item", "2", "--html", page)
    assert several.returncode == 0
    assert page.read_text(encoding="utf-8").count("<section") == 2


def test_draw_refuses_what_it_cannot_do(tmp_path):
    several = arbitree("draw", *FILES, "--item", "1", "--item", "2", "--svg", tmp_path / "a.svg")
    assert several.returncode == 2
    assert b"--html" in several.stderr
    unknown = arbitree("draw", *FILES, "--item", "weather-99")
    assert unknown.returncode == 2
    assert b"item 'weather-99' not found" in unknown.stderr
    labels = arbitree("draw", "examples/labels/stance.tsv")
    assert labels.returncode == 2
    assert b"draw needs trees or graphs, but these files contain labels" in labels.stderr
    unwritable = arbitree("draw", *FILES, "--item", "1", "--svg", tmp_path / "none" / "a.svg")
    assert unwritable.returncode == 2


@needs_browser
def test_a_word_in_focus_keeps_its_arcs_and_the_others_step_back(tmp_path):
    """The policy of the page would stop the script that looks, so it is taken out."""
    page = tmp_path / "a.html"
    arbitree("draw", "-q", *FILES, "--item", "weather-3", "--html", page)
    look = """<script>
      const radar = document.querySelector(".token[tabindex]");
      const look = () => {
        for (const token of document.querySelectorAll(".token")) {
          const line = token.querySelector(".arc");
          document.body.append(`${token.dataset.token}=${getComputedStyle(line).opacity};`);
        }
      };
      let tries = 0;
      const wait = setInterval(() => {
        radar.focus();
        if (radar.matches(":focus") || ++tries > 50) { clearInterval(wait); setTimeout(look, 500); }
      }, 50);
    </script></body>"""
    text = re.sub("<meta http-equiv[^>]*>", "", page.read_text(encoding="utf-8")).replace("</body>", look)
    page.write_text(text, encoding="utf-8")
    seen = dict(re.findall(r"(\d+)=([0-9.]+);", document_of(page, tmp_path)))
    assert seen == {
        str(k): "1" if k in (6, 7, 8, 9) else "0.15" for k in range(1, 11)
    }  # itself and dependents
