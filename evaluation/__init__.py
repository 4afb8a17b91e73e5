"""Playing strategies against each other, and saying how good they are."""

from evaluation.entrants import Entrant
from evaluation.isolation import Limits
from evaluation.knockout import KnockoutResult, knockout
from evaluation.match import MatchResult, play_match
from evaluation.ratings import Ratings, rate
from evaluation.sequential import Verdict, better_than
from evaluation.standings import Estimate, Standing
from evaluation.tournaments import TournamentResult, resume, tournament

__all__ = [
    "Entrant",
    "Estimate",
    "KnockoutResult",
    "Limits",
    "MatchResult",
    "Ratings",
    "Standing",
    "TournamentResult",
    "Verdict",
    "better_than",
    "knockout",
    "play_match",
    "rate",
    "resume",
    "tournament",
]
