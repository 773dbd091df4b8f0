//! Numbers of batches that were ready when one was requested, as our recorder counts them. METRICS section 7.

use std::collections::BTreeSet;

use super::data_loading::waits;
use stepscope_table::{Bar, Field, Rows, Unit};
use stepscope_trace::{Counter, NameId, Trace};

/// The name of a loader queue's counter is that of the loader's spans with this suffix.
const QUEUE: &str = " queue";

/// Numbers of ready batches, one value for each requested batch.
#[derive(Clone, Debug, PartialEq)]
pub struct LoaderQueue {
    /// The counter's name.
    pub name: NameId,
    /// The values, in order.
    pub ready: Vec<f64>,
}

impl LoaderQueue {
    fn times_empty(&self) -> u64 {
        self.ready.iter().filter(|ready| **ready <= 0.0).count() as u64
    }

    #[expect(clippy::cast_precision_loss, reason = "a share, a mean")]
    fn mean(&self) -> Option<f64> {
        (!self.ready.is_empty()).then(|| self.ready.iter().sum::<f64>() / self.ready.len() as f64)
    }

    #[expect(clippy::cast_precision_loss, reason = "a share")]
    fn empty_share(&self) -> Option<f64> {
        (!self.ready.is_empty()).then(|| self.times_empty() as f64 / self.ready.len() as f64)
    }
}

/// The queues of loaders: counters with the name of a wait for data and the suffix ` queue`.
#[must_use]
pub fn loader_queues(trace: &Trace) -> Vec<LoaderQueue> {
    let loaders: BTreeSet<&str> = waits(trace).into_iter().map(|id| trace.name_of(id)).collect();
    let is_queue = |counter: &&Counter| {
        let loader = trace.strings.get(counter.name).strip_suffix(QUEUE);
        loader.is_some_and(|loader| loaders.contains(loader))
    };
    let counters = trace.counters.iter().filter(is_queue);
    let values = |counter: &Counter| counter.samples.iter().map(|sample| sample.value).collect();
    counters.map(|counter| LoaderQueue { name: counter.name, ready: values(counter) }).collect()
}

/// The table of loaders' queues. Rows are [`LoaderQueue`]s.
#[derive(Debug)]
pub enum LoaderQueueTable {}

impl Rows for LoaderQueueTable {
    const ID: &'static str = "data_loading.queues";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("name", Unit::Text, |row, trace| trace.strings.get(row.name).into()).known(),
        Field::<Self>::new("batches", Unit::Count, |row, _| (row.ready.len() as u64).into()).known(),
        Field::<Self>::new("times_empty", Unit::Count, |row, _| row.times_empty().into()).bar(Bar::OfLargest).known(),
        Field::<Self>::new("empty_share", Unit::Share, |row, _| row.empty_share().into()),
        Field::<Self>::new("mean_ready", Unit::Decimal, |row, _| row.mean().into()),
        Field::<Self>::new("max_ready", Unit::Decimal, |row, _| row.ready.iter().copied().reduce(f64::max).into()),
    ];
    const FIRST: &'static [&'static str] = &["name"];
    const SORT: &'static str = "times_empty";
    type Row = LoaderQueue;
    type Context<'a> = Trace;
}

#[cfg(test)]
mod tests {
    use super::loader_queues;
    use stepscope_input::Loader;

    #[test]
    fn a_counter_of_a_loader_is_told_from_others() {
        let text = br#"{"deviceProperties": [], "traceEvents": [
            {"ph":"X","cat":"user_annotation","name":"enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__","pid":1,"tid":1,"ts":2,"dur":5},
            {"ph":"C","name":"enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__ queue","pid":1,"ts":1,"args":{"value":2}},
            {"ph":"C","name":"enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__ queue","pid":1,"ts":9,"args":{"value":0}},
            {"ph":"C","name":"request queue","pid":1,"ts":3,"args":{"value":7}}
        ]}"#;
        let mut loader = Loader::new("queues.json");
        loader.space(text.len()).copy_from_slice(text);
        loader.advance(text.len()).expect("a trace");
        let found = loader_queues(&loader.finish().expect("a trace").trace);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].ready.as_slice(), found[0].times_empty()), ([2.0, 0.0].as_slice(), 1));
        assert_eq!((found[0].mean(), found[0].empty_share()), (Some(1.0), Some(0.5)));
    }
}
