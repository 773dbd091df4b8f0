//! CUPTI of every version, through a fake that emits records of each one's sizes.

use std::ffi::CStr;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::{Duration, Instant};

use stepscope_fake_nvidia::cupti::VERSIONS;
use stepscope_format::device::{Activity, Detail, NO_DEVICE};
use stepscope_format::{Category, HOST, Kind, Record};

use crate::library::{Library, copy_of_fakes, function};
use crate::recording::RecordedFolder;
use crate::role::{begin, command, folder, injection, play};

/// CUPTI's fake.
#[derive(Clone, Copy)]
pub(crate) struct Fake(pub(crate) Library);

impl Fake {
    /// Loads it, of the version that the environment names.
    pub(crate) fn load(folder: &Path) -> Self {
        let fake = Self(Library::open(&copy_of_fakes(folder, "libcupti.so.12")));
        let version = std::env::var("FAKE_VERSION").ok().and_then(|version| version.parse().ok()).unwrap_or(24);
        function!(fake.0, "fake_set_version", extern "C" fn(u32))(version);
        fake
    }

    pub(crate) fn now(self) -> u64 {
        function!(self.0, "fake_now", extern "C" fn() -> u64)()
    }

    pub(crate) fn emit(self, record: &Fields) {
        let emit = function!(self.0, "fake_record", unsafe extern "C" fn(*const u8, usize));
        // SAFETY: so many bytes stand there.
        unsafe { emit(record.0.as_ptr(), record.0.len()) };
    }

    pub(crate) fn flush(self) {
        function!(self.0, "cuptiActivityFlushAll", extern "C" fn(u32) -> i32)(0);
    }
}

/// Calls the library as the driver does in `cuInit`.
pub(crate) fn initialize() {
    let library = Library::open(&injection());
    assert_eq!(function!(library, "InitializeInjection", extern "C" fn() -> i32)(), 1);
}

/// A record of CUPTI, field by field.
#[derive(Clone, Debug)]
pub(crate) struct Fields(Vec<u8>);

impl Fields {
    pub(crate) fn new(kind: u32) -> Self {
        Self(vec![0; 256]).at(0, kind)
    }

    fn put(mut self, offset: usize, bytes: &[u8]) -> Self {
        self.0[offset..offset + bytes.len()].copy_from_slice(bytes);
        self
    }

    /// A field of four bytes.
    pub(crate) fn at(self, offset: usize, value: u32) -> Self {
        self.put(offset, &value.to_ne_bytes())
    }

    pub(crate) fn u16(self, offset: usize, value: u16) -> Self {
        self.put(offset, &value.to_ne_bytes())
    }

    pub(crate) fn u64(self, offset: usize, value: u64) -> Self {
        self.put(offset, &value.to_ne_bytes())
    }

    pub(crate) fn bytes(self, offset: usize, bytes: [u8; 4]) -> Self {
        self.put(offset, &bytes)
    }

    pub(crate) fn text(self, offset: usize, text: &'static CStr) -> Self {
        self.u64(offset, text.as_ptr() as u64)
    }

    /// Start and end, one after the other.
    pub(crate) fn times(self, offset: usize, start: u64, end: u64) -> Self {
        self.u64(offset, start).u64(offset + 8, end)
    }
}

pub(crate) fn kernel(start: u64, correlation: u32) -> Fields {
    let kernel = Fields::new(10).u16(6, 90).times(16, start, start + 900).at(40, 1).at(44, 1).at(48, 7);
    let kernel = kernel.at(52, 1000).at(56, 2).at(60, 3).at(64, 128).at(68, 4).at(72, 2).at(76, 1024).at(80, 4096);
    kernel.at(92, correlation).text(104, c"_Z6kernelPfi")
}

/// One of each, ten microseconds apart.
fn scenario(base: u64) -> Vec<Fields> {
    let at = |index: u64| base + index * 10_000;
    let device = Fields::new(8).u64(16, 80 << 30).at(32, 32).at(44, 132).at(52, 64).at(60, 233_472).at(64, 65_536);
    let device = device.at(72, 49_152).at(76, 1024).at(104, 9).at(112, 1).text(136, c"NVIDIA H200");
    vec![
        device,
        Fields::new(9).at(4, 5).at(8, 1),
        Fields::new(39).at(4, 3).u64(8, 1234).at(16, 100),
        Fields::new(5).at(4, 211).times(8, at(0), at(0) + 500).at(28, 4242).at(32, 100),
        kernel(at(1), 100),
        kernel(at(2), 101)
            .at(44, 5)
            .at(84, 16)
            .bytes(136, [1, 0, 0, 0])
            .u64(144, 77)
            .at(156, 6)
            .at(168, 8)
            .at(176, 2)
            .at(180, 1)
            .at(184, 1)
            .at(216, 5_u32.wrapping_neg()),
        Fields::new(1)
            .bytes(4, [1, 2, 3, 1])
            .u64(8, 1 << 20)
            .times(16, at(3), at(3) + 800)
            .at(32, 1)
            .at(36, 1)
            .at(40, 8)
            .at(44, 102),
        Fields::new(22)
            .bytes(4, [10, 3, 3, 0])
            .u64(8, 4096)
            .times(16, at(4), at(4) + 700)
            .at(32, 1)
            .at(36, 1)
            .at(40, 9)
            .at(44, 1)
            .at(52, 2)
            .at(60, 103),
        Fields::new(2)
            .at(4, 0xFF)
            .u64(8, 2048)
            .times(16, at(5), at(5) + 100)
            .at(32, 1)
            .at(36, 1)
            .at(40, 7)
            .at(44, 104)
            .u16(48, 1)
            .u16(50, 3),
        Fields::new(36).at(4, 105).at(8, 5).at(12, 8).at(16, 31),
        Fields::new(38).at(4, 2).times(8, at(6), at(6) + 50).at(24, 106).at(28, 5).at(32, 7).at(36, 31).at(48, 9),
        Fields::new(38).at(4, 4).times(8, at(7), at(7) + 60).at(24, 107).at(28, 1).at(32, u32::MAX).at(36, u32::MAX),
        Fields::new(4).at(4, 307).times(8, at(8), at(8) + 70).at(28, 4243).at(32, 108).at(36, 719),
        Fields::new(4).at(4, 9999).times(8, at(9), at(9) + 70).at(28, 4243).at(32, 109),
        Fields::new(17).at(4, 2 << 16).at(8, 2).at(12, 50).at(16, 4242).times(24, at(10), at(10) + 5).at(40, 110),
        Fields::new(49).at(4, 1).at(8, 3).u64(16, 0xAB00).u64(24, 512).u64(32, at(11)).at(52, 1),
        Fields::new(49).at(4, 2).at(8, 2).u64(16, 0xCD00).u64(24, 64).u64(32, at(12)),
        // Never ended.
        kernel(at(13), 111).times(16, 0, 0),
        kernel(at(14), 112).times(16, at(14), at(14) + 1_000),
    ]
}

pub(crate) fn every_record(folder: &Path) {
    let fake = Fake::load(folder);
    initialize();
    let base = fake.now();
    for record in scenario(base) {
        fake.emit(&record);
    }
    // Calls that only query: CUPTI leaves them out where it can choose, and the decoder in any case.
    let records = function!(fake.0, "fake_records", extern "C" fn() -> u64);
    let before = records();
    for (kind, number, correlation) in [(4, 10, 113), (5, 17, 114)] {
        fake.emit(&Fields::new(kind).at(4, number).times(8, base, base + 200).at(28, 4242).at(32, correlation));
    }
    let version: u32 = std::env::var("FAKE_VERSION").map_or(22, |version| version.parse().expect("a number"));
    assert_eq!(records() - before, if version < 26 { 2 } else { 0 }, "{version}");
}

/// An activity with its name and its details; times from the first one on.
type Told = (Category, u16, String, u64, u64, [u32; 2], Vec<Detail>);

fn told(found: &RecordedFolder) -> (Vec<Told>, Vec<Record>, Vec<Detail>) {
    let (mut activities, mut memory, mut others) = (Vec::<Told>::new(), Vec::new(), Vec::new());
    let mut base = None;
    for thread in found.threads.values() {
        for record in &thread.records {
            if let Some(activity) = Activity::of(record) {
                let base = *base.get_or_insert(activity.at);
                let Activity { category, device, name, at, duration, correlation, place } = activity;
                let name = found.name(0, name);
                activities.push((category, device, name, at - base, duration, [correlation, place], Vec::new()));
            } else if let Some(detail) = Detail::of(record) {
                match (detail, activities.last_mut()) {
                    (Detail::External { .. } | Detail::Device { .. } | Detail::Limits { .. }, _) => others.push(detail),
                    (detail, Some(last)) => last.6.push(detail),
                    (detail, None) => panic!("{detail:?} of nothing"),
                }
            } else if record.kind == Kind::Memory {
                memory.push(Record { at: record.at - base.expect("an activity before"), ..*record });
            }
        }
    }
    (activities, memory, others)
}

fn expected(version: u32) -> Vec<Told> {
    let since = |first: u32, value: u32| if version >= first { value } else { 0 };
    let launch = Detail::Launch {
        grid: [1000, 2, 3],
        block: [128, 4, 2],
        registers: 90,
        fixed_shared: 1024,
        dynamic_shared: 4096,
    };
    let resources = Detail::Resources {
        local_memory: 16,
        cluster: if version >= 18 { [2, 1, 1] } else { [0; 3] },
        launch_type: 1,
        priority: since(130_101, 5_u32.wrapping_neg()).cast_signed(),
    };
    let place = Detail::Place { context: 5, graph: 6, node: 77, channel: 8 };
    let copy = Detail::Copy { kind: 1, source: 2, destination: 3, flags: 1, bytes: 1 << 20, devices: [0, 0] };
    let peer = Detail::Copy { kind: 10, source: 3, destination: 3, flags: 0, bytes: 4096, devices: [1, 2] };
    let set = Detail::Set { memory: 3, flags: 1, bytes: 2048, value: 0xFF };
    let wait =
        Detail::Wait { kind: 2, context: 5, event: 31, awaited_stream: 8, awaited_record: 105, returned: since(26, 9) };
    let context = Detail::Wait { kind: 4, context: 1, event: 0, awaited_stream: 0, awaited_record: 0, returned: 0 };
    let kernel = || "kernel(float*, int)".to_owned();
    let at = |index: u64| index * 10_000;
    vec![
        (Category::Runtime, 211, "cudaLaunchKernel".into(), at(0), 500, [100, 4242], vec![]),
        (Category::Kernel, 1, kernel(), at(1), 900, [100, 7], vec![launch]),
        (Category::Kernel, 1, kernel(), at(2), 900, [101, 7], vec![launch, resources, place]),
        (Category::Memcpy, 1, String::new(), at(3), 800, [102, 8], vec![copy]),
        (Category::Memcpy, 1, String::new(), at(4), 700, [103, 9], vec![peer]),
        (Category::Memset, 1, String::new(), at(5), 100, [104, 7], vec![set]),
        (Category::Synchronization, 1, String::new(), at(6), 50, [106, 7], vec![wait]),
        (Category::Synchronization, NO_DEVICE, String::new(), at(7), 60, [107, u32::MAX], vec![context]),
        (Category::Driver, 307, "cuLaunchKernel".into(), at(8), 70, [108, 4243], vec![Detail::Returned { code: 719 }]),
        (Category::Driver, 9999, "driver call 9999".into(), at(9), 70, [109, 4243], vec![]),
        (Category::Overhead, NO_DEVICE, "Instrumentation".into(), at(10), 5, [since(22, 110), 4242], vec![]),
        (Category::Kernel, 1, kernel(), at(14), 1_000, [112, 7], vec![launch]),
    ]
}

/// Whatever the sizes of its records, CUPTI's are read: all that differs is what came with a version.
#[test]
fn every_version_is_read() {
    for version in VERSIONS {
        let folder = folder(&format!("every record {version}"));
        let mut command = command("every record", &folder, "");
        let output = command.env("FAKE_VERSION", version.to_string()).stderr(std::process::Stdio::piped()).output();
        let output = output.expect("an end");
        assert!(output.status.success(), "{version}: {}", String::from_utf8_lossy(&output.stderr));
        let found = RecordedFolder::of(&folder.join("recordings"));
        assert!(found.processes[0].closed);
        let (activities, memory, others) = told(&found);
        for (found, expected) in activities.iter().zip(&expected(version)) {
            assert_eq!(found, expected, "version {version}");
        }
        assert_eq!(activities.len(), expected(version).len());
        let memory: Vec<_> =
            memory.iter().map(|event| (event.aux, event.extent, event.value.cast_signed(), event.at)).collect();
        assert_eq!(memory, [(1, 0xAB00, 512, 110_000), (HOST, 0xCD00, -64, 120_000)]);
        let [Detail::Device { device: 1, name, memory, multiprocessors: 132, capability: [9, 0], warp: 32 }, ..] =
            others[..]
        else {
            panic!("{others:?}")
        };
        assert_eq!((found.name(0, name).as_str(), memory), ("NVIDIA H200", 80 << 30));
        let limits = Detail::Limits {
            device: 1,
            threads: 2048,
            block_threads: 1024,
            registers: 65_536,
            shared: 233_472,
            block_shared: 49_152,
        };
        assert_eq!(others[1..], [limits, Detail::External { kind: 3, id: 1234, correlation: 100 }]);
    }
}

/// Times are those of spans, on either clock.
#[test]
fn devices_and_spans_have_one_clock() {
    for clock in ["monotonic", "counter"] {
        let folder = folder(&format!("clock {clock}"));
        assert_eq!(play("every record", &folder, &format!(r#","clock":"{clock}""#)), "");
        let found = RecordedFolder::of(&folder.join("recordings"));
        let records = found.threads.values().flat_map(|thread| &thread.records);
        let first = records.clone().find(|record| record.kind == Kind::Activity).expect("a call").at;
        let wide = found.processes[0].unix_offset;
        let file = std::fs::metadata(folder.join("libcupti.so.12")).expect("the fake").modified().expect("a time");
        let loaded = file.duration_since(std::time::UNIX_EPOCH).expect("a time").as_nanos();
        let first = u128::from(first) + u128::try_from(wide).expect("after 1970");
        let after = first.checked_sub(loaded).expect("the fake was there before");
        assert!(after < 5_000_000_000, "{clock}: {after} ns after it was copied");
    }
}

/// A damaged buffer gives the records before the damage, and the next buffer all of its own.
pub(crate) fn malformed(folder: &Path) {
    let fake = Fake::load(folder);
    initialize();
    let base = fake.now();
    fake.emit(&kernel(base, 1));
    // The fake's iteration ends at a kind that it does not know, as CUPTI's does.
    let enable = function!(fake.0, "fake_enable_anything", extern "C" fn(u32));
    enable(777);
    fake.emit(&Fields::new(777));
    fake.emit(&kernel(base + 1_000, 2));
    fake.flush();
    fake.emit(&kernel(base + 2_000, 3));
    fake.flush();
    // An empty buffer, and one of another client.
    fake.flush();
    let stranger = function!(fake.0, "fake_complete_stranger", extern "C" fn());
    stranger();
    fake.emit(&kernel(base + 3_000, 4));
}

#[test]
fn malformed_buffers_give_what_is_whole() {
    let folder = folder("malformed");
    assert_eq!(play("malformed", &folder, ""), "");
    let (activities, ..) = told(&RecordedFolder::of(&folder.join("recordings")));
    let correlations: Vec<u32> = activities.iter().map(|activity| activity.5[0]).collect();
    assert_eq!(correlations, [1, 3, 4]);
}

/// A millisecond's work each millisecond, until it is killed; writes its elapsed time in ms and the latest correlation.
pub(crate) fn busy(folder: &Path) {
    let fake = Fake::load(folder);
    initialize();
    let begin = Instant::now();
    let told = File::create(folder.join("told")).expect("a file");
    for correlation in 1.. {
        fake.emit(&kernel(fake.now(), correlation));
        let words = begin.elapsed().as_millis() << 64 | u128::from(correlation);
        told.write_all_at(&words.to_le_bytes(), 0).expect("room");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_kill_loses_less_than_a_second() {
    let folder = folder("busy");
    let mut child = begin("busy", &folder);
    std::thread::sleep(Duration::from_millis(2_500));
    child.kill().expect("SIGKILL");
    child.wait().expect("an end");
    let words = std::fs::read(folder.join("told")).expect("what it told");
    let words = u128::from_le_bytes(words[..].try_into().expect("two numbers"));
    let (ms, correlation) = ((words >> 64) as u64, words as u64);
    // Buffers are handed over by the program's thread, when they are full, and by the one that flushes.
    let found = RecordedFolder::of(&folder.join("recordings"));
    let records = found.threads.values().flat_map(|thread| &thread.records);
    let mut activities: Vec<Activity> = records.filter_map(Activity::of).collect();
    activities.sort_by_key(|activity| activity.correlation);
    let (first, last) = (activities[0], activities[activities.len() - 1]);
    assert!(last.correlation as usize == activities.len(), "none is missing in between");
    let kept = (last.at - first.at) / 1_000_000;
    println!("{} of {correlation} kernels, {kept} of {ms} ms", activities.len());
    assert!(ms > 1_500 && ms - kept < 1_000, "{kept} of {ms} ms");
}

/// CUPTI is not loaded yet, but lies where the CUDA runtime was loaded from.
pub(crate) fn beside_the_runtime(folder: &Path) {
    let runtime = copy_of_fakes(folder, "cuda_runtime/lib/libcudart.so.12");
    // Without the name that the fake has as a library.
    let bytes = std::fs::read(&runtime).expect("the copy");
    let name = b"libcupti.so.12\0";
    let at = bytes.windows(name.len()).position(|window| window == name).expect("its name");
    let mut renamed = bytes.clone();
    renamed[at..at + 3].copy_from_slice(b"xxx");
    std::fs::write(&runtime, renamed).expect("a copy");
    Library::open(&runtime);
    copy_of_fakes(folder, "cuda_cupti/lib/libcupti.so.12");
    initialize();
    let maps = std::fs::read_to_string("/proc/self/maps").expect("what is loaded");
    assert!(maps.contains("cuda_cupti/lib/libcupti.so.12"), "{maps}");
}

#[test]
fn cupti_is_found_beside_the_runtime() {
    let folder = folder("beside the runtime");
    assert_eq!(play("beside the runtime", &folder, ""), "");
}
