"""Replaying a game record: the same questions, the same answers, and the same end, verified."""

from typing import Any

from tsuro_env.board import InitialPlacement
from tsuro_env.errors import RecordError, ReplayError, RulesError, SupplyError, TsuroError
from tsuro_env.record import Record, check, decode_answer
from tsuro_env.referee import Referee
from tsuro_env.rule_checker import RuleChecker
from tsuro_env.rules import Rules
from tsuro_env.tile import Tile

_PLAYERS_FAULTS = ("malformed", "exception", "late")


def replay(record: Record, rule_checker: RuleChecker | None = None) -> Referee:
    """Play the record again; a `ReplayError` at the first difference, else the finished referee.

    A game judged by a rule checker of somebody's own needs that checker here.
    """
    record = check(record)
    judged_by = record.get("rule_checker", "RuleChecker")
    if rule_checker is None and judged_by != "RuleChecker":
        raise RecordError(
            f"the game was judged by {judged_by}: give that rule checker to replay it"
        )
    try:
        referee = _referee(record, rule_checker)
        _play_as_far_as_it_goes(referee, record)
        _compare(referee.record, record)
    except RecordError:
        raise
    except RulesError as error:
        raise RecordError(f"the record is of a game that cannot be: {error}") from None
    except TsuroError as error:
        raise ReplayError(f"the record cannot be replayed: {error}") from None
    except (TypeError, ValueError, LookupError, AttributeError) as error:
        raise RecordError(f"the record is malformed: {error!r}") from None
    return referee


def _referee(record: Record, rule_checker: RuleChecker | None) -> Referee:
    names = [player["name"] for player in record["players"]]
    dealt = (Tile(index) for move in record["moves"] for index in move["dealt"])
    return Referee(
        rule_checker,
        [f"seat {seat}" for seat in range(len(names))],
        dealt if record["supply"] == "given" else record["supply"],
        rules=Rules.from_json(record["rules"]),
        seed=record["seed"],
        setup=record["setup"],
        names=names,
    )


def _play_as_far_as_it_goes(referee: Referee, record: Record) -> None:
    try:
        _play(referee, record)
    except SupplyError:
        # The tiles of a game that is not over are known only as far as they were played.
        if record["ranking"] is not None or referee.moves_made < len(record["moves"]):
            raise


def _play(referee: Referee, record: Record) -> None:
    for number, move in enumerate(record["moves"]):
        if number < referee.moves_made:
            continue  # the referee's own doing: a random set-up, somebody stuck
        fault = next((o for o in move["out"] if o["color"] == move["color"]), None)
        if number < len(record["players"]) and move["kind"] == "color":
            if fault is None:
                raise RecordError(f"move {number + 1}: {move['color']} is out for no reason")
            referee.disown(move["color"], fault["reason"], fault["detail"])
            continue
        if referee.finished:
            raise ReplayError(f"move {number + 1}: the game is over before it")
        if number < referee.moves_made:
            continue
        if fault and fault["reason"] in _PLAYERS_FAULTS:
            referee.kick(fault["reason"], fault["detail"])
        elif move["answer"] is None:
            referee.kick("illegal", fault["detail"] if fault else "")
        else:
            answer: Any = decode_answer(move["answer"])
            if not isinstance(answer, Tile | InitialPlacement):
                raise RecordError(f"move {number + 1}: no answer of any kind: {move['answer']!r}")
            referee.submit(answer)
    for fault in record.get("after", []):
        referee.disown(fault["color"], fault["reason"], fault["detail"])


def _compare(mine: Record, theirs: Record) -> None:
    for number, (a, b) in enumerate(zip(mine["moves"], theirs["moves"], strict=False)):
        if a != b:
            field = next((key for key in {**a, **b} if a.get(key) != b.get(key)), "")
            raise ReplayError(
                f"move {number + 1}: {field} is {b.get(field)!r} in the record, "
                f"but {a.get(field)!r} when replayed"
            )
    if len(mine["moves"]) != len(theirs["moves"]):
        raise ReplayError(
            f"the record has {len(theirs['moves'])} moves, its replay {len(mine['moves'])}"
        )
    for field in mine:
        if mine[field] != theirs.get(field):
            raise ReplayError(
                f"{field} is {theirs.get(field)!r} in the record, but {mine[field]!r} when replayed"
            )
