use std::time::Instant;
use stepscope::analyze::*;
use stepscope_tests::files::load_file;
fn main() {
    for path in std::env::args().skip(1) {
        let file = std::fs::read(&path).unwrap();
        let t0 = Instant::now();
        let Ok(loaded) = load_file(&path, &file, 1 << 20) else {
            println!("{path}: cannot load");
            continue;
        };
        let load = t0.elapsed();
        let trace = loaded.trace;
        let steps = steps(&trace, &StepsConfig::default());
        let t0 = Instant::now();
        let graph = ExecutionGraph::of(&trace, &steps);
        let build = t0.elapsed();
        let t0 = Instant::now();
        let paths = critical_paths(&trace, &steps, &graph);
        let pt = t0.elapsed();
        println!(
            "{} load {load:?} graph {build:?} paths {pt:?} size {:?} slices {}",
            path.rsplit('/').next().unwrap(),
            graph.size(),
            trace.slices.len()
        );
        for (i, times) in paths.steps.iter().enumerate() {
            let sum: stepscope::Nanos = times.iter().copied().sum();
            assert_eq!(sum, steps.steps[i].span.len());
        }
        println!("  steps {} counted {} mean {:?}", steps.steps.len(), paths.counted, paths.mean_length.0);
        for c in PathClass::ALL {
            let t = paths.mean[c as usize];
            if t.0 > 0 {
                print!(" {} {:.1}%", c.name(), 100.0 * t.0 as f64 / paths.mean_length.0 as f64);
            }
        }
        println!();
        for row in paths.rows.iter().take(6) {
            println!(
                "     {:?} {} x{} {}",
                row.class,
                trace.strings.get(row.name).chars().take(50).collect::<String>(),
                row.pieces,
                row.total.0
            );
        }
        if std::env::var("PIECES").is_ok() {
            for step in 0..steps.steps.len() {
                let path = critical_path(&trace, &steps, &graph, step).unwrap();
                println!("step {step} {:?}", path.span);
                for p in path.pieces.iter().filter(|p| p.span.len().0 > 1_000_000) {
                    println!(
                        "    {:?} {} at {} len {} track {}",
                        p.class,
                        p.slice.get().map_or("", |id| trace.name_of(id)),
                        p.span.start.0 - path.span.start.0,
                        p.span.len().0,
                        p.slice.get().map_or(0, |id| trace.slices.track(id).0)
                    );
                }
            }
        }
        for change in [
            Change::Nothing,
            Change::Overlap,
            Change::Data,
            Change::Launches,
            Change::Kernel { name: "*".into(), factor: 2.0 },
            Change::Kernel { name: "*".into(), factor: 1000.0 },
        ] {
            let t0 = Instant::now();
            let r = what_if(&trace, &steps, &graph, &change);
            if change == Change::Nothing {
                for s in &r.steps {
                    assert_eq!(s.before, s.after, "{path}");
                }
            }
            println!(
                "   {change:?}: {:?} -> {:?} ({:.1}%) changed {} longer {} {:?}",
                r.mean[0].0,
                r.mean[1].0,
                100.0 * r.mean[1].0 as f64 / r.mean[0].0.max(1) as f64,
                r.changed,
                r.steps.iter().filter(|s| s.after.len() > s.before.len()).count(),
                t0.elapsed()
            );
        }
    }
}
