"""Which steps are recorded."""

from enum import IntEnum
from typing import Callable


class State(IntEnum):
    """What a profiler does in a step."""

    #: Nothing.
    CLOSED = 0
    #: Nothing is recorded yet: the step before those that are, for schedules that come from other profilers.
    READY = 1
    #: The step is recorded.
    RECORD = 2
    #: The step is recorded, and the recording is finished behind it.
    RECORD_AND_RETURN = 3


Schedule = Callable[[int], State]


def schedule(*, wait: int = 0, warmup: int = 0, active: int, repeat: int = 0, skip_first: int = 0) -> Schedule:
    """As `torch.profiler.schedule`: skips steps, then waits, warms up and records, again and again.

    `repeat` 0: until the end. The recorder itself needs no warming up: these steps run as they would without it.

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
