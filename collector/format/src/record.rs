//! Records: the content of both formats.

macro_rules! numbered {
    ($(#[doc = $about:literal])+ $name:ident { $($(#[doc = $doc:literal])+ $variant:ident = $number:literal, $text:literal;)+ }) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum $name {
            $($(#[doc = $doc])+ $variant = $number,)+
        }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The one of that number.
            #[must_use]
            pub fn of(number: u8) -> Option<Self> {
                match number {
                    $($number => Some(Self::$variant),)+
                    _ => None,
                }
            }

            /// A stable name.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }
        }
    };
}

numbered! {
    /// Kind of a record; it defines the meaning of [`Record::aux`], [`Record::extent`] and [`Record::value`].
    Kind {
        /// A finished span: its depth among the thread's open spans, its duration, a number of the program's.
        Span = 1, "span";
        /// An instant event, with a number of the program's.
        Mark = 2, "mark";
        /// A counter's value from here on: the id of the process that it is of, or 0 for the recording's own; the bits of
        /// an `f64`.
        Counter = 3, "counter";
        /// The beginning of an operation that belongs to no thread; the value is its id.
        AsyncBegin = 4, "async_begin";
        /// Its end.
        AsyncEnd = 5, "async_end";
        /// A flow starts in the span that is open here; the value is its id.
        FlowStart = 6, "flow_start";
        /// The flow passes through the span that is open here.
        FlowStep = 7, "flow_step";
        /// The flow ends in the span that is open here.
        FlowEnd = 8, "flow_end";
        /// An allocation or, with a negative value, a release: the device or [`HOST`], the address, the bytes.
        Memory = 9, "memory";
        /// From here on the records are of another thread: its name, its system id, its serial number.
        Thread = 10, "thread";
        /// A span that was still open when the recording ended: as a span, up to when it was closed, else up to its
        /// latest record. In the latter case the process may have run on without writing records. Readers with samples
        /// of that process extend the span to its latest sampled [`Counter`](Self::Counter), but not beyond its end
        /// ([`about::END`](crate::about::END)) or the beginning of a later recording of a process of that id. One that
        /// ends before the latest record was left open by a thread that had ended, and stays as it is.
        Open = 11, "open";
        /// An argument: of the span that is open at the depth `aux` of its thread, or, where that is [`OF_MARK`], of
        /// the instant event before it on its thread. Its name is the key. Its time is that of the span's beginning or
        /// of the instant event. Extent and value are those of an [`ArgumentValue`].
        ///
        /// [`OF_MARK`]: crate::OF_MARK
        /// [`ArgumentValue`]: crate::ArgumentValue
        Argument = 12, "argument";
        /// A device activity, or a call that launches one: see [`crate::device::Activity`].
        Activity = 13, "activity";
        /// More about the activity right before it on its thread, or about a device: see [`crate::device::Detail`].
        Detail = 14, "detail";
        /// Something about a process, mostly another one than the recording's own, from a sampler: its meaning (see
        /// [`crate::about`]), the process's id, and a number.
        Process = 15, "process";
    }
}

numbered! {
    /// Category of a span or an activity.
    Category {
        /// Any other category; the name describes it.
        General = 0, "general";
        /// A training step; the value is its number.
        Step = 1, "step";
        /// Waiting for or preparing a batch.
        DataLoader = 2, "dataloader";
        /// The forward pass.
        Forward = 3, "forward";
        /// The backward pass.
        Backward = 4, "backward";
        /// The optimizer's step.
        Optimizer = 5, "optimizer";
        /// An operator of a framework.
        Operator = 6, "operator";
        /// Communication as the host sees it.
        Communication = 7, "communication";
        /// A kernel; this category and the later ones are those of a [`Kind::Activity`].
        Kernel = 16, "kernel";
        /// A memcpy.
        Memcpy = 17, "memcpy";
        /// A memset.
        Memset = 18, "memset";
        /// A launch of a whole graph whose kernels are not recorded one by one.
        Graph = 19, "graph";
        /// A wait for a device, a stream or an event, or a stream's for an event.
        Synchronization = 20, "synchronization";
        /// A call of the CUDA runtime.
        Runtime = 21, "runtime";
        /// A call of the CUDA driver.
        Driver = 22, "driver";
        /// Overhead of the recording itself, or of the driver's compiling and loading.
        Overhead = 23, "overhead";
    }
}

impl Kind {
    /// Whether [`Record::extent`] is a duration.
    #[must_use]
    #[inline]
    pub fn lasts(self) -> bool {
        matches!(self, Self::Span | Self::Open | Self::Activity)
    }

    /// Whether [`Record::at`] is a time.
    #[must_use]
    #[inline]
    pub fn has_time(self) -> bool {
        self != Self::Detail
    }
}

/// The device of a [`Kind::Memory`] record for host memory.
pub const HOST: u16 = u16::MAX;

/// One event: 32 bytes in a raw recording, a few in a compact file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// Kind of the record.
    pub kind: Kind,
    /// Category of a span or an activity; [`Category::General`] for all else.
    pub category: Category,
    /// See [`Kind`].
    pub aux: u16,
    /// The number of its name; 0 is the empty name.
    pub name: u32,
    /// When it happened or began, in ns (or ticks, where a raw recording's clock is a counter).
    pub at: u64,
    /// See [`Kind`]; a duration is in the unit of [`at`](Self::at).
    pub extent: u64,
    /// See [`Kind`].
    pub value: u64,
}

impl Record {
    /// Its bytes in a raw recording.
    pub const BYTES: usize = 32;

    /// Its words in a raw recording: kind, category, aux and name (8, 8, 16 and 32 bits, the lowest first), then
    /// time, extent, value.
    #[must_use]
    #[inline]
    pub fn words(&self) -> [u64; 4] {
        [head(self.kind, self.category, self.aux, self.name), self.at, self.extent, self.value]
    }

    /// The record of four words; `None` if its kind or category is unknown.
    #[must_use]
    #[inline]
    pub fn of_words([head, at, extent, value]: [u64; 4]) -> Option<Self> {
        let [kind, category, low, high, ..] = head.to_le_bytes();
        Some(Self {
            kind: Kind::of(kind)?,
            category: Category::of(category)?,
            aux: u16::from_le_bytes([low, high]),
            name: (head >> 32) as u32,
            at,
            extent,
            value,
        })
    }

    /// Whether its times are plausible for a clock; damage gives others. Sums and differences of two such times fit
    /// into 64 bits with a sign.
    #[must_use]
    #[inline]
    pub fn has_sane_times(&self) -> bool {
        !self.kind.has_time() || self.end() <= 1 << 62
    }

    /// When it ends: a span's end, any other's moment.
    #[must_use]
    pub fn end(&self) -> u64 {
        if self.kind.lasts() { self.at.saturating_add(self.extent) } else { self.at }
    }
}

/// The first word of a record.
#[must_use]
#[inline]
pub(crate) fn head(kind: Kind, category: Category, aux: u16, name: u32) -> u64 {
    kind as u64 | (category as u64) << 8 | u64::from(aux) << 16 | u64::from(name) << 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_say_all_of_a_record() {
        for kind in Kind::ALL {
            for category in Category::ALL {
                let record = Record {
                    kind: *kind,
                    category: *category,
                    aux: 0xABCD,
                    name: 0xDEAD_BEEF,
                    at: u64::MAX,
                    extent: 7,
                    value: 1 << 63,
                };
                assert_eq!(Record::of_words(record.words()), Some(record));
            }
        }
        assert_eq!(Record::of_words([0, 1, 2, 3]), None);
        assert_eq!(Record::of_words([1 | 99 << 8, 1, 2, 3]), None);
        let far = |kind, at, extent| {
            let record = Record { kind, category: Category::General, aux: 0, name: 0, at, extent, value: 0 };
            record.has_sane_times()
        };
        assert!(far(Kind::Span, 5, 1 << 61) && !far(Kind::Span, 5, 1 << 62) && !far(Kind::Mark, u64::MAX, 0));
        assert!(far(Kind::Detail, u64::MAX, 0), "that is no time");
        assert_eq!(size_of::<[u64; 4]>(), Record::BYTES);
    }
}
