//! Input from `tracing`.

use std::path::Path;

use stepscope_collector::{TracingLayer, stop};
use stepscope_format::{ArgumentValue, Category, Kind, Record};
use tracing_subscriber::layer::SubscriberExt;

use crate::recording::RecordedFolder;
use crate::role::{folder, play, record};

pub(crate) fn told(folder: &Path) {
    let subscriber = tracing_subscriber::registry().with(TracingLayer::new());
    tracing::subscriber::set_global_default(subscriber).expect("the only one");
    let early = tracing::info_span!("early", unseen = 1).entered();
    record(folder);
    drop(early);
    let step = tracing::info_span!(
        "train",
        stepscope.category = "step",
        stepscope.value = 7,
        lr = 0.5,
        loss = tracing::field::Empty
    );
    for _ in 0..2 {
        let _entered = step.enter();
        step.record("loss", 0.25);
        tracing::warn!(count = -2, ok = true, path = "a/b", what = ?Some(1), "a {}", "message");
    }
    tracing::event!(tracing::Level::INFO, nothing = 1_u64);
    // Left in another order, and on another thread.
    let [one, other] = [tracing::info_span!("one"), tracing::info_span!("other")];
    let (in_one, in_other) = (one.enter(), other.enter());
    drop(in_one);
    drop(in_other);
    std::thread::scope(|scope| {
        scope.spawn(|| one.in_scope(|| ()));
    });
    stop();
    other.in_scope(|| tracing::info!("late"));
}

#[test]
fn spans_events_and_fields_of_tracing_are_recorded() {
    let folder = folder("tracing");
    play("tracing", &folder);
    let found = RecordedFolder::of(&folder);
    let arguments = |of: &Record| -> Vec<String> {
        let all = found.threads.values().flat_map(|thread| &thread.records);
        let is = |record: &&Record| record.kind == Kind::Argument && record.at == of.at;
        let text = |record: &Record| match ArgumentValue::of(record).expect("a value") {
            ArgumentValue::Text(name) => found.name(0, name),
            value => format!("{value:?}"),
        };
        all.filter(is).map(|record| format!("{}={}", found.name(0, record.name), text(record))).collect()
    };
    let steps = found.named(Kind::Span, "train");
    assert!(steps.iter().all(|step| (step.category, step.value) == (Category::Step, 7)), "{steps:?}");
    let said: Vec<_> = steps.iter().map(arguments).collect();
    // The second time, the loss is known before, and given again.
    let [lr, loss] = ["lr=Float(0.5)", "loss=Float(0.25)"];
    assert_eq!(said, [vec![lr, loss], vec![lr, loss, loss]]);
    let marks = found.named(Kind::Mark, "a message");
    assert_eq!(marks.len(), 2);
    let target = format!("target={}", module_path!());
    let expected = ["level=WARN", &target, "count=Signed(-2)", "ok=Bool(true)", "path=a/b", "what=Some(1)"];
    assert_eq!(arguments(&marks[0]), expected);
    let unnamed = found
        .threads
        .values()
        .flat_map(|thread| &thread.records)
        .find(|record| record.kind == Kind::Mark && found.name(0, record.name).starts_with("event "));
    assert_eq!(arguments(unnamed.expect("an event without a message"))[2..], ["nothing=Unsigned(1)"]);
    assert_eq!((found.named(Kind::Span, "one").len(), found.named(Kind::Span, "other").len()), (2, 1));
    assert!(found.named(Kind::Span, "early").is_empty() && found.named(Kind::Mark, "late").is_empty());
    assert_eq!(found.recovered.open, 0);
}
