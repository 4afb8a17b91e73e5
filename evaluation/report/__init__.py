"""The report of a tournament: a page that tells it all, plots, replays, and the raw games."""

from evaluation.report.write import write_report

__all__ = ["write_report"]
