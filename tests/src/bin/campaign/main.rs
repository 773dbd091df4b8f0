//! Damaged files of every format, by the thousand: none may panic, hang, take memory without bounds, or give
//! inconsistent numbers.
//!
//! ```text
//! campaign [--files N] [--seed S] [--threads T] [--save FOLDER] [FORMAT…]
//! ```
//!
//! The files of a seed are always the same, on every machine and with any number of threads. Failing files are saved,
//! with their folder if they have one.

mod attempt;
mod formats;
mod meter;
mod options;
mod ways;

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use attempt::{Attempt, Verdict};
use formats::Format;
use options::Options;

#[global_allocator]
static ALLOCATOR: meter::Counting = meter::Counting;

fn main() -> ExitCode {
    match Options::parse(std::env::args().skip(1)).and_then(|options| run(&options)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("campaign: {message}");
            ExitCode::from(2)
        }
    }
}

/// Whether all went well.
fn run(options: &Options) -> Result<bool, String> {
    attempt::keep_panics_quiet();
    let formats = formats::all(&options.formats)?;
    println!("{:>17} {:>7} {:>6} {:>9} {:>9} {:>7}", "format", "files", "read", "s per MB", "peak MB", "s");
    let mut failed = 0;
    for format in &formats {
        failed += of_format(format, options)?;
    }
    if failed > 0 {
        println!("{failed} files failed; they are in {}", options.save.display());
    }
    Ok(failed == 0)
}

/// Results of all threads of a format.
#[derive(Default)]
struct Seen {
    read: u64,
    /// Time of the slowest file for its size.
    seconds_per_megabyte: f64,
    /// Peak memory of the worst file.
    peak: usize,
    failures: Vec<(u64, String)>,
}

impl Seen {
    fn add(&mut self, number: u64, attempt: &Attempt, verdict: Verdict) {
        self.read += u64::from(verdict.read);
        self.peak = self.peak.max(verdict.peak);
        // Below that size, the fixed cost of a file dominates.
        if attempt.bytes() > 8 << 10 {
            #[expect(clippy::cast_precision_loss, reason = "a ratio for people")]
            let rate = verdict.seconds * 1e6 / attempt.bytes() as f64;
            self.seconds_per_megabyte = self.seconds_per_megabyte.max(rate);
        }
        self.failures.extend(verdict.failure.map(|what| (number, what)));
    }
}

/// Runs the files of a format on all threads; returns the number of failures.
fn of_format(format: &Format, options: &Options) -> Result<u64, String> {
    let begun = Instant::now();
    let (next, seen) = (AtomicU64::new(0), Mutex::new(Seen::default()));
    let running: Vec<AtomicU64> = (0..options.threads).map(|_| AtomicU64::new(u64::MAX)).collect();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let workers: Vec<_> =
            running.iter().map(|slot| scope.spawn(|| work(format, options, &next, slot, &seen))).collect();
        scope.spawn(|| watch(format, options, &running, &done));
        for worker in workers {
            // A panic of an attempt is its verdict; any other panic ends the program by its scope.
            drop(worker.join());
        }
        done.store(true, Ordering::Relaxed);
    });
    let seen = seen.into_inner().map_err(|error| error.to_string())?;
    let seconds = begun.elapsed().as_secs_f64();
    let (slow, peak) = (seen.seconds_per_megabyte, seen.peak >> 20);
    println!("{:>17} {:>7} {:>6} {slow:>9.2} {peak:>9} {seconds:>7.1}", format.name, options.files, seen.read);
    for (number, what) in &seen.failures {
        println!("{}, file {number}: {what}", format.name);
        save(format, options, *number)?;
    }
    // If nearly all files were rejected, only the rejection would be tested.
    if options.files >= 100 && seen.read * 20 < options.files {
        println!(
            "{}: of {} files {} could be read, which is too few to tell anything",
            format.name, options.files, seen.read
        );
        return Ok(seen.failures.len() as u64 + 1);
    }
    Ok(seen.failures.len() as u64)
}

fn work(format: &Format, options: &Options, next: &AtomicU64, slot: &AtomicU64, seen: &Mutex<Seen>) {
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= options.files {
            return;
        }
        slot.store(number, Ordering::Relaxed);
        let attempt = format.attempt(options.seed, number);
        let verdict = attempt.run();
        slot.store(u64::MAX, Ordering::Relaxed);
        if let Ok(mut seen) = seen.lock() {
            seen.add(number, &attempt, verdict);
        }
    }
}

/// Ends the program if a file takes so long that it may never end: a thread cannot be stopped from outside.
fn watch(format: &Format, options: &Options, running: &[AtomicU64], done: &AtomicBool) {
    const LOOK: Duration = Duration::from_millis(100);
    let mut since: Vec<(u64, Instant)> = running.iter().map(|_| (u64::MAX, Instant::now())).collect();
    while !done.load(Ordering::Relaxed) {
        std::thread::sleep(LOOK);
        for (slot, since) in running.iter().zip(&mut since) {
            let number = slot.load(Ordering::Relaxed);
            if number != since.0 {
                *since = (number, Instant::now());
            } else if number != u64::MAX && since.1.elapsed() > options.hang {
                println!("{}, file {number}: does not end", format.name);
                if let Err(message) = save(format, options, number) {
                    eprintln!("campaign: {message}");
                }
                #[expect(clippy::exit, reason = "the thread that hangs would be waited for")]
                std::process::exit(1);
            }
        }
    }
}

/// Writes an attempt's files into a folder of their own.
fn save(format: &Format, options: &Options, number: u64) -> Result<(), String> {
    let folder = options.save.join(format!("{}-{}-{number}", format.name, options.seed));
    for (path, bytes) in format.attempt(options.seed, number).files() {
        let path = folder.join(path);
        let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        made.and_then(|()| std::fs::write(&path, bytes)).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}
