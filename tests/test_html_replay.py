"""The page that replays a game, driven in a real browser."""

import copy
import re
import shutil
import time
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from tests.games_to_draw import long_record, random_record
from tsuro_env import Rules, Tile
from tsuro_env.drawing import scenes_of, to_html

INSTALL = "apt-get install -y chromium chromium-driver"
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-prefers-no-reduced-motion",
)
HOSTILE = [
    "</script><img src=x onerror='window.harmed = 1'>",
    "<!--<script>window.harmed = 2</script>",
    "%%script%% ${window.harmed = 3} `\\u003c` \u2028 \ud800",
]


def browser_and_driver() -> tuple[str, str]:
    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        pytest.fail(f"the browser that shows the page is missing: {INSTALL}")
    return chromium, chromedriver


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    chromium, chromedriver = browser_and_driver()
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('browser')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(executable_path=chromedriver)
    driver = webdriver.Chrome(options=options, service=service)
    yield driver
    driver.quit()


class Page:
    """What a user of the page sees and does."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver

    def script(self, code: str, *arguments: Any) -> Any:
        return self.driver.execute_script(f"return {code}", *arguments)

    def click(self, name: str) -> None:
        self.driver.find_element(By.ID, name).click()

    def press(self, *keys: str) -> None:
        self.driver.find_element(By.TAG_NAME, "body").send_keys(*keys)

    def wait(self, what: Callable[[], Any]) -> None:
        WebDriverWait(self.driver, 10, poll_frequency=0.02).until(lambda _: what())

    @property
    def position(self) -> int:
        return int(self.script("document.getElementById('position').textContent").split("/")[0])

    @property
    def playing(self) -> bool:
        return self.script("document.getElementById('play').ariaLabel") == "Pause"

    @property
    def caption(self) -> str:
        return str(self.script("document.getElementById('caption').textContent"))

    @property
    def players(self) -> dict[str, dict[str, str]]:
        rows: list[dict[str, str]] = self.script(
            "[...document.querySelectorAll('#players li')].map(row => ({color: row.dataset.color, "
            "...Object.fromEntries(['name', 'fate', 'rank'].map("
            "part => [part, row.querySelector('.' + part).textContent]))}))"
        )
        return {row["color"]: row for row in rows}

    @property
    def stones(self) -> list[str]:
        """The places of the stones that are shown."""
        found: list[str] = self.script(
            "[...document.querySelectorAll('.stone:not([hidden])')]"
            ".map(stone => stone.getAttribute('transform'))"
        )
        return found

    @property
    def tiles_shown(self) -> int:
        return int(
            self.script(
                "[...document.querySelectorAll('use.laid')]"
                ".filter(tile => tile.style.display !== 'none').length"
            )
        )

    def size(self, width: int, height: int, phone: bool = False) -> None:
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone},
        )

    def prefer(self, feature: str, value: str) -> None:
        features = [{"name": feature, "value": value}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


@pytest.fixture
def open_page(driver: webdriver.Chrome, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    page = Page(driver)

    def open_record(record: dict[str, Any]) -> Page:
        path = tmp_path / "game.html"
        path.write_text(to_html(record), encoding="utf-8")
        driver.get(path.as_uri())
        return page

    page.size(1280, 860)
    driver.get_log("browser")
    yield open_record
    # Whatever a test did, the page complained of nothing and fetched nothing.
    assert driver.get_log("browser") == []
    assert page.script("performance.getEntriesByType('resource').map(e => e.name)") == []
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def short_record() -> dict[str, Any]:
    return random_record(3, Rules.boxed(), players=3)


# ------------------------------------------------------------------------------------- playing


def test_it_plays_to_the_end_and_shows_the_ranking(open_page: Callable[..., Page]) -> None:
    record = short_record()
    page = open_page(record)
    assert {player["rank"] for player in page.players.values()} == {""}
    Select(page.driver.find_element(By.ID, "speed")).select_by_value("16")
    page.click("play")
    assert page.playing
    page.wait(lambda: not page.playing)
    assert page.position == len(record["moves"])
    ranks = {color: str(i) for i, tied in enumerate(record["ranking"], 1) for color in tied}
    assert {color: row["rank"] for color, row in page.players.items()} == ranks
    assert all(page.players[out["color"]]["fate"] for m in record["moves"] for out in m["out"])
    assert "win" in page.caption


def test_it_can_be_paused_and_goes_on_where_it_was(open_page: Callable[..., Page]) -> None:
    page = open_page(short_record())
    page.press(Keys.SPACE)
    page.wait(lambda: page.position >= 2)
    page.press(Keys.SPACE)
    assert not page.playing
    paused = page.position, page.stones
    time.sleep(0.5)
    assert (page.position, page.stones) == paused
    page.press(Keys.SPACE)
    page.wait(lambda: page.position == paused[0] + 1)


def test_playing_at_the_end_starts_again(open_page: Callable[..., Page]) -> None:
    page = open_page(short_record())
    page.click("last")
    page.click("play")
    page.wait(lambda: page.position == 0)
    assert page.stones == []


# ------------------------------------------------------------------------------------ stepping


def test_the_keyboard_steps_through_the_moves(open_page: Callable[..., Page]) -> None:
    record = short_record()
    last = len(record["moves"])
    page = open_page(record)
    captions = [scene.caption for scene in scenes_of(record)]
    for keys, expected in [
        ((Keys.ARROW_RIGHT,), 1),
        ((Keys.ARROW_RIGHT, Keys.ARROW_RIGHT), 3),
        ((Keys.ARROW_LEFT,), 2),
        ((Keys.END,), last),
        ((Keys.ARROW_RIGHT,), last),
        ((Keys.HOME,), 0),
        ((Keys.ARROW_LEFT,), 0),
    ]:
        page.press(*keys)
        assert page.position == expected
        assert page.caption == captions[expected]


def test_every_move_shows_its_tiles_stones_and_offer(open_page: Callable[..., Page]) -> None:
    record = long_record()
    page = open_page(record)
    for number, scene in enumerate(scenes_of(record)):
        if number % 5 and number < len(record["moves"]) - 2:
            continue
        page.script(
            "(s => { s.value = arguments[0]; s.dispatchEvent(new Event('input')) })"
            "(document.getElementById('scrub'))",
            number,
        )
        assert page.position == number
        assert page.tiles_shown == len(scene.tiles)
        assert len(page.stones) == len(scene.avatars)
        hand = page.script(
            "[...document.querySelectorAll('#hand li')].map(item => [item.className, "
            "item.textContent, item.querySelector('use').getAttribute('href')])"
        )
        assert hand == [offer(tile, slot == scene.chosen) for slot, tile in enumerate(scene.hand)]


def offer(tile: Tile, chosen: bool) -> list[str]:
    label = f"{tile.index} at {tile.degrees}°" if chosen else str(tile.index)
    return ["chosen" if chosen else "", label, f"#tile-{tile.orientation}"]


def test_the_walk_is_animated(open_page: Callable[..., Page]) -> None:
    page = open_page(short_record())
    placements = len(page.players)
    page.press(*[Keys.ARROW_RIGHT] * placements)
    page.click("forward")
    seen = set()
    page.wait(lambda: seen.add(tuple(page.stones)) or len(seen) >= 4)


def test_who_prefers_less_motion_sees_the_end_of_a_step_at_once(
    open_page: Callable[..., Page],
) -> None:
    record = short_record()
    page = open_page(record)
    page.click("last")
    at_the_end = page.stones
    page.prefer("prefers-reduced-motion", "reduce")
    page = open_page(record)
    page.press(Keys.END, Keys.ARROW_LEFT, Keys.ARROW_RIGHT)
    assert page.stones == at_the_end


def test_lines_that_several_have_walked_are_striped(open_page: Callable[..., Page]) -> None:
    record = long_record()
    page = open_page(record)
    striped = "document.querySelectorAll('.walk path[stroke-dashoffset]').length"
    assert page.script(striped) == 0
    page.click("last")
    walked = scenes_of(record)[-1].walked
    shares = [len(who) for lines in walked.values() for who in lines.values()]
    assert page.script(striped) == 2 * sum(share - 1 for share in shares)
    page.press(Keys.HOME)
    assert page.script(striped) == 0


def test_a_game_that_is_not_over_has_no_ranks(open_page: Callable[..., Page]) -> None:
    record = copy.deepcopy(short_record())
    record["ranking"], record["moves"] = None, record["moves"][:6]
    page = open_page(record)
    page.click("last")
    assert {player["rank"] for player in page.players.values()} == {""}


# ------------------------------------------------------------------------------ looks and safety


@pytest.mark.parametrize("width", [320, 390, 800, 1280])
def test_nothing_is_wider_than_the_screen(open_page: Callable[..., Page], width: int) -> None:
    record = random_record(1, Rules.boxed(), players=8, names=["x" * 200] * 8)
    page = open_page(record)
    page.size(width, 844, phone=width < 500)
    for key in (Keys.HOME, Keys.END):
        page.press(key)
        assert page.script("document.documentElement.scrollWidth") <= width
    board = page.script("document.getElementById('board').getBoundingClientRect().toJSON()")
    assert board["left"] >= 0
    assert board["right"] <= width


def test_it_is_dark_for_who_prefers_dark(open_page: Callable[..., Page]) -> None:
    page = open_page(short_record())

    def brightness(what: str) -> int:
        color = page.script(f"getComputedStyle(document.body).{what}")
        return sum(int(channel) for channel in re.findall(r"\d+", color)[:3])

    assert brightness("backgroundColor") > brightness("color") + 300
    page.prefer("prefers-color-scheme", "dark")
    assert brightness("backgroundColor") < brightness("color") - 300


def test_names_are_text_whatever_they_say(open_page: Callable[..., Page]) -> None:
    record = random_record(1, players=3, names=HOSTILE)
    page = open_page(record)
    page.click("last")
    assert page.script("window.harmed") is None
    assert page.script("document.images.length") == 0
    names = [player["name"] for player in page.players.values()]
    assert names[:2] == HOSTILE[:2]
    assert names[2] == HOSTILE[2].replace("\u2028", "�").replace("\ud800", "�")


def test_the_page_lets_no_other_script_run(open_page: Callable[..., Page]) -> None:
    page = open_page(short_record())
    page.script(
        "document.body.insertAdjacentHTML('beforeend', '<p onclick=\"window.harmed = 1\" id=p>p')"
    )
    page.script("document.getElementById('p').click()")
    assert page.script("window.harmed") is None
    refused = page.driver.get_log("browser")
    assert len(refused) == 1
    assert "Content Security Policy" in refused[0]["message"]


class Addresses(HTMLParser):
    """Everything in a page that a browser might fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, _: str, attributes: list[tuple[str, str | None]]) -> None:
        names = ("src", "href", "xlink:href", "srcset", "action", "data", "poster")
        self.found += [value or "" for name, value in attributes if name in names]


def test_the_page_needs_nothing_from_elsewhere() -> None:
    text = to_html(long_record())
    addresses = Addresses()
    addresses.feed(text)
    assert addresses.found
    assert all(address.startswith(("#", "data:")) for address in addresses.found)
    assert set(re.findall(r"https?:[^\s\"']*", text)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"@import|url\((?!#)|fetch\(|XMLHttpRequest|import\(", text)


def test_where_the_browser_is_missing_the_command_that_installs_it_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(pytest.fail.Exception, match=INSTALL):
        browser_and_driver()
