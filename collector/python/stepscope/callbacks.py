"""Callbacks that record some steps or epochs of a training, as `StopAtStep` and `StopAtEpoch` of MindSpore's documentation.

    from stepscope.callbacks import StopAtStep

    model.train(1, data, callbacks=[StopAtStep(10, 20)])                  # MindSpore
    Trainer(callbacks=[StopAtStep(10, 20)])                               # Lightning, Hugging Face
    model.fit(data, callbacks=[StopAtStep(10, 20, output="recordings")])  # Keras, PaddlePaddle's high-level API

The framework is the one that the script has imported; of several, `framework` says which one. Both ends are recorded.
Steps and epochs are counted from 0, in MindSpore from 1, as these frameworks do themselves.
"""

import importlib
import sys
from typing import Any, Callable, Dict, Optional, Sequence, Tuple

from . import _recording
from ._profiler import profiler

__all__ = ["FRAMEWORKS", "StopAtEpoch", "StopAtStep"]

_STEP_BEGINS, _STEP_ENDS, _EPOCH_BEGINS, _EPOCH_ENDS, _TRAINING_ENDS = (
    "step_begins",
    "step_ends",
    "epoch_begins",
    "epoch_ends",
    "training_ends",
)

#: Candidate base classes of each framework, and the meaning of their methods.
_FRAMEWORKS: Dict[str, Tuple[Sequence[str], Dict[str, str]]] = {
    "mindspore": (
        ("mindspore.Callback", "mindspore.train.callback.Callback"),
        {
            # Since 1.8, and before.
            "on_train_step_begin": _STEP_BEGINS,
            "on_train_step_end": _STEP_ENDS,
            "on_train_epoch_begin": _EPOCH_BEGINS,
            "on_train_epoch_end": _EPOCH_ENDS,
            "on_train_end": _TRAINING_ENDS,
            "step_begin": _STEP_BEGINS,
            "step_end": _STEP_ENDS,
            "epoch_begin": _EPOCH_BEGINS,
            "epoch_end": _EPOCH_ENDS,
            "end": _TRAINING_ENDS,
        },
    ),
    "lightning": (
        ("lightning.pytorch.Callback", "pytorch_lightning.Callback"),
        {
            "on_train_batch_start": _STEP_BEGINS,
            "on_train_batch_end": _STEP_ENDS,
            "on_train_epoch_start": _EPOCH_BEGINS,
            "on_train_epoch_end": _EPOCH_ENDS,
            "on_train_end": _TRAINING_ENDS,
            "on_exception": _TRAINING_ENDS,
        },
    ),
    "transformers": (
        ("transformers.TrainerCallback",),
        {
            "on_step_begin": _STEP_BEGINS,
            "on_step_end": _STEP_ENDS,
            "on_epoch_begin": _EPOCH_BEGINS,
            "on_epoch_end": _EPOCH_ENDS,
            "on_train_end": _TRAINING_ENDS,
        },
    ),
    "keras": (
        ("keras.callbacks.Callback", "tensorflow.keras.callbacks.Callback"),
        {
            "on_train_batch_begin": _STEP_BEGINS,
            "on_train_batch_end": _STEP_ENDS,
            "on_epoch_begin": _EPOCH_BEGINS,
            "on_epoch_end": _EPOCH_ENDS,
            "on_train_end": _TRAINING_ENDS,
        },
    ),
    "paddle": (
        ("paddle.callbacks.Callback",),
        {
            "on_train_batch_begin": _STEP_BEGINS,
            "on_train_batch_end": _STEP_ENDS,
            "on_epoch_begin": _EPOCH_BEGINS,
            "on_epoch_end": _EPOCH_ENDS,
            "on_train_end": _TRAINING_ENDS,
        },
    ),
}

#: The supported frameworks.
FRAMEWORKS = tuple(_FRAMEWORKS)


class _Window:
    """Records from the beginning of one step or epoch to the end of another one."""

    def __init__(self, first: int, last: int, by_epoch: bool, counted_from: int, made: profiler) -> None:
        if not 0 <= first <= last:
            raise ValueError("stepscope: expected 0 <= start <= stop, not {} and {}".format(first, last))
        self.first, self.last, self.by_epoch, self.profiler = first, last, by_epoch, made
        self.step = self.epoch = counted_from
        self.is_over = self.runs = False

    def _begin(self, number: int) -> None:
        if number == self.first and not self.runs and not self.is_over:
            self.profiler.step_num = self.step
            self.profiler.start()
            self.runs = True

    def _end(self, number: int) -> None:
        if number >= self.last:
            self.training_ends(None)

    def step_begins(self, step: Optional[int]) -> None:
        """Begins a step, with its number if the framework gives one."""
        self.step = self.step if step is None else step
        if not self.by_epoch:
            self._begin(self.step)

    def step_ends(self, step: Optional[int]) -> None:
        """Ends a step."""
        number = self.step if step is None else step
        if self.runs:
            self.profiler.step()
        if not self.by_epoch:
            self._end(number)
        self.step = number + 1

    def epoch_begins(self, epoch: Optional[int]) -> None:
        """Begins an epoch."""
        self.epoch = self.epoch if epoch is None else epoch
        if self.by_epoch:
            self._begin(self.epoch)

    def epoch_ends(self, epoch: Optional[int]) -> None:
        """Ends an epoch."""
        number = self.epoch if epoch is None else epoch
        if self.by_epoch:
            self._end(number)
        self.epoch = number + 1

    def training_ends(self, _: Optional[int]) -> None:
        """Ends the recording, if it runs."""
        if self.runs:
            self.runs, self.is_over = False, True
            self.profiler.stop()


def _of_mindspore(meaning: str, arguments: Sequence[Any]) -> Optional[int]:
    """MindSpore's own number of a step or an epoch, from 1."""
    told = getattr(arguments[0], "original_args", None) if arguments else None
    if told is None:
        return None
    number = getattr(told(), "cur_epoch_num" if "epoch" in meaning else "cur_step_num", None)
    return None if number is None else int(number)


def _base(framework: str) -> type:
    places = _FRAMEWORKS[framework][0]
    for place in places:
        module, name = place.rsplit(".", 1)
        try:
            return getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError):
            continue
    raise ImportError("stepscope: {} has no {}".format(framework, " or ".join(places)))


def _framework(said: Optional[str]) -> str:
    if said is not None:
        if said not in _FRAMEWORKS:
            raise ValueError("stepscope: no framework {!r}; there are {}".format(said, ", ".join(FRAMEWORKS)))
        return said
    roots = {name: {place.split(".", 1)[0] for place in places} for name, (places, _) in _FRAMEWORKS.items()}
    found = [name for name in FRAMEWORKS if any(root in sys.modules for root in roots[name])]
    if len(found) != 1:
        which = "several are imported: " + ", ".join(found) if found else "none is imported"
        raise ValueError("stepscope: expected framework=…, as {}; there are {}".format(which, ", ".join(FRAMEWORKS)))
    return found[0]


def _callback(
    first: int, last: int, by_epoch: bool, framework: Optional[str], output: _recording.Path, options: Dict[str, Any]
) -> Any:
    name = _framework(framework)
    base, hooks = _base(name), _FRAMEWORKS[name][1]
    made = profiler(output, **options)
    window = _Window(first, last, by_epoch, 1 if name == "mindspore" else 0, made)

    def hook(meaning: str) -> Callable[..., None]:
        def called(self: Any, *arguments: Any, **named: Any) -> None:
            getattr(window, meaning)(_of_mindspore(meaning, arguments) if name == "mindspore" else None)

        return called

    members: Dict[str, Any] = {method: hook(meaning) for method, meaning in hooks.items()}
    members["profiler"] = made
    return type("StopAtEpoch" if by_epoch else "StopAtStep", (base,), members)()


def StopAtStep(
    start_step: int,
    stop_step: int,
    *,
    framework: Optional[str] = None,
    output: _recording.Path = "recordings",
    **options: Any
) -> Any:
    """A callback that records from the beginning of one step to the end of another one.

    `options` are those of `stepscope.profiler`, `on_trace_ready` among them; the callback's `profiler` is that.

        >>> trainer = Trainer(callbacks=[StopAtStep(10, 20, on_trace_ready=stepscope.export_to("traces"))])
    """
    return _callback(start_step, stop_step, False, framework, output, options)


def StopAtEpoch(
    start_epoch: int,
    stop_epoch: int,
    *,
    framework: Optional[str] = None,
    output: _recording.Path = "recordings",
    **options: Any
) -> Any:
    """A callback that records from the beginning of one epoch to the end of another one, with its steps."""
    return _callback(start_epoch, stop_epoch, True, framework, output, options)
