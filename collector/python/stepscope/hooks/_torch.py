"""PyTorch, 1.13 and later.

Modules are recorded by `Module.__call__`, not by global hooks: hooks would slow down every call of every submodule, and
`torch.compile` warns of them. `torch.compile` ignores the wrappers: its compiler skips these functions, and replaces
`Module.__call__` itself.
"""

import functools
import sys
import types
from typing import Any, Callable, Dict, List, Optional

from .._library import LIB
from . import _phases, _steps

_PHASES: Optional[_phases.Phases] = None


def _phases_of_torch() -> _phases.Phases:
    global _PHASES
    if _PHASES is None:
        torch = sys.modules["torch"]
        # Not available yet during the import of torch.
        _PHASES = _phases.Phases(_steps.Steps(lambda: torch.is_grad_enabled()))
        for owner in (_phases.Phases, _steps.Steps):
            for function in vars(owner).values():
                _skipped(function)
        _skipped(_steps.samples_of)
    return _PHASES


#: Code objects that torch.compile does not skip yet: its compiler is imported on first use.
_UNTOLD: List[Any] = []


def _skipped(function: Any) -> Any:
    """Makes torch.compile skip a function's own frame and its calls."""
    if isinstance(function, types.FunctionType):
        function._torchdynamo_disable = True  # type: ignore[attr-defined]
        _UNTOLD.append(function.__code__)
    return function


def _compiler(module: Any) -> None:
    for code in _UNTOLD:
        module.skip_code(code)
    _UNTOLD.clear()


def _compiles() -> bool:
    compiler = getattr(sys.modules["torch"], "compiler", None)
    return compiler is not None and hasattr(compiler, "is_compiling") and compiler.is_compiling()


def _dataloader(module: Any) -> None:
    phases, base = _phases_of_torch(), module._BaseDataLoaderIter
    load, iterate = base.__next__, module.DataLoader.__iter__

    @functools.wraps(load)
    def __next__(self: Any) -> Any:
        return phases.load(load, self)

    @functools.wraps(iterate)
    def __iter__(self: Any) -> Any:
        return phases.make_iterator(iterate, self)

    base.__next__, module.DataLoader.__iter__ = _skipped(__next__), _skipped(__iter__)


def _fetch(module: Any) -> None:
    phases = _phases_of_torch()
    for fetcher in (module._MapDatasetFetcher, module._IterableDatasetFetcher):
        original = fetcher.fetch

        def fetch(self: Any, indices: Any, original: Callable[..., Any] = original) -> Any:
            return phases.fetch(original, self, indices)

        fetcher.fetch = _skipped(functools.update_wrapper(fetch, original))


def _module(module: Any) -> None:
    phases, kind = _phases_of_torch(), module.Module
    original, thread = kind.__call__, phases._thread

    # torch.compile recognizes functions that it does not compile by this name.
    def _wrapped_call_impl(self: Any, *args: Any, **kwargs: Any) -> Any:
        if thread.inside or phases._backwards:
            return original(self, *args, **kwargs)
        return phases.forward(original, self, args, kwargs)

    wrapper = functools.update_wrapper(_wrapped_call_impl, original)
    _UNTOLD.append(wrapper.__code__)
    kind.__call__ = wrapper


def _autograd(module: Any) -> None:
    phases, original = _phases_of_torch(), module.backward

    @functools.wraps(original)
    def backward(*args: Any, **kwargs: Any) -> Any:
        return phases.backward(original, args, kwargs)

    module.backward = _skipped(backward)


#: Id of the profiler to which CUPTI was left, if any.
_OWNER: List[Optional[int]] = [None]


def _profiler(module: Any) -> None:
    kind = module.profile
    original = kind.__exit__

    @functools.wraps(original)
    def __exit__(self: Any, *error: Any) -> Any:
        try:
            return original(self, *error)
        finally:
            # The profiler may have had CUPTI to itself: only this hook reports its end. Another one may still have it.
            if LIB is not None and _OWNER[0] in (None, id(self)):
                _OWNER[0] = None
                LIB.cuda_rearm()

    kind.__exit__ = __exit__
    prepare = getattr(kind, "_prepare_trace", None)
    if prepare is None:
        return  # Before 1.8.1.

    @functools.wraps(prepare)
    def _prepare_trace(self: Any, *args: Any) -> Any:
        # It takes CUPTI now, and would get our buffers with what is in them, which it reports as errors.
        if LIB is not None and (getattr(self, "use_device", None) == "cuda" or getattr(self, "use_cuda", False)):
            LIB.cuda_release()
            _OWNER[0] = id(self)
        try:
            return prepare(self, *args)
        except BaseException:
            # It has not begun, and does not end.
            if LIB is not None and _OWNER[0] == id(self):
                _OWNER[0] = None
                LIB.cuda_rearm()
            raise

    kind._prepare_trace = _prepare_trace


def _graphs(module: Any) -> None:
    """Replays of a graph that contains an optimizer's step are steps; its capture, which runs nothing, is none."""
    phases, kind = _phases_of_torch(), module.CUDAGraph
    begin, end, replay = kind.capture_begin, kind.capture_end, kind.replay

    @functools.wraps(begin)
    def capture_begin(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = begin(self, *args, **kwargs)
        phases.capture_begins()
        return result

    @functools.wraps(end)
    def capture_end(self: Any, *args: Any, **kwargs: Any) -> Any:
        updates = phases.capture_ended()
        result = end(self, *args, **kwargs)
        phases.captured(self, updates)
        return result

    @functools.wraps(replay)
    def _replay(self: Any, *args: Any, **kwargs: Any) -> Any:
        return phases.replay(replay, self, args, kwargs)

    kind.capture_begin, kind.capture_end, kind.replay = map(_skipped, (capture_begin, capture_end, _replay))


def _optimizer(module: Any) -> None:
    phases = _phases_of_torch()

    def begins(optimizer: Any, args: Any, kwargs: Any) -> None:
        if not _compiles():
            phases.optimizer_begins(optimizer)

    def ended(optimizer: Any, args: Any, kwargs: Any) -> None:
        if not _compiles():
            phases.optimizer_ended(optimizer)

    if hasattr(module, "register_optimizer_step_pre_hook"):
        module.register_optimizer_step_pre_hook(begins)
        module.register_optimizer_step_post_hook(ended)


PATCHES: Dict[str, Callable[[Any], None]] = {
    "torch._dynamo.eval_frame": _compiler,
    "torch.autograd": _autograd,
    "torch.autograd.profiler": _profiler,
    "torch.cuda.graphs": _graphs,
    "torch.nn.modules.module": _module,
    "torch.optim.optimizer": _optimizer,
    "torch.utils.data.dataloader": _dataloader,
    "torch.utils.data._utils.fetch": _fetch,
}
