"""Recordings of unchanged scripts by the hooks."""

import importlib.util
import os
import subprocess
import sys
import tempfile
import textwrap
import threading
import unittest
from unittest import mock

import recording as rec
import stepscope
from stepscope import hooks
from stepscope.hooks import _steps
from test_package import Recorded

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

#: The parts of PyTorch that the hooks patch and a script uses.
FAKE_TORCH = {
    "torch/__init__.py": """
        gradients = True
        def is_grad_enabled(): return gradients
        from torch import autograd, nn, optim, utils
        """,
    "torch/autograd/__init__.py": """
        def backward(loss): return loss()
        """,
    "torch/autograd/profiler.py": """
        log = []
        class profile:
            def __enter__(self): return self
            def __exit__(self, *error): log.append(error[0]); return error[0] is KeyError
            def _prepare_trace(self): log.append("prepared")
        """,
    "torch/cuda/__init__.py": "from .graphs import CUDAGraph",
    "torch/cuda/graphs.py": """
        class CUDAGraph:
            def capture_begin(self, pool=None): pass
            def capture_end(self): pass
            def replay(self): pass
        """,
    "torch/nn/__init__.py": "from .modules.module import Module",
    "torch/nn/modules/__init__.py": "",
    "torch/nn/modules/module.py": """
        class Module:
            def __call__(self, *args): return self.forward(*args)
        """,
    "torch/optim/__init__.py": "from .optimizer import Optimizer",
    "torch/optim/optimizer.py": """
        before, after = [], []
        register_optimizer_step_pre_hook, register_optimizer_step_post_hook = before.append, after.append
        class Optimizer:
            def step(self, fails=False):
                for hook in before: hook(self, (), {})
                if fails: raise ArithmeticError()
                for hook in after: hook(self, (), {})
        """,
    "torch/utils/__init__.py": "from . import data",
    "torch/utils/data/__init__.py": "from .dataloader import DataLoader",
    "torch/utils/data/_utils/__init__.py": "from . import fetch",
    "torch/utils/data/_utils/fetch.py": """
        class _MapDatasetFetcher:
            def fetch(self, indices): return indices
        class _IterableDatasetFetcher(_MapDatasetFetcher):
            def fetch(self, indices): return indices
        """,
    "torch/utils/data/dataloader.py": """
        from . import _utils
        class _BaseDataLoaderIter:
            def __init__(self, batches):
                self.batches, self.fetcher = iter(batches), _utils.fetch._MapDatasetFetcher()
            def __next__(self): return self.fetcher.fetch(next(self.batches))
            def __iter__(self): return self
        class DataLoader:
            def __init__(self, batches): self.batches = batches
            def __iter__(self): return _BaseDataLoaderIter(self.batches)
        """,
}

SCRIPT = """
    import torch
    from torch import nn
    class Inner(nn.Module):
        def forward(self, x): return x
    class Net(nn.Module):
        def forward(self, x): return Inner()(x)
    class Sgd(torch.optim.Optimizer): pass
    class Batch:
        shape = (8, 2)
    net, optimizer = Net(), Sgd()
    for batch in torch.utils.data.DataLoader([(Batch(), 0)] * 3):
        net(batch)
        torch.autograd.backward(lambda: net(batch))
        try: optimizer.step(fails=True)
        except ArithmeticError: pass
        optimizer.step()
    torch.gradients = False
    for batch in torch.utils.data.DataLoader([(Batch(), 0)]):
        net(batch)
    print("end of the script")
    """


def write(folder, files):
    for path, text in files.items():
        path = os.path.join(folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(textwrap.dedent(text))


class Wanted(unittest.TestCase):
    def test_what_the_library_leaves_out_is_left_out_here(self):
        for options, wanted in (
            ("", True),
            ('{"targets":["python"]}', True),
            ('{"targets":["nvtx"]}', False),
            ('{"targets":null}', True),
            ('{"targets":"nvtx"}', True),
            ('{"targets":[7]}', True),
            ("[]", False),
            ("not json", False),
        ):
            with mock.patch.dict(os.environ, STEPSCOPE_OPTIONS=options):
                self.assertIs(hooks.wanted(), wanted, options)


class StepRules(Recorded):
    """Rules for the detection of steps."""

    def setUp(self):
        super().setUp()
        self.gradients = True
        self.start()
        self.steps = _steps.Steps(lambda: self.gradients)

    def load(self, iterator, samples=0):
        self.steps.loads()
        self.steps.loads_by(iterator)
        self.steps.loaded(samples)

    def update(self):
        self.steps.computes()
        self.steps.updates()

    def found(self):
        """The numbers of the steps that were recorded, and whether one is open."""
        records = [record for record in self.records() if record.category == rec.STEP]
        numbers = [record.value for record in records if record.kind == rec.SPAN]
        return numbers, any(record.kind == rec.OPEN for record in records)

    def test_a_step_ends_where_data_is_loaded_after_an_update(self):
        iterator = object()
        for _ in range(3):
            self.load(iterator, 4)
            self.update()
        self.assertEqual(self.found(), ([0, 1], True))
        self.load(iterator)
        self.steps.ended(iterator)
        self.assertEqual(self.found(), ([0, 1, 2], False))
        samples = [record.value for record in self.records() if record.kind == rec.ARGUMENT]
        self.assertEqual(samples, [4, 4, 4])

    def test_accumulated_gradients_and_several_optimizers_are_one_step(self):
        iterator = object()
        for _ in range(2):
            for _ in range(4):
                self.load(iterator)
                self.steps.computes()
            self.update()
            self.update()
        self.steps.loads()
        self.assertEqual(self.found()[0], [0, 1])

    def test_without_a_loader_a_step_ends_with_its_update(self):
        for _ in range(3):
            self.steps.computes()
            self.update()
        self.assertEqual(self.found(), ([0, 1, 2], True))
        self.gradients = False
        self.steps.computes()
        self.assertEqual(self.found(), ([0, 1, 2], False))

    def test_evaluation_without_gradients_is_no_step(self):
        train, test = object(), object()
        self.load(train)
        self.update()
        self.gradients = False
        self.load(test)
        self.steps.computes()
        self.assertEqual(self.found(), ([0], False))
        self.gradients = True
        self.load(train)
        self.update()
        self.steps.loads()
        self.assertEqual(self.found(), ([0, 1], True))

    def test_evaluation_with_gradients_is_left_out_when_its_loader_ends(self):
        train, test = object(), object()
        self.load(train)
        self.update()
        for _ in range(3):
            self.load(test)
            self.steps.computes()
        self.steps.ended(test)
        self.assertEqual(self.found(), ([0], False))

    def test_two_loaders_side_by_side_are_one_step(self):
        labelled, unlabelled = object(), object()
        for _ in range(2):
            self.load(labelled)
            self.load(unlabelled)
            self.update()
        self.steps.loads()
        self.assertEqual(self.found()[0], [0, 1])

    def test_other_threads_make_no_steps(self):
        def other():
            self.load(object())
            self.update()

        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        stepscope.mark("there is a recording")
        self.assertEqual(self.found(), ([], False))

    def test_samples_are_the_first_dimension_of_the_first_tensor(self):
        class Tensor:
            def __init__(self, *shape):
                self.shape = shape

        for batch, samples in (
            (Tensor(8, 3), 8),
            ((Tensor(4), Tensor(9)), 4),
            ({"x": [Tensor(2)]}, 2),
            (Tensor(), 0),
            ([], 0),
            ("text", 0),
            (None, 0),
        ):
            self.assertEqual(_steps.samples_of(batch), samples)


class Unchanged(Recorded):
    """Unchanged scripts, each in its own process."""

    def run_script(self, script, files=FAKE_TORCH, options='{{"start":true,"output":"{}"}}', path=(), **variables):
        source = tempfile.mkdtemp(prefix="stepscope-script-")
        write(source, dict(files, **{"script.py": script}))
        environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1", **variables)
        environment["PYTHONPATH"] = os.pathsep.join([os.path.join(ROOT, "hooks"), source, *path])
        environment["STEPSCOPE_OPTIONS"] = options.format(self.folder)
        done = subprocess.run(
            [sys.executable, os.path.join(source, "script.py")],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def test_phases_and_steps_of_a_script(self):
        result = self.run_script(SCRIPT, STEPSCOPE_DEBUG="1")
        self.assertEqual(result, (0, "end of the script\n", ""))
        spans = self.spans()
        found = {}
        for span in spans:
            key = span.name, span.category
            found[key] = found.get(key, 0) + 1
        self.assertEqual(
            found,
            {
                ("step", rec.STEP): 3,
                ("start loading", rec.DATALOADER): 2,
                # One more for each loader's end.
                ("load batch", rec.DATALOADER): 6,
                ("Net", rec.FORWARD): 4,
                ("backward", rec.BACKWARD): 3,
                ("Sgd.step", rec.OPTIMIZER): 6,
            },
        )
        self.assertEqual([record.value for record in self.spans(rec.ARGUMENT)], [8, 8, 8])
        steps = [span for span in spans if span.category == rec.STEP]
        for phase in (rec.FORWARD, rec.BACKWARD, rec.OPTIMIZER):
            inside = [any(span in step for step in steps) for span in spans if span.category == phase]
            self.assertEqual(inside.count(True), {rec.OPTIMIZER: 6}.get(phase, 3))
        self.assertEqual(self.spans(rec.OPEN), [])

    def test_cuda_is_taken_back_when_a_profiler_of_torch_ends(self):
        script = """
            from torch.autograd import profiler
            from stepscope import _library
            print(_library.LIB.cuda_rearm())
            _library.LIB.cuda_rearm = lambda: profiler.log.append("taken back")
            with profiler.profile(): raise KeyError()
            try:
                with profiler.profile(): raise ValueError()
            except ValueError: pass
            print([getattr(said, "__name__", said) for said in profiler.log])
            """
        out = "0\n['KeyError', 'taken back', 'ValueError', 'taken back']\n"
        self.assertEqual(self.run_script(script, STEPSCOPE_DEBUG="1"), (0, out, ""))

    def test_cuda_is_left_to_a_profiler_of_torch_that_records_it(self):
        script = """
            from torch.autograd import profiler
            from stepscope import _library
            _library.LIB.cuda_release = lambda: profiler.log.append("left")
            for device in (None, "cuda"):
                profile = profiler.profile()
                profile.use_device = device
                profile._prepare_trace()
            print(profiler.log)
            """
        self.assertEqual(self.run_script(script, STEPSCOPE_DEBUG="1"), (0, "['prepared', 'left', 'prepared']\n", ""))

    def test_replays_of_a_graph_that_updates_are_steps(self):
        script = """
            import torch, torch.cuda
            class Sgd(torch.optim.Optimizer): pass
            optimizer, whole, part = Sgd(), torch.cuda.CUDAGraph(), torch.cuda.CUDAGraph()
            optimizer.step()
            whole.capture_begin(); optimizer.step(); whole.capture_end()
            part.capture_begin(); part.capture_end()
            for turn in range(3): whole.replay(); part.replay()
            """
        self.assertEqual(self.run_script(script, STEPSCOPE_DEBUG="1"), (0, "", ""))
        spans = self.spans()
        steps = [span for span in spans if span.category == rec.STEP]
        replays = [span for span in spans if span.name == "graph replay"]
        # The warm-up, and the replays; the last step is not finished at the end, and is left out.
        self.assertEqual((len(steps), len(replays)), (4, 3))
        for step, replay in zip(steps[1:], replays):
            self.assertTrue(replay in step)

    def test_other_versions_do_no_harm(self):
        for missing in ("torch/utils/data/dataloader.py", "torch/autograd/__init__.py"):
            lines = textwrap.dedent(FAKE_TORCH[missing]).replace("_BaseDataLoaderIter", "_Other").replace("def backward", "def other")
            files = dict(FAKE_TORCH, **{missing: lines})
            script = "import torch\nfor batch in torch.utils.data.DataLoader([1]): pass\nprint('end')"
            self.assertEqual(self.run_script(script, files), (0, "end\n", ""))

    def test_the_hidden_sitecustomize_is_run(self):
        other = tempfile.mkdtemp(prefix="stepscope-other-")
        write(other, {"sitecustomize.py": "print('hidden', __name__)"})
        for options in ('{{"start":true,"output":"{}"}}', ""):
            result = self.run_script("import sitecustomize; print(sitecustomize.__file__)", options=options, path=[other])
            self.assertEqual(result, (0, "hidden sitecustomize\n{}/sitecustomize.py\n".format(other), ""))

    def test_nothing_is_changed_without_being_asked_for(self):
        script = "import sys, torch; print('stepscope' in sys.modules, torch.autograd.backward.__module__)"
        for options in ("", '{{"start":true,"output":"{}","targets":["nvtx"]}}', "not json"):
            code, out, error = self.run_script(script + "; print(hasattr(torch.autograd.backward, '__wrapped__'))", options=options)
            self.assertEqual((code, out.split()[1:], error if options != "not json" else ""), (0, ["torch.autograd", "False"], ""))
        # The package is not loaded before one of them is.
        plain = "import sys; print('stepscope' in sys.modules, 'ctypes' in sys.modules)"
        self.assertEqual(self.run_script(plain), (0, "False False\n", ""))

    def test_scripts_find_the_package(self):
        code, out, error = self.run_script("import stepscope\nwith stepscope.record('mine'): print(stepscope.is_recording())")
        self.assertEqual((code, out, error, self.names()), (0, "True\n", "", ["mine"]))

    def of_example(self, name, *arguments):
        environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1", STEPSCOPE_DEBUG="1")
        environment["PYTHONPATH"] = os.path.join(ROOT, "hooks")
        environment["STEPSCOPE_OPTIONS"] = '{{"start":true,"output":"{}"}}'.format(self.folder)
        environment["NVTX_INJECTION64_PATH"] = os.environ["STEPSCOPE_LIBRARY"]
        script = os.path.join(ROOT, "examples", name)
        done = subprocess.run(
            [sys.executable, script, *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.assertNotIn(b"Traceback", done.stderr)
        return rec.read_folder(self.folder)

    def trained(self, found, workers):
        """The events of a training example, independent of its speed."""
        counts = {}
        for records in found.values():
            for record in records:
                counts[record.kind, record.category] = counts.get((record.kind, record.category), 0) + 1
        # 2 epochs of 10 steps, and 2 batches of evaluation; a loss is a module, too.
        expected = {rec.STEP: 20, rec.FORWARD: 44, rec.BACKWARD: 20, rec.OPTIMIZER: 20, rec.DATALOADER: 32}
        for category, count in expected.items():
            self.assertEqual((category, counts.get((rec.SPAN, category))), (category, count))
        self.assertFalse([key for key in counts if key[0] == rec.OPEN])
        self.assertEqual(len(found), 1 + 2 * workers)
        for records in found.values():
            samples = [record.value for record in records if record.kind == rec.ARGUMENT]
            self.assertIn(samples, ([32] * 20, []))

    @unittest.skipUnless(importlib.util.find_spec("torch"), "PyTorch is not installed for this Python")
    def test_pytorch(self):
        self.trained(self.of_example("train_torch.py", "2"), 2)

    @unittest.skipUnless(importlib.util.find_spec("paddle"), "Paddle is not installed for this Python")
    def test_paddle(self):
        self.trained(self.of_example("train_paddle.py", "0"), 0)

    @unittest.skipUnless(importlib.util.find_spec("torch"), "PyTorch is not installed for this Python")
    def test_torch_compile_sees_nothing_of_it(self):
        script = """
            import torch, torch._dynamo
            from torch import nn
            model = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1))
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            whole = torch.compile(model, backend="eager", fullgraph=True)
            for _ in range(3):
                whole(torch.ones(4, 8)).sum().backward()
                optimizer.step()
                optimizer.zero_grad()
            @torch.compile(backend="eager")
            def step(x):
                loss = model(x).sum()
                loss.backward()
                optimizer.step()
                return loss
            step(torch.ones(4, 8))
            counters = torch._dynamo.utils.counters
            breaks = sum(counters["graph_break"].values())
            print(counters["stats"]["unique_graphs"], counters["stats"]["calls_captured"], breaks)
            """
        hooked = self.run_script(script, {})
        self.assertEqual((hooked[0], hooked[1]), self.run_script(script, {}, options="")[:2])
        self.assertGreaterEqual(self.names().count("Sequential"), 3)

    @unittest.skipUnless(importlib.util.find_spec("nvtx"), "the package nvtx is not installed for this Python")
    def test_nvtx(self):
        (records,) = self.of_example("ranges_nvtx.py").values()
        spans = [record.name for record in records if record.kind == rec.SPAN]
        self.assertEqual([spans.count(name) for name in ("load", "forward", "backward", "train_step 2")], [4, 4, 4, 1])


if __name__ == "__main__":
    unittest.main()
