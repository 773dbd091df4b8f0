//! Threads as the system knows them.

/// This thread's id; nothing where the system has none.
pub(crate) fn system_thread_id() -> Option<u32> {
    #[cfg(target_os = "linux")]
    {
        // As a system call: glibc has a function for it since 2.30 only.
        #[expect(unsafe_code, reason = "a system call")]
        // SAFETY: it only returns a number.
        let id = unsafe { libc::syscall(libc::SYS_gettid) };
        u32::try_from(id).ok()
    }
    #[cfg(not(target_os = "linux"))]
    None
}
