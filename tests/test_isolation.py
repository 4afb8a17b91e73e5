"""Players in processes of their own: they play the same, and what they do there stays there."""

import contextlib
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import agents
from evaluation import Entrant, Limits, TournamentResult, play_match, tournament, wire
from evaluation.isolation import IsolatedPlayer, IsolationError, Launcher
from evaluation.store import Store
from evaluation.table import Played, Setting, play_game
from tests.rogues.base import Rogue
from tsuro_env import Board, GameBatch, Rules, Tile
from tsuro_env.guard import Fault

GALLERY = "tests.rogues.gallery"
SHORT = Limits(move_seconds=1.0, first_seconds=20.0, cpu_seconds=20)


@contextlib.contextmanager
def mark(folder: Path) -> Iterator[Path]:
    """Every process that a player starts has this folder in its environment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(folder))
        patch.setattr("tempfile.tempdir", None)
        yield folder


@pytest.fixture
def marked(tmp_path: Path) -> Iterator[Path]:
    with mark(tmp_path) as folder:
        yield folder


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Launcher, Path]]:
    with mark(tmp_path_factory.mktemp("players")) as folder:
        launcher = Launcher(SHORT)
        yield launcher, folder
        launcher.close()
        assert processes_of(folder) == []


@pytest.fixture
def launcher(shared: tuple[Launcher, Path]) -> Iterator[Launcher]:
    """A launcher under whose players nothing is left after the test."""
    launcher, folder = shared
    with mark(folder):
        yield launcher
        for process in list(launcher._living):
            process.close()
        assert [line for line in processes_of(folder) if "isolated_player" not in line] == []
        assert len(processes_of(folder)) <= 1  # the launcher itself
        assert list(folder.glob("tsuro-player-*")) == []


def processes_of(folder: Path) -> list[str]:
    """The command lines of the living processes that have the folder in their environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it may end while we look
            if f"TMPDIR={folder}\0".encode() in (process / "environ").read_bytes() + b"\0":
                found.append((process / "cmdline").read_text())
    return found


def play(launcher: Launcher, *specs: str, deal: int = 11, rules: str = "course") -> Played:
    setting = Setting(Rules.from_name(rules))
    players = [IsolatedPlayer(spec, setting.rules, launcher) for spec in specs]
    return play_game(players, specs, setting, deal)


def rogue(name: str) -> str:
    return f"{GALLERY}:{name}"


SECOND, THIRD = "agents.scripted:SecondPlayer", "agents.scripted:ThirdPlayer"


@pytest.mark.parametrize("rules", ["course", "boxed"])
def test_an_isolated_player_plays_as_it_does_in_this_process(
    launcher: Launcher, rules: str
) -> None:
    specs = [SECOND, THIRD, "random:seed=1", "random:seed=2"]
    for deal in range(3):
        here = play_game(
            [agents.make(spec) for spec in specs], specs, Setting(Rules.from_name(rules)), deal
        )
        assert play(launcher, *specs, deal=deal, rules=rules).record == here.record


@pytest.mark.parametrize("rules", ["course", "boxed"])
def test_a_board_goes_through_the_wire_unchanged(rules: str) -> None:
    games = GameBatch(8, rules, 5, seed=3)
    for _ in range(60):
        for game in range(8):
            board = Board.of_game(games.rules, games.state, game)
            assert wire.decode_board(games.rules, wire.encode_board(board)) == board
        games.step(games.random_actions())


@pytest.mark.parametrize(
    ("name", "reason", "detail"),
    [
        ("EndlessLoop", "late", "no answer within 1 s"),
        ("Late", "late", "no answer within 1 s"),
        ("Parent", "exception", "left 2 processes running"),
        ("Glutton", "exception", "MemoryError"),
        ("Crash", "exception", "its process was ended by SIGABRT"),
        ("Exit", "exception", "its process ended with exit code 3"),
        ("Garbage", "malformed", "expected JSON, got b'\\x00\\xff[[[[{not json"),
        ("Endless", "malformed", "more than 65536 bytes for an answer"),
        ("Pickle", "malformed", "expected JSON, got b'\\x80"),
        ("ClosedPipe", "exception", "it closed its pipe"),
        ("Quitter", "exception", "SystemExit: enough"),
    ],
)
def test_a_rogue_is_out_with_its_fault_named_and_the_others_play_on(
    launcher: Launcher, name: str, reason: str, detail: str
) -> None:
    played = play(launcher, SECOND, rogue(name), THIRD)
    assert list(played.faults) == [1]
    assert played.faults[1].reason == reason
    assert played.faults[1].message.startswith(detail)
    assert played.ranks[1] == 0
    assert min(played.ranks[0], played.ranks[2]) == 1


def test_printing_harms_nobody_and_is_no_fault(launcher: Launcher) -> None:
    flooded = play(launcher, SECOND, rogue("Flood"), THIRD)
    assert flooded.faults == {}
    assert flooded.ranks == play(launcher, SECOND, SECOND, THIRD).ranks


def test_a_player_that_computes_behind_the_referees_back_uses_up_its_time(marked: Path) -> None:
    launcher = Launcher(Limits(move_seconds=5, first_seconds=20, cpu_seconds=1))
    burner = IsolatedPlayer(rogue("Burner"), Rules.course(), launcher)
    assert burner.assign_color("white", ["black"]) is None
    board = Board.empty()
    burner.initial_placement([Tile(2)] * 3, board)
    placed = board.place_initial(burner.initial_placement([Tile(2)] * 3, board))
    for _ in range(2):
        assert isinstance(burner.take_turn([Tile(2), Tile(2)], placed), Tile)
    time.sleep(1.0)
    fault: Any = None
    for _ in range(100):
        fault = burner.take_turn([Tile(2), Tile(2)], placed)
        if isinstance(fault, Fault):
            break
        time.sleep(0.1)
    assert fault == Fault("exception", "its process was ended by SIGXCPU")
    launcher.close()
    assert processes_of(marked) == []


def test_after_a_fault_the_next_game_has_a_new_process(launcher: Launcher) -> None:
    player = IsolatedPlayer(rogue("Crash"), Rules.course(), launcher)
    other = IsolatedPlayer(SECOND, Rules.course(), launcher)
    for deal in range(3):
        played = play_game([player, other], ["rogue", "other"], Setting(), deal)
        assert played.faults[0].message == "its process was ended by SIGABRT"
        assert played.moves[0] == 3


def test_every_game_has_a_player_of_its_own_in_the_same_process(launcher: Launcher) -> None:
    player = IsolatedPlayer("tests.test_isolation:Forgetful", Rules.course(), launcher)
    other = IsolatedPlayer(SECOND, Rules.course(), launcher)
    for deal in range(3):
        assert play_game([player, other], ["a", "b"], Setting(), deal).faults == {}


class Forgetful(Rogue):
    """Fails if the process is a new one, or the player an old one, in the second game."""

    games: list[int] = []  # noqa: RUF012  shared by the players of a process, to see that it is one

    def __init__(self) -> None:
        self.games.append(os.getpid())
        self.colors = 0

    def assign_color(self, color: str, others: Sequence[str]) -> None:
        super().assign_color(color, others)
        self.colors += 1
        assert self.colors == 1
        assert set(self.games) == {os.getpid()}

    def misbehave(self) -> None:
        pass


def test_a_player_sees_a_clean_environment_and_a_folder_of_its_own(
    marked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "do not show")
    launcher = Launcher(SHORT)
    played = play(launcher, "tests.test_isolation:Spy", SECOND)
    launcher.close()
    detail = played.faults[0].message
    assert "SECRET_TOKEN" not in detail
    assert f"in {marked}/tsuro-player-" in detail
    assert "descriptors 0 1 2" in detail


class Spy(Rogue):
    """Tells what it sees."""

    def misbehave(self) -> None:
        names = " ".join(os.environ)
        nowhere = " ".join(
            str(n) for n in range(3) if os.readlink(f"/proc/self/fd/{n}") == os.devnull
        )
        raise ValueError(f"in {os.getcwd()} descriptors {nowhere} {names}")


def test_a_spec_that_makes_no_player_is_a_fault_of_that_player(launcher: Launcher) -> None:
    played = play(launcher, SECOND, "tests.rogues.gallery:Nobody", THIRD)
    assert played.faults[1].reason == "exception"
    assert "has no player 'Nobody'" in played.faults[1].message


def test_the_process_that_was_idle_longest_makes_room(
    launcher: Launcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluation.isolation.MAX_LIVING", 3)
    players = [IsolatedPlayer(SECOND, Rules.course(), launcher) for _ in range(6)]
    for deal in range(4):
        pair = players[deal : deal + 2]
        assert play_game(pair, ["a", "b"], Setting(), deal).faults == {}
        assert len(launcher._living) <= 3


def test_a_limit_may_be_endless(marked: Path) -> None:
    launcher = Launcher(Limits(move_seconds=float("inf"), first_seconds=1e300))
    assert play(launcher, SECOND, THIRD).faults == {}
    launcher.close()


def test_a_limit_must_be_positive() -> None:
    with pytest.raises(IsolationError, match="move_seconds must be positive, got 0"):
        Limits(move_seconds=0)


@pytest.mark.parametrize(
    "line",
    [b"", b"null\n", b"[1\n", b'"void"\n', b"[1e999, 0]\n", b"[" * 60_000, b"9" * 9_000, b"{}\n",
     b'{"late": "mine"}\n', b'{"exception": 3}\n', b"[0, 45]\n", b"[0, 0, 0]\n", b"[true, 0]\n",
     b"\xff\xfe\n", b"NaN\n", b"[[[0, 0], 1], 2]\n", b'["ab", "cd"]\n',
     b'[0, 0, "red", "A", 1, 0]\n'],
)  # fmt: skip
def test_no_line_of_a_player_is_trusted(line: bytes) -> None:
    for question in (wire.TAKE_TURN, wire.INITIAL):
        answer = wire.read_answer(line, question)
        assert type(answer) is Fault
        assert answer.reason == "malformed"


def test_a_match_may_isolate_its_players_and_gives_the_same_results() -> None:
    players = ["random", SECOND, THIRD]
    here = play_match(players, 6, seed=5, workers=1)
    there = play_match(players, 6, seed=5, workers=2, isolate=True)
    assert (here.games.ranks == there.games.ranks).all()
    assert (here.games.survival == there.games.survival).all()


# ------------------------------------------------------------------- the gallery in a tournament

ROGUES = ("EndlessLoop", "Parent", "Glutton", "Flood", "Crash", "Garbage", "Pickle", "Late")
ROGUES += ("ClosedPipe",)
HONEST = ("random", "second", "third", SECOND, THIRD, "random:seed=1", "random:seed=2")


def field_of_sixteen(rogues: str) -> list[Entrant]:
    """The gallery among honest players; `rogues` is where the gallery's classes are taken from."""
    named = [Entrant(f"honest {n}", spec, ":" in spec) for n, spec in enumerate(HONEST)]
    named += [Entrant(name, f"{rogues}:{name}", rogues == GALLERY) for name in ROGUES]
    return named[::3] + named[1::3] + named[2::3]


def fates(path: Path) -> list[Any]:
    """What became of everybody, whatever a fault was called."""
    with Store.open(path) as store:
        records = [store.record(number) for number in store.game_numbers]
        games = store.games
        ranks, table = games.ranks.tolist(), games.table.tolist()
    answers = [[(m["color"], m["dealt"], m["answer"]) for m in r["moves"]] for r in records]
    return [table, ranks, answers]


@pytest.mark.parametrize(("format_", "games"), [("knockout", 6), ("swiss", 16)])
def test_a_tournament_with_the_gallery_ends_as_if_the_rogues_had_only_raised_errors(
    format_: str, games: int, marked: Path
) -> None:
    def hold(rogues: str) -> tuple[TournamentResult, Path]:
        path = marked / f"{rogues}.sqlite"
        entrants = field_of_sixteen(rogues)
        result = tournament(entrants, path, format_, seed=4, rounds=1, limits=SHORT, workers=2)
        return result, path

    result, path = hold(GALLERY)
    assert len(result.names) == 16
    assert len(result.games) >= games
    assert processes_of(marked) == []

    # The same tournament with players that raise an exception at the same moments.
    tame, tame_path = hold("tests.rogues.tame")
    assert fates(path) == fates(tame_path)
    assert result.ranking == tame.ranking

    named = {fault.name: (fault.reason, fault.detail) for fault in result.faults}
    assert named.keys() == set(ROGUES) - {"Flood"}
    assert {name: reason for name, (reason, _) in named.items()} == {
        "EndlessLoop": "late",
        "Late": "late",
        "Parent": "exception",
        "Glutton": "exception",
        "Crash": "exception",
        "ClosedPipe": "exception",
        "Garbage": "malformed",
        "Pickle": "malformed",
    }
    assert all(detail for _, detail in named.values())
