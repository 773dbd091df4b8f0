//! A training loop that records itself: `training FOLDER [killed]`.
//!
//! Writes a raw recording into the folder and, unless it ends in the middle of a step, a compact file of it. The
//! fixtures in `tests/fixtures/stepscope` were made by it.

#[cfg(unix)]
fn main() -> std::io::Result<()> {
    use std::sync::mpsc;
    use std::time::Duration;

    use stepscope_collector::{
        Category, MemoryDevice, Options, allocated, async_begin, async_end, counter, flow_end, flow_start, freed, mark,
        name_thread, recover, span, start, stop,
    };

    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap_or_else(|| "recordings".to_owned());
    let killed = arguments.next().is_some();
    let facts = [("command", "training"), ("host", "example"), ("boot", "none"), ("rank", "0"), ("world_size", "1")];
    let facts = facts.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec();
    start(&Options { segment_bytes: 16 << 10, facts, ..Options::new(&folder) })?;
    name_thread("trainer");
    let work = |micros| std::thread::sleep(Duration::from_micros(micros));
    let (send, batches) = mpsc::sync_channel(1);
    let loader = std::thread::spawn(move || {
        name_thread("loader");
        for batch in 0..4 {
            let load = span!("decode batch", batch, file = "train/0.bin", compressed = true);
            async_begin("prefetch", batch);
            work(400);
            load.argument("samples", 32_u64);
            flow_start("batch", batch);
            if send.send(batch).is_err() {
                break;
            }
        }
    });
    for step in 0..4 {
        let _step = span!("train step", in Category::Step, step);
        let batch = {
            let _wait = span!("next batch", in Category::DataLoader);
            let batch = batches.recv().map_err(std::io::Error::other)?;
            flow_end("batch", batch);
            async_end("prefetch", batch);
            batch
        };
        {
            let _forward = span!("forward", in Category::Forward);
            for layer in 0..3 {
                let _layer = span!("linear", in Category::Operator, layer, dropout = 0.25, shift = -1);
                allocated(MemoryDevice::Host, 0x1000 * (layer + 1), 4096);
                work(200);
            }
        }
        if killed && step == 3 {
            std::process::abort();
        }
        {
            let _backward = span!("backward", in Category::Backward);
            for layer in 0..3 {
                let _layer = span!("linear backward", in Category::Operator, layer);
                work(300);
                freed(MemoryDevice::Host, 0x1000 * (layer + 1), 4096);
            }
        }
        let _update = span!("update", in Category::Optimizer);
        counter("loss", 1.0 / (batch + 1) as f64);
        work(100);
    }
    mark("done", 4);
    mark!("saved", path = "model.bin", epoch = 1);
    loader.join().map_err(|_| std::io::Error::other("the loader panicked"))?;
    stop();
    let compact = std::path::Path::new(&folder).join("training.stepscope");
    recover(folder.as_ref(), &mut std::fs::File::create(compact)?)?;
    Ok(())
}

#[cfg(not(unix))]
fn main() {
    eprintln!("the recorder is for Unix");
}
