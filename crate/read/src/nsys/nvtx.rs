//! NVTX: ranges and marks set by programs.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::{Report, thread_of};
use crate::cupti::{HostSlice, span};
use stepscope_base::{Code, Nanos};
use stepscope_trace::{AddedSlice, Class, InstantEvent, Layer, NO_SERIAL, Operation, RawId, Serial};

/// Codes of events (documented).
const MARK: i64 = 34;
const THREAD_NAME: i64 = 39;
const PUSH_POP: i64 = 59;
const START_END: i64 = 60;
const DOMAIN: i64 = 75;

impl Report<'_, '_> {
    /// Ranges and marks.
    pub(super) fn ranges(&mut self) {
        const COLUMNS: [&str; 7] = ["start", "end", "globalTid", "eventType", "textId", "domainId", "text"];
        let domains = self.domains();
        let mut open: Vec<AddedSlice> = Vec::new();
        let mut latest = Nanos::MIN;
        let Self { tables, builder, warnings, strings, categories, .. } = self;
        tables.scan("NVTX_EVENTS", &COLUMNS, warnings, |row, warnings| {
            let [start, end, thread, kind, text_id, domain]: [Option<i64>; 6] = row.integers();
            builder.meta.events += 1;
            let thread = thread_of(thread);
            let text = row.get(6).text();
            let text = text.or_else(|| text_id.and_then(|id| strings.bytes(id)).map(Cow::Borrowed)).unwrap_or_default();
            let full = match domain.and_then(|domain| domains.get(&(thread.0, domain))) {
                Some(domain) => [domain, &b":"[..], &text].concat().into(),
                None => text,
            };
            let (process, id) = (RawId::Number(thread.0), RawId::Number(thread.1));
            match kind {
                Some(PUSH_POP | START_END) => {
                    // A range that never ended gets its start as the end here, and later that of the trace.
                    let Some(span) = span(start, end.or(start), row.position, warnings) else { return };
                    latest = latest.max(span.1);
                    let operator = operator(&full);
                    let (class, category) = match operator {
                        Some(_) => (Class::Operator, categories.operator),
                        None => (Class::Annotation, categories.annotation),
                    };
                    let name = builder.intern(operator.map_or(&full, |(name, _)| name));
                    let slice = HostSlice { class, category, name, span, thread, position: row.position };
                    let slice = slice.add(builder);
                    if let Some((_, sequence)) = operator.filter(|(_, sequence)| *sequence != NO_SERIAL) {
                        builder.operation(slice, Operation { sequence, ..Operation::default() });
                    }
                    if end.is_none() {
                        warnings.add(Code::UnclosedSlice, Some(row.position), || {
                            String::from_utf8_lossy(&full).into_owned()
                        });
                        open.push(slice);
                    }
                }
                Some(MARK) => {
                    let track = builder.track(process, id, Layer::Profiler, None);
                    let name = builder.intern(&full);
                    builder.instant(InstantEvent { at: Nanos(start.unwrap_or_default()), track, name });
                }
                Some(THREAD_NAME) => {
                    let name = builder.intern(&full);
                    builder.name_thread(process, id, Some(name), None);
                }
                // Names of domains and categories.
                _ => {}
            }
        });
        let latest = builder.latest().unwrap_or(Nanos::MIN).max(latest);
        for row in open {
            builder.end_slice(row, latest);
        }
    }

    /// Names of domains by process and id.
    fn domains(&mut self) -> BTreeMap<(i64, i64), Vec<u8>> {
        let mut domains = BTreeMap::new();
        let Self { tables, warnings, strings, .. } = self;
        let columns = ["eventType", "globalTid", "domainId", "textId", "text"];
        tables.scan("NVTX_EVENTS", &columns, warnings, |row, _| {
            let [kind, thread, domain, text_id]: [Option<i64>; 4] = row.integers();
            if let (Some(DOMAIN), Some(domain)) = (kind, domain) {
                let text = row.get(4).text().map(Cow::into_owned);
                let text = text.or_else(|| text_id.and_then(|id| strings.bytes(id)).map(<[u8]>::to_vec));
                domains.insert((thread_of(thread).0, domain), text.unwrap_or_default());
            }
        });
        domains.retain(|_, name| !name.is_empty());
        domains
    }
}

/// The name and sequence number of an operator, if the range is from PyTorch's `emit_nvtx`.
///
/// The name is followed by `, seq = 7`, `, op_id = 12` or `, sizes = […]`, in this order; each is optional.
fn operator(text: &[u8]) -> Option<(&[u8], Serial)> {
    const ENDINGS: [&[u8]; 3] = [b", seq = ", b", op_id = ", b", sizes = "];
    let find = |part: &[u8]| text.windows(part.len()).position(|window| window == part);
    let end = ENDINGS.iter().filter_map(|ending| find(ending)).min()?;
    let sequence = find(ENDINGS[0]).and_then(|at| {
        let digits = text[at + ENDINGS[0].len()..].split(|byte| !byte.is_ascii_digit()).next()?;
        std::str::from_utf8(digits).ok()?.parse().ok()
    });
    Some((&text[..end], sequence.unwrap_or(NO_SERIAL)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_of_pytorch() {
        assert_eq!(operator(b"aten::mm, seq = 7, op_id = 12, sizes = [[2, 3], [3, 4]]"), Some((&b"aten::mm"[..], 7)));
        assert_eq!(operator(b"aten::t, op_id = 12"), Some((&b"aten::t"[..], NO_SERIAL)));
        assert_eq!(operator(b"step 4, epoch = 1"), None);
    }
}
