"""What steps take, without a recording."""

from time import perf_counter
from typing import Optional


class Timer:
    """Times of the steps since they were last asked for."""

    def __init__(self) -> None:
        self._last = perf_counter()
        self._reset()

    def _reset(self) -> None:
        self._steps, self._time, self._waits, self._samples = 0, 0.0, 0.0, 0

    def begin(self) -> None:
        """The first step begins now."""
        self._last = perf_counter()
        self._reset()

    def waited(self, seconds: float) -> None:
        """A batch was waited for."""
        self._waits += seconds

    def step(self, samples: Optional[int]) -> None:
        """A step is done."""
        now = perf_counter()
        self._time += now - self._last
        self._last = now
        self._steps += 1
        self._samples += int(samples or 0)

    def info(self, unit: Optional[str]) -> str:
        """The means, in Paddle's words; then begins anew."""
        steps, time = max(self._steps, 1), self._time
        text = "reader_cost: {:.5f} s batch_cost: {:.5f} s".format(self._waits / steps, time / steps)
        counted, default = (self._samples, "samples/s") if self._samples else (self._steps, "steps/s")
        if time > 0:
            text += " ips: {:.3f} {}".format(counted / time, unit or default)
        self._reset()
        return text
