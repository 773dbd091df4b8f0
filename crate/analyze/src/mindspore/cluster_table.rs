//! The tables of MindSpore's cluster pages: ranks, and links between them.

use super::cluster::{Cluster, ClusterRow, LinkRow, RankFlops};
use stepscope_table::{Bar, Field, Rows, Unit};

/// The table of ranks, with the average steps from the profiler's own files.
#[derive(Debug)]
pub enum ClusterTable {}

impl Cluster {
    /// A rank's floating-point operations, where its file has them.
    fn flops_of(&self, row: &ClusterRow) -> Option<&RankFlops> {
        self.flops.iter().find(|flops| flops.rank == row.rank)
    }
}

impl Rows for ClusterTable {
    const ID: &'static str = "cluster.rows";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("rank", Unit::Id, |row, _| i64::try_from(row.rank).ok().into()).known(),
        Field::<Self>::new("iteration_interval_ns", Unit::Duration, |row, _| row.iteration_interval.into()).known(),
        Field::<Self>::new("computation_ns", Unit::Duration, |row, _| row.computation.into()).known(),
        Field::<Self>::new("communication_alone_ns", Unit::Duration, |row, _| row.communication_alone.into()).known(),
        Field::<Self>::new("stage_ns", Unit::Duration, |row, _| row.stage.into()),
        Field::<Self>::new("receive_alone_ns", Unit::Duration, |row, _| row.receive_alone.into()),
        Field::<Self>::new("collective_alone_ns", Unit::Duration, |row, _| row.collective_alone.into()),
        Field::<Self>::new("flops", Unit::Flops, |row, of| of.flops_of(row).map(RankFlops::whole).into()),
        Field::<Self>::new("flops_per_second", Unit::FlopsPerSecond, |row, of| {
            of.flops_of(row).map(|flops| flops.rate).into()
        }),
    ];
    const SORT: &'static str = "rank";
    const IS_ASCENDING: bool = true;
    type Row = ClusterRow;
    type Context<'a> = Cluster;
}

impl RankFlops {
    /// The number of operations.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a number of operations is not negative"
    )]
    fn whole(&self) -> u64 {
        self.operations.round() as u64
    }
}

/// The table of links between ranks, from each rank's file.
#[derive(Debug)]
pub enum ClusterLinkTable {}

impl Rows for ClusterLinkTable {
    const ID: &'static str = "cluster.links";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("rank", Unit::Id, |row, ()| i64::try_from(row.rank).ok().into()).known(),
        Field::<Self>::new("link", Unit::Text, |row, ()| row.link.as_str().into()).known(),
        Field::<Self>::new("type", Unit::Text, |row, ()| row.kind.as_str().into()).known(),
        Field::<Self>::new("time_ns", Unit::Duration, |row, ()| row.time.into()).known(),
        Field::<Self>::new("bytes", Unit::SignedBytes, |row, ()| row.bytes.into()).known(),
        Field::<Self>::new("bytes_per_second", Unit::BytesPerSecond, |row, ()| row.bandwidth.into())
            .bar(Bar::OfLargest)
            .known(),
    ];
    const FIRST: &'static [&'static str] = &["link", "type", "rank"];
    const SORT: &'static str = "bytes_per_second";
    const IS_ASCENDING: bool = true;
    type Row = LinkRow;
    type Context<'a> = ();
}
