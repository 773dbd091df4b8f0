//! Futures, which run in pieces, on any threads.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};

use stepscope_format::Category;

use super::event::{async_begin, async_end};
use super::name::StaticName;
use super::span::Span;
use super::state::is_recording;

/// The latest operation's id.
static LAST: AtomicU64 = AtomicU64::new(0);

/// A future's life as an asynchronous operation.
struct Life {
    name: &'static StaticName,
    /// Zero: nothing was recorded when it began.
    id: u64,
}

impl Life {
    fn begin(name: &'static StaticName) -> Self {
        let id = if is_recording() { LAST.fetch_add(1, Ordering::Relaxed) + 1 } else { 0 };
        if id != 0 {
            async_begin(name, id);
        }
        Self { name, id }
    }
}

impl Drop for Life {
    fn drop(&mut self) {
        if self.id != 0 {
            async_end(self.name, self.id);
        }
    }
}

/// Records a future: each poll as a span of the thread that polls it, and its life from the first poll until it is
/// finished or dropped as an asynchronous operation. [`instrument`](crate::instrument) does this to an `async fn`.
pub async fn polled<F: Future>(name: &'static StaticName, category: Category, future: F) -> F::Output {
    let _life = Life::begin(name);
    let mut future = pin!(future);
    poll_fn(|context| {
        let _poll = Span::with(category, name, 0);
        future.as_mut().poll(context)
    })
    .await
}
