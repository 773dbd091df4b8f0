//! The models. Each line's source is the vendor's own; peaks that it gives with sparsity are halved here.

use super::{DeviceModel, Peaks};

/// PCIe 3.0, 4.0 and 5.0 with 16 lanes: 8, 16, 32 GT/s with 128 of 130 bits used.
const PCIE3: f64 = 15.75;
const PCIE4: f64 = 31.5;
const PCIE5: f64 = 63.0;

const V100: &str = "NVIDIA V100 Tensor Core GPU datasheet (V100, 2020); Volta architecture whitepaper WP-08608-001";
const A100: &str = "NVIDIA A100 Tensor Core GPU datasheet (2022); Ampere architecture whitepaper (2020), table 3";
const H100: &str =
    "NVIDIA H100 Tensor Core GPU datasheet; Hopper architecture whitepaper, table 2 (rates without sparsity)";
const H200: &str = "NVIDIA H200 Tensor Core GPU datasheet (2024), rates with sparsity halved";
const GA102: &str = "NVIDIA Ampere GA102 GPU architecture whitepaper v2.1, appendix A (tensor cores with FP32 sums)";
const AD102: &str = "NVIDIA Ada GPU architecture whitepaper v2.1, appendix A (tensor cores with FP32 sums)";
const MI200: &str = "AMD Instinct MI200 series datasheet and product pages (MI210, MI250, MI250X)";

/// [memory, link] in GB/s, then FP64, FP64 matrix, FP32, FP32 matrix, 16 bits matrix, FP8 matrix in TFLOP/s.
const fn peaks([memory, link]: [f64; 2], rates: [f64; 6]) -> Peaks {
    let [fp64, fp64_matrix, fp32, fp32_matrix, half_matrix, fp8_matrix] = rates;
    Peaks { memory, link, fp64, fp64_matrix, fp32, fp32_matrix, half_matrix, fp8_matrix }
}

const fn model(
    name: &'static str,
    signs: &'static [&'static str],
    (memory_from, multiprocessors): (u64, u32),
    peaks: Peaks,
    source: &'static str,
) -> DeviceModel {
    DeviceModel { name, signs, memory_from, multiprocessors, peaks, source }
}

const ANY: (u64, u32) = (0, 0);

/// All models; the first that fits is the one.
#[rustfmt::skip]
pub(super) const MODELS: &[DeviceModel] = &[
    model("V100 SXM2", &["v100", "sxm2"], ANY, peaks([900.0, PCIE3], [7.8, 0.0, 15.7, 0.0, 125.0, 0.0]), V100),
    model("V100 PCIe", &["v100", "pcie"], ANY, peaks([900.0, PCIE3], [7.0, 0.0, 14.0, 0.0, 112.0, 0.0]), V100),
    model("T4", &["t4"], ANY, peaks([320.0, PCIE3], [0.25, 0.0, 8.1, 0.0, 65.0, 0.0]), "NVIDIA T4 datasheet; Turing architecture whitepaper WP-09183-001, appendix A"),
    model("A100 80GB PCIe", &["a100", "pcie"], (60, 0), peaks([1935.0, PCIE4], [9.7, 19.5, 19.5, 156.0, 312.0, 0.0]), A100),
    model("A100 80GB SXM", &["a100"], (60, 0), peaks([2039.0, PCIE4], [9.7, 19.5, 19.5, 156.0, 312.0, 0.0]), A100),
    model("A100 40GB", &["a100"], ANY, peaks([1555.0, PCIE4], [9.7, 19.5, 19.5, 156.0, 312.0, 0.0]), A100),
    model("A30", &["a30"], ANY, peaks([933.0, PCIE4], [5.2, 10.3, 10.3, 82.0, 165.0, 0.0]), "NVIDIA A30 Tensor Core GPU datasheet (2022)"),
    model("A40", &["a40"], ANY, peaks([696.0, PCIE4], [0.58, 0.0, 37.4, 74.8, 149.7, 0.0]), "NVIDIA A40 datasheet (2021); FP64 as GA102, 1/64 of FP32"),
    model("A10", &["a10"], ANY, peaks([600.0, PCIE4], [0.49, 0.0, 31.2, 62.5, 125.0, 0.0]), "NVIDIA A10 Tensor Core GPU datasheet (2021); FP64 as GA102, 1/64 of FP32"),
    model("H100 PCIe", &["h100", "pcie"], ANY, peaks([2000.0, PCIE5], [25.6, 51.2, 51.2, 378.0, 756.0, 1513.0]), H100),
    model("H100 NVL", &["h100", "nvl"], ANY, peaks([3900.0, PCIE5], [30.0, 60.0, 60.0, 417.5, 835.5, 1670.5]), H100),
    model("H100 SXM", &["h100"], ANY, peaks([3350.0, PCIE5], [33.5, 66.9, 66.9, 494.7, 989.4, 1978.9]), H100),
    model("H200 NVL", &["h200", "nvl"], ANY, peaks([4800.0, PCIE5], [30.0, 60.0, 60.0, 417.5, 835.5, 1670.5]), H200),
    model("H200", &["h200"], ANY, peaks([4800.0, PCIE5], [33.5, 66.9, 66.9, 494.7, 989.4, 1978.9]), H200),
    model("B200", &["b200"], ANY, peaks([8000.0, PCIE5], [37.0, 37.0, 75.0, 1125.0, 2250.0, 4500.0]), "NVIDIA Blackwell (DGX/HGX B200) datasheet (2024), per GPU, rates with sparsity halved"),
    model("L4", &["l4"], ANY, peaks([300.0, PCIE4], [0.47, 0.0, 30.3, 60.0, 121.0, 242.5]), "NVIDIA L4 Tensor Core GPU datasheet (2023), rates with sparsity halved; FP64 as AD104, 1/64 of FP32"),
    model("L40S", &["l40s"], ANY, peaks([864.0, PCIE4], [1.4, 0.0, 91.6, 183.0, 362.05, 733.0]), "NVIDIA L40S datasheet (2023); FP64 as AD102, 1/64 of FP32"),
    model("RTX 3090 Ti", &["geforce", "rtx 3090 ti"], (0, 84), peaks([1008.0, PCIE4], [0.63, 0.0, 40.0, 40.0, 80.0, 0.0]), GA102),
    model("RTX 3090", &["geforce", "rtx 3090"], (0, 82), peaks([936.2, PCIE4], [0.56, 0.0, 35.6, 35.6, 71.0, 0.0]), GA102),
    model("RTX 3080", &["geforce", "rtx 3080"], (0, 68), peaks([760.3, PCIE4], [0.47, 0.0, 29.8, 29.8, 59.5, 0.0]), GA102),
    model("RTX 3070", &["geforce", "rtx 3070"], (0, 46), peaks([448.0, PCIE4], [0.32, 0.0, 20.3, 20.3, 40.6, 0.0]), GA102),
    model("RTX 4090", &["geforce", "rtx 4090"], (0, 128), peaks([1008.0, PCIE4], [1.29, 0.0, 82.6, 82.6, 165.2, 330.3]), AD102),
    model("RTX 4080", &["geforce", "rtx 4080"], (0, 76), peaks([716.8, PCIE4], [0.76, 0.0, 48.7, 48.7, 97.5, 194.9]), AD102),
    model("RTX 4070 Ti", &["geforce", "rtx 4070 ti"], (0, 60), peaks([504.2, PCIE4], [0.63, 0.0, 40.1, 40.1, 80.2, 160.4]), "NVIDIA Ada GPU architecture whitepaper v2.1, appendix B (tensor cores with FP32 sums)"),
    model("MI210", &["mi210"], ANY, peaks([1638.4, PCIE4], [22.6, 45.3, 22.6, 45.3, 181.0, 0.0]), MI200),
    model("MI250X (one die)", &["mi250x"], (0, 110), peaks([1638.4, PCIE4], [23.95, 47.85, 23.95, 47.85, 191.5, 0.0]), MI200),
    model("MI250 (one die)", &["mi250"], (0, 104), peaks([1638.4, PCIE4], [22.65, 45.25, 22.65, 45.25, 181.05, 0.0]), MI200),
    model("MI300X", &["mi300x"], ANY, peaks([5300.0, PCIE5], [81.7, 163.4, 163.4, 163.4, 1307.4, 2614.9]), "AMD Instinct MI300X datasheet (2023), peaks without sparsity"),
    model("Ascend 910", &["ascend910"], ANY, peaks([1200.0, PCIE4], [0.0, 0.0, 0.0, 0.0, 256.0, 0.0]), "Huawei, DaVinci: A Scalable Architecture for Neural Network Computing (Hot Chips 31, 2019)"),
    model("Ascend 910", &["ascend", "910"], ANY, peaks([1200.0, PCIE4], [0.0, 0.0, 0.0, 0.0, 256.0, 0.0]), "Huawei, DaVinci: A Scalable Architecture for Neural Network Computing (Hot Chips 31, 2019)"),
];
