"""Recording of unchanged PyTorch and Paddle scripts: steps, data loading, forward, backward, optimizer.

`hooks/sitecustomize.py` calls `patch` when a script imports them; scripts that import this package do not need it.

`_steps` defines steps. The other spans:

- data loading: each wait of the script for a DataLoader's next batch, and the making of its iterator, which starts the
  workers. In a worker, "fetch" is the making of a batch;
- forward: a call of a module that is not within another one, or within data loading or backward, by its class's name: a
  loss that is a module is one, too;
- backward: `backward()` of tensors, `torch.autograd.backward`;
- optimizer: an optimizer's step that is not within another one.

The time of a phase on a GPU is what it launched: the host does not wait for it.
"""

import json
import os
from typing import Any


def wanted() -> bool:
    """Whether the environment requests recording of Python's frameworks."""
    try:
        options = json.loads(os.environ.get("STEPSCOPE_OPTIONS", "") or "{}")
        targets = options.get("targets")
        # As in the library: a list that cannot be parsed counts as no list.
        readable = isinstance(targets, list) and all(isinstance(target, str) for target in targets)
        return not readable or "python" in targets
    except (ValueError, AttributeError, TypeError):
        return False


def patch(name: str, module: Any) -> None:
    """Patches a module that was just imported."""
    from .._library import LIB

    if LIB is None or not wanted():
        return
    if name == "paddle":
        from . import _paddle

        _paddle.patch(module)
    else:
        from . import _torch

        _torch.PATCHES[name](module)
