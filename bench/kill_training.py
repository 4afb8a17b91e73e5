"""Training that is killed again and again, and resumed: does it end as if nothing had happened?

    python -m bench.kill_training [--kills 5] [--preset quick] [--seed 3] [--out runs/killed]

Starts `tsuro train`, ends it with `kill -9` at random moments, resumes it each time, and says what
came of it: the steps, the evaluations, and the exported model against three random players.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import agents
from training import RunDirectory, export
from training.panel import win_share
from tsuro_env import BatchPlayer

TSURO = (sys.executable, "-m", "tsuro_cli")


def train_and_kill(begin: list[str], resume: list[str], seconds: list[float]) -> int:
    """Run `begin`, then `resume` until it ends by itself; how often it was killed on the way."""
    command, kills = begin, 0
    for wait in seconds:
        process = subprocess.Popen([*TSURO, *command])
        try:
            code = process.wait(wait)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills, command = kills + 1, resume
            print(f"killed after {wait:.0f} s", flush=True)
            continue
        if code:
            raise SystemExit(f"{' '.join(command)} ended with exit code {code}")
        return kills
    subprocess.run([*TSURO, *command], check=True)
    return kills


def report(run: RunDirectory, games: int) -> None:
    """What a finished run has come to."""
    config, progress = run.config(), run.progress()
    model = run.path / "model.onnx"
    export(run.path, model)
    player, other = agents.make(str(model)), agents.make("random", seed=1)
    assert isinstance(player, BatchPlayer)
    assert isinstance(other, BatchPlayer)
    share = win_share(player, other, config.game_rules, config.num_players, games, seed=99)
    print(f"steps {progress[-1]['steps']:.0f} of {config.steps}, {len(progress)} evaluations,")
    print(f"{share} of the wins against random in {share.games} games")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--preset", default="quick")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--longest", type=float, default=30.0, help="seconds between two kills")
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--out", default="runs/killed")
    args = parser.parse_args()
    chance = random.Random(args.seed)
    waits = [chance.uniform(10, args.longest) for _ in range(args.kills)]
    began = time.monotonic()
    begin = ["train", "--preset", args.preset, "--seed", str(args.seed), "-o", args.out]
    kills = train_and_kill(begin, ["train", "--resume", args.out], waits)
    print(f"killed {kills} times, done after {time.monotonic() - began:.0f} s")
    report(RunDirectory.open(Path(args.out)), args.games)


if __name__ == "__main__":
    main()
