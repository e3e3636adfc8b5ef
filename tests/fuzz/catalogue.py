"""All targets by name, and the module of each, which ends in ``TARGETS``."""

from types import MappingProxyType

from tests.fuzz.targets import annotations, profiles, side_files, typed, web, workbooks

_ALL = (annotations, profiles, side_files, workbooks, typed, web)
TARGETS = MappingProxyType({target.name: target for module in _ALL for target in module.TARGETS})
MODULES = MappingProxyType({target.name: module.__name__ for module in _ALL for target in module.TARGETS})
