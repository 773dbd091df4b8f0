//! Operators on the host: their names, their launches, their allocations.

use super::device::Run;
use super::memory::Live;
use super::{Event, HostState, Kind, ModelPart, Simulation, StepTruth, ns};
use crate::generator::truth::matrix_width;

pub(super) const FORWARD_NAMES: [&str; 4] = ["aten::linear", "aten::conv2d", "aten::layer_norm", "aten::gelu"];
/// The operator that multiplies matrices.
pub(in crate::generator) const PRODUCT: &str = "aten::addmm";
pub(super) const STEP_NAME: &str = "aten::_foreach_add_";
const INNER_NAMES: [&str; 4] = [PRODUCT, "aten::cudnn_convolution", "aten::native_layer_norm", "aten::gelu_"];
const BACKWARD_NAMES: [&str; 4] =
    ["AddmmBackward0", "ConvolutionBackward0", "NativeLayerNormBackward0", "GeluBackward0"];

/// A forward group whose backward one is to come.
#[derive(Clone, Copy)]
pub(super) struct Forward {
    sequence: u64,
    /// Index of its kind of operators.
    kind: usize,
    pub(super) block: Live,
}

impl Simulation {
    /// One operator with its launches; returns the device's busy time with them alone, and the length of the inner
    /// operator.
    pub(super) fn group(
        &mut self,
        part: ModelPart,
        plan: &[Run],
        events: &mut Vec<Event>,
        step: &mut StepTruth,
        last_end: &mut i64,
    ) -> (i64, i64) {
        let communicates = plan.iter().any(|run| run.state.communication);
        let forward = self.forward(part, communicates);
        let kind = forward.map_or(0, |forward| forward.kind);
        let pieces: usize = plan.iter().map(|run| run.lengths.len()).sum();
        let outer_start = self.host_now;
        let before = ns(self.random.range(500, 6_000));
        self.advance_host(HostState::Operator, before);
        let inner_start = self.host_now;
        let inner_before = ns(self.random.range(300, 2_000));
        self.advance_host(HostState::Operator, inner_before);
        let inner_id = self.id();
        let correlations: Vec<u64> = (0..pieces).map(|_| self.correlation()).collect();
        let calls = self.calls(plan, &correlations, inner_id, part, events);
        let inner_after = ns(self.random.range(100, 900));
        self.advance_host(HostState::Operator, inner_after);
        let inner_length = self.host_now - inner_start;
        let after = ns(self.random.range(200, 1_500));
        self.advance_host(HostState::Operator, after);
        let outer_length = self.host_now - outer_start;
        let (busy, alone) = self.run(plan, &correlations, inner_id, events, step, last_end);
        let (outer, inner) = match part {
            _ if communicates => ("c10d::allreduce_".to_owned(), "record_param_comms"),
            ModelPart::Forward => (FORWARD_NAMES[kind].to_owned(), INNER_NAMES[kind]),
            ModelPart::Backward => {
                (format!("autograd::engine::evaluate_function: {}", BACKWARD_NAMES[kind]), BACKWARD_NAMES[kind])
            }
            ModelPart::Optimizer => (STEP_NAME.to_owned(), "aten::_foreach_add_inner"),
        };
        self.operator_truth(&outer, outer_length, outer_length - inner_length, 0, busy);
        self.operator_truth(inner, inner_length, inner_length - calls, busy, busy);
        if inner == PRODUCT {
            self.truth.products.insert(inner_id, 2 * 32 * matrix_width(inner_id).pow(2));
        }
        self.operators(
            part,
            forward.map(|forward| forward.sequence),
            communicates.then_some(inner_id),
            (&outer, outer_start, outer_length),
            (inner, inner_start, inner_length, inner_id),
            events,
        );
        self.memory(part, forward, inner, inner_start + 50, events);
        (alone, inner_length)
    }

    /// The forward part of a group, or the one that a backward group undoes: the latest first, as autograd does.
    fn forward(&mut self, part: ModelPart, communicates: bool) -> Option<Forward> {
        match part {
            ModelPart::Forward => {
                self.next_sequence += 1;
                let forward = Forward {
                    sequence: self.next_sequence,
                    kind: self.random.range(0, 3) as usize,
                    block: Live {
                        address: 0x7f00_0000_0000 + self.random.range(0, 1 << 20) * 512,
                        bytes: ns(self.random.range(1, 4_000) * 512),
                    },
                };
                self.forward.push(forward);
                Some(forward)
            }
            ModelPart::Backward if !communicates => self.forward.pop(),
            _ => None,
        }
    }

    /// The two operators of a group, and the flow from forward to backward.
    fn operators(
        &mut self,
        part: ModelPart,
        sequence: Option<u64>,
        collective: Option<u64>,
        outer: (&str, i64, i64),
        inner: (&str, i64, i64, u64),
        events: &mut Vec<Event>,
    ) {
        let backward = part == ModelPart::Backward;
        let outer_id = self.id();
        let mut push = |name: &str, start, length, kind| {
            events.push(Event { kind, name: name.to_owned(), start, length, backward_thread: backward });
        };
        let operator = |id, sequence, collective| Kind::Operator { id, sequence, backward, collective, inputs: None };
        push(outer.0, outer.1, outer.2, operator(outer_id, None, None));
        push(inner.0, inner.1, inner.2, operator(inner.3, sequence, collective));
        if let Some(id) = sequence {
            push("fwdbwd", inner.1, 0, Kind::ForwardBackward { id, end: backward });
            self.truth.forward_backward_flows += u64::from(backward);
        }
    }

    /// The runtime calls of a group, one per activity; returns their total duration.
    fn calls(&mut self, plan: &[Run], correlations: &[u64], id: u64, part: ModelPart, events: &mut Vec<Event>) -> i64 {
        let mut total = 0;
        self.calls.clear();
        let names = plan.iter().flat_map(|run| run.lengths.iter().map(|_| run.call));
        for (name, correlation) in names.zip(correlations) {
            let length = ns(self.random.range(1_500, 7_000));
            let start = self.host_now;
            self.advance_host(HostState::Runtime, length);
            total += length;
            self.calls.push((start, start + length));
            let kind = Kind::Call { id, correlation: *correlation, launches: true };
            events.push(Event {
                kind,
                name: name.to_owned(),
                start,
                length,
                backward_thread: part == ModelPart::Backward,
            });
        }
        total
    }
}
