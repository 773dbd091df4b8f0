//! `stepscope summary`.

use std::num::NonZeroU64;

use stepscope::Rank;
use stepscope::analyze::{
    AnalysisConfig, BenchmarkConfig, OperatorGrouping, OperatorsConfig, StepTraceConfig, StepsConfig,
};
use stepscope::export::report_json::Summary;

use crate::args::{Grouping, SummaryOptions, Table};
use crate::grid::{Look, printable};
use crate::{Result, open, print, recorded, style, tables};

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
    Table::Counters,
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
        ..AnalysisConfig::standard()
    };
    let ranks = open::ranks(&options.input, &config)?;
    if let Some(tool) = options.style.style {
        return print(style::text(&ranks, tool, &options.style).as_bytes());
    }
    if options.json {
        let mut json = Summary::of(&ranks).to_json_pretty();
        json.push(b'\n');
        return print(&json);
    }
    print(text(&ranks, options, Look::of_output()).as_bytes())
}

/// The tables of all ranks, each under a heading of its own unless there is one table in all.
fn text(ranks: &[Rank], options: &SummaryOptions, look: Look) -> String {
    let chosen = options.by.map_or_else(|| ALL.to_vec(), |table| vec![table]);
    let mut text = String::new();
    if options.by.is_none() && ranks.len() > 1 {
        text.push_str(&tables::ranks(ranks, look));
        text.push_str(&recorded::cluster(ranks, look));
        text.push('\n');
    }
    for (index, rank) in ranks.iter().enumerate() {
        if options.by.is_none() || ranks.len() > 1 {
            if index > 0 {
                text.push('\n');
            }
            text.push_str(&tables::heading(rank, look));
        }
        for table in &chosen {
            let rows = tables::table(rank, *table, look, options.top);
            if rows.is_empty() && options.by.is_some() {
                text.push_str(&format!("{}: nothing for this table\n", printable(&rank.file)));
            }
            text.push_str(&rows);
        }
        if options.by.is_none() {
            text.push_str(&recorded::list(rank, look));
        }
        text.push_str(&tables::definition(rank, look, options.top));
    }
    text.trim_start_matches('\n').to_owned()
}
