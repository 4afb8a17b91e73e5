"""Write the best model of a training run as one ONNX file, which plays without torch.

A policy that was trained elsewhere and saved by Stable-Baselines3 can be exported too. Loading such
a zip file runs code that is inside it: `--trust` says that you know where it is from.
"""

from __future__ import annotations

import argparse

from tsuro_cli.arguments import UsageError, positive

EXAMPLE = "tsuro export runs/first -o model.onnx"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", metavar="RUN", help="directory of a run, or an SB3 zip file")
    parser.add_argument("-o", "--out", required=True, metavar="FILE", help="the model file")
    parser.add_argument(
        "--with-value", action="store_true", help="add the value as a second output, for search"
    )
    zipped = parser.add_argument_group("only for an SB3 zip file")
    zipped.add_argument("--trust", action="store_true", help="run the code that is in the zip")
    zipped.add_argument("--rules", choices=("course", "boxed"), help="what it was trained on")
    zipped.add_argument("--players", type=positive, metavar="N", help="with how many players")
    zipped.add_argument("--observation", choices=("options", "planes"), help="what it reads")


def run(args: argparse.Namespace) -> int:
    zip_options = (args.rules, args.players, args.observation)
    if args.run.endswith(".zip"):
        if not args.trust:
            raise UsageError(
                f"loading {args.run} runs code that is inside it; if you made it, add --trust"
            )
        if None in zip_options:
            raise UsageError("an SB3 zip file needs --rules, --players and --observation")
        from training.sb3_zip import export_zip

        info = export_zip(args.run, args.out, *zip_options, with_value=args.with_value)
    else:
        if args.trust or any(zip_options):
            raise UsageError("--trust, --rules, --players and --observation are for zip files")
        from training import export

        info = export(args.run, args.out, with_value=args.with_value)
    print(f"{args.out}: plays {info.game}")
    players = " ".join([args.out, *["greedy"] * (info.num_players - 1)])
    print(f"next: tsuro evaluate {players} --rules {info.rules.name}")
    return 0
