//! Activities of devices, which come in groups.

use std::path::Path;
use std::time::Duration;

use stepscope_collector::device::{Activity, Detail};
use stepscope_collector::{
    Category, ClockSource, MemoryDevice, Options, activity, device_detail, memory_at, span, start,
};
use stepscope_format::{Kind, Record};

use crate::recording::RecordedFolder;
use crate::role::{begin, folder, play, record};

/// A time of `CLOCK_MONOTONIC` long ago.
const EARLY: u64 = 1_000_000_000;

fn kernel(index: u32) -> (Activity, [Detail; 3]) {
    let at = EARLY + u64::from(index) * 1_000;
    let (category, duration) = (Category::Kernel, 900);
    let activity = Activity { category, device: 1, name: 0, at, duration, correlation: index, place: 7 };
    let place = |context| Detail::Place { context, graph: 2, node: u64::from(index), channel: 0 };
    (activity, [place(index), place(index + 1), place(index + 2)])
}

/// Groups at full speed, with spans in between, so that segments end anywhere in them.
pub(crate) fn groups(folder: &Path) {
    record(folder);
    for index in 0.. {
        let (kernel, details) = kernel(index);
        activity(&kernel, &details[..index as usize % 4]);
        if index % 5 == 0 {
            let _span = span!("in between");
        }
    }
}

#[test]
fn a_kill_loses_no_detail_of_an_activity() {
    let mut activities = 0;
    for kill in 0..10 {
        let folder = folder("groups");
        let mut child = begin("groups", &folder);
        std::thread::sleep(Duration::from_millis(60 + 7 * kill));
        child.kill().expect("SIGKILL");
        child.wait().expect("an end");
        if !std::fs::read_dir(&folder).expect("the folder").any(|_| true) {
            continue;
        }
        let found = RecordedFolder::of(&folder);
        let records = found.threads.values().flat_map(|thread| &thread.records);
        let mut records = records.filter(|record| matches!(record.kind, Kind::Activity | Kind::Detail)).peekable();
        let mut index = 0;
        while let Some(record) = records.next() {
            let (kernel, details) = kernel(index);
            assert_eq!(*record, kernel.record(), "kill {kill}");
            for detail in &details[..index as usize % 4] {
                assert_eq!(records.next(), Some(&detail.record()), "kill {kill}: a detail of {index}");
            }
            index += 1;
        }
        activities += index;
    }
    println!("{activities} activities");
    assert!(activities > 10_000, "only {activities}: the kills came too early to tell");
}

pub(crate) fn on_a_counter(folder: &Path) {
    start(&Options { clock: ClockSource::Counter, ..Options::new(folder) }).expect("a recording");
    std::thread::sleep(Duration::from_millis(30));
    let at = |name: &str| {
        stepscope_collector::mark(name, 0);
        monotonic()
    };
    let (begin, end) = (at("before"), at("after"));
    let activity_at = Activity {
        category: Category::Runtime,
        device: 211,
        name: 0,
        at: begin,
        duration: end - begin,
        correlation: 1,
        place: 2,
    };
    activity(&activity_at, &[Detail::Returned { code: 700 }]);
    device_detail(&Detail::ThreadName { thread: 5, name: 0 });
    memory_at(begin, MemoryDevice::Device(3), 0xABC, -512);
    stepscope_collector::mark(&format!("{begin} {end}"), 0);
    std::thread::sleep(Duration::from_millis(30));
    stepscope_collector::stop();
}

fn monotonic() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    #[expect(unsafe_code, reason = "a clock is the system's C interface")]
    // SAFETY: it writes into `time` alone.
    unsafe {
        libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time)
    };
    u64::try_from(time.tv_sec).expect("a time") * 1_000_000_000 + u64::try_from(time.tv_nsec).expect("a time")
}

/// A recording on a counter has ticks, whatever the clock of the devices' times.
#[test]
fn times_are_on_the_recordings_clock() {
    let folder = folder("on a counter");
    play("on a counter", &folder);
    let found = RecordedFolder::of(&folder);
    let all = |kind| -> Vec<Record> {
        let records = found.threads.values().flat_map(|thread| thread.records.clone());
        records.filter(|record| record.kind == kind).collect()
    };
    let marks = all(Kind::Mark);
    let told: Vec<u64> = found.name(0, marks[2].name).split(' ').map(|time| time.parse().expect("a time")).collect();
    let [call] = all(Kind::Activity)[..] else { panic!("one call") };
    // Two anchors apart by 30 ms and more, each read to some 100 ns.
    assert!(call.at.abs_diff(told[0]) < 20_000, "{} instead of {}", call.at, told[0]);
    assert!(call.end().abs_diff(told[1]) < 20_000, "{} instead of {}", call.end(), told[1]);
    assert!(marks[0].at <= call.at + 20_000 && call.end() <= marks[2].at + 20_000);
    let details: Vec<Option<Detail>> = all(Kind::Detail).iter().map(Detail::of).collect();
    assert_eq!(details, [Some(Detail::Returned { code: 700 }), Some(Detail::ThreadName { thread: 5, name: 0 })]);
    let [freed] = all(Kind::Memory)[..] else { panic!("one release") };
    assert_eq!((freed.aux, freed.extent, freed.value.cast_signed()), (3, 0xABC, -512));
    assert!(freed.at.abs_diff(call.at) < 20_000);
}
