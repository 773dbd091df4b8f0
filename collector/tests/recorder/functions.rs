//! Functions that are spans, and futures.

use std::future::{Future, poll_fn};
use std::path::Path;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use stepscope_collector::{instrument, is_recording, stop};
use stepscope_format::{ArgumentValue, Category, Kind, Record};

use crate::recording::RecordedFolder;
use crate::role::{folder, play, record};

#[instrument]
fn plain() -> u32 {
    if !is_recording() {
        return 1;
    }
    2
}

struct Layer {
    width: u64,
}

impl Layer {
    #[instrument(name = "a layer", category = Forward, value = self.width, arguments(scale, rows = input.len(), r#type = "dense"))]
    fn run<'a>(&self, input: &'a [f32], scale: f32) -> Result<&'a f32, String> {
        let first = input.first().ok_or("no input")?;
        Ok(first)
    }
}

#[instrument(category = Category::DataLoader, arguments(number))]
async fn batch(number: i32) -> Result<i32, std::num::ParseIntError> {
    // Each wait ends a poll.
    for _ in 0..2 {
        let mut waited = false;
        poll_fn(|_| if std::mem::replace(&mut waited, true) { Poll::Ready(()) } else { Poll::Pending }).await;
    }
    let parsed: i32 = number.to_string().parse()?;
    if parsed > 100 {
        return Ok(100);
    }
    Ok(parsed)
}

fn run<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(done) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return done;
        }
    }
}

fn is_send<T: Send>(value: T) -> T {
    value
}

pub(crate) fn functions(folder: &Path) {
    assert_eq!((plain(), run(batch(7)), run(batch(700))), (1, Ok(7), Ok(100)));
    record(folder);
    assert_eq!(plain(), 2);
    let layer = Layer { width: 64 };
    assert_eq!(layer.run(&[1.5, 2.5], 0.5), Ok(&1.5));
    assert_eq!(layer.run(&[], 0.5), Err("no input".to_owned()));
    assert_eq!(run(is_send(batch(9))), Ok(9));
    drop(batch(10));
    {
        let mut dropped = pin!(batch(11));
        assert!(dropped.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    stop();
}

#[test]
fn functions_and_polls_are_spans() {
    let folder = folder("functions");
    play("functions", &folder);
    let found = RecordedFolder::of(&folder);
    let arguments = |of: &Record| -> Vec<(String, ArgumentValue)> {
        let all = found.threads.values().flat_map(|thread| &thread.records);
        let its = all.filter(|record| record.kind == Kind::Argument && record.at == of.at);
        its.map(|record| (found.name(0, record.name), ArgumentValue::of(record).expect("a value"))).collect()
    };
    assert_eq!(found.named(Kind::Span, "plain").len(), 1);
    let layers = found.named(Kind::Span, "a layer");
    assert_eq!(layers.len(), 2, "one that returns early too");
    for (layer, rows) in layers.iter().zip([2, 0]) {
        assert_eq!((layer.category, layer.value), (Category::Forward, 64));
        let said = arguments(layer);
        assert_eq!(
            said[..2],
            [("scale".into(), ArgumentValue::Float(0.5)), ("rows".into(), ArgumentValue::Unsigned(rows))]
        );
        assert_eq!(said[2].0, "type");
    }
    let polls = found.named(Kind::Span, "batch");
    // Three of the whole one, one of the one that was dropped, none of the one that was never polled.
    assert_eq!(polls.len(), 4);
    assert!(polls.iter().all(|poll| poll.category == Category::DataLoader));
    let numbers: Vec<_> = polls.iter().map(arguments).collect();
    let number = |number| vec![("number".to_owned(), ArgumentValue::Signed(number))];
    assert_eq!(numbers, [number(9), vec![], vec![], number(11)]);
    let ids = |kind| found.named(kind, "batch").iter().map(|record| record.value).collect::<Vec<_>>();
    assert_eq!((ids(Kind::AsyncBegin), ids(Kind::AsyncEnd)), (vec![1, 2], vec![1, 2]));
}
