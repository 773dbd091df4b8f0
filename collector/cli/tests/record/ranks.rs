//! Several ranks, by the variables that their launchers set.

use crate::role::script;
use crate::support::{Run, folder, program, read, slices, values};

#[test]
fn each_rank_has_a_file_of_its_own() {
    let folder = folder("ranks");
    // A launcher records itself, too; a rank's helper without a rank variable is still its child.
    let launcher = script("spans launcher");
    let rank = |rank: u32| {
        let (own, helper) = (script(&format!("spans rank{rank}")), script(&format!("spans helper{rank}")));
        format!(
            "RANK={rank} WORLD_SIZE=2 {own}; RANK={rank} sh -c 'sleep {}; env -u RANK {}'",
            // Long enough for the sampler's next search for processes, which is rarer the more it costs.
            3 + rank,
            helper.replace('\'', "'\\''")
        )
    };
    let all = format!("{launcher}; ({}) & ({}) & wait", rank(0), rank(1));
    let run = Run::shell(&folder.join("run.stepscope"), &["--sample", "50"], &all);
    assert_eq!(run.code, Some(0), "{}", run.err);
    for (own, other) in [(0, 1), (1, 0)] {
        let trace = read(&folder.join(format!("run.rank{own}.stepscope")));
        assert_eq!(trace.meta.distributed.rank, Some(own), "{}", run.err);
        assert_eq!(trace.meta.distributed.world_size, Some(2));
        for (name, count) in [(format!("rank{own}"), 10), (format!("helper{own}"), 10), (format!("rank{other}"), 0)] {
            assert_eq!(slices(&trace, &name), count, "{name} in the file of {own}: {}", run.err);
        }
        assert_eq!(slices(&trace, "launcher"), if own == 0 { 10 } else { 0 }, "a launcher is with the first rank");
        assert!(!values(&trace, "machine", "CPU utilization (%): user").is_empty(), "the machine is everybody's");
        assert!(
            !values(&trace, &format!("sleep {}", 3 + own), "RSS (MiB)").is_empty(),
            "a rank's processes are sampled"
        );
        assert!(values(&trace, &format!("sleep {}", 3 + other), "RSS (MiB)").is_empty());
    }
    let summary = Run::of(program().arg("summary").arg(&folder));
    assert!(summary.out.starts_with("2 of 2 ranks"), "the folder opens as two ranks: {}", summary.out);
}
