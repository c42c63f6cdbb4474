"""The study in one SQLite file: what is shown, to whom, and every answer exactly once.

Each change is one transaction that is on the disk when it returns. That an answer is there only once
is the database's own promise: the key of `answers` is the item and the level. Nothing in here is
personal: no name, no address, no time of day that leaves the file. Only its owner can read it.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from mls.errors import MlsError
from mls.study.codes import hashed, read_codes, write_codes

FILE = "study.sqlite"
_FORM = 2  # in the first, codes stood as they are
_SCHEMA = """
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE documents (id TEXT PRIMARY KEY, data_set TEXT NOT NULL, text TEXT NOT NULL) STRICT;
CREATE TABLE questions (
    document TEXT NOT NULL REFERENCES documents, number INTEGER NOT NULL, text TEXT NOT NULL,
    answer TEXT NOT NULL CHECK (answer IN ('yes', 'no')), PRIMARY KEY (document, number)) STRICT;
CREATE TABLE levels (
    method TEXT NOT NULL, document TEXT NOT NULL REFERENCES documents, level INTEGER NOT NULL,
    budget TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (method, document, level)) STRICT;
CREATE TABLE participants (
    number INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, consented INTEGER NOT NULL DEFAULT 0,
    practised INTEGER NOT NULL DEFAULT 0, entries INTEGER NOT NULL DEFAULT 0, session TEXT UNIQUE) STRICT;
CREATE TABLE items (
    id TEXT PRIMARY KEY, participant INTEGER NOT NULL REFERENCES participants, position INTEGER NOT NULL,
    method TEXT NOT NULL, document TEXT NOT NULL, question INTEGER NOT NULL,
    UNIQUE (participant, position), UNIQUE (participant, document),
    FOREIGN KEY (document, question) REFERENCES questions) STRICT;
CREATE TABLE showings (
    item TEXT NOT NULL REFERENCES items, level INTEGER NOT NULL, at REAL NOT NULL, PRIMARY KEY (item, level)) STRICT;
CREATE TABLE answers (
    item TEXT NOT NULL, level INTEGER NOT NULL, choice TEXT NOT NULL CHECK (choice IN ('yes', 'no', 'more')),
    browser_seconds REAL, server_seconds REAL NOT NULL, time_check TEXT NOT NULL, entry INTEGER NOT NULL,
    PRIMARY KEY (item, level), FOREIGN KEY (item, level) REFERENCES showings) STRICT;
"""


class Store:
    """A study's file. All threads share one connection and take turns."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._turn = threading.RLock()
        # Transactions are begun and ended here, so sqlite3 must not begin any of its own.
        try:
            path.touch(mode=0o600)
            path.chmod(0o600)  # its journals will be as it is
            self._connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
        except (sqlite3.OperationalError, OSError) as error:
            raise MlsError(f"{path} can't be opened ({error}); choose a folder you may write to") from error
        self._connection.row_factory = sqlite3.Row

    @classmethod
    def make(cls, folder: Path) -> Store:
        """The study of a folder, begun if there is none."""
        store = cls(_made(folder) / FILE)
        store._prepare()
        with store.transaction():
            if not store.rows("SELECT 1 FROM sqlite_master"):
                for statement in _SCHEMA.split(";"):
                    store.run(statement)
                store.run(f"PRAGMA user_version = {_FORM}")
        return store

    @classmethod
    def open(cls, folder: Path) -> Store:
        """The study of a folder; one that is not there is an error."""
        if not (folder / FILE).is_file():
            raise MlsError(f"there is no study in {folder} (no {FILE}); make one with mls study create {folder} ...")
        store = cls(folder / FILE)
        store._prepare()
        if not store.rows("SELECT 1 FROM sqlite_master"):
            raise MlsError(f"the study in {folder} was never finished; make it with mls study create {folder} ...")
        return store

    def _prepare(self) -> None:
        try:
            form = self.run("PRAGMA user_version").fetchone()[0]
            self.run("PRAGMA journal_mode = WAL")
        except sqlite3.DatabaseError as error:
            raise MlsError(f"{self.path} can't be used as a study ({error})") from error
        if form == 1:
            self._hash_codes()
        elif form not in (0, _FORM):
            raise MlsError(f"{self.path} has form {form}, expected {_FORM}; use the version of MLS that made it")
        self.run("PRAGMA synchronous = FULL")  # an answer that was confirmed survives a power cut
        self.run("PRAGMA foreign_keys = ON")

    def _hash_codes(self) -> None:
        """Bring a study of the first form up to this one."""
        with self.transaction():
            for row in self.rows("SELECT number, code FROM participants"):
                self.run("UPDATE participants SET code = ? WHERE number = ?", hashed(row["code"]), row["number"])
            self.run(f"PRAGMA user_version = {_FORM}")

    def close(self) -> None:
        with self._turn:
            self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of it or nothing, and nobody else in between."""
        with self._turn:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                with suppress(sqlite3.Error):  # a full disk ends a transaction by itself
                    self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def run(self, statement: str, *values: object) -> sqlite3.Cursor:
        with self._turn:
            return self._connection.execute(statement, values)

    def rows(self, query: str, *values: object) -> list[sqlite3.Row]:
        with self._turn:
            return self._connection.execute(query, values).fetchall()

    def row(self, query: str, *values: object) -> sqlite3.Row | None:
        found = self.rows(query, *values)
        return found[0] if found else None

    def value(self, query: str, *values: object) -> Any:
        """The one value that a query has for an answer."""
        return self.rows(query, *values)[0][0]

    def copy_to(self, folder: Path) -> Store:
        """The same study in another folder, before anybody took part in it."""
        if folder.exists() and any(folder.iterdir()):
            raise MlsError(f"{folder} is not empty; choose another folder for the copy")
        with self._turn, sqlite3.connect(_made(folder) / FILE) as target:
            self._connection.backup(target)
        target.close()
        write_codes(folder, read_codes(self.path.parent))
        copy = Store.open(folder)
        with copy.transaction():
            for table in ("answers", "showings"):
                copy.run(f"DELETE FROM {table}")
            copy.run("UPDATE participants SET consented = 0, practised = 0, entries = 0, session = NULL")
        return copy


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise MlsError(f"{folder} can't be made ({error.strerror}); choose a folder you may write to") from error
    return folder
