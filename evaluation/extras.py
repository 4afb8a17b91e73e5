"""Optional packages: imported when they are needed, with an error that names the extra."""

from __future__ import annotations

import importlib
from types import ModuleType

PACKAGES = {"yaml": "pyyaml", "matplotlib": "matplotlib", "pyarrow": "pyarrow"}


class MissingExtraError(ImportError):
    """A package that is not installed; the message names the extra that brings it."""


def needs(module: str, what: str) -> ModuleType:
    """The module of an optional package, for the purpose named in the error."""
    package = PACKAGES[module.partition(".")[0]]
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtraError(
            f"{what} needs {package}: pip install 'tsuro-env[eval]' ({error})"
        ) from None
