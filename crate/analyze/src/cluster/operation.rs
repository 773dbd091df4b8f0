//! The operations of collectives, by the names of old and new libraries.

use crate::event::collective_elements_bytes;
use crate::flops::bytes_of_tensors;
use crate::time_categories::names_library_call;
use stepscope_trace::{Class, Collective, EventId, NO_COUNT, Trace};

/// A collective or point-to-point operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CollectiveKind {
    /// Every rank gets the sum of all.
    AllReduce,
    /// Every rank gets what all have.
    AllGather,
    /// Every rank gets a part of the sum.
    ReduceScatter,
    /// Every rank sends a part to each.
    AllToAll,
    /// One rank's data go to all.
    Broadcast,
    /// One rank gets the sum of all.
    Reduce,
    /// One rank gets what all have.
    Gather,
    /// Each rank gets a part of what one has.
    Scatter,
    /// All wait for each other.
    Barrier,
    /// From one rank to another one: the sender's part.
    Send,
    /// From one rank to another one: the receiver's part.
    Receive,
    /// Several of these in one kernel.
    SendReceive,
    /// The name does not show it.
    Other,
}

impl CollectiveKind {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::AllReduce,
        Self::AllGather,
        Self::ReduceScatter,
        Self::AllToAll,
        Self::Broadcast,
        Self::Reduce,
        Self::Gather,
        Self::Scatter,
        Self::Barrier,
        Self::Send,
        Self::Receive,
        Self::SendReceive,
        Self::Other,
    ];

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::AllReduce => "all_reduce",
            Self::AllGather => "all_gather",
            Self::ReduceScatter => "reduce_scatter",
            Self::AllToAll => "all_to_all",
            Self::Broadcast => "broadcast",
            Self::Reduce => "reduce",
            Self::Gather => "gather",
            Self::Scatter => "scatter",
            Self::Barrier => "barrier",
            Self::Send => "send",
            Self::Receive => "receive",
            Self::SendReceive => "send_receive",
            Self::Other => "other",
        }
    }

    /// The operation of a name: of an argument, an operator or a kernel, in any library's spelling. The longest word
    /// decides, since `allreduce` contains `reduce`.
    ///
    /// ```
    /// use stepscope::analyze::CollectiveKind;
    ///
    /// let of = CollectiveKind::of_name;
    /// assert_eq!(of("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)"), Some(CollectiveKind::AllReduce));
    /// assert_eq!(of("hcom_reduceScatter__773_0_1"), Some(CollectiveKind::ReduceScatter));
    /// assert_eq!(of("c10d::recv_"), Some(CollectiveKind::Receive));
    /// assert_eq!(of("ncclDevKernel_Generic(ncclDevKernelArgsStorage<4096ul>)"), None);
    /// ```
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        const WORDS: [(&str, CollectiveKind); 17] = [
            ("allreduce", CollectiveKind::AllReduce),
            ("crossdevicereduce", CollectiveKind::AllReduce),
            ("allgather", CollectiveKind::AllGather),
            ("reducescatter", CollectiveKind::ReduceScatter),
            ("alltoall", CollectiveKind::AllToAll),
            ("all2all", CollectiveKind::AllToAll),
            ("sendrecv", CollectiveKind::SendReceive),
            ("sendreceive", CollectiveKind::SendReceive),
            ("coalesced", CollectiveKind::SendReceive),
            ("broadcast", CollectiveKind::Broadcast),
            ("bcast", CollectiveKind::Broadcast),
            ("barrier", CollectiveKind::Barrier),
            ("scatter", CollectiveKind::Scatter),
            ("gather", CollectiveKind::Gather),
            ("reduce", CollectiveKind::Reduce),
            ("send", CollectiveKind::Send),
            ("recv", CollectiveKind::Receive),
        ];
        // Arguments are no part of the name: `ncclDevKernel_Generic(…)`. This namespace has a parenthesis, too.
        let name = name.strip_prefix("void ").unwrap_or(name);
        let name = name.strip_prefix("(anonymous namespace)::").unwrap_or(name);
        let name = name.split(['(', '<']).next().unwrap_or(name);
        let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
        let found = WORDS.iter().find(|(word, _)| plain.contains(word)).map(|(_, kind)| *kind);
        found.or_else(|| plain.contains("receive").then_some(Self::Receive))
    }

    /// The operation that a slice is a part of: by its own arguments, else those of its launching operators, else by
    /// the names of the operators around its launch, else by its own name.
    #[must_use]
    pub fn of_slice(trace: &Trace, id: EventId) -> Self {
        let told = |id: EventId| Self::of_name(trace.strings.get(trace.collective(id)?.name));
        let around = || calls_around(trace, id).skip(1);
        let named = |id: EventId| {
            let is_such = matches!(trace.slices.class(id), Class::Operator | Class::Annotation);
            let name = trace.name_of(id);
            Self::of_name(name).filter(|_| is_such && names_library_call(name))
        };
        // Whatever is joined into one call, messages or collectives, PyTorch calls it only coalesced.
        let is_clear = |id: &EventId| !trace.name_of(*id).contains("coalesced");
        told(id)
            .or_else(|| around().find_map(told))
            .or_else(|| around().filter(is_clear).find_map(named))
            .or_else(|| Self::of_name(trace.name_of(id)))
            .or_else(|| around().find_map(named))
            .unwrap_or(Self::Other)
    }

    /// Whether it goes between two ranks.
    #[must_use]
    pub fn is_point_to_point(self) -> bool {
        matches!(self, Self::Send | Self::Receive | Self::SendReceive)
    }

    /// Whether it gets something from one other rank: in a pipeline, waiting for other stages.
    #[must_use]
    pub fn receives(self) -> bool {
        matches!(self, Self::Receive | Self::SendReceive)
    }

    /// Whether no rank can complete it before all have begun.
    #[must_use]
    pub fn synchronizes(self) -> bool {
        matches!(self, Self::AllReduce | Self::AllGather | Self::ReduceScatter | Self::AllToAll | Self::Barrier)
    }

    /// Bytes as nccl-tests counts them: the output of an all-gather, the input of a reduce-scatter, else one rank's
    /// buffer. METRICS section 8.
    pub(crate) fn bytes(self, trace: &Trace, told: &Collective) -> Option<u64> {
        let known = |elements: u64| Some(elements).filter(|elements| *elements != NO_COUNT);
        let (input, output) = (known(told.input_elements), known(told.output_elements));
        let elements = match self {
            Self::AllGather | Self::Gather | Self::Receive => output.or(input),
            _ => input.filter(|elements| *elements > 0).or(output),
        };
        collective_elements_bytes(trace, told, elements?)
    }

    /// The bytes of the collective that a slice is a part of: by the arguments of the collective, else by the input tensors of
    /// the library's call (`nccl:`, Gloo, MPI). Without arguments, each of the group's ranks is taken to give as much to a
    /// gather, and to get as much of a scatter.
    pub(crate) fn bytes_of_slice(self, trace: &Trace, id: EventId, ranks: Option<u64>) -> Option<u64> {
        let told = collective_of(trace, id).and_then(|told| self.bytes(trace, told));
        told.or_else(|| self.bytes_of_inputs(trace, id, ranks))
    }

    fn bytes_of_inputs(self, trace: &Trace, id: EventId, ranks: Option<u64>) -> Option<u64> {
        let tensors = |call: EventId| {
            let operation = trace.operation(call)?;
            bytes_of_tensors(trace.strings.get(operation.shapes), trace.strings.get(operation.types))
        };
        let of_library = calls_around(trace, id).filter(|id| names_library_call(trace.name_of(*id)));
        let own = of_library.filter(|_| self != Self::Other).find_map(tensors)?;
        match self {
            // PyTorch gives a scatter's range the tensor that the rank gets.
            Self::AllGather | Self::Gather | Self::Scatter => own.checked_mul(ranks?),
            _ => Some(own),
        }
    }

    /// Bus bandwidth as a part of algorithm bandwidth, as in nccl-tests: the load of each link. `None` for operations
    /// without data to count.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a count of ranks")]
    pub fn bus_factor(self, ranks: u64) -> Option<f64> {
        let n = ranks.max(1) as f64;
        match self {
            Self::AllReduce => Some(2.0 * (n - 1.0) / n),
            Self::AllGather | Self::ReduceScatter | Self::AllToAll | Self::Gather | Self::Scatter => {
                Some((n - 1.0) / n)
            }
            Self::Broadcast | Self::Reduce | Self::Send | Self::Receive | Self::SendReceive => Some(1.0),
            Self::Barrier | Self::Other => None,
        }
    }
}

/// The arguments of the collective that a slice is a part of: its own, else of the operator that launched it.
pub(crate) fn collective_of(trace: &Trace, id: EventId) -> Option<&Collective> {
    calls_around(trace, id).find_map(|id| trace.collective(id))
}

/// A slice, then what is around its launch: ranges, such as those of the library's calls, and operators; last the operator
/// that launched it, with those around that.
fn calls_around(trace: &Trace, id: EventId) -> impl Iterator<Item = EventId> {
    let activity = trace.activity(id);
    let call = activity.and_then(|activity| activity.call.get());
    let operator = activity.and_then(|activity| activity.operator.get());
    let launch = call.into_iter().flat_map(|id| trace.slices.ancestors(id));
    let operators = operator.into_iter().flat_map(|id| std::iter::once(id).chain(trace.slices.ancestors(id)));
    std::iter::once(id).chain(launch).chain(operators)
}

#[cfg(test)]
mod tests {
    use super::CollectiveKind as Kind;

    #[test]
    fn names_of_all_libraries_and_times() {
        let cases = [
            ("ncclAllReduceRingLLKernel_sum_f32(ncclColl)", Kind::AllReduce),
            ("ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*)", Kind::AllReduce),
            ("ncclKernel_AllGather_RING_LL_Sum_int8_t(ncclWorkElem)", Kind::AllGather),
            ("ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(ncclDevComm*)", Kind::ReduceScatter),
            ("ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm*)", Kind::SendReceive),
            ("ncclReduceRingLLKernel_sum_f32(ncclColl)", Kind::Reduce),
            ("void cross_device_reduce_1stage<__nv_bfloat16, 8>(RankData*)", Kind::AllReduce),
            ("hcom_allReduce__773_0_1", Kind::AllReduce),
            ("hcom_broadcast__402_1_1", Kind::Broadcast),
            ("hcom_receive__402_1_1", Kind::Receive),
            ("HcclAlltoAllV", Kind::AllToAll),
            ("gloo:all_reduce", Kind::AllReduce),
            ("mpi:reduce_scatter", Kind::ReduceScatter),
            ("bkcl_all_gather", Kind::AllGather),
            ("_allgather_base", Kind::AllGather),
            ("_reduce_scatter_base", Kind::ReduceScatter),
            ("all_to_allv", Kind::AllToAll),
            ("recv", Kind::Receive),
            ("multimem_all_reduce_kernel", Kind::AllReduce),
            (
                "void (anonymous namespace)::multimem_all_reduce_kernel<16>(unsigned long, unsigned int)",
                Kind::AllReduce,
            ),
            ("void BroadcastKernel<256, 8, FuncSum<char>, char>(KernelArgs<char>)", Kind::Broadcast),
            ("void ReduceKernel<256, 8, FuncSum<float>, float>(KernelArgs<float>)", Kind::Reduce),
            ("c10d::barrier", Kind::Barrier),
        ];
        for (name, kind) in cases {
            assert_eq!(Kind::of_name(name), Some(kind), "{name}");
        }
        assert_eq!(Kind::of_name("ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)"), None);
    }

    #[test]
    fn factors_are_those_of_nccl_tests() {
        assert_eq!(Kind::AllReduce.bus_factor(8), Some(1.75));
        assert_eq!(Kind::AllGather.bus_factor(8), Some(0.875));
        assert_eq!(Kind::ReduceScatter.bus_factor(2), Some(0.5));
        assert_eq!(Kind::Broadcast.bus_factor(8), Some(1.0));
        assert_eq!(Kind::Barrier.bus_factor(8), None);
    }
}
