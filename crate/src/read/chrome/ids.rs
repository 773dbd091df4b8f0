//! The ids by which events of several belong together.

use super::event::{Core, Event};
use super::{args, keys};
use crate::parse::Value;
use crate::trace::TraceBuilder;

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
        let local = of_json(&mut core.builder, id.get("local")?)?;
        Some(of_text(&mut core.builder, &format!("{:?} {local:x}", self.process)))
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
