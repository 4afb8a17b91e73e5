"""The report of a tournament: its files, and the page in a real browser."""

import csv
import json
import re
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet
import pytest
from PIL import Image
from selenium import webdriver
from selenium.webdriver.common.by import By

from evaluation import Entrant, Limits, tournament
from evaluation.report import write_report
from evaluation.report.findings import FATES, ReportError, findings_of
from evaluation.store import Store
from tests.test_html_replay import FLAGS, browser_and_driver
from tsuro_cli.main import main

HOSTILE = "</th><script>window.harmed = 1</script><img src=x onerror='window.harmed = 2'>"
DOLLAR = "$\\frac{1}$ & \u202e日本\x07"
ENTRANTS = [
    Entrant("random", "random"),
    Entrant("second", "second"),
    Entrant(HOSTILE, "first"),
    Entrant(DOLLAR, "random:seed=3"),
    Entrant("shouts", "tests.rogues.gallery:Shouter", True),
    Entrant("a name that is so long that no table can hold it without a break " * 2, "third"),
]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("results") / "results.sqlite"
    limits = Limits(move_seconds=5, first_seconds=30)
    tournament(ENTRANTS, path, "swiss", seed=6, rounds=3, limits=limits, workers=1)
    return path


@pytest.fixture(scope="module")
def report(results: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report") / "deep" / "down"
    assert write_report(results, folder) == folder / "index.html"
    return folder


def rows_of(path: Path) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(path)
    try:
        return connection.execute(
            "SELECT game, seat, name, rank, out FROM seats JOIN entrants ON entrant = id "
            "ORDER BY game, seat"
        ).fetchall()
    finally:
        connection.close()


# ------------------------------------------------------------------------------------- the files


def test_every_seat_of_every_game_is_in_each_export(results: Path, report: Path) -> None:
    expected = rows_of(results)
    keys = ("game", "seat", "name", "rank", "out")
    with (report / "games.csv").open(encoding="utf-8", newline="") as file:
        from_csv = [tuple(row[key] for key in keys) for row in csv.DictReader(file)]
    assert from_csv == [tuple(map(str, row)) for row in expected]
    from_json = json.loads((report / "games.json").read_text(encoding="utf-8"))
    assert [tuple(row[key] for key in keys) for row in from_json] == expected
    table = parquet.read_table(report / "games.parquet").to_pylist()
    assert [tuple(row[key] for key in keys) for row in table] == expected


def test_there_is_a_picture_of_every_plot(report: Path) -> None:
    pictures = sorted((report / "plots").iterdir())
    assert [p.name for p in pictures] == [
        "fates.png", "lengths.png", "pairwise.png", "ratings.png", "seats.png"
    ]  # fmt: skip
    for picture in pictures:
        with Image.open(picture) as image:
            assert image.size[0] > 400
            assert len(image.convert("RGB").getcolors(1 << 20) or []) > 20


def test_every_link_of_the_page_leads_to_a_file(report: Path) -> None:
    page = (report / "index.html").read_text(encoding="utf-8")
    links = set(re.findall(r'href="([^"]+)"', page)) - {"data:,"}
    assert len(links) > 10
    for link in links:
        assert (report / link).is_file(), link


def test_replays_are_of_the_games_that_were_chosen(results: Path, report: Path) -> None:
    with Store.open(results) as store:
        chosen = findings_of(store).chosen
    assert sorted(path.name for path in (report / "replays").iterdir()) == sorted(
        f"game-{game.number}.html" for game in chosen
    )
    reasons = "; ".join(game.why for game in chosen)
    for why in ("the last game", "the longest game", "the shortest game", "shouts: exception"):
        assert why in reasons


def test_the_findings_add_up(results: Path) -> None:
    with Store.open(results) as store:
        findings = findings_of(store)
        games = store.games
    assert findings.fates.sum() == games.seated.sum()
    assert findings.fates.sum(axis=1).tolist() == [row.games for row in findings.standings]
    shouter = findings.names.index("shouts")
    faults = findings.fates[shouter, FATES.index("exception")]
    assert faults == sum(f.times for f in findings.faults if f.name == "shouts") > 0
    assert [elo.value for elo in findings.elo] == sorted(
        (elo.value for elo in findings.elo), reverse=True
    )


def test_a_tournament_that_is_not_over_has_a_report_too(tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    path = tmp_path / "broken.sqlite"
    with pytest.raises(KeyboardInterrupt):
        tournament(["random", "second", "third"], path, "swiss", workers=1, progress=stop)
    write_report(path, tmp_path / "report")
    assert "Not over yet" in (tmp_path / "report" / "index.html").read_text(encoding="utf-8")


def test_two_players_and_boxed_rules_have_a_report(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    tournament(["random", "random"], path, rules="boxed", workers=1)
    write_report(path, tmp_path / "report")
    assert "In turns" in (tmp_path / "report" / "index.html").read_text(encoding="utf-8")


def test_without_a_finished_game_there_is_nothing_to_report(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    tournament(["random", "second"], path, workers=1)
    connection = sqlite3.connect(path)
    connection.executescript("DELETE FROM seats; DELETE FROM games;")
    connection.close()
    with pytest.raises(ReportError, match="no finished game yet"):
        write_report(path, tmp_path / "report")
    assert not (tmp_path / "report").exists()


def test_the_command_tells_where_the_page_is(
    results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(results), "-o", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'out' / 'index.html'}\n"
    assert main(["report", str(tmp_path / "missing"), "-o", str(tmp_path / "out")]) == 2
    assert "there is no file" in capsys.readouterr().err


@pytest.mark.parametrize("module", ["matplotlib.figure", "pyarrow"])
def test_without_the_extra_the_command_names_it(
    module: str,
    results: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    assert main(["report", str(results), "-o", str(tmp_path / "out")]) == 2
    assert "pip install 'tsuro-env[eval]'" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_strangers_words_cannot_paint_the_terminal(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tournament", "--resume", str(results)]) == 0
    out = capsys.readouterr().out
    assert "shouts: exception" in out
    assert "\x1b" not in out
    assert "\x07" not in out


# ----------------------------------------------------------------------------------- the browser


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    chromium, chromedriver = browser_and_driver()
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('browser')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(
        options=options, service=webdriver.ChromeService(executable_path=chromedriver)
    )
    yield driver
    driver.quit()


@pytest.fixture
def page(driver: webdriver.Chrome, report: Path) -> webdriver.Chrome:
    look(driver, 1280, "light")
    driver.get((report / "index.html").as_uri())
    return driver


def look(driver: webdriver.Chrome, width: int, scheme: str) -> None:
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    feature = {"name": "prefers-color-scheme", "value": scheme}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})


def texts(page: webdriver.Chrome, selector: str) -> list[str]:
    script = "return Array.from(document.querySelectorAll(arguments[0]), e => e.textContent)"
    found: list[str] = page.execute_script(script, selector)
    return found


def test_the_page_shows_every_part_and_reports_no_error(page: webdriver.Chrome) -> None:
    assert texts(page, "h2") == [
        "Ratings",
        "Standings",
        "Who beats whom",
        "Win share by seat",
        "How players ended their games",
        "Length of games",
        "Faults",
        "Games to look at",
        "Files",
    ]
    assert len(texts(page, ".ladder li:not(.axis)")) == len(ENTRANTS)
    assert len(texts(page, "#standings tbody tr")) == len(ENTRANTS)
    assert len(texts(page, "#pairwise tbody td")) == len(ENTRANTS) ** 2
    assert page.get_log("browser") == []


def test_names_and_details_are_text_and_nothing_else(page: webdriver.Chrome) -> None:
    assert page.execute_script("return window.harmed === undefined")
    assert page.execute_script("return document.scripts.length + document.images.length") == 0
    assert HOSTILE in texts(page, ".ladder .name")
    (detail,) = [d for d in texts(page, ".detail") if "window.harmed = 3" in d]
    assert detail == "ValueError: <script>window.harmed = 3</script>�[31m \\ud800"


def test_the_intervals_lie_round_the_ratings_on_the_track(page: webdriver.Chrome) -> None:
    for row in page.find_elements(By.CSS_SELECTOR, ".ladder li:not(.axis)"):
        track = row.find_element(By.CLASS_NAME, "track").rect
        bar = row.find_element(By.CLASS_NAME, "interval").rect
        dot = row.find_element(By.CLASS_NAME, "dot").rect
        middle = dot["x"] + dot["width"] / 2
        assert bar["x"] - 1 <= middle <= bar["x"] + bar["width"] + 1
        assert track["x"] - 1 <= bar["x"]
        assert bar["x"] + bar["width"] <= track["x"] + track["width"] + 3


def test_points_against_each_other_add_up_to_one(page: webdriver.Chrome) -> None:
    count = len(ENTRANTS)
    cells = texts(page, "#pairwise tbody td")
    for row in range(count):
        assert cells[row * count + row] == "–"
        for column in range(row):
            here, there = cells[row * count + column], cells[column * count + row]
            assert (here == "–") == (there == "–")
            if here != "–":
                assert float(here) + float(there) == pytest.approx(1, abs=0.011)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_is_cut_off_on_a_desk_or_a_phone(
    page: webdriver.Chrome, width: int, scheme: str
) -> None:
    look(page, width, scheme)
    page.refresh()
    assert page.execute_script("return document.documentElement.scrollWidth") <= width
    script = """return Array.from(document.querySelectorAll('section, header')).every(part => {
        const box = part.getBoundingClientRect();
        return box.left >= 0 && box.right <= arguments[0];
    })"""
    assert page.execute_script(script, width)
    light = page.execute_script(
        "return getComputedStyle(document.body).backgroundColor === 'rgb(245, 238, 224)'"
    )
    assert light == (scheme == "light")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_numbers_stand_out_from_the_colours_under_them(page: webdriver.Chrome, scheme: str) -> None:
    look(page, 1280, scheme)
    page.refresh()
    script = """
    const context = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    const light = color => {
        context.fillStyle = color;
        context.fillRect(0, 0, 1, 1);
        const [r, g, b] = Array.from(context.getImageData(0, 0, 1, 1).data, v => v / 255)
            .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    return Array.from(document.querySelectorAll('.ahead, .behind')).map(cell => {
        const style = getComputedStyle(cell);
        const pair = [light(style.color), light(style.backgroundColor)].sort((a, b) => a - b);
        return (pair[1] + 0.05) / (pair[0] + 0.05);
    });"""
    assert min(page.execute_script(script)) >= 4.5


def test_a_link_opens_the_replay_of_the_game(page: webdriver.Chrome) -> None:
    link = page.find_element(By.CSS_SELECTOR, ".replays a")
    number = link.text.removeprefix("Game ")
    link.click()
    assert page.current_url.endswith(f"/replays/game-{number}.html")
    assert page.find_element(By.ID, "board").is_displayed()
    assert page.execute_script("return window.harmed === undefined")
