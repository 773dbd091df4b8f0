//! A Rust program that records its steps: `record [FOLDER]`. `stepscope FOLDER` shows where the time goes.

use std::thread::sleep;
use std::time::Duration;

use stepscope_collector::{Category, Options, counter, span, start, stop};

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "example.recording".to_owned());
    start(&Options::new(&folder))?;
    for step in 0..5_u64 {
        let _step = span!("train step", in Category::Step, step);
        {
            let _load = span!("load batch", in Category::DataLoader);
            sleep(Duration::from_millis(2));
        }
        let loss = {
            let _forward = span!("forward", in Category::Forward, samples = 32_u64);
            let sum: u64 = (0..50_000).map(|number| number * (step + 1) % 7).sum();
            sum as f64 / 1e6
        };
        counter("loss", loss);
    }
    stop();
    println!("recorded into {folder}");
    Ok(())
}
