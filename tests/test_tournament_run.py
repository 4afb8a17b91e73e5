"""Tournaments: kept as they happen, the same whatever the workers, and resumed after a kill."""

import json
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import agents
from agents.scripted import SecondPlayer
from evaluation import Entrant, resume, tournament
from evaluation.entrants import EntrantError, from_file, is_foreign
from evaluation.extras import MissingExtraError
from evaluation.formats import FormatError
from evaluation.knockout import knockout
from evaluation.store import VERSION, Store, StoreError
from tsuro_cli.main import main
from tsuro_env import replay

FIELD = ["random", "second", "third", "first", "random:seed=3"]
SECOND = "agents.scripted:SecondPlayer"


def contents(path: Path) -> dict[str, list[Any]]:
    """All that is in a results file and not a matter of time."""
    queries = {
        "tournament": "SELECT * FROM tournament ORDER BY key",
        "entrants": "SELECT * FROM entrants ORDER BY id",
        "games": "SELECT id, round, block, moved, deal, rounds, record FROM games ORDER BY id",
        "seats": "SELECT game, seat, entrant, rank, out, survival, moves FROM seats ORDER BY 1, 2",
        "faults": "SELECT * FROM faults ORDER BY game, entrant",
    }
    connection = sqlite3.connect(path)
    try:
        return {name: connection.execute(query).fetchall() for name, query in queries.items()}
    finally:
        connection.close()


@pytest.mark.parametrize("format_", ["knockout", "round-robin", "swiss"])
def test_the_number_of_workers_changes_nothing(format_: str, tmp_path: Path) -> None:
    for workers in (1, 3):
        path = tmp_path / f"{workers}.sqlite"
        tournament([*FIELD, SECOND], path, format_, seed=5, workers=workers, rounds=1)
    assert contents(tmp_path / "1.sqlite") == contents(tmp_path / "3.sqlite")


def test_another_seed_gives_another_tournament(tmp_path: Path) -> None:
    for seed in (1, 2):
        tournament(FIELD, tmp_path / f"{seed}.sqlite", "knockout", seed=seed, workers=1)
    one, other = contents(tmp_path / "1.sqlite"), contents(tmp_path / "2.sqlite")
    assert one["games"] != other["games"]


def test_every_game_is_kept_with_a_record_that_replays(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    result = tournament(FIELD, path, "round-robin", seed=1, table_size=3, workers=1)
    assert len(result.games) == 10 * 3
    with Store.open(path) as store:
        assert store.game_numbers == list(range(30))
        for number in store.game_numbers:
            record = store.record(number)
            seats = result.games.table[number].tolist()
            assert [p["name"] for p in record["players"]] == [result.names[n] for n in seats]
            replayed = replay(record)
            ranks = result.games.ranks[number].tolist()
            assert [
                [seat for seat in range(3) if ranks[seat] == r + 1] for r in range(max(ranks))
            ] == (replayed.ranked_seats)


def test_faults_are_kept_with_the_game_and_the_reason(tmp_path: Path) -> None:
    result = tournament(["first", "random", "second"], tmp_path / "r.sqlite", seed=1, workers=1)
    assert result.faults
    for fault in result.faults:
        assert (fault.name, fault.reason) == ("first", "illegal")
        assert fault.game in range(3)
        assert "off the board" in fault.detail or "loop" in fault.detail


def test_a_knockout_ends_as_it_does_among_player_objects(tmp_path: Path) -> None:
    specs = ["first", "second", "third"] * 5
    path = tmp_path / "r.sqlite"
    result = tournament(specs, path, "knockout", supply="cycle", workers=2)
    players = [agents.make(spec) for spec in specs]
    expected = knockout(players)
    names = dict(zip(players, result.names, strict=True))
    assert [set(rank) for rank in result.ranking] == [
        {names[player] for player in rank} for rank in expected.ranking
    ]
    with Store.open(path) as store:
        games = store.games
        cheated = {store.entrants[n].name for n in games.table[(games.ranks == 0) & games.seated]}
    assert cheated == {names[player] for player in expected.cheaters}


class BadLoser(SecondPlayer):
    """Cannot stand to hear how a tournament ended."""

    def tournament_over(self, won: bool) -> None:
        raise RuntimeError("I do not want to know")


@pytest.mark.parametrize("isolate", [True, False])
def test_failing_at_the_end_of_a_knockout_is_cheating(tmp_path: Path, isolate: bool) -> None:
    spec = "tests.test_tournament_run:BadLoser"
    entrants = [spec, "second", "third"]
    result = tournament(entrants, tmp_path / "r", "knockout", isolate=isolate, workers=1)
    (fault,) = [fault for fault in result.faults if fault.game is None]
    assert (fault.name, fault.reason) == (spec, "exception")
    assert "I do not want to know" in fault.detail
    assert not any(spec in rank for rank in result.ranking)


# ---------------------------------------------------------------------------------------- resuming


def test_what_was_finished_is_not_played_again(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole.sqlite", tmp_path / "broken.sqlite"
    tournament(FIELD, whole, "swiss", seed=2, workers=1)

    def stop(done: int, total: int) -> None:
        if done == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tournament(FIELD, broken, "swiss", seed=2, workers=1, progress=stop)
    before = contents(broken)["games"]
    assert len(before) == 7
    again: list[int] = []
    resume(broken, workers=1, progress=lambda done, total: again.append(done))
    assert again == list(range(8, len(contents(whole)["games"]) + 1))
    assert contents(broken) == contents(whole)


def test_resuming_a_tournament_that_is_over_plays_nothing(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    first = tournament(["random", "second"], path, seed=1, workers=1)
    before = path.read_bytes()
    assert resume(path).ranking == first.ranking
    assert path.read_bytes() == before


def test_going_on_where_a_players_file_is_missing_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text("from agents.scripted import SecondPlayer as Mine\n")
    monkeypatch.chdir(tmp_path)

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tournament(["random", "mine.py:Mine"], "r.sqlite", workers=1, progress=stop)
    monkeypatch.chdir("/")
    with pytest.raises(EntrantError, match=r"there is no file mine\.py"):
        resume(tmp_path / "r.sqlite", workers=1)
    monkeypatch.chdir(tmp_path)
    assert not resume("r.sqlite", workers=1).faults


def start(*arguments: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "tsuro_cli", "tournament", *arguments],
        stdout=subprocess.DEVNULL,
    )


def finished_games(path: Path) -> int:
    try:
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            return int(connection.execute("SELECT count(*) FROM games").fetchone()[0])
        finally:
            connection.close()
    except sqlite3.Error:
        return 0  # not there yet


def workers_of(parent: int) -> set[int]:
    """The processes whose parent this is."""
    children = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent and fields[0] != "Z":
            children.add(int(stat.parent.name))
    return children


def test_killed_ten_times_a_tournament_ends_like_an_undisturbed_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    whole, broken = tmp_path / "whole.sqlite", tmp_path / "broken.sqlite"
    entrants = [*FIELD, SECOND]
    tournament(entrants, whole, "round-robin", seed=9, table_size=3, workers=2)
    total = finished_games(whole)
    moments = random.Random(4)
    done, kept = 0, 0
    for kill in range(11):
        common = ["--workers", "2"]
        if kill == 0:
            common += [*entrants, "--out", str(broken), "--seed", "9", "--table", "3"]
        else:
            common += ["--resume", str(broken)]
        process = start(*common)
        if kill == 10:
            assert process.wait(timeout=240) == 0
            break
        # At a random moment of its work: some games later, and some milliseconds.
        until = done + moments.randint(1, total // 12)
        while finished_games(broken) < until:
            assert process.poll() is None
            time.sleep(0.005)
        time.sleep(moments.random() * 0.05)
        helpers = workers_of(process.pid)
        assert helpers
        process.send_signal(signal.SIGKILL)
        process.wait()
        done = finished_games(broken)
        assert kept <= done < total
        kept = done
        # Nobody goes on working for a tournament that is dead, and nothing of it lies about.
        patience = time.monotonic() + 10
        while any(Path(f"/proc/{helper}").exists() for helper in helpers) or list(
            tmp_path.glob("tsuro-player-*")
        ):
            assert time.monotonic() < patience
            time.sleep(0.01)
    assert contents(broken) == contents(whole)


# ------------------------------------------------------------------------------- files and errors


def test_a_file_of_results_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    tournament(["random", "second"], path, workers=1)
    before = contents(path)
    with pytest.raises(StoreError, match="exists; --resume goes on"):
        tournament(["random", "second"], path, workers=1)
    assert contents(path) == before


def test_a_file_that_a_killed_start_left_empty_is_used(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    assert tournament(["random", "second"], path, workers=1).ranking


def test_a_file_that_is_something_else_is_left_alone(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear all, this is no tournament. " * 100)
    for attempt in (lambda: tournament(["random", "second"], letter), lambda: resume(letter)):
        with pytest.raises(StoreError):
            attempt()
    assert letter.read_text().startswith("Dear all")
    with pytest.raises(FileNotFoundError):
        resume(tmp_path / "missing.sqlite")
    assert list(tmp_path.iterdir()) == [letter]


def test_a_file_of_a_later_release_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    tournament(["random", "second"], path, workers=1)
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()
    with pytest.raises(StoreError, match=f"version {VERSION + 1}; this release reads {VERSION}"):
        resume(path)


@pytest.mark.parametrize(
    ("entrants", "options", "error", "message"),
    [
        (["random", "nobody"], {}, ValueError, "no player is called 'nobody'"),
        (["random"], {}, FormatError, "tables of 1"),
        (["random", "second"], {"format": "league"}, FormatError, "knockout, round-robin, swiss"),
        (["random", "no/such/file.py:P"], {}, EntrantError, "there is no file no/such/file.py"),
        (["random", "no_such_module:P"], {}, EntrantError, "there is no module no_such_module"),
        ([Entrant("a", "random"), Entrant("b", "second"), Entrant("b", "b")], {}, ValueError, "b"),
        (["random", "second"], {"setup": "magic"}, ValueError, "setup"),
        ([Entrant("half \ud800", "random"), "second"], {}, EntrantError, "written down"),
    ],
)
def test_what_cannot_be_held_is_an_error_before_there_is_a_file(
    entrants: list[Any], options: dict[str, Any], error: type, message: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=message):
        tournament(entrants, tmp_path / "r.sqlite", **options)
    assert list(tmp_path.iterdir()) == []


def test_entrants_come_from_a_yaml_file(tmp_path: Path) -> None:
    path = tmp_path / "entrants.yaml"
    path.write_text(
        "- random\n"
        "- {name: lucky, spec: random, options: {seed: 7}}\n"
        "- {spec: 'my_module:MyPlayer:depth=2', options: {careful: true}}\n"
        "- random\n"
    )
    assert from_file(path) == [
        Entrant("random-1", "random"),
        Entrant("lucky", "random:seed=7"),
        Entrant("my_module:MyPlayer:depth=2", "my_module:MyPlayer:depth=2,careful=True", True),
        Entrant("random-2", "random"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not YAML"),
        ("random", "expected a list of entrants"),
        ("[]", "expected a list of entrants"),
        ("- 3", "entrant 1: expected a spec"),
        ("- {name: x}", "spec must be a text"),
        ("- {spec: random, colour: red}", "expected a spec, or name, spec and options"),
        ("- {spec: random, name: 3}", "name must be a text"),
        ("- {spec: random, options: [1]}", "options must be a mapping"),
        ("- {spec: random, options: {a: [1]}}", "option a"),
        ("- {spec: random, options: {a: 'b,c=d'}}", "option a"),
        ("- !!python/object/apply:os.system ['false']", "is not YAML"),
    ],
)
def test_a_bad_file_of_entrants_is_an_error_that_says_where(
    text: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "entrants.yaml"
    path.write_text(text)
    with pytest.raises(EntrantError, match=message):
        from_file(path)


def test_without_the_extra_the_error_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'tsuro-env\[eval\]'"):
        from_file(tmp_path / "entrants.yaml")


@pytest.mark.parametrize(
    ("spec", "foreign"),
    [
        ("random", False),
        ("random:seed=3", False),
        ("model.onnx", False),
        ("my_module:MyPlayer", True),
        ("my_module:MyPlayer:depth=3", True),
        ("path/to/file.py:MyPlayer", True),
    ],
)
def test_classes_of_modules_and_files_are_foreign(spec: str, foreign: bool) -> None:
    assert is_foreign(spec) is foreign


# ----------------------------------------------------------------------------------- command line


def test_the_command_prints_the_ranking_the_table_and_the_faults(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["second", "third", "first", "--out", str(tmp_path / "r.sqlite"), "--seed", "1"]
    assert main(["tournament", *arguments, "--format", "swiss", "--workers", "1"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("1. ")
    assert "points of the row against  second  third  first" in out
    assert "first: illegal," in out


def test_the_commands_json_has_everything(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "r.sqlite")
    assert main(["tournament", "random", "first", "--out", path, "--json", "--workers", "1"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["format"] == "round-robin"
    assert told["games"] == 2
    assert sorted(map(tuple, told["ranking"])) == [("first",), ("random",)]
    assert told["ratings"]["anchor"] == "random"
    assert main(["tournament", "--resume", path, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == told


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["random", "second"], "--out names the file"),
        (["--out", "r.sqlite"], "name the entrants"),
        (["random", "--entrants", "e.yaml", "--out", "r.sqlite"], "name the entrants"),
        (["random", "--resume", "r.sqlite"], "--resume takes everything from the file"),
        (["--resume", "missing.sqlite"], "there is no file missing.sqlite"),
        (["random", "second", "--out", "no/such/folder/r.sqlite"], "unable to open"),
    ],
)
def test_the_command_says_in_a_line_what_is_wrong(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["tournament", *arguments]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1
