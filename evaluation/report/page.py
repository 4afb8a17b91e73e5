"""The page of a report: one HTML file without scripts, in the light or dark of its reader.

Every name and every detail of a fault is somebody else's text: it goes through `text`.
"""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Sequence
from importlib.resources import files

import numpy as np

from evaluation.report.findings import FATES, Findings
from evaluation.standings import Estimate
from tsuro_env.drawing.svg import printable

PLOTS, REPLAYS = "plots", "replays"
MAX_BARS = 40
"""Of the histogram; longer ranges of lengths share bars."""


def replay_file(game: int) -> str:
    """Where the replay of a game lies, from the page."""
    return f"{REPLAYS}/game-{game}.html"


def text(foreign: object) -> str:
    return html.escape(printable(str(foreign)))


def to_page(findings: Findings, plots: Iterable[str], exports: Iterable[str]) -> str:
    style = files("evaluation.report").joinpath("report.css").read_text(encoding="utf-8")
    title = f"Tsuro tournament: {findings.num_games} games"
    body = "\n".join(
        (
            _header(findings),
            _section("ratings", "Ratings", _ladder(findings), _ladder_note(findings)),
            _section("standings", "Standings", _standings(findings), STANDINGS_NOTE),
            _section("pairwise", "Who beats whom", _pairwise(findings), PAIRWISE_NOTE),
            _section("seats", "Win share by seat", _seats(findings), SEATS_NOTE),
            _section("fates", "How players ended their games", _fates(findings)),
            _section("lengths", "Length of games", _lengths(findings), _lengths_note(findings)),
            _section("faults", "Faults", _faults(findings), FAULTS_NOTE),
            _section("replays", "Games to look at", _replays(findings)),
            _section("files", "Files", _files(plots, exports)),
        )
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>{text(title)}</title>
<style>
{style}</style>
</head>
<body>
<main>
{body}
</main>
</body>
</html>
"""  # noqa: E501  the policy is one attribute


STANDINGS_NOTE = (
    "Win share: a win shared by k players counts 1/k. Survival: the share of a game's rounds after "
    "which the player was still in. Intervals hold the truth with a confidence of 95&nbsp;%."
)
PAIRWISE_NOTE = (
    "The row's share of the points against the column's player: in every game of both, one for who "
    "ended ahead, or half for each."
)
SEATS_NOTE = "The first seat moves first. Green is more than a fair share, red is less."
FAULTS_NOTE = (
    "A player that breaks a rule, answers nonsense, fails or is late is out of that game at once."
)


def _section(name: str, title: str, content: str, note: str = "") -> str:
    said = f'<p class="note">{note}</p>' if note else ""
    return (
        f'<section id="{name}" aria-labelledby="{name}-title">'
        f'<h2 id="{name}-title">{title}</h2>{content}{said}</section>'
    )


# -------------------------------------------------------------------------------------- header


def _header(findings: Findings) -> str:
    settings = findings.settings
    rules = settings["rules"]
    size = rules["board_size"]
    facts = [
        f"{len(findings.names)} players",
        f"{findings.num_games} games",
        f"{settings['format']} format",
        f"{rules['name']} rules on {size} × {size}",
        f"seed {settings['seed']}",
    ]
    listed = "".join(f"<li>{text(fact)}</li>" for fact in facts)
    return (
        f'<header><h1>Tournament report</h1><ul class="facts">{listed}</ul>'
        f'<p id="winner" class="winner">{_winner(findings)}</p></header>'
    )


def _winner(findings: Findings) -> str:
    if not findings.finished:
        return "Not over yet: this is how it stands."
    if not findings.ranking:
        return "Everybody cheated: there is no winner."
    best = [f"<b>{text(name)}</b>" for name in findings.ranking[0]]
    return f"{', '.join(best)} {'won' if len(best) == 1 else 'share the win'}."


# ------------------------------------------------------------------------------------- ratings


def _ladder(findings: Findings) -> str:
    """A row for each player: a dot for the rating on a bar for its interval."""
    low = min(elo.low for elo in findings.elo)
    high = max(elo.high for elo in findings.elo)
    step = _round_step((high - low) / 4)
    low = step * math.floor(low / step)
    high = max(step * math.ceil(high / step), low + step)

    def at(elo: float) -> str:
        return f"{100 * (elo - low) / (high - low):.2f}%"

    marks = np.arange(low, high + step / 2, step).tolist()
    lines = "".join(f'<i class="mark" style="left:{at(mark)}"></i>' for mark in marks)
    rows = []
    for place, (name, elo) in enumerate(zip(findings.names, findings.elo, strict=True), 1):
        width = 100 * (elo.high - elo.low) / (high - low)
        rows.append(
            f'<li><span class="place">{place}</span><span class="name">{text(name)}</span>'
            f'<span class="track" aria-hidden="true">{lines}'
            f'<i class="interval" style="left:{at(elo.low)};width:{width:.2f}%"></i>'
            f'<i class="dot" style="left:{at(elo.value)}"></i></span>'
            f'<span class="value">{_signed(elo)}</span></li>'
        )
    labels = "".join(f'<i style="left:{at(mark)}">{_minus(mark, ".0f")}</i>' for mark in marks)
    axis = f'<li class="axis" aria-hidden="true"><span class="track">{labels}</span></li>'
    return f'<ol class="ladder">{"".join(rows)}{axis}</ol>'


def _round_step(rough: float) -> float:
    """A step of 1, 2 or 5 times a power of ten, not below the rough one."""
    power = 10 ** math.floor(math.log10(max(rough, 1)))
    return next(float(power * nice) for nice in (1, 2, 5, 10) if power * nice >= rough)


def _signed(elo: Estimate) -> str:
    if tuple(elo) == (0, 0, 0):
        return "<b>0</b> <small>fixed</small>"
    value, low, high = (_minus(number, "+.0f") for number in elo)
    return f"<b>{value}</b> <small>{low} to {high}</small>"


def _minus(number: float, form: str) -> str:
    return f"{number:{form}}".replace("-", "−")


def _ladder_note(findings: Findings) -> str:
    zero = "the mean of all players" if findings.anchor is None else text(findings.anchor)
    return (
        f"Elo from all pairs of all games at once (Bradley and Terry), 0 is {zero}; bars are "
        "intervals of 95&nbsp;%, from drawing whole blocks again."
    )


def _standings(findings: Findings) -> str:
    heads = ("player", "games", "win share", "mean rank", "survival", "ms a move", "faults")
    rows = []
    for spec, row in zip(findings.specs, findings.standings, strict=True):
        cells = (
            str(row.games),
            _estimate(row.win_share, 3),
            _estimate(row.mean_rank, 2),
            _estimate(row.survival, 3),
            f"{1000 * row.seconds_per_move:.3g}",
            str(row.faults),
        )
        rows.append(
            f"<tr>{_row_head(row.name, spec)}"
            + "".join(f"<td>{cell}</td>" for cell in cells)
            + "</tr>"
        )
    return _table(heads, rows)


def _estimate(estimate: Estimate, digits: int) -> str:
    low, high = f"{estimate.low:.{digits}f}", f"{estimate.high:.{digits}f}"
    return f"{estimate.value:.{digits}f} <small>{low} to {high}</small>"


def _table(heads: Sequence[str], rows: Iterable[str], kind: str = "") -> str:
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    return (
        f'<div class="scroll" tabindex="0"><table class="{kind}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _row_head(name: str, title: str) -> str:
    """A player's name, at most two lines of it; the title is shown when one points at it."""
    return f'<th scope="row" title="{text(title)}"><span>{text(name)}</span></th>'


# ----------------------------------------------------------------------------------- heat maps


def _pairwise(findings: Findings) -> str:
    rows = []
    warmths = findings.pairwise_warmth
    for row, name in enumerate(findings.names):
        cells = "".join(
            _heat_cell(findings.pairwise[row, column], warmths[row, column], f"{name} – {other}")
            for column, other in enumerate(findings.names)
        )
        rows.append(f"<tr>{_row_head(f'{row + 1}. {name}', name)}{cells}</tr>")
    numbers = [
        f'<span title="{text(name)}">{place}</span>' for place, name in enumerate(findings.names, 1)
    ]
    return _table(["player", *numbers], rows, "heat")


def _seats(findings: Findings) -> str:
    shares, warmths = findings.seat_shares, findings.seat_warmth
    seats = range(shares.shape[1])
    rows = []
    for row, standing in enumerate(findings.standings):
        name = standing.name
        cells = "".join(
            _heat_cell(shares[row, seat], warmths[row, seat], f"{name} in seat {seat + 1}")
            for seat in seats
        )
        overall = f"{standing.win_share.value:.2f}"
        rows.append(f"<tr>{_row_head(name, name)}{cells}<td>{overall}</td></tr>")
    return _table(["player", *(f"seat {seat + 1}" for seat in seats), "all"], rows, "heat")


def _heat_cell(share: float, warmth: float, title: str) -> str:
    """A number on a colour: warmth from -1 (red) over 0 to 1 (green)."""
    if math.isnan(share):
        return '<td class="none">–</td>'
    kind = "ahead" if warmth > 0 else "behind"
    strength = f"{70 * abs(warmth):.0f}%"
    return (
        f'<td class="{kind}" style="--strength:{strength}" title="{text(title)}">{share:.2f}</td>'
    )


# -------------------------------------------------------------------------------------- lengths


def _lengths(findings: Findings) -> str:
    rounds = findings.rounds
    first, last = int(rounds.min()), int(rounds.max())
    width = -(-(last - first + 1) // MAX_BARS)
    counts = np.bincount((rounds - first) // width).tolist()
    bars = []
    for place, count in enumerate(counts):
        low = first + place * width
        span = f"{low}" if width == 1 else f"{low} to {low + width - 1}"
        height = 100 * count / max(counts)
        label = f"{low}" if place % max(1, len(counts) // 8) == 0 else ""
        bars.append(
            f'<li title="{span}: {count} games"><i style="height:{height:.1f}%"></i>'
            f"<small>{label}</small></li>"
        )
    return f'<ol class="bars" aria-label="Histogram of the length of games">{"".join(bars)}</ol>'


def _lengths_note(findings: Findings) -> str:
    unit = "turns" if findings.settings["rules"]["name"] == "boxed" else "rounds"
    rounds = findings.rounds
    return (
        f"In {unit}: from {rounds.min()} to {rounds.max()}, {rounds.mean():.1f} on the mean; "
        f"the tallest bar is {np.bincount(rounds).max()} games."
    )


# ---------------------------------------------------------------------------------- fates, faults


def _fates(findings: Findings) -> str:
    """A bar for each player, made of the ways in which it ended its games."""
    seen = [fate for fate in range(len(FATES)) if findings.fates[:, fate].any()]
    legend = "".join(f'<li><i class="fate-{fate}"></i>{FATES[fate]}</li>' for fate in seen)
    rows = []
    for name, counts in zip(findings.names, findings.fates.tolist(), strict=True):
        parts = "".join(
            f'<i class="fate-{fate}" style="flex-grow:{counts[fate]}" '
            f'title="{FATES[fate]}: {counts[fate]} of {sum(counts)}"></i>'
            for fate in seen
            if counts[fate]
        )
        said = ", ".join(f"{FATES[fate]} {counts[fate]}" for fate in seen if counts[fate])
        rows.append(
            f'<li><span class="name">{text(name)}</span>'
            f'<span class="stack" role="img" aria-label="{said}">{parts}</span></li>'
        )
    return f'<ul class="legend">{legend}</ul><ul class="stacks">{"".join(rows)}</ul>'


def _faults(findings: Findings) -> str:
    if not findings.faults:
        return "<p>Nobody committed any.</p>"
    shown = {game.number for game in findings.chosen}
    rows = []
    for fault in findings.faults:
        link = "after the last game" if fault.game is None else f"game {fault.game}"
        if fault.game in shown and fault.game is not None:
            link = f'<a href="{replay_file(fault.game)}">{link}</a>'
        rows.append(
            f"<tr>{_row_head(fault.name, fault.name)}<td>{text(fault.reason)}</td>"
            f'<td>{fault.times}</td><td class="detail">{text(fault.detail)}</td>'
            f"<td>{link}</td></tr>"
        )
    return _table(("player", "fault", "times", "detail of the first", "seen in"), rows)


# -------------------------------------------------------------------------------- replays, files


def _replays(findings: Findings) -> str:
    rows = []
    for game in findings.chosen:
        ended = f"won by {', '.join(game.winners)}" if game.winners else "won by nobody"
        rows.append(
            f'<li><a href="{replay_file(game.number)}">Game {game.number}</a>'
            f'<span class="why">{text(game.why)}</span>'
            f"<small>{text(', '.join(game.players))}; {text(ended)}</small></li>"
        )
    return f'<ul class="replays">{"".join(rows)}</ul>'


def _files(plots: Iterable[str], exports: Iterable[str]) -> str:
    paths = [*exports, *(f"{PLOTS}/{name}.png" for name in plots)]
    listed = "".join(f'<li><a href="{path}">{path}</a></li>' for path in paths)
    return f'<ul class="files">{listed}</ul>'
