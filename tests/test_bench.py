"""`tsuro bench` measures everything it says, and says clearly what it cannot do."""

import json
from pathlib import Path

import pytest

from tsuro_cli.main import main

YARDSTICK = """
#include <stdio.h>
int main(int argc, char **argv) { printf("%s players: 5000 moves/s, and so on\\n", argv[1]); }
"""


def test_every_combination_is_measured_and_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "yardstick.c"
    source.write_text(YARDSTICK)
    assert main(["bench", "--seconds", "0.002", "--json", "--yardstick", str(source)]) == 0
    results = json.loads(capsys.readouterr().out)
    measured = {
        (row["rules"], row["players"], row["threads"], row["batch"]) for row in results["speeds"]
    }
    assert measured == {
        (rules, players, threads, batch)
        for rules in ("course", "boxed")
        for players in (2, 4, 5)
        for threads in (1, 2)
        for batch in (1, 64, 1024, 4096)
    }
    assert all(row["moves_per_second"] > 1000 for row in results["speeds"])
    assert [row["board_size"] for row in results["board_sizes"]] == [6, 10, 16, 24]
    assert [row["batch"] for row in results["threads"]] == [1024, 4096]
    assert results["yardstick"]["yardstick_moves_per_second"] == 5000


@pytest.mark.parametrize(
    ("source", "complaint"),
    [("int main(", "does not compile"), ("int main() { return 0; }", "not its moves/s")],
)
def test_a_useless_yardstick_is_one_line_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], source: str, complaint: str
) -> None:
    file = tmp_path / "yardstick.c"
    file.write_text(source)
    assert main(["bench", "--seconds", "0.001", "--yardstick", str(file)]) == 2
    stderr = capsys.readouterr().err
    assert complaint in stderr
    assert len(stderr.splitlines()) == 1
