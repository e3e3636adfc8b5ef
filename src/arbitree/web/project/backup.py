"""Backups: one file that contains the settings and the database of a project, and the way back.

A backup is a zip file with ``project.json``, whose seal is that of the history in the backup, and
``arbitree.sqlite``, whatever the database of the project is.
"""

from __future__ import annotations

import io
import secrets
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

from arbitree.errors import FormatError, Source, StudyError
from arbitree.files import ELSEWHERE, announce, check_directory, check_new, write_out, write_whole
from arbitree.paths import not_found
from arbitree.reading.guard import guarded_reader
from arbitree.reading.inputs import named_path
from arbitree.web.project.settings import (
    DATABASE,
    SETTINGS,
    ProjectSettings,
    read_settings,
    store_seal,
    write_settings,
)
from arbitree.web.store import Seal, Store, StoreError

LARGEST = 2**26  # bytes that a small backup may contain
DENSEST = 200  # bytes that one byte of a backup may stand for


def back_up(folder: Path, target: Path | None, *, database: str | None = None, force: bool = False) -> Seal:
    """Write a backup of the project in *folder* to the file *target*; people may continue to work.

    Args:
        folder: The project directory.
        target: The file, which only this user can read: it contains the key that signs sessions. None for
            standard output.
        database: URL of the database, if it is not in the directory.
        force: Replace an existing file.
    Returns:
        The number of entries in the backup, with their hash.
    """
    settings = settings_of(folder, database)
    if target is not None:
        _check_target(target, folder, settings, force=force)
    if database is None and not (folder / DATABASE).exists():
        what = "the database of the project does not exist"
        raise FormatError(what, Source(str(folder / DATABASE)), hint="Restore an earlier backup")
    with Store.open(database or sqlite_url(folder), new=False) as store, TemporaryDirectory() as place:
        store.check()
        sealed = store.seal(settings.seal)
        store_seal(folder, sealed)
        copy = Path(place) / DATABASE
        store.copy_to(copy)
        with Store.open(sqlite_url(copy.parent)) as stored:
            stored.check()
            own = stored.seal(sealed)
        data = _zipped(replace(settings, seal=own), copy)
    if target is None:
        write_out(data)
    else:
        write_whole(target, data, private=True)
    return own


def _check_target(target: Path, folder: Path, settings: ProjectSettings, *, force: bool) -> None:
    """Raise FormatError if a backup cannot be written to *target*."""
    announce(target, inputs=[named_path(each)[1] for each in settings.reading.inputs])
    check_new(target, force=force)
    if target.exists() and any(target.samefile(path) for path in folder.iterdir()):
        raise FormatError("cannot write to a file of the project", Source(str(target)), hint=ELSEWHERE)
    check_directory(target)


def settings_of(folder: Path, database: str | None) -> ProjectSettings:
    """Return the settings of a project; raise StudyError if its database is needed and not given."""
    settings = read_settings(folder)
    if settings is None:
        raise StudyError("not a project directory", Source(str(folder)), hint="Pass one that serve created")
    if settings.database and not database:
        what = f"the decisions of this project are stored in {settings.database}"
        raise StudyError(what, Source(str(folder)), hint="Pass its URL with --database")
    return settings


def sqlite_url(folder: Path) -> str:
    """Return the URL of the database in a project directory."""
    return f"sqlite:///{folder.resolve() / DATABASE}"


def _zipped(settings: ProjectSettings, database: Path) -> bytes:
    buffer = io.BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        archive.writestr(_member(SETTINGS), settings.text)
        with database.open("rb") as source, archive.open(_member(DATABASE), "w", force_zip64=True) as target:
            shutil.copyfileobj(source, target)
    return buffer.getvalue()


def _member(name: str) -> ZipInfo:
    member = ZipInfo(name)  # without a date: the seal has the time
    member.external_attr = 0o600 << 16
    member.compress_type = ZIP_DEFLATED
    return member


def restore(source: Path, folder: Path, *, database: str | None = None) -> tuple[ProjectSettings, Seal]:
    """Create the project in a backup in the directory *folder*, which must not exist or be empty.

    Args:
        source: A file that ``back_up`` wrote.
        folder: The new project directory.
        database: URL of an empty database (default: a file in the directory).
    Returns:
        The settings, and the seal of the restored history.
    """
    folder = folder.resolve()
    if folder.exists() and not folder.is_dir():
        raise FormatError("the path is a file", Source(str(folder)), hint="Choose another directory")
    if folder.exists() and any(folder.iterdir()):
        hint = "Choose another directory, or move this one"
        raise FormatError("the directory exists and is not empty", Source(str(folder)), hint=hint)
    with _new_directory(folder) as place:
        settings = _unpacked(source, place)
        found, wanted = _seal_of(source, place), settings.seal
        if wanted is None or (found.entries, found.hash) != (wanted.entries, wanted.hash):
            raise _no_backup(source, "its history is not the one that was stored")
        name = _moved(place, database, wanted) if database else None
        settings = replace(settings, database=name)
        write_settings(place, settings)
    return settings, found


def _seal_of(source: Path, place: Path) -> Seal:
    """Check the database of a backup, written to the directory *place*, and return its seal."""
    try:
        with Store.open(sqlite_url(place)) as stored:
            stored.check()
            return stored.seal()
    except StoreError as error:  # name the backup: the directory is temporary
        why = error.what.replace(f"{place / DATABASE}", DATABASE)
        raise _no_backup(source, why) from error


def _moved(place: Path, database: str, seal: Seal) -> str:
    """Move the rows from the file in a directory to another database, and return its name."""
    with Store.open(database) as target:
        with Store.open(sqlite_url(place)) as stored:
            target.fill(stored)
        target.seal(seal)
        (place / DATABASE).unlink()
        return target.place


@contextmanager
def _new_directory(folder: Path) -> Iterator[Path]:
    """Yield a directory that becomes *folder* if no error occurs, and is removed otherwise."""
    place = folder.with_name(f".arbitree-{secrets.token_hex(8)}.part")
    try:
        place.mkdir(parents=True)
        yield place
        place.replace(folder)
    except OSError as error:
        what = f"cannot create the project directory ({error.strerror})"
        raise FormatError(what, Source(str(folder)), hint="Choose another directory") from None
    finally:
        shutil.rmtree(place, ignore_errors=True)


@guarded_reader
def _unpacked(source: Path, place: Path) -> ProjectSettings:
    """Write the database in a backup into a directory, and return the settings."""
    faults = (BadZipFile, zlib.error, EOFError, KeyError, NotImplementedError, RuntimeError, ValueError)
    try:
        with ZipFile(source) as archive:
            packed = source.stat().st_size
            if sum(member.file_size for member in archive.infolist()) > LARGEST + DENSEST * packed:
                raise _no_backup(source, "its contents are too large")
            names = set(archive.namelist())
            if missing := [name for name in (SETTINGS, DATABASE) if name not in names]:
                raise _no_backup(source, f"it does not contain {missing[0]}")
            text = archive.read(SETTINGS)
            settings = ProjectSettings.of_text(text, f"{source}/{SETTINGS}", hint=_WRITTEN)
            write_whole(place / DATABASE, archive.read(DATABASE), private=True)
            return settings
    except FileNotFoundError:
        raise not_found(source) from None
    except OSError as error:
        what = f"cannot read the file ({error.strerror})"
        raise FormatError(what, Source(str(source)), hint=_WRITTEN) from None
    except faults as error:
        raise _no_backup(source, str(error)) from None


def _no_backup(source: Path, why: str) -> FormatError:
    what = f"the file is not a backup, or it is damaged ({why})"
    return FormatError(what, Source(str(source)), hint=_WRITTEN)


_WRITTEN = "Pass a complete file that arbitree backup wrote"
