//! A collective on all ranks, as JSON.

use schemars::JsonSchema;
use serde::Serialize;

use stepscope_analyze::Rank;
use stepscope_analyze::{MatchedBy, Peer, Peers};

/// A collective on all ranks that have a share in it.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct EventPeersReport {
    /// `sequence`, `order` or `moment`; nothing if no other rank's part belongs to it.
    matched_by: Option<&'static str>,
    peers: Vec<EventPeerReport>,
}

#[derive(Debug, JsonSchema, Serialize)]
struct EventPeerReport {
    /// The rank by its place among those that are open.
    index: usize,
    /// Its number, where it has one.
    rank: Option<u64>,
    input: String,
    /// None: the rank has no part in it, though it belongs to the group.
    slice: Option<u32>,
    start_ns: Option<i64>,
    length_ns: Option<i64>,
    /// How much later it starts than the one that was asked for, on the clock of all ranks.
    offset_ns: Option<i64>,
    /// What it takes longer than the shortest part.
    wait_ns: Option<i64>,
}

impl EventPeersReport {
    /// What was found; `places` are those of the job's ranks among `ranks`.
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
