"""Phases of a script, for any framework."""

import os
import threading
import weakref
from typing import Any, Callable, Dict

from .._spans import record
from ._steps import Steps, samples_of


class _Thread(threading.local):
    #: Within data loading or forward: calls in there are part of it.
    inside = False


class Phases:
    """Records calls as phases."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._thread = _Thread()
        self._load = record("load batch", "dataloader")
        self._iterate = record("start loading", "dataloader")
        self._fetch = record("fetch")
        self._backward = record("backward", "backward")
        self._modules: Dict[type, Any] = {}
        self._optimizers: Dict[type, Any] = {}
        self._backwards = 0
        self._optimizer = threading.local()
        self._replay = record("graph replay")
        #: Graphs whose capture contains an optimizer's step.
        self._updating: weakref.WeakSet[Any] = weakref.WeakSet()
        os.register_at_fork(after_in_child=self._forked)

    def _forked(self) -> None:
        """Resets the state in a forked worker: the fork interrupts the making of its loader's iterator."""
        self._thread.inside, self._backwards = False, 0
        self._optimizer.running = None

    def make_iterator(self, original: Callable[..., Any], loader: Any) -> Any:
        """Makes a loader's iterator."""
        thread = self._thread
        if thread.inside:
            return original(loader)
        self._steps.loads()
        thread.inside = True
        try:
            with self._iterate:
                iterator = original(loader)
        finally:
            thread.inside = False
        self._steps.loads_by(iterator)
        return iterator

    def load(self, original: Callable[..., Any], iterator: Any) -> Any:
        """Waits for a batch."""
        thread = self._thread
        if thread.inside:
            return original(iterator)
        self._steps.loads()
        self._steps.loads_by(iterator)
        thread.inside = True
        try:
            with self._load:
                batch = original(iterator)
        except StopIteration:
            self._steps.ended(iterator)
            raise
        finally:
            thread.inside = False
        self._steps.loaded(samples_of(batch))
        return batch

    def fetch(self, original: Callable[..., Any], fetcher: Any, indices: Any) -> Any:
        """Makes a batch in a worker. The script waits in `load`, not here."""
        thread = self._thread
        if thread.inside:
            return original(fetcher, indices)
        thread.inside = True
        try:
            with self._fetch:
                return original(fetcher, indices)
        finally:
            thread.inside = False

    def forward(self, original: Callable[..., Any], module: Any, args: Any, kwargs: Any) -> Any:
        """Calls a module that is not within another one: the caller looks at `inside` before."""
        thread = self._thread
        self._steps.computes()
        kind = type(module)
        span = self._modules.get(kind)
        if span is None:
            span = self._modules[kind] = record(_module_name(module), "forward")
        thread.inside = True
        try:
            with span:
                return original(module, *args, **kwargs)
        finally:
            thread.inside = False

    def inside(self) -> bool:
        """Whether a module's call is part of another phase."""
        return self._thread.inside or self._backwards > 0

    def backward(self, original: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        """Runs backward: recomputed modules (checkpoints) are part of it, on any thread."""
        if self._backwards:
            return original(*args, **kwargs)
        self._steps.computes()
        self._backwards += 1
        try:
            with self._backward:
                return original(*args, **kwargs)
        finally:
            self._backwards -= 1

    def optimizer_begins(self, optimizer: Any) -> None:
        """An optimizer is about to step."""
        running = getattr(self._optimizer, "running", None)
        if running is not None:
            # For the same optimizer, the step before has failed.
            if running[0] != id(optimizer):
                return
            running[1].__exit__(None, None, None)
        self._steps.computes()
        kind = type(optimizer)
        span = self._optimizers.get(kind)
        if span is None:
            span = self._optimizers[kind] = record(kind.__name__ + ".step", "optimizer")
        self._optimizer.running = (id(optimizer), span)
        span.__enter__()

    def optimizer_ended(self, optimizer: Any) -> None:
        """The optimizer has stepped."""
        running = getattr(self._optimizer, "running", None)
        if running is not None and running[0] == id(optimizer):
            self._optimizer.running = None
            running[1].__exit__(None, None, None)
            self._steps.updates()

    def capture_begins(self) -> None:
        """What is called from now on is captured into a graph, and does not run."""
        self._steps.capture_begins()

    def capture_ended(self) -> bool:
        """The capture ends; whether an optimizer's step is in it."""
        return self._steps.capture_ended()

    def captured(self, graph: Any, updates: bool) -> None:
        """The graph is complete."""
        if updates:
            self._updating.add(graph)
        else:
            self._updating.discard(graph)

    def replay(self, original: Callable[..., Any], graph: Any, args: Any, kwargs: Any) -> Any:
        """Runs a graph."""
        if graph not in self._updating:
            return original(graph, *args, **kwargs)
        self._steps.computes()
        with self._replay:
            result = original(graph, *args, **kwargs)
        self._steps.updates()
        return result

    def optimizer(self, original: Callable[..., Any], optimizer: Any, args: Any, kwargs: Any) -> Any:
        """Runs an optimizer's step, where there are no hooks for it."""
        if getattr(self._optimizer, "running", None) is not None:
            return original(optimizer, *args, **kwargs)
        self.optimizer_begins(optimizer)
        try:
            result = original(optimizer, *args, **kwargs)
        except BaseException:
            span, self._optimizer.running = self._optimizer.running[1], None
            span.__exit__(None, None, None)
            raise
        self.optimizer_ended(optimizer)
        return result


def _module_name(module: Any) -> str:
    """Class name of a module; of the inner module if it is compiled or data parallel."""
    for _ in range(4):
        inner = getattr(module, "_orig_mod", None)
        if inner is None and type(module).__name__ in ("DistributedDataParallel", "DataParallel"):
            inner = getattr(module, "module", None) or getattr(module, "_layers", None)
        if inner is None:
            break
        module = inner
    return type(module).__name__
