"""Whom the learner plays against: itself, earlier snapshots of itself, and scripted players.

Snapshots and scripted players are drawn the more often, the harder they are to beat. When the pool
is full, the snapshot that goes is the easiest of the older half: what stays is strong or recent.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from agents.logits_player import observe, unique_legal_actions, unit_numbers
from training.networks import Network
from tsuro_env import BatchPlayer, GameBatch
from tsuro_env.encodings import Encoding
from tsuro_env.engine.batch import Rows

FORGETTING = 0.9
"""How much of what is known about an opponent's strength is kept from one rollout to the next."""
CURRENT = 0
"""The place of the learner itself among the opponents."""


class NetworkPlayer(BatchPlayer):
    """Plays by a torch network: draws its actions as the learner does, or takes the best."""

    def __init__(
        self, network: Network, encoding: Encoding, seed: int = 0, *, draws: bool = True
    ) -> None:
        super().__init__(seed)
        self.network, self.encoding, self.draws = network, encoding, draws

    def choose(self, games: GameBatch, which: Rows) -> NDArray[np.int64]:
        seen = observe(games.state, games.variant, which, self.encoding)
        legal = unique_legal_actions(games, which)
        drawn = torch.from_numpy(unit_numbers(self.keys(games, which))) if self.draws else None
        decisions = self.network.choose(
            torch.from_numpy(seen).float(), torch.from_numpy(legal), drawn
        )
        actions: NDArray[np.int64] = decisions.actions.numpy()
        return actions


class Opponents:
    """The pool: the learner itself first, then the scripted players, then the snapshots."""

    def __init__(
        self,
        current: NetworkPlayer,
        scripted: Sequence[BatchPlayer],
        shares: tuple[float, float, float],
        capacity: int,
    ) -> None:
        self.current, self.num_scripted = current, len(scripted)
        self.players: list[BatchPlayer] = [current, *scripted]
        self.shares, self.capacity = shares, capacity
        self.score = np.zeros(len(self.players))
        self.met = np.zeros(len(self.players))
        self.born = np.zeros(len(self.players), dtype=np.int64)
        self.added = 0

    @property
    def num_snapshots(self) -> int:
        return len(self.players) - 1 - self.num_scripted

    @property
    def beaten(self) -> NDArray[np.float64]:
        """The share of recent meetings that the learner won, for each opponent; 1/2 unmet."""
        shares: NDArray[np.float64] = (self.score + 1) / (self.met + 2)
        return shares

    def draw(self, shape: tuple[int, ...], random: np.random.Generator) -> NDArray[np.int64]:
        """Opponents for free seats."""
        return random.choice(len(self.players), size=shape, p=self.chances())

    def chances(self) -> NDArray[np.float64]:
        hardness = (1 - self.beaten) ** 2 + 0.01
        first = 1 + self.num_scripted
        chances = np.zeros(len(self.players))
        chances[CURRENT] = self.shares[0]
        for group, share in (
            (slice(1, first), self.shares[1]),
            (slice(first, None), self.shares[2]),
        ):
            if len(chances[group]):
                chances[group] = share * hardness[group] / hardness[group].sum()
        chances /= chances.sum()
        return chances

    def choose(self, games: GameBatch, which: Rows, owners: NDArray[np.int64]) -> NDArray[np.int64]:
        """An action in each of the games, by the opponents that own the seats to move."""
        actions = np.empty(len(which), dtype=np.int64)
        for owner in np.flatnonzero(np.bincount(owners, minlength=len(self.players))):
            mine = owners == owner
            actions[mine] = self.players[owner].choose(games, which[mine])
        return actions

    def record(self, owners: NDArray[np.int64], scores: NDArray[np.float64]) -> None:
        """Meetings: the learner scored 1 against an owner it outlasted, 1/2 for a tie, 0 else."""
        count = len(self.players)
        self.score += np.bincount(owners.ravel(), scores.ravel(), minlength=count)
        self.met += np.bincount(owners.ravel(), minlength=count)

    def forget(self) -> None:
        self.score *= FORGETTING
        self.met *= FORGETTING

    def add_snapshot(self) -> None:
        """Keep the learner as it is now, in the place of another if the pool is full."""
        if self.capacity == 0:
            return
        snapshot = self._frozen(copy.deepcopy(self.current.network))
        self.added += 1
        if self.num_snapshots < self.capacity:
            self.players.append(snapshot)
            self.born, self.score, self.met = (
                np.append(array, 0) for array in (self.born, self.score, self.met)
            )
            place = -1
        else:
            place = self._easiest_old_snapshot()
            self.players[place] = snapshot
        self.born[place], self.score[place], self.met[place] = self.added, 0.0, 0.0

    @property
    def snapshots(self) -> list[NetworkPlayer]:
        kept = self.players[1 + self.num_scripted :]
        return [player for player in kept if isinstance(player, NetworkPlayer)]

    def state(self) -> dict[str, Any]:
        """All but the networks."""
        return {"score": self.score, "met": self.met, "born": self.born, "added": self.added}

    def load_state(self, state: dict[str, Any], networks: Sequence[Network]) -> None:
        self.players = self.players[: 1 + self.num_scripted]
        self.players += [self._frozen(network) for network in networks]
        self.score, self.met, self.born = state["score"], state["met"], state["born"]
        self.added = state["added"]

    def _frozen(self, network: Network) -> NetworkPlayer:
        current = self.current
        network.requires_grad_(False)
        return NetworkPlayer(network, current.encoding, current.seed)

    def _easiest_old_snapshot(self) -> int:
        first = 1 + self.num_scripted
        by_age = first + np.argsort(self.born[first:])
        older = by_age[: (self.num_snapshots + 1) // 2]
        return int(older[self.beaten[older].argmax()])
