"""A project of three coders, and studies made by hand."""

import pytest

from arbitree import kinds
from arbitree.adjudication.index import index_of
from arbitree.reading.inputs import Reading
from arbitree.web.project.project import Project
from arbitree.web.store import Store
from tests.support.web.looks import CHO
from tests.support.web.opened import ANN, BOB, opened, visitor, write_study


@pytest.fixture
def project(tmp_path):
    project = opened(write_study(tmp_path, ann=ANN, bob=BOB, cho=CHO), tmp_path)
    with project.store:
        yield project


@pytest.fixture
def client(project):
    return visitor(project)


@pytest.fixture
def served(sqlite):
    """A function that serves a study made by hand."""
    with Store.open(sqlite) as store:

        def serve(study, **more):
            edition = store.add_edition("0a", "{}")
            project = Project(
                study, Reading(()), store, edition, "study", index_of(study, kinds.of(study)), **more
            )
            return project, visitor(project)

        yield serve
