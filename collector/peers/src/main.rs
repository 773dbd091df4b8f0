//! Compares the cost of a span, in ns of CPU time, with other recorders: `stepscope-peers FOLDER…`, such as a folder on
//! tmpfs and one on a disk.
//!
//! All take turns, many times, so that other load of the machine affects all alike. The minimum and the median of each
//! are printed. Each reads a clock twice per span: that cost is measured beside them and subtracted.

mod cpu;
mod peers;

use std::path::{Path, PathBuf};

use cpu::{CLOCKS, Clock, cpu_time};
use peers::{PEERS, Run};
use stepscope_collector::{ClockSource, Options, span, start, stop};

/// Spans of a turn.
const SPANS: u32 = 100_000;

/// Turns of each, unless `TURNS` says otherwise.
const TURNS: usize = 40;

/// The costs of consecutive turns, per span.
#[derive(Default)]
struct Costs {
    thread: Vec<f64>,
    process: Vec<f64>,
}

impl Costs {
    fn add(&mut self, run: impl FnOnce() -> Option<()>) {
        let begin = cpu_time();
        let _ = run();
        let end = cpu_time();
        self.thread.push((end.thread - begin.thread) / f64::from(SPANS));
        self.process.push((end.process - begin.process) / f64::from(SPANS));
    }

    fn least(costs: &[f64]) -> f64 {
        costs.iter().copied().fold(f64::INFINITY, f64::min)
    }

    fn median(costs: &[f64]) -> f64 {
        let mut costs = costs.to_vec();
        costs.sort_by(f64::total_cmp);
        costs.get(costs.len() / 2).copied().unwrap_or(f64::NAN)
    }
}

/// One line of the table.
struct Contender {
    name: String,
    crash_safe: bool,
    clock: Clock,
    bytes: String,
    costs: Costs,
}

fn ours(folder: &Path, source: ClockSource, ahead: bool, costs: &mut Costs) -> std::io::Result<()> {
    let file = start(&Options { clock: source, ahead, ..Options::new(folder) })?;
    // The thread takes its first segment.
    drop(span!("a span"));
    costs.add(|| {
        for index in 0..SPANS {
            let _span = span!("a span", u64::from(index));
        }
        Some(())
    });
    stop();
    std::fs::remove_file(file)
}

fn main() -> std::io::Result<()> {
    let folders: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let turns = std::env::var("TURNS").ok().and_then(|turns| turns.parse().ok()).unwrap_or(TURNS);
    let mut clocks = CLOCKS.map(|_| Costs::default());
    let mut off = Costs::default();
    let mut own: Vec<(Contender, PathBuf, ClockSource, bool)> = Vec::new();
    for folder in &folders {
        let sources = [(ClockSource::Monotonic, Clock::Monotonic), (ClockSource::Counter, Clock::Counter)];
        for ((source, clock), ahead) in sources.into_iter().flat_map(|source| [(source, false), (source, true)]) {
            let name = format!("stepscope, {source:?}{}, {}", if ahead { ", ahead" } else { "" }, folder.display());
            // A segment's head and open spans take as much as 256 records.
            let segment = Options::new("").segment_bytes as f64;
            let bytes = format!("{:.1}", segment / (segment / 32.0 - 256.0));
            let contender = Contender { name, crash_safe: true, clock, bytes, costs: Costs::default() };
            own.push((contender, folder.clone(), source, ahead));
        }
    }
    let mut peers: Vec<(Contender, Run)> = PEERS
        .iter()
        .map(|peer| {
            let (name, bytes) = (peer.name.to_owned(), peer.bytes.to_owned());
            let contender = Contender { name, crash_safe: false, clock: peer.clock, bytes, costs: Costs::default() };
            (contender, (peer.set_up)())
        })
        .collect();
    for _ in 0..turns {
        for (costs, (_, read)) in clocks.iter_mut().zip(CLOCKS) {
            costs.add(|| {
                (0..SPANS).for_each(|_| read());
                Some(())
            });
        }
        off.add(|| {
            for index in 0..SPANS {
                let _span = span!("a span", u64::from(index));
            }
            Some(())
        });
        for (contender, folder, source, ahead) in &mut own {
            ours(folder, *source, *ahead, &mut contender.costs)?;
        }
        for (contender, run) in &mut peers {
            run.turn(SPANS, &mut contender.costs);
        }
    }
    let two_reads = |clock: Clock| {
        let index = CLOCKS.iter().position(|(known, _)| *known == clock).unwrap_or_default();
        2.0 * Costs::least(&clocks[index].thread)
    };
    println!("ns of CPU time per span: the least of {turns} turns of {SPANS}; less two reads of its clock\n");
    println!("| recorder | thread | median | less its clock | process | bytes | survives a kill |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | --- |");
    for contender in own.iter().map(|(contender, ..)| contender).chain(peers.iter().map(|(contender, _)| contender)) {
        let Contender { name, crash_safe, clock, bytes, costs } = contender;
        let least = Costs::least(&costs.thread);
        println!(
            "| {name} | {least:.1} | {:.1} | {:.1} | {:.1} | {bytes} | {} |",
            Costs::median(&costs.thread),
            least - two_reads(*clock),
            Costs::least(&costs.process),
            if *crash_safe { "yes" } else { "no" },
        );
    }
    let [monotonic, counter] = [Clock::Monotonic, Clock::Counter].map(|clock| two_reads(clock) / 2.0);
    println!(
        "\noff: {:.2}; one read: CLOCK_MONOTONIC {monotonic:.1}, the counter {counter:.1}",
        Costs::least(&off.thread)
    );
    Ok(())
}
