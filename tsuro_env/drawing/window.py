"""A window that shows scenes: ``render_mode="human"``. Needs pygame-ce."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from tsuro_env.drawing.extras import MissingExtraError
from tsuro_env.drawing.raster import to_rgb
from tsuro_env.drawing.scene import Scene


class Window:
    """Opens with the first scene shown, and stays until it is closed, by its user or by us.

    After its user has closed it, further scenes are not shown: ``is_open`` says so. With ``fps``,
    ``show`` waits until the next picture is due.
    """

    def __init__(self, size: int = 640, title: str = "Tsuro", fps: float | None = None) -> None:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        try:
            import pygame
        except ImportError as error:
            raise MissingExtraError("a window", "pygame-ce") from error
        self._pygame: Any = pygame
        self._size = size
        self._title = title
        self._fps = fps
        self._surface: Any = None
        self._clock = pygame.time.Clock()
        self.is_open = True

    def show(self, scene: Scene) -> None:
        """Draw a scene, and let the window answer to its user."""
        if not self.is_open:
            return
        pygame, pixels = self._pygame, to_rgb(scene, self._size)
        height, width, _ = pixels.shape
        if self._surface is None:
            pygame.display.init()
            pygame.display.set_caption(self._title)
        if self._surface is None or self._surface.get_size() != (width, height):
            self._surface = pygame.display.set_mode((width, height))
        # pygame's axes are (x, y), numpy's (y, x).
        pygame.surfarray.blit_array(self._surface, np.swapaxes(pixels, 0, 1))
        pygame.display.flip()
        # A window whose events nobody reads seems to hang.
        if any(event.type == pygame.QUIT for event in pygame.event.get()):
            self.close()
        elif self._fps is not None:
            self._clock.tick(self._fps)

    def close(self) -> None:
        """Close the window; nothing happens if it is closed already."""
        self.is_open = False
        if self._surface is not None:
            self._surface = None
            self._pygame.display.quit()
