"""Starting up: quick once compiled, one message the first time, and nothing heavy on board.

Times are those of the processor, not of the wall clock: other work on the machine does not count.
"""

import os
import resource
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
READY = """
import tsuro_env
games = tsuro_env.GameBatch(64)
games.step(games.random_actions())
"""


def run(*command: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command,
        capture_output=True,
        encoding="utf-8",
        cwd=REPOSITORY,
        env={**os.environ, "NUMBA_DISABLE_JIT": "0", **variables},
        check=True,
    )


def seconds(*command: str, **variables: str) -> float:
    """The processor time of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(*command, **variables)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_a_second_process_is_ready_in_two_and_a_half_seconds() -> None:
    run(sys.executable, "-c", READY)  # compiled, if it was not before
    assert min(seconds(sys.executable, "-c", READY) for _ in range(3)) < 2.5


def test_the_help_answers_in_half_a_second() -> None:
    command = [sys.executable, "-m", "tsuro_cli", "--help"]
    assert min(seconds(*command) for _ in range(3)) < 0.5


def test_importing_the_game_imports_no_trainer_window_or_model_runtime() -> None:
    program = "import sys, tsuro_env; print(*sys.modules)"
    modules = set(run(sys.executable, "-c", program).stdout.split())
    heavy = {"torch", "pygame", "onnxruntime", "onnx", "ray", "stable_baselines3", "matplotlib"}
    assert "tsuro_env.referee" in modules
    assert not heavy & {module.partition(".")[0] for module in modules}


def test_the_first_import_says_once_that_it_compiles_and_takes_at_most_40_seconds(
    tmp_path: Path,
) -> None:
    command = [sys.executable, "-c", "import tsuro_env"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    first = run(*command, NUMBA_CACHE_DIR=str(tmp_path))
    took = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    message = "tsuro_env: compiling the game engine for this machine, once ... done\n"
    assert (first.stdout, first.stderr) == ("", message)
    assert took < 40
    second = run(*command, NUMBA_CACHE_DIR=str(tmp_path))
    assert (second.stdout, second.stderr) == ("", "")
    # Whatever is used for the first time has been compiled with the rest.
    assert seconds(sys.executable, "-c", READY, NUMBA_CACHE_DIR=str(tmp_path)) < 2.5
