"""Shares and means over runs with their 95 % intervals, by arm and model; and what an arm changes."""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from measures import Run

RESAMPLED = 2000
Figure = tuple[float, float, float]
"""A value and its interval: (value, low, high)."""


@dataclass(frozen=True)
class Measure:
    """A share (`over` of `under`, summed over runs) or, without `under`, a mean a run; None is not told by a run."""

    name: str
    over: Callable[[Run], float | None]
    under: Callable[[Run], int] | None = None


MEASURES = (
    Measure("wrong", lambda run: run.wrong, lambda run: run.accepted - run.unjudged),
    Measure("reset", lambda run: run.reset, lambda run: run.sets),
    Measure("rejected", lambda run: run.rejected, lambda run: run.sets),
    Measure("astray", lambda run: run.astray, lambda run: run.restarts),
    Measure("found", lambda run: run.found, lambda run: 1),
    Measure("failed", lambda run: run.ended not in ("ok", ""), lambda run: 1),
    Measure("rounds", lambda run: run.rounds),
    Measure("bytes", lambda run: run.bytes),
    Measure("tokens", lambda run: run.tokens),
    Measure("cost", lambda run: run.cost),
)
SHARES = tuple(one.name for one in MEASURES if one.under)
Told = dict[tuple[str, str], dict[str, Figure]]


def wilson(hits: float, of: float, z: float = 1.96) -> Figure:
    """A share with Wilson's interval, sound for few and for none.

    Raises: ZeroDivisionError where there is nothing to share.
    """
    share, square = hits / of, z * z / of
    middle = (share + square / 2) / (1 + square)
    half = z * math.sqrt(share * (1 - share) / of + square / (4 * of)) / (1 + square)
    return share, max(0.0, middle - half), min(1.0, middle + half)


def summary(runs: Sequence[Run]) -> Told:
    """Every measure by arm and model; one that nothing tells is left out."""
    told: Told = {}
    for key, group in sorted(_grouped(runs).items()):
        figures = {one.name: interval(one, group) for one in MEASURES}
        told[key] = {name: figure for name, figure in figures.items() if figure is not None}
    return told


def interval(measure: Measure, runs: Sequence[Run]) -> Figure | None:
    """The value of a measure over runs and its interval; None where no run tells it.

    Runs of one task are alike, so whole tasks are resampled. Where that shows no spread (no task had any),
    Wilson's interval is wider; the wider of both bounds is told.
    """
    value = value_of(measure, runs)
    if value is None:
        return None
    tasks = _tasks(runs)
    drawn = sorted(one for one in (value_of(measure, again) for again in _resampled(tasks)) if one is not None)
    low, high = drawn[len(drawn) // 40], drawn[-(len(drawn) // 40) - 1]
    if measure.under:
        _, least, most = wilson(_total(measure.over, runs), _total(measure.under, runs))
        low, high = min(low, least), max(high, most)
    return value, low, high


def value_of(measure: Measure, runs: Sequence[Run]) -> float | None:
    """The share or mean; None where there is nothing to share, or no run tells it."""
    if measure.under:
        of = _total(measure.under, runs)
        return _total(measure.over, runs) / of if of else None
    values = [one for one in map(measure.over, runs) if one is not None]
    return sum(values) / len(values) if values else None


def differences(runs: Sequence[Run], base: str = "line") -> dict[tuple[str, str, str], Figure]:
    """What an arm changes against the base arm on the same tasks: (model, arm, measure) -> difference.

    Only tasks that a model was given in both arms count; both sides of a resample draw the same tasks.
    """
    told = {}
    groups = _grouped(runs)
    for (arm, model), group in sorted(groups.items(), key=lambda one: (one[0][1], one[0][0])):
        if arm == base or (base, model) not in groups:
            continue
        here, there = _tasks(group), _tasks(groups[base, model])
        pairs = {name: (here[name], there[name]) for name in here if name in there}
        for measure in MEASURES if pairs else ():
            figure = _difference(measure, pairs)
            if figure is not None:
                told[model, arm, measure.name] = figure
    return told


def _difference(measure: Measure, pairs: Mapping[str, tuple[list[Run], list[Run]]]) -> Figure | None:
    def of(names: Sequence[str]) -> float | None:
        ours = value_of(measure, [run for name in names for run in pairs[name][0]])
        theirs = value_of(measure, [run for name in names for run in pairs[name][1]])
        return None if ours is None or theirs is None else ours - theirs

    names = sorted(pairs)
    value = of(names)
    if value is None:
        return None
    draw = random.Random(1)
    drawn = sorted(d for d in (of(draw.choices(names, k=len(names))) for _ in range(RESAMPLED)) if d is not None)
    return value, drawn[len(drawn) // 40], drawn[-(len(drawn) // 40) - 1]


def _total(of: Callable[[Run], float | None], runs: Sequence[Run]) -> float:
    return sum(of(run) or 0 for run in runs)


def _grouped(runs: Sequence[Run]) -> dict[tuple[str, str], list[Run]]:
    groups: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        groups.setdefault((run.arm, run.model), []).append(run)
    return groups


def _tasks(runs: Sequence[Run]) -> dict[str, list[Run]]:
    tasks: dict[str, list[Run]] = {}
    for run in runs:
        tasks.setdefault(run.task, []).append(run)
    return tasks


def _resampled(tasks: Mapping[str, list[Run]], seed: int = 1) -> list[list[Run]]:
    draw = random.Random(seed)
    names = sorted(tasks)
    return [[run for name in draw.choices(names, k=len(names)) for run in tasks[name]] for _ in range(RESAMPLED)]
