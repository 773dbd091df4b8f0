//! Whether the process records, and what all threads share.

use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use super::clock::Clock;
use super::environment::EnvironmentOptions;
use super::file::RecordingFile;
use super::names::{Names, Numbered};
use super::options::Options;
use super::path_error::with_path;
use super::segment::{Order, Owner, Segment};
use super::target::Target;
use super::writer::exclusive;
use super::{ahead, stopped, system};

/// Zero while nothing is recorded, else the recording's number or [`UNASKED`]. Every call checks this first.
static STATE: AtomicU32 = AtomicU32::new(UNASKED);

/// Nothing was recorded yet, and the environment was not checked for a recording to start.
const UNASKED: u32 = u32::MAX;

/// When the latest recording began, in ns of `CLOCK_MONOTONIC`.
static BEGAN: AtomicU64 = AtomicU64::new(0);

/// Whether allocations and releases are recorded.
static MEMORY: AtomicBool = AtomicBool::new(true);

static GLOBAL: Mutex<Option<Global>> = Mutex::new(None);

/// State under the lock, which is taken once per segment, thread or new name, not per event.
#[derive(Debug, Default)]
pub(super) struct Global {
    names: Names,
    options: Option<Options>,
    clock: Option<Clock>,
    file: Option<RecordingFile>,
    /// The number of the latest recording.
    generation: u32,
    threads: u64,
    forks_are_watched: bool,
    /// Makes segments ahead, if this process ever wanted it.
    helper: Option<std::thread::Thread>,
    /// The environment started the recording that is running: the program does not stop it.
    by_environment: bool,
    /// The folders for which the program asked for recordings during that time.
    asked_for: Vec<PathBuf>,
}

/// The number of the recording that is running; zero if there is none.
#[inline]
pub(crate) fn generation() -> u32 {
    match STATE.load(Ordering::Relaxed) {
        UNASKED => ask_environment(),
        state => state,
    }
}

/// Starts the recording that the environment asks for, once; calls from within the recorder during that time find
/// nothing recorded.
#[cold]
fn ask_environment() -> u32 {
    exclusive(|| with(Global::ask_environment)).unwrap_or_default()
}

/// Keeps the environment from being checked; a recording that it started already continues.
pub(super) fn ignore_environment() {
    let _ = STATE.compare_exchange(UNASKED, 0, Ordering::SeqCst, Ordering::Relaxed);
}

/// When the recording that is running began, in ns of `CLOCK_MONOTONIC`: earlier events are not part of it.
#[must_use]
pub fn began() -> Option<u64> {
    (generation() != 0).then(|| BEGAN.load(Ordering::Relaxed))
}

/// Whether allocations and releases are recorded.
#[inline]
pub(super) fn wants_memory() -> bool {
    MEMORY.load(Ordering::Relaxed)
}

/// Runs something under the lock. A panic elsewhere leaves it usable: nothing here is half done when it panics.
pub(super) fn with<T>(run: impl FnOnce(&mut Global) -> T) -> T {
    let mut global = GLOBAL.lock().unwrap_or_else(PoisonError::into_inner);
    run(global.get_or_insert_default())
}

impl Global {
    /// Starts to record, in a file of its own. A recording that the environment started continues instead.
    pub(super) fn start(&mut self, options: &Options) -> io::Result<PathBuf> {
        if self.ask_environment() != 0 {
            if self.by_environment {
                self.promise(options);
                return Ok(self.open()?.path().to_owned());
            }
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, "this process is being recorded already"));
        }
        self.begin(options)
    }

    /// Meets the expectations of a program whose recording is replaced by the environment's: its folder exists, for its
    /// other files, and the recording is found under the folder's name.
    fn promise(&mut self, options: &Options) {
        if options.make_output {
            // Nothing of ours is written there: the program gets the error when it writes.
            let _ = super::private::create_folders(&options.output);
        }
        if let Ok(folder) = std::path::absolute(&options.output)
            && !self.asked_for.contains(&folder)
        {
            self.asked_for.push(folder);
        }
    }

    /// This process's file in the environment's recording, if the program asked for a recording in that folder and got
    /// that one instead, as long as it runs.
    pub(super) fn in_place_of(&mut self, folder: &Path) -> Option<Option<PathBuf>> {
        let folder = std::path::absolute(folder).ok()?;
        self.asked_for.contains(&folder).then(|| {
            let file = if self.by_environment { self.open().ok() } else { None };
            file.map(|file| file.path().to_owned())
        })
    }

    /// Whether the recording that is running is the environment's.
    pub(super) fn is_environments(&self) -> bool {
        self.by_environment
    }

    /// The running recording's number, after the environment was asked for one; zero if there is none.
    fn ask_environment(&mut self) -> u32 {
        if STATE.load(Ordering::Relaxed) != UNASKED {
            return STATE.load(Ordering::Relaxed);
        }
        // Whatever goes wrong, this is done only once.
        STATE.store(0, Ordering::SeqCst);
        let wanted =
            |options: Option<EnvironmentOptions>| options.filter(|options| options.start).as_ref().map(Options::from);
        let options = EnvironmentOptions::get();
        if let Ok(Some(options)) = &options {
            options.told().iter().for_each(|line| eprintln!("stepscope: {line}"));
        }
        let begun = options.and_then(|options| match wanted(options) {
            // The recording is over already: not worth a message.
            Some(options) if stopped::is_over(&options) => Ok(false),
            Some(options) => self.begin(&options).map(|_| true),
            None => Ok(false),
        });
        match begun {
            Ok(begun) => {
                self.by_environment = begun;
                if begun {
                    system::at_exit(at_exit);
                }
            }
            // The program has no place to report it, and must continue.
            Err(error) => eprintln!("stepscope: nothing is recorded: {error}"),
        }
        STATE.load(Ordering::Relaxed)
    }

    fn begin(&mut self, options: &Options) -> io::Result<PathBuf> {
        if !self.forks_are_watched {
            system::around_fork(before_fork, after_fork_in_parent, after_fork_in_child)?;
            self.forks_are_watched = true;
        }
        // Children may make their files in another current folder.
        let output = std::path::absolute(&options.output).map_err(|error| with_path(&options.output, &error))?;
        let memory = options.targets.as_ref().is_none_or(|targets| targets.contains(&Target::Memory));
        MEMORY.store(memory, Ordering::Relaxed);
        self.options = Some(Options { output, ..options.clone() });
        self.clock = Some(Clock::start(options.clock));
        self.file = None;
        let path = self.open()?.path().to_owned();
        BEGAN.store(system::monotonic(), Ordering::Relaxed);
        self.next_generation();
        if options.ahead {
            // Without it, threads make their segments themselves.
            let deliver = |generation, offset, made| with(|global| global.deliver(generation, offset, made));
            self.helper = self.helper.take().or_else(|| ahead::start(|| with(Self::order), deliver).ok());
            self.wake_helper();
        }
        Ok(path)
    }

    /// Whether there is a recording that the program may stop.
    pub(super) fn is_stoppable(&self) -> bool {
        self.options.is_some() && !self.by_environment
    }

    /// Stops recording, unless the environment started it.
    pub(super) fn stop(&mut self) {
        if !self.by_environment {
            self.close();
        }
    }

    /// Stops recording. Spans that are open now are recorded if their threads close them.
    fn close(&mut self) {
        STATE.store(0, Ordering::SeqCst);
        self.options = None;
        self.by_environment = false;
        if let Some(mut file) = self.file.take() {
            file.close();
            drop(file);
            system::flush();
        }
    }

    fn next_generation(&mut self) {
        self.generation = (self.generation + 1) % UNASKED;
        self.generation = self.generation.max(1);
        STATE.store(self.generation, Ordering::SeqCst);
    }

    /// The file, which a forked child has to make first.
    fn open(&mut self) -> io::Result<&mut RecordingFile> {
        if self.file.is_none() {
            let options = self.options.as_ref().ok_or(io::ErrorKind::NotFound)?;
            let made = RecordingFile::create(options, self.clock.unwrap_or(Clock::Monotonic));
            if made.is_err() && stopped::is_over(options) {
                self.close();
            }
            let mut file = made?;
            for (number, text) in self.names.all() {
                file.name(number, text);
            }
            self.file = Some(file);
        }
        self.file.as_mut().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Where the recording of this process is, if there is one.
    pub(super) fn path(&self) -> Option<PathBuf> {
        self.file.as_ref().map(|file| file.path().to_owned())
    }

    /// The file, if a recording of that number is running.
    pub(super) fn file(&mut self, generation: u32) -> io::Result<&mut RecordingFile> {
        if generation == 0 || generation != self.generation || self.options.is_none() {
            return Err(io::ErrorKind::NotFound.into());
        }
        let file = self.open()?;
        file.retry_names();
        Ok(file)
    }

    /// A thread's next serial number.
    pub(super) fn next_thread(&mut self) -> u64 {
        self.threads += 1;
        self.threads
    }

    /// The number of a name, which the recording has from now on.
    pub(super) fn name(&mut self, text: &str, lasting: bool) -> Numbered {
        let numbered = self.names.number(text, lasting);
        if numbered.new
            && let Some(file) = &mut self.file
        {
            file.name(numbered.number, text);
        }
        numbered
    }

    /// A segment for a thread of a recording; an old one is sealed only once the new one is there.
    pub(super) fn roll(
        &mut self,
        generation: u32,
        owner: Owner,
        open: Option<&[[u64; 4]]>,
        old: &mut Option<Segment>,
    ) -> io::Result<usize> {
        let file = self.file(generation)?;
        if file.is_stopped() {
            self.close();
            return Err(io::ErrorKind::NotFound.into());
        }
        let (segment, committed) = file.segment(owner, open)?;
        if let Some(old) = old.replace(segment) {
            file.give_back(old, true);
        }
        self.wake_helper();
        Ok(committed)
    }

    fn wake_helper(&self) {
        if let Some(helper) = &self.helper {
            helper.unpark();
        }
    }

    /// A segment to be made ahead, and its recording's number.
    fn order(&mut self) -> Option<(u32, Order)> {
        let order = self.file.as_mut()?.order().ok()??;
        Some((self.generation, order))
    }

    /// Takes a segment that was made ahead.
    fn deliver(&mut self, generation: u32, offset: u64, made: Option<Segment>) {
        if generation == self.generation
            && let Some(file) = &mut self.file
        {
            file.deliver(offset, made);
        }
    }
}

/// Closes the environment's recording at the program's end.
extern "C" fn at_exit() {
    /// Number of 1 ms waits for a thread that has the lock: it may have been stopped for good.
    const PATIENCE: u32 = 100;
    for _ in 0..PATIENCE {
        let mut guard = match GLOBAL.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => {
                std::thread::sleep(Duration::from_millis(1));
                continue;
            }
        };
        if let Some(global) = &mut *guard {
            global.close();
        }
        return;
    }
}

thread_local! {
    /// The lock, while this thread forks: the child must not find it taken by a thread that it does not have.
    static FORKING: RefCell<Option<MutexGuard<'static, Option<Global>>>> = const { RefCell::new(None) };
}

extern "C" fn before_fork() {
    let guard = GLOBAL.lock().unwrap_or_else(PoisonError::into_inner);
    // Without its thread-local place, at a thread's very end, the lock is free again at once.
    let _ = FORKING.try_with(|place| place.replace(Some(guard)));
}

extern "C" fn after_fork_in_parent() {
    let _ = FORKING.try_with(RefCell::take);
}

extern "C" fn after_fork_in_child() {
    system::was_forked();
    let guard = FORKING.try_with(RefCell::take).ok().flatten();
    if let Some(mut guard) = guard
        && let Some(global) = &mut *guard
    {
        // The parent continues with its file; the child makes one when it has something to write.
        global.file = None;
        global.helper = None;
        if let Some(options) = &mut global.options {
            options.ahead = false;
        }
        if !matches!(STATE.load(Ordering::Relaxed), 0 | UNASKED) {
            global.next_generation();
        }
    }
}

/// Whether this process is being recorded: one relaxed load.
#[inline]
#[must_use]
pub fn is_recording() -> bool {
    generation() != 0
}
