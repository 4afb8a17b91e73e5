"""What the environments take and give: their spaces, and the checks of what is handed to them."""

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete

from tsuro_env.encodings import Encoding
from tsuro_env.engine.state import Variant
from tsuro_env.errors import ActionError, RulesError

ELIMINATIONS = ("end", "immediate")


def action_space(variant: Variant) -> Discrete:
    return Discrete(variant.num_actions)


def tensor_space(encoding: Encoding, variant: Variant, seats: int = 1) -> Box:
    """The space of one encoded view, or of the views of several seats one after the other."""
    first, *others = encoding.shape(variant)
    return Box(0, encoding.largest, (seats * first, *others), encoding.dtype)  # type: ignore[arg-type]


def observation_space(encoding: Encoding, variant: Variant) -> Dict:
    """The view together with the mask of legal actions."""
    mask = Box(0, 1, (variant.num_actions,), np.int8)
    return Dict({"observation": tensor_space(encoding, variant), "action_mask": mask})


def one_of(name: str, value: object, allowed: Sequence[object]) -> Any:
    """The value, if it is one that the argument `name` may have."""
    if value not in allowed:
        raise RulesError(f"{name} must be one of {list(allowed)}, got {value!r}")
    return value


def whole_action(action: object, num_actions: int, asked: str) -> int:
    """An action of the space as an int; whether it is legal is the referee's to say."""
    if type(action) is int and 0 <= action < num_actions:
        return action
    expected = f"{asked} is asked for a whole number from 0 to {num_actions - 1}"
    if isinstance(action, (bool, np.bool_)):
        raise ActionError(f"{expected}, got {action!r}")
    try:
        number = operator.index(action)  # type: ignore[arg-type]
    except TypeError:
        raise ActionError(f"{expected}, got {action!r}") from None
    if not 0 <= number < num_actions:
        raise ActionError(f"{expected}, got {number}, which is not in the action space")
    return number
