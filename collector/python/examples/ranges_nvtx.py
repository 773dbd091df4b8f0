"""An ordinary script with NVTX ranges and no Stepscope calls.

Record it with `stepscope record -- python ranges_nvtx.py`; it needs only the package `nvtx`.
"""

import threading

import nvtx


@nvtx.annotate("work", domain="library", category="compute", color="green")
def work(size):
    return sum(number * number for number in range(size))


def load(batches):
    for batch in range(batches):
        with nvtx.annotate("load", payload=batch):
            work(2000)


def main(steps=4):
    loader = threading.Thread(target=load, args=(steps,), name="loader")
    loader.start()
    for step in range(steps):
        whole = nvtx.start_range("whole")
        with nvtx.annotate(f"train_step {step}", color="blue"):
            nvtx.push_range("forward")
            work(5000)
            nvtx.pop_range()
            with nvtx.annotate("backward", payload=step):
                work(8000)
        nvtx.mark("done")
        nvtx.end_range(whole)
    loader.join()


if __name__ == "__main__":
    main()
