"""Golden games: readable transcripts under tests/golden/, one file for each configuration.

python -m tests.golden            say whether the engine still plays them, line by line
python -m tests.golden --write    write them anew, after a change that is meant
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tsuro_env import Referee, Rules, Tile
from tsuro_env.engine.state import CLOCK, PHASE, PHASES

FOLDER = Path(__file__).parent / "golden"

GAMES: dict[str, dict[str, Any]] = {
    "course-2-players": {"players": 2, "rules": Rules.course(), "seed": 1},
    "course-3-players-cycle": {"players": 3, "rules": Rules.course(), "seed": 2, "tiles": "cycle"},
    "course-5-players-random-setup": {
        "players": 5, "rules": Rules.course(), "seed": 3, "setup": "random",
    },
    "course-8-players-with-mistakes": {
        "players": 8, "rules": Rules.course(7), "seed": 4, "mistake_at": {3, 30, 41},
    },
    "course-3-players-other-deals": {"players": 3, "rules": Rules.course(5, 2, 3), "seed": 5},
    "course-4-players-stuck-and-looping": {
        "players": 4, "rules": Rules.course(4, 3, 1), "seed": 784, "setup": "random",
    },
    "boxed-2-players": {"players": 2, "rules": Rules.boxed(), "seed": 6},
    "boxed-3-players-large": {"players": 3, "rules": Rules.boxed(9), "seed": 7, "setup": "random"},
    "boxed-5-players-with-mistakes": {
        "players": 5, "rules": Rules.boxed(), "seed": 8, "mistake_at": {2, 12},
    },
    "boxed-8-players": {"players": 8, "rules": Rules.boxed(), "seed": 9},
}  # fmt: skip


def transcript(
    players: int,
    rules: Rules,
    seed: int,
    setup: str = "agent",
    tiles: str | None = None,
    mistake_at: frozenset[int] | set[int] = frozenset(),
) -> Iterator[str]:
    """The lines of a game whose players choose among the legal actions in a scattered order."""
    names = [f"player {seat}" for seat in range(players)]
    referee = Referee(None, names, tiles, rules=rules, seed=seed, setup=setup)
    yield f"{rules.name} {rules.board_size}x{rules.board_size}, {players} players, seed {seed}"
    yield f"setup {setup}, supply {referee.supply}, deals {rules.first_deal} and {rules.turn_deal}"
    told, step = 0, 0
    while not referee.finished:
        yield from moves_since(referee, told)
        told = referee.moves_made
        yield question(referee)
        legal = referee.legal_actions().nonzero()[0].tolist()
        action = legal[seed * 7919 * (step + 1) % 10007 % len(legal)]
        if step in mistake_at:
            action = referee.rules.num_actions
        yield f"    action {action}"
        referee.submit_action(action)
        step += 1
    yield from moves_since(referee, told)
    yield from ending(referee)


def question(referee: Referee) -> str:
    pending = referee.pending
    assert pending is not None
    phase = PHASES[referee.state.game[0, PHASE]]
    tiles = " ".join(str(tile.index) for tile in pending.tiles)
    legal = referee.legal_actions().nonzero()[0].tolist()
    options = " ".join(map(str, legal)) if phase == "turn" else f"{len(legal)} options"
    clock = int(referee.state.game[0, CLOCK])
    return f"[{clock}] {pending.color} {phase}, tiles {tiles}: {options}"


def moves_since(referee: Referee, told: int) -> Iterator[str]:
    moves = referee.record["moves"][told:]
    for move in moves:
        placed = "" if move["placed"] else ", nothing placed"
        yield f"    {move['color']} {move['kind']} {move['answer']}{placed}"
        for entry in move["out"]:
            yield f"    {entry['color']} out: {entry['reason']}"
    if moves:
        avatars = (f"{c} {a.x},{a.y}{a.port}" for c, a in referee.board.avatars.items())
        yield f"    standing: {'; '.join(avatars)}"


def ending(referee: Referee) -> Iterator[str]:
    for place, colors in enumerate(referee.record["ranking"], start=1):
        yield f"rank {place}: {', '.join(colors)}"
    for entry in referee.record["cheaters"]:
        yield f"no rank: {entry['color']} ({entry['reason']})"
    size = referee.rules.board_size
    for y in range(size):
        yield " ".join(drawn(referee.board.tile_at(x, y)) for x in range(size))


def drawn(tile: Tile | None) -> str:
    """A tile in three characters: its number, and how often it was turned."""
    return "  ." if tile is None else f"{tile.index:2}{'^>v<'[tile.degrees // 90]}"


def first_difference(name: str) -> str:
    """Where the engine plays another game than the file tells; empty if it does not."""
    path = FOLDER / f"{name}.txt"
    expected = path.read_text(encoding="utf-8").splitlines()
    found = list(transcript(**GAMES[name]))
    for number, (old, new) in enumerate(zip(expected, found, strict=False), start=1):
        if old != new:
            return f"{path.name}, line {number}\n  golden: {old}\n  now:    {new}"
    if len(expected) != len(found):
        return f"{path.name} has {len(expected)} lines, the game now has {len(found)}"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description="golden games: check them, or write them anew")
    parser.add_argument("--write", action="store_true", help="write the files under tests/golden/")
    if parser.parse_args().write:
        FOLDER.mkdir(exist_ok=True)
        for name, options in GAMES.items():
            text = "\n".join(transcript(**options)) + "\n"
            (FOLDER / f"{name}.txt").write_text(text, encoding="utf-8")
        print(f"wrote {len(GAMES)} games to {FOLDER}")
        return 0
    differences = [difference for name in GAMES if (difference := first_difference(name))]
    print("\n".join(differences) or f"all {len(GAMES)} golden games are played as ever")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
