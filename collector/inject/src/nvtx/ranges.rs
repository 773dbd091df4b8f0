//! Ranges of threads, and ranges without a thread.

use std::cell::RefCell;
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicU32, Ordering};

use stepscope_collector::{Category, Mark, Name, Span, StaticName, Value, async_begin, async_end, is_recording};

use super::domains::{Domain, category_name};
use super::names::Label;

/// Contents of a range or an instant event beside its name.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Said {
    /// The category; 0 for none.
    pub(super) category: u32,
    pub(super) payload: Option<Payload>,
}

/// A number of the program's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Payload {
    Unsigned(u64),
    Signed(i64),
    Float(f64),
}

impl From<Payload> for Value<'_> {
    fn from(payload: Payload) -> Self {
        match payload {
            Payload::Unsigned(value) => Value::Unsigned(value),
            Payload::Signed(value) => Value::Signed(value),
            Payload::Float(value) => Value::Float(value),
        }
    }
}

static CATEGORY: StaticName = StaticName::new("category");
static PAYLOAD: StaticName = StaticName::new("payload");
static SEQUENCE: StaticName = StaticName::new("seq");

/// A range that was pushed: it is never closed by going out of scope, but shown as open where its thread ends.
struct Pushed {
    domain: Domain,
    span: ManuallyDrop<Span>,
}

thread_local! {
    static PUSHED: RefCell<Vec<Pushed>> = const { RefCell::new(Vec::new()) };
}

/// Not tracked: NVTX's return value without a level.
const NO_LEVEL: i32 = -2;

/// Passes the contents of a range or an instant event to `argument`, one by one.
fn tell(domain: Domain, label: &Label, said: &Said, mut argument: impl FnMut(&'static StaticName, Argument)) {
    if let Some(sequence) = label.sequence {
        argument(&SEQUENCE, Argument::Value(Value::Unsigned(sequence)));
    }
    if said.category != 0 {
        argument(
            &CATEGORY,
            match category_name(domain, said.category) {
                Some(name) => Argument::Name(name),
                None => Argument::Value(Value::Unsigned(said.category.into())),
            },
        );
    }
    if let Some(payload) = said.payload {
        argument(&PAYLOAD, Argument::Value(payload.into()));
    }
}

/// An argument's value.
enum Argument {
    Value(Value<'static>),
    /// A text that has a number already.
    Name(Name),
}

impl From<Argument> for Value<'static> {
    fn from(argument: Argument) -> Self {
        match argument {
            Argument::Value(value) => value,
            Argument::Name(name) => Value::Name(name),
        }
    }
}

/// Opens a range on this thread; returns its level in its domain.
#[inline]
pub(super) fn push(domain: Domain, label: Label, said: Said) -> i32 {
    let category = if label.is_operator { Category::Operator } else { Category::General };
    let span = Span::with(category, label.name, 0);
    if span.is_recorded() {
        tell(domain, &label, &said, |key, value| span.argument(key, value));
    }
    let push = |pushed: &RefCell<Vec<Pushed>>| {
        let mut pushed = pushed.try_borrow_mut().ok()?;
        let level = pushed.iter().filter(|pushed| pushed.domain == domain).count();
        pushed.push(Pushed { domain, span: ManuallyDrop::new(span) });
        i32::try_from(level).ok()
    };
    PUSHED.try_with(push).ok().flatten().unwrap_or(NO_LEVEL)
}

/// Closes the innermost range of a domain that is open on this thread; returns its level.
#[inline]
pub(super) fn pop(domain: Domain) -> i32 {
    let pop = |pushed: &RefCell<Vec<Pushed>>| {
        let mut pushed = pushed.try_borrow_mut().ok()?;
        let innermost = pushed.iter().rposition(|pushed| pushed.domain == domain)?;
        let span = pushed.remove(innermost).span;
        drop(ManuallyDrop::into_inner(span));
        i32::try_from(pushed.iter().filter(|pushed| pushed.domain == domain).count()).ok()
    };
    PUSHED.try_with(pop).ok().flatten().unwrap_or(NO_LEVEL)
}

/// Begins a range that any thread may end. Returns its id: its name's number above a number of its own, so that nothing
/// has to be remembered, not even across a fork.
pub(super) fn start(domain: Domain, label: Label, said: Said) -> u64 {
    static LAST: AtomicU32 = AtomicU32::new(0);
    let serial = LAST.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
    let id = u64::from(label.name.get()) << 32 | u64::from(serial);
    async_begin(label.name, id);
    if is_recording() && said != Said::default() {
        // An operation has no arguments: an instant event at its beginning has them.
        mark(domain, label, said);
    }
    id
}

/// Ends a range that [`start`] began.
pub(super) fn end(id: u64) {
    async_end(Name::of((id >> 32) as u32), id);
}

/// Records an instant event.
pub(super) fn mark(domain: Domain, label: Label, said: Said) {
    let mark = Mark::record(label.name, 0);
    if mark.is_recorded() {
        tell(domain, &label, &said, |key, value| mark.argument(key, value));
    }
}
