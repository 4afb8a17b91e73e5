"""Rules: the numbers of a rule set, validated, frozen, and what follows from them."""

import copy
import dataclasses
import pickle
from typing import Any

import numpy as np
import pytest

from tsuro_env import COLORS, GameBatch, Rules, RulesError, TsuroError
from tsuro_env.rules import MAX_PLAYERS, MAX_SIZE, MIN_PLAYERS, MIN_SIZE


def test_the_course_plays_on_10_by_10_and_deals_3_then_2() -> None:
    rules = Rules.course()
    assert (rules.name, rules.board_size, rules.first_deal, rules.turn_deal) == ("course", 10, 3, 2)
    assert (rules.is_boxed, rules.default_supply) == (False, "random")
    assert rules == Rules() == Rules.from_name("course")


def test_the_boxed_game_plays_on_6_by_6_with_a_hand_of_3() -> None:
    rules = Rules.boxed()
    assert (rules.name, rules.board_size, rules.first_deal, rules.turn_deal) == ("boxed", 6, 3, 1)
    assert (rules.is_boxed, rules.default_supply) == (True, "deck")
    assert rules == Rules.from_name("boxed")


def test_the_colours_begin_with_the_five_of_the_course() -> None:
    assert COLORS[:5] == ("white", "black", "red", "green", "blue")
    assert len(set(COLORS)) == MAX_PLAYERS == 8
    assert Rules.course().colors == COLORS


@pytest.mark.parametrize(
    ("rules", "actions"),
    [
        (Rules.course(), 12 + 208),
        (Rules.boxed(), 12 + 48),
        (Rules.course(4), 12 + 4 * 4 + 8 * 6),
        (Rules.boxed(4), 12 + 32),
        (Rules.boxed(24), 12 + 192),
    ],
)
def test_the_action_space_is_12_tile_actions_and_the_start_spots(
    rules: Rules, actions: int
) -> None:
    assert rules.num_actions == actions
    for players in (MIN_PLAYERS, MAX_PLAYERS):
        assert GameBatch(1, rules, players).num_actions == actions


@pytest.mark.parametrize("size", [MIN_SIZE, 6, 10, MAX_SIZE])
@pytest.mark.parametrize("make", [Rules.course, Rules.boxed])
def test_sizes_from_4_to_24_are_accepted(make: Any, size: int) -> None:
    assert make(size).board_size == size
    assert make().with_size(size) == make(size)


@pytest.mark.parametrize("size", [3, 25, 0, -1, 10.0, "10", None, True])
@pytest.mark.parametrize("make", [Rules.course, Rules.boxed])
def test_any_other_size_is_a_rules_error(make: Any, size: Any) -> None:
    with pytest.raises(RulesError, match="board_size must be a whole number from 4 to 24") as error:
        make(size)
    assert repr(size) in str(error.value)


@pytest.mark.parametrize("deal", [0, 4, -1, 2.0, "2", None, True])
def test_a_deal_that_is_not_1_to_3_is_a_rules_error(deal: Any) -> None:
    with pytest.raises(RulesError, match="first_deal must be a whole number from 1 to 3") as error:
        Rules.course(first_deal=deal)
    assert repr(deal) in str(error.value)
    with pytest.raises(RulesError, match="turn_deal must be a whole number from 1 to 3") as error:
        Rules.course(turn_deal=deal)
    assert repr(deal) in str(error.value)


def test_boxed_rules_have_one_way_of_dealing() -> None:
    with pytest.raises(RulesError, match="hand of 3 and draw 1"):
        Rules("boxed", 6, 2, 1)
    with pytest.raises(RulesError, match="hand of 3 and draw 1"):
        Rules("boxed", 6, 3, 2)


@pytest.mark.parametrize("name", ["chess", "Course", "", None, 1, ("course",)])
def test_an_unknown_rule_set_is_a_rules_error(name: Any) -> None:
    with pytest.raises(RulesError, match=r"'course'.*'boxed'") as error:
        Rules(name)
    assert repr(name) in str(error.value)
    with pytest.raises(RulesError, match="'course', 'boxed' or a Rules value") as error:
        Rules.from_name(name)
    assert repr(name) in str(error.value)


def test_a_rules_value_is_its_own_name() -> None:
    rules = Rules.course(7)
    assert Rules.from_name(rules) is rules


@pytest.mark.parametrize("players", [1, 9, 0, 3.0, "3", None, True])
def test_a_game_has_2_to_8_players(players: Any) -> None:
    with pytest.raises(RulesError, match="num_players must be a whole number from 2 to 8") as error:
        Rules.course().variant(players)
    assert repr(players) in str(error.value)


@pytest.mark.parametrize("setup", ["agents", "", None, 1])
def test_an_unknown_setup_is_a_rules_error(setup: Any) -> None:
    with pytest.raises(RulesError, match="setup must be 'agent' or 'random'") as error:
        Rules.course().variant(4, setup)
    assert repr(setup) in str(error.value)


@pytest.mark.parametrize(
    ("rules", "supply"),
    [
        (Rules.course(), "deck"),
        (Rules.course(), "x"),
        (Rules.boxed(), "cycle"),
        (Rules.boxed(), "random"),
    ],
)
def test_a_supply_of_the_other_rule_set_is_a_rules_error(rules: Rules, supply: str) -> None:
    with pytest.raises(RulesError, match=f"{rules.name} rules take a supply of") as error:
        rules.variant(4, "agent", supply)
    assert repr(supply) in str(error.value)


# --------------------------------------------------------------------------------------- a value


def test_rules_are_frozen_hashable_and_equal_by_their_numbers() -> None:
    rules = Rules.course(8)
    with pytest.raises(dataclasses.FrozenInstanceError):
        rules.board_size = 9  # type: ignore[misc]
    assert {rules: 1}[Rules.course(8)] == 1
    assert rules != Rules.course(9)
    assert rules != Rules.boxed(8)


def test_rules_survive_copying_and_pickling() -> None:
    rules = Rules.course(8, 2, 3)
    for twin in (copy.deepcopy(rules), pickle.loads(pickle.dumps(rules))):
        assert twin == rules


@pytest.mark.parametrize("rules", [Rules.course(), Rules.boxed(9), Rules.course(24, 1, 3)])
def test_rules_come_back_from_their_json(rules: Rules) -> None:
    assert Rules.from_json(rules.to_json()) == rules


@pytest.mark.parametrize("value", [None, [], "course", 3])
def test_rules_of_another_json_type_are_an_error(value: Any) -> None:
    with pytest.raises(RulesError, match="must be a JSON object") as error:
        Rules.from_json(value)
    assert repr(value) in str(error.value)


@pytest.mark.parametrize("field", ["name", "board_size", "first_deal", "turn_deal"])
def test_a_missing_or_unknown_json_field_is_named(field: str) -> None:
    value = Rules.course().to_json()
    del value[field]
    with pytest.raises(RulesError, match=field):
        Rules.from_json(value)
    with pytest.raises(RulesError, match="colour"):
        Rules.from_json({**Rules.course().to_json(), "colour": 1})


def test_numbers_of_numpy_are_no_numbers_of_rules() -> None:
    # They would not survive JSON.
    size: Any = np.int64(10)
    with pytest.raises(RulesError, match="board_size"):
        Rules.course(size)


def test_a_rules_error_is_a_value_error() -> None:
    assert issubclass(RulesError, TsuroError)
    assert issubclass(RulesError, ValueError)
