"""Schedules of recorded steps."""

from enum import IntEnum
from typing import Any, Callable, Sequence, Union


class State(IntEnum):
    """State of a profiler in a step."""

    #: Nothing is recorded.
    CLOSED = 0
    #: Nothing is recorded yet: a warm-up step before the recorded ones, for schedules written for other profilers.
    READY = 1
    #: The step is recorded.
    RECORD = 2
    #: The step is recorded, and the recording is finished after it.
    RECORD_AND_RETURN = 3


Schedule = Callable[[int], State]


def schedule(*, wait: int = 0, warmup: int = 0, active: int, repeat: int = 0, skip_first: int = 0) -> Schedule:
    """Like `torch.profiler.schedule`: skips steps, then waits, warms up and records, repeatedly.

    `repeat` 0: until the end. The recorder needs no warm-up: nothing is recorded in these steps.

        >>> one = stepscope.schedule(wait=1, warmup=1, active=2, repeat=1)
        >>> [one(step).name for step in range(5)]
        ['CLOSED', 'READY', 'RECORD', 'RECORD_AND_RETURN', 'CLOSED']
    """
    if min(wait, warmup, repeat, skip_first) < 0 or active < 1:
        raise ValueError("stepscope: expected wait, warmup, repeat, skip_first >= 0 and active >= 1")
    cycle = wait + warmup + active

    def of_step(step: int) -> State:
        step -= skip_first
        if step < 0 or (repeat and step >= cycle * repeat):
            return State.CLOSED
        place = step % cycle
        if place < wait:
            return State.CLOSED
        if place < wait + warmup:
            return State.READY
        return State.RECORD_AND_RETURN if place == cycle - 1 else State.RECORD

    return of_step


def always(step: int) -> State:
    """All steps, in one recording."""
    return State.RECORD


def make_scheduler(*, closed: int, ready: int, record: int, repeat: int = 0, skip_first: int = 0) -> Schedule:
    """Like `paddle.profiler.make_scheduler`: `schedule` with Paddle's parameter names.

        >>> one = stepscope.make_scheduler(closed=1, ready=1, record=2, repeat=1)
        >>> [one(step).name for step in range(5)]
        ['CLOSED', 'READY', 'RECORD', 'RECORD_AND_RETURN', 'CLOSED']
    """
    return schedule(wait=closed, warmup=ready, active=record, repeat=repeat, skip_first=skip_first)


def _state(said: Any) -> State:
    # The states of Paddle's schedulers have the same values.
    return State(getattr(said, "value", said))


def steps_of(said: Union[Schedule, Sequence[int], None]) -> Schedule:
    """The schedule for an argument: a function of the step's number, Paddle's pair of the first step and the one after the
    last, or None for all steps."""
    if said is None:
        return always
    if callable(said):
        return lambda step: _state(said(step))
    numbers = list(said)
    if len(numbers) != 2 or not all(isinstance(number, int) for number in numbers) or not 0 <= numbers[0] < numbers[1]:
        raise ValueError("stepscope: expected a schedule as a function, or as a pair (first step, step behind the last)")
    first, end = numbers
    # As in Paddle: the step before the first one is READY.
    return schedule(wait=max(first - 1, 0), warmup=min(first, 1), active=end - first, repeat=1)
