//! The command: starting it, passing on signals, waiting for it.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use stepscope::present::text::bytes;
use stepscope_collector::sample::descendants;

use super::environment::Environment;
use super::messages::say;
use super::options::Wait;
use super::system::{self, Children, Signal};

/// Period of checks.
const LOOK: Duration = Duration::from_millis(500);

/// Period of reminders at a terminal that recording continues.
const TELL: Duration = Duration::from_secs(30);

/// Signals within this time are one: a group and its process may both get it.
const ONE: Duration = Duration::from_millis(300);

/// A command that runs.
pub(super) struct Running {
    id: u32,
    begun: Instant,
    /// Whether it has ended: its id may belong to another process.
    ended: bool,
    /// Signals that asked it to end, and when the last one did.
    asked: (u32, Option<Instant>),
    quiet: bool,
}

/// End of a command.
pub(super) struct Ended {
    pub(super) status: ExitStatus,
    /// Whether processes that it started are still running.
    pub(super) left: bool,
    pub(super) took: Duration,
}

impl Running {
    /// Starts a command.
    pub(super) fn start(command: &[OsString], environment: &Environment, quiet: bool) -> io::Result<Self> {
        let (program, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        system::adopt();
        let mut command = Command::new(program);
        command.args(arguments).envs(environment.variables.iter().map(|(name, value)| (*name, value)));
        system::with_signals(&mut command);
        let begun = Instant::now();
        // Waited for by its id, along with all other children.
        let id = command.spawn()?.id();
        Ok(Self { id, begun, ended: false, asked: (0, None), quiet })
    }

    /// Waits for its end, and for that of all below it if that is wanted.
    pub(super) fn wait(&mut self, wait: Wait, folder: &Path) -> Ended {
        let mut status = None;
        let mut told = Instant::now();
        let mut signal = None;
        loop {
            let children = loop {
                match system::ended_child() {
                    Children::Ended(id, how) if id == self.id => status = Some(ExitStatus::from_raw(how)),
                    Children::Ended(..) => {}
                    children => break children,
                }
            };
            self.ended = status.is_some();
            match status {
                Some(status) if wait == Wait::Command || children == Children::None => {
                    return Ended { status, left: children == Children::Run, took: self.begun.elapsed() };
                }
                // Another waiter got its status: there is nothing to wait for.
                None if children == Children::None => {
                    return Ended { status: ExitStatus::from_raw(0), left: false, took: self.begun.elapsed() };
                }
                _ => {}
            }
            // Taken once it is known whether the command is still there.
            if let Some(signal) = signal {
                self.take(signal);
            }
            signal = system::next_signal(LOOK);
            if told.elapsed() >= TELL {
                told = Instant::now();
                self.tell(folder);
            }
        }
    }

    /// Prints a line now and then, at a terminal only: scripts do not need it.
    fn tell(&self, folder: &Path) {
        if self.quiet || !io::stderr().is_terminal() {
            return;
        }
        let files = std::fs::read_dir(folder).map_or_else(|_| Vec::new(), |files| files.flatten().collect());
        let size: u64 = files.iter().filter_map(|file| Some(file.metadata().ok()?.len())).sum();
        let seconds = self.begun.elapsed().as_secs();
        say(format_args!("recording for {seconds} s, {} recordings, {}", files.len(), bytes(size)));
    }

    fn take(&mut self, signal: Signal) {
        match signal.number {
            libc::SIGCHLD => {}
            libc::SIGUSR1 | libc::SIGUSR2 => self.to_command(signal.number),
            number => {
                let (count, last) = self.asked;
                if last.is_some_and(|last| last.elapsed() < ONE) {
                    return;
                }
                self.asked = (count + 1, Some(Instant::now()));
                match count {
                    0 => {
                        // A key of the terminal reached the command as well.
                        if !signal.by_kernel {
                            self.to_command(number);
                        }
                        self.say("waiting for the command to end; once more terminates it");
                    }
                    1 => {
                        self.to_all(libc::SIGTERM);
                        self.say("terminating the command; once more kills it");
                    }
                    _ => {
                        self.to_all(libc::SIGKILL);
                        self.say("killed the command");
                    }
                }
            }
        }
    }

    /// Sends a signal to the command, or to all that it left.
    fn to_command(&self, signal: i32) {
        if self.ended { self.to_all(signal) } else { system::send(self.id, signal) }
    }

    fn to_all(&self, signal: i32) {
        for process in descendants(Path::new("/proc"), std::process::id()).into_keys() {
            system::send(process, signal);
        }
    }

    fn say(&self, what: &str) {
        if !self.quiet {
            say(format_args!("{what}"));
        }
    }
}

/// Blocks the signals from now on until this program has ended, except a second one that would end it.
pub(super) fn hold_signals(folder: &Path, quiet: bool) {
    let folder = folder.display().to_string();
    let answer = move || {
        while !system::next_signal(LOOK).is_some_and(Signal::ends) {}
        let first = Instant::now();
        while let Some(rest) = ONE.checked_sub(first.elapsed()) {
            system::next_signal(rest);
        }
        system::leave_ends();
        if !quiet {
            say(format_args!("the files are being made; once more leaves only the raw recordings, in {folder}"));
        }
        // The signals that it leaves are left as long as it is there.
        loop {
            std::thread::park();
        }
    };
    // Without the thread they stay blocked, too.
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(answer);
}
