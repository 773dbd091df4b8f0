//! Measures the cost of a span: `span_cost FOLDER…`, once per folder, such as one on tmpfs and one on a disk.
//!
//! Prints nanoseconds of the thread's CPU time per span, with the recorder's clocks, and the same less two reads of the
//! clock: the median, least and most of some rounds.

#[cfg(unix)]
fn main() -> std::io::Result<()> {
    use std::path::Path;
    use std::time::Instant;

    use stepscope_collector::{ClockSource, Options, span, start, stop};

    const ROUNDS: usize = 15;
    const SPANS: u64 = 200_000;

    /// CPU time of this thread in ns if the kernel reports it, else the time since `since`.
    fn cpu_time(since: Instant) -> u64 {
        let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        let ran = stat.split(' ').next().and_then(|ran| ran.parse().ok());
        ran.unwrap_or_else(|| since.elapsed().as_nanos() as u64)
    }

    /// Median, least and most of the rounds' costs per turn.
    fn measure(mut turn: impl FnMut(u64)) -> [f64; 3] {
        let since = Instant::now();
        let mut costs: Vec<f64> = (0..ROUNDS)
            .map(|_| {
                let begin = cpu_time(since);
                (0..SPANS).for_each(&mut turn);
                (cpu_time(since) - begin) as f64 / SPANS as f64
            })
            .collect();
        costs.sort_by(f64::total_cmp);
        [costs[ROUNDS / 2], costs[0], costs[ROUNDS - 1]]
    }

    let show = |what: &str, [median, least, most]: [f64; 3]| println!("{what:44} {median:6.1} ({least:.1}–{most:.1})");
    let spans = || measure(|index| drop(span!("a span", index)));
    show("off", spans());
    let clock = measure(|_| {
        std::hint::black_box(Instant::now());
    });
    show("one read of the system's clock", clock);
    for folder in std::env::args().skip(1) {
        for source in [ClockSource::Monotonic, ClockSource::Counter] {
            let file = start(&Options { clock: source, ..Options::new(Path::new(&folder)) })?;
            let cost = spans();
            stop();
            show(&format!("{folder}, {source:?}"), cost);
            if source == ClockSource::Monotonic {
                show(&format!("{folder}, less two reads"), cost.map(|cost| cost - 2.0 * clock[0]));
            }
            std::fs::remove_file(file)?;
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn main() {
    eprintln!("the recorder is for Unix");
}
