"""Players made from text: every kind of spec, and what is said of wrong ones."""

import textwrap
from pathlib import Path

import pytest

import agents
from agents.registry import BUILT_IN
from tsuro_env import StrategyPlayer

PLAYER = """
    from agents.scripted import SecondPlayer

    class Mine(SecondPlayer):
        def __init__(self, depth=1, bold=False, name="x", share=0.5, seed=None):
            self.options = depth, bold, name, share, seed

    class Any_(SecondPlayer):
        def __init__(self, **options):
            self.options = options

    class Refusing(SecondPlayer):
        def __init__(self):
            raise RuntimeError("not today")

    class Leaving(SecondPlayer):
        def __init__(self):
            raise SystemExit(3)

    class NoPlayer:
        pass

    NUMBER = 5
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of an importable module with players in it."""
    (tmp_path / "players_of_mine.py").write_text(textwrap.dedent(PLAYER))
    monkeypatch.syspath_prepend(tmp_path)
    return "players_of_mine"


@pytest.mark.parametrize("name", sorted(set(BUILT_IN) - {"learned+search"}))
def test_every_built_in_player_is_made_by_its_name(name: str) -> None:
    player = agents.make(name)
    assert isinstance(player, StrategyPlayer)
    assert agents.make(name) is not player


def test_the_names_are_listed_in_order() -> None:
    assert agents.names() == sorted(BUILT_IN)


def test_a_class_of_a_module_is_made(module: str) -> None:
    assert type(agents.make(f"{module}:Mine")).__name__ == "Mine"


def test_a_class_of_a_file_is_made_and_the_file_is_read_once(module: str, tmp_path: Path) -> None:
    spec = f"{tmp_path / module}.py:Mine"
    assert type(agents.make(spec)) is type(agents.make(spec))


def test_options_are_read_as_numbers_words_and_truth_values(module: str) -> None:
    player = agents.make(f"{module}:Mine:depth=3,bold=true,name=y,share=0.25")
    assert player.options == (3, True, "y", 0.25, None)  # type: ignore[attr-defined]


def test_a_seed_goes_to_players_that_take_one_unless_the_spec_says_another(module: str) -> None:
    assert agents.make("random", seed=7).seed == 7  # type: ignore[attr-defined]
    assert agents.make("random:seed=3", seed=7).seed == 3  # type: ignore[attr-defined]
    assert agents.make(f"{module}:Any_", seed=7).options == {"seed": 7}  # type: ignore[attr-defined]
    agents.make("second", seed=7)


def test_players_of_a_table_have_chance_of_their_own() -> None:
    seeds = [player.seed for player in agents.make_all(["random"] * 4, 1)]  # type: ignore[attr-defined]
    assert len(set(seeds)) == 4
    again = [player.seed for player in agents.make_all(["random"] * 4, 1)]  # type: ignore[attr-defined]
    assert seeds == again


def test_specs_that_repeat_are_numbered() -> None:
    assert agents.unique_names(["random", "greedy", "random"]) == ["random-1", "greedy", "random-2"]


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("gredy", agents.UnknownAgentError, "no player is called 'gredy'; there are first, greedy"),
        ("", agents.UnknownAgentError, "no player is called ''"),
        (":Mine", agents.UnknownAgentError, "no player is called ':Mine'"),
        ("lost.onnx", agents.UnknownAgentError, "there is no model file 'lost.onnx'; there are"),
        ("no_such_module:Player", agents.AgentImportError, "cannot import no_such_module"),
        ("no/such/file.py:Player", agents.AgentImportError, "cannot import no/such/file.py"),
        ("{module}:Yours", agents.UnknownAgentError, "has no player 'Yours'; its players: Any_"),
        ("{module}:NUMBER", agents.UnknownAgentError, "has no player 'NUMBER'"),
        ("{module}:NoPlayer", agents.AgentError, "it lacks initial_placement or take_turn"),
        ("{module}:Refusing", agents.AgentOptionError, "RuntimeError: not today"),
        ("{module}:Leaving", agents.AgentOptionError, "SystemExit: 3"),
        ("{module}:Mine:depht=2", agents.AgentOptionError, "no option 'depht'; its options: depth"),
        ("{module}:Mine:depth=1,depth=2", agents.AgentOptionError, "depth is given twice"),
        ("random:seed=3,fast", agents.AgentOptionError, "'fast' is not key=value"),
        ("random:seed=-1", agents.AgentOptionError, "a seed is a whole number"),
        ("second:depth=2", agents.AgentOptionError, "second has no option 'depth'"),
    ],
)
def test_a_wrong_spec_says_what_is_wrong_and_what_there_is(
    spec: str, error: type[Exception], message: str, module: str
) -> None:
    with pytest.raises(error) as caught:
        agents.make(spec.format(module=module))
    assert message in str(caught.value)


def test_a_module_that_leaves_the_program_on_import_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "leaving_module.py").write_text("import sys\nsys.exit(4)\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(agents.AgentImportError, match="SystemExit: 4"):
        agents.make("leaving_module:Player")
    with pytest.raises(agents.AgentImportError, match="SystemExit: 4"):
        agents.make(f"{tmp_path / 'leaving_module.py'}:Player")
