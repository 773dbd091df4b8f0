//! The budget of attention by several kernels, and of products in float32, on steps written by hand.

use stepscope::analyze::{BudgetLeaf, BudgetTimes, CauseKind, RoofFamily, budget};
use stepscope::{Nanos, Rank};

use crate::advice_hand::{call, kernel, rank_on, slice, step};

const A100: &str = r#"{"id": 0, "name": "NVIDIA A100-SXM4-40GB", "computeMajor": 8, "computeMinor": 0}"#;
const V100: &str = r#"{"id": 0, "name": "Tesla V100-SXM2-16GB", "computeMajor": 7, "computeMinor": 0}"#;

const RTX4090: &str =
    r#"{"id": 0, "name": "NVIDIA GeForce RTX 4090", "computeMajor": 8, "computeMinor": 9, "numSms": 128}"#;
const MI300: &str = r#"{"id": 0, "name": "AMD Instinct MI300X", "computeMajor": 9, "computeMinor": 4, "numSms": 304}"#;

/// An operator that launches one kernel of a millisecond.
struct Operator {
    name: &'static str,
    kernel: &'static str,
    shapes: &'static str,
    dtype: &'static str,
}

fn half(name: &'static str, shapes: &'static str) -> Operator {
    Operator { name, kernel: "a_kernel", shapes, dtype: "c10::Half" }
}

/// A step of these operators, inside of another one if that has a name.
fn rank_of(device: &str, around: &str, operators: &[Operator]) -> Rank {
    rank_within(device, (around, operators.len()), operators)
}

/// The same with the first ones inside of another one.
fn rank_within(device: &str, around: (&str, usize), operators: &[Operator]) -> Rank {
    rank_by(device, around, operators, |number| 1_000 * number)
}

/// The same with kernels that start at these times, on two streams by turns where they overlap.
fn rank_by(device: &str, (around, inside): (&str, usize), operators: &[Operator], start: fn(u32) -> u32) -> Rank {
    let count = u32::try_from(operators.len()).expect("few");
    let until = 10 * u32::try_from(inside).expect("few") + 9;
    let outer = (!around.is_empty()).then(|| slice("cpu_op", around, 1, (5, until), ""));
    let overlap = start(2) < start(1) + 1_000;
    let of = |(number, operator): (u32, &Operator)| {
        let Operator { name, kernel: launched, shapes, dtype } = operator;
        let tensors = shapes.matches("],[").count() + 1;
        let types = vec![format!("\"{dtype}\""); tensors].join(",");
        let (at, start) = (10 * number, start(number));
        let stream = if overlap { 7 + number % 2 } else { 7 };
        [
            slice("cpu_op", name, 1, (at, at + 8), &format!(r#""Input Dims":{shapes},"Input type":[{types}]"#)),
            call("cudaLaunchKernel", (at + 2, at + 4), number),
            kernel(launched, stream, (start, start + 1_000), number),
        ]
    };
    let events = (1..).zip(operators).flat_map(of);
    rank_on(device, &[step(1, (0, 1_000 * (count + 1)))].into_iter().chain(outer).chain(events).collect::<Vec<_>>())
}

fn times_of(rank: &Rank) -> BudgetTimes {
    budget(&rank.trace, &rank.analysis).devices[0].windows[0].clone()
}

fn wording(rank: &Rank, kind: CauseKind) -> Option<&'static str> {
    let causes = &rank.step_budget().expect("a step").causes;
    causes.iter().find(|cause| cause.kind == kind).map(|cause| cause.wording)
}

const ATTENTION: CauseKind = CauseKind::AboveRoof(RoofFamily::Attention);

/// Two sequences of 1,024 with 8 heads of 64, and a mask.
fn forward() -> Vec<Operator> {
    vec![
        half("aten::bmm", "[[16,1024,64],[16,64,1024]]"),
        half("aten::div", "[[2,8,1024,1024],[]]"),
        half("aten::add", "[[2,8,1024,1024],[2,1,1024,1024],[]]"),
        half("aten::_softmax", "[[2,8,1024,1024],[],[]]"),
        half("aten::native_dropout", "[[2,8,1024,1024],[],[]]"),
        half("aten::bmm", "[[16,1024,1024],[16,1024,64]]"),
    ]
}

fn backward() -> Vec<Operator> {
    vec![
        half("aten::bmm", "[[16,1024,1024],[16,1024,32]]"),
        half("aten::bmm", "[[16,1024,32],[16,32,1024]]"),
        half("aten::native_dropout_backward", "[[2,8,1024,1024],[2,8,1024,1024],[]]"),
        half("aten::_softmax_backward_data", "[[2,8,1024,1024],[2,8,1024,1024],[],[]]"),
        half("aten::div", "[[2,8,1024,1024],[]]"),
        half("aten::bmm", "[[16,64,1024],[16,1024,1024]]"),
        half("aten::bmm", "[[16,1024,1024],[16,1024,64]]"),
    ]
}

/// The time at the limit of a rate in FLOP per ns, or of the memory's 1,555 bytes per ns.
fn least(flops: i64, bytes: i64) -> i64 {
    (flops / 312_000).max(bytes / 1_555)
}

#[test]
fn attention_by_several_kernels_has_the_limit_of_one() {
    let (pairs, rows) = (16 * 1024 * 1024, 16 * 1024);
    let mask = 2 * 2 * 1024 * 1024;
    for (operators, flops, bytes) in [
        (forward(), 2 * pairs * 128, 2 * rows * 4 * 64 + mask),
        (backward(), 2 * pairs * (3 * 64 + 2 * 32), 2 * 2 * rows * (2 * 64 + 2 * 32) + 4 * rows),
    ] {
        let rank = rank_of(A100, "", &operators);
        let times = times_of(&rank);
        let all = Nanos(1_000_000 * i64::try_from(operators.len()).expect("few"));
        let (at, above) = (BudgetLeaf::AtRoof(RoofFamily::Attention), BudgetLeaf::AboveRoof(RoofFamily::Attention));
        assert_eq!(times.get(at) + times.get(above), all, "{times:?}");
        // Each kernel's part is rounded down.
        let off = least(flops, bytes) - times.get(at).0;
        assert!((0..=8).contains(&off), "{off} of {}", least(flops, bytes));
        assert_eq!(wording(&rank, ATTENTION), Some("above_roof_attention_unfused"));
    }
}

/// Work on something else that is launched in between keeps its own limit.
#[test]
fn other_work_between_is_no_part_of_attention() {
    let mut operators = forward();
    operators.insert(4, half("aten::mul", "[[4096,4096],[4096,4096]]"));
    let times = times_of(&rank_of(A100, "", &operators));
    let [of_attention, of_mul] = [RoofFamily::Attention, RoofFamily::Elementwise]
        .map(|family| times.get(BudgetLeaf::AtRoof(family)) + times.get(BudgetLeaf::AboveRoof(family)));
    assert_eq!((of_attention, of_mul), (Nanos(6_000_000), Nanos(1_000_000)), "{times:?}");
}

/// PyTorch's own attention without a fused kernel needs other inputs, and not another function.
#[test]
fn the_math_backend_is_told_apart() {
    let rank = rank_of(A100, "aten::_scaled_dot_product_attention_math", &forward());
    assert_eq!(wording(&rank, ATTENTION), Some("above_roof_attention_math"));
}

/// Nothing around the gradients shows their function: their forward pass does.
#[test]
fn gradients_are_of_the_function_of_their_forward_pass() {
    let [mut by_math, mut by_hand] = [forward(), forward()];
    by_math.extend(backward());
    by_hand.extend(backward());
    let with = |around, operators: &[Operator]| wording(&rank_of(A100, around, operators), ATTENTION);
    assert_eq!(with("", &by_hand), Some("above_roof_attention_unfused"));
    // The operator stands around the forward pass alone.
    let rank = rank_within(A100, ("aten::_scaled_dot_product_attention_math", 6), &by_math);
    assert_eq!(wording(&rank, ATTENTION), Some("above_roof_attention_math"));
}

/// Each is most of it, or both together are.
#[test]
fn attention_that_is_not_fused_for_two_reasons_is_not_called_fused() {
    let fused = |_| Operator {
        name: "aten::_scaled_dot_product_flash_attention",
        kernel: "flash_fwd_kernel",
        shapes: "[[2,8,64,64],[2,8,64,64],[2,8,64,64]]",
        dtype: "c10::Half",
    };
    let (math, hand) = (forward(), forward());
    let operators: Vec<Operator> = math.into_iter().chain(hand).chain((0..5).map(fused)).collect();
    let rank = rank_within(A100, ("aten::_scaled_dot_product_attention_math", 6), &operators);
    assert_eq!(wording(&rank, ATTENTION), Some("above_roof_attention_unfused"));
}

/// A kernel takes some time even for little work, and computes whole tiles.
#[test]
fn tiny_attention_does_not_promise_all_of_its_time() {
    let tiny = [
        half("aten::bmm", "[[16,8,8],[16,8,8]]"),
        half("aten::_softmax", "[[2,8,8,8],[],[]]"),
        half("aten::bmm", "[[16,8,8],[16,8,8]]"),
    ];
    let rank = rank_of(A100, "", &tiny);
    let saved = budget(&rank.trace, &rank.analysis).devices[0].savings[0].above[RoofFamily::Attention as usize];
    assert!(saved <= Nanos(2_000_000), "{saved:?} of three milliseconds");
}

/// Kernels that run at the same time save their time once, as one kernel for all does.
#[test]
fn kernels_on_several_streams_are_one_attention() {
    let operators = forward();
    let rank = rank_by(A100, ("", 0), &operators, |number| 1_000 + 600 * number);
    let times = times_of(&rank);
    let other = times.sum(|leaf| matches!(leaf, BudgetLeaf::AboveRoof(family) if family != RoofFamily::Attention));
    assert!(times.get(BudgetLeaf::AboveRoof(RoofFamily::Attention)) > Nanos(3_000_000), "{times:?}");
    assert_eq!(other, Nanos::ZERO, "{times:?}");
}

#[test]
fn softmax_between_other_products_is_no_attention() {
    let without = |place: usize, instead: Option<Operator>| {
        let mut operators = forward();
        operators.splice(place..=place, instead);
        operators
    };
    for (why, operators) in [
        ("no product before", without(0, None)),
        ("no product after", without(5, None)),
        ("other scores", without(0, Some(half("aten::bmm", "[[16,1024,64],[16,64,512]]")))),
        ("other values", without(5, Some(half("aten::bmm", "[[8,1024,1024],[8,1024,64]]")))),
        ("weights", without(5, Some(half("aten::mm", "[[16384,1024],[1024,64]]")))),
        ("a gather between", without(2, Some(half("aten::gather", "[[2,8,1024,1024],[],[2,8,1024,1024]]")))),
        (
            "a choice of experts",
            vec![
                half("aten::mm", "[[4096,1024],[1024,64]]"),
                half("aten::_softmax", "[[4096,64],[],[]]"),
                half("aten::mm", "[[4096,64],[64,1024]]"),
            ],
        ),
        ("half of backward", backward().into_iter().take(6).collect()),
    ] {
        let times = times_of(&rank_of(A100, "", &operators));
        let of_attention = times.sum(|leaf| {
            matches!(leaf, BudgetLeaf::AtRoof(RoofFamily::Attention) | BudgetLeaf::AboveRoof(RoofFamily::Attention))
        });
        assert_eq!(of_attention, Nanos::ZERO, "{why}");
    }
}

/// Where products in float32 promise more than one kernel for all, attention stays as it is: here 0.86 ms for each product and 0.9 ms for
/// softmax, where one kernel in float32 would save 0.5 ms.
#[test]
fn attention_in_float32_is_first_a_matter_of_float32() {
    let product = |shapes| Operator { name: "aten::bmm", kernel: "ampere_sgemm_128x64_nn", shapes, dtype: "float" };
    let operators = [
        product("[[4,2048,512],[4,512,2048]]"),
        Operator { name: "aten::_softmax", shapes: "[[1,4,2048,2048],[],[]]", kernel: "softmax", dtype: "float" },
        product("[[4,2048,2048],[4,2048,512]]"),
    ];
    let times = times_of(&rank_of(A100, "", &operators));
    assert_eq!(times.get(BudgetLeaf::AboveRoof(RoofFamily::Attention)), Nanos::ZERO);
    assert!((times.get(BudgetLeaf::Float32Products).0 - 2 * 875_000).abs() <= 4, "{times:?}");
}

/// A product that takes 0.59 ms in float32 at the limit of an A100, and 0.73 ms at that of a V100.
fn product(kernel: &'static str, dtype: &'static str) -> [Operator; 1] {
    [Operator { name: "aten::mm", kernel, shapes: "[[1792,1792],[1792,1792]]", dtype }]
}

#[test]
fn products_in_float32_could_be_shorter() {
    let float32 = |device: &str, kernel, dtype| {
        times_of(&rank_of(device, "", &product(kernel, dtype))).get(BudgetLeaf::Float32Products)
    };
    // TF32 would take an eighth of the millisecond.
    let found = float32(A100, "ampere_sgemm_128x64_nn", "float").0;
    assert!((found - 1_000_000 * 7 / 8).abs() <= 2, "{found}");
    // The name "gemm" is no evidence, TF32 is not float32, and shorter or longer numbers are not either.
    for (kernel, dtype) in [
        ("gemm", "float"),
        ("cutlass_80_tensorop_s1688gemm_128x128_nn_align4", "float"),
        ("ampere_fp16_s16816gemm_fp16_128x128_nn", "c10::Half"),
        ("ampere_dgemm_64x64_nn", "double"),
    ] {
        assert_eq!(float32(A100, kernel, dtype), Nanos::ZERO, "{kernel}");
    }
    // If most of the time is not at the limit, shorter numbers may save no more than the limit itself.
    let short = [Operator { shapes: "[[512,512],[512,512]]", ..product("ampere_sgemm_128x64_nn", "float")[0] }];
    let least = 2 * 512_i64.pow(3) / 19_500;
    let found = times_of(&rank_of(A100, "", &short)).get(BudgetLeaf::Float32Products).0;
    assert!((found - 2 * least * 7 / 8).abs() <= 2, "{found}");
    // Where TF32 is no faster than float32, 16 bits are; and AMD's xf32 needs more than a switch.
    for device in [RTX4090, MI300] {
        let rank = rank_of(device, "", &product("volta_sgemm_128x64_nn", "float"));
        assert_eq!(wording(&rank, CauseKind::Float32Products), Some("float32_products_half"), "{device}");
    }
    let wording_on = |device: &str| {
        wording(&rank_of(device, "", &product("volta_sgemm_128x64_nn", "float")), CauseKind::Float32Products)
    };
    assert_eq!(wording_on(A100), Some("float32_products"));
    assert_eq!(wording_on(V100), Some("float32_products_half"));
}
