"""Presets: the definitions of papers and programs by name, from ``presets.toml``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from arbitree.errors import UnknownName, UnsupportedStudy
from arbitree.kinds.kind import Kind
from arbitree.measures.measure import Measure, Named
from arbitree.measures.options import home_of, measure_named, options
from arbitree.measures.signatures import Signature, option_text, with_parts
from arbitree.plugins import known_name
from arbitree.study.result import Result
from arbitree.wording import listed

MEASURES = "measures"
SAMPLED = ("pairs", "tolerance")  # options that change the precision of an estimate, not the definition


@dataclass(frozen=True, slots=True)
class Preset:
    """A named set of option values.

    Options that a user gives take precedence over those of the preset. The signature of a value contains the
    preset only if all of its options hold.

    Args:
        name: the name that the user writes.
        about: a one-line description.
        reference: the key of the paper, or of the description of the program.
        commands: the commands that it applies to.
        inputs: options of measures that it leaves to the user.
        rules: by kind of annotation, the measures with their options as they are typed, and the options of
            commands.
    """

    name: str
    about: str
    reference: str
    commands: tuple[str, ...]
    inputs: tuple[str, ...]
    rules: Mapping[str, Mapping[str, Any]]

    def defined(self, kind: str) -> dict[str, list[str]]:
        """Return the measures for a kind of annotation, each with its options as they are typed.

        Example:
            >>> preset_named("skjaerholt2014", "agree").defined("phrase")["jaccard"]
            ['length=first']
        """
        return dict(_split(text) for text in self.rules.get(kind, {}).get(MEASURES, ()))

    def applied(
        self,
        measures: Sequence[str | Named],
        kind: Kind[Any],
        suits: Callable[[Measure[Any]], bool] = lambda measure: True,
    ) -> list[str | Named]:
        """Return *measures* with the options of the preset; by default all of its measures.

        Args:
            measures: names with options, or pairs of a name and a measure object, which stay as they are.
            kind: the kind of the annotations.
            suits: tells which of its measures to return by default.
        Raises:
            UnsupportedStudy: if the preset has no measures for this kind of annotation.
            UnknownName: if the preset does not define one of the measures.
        """
        if measures:
            return [self._applied(each, kind) if isinstance(each, str) else each for each in measures]
        homes = [kind, *(view.kind for view in kind.views.values())]
        for home in homes:
            if found := [self._applied(name, home) for name in self.defined(home.name)]:
                return [text for text in found if suits(measure_named(text, home)[1])]
        raise self._unsuited(kind)

    def settings(self, command: str) -> dict[str, Any]:
        """Return the options of *command*.

        Example:
            >>> preset_named("plank2015", "prefer").settings("prefer")["correlate"]
            'sign'
        """
        return {name: value for rule in self.rules.values() for name, value in rule.get(command, {}).items()}

    def lines(self) -> Iterator[str]:
        """Yield the commands, and the measures and settings as they are typed.

        Example:
            >>> list(preset_named("evalb", "score").lines())[0]
            'Commands: score, agree, report'
        """
        yield f"Commands: {', '.join(self.commands)}"
        for kind, rule in self.rules.items():
            for text in rule.get(MEASURES, ()):
                yield f"{kind}: {text}"
            for command in self.commands:
                if command in rule:
                    stated = ",".join(f"{name}={option_text(value)}" for name, value in rule[command].items())
                    yield f"{kind}, {command}: {stated}"

    def check(self, kind: Kind[Any]) -> None:
        """Raise UnsupportedStudy if the preset is not for this kind of annotation."""
        if kind.name not in self.rules:
            raise self._unsuited(kind)

    def holds(self, result: Result, kind: Kind[Any]) -> bool:
        """Return whether *result* has the options that the preset states for its measure, and no others.

        Inputs that the preset leaves to the user, such as a hierarchy, do not count.
        """
        home = home_of(result.measure, kind)
        stated = self.defined(home.name)
        if result.measure not in stated:
            return False
        _, own = measure_named(_joined(result.measure, stated[result.measure]), home)
        found = Signature.parse(result.signature).options
        expected = {key: option_text(value) for key, value in options(own).items()}
        asked = {key for key in found if expected.get(key) == "" and key not in (*SAMPLED, *self.inputs)}
        return not asked and all(
            found.get(key, "") == expected[key] for key in map(_key, stated[result.measure])
        )

    def marked(self, result: Result, kind: Kind[Any]) -> Result:
        """Return *result* with the preset in its signature and references, if it has all its options."""
        return self.mark(result) if self.holds(result, kind) else result

    def mark(self, result: Result) -> Result:
        """Return *result* with the preset in its signature and references."""
        references = tuple(dict.fromkeys((*result.references, self.reference)))
        return replace(result, signature=self.signed(result.signature), references=references)

    def signed(self, signature: str) -> str:
        """Return a signature with the name of the preset."""
        return with_parts(signature, f"preset:{self.name}")

    def short(self, text: str, kind: Kind[Any]) -> str:
        """Return a measure as it is typed, without the options that are those of the preset."""
        name, parts = _split(text)
        stated = self.defined(kind.name).get(name, [])
        return _joined(name, [part for part in parts if part not in stated])

    def _applied(self, text: str, kind: Kind[Any]) -> str:
        name, given = _split(text)
        stated = self.defined(home_of(name, kind).name)
        if name not in stated:
            measure_named(text, kind)  # an unknown name is reported as such
            if not stated:
                raise self._unsuited(kind)
            hint = f"Use {listed(list(stated), 'or')}, or omit --as"
            raise UnknownName(f"preset {self.name} does not define {name}", hint=hint)
        keys = set(map(_key, given))
        return _joined(name, [*(part for part in stated[name] if _key(part) not in keys), *given])

    def _unsuited(self, kind: Kind[Any]) -> UnsupportedStudy:
        what = f"preset {self.name} is not for {kind.noun}"
        return UnsupportedStudy(
            what, hint=f"Use it for annotations of the kind {listed(list(self.rules), 'or')}"
        )


@cache
def presets() -> dict[str, Preset]:
    """Return all presets by name."""
    import tomllib

    text = Path(__file__).with_name("presets.toml").read_text(encoding="utf-8")
    return {name: _preset(name, table) for name, table in tomllib.loads(text).items()}


def preset_named(name: str, command: str) -> Preset:
    """Return the preset called *name*.

    Raises:
        UnknownName: if there is no such preset, or if it does not apply to *command*.

    Example:
        >>> preset_named("evalb", "explain")
        Traceback (most recent call last):
        ...
        arbitree.errors.UnknownName: preset evalb is not for 'explain'. Use it with score, agree or report.
    """
    found = presets()[known_name(name, presets(), "preset")]
    if command not in found.commands:
        hint = f"Use it with {listed(list(found.commands), 'or')}"
        raise UnknownName(f"preset {found.name} is not for {command!r}", hint=hint)
    return found


def with_option(text: str, option: str) -> str:
    """Return a measure as it is typed, with one more option, which takes precedence.

    Example:
        >>> with_option("y_option_kappa:mode=auto,noop=exclude", "mode=exact")
        'y_option_kappa:noop=exclude,mode=exact'
    """
    name, parts = _split(text)
    return _joined(name, [*(part for part in parts if _key(part) != _key(option)), option])


def _preset(name: str, table: dict[str, Any]) -> Preset:
    rules = {kind: rule for kind, rule in table.items() if isinstance(rule, dict)}
    inputs = tuple(table.get("inputs", ()))
    return Preset(name, table["about"], table["reference"], tuple(table["commands"]), inputs, rules)


def _split(text: str) -> tuple[str, list[str]]:
    """Return the name and the options of a measure as it is typed.

    Example:
        >>> _split("alpha_norm:size=leaves,labelled=yes")
        ('alpha_norm', ['size=leaves', 'labelled=yes'])
    """
    name, _, rest = text.partition(":")
    return name, [part for part in rest.split(",") if part]


def _joined(name: str, parts: Sequence[str]) -> str:
    return f"{name}:{','.join(parts)}" if parts else name


def _key(part: str) -> str:
    return part.partition("=")[0].strip()
