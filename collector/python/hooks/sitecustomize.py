"""Records PyTorch and Paddle in unchanged scripts; Python runs this at startup if its folder is on PYTHONPATH.

Nothing is patched before a script imports one of them, and nothing at all unless STEPSCOPE_OPTIONS is set. An error in these
hooks never stops the script. Python runs only one `sitecustomize` per process: this one runs the one that it hides.
"""

import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))

#: Modules that are patched after their import.
_WATCHED = frozenset(
    (
        "torch._dynamo.eval_frame",
        "torch.autograd",
        "torch.autograd.profiler",
        "torch.cuda.graphs",
        "torch.nn.modules.module",
        "torch.optim.optimizer",
        "torch.utils.data.dataloader",
        "torch.utils.data._utils.fetch",
        "paddle",
    )
)


class _Finder:
    """Passes each search to the other finders, and patches watched modules after their import."""

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
    """Spec of the package that came with these hooks, for scripts without another one."""
    from importlib.util import spec_from_file_location

    for package in _packages():
        file = os.path.join(package, "__init__.py")
        if os.path.isfile(file):
            return spec_from_file_location("stepscope", file, submodule_search_locations=[package])
    return None


def _packages():
    """Candidate paths of the package: beside the hooks in a checkout or an archive, then where the wheel installs it."""
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

    # Python makes a loader for each module: no other module's is changed, and this one is restored.
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
# Its errors are raised, as without these hooks.
_run_hidden()
