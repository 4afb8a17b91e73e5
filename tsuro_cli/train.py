"""Train a player by self-play, and keep everything about the run in one directory.

`--preset quick` takes a few minutes, `standard` an hour or two, `full` a day. Ctrl-C saves; a run
that was stopped or killed goes on with `--resume`. `--against` learns to beat one player that does
not learn, and tells how far that can be beaten.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from tsuro_cli.arguments import UsageError, natural, positive

if TYPE_CHECKING:
    from training import Config, RunDirectory

EXAMPLE = "tsuro train --preset quick --seed 1 -o runs/first"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--preset", choices=("quick", "standard", "full"), help="size of the run")
    parser.add_argument("--config", metavar="FILE", help="settings from a YAML file instead")
    parser.add_argument("--rules", choices=("course", "boxed"), help="rule set (course)")
    parser.add_argument("--players", type=positive, metavar="N", help="how many play (4)")
    parser.add_argument("--steps", type=positive, metavar="N", help="decisions of the learner")
    parser.add_argument("--seed", type=natural, metavar="N", help="makes the run repeatable (0)")
    parser.add_argument("--against", metavar="PLAYER", help="learn to beat this player only")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="any other setting, as in the YAML file; may be repeated",
    )
    parser.add_argument("-o", "--out", metavar="DIR", help="where to (runs/TIME)")
    parser.add_argument("--resume", metavar="DIR", help="go on with the run in this directory")


def run(args: argparse.Namespace) -> int:
    from training import resume, train

    if args.resume:
        _check_alone(args)
        finished = resume(args.resume)
    else:
        finished = train(_config(args), args.out)
    print(_summary(finished))
    return 0


def _check_alone(args: argparse.Namespace) -> None:
    others = {key: value for key, value in vars(args).items() if key != "resume" and value}
    if others:
        raise UsageError(f"--resume goes on as the run was begun: without {', '.join(others)}")


def _config(args: argparse.Namespace) -> Config:
    from training import Config

    changes = _settings(args.set)
    for option, setting in (
        ("rules", "rules"),
        ("players", "num_players"),
        ("steps", "steps"),
        ("seed", "seed"),
        ("against", "against"),
    ):
        if getattr(args, option) is not None:
            changes[setting] = getattr(args, option)
    if args.config and args.preset:
        raise UsageError("either --preset or --config, not both")
    if args.config:
        return Config.from_yaml(args.config, **changes)
    return Config.preset(args.preset or "quick", **changes)


def _settings(texts: list[str]) -> dict[str, Any]:
    import yaml

    settings = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"--set needs NAME=VALUE, got {text!r}")
        settings[name] = yaml.safe_load(value)
    return settings


def _summary(finished: RunDirectory) -> str:
    rows = finished.progress()
    if not rows:
        return f"{finished.path}: no evaluation yet; go on with tsuro train --resume"
    best = max(rows, key=lambda row: row["panel"])
    shares = ", ".join(
        f"{best[key]:.3f} ± {best[f'{key} ±']:.3f} against {key}"
        for key in best
        if f"{key} ±" in best
    )
    lines = [f"{finished.path}: best at {best['steps']:.0f} steps, {shares}"]
    response = finished.best_response()
    if response:
        lines.append(
            f"{response['against']} is exploitable by at least "
            f"{response['exploitable_by_at_least']:.3f}: a player that knows it takes "
            f"{response['share']:.3f} ± {response['margin']:.3f} of the wins where "
            f"{response['fair_share']:.3f} is fair"
        )
    lines.append(f"next: tsuro export {finished.path} -o model.onnx")
    return "\n".join(lines)
