//! A collective on all ranks, as JSON.

use schemars::JsonSchema;
use serde::Serialize;

use stepscope_analyze::Rank;
use stepscope_analyze::{MatchedBy, Peer, Peers};

/// A collective on all ranks that took part.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct EventPeersReport {
    /// `sequence`, `order` or `moment`; null if no peer was found.
    matched_by: Option<&'static str>,
    peers: Vec<EventPeerReport>,
}

#[derive(Debug, JsonSchema, Serialize)]
struct EventPeerReport {
    /// The index of the rank among open ranks.
    index: usize,
    /// The number of the rank, if known.
    rank: Option<u64>,
    input: String,
    /// The slice; null if the rank belongs to the group but did not take part.
    slice: Option<u32>,
    start_ns: Option<i64>,
    length_ns: Option<i64>,
    /// Start relative to the selected event, on the common clock.
    offset_ns: Option<i64>,
    /// Length beyond that of the shortest peer.
    wait_ns: Option<i64>,
}

impl EventPeersReport {
    /// The report; `places` maps the job's ranks to indices in `ranks`.
    pub(super) fn of(ranks: &[Rank], places: &[usize], found: &Peers) -> Self {
        let report = |peer: &Peer| {
            let index = places[peer.rank];
            let Rank { rank, file, .. } = &ranks[index];
            EventPeerReport {
                index,
                rank: *rank,
                input: file.clone(),
                slice: peer.part.map(|part| part.event.0),
                start_ns: peer.part.map(|part| part.start.0),
                length_ns: peer.part.map(|part| part.length.0),
                offset_ns: peer.part.and_then(|part| part.offset).map(|offset| offset.0),
                wait_ns: peer.part.and_then(|part| part.wait).map(|wait| wait.0),
            }
        };
        Self { matched_by: found.by.map(MatchedBy::name), peers: found.peers.iter().map(report).collect() }
    }
}
