//! Strings by id, and codes by name.

use std::collections::BTreeMap;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::names::plain_call_name;
use super::tables::Tables;
use stepscope_base::{Code, Warnings};
use stepscope_trace::{NameId, TraceBuilder};

/// The longest name, in bytes; longer ones are cut. Exports have whole files and outputs of programs in the same
/// table.
const LONGEST: usize = 1 << 14;

/// The number of characters of a cut name that a warning shows.
const BEGINNING: usize = 80;

/// A database's table of strings. Only used strings become strings of the trace.
#[derive(Default)]
pub(crate) struct StringIds {
    text: Vec<u8>,
    places: HashMap<i64, StringSpan, FxBuildHasher>,
    calls: HashMap<i64, NameId, FxBuildHasher>,
    /// Ids of strings that were cut.
    cut: Vec<i64>,
}

#[derive(Clone, Copy)]
struct StringSpan {
    start: usize,
    len: usize,
    name: NameId,
}

impl StringIds {
    /// Reads a table from its columns of ids and values.
    pub(crate) fn read(tables: &mut Tables<'_>, table: &str, columns: [&str; 2], warnings: &mut Warnings) -> Self {
        let mut strings = Self::default();
        tables.scan(table, &columns, warnings, |row, _| {
            if let (Some(id), Some(value)) = (row.integer(0), row.get(1).text()) {
                if value.len() > LONGEST {
                    strings.cut.push(id);
                }
                let value = &value[..value.len().min(LONGEST)];
                let place = StringSpan { start: strings.text.len(), len: value.len(), name: NameId::NONE };
                strings.text.extend_from_slice(value);
                strings.places.insert(id, place);
            }
        });
        strings
    }

    /// Warns of names that were cut, once all names are known.
    pub(crate) fn tell_cut(&self, warnings: &mut Warnings) {
        let is_name = |id: &i64| {
            self.calls.contains_key(id) || self.places.get(id).is_some_and(|place| place.name != NameId::NONE)
        };
        let cut: Vec<i64> = self.cut.iter().copied().filter(is_name).collect();
        let beginning = |id: i64| {
            let bytes = self.bytes(id).unwrap_or_default();
            String::from_utf8_lossy(bytes).chars().take(BEGINNING).collect::<String>() + "…"
        };
        warnings.add_many(Code::LongName, cut.len() as u64, None, || {
            cut.first().map_or(String::new(), |id| beginning(*id))
        });
    }

    /// The bytes of a string.
    pub(crate) fn bytes(&self, id: i64) -> Option<&[u8]> {
        self.places.get(&id).map(|place| &self.text[place.start..place.start + place.len])
    }

    /// A string as a name; a placeholder if the table does not have it.
    #[inline]
    pub(crate) fn name(&mut self, builder: &mut TraceBuilder, id: Option<i64>) -> NameId {
        let id = id.unwrap_or_default();
        match self.places.get_mut(&id) {
            Some(place) if place.name != NameId::NONE => place.name,
            Some(place) => {
                place.name = builder.intern(&self.text[place.start..place.start + place.len]);
                place.name
            }
            None => builder.intern(format!("string {id}").as_bytes()),
        }
    }

    /// A string as the name of a call, without the version of its interface.
    #[inline]
    pub(crate) fn call(&mut self, builder: &mut TraceBuilder, id: Option<i64>) -> NameId {
        let key = id.unwrap_or_default();
        if let Some(name) = self.calls.get(&key) {
            return *name;
        }
        let plain = self.bytes(key).and_then(|bytes| std::str::from_utf8(bytes).ok()).map(plain_call_name);
        let name = match plain {
            Some(plain) => builder.intern(plain.as_bytes()),
            None => self.name(builder, id),
        };
        self.calls.insert(key, name);
        name
    }
}

/// Names and labels of codes.
pub(crate) type Codes = BTreeMap<i64, (String, String)>;

/// A table `ENUM_…`.
pub(crate) fn codes(tables: &mut Tables<'_>, warnings: &mut Warnings, table: &str) -> Codes {
    let mut codes = Codes::new();
    tables.scan(table, &["id", "name", "label"], warnings, |row, _| {
        let text = |index| row.get(index).text().map(|text| String::from_utf8_lossy(&text).into_owned());
        if let Some(id) = row.integer(0) {
            codes.insert(id, (text(1).unwrap_or_default(), text(2).unwrap_or_default()));
        }
    });
    codes
}
