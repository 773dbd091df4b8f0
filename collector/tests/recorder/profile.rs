//! Training loops that profile themselves.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use stepscope_collector::{
    Category, Cycle, Options, Profiler, Recorded, Scheduler, State, Timer, count_timers, is_recording, span, timers,
};
use stepscope_format::{ArgumentValue, Kind};

use crate::recording::RecordedFolder;
use crate::role::{folder, play};

static LOAD: Timer = Timer::new("load");

fn options(folder: &Path) -> Options {
    Options { segment_bytes: 64 << 10, ..Options::new(folder) }
}

/// Ten steps; those of two cycles are recorded, and the beginning of a third one is discarded.
pub(crate) fn turns(folder: &Path) {
    let found: Rc<RefCell<Vec<Recorded>>> = Rc::default();
    let list = Rc::clone(&found);
    let cycle = Cycle { wait: 1, warm_up: 1, active: 2, repeat: 0, skip_first: 1 };
    let mut profiler = Profiler::new(options(folder))
        .scheduler(Scheduler::cycle(cycle))
        .on_trace_ready(move |recorded| {
            recorded.write_compact(recorded.file.with_extension("stepscope"))?;
            list.borrow_mut().push(recorded.clone());
            Ok(())
        })
        .start()
        .expect("a profiler");
    for step in 0..10 {
        assert_eq!((profiler.number(), profiler.state()), (step, cycle.state(step)));
        assert_eq!(is_recording(), profiler.state() != State::Closed);
        let _load = profiler.read(|| LOAD.start());
        let _forward = span!("forward", in Category::Forward, step);
        drop((_forward, _load));
        profiler.step_with(step + 1).expect("the next step");
    }
    // The eleventh is a warm-up step.
    assert_eq!(profiler.state(), State::Ready);
    profiler.stop().expect("an end");
    assert!(!is_recording());
    let found = found.borrow();
    let steps: Vec<_> = found.iter().map(|recorded| (recorded.index, recorded.steps.clone())).collect();
    assert_eq!(steps, [(0, 3..=4), (1, 7..=8)]);
    let counted: Vec<_> = timers().into_iter().map(|timer| (timer.name, timer.count)).collect();
    assert_eq!(counted, [("load".to_owned(), 6)]);
}

#[test]
fn the_schedulers_steps_are_recorded_with_their_samples() {
    let folder = folder("turns");
    play("turns", &folder);
    let compact = std::fs::read_dir(&folder).expect("the folder").filter(|entry| {
        entry.as_ref().is_ok_and(|entry| entry.path().extension().is_some_and(|extension| extension == "stepscope"))
    });
    assert_eq!(compact.count(), 2);
    let found = RecordedFolder::of(&folder);
    assert_eq!((found.recovered.processes, found.recovered.closed, found.recovered.open), (2, 2, 0));
    let steps = found.named(Kind::Span, "step");
    let mut said: Vec<(u64, Vec<(String, ArgumentValue)>)> = steps
        .iter()
        .map(|step| {
            let records = found.threads.iter().flat_map(|((process, _), thread)| {
                let of = |record: &&stepscope_format::Record| record.kind == Kind::Argument && record.at == step.at;
                thread
                    .records
                    .iter()
                    .filter(of)
                    .map(|record| (found.name(*process, record.name), ArgumentValue::of(record).expect("a value")))
            });
            (step.value, records.collect())
        })
        .collect();
    said.sort_by_key(|(number, _)| *number);
    let samples = |number: u64| ("samples".to_owned(), ArgumentValue::Unsigned(number + 1));
    let warm_up = ("warm_up".to_owned(), ArgumentValue::Bool(true));
    let expected = [2, 3, 4, 6, 7, 8].map(|number| {
        let said =
            if [2, 6].contains(&number) { vec![warm_up.clone(), samples(number)] } else { vec![samples(number)] };
        (number, said)
    });
    assert_eq!(said, expected);
    for name in ["forward", "next batch", "load"] {
        assert_eq!(found.named(Kind::Span, name).len(), 6, "{name}");
    }
}

/// A recording without a complete step, one whose first step panics, one that panics later, and one of warm-up steps
/// alone.
pub(crate) fn partial(folder: &Path) {
    let found: Rc<RefCell<Vec<Recorded>>> = Rc::default();
    let profiler = |name: &str, scheduler: Scheduler| {
        let list = Rc::clone(&found);
        Profiler::new(options(&folder.join(name)))
            .scheduler(scheduler)
            .on_trace_ready(move |recorded| {
                list.borrow_mut().push(recorded.clone());
                Ok(())
            })
            .start()
            .expect("a profiler")
    };
    let work = |spans: u64| (0..spans).for_each(|number| drop(span!("work", number)));
    let all = profiler("all", Scheduler::always());
    work(1000);
    all.stop().expect("an end");
    for (name, steps) in [("first", 0), ("later", 2)] {
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let mut profiler = profiler(name, Scheduler::always());
            for _ in 0..steps {
                profiler.step().expect("the next step");
            }
            work(10);
            std::panic::resume_unwind(Box::new("out of memory"));
        }));
        assert!(panicked.is_err());
    }
    let warm_up = profiler("warm_up", Scheduler::steps(1..2));
    work(10);
    warm_up.stop().expect("an end");
    let mut whole = profiler("whole", Scheduler::always());
    whole.step().expect("the next step");
    work(10);
    whole.stop().expect("an end");
    let found: Vec<_> = found.borrow().iter().map(|recorded| (recorded.steps.clone(), recorded.partial)).collect();
    assert_eq!(found, [(0..=0, true), (0..=0, true), (0..=2, true), (0..=0, false)]);
}

#[test]
fn a_recording_without_a_complete_step_stays() {
    let folder = folder("partial");
    play("partial", &folder);
    for (name, steps, partial, spans) in [
        ("all", vec![0], vec![0], 1000),
        ("first", vec![0], vec![0], 10),
        ("later", vec![0, 1, 2], vec![2], 10),
        ("whole", vec![0], vec![], 10),
    ] {
        let found = RecordedFolder::of(&folder.join(name));
        let recorded: Vec<u64> = found.named(Kind::Span, "step").iter().map(|step| step.value).collect();
        assert_eq!((recorded, found.named(Kind::Span, "work").len()), (steps, spans), "{name}");
        let at: Vec<u64> = found.named(Kind::Argument, "partial").iter().map(|record| record.at).collect();
        let begins = found.named(Kind::Span, "step").into_iter().filter(|step| at.contains(&step.at));
        assert_eq!(begins.map(|step| step.value).collect::<Vec<_>>(), partial, "{name}");
    }
    let left = std::fs::read_dir(folder.join("warm_up")).expect("its folder").count();
    assert_eq!(left, 0, "warm-up alone is deleted");
}

/// Two epochs of five, then a handler that fails, then times alone.
pub(crate) fn epochs(folder: &Path) {
    let mut profiler = Profiler::new(options(folder)).scheduler(Scheduler::epochs(1..3)).start().expect("a profiler");
    for _epoch in 0..5 {
        for _step in 0..3 {
            profiler.step().expect("the next step");
        }
        profiler.next_epoch().expect("the next epoch");
    }
    drop(profiler);
    let failing = Profiler::new(options(&folder.join("failing")))
        .scheduler(Scheduler::steps(1..2))
        .on_trace_ready(|_| Err(std::io::Error::other("no room")));
    let mut profiler = failing.start().expect("a profiler");
    profiler.step().expect("the next step");
    assert_eq!(profiler.step().expect_err("the handler's error").to_string(), "no room");
    profiler.step().expect("it goes on");
    profiler.stop().expect("there is nothing more to handle");

    count_timers(true);
    let mut times = Profiler::new(options(&folder.join("nothing"))).timer_only(true).start().expect("a profiler");
    for _ in 0..12 {
        assert!(!is_recording());
        times.read(|| std::thread::sleep(std::time::Duration::from_millis(1)));
        times.step_with(8).expect("the next step");
    }
    let info = times.step_info("images");
    assert!(info.starts_with("reader_cost: 0.00") && info.ends_with(" images/s"), "{info}");
    let summary = times.summary("images").expect("two steps");
    assert_eq!(summary.steps, 2);
    assert!(summary.batch_cost.least >= 0.001 && summary.ips.most <= 8_000.0, "{summary:?}");
    times.stop().expect("an end");
    assert!(!folder.join("nothing").exists());
}

#[test]
fn epochs_are_recorded_and_times_need_no_recording() {
    let folder = folder("epochs");
    play("epochs", &folder);
    let found = RecordedFolder::of(&folder);
    assert_eq!((found.recovered.processes, found.recovered.closed), (1, 1));
    let steps: Vec<u64> = found.named(Kind::Span, "step").iter().map(|step| step.value).collect();
    assert_eq!(steps, [3, 4, 5, 6, 7, 8], "no step is told twice, or begun and forgotten");
    assert!(found.named(Kind::Open, "step").is_empty());
}
