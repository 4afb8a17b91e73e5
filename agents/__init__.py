"""Strategies: players that decide. `agents.make(spec)` makes one from its name."""

from agents.registry import (
    AgentError,
    AgentImportError,
    AgentOptionError,
    UnknownAgentError,
    make,
    make_all,
    names,
    unique_names,
)

__all__ = [
    "AgentError",
    "AgentImportError",
    "AgentOptionError",
    "UnknownAgentError",
    "make",
    "make_all",
    "names",
    "unique_names",
]
