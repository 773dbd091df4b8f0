//! The thread that samples.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

#[cfg(feature = "gpu")]
use super::gpu::Gpus;
use super::machine::Machine;
use super::out::Out;
use super::process::{Process, Room};
use super::tree::descendants;
use crate::record::{self, CommandLine, now, process_ended, process_rank, process_seen, thread_cpu};

/// Options of sampling.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleOptions {
    /// Times a second.
    pub hertz: f64,
    /// The process whose descendants are sampled, without itself.
    pub root: u32,
    /// The folder of processes: `/proc`.
    pub proc: PathBuf,
    /// The kept part of their command lines.
    pub command_line: CommandLine,
}

impl SampleOptions {
    /// Options for this process's descendants.
    #[must_use]
    pub fn new(hertz: f64) -> Self {
        Self { hertz, root: std::process::id(), proc: PathBuf::from("/proc"), command_line: CommandLine::Masked }
    }
}

/// Statistics of sampling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sampled {
    /// Number of times that samples were taken.
    pub passes: u64,
    /// Ns of processor time that it took.
    pub cpu: u64,
    /// Processes that were seen.
    pub processes: u64,
    /// GPUs that were sampled.
    pub gpus: u64,
}

/// Sampling that runs until it is stopped.
#[derive(Debug)]
pub struct Sampling {
    thread: JoinHandle<Sampled>,
    stop: Sender<()>,
}

/// Largest share of time, as 1 / `SHARE`, for the expensive parts of a pass.
const SHARE: u32 = 20;

impl Sampling {
    /// Starts a thread that samples into this process's recording.
    ///
    /// # Errors
    ///
    /// If there can be no thread, or the rate is none between 0.01 and 1000 a second.
    pub fn start(options: SampleOptions) -> io::Result<Self> {
        if !(0.01..=1000.0).contains(&options.hertz) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "samples a second: 0.01 to 1000"));
        }
        let every = Duration::from_secs_f64(1.0 / options.hertz);
        let (stop, stopped) = mpsc::channel::<()>();
        let run = move || {
            let begun = thread_cpu();
            let mut sampler = Sampler::new(options);
            let mut next = Instant::now();
            loop {
                sampler.pass();
                next += every;
                // Late samples are left out, not made up for.
                next = next.max(Instant::now());
                match stopped.recv_timeout(next.saturating_duration_since(Instant::now())) {
                    Err(RecvTimeoutError::Timeout) => {}
                    Ok(()) | Err(RecvTimeoutError::Disconnected) => break,
                }
            }
            sampler.pass();
            Sampled { cpu: thread_cpu() - begun, ..sampler.sampled }
        };
        let thread = std::thread::Builder::new().name("sampler".to_owned()).spawn(run)?;
        Ok(Self { thread, stop })
    }

    /// Takes a last sample and stops.
    #[must_use]
    pub fn stop(self) -> Sampled {
        let _ = self.stop.send(());
        self.thread.join().unwrap_or_default()
    }
}

/// A repeated action: the more processor time it takes, the less often it runs. Time waiting for a processor does not
/// count: a busy machine has as much to sample.
struct Due(Instant);

impl Due {
    fn run<T>(&mut self, what: impl FnOnce() -> T) -> Option<T> {
        let begun = Instant::now();
        if begun < self.0 {
            return None;
        }
        let cpu = thread_cpu();
        let done = what();
        self.0 = begun + Duration::from_nanos(thread_cpu() - cpu) * SHARE;
        Some(done)
    }
}

struct Sampler {
    options: SampleOptions,
    machine: Machine,
    #[cfg(feature = "gpu")]
    gpus: Gpus,
    #[cfg(feature = "gpu")]
    gpus_due: Due,
    processes: BTreeMap<u32, Process>,
    tree_due: Due,
    room: Room,
    buffer: Vec<u8>,
    /// When the last sample was taken, and when processes were last listed.
    before: Option<u64>,
    looked: Option<u64>,
    sampled: Sampled,
}

impl Sampler {
    fn new(options: SampleOptions) -> Self {
        #[cfg(feature = "gpu")]
        let gpus = Gpus::open();
        let soon = || Due(Instant::now());
        Self {
            machine: Machine::new(&options.proc),
            #[cfg(feature = "gpu")]
            sampled: Sampled { gpus: gpus.len().into(), ..Sampled::default() },
            #[cfg(not(feature = "gpu"))]
            sampled: Sampled::default(),
            #[cfg(feature = "gpu")]
            gpus,
            #[cfg(feature = "gpu")]
            gpus_due: soon(),
            processes: BTreeMap::new(),
            tree_due: soon(),
            room: Room(record::open_files() / 2),
            buffer: Vec::new(),
            before: None,
            looked: None,
            options,
        }
    }

    fn pass(&mut self) {
        let now = now();
        self.find_processes(now);
        let out = &mut Out;
        self.machine.sample(self.before, now, &mut self.buffer, out);
        let (buffer, room) = (&mut self.buffer, &mut self.room);
        self.processes.retain(|id, process| {
            let there = process.sample(now, (buffer, room), out).is_ok();
            if !there {
                process.end(now, room, out);
                process_ended(*id, now);
            }
            there
        });
        #[cfg(feature = "gpu")]
        self.gpus_due.run(|| self.gpus.sample(now, out));
        self.before = Some(now);
        self.sampled.passes += 1;
    }

    fn find_processes(&mut self, now: u64) {
        let proc: &Path = &self.options.proc;
        let Some(found) = self.tree_due.run(|| descendants(proc, self.options.root)) else { return };
        // A process that was missing then has started since.
        let since = self.looked.replace(now);
        for (id, parent) in found {
            let process = match self.processes.entry(id) {
                std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
                std::collections::btree_map::Entry::Vacant(place) => match Process::open(proc, id, since) {
                    Ok(process) => {
                        self.sampled.processes += 1;
                        place.insert(process)
                    }
                    Err(_) => continue,
                },
            };
            if let Some(command) = process.new_command(self.options.command_line) {
                process_seen(id, parent, command, now);
                if let Some(rank) = process.rank() {
                    process_rank(id, rank, now);
                }
            }
        }
    }
}
