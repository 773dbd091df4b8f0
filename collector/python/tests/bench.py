"""Costs of the package: python3 bench.py; it finds the library as the package does. Thread CPU time, the best of 15 rounds."""

import shutil
import sys
import tempfile
import time

import stepscope

COUNT = 100_000


def best(run):
    def once():
        begin = time.thread_time_ns()
        run()
        return (time.thread_time_ns() - begin) / COUNT

    return min(once() for _ in range(15))


def empty():
    for _ in range(COUNT):
        pass


def reused():
    span = stepscope.record("reused")
    for _ in range(COUNT):
        with span:
            pass


def named():
    for _ in range(COUNT):
        with stepscope.record("named", "forward"):
            pass


def decorated():
    @stepscope.record("decorated")
    def function():
        pass

    for _ in range(COUNT):
        function()


def annotated():
    for step in range(COUNT):
        with stepscope.annotate("annotated", value=step):
            pass


def marked():
    for step in range(COUNT):
        stepscope.mark("mark", step)


def counted():
    for _ in range(COUNT):
        stepscope.counter("counter", 0.5)


def main():
    loop = best(empty)
    folder = tempfile.mkdtemp(prefix="stepscope-bench-", dir=sys.argv[1] if len(sys.argv) > 1 else None)
    runs = (reused, named, decorated, annotated, marked, counted)
    off = [best(run) - loop for run in runs]
    stepscope.start(folder, keep={"seconds": 0, "bytes": 64 << 20})
    on = [best(run) - loop for run in runs]
    stepscope.stop()
    shutil.rmtree(folder)
    print("Python {}, {}".format(sys.version.split()[0], stepscope.library() or "no library"))
    for run, one, other in zip(runs, on, off):
        print("{:12} {:4.0f} ns recorded, {:4.0f} ns not".format(run.__name__, one, other))


if __name__ == "__main__":
    main()
