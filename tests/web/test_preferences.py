"""Settings of one person, in a table that databases of earlier versions get when they are opened."""

from sqlalchemy import text

from arbitree.web.store import Store


def test_preferences_belong_to_one_person(store):
    ada, bea = store.owner("Ada").id, store.add_person("Bea", "adjudicator").id
    store.set_preference(ada, "names", "hidden")
    store.set_preference(ada, "names", "shown")
    store.set_preference(ada, "onward", "off")
    assert store.preferences(ada) == {"names": "shown", "onward": "off"}
    assert store.preferences(bea) == store.preferences(77) == {}


def test_a_database_without_the_table_gets_it(store, url):
    with store._writing() as connection:
        connection.execute(text("DROP TABLE preferences"))
    ada = store.owner("Ada").id
    with Store.open(url) as again:
        assert again.person(ada).name == "Ada"
        again.set_preference(ada, "names", "hidden")
        assert again.preferences(ada) == {"names": "hidden"}


def test_a_table_of_a_later_version_is_left_alone(store, url, tmp_path):
    with store._writing() as connection:
        connection.execute(text("CREATE TABLE later (id INTEGER PRIMARY KEY)"))
        connection.execute(text("INSERT INTO later VALUES (7)"))
    ada = store.owner("Ada").id
    with Store.open(url) as again:
        again.check()
        again.copy_to(tmp_path / "copy.sqlite")
        with again._reading() as connection:
            assert connection.scalar(text("SELECT id FROM later")) == 7
    with Store.open(f"sqlite:///{tmp_path}/copy.sqlite") as copy:
        assert copy.person(ada).name == "Ada"
