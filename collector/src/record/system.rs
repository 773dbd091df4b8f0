//! The operating system's edge: everything unsafe of the recorder is in this file.

#![expect(unsafe_code, reason = "shared mappings, clocks and fork handlers are the system's C interface")]

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Counts the forks between the program's first process and this one.
static FORKS: AtomicU32 = AtomicU32::new(0);

/// A piece of a file in memory, shared with the file and not with forked children.
#[derive(Debug)]
pub(crate) struct Mapping {
    start: NonNull<AtomicU64>,
    len: usize,
    /// In which process it was made: a child has nothing at that address, or something else by now.
    forks: u32,
}

// SAFETY: it owns its memory, which is reached through atomics only.
unsafe impl Send for Mapping {}
// SAFETY: as above.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Maps bytes of a file that are allocated there; the offset is a multiple of 4096, the length of 8.
    ///
    /// # Errors
    ///
    /// The system's.
    pub(crate) fn new(file: &File, offset: u64, bytes: usize) -> io::Result<Self> {
        let offset = libc::off_t::try_from(offset).map_err(io::Error::other)?;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping at an address of the system's choice touches no memory that is in use.
        let start =
            unsafe { libc::mmap(std::ptr::null_mut(), bytes, access, libc::MAP_SHARED, file.as_raw_fd(), offset) };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let Some(words) = NonNull::new(start.cast()) else {
            return Err(io::Error::other("nothing was mapped"));
        };
        let mapping = Self { start: words, len: bytes / 8, forks: FORKS.load(Ordering::Relaxed) };
        // A child that wrote here would write into its parent's recording.
        #[cfg(target_os = "linux")]
        // SAFETY: the range is the mapping's; it only changes what children get.
        if unsafe { libc::madvise(start, bytes, libc::MADV_DONTFORK) } != 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(mapping)
    }

    /// Its words. Not to be called in another process than the one that made it.
    #[inline]
    pub(crate) fn words(&self) -> &[AtomicU64] {
        // SAFETY: so many words are mapped, readable, writable and page-aligned until `drop`, and only reached as
        // atomics. In a forked child, which does not have the mapping, `is_here` is false and writers are detached
        // before they get here (`Writer::attach`, `Global::forked`).
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }

    /// Whether this process made it.
    pub(crate) fn is_here(&self) -> bool {
        self.forks == FORKS.load(Ordering::Relaxed)
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        if self.is_here() {
            // SAFETY: the range is this mapping's, and nothing borrows it now.
            unsafe { libc::munmap(self.start.as_ptr().cast(), self.len * 8) };
        }
    }
}

/// Makes sure that bytes of a file can be written: on a full disk this fails, where a mapping would kill the process.
///
/// # Errors
///
/// The system's, such as that the disk is full.
pub(crate) fn allocate(file: &File, offset: u64, bytes: usize) -> io::Result<()> {
    let offset = libc::off_t::try_from(offset).map_err(io::Error::other)?;
    let bytes = libc::off_t::try_from(bytes).map_err(io::Error::other)?;
    #[cfg(not(target_os = "macos"))]
    {
        loop {
            // SAFETY: it works on the file alone.
            match unsafe { libc::posix_fallocate(file.as_raw_fd(), offset, bytes) } {
                0 => return Ok(()),
                libc::EINTR => {}
                error => return Err(io::Error::from_raw_os_error(error)),
            }
        }
    }
    #[cfg(target_os = "macos")]
    {
        // There is no posix_fallocate: zeros that are written are there.
        use std::os::unix::fs::FileExt;
        file.write_all_at(&vec![0; bytes as usize], offset as u64)
    }
}

/// Nanoseconds on one of the system's clocks.
#[inline]
fn clock(clock: libc::clockid_t) -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: it writes into `time` alone; it cannot fail for the clocks below.
    unsafe { libc::clock_gettime(clock, &raw mut time) };
    // A clock that is set to before 1970 has negative seconds, whose bits readers take as such.
    (time.tv_sec as u64).wrapping_mul(1_000_000_000).wrapping_add(time.tv_nsec as u64)
}

/// `CLOCK_MONOTONIC` in ns.
#[inline]
pub(crate) fn monotonic() -> u64 {
    clock(libc::CLOCK_MONOTONIC)
}

/// `CLOCK_REALTIME` in ns since 1970.
pub(crate) fn realtime() -> u64 {
    clock(libc::CLOCK_REALTIME)
}

/// Processor time that this thread had, in ns.
#[cfg(target_os = "linux")]
pub(crate) fn thread_cpu() -> u64 {
    clock(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// Bytes of a page of memory.
#[cfg(target_os = "linux")]
pub(crate) fn page_bytes() -> u64 {
    // SAFETY: it only returns a number.
    u64::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
}

/// Ticks a second in which `/proc` counts processor time.
#[cfg(target_os = "linux")]
pub(crate) fn ticks_a_second() -> u64 {
    // SAFETY: it only returns a number.
    u64::try_from(unsafe { libc::sysconf(libc::_SC_CLK_TCK) }).unwrap_or(100).max(1)
}

/// Nanoseconds between the scheduler's ticks, at which the time of running threads is accounted. The kernel's coarse
/// clocks have the same resolution.
#[cfg(target_os = "linux")]
pub(crate) fn scheduler_tick() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: it writes into `time` alone.
    let known = unsafe { libc::clock_getres(libc::CLOCK_MONOTONIC_COARSE, &raw mut time) } == 0;
    let known = if known { u64::try_from(time.tv_nsec).unwrap_or_default() } else { 0 };
    known.clamp(1_000_000, 10_000_000)
}

/// Files that this process may have open, raised to the most that it may ask for. Processes that it starts later get
/// as many.
#[cfg(target_os = "linux")]
pub(crate) fn open_files() -> usize {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: it writes into `limit` alone.
    if unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) } != 0 {
        return 256;
    }
    let wanted = libc::rlimit { rlim_cur: limit.rlim_max.min(1 << 16), ..limit };
    // SAFETY: it reads `wanted` alone.
    let raised =
        wanted.rlim_cur > limit.rlim_cur && unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const wanted) } == 0;
    usize::try_from(if raised { wanted.rlim_cur } else { limit.rlim_cur }).unwrap_or(1 << 16)
}

/// The processor's counter; zero where none is known.
#[inline]
pub(crate) fn counter() -> u64 {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every processor of this architecture has the instruction.
    unsafe {
        std::arch::x86_64::_rdtsc()
    }
    #[cfg(target_arch = "aarch64")]
    {
        let ticks: u64;
        // SAFETY: reads a register that user space may read; changes nothing.
        unsafe { std::arch::asm!("mrs {}, cntvct_el0", out(reg) ticks, options(nomem, nostack, preserves_flags)) };
        ticks
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    0
}

/// The system's id of this thread.
pub(crate) fn thread_id() -> u64 {
    #[cfg(target_os = "linux")]
    // SAFETY: it only returns a number. As a system call: glibc has a function for it since 2.30 only.
    return unsafe { libc::syscall(libc::SYS_gettid) }.cast_unsigned();
    #[cfg(not(target_os = "linux"))]
    {
        // SAFETY: it only returns a handle.
        unsafe { libc::pthread_self() as u64 }
    }
}

/// The name that the system knows this thread by; empty where there is none.
pub(crate) fn thread_name() -> String {
    #[cfg(target_os = "linux")]
    {
        let mut name = [0_u8; 16];
        // SAFETY: it writes at most 16 bytes, with a zero at their end.
        unsafe { libc::prctl(libc::PR_GET_NAME, name.as_mut_ptr()) };
        let len = name.iter().position(|byte| *byte == 0).unwrap_or(name.len());
        String::from_utf8_lossy(&name[..len]).into_owned()
    }
    #[cfg(not(target_os = "linux"))]
    String::new()
}

/// The parent's process id.
pub(crate) fn parent_id() -> u32 {
    std::os::unix::process::parent_id()
}

/// Registers functions around each `fork`: before it, after it in the parent, after it in the child.
///
/// # Errors
///
/// The system's.
pub(crate) fn around_fork(
    before: extern "C" fn(),
    in_parent: extern "C" fn(),
    in_child: extern "C" fn(),
) -> io::Result<()> {
    // SAFETY: the functions live as long as the program, take no arguments and do not unwind (`extern "C"` aborts).
    match unsafe { libc::pthread_atfork(Some(before), Some(in_parent), Some(in_child)) } {
        0 => Ok(()),
        error => Err(io::Error::from_raw_os_error(error)),
    }
}

/// Runs something with this thread's signals blocked: a thread that it starts gets none of the program's.
pub(crate) fn without_signals<T>(run: impl FnOnce() -> T) -> T {
    let mut before = std::mem::MaybeUninit::uninit();
    let mut all = std::mem::MaybeUninit::uninit();
    // SAFETY: the first call fills `all`, the second one reads it and fills `before`.
    let blocked = unsafe {
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr()) == 0
    };
    let done = run();
    if blocked {
        // SAFETY: `before` was filled above.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), std::ptr::null_mut()) };
    }
    done
}

/// Nothing to do: stored bytes are in the file at once.
pub(crate) fn flush() {}

/// Registers a function for the program's regular end; it is not called after a kill.
pub(crate) fn at_exit(run: extern "C" fn()) {
    // SAFETY: the function takes no arguments and lives as long as this library, at whose unloading it is called. If
    // the registration fails, the recording is still whole, but not marked as closed.
    let _ = unsafe { libc::atexit(run) };
}

/// Marks, in a forked child, all mappings made so far as missing here.
pub(crate) fn was_forked() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}
