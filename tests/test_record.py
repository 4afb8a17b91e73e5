"""Game records: complete JSON, replayed to the same end; whatever was changed in one is noticed."""

import copy
import itertools
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.players import METHODS, Honest, Rogue, answering, raising, tile_not_dealt
from tsuro_env import (
    Board,
    InitialPlacement,
    RecordError,
    Referee,
    RuleChecker,
    Rules,
    Tile,
    Verdict,
    record,
    replay,
)
from tsuro_env.record import VERSION, decode_answer, encode_answer

Record = dict[str, Any]


def game(
    players: int | list[Any] = 3, rule_checker: RuleChecker | None = None, **options: Any
) -> Record:
    table = [Honest() for _ in range(players)] if isinstance(players, int) else players
    referee = Referee(rule_checker, table, **{"seed": 5, "rules": Rules.course(5), **options})
    referee.start_game()
    return referee.record


def stuck_game() -> Record:
    return game(8, rules=Rules.course(4), setup="random", seed=3)


def given_game() -> Record:
    return game(tiles=(Tile(index) for index in itertools.cycle(range(34, -1, -1))))


def action_game() -> Record:
    """Driven by actions, and the first player's first tile action is illegal."""
    referee = Referee(None, ["a", "b", "c"], seed=5)
    for action in (12, 99):
        referee.submit_action(action)
    while not referee.finished:
        referee.submit_action(int(referee.legal_actions().argmax()))
    return referee.record


def cheaters_game(method: str, deed: Callable[..., Any], **options: Any) -> Record:
    return game([Honest(), Rogue(method, deed), Honest(), Honest()], **options)


GAMES: dict[str, Callable[[], Record]] = {
    "course": lambda: game(rules="course"),
    "cycle": lambda: game(5, tiles="cycle"),
    "given": given_game,
    "random setup": lambda: game(4, setup="random"),
    "stuck": stuck_game,
    "boxed": lambda: game(4, rules=Rules.boxed(4)),
    "boxed, random setup": lambda: game(8, rules="boxed", setup="random"),
    "large": lambda: game(2, rules=Rules.course(24), seed=0),
    "other deals": lambda: game(3, rules=Rules.course(7, 1, 3)),
    "actions": action_game,
    "not dealt": lambda: cheaters_game("take_turn", tile_not_dealt),
    "malformed": lambda: cheaters_game("take_turn", answering(None)),
    "late": lambda: cheaters_game(
        "take_turn", lambda *_: __import__("time").sleep(1), time_limit=0.3
    ),
    **{
        f"raises in {method}": lambda method=method: cheaters_game(
            method, raising(ValueError("é \ud800"))
        )
        for method in METHODS
    },
    "boxed cheater": lambda: cheaters_game("take_turn", answering(7), rules="boxed"),
    "boxed, raises at once": lambda: cheaters_game(
        "assign_color", raising(SystemExit()), rules="boxed"
    ),
    "all raise at once": lambda: game(
        [Rogue("assign_color", raising(KeyError())) for _ in range(3)]
    ),
}


@pytest.fixture(params=GAMES)
def played(request: pytest.FixtureRequest) -> Record:
    return GAMES[request.param]()


def test_a_record_is_plain_json(played: Record) -> None:
    assert json.loads(json.dumps(played)) == played
    assert list(played) == [
        "format", "version", "rules", "rule_checker", "setup", "supply", "seed", "players",
        "moves", "after", "ranking", "cheaters",
    ]  # fmt: skip


def test_a_record_replays_to_the_same_end(played: Record) -> None:
    assert replay(played).record == played


def test_a_record_tells_of_every_player_how_it_ended(played: Record) -> None:
    colors = [player["color"] for player in played["players"]]
    ranked = [color for rank in played["ranking"] for color in rank]
    cheaters = [entry["color"] for entry in played["cheaters"]]
    assert sorted(ranked + cheaters) == sorted(colors)
    assert all(entry["reason"] for entry in played["cheaters"])


def test_somebody_stuck_is_in_the_record() -> None:
    stuck = [entry for entry in stuck_game()["cheaters"] if entry["reason"] == "stuck"]
    assert stuck


def test_a_saved_record_is_loaded_as_it_was(tmp_path: Path, played: Record) -> None:
    record.save(played, tmp_path / "game.json")
    assert record.load(tmp_path / "game.json") == played
    assert os.listdir(tmp_path) == ["game.json"]


def test_a_game_that_goes_on_has_a_record_too_and_replays() -> None:
    referee = Referee(None, ["a", "b", "c"], seed=5)
    for _ in range(9):
        referee.submit_action(int(referee.legal_actions().argmax()))
    unfinished = referee.record
    assert unfinished["ranking"] is None
    assert replay(unfinished).record == unfinished


def test_the_record_is_the_callers_own() -> None:
    referee = Referee(None, ["a", "b", "c"], seed=5)
    referee.submit_action(12)
    referee.submit_action(0)
    for field in referee.record.values():
        if isinstance(field, list):
            for entry in field:
                entry.clear()
    assert replay(referee.record).record == referee.record


# -------------------------------------------------------------------------------------- tampering


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to everything in a JSON value."""
    if path:
        yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*path, key))


def changes(value: Any) -> list[Any]:
    """Other values that could stand in its place."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, None]
    if isinstance(value, str):
        return [value + "x", 7]
    if isinstance(value, list):
        return [[*value, None], value[:-1] if value else None]
    if isinstance(value, dict):
        return [None, *({k: v for k, v in value.items() if k != key} for key in value)]
    return [0]


def changed(original: Record, path: tuple[Any, ...], value: Any) -> Record:
    tampered = copy.deepcopy(original)
    inner: Any = tampered
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return tampered


def test_whatever_is_changed_in_a_record_is_noticed(played: Record) -> None:
    some_moves = (0, len(played["moves"]) // 2, len(played["moves"]) - 1)
    for path in places(played):
        if path[0] == "moves" and len(path) > 1 and path[1] not in some_moves:
            continue
        for value in changes(at(played, path)):
            tampered = changed(played, path, value)
            try:
                replayed = replay(tampered)
            except RecordError:
                continue
            assert replayed.record == tampered
            assert may_be_another_game(played, path), f"{path} = {value!r} went unnoticed"


def may_be_another_game(original: Record, path: tuple[Any, ...]) -> bool:
    """Whether a change there can give the true record of a game that ended the same."""
    drawn = original["supply"] in ("random", "deck") and any(m["dealt"] for m in original["moves"])
    return (
        (path[0] == "players" and path[-1] == "name")
        or (path == ("seed",) and not drawn)
        or path[:1] == ("rules",)  # a far side that nobody came near, deals that never came
        or (path[0] == "moves" and path[2:3] == ("answer",) and at(original, path[:3]) is not None)
        or (path[0] == "moves" and path[2:3] == ("dealt",) and original["supply"] == "given")
    )


def at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def test_of_a_supply_of_ones_own_the_tiles_played_are_verified() -> None:
    original = given_game()
    for number, move in enumerate(original["moves"]):
        if move["answer"] is None:
            continue
        tile = move["answer"][0] if move["kind"] == "placement" else move["answer"]
        slot = move["dealt"].index(tile[0])
        with pytest.raises(RecordError):
            replay(changed(original, ("moves", number, "dealt", slot), (tile[0] + 1) % 35))


@pytest.mark.parametrize("move", [0, 3, -1])
def test_a_move_that_is_missing_twice_or_moved_is_noticed(move: int) -> None:
    original = game()
    for moves in (
        [m for m in original["moves"] if m is not original["moves"][move]],
        [*original["moves"], original["moves"][move]],
        original["moves"][::-1],
        [],
    ):
        with pytest.raises(RecordError):
            replay({**original, "moves": moves})


def test_the_error_names_the_first_move_that_differs() -> None:
    original = game()
    wrong = changed(original, ("moves", 4, "placed"), not original["moves"][4]["placed"])
    with pytest.raises(RecordError, match="move 5: placed is False in the record, but True"):
        replay(wrong)
    with pytest.raises(RecordError, match=r"ranking is .* in the record, but"):
        replay({**original, "ranking": original["ranking"][::-1]})


# -------------------------------------------------------------------------- records of other kinds


@pytest.mark.parametrize("version", [0, VERSION + 1, "1", None])
def test_another_version_is_refused_by_name(version: Any) -> None:
    with pytest.raises(RecordError, match=f"has version {version!r}; this release reads version 1"):
        replay({**game(), "version": version})


@pytest.mark.parametrize("value", [None, [], 3, "text", {}, {"format": "tsuro"}])
def test_something_else_is_no_game_record(value: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(value))
    with pytest.raises(RecordError, match=r"game\.json is no game record"):
        record.load(path)
    with pytest.raises(RecordError, match="the record is no game record"):
        replay(value)


def test_a_file_that_was_cut_off_is_not_json(tmp_path: Path) -> None:
    whole = json.dumps(game())
    path = tmp_path / "game.json"
    for length in range(0, len(whole), len(whole) // 50):
        path.write_text(whole[:length])
        with pytest.raises(RecordError, match=r"game\.json is not JSON"):
            record.load(path)


@pytest.mark.parametrize(
    "content", [b"\xff\xfe", b"[" * 100_000, b'{"seed": ' + b"9" * 5000 + b"}"]
)
def test_a_file_of_no_readable_json_is_a_record_error(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(content)
    with pytest.raises(RecordError, match=r"game\.json is not JSON"):
        record.load(path)


def test_a_record_that_cannot_be_saved_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        record.save(game(), tmp_path / "missing" / "game.json")
    with pytest.raises(OSError):  # noqa: PT011  which one depends on the system
        record.save(game(), tmp_path)
    assert os.listdir(tmp_path) == []


class Strict(RuleChecker):
    """Nobody starts in a corner."""

    def check_initial(self, board: Board, tiles: Any, placement: InitialPlacement) -> Verdict:
        if {placement.x, placement.y} <= {0, board.size - 1}:
            return Verdict(False, "no corners")
        return super().check_initial(board, tiles, placement)


def test_a_game_judged_by_other_rules_needs_them_to_be_replayed() -> None:
    judged = game(3, Strict())
    assert judged["rule_checker"] == "Strict"
    with pytest.raises(RecordError, match="judged by Strict: give that rule checker"):
        replay(judged)
    assert replay(judged, Strict()).record == judged


@pytest.mark.parametrize(
    "answer",
    [
        None,
        Tile(13, 270),
        InitialPlacement(Tile(3, 90), "red", "E", 4, 0),
        InitialPlacement(None, "red", "A", 4, 0),
    ],
)
def test_answers_come_back_from_their_json(answer: Any) -> None:
    assert decode_answer(json.loads(json.dumps(encode_answer(answer)))) == answer
