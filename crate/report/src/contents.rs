//! The tables of a report, in order, with their columns.
//!
//! A test finds lists of the summary that are in none of them.

use stepscope_analyze::VIEW_TABLES;
use stepscope_table::View;

/// A table: the last part of its title's key (`report.table.PART`, else `table.PATH` as on the page and in the terminal), the path to its rows, the keys of its columns. In a path, `[]` enters
/// each item of a list. A column of the item around the list begins with `^`, one that no description has with `+`.
/// Without other columns, a described table has its own. After a `:` is the key of the heading, if it differs.
pub(super) type Table = (&'static str, &'static str, &'static str);

/// Instead of the part of a title's key: the table has a title of its own, as all tables of views.
pub(super) const TITLED: &str = "";

/// Tables under one heading.
#[derive(Clone, Copy, Debug)]
pub(super) struct Section {
    /// The key of its heading.
    pub name: &'static str,
    /// Its tables. Those of views follow, which have titles of their own, and no part of the title's key.
    tables: &'static [Table],
}

impl Section {
    /// All of its tables.
    pub(super) fn tables(&self) -> impl Iterator<Item = Table> + '_ {
        let in_view = VIEW_TABLES.iter().filter(|table| section_of(table.view()) == self.name);
        self.tables.iter().copied().chain(in_view.map(|table| (TITLED, table.id(), "")))
    }
}

/// The key of the heading of the section that a view's tables end.
const fn section_of(view: View) -> &'static str {
    match view {
        View::Steps => "report.section.steps",
        View::Idle => "group.host",
        View::Operators | View::Kernels | View::Communication => "group.compute",
        View::Memory => "group.memory",
        View::Data | View::Resources => "group.data",
    }
}

/// Sections of each rank, in the order of the page's groups of tabs.
pub(super) const OF_RANK: [Section; 6] = [
    Section {
        name: "report.section.steps",
        tables: &[
            ("causes", "causes", ""),
            ("cause_functions", "cause_functions", ""),
            ("causes_longest", "causes[].longest", "^wording:cause"),
            ("budget", "budget.branches", ""),
            ("budget_leaves", "budget.branches[].leaves", "^branch"),
            ("steps", "steps", ""),
            ("graphs", "graphs", ""),
            (
                "steps_devices",
                "steps[].device_time",
                "^name:step device window_ns busy_ns idle_ns before_first_activity_ns uncovered_ns compute_ns communication_ns overlap_ns exposed_communication_ns \
         memcpy_ns exposed_memcpy_ns memset_ns exposed_memset_ns overlap_of_communication",
            ),
            (
                "phases",
                "steps",
                "name phases.dataloader.host_ns phases.forward.host_ns phases.forward.device_ns phases.backward.host_ns \
         phases.backward.device_ns phases.optimizer.host_ns phases.optimizer.device_ns phases.other.host_ns \
         phases.other.device_ns",
            ),
            (
                "device_time",
                "device_time",
                "device window_ns busy_ns idle_ns before_first_activity_ns uncovered_ns compute_ns communication_ns overlap_ns exposed_communication_ns memcpy_ns \
         exposed_memcpy_ns memset_ns exposed_memset_ns overlap_of_communication",
            ),
            ("step_trace", "step_trace.steps", ""),
            ("critical_path", "critical_path.rows", ""),
            ("step_trace_collectives", "step_trace.steps[].collectives", "^name:step"),
        ],
    },
    Section {
        name: "group.host",
        tables: &[
            ("idle", "idle", ""),
            ("idle_streams", "idle[].streams", ""),
            ("gaps", "idle[].long_gaps.longest", ""),
            ("edges", "idle[].edges", ""),
            ("launches", "launches.names", ""),
            ("launches_latest", "launches.latest", ""),
            ("launches_slowest", "launches.slowest", ""),
            ("launches_cpu", "launches.cpu.histogram", "from_ns to_ns count"),
            ("launches_gpu", "launches.gpu.histogram", "from_ns to_ns count"),
            ("launches_delay", "launches.delay.histogram", "from_ns to_ns count"),
            ("queues", "queues", ""),
        ],
    },
    Section {
        name: "group.compute",
        tables: &[
            ("operators", "operators", ""),
            ("kernel_families", "kernel_families", ""),
            ("kernels", "kernels", ""),
            ("kernels", "kernel_use.kernels", ""),
            ("operator_flops", "kernel_use.operators", ""),
            ("copies", "copies", ""),
            ("devices", "devices", "id name capability multiprocessors memory_bytes"),
        ],
    },
    Section {
        name: "group.memory",
        tables: &[
            (
                "memory",
                "memory.places",
                "device events capacity_bytes peak_share allocated.peak_bytes allocated.peak_at_ns reserved.peak_bytes blocks.allocations blocks.releases \
         blocks.unreleased.bytes blocks.mean_lifetime_ns blocks.median_lifetime_ns",
            ),
            ("memory_processes", "memory.processes", "process counter peak_bytes peak_at_ns first_bytes last_bytes"),
            ("memory_operators", "memory.places[].operators", "^device"),
            ("memory_peak", "memory.places[].live_at_peak.operators", "^device"),
            ("memory_blocks", "memory.places[].blocks.largest", "^device"),
            ("memory_recorded", "memory.recorded", "component device records allocated.peak_bytes reserved.peak_bytes"),
            ("memory_recorded_operators", "memory.recorded_operators", ""),
            ("memory_recorded_blocks", "memory.recorded_blocks", ""),
            (
                "memory_planned",
                "memory.planned",
                "graph tensors capacity_bytes peak_share static_bytes total_bytes peak_bytes peak_index peak_operator",
            ),
            ("memory_planned_tensors", "memory.planned[].tensors", "^graph"),
        ],
    },
    Section {
        name: "group.data",
        tables: &[
            ("data_steps", "data_loading.steps", ""),
            ("data_queues", "data_loading.queues", ""),
            ("data_longest", "data_loading.longest", ""),
            ("data_histogram", "data_loading.histogram", "from_ns to_ns count"),
            ("resources", "resources", ""),
            ("pipeline", "pipeline.operators", ""),
        ],
    },
    Section {
        name: "report.section.recorded",
        tables: &[
            ("findings", "mindspore.findings", "rule subject value threshold"),
            ("step_trace_recorded", "mindspore.step_trace.steps", ""),
            ("aicore_types", "mindspore.aicore_types", ""),
            ("aicore_operators", "mindspore.aicore_operators", ""),
            ("aicpu_types", "mindspore.aicpu_types", ""),
            ("aicpu_operators", "mindspore.aicpu_operators", ""),
            ("host_types", "mindspore.host_types", ""),
            ("host_operators", "mindspore.host_operators", ""),
        ],
    },
];

/// The section of the job.
pub(super) const OF_JOB: Section = Section {
    name: "report.section.job",
    tables: &[
        ("job_causes", "job.causes", ""),
        ("job_budget", "job.budget.branches", ""),
        ("job_budget_leaves", "job.budget.branches[].leaves", "^branch"),
        ("job_ranks", "job.ranks", "+devices +marks"),
        ("job_parallel", "job.parallel", "kind size source"),
        ("job_groups", "job.groups", ""),
        ("job_stages", "job.stages", ""),
        ("job_links", "job.links", ""),
        ("collectives", "collectives", ""),
        ("stragglers", "stragglers", ""),
        ("job_cuts", "job.strategy.cuts", ""),
        ("job_warnings", "job.warnings", ""),
        ("cluster_ranks", "cluster.rows", ""),
        ("cluster_links", "cluster.links", ""),
        ("cluster_operators", "cluster.operators", ""),
        ("cluster_flops", "cluster.flops", ""),
        ("cluster_outliers", "cluster.outliers", ""),
        ("cluster_rates", "cluster.within_stages", ""),
        ("cluster_cuts", "cluster.strategy.cuts", ""),
    ],
};

/// The section of the files.
pub(super) const OF_INPUTS: Section = Section {
    name: "report.files",
    tables: &[
        ("inputs", "inputs", "name format framework framework_version bytes text_bytes events slices"),
        ("files", "inputs[].files", "name ^name:rank format text_bytes events"),
        ("warnings", "inputs[].warnings", "code:what ^name severity count example"),
    ],
};

#[cfg(test)]
mod tests {
    use super::{OF_INPUTS, OF_JOB, OF_RANK, Section, TITLED, View, section_of};
    use crate::Texts;
    use stepscope_table::messages::{Language, title_key};

    #[test]
    fn each_table_has_one_title() {
        for texts in [Language::English, Language::Chinese].map(Texts::of) {
            for (part, path, _) in OF_RANK.iter().chain([&OF_JOB, &OF_INPUTS]).flat_map(Section::tables) {
                let own = texts.find(&["report.table.", part].concat()).filter(|_| part != TITLED);
                let titles = own.into_iter().chain(texts.find(&title_key(path)));
                assert_eq!(titles.count(), 1, "{part} {path}");
            }
        }
    }

    #[test]
    fn each_view_has_a_section() {
        for view in View::ALL {
            assert!(OF_RANK.iter().any(|section| section.name == section_of(view)), "{view:?}");
        }
    }
}
