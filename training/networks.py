"""The policy networks: an observation in, a logit for every action and a value out.

`OptionsNetwork` reads `options`: the same weights look at every tile option, and what it says about
the position is pooled over the legal ones. `PlanesNetwork` reads `planes` with convolutions.
Masks are no business of the networks: the logits of illegal actions mean nothing.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from tsuro_env import Rules
from tsuro_env.engine import options, planes
from tsuro_env.engine.state import TILE_ACTIONS, Variant
from tsuro_env.engine.tables import NUM_PORTS
from tsuro_env.symmetries import NUM_SYMMETRIES, spot_table

Layer = TypeVar("Layer", nn.Linear, nn.Conv2d)

OWN_AVATAR = slice(planes.NUM_PAIRS, planes.NUM_PAIRS + NUM_PORTS)
"""The channels of `planes` that show where the player itself is."""


HASTE = 4.0
"""How much faster than other weights the few of the start spots go: a game has one such choice."""


class Network(nn.Module):
    """What trainer, opponents and export rely on."""

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """(B, ...) observations into (B, A) logits and (B,) values."""
        raise NotImplementedError


class OptionsNetwork(Network):
    """Shared weights over the tile options, masked pooling for the value.

    The global features are read once; what they say is added to every option, and decides the start
    spots together with what all spots have that look the same from some side of the board.
    """

    def __init__(self, variant: Variant, width: int) -> None:
        super().__init__()
        self.row_numbers = TILE_ACTIONS * options.OPTION_FEATURES
        num_globals = options.num_globals(variant.size, variant.players)
        self.read_globals = _layers(num_globals, width, width)
        self.globals_to_option = nn.Linear(width, width)
        self.read_option = nn.Linear(options.OPTION_FEATURES, width, bias=False)
        self.think = nn.Linear(width, width)
        self.judge_option = _last(nn.Linear(width, 1))
        self.judge_spots = _last(nn.Linear(width, len(variant.spots)))
        self.spots = Spots(variant)
        self.value = nn.Sequential(_layers(3 * width, width), nn.Linear(width, 1))

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        rows, overall = observations[:, : self.row_numbers], observations[:, self.row_numbers :]
        rows = rows.reshape(-1, TILE_ACTIONS, options.OPTION_FEATURES)
        alike = self.spots(overall)
        overall = self.read_globals(overall)
        each = self.read_option(rows) + self.globals_to_option(overall).unsqueeze(1)
        each = self.think(each.relu_()).relu_()
        tiles = self.judge_option(each).squeeze(2)
        logits = torch.cat([tiles, self.judge_spots(overall) + alike], dim=1)
        pooled = torch.bmm(_weights(tiles.detach(), rows[:, :, options.IS_LEGAL]), each)
        value = self.value(torch.cat([overall, pooled.flatten(1)], dim=1)).squeeze(1)
        return logits, value


class Spots(nn.Module):
    """What start spots have in common that look the same from some side of the board: how good they
    are on their own, and with others nearby. Learned eight times as fast as spot by spot."""

    kinds: Tensor
    places: Tensor

    def __init__(self, variant: Variant) -> None:
        super().__init__()
        rules = (Rules.boxed if variant.boxed else Rules.course)(variant.size)
        images = np.stack([spot_table(symmetry, rules) for symmetry in range(NUM_SYMMETRIES)])
        _, kinds = np.unique(images.min(axis=0), return_inverse=True)
        faced = variant.spots if variant.boxed else variant.fresh_links[variant.spots]
        y, x = np.divmod(faced // NUM_PORTS, variant.size)
        self.players, self.last = variant.players, variant.size - 1
        self.register_buffer("kinds", torch.as_tensor(kinds))
        self.register_buffer("places", torch.as_tensor(np.stack([x, y]) / self.last).float())
        self.worth = nn.Parameter(torch.zeros(int(kinds.max()) + 1, 3))

    def forward(self, overall: Tensor) -> Tensor:
        """(B, globals) into (B, spots): of each kind its worth, that of the nearest other avatar's
        closeness, and that of the closeness of all of them."""
        first, each = options.GLOBAL_HEAD + options.SEAT_FEATURES, options.SEAT_FEATURES
        others = overall[:, first : options.GLOBAL_HEAD + each * self.players]
        others = others.reshape(-1, self.players - 1, each).unsqueeze(3)
        away = (others[:, :, 2] - self.places[0]).abs() + (others[:, :, 3] - self.places[1]).abs()
        closeness = others[:, :, 1] / (1 + self.last * away)
        alone, nearest, company = (HASTE * self.worth)[self.kinds].unbind(1)
        return alone + nearest * closeness.amax(dim=1) + company * closeness.sum(dim=1)


class PlanesNetwork(Network):
    """Residual convolutions over the board.

    Every square says how good its ports are to start from; the square that the player faces, with
    the board as a whole, says how good the tiles are.
    """

    def __init__(self, variant: Variant, width: int, blocks: int = 3) -> None:
        super().__init__()
        self.read = nn.Conv2d(planes.num_channels(variant.players), width, 1)
        self.blocks = nn.ModuleList(_Block(width) for _ in range(blocks))
        self.judge_ports = _last(nn.Conv2d(width, NUM_PORTS, 1))
        self.judge_tiles = nn.Sequential(
            _layers(2 * width, width), _last(nn.Linear(width, TILE_ACTIONS))
        )
        self.value = nn.Sequential(_layers(2 * width, width), nn.Linear(width, 1))
        self.register_buffer("spots", torch.as_tensor(variant.spots.astype("int64")))

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        here = observations[:, OWN_AVATAR].sum(dim=1, keepdim=True)
        squares = self.read(observations)
        for block in self.blocks:
            squares = block(squares)
        squares = torch.relu(squares)
        ports = self.judge_ports(squares).permute(0, 2, 3, 1).flatten(1)
        summary = torch.cat([(squares * here).sum(dim=(2, 3)), squares.mean(dim=(2, 3))], dim=1)
        logits = torch.cat([self.judge_tiles(summary), ports.index_select(1, self.spots)], dim=1)
        return logits, self.value(summary).squeeze(1)


class _Block(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(width, width, 3, padding=1)
        self.second = nn.Conv2d(width, width, 3, padding=1)

    def forward(self, squares: Tensor) -> Tensor:
        change: Tensor = self.second(torch.relu(self.first(torch.relu(squares))))
        return squares + change


NETWORKS: dict[str, type[OptionsNetwork] | type[PlanesNetwork]] = {
    "options": OptionsNetwork,
    "planes": PlanesNetwork,
}
"""By the name of the encoding that they read."""


def _weights(logits: Tensor, legal: Tensor) -> Tensor:
    """(B, 2, T): weights of the legal options: all equal, and as the policy would choose."""
    equal = legal / legal.sum(dim=1, keepdim=True).clamp(min=1.0)
    chosen = torch.softmax(logits + (legal - 1.0) * 1e4, dim=1) * legal
    return torch.stack([equal, chosen], dim=1)


def _layers(*widths: int) -> nn.Sequential:
    pairs = pairwise(widths)
    return nn.Sequential(*(layer for a, b in pairs for layer in (nn.Linear(a, b), nn.ReLU())))


def _last(layer: Layer) -> Layer:
    """Small weights at first: a new policy is nearly uniform, and tries everything."""
    nn.init.orthogonal_(layer.weight, gain=0.01)
    if layer.bias is not None:
        nn.init.zeros_(layer.bias)
    return layer
