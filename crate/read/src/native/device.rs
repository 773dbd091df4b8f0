//! Activities of devices, and the calls that launched them.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use stepscope_format::Category;
use stepscope_format::device::{Activity, Detail, MOST_DETAILS, NO_DEVICE};

use crate::cupti::{
    Categories, Correlations, Devices, HostSlice, Work, copy_name, launch_config, memset_name, synchronization_name,
};
use stepscope_base::Nanos;
use stepscope_trace::{
    AwaitedEvent, Call, Class, Device, LaunchConfig, NO_SERIAL, NameId, RawId, Serial, TraceBuilder,
};

type Map<K, V> = HashMap<K, V, FxBuildHasher>;

/// Kinds of memory by CUPTI's code.
const MEMORY: [&str; 8] =
    ["Unknown", "Pageable", "Pinned", "Device", "Array", "Managed", "Device Static", "Managed Static"];

/// The kind of a copy from peer to peer, by CUPTI's code.
const PEER_TO_PEER: u8 = 10;

/// An activity whose details may follow.
struct Pending {
    activity: Activity,
    name: NameId,
    process: Owner,
    /// The thread that recorded it.
    thread: u64,
    position: u64,
    details: [Option<Detail>; MOST_DETAILS],
}

/// The process of an activity.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Owner {
    /// The process's number in the file.
    pub(super) number: u32,
    /// Its system id.
    pub(super) id: RawId,
}

/// The activities of all devices.
#[derive(Default)]
pub(super) struct Activities {
    categories: Option<Categories>,
    correlations: Correlations,
    devices: Devices,
    /// The latest one: its details follow it directly.
    pending: Option<Pending>,
    /// External ids of the program, by process and correlation.
    external: Map<(u32, u32), Serial>,
    copies: Map<[u8; 3], NameId>,
    fills: Map<u16, NameId>,
    /// The program's names of streams and devices, applied at the end.
    names: Vec<(i64, i64, Option<u32>, NameId)>,
}

impl Activities {
    /// Begins an activity, whose details come next.
    pub(super) fn add(
        &mut self,
        (activity, name): (Activity, NameId),
        process: Owner,
        thread: u64,
        position: u64,
        builder: &mut TraceBuilder,
    ) {
        self.flush(builder);
        let details = [None; MOST_DETAILS];
        self.pending = Some(Pending { activity, name, process, thread, position, details });
    }

    /// Takes a detail. `name_of` gives the name for a number.
    pub(super) fn detail(
        &mut self,
        detail: Detail,
        process: Owner,
        thread: u64,
        mut name_of: impl FnMut(&mut TraceBuilder, u32) -> NameId,
        builder: &mut TraceBuilder,
    ) {
        let owner = process.id.number();
        match detail {
            Detail::External { id, correlation, .. } => {
                let id = Serial::try_from(id).unwrap_or(NO_SERIAL);
                self.external.insert((process.number, correlation), id);
            }
            Detail::Device { .. } | Detail::Limits { .. } => {
                let model = match detail {
                    Detail::Device { name, .. } => name_of(builder, name),
                    _ => NameId::NONE,
                };
                describe(&detail, model, builder);
            }
            Detail::ThreadName { thread, name } => {
                let name = name_of(builder, name);
                let thread = RawId::Number(i64::try_from(thread).unwrap_or(i64::MAX));
                builder.name_thread(process.id, thread, Some(name), None);
            }
            Detail::StreamName { device, stream, name } => {
                let device = if device == NO_DEVICE { 0 } else { device };
                self.names.push((owner, device.into(), Some(stream), name_of(builder, name)));
            }
            Detail::DeviceName { device, name } => {
                self.names.push((owner, device.into(), None, name_of(builder, name)));
            }
            _ => {
                let of_it =
                    self.pending.as_mut().filter(|pending| pending.process == process && pending.thread == thread);
                if let Some(place) = of_it.and_then(|pending| pending.details.iter_mut().find(|place| place.is_none()))
                {
                    *place = Some(detail);
                }
            }
        }
    }

    /// Adds the latest activity to the trace: all of its details are known.
    #[inline]
    pub(super) fn flush(&mut self, builder: &mut TraceBuilder) {
        if let Some(pending) = self.pending.take() {
            self.put(&pending, builder);
        }
    }

    /// Adds all pending activities and names.
    pub(super) fn finish(&mut self, builder: &mut TraceBuilder) {
        self.flush(builder);
        for (process, device, stream, name) in std::mem::take(&mut self.names) {
            let process = self.devices.process(builder, device, Some(process));
            match stream {
                Some(stream) => builder.name_thread(process, RawId::Number(stream.into()), Some(name), None),
                None => builder.process_mut(process).name = name,
            }
        }
    }

    fn put(&mut self, pending: &Pending, builder: &mut TraceBuilder) {
        let Pending { activity, name, process, position, .. } = pending;
        let categories = *self.categories.get_or_insert_with(|| Categories::new(builder));
        let nanos = |at: u64| Nanos(i64::try_from(at).unwrap_or(i64::MAX));
        let span = (nanos(activity.at), nanos(activity.at.saturating_add(activity.duration)));
        let correlation = self.correlations.unique(Some(process.number.into()), Some(activity.correlation.into()));
        let call = |class, category| HostSlice {
            class,
            category,
            name: *name,
            span,
            thread: (process.id.number(), activity.place.into()),
            position: *position,
        };
        let class = match activity.category {
            Category::Runtime | Category::Driver => {
                let runtime = activity.category == Category::Runtime;
                let category = if runtime { categories.runtime } else { categories.driver };
                let row = call(Class::RuntimeCall, category).add(builder);
                let known = self.external.get(&(process.number, activity.correlation));
                let external = known.copied().unwrap_or(NO_SERIAL);
                builder.call(row, Call { correlation, external });
                return;
            }
            Category::Overhead => {
                call(Class::Overhead, categories.overhead).add(builder);
                return;
            }
            Category::Memcpy => Class::Memcpy,
            Category::Memset => Class::Memset,
            Category::Synchronization => Class::Synchronization,
            _ => Class::Kernel,
        };
        let device = if activity.device == NO_DEVICE { 0 } else { activity.device };
        let mut work = Work {
            device: device.into(),
            stream: Some(activity.place.into()),
            process: Some(process.id.number()),
            correlation,
            ..Work::new(class, *name, span, *position)
        };
        let mut awaited = None;
        for detail in pending.details.iter().flatten() {
            awaited = awaited.or(self.tell(detail, process.number, &mut work, builder));
        }
        if activity.category == Category::Graph && activity.name == 0 {
            work.name = builder.intern(format!("CUDA graph {}", work.graph).as_bytes());
        } else if activity.name == 0 && work.name == *name {
            // Its details are missing.
            work.name = match class {
                Class::Memcpy => builder.intern(copy_name(0, None, None).as_bytes()),
                Class::Memset => builder.intern(memset_name(None).as_bytes()),
                Class::Synchronization => builder.intern(synchronization_name(None).as_bytes()),
                _ => *name,
            };
        }
        let row = self.devices.add(builder, &categories, &work);
        if let Some(event) = awaited {
            builder.awaited_event(row, event);
        }
    }

    /// Applies a detail to an activity; returns the event that a synchronization waits for.
    fn tell(
        &mut self,
        detail: &Detail,
        process: u32,
        work: &mut Work,
        builder: &mut TraceBuilder,
    ) -> Option<AwaitedEvent> {
        match *detail {
            Detail::Launch { grid, block, registers, fixed_shared, dynamic_shared } => {
                work.config = Some(config(grid, block, registers, [fixed_shared, dynamic_shared]));
            }
            Detail::Place { graph, .. } => work.graph = graph,
            Detail::Copy { kind, source, destination, bytes, .. } => {
                work.bytes = i64::try_from(bytes).ok();
                let name = self.copies.entry([kind, source, destination]).or_insert_with(|| {
                    let kind_of = |code: u8| MEMORY.get(usize::from(code)).copied().filter(|_| kind != PEER_TO_PEER);
                    builder.intern(copy_name(kind.into(), kind_of(source), kind_of(destination)).as_bytes())
                });
                work.name = *name;
            }
            Detail::Set { memory, bytes, .. } => {
                work.bytes = i64::try_from(bytes).ok();
                let name = self.fills.entry(memory).or_insert_with(|| {
                    let kind = MEMORY.get(usize::from(memory)).copied();
                    builder.intern(memset_name(kind).as_bytes())
                });
                work.name = *name;
            }
            Detail::Wait { kind, awaited_stream, awaited_record, .. } => {
                work.name = builder.intern(synchronization_name(Some(kind.into())).as_bytes());
                let record = self.correlations.unique(Some(process.into()), Some(awaited_record.into()));
                return (record != NO_SERIAL).then_some(AwaitedEvent { stream: awaited_stream.into(), record });
            }
            _ => {}
        }
        None
    }
}

fn config(grid: [u32; 3], block: [u16; 3], registers: u16, shared: [u32; 2]) -> LaunchConfig {
    let [grid_x, grid_y, grid_z] = grid.map(i64::from);
    let [block_x, block_y, block_z] = block.map(i64::from);
    let [fixed, dynamic] = shared.map(i64::from);
    let sizes = [grid_x, grid_y, grid_z, block_x, block_y, block_z, registers.into(), fixed, dynamic];
    launch_config(sizes.map(Some))
}

/// Adds a device, or more facts of it.
fn describe(detail: &Detail, model: NameId, builder: &mut TraceBuilder) {
    let (Detail::Device { device, .. } | Detail::Limits { device, .. }) = *detail else { return };
    let name = builder.text(model).to_owned();
    let devices = &mut builder.meta.devices;
    let known = devices.iter().position(|known| known.id == i64::from(device));
    let index = known.unwrap_or_else(|| {
        devices.push(Device { id: device.into(), ..Device::default() });
        devices.len() - 1
    });
    let known = &mut devices[index];
    let some = |number: u32| Some(number).filter(|number| *number != 0);
    match *detail {
        Detail::Device { memory, multiprocessors, capability: [major, minor], warp, .. } => {
            known.name = name;
            known.memory_bytes = Some(memory).filter(|bytes| *bytes != 0);
            known.multiprocessors = some(multiprocessors);
            known.capability = Some((major.into(), minor.into()));
            known.warp_size = some(warp.into());
        }
        Detail::Limits { threads, block_threads, registers, shared, block_shared, .. } => {
            known.max_threads_per_multiprocessor = some(threads);
            known.max_threads_per_block = some(block_threads);
            known.registers_per_multiprocessor = some(registers);
            known.shared_memory_per_multiprocessor = some(shared).map(u64::from);
            known.shared_memory_per_block = some(block_shared).map(u64::from);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stepscope_base::Warnings;
    use stepscope_trace::{Layer, Stream, Trace};

    const OWNER: Owner = Owner { number: 0, id: RawId::Number(50) };

    fn activity(category: Category, correlation: u32, place: u32) -> Activity {
        let at = 1_000 * u64::from(correlation);
        Activity { category, device: 1, name: 0, at, duration: 500, correlation, place }
    }

    fn trace(of: impl FnOnce(&mut Activities, &mut TraceBuilder)) -> Trace {
        let (mut activities, mut builder) = (Activities::default(), TraceBuilder::default());
        of(&mut activities, &mut builder);
        activities.finish(&mut builder);
        builder.finish(&mut Warnings::default()).expect("a trace")
    }

    fn names(trace: &Trace) -> Vec<&str> {
        trace.slices.ids().map(|id| trace.strings.get(trace.slices.name(id))).collect()
    }

    #[test]
    fn activities_without_details_are_shown() {
        let categories = [Category::Kernel, Category::Memcpy, Category::Memset, Category::Graph];
        let trace = trace(|activities, builder| {
            for (index, category) in (1..).zip(categories) {
                let gemm = builder.intern(b"gemm");
                let (name, number) = if category == Category::Kernel { (gemm, 1) } else { (NameId::NONE, 0) };
                let activity = Activity { name: number, ..activity(category, index, 7) };
                activities.add((activity, name), OWNER, 1, 0, builder);
            }
        });
        assert_eq!(names(&trace), ["gemm", "Memcpy", "Memset", "CUDA graph 0"]);
        for id in trace.slices.ids() {
            assert_eq!(trace.stream_of(id), Some(Stream { device: 1, stream: 7 }));
        }
    }

    #[test]
    fn details_are_of_the_activity_before_them_on_their_thread() {
        let copy = Detail::Copy { kind: 1, source: 2, destination: 3, flags: 1, bytes: 4096, devices: [0; 2] };
        let wait = Detail::Wait { kind: 2, context: 1, event: 9, awaited_stream: 7, awaited_record: 33, returned: 0 };
        let trace = trace(|activities, builder| {
            let none = |_: &mut TraceBuilder, _: u32| NameId::NONE;
            activities.detail(copy, OWNER, 1, none, builder);
            activities.add((activity(Category::Memcpy, 1, 7), NameId::NONE), OWNER, 1, 0, builder);
            activities.detail(copy, OWNER, 2, none, builder);
            activities.detail(copy, OWNER, 1, none, builder);
            activities.add((activity(Category::Synchronization, 2, 8), NameId::NONE), OWNER, 1, 0, builder);
            activities.detail(wait, OWNER, 1, none, builder);
            let external = Detail::External { kind: 3, id: 77, correlation: 3 };
            activities.detail(external, OWNER, 1, none, builder);
            let call = Activity { name: 1, ..activity(Category::Runtime, 3, 51) };
            let name = builder.intern(b"cudaStreamWaitEvent");
            activities.add((call, name), OWNER, 1, 0, builder);
            let stream = builder.intern(b"copies");
            activities.detail(Detail::StreamName { device: 1, stream: 7, name: 5 }, OWNER, 1, |_, _| stream, builder);
        });
        let mut found = names(&trace);
        found.sort_unstable();
        assert_eq!(found, ["Memcpy HtoD (Pinned -> Device)", "Stream Wait Event", "cudaStreamWaitEvent"]);
        assert_eq!(trace.activities.iter().map(|activity| activity.bytes).collect::<Vec<_>>(), [4096]);
        assert_eq!(trace.awaited_events[0].1, AwaitedEvent { stream: 7, record: 33 });
        let call = trace.slices.ids().find(|id| trace.slices.class(*id) == Class::RuntimeCall).expect("a call");
        assert_eq!(trace.call(call).map(|call| (call.correlation, call.external)), Some((3, 77)));
        let of_call = &trace.tracks[trace.slices.track(call).index()];
        assert_eq!((of_call.thread, of_call.layer), (RawId::Number(51), Layer::Host));
        let copies = trace.tracks.iter().find(|track| track.layer == Layer::Device).expect("a stream");
        assert_eq!(trace.strings.get(copies.name), "copies");
    }
}
