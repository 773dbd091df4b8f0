//! Reports as tables for a terminal.

use std::io::IsTerminal;

use comfy_table::{
    Attribute, Cell, CellAlignment, ColumnConstraint, ContentArrangement, Table as Grid, Width, presets,
};
use stepscope::analyze::{DeviceTime, Phase, PhaseTime, Role, Value, overview};
use stepscope::present::text::{bytes, count, duration, gigabytes_per_second, percent, percent_or_dash};
use stepscope::{Nanos, Rank};

use crate::args::Table;

/// Columns where standard output is no terminal.
const WIDTH_OF_A_FILE: u16 = 140;

/// What was read, and what was odd about it.
pub(crate) fn heading(rank: &Rank) -> String {
    let meta = &rank.trace.meta;
    let mut text = rank.file.clone();
    if let Some(number) = rank.rank {
        text.push_str(&format!(" · rank {number}"));
        if let Some(world) = meta.distributed.world_size {
            text.push_str(&format!(" of {world}"));
        }
    }
    text.push_str(&format!("\n{} · {} events · {}\n", meta.framework, count(meta.events), bytes(rank.file_bytes)));
    let mut models: Vec<&str> =
        meta.devices.iter().map(|device| device.name.as_str()).filter(|name| !name.is_empty()).collect();
    models.dedup();
    if !models.is_empty() {
        text.push_str(&format!("{} × {}\n", meta.devices.len(), models.join(", ")));
    }
    for warning in &rank.warnings {
        text.push_str(&format!("{}: {warning}\n", warning.code.severity().name()));
    }
    let steps = rank.analysis.average.steps;
    if steps > 0 {
        let parts = overview(&rank.analysis, None).tiles.map(|tile| {
            let name = tile.name.replace('_', " ");
            match tile.share {
                Some(share) => format!("{name} {} ({})", duration(tile.time), percent(share)),
                None => format!("{name} {}", duration(tile.time)),
            }
        });
        text.push_str(&format!("average of {steps} steps: {}\n", parts.join(" · ")));
    }
    text
}

/// One table of a rank.
pub(crate) fn table(rank: &Rank, table: Table, top: usize) -> String {
    match table {
        Table::Devices => devices(rank),
        Table::Steps => steps(rank, top),
        Table::Phases => phases(rank, top),
        Table::Operators => operators(rank, top),
        Table::Kernels => kernels(rank, top),
        Table::Copies => copies(rank, top),
    }
}

fn devices(rank: &Rank) -> String {
    let heads = [
        "device",
        "window",
        "busy",
        "idle",
        "compute",
        "communication",
        "overlap",
        "exposed comm.",
        "exposed copies",
        "exposed sets",
    ];
    let rows = rank.analysis.devices.iter().map(|device| {
        let time = &device.time;
        let of = |part: Nanos| format!("{} {}", duration(part), percent_or_dash(part.ratio_of(time.window)));
        vec![
            time.device.to_string(),
            duration(time.window),
            of(time.busy),
            of(time.idle),
            of(time.compute),
            of(time.communication),
            percent_or_dash(time.overlap_of_communication()),
            of(time.exposed_communication),
            of(time.exposed_memcpy),
            of(time.exposed_memset),
        ]
    });
    grid("Device time", &heads, rows.collect(), 0)
}

fn steps(rank: &Rank, top: usize) -> String {
    let mut heads = vec!["step", "length", "device busy"];
    heads.extend(Role::ALL.iter().map(|role| role.name()));
    let analysis = &rank.analysis;
    let rows = analysis.steps.steps.iter().enumerate().map(|(index, step)| {
        let mark = match (step.partial, step.warm_up) {
            (true, _) => " (partial)",
            (_, true) => " (warm-up)",
            _ => "",
        };
        let busy: Nanos = analysis.step_devices[index].iter().map(|time: &DeviceTime| time.busy).sum();
        let window: Nanos = analysis.step_devices[index].iter().map(|time| time.window).sum();
        let mut row =
            vec![format!("{}{mark}", step.name), duration(step.span.len()), percent_or_dash(busy.ratio_of(window))];
        row.extend(analysis.roles[index].iter().map(|time| duration(*time)));
        row
    });
    grid("Steps by role", &heads, rows.collect(), top)
}

fn phases(rank: &Rank, top: usize) -> String {
    let analysis = &rank.analysis;
    let heads: Vec<String> = std::iter::once("step".to_owned())
        .chain(
            Phase::ALL.iter().flat_map(|phase| [format!("{} host", phase.name()), format!("{} device", phase.name())]),
        )
        .collect();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let rows = analysis.steps.steps.iter().zip(&analysis.phases.steps).map(|(step, times)| {
        let cells = times.iter().flat_map(|time: &PhaseTime| [duration(time.host), duration(time.device)]);
        std::iter::once(step.name.clone()).chain(cells).collect()
    });
    grid("Steps by phase", &heads, rows.collect(), top)
}

fn operators(rank: &Rank, top: usize) -> String {
    let heads = ["operator", "calls", "device total", "device self", "host total", "host self", "host mean"];
    let strings = &rank.trace.strings;
    let rows = rank.analysis.operators.rows.iter().map(|row| {
        let mut name = row.name.clone();
        for detail in [row.shapes, row.types] {
            if !strings.get(detail).is_empty() {
                name = format!("{name} {}", strings.get(detail));
            }
        }
        if let Some(frame) = row.stack.last() {
            name = format!("{name} at {}", strings.get(*frame));
        }
        vec![
            name,
            count(row.calls),
            duration(row.device_total),
            duration(row.device_self),
            duration(row.host_total),
            duration(row.host_self),
            duration(row.host_mean()),
        ]
    });
    grid("Operators", &heads, rows.collect(), top)
}

fn kernels(rank: &Rank, top: usize) -> String {
    let heads = ["kernel", "class", "calls", "total", "share", "mean", "median", "min", "max", "std", "tensor cores"];
    let rows = rank.analysis.kernels.iter().map(|row| {
        vec![
            rank.trace.strings.get(row.name).to_owned(),
            if row.communication { "communication" } else { "compute" }.to_owned(),
            count(row.time.calls),
            duration(row.time.total),
            percent(row.share),
            duration(row.time.mean),
            duration(row.time.median),
            duration(row.time.min),
            duration(row.time.max),
            duration(row.time.std),
            if row.tensor_cores { "yes" } else { "" }.to_owned(),
        ]
    });
    grid("Kernels", &heads, rows.collect(), top)
}

fn copies(rank: &Rank, top: usize) -> String {
    let heads = ["copy or set", "calls", "total", "mean", "min", "max", "bytes", "rate"];
    let rows = rank.analysis.copies.iter().map(|row| {
        vec![
            rank.trace.strings.get(row.name).to_owned(),
            count(row.time.calls),
            duration(row.time.total),
            duration(row.time.mean),
            duration(row.time.min),
            duration(row.time.max),
            if row.calls_with_bytes > 0 { bytes(row.bytes) } else { "–".to_owned() },
            gigabytes_per_second(row.gigabytes_per_second()),
        ]
    });
    grid("Copies and sets", &heads, rows.collect(), top)
}

/// The chosen definition's own values; nothing for ours.
pub(crate) fn definition(rank: &Rank, top: usize) -> String {
    let found = &rank.analysis.definition;
    let text = |value: &Value| match value {
        Value::Time(time) => duration(*time),
        Value::Ratio(ratio) => percent_or_dash(*ratio),
    };
    let name = found.definition.name();
    let values = found.values.iter().map(|(key, value)| vec![(*key).to_owned(), text(value)]);
    let mut tables = grid(&format!("As {name} defines it"), &["value", ""], values.collect(), 0);
    if let Some((_, first)) = found.steps.first() {
        let heads: Vec<&str> = std::iter::once("step").chain(first.iter().map(|(key, _)| *key)).collect();
        let rows = found.steps.iter().map(|(step, values)| {
            std::iter::once(step.clone()).chain(values.iter().map(|(_, value)| text(value))).collect()
        });
        tables.push_str(&grid(&format!("Steps as {name} defines them"), &heads, rows.collect(), top));
    }
    let types = found.kernel_types.iter().map(|(kind, time)| vec![kind.clone(), duration(*time)]);
    tables.push_str(&grid(&format!("Kernel types as {name} defines them"), &["type", "time"], types.collect(), 0));
    tables
}

/// A table that fits the terminal: only the first column gives way. Nothing at all without rows.
fn grid(title: &str, heads: &[&str], rows: Vec<Vec<String>>, top: usize) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let terminal = std::io::stdout().is_terminal();
    let mut grid = Grid::new();
    grid.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    if !terminal {
        grid.set_width(WIDTH_OF_A_FILE).force_no_tty();
    }
    let head = |text: &&str| {
        let cell = Cell::new(text);
        if terminal { cell.add_attribute(Attribute::Bold) } else { cell }
    };
    grid.set_header(heads.iter().map(head));
    let all = rows.len();
    let shown = if top == 0 { all } else { top.min(all) };
    for mut row in rows.into_iter().take(shown) {
        if let Some(first) = row.first_mut() {
            *first = shortened(first, 60);
        }
        grid.add_row(row);
    }
    for (index, column) in grid.column_iter_mut().enumerate() {
        if index > 0 {
            column.set_cell_alignment(CellAlignment::Right);
            column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(8)));
        }
    }
    let more = if shown < all {
        format!("… and {} more (--top 0 shows all)\n", count((all - shown) as u64))
    } else {
        String::new()
    };
    format!("\n{title}\n{grid}\n{more}")
}

/// A name that keeps its beginning and its end.
fn shortened(name: &str, most: usize) -> String {
    let characters: Vec<char> =
        name.chars().map(|character| if character.is_control() { ' ' } else { character }).collect();
    if characters.len() <= most {
        return characters.into_iter().collect();
    }
    let tail = most / 4;
    let head = most - tail - 1;
    let start: String = characters[..head].iter().collect();
    let end: String = characters[characters.len() - tail..].iter().collect();
    format!("{start}…{end}")
}
