"""The tables of a project's database, alike in SQLite and PostgreSQL."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Identity,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)

OWNER = 1  # the person who started the project, made before anybody else

metadata = MetaData()

# Code points in order, in both databases: what a language sorts together must not be taken for equal.
_EXACT = Text().with_variant(Text(collation="C"), "postgresql")

about = Table(
    "arbitree", metadata, Column("key", String(40), primary_key=True), Column("value", Text, nullable=False)
)

editions = Table(
    "editions",
    metadata,
    Column("id", Integer, Identity(), primary_key=True),
    Column("fingerprint", _EXACT, nullable=False, unique=True),
    Column("at", String(20), nullable=False),
    Column("contents", Text, nullable=False),
    sqlite_autoincrement=True,
)

people = Table(
    "people",
    metadata,
    Column("id", Integer, Identity(start=OWNER + 1), primary_key=True),
    Column("name", Text, nullable=False),
    Column("folded", _EXACT, nullable=False, unique=True),  # the name as compared: without case
    Column("role", String(20), nullable=False),
    Column("generation", Integer, nullable=False),
    Column("at", String(20), nullable=False),
    Column("removed", String(20)),  # people stay, for their decisions do
    sqlite_autoincrement=True,
)

log = Table(
    "log",
    metadata,
    Column("id", Integer, Identity(), primary_key=True),
    Column("edition", ForeignKey(editions.c.id), nullable=False),
    Column("subject", _EXACT, nullable=False),
    Column("sequence", Integer, nullable=False),
    Column("person", ForeignKey(people.c.id), nullable=False),
    Column("at", String(20), nullable=False),
    Column("action", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("request", _EXACT, nullable=False, unique=True),
    UniqueConstraint("edition", "subject", "sequence"),
    CheckConstraint("sequence >= 1"),
    sqlite_autoincrement=True,
)

tallies = Table(
    "tallies",
    metadata,
    Column("edition", ForeignKey(editions.c.id), nullable=False),
    Column("subject", _EXACT, nullable=False),
    Column("status", String(20), nullable=False),
    Column("decided", Integer, nullable=False),
    Column("contested", Integer, nullable=False),
    PrimaryKeyConstraint("edition", "subject"),
)

invitations = Table(
    "invitations",
    metadata,
    Column("id", Integer, Identity(), primary_key=True),
    Column("digest", String(64), nullable=False, unique=True),  # the token itself is kept nowhere
    Column("person", ForeignKey(people.c.id), nullable=False),
    Column("at", String(20), nullable=False),
    Column("expires", BigInteger, nullable=False),  # seconds since 1970
    Column("used", String(20)),
    Column("revoked", String(20)),
    sqlite_autoincrement=True,
)

rounds = Table(
    "rounds",
    metadata,
    Column("id", Integer, Identity(), primary_key=True),
    Column("edition", ForeignKey(editions.c.id), nullable=False),
    Column("at", String(20), nullable=False),
    Column("settings", Text, nullable=False),
    Column("closed", String(20)),
    sqlite_autoincrement=True,
)

findings = Table(
    "findings",
    metadata,
    Column("edition", ForeignKey(editions.c.id), nullable=False),
    Column("part", _EXACT, nullable=False),
    Column("document", Text, nullable=False),
    PrimaryKeyConstraint("edition", "part"),
)

preferences = Table(
    "preferences",
    metadata,
    Column("person", ForeignKey(people.c.id), nullable=False),
    Column("name", String(40), nullable=False),
    Column("value", Text, nullable=False),
    PrimaryKeyConstraint("person", "name"),
)

assignments = Table(
    "assignments",
    metadata,
    Column("item", _EXACT, nullable=False),  # in every version of the files that has it
    Column("person", ForeignKey(people.c.id), nullable=False),
    Column("at", String(20), nullable=False),
    PrimaryKeyConstraint("item", "person"),
)

visits = Table(
    "visits",
    metadata,
    Column("edition", ForeignKey(editions.c.id), nullable=False),
    Column("item", _EXACT, nullable=False),
    Column("person", ForeignKey(people.c.id), nullable=False),
    Column("milliseconds", BigInteger, nullable=False),
    Column("at", String(20), nullable=False),  # of the last report
    PrimaryKeyConstraint("edition", "item", "person"),
)
