//! The kinds of problems that the truth test plants, and the programs that they are planted in.

use stepscope::analyze::{CauseKind, RoofFamily};
use stepscope_tests::generator::{Problem, Product, ProgramSpec, Random, Waits};

use crate::savings::nanos;

/// The expected first line.
pub(crate) enum Expected {
    /// One of these causes.
    Cause(&'static [CauseKind]),
    /// No cause, unless it saves that much.
    Nothing,
    /// That too little is recorded.
    NotEnoughRecorded,
    /// Two causes: the one that saves more, then the other one.
    InOrder,
}

/// A kind of problem that is planted, described in both languages.
pub(crate) struct Planted {
    pub(crate) english: &'static str,
    pub(crate) chinese: &'static str,
    pub(crate) expected: Expected,
    /// The detail by which the first line differs from that of other kinds with the same cause: the cause's wording or
    /// largest leaf, or a part of the name of its largest function. Nothing where the cause alone says it, or the trace
    /// does not show which of several kinds it is.
    pub(crate) detail: &'static [&'static str],
    pub(crate) draw: fn(&mut Draw) -> Vec<Problem>,
}

/// Draws strengths.
pub(crate) struct Draw(pub(crate) Random);

impl Draw {
    fn count(&mut self, low: u64, high: u64) -> usize {
        usize::try_from(self.0.range(low, high)).expect("a small number")
    }

    /// A time from `low` on, with the same probability for each of so many octaves.
    fn time(&mut self, low: u64, octaves: u64) -> i64 {
        let octave = self.0.range(0, octaves - 1);
        nanos(self.0.range(low << octave, low << (octave + 1)))
    }

    fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.count(0, of.len() as u64 - 1)]
    }
}

const MATRIX: CauseKind = CauseKind::AboveRoof(RoofFamily::Matrix);
const ELEMENTWISE: CauseKind = CauseKind::AboveRoof(RoofFamily::Elementwise);

/// All kinds, in the order of the page.
pub(crate) const KINDS: [Planted; 33] = [
    Planted {
        english: "Slow data loader in the main process",
        chinese: "主进程中的数据加载器过慢",
        expected: Expected::Cause(&[CauseKind::DataPipeline]),
        detail: &["data_pipeline_in_process"],
        draw: |draw| vec![Problem::OwnLoader(draw.time(100_000, 7))],
    },
    Planted {
        english: "Slow workers of the data loader",
        chinese: "数据加载器的 worker 过慢",
        expected: Expected::Cause(&[CauseKind::DataPipeline]),
        detail: &["data_pipeline_in_workers"],
        draw: |draw| vec![Problem::SlowWorkers(draw.time(1_500_000, 4), 1)],
    },
    Planted {
        english: "`item()` every few operators",
        chinese: "每隔几个算子调用一次 `item()`",
        expected: Expected::Cause(&[CauseKind::Synchronization]),
        detail: &["cudaStreamSynchronize"],
        draw: |draw| vec![Problem::ReadsValue(draw.count(1, 8))],
    },
    Planted {
        english: "`synchronize()` every few operators",
        chinese: "每隔几个算子调用一次 `synchronize()`",
        expected: Expected::Cause(&[CauseKind::Synchronization]),
        detail: &["cudaDeviceSynchronize"],
        draw: |draw| vec![Problem::Synchronization(draw.count(1, 8))],
    },
    Planted {
        english: "Copies from pageable memory",
        chinese: "从可分页内存拷贝",
        expected: Expected::Cause(&[CauseKind::Copies, CauseKind::Synchronization]),
        detail: &["copy_from_pageable"],
        draw: |draw| vec![Problem::PageableCopy(draw.time(100_000, 6))],
    },
    Planted {
        english: "Synchronous copies",
        chinese: "同步拷贝",
        expected: Expected::Cause(&[CauseKind::Copies, CauseKind::Synchronization]),
        detail: &[],
        draw: |draw| vec![Problem::SynchronousCopy(draw.time(100_000, 6))],
    },
    Planted {
        english: "Memory allocated before each operator",
        chinese: "每个算子之前分配内存",
        expected: Expected::Cause(&[CauseKind::Allocation]),
        detail: &[],
        draw: |draw| vec![Problem::Allocation(draw.time(20_000, 4))],
    },
    Planted {
        english: "Memory freed and allocated every few operators",
        chinese: "每隔几个算子释放并重新分配内存",
        expected: Expected::Cause(&[CauseKind::Allocation]),
        detail: &[],
        draw: |draw| vec![Problem::Thrash(draw.count(1, 8), draw.time(20_000, 4))],
    },
    Planted {
        english: "Garbage collection",
        chinese: "垃圾回收",
        expected: Expected::Cause(&[CauseKind::GarbageCollection]),
        detail: &[],
        draw: |draw| vec![Problem::GarbageCollection(draw.count(4, 20), draw.time(100_000, 5))],
    },
    Planted {
        english: "Recompilation",
        chinese: "重新编译",
        expected: Expected::Cause(&[CauseKind::Compile]),
        detail: &["_compile"],
        draw: |draw| vec![Problem::Compilation(draw.time(300_000, 5))],
    },
    Planted {
        english: "Kernels loaded in each step",
        chinese: "每一步都加载 kernel",
        expected: Expected::Cause(&[CauseKind::Compile]),
        detail: &["module_load"],
        draw: |draw| vec![Problem::ModuleLoad(draw.time(300_000, 5))],
    },
    Planted {
        english: "Slow Python between operators",
        chinese: "算子之间的 Python 过慢",
        expected: Expected::Cause(&[CauseKind::LaunchBound]),
        detail: &["python"],
        draw: |draw| vec![Problem::SlowPython(draw.time(20_000, 4))],
    },
    Planted {
        english: "Slow operators on the host",
        chinese: "主机上的算子过慢",
        expected: Expected::Cause(&[CauseKind::LaunchBound]),
        detail: &[],
        draw: |draw| vec![Problem::SlowOperators(draw.time(20_000, 4))],
    },
    Planted {
        english: "Slow launches",
        chinese: "启动过慢",
        expected: Expected::Cause(&[CauseKind::LaunchBound]),
        detail: &["launching_call"],
        draw: |draw| vec![Problem::SlowLaunches(draw.time(20_000, 4))],
    },
    Planted {
        english: "Operators stopped by other programs on the CPU",
        chinese: "算子被 CPU 上的其他程序打断",
        expected: Expected::Cause(&[CauseKind::LaunchBound]),
        detail: &[],
        draw: |draw| vec![Problem::Starvation(draw.count(3, 12), draw.time(100_000, 4))],
    },
    Planted {
        english: "Many tiny kernels",
        chinese: "大量极小的 kernel",
        expected: Expected::Cause(&[CauseKind::LaunchBound, CauseKind::BetweenKernels, ELEMENTWISE]),
        detail: &[],
        draw: |draw| vec![Problem::Sums(draw.count(50, 400), draw.time(100_000, 2))],
    },
    Planted {
        english: "Gradients reduced on the host",
        chinese: "在主机上归约梯度",
        expected: Expected::Cause(&[CauseKind::HostCollective]),
        detail: &[],
        draw: |draw| vec![Problem::HostCollective(draw.time(300_000, 5))],
    },
    Planted {
        english: "Exposed all-reduce, limited by bandwidth",
        chinese: "未掩盖的 all-reduce，受带宽限制",
        expected: Expected::Cause(&[CauseKind::Communication]),
        detail: &[],
        draw: |draw| vec![Problem::Reduction(draw.time(100_000, 6))],
    },
    Planted {
        english: "Exposed all-reduce, waiting for a late rank",
        chinese: "未掩盖的 all-reduce，等待迟到的 rank",
        expected: Expected::Cause(&[CauseKind::Communication]),
        detail: &[],
        draw: |draw| vec![Problem::LateRank(draw.time(200_000, 6))],
    },
    Planted {
        english: "Many small all-reduces",
        chinese: "大量小的 all-reduce",
        expected: Expected::Cause(&[CauseKind::Communication]),
        detail: &[],
        draw: |draw| vec![Problem::SmallBuckets(draw.count(5, 40), draw.time(15_000, 2))],
    },
    Planted {
        english: "Pipeline bubbles",
        chinese: "流水线气泡",
        expected: Expected::Cause(&[CauseKind::Communication]),
        detail: &["SendRecv"],
        draw: |draw| vec![Problem::Bubble(draw.time(50_000, 6))],
    },
    Planted {
        english: "Kernels that wait for a copy on another stream",
        chinese: "kernel 等待另一条流上的拷贝",
        expected: Expected::Cause(&[CauseKind::Copies]),
        detail: &[],
        draw: |draw| vec![Problem::EventWait(draw.time(100_000, 6))],
    },
    Planted {
        english: "CUDA graph with a kernel that waits for its copy",
        chinese: "CUDA graph 中的 kernel 等待其中的拷贝",
        expected: Expected::Cause(&[CauseKind::Copies]),
        detail: &[],
        draw: |draw| vec![Problem::GraphCopy(draw.time(100_000, 6))],
    },
    Planted {
        english: "Memsets",
        chinese: "memset",
        expected: Expected::Cause(&[CauseKind::Copies]),
        detail: &["memset"],
        draw: |draw| vec![Problem::Fills(draw.time(3_000, 5))],
    },
    Planted {
        english: "Matrix products with odd sizes",
        chinese: "尺寸未对齐的矩阵乘",
        expected: Expected::Cause(&[MATRIX]),
        detail: &["above_roof_matrix_unaligned"],
        draw: |draw| {
            let percent = nanos(draw.0.range(12, 50));
            vec![Problem::Products {
                count: draw.count(1, 8),
                least: draw.time(30_000, 4),
                percent,
                kind: Product::Misaligned,
            }]
        },
    },
    Planted {
        english: "Matrix products that fill the last wave badly",
        chinese: "最后一波未填满的矩阵乘（尾部效应）",
        expected: Expected::Cause(&[MATRIX]),
        detail: &["above_roof_matrix_aligned"],
        draw: |draw| {
            let percent = nanos(draw.0.range(40, 65));
            vec![Problem::Products {
                count: draw.count(2, 12),
                least: draw.time(30_000, 4),
                percent,
                kind: Product::Aligned,
            }]
        },
    },
    Planted {
        english: "Matrix products in FP32",
        chinese: "FP32 矩阵乘",
        expected: Expected::Cause(&[CauseKind::Float32Products]),
        detail: &[],
        draw: |draw| {
            let percent = nanos(draw.0.range(55, 90));
            vec![Problem::Products {
                count: draw.count(1, 4),
                least: draw.time(10_000, 4),
                percent,
                kind: Product::Single,
            }]
        },
    },
    Planted {
        english: "Attention that is not fused",
        chinese: "未融合的注意力",
        expected: Expected::Cause(&[CauseKind::AboveRoof(RoofFamily::Attention)]),
        detail: &[],
        draw: |draw| {
            let tokens = 64 * nanos(draw.0.range(8, 32));
            vec![Problem::Attention { tokens, count: draw.count(1, 4), is_fused: false }]
        },
    },
    Planted {
        english: "A pause that is not recorded",
        chinese: "未记录的停顿",
        expected: Expected::NotEnoughRecorded,
        detail: &[],
        draw: |draw| vec![Problem::Pause(draw.time(300_000, 5))],
    },
    Planted {
        english: "Two causes, 60 : 40",
        chinese: "两个原因，60 : 40",
        expected: Expected::InOrder,
        detail: &[],
        draw: |draw| {
            let strength = draw.time(1_000_000, 4);
            let of: [fn(i64) -> Problem; 5] =
                [Problem::OwnLoader, Problem::Compilation, Problem::HostCollective, Problem::Reduction, |strength| {
                    Problem::GarbageCollection(18, strength)
                }];
            let first = draw.count(0, of.len() as u64 - 1);
            let second = (first + draw.count(1, of.len() as u64 - 1)) % of.len();
            vec![of[first](strength * 6 / 10), of[second](strength * 4 / 10)]
        },
    },
    Planted {
        english: "Nothing: the queue of launches is full",
        chinese: "无问题：启动队列已满",
        expected: Expected::Nothing,
        detail: &[],
        draw: |draw| vec![Problem::FullQueue(draw.count(4, 64))],
    },
    Planted {
        english: "Nothing: only the first batch is late",
        chinese: "无问题：只有第一个 batch 迟到",
        expected: Expected::Nothing,
        detail: &[],
        draw: |draw| vec![Problem::FirstBatch(draw.time(20_000_000, 5))],
    },
    Planted {
        english: "Nothing", chinese: "无问题", expected: Expected::Nothing, detail: &[], draw: |_| Vec::new()
    },
];

/// A program without a problem: the device works near its limit, the host is ahead.
pub(crate) fn healthy(draw: &mut Draw) -> ProgramSpec {
    let waits = draw.one_of(&[Waits::Never, Waits::Device, Waits::Stream, Waits::Event, Waits::Copy]);
    let mut between = |low: u64, high: u64| draw.0.range(low, high);
    ProgramSpec {
        seed: between(0, 1 << 40),
        steps: between(5, 7) as usize,
        operators: between(6, 14) as usize,
        host: between(1_000, 5_000),
        kernel: between(40_000, 120_000),
        collective: between(10_000, 60_000),
        communicating: between(0, 25),
        data_wait: between(1, 20_000),
        waits,
        backward_thread: between(0, 1) == 0,
        tells_waits: between(0, 1) == 0,
        shapes: true,
    }
}
