"""Pictures of games: text, SVG, pixels, GIF, a window, and a page that replays a game.

Everything is drawn from one description, the ``Scene``: ``scene_of`` makes one of a referee's
position, ``scenes_of`` a film of a game record, ``Scene.of_board`` one of a board. Nothing here
decides a rule. Pillow and pygame-ce are imported only by what needs them.
"""

from tsuro_env.drawing.ansi import to_text
from tsuro_env.drawing.extras import MissingExtraError
from tsuro_env.drawing.film import scene_of, scenes_of
from tsuro_env.drawing.gif import to_gif
from tsuro_env.drawing.html import to_html
from tsuro_env.drawing.raster import PictureError, to_rgb
from tsuro_env.drawing.scene import Scene, Seat
from tsuro_env.drawing.svg import to_svg
from tsuro_env.drawing.window import Window

__all__ = [
    "MissingExtraError",
    "PictureError",
    "Scene",
    "Seat",
    "Window",
    "scene_of",
    "scenes_of",
    "to_gif",
    "to_html",
    "to_rgb",
    "to_svg",
    "to_text",
]
