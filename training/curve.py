"""The learning curve of a run as a picture."""

from __future__ import annotations

import io

from matplotlib.figure import Figure

from training.run_directory import Row, RunDirectory
from tsuro_env.files import write_atomically


def draw_learning_curve(run: RunDirectory, history: list[Row]) -> None:
    """The win share against each player of the panel over the steps, with 95 % intervals."""
    config = run.config()
    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.add_subplot()
    steps = [row["steps"] for row in history]
    for spec in (key.removesuffix(" ±") for key in history[-1] if key.endswith(" ±")):
        shares = [row[spec] for row in history]
        margins = [row[f"{spec} ±"] for row in history]
        (line,) = axes.plot(steps, shares, label=f"against {spec}")
        low = [share - margin for share, margin in zip(shares, margins, strict=True)]
        high = [share + margin for share, margin in zip(shares, margins, strict=True)]
        axes.fill_between(steps, low, high, alpha=0.2, color=line.get_color())
    axes.axhline(1 / config.num_players, color="grey", linestyle=":", label="fair share")
    axes.set(
        xlabel="steps of the learner",
        ylabel="win share, alone against copies",
        title=f"{config.rules}, {config.num_players} players",
        ylim=(0, 1),
    )
    axes.legend()
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=120)
    write_atomically(run.learning_curve, picture.getvalue())
