"""The plots of a report as PNG files, for papers and slides. Needs matplotlib."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.extras import needs
from evaluation.report.findings import FATES, Findings

INK, ACCENT, SOFT, PAPER = "#3d322a", "#9c3b2a", "#85735d", "#fffaf0"
BAD, GOOD = "#e3897b", "#7fba7f"
FATE_COLORS = (
    "#2f8f3e",
    "#c9a45c",
    "#8c3fb0",
    "#85735d",
    "#cf2f2a",
    "#ee8410",
    "#2456c7",
    "#201b1c",
)
MAX_NAME = 40
DOTS_PER_INCH = 144


def plots_of(findings: Findings) -> dict[str, bytes]:
    """The PNG files by name."""
    figure = needs("matplotlib.figure", "the report's plots").Figure
    height = 1.2 + 0.34 * len(findings.names)
    wide = 2.5 + 0.5 * len(findings.names)
    drawn: dict[str, tuple[tuple[float, float], Callable[[Any, Findings], None]]] = {
        "ratings": ((8, height), _ratings),
        "pairwise": ((max(wide, 5), max(wide - 1.5, 4)), _pairwise),
        "seats": ((6, height), _seats),
        "lengths": ((8, 4), _lengths),
        "fates": ((8, height + 0.6), _fates),
    }
    return {name: _png(figure, size, draw, findings) for name, (size, draw) in drawn.items()}


def _png(
    figure: Any,
    size: tuple[float, float],
    draw: Callable[[Any, Findings], None],
    findings: Findings,
) -> bytes:
    canvas = figure(figsize=size, layout="constrained", facecolor=PAPER)
    axes = canvas.subplots()
    axes.set_facecolor(PAPER)
    draw(axes, findings)
    data = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # letters of names that the font does not have
        canvas.savefig(data, format="png", dpi=DOTS_PER_INCH)
    return data.getvalue()


def _name_rows(axes: Any, names: Sequence[str]) -> None:
    """The players' names along the left side, best on top."""
    axes.set_yticks(range(len(names)), [name[:MAX_NAME] for name in names])
    for label in axes.get_yticklabels():
        label.set_parse_math(False)  # a dollar sign in a name is a dollar sign
    axes.set_ylim(len(names) - 0.4, -0.6)


def _ratings(axes: Any, findings: Findings) -> None:
    values = [elo.value for elo in findings.elo]
    below = [max(0.0, elo.value - elo.low) for elo in findings.elo]
    above = [max(0.0, elo.high - elo.value) for elo in findings.elo]
    rows = range(len(values))
    axes.errorbar(values, rows, xerr=[below, above], fmt="o", color=ACCENT, ecolor=SOFT, capsize=3)
    _name_rows(axes, findings.names)
    axes.set_xlabel("Elo, with intervals of 95 %")
    axes.grid(axis="x", alpha=0.3)


def _pairwise(axes: Any, findings: Findings) -> None:
    _heat_map(axes, findings.pairwise, findings.pairwise_warmth)
    _name_rows(axes, findings.names)
    axes.set_xticks(range(len(findings.names)), range(1, len(findings.names) + 1))
    axes.set_title("points of the row against the column")


def _seats(axes: Any, findings: Findings) -> None:
    _heat_map(axes, findings.seat_shares, findings.seat_warmth)
    _name_rows(axes, findings.names)
    seats = findings.seat_shares.shape[1]
    axes.set_xticks(range(seats), range(1, seats + 1))
    axes.set_title("win share by seat")


def _heat_map(axes: Any, values: NDArray[np.float64], warmth: NDArray[np.float64]) -> None:
    """Numbers on colours: red for a warmth of -1, green for 1."""
    colors = needs("matplotlib.colors", "the report's plots")
    scale = colors.LinearSegmentedColormap.from_list("warmth", [BAD, PAPER, GOOD])
    axes.imshow(warmth, cmap=scale, vmin=-1, vmax=1, aspect="auto")
    for (row, column), value in np.ndenumerate(values):
        if not np.isnan(value):
            axes.text(column, row, f"{value:.2f}", ha="center", va="center", fontsize=8, color=INK)


def _lengths(axes: Any, findings: Findings) -> None:
    edges = np.arange(findings.rounds.min(), findings.rounds.max() + 2) - 0.5
    axes.hist(findings.rounds, bins=edges, color=ACCENT, rwidth=0.9)
    axes.set_xlabel("length of a game")
    axes.set_ylabel("games")


def _fates(axes: Any, findings: Findings) -> None:
    shares = findings.fates / findings.fates.sum(axis=1, keepdims=True)
    left = np.zeros(len(shares))
    for fate, color in enumerate(FATE_COLORS):
        if findings.fates[:, fate].any():
            axes.barh(
                range(len(shares)), shares[:, fate], left=left, color=color, label=FATES[fate]
            )
            left = left + shares[:, fate]
    _name_rows(axes, findings.names)
    axes.set_xlabel("share of the games")
    axes.legend(ncols=4, loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False)
