"""The policy networks: an observation in, a logit for every action and a value out.

`OptionsNetwork` reads `options`: the same weights look at every tile option, and what it says about
the position is pooled over the legal ones. `PlanesNetwork` reads `planes` with convolutions.
Masks are no business of `forward`: the logits of illegal actions mean nothing.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from agents.logits_player import TIE, LogitsError, best_actions, drawn_actions
from training.kernels.options_network import TAKE_BEST, Layers, choose_batch
from tsuro_env import GameBatch, Rules
from tsuro_env.engine import options, planes
from tsuro_env.engine.jit import compile_once
from tsuro_env.engine.state import FIRST_TILE, TILE_ACTIONS, Variant
from tsuro_env.engine.tables import NUM_PORTS
from tsuro_env.engine.threads import SMALLEST_PART, run_in_parts
from tsuro_env.symmetries import NUM_SYMMETRIES, spot_table

Layer = TypeVar("Layer", nn.Linear, nn.Conv2d)

OWN_AVATAR = slice(planes.NUM_PAIRS, planes.NUM_PAIRS + NUM_PORTS)
"""The channels of `planes` that show where the player itself is."""


ILLEGAL = -1e8
"""The logit of an illegal action: finite, so that gradients stay so."""
GROUPS = (3, 6, 8, TILE_ACTIONS)
"""Of games by the number of their tile options, for `consider`: at most so many in each."""
HASTE = 4.0
"""How much faster than other weights the few of the start spots go: a game has one such choice."""


class Choices(NamedTuple):
    """What a network thinks of the choices in some of the games, K at the most in each of them."""

    games: Tensor
    """(G,): which games."""
    actions: Tensor
    """(G, K) or (1, K): the actions to choose from."""
    logits: Tensor
    """(G, K): ILLEGAL where there is no such choice."""
    values: Tensor
    """(G,): of the positions."""


class Decisions(NamedTuple):
    """What is done in each of the games."""

    actions: Tensor
    log_chances: Tensor
    """The logarithm of each action's chance."""
    values: Tensor
    """Of the positions."""


class Network(nn.Module):
    """What trainer, opponents and export rely on."""

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """(B, ...) observations into (B, A) logits and (B,) values."""
        raise NotImplementedError

    def consider(self, observations: Tensor, masks: Tensor) -> list[Choices]:
        """Both for legal actions only, by (B, A) masks; each game in one of the groups."""
        logits, values = self(observations)
        games, actions = torch.arange(len(masks)), torch.arange(masks.shape[1]).unsqueeze(0)
        return [Choices(games, actions, logits.masked_fill(masks == 0, ILLEGAL), values)]

    def choose(self, observations: Tensor, masks: Tensor, drawn: Tensor | None) -> Decisions:
        """A legal action for each game, without gradients: by a number from [0, 1) drawn for each
        of them; or the best one, and of those as good as the best the first."""
        with torch.no_grad():
            logits, values = self(observations)
        legal, given = masks.bool(), logits.numpy()
        chosen = (
            best_actions(given, legal.numpy())
            if drawn is None
            else drawn_actions(given, legal.numpy(), drawn.numpy())
        )
        actions = torch.from_numpy(chosen)
        each = torch.log_softmax(logits.masked_fill(~legal, ILLEGAL), dim=1)
        return _checked(Decisions(actions, each.gather(1, actions.unsqueeze(1)).squeeze(1), values))


class OptionsNetwork(Network):
    """Shared weights over the tile options, masked pooling for the value.

    An option is judged by a weighted sum of its features, and by layers that also know the rest of
    the game. The global features are read once; what they say is added to every option, and decides
    the start spots together with what all spots have that look the same from a side of the board.
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
        self.weigh_option = _last(nn.Linear(options.OPTION_FEATURES, 2, bias=False))
        self.judge_spots = _last(nn.Linear(width, len(variant.spots)))
        self.spots = Spots(variant)
        self.value = nn.Sequential(_layers(3 * width, width), nn.Linear(width, 1))
        self.linears = [layer for layer in self.modules() if isinstance(layer, nn.Linear)]

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        rows, overall = self._parts(observations)
        read = self.read_globals(overall)
        tiles, values = self._judge(rows, overall, read, rows[:, :, options.IS_LEGAL])
        return torch.cat([tiles, self.judge_spots(read) + self.spots(overall)], dim=1), values

    def consider(self, observations: Tensor, masks: Tensor) -> list[Choices]:
        """Each game is asked for a spot or for a tile; and most tile options are not there, not
        legal, or look the same as others. Games with about as many options go together."""
        legal = masks[:, :TILE_ACTIONS] != 0
        count = legal.sum(dim=1)
        groups = []
        for low, high in pairwise((-1, 0, *GROUPS)):
            games = ((count > low) & (count <= high)).nonzero().squeeze(1)
            if len(games):
                rows, overall = self._parts(observations[games])
                read = self.read_globals(overall)
                if high:
                    actions, logits, values = self._tiles(rows, overall, read, legal[games], high)
                else:
                    actions, logits, values = self._starts(overall, read, masks[games])
                groups.append(Choices(games, actions, logits, values))
        return groups

    def choose(self, observations: Tensor, masks: Tensor, drawn: Tensor | None) -> Decisions:
        """As above, several times as fast."""
        games = len(observations)
        seen = self.row_numbers + self.linears[0].in_features
        actions = TILE_ACTIONS + self.judge_spots.out_features
        if observations.shape != (games, seen) or masks.shape != (games, actions):
            raise ValueError(  # compiled code would read on past the end
                f"expected {seen} numbers and {actions} actions for each game, got tensors of "
                f"{tuple(observations.shape)} and {tuple(masks.shape)}"
            )
        decisions = Decisions(
            torch.empty(games, dtype=torch.int64), torch.empty(games), torch.empty(games)
        )
        run_in_parts(
            choose_batch,
            self._plain(),
            (self.spots.players, self.spots.last),
            games,
            torch.get_num_threads(),
            observations.contiguous().numpy(),
            masks.to(torch.int8).contiguous().numpy(),
            torch.full((games,), TAKE_BEST).numpy() if drawn is None else drawn.numpy(),
            TIE,
            *(tensor.numpy() for tensor in decisions),
        )
        return _checked(decisions)

    def _plain(self) -> Layers:
        """The parameters as `choose_batch` takes them: in the order in which they are made."""
        arrays = []
        verdicts = (self.judge_option, self.value[-1])
        for layer in self.linears:
            weight = layer.weight.detach().numpy()
            arrays.append(weight[0] if layer in verdicts else np.ascontiguousarray(weight.T))
            if layer.bias is not None:
                arrays.append(layer.bias.detach().numpy())
        worth = HASTE * self.spots.worth.detach()
        spots = (tensor.numpy() for tensor in (worth, self.spots.kinds, self.spots.places))
        return Layers(*arrays, *spots)

    def _parts(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        rows, overall = observations[:, : self.row_numbers], observations[:, self.row_numbers :]
        return rows.reshape(-1, TILE_ACTIONS, options.OPTION_FEATURES), overall

    def _judge(
        self, rows: Tensor, overall: Tensor, read: Tensor, weights: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Logits of the options, and values; an option counts for the value by its weight."""
        each = self.read_option(rows) + self.globals_to_option(read).unsqueeze(1)
        each = self.think(each.relu_()).relu_()
        # The second sum is for the first tile: it moves nobody, and what is good there differs.
        always, first = self.weigh_option(rows).unbind(2)
        logits = self.judge_option(each).squeeze(2) + always + overall[:, FIRST_TILE, None] * first
        pooled = torch.bmm(_pooling(logits.detach(), weights), each)
        return logits, self.value(torch.cat([read, pooled.flatten(1)], dim=1)).squeeze(1)

    def _tiles(
        self, rows: Tensor, overall: Tensor, read: Tensor, legal: Tensor, most: int
    ) -> tuple[Tensor, Tensor, Tensor]:
        # Where the mask leaves out copies, what is left of a slot counts for them too.
        slots = rows[:, :, options.IS_LEGAL].reshape(-1, TILE_ACTIONS // 4, 4).sum(dim=2)
        copies = slots / legal.reshape(-1, TILE_ACTIONS // 4, 4).sum(dim=2).clamp(min=1)
        there, actions = legal.float().topk(most, dim=1)
        weights = there * copies.gather(1, actions // 4)
        places = actions.unsqueeze(2).expand(-1, -1, options.OPTION_FEATURES)
        logits, values = self._judge(rows.gather(1, places), overall, read, weights)
        return actions, logits.masked_fill(there == 0, ILLEGAL), values

    def _starts(
        self, overall: Tensor, read: Tensor, masks: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        logits = self.judge_spots(read) + self.spots(overall)
        actions = torch.arange(TILE_ACTIONS, masks.shape[1]).unsqueeze(0)
        nothing = read.new_zeros(len(read), 2 * read.shape[1])
        values = self.value(torch.cat([read, nothing], dim=1)).squeeze(1)
        return actions, logits.masked_fill(masks[:, TILE_ACTIONS:] == 0, ILLEGAL), values


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


def _checked(decisions: Decisions) -> Decisions:
    if not torch.isfinite(decisions.log_chances).all():
        raise LogitsError("the network gave a legal action a logit that is infinite or no number")
    return decisions


def _pooling(logits: Tensor, weights: Tensor) -> Tensor:
    """(B, 2, K): the shares of options of such weights: alone, and as the policy would choose."""
    equal = weights / weights.sum(dim=1, keepdim=True).clamp(min=1.0)
    chosen = torch.softmax(logits + (1 - weights.clamp(max=1)) * ILLEGAL, dim=1) * weights
    return torch.stack([equal, chosen / chosen.sum(dim=1, keepdim=True).clamp(min=1e-8)], dim=1)


def _layers(*widths: int) -> nn.Sequential:
    pairs = pairwise(widths)
    return nn.Sequential(*(layer for a, b in pairs for layer in (nn.Linear(a, b), nn.ReLU())))


def _last(layer: Layer) -> Layer:
    """Small weights at first: a new policy is nearly uniform, and tries everything."""
    nn.init.orthogonal_(layer.weight, gain=0.01)
    if layer.bias is not None:
        nn.init.zeros_(layer.bias)
    return layer


def _warm_up() -> None:
    for count in (1, 2 * SMALLEST_PART):  # the latter on several threads, if torch has them
        games = GameBatch(count, observation="options")
        masks = torch.from_numpy(games.legal_actions())
        OptionsNetwork(games.variant, 1).choose(torch.from_numpy(games.observe()), masks, None)


compile_once("learner", _warm_up)
