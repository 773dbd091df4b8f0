//! Marks of inference engines around a step of the model: INSIGHT section 1, which lists the source of each grammar.
//!
//! - vLLM: `execute_new_{n}_cached_{m}`, `execute_context_{R}({t})_generation_{R}({t})`,
//!   `execute_{T}_context_{R}(sq{}sk{}sqsq{}sqsk{})_generation_{R}(…)`
//! - `SGLang`: `step[{MODE} bs={n} toks={t}]`, with more keys in newer versions; `draft step[…]`
//! - ATOM: `prefill[bs={n} tok={t} …]`, `decode[bs={n}/{padded} tok={t} …]`
//! - xDiT: `execute_diffusion_{batch}_{H}x{W}`
//! - TensorRT-LLM: `[Executor] _forward_step {i}: {n} ctx reqs, {m} gen reqs, {t} ctx tokens`

use stepscope_base::{CompactSort, Interval};
use stepscope_trace::{Class, Layer, Trace, Track};

/// The kind of an inference step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InferenceKind {
    /// New requests' prompts.
    Prefill,
    /// One token of each running request.
    Decode,
    /// Both.
    Mixed,
    /// Verification of draft tokens (speculative decoding).
    Verify,
    /// Draft tokens (speculative decoding).
    Draft,
    /// No request: the engine takes part in collectives only.
    Idle,
    /// An image or video model.
    Diffusion,
}

impl InferenceKind {
    /// All kinds.
    pub const ALL: [Self; 7] =
        [Self::Prefill, Self::Decode, Self::Mixed, Self::Verify, Self::Draft, Self::Idle, Self::Diffusion];

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Prefill => "prefill",
            Self::Decode => "decode",
            Self::Mixed => "mixed",
            Self::Verify => "verify",
            Self::Draft => "draft",
            Self::Idle => "idle",
            Self::Diffusion => "diffusion",
        }
    }
}

/// The facts in an inference step's mark; absent where the mark does not state them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InferenceStep {
    /// The kind.
    pub kind: Option<InferenceKind>,
    /// Requests, or images, in the batch, without padding.
    pub requests: Option<u64>,
    /// Tokens that the model computes, without padding.
    pub tokens: Option<u64>,
}

impl InferenceStep {
    /// The facts in a mark's name; none if no grammar has such a name.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        vllm(name).or_else(|| sglang(name)).or_else(|| atom(name)).or_else(|| tensorrt_llm(name))
    }

    /// These facts, with missing ones taken from another mark of the same step.
    fn with(self, other: Self) -> Self {
        Self {
            kind: self.kind.or(other.kind),
            requests: self.requests.or(other.requests),
            tokens: self.tokens.or(other.tokens),
        }
    }
}

/// The number at the start of a text, and the rest.
fn leading(text: &str) -> Option<(u64, &str)> {
    let end = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// The number after a key, which is at the start of the text or not after a letter.
fn after(text: &str, key: &str) -> Option<u64> {
    let mut places = text.match_indices(key);
    let (at, _) = places.find(|(at, _)| !text[..*at].ends_with(|before: char| before.is_ascii_alphabetic()))?;
    leading(&text[at + key.len()..]).map(|(number, _)| number)
}

/// The kind of a step with new requests and running ones.
fn kind_of(new: u64, running: u64) -> InferenceKind {
    match (new, running) {
        (0, 0) => InferenceKind::Idle,
        (0, _) => InferenceKind::Decode,
        (_, 0) => InferenceKind::Prefill,
        _ => InferenceKind::Mixed,
    }
}

fn vllm(name: &str) -> Option<InferenceStep> {
    let rest = name.strip_prefix("execute_")?;
    if let Some(rest) = rest.strip_prefix("diffusion_") {
        let (batch, _) = leading(rest)?;
        return Some(InferenceStep { kind: Some(InferenceKind::Diffusion), requests: Some(batch), tokens: None });
    }
    if let Some(rest) = rest.strip_prefix("new_") {
        let (new, rest) = leading(rest)?;
        let (running, _) = leading(rest.strip_prefix("_cached_")?)?;
        let kind = Some(kind_of(new, running));
        return Some(InferenceStep { kind, requests: Some(new + running), tokens: None });
    }
    let (total, rest) = match leading(rest) {
        Some((total, rest)) => (Some(total), rest.strip_prefix('_')?),
        None => (None, rest),
    };
    let (new, rest) = leading(rest.strip_prefix("context_")?)?;
    let (of_new, rest) = rest.strip_prefix('(')?.split_once(")_generation_")?;
    let (running, of_running) = leading(rest)?;
    let tokens = |text: &str| leading(text).map(|(tokens, _)| tokens).or_else(|| after(text, "sq"));
    let both = tokens(of_new).zip(tokens(of_running.strip_prefix('(')?));
    Some(InferenceStep {
        kind: Some(kind_of(new, running)),
        requests: Some(new + running),
        tokens: total.or(both.map(|(new, running)| new + running)),
    })
}

fn sglang(name: &str) -> Option<InferenceStep> {
    let (is_draft, rest) = name.strip_prefix("draft ").map_or((false, name), |rest| (true, rest));
    let rest = rest.strip_prefix("step[")?.strip_suffix(']')?;
    let mode = rest.split(' ').next()?;
    let is_mode = mode.starts_with(|first: char| first.is_ascii_uppercase());
    if !is_mode || mode.contains(|other: char| !other.is_ascii_uppercase() && !matches!(other, '_' | '0'..='9')) {
        return None;
    }
    let kind = match mode {
        _ if is_draft || mode.starts_with("DRAFT") => Some(InferenceKind::Draft),
        "EXTEND" | "SPLIT_PREFILL" => Some(InferenceKind::Prefill),
        "DECODE" => Some(InferenceKind::Decode),
        "MIXED" => Some(InferenceKind::Mixed),
        "IDLE" => Some(InferenceKind::Idle),
        "TARGET_VERIFY" | "VERIFY" => Some(InferenceKind::Verify),
        _ => None,
    };
    Some(InferenceStep { kind, requests: after(rest, "bs="), tokens: after(rest, "toks=") })
}

fn atom(name: &str) -> Option<InferenceStep> {
    let prefill = name.strip_prefix("prefill[").map(|rest| (InferenceKind::Prefill, rest));
    let (kind, rest) = prefill.or_else(|| Some((InferenceKind::Decode, name.strip_prefix("decode[")?)))?;
    let rest = rest.strip_suffix(']')?;
    let requests = Some(after(rest, "bs=")?);
    Some(InferenceStep { kind: Some(kind), requests, tokens: after(rest, "tok=") })
}

fn tensorrt_llm(name: &str) -> Option<InferenceStep> {
    let rest = name.strip_prefix("[Executor] _forward_step")?;
    let (_, counts) = rest.split_once(':')?;
    let count = |unit: &str| {
        let mut parts = counts.split(',').map(str::trim);
        parts.find_map(|part| leading(part.strip_suffix(unit)?).map(|(count, _)| count))
    };
    let (new, running) = (count(" ctx reqs")?, count(" gen reqs")?);
    Some(InferenceStep { kind: Some(kind_of(new, running)), requests: Some(new + running), tokens: None })
}

/// The steps with their names, the kind and a number, and the facts of each.
pub(super) fn steps(trace: &Trace) -> (Vec<(String, Interval)>, Vec<InferenceStep>) {
    let name = |(index, (facts, span)): (usize, (InferenceStep, Interval))| {
        let name = facts.kind.map_or_else(|| index.to_string(), |kind| [kind.name(), " ", &index.to_string()].concat());
        ((name, span), facts)
    };
    marks(trace).into_iter().enumerate().map(name).unzip()
}

/// The outermost marks of inference steps, by start; with marks on several threads, those around the process's
/// launches.
fn marks(trace: &Trace) -> Vec<(InferenceStep, Interval)> {
    let names = trace.strings.map(InferenceStep::of_name);
    if names.iter().all(Option::is_none) {
        return Vec::new();
    }
    let mut found: Vec<(bool, Vec<(InferenceStep, Interval)>)> = Vec::new();
    for track in trace.tracks.iter().filter(|track| track.layer == Layer::Host) {
        let marks = of_track(trace, track, &names);
        if !marks.is_empty() {
            let launches = |calls: &Track| {
                (calls.process, calls.thread) == (track.process, track.thread)
                    && calls.events().any(|id| {
                        let start = trace.slices.start(id);
                        let last = marks.partition_point(|(_, span)| span.start <= start).checked_sub(1);
                        trace.slices.class(id) == Class::RuntimeCall
                            && last.is_some_and(|last| start < marks[last].1.end)
                    })
            };
            found.push((trace.tracks.iter().any(launches), marks));
        }
    }
    let any_launches = found.iter().any(|(launches, _)| *launches);
    let chosen = found.into_iter().filter(|(launches, _)| *launches || !any_launches);
    let mut marks: Vec<_> = chosen.flat_map(|(_, marks)| marks).collect();
    marks.compact_sort_by_key(|(_, span)| (span.start, span.end));
    marks
}

/// A track's outermost marks, each with the facts of those inside.
fn of_track(trace: &Trace, track: &Track, names: &[Option<InferenceStep>]) -> Vec<(InferenceStep, Interval)> {
    let mut marks: Vec<(InferenceStep, Interval)> = Vec::new();
    for id in track.events() {
        let Some(facts) = names[trace.slices.name(id).index()] else { continue };
        if !matches!(trace.slices.class(id), Class::Annotation | Class::Operator) {
            continue;
        }
        let span = trace.slices.interval(id);
        match marks.last_mut() {
            Some((known, around)) if around.contains(span) => *known = known.with(facts),
            _ => marks.push((facts, span)),
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::{InferenceKind, InferenceStep};

    #[test]
    fn each_grammar_is_read() {
        use InferenceKind::{Decode, Diffusion, Draft, Idle, Mixed, Prefill, Verify};
        for (name, kind, requests, tokens) in [
            ("execute_new_0_cached_7", Some(Decode), Some(7), None),
            ("execute_new_2_cached_0", Some(Prefill), Some(2), None),
            ("execute_context_2(300)_generation_5(5)", Some(Mixed), Some(7), Some(305)),
            ("execute_context_1(888_788544)_generation_0(0)", Some(Prefill), Some(1), Some(888)),
            (
                "execute_32_context_0(sq0sk0sqsq0sqsk0)_generation_32(sq32sk32785sqsq32sqsk32785)",
                Some(Decode),
                Some(32),
                Some(32),
            ),
            ("execute_diffusion_1_256x256", Some(Diffusion), Some(1), None),
            ("step[DECODE bs=32]", Some(Decode), Some(32), None),
            ("step[EXTEND bs=3 toks=1024 c_sq=1024 c_sk=2048]", Some(Prefill), Some(3), Some(1024)),
            ("step[MIXED bs=4 c=1 g=3 c_sq=9]", Some(Mixed), Some(4), None),
            ("step[IDLE bs=0]", Some(Idle), Some(0), None),
            ("step[TARGET_VERIFY bs=2]", Some(Verify), Some(2), None),
            ("step[DRAFT_EXTEND_V2 bs=2]", Some(Draft), Some(2), None),
            ("step[SOMETHING_NEW bs=2]", None, Some(2), None),
            ("draft step[DECODE bs=8]", Some(Draft), Some(8), None),
            ("prefill[bs=2 tok=14721 ctx=[7803, 6918]]", Some(Prefill), Some(2), Some(14_721)),
            ("decode[bs=117/128 tok=117 d=117 p= spec= tbo=]", Some(Decode), Some(117), Some(117)),
            ("[Executor] _forward_step 12: 1 ctx reqs, 3 gen reqs, 77 ctx tokens", Some(Mixed), Some(4), None),
            ("[Executor] _forward_step: 0 ctx reqs, 3 gen reqs", Some(Decode), Some(3), None),
        ] {
            assert_eq!(InferenceStep::of_name(name), Some(InferenceStep { kind, requests, tokens }), "{name}");
        }
    }

    #[test]
    fn other_names_are_no_inference_steps() {
        for name in [
            "capture_32_DECODE",
            "capture_graph_bs_32",
            "execute_model",
            "execute_context",
            "step[3]",
            "step[Decode]",
            "step[",
            "decode[]",
            "prefill",
            "execute_7",
            "execute_7é_context_1(1)_generation_1(1)",
            "[Executor] _forward_step",
            "gpu_model_runner: forward",
        ] {
            assert_eq!(InferenceStep::of_name(name), None, "{name}");
        }
    }
}
