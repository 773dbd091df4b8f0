//! From a trace to numbers: `read_trace FILE` prints each step, and the three kernels that take the longest.

use std::error::Error;

use stepscope::analyze::AnalysisConfig;
use stepscope::present::text::duration;
use stepscope::{Loader, Rank};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: read_trace FILE")?;
    let bytes = std::fs::read(&path)?;
    let mut loader = Loader::new(&path);
    // Bytes go in by chunks, so that a program never needs the whole text.
    for chunk in bytes.chunks(1 << 16) {
        loader.space(chunk.len()).copy_from_slice(chunk);
        loader.advance(chunk.len())?;
    }
    let rank = Rank::new(&path, bytes.len() as u64, loader.finish()?, &AnalysisConfig::standard());

    for step in &rank.analysis.steps.steps {
        println!("step {}: {}", step.name, duration(step.span.len()));
    }
    for row in rank.analysis.kernels.iter().take(3) {
        println!("{}: {}, {} calls", rank.trace.strings.get(row.name), duration(row.time.total), row.time.calls);
    }
    Ok(())
}
