//! Rules by printed summaries alone, nvprof's totals by name and the Perf Summary: without a time axis. They claim no more
//! than totals prove.

use super::{AdviceUnit, Evidence, Measured, NotApplicable};
use stepscope_base::{CompactSort as _, Nanos};
use stepscope_trace::{Cell, Trace};

type Judged = Result<Measured, NotApplicable>;

/// Number of names shown as evidence of a rule.
const SHOWN: usize = 5;

/// A row of the summary.
struct Row<'a> {
    name: &'a str,
    calls: u64,
    total: Nanos,
    longest: Nanos,
}

/// The rows of a table; an error where events show more than totals do.
fn rows<'a>(trace: &'a Trace, id: &'a str) -> Result<Vec<Row<'a>>, NotApplicable> {
    if trace.has_events() {
        return Err(NotApplicable::NoTable);
    }
    let rows = trace.recorded_as(id).flat_map(|table| {
        table.rows.iter().filter_map(move |row| {
            Some(Row {
                name: table.cell(row, "name").text()?,
                calls: match table.cell(row, "calls") {
                    Cell::Integer(calls) => u64::try_from(*calls).ok()?,
                    _ => return None,
                },
                total: table.cell(row, "total").nanos()?,
                longest: table.cell(row, "max").nanos()?,
            })
        })
    });
    Some(rows.collect()).filter(|rows: &Vec<_>| !rows.is_empty()).ok_or(NotApplicable::NoTable)
}

/// Whether a trace has such a summary, or a Perf Summary, and no events.
#[must_use]
pub fn has_summary(trace: &Trace) -> bool {
    let has = |id| trace.recorded_as(id).next().is_some();
    !trace.has_events() && (has("gpu_activities") || has("perf_summary"))
}

fn is_copy(name: &str) -> bool {
    name.starts_with("[CUDA memcpy ") || name.starts_with("[Unified Memory Memcpy ")
}

fn is_activity_of_memory(name: &str) -> bool {
    is_copy(name) || name.starts_with("[CUDA memset")
}

fn total<'a, 'b: 'a>(rows: impl Iterator<Item = &'a Row<'b>>) -> Nanos {
    rows.map(|row| row.total).sum()
}

/// The rows with the longest totals, as evidence.
fn longest<'a, 'b: 'a>(
    rows: impl Iterator<Item = &'a Row<'b>>,
    value: impl Fn(&Row<'_>) -> (f64, AdviceUnit),
) -> Vec<Evidence> {
    let mut rows: Vec<&Row<'_>> = rows.collect();
    rows.compact_sort_by_key(|row| std::cmp::Reverse(row.total));
    let shown = rows.into_iter().take(SHOWN).map(|row| {
        let (value, unit) = value(row);
        Evidence::Named(row.name.to_owned(), value, unit)
    });
    shown.collect()
}

/// The wait for data as a part of a step, by the Perf Summary of a log. No gain: it does not show whether a device
/// computes meanwhile.
#[expect(clippy::cast_precision_loss, reason = "a length")]
pub(super) fn reader_ratio(trace: &Trace) -> Judged {
    let table = trace.recorded_as("perf_summary").next().ok_or(NotApplicable::NoTable)?;
    let average = table.rows.first().ok_or(NotApplicable::NoTable)?;
    let mean = |name: &str| table.cell(average, name).nanos();
    let batch = mean("batch_cost").ok_or(NotApplicable::NoTable)?;
    // Paddle leaves the wait out where it is zero.
    let reader = mean("reader_cost").unwrap_or_default();
    let costs = [("reader_cost", reader), ("batch_cost", batch)];
    let evidence = costs.map(|(name, cost)| Evidence::Named(name.to_owned(), cost.0 as f64, AdviceUnit::Nanoseconds));
    let value = table.cell(average, "reader_ratio").number().or_else(|| reader.ratio_of(batch));
    Ok(Measured {
        value: value.ok_or(NotApplicable::NoTable)?,
        evidence: evidence.to_vec(),
        wording: Some("dataloader.printed"),
        ..Measured::default()
    })
}

/// The part of the device's activity time that copies take. No gain: the summary does not show the part that
/// computation hides.
pub(super) fn copies(trace: &Trace) -> Judged {
    let rows = rows(trace, "gpu_activities")?;
    let all = total(rows.iter());
    let copies = || rows.iter().filter(|row| is_copy(row.name));
    let share = |row: &Row<'_>| (row.total.ratio_of(all).unwrap_or_default(), AdviceUnit::Share);
    Ok(Measured {
        value: total(copies()).ratio_of(all).ok_or(NotApplicable::NoTable)?,
        evidence: longest(copies(), share),
        wording: Some("exposed_copies.nvprof"),
        ..Measured::default()
    })
}

/// Lower bound of the part of the copies between host and device for which calls wait: those that no asynchronous call
/// can have made.
///
/// Copies of a graph have no call of their own, so summaries with graphs are not judged. Neither are those that list
/// fewer calls than such copies.
#[expect(clippy::cast_precision_loss, reason = "a part of a count, and a length")]
pub(super) fn waited_for(trace: &Trace, limits: &[f64]) -> Judged {
    /// The smallest threshold.
    const MOST: f64 = 0.5;
    const BETWEEN: [&str; 4] = ["HtoD", "DtoH", "HtoA", "AtoH"];
    let activities = rows(trace, "gpu_activities")?;
    let calls = rows(trace, "api_calls")?;
    let is_between = |row: &&Row<'_>| is_copy(row.name) && BETWEEN.iter().any(|kind| row.name.contains(kind));
    let all: u64 = activities.iter().filter(is_between).map(|row| row.calls).sum();
    let is_copying = |row: &&Row<'_>| row.name.contains("Memcpy") && !row.name.contains("Graph");
    let is_asynchronous = |row: &&Row<'_>| row.name.contains("Async");
    let waiting = || calls.iter().filter(is_copying).filter(|row| !is_asynchronous(row));
    let asynchronous: u64 = calls.iter().filter(is_copying).filter(is_asynchronous).map(|row| row.calls).sum();
    let (least, listed) = (all.saturating_sub(asynchronous), waiting().map(|row| row.calls).sum::<u64>());
    if all == 0 || listed < least || calls.iter().any(|row| row.name.contains("GraphLaunch")) {
        return Err(NotApplicable::NoTable);
    }
    Ok(Measured {
        value: least as f64 / all as f64,
        threshold: Some(limits.first().copied().unwrap_or_default().max(MOST)),
        evidence: longest(waiting(), |row| (row.total.0 as f64, AdviceUnit::Nanoseconds)),
        wording: Some("synchronous_copies.nvprof"),
        ..Measured::default()
    })
}

/// Upper bound of the part of the time in which a device runs kernels: the time of all kernels divided by that of the
/// longest call or activity, since the program ran at least that long.
#[expect(clippy::cast_precision_loss, reason = "a length")]
pub(super) fn utilization(trace: &Trace) -> Judged {
    let activities = rows(trace, "gpu_activities")?;
    let calls = rows(trace, "api_calls")?;
    let kernels = total(activities.iter().filter(|row| !is_activity_of_memory(row.name)));
    let longest_row = activities.iter().chain(&calls).max_by_key(|row| row.longest).ok_or(NotApplicable::NoTable)?;
    let share = kernels.ratio_of(longest_row.longest).ok_or(NotApplicable::NoTable)?;
    let length = longest_row.longest.0 as f64;
    Ok(Measured {
        value: share.min(1.0),
        evidence: vec![Evidence::Named(longest_row.name.to_owned(), length, AdviceUnit::Nanoseconds)],
        wording: Some("low_utilization.nvprof"),
        ..Measured::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use stepscope_input::Loader;

    fn trace(text: &str) -> Trace {
        let mut loader = Loader::new("log.txt");
        loader.space(text.len()).copy_from_slice(text.as_bytes());
        loader.advance(text.len()).expect("a summary");
        loader.finish().expect("a summary").trace
    }

    /// A summary of rows with calls, mean and longest time in µs, as before CUDA 8 and since.
    fn printed(activities: &[(&str, u32, u32, u32)], calls: &[(&str, u32, u32, u32)]) -> [Trace; 2] {
        let row = |(name, calls, mean, max): &(&str, u32, u32, u32)| {
            // Cells stand below their titles.
            let cell = |micros: u32| format!("{micros}.00us");
            let [total, mean, max] = [calls * mean, *mean, *max].map(cell);
            format!("10.00%  {total:>8}  {calls:>8}  {mean:>8}  {:>8}  {max:>8}  {name}\n", "1.0000us")
        };
        let heads = "   Time     Calls       Avg       Min       Max  Name\n";
        let lines = |rows: &[(&str, u32, u32, u32)], kind: &str| -> String {
            let first = |index: usize| if index == 0 { kind } else { "" };
            rows.iter().enumerate().map(|(index, one)| format!("{:>15}   {}", first(index), row(one))).collect()
        };
        let plain = |rows: &[(&str, u32, u32, u32)]| rows.iter().map(row).collect::<String>();
        let begin = "==1== NVPROF is profiling process 1, command: ./a\n==1== Profiling result:\n";
        let new = format!(
            "{begin}            Type  Time(%)  {heads}{}{}",
            lines(activities, "GPU activities:"),
            lines(calls, "API calls:")
        );
        let old =
            format!("{begin}Time(%)  {heads}{}\n==1== API calls:\nTime(%)  {heads}{}", plain(activities), plain(calls));
        [old, new].map(|text| trace(&text))
    }

    const HALF: &[(&str, u32, u32, u32)] = &[
        ("[CUDA memcpy HtoD]", 4, 20, 30),
        ("[CUDA memcpy DtoD]", 1, 20, 20),
        ("gemm", 10, 9, 10),
        ("[CUDA memset]", 1, 10, 10),
    ];

    #[test]
    fn copies_are_a_part_of_what_devices_do() {
        for trace in printed(HALF, &[("cudaMemcpyAsync", 5, 2, 3)]) {
            let found = copies(&trace).expect("a share");
            assert!((found.value - 0.5).abs() < 1e-9, "{}", found.value);
            let Evidence::Named(name, share, _) = &found.evidence[0] else { panic!("a name") };
            assert_eq!((name.as_str(), *share, found.evidence.len()), ("[CUDA memcpy HtoD]", 0.4, 2));
            assert!(has_summary(&trace));
        }
    }

    #[test]
    fn a_copy_that_no_asynchronous_call_made_was_waited_for() {
        let judged = |calls: &[(&str, u32, u32, u32)]| {
            printed(HALF, calls).map(|trace| waited_for(&trace, &[0.01]).map(|found| (found.value, found.threshold)))
        };
        // One of four copies from the host was asynchronous at most; the one within the device needs no call of the
        // host.
        let calls = [("cudaMemcpy", 4, 20, 30), ("cudaMemcpyAsync", 1, 2, 2)];
        assert_eq!(judged(&calls), [const { Ok((0.75, Some(0.5))) }; 2]);
        // All may be asynchronous, whatever else waits.
        let calls = [("cudaMemcpy", 1, 20, 30), ("cudaMemcpyAsync", 4, 2, 2)];
        assert_eq!(judged(&calls), [const { Ok((0.0, Some(0.5))) }; 2]);
        // Copies may be a graph's, or calls are missing.
        let nothing = [const { Err(NotApplicable::NoTable) }; 2];
        assert_eq!(judged(&[("cudaMemcpy", 5, 20, 30), ("cudaGraphLaunch", 1, 2, 2)]), nothing);
        assert_eq!(judged(&[("cudaMemcpy", 2, 20, 30), ("cudaMemcpyAsync", 1, 2, 2)]), nothing);
        assert_eq!(judged(&[("cudaLaunchKernel", 10, 2, 2)]), nothing);
    }

    #[test]
    fn a_device_works_no_longer_than_all_kernels_of_a_time_no_shorter_than_a_call() {
        let share = |calls: &[(&str, u32, u32, u32)]| {
            printed(HALF, calls).map(|trace| utilization(&trace).expect("a share").value)
        };
        // 90 µs of kernels, and a call of 900.
        assert_eq!(share(&[("cudaFree", 2, 500, 900)]), [0.1, 0.1]);
        // Shorter calls prove nothing, however many they are.
        assert_eq!(share(&[("cudaLaunchKernel", 900, 9, 10)]), [1.0, 1.0]);
    }

    #[test]
    fn events_have_rules_of_their_own() {
        let text = br#"{"deviceProperties": [], "traceEvents": [{"ph":"X","cat":"kernel","name":"a","pid":0,"tid":7,"ts":1,"dur":2}]}"#;
        let mut loader = Loader::new("a.json");
        loader.space(text.len()).copy_from_slice(text);
        loader.advance(text.len()).expect("a trace");
        let trace = loader.finish().expect("a trace").trace;
        assert_eq!(copies(&trace).err(), Some(NotApplicable::NoTable));
        assert!(!has_summary(&trace));
    }
}
