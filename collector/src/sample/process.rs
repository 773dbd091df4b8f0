//! One process and its threads.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::files::{mebibytes, number, numbers, percent, rate, read};
use super::out::Out;

use super::window::{Window, Windows, within};
use crate::record::{CommandLine, command_line, rank_of};

/// Threads of a process that have curves of their own, the first ones that run.
const MOST_CURVES: usize = 32;

/// Percentage of a window on a processor or waiting for one from which a thread has a curve.
const BUSY: f64 = 5.0;

/// A process that is sampled.
pub(super) struct Process {
    id: u32,
    folder: PathBuf,
    memory: File,
    storage: Option<File>,
    threads: HashMap<u32, Thread>,
    windows: Windows,
    /// Bytes read and written so far.
    moved: (u64, u64),
    /// Ticks of the processor so far, for threads without readable times.
    ticks: u64,
    /// Ns of them that were accounted too late.
    late: u64,
    curves: usize,
    command: String,
}

struct Thread {
    times: Option<File>,
    before: Times,
    /// Times that were accounted too late.
    late: Times,
    /// The name of its curve, once it has one.
    curve: Option<String>,
    seen: bool,
}

/// Times of a thread so far.
#[derive(Clone, Copy, Default)]
struct Times {
    /// Ns on a processor.
    run: u64,
    /// Ns ready to run without one.
    wait: u64,
    /// Number of times that it got one.
    turns: u64,
}

impl Process {
    /// Begins to sample a process that did not exist yet at `since`; an error if it is gone.
    pub(super) fn open(proc: &Path, id: u32, since: Option<u64>) -> io::Result<Self> {
        let folder = proc.join(id.to_string());
        Ok(Self {
            id,
            memory: File::open(folder.join("statm"))?,
            // Readable for the same user's processes, except of programs that changed their user.
            storage: File::open(folder.join("io")).ok(),
            folder,
            threads: HashMap::new(),
            windows: Windows::new(since),
            moved: (0, 0),
            ticks: 0,
            late: 0,
            curves: 0,
            command: String::new(),
        })
    }

    /// Its command, without secrets, if it has changed, as after an `exec`. The program's name, if command lines are
    /// not kept.
    pub(super) fn new_command(&mut self, kept: CommandLine) -> Option<&str> {
        let mut text = std::fs::read(self.folder.join("cmdline")).ok()?;
        // In the midst of an `exec`; later on, of a process that ends.
        let is_new = text.is_empty() && self.command.is_empty();
        if is_new || (kept == CommandLine::None && !text.is_empty()) {
            text = std::fs::read(self.folder.join("comm")).ok()?;
        }
        let words = text.split(|byte| matches!(byte, 0 | b'\n')).filter(|word| !word.is_empty());
        let command = command_line(words.map(<[u8]>::to_vec));
        if command.is_empty() || command == self.command {
            return None;
        }
        self.command = command;
        Some(&self.command)
    }

    /// Its rank, if its environment can be read and has one.
    pub(super) fn rank(&self) -> Option<u64> {
        let text = std::fs::read(self.folder.join("environ")).ok()?;
        let variable = |name: &str| {
            let mut all = text.split(|byte| *byte == 0);
            let value = all.find_map(|one| one.strip_prefix(name.as_bytes())?.strip_prefix(b"="))?;
            std::str::from_utf8(value).ok().filter(|value| value.parse::<u64>().is_ok()).map(str::to_owned)
        };
        rank_of(variable)?.0.parse().ok()
    }

    /// Samples it; an error once it is gone.
    pub(super) fn sample(
        &mut self,
        now: u64,
        (buffer, room): (&mut Vec<u8>, &mut Room),
        out: &mut Out,
    ) -> io::Result<()> {
        let pages = numbers(read(&self.memory, buffer)?).nth(1).unwrap_or_default();
        if pages == 0 && self.is_over() {
            return Err(io::ErrorKind::NotFound.into());
        }
        out.put(self.id, "RSS (MiB)", now, mebibytes(pages * page_bytes()));
        let before = match self.windows.next(now) {
            Window::First => None,
            Window::Short => return Ok(()),
            Window::Since(at) => Some(at),
        };
        if let Some(text) = self.storage.as_ref().and_then(|file| read(file, buffer).ok()) {
            let bytes = |word| number(text, word).unwrap_or_default();
            let moved = (bytes("read_bytes:"), bytes("write_bytes:"));
            if let Some(at) = before {
                let each = [
                    ("storage read (MiB/s)", moved.0, self.moved.0),
                    ("storage written (MiB/s)", moved.1, self.moved.1),
                ];
                for (name, bytes, last) in each {
                    out.put(self.id, name, at, rate(bytes, last, now - at) / f64::from(1 << 20));
                }
            }
            self.moved = moved;
        }
        self.sample_threads(before, now, (buffer, room), out)
    }

    /// Whether it has ended and is only waiting for its parent to reap it.
    fn is_over(&self) -> bool {
        let stat = std::fs::read_to_string(self.folder.join("stat")).unwrap_or_default();
        stat.rsplit_once(')').is_none_or(|(_, rest)| matches!(rest.trim_start().chars().next(), Some('Z' | 'X')))
    }

    #[expect(clippy::cast_precision_loss, reason = "a number of threads")]
    fn sample_threads(
        &mut self,
        before: Option<u64>,
        now: u64,
        (buffer, room): (&mut Vec<u8>, &mut Room),
        out: &mut Out,
    ) -> io::Result<()> {
        let several = self.threads.len() > 1;
        self.threads.values_mut().for_each(|thread| thread.seen = false);
        let mut all = Times::default();
        let mut told = true;
        for entry in std::fs::read_dir(self.folder.join("task"))?.flatten() {
            let Some(id) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
            let path = || entry.path().join("schedstat");
            let thread = self.threads.entry(id).or_insert_with(|| {
                let times = if room.take() { File::open(path()).ok() } else { None };
                Thread { times, before: Times::default(), late: Times::default(), curve: None, seen: true }
            });
            thread.seen = true;
            let opened = if thread.times.is_none() { File::open(path()).ok() } else { None };
            let Some(text) = thread.times.as_ref().or(opened.as_ref()).and_then(|file| read(file, buffer).ok()) else {
                told &= id != self.id;
                continue;
            };
            let mut values = numbers(text);
            let mut value = || values.next().unwrap_or_default();
            let times = Times { run: value(), wait: value(), turns: value() };
            let last = std::mem::replace(&mut thread.before, times);
            all.turns += times.turns.saturating_sub(last.turns);
            let Some(at) = before else { continue };
            let run = within(&mut thread.late.run, times.run.saturating_sub(last.run), now - at);
            let wait = within(&mut thread.late.wait, times.wait.saturating_sub(last.wait), now - at);
            all.run += run;
            all.wait += wait;
            let (run, wait) = (percent(run, now - at), percent(wait, now - at));
            // The only thread is the process.
            if several && thread.curve.is_none() && run.max(wait) >= BUSY && self.curves < MOST_CURVES {
                self.curves += 1;
                let name = std::fs::read_to_string(entry.path().join("comm")).unwrap_or_default();
                thread.curve = Some(format!("thread {} ({id})", name.trim()));
            }
            if let Some(curve) = &thread.curve {
                out.put(self.id, &format!("CPU time (% of a core): running, {curve}"), at, run);
                out.put(self.id, &format!("CPU time (% of a core): waiting, {curve}"), at, wait);
            }
        }
        let id = self.id;
        self.threads.retain(|_, thread| {
            if !thread.seen {
                room.give_back(thread.times.is_some());
                if let (Some(curve), Some(at)) = (&thread.curve, before) {
                    out.put(id, &format!("CPU time (% of a core): running, {curve}"), at, 0.0);
                    out.put(id, &format!("CPU time (% of a core): waiting, {curve}"), at, 0.0);
                }
            }
            thread.seen
        });
        let ticks = if told { None } else { self.ticks() };
        if let Some(at) = before {
            if let Some(ticks) = ticks {
                let run = ticks.saturating_sub(self.ticks) * 1_000_000_000 / ticks_a_second();
                all.run = within(&mut self.late, run, (now - at).saturating_mul(self.threads.len() as u64));
            }
            out.put(self.id, "CPU time (% of a core): running", at, percent(all.run, now - at));
            if told {
                out.put(self.id, "CPU time (% of a core): waiting", at, percent(all.wait, now - at));
                out.put(self.id, "context switches (1/s)", at, rate(all.turns, 0, now - at));
            }
        }
        self.ticks = ticks.unwrap_or_default();
        out.put(self.id, "threads", now, self.threads.len() as f64);
        Ok(())
    }

    /// Ticks that all its threads had a processor.
    fn ticks(&self) -> Option<u64> {
        let stat = std::fs::read_to_string(self.folder.join("stat")).ok()?;
        let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace().skip(11).map(str::parse::<u64>);
        Some(fields.next()?.ok()? + fields.next()?.ok()?)
    }

    /// Records its end: its curves go down to zero.
    pub(super) fn end(&mut self, at: u64, room: &mut Room, out: &mut Out) {
        for thread in self.threads.values() {
            room.give_back(thread.times.is_some());
            if let Some(curve) = &thread.curve {
                out.put(self.id, &format!("CPU time (% of a core): running, {curve}"), at, 0.0);
                out.put(self.id, &format!("CPU time (% of a core): waiting, {curve}"), at, 0.0);
            }
        }
        const OWN: [&str; 7] = [
            "RSS (MiB)",
            "storage read (MiB/s)",
            "storage written (MiB/s)",
            "CPU time (% of a core): running",
            "CPU time (% of a core): waiting",
            "context switches (1/s)",
            "threads",
        ];
        OWN.iter().for_each(|name| out.put(self.id, name, at, 0.0));
    }
}

fn page_bytes() -> u64 {
    crate::record::page_bytes()
}

fn ticks_a_second() -> u64 {
    crate::record::ticks_a_second()
}

/// Number of files that may still be opened.
pub(super) struct Room(pub(super) usize);

impl Room {
    pub(super) fn take(&mut self) -> bool {
        let free = self.0 > 0;
        self.0 -= usize::from(free);
        free
    }

    pub(super) fn give_back(&mut self, taken: bool) {
        self.0 += usize::from(taken);
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn a_process_that_ended_keeps_its_command() {
        let mut child = Command::new("sleep").arg("600").spawn().expect("a process");
        let mut process = Process::open(Path::new("/proc"), child.id(), None).expect("a process");
        let end = Instant::now() + Duration::from_secs(60);
        let pause = || {
            assert!(Instant::now() < end, "it never came");
            std::thread::sleep(Duration::from_millis(1));
        };
        while process.new_command(CommandLine::Masked) != Some("sleep 600") {
            pause();
        }
        child.kill().expect("killed");
        while !process.is_over() {
            pause();
        }
        // It has not been reaped: its folder is still there, with an empty command line.
        assert_eq!(process.new_command(CommandLine::Masked), None);
        child.wait().expect("over");
    }
}
