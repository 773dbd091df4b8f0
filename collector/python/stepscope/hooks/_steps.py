"""Detection of steps in scripts that do not mark them.

A step is one update of the model: of the main thread's

    load ─► forward ─► backward ─► optimizer ─► (anything) ─► load ─► …
    └────────────────────── step ─────────────────────────┘

- It begins with data loading, and ends where data is loaded for the next one: after an optimizer's step. Loading again
  before that (accumulated gradients, several loaders) and several optimizers' steps (a GAN) belong to the same step.
- Where a step loads no data through a DataLoader, it ends with the optimizer's step, and the next one begins there; the
  first one begins with forward.
- Evaluation is no step: loading and computing without gradients (`no_grad`) begin none, and end one with an update.
  A loader that is read to its end without an update is not training either: its step is left out.
- A CUDA graph that contains an optimizer's step updates the model each time it is replayed. Its capture is no step: nothing runs.
- The last one is left out if nothing ends it: the script may do anything until its end.
"""

import atexit
import os
import threading
from typing import Any, Callable, Optional

from .._library import LIB, argument
from .._spans import CATEGORIES


class Steps:
    """The steps of a process; methods do nothing on threads other than the main one."""

    def __init__(self, has_gradients: Callable[[], bool]) -> None:
        self._has_gradients = has_gradients
        self._main = threading.main_thread().ident
        self._name = LIB.name(b"step")
        self._number = 0
        #: Whether calls are captured into a graph, and whether an optimizer's step was.
        self._captures = self._captured_update = False
        self._forget()
        atexit.register(self._leave_out)
        os.register_at_fork(after_in_child=self._forget)

    def _forget(self) -> None:
        self._open, self._samples = 0, 0
        #: Whether the step updated a model, loaded data, did anything.
        self._updated = self._loaded = self._touched = False
        #: Id of the iterator that began the step.
        self._iterator: Optional[int] = None

    def _begin(self) -> None:
        self._forget()
        self._open = LIB.begin(self._name, CATEGORIES["step"], self._number)

    def _finish(self) -> None:
        if self._samples:
            argument(self._open, "samples", self._samples)
        LIB.end(self._open)
        self._number += 1
        self._forget()

    def _leave_out(self) -> None:
        LIB.discard(self._open)
        self._forget()

    def _elsewhere(self) -> bool:
        return threading.get_ident() != self._main

    def _evaluates(self) -> bool:
        """Whether gradients are disabled, as in evaluation; if so, ends an updated step and drops an unused one."""
        if self._has_gradients():
            return False
        if self._updated:
            self._finish()
        elif not self._touched:
            self._leave_out()
        return True

    def loads(self) -> None:
        """Data is about to be loaded."""
        if self._elsewhere() or self._evaluates():
            return
        if self._updated:
            self._finish()
        if not self._open:
            self._begin()
        self._loaded = self._touched = True

    def loads_by(self, iterator: Any) -> None:
        """Data is about to be loaded by that iterator; the first one is the step's."""
        if self._iterator is None and not self._elsewhere():
            self._iterator = id(iterator)

    def loaded(self, samples: int) -> None:
        """Adds loaded samples to the step."""
        if not self._elsewhere() and self._open:
            self._samples += samples

    def ended(self, iterator: Any) -> None:
        """There is no more data in that iterator."""
        if not self._elsewhere() and self._open and not self._updated and self._iterator == id(iterator):
            self._leave_out()

    def computes(self) -> None:
        """Forward, backward or the optimizer is about to run."""
        if self._elsewhere() or self._captures or self._evaluates():
            return
        if not self._open:
            self._begin()
        self._touched = True

    def capture_begins(self) -> None:
        """Calls are captured into a graph from now on: they compute and update nothing."""
        if not self._elsewhere():
            self._captures, self._captured_update = True, False

    def capture_ended(self) -> bool:
        """The capture has ended; whether an optimizer's step is in it."""
        if self._elsewhere():
            return False
        self._captures = False
        return self._captured_update

    def updates(self) -> None:
        """An optimizer's step is done."""
        if self._elsewhere():
            return
        if self._captures:
            self._captured_update = True
            return
        if not self._open:
            return
        self._updated = True
        if not self._loaded:
            self._finish()
            self._begin()


def samples_of(batch: Any) -> int:
    """Number of samples in a batch: the first dimension of its first tensor; 0 if there is none."""
    for _ in range(4):
        shape = getattr(batch, "shape", None)
        if shape is not None:
            return int(shape[0]) if len(shape) else 0
        if isinstance(batch, dict):
            batch = next(iter(batch.values()), None)
        elif isinstance(batch, (list, tuple)) and batch:
            batch = batch[0]
        else:
            return 0
    return 0
