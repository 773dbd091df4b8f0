//! Paddle's two exports of the same run: equal except for the Chrome export's rounding.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use stepscope::input::Sources;
use stepscope::trace::{EventId, Trace};
use stepscope::{Loaded, Nanos};
use stepscope_tests::files::{files_of, load, real_traces, text_of};

use super::comparison::{Comparison, float};

/// The pairs of files, by the common beginning of their names.
fn pairs(folder: &Path) -> Vec<(String, PathBuf, PathBuf)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            let Some(stem) = name.strip_suffix(".gz").unwrap_or(&name).strip_suffix(".paddle_trace.json") else {
                if path.is_dir() {
                    folders.push(path);
                }
                continue;
            };
            let beside = [format!("{stem}.paddle_trace.pb"), format!("{stem}.paddle_trace.pb.gz")];
            if let Some(binary) = beside.map(|name| folder.join(name)).into_iter().find(|path| path.is_file()) {
                let run = folder.file_name().expect("a name").to_string_lossy();
                found.push((format!("{run}/{stem}"), path, binary));
            }
        }
    }
    found.sort();
    found
}

/// Largest error of a time: the Chrome export rounds it to a 32-bit float of ns and then to one of µs.
fn rounding(at: Nanos) -> f64 {
    // Each rounds by half a step at most, 2^-24 of the number; then to three decimals.
    float(at) * (-23_f64).exp2() + 1.0
}

/// Identity of a slice independent of its time: names of it and of its ancestors, its category, its track.
fn path_of(trace: &Trace, id: EventId) -> String {
    let names: Vec<&str> = std::iter::once(id).chain(trace.slices.ancestors(id)).map(|id| trace.name_of(id)).collect();
    let track = &trace.tracks[trace.slices.track(id).index()];
    format!("{:?} {:?} {} {}", track.layer, track.thread, trace.category_of(id), names.join(" < "))
}

/// Compares all pairs.
pub(crate) fn compare(folder: &Path) -> Vec<Comparison> {
    let mut found = Vec::new();
    for (name, chrome, binary) in pairs(folder) {
        let read = |path: &Path, text: &[u8]| {
            let loaded = load(&path.display().to_string(), text, 1 << 16);
            loaded.unwrap_or_else(|error| panic!("{error}"))
        };
        let (chrome, binary) = (read(&chrome, &text_of(&chrome)), read(&binary, &text_of(&binary)));
        compare_pair(&name, &chrome, &binary, &mut found);
    }
    found
}

/// Compares the fixtures that are the same run.
pub(crate) fn compare_fixtures(folder: &Path) -> Vec<Comparison> {
    let mut found = Vec::new();
    for run in ["cpu", "gpu"] {
        let read = |case: &str, file: &str| {
            let text = text_of(&folder.join(case).join(file));
            load(case, &text, 100).unwrap_or_else(|error| panic!("{error}"))
        };
        let (chrome, binary) = (read(run, "input.json"), read(&format!("protobuf_{run}"), "input.pb"));
        compare_pair(run, &chrome, &binary, &mut found);
    }
    found
}

fn compare_pair(name: &str, chrome: &Loaded, binary: &Loaded, found: &mut Vec<Comparison>) {
    let (left, right) = (&chrome.trace, &binary.trace);
    let mut add = |key: &str, binary: f64, chrome: f64, tolerance: f64| {
        found.push(Comparison::close("paddle pairs", name, key, binary, chrome, tolerance));
    };
    #[expect(clippy::cast_precision_loss, reason = "counts")]
    let count = |count: usize| count as f64;
    add("slices", count(right.slices.len()), count(left.slices.len()), 0.0);
    add("memory events", count(right.memory.len()), count(left.memory.len()), 0.0);
    add("threads", count(right.tracks.len()), count(left.tracks.len()), 0.0);
    let origin = |trace: &Trace| trace.meta.origin_unix_ns.expect("an absolute time");
    // The Chrome export truncates to whole µs; many slices show the first one's start within that µs.
    let apart = float(Nanos(origin(right) - origin(left)));
    let slack = if right.slices.len() > 100 { 20.0 } else { 1000.0 };
    add("origin, too early", slack / 2.0, apart, slack / 2.0);
    let (mut moved, mut elsewhere, mut first) = (0, 0, String::new());
    for id in right.slices.ids().take(left.slices.len()) {
        let near = |of: fn(&stepscope::trace::Slices, EventId) -> Nanos| {
            let (a, b) = (of(&left.slices, id), of(&right.slices, id));
            (float(a) - float(b)).abs() <= rounding(b)
        };
        let near = near(stepscope::trace::Slices::start) && near(stepscope::trace::Slices::end);
        let same = path_of(left, id) == path_of(right, id);
        if !(near && same) && first.is_empty() {
            first = format!("{} is {}", path_of(right, id), path_of(left, id));
        }
        moved += usize::from(!near);
        elsewhere += usize::from(!same);
    }
    if !first.is_empty() {
        eprintln!("{name}: {first}");
    }
    add("slices with other times", 0.0, count(moved), 0.0);
    add("slices elsewhere", 0.0, count(elsewhere), 0.0);
    let owner = |trace: &Trace, owner: EventId| owner.get().map(|id| path_of(trace, id));
    let memory = |trace: &Trace| {
        let mut events: Vec<_> = trace
            .memory
            .iter()
            .enumerate()
            .map(|(index, event)| {
                (
                    event.address,
                    event.bytes,
                    event.allocated,
                    event.reserved,
                    event.device,
                    event.pool,
                    trace.memory_owners.get(index).and_then(|id| owner(trace, *id)),
                )
            })
            .collect();
        events.sort();
        events
    };
    let differ = memory(left).iter().zip(&memory(right)).filter(|(a, b)| a != b).count();
    add("memory events that differ", 0.0, count(differ), 0.0);
    let far = |(a, b): &(&stepscope::trace::MemoryEvent, &stepscope::trace::MemoryEvent)| (a.at - b.at).0.abs() > 2_000;
    add("memory events at other times", 0.0, count(left.memory.iter().zip(&right.memory).filter(far).count()), 0.0);
}

/// The first slice identifies the files of one recording, whatever their names.
#[test]
fn exports_of_a_run_are_known_as_one_recording() {
    let Some(folder) = real_traces() else { return };
    let files = files_of(&folder.join("generated/paddle"));
    let mut sources = Sources::default();
    for (path, bytes) in &files {
        sources.add(path, &mut &bytes[..]);
    }
    let read = sources.plan(&BTreeMap::new()).ranks;
    let chrome: Vec<&str> = read
        .iter()
        .map(|rank| sources.list()[rank.files[0]].path.as_str())
        .filter(|path| !path.ends_with(".pb") && !path.ends_with(".pb.gz"))
        .collect();
    // Each run was exported both ways.
    assert_eq!(chrome, [""; 0], "of {} ranks", read.len());
    let binary = files.iter().filter(|(path, _)| path.ends_with(".pb") || path.ends_with(".pb.gz"));
    assert_eq!(read.len(), binary.count());
}
