"""What to say when an optional package is missing."""

from __future__ import annotations


class MissingExtraError(ImportError):
    """A picture needs a package that is not installed; the message names the extra to install."""

    def __init__(self, what: str, package: str) -> None:
        super().__init__(f"{what} needs {package}: pip install 'tsuro-env[play]'")
