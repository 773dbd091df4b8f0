//! The other recorders. All keep spans in memory, or pass them to a thread that writes them: a kill loses those.

use std::hint::black_box;

use fastrace::collector::{Config, Reporter, SpanContext, SpanRecord};
use fastrace::local::LocalSpan;
use perfetto_recorder::ThreadTraceData;
use tracing_subscriber::layer::SubscriberExt;

use super::Costs;
use super::cpu::Clock;

/// Spans between two requests to flush a recorder with a bounded buffer.
const BATCH: u32 = 5_000;

pub(crate) struct Peer {
    pub(crate) name: &'static str,
    pub(crate) clock: Clock,
    /// Bytes per span, if it writes a file.
    pub(crate) bytes: &'static str,
    pub(crate) set_up: fn() -> Run,
}

/// A recorder that is set up.
pub(crate) enum Run {
    Tracy(tracy_client::Client),
    Fastrace,
    Puffin,
    Perfetto,
    Chrome(tracing::Dispatch, tracing_chrome::FlushGuard),
}

/// Drops what it gets.
struct Nowhere;

impl Reporter for Nowhere {
    fn report(&mut self, spans: Vec<SpanRecord>) {
        black_box(spans);
    }
}

pub(crate) const PEERS: [Peer; 5] = [
    Peer {
        name: "tracy-client",
        clock: Clock::Counter,
        bytes: "",
        set_up: || Run::Tracy(tracy_client::Client::start()),
    },
    Peer {
        name: "fastrace",
        clock: Clock::Counter,
        bytes: "",
        set_up: || {
            fastrace::set_reporter(Nowhere, Config::default());
            Run::Fastrace
        },
    },
    Peer {
        name: "puffin",
        clock: Clock::Monotonic,
        bytes: "",
        set_up: || {
            puffin::set_scopes_on(true);
            Run::Puffin
        },
    },
    Peer {
        name: "perfetto-recorder",
        clock: Clock::Monotonic,
        bytes: "",
        set_up: || {
            let _ = perfetto_recorder::start();
            Run::Perfetto
        },
    },
    Peer {
        name: "tracing-chrome",
        clock: Clock::Monotonic,
        bytes: "209",
        set_up: || {
            let (layer, guard) = tracing_chrome::ChromeLayerBuilder::new().writer(std::io::sink()).build();
            Run::Chrome(tracing::Dispatch::new(tracing_subscriber::registry().with(layer)), guard)
        },
    },
];

impl Run {
    /// Makes so many spans.
    pub(crate) fn turn(&mut self, spans: u32, costs: &mut Costs) {
        match self {
            Self::Tracy(client) => costs.add(|| {
                for _ in 0..spans {
                    let _span = client.clone().span(tracy_client::span_location!("a span"), 0);
                }
                Some(())
            }),
            Self::Fastrace => costs.add(|| {
                for _ in 0..spans / BATCH {
                    let root = fastrace::Span::root("root", SpanContext::random());
                    let _parent = root.set_local_parent();
                    for _ in 0..BATCH {
                        let _span = LocalSpan::enter_with_local_parent("a span");
                    }
                }
                Some(())
            }),
            Self::Puffin => costs.add(|| {
                for _ in 0..spans / BATCH {
                    for _ in 0..BATCH {
                        puffin::profile_scope!("a span");
                    }
                    puffin::GlobalProfiler::lock().new_frame();
                }
                Some(())
            }),
            Self::Perfetto => {
                costs.add(|| {
                    for _ in 0..spans {
                        perfetto_recorder::scope!("a span");
                    }
                    Some(())
                });
                drop(ThreadTraceData::take_current_thread());
            }
            Self::Chrome(dispatch, flush) => {
                tracing::dispatcher::with_default(dispatch, || {
                    costs.add(|| {
                        for _ in 0..spans {
                            let _span = tracing::info_span!("a span").entered();
                        }
                        Some(())
                    });
                });
                flush.flush();
            }
        }
    }
}
