//! The arguments of events.

use super::keys;
use crate::parse::{Decimal, Key, Member, Object, Value};
use crate::trace::{Call, Collective, LaunchConfig, NO_BYTES, NO_SERIAL, Serial};

/// What a kernel, copy or fill says about itself.
pub(super) struct ActivityArgs {
    pub(super) correlation: Serial,
    pub(super) external: Serial,
    pub(super) device: Option<i64>,
    pub(super) stream: Option<i64>,
    pub(super) bytes: u64,
    pub(super) graph: Serial,
    config: LaunchConfig,
    has_config: bool,
}

impl Default for ActivityArgs {
    fn default() -> Self {
        Self {
            correlation: NO_SERIAL,
            external: NO_SERIAL,
            device: None,
            stream: None,
            bytes: NO_BYTES,
            graph: 0,
            config: LaunchConfig::default(),
            has_config: false,
        }
    }
}

impl ActivityArgs {
    /// Takes an argument; `false` if it is none of an activity's.
    #[inline]
    pub(super) fn read(&mut self, member: Member<'_>) -> bool {
        let value = member.value;
        match member.key {
            keys::EXTERNAL_ID => self.external = serial(value),
            keys::CORRELATION => self.correlation = serial(value),
            keys::DEVICE => self.device = signed(value),
            keys::STREAM => self.stream = signed(value),
            keys::BYTES => self.bytes = unsigned(value).unwrap_or(NO_BYTES),
            keys::GRAPH_ID => self.graph = unsigned(value).map_or(0, serial_of),
            _ => return self.read_config(member),
        }
        true
    }

    fn read_config(&mut self, member: Member<'_>) -> bool {
        let config = &mut self.config;
        match (member.key, member.value) {
            (keys::GRID, Value::List(text)) => config.grid = triple(text),
            (keys::BLOCK, Value::List(text)) => config.block = triple(text),
            (keys::REGISTERS, value) => config.registers = serial(value),
            (keys::SHARED_MEMORY, value) => config.shared_memory = serial(value),
            (keys::BLOCKS_PER_SM, Value::Number(number)) => config.blocks_per_sm = number.to_f64(),
            (keys::WARPS_PER_SM, Value::Number(number)) => config.warps_per_sm = number.to_f64(),
            (keys::OCCUPANCY, Value::Number(number)) => config.occupancy_percent = number.to_f64(),
            _ => return false,
        }
        self.has_config = true;
        true
    }

    /// How the kernel was launched, if it says anything of that.
    pub(super) fn config(&self) -> Option<LaunchConfig> {
        self.has_config.then_some(self.config)
    }
}

/// What the arguments say of a collective operation.
#[derive(Default)]
pub(super) struct CollectiveArgs(Option<Box<Collective>>);

impl CollectiveArgs {
    /// Takes an argument, if it is one of a collective's.
    #[inline]
    pub(super) fn read(&mut self, member: Member<'_>) {
        if (keys::COLLECTIVE_NAME..=keys::DESTINATION_RANK).contains(&member.key) {
            self.take(member);
        }
    }

    fn take(&mut self, member: Member<'_>) {
        let value = member.value;
        // Operators other than collectives carry a data type, too.
        if self.0.is_none() && member.key == keys::DTYPE {
            return;
        }
        let collective = self.0.get_or_insert_default();
        match member.key {
            keys::COLLECTIVE_NAME => collective.name = text(value),
            keys::DTYPE => collective.dtype = text(value),
            keys::INPUT_ELEMENTS => collective.input_elements = unsigned(value),
            keys::OUTPUT_ELEMENTS => collective.output_elements = unsigned(value),
            keys::GROUP_SIZE => collective.group_size = unsigned(value),
            keys::GROUP_NAME => collective.group = text(value),
            keys::GROUP_DESCRIPTION => collective.group_description = text(value),
            keys::GROUP_RANKS => collective.ranks = text(value),
            keys::SEQUENCE => collective.sequence = unsigned(value),
            keys::SOURCE_RANK => collective.source = signed(value),
            keys::DESTINATION_RANK => collective.destination = signed(value),
            _ => {}
        }
    }

    /// The collective, if the arguments told of one.
    pub(super) fn into_collective(self) -> Option<Collective> {
        self.0
            .map(|collective| *collective)
            .filter(|collective| !collective.name.is_empty() || !collective.group.is_empty())
    }
}

/// What a memory event says.
#[derive(Default)]
pub(super) struct MemoryArgs {
    pub(super) address: u64,
    pub(super) bytes: i64,
    pub(super) allocated: Option<i64>,
    pub(super) reserved: Option<i64>,
    device_type: Option<i64>,
    device_id: Option<i64>,
}

impl MemoryArgs {
    pub(super) fn read(object: &Object<'_>) -> Self {
        let mut args = Self::default();
        for Member { key, value, .. } in object.members().filter(|member| member.inner) {
            match key {
                keys::ADDRESS => args.address = unsigned(value).unwrap_or_default(),
                keys::MEMORY_BYTES => args.bytes = signed(value).unwrap_or_default(),
                keys::TOTAL_ALLOCATED => args.allocated = signed(value),
                keys::TOTAL_RESERVED => args.reserved = signed(value),
                keys::DEVICE_TYPE => args.device_type = signed(value),
                keys::DEVICE_ID => args.device_id = signed(value),
                _ => {}
            }
        }
        args
    }

    /// The device whose memory it is: `c10::DeviceType` 0 is the host.
    pub(super) fn device(&self) -> Option<i64> {
        self.device_id.filter(|id| self.device_type != Some(0) && *id >= 0)
    }
}

/// The correlation and the external id among a call's arguments.
pub(super) fn call(object: &Object<'_>) -> Call {
    let mut call = Call { correlation: NO_SERIAL, external: NO_SERIAL };
    for member in object.members().filter(|member| member.inner) {
        match member.key {
            keys::CORRELATION => call.correlation = serial(member.value),
            keys::EXTERNAL_ID => call.external = serial(member.value),
            _ => {}
        }
    }
    call
}

/// The external id among an event's arguments.
pub(super) fn external(object: &Object<'_>) -> Serial {
    inner(object, keys::EXTERNAL_ID).map_or(NO_SERIAL, serial)
}

/// The device among an event's arguments.
pub(super) fn device(object: &Object<'_>) -> Option<i64> {
    signed(inner(object, keys::DEVICE)?)
}

/// The stream among the arguments of an event that is no activity, where it is a number.
///
/// HIP's runtime calls carry the handle of a stream in quotes, which numbers nothing.
pub(super) fn stream_number(object: &Object<'_>) -> Option<i64> {
    match inner(object, keys::STREAM)? {
        Value::Number(number) => number.to_i64(),
        _ => None,
    }
}

fn inner<'a>(object: &Object<'a>, key: Key) -> Option<Value<'a>> {
    object.members().find(|member| member.inner && member.key == key).map(|member| member.value)
}

/// The numbers among a counter's arguments, with their names.
pub(super) fn counter_values(object: &Object<'_>) -> Vec<(String, f64)> {
    let args = object.members().find(|member| !member.inner && member.key == keys::ARGS);
    let Some(Value::Object(text)) = args.map(|member| member.value) else {
        return Vec::new();
    };
    let Ok(serde_json::Value::Object(values)) = serde_json::from_slice(text) else {
        return Vec::new();
    };
    values
        .into_iter()
        .filter_map(|(series, value)| {
            let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())?;
            number.is_finite().then_some((series, number))
        })
        .collect()
}

/// An id that counts up, or [`NO_SERIAL`] if it is none or absurdly large.
#[inline]
pub(super) fn serial(value: Value<'_>) -> Serial {
    unsigned(value).map_or(NO_SERIAL, serial_of)
}

/// An id as 32 bits.
#[inline]
pub(super) fn serial_of(id: u64) -> Serial {
    Serial::try_from(id).unwrap_or(NO_SERIAL)
}

/// A whole number that is not negative, which may stand in quotes or be hexadecimal.
#[inline]
pub(super) fn unsigned(value: Value<'_>) -> Option<u64> {
    match value {
        Value::Number(number) => number.to_u64(),
        Value::Text(text) => {
            let bytes = text.bytes();
            match bytes.strip_prefix(b"0x") {
                Some(digits) => u64::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok(),
                None => Decimal::parse(&bytes)?.to_u64(),
            }
        }
        _ => None,
    }
}

/// A whole number, which may stand in quotes or be hexadecimal.
#[inline]
pub(super) fn signed(value: Value<'_>) -> Option<i64> {
    match value {
        Value::Number(number) => number.to_i64(),
        Value::Text(text) if text.bytes().starts_with(b"-") => Decimal::parse(&text.bytes())?.to_i64(),
        Value::Text(_) => i64::try_from(unsigned(value)?).ok(),
        _ => None,
    }
}

fn text(value: Value<'_>) -> String {
    match value {
        Value::Text(text) => text.to_str().into_owned(),
        Value::List(text) => String::from_utf8_lossy(text).into_owned(),
        Value::Number(number) => number.to_i64().map_or_else(String::new, |number| number.to_string()),
        _ => String::new(),
    }
}

/// The three numbers of a list.
fn triple(text: &[u8]) -> [u32; 3] {
    let mut numbers = [0; 3];
    let mut digits = text.split(|byte| !byte.is_ascii_digit()).filter(|digits| !digits.is_empty());
    for number in &mut numbers {
        let Some(digits) = digits.next() else { break };
        *number =
            digits.iter().fold(0_u32, |value, digit| value.saturating_mul(10).saturating_add(u32::from(digit - b'0')));
    }
    numbers
}
