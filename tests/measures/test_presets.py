"""Presets: every value exists, the user's options win, and what does not fit is refused in one line."""

import json
from importlib import import_module
from pathlib import Path

import pytest

import arbitree as at
from arbitree import kinds
from arbitree.api.explain import known_options
from arbitree.errors import ArbitreeError, UnknownName, UnsupportedStudy
from arbitree.measures.options import measure_named, options
from arbitree.measures.presets import preset_named, presets
from arbitree.measures.signatures import Signature, option_text
from arbitree.reporting.citations import bibliography
from tests.support.build import dep, labelled, phrase, study_of
from tests.support.commands import arbitree

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
MEASURES = [
    (preset, kind, name)
    for preset, each in presets().items()
    for kind in each.rules
    for name in each.defined(kind)
]


def trees():
    """Two annotators of phrase-structure trees that differ in size."""
    first, second = phrase("(S (NP D N) (VP V))"), phrase("(S (NP D N) V)")
    return study_of({"1": {"a": first, "b": second}, "2": {"a": second, "b": second}})


def test_the_presets_are_those_of_the_papers_and_programs():
    names = ["skjaerholt2014", "castro2011", "plank2015", "kulick2013", "melamed2000", "evalb", "conll18"]
    assert list(presets()) == names


@pytest.mark.parametrize("name", presets())
def test_every_preset_names_commands_a_reference_and_kinds(name):
    preset = presets()[name]
    assert preset.about
    assert preset.reference in bibliography()
    assert set(preset.rules) <= set(kinds.kinds())
    for command in preset.commands:
        assert "preset" in import_module(f"arbitree.cli.{command}").COMMAND.__annotations__, command


@pytest.mark.parametrize(("preset", "kind", "name"), MEASURES)
def test_every_option_of_a_preset_is_one_of_the_measure(preset, kind, name):
    (text,) = [each for each in presets()[preset].rules[kind]["measures"] if each.split(":")[0] == name]
    _, measure = measure_named(text, kinds.kinds()[kind])
    assert {part.split("=")[0] for part in presets()[preset].defined(kind)[name]} <= set(options(measure))


@pytest.mark.parametrize(("preset", "kind", "name"), MEASURES)
def test_a_preset_states_every_option_that_has_a_default(preset, kind, name):
    """Otherwise a value keeps the name of the preset although an option differs."""
    _, measure = measure_named(name, kinds.kinds()[kind])
    chosen = {option for option, value in options(measure).items() if option_text(value)}
    assert chosen <= {part.split("=")[0] for part in presets()[preset].defined(kind)[name]}


def test_settings_of_explain_exist():
    study = at.read(EXAMPLES / "phrase/ann.mrg", EXAMPLES / "phrase/bob.mrg")
    stated = presets()["kulick2013"].rules["phrase"]["explain"]
    assert set(stated) - {"sort"} <= set(known_options(study))


def test_without_measures_those_of_the_preset_are_computed():
    found = at.agree(trees(), preset="skjaerholt2014", resamples=0)
    assert [result.measure for result in found.results] == [
        "alpha_plain",
        "alpha_diff",
        "alpha_norm",
        "jaccard",
    ]


def test_size_counts_leaves_for_phrases_and_nodes_for_dependencies():
    """By hand: the distance is 1; 3 leaves each, or 5 and 6 nodes, with artificial roots 6 and 7."""
    leaves = at.agree(trees(), "alpha_norm", preset="skjaerholt2014", resamples=0)["alpha_norm"]
    same = at.agree(trees(), "alpha_norm:size=leaves", resamples=0)["alpha_norm"]
    usual = at.agree(trees(), "alpha_norm", resamples=0)["alpha_norm"]
    assert (leaves.value, leaves.details["options"]) == (same.value, same.details["options"])
    assert leaves.details["observed"] != pytest.approx(usual.details["observed"])
    study = study_of({"1": {"a": dep([0, 1]), "b": dep([2, 0])}, "2": {"a": dep([0]), "b": dep([0])}})
    found = at.agree(study, "alpha_norm", preset="skjaerholt2014", resamples=0)["alpha_norm"]
    assert found.details["options"]["size"] == "nodes"


def test_options_that_the_user_gives_win_and_the_others_stay():
    preset = preset_named("plank2015", "score")
    (text,) = preset.applied(["lcp:childless=count"], kinds.kinds()["dependency"])
    _, measure = measure_named(text, kinds.kinds()["dependency"])
    assert (options(measure)["childless"], options(measure)["punctuation"]) == ("count", "skip-form")


def parts_of(result):
    return Signature.parse(result.signature).parts


def test_signatures_contain_the_preset_where_all_its_options_hold():
    measures = ["alpha_norm", "alpha_norm:size=nodes", "alpha_norm:size=leaves"]
    found = at.agree(trees(), measures, preset="skjaerholt2014", resamples=0)
    named = [parts_of(result).get("preset") for result in found.results]
    assert named == ["skjaerholt2014", None, "skjaerholt2014"]
    assert ["skjaerholt2014" in result.references for result in found.results] == [True] * 3
    assert "preset" not in parts_of(at.agree(trees(), "alpha_norm:size=leaves", resamples=0).results[0])


def test_other_options_that_change_the_definition_remove_the_preset(tmp_path):
    costs = tmp_path / "costs.tsv"
    costs.write_text("NP\tVP\t0.5\n", encoding="utf-8")
    measures = [f"alpha_plain:costs={costs}", "alpha_plain:pairs=40"]
    found = at.agree(trees(), measures, preset="skjaerholt2014", resamples=0)
    assert [parts_of(each).get("preset") for each in found.results] == [None, "skjaerholt2014"]


def test_inputs_that_the_preset_leaves_open_do_not():
    study = labelled([["A", "A"], ["B", "A"]])
    name = "hierarchical_kappa:hierarchy=flat"
    found = [
        at.agree(study, f"{name}{more}", preset="melamed2000", resamples=0).results[0]
        for more in ("", ",expected=cohen")
    ]
    assert [parts_of(each).get("preset") for each in found] == ["melamed2000", None]


def test_every_command_marks_its_signatures():
    gold, other = dep([0, 1], ["root", "nsubj"]), dep([0, 1], ["root", "obj"])
    study = study_of({"1": {"gold": gold, "sys": other}}, ("gold", "sys"))
    scored = at.score(study, gold="gold", preset="conll18", resamples=0)
    assert {parts_of(result)["preset"] for result in scored.results} == {"conll18"}
    folder = EXAMPLES / "profiles"
    treebanked = at.tsdb(folder / "ann", folder / "bob", preset="castro2011", resamples=0).table.results
    assert [parts_of(each).get("preset") for each in treebanked][:2] == ["castro2011", None]
    other = at.tsdb(folder / "ann", folder / "bob", preset="castro2011", mode="exact", resamples=0).table
    assert "preset" not in parts_of(other.results[0])
    parses = at.read(folder / "ann", folder / "bob")
    viewed = at.agree(parses, "parseval", preset="evalb", resamples=0).results[0]
    assert (parts_of(viewed)["preset"], parts_of(viewed)["view"]) == ("evalb", "readings")


def test_values_of_presets_can_be_verified():
    """The options in the signature are those of the preset."""
    for result in at.agree(trees(), preset="skjaerholt2014", resamples=0):
        assert at.verify(f"{result.value:.10f} {result.signature}", trees()).verified
    study = at.read(EXAMPLES / "score/gold.conllu", EXAMPLES / "score/wren.conllu")
    for result in at.score(study, preset="conll18", resamples=0).results:
        assert at.verify(f"{result.value:.10f} {result.signature}", study, gold="gold").verified


def test_signatures_of_explain_and_prefer_contain_the_preset_unless_a_setting_differs():
    study = at.read(EXAMPLES / "harbour/ann.mrg", EXAMPLES / "harbour/bob.mrg")
    assert "|preset:kulick2013|" in at.explain(study, preset="kulick2013").signature
    assert "preset" not in at.explain(study, preset="kulick2013", external="label").signature
    assert "preset" not in at.explain(study, preset="kulick2013", sort="bits").signature
    files = [EXAMPLES / "prefer" / f"{name}.conllu" for name in ("gold", "birch", "cedar")]
    judged = {"judgments": EXAMPLES / "prefer/judgments.csv", "resamples": 0, "preset": "plank2015"}
    found = at.prefer(*files, **judged, measures=["las", "lcp:childless=count"]).findings.results
    assert [parts_of(each).get("preset") for each in found] == ["plank2015", None]
    found = at.prefer(*files, **judged, ties="wrong").findings.results
    assert {parts_of(each).get("preset") for each in found} == {None}


def test_several_studies_take_the_values_for_their_kinds():
    folders = [EXAMPLES / "dependency", EXAMPLES / "phrase"]
    found = at.agree_studies(folders, preset="skjaerholt2014", resamples=0)
    sizes = [found[name]["alpha_norm"].details["options"]["size"] for name in ("dependency", "phrase")]
    assert sizes == ["nodes", "leaves"]


def test_settings_of_prefer_are_those_of_the_paper_unless_the_user_sets_them():
    files = [EXAMPLES / "prefer" / f"{name}.conllu" for name in ("gold", "birch", "cedar")]
    judged = {"judgments": EXAMPLES / "prefer/judgments.csv", "resamples": 0}
    found = at.prefer(*files, **judged, preset="plank2015").findings
    assert (found.settings.correlate, found.settings.aggregate) == ("sign", "mace-em")
    assert found.metrics == tuple(presets()["plank2015"].defined("dependency"))
    assert found.results[5].details["options"]["childless"] == "skip"
    other = at.prefer(
        *files, **judged, preset="plank2015", aggregate="majority", measures=["las", "lcp:childless=count"]
    ).findings
    assert (other.settings.correlate, other.settings.aggregate) == ("sign", "majority")
    assert other.metrics == ("las", "lcp:childless=count")


def test_a_measure_with_an_unknown_option_is_refused_as_without_a_preset():
    with pytest.raises(UnknownName, match="unknown alpha_norm option 'sise'"):
        at.agree(trees(), "alpha_norm:sise=leaves", preset="skjaerholt2014")
    with pytest.raises(UnknownName, match="unknown measure 'alpha_nrom'"):
        at.agree(trees(), "alpha_nrom", preset="skjaerholt2014")


def test_score_takes_the_metrics_of_a_preset_that_score_systems():
    study = labelled([["A", "A"], ["B", "A"]], ["gold", "tagger"])
    preset = preset_named("melamed2000", "score")
    chosen = preset.applied([], kinds.of(study), lambda each: each.scores_systems)
    assert [text.split(":")[0] for text in chosen if isinstance(text, str)] == ["hierarchical_score"]


def test_conll18_ignores_subtypes():
    gold = dep([0, 1], ["root", "nmod:poss"])
    study = study_of({"1": {"gold": gold, "sys": dep([0, 1], ["root", "nmod"])}}, ("gold", "sys"))
    values = [at.score(study, gold="gold", measures="las", preset=each, resamples=0).results[0].value
              for each in (None, "conll18")]  # fmt: skip
    assert values == [0.5, 1]


def test_evalb_counts_a_topmost_node_that_is_not_called_top():
    study = at.read(EXAMPLES / "phrase/ann.mrg", EXAMPLES / "phrase/bob.mrg")
    found = at.agree(study, preset="evalb", resamples=0)
    assert [result.measure for result in found.results] == ["parseval", "crossing"]
    assert found["parseval"].details["options"]["prm"] == "COLLINS"


def test_castro_compares_neighbourhoods_and_rounds_estimates_down():
    folder = EXAMPLES / "profiles"
    found = at.tsdb(folder / "ann", folder / "bob", preset="castro2011", resamples=0).table["y_option_kappa"]
    stated = found.details["options"]
    assert (stated["mode"], stated["estimate_rounding"]) == ("neighbourhood", "floor")
    other = at.tsdb(folder / "ann", folder / "bob", preset="castro2011", mode="exact", resamples=0)
    stated = other.table["y_option_kappa"].details["options"]
    assert (stated["mode"], stated["estimate_rounding"]) == ("exact", "floor")


def test_measures_of_a_view_take_the_values_for_their_kind():
    """Parses of profiles are phrase-structure trees."""
    profiles = at.read(EXAMPLES / "profiles/ann", EXAMPLES / "profiles/bob")
    found = at.agree(profiles, "parseval", preset="castro2011", resamples=0)["parseval"]
    assert found.details["options"]["preterminals"] is True
    assert at.agree(profiles, preset="evalb", resamples=0)["parseval"].value is not None


def test_kulick_turns_the_external_check_off_unless_the_user_asks_for_it():
    study = at.read(EXAMPLES / "harbour/ann.mrg", EXAMPLES / "harbour/bob.mrg")
    found = at.explain(study, preset="kulick2013")
    same = at.explain(study, external="off", refine=False, sort="nuclei")
    assert found.settings == same.settings
    assert found.types == same.types
    assert at.explain(study, preset="kulick2013", external="label").settings["external"] == "label"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--as", "plank2016"], "unknown preset 'plank2016'. Did you mean 'plank2015'? Expected one of: "),
        (["--as", "kulick2013"], "preset kulick2013 is not for 'agree'. Use it with explain."),
        (
            ["--as", "conll18"],
            "preset conll18 is not for phrase-structure trees. Use it for annotations of the kind dependency",
        ),
        (["--as", "evalb", "-m", "jaccard"], "preset evalb does not define jaccard. Use parseval or cross"),
    ],
)
def test_a_preset_that_does_not_fit_is_refused_in_one_line(arguments, message):
    files = [EXAMPLES / "phrase/ann.mrg", EXAMPLES / "phrase/bob.mrg"]
    done = arbitree("agree", "-q", *files, *arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    (line,) = done.stderr.decode().splitlines()
    assert message in line


def test_a_preset_for_another_kind_is_refused_by_explain():
    files = [EXAMPLES / "dependency/ann.conllu", EXAMPLES / "dependency/bob.conllu"]
    done = arbitree("explain", "-q", *files, "--as", "kulick2013")
    assert done.returncode == 2
    assert (
        "preset kulick2013 is not for dependency trees. Use it for annotations of the kind phrase"
        in done.stderr.decode()
    )


def test_errors_in_python_name_the_argument():
    with pytest.raises(ArbitreeError, match="omit preset"):
        at.agree(trees(), "leaf_ancestor", preset="evalb")
    with pytest.raises(UnsupportedStudy, match="preset castro2011 is not for dependency trees"):
        at.agree(study_of({"1": {"a": dep([0]), "b": dep([0])}}), preset="castro2011")


def test_presets_are_listed():
    done = arbitree("list", "presets")
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.decode().splitlines()] == list(presets())
    assert (
        b"Commands: score, agree, report\n  phrase: parseval:prm=COLLINS,"
        in arbitree("list", "presets", "evalb").stdout
    )
    found = json.loads(arbitree("list", "presets", "--json").stdout)
    assert [each["name"] for each in found["presets"]] == list(presets())


def test_the_command_line_has_the_option():
    files = [EXAMPLES / "phrase/ann.mrg", EXAMPLES / "phrase/bob.mrg"]
    done = arbitree("agree", "-q", "--json", *files, "--as", "evalb", "--resamples", "0")
    assert done.returncode == 0
    found = {each["measure"]: each["details"]["options"] for each in json.loads(done.stdout)["results"]}
    assert found["parseval"]["prm"] == "COLLINS"
