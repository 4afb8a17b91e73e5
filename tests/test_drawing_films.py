"""GIFs and windows, and what happens where pillow or pygame is missing."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.games_to_draw import busy_scene, long_film
from tsuro_env.drawing import MissingExtraError, PictureError, Scene, Window, to_gif, to_rgb

EXTRA = re.escape("pip install 'tsuro-env[play]'")

# -------------------------------------------------------------------------------------- the GIF


def test_the_gif_has_a_frame_for_every_scene(tmp_path: Path) -> None:
    from PIL import Image

    path, scenes = tmp_path / "game.gif", long_film()[-12:]
    to_gif(scenes, path, fps=4, size=200)
    with Image.open(path) as image:
        assert image.n_frames == 12
        assert image.size == (280, 200)
        assert image.info["duration"] == 250
        image.seek(11)
        assert image.info["duration"] == 3000
        shown = np.asarray(image.convert("RGB")).astype(int)
    assert np.abs(shown - to_rgb(scenes[11], 200)).mean() < 4
    assert [p.name for p in tmp_path.iterdir()] == ["game.gif"]


def test_a_gif_that_fails_half_way_leaves_the_old_file(tmp_path: Path) -> None:
    def broken() -> Any:
        yield long_film()[0]
        raise RuntimeError("no more")

    path = tmp_path / "game.gif"
    path.write_bytes(b"old")
    with pytest.raises(RuntimeError, match="no more"):
        to_gif(broken(), path)
    with pytest.raises(PictureError, match="no scenes"):
        to_gif([], path)
    with pytest.raises(PictureError, match="fps 0"):
        to_gif(long_film(), path, fps=0)
    assert path.read_bytes() == b"old"
    assert len(list(tmp_path.iterdir())) == 1


def test_without_pillow_the_gif_names_the_extra(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(MissingExtraError, match=EXTRA):
        to_gif(long_film(), tmp_path / "game.gif")


# ----------------------------------------------------------------------------------- the window


@pytest.fixture
def pygame(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    import pygame

    yield pygame
    pygame.display.quit()


def test_the_window_shows_the_picture(pygame: Any) -> None:
    scene, window = busy_scene(), Window(size=300)
    window.show(scene)
    shown = pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1)
    assert np.array_equal(shown, to_rgb(scene, 300))
    window.show(Scene(scene.size))
    assert pygame.display.get_surface().get_size() == (300, 300)
    assert window.is_open
    window.close()
    assert not pygame.display.get_init()


def test_a_window_can_be_closed_twice_and_by_its_user(pygame: Any) -> None:
    window = Window(size=200)
    window.close()
    window.close()
    window.show(busy_scene())
    assert not pygame.display.get_init()
    second = Window(size=200)
    second.show(busy_scene())
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    second.show(busy_scene())
    assert not second.is_open
    second.show(busy_scene())
    second.close()


def test_a_window_with_a_pace_waits_between_pictures(pygame: Any) -> None:
    window, scene = Window(size=200, fps=20), busy_scene()
    window.show(scene)
    started = pygame.time.get_ticks()
    for _ in range(4):
        window.show(scene)
    window.close()
    assert pygame.time.get_ticks() - started >= 150


def test_without_pygame_the_window_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(MissingExtraError, match=EXTRA):
        Window()


# ------------------------------------------------------------------------------- what is imported


def test_the_game_imports_no_drawing_and_the_drawing_neither_pygame_nor_pillow() -> None:
    code = (
        "import sys, tsuro_env; print(any('drawing' in name for name in sys.modules)); "
        "import tsuro_env.drawing; print({'pygame', 'PIL', 'matplotlib'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\nset()\n"
