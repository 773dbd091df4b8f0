"""Step times without a recording."""

from time import perf_counter
from typing import Dict, List, Optional

#: Number of warm-up steps that the summary skips, as in Paddle.
_SKIPPED = 10


class _Extremes:
    """Count, sum, minimum and maximum of some numbers."""

    def __init__(self) -> None:
        self.count, self.total, self.most, self.least = 0, 0.0, 0.0, float("inf")

    def add(self, value: float) -> None:
        """Adds a number."""
        self.count += 1
        self.total += value
        self.most, self.least = max(self.most, value), min(self.least, value)

    def row(self, name: str, average: float) -> str:
        """The line of these numbers in the summary."""
        cells = [name] + ["{:.5f}".format(value) for value in (average, self.most, self.least)]
        return _row(cells)


def _row(cells: List[str]) -> str:
    return "| {:^15} | {:^15} | {:^15} | {:^15} |\n".format(*cells)


class Timer:
    """Step times: since the last call of `info`, and of all steps but the first ones."""

    def __init__(self) -> None:
        self.begin()

    def _reset(self) -> None:
        self._steps, self._time, self._waits, self._samples = 0, 0.0, 0.0, 0

    def begin(self) -> None:
        """Begins the first step."""
        self._last = perf_counter()
        self._reset()
        #: Number of steps that ended.
        self.count = 0
        self._counted_samples, self._without_samples = 0, False
        self._all: Dict[str, _Extremes] = {name: _Extremes() for name in ("reader_cost", "batch_cost", "ips")}

    def waited(self, seconds: float) -> None:
        """Adds a wait for a batch."""
        self._waits += seconds
        if self.count >= _SKIPPED:
            self._all["reader_cost"].add(seconds)

    def step(self, samples: Optional[int]) -> None:
        """Ends a step."""
        now = perf_counter()
        length, self._last = now - self._last, now
        self._time += length
        self._steps += 1
        self._samples += int(samples or 0)
        self.count += 1
        self._without_samples |= not samples
        if self.count > _SKIPPED:
            self._all["batch_cost"].add(length)
            self._counted_samples += int(samples or 0)
            made = 1 if self._without_samples else int(samples or 0)
            self._all["ips"].add(made / length if length > 0 else 0.0)

    def info(self, unit: Optional[str]) -> str:
        """The means since the last call, in Paddle's format; resets them."""
        steps, time = max(self._steps, 1), self._time
        text = "reader_cost: {:.5f} s batch_cost: {:.5f} s".format(self._waits / steps, time / steps)
        counted, default = (self._samples, "samples/s") if self._samples else (self._steps, "steps/s")
        if time > 0:
            text += " ips: {:.3f} {}".format(counted / time, unit or default)
        self._reset()
        return text

    def summary(self, unit: Optional[str]) -> str:
        """Paddle's Perf Summary of all steps but the first ten; empty if there were no more."""
        readers, batches, rates = self._all["reader_cost"], self._all["batch_cost"], self._all["ips"]
        steps = batches.count
        if not steps:
            return ""
        default = "steps/s" if self._without_samples else "samples/s"
        text = "{:=^100}\n".format("Perf Summary")
        if readers.count:
            text += "Reader Ratio: {:.3f}%\n".format(100 * readers.total / batches.total if batches.total else 0.0)
        text += "Time Unit: s, IPS Unit: {}\n".format(unit or default)
        text += _row(["", "avg", "max", "min"])
        if readers.count:
            text += readers.row("reader_cost", readers.total / steps)
        text += batches.row("batch_cost", batches.total / steps)
        made = steps if self._without_samples else self._counted_samples
        return text + rates.row("ips", made / batches.total if batches.total else 0.0)
