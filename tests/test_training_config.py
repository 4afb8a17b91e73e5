"""The settings of a run."""

import pytest

from training import Config, ConfigError
from training.config import PRESETS


def test_a_config_comes_back_from_its_yaml(tmp_path):
    config = Config.preset("quick", seed=5, panel=["random"], learning_rate=0.002)
    (tmp_path / "config.yaml").write_text(config.to_yaml())
    again = Config.from_yaml(tmp_path / "config.yaml")
    assert again == config
    assert again.sha == config.sha
    assert Config.from_yaml(tmp_path / "config.yaml", seed=6).sha != config.sha


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("rules", ["course", "boxed"])
def test_every_preset_is_a_valid_run_of_both_rule_sets(name, rules):
    assert Config.preset(name, rules=rules, num_players=2).game_rules.name == rules


def test_numbers_may_be_written_as_people_write_them(tmp_path):
    (tmp_path / "config.yaml").write_text("learning_rate: 1e-3\nentropy: 0\n")
    config = Config.from_yaml(tmp_path / "config.yaml")
    assert (config.learning_rate, config.entropy) == (0.001, 0.0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"stepps": 3}, "unknown settings \\['stepps'\\]; there are rules, board_size"),
        ({"steps": "many"}, "steps must be int, got 'many'"),
        ({"steps": True}, "steps must be int, got True"),
        ({"steps": 0}, "steps must be at least 1, got 0"),
        ({"learning_rate": 0}, "learning_rate must be more than 0"),
        ({"learning_rate": float("nan")}, "learning_rate must be float, got nan"),
        ({"gae_lambda": 1.5}, "gae_lambda must be from 0 to 1, got 1.5"),
        ({"batch": 1000}, "batch must be a part of games\\*rollout, got 1000"),
        ({"panel": [1]}, "panel must be a list of names"),
        ({"board_size": "big"}, "board_size must be int or nothing, got 'big'"),
        ({"self_play": 0, "scripted": 0, "snapshots": 0}, "cannot all be 0"),
        ({"observation": "pictures"}, "observation must be one of"),
        ({"rules": "house"}, "rules must be"),
        ({"num_players": 9}, "num_players must be"),
    ],
)
def test_a_wrong_setting_is_named_with_what_was_expected(settings, message):
    with pytest.raises(ValueError, match=message):
        Config.from_mapping(settings)


def test_a_preset_that_does_not_exist_is_told_from_those_that_do():
    with pytest.raises(ConfigError, match="no preset 'huge'; there are quick, standard, full"):
        Config.preset("huge")


@pytest.mark.parametrize("text", ["- a\n- b\n", "a: [", "\xff"])
def test_a_file_that_holds_no_settings_is_refused(tmp_path, text):
    (tmp_path / "config.yaml").write_bytes(text.encode("latin-1"))
    with pytest.raises(ConfigError, match=r"config\.yaml"):
        Config.from_yaml(tmp_path / "config.yaml")
