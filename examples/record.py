"""A Python program that records its steps and reads them back: `python record.py [FOLDER]`."""

import sys
import time

import stepscope

folder = sys.argv[1] if len(sys.argv) > 1 else "example.recording"
stepscope.start(folder)
for step in range(5):
    stepscope.step(samples=32)
    with stepscope.record("load batch", "dataloader"):
        time.sleep(0.002)
    with stepscope.record("forward", "forward"):
        loss = sum(number * (step + 1) % 7 for number in range(50_000)) / 1e6
    stepscope.counter("loss", loss)
stepscope.end_step()
stepscope.stop()

for step in stepscope.summary(folder).tables()["steps"]:
    print("step {}: {:.1f} ms".format(step["name"], step["length_ns"] / 1e6))
