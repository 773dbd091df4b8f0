//! The whole way from a file to numbers: `cargo run --release --example analyze -- trace.json.gz`.
//!
//! Prints, for each training step, how long it took and what its devices did with the time.

use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;
use stepscope::analyze::AnalysisConfig;
use stepscope::present::text::{duration, percent_or_dash};
use stepscope::{Loader, Nanos, Rank};

/// Bytes handed over at a time: no more of the text is ever held.
const CHUNK: usize = 256 << 10;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("which trace?")?;
    let mut file = BufReader::new(File::open(&path)?);
    let is_gzip = file.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    let mut text: Box<dyn Read> = if is_gzip { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };

    // The loader finds out who wrote the trace, and reads it as it comes.
    let mut loader = Loader::new(&path);
    loop {
        let read = text.read(loader.space(CHUNK))?;
        if read == 0 {
            break;
        }
        loader.advance(read)?;
    }
    // All analyses at once; each can also be called alone, on `rank.trace`.
    let bytes = std::fs::metadata(&path)?.len();
    let rank = Rank::new(&path, bytes, loader.finish()?, &AnalysisConfig::standard());

    for warning in &rank.warnings {
        eprintln!("{warning}");
    }
    for (step, devices) in rank.analysis.steps.steps.iter().zip(&rank.analysis.step_devices) {
        println!("step {}: {}", step.name, duration(step.span.len()));
        for time in devices {
            let share = |part: Nanos| percent_or_dash(part.ratio_of(time.window));
            let (busy, compute) = (share(time.busy), share(time.compute));
            let exposed = share(time.exposed_communication);
            println!("  device {}: busy {busy}, computing {compute}, only communicating {exposed}", time.device);
        }
    }
    Ok(())
}
