"""Measures by name, with options: ``alpha_norm:size=leaves``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, fields, is_dataclass, replace
from typing import Any

from arbitree import plugins
from arbitree.errors import UnknownName
from arbitree.kinds.kind import Kind
from arbitree.measures.measure import Measure, Named
from arbitree.reading.side_files import check_hashes, without_hashes
from arbitree.study.study import Study

TRUE = ("true", "yes", "on", "1")
FALSE = ("false", "no", "off", "0")


def known_measures(kind: Kind[Any]) -> Mapping[str, Measure[Any]]:
    """Return the measures of *kind*, and those that fit several kinds, by name."""
    found: dict[str, Measure[Any]] = plugins.plugins("measures", kind.name)
    return found


def measure_named(text: str, kind: Kind[Any]) -> Named:
    """Return the name without options, and the measure that *text* specifies.

    Args:
        text: a name, optionally with options.
        kind: the kind of the annotations; if several measures share the name, that of the kind or of one of
            its views is returned.
    Example:
        >>> from arbitree.kinds.phrase.kind import KIND
        >>> measure_named("alpha_norm:size=leaves", KIND)[1].distance.size
        'leaves'
    """
    name, given = plugins.with_options(text)
    home = home_of(name, kind)
    if name not in known_measures(home) and name not in plugins.plugins("measures"):
        homes = [kind, *(view.kind for view in kind.views.values())]
        plugins.check_name(name, [key for each in homes for key in _fitting_any(each)], "measure")
    measure: Measure[Any] = plugins.get("measures", name, home.name)
    for key, value in given.items():
        measure = _with_option(measure, name, key, value)
    return name, measure


def home_of(name: str, kind: Kind[Any]) -> Kind[Any]:
    """Return *kind*, or the kind of its first view, that has a measure called *name*; else *kind*."""
    homes = [kind, *(view.kind for view in kind.views.values())]
    return next((each for each in homes if name in known_measures(each)), kind)


def options(measure: Any) -> dict[str, Any]:
    """Return the options of *measure* and their values, including those of its distance."""
    found: dict[str, Any] = {}
    for field in fields(measure):
        value = getattr(measure, field.name)
        if _has_options(field, value):
            found |= options(value)
        elif _is_option(field, value):
            found[field.name] = value
    return found


def fitting(study: Study[Any], kind: Kind[Any], *, on_request: bool = False) -> list[str]:
    """Return the names of the measures that fit the values of *study*.

    Args:
        study: the study to measure.
        kind: the kind of its values.
        on_request: whether to include measures that are computed only on request.
    """
    known = known_measures(kind)
    return [
        name
        for name in kind.sorted(known)
        if known[name].fits(study) and (on_request or _unasked(known[name], study))
    ]


def omitted(study: Study[Any], kind: Kind[Any]) -> list[str]:
    """Return a note for every measure that is left out because it says little about *study*."""
    reasons = {
        name: each.unsuited(study)
        for name, each in known_measures(kind).items()
        if each.by_default and each.fits(study) and each.suits(study)
    }
    return [
        f"{name} is not computed by default here: {reason}. Use --measure {name} to compute it"
        for name, reason in reasons.items()
        if reason
    ]


def _fitting_any(kind: Kind[Any]) -> list[str]:
    """Return the names of the measures that fit values of *kind*."""
    return [name for name, each in known_measures(kind).items() if each.fits_any(kind.values)]


def _unasked(measure: Measure[Any], study: Study[Any]) -> bool:
    """Return whether *measure* is computed by default."""
    return measure.by_default and measure.suits(study) and not measure.unsuited(study)


def _has_options(field: Field[Any], value: Any) -> bool:
    """Return whether the fields of *value* are options of the measure, such as those of its distance."""
    return is_dataclass(value) and not {"parse", "fixed"} & set(field.metadata)


def _is_option(field: Field[Any], value: Any) -> bool:
    if "fixed" in field.metadata:  # it makes the measure what its name says
        return False
    return "parse" in field.metadata or isinstance(value, str | bool | int | float)


def _with_option(owner: Any, name: str, key: str, text: str) -> Any:
    known = options(owner)
    plugins.check_name(key, known, f"{name} option")
    for field in fields(owner):
        value = getattr(owner, field.name)
        if field.name == key and _is_option(field, value):
            parse = field.metadata.get("parse")
            if parse is None:
                return replace(owner, **{key: parsed(text, value, f"option {key} of {name}")})
            if value is not None and text == str(value):  # a set or file that is built in, by its name
                return owner
            found = parse(without_hashes(text))
            check_hashes(text, str(found))
            return replace(owner, **{key: found})
        if _has_options(field, value) and key in options(value):
            return replace(owner, **{field.name: _with_option(value, name, key, text)})
    raise AssertionError(key)


def parsed(text: str, default: Any, what: str) -> Any:
    """Return *text* converted to the type of *default*.

    Args:
        text: the value that the user wrote.
        default: the default value of the option.
        what: the name of the option for error messages.
    Example:
        >>> parsed("yes", False, "option labelled"), parsed("3", 2, "option p"), parsed("a", "b", "option x")
        (True, 3, 'a')
    """
    if isinstance(default, bool):
        if text.lower() in TRUE + FALSE:
            return text.lower() in TRUE
        raise UnknownName(f"{what} is {text!r}", hint="Write yes or no")
    if isinstance(default, int | float):
        try:
            return type(default)(text)
        except ValueError:
            raise UnknownName(f"{what} is {text!r}", hint="Write a number") from None
    return text
