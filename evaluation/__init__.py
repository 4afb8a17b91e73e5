"""Playing strategies against each other, and saying how good they are."""

from evaluation.knockout import KnockoutResult, knockout
from evaluation.match import Standing, play_match

__all__ = ["KnockoutResult", "Standing", "knockout", "play_match"]
