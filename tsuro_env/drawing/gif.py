"""A film as an animated GIF. Needs pillow."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable

from tsuro_env.drawing import palette as p
from tsuro_env.drawing.extras import MissingExtraError
from tsuro_env.drawing.palette import PAINTS, rgb
from tsuro_env.drawing.raster import PictureError, to_rgb
from tsuro_env.drawing.scene import Scene
from tsuro_env.files import write_atomically

LAST_FRAME_SECONDS = 3.0


def to_gif(
    scenes: Iterable[Scene], path: str | os.PathLike[str], fps: float = 2.0, size: int = 480
) -> None:
    """Write the scenes to ``path``, ``fps`` of them a second; the last one stays a while."""
    try:
        from PIL import Image
    except ImportError as error:
        raise MissingExtraError("a GIF", "pillow") from error
    if not 0 < fps <= 50:
        raise PictureError(f"fps {fps!r}: expected more than 0 and at most 50")
    colors = Image.new("P", (1, 1))
    colors.putpalette([channel for color in _palette() for channel in rgb(color)])
    images = [
        Image.fromarray(to_rgb(scene, size)).quantize(palette=colors, dither=Image.Dither.NONE)
        for scene in scenes
    ]
    if not images:
        raise PictureError("no scenes: expected at least one")
    milliseconds = [round(1000 / fps)] * (len(images) - 1) + [round(1000 * LAST_FRAME_SECONDS)]
    file = io.BytesIO()
    images[0].save(
        file, "GIF", save_all=True, append_images=images[1:], duration=milliseconds, loop=0
    )
    write_atomically(path, file.getvalue())


def _palette() -> list[str]:
    """At most 256 colours, the same for the whole film: those of the board and what lies between.

    A palette counted from the pixels would give up the stones, which are small.
    """
    ramps = [
        (p.PAGE, p.INK, 12),
        (p.PAGE, p.SOFT_INK, 6),
        (p.PAGE, p.FRAME, 5),
        (p.FRAME, p.FRAME_INK, 6),
        (p.BOARD, p.INK, 8),
        (p.BOARD, p.FRAME_LINE, 3),
        (p.BOARD, p.GRID, 3),
        (p.TILE, p.LINE, 8),
        (p.TILE, p.BOARD, 5),
        (p.TILE, p.INK, 8),
    ]
    for paint in PAINTS.values():
        ramps += [(p.TILE, paint.fill, 9), (p.BOARD, paint.fill, 6)]
        ramps += [(paint.fill, "#ffffff", 4), (paint.fill, p.INK, 3)]
    colors = (
        p.mixed(start, end, i / (count - 1)) for start, end, count in ramps for i in range(count)
    )
    return list(dict.fromkeys(colors))[:256]
