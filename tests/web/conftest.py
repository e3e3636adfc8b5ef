"""Databases and a small project for the tests of the web app: the store runs on SQLite and PostgreSQL."""

from itertools import count

import psycopg
import pytest

from arbitree.web.store import Store
from tests.support.web.opened import ANN, BOB, opened, write_study
from tests.support.web.postgres import NoPostgres, private_server

_numbers = count(1)


@pytest.fixture(scope="session")
def postgres_server():
    """The address of a PostgreSQL server that lives as long as the tests."""
    try:
        server = private_server()
        url = server.__enter__()
    except NoPostgres as reason:
        pytest.skip(str(reason))
    yield url
    server.__exit__(None, None, None)


@pytest.fixture
def postgres(postgres_server):
    """The address of an empty database in PostgreSQL: a schema, which is made faster than a database."""
    name = f"project{next(_numbers)}"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    return f"{postgres_server}?options=-csearch_path%3D{name}"


@pytest.fixture
def sqlite(tmp_path):
    """The address of a database in SQLite that is not there yet."""
    return f"sqlite:///{tmp_path}/arbitree.sqlite"


@pytest.fixture(params=["sqlite", "postgres"])
def url(request):
    """The address of a new database of either kind."""
    return request.getfixturevalue(request.param)


@pytest.fixture
def store(url):
    """An empty store of either kind."""
    with Store.open(url) as opened:
        yield opened


@pytest.fixture
def project(tmp_path):
    """The project of two coders and three sentences, of which two are contested."""
    project = opened(write_study(tmp_path, ann=ANN, bob=BOB), tmp_path)
    with project.store:
        yield project
