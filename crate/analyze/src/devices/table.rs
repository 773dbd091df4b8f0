//! The models. Each line's source is the vendor's own; peaks that it gives with sparsity are halved here.

use super::model::{DeviceModel, Peaks};
use stepscope_trace::Device;

impl DeviceModel {
    /// The model of a device by its name and its other properties in the trace; `None` if the table does not have it.
    ///
    /// ```
    /// use stepscope::analyze::DeviceModel;
    /// use stepscope::trace::Device;
    ///
    /// let named = |name: &str| DeviceModel::of(&Device { name: name.to_owned(), ..Device::default() });
    /// assert_eq!(named("NVIDIA H100 PCIe").map(|model| model.name), Some("H100 PCIe"));
    /// assert_eq!(named("NVIDIA H100 80GB HBM3").map(|model| model.name), Some("H100 SXM"));
    /// assert_eq!(named("Quadro of tomorrow"), None);
    /// ```
    #[must_use]
    pub fn of(device: &Device) -> Option<&'static Self> {
        let name = device.name.to_ascii_lowercase();
        // Whole words only, so that `L40S` is no `L4`, `A100` no `A10` and `GB200` no `B200`.
        let is_word = |word: &str| name.split(|letter: char| !letter.is_ascii_alphanumeric()).any(|one| one == word);
        let has = |sign: &&str| sign.split('|').any(|words| words.split(' ').all(is_word));
        let fits = |model: &&Self| {
            model.signs.iter().all(has)
                && device.memory_bytes.is_none_or(|bytes| bytes >= model.memory_from * 1_000_000_000)
                && (model.multiprocessors == 0 || device.multiprocessors == Some(model.multiprocessors))
        };
        MODELS.iter().find(fits)
    }
}

/// PCI Express 3.0, 4.0 and 5.0 with 16 lanes: 8, 16, 32 GT/s with 128 of 130 bits used.
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
const B200: &str = "NVIDIA Blackwell (DGX/HGX B200) datasheet (2024), per GPU, rates with sparsity halved";
const GB200: &str = "NVIDIA GB200 NVL72 datasheet (2024), per GPU, rates with sparsity halved";
const H20: &str = "NVIDIA H20 datasheet (2023), as published by its resellers";
const GB202: &str = "NVIDIA RTX Blackwell GPU architecture whitepaper (2025), appendix A (tensor cores with FP32 sums)";
const MI300: &str = "AMD Instinct MI300X, MI300A and MI325X datasheets, peaks without sparsity";
const MI350: &str = "AMD Instinct MI350X and MI355X datasheets (2025), peaks without sparsity";
const ASCEND: &str = "Huawei, DaVinci: A Scalable Architecture for Neural Network Computing (Hot Chips 31, 2019)";
const B300: &str = "NVIDIA HGX platform page, HGX B300 (2026), per GPU of eight, rates with sparsity halved; FP4 dense (108 of 144 PFLOPS)";
const L20: &str = "NVIDIA L20 datasheet (2023), as published by its resellers";
const ASCEND_910B2C: &str =
    "Huawei, CANN platform_config/Ascend910B2C.ini: 24 cube cores of 16 x 16 x 16 at 1.8 GHz, two operations each";
const ASCEND_910C: &str =
    "Huawei, Serving Large Language Models on CloudMatrix384 (arXiv 2506.12708, 2025), one of a package's two dies";
const GAUDI: &str =
    "Intel Gaudi 3 AI accelerator, Hot Chips 36 (2024): table of generations, peaks of the matrix engines";
const TPU: &str = "Google Cloud TPU documentation (v4, v5e, v5p, v6e: key specifications), per chip";
const MI200: &str = "AMD Instinct MI200 series datasheet and product pages (MI210, MI250, MI250X)";

/// [memory, link] in GB/s; then [FP64, FP64 matrix, FP32] and on matrix units [FP32, TF32, 16 bits, FP8, FP4, INT8] in
/// TFLOP/s (INT8: TOP/s).
const fn peaks([memory, link]: [f64; 2], [fp64, fp64_matrix, fp32]: [f64; 3], matrix: [f64; 6]) -> Peaks {
    let [fp32_matrix, tf32_matrix, half_matrix, fp8_matrix, fp4_matrix, int8_matrix] = matrix;
    Peaks {
        memory,
        link,
        fp64,
        fp64_matrix,
        fp32,
        fp32_matrix,
        tf32_matrix,
        half_matrix,
        fp8_matrix,
        fp4_matrix,
        int8_matrix,
    }
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

/// All models; the first one that fits is used.
#[rustfmt::skip]
pub(super) const MODELS: &[DeviceModel] = &[
    model("V100S PCIe", &["v100s"], ANY, peaks([1134.0, PCIE3], [8.2, 0.0, 16.4], [0.0, 0.0, 130.0, 0.0, 0.0, 0.0]), V100),
    model("V100 SXM2", &["v100", "sxm2"], ANY, peaks([900.0, PCIE3], [7.8, 0.0, 15.7], [0.0, 0.0, 125.0, 0.0, 0.0, 0.0]), V100),
    model("V100 PCIe", &["v100", "pcie"], ANY, peaks([900.0, PCIE3], [7.0, 0.0, 14.0], [0.0, 0.0, 112.0, 0.0, 0.0, 0.0]), V100),
    model("T4", &["t4"], ANY, peaks([320.0, PCIE3], [0.25, 0.0, 8.1], [0.0, 0.0, 65.0, 0.0, 0.0, 130.0]), "NVIDIA T4 datasheet; Turing architecture whitepaper WP-09183-001, appendix A"),
    model("A100 80GB PCIe", &["a100", "pcie"], (60, 0), peaks([1935.0, PCIE4], [9.7, 19.5, 19.5], [0.0, 156.0, 312.0, 0.0, 0.0, 624.0]), A100),
    model("A100 80GB SXM", &["a100"], (60, 0), peaks([2039.0, PCIE4], [9.7, 19.5, 19.5], [0.0, 156.0, 312.0, 0.0, 0.0, 624.0]), A100),
    model("A100 40GB", &["a100"], ANY, peaks([1555.0, PCIE4], [9.7, 19.5, 19.5], [0.0, 156.0, 312.0, 0.0, 0.0, 624.0]), A100),
    model("A800 80GB PCIe", &["a800", "pcie"], (60, 0), peaks([1935.0, PCIE4], [9.7, 19.5, 19.5], [0.0, 156.0, 312.0, 0.0, 0.0, 624.0]), A100),
    model("A800 80GB SXM", &["a800"], (60, 0), peaks([2039.0, PCIE4], [9.7, 19.5, 19.5], [0.0, 156.0, 312.0, 0.0, 0.0, 624.0]), A100),
    model("A30", &["a30"], ANY, peaks([933.0, PCIE4], [5.2, 10.3, 10.3], [0.0, 82.0, 165.0, 0.0, 0.0, 330.0]), "NVIDIA A30 Tensor Core GPU datasheet (2022)"),
    model("A40", &["a40"], ANY, peaks([696.0, PCIE4], [0.58, 0.0, 37.4], [0.0, 74.8, 149.7, 0.0, 0.0, 299.3]), "NVIDIA A40 datasheet (2021); FP64 as GA102, 1/64 of FP32"),
    model("A10", &["a10"], ANY, peaks([600.0, PCIE4], [0.49, 0.0, 31.2], [0.0, 62.5, 125.0, 0.0, 0.0, 250.0]), "NVIDIA A10 Tensor Core GPU datasheet (2021); FP64 as GA102, 1/64 of FP32"),
    model("H100 PCIe", &["h100", "pcie"], ANY, peaks([2000.0, PCIE5], [25.6, 51.2, 51.2], [0.0, 378.0, 756.0, 1513.0, 0.0, 1513.0]), H100),
    model("H100 NVL", &["h100", "nvl"], ANY, peaks([3900.0, PCIE5], [30.0, 60.0, 60.0], [0.0, 417.5, 835.5, 1670.5, 0.0, 1670.5]), H100),
    model("H100 SXM", &["h100"], ANY, peaks([3350.0, PCIE5], [33.5, 66.9, 66.9], [0.0, 494.7, 989.4, 1978.9, 0.0, 1978.9]), H100),
    model("H800 PCIe", &["h800", "pcie"], ANY, peaks([2000.0, PCIE5], [0.8, 0.0, 51.2], [0.0, 378.0, 756.0, 1513.0, 0.0, 1513.0]), H100),
    model("H800 SXM", &["h800"], ANY, peaks([3350.0, PCIE5], [1.0, 0.0, 66.9], [0.0, 494.7, 989.4, 1978.9, 0.0, 1978.9]), H100),
    model("H20", &["h20"], ANY, peaks([4000.0, PCIE5], [1.0, 0.0, 44.0], [0.0, 74.0, 148.0, 296.0, 0.0, 296.0]), H20),
    model("GH200 144GB", &["gh200"], (140, 0), peaks([4900.0, PCIE5], [33.5, 66.9, 66.9], [0.0, 494.7, 989.4, 1978.9, 0.0, 1978.9]), H100),
    model("GH200", &["gh200"], ANY, peaks([4000.0, PCIE5], [33.5, 66.9, 66.9], [0.0, 494.7, 989.4, 1978.9, 0.0, 1978.9]), H100),
    model("H200 NVL", &["h200", "nvl"], ANY, peaks([4800.0, PCIE5], [30.0, 60.0, 60.0], [0.0, 417.5, 835.5, 1670.5, 0.0, 1670.5]), H200),
    model("H200", &["h200"], ANY, peaks([4800.0, PCIE5], [33.5, 66.9, 66.9], [0.0, 494.7, 989.4, 1978.9, 0.0, 1978.9]), H200),
    model("B300", &["b300"], ANY, peaks([8000.0, 0.0], [1.25, 1.25, 75.0], [0.0, 1125.0, 2250.0, 4500.0, 13500.0, 0.0]), B300),
    model("B200", &["b200"], ANY, peaks([8000.0, PCIE5], [37.0, 37.0, 75.0], [0.0, 1125.0, 2250.0, 4500.0, 9000.0, 4500.0]), B200),
    model("GB200", &["gb200"], ANY, peaks([8000.0, PCIE5], [40.0, 40.0, 80.0], [0.0, 1250.0, 2500.0, 5000.0, 10000.0, 5000.0]), GB200),
    model("L4", &["l4"], ANY, peaks([300.0, PCIE4], [0.47, 0.0, 30.3], [0.0, 60.0, 121.0, 242.5, 0.0, 242.5]), "NVIDIA L4 Tensor Core GPU datasheet (2023), rates with sparsity halved; FP64 as AD104, 1/64 of FP32"),
    model("L40S", &["l40s"], ANY, peaks([864.0, PCIE4], [1.4, 0.0, 91.6], [0.0, 183.0, 362.05, 733.0, 0.0, 733.0]), "NVIDIA L40S datasheet (2023); FP64 as AD102, 1/64 of FP32"),
    model("L40", &["l40"], ANY, peaks([864.0, PCIE4], [1.4, 0.0, 90.5], [0.0, 90.5, 181.05, 362.0, 0.0, 362.0]), "NVIDIA L40 datasheet (2023), rates with sparsity halved; FP64 as AD102, 1/64 of FP32"),
    model("L20", &["l20"], ANY, peaks([864.0, PCIE4], [0.0, 0.0, 59.8], [0.0, 59.8, 119.5, 239.0, 0.0, 239.0]), L20),
    model("RTX 3090 Ti", &["geforce", "rtx 3090 ti"], (0, 84), peaks([1008.0, PCIE4], [0.63, 0.0, 40.0], [0.0, 40.0, 80.0, 0.0, 0.0, 320.0]), GA102),
    model("RTX 3090", &["geforce", "rtx 3090"], (0, 82), peaks([936.2, PCIE4], [0.56, 0.0, 35.6], [0.0, 35.6, 71.0, 0.0, 0.0, 284.0]), GA102),
    model("RTX 3080", &["geforce", "rtx 3080"], (0, 68), peaks([760.3, PCIE4], [0.47, 0.0, 29.8], [0.0, 29.8, 59.5, 0.0, 0.0, 238.0]), GA102),
    model("RTX 3070", &["geforce", "rtx 3070"], (0, 46), peaks([448.0, PCIE4], [0.32, 0.0, 20.3], [0.0, 20.3, 40.6, 0.0, 0.0, 162.6]), GA102),
    model("RTX 5090", &["geforce", "rtx 5090"], (0, 170), peaks([1792.0, PCIE5], [1.64, 0.0, 104.8], [0.0, 104.8, 209.5, 419.0, 1676.0, 838.0]), GB202),
    model("RTX 4090", &["geforce", "rtx 4090"], (0, 128), peaks([1008.0, PCIE4], [1.29, 0.0, 82.6], [0.0, 82.6, 165.2, 330.3, 0.0, 660.6]), AD102),
    model("RTX 4080", &["geforce", "rtx 4080"], (0, 76), peaks([716.8, PCIE4], [0.76, 0.0, 48.7], [0.0, 48.7, 97.5, 194.9, 0.0, 389.9]), AD102),
    model("RTX 4070 Ti", &["geforce", "rtx 4070 ti"], (0, 60), peaks([504.2, PCIE4], [0.63, 0.0, 40.1], [0.0, 40.1, 80.2, 160.4, 0.0, 320.7]), "NVIDIA Ada GPU architecture whitepaper v2.1, appendix B (tensor cores with FP32 sums)"),
    model("MI210", &["mi210"], ANY, peaks([1638.4, PCIE4], [22.6, 45.3, 22.6], [45.3, 0.0, 181.0, 0.0, 0.0, 181.0]), MI200),
    model("MI250X (one die)", &["mi250x"], (0, 110), peaks([1638.4, PCIE4], [23.95, 47.85, 23.95], [47.85, 0.0, 191.5, 0.0, 0.0, 191.5]), MI200),
    model("MI250 (one die)", &["mi250"], (0, 104), peaks([1638.4, PCIE4], [22.65, 45.25, 22.65], [45.25, 0.0, 181.05, 0.0, 0.0, 181.05]), MI200),
    model("MI300A", &["mi300a"], ANY, peaks([5300.0, PCIE5], [61.3, 122.6, 122.6], [122.6, 490.3, 980.6, 1961.2, 0.0, 1961.2]), MI300),
    model("MI325X", &["mi325x"], ANY, peaks([6000.0, PCIE5], [81.7, 163.4, 163.4], [163.4, 653.7, 1307.4, 2614.9, 0.0, 2614.9]), MI300),
    model("MI350X", &["mi350x"], ANY, peaks([8000.0, PCIE5], [72.1, 72.1, 144.2], [144.2, 0.0, 2306.9, 4613.7, 9227.5, 4613.7]), MI350),
    model("MI355X", &["mi355x"], ANY, peaks([8000.0, PCIE5], [78.6, 78.6, 157.3], [157.3, 0.0, 2516.6, 5033.2, 10066.3, 5033.2]), MI350),
    model("MI300X", &["mi300x"], ANY, peaks([5300.0, PCIE5], [81.7, 163.4, 163.4], [163.4, 653.7, 1307.4, 2614.9, 0.0, 2614.9]), MI300),
    model("Ascend 910C (one die)", &["ascend910|ascend", "9391|9381|9372|9392|9382|9362|910c"], ANY, peaks([1600.0, 0.0], [0.0; 3], [0.0, 0.0, 376.0, 0.0, 0.0, 752.0]), ASCEND_910C),
    // No data sheet has the bandwidth of its memory, nor the peaks of 910B1 to 910B4. For those, each one's file in
    // CANN's platform_config would, and no public copy of all of these files is known.
    model("Ascend 910B2C", &["ascend910b2c|ascend 910b2c"], ANY, peaks([0.0, 0.0], [0.0; 3], [0.0, 0.0, 353.9, 0.0, 0.0, 0.0]), ASCEND_910B2C),
    model("Gaudi 3", &["gaudi3|gaudi 3|hl 325|hl 325l"], ANY, peaks([3670.0, PCIE5], [0.0; 3], [0.0, 0.0, 1835.0, 1835.0, 0.0, 0.0]), GAUDI),
    model("Gaudi 2", &["gaudi2|gaudi 2|hl 225|hl 225b|hl 225d|hl 225h"], ANY, peaks([2460.0, PCIE4], [0.0; 3], [0.0, 0.0, 432.0, 0.0, 0.0, 0.0]), GAUDI),
    model("TPU v4", &["tpu", "v4"], ANY, peaks([1200.0, 0.0], [0.0; 3], [0.0, 0.0, 275.0, 0.0, 0.0, 275.0]), TPU),
    model("TPU v5e", &["tpu", "v5e|v5 lite|v5lite|v5litepod"], ANY, peaks([819.0, 0.0], [0.0; 3], [0.0, 0.0, 197.0, 0.0, 0.0, 393.0]), TPU),
    model("TPU v5p", &["tpu", "v5p|v5"], ANY, peaks([2765.0, 0.0], [0.0; 3], [0.0, 0.0, 459.0, 459.0, 0.0, 0.0]), TPU),
    model("TPU v6e", &["tpu", "v6e|v6 lite|v6lite|trillium"], ANY, peaks([1638.0, 0.0], [0.0; 3], [0.0, 0.0, 918.0, 0.0, 0.0, 1836.0]), TPU),
    model("Ascend 910", &["ascend910|ascend910a|ascend 910|ascend 910a"], ANY, peaks([1200.0, PCIE4], [0.0; 3], [0.0, 0.0, 256.0, 0.0, 0.0, 512.0]), ASCEND),
];
