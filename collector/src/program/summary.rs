//! `stepscope summary`.

use std::num::NonZeroU64;

use stepscope::analyze::{
    AdviceConfig, AnalysisConfig, BenchmarkConfig, Change, OperatorGrouping, OperatorsConfig, RangeConfig,
    StepTraceConfig, StepsConfig, kernels_named, range,
};
use stepscope::export::report_json::{CriticalAsk, Ranges, RankRange, Summary, indented, json};
use stepscope::{Rank, job_of};

use crate::args::{Grouping, SummaryOptions, Table};
use crate::grid::{Look, printable};
use crate::range_option::RangeOption;
use crate::{Result, open, print, recorded, style, tables, thresholds};

/// All tables, in the order in which they are printed.
const ALL: [Table; 14] = [
    Table::Devices,
    Table::Idle,
    Table::Gaps,
    Table::Steps,
    Table::Phases,
    Table::Operators,
    Table::Kernels,
    Table::Copies,
    Table::Launches,
    Table::Queues,
    Table::Resources,
    Table::StepTrace,
    Table::Benchmark,
    Table::Pipeline,
];

/// Prints the summary of the given files.
pub(crate) fn run(options: &SummaryOptions) -> Result {
    let config = AnalysisConfig {
        steps: StepsConfig::default(),
        operators: OperatorsConfig {
            grouping: match options.group {
                Grouping::Name => OperatorGrouping::Name,
                Grouping::Shapes => OperatorGrouping::NameShapes,
                Grouping::Type => OperatorGrouping::Type,
                Grouping::Stack => OperatorGrouping::NameStack,
                Grouping::Category => OperatorGrouping::Category,
                Grouping::Thread => OperatorGrouping::Thread,
            },
            merge_only_children: options.merge_same_name,
        },
        definition: options.definition.into(),
        step_trace: StepTraceConfig {
            forward_start: options.style.fp_start.clone(),
            backward_end: options.style.bp_end.clone(),
        },
        benchmark: BenchmarkConfig { samples: options.style.batch_size.map(NonZeroU64::get) },
        launches: options.idle.launches(),
        idle: options.idle.idle(),
        ..AnalysisConfig::standard()
    };
    let advice = thresholds::read(options.rules.into(), options.thresholds.as_deref())?;
    let ranks = open::ranks(&options.input, &config)?;
    if let Some(chosen) = &options.range {
        return print(&ranges(&ranks, chosen, options)?);
    }
    if let Some(tool) = options.style.style {
        let text = style::text(&ranks, tool, &options.style);
        if text.is_empty() {
            return Err("there is nothing in it that this tool has a table for".to_owned());
        }
        return print(text.as_bytes());
    }
    known_kernels(&ranks, &options.what_if)?;
    if options.json {
        let ask = CriticalAsk { paths: options.by == Some(Table::Critical), step: None, changes: &options.what_if };
        let mut summary = Summary::advised(&ranks, &advice, options.by == Some(Table::Advice));
        if ask.paths || !ask.changes.is_empty() {
            summary = summary.with_critical(&ranks, ask);
        }
        if options.by == Some(Table::KernelUse) {
            summary = summary.with_kernel_use(&ranks, options.group_kernels.into());
        }
        let mut json = summary.to_json_pretty();
        json.push(b'\n');
        return print(&json);
    }
    let look = Look::of_output();
    if options.by == Some(Table::Advice) && options.what_if.is_empty() {
        return print(tables::advice::all(&ranks, job_of(&ranks).as_ref(), &advice, look).as_bytes());
    }
    print(text(&ranks, options, &advice, look).as_bytes())
}

/// What a part of each rank's time holds, as tables or as JSON.
fn ranges(ranks: &[Rank], chosen: &RangeOption, options: &SummaryOptions) -> Result<Vec<u8>> {
    let mut reports = Vec::new();
    let mut text = String::new();
    let look = Look::of_output();
    for rank in ranks {
        let config = RangeConfig::of(chosen.of(rank)?);
        let other = options.compare_range.as_ref().map(|other| other.of(rank)).transpose()?.map(RangeConfig::of);
        if options.json {
            reports.push(RankRange::of(rank, &config, other.as_ref()));
            continue;
        }
        let of = |config: &RangeConfig| range(&rank.trace, &rank.analysis, config);
        if ranks.len() > 1 {
            text.push_str(&tables::heading(rank, look));
        }
        text.push_str(&tables::range(rank, &of(&config), other.as_ref().map(of).as_ref(), look, options.top));
    }
    if options.json {
        let mut json = indented(&json(&Ranges::of(reports)));
        json.push(b'\n');
        return Ok(json);
    }
    Ok(text.into_bytes())
}

/// Refuses changes of kernels that no rank has: most likely a slip of the pen.
fn known_kernels(ranks: &[Rank], changes: &[Change]) -> Result {
    for change in changes {
        if let Change::Kernel { name, .. } = change
            && ranks.iter().all(|rank| kernels_named(&rank.trace, name).is_empty())
        {
            return Err(format!("no kernel is called {}; `*` stands for anything", printable(name)));
        }
    }
    Ok(())
}

/// The tables of all ranks, each under a heading of its own unless there is one table in all.
fn text(ranks: &[Rank], options: &SummaryOptions, advice: &AdviceConfig, look: Look) -> String {
    let all = options.by.is_none() && options.what_if.is_empty();
    let of_ranks = |table: &Table| !matches!(table, Table::Advice | Table::Job);
    let chosen = if all { ALL.to_vec() } else { options.by.into_iter().filter(of_ranks).collect() };
    let mut text = String::new();
    let job = if all || !options.by.as_ref().is_none_or(of_ranks) { job_of(ranks) } else { None };
    let of_job = || job.as_ref().map(|job| tables::job(job, look, options.top));
    if options.by == Some(Table::Job) && options.what_if.is_empty() {
        return of_job().unwrap_or_else(|| "it takes several ranks with events for this table\n".to_owned());
    }
    if all && ranks.len() > 1 {
        text.push_str(&tables::ranks(ranks, look));
        text.push_str(&recorded::cluster(ranks, look));
        text.push_str(&of_job().unwrap_or_default());
        text.push('\n');
    }
    for (index, rank) in ranks.iter().enumerate() {
        if all || ranks.len() > 1 {
            if index > 0 {
                text.push('\n');
            }
            text.push_str(&tables::heading(rank, look));
        }
        for table in &chosen {
            let rows = tables::table(rank, *table, options.group_kernels.into(), look, options.top);
            if rows.is_empty() && options.by.is_some() {
                text.push_str(&format!("{}: nothing for this table\n", printable(&rank.file)));
            }
            text.push_str(&rows);
        }
        if !options.what_if.is_empty() {
            text.push_str(&tables::changes(rank, &options.what_if, look));
        }
        if all {
            text.push_str(&recorded::list(rank, look));
        }
        text.push_str(&tables::definition(rank, look, options.top));
    }
    if all {
        text.push_str(&tables::advice::top(ranks, job.as_ref(), advice, look));
    } else if options.by == Some(Table::Advice) {
        text.push_str(&tables::advice::all(ranks, job.as_ref(), advice, look));
    }
    text.trim_start_matches('\n').to_owned()
}
