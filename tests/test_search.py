"""Players that look ahead by playing on: what they simulate, what they may know, what they cost."""

import time

import numpy as np
import pytest

import agents
from agents.kernels.playouts import UNDECIDED, play_on_batch, simulate
from agents.kernels.redeal import BEFORE
from agents.playout_search import AT_RANDOM, QUICKLY, MctsPlayer, MonteCarloPlayer
from agents.search import BudgetError, Search
from training.panel import win_share
from tsuro_env import Board, GameBatch, Referee, Rules
from tsuro_env.engine.kernels import legal_turns
from tsuro_env.engine.state import (
    FACING,
    HAND,
    IN,
    LEGAL,
    NOTHING,
    OUT,
    OUT_AT,
    PHASE,
    STUCK,
    TURN,
    Variant,
)

GAMES = np.arange(40)
RULES = [Rules.course(6), Rules.boxed()]
PLAYERS = [MctsPlayer, MonteCarloPlayer]


def some_games(rules, num_players, moves, seed=6):
    games = GameBatch(len(GAMES), rules, num_players, seed=seed, restart=False)
    for _ in range(moves):
        games.step(games.random_actions())
    return games


def asked(games):
    return np.flatnonzero(games.state.game[:, PHASE] == TURN)


def shares(games, game, options, count, quickly=QUICKLY, first=0):
    """The shares of the win that simulations of these options gave, added up."""
    total = np.zeros(len(options))
    fields, rules = tuple(games.state), tuple(games.variant)
    simulate(fields, rules, game, np.uint64(3), first, count, quickly, np.asarray(options), total)
    return total


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("moves", [0, 1, 9])
def test_it_chooses_legal_moves_and_the_same_alone_as_in_a_batch(player, rules, moves):
    games = some_games(rules, 3, moves)
    which = GAMES[games.to_move != NOTHING][:8]
    searcher = player(simulations=60, seed=2)
    actions = searcher.choose(games, which)
    assert games.legal_actions(which)[np.arange(len(which)), actions].all()
    alone = [searcher.choose(games, which[i : i + 1])[0] for i in range(len(which))]
    assert actions.tolist() == alone


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("rules", RULES)
def test_a_referee_gets_the_same_answers_as_a_batch(player, rules):
    """A referee shows a board and tiles only: what a batch hides must not matter."""
    seeds = [1, 2, 3]
    specs = [player(simulations=20, seed=seed) for seed in seeds]
    referee = Referee(None, specs, rules=rules, seed=4)
    referee.start_game()
    assert not referee.cheaters
    games = GameBatch(1, rules, 3, seed=np.array([4], dtype=np.uint64), restart=False)
    while games.to_move[0] != NOTHING:
        seat = games.to_move[0]
        games.step(player(simulations=20, seed=seeds[seat]).choose(games, np.zeros(1, np.int64)))
    assert Board.of_game(rules, games.state) == referee.board


@pytest.mark.parametrize("player", PLAYERS)
def test_hidden_tiles_and_the_coming_deal_do_not_sway_it(player):
    for rules in RULES:
        games = some_games(rules, 3, 9)
        which = asked(games)[:8]
        searcher = player(simulations=60, seed=2)
        before = searcher.choose(games, which)
        other = games.copy()
        other.state.chance[:] = 12345
        if rules.is_boxed:  # swap the deck and the others' tiles about
            other.state.deck[:] = other.state.deck[:, ::-1].copy()
            for game in which:
                seat = games.to_move[game]
                others = [s for s in range(3) if s != seat]
                hands = other.state.seats[game, others, HAND:]
                other.state.seats[game, others, HAND:] = hands[::-1].copy()
        assert (searcher.choose(other, which) == before).all()


def test_a_supply_that_can_be_foreseen_is_not():
    games = GameBatch(4, "course", 2, seed=1, setup="random", supply="cycle")
    random = GameBatch(4, "course", 2, seed=1, setup="random")
    for name, field in games.state._asdict().items():
        getattr(random.state, name)[:] = field
    player = MctsPlayer(simulations=40, seed=0)
    which = np.arange(4)
    assert (player.choose(games, which) == player.choose(random, which)).all()


def test_a_simulation_of_a_move_that_ends_the_game_is_its_result():
    found = {0.0: 0, 1.0: 0}
    for rules in RULES:
        games = some_games(rules, 2, 12)
        # Both before the same square: the one who moves can push the other out.
        for game in asked(games):
            mover, other = games.to_move[game], 1 - games.to_move[game]
            square = games.state.seats[game, mover, FACING] & -8
            if game % 2:
                games.state.seats[game, other, FACING] = square + game % 8
        games.state.game[:, LEGAL] = [
            legal_turns(games.state, game, games.to_move[game]) if game in asked(games) else 0
            for game in GAMES
        ]
        for game in asked(games):
            for action in np.flatnonzero(games.legal_actions()[game]):
                after = GameBatch(1, rules, 2, restart=False)
                for name, field in games.state._asdict().items():
                    getattr(after.state, name)[0] = field[game]
                seat = after.to_move[0]
                after.step(np.array([action]))
                by_chance = (after.state.seats[0, :, OUT] == STUCK).any()  # by the next deal
                if after.finished[0] and not by_chance:
                    won = after.ranks[0] == 1
                    share = won[seat] / max(won.sum(), 1)
                    for quickly in (QUICKLY, AT_RANDOM):
                        assert shares(games, game, [action], 5, quickly)[0] == 5 * share
                    found[share] = found.get(share, 0) + 1
    assert found[0.0] > 3
    assert found[1.0] > 3


def test_random_simulations_win_as_often_as_games_that_go_on_at_random():
    """A simulation is the engine's own game: the shares agree with those of a batch of games."""
    games = some_games(Rules.course(6), 3, 9)
    game = asked(games)[0]
    action = int(np.flatnonzero(games.legal_actions()[game])[0])
    count = 4000
    many = GameBatch(count, Rules.course(6), 3, seed=1, restart=False)
    for name, field in games.state._asdict().items():
        if name != "chance":
            getattr(many.state, name)[:] = field[game]
    seat = games.to_move[game]
    many.step(np.full(count, action))
    share = np.zeros(count)
    while (going := np.flatnonzero(many.to_move != NOTHING)).size:
        many.step(many.random_actions()[going], going)
        ended = np.flatnonzero(many.finished)
        first = many.ranks[ended] == 1
        share[ended] = first[:, seat] / np.maximum(first.sum(axis=1), 1)
    simulated = shares(games, game, [action], count, AT_RANDOM)[0] / count
    assert abs(simulated - share.mean()) < 4 * np.sqrt(0.5 / count)


def test_simulations_can_be_made_in_parts():
    games = some_games(Rules.boxed(), 3, 8)
    game = asked(games)[0]
    options = np.flatnonzero(games.legal_actions()[game])
    whole = shares(games, game, options, 30)
    parts = shares(games, game, options, 10) + shares(games, game, options, 20, first=10)
    assert (whole == parts).all()


@pytest.mark.parametrize("rules", RULES)
def test_simulations_up_to_a_horizon_are_the_beginnings_of_whole_ones(rules):
    """Those that are decided before it are worth the same, the others ask the same player."""
    games = some_games(rules, 3, 9)
    count, stopped = 40, 0
    for game in asked(games)[:5]:
        options = np.flatnonzero(games.legal_actions()[game])[:2]
        batch = GameBatch(2 * count, rules, 3, restart=False)
        worth = np.empty(2 * count)
        play_on_batch(
            tuple(batch.state), tuple(batch.variant), tuple(games.state.take([game])),
            np.uint64(3), 0, count, options, 2, worth,
        )  # fmt: skip
        for row, share in enumerate(worth):
            option, number = divmod(row, count)
            if share == UNDECIDED:
                stopped += 1
                assert batch.to_move[row] == games.to_move[game]
                assert batch.state.game[row, LEGAL] != 0
                out = batch.state.seats[row, :, OUT] != IN
                was_out = games.state.seats[game, :, OUT] != IN
                assert (batch.state.seats[row, was_out, OUT_AT] == BEFORE).all()
                assert (out >= was_out).all()
            else:
                assert share == shares(games, game, options[[option]], 1, first=number)[0]
    assert 0 < stopped < 10 * count


class Coins(Search):
    """Options whose chance to win is known; counts what is asked of it."""

    def __init__(self, chances, prior=None, trust=0.0):
        super().__init__(np.arange(len(chances)) + 100, np.zeros(len(chances)))
        self.chances, self.asked, self.trust = np.array(chances), 0, trust
        if prior is not None:
            self.prior = np.array(prior)
        self.random = np.random.default_rng(0)

    def simulate(self, alive, count):
        assert len(set(self.count[alive])) == 1
        self.asked += len(alive) * count
        return self.random.binomial(count, self.chances[alive]).astype(float)


def test_the_search_finds_the_best_option_and_keeps_its_budget():
    for best in range(7):
        chances = np.full(7, 0.4)
        chances[best] = 0.6
        search = Coins(chances)
        assert search.best(1500, None) == 100 + best
        assert 1300 <= search.asked <= 1500
        assert search.count[best] == search.count.max() > 2 * search.count.min()


def test_a_prior_decides_between_options_that_simulations_cannot_tell_apart():
    assert Coins([0.5, 0.5, 0.5], [0.0, 0.5, 0.0], trust=50).best(30, None) == 101
    assert Coins([0.1, 0.1, 0.9], [0.0, 0.2, 0.0], trust=50).best(3000, None) == 102


@pytest.mark.parametrize("spec", ["mcts:milliseconds=60", "montecarlo:milliseconds=60"])
def test_a_budget_in_milliseconds_is_used_and_kept(spec):
    games = some_games("course", 4, 16)
    which = np.array([g for g in asked(games) if games.legal_actions()[g].sum() > 4][:1])
    player = agents.make(spec)
    player.choose(games, which)
    started = time.perf_counter()
    player.choose(games, which)
    assert 0.03 < time.perf_counter() - started < 0.5


@pytest.mark.parametrize(
    "options",
    ["simulations=0", "simulations=2.5", "milliseconds=0", "milliseconds=-1", "milliseconds=x"],
)
@pytest.mark.parametrize("name", ["mcts", "montecarlo"])
def test_a_budget_that_makes_no_search_is_refused(name, options):
    with pytest.raises(agents.AgentOptionError, match=options.split("=")[0]) as caught:
        agents.make(f"{name}:{options}")
    assert isinstance(caught.value.__cause__, BudgetError)


def test_looking_ahead_pays():
    """Small budgets and few games: the figures are measured by bench/strength.py."""
    course = Rules.course(6)
    mcts, montecarlo = MctsPlayer(simulations=120, seed=1), MonteCarloPlayer(60, seed=1)
    assert win_share(mcts, agents.make("greedy"), course, 2, 120).share > 0.5
    assert win_share(montecarlo, agents.make("random", seed=2), course, 2, 60).share > 0.65


def test_a_search_works_on_every_size_and_number_of_players():
    for rules in (Rules.course(4), Rules.course(12), Rules.boxed(5)):
        variant: Variant = rules.variant(5)
        games = GameBatch(3, rules, 5, seed=2, setup="random", restart=False)
        assert games.variant.size == variant.size
        actions = MctsPlayer(simulations=30, seed=0).choose(games, np.arange(3))
        assert games.legal_actions()[np.arange(3), actions].all()
