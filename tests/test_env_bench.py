"""`tsuro bench envs` and `tsuro bench agents` measure all there is, and compare in one run."""

import json

from tsuro_cli.bench_agents import BATCHES, MODEL_BATCHES
from tsuro_cli.main import main


def test_every_environment_is_measured_and_compared(capsys):
    assert main(["bench", "envs", "--seconds", "0.01", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    compared = {name: row["compared_with"] for name, row in rows.items() if "ratio" in row}
    assert compared == {
        "tsuro_v0": "connect_four_v3",
        "make_vec, planes": "GameBatch, planes",
        "make_vec, options": "GameBatch, options",
    }
    assert set(rows) == {*compared, *compared.values(), "Gymnasium, one game"}
    assert all(row["steps_per_second"] > 100 for row in rows.values())
    assert all(2 < rows[f"make_vec, {o}"]["moves_per_step"] < 5 for o in ("planes", "options"))


def test_the_table_says_what_was_compared_with_what(capsys):
    assert main(["bench", "envs", "--seconds", "0.01"]) == 0
    text = capsys.readouterr().out
    assert "x connect_four_v3" in text
    assert "moves a step" in text


def test_every_kind_of_player_is_measured(capsys):
    assert main(["bench", "agents", "--seconds", "0.01", "--json"]) == 0
    rows = {row["player"]: row for row in json.loads(capsys.readouterr().out)}
    assert set(rows) == {*BATCHES, *MODEL_BATCHES}
    assert rows["greedy"]["moves_per_second"] > 10 * rows["mcts"]["moves_per_second"] > 0
    assert main(["bench", "agents", "--seconds", "0.01"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80
