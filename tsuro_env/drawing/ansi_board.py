"""The board and the hand of a scene in characters, in two ways.

With ``unicode``, the lines of the tiles are drawn in braille dots, eight to a character: the paths
run on from tile to tile as on the real board. Without it, the ends of the same line carry the same
sign: the colour's letter if somebody walked it, else a digit. A stone is the letter of its colour,
followed by an arrow (or, without ``unicode``, ``^>v<``) in the square that it faces.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from tsuro_env.board import Avatar
from tsuro_env.drawing.canvas import WIDEST, Canvas, Cell, Style, blank, box, put
from tsuro_env.drawing.geometry import OUTWARD, PORT_POINTS, Point, Square, lines_of, points_on
from tsuro_env.drawing.palette import PAINTS
from tsuro_env.drawing.scene import Line, Scene, ahead_of
from tsuro_env.tile import Tile, port_number

#: Columns and rows of a square; the first that keeps the board within 80 columns is taken.
CELLS: Final = ((11, 5), (9, 4), (7, 3), (5, 2))
HAND_CELL: Final = (7, 3)
ARROWS: Final = {(0, -1): "▲^", (1, 0): "▶>", (0, 1): "▼v", (-1, 0): "◀<"}
#: The bits of a braille character's dots, [row][column], counted from U+2800.
DOTS: Final = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))

# The nearest of a terminal's 256 colours.
BOARD: Final = 180
TILE: Final = 230
FACED: Final = 223
TO_MOVE: Final = 220  # faced by the player to move
LINE: Final = 137
UNDER_WHITE: Final = 137  # white needs a darker ground than the tiles are
INK: Final = 236
WHITE: Final = 231

#: Dots or signs of one square, by column and row.
Glyphs = dict[tuple[int, int], Cell]


def stone_style(color: str) -> Style:
    ink = INK if PAINTS[color].ink == PAINTS["white"].ink else WHITE
    return Style(ink, PAINTS[color].terminal, bold=True)


def _trail_style(color: str) -> Style:
    return Style(PAINTS[color].terminal, UNDER_WHITE if color == "white" else TILE, bold=True)


class TextBoard:
    """What the two ways of drawing have in common: squares, stones and arrows in a frame.

    A square is ``columns`` x ``rows`` characters and begins every ``pitch`` characters; the frame
    is the character before the first and after the last square.
    """

    columns: int
    rows: int
    pitch: tuple[int, int]
    tip: int  # which of the two signs of an arrow

    def __init__(self, scene: Scene, color: bool) -> None:
        self.scene = scene
        self.color = color
        self.left = len(str(scene.size - 1)) + 2  # the numbers of the rows, and the frame
        self.top = 2

    def board(self) -> Canvas:
        scene = self.scene
        canvas = self.framed()
        for number in range(scene.size):
            column, row = self.corner((number, number))
            put(canvas, column + self.columns // 2, 0, str(number))
            put(canvas, 0, row + (self.rows - 1) // 2, str(number).rjust(self.left - 2))
        faced, walked = scene.faced, scene.walked
        for x in range(scene.size):
            for y in range(scene.size):
                if (x, y) in scene.tiles:
                    glyphs = self.tile(scene.tiles[x, y], walked.get((x, y), {}))
                    self.stamp(canvas, (x, y), glyphs, TILE)
                else:
                    self.empty(canvas, (x, y), faced.get((x, y), ()))
        self.stones(canvas)
        return canvas

    def corner(self, square: Square) -> tuple[int, int]:
        return self.left + square[0] * self.pitch[0], self.top + square[1] * self.pitch[1]

    def stamp(self, canvas: Canvas, square: Square, glyphs: Glyphs, paper: int) -> None:
        """Fill a square with its ground and put the signs on it."""
        column, row = self.corner(square)
        bare = Cell(" ", Style(INK, paper))
        for dy in range(self.rows):
            for dx in range(self.columns):
                canvas[row + dy][column + dx] = glyphs.get((dx, dy), bare)

    def ground(self, facing: Sequence[str]) -> int:
        """The colour of an empty square."""
        if not facing:
            return BOARD
        return TO_MOVE if self.scene.mover in facing else FACED

    def stones(self, canvas: Canvas) -> None:
        behind: dict[tuple[int, int, int], int] = {}
        for color, avatar in self.scene.avatars.items():
            ahead = ahead_of(avatar)
            rank = behind.get(ahead, 0)
            behind[ahead] = rank + 1
            dx, dy = OUTWARD[port_number(avatar.port)]
            if not avatar.on_tile:
                dx, dy = -dx, -dy
            # Those who share a port stand in a row; who finds no place in it hides the one before.
            behind_first = min(rank, (self.columns if dx else self.rows) - 1)
            column, row = self.stand(avatar)
            style = stone_style(color)
            if color == "white" and avatar.on_tile:  # white on a light tile is lost
                style = Style(WHITE, UNDER_WHITE, bold=True)
            x, y = column - behind_first * dx, row - behind_first * dy
            put(canvas, x, y, PAINTS[color].letter, style)
            if rank == 0 and (ahead.x, ahead.y) in self.scene.faced:
                paper = canvas[row + dy][column + dx].style.paper
                ink = INK if color == "white" else PAINTS[color].terminal
                arrow = Style(ink, paper, bold=True)
                put(canvas, column + dx, row + dy, ARROWS[dx, dy][self.tip], arrow)

    def stand(self, avatar: Avatar) -> tuple[int, int]:
        """The character of a stone."""
        raise NotImplementedError

    def framed(self) -> Canvas:
        """The empty board's frame."""
        raise NotImplementedError

    def tile(self, tile: Tile, walked: Mapping[Line, Sequence[str]]) -> Glyphs:
        """A tile, and who walked which of its lines."""
        raise NotImplementedError

    def empty(self, canvas: Canvas, square: Square, facing: Sequence[str]) -> None:
        """An empty square, and who faces it."""
        raise NotImplementedError

    def hand(self) -> Canvas:
        """The tiles in hand, side by side."""
        raise NotImplementedError


class BrailleBoard(TextBoard):
    """Lines of braille dots; the squares touch, so that the lines go on."""

    tip = 0

    def __init__(self, scene: Scene, color: bool) -> None:
        super().__init__(scene, color)
        room = WIDEST - self.left - 1
        fitting = [cell for cell in CELLS if scene.size * cell[0] <= room]
        self.columns, self.rows = self.pitch = (fitting or CELLS[-1:])[0]

    def framed(self) -> Canvas:
        width, height = self.scene.size * self.columns, self.scene.size * self.rows
        canvas = blank(self.left + width + 1, self.top + height + 1)
        box(canvas, self.left - 1, self.top - 1, width, height, "┌─┐│└┘")
        return canvas

    def stand(self, avatar: Avatar) -> tuple[int, int]:
        column, row = self.corner((avatar.x, avatar.y))
        port = port_number(avatar.port)
        px, py = _port_character(port, self.columns, self.rows)
        dx, dy = (0, 0) if avatar.on_tile else OUTWARD[port]
        return column + px + dx, row + py + dy

    def tile(self, tile: Tile, walked: Mapping[Line, Sequence[str]]) -> Glyphs:
        """A walked line takes the characters that it goes through: it crosses over the others.

        Of a line that several have walked, everybody gets a stretch. Without colours, lines that
        nobody walked are dotted, and letters along the others say who walked them.
        """
        cell = self.columns, self.rows
        glyphs = self.bare(tile, cell, 1 if self.color else 2)
        for (a, b), colors in walked.items():
            line = _characters(a, b, *cell)
            for number, (at, bits) in enumerate(line):
                color = colors[number * len(colors) // len(line)]
                glyphs[at] = Cell(chr(0x2800 + bits), _trail_style(color))
            if not self.color:
                for number, color in enumerate(colors):
                    middle, _ = line[(2 * number + 1) * len(line) // (2 * len(colors))]
                    glyphs[middle] = Cell(PAINTS[color].letter.lower(), _trail_style(color))
        return glyphs

    def bare(self, tile: Tile, cell: tuple[int, int], every: int) -> Glyphs:
        """The four lines of a tile, with every first or second of their dots."""
        dots: dict[tuple[int, int], int] = {}
        for a, b in lines_of(tile):
            for at, bits in _characters(a, b, *cell, every):
                dots[at] = dots.get(at, 0) | bits
        return {at: Cell(chr(0x2800 + bits), Style(LINE, TILE)) for at, bits in dots.items()}

    def empty(self, canvas: Canvas, square: Square, facing: Sequence[str]) -> None:
        label = "".join(PAINTS[color].letter for color in facing)
        if self.scene.mover in facing:
            label = f"[{label}]"
        label = (label or "·")[: self.columns]
        paper = self.ground(facing)
        style = Style(INK, paper, bold=True) if facing else Style(LINE, paper)
        start = (self.columns - len(label)) // 2
        row = (self.rows - 1) // 2
        glyphs = {(start + i, row): Cell(letter, style) for i, letter in enumerate(label)}
        self.stamp(canvas, square, glyphs, paper)

    def hand(self) -> Canvas:
        scene, (columns, rows) = self.scene, HAND_CELL
        if not scene.hand:
            return []
        canvas = blank(len(scene.hand) * (columns + 4), rows + 3)
        for slot, tile in enumerate(scene.hand):
            left = slot * (columns + 4)
            picked = slot == scene.chosen
            box(canvas, left, 0, columns, rows, "┏━┓┃┗┛" if picked else "┌─┐│└┘")
            glyphs = self.bare(tile, HAND_CELL, 1)
            for y in range(rows):
                for x in range(columns):
                    cell = glyphs.get((x, y), Cell(" ", Style(LINE, TILE)))
                    canvas[y + 1][left + 1 + x] = cell
            put(canvas, left + 1, rows + 2, _hand_label(scene, slot), Style(bold=picked))
        return canvas


class SignBoard(TextBoard):
    """ASCII: squares with borders between them, and a sign at each port."""

    tip = 1

    def __init__(self, scene: Scene, color: bool) -> None:
        super().__init__(scene, color)
        self.columns, self.rows = (6 if scene.size <= 10 else 4), 2
        self.pitch = self.columns + 1, self.rows + 1

    def framed(self) -> Canvas:
        size, (across, down) = self.scene.size, self.pitch
        canvas = blank(self.left + size * across, self.top + size * down)
        for y in range(size * down + 1):
            bars = "+-" if y % down == 0 else "| "
            line = (bars[0] + bars[1] * self.columns) * size + bars[0]
            put(canvas, self.left - 1, self.top - 1 + y, line)
        return canvas

    def sign(self, port: int) -> tuple[int, int]:
        """Where a port's sign is in its square: H AB C above G FE D."""
        middle, last = self.columns // 2, self.columns - 1
        column = (middle - 1, middle, last, last, middle, middle - 1, 0, 0)[port]
        return column, (0 if port in (7, 0, 1, 2) else 1)

    def stand(self, avatar: Avatar) -> tuple[int, int]:
        column, row = self.corner((avatar.x, avatar.y))
        port = port_number(avatar.port)
        px, py = self.sign(port)
        dx, dy = OUTWARD[port]  # onto the border, whether on the tile or before it
        return column + px + dx, row + py + dy

    def tile(self, tile: Tile, walked: Mapping[Line, Sequence[str]]) -> Glyphs:
        """A walked line has its walker's letter; his second on the tile the small letter.

        A third one keeps its digit: no two lines of a tile have the same signs.
        """
        glyphs: Glyphs = {}
        taken: set[str] = set()
        for number, line in enumerate(lines_of(tile), 1):
            sign, style = str(number), Style(LINE, TILE)
            if line in walked:
                color = walked[line][-1]
                letter, style = PAINTS[color].letter, _trail_style(color)
                sign = next(s for s in (letter, letter.lower(), sign) if s not in taken)
                taken.add(sign)
            for port in line:
                glyphs[self.sign(port)] = Cell(sign, style)
        return glyphs

    def empty(self, canvas: Canvas, square: Square, facing: Sequence[str]) -> None:
        sign = (":" if self.scene.mover in facing else ".") if facing else " "
        paper = self.ground(facing)
        places = [(x, y) for x in range(self.columns) for y in range(self.rows)]
        self.stamp(canvas, square, {at: Cell(sign, Style(INK, paper)) for at in places}, paper)

    def hand(self) -> Canvas:
        scene = self.scene
        if not scene.hand:
            return []
        canvas = blank(len(scene.hand) * (self.columns + 5), self.rows + 3)
        for slot, tile in enumerate(scene.hand):
            left = slot * (self.columns + 5)
            for y in range(self.rows + 2):
                bars = "| " if 0 < y <= self.rows else "+-"
                put(canvas, left, y, bars[0] + bars[1] * self.columns + bars[0])
            for (x, y), cell in self.tile(tile, {}).items():
                canvas[y + 1][left + 1 + x] = cell
            put(canvas, left, self.rows + 2, _hand_label(scene, slot))
        return canvas


def _hand_label(scene: Scene, slot: int) -> str:
    tile = scene.hand[slot]
    return f"*{tile.index} at {tile.degrees}" if slot == scene.chosen else f" {tile.index}"


def _dot(point: Point, columns: int, rows: int) -> tuple[int, int]:
    """The dot of a point of the square.

    A third of a side is seldom a whole number of dots, so the ports go to the whole dot outside of
    it, on both ends alike, and the rest is stretched in between.
    """
    return _stretch(point[0], 2 * columns), _stretch(point[1], 4 * rows)


def _stretch(share: float, count: int) -> int:
    last = count - 1
    port = last // 3
    if share <= 1 / 3:
        return round(share * 3 * port)
    if share >= 2 / 3:
        return round(last - (1 - share) * 3 * port)
    return round(port + (share * 3 - 1) * (last - 2 * port))


@lru_cache(maxsize=512)
def _characters(
    a: int, b: int, columns: int, rows: int, every: int = 1
) -> tuple[tuple[tuple[int, int], int], ...]:
    """The characters that a line goes through, in order, each with the bits of its dots."""
    characters: dict[tuple[int, int], int] = {}
    for x, y in _dots(a, b, columns, rows)[::every]:
        at = x // 2, y // 4
        characters[at] = characters.get(at, 0) | DOTS[y % 4][x % 2]
    return tuple(characters.items())


def _dots(a: int, b: int, columns: int, rows: int) -> list[tuple[int, int]]:
    """The dots of a line in order, one dot wide."""
    path: list[tuple[int, int]] = []
    for point in points_on(a, b, 101):
        dot = _dot(point, columns, rows)
        if path and dot == path[-1]:
            continue
        # A corner between two diagonal neighbours would make the line two dots wide.
        if len(path) > 1 and max(abs(dot[0] - path[-2][0]), abs(dot[1] - path[-2][1])) == 1:
            path.pop()
        path.append(dot)
    return path


def _port_character(port: int, columns: int, rows: int) -> tuple[int, int]:
    x, y = _dot(PORT_POINTS[port], columns, rows)
    return x // 2, y // 4
