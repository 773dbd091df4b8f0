"""Wraps functions of any kind in a span."""

import functools
import inspect
import itertools
import sys
import threading
from typing import Any, Callable

_OPERATIONS = itertools.count(1)


def task() -> int:
    """Identifier of the running task; of the thread, outside of asyncio."""
    asyncio = sys.modules.get("asyncio")
    if asyncio is not None:
        try:
            current = asyncio.current_task()
        except RuntimeError:
            current = None
        if current is not None:
            return id(current)
    return threading.get_ident()


def wrap(span: Any, function: Any, begin: Callable[[int, int], None], end: Callable[[int, int], None]) -> Any:
    """The function with a span around its calls: see `record`."""
    if isinstance(function, type) or not callable(function):
        raise TypeError("stepscope: expected a function to decorate, not {!r}".format(function))
    name = int(span) & 0xFFFFFFFF
    if inspect.iscoroutinefunction(function):

        async def wrapper(*args: Any, **kwargs: Any) -> Any:
            operation = next(_OPERATIONS)
            begin(name, operation)
            try:
                return await function(*args, **kwargs)
            finally:
                end(name, operation)

    elif inspect.isasyncgenfunction(function):

        async def wrapper(*args: Any, **kwargs: Any) -> Any:
            operation = next(_OPERATIONS)
            begin(name, operation)
            generator = function(*args, **kwargs)
            try:
                value = await generator.asend(None)
                while True:
                    try:
                        sent = yield value
                    except GeneratorExit:
                        raise
                    except BaseException as error:
                        value = await generator.athrow(error)
                    else:
                        value = await generator.asend(sent)
            except StopAsyncIteration:
                return
            finally:
                await generator.aclose()
                end(name, operation)

    elif inspect.isgeneratorfunction(function):

        def wrapper(*args: Any, **kwargs: Any) -> Any:
            generator = function(*args, **kwargs)
            resume, given = generator.send, None
            try:
                while True:
                    try:
                        with span:
                            value = resume(given)
                    except StopIteration as stop:
                        return stop.value
                    try:
                        resume, given = generator.send, (yield value)
                    except GeneratorExit:
                        raise
                    except BaseException as error:
                        resume, given = generator.throw, error
            finally:
                # A generator that has ended, or never began, runs no more code.
                if inspect.getgeneratorstate(generator) == inspect.GEN_SUSPENDED:
                    with span:
                        generator.close()

    else:

        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with span:
                return function(*args, **kwargs)

    return functools.update_wrapper(wrapper, function)
