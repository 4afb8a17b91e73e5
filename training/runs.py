"""`train`: one run from its config to its best model."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from training.config import Config
from training.curve import draw_learning_curve
from training.opponents import NetworkPlayer
from training.panel import win_share
from training.run_directory import RunDirectory
from training.session import Session, load, make_player
from training.watcher import Watcher
from tsuro_env.encodings import encoding_of

FRESH_SEED = 1 << 40
"""Added to a run's seed for games that no part of the run has seen."""
BEST_RESPONSE_GAMES = 10_000


def train(config: Config, directory: str | Path | None = None) -> RunDirectory:
    """Train as the config says, in a new directory. Ctrl-C saves and returns early."""
    run = RunDirectory.create(directory or time.strftime("runs/%Y%m%d-%H%M%S"), config)
    return _go(run, Session(config), {})


def resume(directory: str | Path) -> RunDirectory:
    """Go on with a run from its last checkpoint, or from the start if there was none yet."""
    run = RunDirectory.open(directory)
    session = Session(run.config())
    state = load(run.checkpoint) if run.checkpoint.exists() else {}
    if state:
        session.load_state(state)
    return _go(run, session, state)


def _go(run: RunDirectory, session: Session, state: dict[str, Any]) -> RunDirectory:
    config = session.config
    run.add_start(session.steps)
    history, seconds = state.get("history", []), state.get("seconds", 0.0)
    with Watcher(session, run, history, seconds) as watcher:
        if session.steps < config.steps:
            # Stable-Baselines3 counts on from the steps that the model has.
            left = config.steps - session.steps
            session.model.learn(left, watcher, log_interval=1, reset_num_timesteps=False)
        if not watcher.stopped:
            watcher.evaluate()
            draw_learning_curve(run, watcher.history)
            if config.against is not None:
                run.write_best_response(best_response(run, config.against))
    return run


def best_response(run: RunDirectory, against: str) -> dict[str, object]:
    """How far the run's best model beats the frozen player, in games that it was not chosen by.

    The frozen player gives away at least the lower end of this: a better opponent may exist.
    """
    config = run.config()
    network, _ = run.load_best()
    share = win_share(
        NetworkPlayer(network, encoding_of(config.observation), draws=False),
        make_player(against, config.seed + FRESH_SEED),
        config.game_rules,
        config.num_players,
        BEST_RESPONSE_GAMES,
        config.seed + FRESH_SEED,
    )
    fair = 1 / config.num_players
    return {
        "against": against,
        "num_players": config.num_players,
        **asdict(share),
        "fair_share": fair,
        "exploitable_by_at_least": max(0.0, share.share - share.margin - fair),
    }
