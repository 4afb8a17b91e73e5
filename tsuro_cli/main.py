"""Entry point of `tsuro`: finds the command's module and turns errors into one line.

Only the module of the command that was asked for is imported, and the command modules import the
game inside `run`, so that every `--help` answers at once.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

from tsuro_cli.arguments import Parser, UsageError

# Each command is a module of this package with EXAMPLE (a str), add_arguments(parser) and
# run(args) -> exit code.
COMMANDS = {
    "play": "play one game between named players and draw it",
    "watch": "watch a recorded game move by move",
    "replay": "replay a recorded game and check that it ends the same",
    "train": "train a player by self-play",
    "export": "write a trained player as one ONNX file",
    "evaluate": "play many games between players and print a table",
    "tournament": "hold a tournament and keep every game in a file",
    "report": "make a page of a tournament's results",
    "check-player": "play a player through odd situations and say what it does wrong",
    "bench": "measure the speed of the engine",
    "harness": "answer the course's test inputs",
}

INTERRUPTED = 130  # what a shell reports for a command that Ctrl-C stopped
BROKEN_PIPE = 141  # ... and for one whose reader went away


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; bad input is one line on stderr and exit code 2, never a traceback."""
    _open_closed_streams()
    try:
        code = _run(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The interpreter flushes stdout once more at exit, and would complain again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except (ValueError, OSError, ImportError) as error:  # ImportError: an extra is missing
        message = " ".join(str(error).split()) or type(error).__name__
        print(f"tsuro: {message}", file=sys.stderr)
        return 2


def _open_closed_streams() -> None:
    """Where the caller closed a standard stream, Python has None in its place."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115  until the end


def _run(arguments: list[str]) -> int:
    try:
        if not arguments:
            raise UsageError(f"a command is needed: {', '.join(COMMANDS)} (see tsuro --help)")
        chosen = _top_parser().parse_args(arguments)
        command = importlib.import_module(f"tsuro_cli.{chosen.command.replace('-', '_')}")
        parser = Parser(
            prog=f"tsuro {chosen.command}",
            description=command.__doc__,
            epilog=f"example:\n  {command.EXAMPLE}",
        )
        command.add_arguments(parser)
        args = parser.parse_args(chosen.rest)
    except SystemExit as stop:  # --help and --version
        return int(stop.code or 0)
    # `module:Class` players are looked for in the working directory too, after everything else.
    sys.path.append(os.getcwd())
    return int(command.run(args))


def _top_parser() -> Parser:
    width = max(map(len, COMMANDS))
    listing = "\n".join(f"  {name:{width}}  {purpose}" for name, purpose in COMMANDS.items())
    parser = Parser(
        prog="tsuro",
        usage="tsuro [--help] [--version] COMMAND ...",
        description=f"The board game Tsuro.\n\ncommands:\n{listing}",
        epilog="`tsuro COMMAND --help` explains a command and gives an example.",
    )
    parser.add_argument("--version", action=_Version)
    parser.add_argument("command", metavar="COMMAND", choices=COMMANDS, help=argparse.SUPPRESS)
    parser.add_argument("rest", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    return parser


class _Version(argparse.Action):
    """Looks the version up only when it is asked for."""

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help="print the version")

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        print(f"tsuro-env {version('tsuro-env')}")
        parser.exit()
