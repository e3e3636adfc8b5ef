"""Contrast of the colours of pages, computed from the style sheets: at least 4.5 to 1 for text."""

import re
from importlib.resources import files

import pytest

ENOUGH = 4.5
STYLE = files("arbitree.drawing").joinpath("assets/style.css").read_text(encoding="utf-8")
APP = files("arbitree.web").joinpath("static/app.css").read_text(encoding="utf-8")
REPORT = files("arbitree.reporting").joinpath("templates/report.css").read_text(encoding="utf-8")


def colours(text, scheme):
    """Return the colours of a style sheet; its first :root is light, its second dark."""
    roots = re.findall(r":root \{([^}]*)\}", text)
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", roots[0 if scheme == "light" else 1]))


def of_hex(text):
    return tuple(int(text[start : start + 2], 16) / 255 for start in (1, 3, 5))


def luminance(colour):
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


def contrast(one, other):
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_of_black_and_white_is_the_highest():
    assert contrast(of_hex("#000000"), of_hex("#ffffff")) == pytest.approx(21)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("ink", ["ink", "quiet", "link", "contested", "decided", "incomplete", "rejected"])
def test_text_is_readable_on_every_ground(scheme, ink):
    known = colours(STYLE, scheme) | colours(APP, scheme)
    grounds = ["ground", "raised", *([f"{ink}-ground"] if f"{ink}-ground" in known else [])]
    assert {
        name: contrast(of_hex(known[ink]), of_hex(known[name]))
        for name in grounds
        if contrast(of_hex(known[ink]), of_hex(known[name])) < ENOUGH
    } == {}


@pytest.mark.parametrize(("scheme", "place"), [("light", 0), ("dark", 1)])
def test_numbers_in_heat_maps_are_readable(scheme, place):
    known = {name: of_hex(value) for name, value in colours(STYLE, scheme).items()}
    shade = [int(part) / 255 for part in re.findall(r"--shade: (\d+) (\d+) (\d+)", REPORT)[place]]
    cells = re.findall(r"\.heat-(\d) \{ background: rgb\(var\(--shade\) / (\d+)%\)", REPORT)
    assert len(cells) == 5
    for number, share in cells:
        part = int(share) / 100
        mixed = [part * own + (1 - part) * below for own, below in zip(shade, known["ground"], strict=True)]
        assert contrast(known["ink"], mixed) >= ENOUGH, number
