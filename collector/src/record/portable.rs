//! The system's edge where it is not Unix: spans and counters, which are in the file once a segment is full, a thread
//! ends or recording stops. A process that is killed loses the rest.

use std::fs::File;
use std::hash::{Hash, Hasher};
use std::io::{self, Seek, SeekFrom, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::{Instant, SystemTime};

/// All that is to be written when recording stops.
static PIECES: Mutex<Vec<Weak<Piece>>> = Mutex::new(Vec::new());

/// A piece of a file in memory.
#[derive(Debug)]
struct Piece {
    words: Box<[AtomicU64]>,
    file: File,
    offset: u64,
}

impl Piece {
    /// Copies it into the file. After an error the content is missing, as after a kill.
    fn write(&self) -> io::Result<()> {
        let bytes: Vec<u8> = self.words.iter().flat_map(|word| word.load(Ordering::Acquire).to_le_bytes()).collect();
        let mut file = &self.file;
        file.seek(SeekFrom::Start(self.offset))?;
        file.write_all(&bytes)
    }
}

/// A piece of a file in memory, which is written when it is dropped.
#[derive(Debug)]
pub(crate) struct Mapping(Arc<Piece>);

impl Mapping {
    /// Holds bytes of a file in memory.
    ///
    /// # Errors
    ///
    /// The system's.
    pub(crate) fn new(file: &File, offset: u64, bytes: usize) -> io::Result<Self> {
        let words = std::iter::repeat_with(AtomicU64::default).take(bytes / 8).collect();
        let piece = Arc::new(Piece { words, file: file.try_clone()?, offset });
        let mut pieces = PIECES.lock().unwrap_or_else(PoisonError::into_inner);
        pieces.retain(|piece| piece.strong_count() > 0);
        pieces.push(Arc::downgrade(&piece));
        Ok(Self(piece))
    }

    /// Its words.
    #[inline]
    pub(crate) fn words(&self) -> &[AtomicU64] {
        &self.0.words
    }

    /// Whether this process made it: there is no `fork`.
    #[expect(clippy::unused_self, reason = "on Unix it depends on the mapping")]
    pub(crate) fn is_here(&self) -> bool {
        true
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // Copies share a file's position: one at a time.
        let _pieces = PIECES.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = self.0.write();
    }
}

/// Writes all that is in memory.
pub(crate) fn flush() {
    let pieces = PIECES.lock().unwrap_or_else(PoisonError::into_inner);
    for piece in pieces.iter().filter_map(Weak::upgrade) {
        let _ = piece.write();
    }
}

/// Makes room in a file.
///
/// # Errors
///
/// The system's, such as that the disk is full.
pub(crate) fn allocate(file: &File, offset: u64, bytes: usize) -> io::Result<()> {
    file.set_len(offset + bytes as u64)
}

/// Nanoseconds on a clock that is never set.
#[inline]
pub(crate) fn monotonic() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    // Never zero, which means no time.
    1 + START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

/// Nanoseconds since 1970.
pub(crate) fn realtime() -> u64 {
    SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_nanos() as u64)
}

/// The processor's counter: not used here.
#[inline]
pub(crate) fn counter() -> u64 {
    0
}

/// A number that identifies this thread.
pub(crate) fn thread_id() -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    std::thread::current().id().hash(&mut hasher);
    hasher.finish() >> 33
}

/// The name that the system knows this thread by: not asked.
pub(crate) fn thread_name() -> String {
    String::new()
}

/// The parent's process id: not known.
pub(crate) fn parent_id() -> u32 {
    0
}

/// There is no `fork`.
///
/// # Errors
///
/// None.
pub(crate) fn around_fork(
    _before: extern "C" fn(),
    _in_parent: extern "C" fn(),
    _in_child: extern "C" fn(),
) -> io::Result<()> {
    Ok(())
}

/// There are no signals.
pub(crate) fn without_signals<T>(run: impl FnOnce() -> T) -> T {
    run()
}

/// Nothing is called when the program ends.
pub(crate) fn at_exit(_run: extern "C" fn()) {}

/// There are no forked processes.
pub(crate) fn was_forked() {}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_in_the_file_once_they_are_flushed_or_dropped() -> io::Result<()> {
        let path = std::env::temp_dir().join(format!("stepscope-portable-{}", std::process::id()));
        let file = File::options().read(true).write(true).create(true).truncate(true).open(&path)?;
        allocate(&file, 0, 64)?;
        let [first, second] = [Mapping::new(&file, 0, 32)?, Mapping::new(&file, 32, 32)?];
        first.words()[0].store(u64::from_le_bytes(*b"one flus"), Ordering::Relaxed);
        second.words()[3].store(u64::from_le_bytes(*b"two drop"), Ordering::Relaxed);
        assert_eq!(std::fs::read(&path)?, [0; 64]);
        flush();
        assert!(std::fs::read(&path)?.starts_with(b"one flus"));
        second.words()[0].store(1, Ordering::Relaxed);
        drop(second);
        let bytes = std::fs::read(&path)?;
        assert!(bytes.ends_with(b"two drop") && bytes[32] == 1);
        std::fs::remove_file(path)?;
        let (begin, unix) = (monotonic(), realtime());
        assert!(begin > 0 && monotonic() >= begin && unix > 1_600_000_000_000_000_000);
        let other = std::thread::scope(|scope| scope.spawn(thread_id).join());
        assert!(other.is_ok_and(|other| other != thread_id()));
        was_forked();
        at_exit(nothing);
        around_fork(nothing, nothing, nothing)?;
        assert_eq!(without_signals(|| 7), 7);
        assert_eq!((counter(), thread_name().as_str(), parent_id(), first.is_here()), (0, "", 0, true));
        Ok(())
    }

    extern "C" fn nothing() {}
}
