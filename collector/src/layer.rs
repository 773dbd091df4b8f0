//! Records the spans and events of `tracing`: the feature `tracing`.

use std::cell::RefCell;
use std::fmt;

use stepscope_format::Category;
use tracing_core::field::{Field, Visit};
use tracing_core::span::{Attributes, Id, Record};
use tracing_core::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer};
use tracing_subscriber::registry::LookupSpan;

use crate::record::{Mark, Span, Value, is_recording};

/// The field with a span's category, by [`Category::name`].
const CATEGORY: &str = "stepscope.category";

/// The field with a span's number, such as a step's.
const VALUE: &str = "stepscope.value";

/// Records the spans and events of `tracing`. Each time from entering a span to leaving it is a span, with its fields
/// as arguments. Each event is an instant event named by its message, with its level, target and fields.
///
/// A field `stepscope.category` is a span's category (`"step"`, `"dataloader"`, `"forward"`, `"backward"`,
/// `"optimizer"`, `"operator"`, `"communication"`), `stepscope.value` is its number. While nothing is recorded, each
/// call is a relaxed load. A message or text field that is different each time costs a name each time: filter such
/// events out with `with_filter`.
///
/// ```
/// use stepscope_collector::{Options, TracingLayer, start, stop};
/// use tracing_subscriber::layer::SubscriberExt;
///
/// # let folder = std::env::temp_dir().join(format!("stepscope-tracing-{}", std::process::id()));
/// let subscriber = tracing_subscriber::registry().with(TracingLayer::new());
/// start(&Options::new(&folder))?;
/// tracing::subscriber::with_default(subscriber, || {
///     let _step = tracing::info_span!("train", stepscope.category = "step", stepscope.value = 3, lr = 0.1).entered();
///     tracing::info!(loss = 0.5, "step done");
/// });
/// stop();
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct TracingLayer;

impl TracingLayer {
    /// Records spans and events of all levels; filter them as with any other layer.
    #[must_use]
    pub fn new() -> Self {
        Self
    }
}

/// A field's value, kept until its span is entered.
#[derive(Clone, Debug)]
enum Kept {
    Signed(i64),
    Unsigned(u64),
    Float(f64),
    Text(Box<str>),
    Bool(bool),
}

impl Kept {
    fn value(&self) -> Value<'_> {
        match self {
            Self::Signed(value) => Value::Signed(*value),
            Self::Unsigned(value) => Value::Unsigned(*value),
            Self::Float(value) => Value::Float(*value),
            Self::Text(value) => Value::Text(value),
            Self::Bool(value) => Value::Bool(*value),
        }
    }
}

/// A span's fields.
#[derive(Debug)]
struct Fields {
    category: Category,
    value: u64,
    arguments: Vec<(&'static str, Kept)>,
}

impl Default for Fields {
    fn default() -> Self {
        Self { category: Category::General, value: 0, arguments: Vec::new() }
    }
}

impl Fields {
    fn put(&mut self, field: &Field, value: Kept) {
        match (field.name(), &value) {
            (CATEGORY, Kept::Text(name)) => {
                let named = Category::ALL.iter().find(|category| category.name() == &**name);
                self.category = named.copied().unwrap_or(Category::General);
            }
            (VALUE, Kept::Unsigned(value)) => self.value = *value,
            (VALUE, Kept::Signed(value)) => self.value = value.cast_unsigned(),
            (name, _) => match self.arguments.iter_mut().find(|(known, _)| *known == name) {
                Some((_, known)) => *known = value,
                None => self.arguments.push((name, value)),
            },
        }
    }
}

impl Visit for Fields {
    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, Kept::Signed(value));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, Kept::Unsigned(value));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, Kept::Float(value));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, Kept::Bool(value));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, Kept::Text(value.into()));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.put(field, Kept::Text(format!("{value:?}").into()));
    }
}

thread_local! {
    /// The spans that are entered on this thread, by their ids.
    static ENTERED: RefCell<Vec<(u64, Span)>> = const { RefCell::new(Vec::new()) };
}

impl<S> Layer<S> for TracingLayer
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        if is_recording() && !attributes.fields().is_empty() {
            let mut fields = Fields::default();
            attributes.record(&mut fields);
            if let Some(span) = context.span(id) {
                span.extensions_mut().insert(fields);
            }
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        if !is_recording() {
            return;
        }
        let mut said = Fields::default();
        values.record(&mut said);
        let _ = ENTERED.try_with(|entered| {
            if let Ok(entered) = entered.try_borrow()
                && let Some((_, span)) = entered.iter().rev().find(|(entered, _)| *entered == id.into_u64())
            {
                said.arguments.iter().for_each(|(key, value)| span.argument(*key, value.value()));
            }
        });
        if let Some(span) = context.span(id) {
            let mut extensions = span.extensions_mut();
            match extensions.get_mut::<Fields>() {
                Some(fields) => values.record(fields),
                None => extensions.insert(said),
            }
        }
    }

    fn on_enter(&self, id: &Id, context: Context<'_, S>) {
        if !is_recording() {
            return;
        }
        let Some(entered) = context.span(id) else { return };
        let extensions = entered.extensions();
        let fields = extensions.get::<Fields>();
        let (category, value) = fields.map_or((Category::General, 0), |fields| (fields.category, fields.value));
        let span = Span::with(category, entered.metadata().name(), value);
        for (key, value) in fields.iter().flat_map(|fields| &fields.arguments) {
            span.argument(*key, value.value());
        }
        let _ = ENTERED.try_with(|entered| {
            if let Ok(mut entered) = entered.try_borrow_mut() {
                entered.push((id.into_u64(), span));
            }
        });
    }

    fn on_exit(&self, id: &Id, _context: Context<'_, S>) {
        // A span that was entered while something was recorded is taken off in any case.
        let left = ENTERED.try_with(|entered| {
            let mut entered = entered.try_borrow_mut().ok()?;
            let place = entered.iter().rposition(|(entered, _)| *entered == id.into_u64())?;
            Some(entered.remove(place))
        });
        drop(left);
    }

    fn on_event(&self, event: &Event<'_>, _context: Context<'_, S>) {
        if !is_recording() {
            return;
        }
        let mut fields = Fields::default();
        event.record(&mut fields);
        let message = fields.arguments.iter().position(|(name, _)| *name == "message");
        let message = message.map(|place| fields.arguments.remove(place).1);
        let metadata = event.metadata();
        let mark = match &message {
            Some(Kept::Text(text)) => Mark::record(&**text, fields.value),
            _ => Mark::record(metadata.name(), fields.value),
        };
        mark.argument("level", metadata.level().as_str());
        mark.argument("target", metadata.target());
        for (key, value) in &fields.arguments {
            mark.argument(*key, value.value());
        }
    }
}
