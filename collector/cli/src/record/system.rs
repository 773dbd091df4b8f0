//! The operating system's edge: signals, children, rights.

#![expect(unsafe_code, reason = "signals, children and rights are the system's C interface")]

use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Signals that ask a program to end.
const ENDS: [i32; 4] = [libc::SIGINT, libc::SIGQUIT, libc::SIGTERM, libc::SIGHUP];

/// Signals that this program takes one by one instead of their usual effect. Signals that were ignored at its start, as
/// under `nohup`, stay ignored, here and in the command.
const TAKEN: [i32; 7] = [ENDS[0], ENDS[1], ENDS[2], ENDS[3], libc::SIGUSR1, libc::SIGUSR2, libc::SIGCHLD];

/// A signal that came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Signal {
    pub(super) number: i32,
    /// Whether the kernel sent it, as for a key of the terminal: the command gets it, too.
    pub(super) by_kernel: bool,
}

impl Signal {
    /// Whether it asks a program to end.
    pub(super) fn ends(self) -> bool {
        ENDS.contains(&self.number)
    }
}

/// Whether a signal is ignored.
fn is_ignored(signal: i32) -> bool {
    // SAFETY: an action is plain memory, into which the current one is written; nothing is changed.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut action) == 0 && action.sa_sigaction == libc::SIG_IGN
    }
}

/// A set of signals, without those that are ignored.
fn set_of(signals: &[i32]) -> libc::sigset_t {
    // SAFETY: a set is plain memory, which `sigemptyset` makes valid; both write into it alone.
    unsafe {
        let mut set = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        for signal in signals.iter().filter(|signal| !is_ignored(**signal)) {
            libc::sigaddset(&raw mut set, *signal);
        }
        set
    }
}

/// Takes signals from now on, also for threads that this one starts. Processes that it starts are not affected.
pub(super) fn take_signals() {
    // SAFETY: it changes a disposition to the default, so that children are waited for even if this program was started
    // with them ignored.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
    let set = set_of(&TAKEN);
    // SAFETY: it changes which signals this thread blocks.
    unsafe {
        libc::pthread_sigmask(libc::SIG_BLOCK, &raw const set, std::ptr::null_mut());
    }
}

/// Lets a command get signals as usual: a process inherits its parent's blocked signals.
pub(super) fn with_signals(command: &mut Command) {
    // SAFETY: between `fork` and `exec` it only changes which signals are blocked, as is allowed there.
    unsafe {
        command.pre_exec(|| {
            leave(&TAKEN);
            Ok(())
        });
    }
}

/// Restores the usual effect of the signals that ask a program to end.
pub(super) fn leave_ends() {
    leave(&ENDS);
}

/// Restores the usual effect of signals; pending ones take effect now.
fn leave(signals: &[i32]) {
    let set = set_of(signals);
    // SAFETY: it changes which signals this thread blocks.
    unsafe {
        libc::pthread_sigmask(libc::SIG_UNBLOCK, &raw const set, std::ptr::null_mut());
    }
}

/// The next signal, unless none comes in time.
pub(super) fn next_signal(wait: Duration) -> Option<Signal> {
    let set = set_of(&TAKEN);
    let time = libc::timespec {
        tv_sec: libc::time_t::try_from(wait.as_secs()).unwrap_or(libc::time_t::MAX),
        tv_nsec: wait.subsec_nanos().into(),
    };
    // SAFETY: `info` is plain memory that it fills; it reads the others.
    let (number, code) = unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        let number = libc::sigtimedwait(&raw const set, &raw mut info, &raw const time);
        (number, info.si_code)
    };
    (number > 0).then_some(Signal { number, by_kernel: code == libc::SI_KERNEL })
}

/// Sends a signal to a process; it may be gone.
pub(super) fn send(process: u32, signal: i32) {
    if let Ok(process) = libc::pid_t::try_from(process) {
        // SAFETY: it affects other processes alone. The id is not a group: it is positive.
        unsafe { libc::kill(process.max(1), signal) };
    }
}

/// Checks that this user may make files in a folder; it does not check for a full disk.
///
/// # Errors
///
/// The system's: no permission, a read-only file system.
pub(super) fn may_write(folder: &Path) -> io::Result<()> {
    let folder = CString::new(folder.as_os_str().as_bytes())?;
    // SAFETY: it reads a text that ends with a zero.
    match unsafe { libc::access(folder.as_ptr(), libc::W_OK | libc::X_OK) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Makes processes below this one its children when their parents end, so that they are found.
pub(super) fn adopt() {
    // SAFETY: it changes an attribute of this process.
    unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1_usize, 0_usize, 0_usize, 0_usize) };
}

/// State of the children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Children {
    /// One ended: its id and status.
    Ended(u32, i32),
    /// All of them are running.
    Run,
    /// There are none.
    None,
}

/// A child that has ended, which is then forgotten.
pub(super) fn ended_child() -> Children {
    let mut status = 0;
    loop {
        // SAFETY: it writes into `status` alone.
        match unsafe { libc::waitpid(-1, &raw mut status, libc::WNOHANG) } {
            0 => return Children::Run,
            -1 if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => {}
            -1 => return Children::None,
            child => return Children::Ended(child.cast_unsigned(), status),
        }
    }
}
