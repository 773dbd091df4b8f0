"""Paddle, 2.5 and later, in dynamic mode."""

import functools
import sys
from typing import Any, Iterator

from . import _phases, _steps


def patch(paddle: Any) -> None:
    """Patches everything that this version has."""
    phases = _phases.Phases(_steps.Steps(lambda: bool(paddle.is_grad_enabled())))
    for change in (_layers, _loaders, _backward, _optimizers):
        try:
            change(paddle, phases)
        except (AttributeError, ImportError, TypeError):
            pass  # Another version: the others are still recorded.
    ignore = getattr(paddle.jit, "ignore_module", None)
    if ignore is not None:
        # paddle.jit.to_static does not trace functions of these modules.
        ignore([sys.modules[__name__], _phases, _steps])


def _layers(paddle: Any, phases: _phases.Phases) -> None:
    original = paddle.nn.Layer.__call__

    @functools.wraps(original)
    def __call__(self: Any, *args: Any, **kwargs: Any) -> Any:
        if phases.inside():
            return original(self, *args, **kwargs)
        return phases.forward(original, self, args, kwargs)

    paddle.nn.Layer.__call__ = __call__


def _loaders(paddle: Any, phases: _phases.Phases) -> None:
    from paddle.io.dataloader import dataloader_iter as iterators
    from paddle.io.dataloader import fetcher as fetchers

    def loads(kind: Any) -> None:
        original = kind.__next__

        @functools.wraps(original)
        def __next__(self: Any) -> Any:
            return phases.load(original, self)

        kind.__next__ = __next__

    loads(iterators._DataLoaderIterSingleProcess)
    loads(iterators._DataLoaderIterMultiProcess)
    iterate = paddle.io.DataLoader.__iter__

    @functools.wraps(iterate)
    def __iter__(self: Any) -> Any:
        return phases.make_iterator(iterate, self)

    paddle.io.DataLoader.__iter__ = __iter__
    for kind in (fetchers._MapDatasetFetcher, fetchers._IterableDatasetFetcher):
        fetches(kind, phases)


def fetches(kind: Any, phases: _phases.Phases) -> None:
    """Records the making of batches."""
    original = kind.fetch

    @functools.wraps(original)
    def fetch(self: Any, *args: Any, **kwargs: Any) -> Any:
        return phases.fetch(lambda fetcher, rest: original(fetcher, *rest, **kwargs), self, args)

    kind.fetch = fetch


def _backward(paddle: Any, phases: _phases.Phases) -> None:
    # Bound when paddle was imported, which it is now.
    original = paddle.Tensor.backward

    @functools.wraps(original)
    def backward(*args: Any, **kwargs: Any) -> Any:
        return phases.backward(original, args, kwargs)

    paddle.Tensor.backward = backward


def _optimizers(paddle: Any, phases: _phases.Phases) -> None:
    def kinds(kind: Any) -> Iterator[Any]:
        yield kind
        for derived in kind.__subclasses__():
            yield from kinds(derived)

    for kind in set(kinds(paddle.optimizer.Optimizer)):
        original = vars(kind).get("step")
        if original is not None:
            kind.step = _step(original, phases)


def _step(original: Any, phases: _phases.Phases) -> Any:
    @functools.wraps(original)
    def step(self: Any, *args: Any, **kwargs: Any) -> Any:
        return phases.optimizer(original, self, args, kwargs)

    return step
