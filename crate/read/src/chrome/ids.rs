//! Ids that relate several events.

use super::event::{Core, Event};
use super::{args, keys};
use stepscope_parse::Value;
use stepscope_trace::{Handles, NameId, RawId, TraceBuilder};

/// The bit that separates text ids, which are handles, from numbers.
const TEXT: u64 = 1 << 63;

impl Event<'_> {
    /// The `id` of an event: a number as itself, also if quoted, decimal or hexadecimal; other text as its handle. In
    /// `id2`, a `global` id counts as `id`; a `local` one is private to its process.
    pub(super) fn id(&self, core: &mut Core) -> Option<u64> {
        match self.object.get(keys::ID) {
            None | Some(Value::Null) => self.id2(core),
            Some(value) => of_value(&mut core.builder, value),
        }
    }

    fn id2(&self, core: &mut Core) -> Option<u64> {
        // The list of wanted keys allows only one nested object per event: the arguments.
        let event: serde_json::Value = serde_json::from_slice(self.object.text()).ok()?;
        let id = event.get("id2")?;
        if let Some(global) = id.get("global") {
            return of_json(&mut core.builder, global);
        }
        let builder = &mut core.builder;
        let local = of_json(builder, id.get("local")?)?;
        // By text: a handle depends on the order of texts in the file.
        let process = match self.process {
            RawId::Number(number) => number.to_string(),
            RawId::Text(text) => format!("{:?}", builder.text(text)),
        };
        let local = match text_of(local) {
            Some(text) => format!("{:?}", builder.text(text)),
            None => format!("{local:x}"),
        };
        Some(of_text(builder, &format!("{process} {local}")))
    }

    /// The scope, which together with the id distinguishes operations.
    pub(super) fn scope(&self) -> Option<std::borrow::Cow<'_, [u8]>> {
        match self.object.get(keys::SCOPE) {
            Some(Value::Text(text)) => Some(text.bytes()),
            _ => None,
        }
    }
}

fn of_value(builder: &mut TraceBuilder, value: Value<'_>) -> Option<u64> {
    if let Some(number) = args::unsigned(value).filter(|number| *number < TEXT) {
        return Some(number);
    }
    match value {
        Value::Text(text) => Some(of_text(builder, &text.to_str())),
        Value::Number(number) => Some(of_text(builder, &number.to_f64().to_string())),
        _ => None,
    }
}

fn of_json(builder: &mut TraceBuilder, value: &serde_json::Value) -> Option<u64> {
    match value {
        serde_json::Value::String(text) => {
            let hex = text.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
            let number = hex.or_else(|| text.parse().ok()).filter(|number| *number < TEXT);
            Some(number.unwrap_or_else(|| of_text(builder, text)))
        }
        serde_json::Value::Number(number) => match number.as_u64().filter(|number| *number < TEXT) {
            Some(number) => Some(number),
            None => Some(of_text(builder, &number.to_string())),
        },
        _ => None,
    }
}

fn of_text(builder: &mut TraceBuilder, text: &str) -> u64 {
    TEXT | u64::from(builder.intern(text.as_bytes()).0)
}

/// The text of an id.
fn text_of(id: u64) -> Option<NameId> {
    u32::try_from(id & !TEXT).ok().map(NameId).filter(|_| id & TEXT != 0)
}

/// The id in the trace that absorbs its shard.
pub(super) fn moved(handles: &Handles, id: u64) -> u64 {
    text_of(id).map_or(id, |text| TEXT | u64::from(handles.name(text).0))
}
