//! Shards: ranges of a file's event list that are read independently, and their merge.
//!
//! An event's result depends little on the file before it. Whether strings and other interned data were seen before
//! is handled by [`TraceBuilder::absorb`]. Beginnings and ends are matched at the end of the file. All other
//! dependencies end a shard: call stack samples, whose chunks continue each other, and the dialect's own.

use super::event::{Core, Dialect};
use super::events::Events;
use super::naming::Naming;
use super::{ChromeReading, LIST, ids, keys};
use crate::reader::{Counts, ShardReading};
use stepscope_parse::{Ends, Keys, Object, Shard, ShardSink, Value};
use stepscope_trace::{TraceBuilder, Way, serialize_part, serialize_warnings};

/// Starts to read the events that begin in a shard of a file, in a dialect.
pub(crate) fn start_apart<D: Dialect + 'static>(piece: (u64, u64)) -> Box<dyn ShardReading> {
    let mut events = Events::<D>::new(TraceBuilder::new());
    events.naming = Some(Vec::new());
    Box::new(ChromePiece { piece: Shard::new(LIST, Keys::new(D::WANTED), keys::PHASE, piece), events })
}

struct ChromePiece<D> {
    piece: Shard,
    events: Events<D>,
}

impl<D: Dialect> ShardSink for Events<D> {
    #[inline]
    fn reads_apart(&self, object: &Object<'_>) -> bool {
        let is_sample = matches!(object.get(keys::PHASE), Some(Value::Text(text)) if text.bytes().starts_with(b"P"));
        !is_sample && D::reads_apart(object)
    }
}

impl<D: Dialect> ShardReading for ChromePiece<D> {
    fn space(&mut self, len: usize) -> &mut [u8] {
        self.piece.space(len)
    }

    fn advance(&mut self, len: usize) {
        self.piece.advance(len, &mut self.events);
    }

    fn is_done(&self) -> bool {
        self.piece.is_done()
    }

    fn counts(&self) -> Counts {
        Counts::of(&self.events.core.builder)
    }

    fn serialize(mut self: Box<Self>, hand: &mut dyn FnMut(&[u8])) {
        let Some(mut ends) = self.piece.ends().filter(|_| self.events.core.builder.can_be_absorbed()) else { return };
        let mut way = Way::out(hand);
        whose::<D>(&mut way);
        between(&mut way, &mut ends);
        found(&mut way, &mut self.events);
        way.end();
    }
}

impl<D: Dialect> ChromeReading<D> {
    /// Merges the shard that begins where this one stopped; returns whether it did.
    pub(super) fn join_piece(&mut self, next: &mut dyn FnMut(&mut Vec<u8>) -> bool, stop: u64) -> bool {
        let mut way = Way::into(next);
        let mut ends = Ends::default();
        if !whose::<D>(&mut way) {
            return false;
        }
        between(&mut way, &mut ends);
        if !way.is_whole() || self.document.stopped() != Some(ends.begin) || !self.events.dialect.is_as_at_first() {
            return false;
        }
        let mut events = Events::<D>::new(TraceBuilder::new());
        found(&mut way, &mut events);
        let joined = way.is_whole() && self.document.go_on_behind(&ends, stop);
        if joined {
            self.events.absorb(events);
        }
        joined
    }
}

/// Checks that a shard was read by the same dialect.
fn whose<D>(way: &mut Way<'_>) -> bool {
    let own = std::any::type_name::<D>();
    let mut name = own.to_owned();
    way.text(&mut name);
    name == own
}

fn between(way: &mut Way<'_>, ends: &mut Ends) {
    let Ends { begin, end, comma, first_keys } = ends;
    way.row(begin);
    way.row(end);
    way.row(comma);
    way.list(first_keys, Default::default, |way, key| {
        let mut bytes = std::mem::take(key).into_vec();
        way.column(&mut bytes);
        *key = bytes.into();
    });
}

fn found<D: Dialect>(way: &mut Way<'_>, events: &mut Events<D>) {
    let Events { core: Core { builder, warnings }, dialect, naming, pairs, seen, .. } = events;
    serialize_part(way, builder);
    serialize_warnings(way, warnings);
    way.column(naming.get_or_insert_default());
    pairs.serialize(way);
    dialect.serialize(way);
    way.row(seen);
}

impl<D: Dialect> Events<D> {
    /// Adds the results of the next shard.
    fn absorb(&mut self, piece: Self) {
        let Core { builder, warnings } = &mut self.core;
        let handles = builder.absorb(piece.core.builder, ids::moved);
        warnings.merge(piece.core.warnings);
        for naming in piece.naming.into_iter().flatten() {
            Naming {
                process: handles.raw(naming.process),
                thread: handles.raw(naming.thread),
                text: handles.name(naming.text),
                ..naming
            }
            .apply(builder);
        }
        self.pairs.absorb(piece.pairs, &handles);
        self.dialect.absorb(piece.dialect);
        self.seen += piece.seen;
    }
}
