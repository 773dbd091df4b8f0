//! Handles into a trace's tables. Each is an index that is only valid for the trace it came from; in another trace, it
//! is some other row, or none.

macro_rules! handle {
    ($(#[doc = $doc:literal])+ $name:ident) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// No row.
            pub const NONE: Self = Self(u32::MAX);

            /// The handle of row `index`; [`NONE`](Self::NONE) beyond what 32 bits can name.
            #[must_use]
            pub fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).unwrap_or(u32::MAX))
            }

            /// The row's index.
            #[must_use]
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The handle, unless it is [`NONE`](Self::NONE).
            #[must_use]
            #[inline]
            pub fn get(self) -> Option<Self> {
                (self != Self::NONE).then_some(self)
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::NONE
            }
        }
    };
}

handle! {
    /// A string of the trace. Equal strings have equal handles.
    NameId
}
handle! {
    /// A slice. Slices are sorted by track, then start, then the longer first, then as in the file.
    EventId
}
handle! {
    /// A track: one layer of a thread or of a device's stream.
    TrackId
}
handle! {
    /// A process of the trace, or a device shown as one.
    ProcessId
}
handle! {
    /// A row of the table of device activities.
    ActivityId
}
handle! {
    /// A row of the table of launch configurations.
    ConfigId
}
handle! {
    /// A row of the table of collectives' arguments.
    CollectiveId
}
