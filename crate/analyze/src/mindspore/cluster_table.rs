//! The tables of MindSpore's cluster pages: ranks, links between them, outliers.

use super::cluster::{
    Cluster, ClusterPlace, ClusterRow, CommunicationOperatorRow, LinkRow, Outlier, RankFlops, whole_operations,
};
use stepscope_table::{Bar, Field, Rows, Unit, Value};

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
        Field::<Self>::new("iteration_interval_ns", Unit::Duration, |row, _| row.iteration_interval.into()),
        Field::<Self>::new("computation_ns", Unit::Duration, |row, _| row.computation.into()).known(),
        Field::<Self>::new("communication_alone_ns", Unit::Duration, |row, _| row.communication_alone.into()).known(),
        Field::<Self>::new("stage_ns", Unit::Duration, |row, _| row.stage.into()),
        Field::<Self>::new("receive_alone_ns", Unit::Duration, |row, _| row.receive_alone.into()),
        Field::<Self>::new("collective_alone_ns", Unit::Duration, |row, _| row.collective_alone.into()),
        Field::<Self>::new("flops", Unit::Flops, |row, of| {
            of.flops_of(row).map(|flops| whole_operations(flops.operations)).into()
        }),
        Field::<Self>::new("flops_per_second", Unit::FlopsPerSecond, |row, of| {
            of.flops_of(row).map(|flops| flops.rate).into()
        }),
    ];
    const SORT: &'static str = "rank";
    const IS_ASCENDING: bool = true;
    type Row = ClusterRow;
    type Context<'a> = Cluster;
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

/// The table of communication operators, from each rank's file.
#[derive(Debug)]
pub enum ClusterOperatorTable {}

impl Rows for ClusterOperatorTable {
    const ID: &'static str = "cluster.operators";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("operator", Unit::Text, |row, ()| row.operator.as_str().into()).known(),
        Field::<Self>::new("rank", Unit::Id, |row, ()| Value::id(row.rank)).known(),
        Field::<Self>::new("communication_ns", Unit::Duration, |row, ()| row.communication.into())
            .bar(Bar::OfLargest)
            .known(),
        Field::<Self>::new("wait_ns", Unit::Duration, |row, ()| row.wait.into()).bar(Bar::OfLargest).known(),
    ];
    const SORT: &'static str = "wait_ns";
    type Row = CommunicationOperatorRow;
    type Context<'a> = ();
}

/// The table of floating-point operations, as each rank's file has them.
#[derive(Debug)]
pub enum ClusterFlopsTable {}

impl Rows for ClusterFlopsTable {
    const ID: &'static str = "cluster.flops";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("rank", Unit::Id, |row, ()| Value::id(row.rank)).known(),
        Field::<Self>::new("mflops", Unit::MillionFlops, |row, ()| (row.operations / 1e6).into()).known(),
        Field::<Self>::new("gflops_per_second", Unit::GigaflopsPerSecond, |row, ()| (row.rate / 1e9).into()).known(),
    ];
    const SORT: &'static str = "rank";
    const IS_ASCENDING: bool = true;
    type Row = RankFlops;
    type Context<'a> = ();
}

/// The table of stages and their rates of communication alone.
#[derive(Debug)]
pub enum ClusterStageTable {}

impl Rows for ClusterStageTable {
    const ID: &'static str = "cluster.within_stages";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("stage", Unit::Id, |row, ()| Value::id(row.0)).known(),
        Field::<Self>::new("rate", Unit::Share, |row, ()| row.1.into()).known(),
    ];
    const SORT: &'static str = "stage";
    const IS_ASCENDING: bool = true;
    type Row = (u64, f64);
    type Context<'a> = ();
}

/// The table of places that are worse than the mean.
#[derive(Debug)]
pub enum OutlierTable {}

impl Rows for OutlierTable {
    const ID: &'static str = "cluster.outliers";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("what", Unit::Word("cluster_outlier"), |row, ()| Value::Word(row.place.name())).known(),
        Field::<Self>::new("rank", Unit::Id, |row, ()| match row.place {
            ClusterPlace::Interval(rank) | ClusterPlace::Rate(rank) => Value::id(rank),
            _ => Value::Unknown,
        })
        .omitted(),
        Field::<Self>::new("stage", Unit::Id, |row, ()| match row.place {
            ClusterPlace::Stage(stage) => Value::id(stage),
            _ => Value::Unknown,
        })
        .omitted(),
        Field::<Self>::new("link", Unit::Text, |row, ()| match &row.place {
            ClusterPlace::Link(link, kind) => Value::Text([link, " ", kind].concat().into()),
            _ => Value::Unknown,
        })
        .omitted(),
        Field::<Self>::new("value", Unit::Measure("unit"), |row, ()| (row.value / row.place.scale()).into()).known(),
        Field::<Self>::new("unit", Unit::Text, |row, ()| row.place.unit().into()).data().known(),
        Field::<Self>::new("worse_by", Unit::Share, |row, ()| row.by.into()).known(),
    ];
    const SORT: &'static str = "worse_by";
    type Row = Outlier;
    type Context<'a> = ();
}

impl ClusterPlace {
    /// A stable name of what is compared.
    fn name(&self) -> &'static str {
        match self {
            Self::Interval(_) => "iteration_interval",
            Self::Rate(_) => "gflops_per_second",
            Self::Link(..) => "link",
            Self::Stage(_) => "mflops",
        }
    }

    /// The size of the unit that JSON has its value in.
    fn scale(&self) -> f64 {
        match self {
            Self::Interval(_) | Self::Link(..) => 1.0,
            Self::Rate(_) => 1e9,
            Self::Stage(_) => 1e6,
        }
    }

    /// The name of the unit of its value, as other tables of JSON name it.
    fn unit(&self) -> &'static str {
        match self {
            Self::Interval(_) => "ns",
            Self::Rate(_) => Unit::GigaflopsPerSecond.name(),
            Self::Link(..) => Unit::BytesPerSecond.name(),
            Self::Stage(_) => Unit::MillionFlops.name(),
        }
    }
}
