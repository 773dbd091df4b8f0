//! V8's CPU profiles, `.cpuprofile`: sampled call stacks of one thread.
//!
//! Producer: `node --cpu-prof`, the inspector's `Profiler` domain, Chrome's developer tools. Read: `nodes`, `samples`
//! and `timeDeltas`. A frame lasts from the first sample with it to the first without, so all times are estimates.
//! Not read: `hitCount` and `positionTicks`, which are less precise than the samples.
//!
//! Times are microseconds on the process's own clock. Source: V8's inspector protocol; files of Node 20.

use serde::Deserialize;
use serde_json::Value;

use super::stacks::{Stacks, Unshown, id, v8_name};
use crate::reader::{About, Method, Reader};
use crate::{Head, Verdict};
use stepscope_base::{Code, Error, ErrorKind, Nanos, ReadAt, RejectionReason, Warnings};
use stepscope_trace::{RawId, TraceBuilder};

/// The reader of V8's CPU profiles.
pub(super) struct V8CpuProfile;

impl Reader for V8CpuProfile {
    fn id(&self) -> &'static str {
        "v8_cpuprofile"
    }

    fn about(&self) -> About {
        About {
            title: "V8 CPU profile (.cpuprofile)",
            versions: "Node.js (--cpu-prof), Chrome's developer tools",
            read: "sampled call stacks, as slices from one sample to the next",
            not_read: "hits per line",
        }
    }

    fn sniff(&self, _path: &str, head: Head<'_>) -> Verdict {
        match head.trimmed().first() {
            Some(b'{') => {}
            None if !head.whole => return Verdict::NeedMore,
            _ => return Verdict::No(RejectionReason::NotJsonObject),
        }
        if head.contains("\"traceEvents\"") || head.contains("\"ph\"") {
            Verdict::No(RejectionReason::ChromeTrace)
        } else if head.contains("\"nodes\"") && head.contains("\"callFrame\"") {
            Verdict::Yes
        } else if head.whole {
            Verdict::No(RejectionReason::NoCallFrames)
        } else {
            Verdict::NeedMore
        }
    }

    fn method(&self) -> Method {
        Method::Random(read)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Profile {
    nodes: Vec<Node>,
    #[serde(default)]
    start_time: i64,
    end_time: Option<i64>,
    #[serde(default)]
    samples: Vec<Value>,
    #[serde(default)]
    time_deltas: Vec<i64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Node {
    id: Value,
    call_frame: Value,
    parent: Option<Value>,
    #[serde(default)]
    children: Vec<Value>,
}

/// The largest file that is read: all of it is in memory, and parsing takes more.
const LARGEST: u64 = 512 << 20;

fn read(
    file: &mut dyn ReadAt,
    builder: &mut TraceBuilder,
    warnings: &mut Warnings,
    progress: &mut dyn FnMut(u64),
) -> Result<(), Error> {
    let io = |message: String| Error::new(ErrorKind::Io(message));
    if file.len() > LARGEST {
        return Err(io(format!("a CPU profile of more than {} MB", LARGEST >> 20)));
    }
    let mut text = vec![0; usize::try_from(file.len()).unwrap_or_default()];
    let mut filled = 0;
    while filled < text.len() {
        match file.read_at(filled as u64, &mut text[filled..]).map_err(|error| io(error.to_string()))? {
            0 => break,
            read => filled += read,
        }
        progress(filled as u64);
    }
    let text = &text[..filled];
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let profile: Profile = serde_json::from_slice(text).map_err(|error| not_a_profile(text, &error))?;
    let mut stacks = Stacks::default();
    for node in &profile.nodes {
        let name = v8_name(builder, &node.call_frame);
        let Some(own) = id(builder, &node.id) else { continue };
        let parent = node.parent.as_ref().and_then(|parent| id(builder, parent));
        stacks.frame(own, parent, name);
    }
    // Node writes each frame's children, other producers its parent.
    for node in &profile.nodes {
        let Some(own) = id(builder, &node.id) else { continue };
        for child in &node.children {
            if let Some(child) = id(builder, child) {
                stacks.set_parent(child, own);
            }
        }
    }
    let mut at = profile.start_time;
    let mut samples = 0;
    for (sample, delta) in profile.samples.iter().zip(&profile.time_deltas) {
        at = at.saturating_add(*delta);
        if let Some(sample) = id(builder, sample) {
            stacks.sample(micros(at), sample);
            samples += 1;
        }
    }
    builder.meta.events += samples;
    builder.meta.framework = "V8".into();
    let thread = (RawId::Number(1), RawId::Number(1));
    let name = builder.intern(b"JavaScript");
    builder.name_thread(thread.0, thread.1, Some(name), None);
    let Unshown { unknown, cut } = stacks.write(builder, thread, b"v8.cpu_profiler", profile.end_time.map(micros), 0);
    warnings.add_many(Code::SampledStacks, samples - unknown, None, String::new);
    warnings.add_many(Code::UnusedSamples, unknown, None, String::new);
    warnings.add_many(Code::CutStacks, cut, None, String::new);
    if samples == 0 {
        return Err(Error::new(ErrorKind::NoEvents));
    }
    Ok(())
}

fn micros(at: i64) -> Nanos {
    Nanos(at.saturating_mul(1000))
}

/// The error for a text that is not a profile, with the position of the fault.
fn not_a_profile(text: &[u8], error: &serde_json::Error) -> Error {
    let lines = text.split_inclusive(|byte| *byte == b'\n').take(error.line().saturating_sub(1));
    let position = lines.map(<[u8]>::len).sum::<usize>() + error.column().saturating_sub(1);
    let expected =
        if error.is_eof() { "the rest of the file" } else { "a CPU profile's nodes, samples and timeDeltas" };
    Error::at(ErrorKind::Syntax { expected }, position as u64)
}
