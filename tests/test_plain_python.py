"""With NUMBA_DISABLE_JIT=1 the engine is ordinary Python, and plays the same."""

import os
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]


def run(*arguments: str, plainly: bool = True) -> str:
    return subprocess.run(
        [sys.executable, "-W", "error", *arguments],
        capture_output=True,
        encoding="utf-8",
        cwd=REPOSITORY,
        env={**os.environ, "NUMBA_DISABLE_JIT": str(int(plainly))},
        check=True,
    ).stdout


def test_ordinary_python_is_not_compiled() -> None:
    program = "from tsuro_env.engine.kernels import walk; print(type(walk).__name__)"
    assert run("-c", program) == "function\n"


def test_ordinary_python_sees_and_does_what_compiled_code_does() -> None:
    compiled = run("-m", "tests.plain_python", plainly=False)
    assert run("-m", "tests.plain_python").splitlines() == compiled.splitlines()


def test_ordinary_python_plays_the_golden_games() -> None:
    assert "are played as ever" in run("-m", "tests.golden")
