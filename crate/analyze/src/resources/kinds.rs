//! The subject of a curve, by its name.

/// The subject of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResourceKind {
    /// Use of the host's processors.
    Processor,
    /// Context switches of the host's threads.
    ContextSwitches,
    /// Memory of the host.
    HostMemory,
    /// The device as a whole: utilization, power, clocks, temperature.
    Device,
    /// Counters of the device's hardware: units in use, caches, memory and links.
    Hardware,
    /// Bandwidth of copies and memsets over time.
    Bandwidth,
    /// Anything else.
    Other,
}

/// Words of names, in lower case, the more specific ones first.
const WORDS: [(&str, ResourceKind); 40] = [
    ("context switch", ResourceKind::ContextSwitches),
    ("runnable", ResourceKind::ContextSwitches),
    ("page fault", ResourceKind::HostMemory),
    ("rss", ResourceKind::HostMemory),
    ("resident", ResourceKind::HostMemory),
    ("host mem", ResourceKind::HostMemory),
    ("system memory", ResourceKind::HostMemory),
    ("memory available", ResourceKind::HostMemory),
    ("memory pressure", ResourceKind::HostMemory),
    ("cpu util", ResourceKind::Processor),
    ("cpu usage", ResourceKind::Processor),
    ("cpu time", ResourceKind::Processor),
    ("cpu load", ResourceKind::Processor),
    ("cpu %", ResourceKind::Processor),
    ("cpu pressure", ResourceKind::Processor),
    ("cpu_util", ResourceKind::Processor),
    ("gpu util", ResourceKind::Device),
    ("gpu memory", ResourceKind::Device),
    ("npu util", ResourceKind::Device),
    ("temperature", ResourceKind::Device),
    ("power", ResourceKind::Device),
    ("clock", ResourceKind::Device),
    ("freq", ResourceKind::Device),
    ("sms active", ResourceKind::Hardware),
    ("sm active", ResourceKind::Hardware),
    ("sm issue", ResourceKind::Hardware),
    ("sm warp", ResourceKind::Hardware),
    ("warps", ResourceKind::Hardware),
    ("tensor", ResourceKind::Hardware),
    ("dram", ResourceKind::Hardware),
    ("pcie", ResourceKind::Hardware),
    ("nvlink", ResourceKind::Hardware),
    ("hccs", ResourceKind::Hardware),
    ("roce", ResourceKind::Hardware),
    ("hbm", ResourceKind::Hardware),
    ("ddr", ResourceKind::Hardware),
    ("llc", ResourceKind::Hardware),
    ("l2", ResourceKind::Hardware),
    ("ai core", ResourceKind::Hardware),
    ("bandwidth", ResourceKind::Hardware),
];

impl ResourceKind {
    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Processor => "processor",
            Self::ContextSwitches => "context_switches",
            Self::HostMemory => "host_memory",
            Self::Device => "device",
            Self::Hardware => "hardware",
            Self::Bandwidth => "bandwidth",
            Self::Other => "other",
        }
    }

    /// The subject of a counter with that name.
    pub(super) fn of_name(name: &str) -> Self {
        let lower = name.to_ascii_lowercase();
        // `address` contains `ddr`: a word begins where no letter is before it.
        let begins = |at: usize| !lower[..at].ends_with(|before: char| before.is_ascii_alphabetic());
        let has = |word: &str| lower.match_indices(word).any(|(at, _)| begins(at));
        WORDS.iter().find(|(word, _)| has(word)).map_or(Self::Other, |(_, kind)| *kind)
    }
}

#[cfg(test)]
mod tests {
    use super::ResourceKind;

    #[test]
    fn names_tell() {
        let cases = [
            ("Process CPU utilization: user", ResourceKind::Processor),
            ("GPU Util: sm", ResourceKind::Device),
            ("GPU temperature (°C)", ResourceKind::Device),
            ("SM clock (MHz)", ResourceKind::Device),
            ("AI Core Freq: MHz", ResourceKind::Device),
            ("SMs Active", ResourceKind::Hardware),
            ("DRAM Read Bandwidth", ResourceKind::Hardware),
            ("unified memory: CPU page faults", ResourceKind::HostMemory),
            ("process RSS", ResourceKind::HostMemory),
            // Written by our own sampler.
            ("RSS (MiB)", ResourceKind::HostMemory),
            ("memory pressure (%)", ResourceKind::HostMemory),
            ("CPU time (% of a core): waiting", ResourceKind::Processor),
            ("CPU utilization (%): I/O wait", ResourceKind::Processor),
            ("context switches (1/s)", ResourceKind::ContextSwitches),
            ("GPU memory used (MiB), device 0", ResourceKind::Device),
            ("addresses", ResourceKind::Other),
            ("queue [7]: length", ResourceKind::Other),
        ];
        for (name, kind) in cases {
            assert_eq!(ResourceKind::of_name(name), kind, "{name}");
        }
    }
}
