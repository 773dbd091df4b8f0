//! Restores original ids in an export that numbers its processes and threads anew.

use super::builder::{FastMap, TraceBuilder};
use super::ids::{NameId, ProcessId};
use super::tracks::{Process, RawId};

/// The origins of an export's processes and threads.
#[derive(Debug, Default)]
pub struct Origins {
    /// The original processes, each with its id in the export, if it has one.
    pub processes: Vec<(Option<RawId>, Process)>,
    /// The export's lanes. Several may have the same thread as origin.
    pub lanes: Vec<Lane>,
}

/// A lane of an export with its origin.
#[derive(Clone, Copy, Debug)]
pub struct Lane {
    /// Its process and thread in the export.
    pub exported: (RawId, RawId),
    /// The original process and thread.
    pub original: (RawId, RawId),
    /// The original thread's name, if the producer gave one.
    pub name: NameId,
    /// The original thread's place among its process's threads, from the producer.
    pub sort_index: i64,
}

impl TraceBuilder {
    /// Restores the original processes and threads, after everything is added.
    ///
    /// All at once, as an original id may be that of another row of the export. Tracks that become the same are merged
    /// in [`finish`](Self::finish).
    pub fn rename(&mut self, origins: Origins) {
        let exported = std::mem::take(&mut self.processes);
        self.process_by_id.clear();
        let mut process_of: FastMap<RawId, RawId> = FastMap::default();
        for (shown, record) in origins.processes {
            process_of.extend(shown.map(|shown| (shown, record.id)));
            self.process_like(record);
        }
        let lane_of: FastMap<(RawId, RawId), Lane> = origins.lanes.iter().map(|lane| (lane.exported, *lane)).collect();
        let original = |process: ProcessId, thread: RawId| {
            let record = &exported[process.index()];
            let unlisted = (process_of.get(&record.id).copied().unwrap_or(record.id), thread);
            let (id, thread) = lane_of.get(&(record.id, thread)).map_or(unlisted, |lane| lane.original);
            (Process { id, ..record.clone() }, thread)
        };
        let mut has_tracks = vec![false; exported.len()];
        for track in &self.tracks {
            has_tracks[track.process.index()] = true;
        }
        let mut tracks = std::mem::take(&mut self.tracks);
        for track in &mut tracks {
            let old = track.thread;
            let (process, thread) = original(track.process, old);
            (track.process, track.thread) = (self.process_like(process), thread);
            // A stream number that came only from the thread's id comes from the new id.
            if let (Some(stream), RawId::Number(old)) = (&mut track.stream, old)
                && stream.stream == old
            {
                stream.stream = track.thread.number();
            }
        }
        self.tracks = tracks;
        self.forget_keys();
        for counter in std::mem::take(&mut self.counters) {
            let process = self.process_like(original(counter.process, RawId::default()).0);
            self.samples_mut(process, counter.name, counter.series).extend(counter.samples);
        }
        for (place, name) in self.places.iter_mut().zip(&mut self.thread_names) {
            if let Some(lane) = lane_of.get(&(exported[place.0.index()].id, place.1)) {
                *name = (lane.name, lane.sort_index);
            }
            let (process, thread) = original(place.0, place.1);
            // Lanes that the export computed belong to a process of its own, whose id may be an original one's.
            let process = self.process_by_id.get(&process.id).filter(|_| has_tracks[place.0.index()]);
            *place = (process.copied().unwrap_or_default(), thread);
        }
    }

    /// The process with that record's id; added with the record's properties if it is new.
    fn process_like(&mut self, record: Process) -> ProcessId {
        let processes = &mut self.processes;
        *self.process_by_id.entry(record.id).or_insert_with(|| {
            processes.push(record);
            ProcessId::from_index(processes.len() - 1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Class, Layer, NewSlice, Sample};
    use stepscope_base::{Nanos, Warnings};

    #[test]
    fn an_original_id_may_be_that_of_another_lane() {
        let mut builder = TraceBuilder::new();
        let id = |process, thread| (RawId::Number(process), RawId::Number(thread));
        let chain = [id(1, 10), id(2, 20), id(3, 30), id(1, 10)];
        let category = builder.category(b"cpu_op");
        for (process, thread) in &chain[..3] {
            let track = builder.track(*process, *thread, Layer::Host, None);
            let name = format!("of {process:?}");
            let name = builder.intern(name.as_bytes());
            builder.process_mut(*process).name = name;
            let (start, end) = (Nanos(0), Nanos(1));
            builder.slice(NewSlice { track, class: Class::Operator, category, name, start, end, position: 0 });
        }
        let name = builder.intern(b"original 3");
        let original = Process { id: RawId::Number(3), name, labels: NameId::NONE, sort_index: 0 };
        let lane =
            |ids: &[(RawId, RawId)]| Lane { exported: ids[0], original: ids[1], name: NameId::NONE, sort_index: 0 };
        let processes = vec![(Some(RawId::Number(2)), original)];
        builder.rename(Origins { processes, lanes: chain.windows(2).map(lane).collect() });
        let trace = builder.finish(&mut Warnings::default()).expect("a small trace");
        let mut found: Vec<String> = trace
            .tracks
            .iter()
            .map(|track| {
                let process = &trace.processes[track.process.index()];
                let id = track.events().next().expect("a slice each");
                let of = trace.name_of(id);
                format!("{of} → {:?}, {:?}: {}", process.id, track.thread, trace.strings.get(process.name))
            })
            .collect();
        found.sort();
        assert_eq!(
            found,
            [
                "of Number(1) → Number(2), Number(20): of Number(1)",
                "of Number(2) → Number(3), Number(30): original 3",
                "of Number(3) → Number(1), Number(10): of Number(3)",
            ]
        );
    }

    #[test]
    fn counters_of_two_rows_that_came_from_one_process_become_one() {
        let mut builder = TraceBuilder::new();
        let name = builder.intern(b"memory");
        for (process, at) in [(0, 5), (3, 2)] {
            builder.sample(RawId::Number(process), name, NameId::NONE, Sample { at: Nanos(at), value: 1.0 });
        }
        let original = Process { id: RawId::Number(0), name: NameId::NONE, labels: NameId::NONE, sort_index: 0 };
        builder.rename(Origins { processes: vec![(Some(RawId::Number(3)), original)], lanes: Vec::new() });
        let trace = builder.finish(&mut Warnings::default()).expect("a small trace");
        let times: Vec<Vec<i64>> =
            trace.counters.iter().map(|counter| counter.samples.iter().map(|sample| sample.at.0).collect()).collect();
        assert_eq!(times, [[0, 3]]);
    }

    #[test]
    fn what_an_export_computed_names_nothing_original() {
        let mut builder = TraceBuilder::new();
        let (computed, shown) = (RawId::Number(1), RawId::Number(2));
        let (category, name) = (builder.category(b"cpu_op"), builder.intern(b"op"));
        let track = builder.track(shown, RawId::Number(20), Layer::Host, None);
        let (start, end) = (Nanos(0), Nanos(1));
        builder.slice(NewSlice { track, class: Class::Operator, category, name, start, end, position: 0 });
        // A lane of the computed process has the same ids as the original thread.
        let lane_name = builder.intern(b"Steps");
        builder.name_thread(computed, RawId::Number(10), Some(lane_name), Some(7));
        builder.name_thread(shown, RawId::Number(20), Some(lane_name), None);
        let original = Process { id: computed, name: NameId::NONE, labels: NameId::NONE, sort_index: 0 };
        let name = builder.intern(b"original");
        let ids = ((shown, RawId::Number(20)), (computed, RawId::Number(10)));
        let lane = Lane { exported: ids.0, original: ids.1, name, sort_index: -3 };
        builder.rename(Origins { processes: vec![(Some(shown), original)], lanes: vec![lane] });
        let trace = builder.finish(&mut Warnings::default()).expect("a small trace");
        assert_eq!((trace.strings.get(trace.tracks[0].name), trace.tracks[0].sort_index), ("original", -3));
    }
}
