"""Every way in which a value given to the package can be wrong. All are `ValueError`s."""


class TsuroError(ValueError):
    """The base of all errors of this package."""


class RulesError(TsuroError):
    """A number, name or combination that the rules do not have."""


class TileError(TsuroError):
    """No such tile, rotation or port."""


class BoardError(TsuroError):
    """The base of what cannot be done on a board."""


class OffBoardError(BoardError):
    """A coordinate that is not on the board."""


class OccupiedError(BoardError):
    """A square that has a tile or is faced by an avatar, or a mark that has an avatar."""


class ColorError(BoardError):
    """A colour that is unknown, not on the board, or already on it."""


class PortError(BoardError):
    """A port that faces outward, or faces a tile, where an empty square is needed."""


class SupplyError(TsuroError):
    """A tile supply that ran dry, gave something that is not a tile, or cannot be copied."""


class MalformedError(TsuroError):
    """A player's answer that is not of the form asked for."""


class RecordError(TsuroError):
    """A game record that is malformed."""


class ReplayError(RecordError):
    """A game record that does not replay to the end that it tells."""


class ActionError(TsuroError):
    """An action that is no whole number, or a batch of actions of the wrong shape."""


class OrderError(TsuroError):
    """Something that was called too early (before `reset`) or too late (after the end)."""
