//! `stepscope summary`.

use stepscope::analyze::{AnalysisConfig, OperatorGrouping, OperatorsConfig, StepsConfig};
use stepscope::export::report_json::Summary;

use crate::args::{Grouping, SummaryOptions, Table};
use crate::{Result, open, print, tables};

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
            },
            merge_only_children: options.merge_same_name,
        },
        definition: options.definition.into(),
    };
    let ranks = open::ranks(&options.input, &config)?;
    if options.json {
        let mut json = Summary::of(&ranks).to_json_pretty();
        json.push(b'\n');
        return print(&json);
    }
    let chosen = options.by.map_or_else(
        || vec![Table::Devices, Table::Steps, Table::Phases, Table::Operators, Table::Kernels, Table::Copies],
        |table| vec![table],
    );
    let mut text = String::new();
    for rank in &ranks {
        if options.by.is_none() || ranks.len() > 1 {
            text.push_str(&tables::heading(rank));
        }
        for table in &chosen {
            text.push_str(&tables::table(rank, *table, options.top));
        }
        text.push_str(&tables::definition(rank, options.top));
    }
    print(text.as_bytes())
}
