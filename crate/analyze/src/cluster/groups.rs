//! Process groups of a job, from all of its ranks, and their purposes.

use std::collections::BTreeMap;

use super::digest::RankDigest;
use super::operation::CollectiveKind;
use super::parallel::{ParallelGrid, ParallelStrategy};
use super::parallel_kind::{ParallelKind, ParallelSource};
use stepscope_base::CompactSort as _;
use stepscope_table::{Field, Rows, Unit, Value};

/// A process group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobGroup {
    /// Its name; empty if unknown.
    pub name: String,
    /// Its purpose, as its creator describes it.
    pub description: String,
    /// Its ranks: those listed in a trace, else those seen to take part.
    pub ranks: Vec<u64>,
    /// Whether a trace lists the ranks.
    pub told: bool,
    /// Its number of ranks.
    pub size: u64,
    /// Whether a trace has that size, as a number or a list of ranks; else it counts the ranks that are seen.
    pub sized: bool,
    /// Its kind of parallelism; none for a group of one rank.
    pub parallel: Option<(ParallelKind, ParallelSource)>,
}

/// The table of process groups.
#[derive(Debug)]
pub enum GroupTable {}

impl Rows for GroupTable {
    const ID: &'static str = "job.groups";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("name", Unit::Text, |row, ()| row.name.as_str().into()).known(),
        Field::<Self>::new("description", Unit::Text, |row, ()| row.description.as_str().into()).known(),
        Field::<Self>::new("ranks", Unit::Ids, |row, ()| row.ranks.as_slice().into()).known(),
        Field::<Self>::new("ranks_told", Unit::Flag, |row, ()| row.told.into()).known(),
        Field::<Self>::new("size", Unit::Count, |row, ()| row.size.into()).known(),
        Field::<Self>::new("parallel", Unit::Word("drill_down.parallel"), |row, ()| {
            row.parallel.map_or(Value::Unknown, |(kind, _)| Value::Word(kind.name()))
        }),
        Field::<Self>::new("parallel_source", Unit::Word("drill_down.source"), |row, ()| {
            row.parallel.map_or(Value::Unknown, |(_, source)| Value::Word(source.name()))
        }),
    ];
    const FIRST: &'static [&'static str] = &["name", "parallel", "parallel_source", "description", "size"];
    const SORT: &'static str = "size";
    type Row = JobGroup;
    type Context<'a> = ();
}

/// The groups that are used, and the indices of each rank's own groups among them.
pub(super) struct JobGroups {
    pub(super) list: Vec<JobGroup>,
    /// By rank, by index in its own list.
    pub(super) of_rank: Vec<Vec<usize>>,
}

impl JobGroups {
    /// Merges the groups of ranks: the same group has the same name and ranks. A rank that does not list the ranks
    /// means the group of that name to which it belongs, if there is exactly one.
    pub(super) fn of(ranks: &[RankDigest], given: Option<&ParallelGrid>) -> Self {
        let mut list: Vec<JobGroup> = Vec::new();
        let mut known: BTreeMap<(&str, &[u64]), usize> = BTreeMap::new();
        let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut of_rank: Vec<Vec<usize>> = ranks.iter().map(|rank| vec![usize::MAX; rank.groups.len()]).collect();
        for told in [true, false] {
            for (number, rank) in ranks.iter().enumerate() {
                let mut used = vec![false; rank.groups.len()];
                rank.parts.iter().for_each(|part| used[part.group as usize] = true);
                for (place, group) in rank.groups.iter().enumerate() {
                    if !used[place] || group.ranks.is_empty() == told {
                        continue;
                    }
                    let of_name = by_name.get(group.name.as_str()).map(Vec::as_slice).unwrap_or_default();
                    let mut mine = of_name.iter().copied().filter(|place| list[*place].ranks.contains(&rank.rank));
                    let (first, second) = (mine.next(), mine.next());
                    let found = match (told, first, second) {
                        (false, Some(one), None) => Some(one),
                        _ => known.get(&(group.name.as_str(), group.ranks.as_slice())).copied(),
                    };
                    let found = found.unwrap_or_else(|| {
                        list.push(JobGroup {
                            name: group.name.clone(),
                            description: group.description.clone(),
                            ranks: group.ranks.clone(),
                            told,
                            size: group.size.unwrap_or_default().max(group.ranks.len() as u64),
                            sized: told,
                            parallel: None,
                        });
                        known.insert((group.name.as_str(), group.ranks.as_slice()), list.len() - 1);
                        by_name.entry(group.name.as_str()).or_default().push(list.len() - 1);
                        list.len() - 1
                    });
                    list[found].sized |= group.size.is_some();
                    if !list[found].told && !list[found].ranks.contains(&rank.rank) {
                        list[found].ranks.push(rank.rank);
                    }
                    of_rank[number][place] = found;
                }
            }
        }
        let mut groups = Self { list, of_rank };
        groups.tell_parallel(ranks, given);
        groups
    }

    fn tell_parallel(&mut self, ranks: &[RankDigest], given: Option<&ParallelGrid>) {
        // Point-to-point, all-to-all, others.
        let mut counts = vec![[0_u64; 3]; self.list.len()];
        for (rank, groups) in ranks.iter().zip(&self.of_rank) {
            for part in &rank.parts {
                let kind = match part.kind {
                    kind if kind.is_point_to_point() => 0,
                    CollectiveKind::AllToAll => 1,
                    _ => 2,
                };
                counts[groups[part.group as usize]][kind] += 1;
            }
        }
        for group in &mut self.list {
            group.ranks.compact_sort();
            group.size = group.size.max(group.ranks.len() as u64);
        }
        let neighbours =
            |group: &JobGroup| group.ranks.len() > 1 && group.ranks.windows(2).all(|pair| pair[1] == pair[0] + 1);
        let blocks = self.list.iter().filter(|group| neighbours(group)).map(|group| group.ranks.as_slice());
        let mut blocks: Vec<Vec<u64>> = blocks.map(<[u64]>::to_vec).collect();
        blocks.compact_sort();
        blocks.dedup();
        let strategy = ranks.iter().find_map(|rank| rank.strategy.as_ref());
        let by_strategy =
            |group: &JobGroup| strategy.and_then(|strategy| ParallelStrategy::kind_of(strategy, &group.ranks));
        for (group, [between, all_to_all, others]) in self.list.iter_mut().zip(counts) {
            let described = ParallelKind::of_description(&group.description)
                .or_else(|| ParallelKind::of_description(&group.name))
                .map(|kind| (kind, ParallelSource::Described));
            let several = blocks.iter().filter(|block| block.len() == group.ranks.len()).count() > 1;
            let shape = if between > 0 && all_to_all + others == 0 {
                ParallelKind::Pipeline
            } else if all_to_all > others {
                ParallelKind::Expert
            } else if several && blocks.contains(&group.ranks) {
                ParallelKind::Tensor
            } else {
                ParallelKind::Data
            };
            let given = given.and_then(|grid| grid.kind_of(&group.ranks)).map(|kind| (kind, ParallelSource::Given));
            let strategy = by_strategy(group).map(|kind| (kind, ParallelSource::Strategy));
            group.parallel =
                given.or(described).or(strategy).or(Some((shape, ParallelSource::Shape))).filter(|_| group.size != 1);
        }
    }
}
