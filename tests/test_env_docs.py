"""What the pages about the environments show works, and what they say of shapes is so."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tsuro_env import tsuro_v0

PAGES = sorted((Path(__file__).parent.parent / "docs" / "environments").glob("*.md"))
EXAMPLES = [
    (page.name, example)
    for page in PAGES
    for example in re.findall(r"^```python\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
]


def test_every_environment_has_a_page():
    assert {page.stem for page in PAGES} >= {"tsuro_v0", "gymnasium", "vector", "observations"}


@pytest.mark.parametrize(("page", "example"), EXAMPLES, ids=range(len(EXAMPLES)))
def test_the_examples_of_the_pages_run(page, example, tmp_path):
    if page == "tsuro_v0.md" and example.startswith("tsuro_v0.env("):
        example = "from tsuro_env import tsuro_v0\n" + example
    done = subprocess.run([sys.executable, "-c", example], cwd=tmp_path, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    assert not done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_the_pages_lead_somewhere(page):
    for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
        assert (page.parent / link).exists(), link


def test_the_shapes_in_the_table_are_those_of_the_environment():
    for rules, actions in ("course", 220), ("boxed", 60):
        env = tsuro_v0.env(rules, num_players=5)
        size = env.rules.board_size
        assert env.action_space("player_0").n == actions
        assert env.observation_space("player_0")["observation"].shape == (116 + 60, size, size)
