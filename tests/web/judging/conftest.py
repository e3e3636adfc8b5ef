"""A project of two systems, its owner and a judge."""

import pytest

from arbitree.reading.inputs import Reading
from arbitree.web.project.project import open_project
from tests.support.web.visitors import Visitor, write_trees


@pytest.fixture
def project(tmp_path):
    opened = open_project(Reading(write_trees(tmp_path)), tmp_path / "project")
    opened.store.owner("Olga")
    yield opened
    opened.store.close()


@pytest.fixture
def owner(project):
    return Visitor(project, project.store.person(1))


@pytest.fixture
def judge(project):
    return Visitor(project, project.store.add_person("Judit", "judge"))
