//! `stepscope summary --by kernel-use`.

use serde_json::Value;
use stepscope_tests::generator::{Spec, Truth};

use crate::support::{Printed, folder, program, trace};

/// The trace's truth: each kernel has 256 threads with 40 registers, six blocks of which fit on an A100's multiprocessor.
fn truth() -> Truth {
    Spec { rank: 1, ..Spec::small(3) }.generate().1
}

#[test]
fn tables_tell_what_limits_kernels_and_what_they_make_of_the_peak() {
    let folder = folder("kernel-use");
    let file = trace(&folder, "a.json", 1);
    let wide = |options: &[&str]| {
        let mut command = program();
        command.env("COLUMNS", "240").args(["summary", "--by", "kernel-use", "--top", "0"]).args(options).arg(&file);
        Printed::of(&mut command).success()
    };
    let text = wide(&[]);
    assert!(text.starts_with("Use of the devices by kernels\n"), "{text}");
    assert!(text.contains("0 (A100 80GB SXM)"), "{text}");
    let limited = text.lines().filter(|line| line.contains("75.0 %  registers  ")).count();
    assert_eq!(limited, truth().kernels.len(), "{text}");
    assert!(text.contains("\naten::addmm "), "{text}");
    let by_launch = wide(&["--group-kernels", "launch"]);
    // Blocks and threads, registers and shared memory of each launch.
    let launched = |line: &&str| line.contains(" × 256  ") && line.ends_with("         40   400 B");
    assert_eq!(by_launch.lines().filter(launched).count(), by_launch.matches(" × 256  ").count(), "{by_launch}");
    assert!(by_launch.contains(" × 256  "), "{by_launch}");
    assert!(by_launch.lines().count() > text.lines().count());
}

#[test]
fn json_has_it_only_when_it_is_asked_for() {
    let folder = folder("kernel-use-json");
    let file = trace(&folder, "a.json", 1);
    let json = |options: &[&str]| -> Value {
        let printed = Printed::of(program().args(["summary", "--json"]).args(options).arg(&file));
        serde_json::from_str(&printed.success()).expect("--json prints JSON")
    };
    assert_eq!(json(&[])["ranks"][0]["kernel_use"], Value::Null);
    let found = json(&["--by", "kernel-use"]);
    let used = &found["ranks"][0]["kernel_use"];
    let products: u64 = truth().products.values().sum();
    assert_eq!(used["devices"][0]["computed_flops"], products);
    assert_eq!(used["devices"][0]["peaks"]["teraflops_per_second"]["half_matrix"], 312.0);
    let kernels = used["kernels"].as_array().expect("kernels");
    assert_eq!(kernels.len(), truth().kernels.len());
    for kernel in kernels {
        assert_eq!((&kernel["theoretical_occupancy"], &kernel["launch"]["registers"]), (&0.75.into(), &40.into()));
        assert_eq!(kernel["launch"]["occupancy"]["fitting"]["registers"], 6);
    }
    let flops: u64 = kernels.iter().filter_map(|kernel| kernel["computed_flops"].as_u64()).sum();
    assert_eq!(flops, products, "each product is computed by one kernel");
}
