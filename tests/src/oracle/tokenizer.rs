//! The tokenizer compared with `serde_json`, chunk size by chunk size.

use stepscope::parse::{Decimal, Document, Fault, FaultKind, Key, Keys, Object, Sink, Value};

use super::json::Json;

/// The keys that are asked for: some that traces have, an empty one, and one with an escape and beyond ASCII.
pub const WANTED: &[&str] =
    &["ph", "cat", "name", "pid", "tid", "ts", "dur", "id", "args", "correlation", "stream", "", "q\"\u{e9}\n"];

/// The key of the list.
const LIST: &str = "traceEvents";

/// Faults that are reported inside of an object or member that was repaired.
const REPAIRS: [FaultKind; 8] = [
    FaultKind::Punctuation,
    FaultKind::ControlCharacter,
    FaultKind::Quote,
    FaultKind::Escape,
    FaultKind::Encoding,
    FaultKind::Word,
    FaultKind::Number,
    FaultKind::Deep,
];

/// The tokenizer's output for a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentContent {
    /// The objects of the list.
    pub events: Vec<Event>,
    /// The other members of the outer object.
    pub members: Vec<Other>,
    /// The faults.
    pub faults: Vec<Fault>,
}

/// A member of the outer object that is not the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Other {
    /// Its key.
    pub key: String,
    /// Its value's text.
    pub text: Vec<u8>,
    /// Its start; if it was repaired, the key's start.
    pub position: u64,
    /// Repairs in it.
    pub repairs: Vec<FaultKind>,
}

/// One object of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its start.
    pub position: u64,
    /// Its text.
    pub text: Vec<u8>,
    /// Repairs in it.
    pub repairs: Vec<FaultKind>,
    /// The values of [`WANTED`].
    outer: Vec<Option<Member>>,
    /// The same of the inner object.
    inner: Vec<Option<Member>>,
    empty: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Member {
    Text(Vec<u8>),
    Number(Decimal),
    Bool(bool),
    Null,
    List(Vec<u8>),
    Object(Vec<u8>),
}

impl From<Value<'_>> for Member {
    fn from(value: Value<'_>) -> Self {
        match value {
            Value::Text(text) => Self::Text(text.bytes().into_owned()),
            Value::Number(number) => Self::Number(number),
            Value::Bool(value) => Self::Bool(value),
            Value::Null => Self::Null,
            Value::List(text) => Self::List(text.to_vec()),
            Value::Object(text) => Self::Object(text.to_vec()),
        }
    }
}

impl Sink for DocumentContent {
    fn object(&mut self, object: &Object<'_>) {
        let keys = || (0..WANTED.len()).map(|key| Key::try_from(key).unwrap_or(Key::MAX));
        self.events.push(Event {
            position: object.position,
            text: object.text().to_vec(),
            repairs: self.repairs_of(object.position),
            outer: keys().map(|key| object.get(key).map(Member::from)).collect(),
            inner: keys().map(|key| object.inner(key).map(Member::from)).collect(),
            empty: object.is_empty(),
        });
    }

    fn member(&mut self, key: &str, value: &[u8], position: u64) {
        let repairs = self.repairs_of(position);
        self.members.push(Other { key: key.to_owned(), text: value.to_vec(), position, repairs });
    }

    fn fault(&mut self, fault: Fault) {
        self.faults.push(fault);
    }
}

impl DocumentContent {
    /// The faults inside of the thing at `position`, reported right before it.
    fn repairs_of(&self, position: u64) -> Vec<FaultKind> {
        let inside = |fault: &&Fault| fault.position > position && REPAIRS.contains(&fault.kind);
        let mut kinds: Vec<FaultKind> = self.faults.iter().rev().take_while(inside).map(|fault| fault.kind).collect();
        kinds.reverse();
        kinds
    }

    /// The value of a [`WANTED`] key of an event, as `serde_json` has it.
    #[must_use]
    pub fn value(&self, event: usize, key: &str) -> Option<Json> {
        let Json::Object(members) = Json::parse(&self.events.get(event)?.text)? else { return None };
        members.into_iter().rev().find(|(name, _)| name == key).map(|(_, value)| value)
    }
}

/// The tokenizer's output for a text that arrives in chunks of a given size.
#[must_use]
pub fn tokenize(text: &[u8], chunk: usize) -> DocumentContent {
    let mut document = Document::new(LIST, Keys::new(WANTED));
    let mut found = DocumentContent::default();
    for piece in text.chunks(chunk.max(1)) {
        document.space(piece.len()).copy_from_slice(piece);
        document.advance(piece.len(), &mut found);
    }
    document.finish(&mut found);
    found
}

/// Checks the tokenizer's output for any text.
///
/// Every event is what `serde_json` reads at that place, or from its repaired text; a text that `serde_json` accepts as
/// a whole gives exactly its events and members; and the size of the chunks makes no difference.
///
/// # Errors
///
/// The check that fails.
pub fn check(text: &[u8], chunks: &[usize]) -> Result<DocumentContent, String> {
    let found = tokenize(text, text.len());
    for event in &found.events {
        check_event(text, event).map_err(|what| format!("event at byte {}: {what}", event.position))?;
    }
    for member in &found.members {
        check_text(text, member.position, &member.text, &member.repairs)?;
        if Json::parse(&member.text).is_none() {
            return Err(format!("serde_json does not read the member {:?}", member.key));
        }
    }
    if let Some(fault) = found.faults.iter().find(|fault| fault.position > text.len() as u64) {
        return Err(format!("{fault:?} lies behind the end, {}", text.len()));
    }
    if let Some(json) = Json::parse(text) {
        check_whole(&json, &found)?;
    }
    for chunk in chunks {
        let other = tokenize(text, *chunk);
        if other != found {
            return Err(difference(&found, &other, *chunk));
        }
    }
    Ok(found)
}

fn difference(found: &DocumentContent, other: &DocumentContent, chunk: usize) -> String {
    let event = found.events.iter().zip(&other.events).position(|(a, b)| a != b);
    format!(
        "chunks of {chunk} bytes differ: {} and {} events (first different {event:?}), {} and {} members, faults {:?} and {:?}",
        found.events.len(),
        other.events.len(),
        found.members.len(),
        other.members.len(),
        found.faults,
        other.faults,
    )
}

/// Text without repairs is the file's.
fn check_text(text: &[u8], position: u64, found: &[u8], repairs: &[FaultKind]) -> Result<(), String> {
    let at = usize::try_from(position).unwrap_or(usize::MAX);
    let same = text.get(at..at + found.len()) == Some(found);
    if same == repairs.is_empty() {
        return Ok(());
    }
    let found = String::from_utf8_lossy(found);
    Err(format!("at byte {position}, with the repairs {repairs:?}, the file's text is {same}: {found}"))
}

fn check_event(text: &[u8], event: &Event) -> Result<(), String> {
    check_text(text, event.position, &event.text, &event.repairs)?;
    let Some(Json::Object(members)) = Json::parse(&event.text) else {
        return Err(format!("serde_json reads no object: {}", String::from_utf8_lossy(&event.text)));
    };
    if event.empty != members.is_empty() {
        return Err("empty or not".into());
    }
    same_members(&members, &event.outer)?;
    // The inner object is the last object that is a wanted member, unless another value replaced it.
    let is_object = |(index, (key, value)): &(usize, &(String, Json))| {
        matches!(value, Json::Object(_)).then_some(())?;
        WANTED.contains(&key.as_str()).then_some(*index)
    };
    let last = members.iter().enumerate().filter_map(|member| is_object(&member)).next_back();
    let inner = last.map(|index| &members[index]).filter(|(key, _)| {
        let of_key = members.iter().rev().find(|(other, _)| other == key);
        matches!(of_key, Some((_, Json::Object(_))))
    });
    match inner {
        Some((_, Json::Object(members))) => same_members(members, &event.inner),
        _ if event.inner.iter().any(Option::is_some) => Err("members of an inner object that is none".into()),
        _ => Ok(()),
    }
}

fn same_members(members: &[(String, Json)], found: &[Option<Member>]) -> Result<(), String> {
    for (key, found) in WANTED.iter().zip(found) {
        let expected = members.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value);
        let same = match (expected, found) {
            (None, None) => true,
            (Some(expected), Some(found)) => same_value(expected, found),
            _ => false,
        };
        if !same {
            return Err(format!("{key:?} is {found:?}, serde_json has {expected:?}"));
        }
    }
    Ok(())
}

fn same_value(expected: &Json, found: &Member) -> bool {
    match (expected, found) {
        (Json::Null, Member::Null) => true,
        (Json::Bool(expected), Member::Bool(found)) => expected == found,
        (Json::Text(expected), Member::Text(found)) => expected.as_bytes() == found,
        (Json::List(_), Member::List(text)) | (Json::Object(_), Member::Object(text)) => {
            Json::parse(text).as_ref() == Some(expected)
        }
        (Json::Unsigned(expected), Member::Number(found)) => found.to_u64() == Some(*expected),
        (Json::Signed(expected), Member::Number(found)) => found.to_i64() == Some(*expected),
        // serde_json's own doubles are off by one in the last place at times.
        (Json::Float(expected), Member::Number(found)) => {
            let found = found.to_f64();
            (found - expected).abs() <= expected.abs() * 4.0 * f64::EPSILON + f64::from_bits(4)
        }
        _ => false,
    }
}

/// Checks the whole of a text that is valid JSON.
fn check_whole(json: &Json, found: &DocumentContent) -> Result<(), String> {
    let mut events = Vec::new();
    let mut others = 0;
    let mut members = Vec::new();
    let mut list = |values: &[Json]| {
        for value in values {
            if matches!(value, Json::Object(_)) { events.push(value.clone()) } else { others += 1 }
        }
    };
    let mut told = Vec::new();
    match json {
        Json::List(values) => list(values),
        // Without a list it is an event itself, if it looks like one.
        Json::Object(all)
            if all.iter().all(|(key, value)| key != LIST || !matches!(value, Json::List(_)))
                && all.iter().any(|(key, _)| WANTED.contains(&key.as_str())) =>
        {
            told.push(FaultKind::Lines);
            events.push(json.clone());
        }
        Json::Object(all) => {
            let mut lists = 0;
            for (key, value) in all {
                match value {
                    Json::List(values) if key == LIST => {
                        lists += 1;
                        if lists > 1 {
                            told.push(FaultKind::SecondList);
                        }
                        list(values);
                    }
                    _ => {
                        if key == LIST {
                            told.push(FaultKind::SecondList);
                        }
                        members.push((key.clone(), Some(value.clone())));
                    }
                }
            }
        }
        _ => return Ok(()),
    }
    let found_events: Vec<Json> = found.events.iter().filter_map(|event| Json::parse(&event.text)).collect();
    if found_events != events {
        return Err(format!("serde_json has {} events, the tokenizer {}", events.len(), found_events.len()));
    }
    let found_members: Vec<_> =
        found.members.iter().map(|member| (member.key.clone(), Json::parse(&member.text))).collect();
    if found_members != members {
        return Err(format!("serde_json has members {members:?}, the tokenizer {found_members:?}"));
    }
    told.extend(std::iter::repeat_n(FaultKind::NotAnObject, others));
    let mut faults: Vec<FaultKind> = found.faults.iter().map(|fault| fault.kind).collect();
    let order = |kind: &FaultKind| format!("{kind:?}");
    told.sort_by_key(order);
    faults.sort_by_key(order);
    if faults == told { Ok(()) } else { Err(format!("a valid document, {told:?} expected: {:?}", found.faults)) }
}
