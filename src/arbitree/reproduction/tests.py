"""The public corpora that the tests need in addition to those of the papers; nothing is computed."""

from arbitree.reproduction.parts import Paper

PAPER = Paper(
    "tests",
    "the corpora of the tests",
    (),
    others=("skjaerholt2014", "plank2015", "kulick2013", "castro2011"),
    unavailable={
        "pcedt-sized": "trees with simulated errors, which are not published",
        "pml": "some files were made for the tests, and some need further licences",
        "tools": "exports of annotation tools, some without a licence",
    },
)
