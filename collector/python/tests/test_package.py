"""Recordings of the package, read back."""

import asyncio
import contextlib
import enum
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import types
import unittest

import recording as rec
import stepscope
from stepscope import callbacks


class Recorded(unittest.TestCase):
    """Has a folder for recordings."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="stepscope-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.addCleanup(stepscope.stop)

    def start(self, **options):
        return stepscope.start(self.folder, segment_bytes=65536, **options)

    def records(self):
        """The records of this process."""
        found = rec.read_folder(self.folder)
        self.assertEqual(len(found), 1)
        return next(iter(found.values()))

    def spans(self, kind=rec.SPAN):
        return [record for record in self.records() if record.kind == kind]

    def names(self, kind=rec.SPAN):
        return [record.name for record in self.spans(kind)]


class Spans(Recorded):
    def test_nested_spans_with_categories(self):
        self.start()
        with stepscope.record("outer", "forward"):
            with stepscope.record("inner"):
                time.sleep(0.002)
        inner, outer = self.spans()
        self.assertEqual((inner.name, outer.name), ("inner", "outer"))
        self.assertEqual((inner.category, outer.category), (0, rec.FORWARD))
        self.assertTrue(inner in outer and inner.extent >= 2_000_000)
        self.assertEqual((outer.aux, inner.aux), (0, 1))

    def test_the_same_span_within_itself_and_on_threads(self):
        self.start()
        span = stepscope.record("again")
        self.assertIs(span, stepscope.record("again"))

        def recurse(depth):
            with span:
                if depth:
                    recurse(depth - 1)

        threads = [threading.Thread(target=recurse, args=(20,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        spans = self.spans()
        self.assertEqual(len(spans), 84)
        self.assertEqual(len({record.thread for record in spans}), 4)
        self.assertEqual(sorted(record.aux for record in spans), sorted(list(range(21)) * 4))

    def test_very_deep_spans(self):
        """Spans deeper than a segment can show are still finished."""
        self.start()

        def recurse(depth):
            with stepscope.record("deep {}".format(depth % 7)):
                if depth:
                    recurse(depth - 1)

        recurse(400)
        spans = self.spans()
        self.assertEqual(sorted(record.aux for record in spans), list(range(401)))
        self.assertTrue(all(record.name == "deep {}".format((400 - record.aux) % 7) for record in spans))

    def test_an_error_closes_the_span_and_goes_on(self):
        self.start()
        with self.assertRaises(KeyError):
            with stepscope.record("fails"):
                raise KeyError("x")
        self.assertEqual((self.names(), self.spans(rec.OPEN)), (["fails"], []))

    def test_spans_close_in_any_order(self):
        self.start()
        one, two = stepscope.record("one"), stepscope.record("two")
        one.__enter__()
        two.__enter__()
        one.__exit__(None, None, None)
        two.__exit__(None, None, None)
        self.assertEqual(self.names(), ["one", "two"])

    def test_started_and_stopped_within_spans(self):
        with stepscope.record("before"):
            self.start()
            with stepscope.record("whole"):
                pass
        with stepscope.record("behind"):
            stepscope.stop()
        self.assertEqual(self.names(), ["whole", "behind"])
        self.assertFalse(stepscope.is_recording())

    def test_decorated_functions(self):
        self.start()

        @stepscope.record("add", "operator")
        def add(one, two=2):
            """Adds."""
            return one + two

        self.assertEqual((add(1), add(1, two=3), add.__name__, add.__doc__), (3, 4, "add", "Adds."))
        self.assertEqual(self.names(), ["add", "add"])
        with self.assertRaises(TypeError):
            stepscope.record("class")(Spans)

    def test_decorated_generators_are_recorded_when_they_run(self):
        self.start()
        closed = []

        @stepscope.record("count")
        def count(end):
            try:
                got = None
                for number in range(end):
                    try:
                        got = yield (number, got)
                    except ValueError as error:
                        got = str(error)
                return "done"
            finally:
                closed.append(end)

        def outer():
            return (yield from count(2))

        self.assertEqual(list(count(3)), [(0, None), (1, None), (2, None)])
        generator = outer()
        self.assertEqual(next(generator), (0, None))
        self.assertEqual(generator.throw(ValueError("thrown")), (1, "thrown"))
        with self.assertRaises(StopIteration) as stopped:
            generator.send("x")
        self.assertEqual(stopped.exception.value, "done")
        early = count(9)
        next(early)
        early.close()
        count(5).close()
        self.assertEqual(closed, [3, 2, 9])
        # One for each value, one for the code after the last; `finally` of the one that is closed early.
        self.assertEqual(self.names(), ["count"] * (4 + 3 + 2))
        self.assertEqual(self.spans(rec.OPEN), [])

    def test_what_waits_belongs_to_no_thread(self):
        self.start()

        @stepscope.record("work")
        async def work(turns):
            for _ in range(turns):
                await asyncio.sleep(0.001)
            return turns

        @stepscope.record("stream")
        async def stream():
            got = yield 1
            yield got

        async def both():
            async def block():
                async with stepscope.record("block"):
                    await asyncio.sleep(0.001)

            generator = stream()
            self.assertEqual(await generator.__anext__(), 1)
            self.assertEqual(await generator.asend(5), 5)
            await generator.aclose()
            return await asyncio.gather(work(3), work(1), block(), block())

        self.assertEqual(asyncio.run(both())[:2], [3, 1])
        begun = [(record.name, record.value) for record in self.spans(rec.ASYNC_BEGIN)]
        ended = [(record.name, record.value) for record in self.spans(rec.ASYNC_END)]
        self.assertEqual(sorted(name for name, _ in begun), ["block", "block", "stream", "work", "work"])
        self.assertEqual(len(set(begun)), 5)
        self.assertEqual(sorted(begun), sorted(ended))

    def test_numbers_and_arguments(self):
        self.start()
        with stepscope.annotate("epoch", "operator", 3, rate=0.5, model="größer", big=1 << 63, flag=True) as span:
            span.argument("loss", -2)
        self.assertEqual([(span.category, span.value) for span in self.spans()], [(6, 3)])
        arguments = {record.name: record.value for record in self.spans(rec.ARGUMENT)}
        self.assertEqual(arguments, {"rate": 0.5, "model": "größer", "big": 1 << 63, "flag": True, "loss": -2})

    def test_wrong_categories_are_told(self):
        with self.assertRaisesRegex(ValueError, "no category 'forwards'; there are general"):
            stepscope.record("x", "forwards")
        for number in (-1, 8, 16):
            with self.assertRaisesRegex(ValueError, "no category has the number {}".format(number)):
                stepscope.record("x", number)
        with self.assertRaisesRegex(ValueError, "no category has the number 99"):
            stepscope.annotate("x", 99)
        self.start()
        for name, number in stepscope.CATEGORIES.items():
            with stepscope.record(name, number):
                pass
        found = {record.name: record.category for record in self.spans()}
        self.assertEqual(found, stepscope.CATEGORIES)
        with self.assertRaisesRegex(ValueError, "no phase 'step'"):
            stepscope.phase("step")


class Events(Recorded):
    def test_marks_counters_flows_and_operations(self):
        self.start()
        stepscope.mark("mark", 7)
        stepscope.counter("loss", 0.25)
        with stepscope.record("from"):
            stepscope.flow_start("arrow", 1)
        with stepscope.record("through"):
            stepscope.flow_step("arrow", 1)
        with stepscope.record("to"):
            stepscope.flow_end("arrow", 1)
        with stepscope.async_span("copy"):
            pass
        found = [(record.kind, record.name) for record in self.records() if record.kind != rec.SPAN]
        self.assertEqual(
            found,
            [
                (rec.MARK, "mark"),
                (rec.COUNTER, "loss"),
                (rec.FLOW_START, "arrow"),
                (rec.FLOW_STEP, "arrow"),
                (rec.FLOW_END, "arrow"),
                (rec.ASYNC_BEGIN, "copy"),
                (rec.ASYNC_END, "copy"),
            ],
        )
        self.assertEqual([record.value for record in self.records()[:2]], [7, 0.25])

    def test_a_killed_process_leaves_what_it_did(self):
        program = (
            "import os, signal, stepscope\n"
            "stepscope.start({!r})\n"
            "with stepscope.record('done'): pass\n"
            "with stepscope.record('open'): os.kill(os.getpid(), signal.SIGKILL)\n"
        ).format(self.folder)
        self.assertEqual(subprocess.run([sys.executable, "-c", program]).returncode, -9)
        self.assertEqual((self.names(), self.names(rec.OPEN)), (["done"], ["open"]))

    def test_negative_numbers_keep_their_sign(self):
        self.start()
        stepscope.mark("mark", -1)
        with stepscope.annotate("span", value=-7):
            pass
        found = [(record.kind, record.name, record.value) for record in self.records()]
        self.assertEqual(
            found,
            [(rec.MARK, "mark", 0), (rec.ARGUMENT, "value", -1), (rec.ARGUMENT, "value", -7), (rec.SPAN, "span", 0)],
        )

    def test_forked_children_have_files_of_their_own(self):
        self.start()
        with stepscope.record("parent"):
            child = os.fork()
            if not child:
                with stepscope.record("child"):
                    pass
                os._exit(0)
            os.waitpid(child, 0)
        found = rec.read_folder(self.folder)
        names = [[record.name for record in records if record.kind == rec.SPAN] for records in found.values()]
        self.assertEqual(sorted(names), [["child"], ["parent"]])


class Profiler(Recorded):
    def test_a_schedule_makes_recordings(self):
        found = []
        with stepscope.profiler(
            self.folder,
            stepscope.schedule(skip_first=1, wait=1, warmup=1, active=2, repeat=2),
            lambda profiler: found.append(profiler.recording),
        ) as profiler:
            for _ in range(12):
                with stepscope.record("work"):
                    pass
                profiler.step(samples=4)
        self.assertEqual(len(found), 2)
        for folder, steps in zip(found, ([3, 4], [7, 8])):
            (records,) = rec.read_folder(folder).values()
            spans = [record for record in records if record.kind == rec.SPAN and record.category == rec.STEP]
            self.assertEqual([span.value for span in spans], steps)
            self.assertEqual([record.name for record in records if record.category == 0].count("work"), 2)
            samples = [record.value for record in records if record.kind == rec.ARGUMENT and record.name == "samples"]
            self.assertEqual(samples, [4, 4])
            self.assertFalse([record for record in records if record.kind == rec.OPEN])
            for work in (record for record in records if record.name == "work"):
                self.assertTrue(any(work in span for span in spans))

    def test_without_a_schedule_all_is_one_recording_without_the_last_piece(self):
        export = stepscope.export_to(os.path.join(self.folder, "traces"))
        with stepscope.profiler(self.folder, on_trace_ready=export) as profiler:
            for _ in stepscope.batches(range(3)):
                profiler.step()
        (records,) = rec.read_folder(profiler.recording).values()
        steps = [record for record in records if record.category == rec.STEP]
        self.assertEqual([(record.kind, record.value) for record in steps], [(rec.SPAN, 0), (rec.SPAN, 1), (rec.SPAN, 2)])
        loads = [record for record in records if record.category == rec.DATALOADER]
        # One for making the iterator, one that finds the end.
        self.assertEqual(len(loads), 5)
        (file,) = export.files
        with open(file, "rb") as compact:
            self.assertEqual(compact.read(8), b"\x89STEP\r\n\x1a")
        profiler.export(os.path.join(self.folder, "again.stepscope"))

    def test_timer_only_records_nothing_and_tells_costs(self):
        def slow():
            for _ in range(4):
                time.sleep(0.003)
                yield 0

        with stepscope.profiler(self.folder, timer_only=True) as profiler:
            for _ in stepscope.batches(slow()):
                time.sleep(0.002)
                profiler.step(samples=10)
            info = profiler.step_info().split()
        self.assertEqual((info[0::3][:2], info[-1]), (["reader_cost:", "batch_cost:"], "samples/s"))
        reader, batch, rate = float(info[1]), float(info[4]), float(info[7])
        self.assertTrue(0.003 <= reader <= batch - 0.002)
        self.assertAlmostEqual(rate, 10 / batch, delta=rate * 0.01)
        self.assertEqual(os.listdir(self.folder), [])
        with stepscope.profiler(self.folder, timer_only=True) as profiler:
            profiler.step()
            self.assertRegex(profiler.step_info(), r"ips: \d+\.\d{3} steps/s$")
            profiler.step(samples=2)
            self.assertRegex(profiler.step_info("images/s"), r" images/s$")

    def test_steps_without_a_profiler(self):
        self.start()
        first = stepscope.step()
        with stepscope.record("work"):
            pass
        self.assertEqual(stepscope.step(samples=3), first + 1)
        stepscope.end_step()
        self.assertEqual(stepscope.step(), first + 2)
        stepscope.end_step(whole=False)
        stepscope.end_step()
        stepscope.stop()
        steps = [record for record in self.records() if record.category == rec.STEP]
        self.assertEqual([(record.kind, record.value) for record in steps], [(rec.SPAN, first), (rec.SPAN, first + 1)])

    def test_what_was_recorded_by_others_goes_on(self):
        self.start()
        calls, told = [], io.StringIO()
        with contextlib.redirect_stderr(told), stepscope.profiler("not here", on_trace_ready=calls.append) as profiler:
            profiler.step()
        self.assertEqual(told.getvalue(), "stepscope: recorded by others: on_trace_ready is not called\n")
        self.assertTrue(stepscope.is_recording())
        profiler.export("not here")
        self.assertEqual((calls, profiler.recording, self.names()), ([], None, ["step"]))
        self.assertFalse(os.path.exists("not here"))

    def test_what_a_program_makes_of_its_recording_it_makes_where_others_record_too(self):
        program = (
            "import stepscope\n"
            "stepscope.start('own')\n"
            "with stepscope.record('done'): pass\n"
            "stepscope.stop()\n"
            "stepscope.export('own', 'own/all.stepscope')\n"
        )
        options = json.dumps({"start": True, "output": os.path.join(self.folder, "theirs")})
        environment = dict(os.environ, STEPSCOPE_OPTIONS=options)
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, cwd=self.folder, stderr=subprocess.PIPE
        )
        self.assertEqual((done.returncode, done.stderr.count(b"\n")), (0, 1), done.stderr)
        self.assertEqual(os.listdir(os.path.join(self.folder, "own")), ["all.stepscope"])
        (records,) = rec.read_folder(os.path.join(self.folder, "theirs")).values()
        self.assertIn("done", [record.name for record in records])

    def test_schedules_are_those_of_torch(self):
        states = stepscope.schedule(wait=1, warmup=1, active=2, repeat=1, skip_first=1)
        self.assertEqual([int(states(step)) for step in range(8)], [0, 0, 1, 2, 3, 0, 0, 0])
        endless = stepscope.schedule(active=1)
        self.assertEqual({endless(step) for step in range(5)}, {stepscope.State.RECORD_AND_RETURN})
        with self.assertRaises(ValueError):
            stepscope.schedule(active=0)


    def test_a_pair_is_the_first_step_and_the_one_behind_the_last(self):
        with stepscope.profiler(self.folder, schedule=(2, 4)) as profiler:
            for _ in range(6):
                profiler.step()
        (records,) = rec.read_folder(profiler.recording).values()
        steps = [record.value for record in records if record.kind == rec.SPAN and record.category == rec.STEP]
        self.assertEqual(steps, [2, 3])
        of_paddle = stepscope.make_scheduler(closed=1, ready=1, record=2, repeat=1)
        self.assertEqual([int(of_paddle(step)) for step in range(6)], [0, 1, 2, 3, 0, 0])
        for wrong in ((4, 2), (1,), ("a", "b"), (-1, 2)):
            with self.assertRaisesRegex(ValueError, "pair"):
                stepscope.profiler(self.folder, schedule=wrong)

    def test_names_of_paddle_are_known_and_wrong_ones_refused_at_once(self):
        with stepscope.profiler(self.folder, scheduler=(1, 3), targets=["CPU", "GPU"]) as profiler:
            for _ in range(4):
                profiler.step()
        (records,) = rec.read_folder(profiler.recording).values()
        steps = [record.value for record in records if record.kind == rec.SPAN and record.category == rec.STEP]
        self.assertEqual(steps, [1, 2])
        # A scheduler of Paddle's own has states of its own, with the same values.
        states = enum.Enum("ProfilerState", {"CLOSED": 0, "READY": 1, "RECORD": 2, "RECORD_AND_RETURN": 3})
        with stepscope.profiler(self.folder, scheduler=lambda step: states(3 if step == 1 else 0)) as own:
            for _ in range(3):
                own.step()
        (records,) = rec.read_folder(own.recording).values()
        self.assertEqual([record.value for record in records if record.kind == rec.SPAN and record.category == rec.STEP], [1])
        with self.assertRaises(TypeError):
            stepscope.profiler(self.folder, timer_only=True, sheduler=(1, 3))
        with self.assertRaises(TypeError):
            stepscope.profiler(self.folder, schedule=(1, 3), scheduler=(1, 3))
        with self.assertRaisesRegex(ValueError, "stepscope export"):
            profiler.export(os.path.join(self.folder, "a.json"))

    def test_timer_only_prints_paddles_summary_at_last(self):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            with stepscope.profiler(self.folder, schedule=(3, 14), timer_only=True) as profiler:
                for _ in stepscope.batches(range(20)):
                    time.sleep(0.001)
                    profiler.step()
        lines = printed.getvalue().splitlines()
        self.assertEqual(lines[0], "Perf Summary".center(100, "="))
        self.assertRegex(lines[1], r"^Reader Ratio: \d+\.\d{3}%$")
        self.assertEqual(lines[2], "Time Unit: s, IPS Unit: steps/s")
        self.assertEqual(lines[3], "|                 |       avg       |       max       |       min       |")
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[4:]]
        self.assertEqual([row[0] for row in rows], ["reader_cost", "batch_cost", "ips"])
        for _, average, most, least in rows:
            self.assertTrue(float(least) <= float(average) <= float(most), rows)
        self.assertTrue(float(rows[1][3]) >= 0.001)
        self.assertEqual(os.listdir(self.folder), [])
        # As in Paddle the first ten steps do not count.
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), stepscope.profiler(self.folder, timer_only=True) as profiler:
            profiler.step()
        self.assertRegex(printed.getvalue(), r"^stepscope: no Perf Summary: .*\(steps: 1\)\n$")
        self.assertEqual(profiler.perf_summary(), "")
        again = io.StringIO()
        with contextlib.redirect_stdout(again):
            profiler.summary()
        self.assertEqual(again.getvalue(), printed.getvalue())


class Loading(Recorded):
    def test_how_many_batches_are_ready_is_a_counter(self):
        import queue

        class Iterator:
            """Like PyTorch's iterator with worker processes."""

            def __init__(self, count):
                self._data_queue = queue.Queue()
                for number in range(count):
                    self._data_queue.put(number)

            def __iter__(self):
                return self

            def __next__(self):
                if self._data_queue.empty():
                    raise StopIteration
                return self._data_queue.get()

        class Closed:
            def qsize(self):
                raise OSError

        own = queue.Queue()
        own.put(1)
        self.start()
        self.assertEqual(list(stepscope.batches(Iterator(3))), [0, 1, 2])
        self.assertEqual(list(stepscope.batches([5], "own", own)), [5])
        self.assertEqual(list(stepscope.batches([6], "closed", Closed())), [6])
        self.assertEqual(list(stepscope.batches([7], "none")), [7])
        counters = [(record.name, record.value) for record in self.spans(rec.COUNTER)]
        found = [("load batch queue", size) for size in (3.0, 2.0, 1.0)]
        self.assertEqual(counters, found + [("own queue", 1.0)])


class OfPaddle(Recorded):
    def test_record_event_in_all_its_forms(self):
        class TracerEventType:
            name = "Forward"

        self.start()
        with stepscope.RecordEvent("context", TracerEventType()):
            pass

        @stepscope.RecordEvent(name="function", event_type="TracerEventType.Optimization")
        def update():
            return 5

        self.assertEqual((update(), update.__name__), (5, "update"))
        event = stepscope.RecordEvent("by hand", "UserDefined")
        event.end()
        event.begin()
        event.end()
        event.end()
        found = [(span.name, span.category) for span in self.spans()]
        self.assertEqual(found, [("context", rec.FORWARD), ("function", rec.OPTIMIZER), ("by hand", 0)])

    def test_timers_are_printed_as_by_stat_set(self):
        self.addCleanup(stepscope.reset_timers)
        stepscope.reset_timers()
        self.start()

        @stepscope.timer("forward")
        def forward(depth):
            if depth:
                forward(depth - 1)
            time.sleep(0.002)

        threads = [threading.Thread(target=forward, args=(1,)) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        with stepscope.timer("once", info="batch 16"):
            pass
        line = r"Stat=%s +total=[\d.]+ +avg=[\d.]+ +max=[\d.]+ +min=[\d.]+ +count=%d"
        printed = io.StringIO()
        stepscope.print_all_status(printed)
        lines = printed.getvalue().splitlines()
        self.assertEqual(lines[0], "======= StatSet: [GlobalStatInfo] status ======")
        self.assertRegex(lines[1], line % ("forward", 4))
        self.assertRegex(lines[2], line % ("once", 1))
        self.assertEqual(lines[3:], ["======= BarrierStatSet status ======", "-" * 50])
        values = dict(part.split("=") for part in lines[1].split())
        self.assertTrue(2 <= float(values["min"]) <= float(values["avg"]) <= float(values["max"]))
        told = io.StringIO()
        with contextlib.redirect_stderr(told):
            stepscope.print_status("once")
        self.assertRegex(told.getvalue(), line % ("once", 1))
        self.assertEqual(sorted(self.names()), ["forward"] * 4 + ["once"])
        self.assertEqual([(record.name, record.value) for record in self.spans(rec.ARGUMENT)], [("info", "batch 16")])
        stepscope.reset_timers()
        with self.assertRaisesRegex(KeyError, "once"):
            stepscope.print_status("once")
        # Milliseconds of six digits, as C++ prints them.
        numbers = [stepscope._timers._number(micros) for micros in (0, 1, 12345, 136141, 1234567)]
        self.assertEqual(numbers, ["0", "0.001", "12.345", "136.141", "1234.57"])


class Callbacks(Recorded):
    """Callbacks with fake frameworks: each calls its own methods with its own arguments."""

    def framework(self, place):
        """A fake framework with a base class of that path."""
        module, _, kind = place.rpartition(".")
        names = module.split(".")
        for depth in range(len(names)):
            name = ".".join(names[: depth + 1])
            sys.modules[name] = types.ModuleType(name)
            self.addCleanup(sys.modules.pop, name)
        base = type(kind, (), {})
        setattr(sys.modules[module], kind, base)
        return base

    def steps(self, callback):
        (records,) = rec.read_folder(callback.profiler.recording).values()
        return [record.value for record in records if record.kind == rec.SPAN and record.category == rec.STEP]

    def test_mindspore_counts_from_one(self):
        base = self.framework("mindspore.Callback")

        class Context:
            def __init__(self, epoch, step):
                self.cur_epoch_num, self.cur_step_num = epoch, step

            def original_args(self):
                return self

        def train(callback, begins, ends, epoch_begins, epoch_ends, end):
            for epoch in (1, 2, 3):
                getattr(callback, epoch_begins)(Context(epoch, epoch * 4 - 4))
                for step in range(epoch * 4 - 3, epoch * 4 + 1):
                    getattr(callback, begins)(Context(epoch, step))
                    getattr(callback, ends)(Context(epoch, step))
                getattr(callback, epoch_ends)(Context(epoch, epoch * 4))
            getattr(callback, end)(Context(3, 12))

        new = ("on_train_step_begin", "on_train_step_end", "on_train_epoch_begin", "on_train_epoch_end", "on_train_end")
        old = ("step_begin", "step_end", "epoch_begin", "epoch_end", "end")
        for names in (new, old):
            callback = callbacks.StopAtStep(3, 6, output=self.folder)
            self.assertIsInstance(callback, base)
            train(callback, *names)
            self.assertEqual(self.steps(callback), [3, 4, 5, 6])
            callback = callbacks.StopAtEpoch(2, 2, output=self.folder)
            train(callback, *names)
            self.assertEqual(self.steps(callback), [5, 6, 7, 8])
        # A training that ends early is recorded up to its end.
        callback = callbacks.StopAtStep(11, 100, output=self.folder)
        train(callback, *new)
        self.assertEqual(self.steps(callback), [11, 12])
        self.assertFalse(stepscope.is_recording())

    def test_other_frameworks_count_from_zero(self):
        made = {
            "lightning": ("lightning.pytorch.Callback", "on_train_batch_start", "on_train_batch_end", 5),
            "transformers": ("transformers.TrainerCallback", "on_step_begin", "on_step_end", 3),
            "keras": ("keras.callbacks.Callback", "on_train_batch_begin", "on_train_batch_end", 2),
            "paddle": ("paddle.callbacks.Callback", "on_train_batch_begin", "on_train_batch_end", 2),
        }
        self.assertEqual(sorted(["mindspore", *made]), sorted(callbacks.FRAMEWORKS))
        for name, (place, begins, ends, arguments) in made.items():
            base = self.framework(place)
            ready = []
            callback = callbacks.StopAtStep(1, 2, framework=name, output=self.folder, on_trace_ready=ready.append)
            self.assertIsInstance(callback, base)
            for step in range(5):
                getattr(callback, begins)(*[step] * arguments)
                getattr(callback, ends)(*[step] * arguments)
            self.assertEqual((self.steps(callback), ready), ([1, 2], [callback.profiler]))
        with self.assertRaisesRegex(ValueError, "several are imported: .*keras"):
            callbacks.StopAtStep(1, 2)

    def test_what_is_wrong_is_told(self):
        with self.assertRaisesRegex(ValueError, "none is imported"):
            callbacks.StopAtStep(1, 2)
        with self.assertRaisesRegex(ValueError, "no framework 'caffe'"):
            callbacks.StopAtStep(1, 2, framework="caffe")
        with self.assertRaisesRegex(ImportError, "mindspore has no mindspore.Callback or"):
            callbacks.StopAtStep(1, 2, framework="mindspore")
        self.framework("keras.callbacks.Callback")
        with self.assertRaisesRegex(ValueError, "0 <= start <= stop"):
            callbacks.StopAtEpoch(3, 2)


class Errors(Recorded):
    def test_errors_are_told(self):
        self.start()
        with self.assertRaisesRegex(RuntimeError, "already"):
            self.start()
        stepscope.stop()
        with self.assertRaisesRegex(OSError, "^stepscope: /dev/null/x: "):
            stepscope.start("/dev/null/x")
        with self.assertRaisesRegex(OSError, "^stepscope: /proc/a/b: "):
            stepscope.start("/proc/a/b")
        # A path that exists and is not a folder is an error, not a running recording.
        with self.assertRaisesRegex(OSError, "^stepscope: /dev/null: "):
            stepscope.start("/dev/null")
        with self.assertRaisesRegex(ValueError, "^stepscope: options: .*monotonic"):
            stepscope.start(self.folder, clock="sundial")
        with self.assertRaisesRegex(OSError, "^stepscope: /dev/null/y: "):
            stepscope.export("/dev/null/x", "/dev/null/y")
        with self.assertRaisesRegex(OSError, "^stepscope: /dev/null/x: "):
            stepscope.export("/dev/null/x", os.path.join(self.folder, "y.stepscope"))
        self.assertIsNone(stepscope.recording_path())

    def test_facts_and_the_path(self):
        path = self.start(facts={"experiment": 17})
        self.assertEqual(path, stepscope.recording_path())
        with open(path, "rb") as file:
            self.assertIn(b"experiment\x0017\0", file.read(4096))

    def test_without_the_library_all_does_nothing(self):
        program = (
            "import asyncio, stepscope, sys\n"
            "assert stepscope.library() is None and stepscope.start('x') is None and not stepscope.is_recording()\n"
            "with stepscope.record('a', 'forward'), stepscope.phase('backward'), stepscope.annotate('b', x=1) as span:\n"
            "    span.argument('k', 'v')\n"
            "assert stepscope.record('f')(len) is len\n"
            "stepscope.mark('m'); stepscope.counter('c', 1); stepscope.name_thread('t'); stepscope.step(5)\n"
            "stepscope.end_step()\n"
            "stepscope.flow_start('f', 1); stepscope.flow_step('f', 1); stepscope.flow_end('f', 1)\n"
            "with stepscope.async_span('s'): pass\n"
            "async def wait():\n"
            "    async with stepscope.record('w'): pass\n"
            "asyncio.run(wait())\n"
            "with stepscope.profiler('x') as profiler:\n"
            "    for _ in stepscope.batches([1, 2]): profiler.step(1)\n"
            "assert 'ips' in profiler.step_info() and profiler.recording is None\n"
            "profiler.export('x')\n"
            "with stepscope.RecordEvent('r', 'Forward'), stepscope.timer('t'): pass\n"
            "assert stepscope.RecordEvent('r')(len) is len and 'count=1' in stepscope.timer_status('t')\n"
            "stepscope.stop()\n"
        )
        environment = {key: value for key, value in os.environ.items() if key != "STEPSCOPE_LIBRARY"}
        environment.update(PATH="", PYTHONPATH=os.path.dirname(os.path.dirname(stepscope.__file__)))
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, cwd=self.folder, stderr=subprocess.PIPE
        )
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(os.listdir(self.folder), [])
        # A named library that is missing is reported and does no harm.
        environment["STEPSCOPE_LIBRARY"] = os.path.join(self.folder, "none.so")
        done = subprocess.run([sys.executable, "-c", program], env=environment, cwd=self.folder, stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stderr.count(b"\n")), (0, 1), done.stderr)


@unittest.skipUnless(sys.implementation.name == "cpython", "other Pythons have no such methods")
class Fast(Recorded):
    def test_python_calls_the_library_itself(self):
        kind = type(stepscope.record("x"))
        self.assertEqual(type(vars(kind)["__enter__"]).__name__, "method_descriptor")
        before = sys.getrefcount(None)
        span = stepscope.record("counted")
        references = sys.getrefcount(span)
        self.start()
        for _ in range(10000):
            with span as same:
                self.assertIs(same, span)
        self.assertLess(abs(sys.getrefcount(None) - before), 1000)
        self.assertLessEqual(sys.getrefcount(span), references + 1)
        self.assertEqual(len(self.spans()), 10000)

    def test_a_span_costs_little(self):
        """Checks only for gross slowness, ten times the documented cost; bench.py measures the cost."""
        self.start()
        begin = time.thread_time_ns()
        for _ in range(20000):
            with stepscope.record("cheap"):
                pass
        self.assertLess((time.thread_time_ns() - begin) / 20000, 3000)


if __name__ == "__main__":
    unittest.main()
