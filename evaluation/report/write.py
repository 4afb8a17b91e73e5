"""Writes the folder of a report: the page, the plots, the replays and the exported games."""

from __future__ import annotations

import os
from pathlib import Path

from evaluation.report.export import to_csv, to_json, to_parquet
from evaluation.report.findings import findings_of
from evaluation.report.page import PLOTS, REPLAYS, replay_file, to_page
from evaluation.report.plots import plots_of
from evaluation.store import Store
from tsuro_env.drawing.html import to_html
from tsuro_env.files import write_atomically

PAGE = "index.html"


def write_report(results: str | os.PathLike[str], folder: str | os.PathLike[str]) -> Path:
    """Make the report of a tournament's SQLite file; the path of its page.

    The page itself is one file that holds everything it shows; plots, replays and exports lie
    beside it.
    """
    with Store.open(results) as store:
        findings = findings_of(store)
        rows = list(store.seat_rows())
        plots = plots_of(findings)
        exports: dict[str, str | bytes] = {
            "games.csv": to_csv(rows),
            "games.json": to_json(rows),
            "games.parquet": to_parquet(rows),
        }
        target = Path(folder)
        for part in (target, target / PLOTS, target / REPLAYS):
            part.mkdir(parents=True, exist_ok=True)
        for name, plot in plots.items():
            write_atomically(target / PLOTS / f"{name}.png", plot)
        for game in findings.chosen:
            write_atomically(target / replay_file(game.number), to_html(store.record(game.number)))
        for name, export in exports.items():
            write_atomically(target / name, export)
        write_atomically(target / PAGE, to_page(findings, list(plots), list(exports)))
    return target / PAGE
