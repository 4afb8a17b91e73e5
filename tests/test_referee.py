"""The referee with honest players: questions, answers, what everybody is told, and the end."""

import itertools
import random
from typing import Any

import pytest

from tests.players import Honest, Notebook, Rogue, raising
from tsuro_env import (
    COLORS,
    ActionError,
    Board,
    Fault,
    InitialPlacement,
    Referee,
    RuleChecker,
    Rules,
    Tile,
    TsuroError,
)

RULES = ["course", "boxed"]


STUCK_SEED, SEED = 1, 5
"""A game of three in which somebody is stuck, and one in which nobody is."""


def play(players: int = 3, **options: Any) -> tuple[Referee, list[Honest], list[set[Any]]]:
    table = [Honest() for _ in range(players)]
    referee = Referee(None, table, **{"seed": SEED, **options})
    return referee, table, referee.start_game()


def an_answer(referee: Referee) -> InitialPlacement | Tile:
    """What `Honest` would answer to the open question."""
    pending = referee.pending
    assert pending is not None
    player = Honest()
    player.assign_color(pending.color, [])
    if pending.kind == "turn":
        return player.take_turn(pending.tiles, pending.board)
    return player.initial_placement(pending.tiles, pending.board)


# ----------------------------------------------------------------------------------- the question


def test_the_oldest_is_asked_first_and_everybody_places_before_anybody_moves() -> None:
    referee = Referee(None, ["a", "b", "c"], seed=1)
    asked = []
    for _ in range(7):
        pending = referee.pending
        assert pending is not None
        assert pending.seat == referee.seat_to_move
        asked.append((pending.color, pending.kind, len(pending.tiles)))
        referee.submit(an_answer(referee))
    placements = [(color, "placement", 3) for color in ("white", "black", "red")]
    turns = [(color, "turn", 2) for color in ("white", "black", "red", "white")]
    assert asked == placements + turns


def test_in_boxed_everybody_is_asked_with_a_hand_of_three() -> None:
    referee = Referee(None, ["a", "b"], rules="boxed", seed=1)
    kinds = []
    for _ in range(6):
        pending = referee.pending
        assert pending is not None
        assert len(pending.tiles) == 3
        kinds.append(pending.kind)
        referee.submit(an_answer(referee))
    assert kinds == ["placement"] * 2 + ["turn"] * 4


def test_the_board_that_is_asked_about_is_a_copy() -> None:
    referee = Referee(None, ["a", "b"], seed=1)
    pending = referee.pending
    assert pending is not None
    pending.board._state.tiles[:] = 0
    assert referee.board == Board.empty()
    assert referee.pending is not None
    assert referee.pending.board == Board.empty()


def test_asking_twice_changes_nothing() -> None:
    referee = Referee(None, ["a", "b"], seed=1)
    assert referee.pending == referee.pending


# ------------------------------------------------------------------------------------- the answer


def test_a_legal_answer_is_applied() -> None:
    referee = Referee(None, ["a", "b"], "cycle", seed=1)
    verdict = referee.submit(InitialPlacement(Tile(2, 0), "white", "E", 4, 0))
    assert verdict
    assert referee.board.tile_at(4, 0) == Tile(2)
    assert referee.pending is not None
    assert referee.pending.tiles == (Tile(3), Tile(4), Tile(5))


def test_an_illegal_answer_takes_the_player_out_and_places_nothing() -> None:
    referee = Referee(None, ["a", "b", "c"], "cycle", seed=1)
    verdict = referee.submit(InitialPlacement(Tile(7), "white", "E", 4, 0))
    assert not verdict
    assert "none of the tiles dealt: 0, 1, 2" in verdict.reason
    assert referee.board == Board.empty()
    assert referee.out == {"white": "illegal"}
    assert referee.cheaters == {"a": Fault("illegal", verdict.reason)}
    # The tiles were dealt all the same.
    assert referee.pending is not None
    assert (referee.pending.color, referee.pending.tiles) == ("black", (Tile(3), Tile(4), Tile(5)))


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seed", range(5))
def test_answers_and_actions_play_the_same_game(rules: str, seed: int) -> None:
    by_answers, by_actions = (
        Referee(None, ["a", "b", "c", "d"], rules=rules, seed=seed) for _ in range(2)
    )
    while not by_answers.finished:
        answer = an_answer(by_answers)
        for action in actions_for(by_actions, answer):
            assert by_actions.legal_actions()[action] == 1
            assert by_actions.submit_action(action)
        assert by_answers.submit(answer)
        assert by_actions.finished == by_answers.finished
    assert by_actions.record == by_answers.record


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seed", range(6))
def test_answers_and_actions_can_be_mixed_and_the_record_read_at_any_time(
    rules: str, seed: int
) -> None:
    chance = random.Random(seed)
    by_answers, mixed = (Referee(None, ["a", "b", "c"], rules=rules, seed=seed) for _ in range(2))
    while not by_answers.finished:
        answer = an_answer(by_answers)
        actions = actions_for(mixed, answer)
        for action in actions[: chance.randrange(len(actions) + 1)]:
            mixed.submit_action(action)
        by_answers.submit(answer)
        if chance.random() < 0.2:
            mixed = mixed.copy()
        if mixed.moves_made < by_answers.moves_made:
            mixed.submit(answer)  # also where a start action has been given already
        if chance.random() < 0.3:
            assert mixed.record == by_answers.record
    assert mixed.record == by_answers.record


def actions_for(referee: Referee, answer: InitialPlacement | Tile) -> list[int]:
    pending = referee.pending
    assert pending is not None
    if isinstance(answer, Tile):
        return [tile_action(pending.tiles, answer)]
    spots = RuleChecker().legal_spots(Board.empty(referee.rules))
    start = 12 + spots.index((answer.x, answer.y, answer.port))
    if answer.tile is None:
        return [start]
    return [start, tile_action(pending.tiles, answer.tile)]


def tile_action(tiles: tuple[Tile, ...], tile: Tile) -> int:
    return 4 * [t.index for t in tiles].index(tile.index) + tile.degrees // 90


def test_a_start_action_leaves_the_same_player_asked_for_the_tile() -> None:
    referee = Referee(None, ["a", "b"], seed=1)
    assert referee.legal_actions().sum() == 208
    referee.submit_action(12)
    assert referee.seat_to_move == 0
    assert referee.pending is not None
    assert referee.pending.kind == "placement"
    assert referee.legal_actions().tolist() == [1] * 12 + [0] * 208
    assert referee.board == Board.empty()


def test_lookalike_rotations_can_be_left_out_of_the_mask() -> None:
    referee = Referee(None, ["a", "b"], itertools.repeat(Tile(34)), seed=1)
    referee.submit_action(12)
    assert referee.legal_actions(unique=True).tolist()[:12] == [1, 0, 0, 0] * 3


@pytest.mark.parametrize("action", [-1, 0, 11, 220, 10**6])
def test_an_illegal_action_takes_the_player_out(action: int) -> None:
    referee = Referee(None, ["a", "b", "c"], seed=1)
    verdict = referee.submit_action(action)
    assert verdict.reason == f"action {action} is not legal when asked for a start spot"
    assert referee.out == {"white": "illegal"}
    assert referee.cheaters["a"] == Fault("illegal", verdict.reason)


@pytest.mark.parametrize("action", [None, 1.0, "1", True, [1]])
def test_an_action_that_is_no_whole_number_is_an_error_and_no_answer(action: Any) -> None:
    referee = Referee(None, ["a", "b"], seed=1)
    with pytest.raises(ActionError, match="an action is a whole number, got") as error:
        referee.submit_action(action)
    assert repr(action) in str(error.value)
    assert referee.out == {}


# ---------------------------------------------------------------------------- what players are told


@pytest.mark.parametrize("players", range(2, 9))
def test_everybody_is_told_the_colours_in_the_order_of_play(players: int) -> None:
    _, table, _ = play(players)
    for seat, player in enumerate(table):
        others = tuple(color for color in COLORS[:players] if color != COLORS[seat])
        assert player.calls[0] == ("assign_color", COLORS[seat], others)
        assert player.called.count("assign_color") == 1
        assert player.called.count("initial_placement") == 1


def test_everybody_is_told_at_the_end_whether_he_won_lost_or_drew() -> None:
    results = set()
    for seed in range(60):
        _, _, ranking = play(3, rules=Rules.course(4), setup="random", seed=seed)
        for rank, players in enumerate(ranking):
            told = {player.calls[-1] for player in players}
            expected = "lost" if rank else "won" if len(players) == 1 else "drew"
            assert told == {("game_over", expected)}
            results.add(expected)
    assert results == {"won", "lost", "drew"}


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seed", range(6))
def test_nobody_is_asked_after_he_is_out(rules: str, seed: int) -> None:
    referee, table, _ = play(5, rules=rules, seed=seed)
    went_out = {
        entry["color"]: number
        for number, move in enumerate(referee.record["moves"])
        for entry in move["out"]
    }
    for number, move in enumerate(referee.record["moves"]):
        assert number <= went_out.get(move["color"], number)
    for player in table:
        turns = [
            move
            for move in referee.record["moves"]
            if (move["color"], move["kind"]) == (player.color, "turn") and move["answer"]
        ]
        assert player.called.count("take_turn") == len(turns)


def test_a_cheater_is_not_even_told_the_result() -> None:
    rogue = Rogue("take_turn", raising(ValueError()))
    Referee(None, [Honest(), rogue, Honest()], seed=1).start_game()
    assert rogue.called == ["assign_color", "initial_placement", "take_turn"]


def test_if_everybody_cheats_nobody_wins() -> None:
    rogues = [Rogue("take_turn", raising(ValueError())) for _ in range(3)]
    referee = Referee(None, rogues, seed=1)
    ranking = referee.start_game()
    # The game ends as soon as one is left: he did not get to cheat.
    assert ranking == [{rogues[2]}]
    rogues = [Rogue("assign_color", raising(ValueError())) for _ in range(3)]
    referee = Referee(None, rogues, seed=1)
    assert referee.start_game() == []
    assert set(referee.cheaters) == set(rogues)
    assert referee.record["ranking"] == []


def test_whoever_fails_to_hear_the_result_is_a_cheater_too() -> None:
    rogue = Rogue("game_over", raising(ValueError("no!")))
    referee = Referee(None, [rogue, Honest(), Honest()], seed=SEED)
    ranking = referee.start_game()
    assert referee.cheaters == {rogue: Fault("exception", "ValueError: no!")}
    assert not any(rogue in rank for rank in ranking)
    assert referee.record["after"] == [
        {"color": "white", "reason": "exception", "detail": "ValueError: no!"}
    ]


# -------------------------------------------------------------------------------------- observers


@pytest.mark.parametrize("rules", RULES)
def test_observers_are_told_everything_in_order(rules: str) -> None:
    notebook = Notebook()
    referee, _, _ = play(3, rules=rules, observers=[notebook], names=["Ann", "Bob", "Cid"])
    record = referee.record
    assert notebook.told[0][0] == "game_started"
    assert notebook.of("game_started") == [
        (Rules.from_name(rules), {"white": "Ann", "black": "Bob", "red": "Cid"})
    ]
    started, ended = notebook.of("turn_started"), notebook.of("turn_ended")
    assert [(color, [t.index for t in tiles]) for color, tiles, _ in started] == [
        (move["color"], move["dealt"]) for move in record["moves"]
    ]
    assert [color for color, _, _ in ended] == [move["color"] for move in record["moves"]]
    assert notebook.of("player_out") == [
        (entry["color"], entry["reason"]) for move in record["moves"] for entry in move["out"]
    ]
    assert notebook.told[-1] == ("game_over", record["ranking"], {})
    assert ended[-1][2] == referee.board


def test_an_observer_sees_the_board_before_and_after_each_turn() -> None:
    notebook = Notebook()
    play(3, observers=[notebook])
    board = Board.empty()
    for kind, color, *rest in notebook.told[1:-1]:
        if kind == "turn_started":
            assert rest[1] == board
        elif kind == "turn_ended":
            answer, after = rest
            if isinstance(answer, InitialPlacement):
                board = board.place_initial(answer)
            else:
                board = board.place_tile(color, answer)
            assert after == board


def test_an_observer_is_told_of_an_unusable_answer() -> None:
    notebook = Notebook()
    rogue = Rogue("take_turn", raising(ValueError()))
    Referee(None, [rogue, Honest(), Honest()], observers=[notebook], seed=1).start_game()
    assert ("white", "exception") in notebook.of("player_out")
    assert ("white", None) in [(color, answer) for color, answer, _ in notebook.of("turn_ended")]
    assert notebook.of("game_over")[0][1] == {"white": "exception"}


def test_an_observer_changes_nothing_in_the_game() -> None:
    watched, _, _ = play(4, observers=[Notebook()])
    alone, _, _ = play(4)
    assert watched.record == alone.record


# ----------------------------------------------------------------------------------------- the end


def test_whoever_is_stuck_is_not_asked_and_counts_as_a_cheater() -> None:
    notebook = Notebook()
    referee, table, ranking = play(3, seed=STUCK_SEED, observers=[notebook])
    (stuck,) = (move for move in referee.record["moves"] if move["answer"] is None)
    player = next(player for player in table if player.color == stuck["color"])
    assert referee.cheaters == {player: Fault("stuck", "no option is legal")}
    assert referee.out[player.color] == "stuck"
    assert not any(player in rank for rank in ranking)
    assert (stuck["placed"], len(stuck["dealt"])) == (False, 2)
    assert "game_over" not in player.called
    assert (player.color, "stuck") in notebook.of("player_out")


def test_after_the_end_nobody_is_asked() -> None:
    referee, _, ranking = play(3)
    assert referee.finished
    assert referee.pending is None
    assert referee.seat_to_move == -1
    assert referee.ranking == ranking
    assert not referee.legal_actions().any()
    for attempt in (
        lambda: referee.submit(Tile(0)),
        lambda: referee.submit_action(0),
        lambda: referee.kick("late"),
    ):
        with pytest.raises(TsuroError, match="the game is over"):
            attempt()


def test_there_is_no_ranking_before_the_end() -> None:
    with pytest.raises(TsuroError, match="no ranking before the game is over"):
        _ = Referee(None, ["a", "b"], seed=1).ranking


def test_a_referee_plays_one_game() -> None:
    referee, _, _ = play(2)
    with pytest.raises(TsuroError, match="begun already"):
        referee.start_game()
    begun = Referee(None, ["a", "b"], seed=1)
    begun.submit_action(12)
    with pytest.raises(TsuroError, match="begun already"):
        begun.start_game()


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seed", range(8))
def test_everybody_is_either_ranked_once_or_a_cheater(rules: str, seed: int) -> None:
    referee, table, ranking = play(6, rules=rules, seed=seed)
    listed = [player for rank in ranking for player in rank] + list(referee.cheaters)
    assert sorted(map(id, listed)) == sorted(map(id, table))
    assert all(ranking)
