"""Rules of one's own: nobody may start in a corner. The environment's masks follow."""

from collections.abc import Sequence

from tsuro_env import Board, InitialPlacement, RuleChecker, Tile, Verdict, tsuro_v0


class NoCorners(RuleChecker):
    def check_initial(
        self, board: Board, tiles: Sequence[Tile], placement: InitialPlacement
    ) -> Verdict:
        last = board.size - 1
        if placement.x in (0, last) and placement.y in (0, last):
            return Verdict(False, "nobody may start in a corner")
        return super().check_initial(board, tiles, placement)


usual, without_corners = tsuro_v0.env(), tsuro_v0.env(rule_checker=NoCorners())
for name, env in ("usual rules", usual), ("no corners", without_corners):
    env.reset(seed=0)
    print(f"{name}: {env.action_masks().sum()} places to start")

corner = int((usual.action_masks() - without_corners.action_masks()).argmax())
without_corners.step(corner)
print("after starting in a corner:", without_corners.referee.cheaters)
