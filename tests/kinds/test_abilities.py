"""What every kind of annotation that has an ability must keep."""

from dataclasses import replace

import pytest

from arbitree import kinds
from arbitree.annotator_models.model import ModelOutcome
from arbitree.api.read import read
from arbitree.backends.base import silent
from arbitree.constructions.findings import PARSER
from arbitree.errors import UnsupportedStudy
from arbitree.measures.resampling import Resampling

STUDIES = {
    "dependency": [f"examples/dependency/{name}.conllu" for name in ("ann", "bob", "cho")],
    "phrase": [f"examples/phrase/{name}.mrg" for name in ("ann", "bob", "cho")],
    "labels": ["examples/coders/reviews.csv"],
    "graphs": [f"examples/graphs/{name}.amr" for name in ("ann", "bob", "cho")],
}
EVERY = kinds.kinds().values()
every_kind = pytest.mark.parametrize("kind", EVERY, ids=lambda kind: kind.name)


@every_kind
@pytest.mark.parametrize("ability", ["constructions", "models", "noises", "pictures", "places"])
def test_an_ability_is_there_or_refused_in_one_sentence(kind, ability):
    if getattr(kind, ability):
        assert kind.needed(ability) is not None
    else:
        with pytest.raises(UnsupportedStudy) as refused:
            kind.needed(ability)
        assert "\n" not in str(refused.value)


@every_kind
def test_default_experiments_come_first(kind):
    flags = [noise.by_default for noise in kind.noises.values()]
    assert flags == sorted(flags, reverse=True)
    assert not flags or flags[0]


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in EVERY for name in kind.models])
def test_models_give_every_coder_and_item_an_entry(kind, name):
    study = read(*STUDIES[kind.name])
    found = kind.models[name](study, Resampling(3), method="vb", restarts=1)
    assert isinstance(found, ModelOutcome)
    assert found.draws.shape == (len(study.coders), 3)
    assert len(found.competence) == len(found.annotations) == len(study.coders)
    assert len(found.consensus) == len(found.ties) == len(found.entropy) == len(study.items)
    assert kind.models[name].about


@pytest.mark.parametrize(
    ("kind", "mode"),
    [(kind, mode) for kind in EVERY if kind.constructions for mode in kind.constructions.modes],
    ids=lambda each: each if isinstance(each, str) else each.name,
)
def test_settings_given_as_their_defaults_change_nothing(kind, mode):
    study = replace(read(*STUDIES[kind.name][:2]), reference="ann" if mode == PARSER else None)
    for baseline in (None, *kind.constructions.baselines):
        asked = {"mode": mode, "baseline": baseline, "progress": silent}
        plain = kind.constructions.explain(study, **asked)
        named = kind.constructions.explain(study, **asked, **kind.constructions.options(baseline, mode))
        assert plain.to_dict() == named.to_dict()
        assert plain.types
