"""The course's five harnesses, as functions from JSON values to JSON values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import agents
from agents.scripted import FirstPlayer
from evaluation.knockout import knockout
from tsuro_cli import course_json
from tsuro_cli.course_json import CourseFormatError
from tsuro_env import Board, Referee, RuleChecker, StrategyPlayer

Players = dict[StrategyPlayer, str]


def answer(harness: str, text: str) -> list[str]:
    """The lines that a harness prints; a bad input raises before there is any."""
    results = HARNESSES[harness](course_json.read_values(text))
    return [course_json.to_line(result) for result in results]


def xtiles(values: list[Any]) -> list[Any]:
    """For each tile and entrance the exit."""
    entrances = [course_json.entrance(value) for value in values]
    return [["if ", at, " is the entrance, ", tile[at], " is the exit."] for tile, at in entrances]


def xboard(values: list[Any]) -> list[Any]:
    """What becomes of red while actions are applied, whether they are legal or not."""
    if not values:
        raise CourseFormatError("expected a board and actions, got nothing")
    board = course_json.board(values[0])
    actions = [course_json.action_pat(value) for value in values[1:]]
    playing = board.colors
    if "red" not in playing:
        return ["red never played"]
    for mover, tile in actions:
        if mover not in playing:
            raise CourseFormatError(f"{mover} acts but was never on the board")
        if mover not in board.colors:
            if mover == "red":
                break
            continue  # somebody else died before, and has nothing to move
        if board.trial(mover, tile) == "LOOP":
            return ["infinite"]
        together = _collisions(board)
        board = board.place_tile(mover, tile)
        if _collisions(board) - together:
            return ["collision"]
    return [course_json.initial_place(board, "red") if "red" in board.colors else "red died"]


def _collisions(board: Board) -> set[tuple[str, str]]:
    """The pairs of avatars that stand on one port."""
    standing = {color: board.avatar(color) for color in board.colors}
    return {(a, b) for a in standing for b in standing if a < b and standing[a] == standing[b]}


def xrules(values: list[Any]) -> list[Any]:
    """Whether a turn is legal."""
    state, turn = _exactly(values, 2, "a board and a turn")
    board = course_json.board(state)
    (mover, tile), tiles = course_json.turn_pat(turn)
    if mover not in board.colors:
        raise CourseFormatError(f"{mover} is not on the board")
    return ["legal" if RuleChecker().check_turn(board, mover, tiles, tile) else "cheating"]


def xref(values: list[Any]) -> list[Any]:
    """One game of `first` players with the tiles dealt in a cycle."""
    (given,) = _exactly(values, 1, "a list of names")
    names: Players = {FirstPlayer(): name for name in course_json.referee_names(given)}
    referee = Referee(None, list(names), "cycle")
    ranking = referee.start_game()
    return [_outcome(names, ranking, referee.cheaters)]


def xadmin(values: list[Any]) -> list[Any]:
    """A knock-out tournament with the tiles of each game dealt in a cycle."""
    (given,) = _exactly(values, 1, "a list of entrants")
    names = {agents.make(player): name for name, player in course_json.entrants(given)}
    result = knockout(list(names), supply=lambda: "cycle")
    return [_outcome(names, result.ranking, result.cheaters)]


def _outcome(
    names: Players,
    ranking: Iterable[Iterable[StrategyPlayer]],
    cheaters: Iterable[StrategyPlayer],
) -> dict[str, Any]:
    return course_json.outcome(
        [[names[player] for player in rank] for rank in ranking],
        [names[player] for player in cheaters],
    )


def _exactly(values: list[Any], count: int, what: str) -> list[Any]:
    if len(values) != count:
        raise CourseFormatError(f"expected {what}, got {len(values)} values")
    return values


HARNESSES: dict[str, Callable[[list[Any]], list[Any]]] = {
    "xtiles": xtiles,
    "xboard": xboard,
    "xrules": xrules,
    "xref": xref,
    "xadmin": xadmin,
}
