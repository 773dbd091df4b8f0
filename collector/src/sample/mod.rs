//! Samples of the machine, a tree of processes and the GPUs, taken from outside the processes: from `/proc`, and from
//! NVIDIA's management library if it is installed. Linux only; elsewhere nothing can be sampled.
//!
//! The values are counters in this process's own recording ([`start`](crate::start) begins it), each assigned to its
//! process. A rate stands at the beginning of its window, so that the counter has that value throughout it. Rates of
//! processes and threads cover at least eight of the scheduler's ticks (mostly 32 ms), however often samples are taken.
//!
//! | of | counters |
//! | --- | --- |
//! | the machine (this process) | processors' time by state, pressure, context switches, runnable threads, memory, swap |
//! | GPUs (this process) | utilization, memory, power, clocks, temperature |
//! | a process | time on processors and waiting for one, resident memory, storage read and written, context switches, threads |
//! | a thread | time on a processor and waiting for one, once it has run for 5 % of a time; of processes with several |
//!
//! A process or thread that lives shorter than the time between two samples may be missed; a thread's last bit of time
//! always is.

#[cfg(target_os = "linux")]
mod files;
#[cfg(all(target_os = "linux", feature = "gpu"))]
mod gpu;
#[cfg(target_os = "linux")]
mod machine;
#[cfg(target_os = "linux")]
mod out;
#[cfg(target_os = "linux")]
mod process;
#[cfg(target_os = "linux")]
mod sampler;
#[cfg(target_os = "linux")]
mod tree;
#[cfg(target_os = "linux")]
mod window;

#[cfg(all(target_os = "linux", feature = "gpu"))]
pub use self::gpu::open as open_nvml;
#[cfg(target_os = "linux")]
pub use self::sampler::{SampleOptions, Sampled, Sampling};
#[cfg(target_os = "linux")]
pub use self::tree::descendants;

/// The fact that marks a recording as a sampler's: its samples are of other processes, too.
pub const ROLE: &str = "sampler";
