//! Named timers.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::record::{Span, StaticName, is_recording};

/// Whether timers count where nothing is recorded.
static ALWAYS: AtomicBool = AtomicBool::new(false);

/// All timers that were started.
static KNOWN: Mutex<Known> = Mutex::new(Known { timers: Vec::new(), by_name: BTreeMap::new() });

struct Known {
    timers: Vec<&'static Timer>,
    /// Those that are named while the program runs.
    by_name: BTreeMap<&'static str, &'static Timer>,
}

/// A named timer: a count and a duration. Also a span while the process is being recorded.
///
/// It counts while the process is being recorded, or after [`count_timers`]; else it is two relaxed loads.
///
/// ```
/// use stepscope_collector::{Timer, count_timers, timed, timers};
///
/// static DECODE: Timer = Timer::new("decode");
///
/// count_timers(true);
/// for _ in 0..3 {
///     let _decode = DECODE.start(); // until the end of its scope
/// }
/// let name = format!("worker {}", 1);
/// drop(timed(&name));
/// let counts: Vec<(String, u64)> = timers().into_iter().map(|timer| (timer.name, timer.count)).collect();
/// assert!(counts.contains(&("decode".into(), 3)) && counts.contains(&("worker 1".into(), 1)));
/// ```
#[derive(Debug)]
pub struct Timer {
    name: StaticName,
    text: &'static str,
    is_known: AtomicBool,
    count: AtomicU64,
    total: AtomicU64,
    most: AtomicU64,
    least: AtomicU64,
}

impl Timer {
    /// A timer that was not started yet.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self {
            name: StaticName::new(name),
            text: name,
            is_known: AtomicBool::new(false),
            count: AtomicU64::new(0),
            total: AtomicU64::new(0),
            most: AtomicU64::new(0),
            least: AtomicU64::new(u64::MAX),
        }
    }

    /// Starts it, until what is returned is dropped. Several may run at a time, on any threads.
    #[inline]
    pub fn start(&'static self) -> Timing {
        let started = (is_recording() || ALWAYS.load(Ordering::Relaxed)).then(|| self.begin());
        Timing { started, not_send: PhantomData }
    }

    #[cold]
    fn begin(&'static self) -> (&'static Self, Instant, Span) {
        if !self.is_known.swap(true, Ordering::Relaxed) {
            KNOWN.lock().unwrap_or_else(PoisonError::into_inner).timers.push(self);
        }
        (self, Instant::now(), Span::enter(&self.name))
    }

    fn add(&self, time: Duration) {
        let ns = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.count.fetch_add(1, Ordering::Relaxed);
        self.total.fetch_add(ns, Ordering::Relaxed);
        self.most.fetch_max(ns, Ordering::Relaxed);
        self.least.fetch_min(ns, Ordering::Relaxed);
    }

    fn add_to(&self, statistics: &mut TimerStatistics) {
        statistics.count += self.count.load(Ordering::Relaxed);
        statistics.total += Duration::from_nanos(self.total.load(Ordering::Relaxed));
        statistics.most = statistics.most.max(Duration::from_nanos(self.most.load(Ordering::Relaxed)));
        statistics.least = statistics.least.min(Duration::from_nanos(self.least.load(Ordering::Relaxed)));
    }

    fn reset(&self) {
        for (number, value) in [(&self.count, 0), (&self.total, 0), (&self.most, 0), (&self.least, u64::MAX)] {
            number.store(value, Ordering::Relaxed);
        }
    }
}

/// A timer that runs until this is dropped.
#[derive(Debug)]
#[must_use = "a timer that is dropped at once takes no time"]
pub struct Timing {
    started: Option<(&'static Timer, Instant, Span)>,
    /// Its span is its thread's.
    not_send: PhantomData<*const ()>,
}

impl Timing {
    /// Adds a text about this time, such as sizes, as the argument `info` of its span: Paddle's `REGISTER_TIMER_INFO`.
    ///
    /// ```
    /// use stepscope_collector::timed;
    ///
    /// let _forward = timed("forward").info("batch 16, 64 × 64");
    /// ```
    #[inline]
    pub fn info(self, text: &str) -> Self {
        if let Some((.., span)) = self.started.as_ref().filter(|_| !text.is_empty()) {
            span.argument("info", text);
        }
        self
    }
}

impl Drop for Timing {
    #[inline]
    fn drop(&mut self) {
        if let Some((timer, since, span)) = self.started.take() {
            timer.add(since.elapsed());
            drop(span);
        }
    }
}

/// Starts the timer of a name that is made while the program runs; each name is kept for ever.
pub fn timed(name: &str) -> Timing {
    if !is_recording() && !ALWAYS.load(Ordering::Relaxed) {
        return Timing { started: None, not_send: PhantomData };
    }
    let timer = {
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(timer) = known.by_name.get(name) {
            *timer
        } else {
            let name: &'static str = Box::leak(name.into());
            let timer: &'static Timer = Box::leak(Box::new(Timer::new(name)));
            known.by_name.insert(name, timer);
            timer
        }
    };
    timer.start()
}

/// Whether timers count even while nothing is recorded.
pub fn count_timers(always: bool) {
    ALWAYS.store(always, Ordering::Relaxed);
}

/// The counts of a timer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimerStatistics {
    /// Its name; timers of one name are counted together.
    pub name: String,
    /// Number of finished runs.
    pub count: u64,
    /// Total time.
    pub total: Duration,
    /// The longest.
    pub most: Duration,
    /// The shortest.
    pub least: Duration,
}

impl TimerStatistics {
    /// The mean.
    #[must_use]
    pub fn average(&self) -> Duration {
        let ns = self.total.as_nanos().checked_div(self.count.into()).unwrap_or_default();
        Duration::from_nanos(u64::try_from(ns).unwrap_or(u64::MAX))
    }
}

/// Statistics of all timers that ended at least once, the longest total first.
#[must_use]
pub fn timers() -> Vec<TimerStatistics> {
    let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut by_name: BTreeMap<&str, TimerStatistics> = BTreeMap::new();
    for timer in &known.timers {
        let statistics = by_name.entry(timer.text).or_insert_with(|| TimerStatistics {
            name: timer.text.to_owned(),
            count: 0,
            total: Duration::ZERO,
            most: Duration::ZERO,
            least: Duration::MAX,
        });
        timer.add_to(statistics);
    }
    let mut all: Vec<TimerStatistics> = by_name.into_values().filter(|timer| timer.count > 0).collect();
    all.sort_by_key(|timer| std::cmp::Reverse(timer.total));
    all
}

/// Resets all timers.
pub fn reset_timers() {
    let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.timers.iter().for_each(|timer| timer.reset());
}

/// Statistics of all timers as a table.
#[must_use]
pub fn timer_table() -> String {
    let timers = timers();
    let widest = timers.iter().map(|timer| timer.name.chars().count()).max().unwrap_or_default().max(5);
    let row = |name: &str, cells: [String; 5]| {
        let [count, total, average, most, least] = cells;
        format!("{name:widest$} {count:>9} {total:>11} {average:>11} {most:>11} {least:>11}\n")
    };
    let mut table = row("timer", ["count", "total", "avg", "max", "min"].map(str::to_owned));
    for timer in &timers {
        let [total, average, most, least] = [timer.total, timer.average(), timer.most, timer.least].map(time);
        table.push_str(&row(&timer.name, [timer.count.to_string(), total, average, most, least]));
    }
    table
}

/// The lines that Paddle's `printStatus` prints of a timer (its `StatSet`), in milliseconds; `None` if it never ended.
///
/// ```
/// use stepscope_collector::{count_timers, timed, timer_status};
///
/// count_timers(true);
/// drop(timed("forward"));
/// assert!(timer_status("forward").is_some_and(|line| line.starts_with("Stat=forward ") && line.contains(" count=1")));
/// assert_eq!(timer_status("backward"), None);
/// ```
#[must_use]
pub fn timer_status(name: &str) -> Option<String> {
    timers().iter().find(|timer| timer.name == name).map(stat_line)
}

/// The table that Paddle's `printAllStatus` prints (its `StatSet`), in milliseconds: all timers, the longest together first.
#[must_use]
pub fn all_timer_status() -> String {
    let lines: String = timers().iter().map(stat_line).collect();
    let (set, barriers) = ("======= StatSet: [GlobalStatInfo] status ======", "======= BarrierStatSet status ======");
    format!("{set}\n{lines}{barriers}\n{}\n", "-".repeat(50))
}

/// A timer as Paddle's `Stat` is printed: whole microseconds, as milliseconds of six digits.
fn stat_line(timer: &TimerStatistics) -> String {
    let mean = timer.total.as_micros().checked_div(timer.count.into()).unwrap_or_default();
    let [total, most, least] = [timer.total, timer.most, timer.least].map(|time| time.as_micros());
    let [total, mean, most, least] = [total, mean, most, least].map(|micros| general(micros as f64 * 0.001));
    let (name, count) = (&timer.name, timer.count);
    format!("Stat={name:30} total={total:10} avg={mean:10} max={most:10} min={least:10} count={count}\n")
}

/// A number as C++'s streams print it, but never with an exponent: six digits, no zeros at the end.
fn general(value: f64) -> String {
    let digits = if value >= 1.0 { value.log10().floor() as i32 + 1 } else { 0 };
    let decimals = usize::try_from(6 - digits.min(6)).unwrap_or_default();
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

fn time(time: Duration) -> String {
    let mut text = String::new();
    let ns = time.as_nanos() as f64;
    let (divisor, unit) = match ns {
        ns if ns < 1e3 => (1.0, "ns"),
        ns if ns < 1e6 => (1e3, "µs"),
        ns if ns < 1e9 => (1e6, "ms"),
        _ => (1e9, "s"),
    };
    // Writing to memory cannot fail.
    let _ = write!(text, "{:.3} {unit}", ns / divisor);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_is_printed_as_by_paddle() {
        let timer = TimerStatistics {
            name: "testBilinearFwdBwd".into(),
            count: 1,
            total: Duration::from_micros(136_141),
            most: Duration::from_micros(136_141),
            least: Duration::from_micros(136_141),
        };
        let words: Vec<String> = stat_line(&timer).split_whitespace().map(str::to_owned).collect();
        let expected =
            ["Stat=testBilinearFwdBwd", "total=136.141", "avg=136.141", "max=136.141", "min=136.141", "count=1"];
        assert_eq!(words, expected);
        // As in a log of Paddle's: total=105.79 avg=0.048 max=0.739 min=0 count=2160.
        let short =
            TimerStatistics { count: 2160, total: Duration::from_micros(105_790), least: Duration::ZERO, ..timer };
        let line = stat_line(&short);
        assert!(
            line.contains(" total=105.79     avg=0.048      ") && line.contains(" min=0          count=2160\n"),
            "{line}"
        );
        let numbers = [0.0, 0.001, 12.345, 999.999, 1234.567, 1_234_567.0].map(general);
        assert_eq!(numbers, ["0", "0.001", "12.345", "999.999", "1234.57", "1234567"]);
    }

    #[test]
    fn timers_of_one_name_count_together() {
        static ONE: Timer = Timer::new("twice the same");
        static OTHER: Timer = Timer::new("twice the same");
        drop(ONE.start());
        assert!(timers().iter().all(|timer| timer.name != "twice the same"), "nothing counts yet");
        count_timers(true);
        {
            let _outer = ONE.start();
            let _inner = OTHER.start();
            std::thread::sleep(Duration::from_millis(2));
            std::thread::scope(|scope| {
                scope.spawn(|| drop(timed("twice the same")));
            });
        }
        let find = || timers().into_iter().find(|timer| timer.name == "twice the same");
        let found = find().expect("it counted");
        assert_eq!(found.count, 3);
        assert!(found.total >= found.most + found.least && found.least <= found.average());
        assert!(found.most >= Duration::from_millis(2) && found.average() <= found.most);
        let table = timer_table();
        let line = table.lines().find(|line| line.starts_with("twice the same")).expect("its line");
        assert_eq!(line.split_whitespace().nth(3), Some("3"), "{table}");
        assert!(line.contains(" ms"), "{table}");
        assert!(timer_status("twice the same").is_some_and(|line| line.contains(" count=3")));
        let all = all_timer_status();
        assert!(all.starts_with("======= StatSet: [GlobalStatInfo] status ======\nStat="), "{all}");
        reset_timers();
        assert_eq!((find(), timer_status("twice the same")), (None, None));
        count_timers(false);
    }
}
