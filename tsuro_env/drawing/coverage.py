"""Anti-aliased shapes: how much of each pixel a shape covers, from 0 to 1."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

#: float32 (height, width), 0 to 1.
Mask = NDArray[np.float32]
#: uint8 (height, width, 3).
Pixels = NDArray[np.uint8]
#: float32 (points, 2): x and y in pixels.
Polyline = NDArray[np.float32]


def pixel_centers(height: int, width: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """x (1, width) and y (height, 1) of the pixels' middles."""
    x = np.arange(width, dtype=np.float32)[None, :] + np.float32(0.5)
    y = np.arange(height, dtype=np.float32)[:, None] + np.float32(0.5)
    return x, y


def distance_to(line: Polyline, height: int, width: int) -> Mask:
    """The distance of every pixel's middle to a polyline, in pixels."""
    return distance_along(line, height, width)[0]


def distance_along(line: Polyline, height: int, width: int) -> tuple[Mask, Mask]:
    """The distance of every pixel's middle to a polyline, and how far along it is nearest."""
    x, y = pixel_centers(height, width)
    nearest = np.full((height, width), np.inf, dtype=np.float32)
    along = np.zeros((height, width), dtype=np.float32)
    passed = 0.0
    for (ax, ay), (bx, by) in pairwise(line.tolist()):
        dx, dy = bx - ax, by - ay
        squared_length = max(dx * dx + dy * dy, 1e-12)
        share = np.clip(((x - ax) * dx + (y - ay) * dy) / squared_length, 0, 1)
        squared = (x - ax - share * dx) ** 2 + (y - ay - share * dy) ** 2
        closer = squared < nearest
        nearest = np.where(closer, squared, nearest)
        length = squared_length**0.5
        along = np.where(closer, passed + share * np.float32(length), along)
        passed += length
    return np.sqrt(nearest), along


def covered(distance: Mask, half_width: float) -> Mask:
    """The pixels within ``half_width`` of a line, with a soft edge one pixel wide."""
    # A line thinner than a pixel is drawn one pixel wide, but fainter.
    strength = min(1.0, 2 * half_width)
    mask: Mask = np.clip(max(half_width, 0.5) + 0.5 - distance, 0, 1)
    mask *= np.float32(strength)
    return mask


def inside(distance: Mask) -> Mask:
    """The pixels with a negative signed distance, with a soft edge one pixel wide."""
    mask: Mask = np.clip(np.float32(0.5) - distance, 0, 1)
    return mask


def rounded_box(height: int, width: int, inset: float, radius: float) -> Mask:
    """The signed distance to a box with round corners, ``inset`` pixels inside of the image."""
    x, y = pixel_centers(height, width)
    across = np.abs(x - width / 2) - (width / 2 - inset - radius)
    along = np.abs(y - height / 2) - (height / 2 - inset - radius)
    outside = np.hypot(np.maximum(across, 0), np.maximum(along, 0))
    within = np.minimum(np.maximum(across, along), 0)
    box: Mask = (outside + within - radius).astype(np.float32)
    return box


def blend(canvas: Pixels, left: int, top: int, mask: Mask, color: tuple[int, int, int]) -> None:
    """Lay a colour over a part of the canvas, as much as the mask says; clipped at the edges."""
    height, width = canvas.shape[:2]
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + mask.shape[1], width), min(top + mask.shape[0], height)
    if x0 >= x1 or y0 >= y1:
        return
    part = canvas[y0:y1, x0:x1]
    share = mask[y0 - top : y1 - top, x0 - left : x1 - left, None]
    mixed = part.astype(np.float32)
    mixed += (np.array(color, dtype=np.float32) - mixed) * share
    part[...] = mixed + np.float32(0.5)
