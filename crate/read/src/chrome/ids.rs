//! The ids by which events of several belong together.

use super::event::{Core, Event};
use super::{args, keys};
use stepscope_parse::Value;
use stepscope_trace::{Handles, NameId, RawId, TraceBuilder};

/// Tells ids that are texts, by their handle, from those that are numbers.
const TEXT: u64 = 1 << 63;

impl Event<'_> {
    /// What an event's `id` is: a number (which may stand in quotes, decimal or hexadecimal) as such, any other
    /// text by its handle. Of `id2`, a `global` id is as `id` is, and a `local` one is its process's own.
    pub(super) fn id(&self, core: &mut Core) -> Option<u64> {
        match self.object.get(keys::ID) {
            None | Some(Value::Null) => self.id2(core),
            Some(value) => of_value(&mut core.builder, value),
        }
    }

    fn id2(&self, core: &mut Core) -> Option<u64> {
        // The scanner's list of wanted keys holds one object per event: the arguments.
        let event: serde_json::Value = serde_json::from_slice(self.object.text()).ok()?;
        let id = event.get("id2")?;
        if let Some(global) = id.get("global") {
            return of_json(&mut core.builder, global);
        }
        let builder = &mut core.builder;
        let local = of_json(builder, id.get("local")?)?;
        // By what they say: a handle tells only what came first in the file.
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

    /// What, beside its id, tells an operation from those of other kinds.
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

/// The text that an id is.
fn text_of(id: u64) -> Option<NameId> {
    u32::try_from(id & !TEXT).ok().map(NameId).filter(|_| id & TEXT != 0)
}

/// What an id of a piece is in the trace that takes the piece over.
pub(super) fn moved(handles: &Handles, id: u64) -> u64 {
    text_of(id).map_or(id, |text| TEXT | u64::from(handles.name(text).0))
}
