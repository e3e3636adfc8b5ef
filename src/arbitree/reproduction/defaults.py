"""The values that papers and programs give, compared with those of their presets and of the defaults.

Values of the programs evalb and conll18_ud_eval.py were recorded once, from runs on the same files.
"""

from __future__ import annotations

import warnings
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

import arbitree as at
from arbitree import kinds
from arbitree.files import write_whole
from arbitree.kinds.kind import Kind
from arbitree.kinds.treebanking.measures.y_counts import R1, arrays
from arbitree.measures.options import measure_named
from arbitree.measures.presets import preset_named, with_option
from arbitree.paths import examples_folder
from arbitree.reproduction import castro2011 as castro
from arbitree.reproduction import kulick2013 as kulick
from arbitree.reproduction import melamed_resnik2000 as melamed
from arbitree.reproduction import plank2015 as plank
from arbitree.reproduction import skjaerholt2014 as skjaerholt
from arbitree.reproduction.cells import bold_if, number, rows
from arbitree.reproduction.parts import Paper, Part, study_of, trees

# By evalb (version of 2006, COLLINS.prm) on all sentences of gum-parser-vs-gold, and on the trees of figures
# 3.1 and 3.2 of de Castro (2011) below a node ROOT.
EVALB = {"parseval": 80.99, "crossing": 1.58}
EVALB_ROOT = 77.78
# By conll18_ud_eval.py 1.2 on plank2015/LANGUAGE/gold.conll and parser2.conll, converted to CoNLL-U.
CONLL18 = {
    "en": {"las": 77.00, "uas": 81.06, "clas": 71.80},
    "de": {"las": 70.27, "uas": 77.35, "clas": 64.06},
}


class Row(NamedTuple):
    """One value: as published, by the preset and by default."""

    preset: str
    what: str
    published: float | str | None
    by_preset: float | str
    by_default: float | str
    digits: int = 3

    def cells(self) -> list[str]:
        """Return the cells of the table; the value of the preset is bold where it is the published one."""
        ours, usual = (self._text(each) for each in (self.by_preset, self.by_default))
        same = self.published is not None and self._equal()
        published = "—" if self.published is None else self._text(self.published)
        shown = ours if self.published is None else bold_if(same, ours, self.published, self.by_preset)
        return [f"`{self.preset}`", self.what, published, shown, usual]

    def _equal(self) -> bool:
        if isinstance(self.published, str) or isinstance(self.by_preset, str):
            return self.published == self.by_preset
        return abs((self.published or 0) - self.by_preset) < float(10**-self.digits) / 2 + 1e-9

    def _text(self, value: float | str) -> str:
        return value if isinstance(value, str) else number(value, self.digits)


def table(found: list[Row]) -> str:
    """Return the table of *found*."""
    return rows(["preset", "value", "published", "`--as`", "default"], [row.cells() for row in found])


def values(study: Any, preset: str, measure: str, scale: float = 1) -> tuple[float, float]:
    """Return the agreement of a study by a preset and by default."""
    found = [
        at.agree(study, measure, preset=each, resamples=0).results[0].value or 0 for each in (preset, None)
    ]
    return scale * found[0], scale * found[1]


def scores(study: Any, preset: str, measure: str, scale: float = 1) -> tuple[float, float]:
    """Return the scores of the system of a study by a preset and by default."""
    gold = study.coders[0]
    found = [
        at.score(study, gold=gold, measures=measure, preset=each, resamples=0).results[0].value or 0
        for each in (preset, None)
    ]
    return scale * found[0], scale * found[1]


def estimated(text: str, kind: Kind[Any]) -> float:
    """Return the mean agreement of the sentences of table 5.2 of de Castro (2011)."""
    named = measure_named(with_option(text, f"p_d={castro.P_D}"), kind)
    measure: Any = named[1]
    found = []
    for place, (total, common, equal, unique) in enumerate(castro.TABLE_5_2):
        row = castro.counted(place, R1, total, common, equal, unique)
        pair = arrays(("a", "b"), [row], {row.item.cluster: 0})
        found.append((float(measure.of_pair(pair, np.ones((1, 1)))[0]) + 1) / 2)
    return float(np.mean(found))


def castro_rows() -> list[Row]:
    """Return the worked examples of de Castro (2011)."""
    pair = study_of({"s": {"gold": next(trees(castro.GOLD)), "test": next(trees(castro.TEST))}})
    profiles = at.read(examples_folder() / "profiles/ann", examples_folder() / "profiles/bob")
    name, kind = "castro2011", kinds.of(profiles)
    (text,) = preset_named(name, "tsdb").applied([], kind)
    means = [estimated(each, kind) for each in (str(text), "y_option_kappa")]
    return [
        Row(name, "figures 3.1 and 3.2, F-score (`parseval`)", 0.88, *values(pair, name, "parseval"), 2),
        Row(name, "figure 3.4, `leaf_ancestor`", 0.914, *values(pair, name, "leaf_ancestor")),
        Row(name, "table 5.2, mean agreement", 0.59, means[0], means[1], 2),
        Row(name, "`examples/profiles`, `y_option_kappa`", None, *values(profiles, name, "y_option_kappa")),
    ]  # fmt: skip


def kulick_rows() -> list[Row]:
    """Return what is reported of the words in parentheses of example (1) of Kulick et al. (2013)."""
    study = kulick.of_example("1")
    words = next(trees(kulick.EXAMPLES["1"][0])).words
    found = [at.explain(study, preset="kulick2013"), at.explain(study)]
    spans = [{nucleus.span for each in one.types for nucleus in each.nuclei} for one in found]
    rows_ = []
    for span, printed in sorted(kulick.REPORTED.items()):
        said = ["reported" if span in each else "not reported" for each in spans]
        text = " ".join(words[slice(*span)])
        rows_.append(Row("kulick2013", f"example (1), *{text}*", printed, said[0], said[1]))
    return rows_


def melamed_rows() -> list[Row]:
    """Return rows of Table II of Melamed and Resnik (2000)."""
    found = []
    with TemporaryDirectory() as folder:
        path = Path(folder) / "inventory.txt"
        write_whole(path, "A\n  A.1\n    A.1a\n    A.1b\n  A.2\nB\n  B.1\n  B.2\n  B.3\n")
        for gold, output, printed in melamed.TABLE_2[4:]:
            study = study_of({"1": {"gold": melamed.tags(gold), "tagger": melamed.tags(output)}})
            pair = scores(study, "melamed2000", f"hierarchical_score:hierarchy={path}")
            what = f"Table II, {gold} against {output} (`hierarchical_score`)"
            found.append(Row("melamed2000", what, printed, *pair, 2))
    return found


def worked() -> dict[str, str]:
    """Return the table of worked examples, which need no data."""
    brackets = at.read(examples_folder() / "phrase/ann.mrg", examples_folder() / "phrase/bob.mrg")
    found = []
    for name in ("alpha_diff", "alpha_norm"):
        pair = values(brackets, "skjaerholt2014", name)
        found.append(Row("skjaerholt2014", f"`examples/phrase/{{ann,bob}}.mrg`, `{name}`", None, *pair, 4))
    rooted = study_of(
        {
            "s": {
                name: next(trees(f"(ROOT {text})"))
                for name, text in (("gold", castro.GOLD), ("test", castro.TEST))
            }
        }
    )
    root = Row(
        "evalb",
        "two trees below ROOT, `parseval`, %",
        EVALB_ROOT,
        *scores(rooted, "evalb", "parseval", 100),
        2,
    )
    return {"worked": table([*found, *castro_rows(), *kulick_rows(), *melamed_rows(), root])}


def syntax(data: Path) -> dict[str, str]:
    """Return the corpora of Skjærholt (2014)."""
    found = []
    for name in skjaerholt.corpora_in(data):
        study = skjaerholt.read(data, name)
        for place, measure in enumerate(skjaerholt.MEASURES):
            pair = values(study, "skjaerholt2014", measure, 100)
            printed = skjaerholt.TABLE_2[name][place]
            found.append(Row("skjaerholt2014", f"table 2, {name}, `{measure}`, %", printed, *pair, 1))
    return {"skjaerholt2014": table(found)}


@cache
def parsed(folder: Path, parser: str) -> Any:
    """Return gold and one parser of a language."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return at.read(folder / "gold.conll", folder / f"{parser}.conll")


def judged(data: Path) -> dict[str, str]:
    """Return values of Plank et al. (2015)."""
    folder = data / "plank2015"
    languages = plank.languages_in(folder)
    found = []
    for name in languages:
        study = parsed(folder / name, "parser1")
        for measure in ("las", "uas", "la", "lcp", "ucp"):
            printed = plank.TABLE_2[name, 0][plank.NAMES.index(measure.upper())]
            pair = scores(study, "plank2015", measure, 100)
            found.append(Row("plank2015", f"table 2, {name}, Malt, `{measure}`, %", printed, *pair, 2))
    correlations = [_correlations(folder, languages, preset) for preset in ("plank2015", None)]
    for name, ours, usual in zip(languages, *correlations, strict=True):
        found.append(Row("plank2015", f"table 4, {name}, ρ of LAS", plank.TABLE_4[name][0], ours, usual))
    return {"plank2015": table(found)}


def _correlations(folder: Path, languages: list[str], preset: str | None) -> list[float]:
    files = [str(folder / name) for name in languages]
    released: dict[str, Any] = {"judgments": "annotated.csv", "aggregate": "prediction"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = at.prefer(*files, dirs=True, **released, measures="las", preset=preset, resamples=0)
    return [group.value or 0 for group in found.findings.results[0].groups["set"]]


def shared_task(data: Path) -> dict[str, str]:
    """Return values of the evaluation of the CoNLL 2018 shared task."""
    found = []
    for name, printed in CONLL18.items():
        for measure, value in printed.items():
            pair = scores(parsed(data / "plank2015" / name, "parser2"), "conll18", measure, 100)
            found.append(Row("conll18", f"plank2015/{name}, MST, `{measure}`, %", value, *pair, 2))
    return {"conll18": table(found)}


def parser_output(data: Path) -> dict[str, str]:
    """Return values of evalb."""
    study = kulick.read(data, kulick.PARSED, "gold", "parser")
    found = []
    for name, unit, scale in (("parseval", ", %", 100), ("crossing", "", 1)):
        pair = scores(study, "evalb", name, scale)
        found.append(Row("evalb", f"GUM, parser against gold, `{name}`{unit}", EVALB[name], *pair, 2))
    return {"evalb": table(found)}


def releases(data: Path) -> dict[str, str]:
    """Return what has no published value: inconsistencies of GUM, and a profile in two releases."""
    study = kulick.read(data, kulick.VERSIONS, "early", "late")
    counts = [float(len(at.explain(study, preset=each).types)) for each in ("kulick2013", None)]
    found = [Row("kulick2013", "GUM in two releases, types", None, counts[0], counts[1], 0)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        profiles = at.read(
            *(f"{Path(each).name}={data / each / 'fracas'}" for each in castro.PROFILES), format="tsdb"
        )
    pair = values(profiles, "castro2011", "y_option_kappa")
    found.append(Row("castro2011", "ERG fracas in two releases, `y_option_kappa`", None, *pair))
    return {"releases": table(found)}


PAPER = Paper(
    "defaults",
    "the defaults and presets",
    (
        Part(worked),
        Part(syntax, needs=(skjaerholt.FOLDER,)),
        Part(judged, needs=("plank2015",)),
        Part(shared_task, needs=("plank2015",)),
        Part(parser_output, needs=(kulick.PARSED,)),
        Part(releases, needs=(kulick.VERSIONS, *castro.PROFILES)),
    ),
    others=("skjaerholt2014", "plank2015", "kulick2013", "castro2011"),
)
