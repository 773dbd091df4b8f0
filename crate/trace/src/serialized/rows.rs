//! Rows as bytes: values of a fixed size.

use crate::builder::FlowPoint;
use crate::{
    Activity, AddedSlice, Argument, ArgumentValue, AwaitedEvent, Call, Class, Collective, CollectiveId, ConfigId,
    EventId, Flow, FlowPhase, InstantEvent, LaunchConfig, Layer, MemoryEvent, MemoryPool, NameId, Operation, Position,
    Process, ProcessId, RawId, RecordedUnit, Sample, Stream, Track, TrackId,
};
use stepscope_base::{Code, Nanos};

/// A value that takes [`SIZE`](Self::SIZE) bytes.
pub trait SerializedRow: Sized {
    /// Its bytes.
    const SIZE: usize;

    /// Writes it into `SIZE` bytes.
    fn put(&self, place: &mut [u8]);

    /// Reads it from these bytes.
    fn of(place: &[u8]) -> Self;
}

macro_rules! numbers {
    ($($number:ty),+) => {
        $(impl SerializedRow for $number {
            const SIZE: usize = size_of::<Self>();

            #[inline]
            fn put(&self, place: &mut [u8]) {
                place.copy_from_slice(&self.to_le_bytes());
            }

            #[inline]
            fn of(place: &[u8]) -> Self {
                place.first_chunk().map_or(Self::default(), |bytes| Self::from_le_bytes(*bytes))
            }
        })+
    };
}

numbers!(u8, u16, u32, u64, i64, f64);

/// Implements rows for tuples of one field.
macro_rules! handles {
    ($($handle:ident($inner:ty)),+) => {
        $(impl SerializedRow for $handle {
            const SIZE: usize = <$inner>::SIZE;

            #[inline]
            fn put(&self, place: &mut [u8]) {
                self.0.put(place);
            }

            #[inline]
            fn of(place: &[u8]) -> Self {
                Self(<$inner>::of(place))
            }
        })+
    };
}

handles!(
    Nanos(i64),
    NameId(u32),
    EventId(u32),
    TrackId(u32),
    ProcessId(u32),
    ConfigId(u32),
    CollectiveId(u32),
    AddedSlice(u32)
);

/// Implements rows as consecutive fields. It does not compile if one is forgotten.
macro_rules! fields {
    ($($row:ident { $($field:ident: $of:ty),+ })+) => {
        $(impl SerializedRow for $row {
            const SIZE: usize = 0 $(+ <$of>::SIZE)+;

            #[inline]
            fn put(&self, place: &mut [u8]) {
                let Self { $($field),+ } = self;
                let mut rest = place;
                $(
                    let (own, behind) = std::mem::take(&mut rest).split_at_mut(<$of>::SIZE);
                    $field.put(own);
                    rest = behind;
                )+
                let _ = rest;
            }

            #[inline]
            fn of(place: &[u8]) -> Self {
                let mut rest = place;
                $(
                    let (own, behind) = rest.split_at(<$of>::SIZE);
                    let $field = <$of>::of(own);
                    rest = behind;
                )+
                let _ = rest;
                Self { $($field),+ }
            }
        })+
    };
}

fields! {
    Process { id: RawId, name: NameId, labels: NameId, sort_index: i64 }
    Track {
        process: ProcessId, thread: RawId, layer: Layer, stream: Option<Stream>, name: NameId, sort_index: i64,
        slices: (u32, u32)
    }
    Stream { device: i64, stream: i64 }
    Operation { external: u32, sequence: u32, forward_thread: u32, shapes: NameId, types: NameId }
    Call { correlation: u32, external: u32 }
    Activity {
        event: EventId, call: EventId, operator: EventId, correlation: u32, external: u32, config: ConfigId, bytes: u64,
        graph: u32, communication: bool, has_flow: bool
    }
    LaunchConfig {
        grid: [u32; 3], block: [u32; 3], registers: u32, shared_memory: u32, blocks_per_sm: f64, warps_per_sm: f64,
        occupancy_percent: f64
    }
    Collective {
        name: NameId, dtype: NameId, group: NameId, group_description: NameId, ranks: NameId, group_size: u32,
        input_elements: u64, output_elements: u64, sequence: u64, source: u32, destination: u32
    }
    AwaitedEvent { stream: i64, record: u32 }
    Argument { key: NameId, value: ArgumentValue }
    Flow { kind: NameId, from: EventId, to: EventId }
    FlowPoint { kind: NameId, id: u64, place: u32, at: Nanos, phase: FlowPhase }
    MemoryEvent {
        at: Nanos, address: u64, bytes: i64, allocated: i64, reserved: i64, track: TrackId, device: u16, pool: MemoryPool
    }
    Sample { at: Nanos, value: f64 }
    InstantEvent { at: Nanos, track: TrackId, name: NameId }
}

/// Implements rows for one of a few values, by its index in a list.
macro_rules! choices {
    ($($choice:ty: $all:expr;)+) => {
        $(impl SerializedRow for $choice {
            const SIZE: usize = 1;

            #[inline]
            fn put(&self, place: &mut [u8]) {
                (*self as u8).put(place);
            }

            #[inline]
            fn of(place: &[u8]) -> Self {
                $all[usize::from(u8::of(place)).min($all.len() - 1)]
            }
        })+
    };
}

choices! {
    Class: Class::ALL;
    Layer: Layer::ALL;
    FlowPhase: [FlowPhase::Start, FlowPhase::Step, FlowPhase::End, FlowPhase::EndAtNext];
    MemoryPool: [MemoryPool::Allocated, MemoryPool::Reserved];
    RecordedUnit: RecordedUnit::ALL;
    Code: Code::ALL;
}

impl SerializedRow for bool {
    const SIZE: usize = 1;

    #[inline]
    fn put(&self, place: &mut [u8]) {
        u8::from(*self).put(place);
    }

    #[inline]
    fn of(place: &[u8]) -> Self {
        u8::of(place) != 0
    }
}

impl SerializedRow for Position {
    const SIZE: usize = 5;

    #[inline]
    fn put(&self, place: &mut [u8]) {
        place.copy_from_slice(&self.byte().to_le_bytes()[..Self::SIZE]);
    }

    #[inline]
    fn of(place: &[u8]) -> Self {
        let mut bytes = [0; 8];
        bytes[..Self::SIZE].copy_from_slice(place);
        Self::new(u64::from_le_bytes(bytes))
    }
}

impl<A: SerializedRow, B: SerializedRow> SerializedRow for (A, B) {
    const SIZE: usize = A::SIZE + B::SIZE;

    #[inline]
    fn put(&self, place: &mut [u8]) {
        let (a, b) = place.split_at_mut(A::SIZE);
        self.0.put(a);
        self.1.put(b);
    }

    #[inline]
    fn of(place: &[u8]) -> Self {
        let (a, b) = place.split_at(A::SIZE);
        (A::of(a), B::of(b))
    }
}

impl SerializedRow for [u32; 3] {
    const SIZE: usize = 12;

    #[inline]
    fn put(&self, place: &mut [u8]) {
        let [a, b, c] = *self;
        (a, (b, c)).put(place);
    }

    #[inline]
    fn of(place: &[u8]) -> Self {
        let (a, (b, c)) = SerializedRow::of(place);
        [a, b, c]
    }
}

impl<T: SerializedRow> SerializedRow for Option<T> {
    const SIZE: usize = 1 + T::SIZE;

    #[inline]
    fn put(&self, place: &mut [u8]) {
        let (is_some, value) = place.split_at_mut(1);
        self.is_some().put(is_some);
        match self {
            Some(own) => own.put(value),
            None => value.fill(0),
        }
    }

    #[inline]
    fn of(place: &[u8]) -> Self {
        let (is_some, value) = SerializedRow::of(place);
        Some(value).filter(|_| is_some)
    }
}

impl SerializedRow for RawId {
    const SIZE: usize = 9;

    fn put(&self, place: &mut [u8]) {
        match *self {
            Self::Number(number) => (false, number).put(place),
            Self::Text(text) => (true, i64::from(text.0)).put(place),
        }
    }

    fn of(place: &[u8]) -> Self {
        match SerializedRow::of(place) {
            (false, number) => Self::Number(number),
            (true, text) => Self::Text(u32::try_from(text).map_or(NameId::NONE, NameId)),
        }
    }
}

impl SerializedRow for ArgumentValue {
    const SIZE: usize = 9;

    fn put(&self, place: &mut [u8]) {
        match *self {
            Self::Signed(value) => (0_u8, value.cast_unsigned()),
            Self::Unsigned(value) => (1, value),
            Self::Float(value) => (2, value.to_bits()),
            Self::Text(text) => (3, u64::from(text.0)),
            Self::Bool(value) => (4, u64::from(value)),
        }
        .put(place);
    }

    fn of(place: &[u8]) -> Self {
        match SerializedRow::of(place) {
            (0_u8, bits) => Self::Signed(u64::cast_signed(bits)),
            (1, bits) => Self::Unsigned(bits),
            (2, bits) => Self::Float(f64::from_bits(bits)),
            (3, bits) => Self::Text(u32::try_from(bits).map_or(NameId::NONE, NameId)),
            (_, bits) => Self::Bool(bits != 0),
        }
    }
}
