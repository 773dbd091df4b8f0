"""Has PyTorch and Paddle in unchanged scripts recorded; Python runs this first where its folder is on PYTHONPATH.

Nothing is changed before a script imports one of them, and nothing at all unless STEPSCOPE_OPTIONS is set. Whatever goes
wrong here, the script runs as without it. Only one `sitecustomize` is run per process: the one that this one hides is run
by it.
"""

import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))

#: Modules that are changed once they were imported.
_WATCHED = frozenset(
    (
        "torch._dynamo.eval_frame",
        "torch.autograd",
        "torch.autograd.profiler",
        "torch.nn.modules.module",
        "torch.optim.optimizer",
        "torch.utils.data.dataloader",
        "torch.utils.data._utils.fetch",
        "paddle",
    )
)


class _Finder:
    """Finds nothing by itself, but is told of what is found."""

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name not in _WATCHED and name != "stepscope":
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            if finder is not cls and find is not None:
                spec = find(name, path, target)
                if spec is not None:
                    break
        else:
            return _own() if name == "stepscope" else None
        if name in _WATCHED:
            try:
                _watch(name, spec.loader)
            except Exception:
                _failed()
        return spec


def _own():
    """The package that came with these hooks, for scripts that have no other one."""
    from importlib.util import spec_from_file_location

    for package in _packages():
        file = os.path.join(package, "__init__.py")
        if os.path.isfile(file):
            return spec_from_file_location("stepscope", file, submodule_search_locations=[package])
    return None


def _packages():
    """Where the package may be: beside the hooks in a checkout or an archive, else where installing the wheel puts it."""
    import glob

    yield os.path.join(os.path.dirname(_HERE), "stepscope")
    # These are in PREFIX/share/stepscope/python/hooks. `pip install --target` has the package in PREFIX itself.
    prefix = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(_HERE))))
    yield os.path.join(prefix, "stepscope")
    places = os.path.join(glob.escape(prefix), "lib*", "python3*", "*-packages", "stepscope")
    own = "python{}.{}".format(*sys.version_info[:2])
    yield from sorted(glob.glob(places), key=lambda place: (own not in place.split(os.sep), place))


def _watch(name, loader):
    original = loader.exec_module

    def exec_module(module):
        try:
            del loader.exec_module
        except AttributeError:
            pass
        original(module)
        try:
            from stepscope import hooks

            hooks.patch(name, module)
        except Exception:
            _failed()

    # Python makes a loader for each module: nobody else's is changed, and it is the same afterwards.
    loader.exec_module = exec_module


def _failed():
    if os.environ.get("STEPSCOPE_DEBUG"):
        import traceback

        traceback.print_exc()


def _run_hidden():
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec

    others = [path for path in sys.path if os.path.abspath(path or os.curdir) != _HERE]
    spec = PathFinder.find_spec("sitecustomize", others)
    if spec is not None and spec.loader is not None:
        module = module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


if os.environ.get("STEPSCOPE_OPTIONS", "").strip():
    sys.meta_path.insert(0, _Finder)
# Its errors are its own, as they would be without us.
_run_hidden()
