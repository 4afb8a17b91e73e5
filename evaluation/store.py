"""The SQLite file of a tournament: who plays, every finished game, faults, and the ranking.

Written by one process as games finish, each in a transaction of its own (WAL), so that whatever
kills the process loses no finished game. Version 1 of the schema:

    tournament  key, value       the settings and, when it is over, the ranking; values are JSON
    entrants    id, name, spec, isolated
    games       id, round, block, moved, deal, rounds, finished, record
                id: the place in the schedule; deal: the seed, a text because it has 64 bits;
                rounds: of the game (boxed: turns); record: the game record, JSON packed by zlib
    seats       game, seat, entrant, rank, out, survival, moves, seconds
                rank: 0 for cheaters; out: why, or empty; the others as in `evaluation.games.Games`
    faults      game, entrant, reason, detail; game is null for a fault after the last game
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import numpy as np

from evaluation.entrants import Entrant
from evaluation.formats import Fixture
from evaluation.games import NOBODY, Games
from evaluation.table import Played
from tsuro_env.engine.state import OUT_REASONS
from tsuro_env.errors import TsuroError
from tsuro_env.guard import Fault
from tsuro_env.record import Record

VERSION = 1
APPLICATION = 0x5473726F  # "Tsro"

SCHEMA = """
CREATE TABLE tournament (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE entrants (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, spec TEXT NOT NULL, isolated INTEGER NOT NULL
);
CREATE TABLE games (
    id INTEGER PRIMARY KEY, round INTEGER NOT NULL, block INTEGER NOT NULL, moved INTEGER NOT NULL,
    deal TEXT NOT NULL, rounds INTEGER NOT NULL, finished TEXT NOT NULL, record BLOB NOT NULL
);
CREATE TABLE seats (
    game INTEGER NOT NULL REFERENCES games, seat INTEGER NOT NULL,
    entrant INTEGER NOT NULL REFERENCES entrants, rank INTEGER NOT NULL, out TEXT NOT NULL,
    survival REAL NOT NULL, moves INTEGER NOT NULL, seconds REAL NOT NULL,
    PRIMARY KEY (game, seat)
) WITHOUT ROWID;
CREATE TABLE faults (
    game INTEGER REFERENCES games, entrant INTEGER NOT NULL REFERENCES entrants,
    reason TEXT NOT NULL, detail TEXT NOT NULL
);
"""


class StoreError(TsuroError):
    """A file that holds no tournament, or one that this release cannot read."""


@dataclass(frozen=True)
class FaultNote:
    """A fault as it is kept; `game` is None for one after the last game."""

    name: str
    game: int | None
    reason: str
    detail: str


class Store:
    """Use `Store.create` or `Store.open`, and close it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        try:
            # Transactions are begun and ended here, not by the sqlite3 module.
            self._connection = sqlite3.connect(self.path, isolation_level=None)
        except sqlite3.Error as error:
            raise StoreError(f"{self.path}: {error}") from None

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        settings: Mapping[str, Any],
        entrants: Sequence[Entrant],
    ) -> Store:
        """A new tournament; the file must not hold anything yet."""
        if Path(path).is_file() and not _is_empty(path):
            raise StoreError(f"{path} exists; --resume goes on with a tournament")
        store = cls(path)
        with store._errors():
            # Together with WAL this outlives the process, not a failure of the power.
            store._execute("PRAGMA journal_mode = WAL")
        with store._transaction():
            for statement in SCHEMA.split(";")[:-1]:
                store._execute(statement)
            store._execute(f"PRAGMA application_id = {APPLICATION}")
            store._execute(f"PRAGMA user_version = {VERSION}")
            store._set("settings", dict(settings))
            for number, entrant in enumerate(entrants):
                row = (number, entrant.name, entrant.spec, entrant.isolated)
                store._execute("INSERT INTO entrants VALUES (?, ?, ?, ?)", row)
        return store

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Store:
        """A tournament that was begun before."""
        if not Path(path).is_file():
            raise FileNotFoundError(f"there is no file {path}")
        store = cls(path)
        with store._errors():
            (application,) = store._execute("PRAGMA application_id").fetchone()
            (version,) = store._execute("PRAGMA user_version").fetchone()
        if application != APPLICATION:
            store.close()
            raise StoreError(f"{path} holds no tournament")
        if version != VERSION:
            store.close()
            raise StoreError(f"{path} has version {version}; this release reads {VERSION}")
        return store

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # --------------------------------------------------------------------------------- writing

    def add_game(self, number: int, round_: int, fixture: Fixture, deal: int, game: Played) -> None:
        """A finished game, all of it or, if the process dies, nothing."""
        packed = zlib.compress(json.dumps(game.record, separators=(",", ":")).encode())
        now = datetime.now(timezone.utc).isoformat(timespec="seconds")
        with self._transaction():
            self._execute(
                "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (number, round_, fixture.block, fixture.moved, str(deal), game.rounds, now, packed),
            )
            for seat, entrant in enumerate(fixture.seats):
                self._execute(
                    "INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        number,
                        seat,
                        entrant,
                        game.ranks[seat],
                        OUT_REASONS[game.out[seat]],
                        game.survival[seat],
                        game.moves[seat],
                        game.seconds[seat],
                    ),
                )
            for seat, fault in game.faults.items():
                self._add_fault(number, fixture.seats[seat], fault)

    def finish(self, ranking: Sequence[Sequence[int]], late_faults: Mapping[int, Fault]) -> None:
        """The end of the tournament: its ranking, and faults after the last game."""
        with self._transaction():
            for entrant, fault in late_faults.items():
                self._add_fault(None, entrant, fault)
            self._set("ranking", [list(rank) for rank in ranking])

    def _add_fault(self, game: int | None, entrant: int, fault: Fault) -> None:
        # A message is a player's own text: it may hold what is no text at all.
        message = fault.message.encode("utf-8", "backslashreplace").decode()
        row = (game, entrant, fault.reason, message)
        self._execute("INSERT INTO faults VALUES (?, ?, ?, ?)", row)

    def _set(self, key: str, value: Any) -> None:
        self._execute("INSERT INTO tournament VALUES (?, ?)", (key, json.dumps(value)))

    # --------------------------------------------------------------------------------- reading

    @property
    def settings(self) -> dict[str, Any]:
        settings: dict[str, Any] = self._get("settings")
        return settings

    @property
    def ranking(self) -> list[list[int]] | None:
        """Numbers of entrants, best first; None as long as the tournament is not over."""
        ranking: list[list[int]] | None = self._get("ranking")
        return ranking

    @property
    def entrants(self) -> list[Entrant]:
        rows = self._rows("SELECT name, spec, isolated FROM entrants ORDER BY id")
        return [Entrant(name, spec, bool(isolated)) for name, spec, isolated in rows]

    @property
    def ranks(self) -> dict[int, list[int]]:
        """The ranks at each finished game's seats."""
        ranks: dict[int, list[int]] = {}
        for game, rank in self._rows("SELECT game, rank FROM seats ORDER BY game, seat"):
            ranks.setdefault(game, []).append(rank)
        return ranks

    @property
    def faults(self) -> list[FaultNote]:
        rows = self._rows(
            "SELECT name, game, reason, detail FROM faults JOIN entrants ON entrant = id "
            "ORDER BY game IS NULL, game, id"
        )
        return [FaultNote(*row) for row in rows]

    @property
    def games(self) -> Games:
        """All finished games in the order of the schedule, padded to the largest table."""
        columns = np.array(
            self._rows("SELECT id, block, rounds FROM games ORDER BY id"), dtype=np.int64
        ).reshape(-1, 3)
        place = {game: row for row, game in enumerate(columns[:, 0].tolist())}
        seats = self._rows("SELECT * FROM seats ORDER BY game, seat")
        shape = (len(columns), max((seat + 1 for _, seat, *_ in seats), default=0))
        games = Games(
            block=columns[:, 1],
            table=np.full(shape, NOBODY),
            ranks=np.zeros(shape, dtype=np.int8),
            out=np.zeros(shape, dtype=np.int8),
            rounds=columns[:, 2].astype(np.int32),
            survival=np.zeros(shape),
            moves=np.zeros(shape, dtype=np.int32),
            seconds=np.zeros(shape),
        )
        for game, seat, entrant, rank, out, survival, moves, seconds in seats:
            where = place[game], seat
            games.table[where] = entrant
            games.ranks[where] = rank
            games.out[where] = OUT_REASONS.index(out)
            games.survival[where] = survival
            games.moves[where] = moves
            games.seconds[where] = seconds
        return games

    @property
    def game_numbers(self) -> list[int]:
        """The finished games' places in the schedule, in order."""
        return [number for (number,) in self._rows("SELECT id FROM games ORDER BY id")]

    def record(self, game: int) -> Record:
        rows = self._rows("SELECT record FROM games WHERE id = ?", (game,))
        if not rows:
            raise StoreError(f"{self.path} has no game {game}")
        record: Record = json.loads(zlib.decompress(rows[0][0]))
        return record

    def seat_rows(self) -> Iterator[dict[str, Any]]:
        """A flat row for each seat of each finished game, for export."""
        cursor = self._execute(
            "SELECT games.id AS game, round, block, moved, deal, rounds, finished, seat, name, "
            "rank, out, survival, moves, seconds FROM seats "
            "JOIN games ON seats.game = games.id JOIN entrants ON entrant = entrants.id "
            "ORDER BY games.id, seat"
        )
        names = [column[0] for column in cursor.description]
        return (dict(zip(names, row, strict=True)) for row in cursor)

    # ------------------------------------------------------------------------------------ SQL

    def _get(self, key: str) -> Any:
        rows = self._rows("SELECT value FROM tournament WHERE key = ?", (key,))
        return json.loads(rows[0][0]) if rows else None

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._errors():
            return self._execute(query, values).fetchall()

    def _execute(self, statement: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        return self._connection.execute(statement, values)

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._errors():
            self._execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._execute("ROLLBACK")
                raise
            self._execute("COMMIT")

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"{self.path}: {error}") from error


def _is_empty(path: str | os.PathLike[str]) -> bool:
    """Nothing is in the file: a run that was killed before it began may leave it so."""
    with (
        contextlib.closing(sqlite3.connect(path)) as connection,
        contextlib.suppress(sqlite3.Error),
    ):
        return not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    return False
