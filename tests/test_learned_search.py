"""Searching with a trained net, and the tiles that it thinks up."""

import time

import numpy as np
import pytest
import torch

from agents.kernels.redeal import redeal_batch
from agents.learned_search import LearnedSearchPlayer
from agents.model_info import ModelError, ModelInfo, ModelMismatchError
from agents.search import BudgetError
from agents.shipped_models import model_for
from training.networks import OptionsNetwork
from training.onnx_export import export_network
from tsuro_env import GameBatch, Referee, Rules
from tsuro_env.encodings import encoding_of
from tsuro_env.engine.state import (
    DECK_SIZE,
    FACING,
    HAND,
    IN,
    NO_TILE,
    NOTHING,
    OUT,
    TO_MOVE,
    validate,
)

GAMES = np.arange(40)


def some_games(rules, num_players, moves):
    games = GameBatch(len(GAMES), rules, num_players, seed=6, restart=False)
    for _ in range(moves):
        games.step(games.random_actions())
    return games


def redealt(games, seed=0):
    twin = games.copy()
    words = np.random.default_rng(seed).integers(2**64, size=len(GAMES), dtype=np.uint64)
    redeal_batch(tuple(twin.state), tuple(twin.variant), 0, len(GAMES), GAMES, words)
    return twin


def tiles_of(games, game):
    """On the board, in every hand, in the deck."""
    state = games.state
    board = [tile // 4 for tile in state.tiles[game].tolist() if tile != NO_TILE]
    hands = [t for t in state.seats[game, :, HAND:].ravel().tolist() if t != NOTHING]
    return board, hands, state.deck[game, : state.game[game, DECK_SIZE]].tolist()


@pytest.mark.parametrize("num_players", [2, 5])
@pytest.mark.parametrize("moves", [0, 8, 20])
def test_a_redealt_boxed_game_has_every_tile_once_and_leaves_what_is_seen(num_players, moves):
    games = some_games("boxed", num_players, moves)
    going = games.to_move != NOTHING
    assert going.any()
    for twin in (redealt(games, 1), redealt(games, 2)):
        validate(twin.state, twin.variant)
        for game in GAMES[going]:
            board, hands, deck = tiles_of(twin, game)
            assert sorted([*board, *hands, *deck]) == list(range(35))
            asked = games.state.game[game, TO_MOVE]
            before, after = games.state.seats[game], twin.state.seats[game]
            assert (before[asked] == after[asked]).all()
            assert ((before[:, OUT] == IN) == (after[:, OUT] == IN)).all()
            assert (before[:, FACING] == after[:, FACING]).all()
            others = (after[:, OUT] == IN) & (np.arange(num_players) != asked)
            if deck:
                assert (after[others, HAND:] != NOTHING).all()
        assert (twin.state.tiles == games.state.tiles).all()


def test_what_is_dealt_again_does_not_depend_on_what_was_hidden():
    games = some_games("boxed", 3, 6)
    once, twice = redealt(games, 1), redealt(redealt(games, 2), 1)
    for name, field in once.state._asdict().items():
        assert np.array_equal(field, getattr(twice.state, name)), name


def test_every_unseen_tile_is_as_likely_in_every_place():
    games = GameBatch(4000, "boxed", 2, seed=np.full(4000, 9, dtype=np.uint64))
    words = np.random.default_rng(0).integers(2**64, size=4000, dtype=np.uint64)
    rows = np.arange(4000)
    redeal_batch(tuple(games.state), tuple(games.variant), 0, 4000, rows, words)
    own = games.state.seats[0, 0, HAND:]
    counts = np.bincount(games.state.seats[:, 1, HAND:].ravel(), minlength=35)
    assert (counts[own] == 0).all()
    unseen = np.delete(counts, own)
    assert np.abs(unseen / (3 * 4000) - 1 / 32).max() < 0.006


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """Small untrained nets with a value, for both rule sets."""
    torch.manual_seed(0)
    folder, files = tmp_path_factory.mktemp("models"), {}
    for rules in (Rules.course(6), Rules.boxed()):
        info = ModelInfo.of(rules, 3, encoding_of("options"), {})
        network = OptionsNetwork(rules.variant(3), 8)
        files[rules] = folder / f"{rules.name}.onnx"
        export_network(network, info, files[rules], with_value=True)
    export_network(network, info, folder / "no_value.onnx")
    return files


@pytest.mark.parametrize("rules", [Rules.course(6), Rules.boxed()])
@pytest.mark.parametrize("moves", [0, 1, 9])
def test_a_search_chooses_legal_moves_and_the_same_alone_as_in_a_batch(models, rules, moves):
    games = some_games(rules, 3, moves)
    which = GAMES[games.to_move != NOTHING][:8]
    player = LearnedSearchPlayer(str(models[rules]), simulations=60, seed=2)
    actions = player.choose(games, which)
    assert games.legal_actions(which)[np.arange(len(which)), actions].all()
    alone = [player.choose(games, which[i : i + 1])[0] for i in range(len(which))]
    assert actions.tolist() == alone


def test_hidden_tiles_do_not_sway_a_search(models):
    games = some_games("boxed", 3, 9)
    which = GAMES[games.to_move != NOTHING][:8]
    player = LearnedSearchPlayer(str(models[Rules.boxed()]), simulations=60, seed=2)
    assert (player.choose(games, which) == player.choose(redealt(games), which)).all()


@pytest.mark.parametrize("rules", [Rules.course(6), Rules.boxed()])
def test_searchers_play_whole_games_for_a_referee(models, rules):
    players = [LearnedSearchPlayer(str(models[rules]), simulations=20, seed=s) for s in range(3)]
    referee = Referee(None, players, rules=rules, seed=1)
    ranking = referee.start_game()
    assert not referee.cheaters
    assert sum(len(rank) for rank in ranking) == 3


def test_a_search_sees_a_loss_that_an_untrained_policy_does_not(models):
    """One tile keeps the player in and the other lets it be pushed out or go out at once."""
    rules = Rules.course(6)
    games = some_games(rules, 3, 14)
    which = GAMES[games.to_move != NOTHING]
    player = LearnedSearchPlayer(str(models[rules]), simulations=240, horizon=3, seed=0)
    policy = player.policy(games)
    lost = {}
    for name, actions in (("search", player.choose(games, which)),
                          ("policy", policy.choose(games, which))):  # fmt: skip
        twin = games.copy()
        seats = twin.to_move[which]
        twin.step(actions, which)
        going = which
        for _ in range(12):
            going = which[twin.to_move[which] != NOTHING]
            if len(going):
                twin.step(policy.choose(twin, going), going)
        lost[name] = (twin.state.seats[which, seats, OUT] != IN).mean()
    assert lost["search"] <= lost["policy"]


def test_a_budget_in_milliseconds_is_kept(models):
    games = some_games(Rules.course(6), 3, 9)
    which = GAMES[games.to_move != NOTHING][:1]
    player = LearnedSearchPlayer(str(models[Rules.course(6)]), milliseconds=200)
    player.choose(games, which)
    started = time.perf_counter()
    player.choose(games, which)
    assert time.perf_counter() - started < 1


def test_a_model_without_a_value_cannot_be_searched_with(models):
    path = models[Rules.boxed()].with_name("no_value.onnx")
    with pytest.raises(ModelError, match="has no value: export it with --with-value"):
        LearnedSearchPlayer(str(path))


def test_a_model_for_another_game_is_told_apart(models):
    player = LearnedSearchPlayer(str(models[Rules.boxed()]))
    with pytest.raises(ModelMismatchError, match="plays boxed on 6×6 with 3 players"):
        player.choose(some_games("course", 4, 0), GAMES[:1])


def test_a_game_that_no_shipped_model_plays_is_an_error_that_lists_them():
    with pytest.raises(ModelError, match="no model is shipped for course on 10×10 with 7 players"):
        model_for(Rules.course(), 7)


@pytest.mark.parametrize("options", [{"simulations": 0}, {"horizon": 0}, {"milliseconds": 0}])
def test_a_budget_of_nothing_is_refused(models, options):
    with pytest.raises(BudgetError, match=next(iter(options))):
        LearnedSearchPlayer(str(models[Rules.boxed()]), **options)
