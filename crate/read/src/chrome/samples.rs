//! Call stack samples: V8's profiles in `P` events, and the format's own `samples` and `stackFrames`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::event::{Core, Event};
use super::keys;
use crate::stacks::{Stacks, Unshown, id, v8_name};
use stepscope_base::{Code, Nanos};
use stepscope_parse::{Decimal, Value as Parsed};
use stepscope_trace::{NameId, RawId};

/// The samples of a file.
#[derive(Debug, Default)]
pub(super) struct Samples {
    /// By process and profile id.
    profiles: BTreeMap<(RawId, NameId), Profile>,
    /// Samples that name a frame of `stackFrames`, by process and thread.
    of_frames: BTreeMap<(RawId, RawId), Vec<(Nanos, NameId)>>,
    frames: Stacks,
    any_frames: bool,
    /// The position of the first sample.
    position: Option<u64>,
}

/// A V8 profile, which is written in chunks.
#[derive(Debug, Default)]
struct Profile {
    thread: RawId,
    /// The time of the last sample, in microseconds.
    at: i64,
    end: Option<i64>,
    stacks: Stacks,
}

impl Samples {
    /// Takes a `P` event.
    pub(super) fn event(&mut self, core: &mut Core, event: &Event<'_>) {
        self.position.get_or_insert(event.position);
        match event.name.as_deref() {
            Some(name @ (b"Profile" | b"ProfileChunk")) => {
                let started = name == b"Profile";
                if self.chunk(core, event, started).is_none() {
                    core.warnings.add(Code::UnusedSamples, Some(event.position), String::new);
                }
            }
            _ => {
                let whole: Option<Value> = serde_json::from_slice(event.object.text()).ok();
                let frame = whole.as_ref().and_then(|whole| id(&mut core.builder, whole.get("sf")?));
                match (frame, event.start.and_then(Decimal::nanos_from_micros)) {
                    (Some(frame), Some((at, _))) => {
                        self.of_frames.entry((event.process, event.thread)).or_default().push((at, frame));
                    }
                    _ => core.warnings.add(Code::UnusedSamples, Some(event.position), String::new),
                }
            }
        }
    }

    /// Reads a profile's start, with its time, or a chunk of its frames and samples.
    fn chunk(&mut self, core: &mut Core, event: &Event<'_>, started: bool) -> Option<()> {
        let Some(Parsed::Object(text)) = event.object.get(keys::ARGS) else { return None };
        let args: Value = serde_json::from_slice(text).ok()?;
        let data = args.get("data")?;
        let name = match event.object.get(keys::ID) {
            Some(Parsed::Text(text)) => core.builder.intern(&text.bytes()),
            _ => NameId::NONE,
        };
        let profile = self.profiles.entry((event.process, name)).or_default();
        if started {
            profile.thread = event.thread;
            profile.at = data.get("startTime").and_then(Value::as_i64)?;
        }
        profile.end = data.get("endTime").and_then(Value::as_i64).or(profile.end);
        let list = |value: Option<&Value>| value.and_then(Value::as_array).cloned().unwrap_or_default();
        let tree = data.get("cpuProfile");
        for node in list(tree.and_then(|tree| tree.get("nodes"))) {
            let name = v8_name(&mut core.builder, node.get("callFrame")?);
            let parent = node.get("parent").and_then(|parent| id(&mut core.builder, parent));
            let node = id(&mut core.builder, node.get("id")?)?;
            profile.stacks.frame(node, parent, name);
        }
        let deltas = list(data.get("timeDeltas"));
        let samples = list(tree.and_then(|tree| tree.get("samples")));
        for (sample, delta) in samples.iter().zip(&deltas) {
            profile.at = profile.at.saturating_add(delta.as_i64()?);
            profile.stacks.sample(micros(profile.at), id(&mut core.builder, sample)?);
        }
        Some(())
    }

    /// Takes a member of the outer object, if it is one of samples.
    pub(super) fn member(&mut self, core: &mut Core, key: &str, value: &[u8]) -> bool {
        match key {
            "stackFrames" => {
                let frames: serde_json::Map<String, Value> = serde_json::from_slice(value).unwrap_or_default();
                self.any_frames |= !frames.is_empty();
                for (name, frame) in frames {
                    let parent = frame.get("parent").and_then(|parent| id(&mut core.builder, parent));
                    let text = frame.get("name").and_then(Value::as_str).unwrap_or_default();
                    let text = core.builder.intern(text.as_bytes());
                    let own = core.builder.intern(name.as_bytes());
                    self.frames.frame(own, parent, text);
                }
            }
            "samples" => {
                let samples: Vec<Value> = serde_json::from_slice(value).unwrap_or_default();
                // The format names a thread but no process.
                let process = RawId::Text(core.builder.intern(b"samples"));
                for sample in samples {
                    let at = sample.get("ts").and_then(|at| Decimal::parse(at.to_string().as_bytes()));
                    let frame = sample.get("sf").and_then(|frame| id(&mut core.builder, frame));
                    let thread = RawId::Number(sample.get("tid").and_then(Value::as_i64).unwrap_or_default());
                    match (at.and_then(Decimal::nanos_from_micros), frame) {
                        (Some((at, _)), Some(frame)) => {
                            self.of_frames.entry((process, thread)).or_default().push((at, frame));
                        }
                        _ => core.warnings.add(Code::UnusedSamples, None, String::new),
                    }
                }
            }
            _ => return false,
        }
        true
    }

    /// Adds all samples as slices.
    pub(super) fn finish(mut self, core: &mut Core) {
        let position = self.position.unwrap_or_default();
        let (mut all, mut unshown) = (0, Unshown::default());
        for ((process, _), profile) in &mut self.profiles {
            all += profile.stacks.samples_mut().len() as u64;
            let thread = (*process, profile.thread);
            let end = profile.end.map(micros);
            unshown += profile.stacks.write(&mut core.builder, thread, b"v8.cpu_profiler", end, position);
        }
        for (thread, samples) in self.of_frames {
            all += samples.len() as u64;
            *self.frames.samples_mut() = samples;
            unshown += self.frames.write(&mut core.builder, thread, b"samples", None, position);
        }
        let Unshown { unknown, cut } = unshown;
        core.warnings.add_many(Code::SampledStacks, all - unknown, self.position, String::new);
        core.warnings.add_many(Code::UnusedSamples, unknown, self.position, String::new);
        core.warnings.add_many(Code::CutStacks, cut, self.position, String::new);
    }
}

fn micros(at: i64) -> Nanos {
    Nanos(at.saturating_mul(1000))
}
