//! Steps of a loop that calls once per iteration.

use std::cell::Cell;

use stepscope_collector::{Category, SpanHandle, StaticName};

use crate::guard::guard;

static STEP: StaticName = StaticName::new("step");
static SAMPLES: StaticName = StaticName::new("samples");

thread_local! {
    /// The step that is open on this thread, and the number of steps so far.
    static CURRENT: Cell<(SpanHandle, u64)> = const { Cell::new((SpanHandle::NONE, 0)) };
}

/// Ends this thread's step, if there is one, and begins the next one; returns its number, from 0.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_step(samples: u64) -> u64 {
    guard(0, || {
        let step = |current: &Cell<(SpanHandle, u64)>| {
            let (open, number) = current.get();
            if samples > 0 {
                open.argument(&SAMPLES, samples);
            }
            open.close();
            current.set((SpanHandle::open(Category::Step, &STEP, number), number + 1));
            number
        };
        CURRENT.try_with(step).unwrap_or_default()
    })
}

/// Ends this thread's step without beginning another one; leaves it out of the recording if it is incomplete.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_end_step(whole: i32) {
    guard((), || {
        let _ = CURRENT.try_with(|current| {
            let (open, number) = current.get();
            if whole == 0 {
                open.discard();
            } else {
                open.close();
            }
            current.set((SpanHandle::NONE, number));
        });
    });
}
