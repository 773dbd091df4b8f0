//! Reports as tables for a terminal.

use stepscope::analyze::{
    DeviceTime, HostActivity, IdleClass, IdleTimes, LaunchSum, OperatorsAre, Phase, PhaseTime, Role, Value, mean,
    overview,
};
use stepscope::present::text::{bytes, count, duration, gigabytes_per_second, number, percent, percent_or_dash};
use stepscope::{Nanos, Rank};

use crate::args::Table;
use crate::grid::{Grid, Look, printable, shortened};
use crate::{recorded, steps};

/// Columns of a warning's example.
const EXAMPLE: usize = 60;

/// Columns of the activity that ends a gap.
const ACTIVITY: usize = 30;

/// Devices stand beside each other where there are several: the order of a device's quantities.
const DEVICE_TIME: [&str; 9] = [
    "window",
    "busy",
    "idle",
    "compute",
    "communication",
    "overlap",
    "exposed communication",
    "exposed copies",
    "exposed sets",
];

/// Phases as they follow each other in a step.
const PHASES: [Phase; 5] = [Phase::Dataloader, Phase::Forward, Phase::Backward, Phase::Optimizer, Phase::Other];

/// What was read, what it comes to, and what was odd about it.
pub(crate) fn heading(rank: &Rank, look: Look) -> String {
    let meta = &rank.trace.meta;
    let mut title = printable(&rank.file);
    if let Some(number) = rank.rank {
        title.push_str(&format!(" · rank {number}"));
        if let Some(world) = meta.distributed.world_size {
            title.push_str(&format!(" of {world}"));
        }
    }
    let mut text = format!("{}\n{}", look.title(&title), look.line(&verdict(rank)));
    let mut facts = vec![meta.framework.clone()];
    let mut models: Vec<&str> =
        meta.devices.iter().map(|device| device.name.as_str()).filter(|name| !name.is_empty()).collect();
    models.sort_unstable();
    models.dedup();
    if !models.is_empty() {
        facts.push(format!("{} × {}", meta.devices.len(), printable(&models.join(", "))));
    }
    facts.push(format!("{} events", count(meta.events)));
    facts.push(bytes(rank.file_bytes));
    text.push_str(&look.line(&facts));
    if meta.inputs.len() > 1 {
        text.push_str(&look.line(&files(rank)));
    }
    for warning in &rank.warnings {
        let mut short = warning.clone();
        short.example = shortened(&printable(&short.example), EXAMPLE);
        text.push_str(&format!("{}: {short}\n", warning.code.severity().name()));
    }
    text
}

/// The files of a rank that several make.
fn files(rank: &Rank) -> Vec<String> {
    const SHOWN: usize = 6;
    let inputs = &rank.trace.meta.inputs;
    let short = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let mut files = vec![format!("{} files", inputs.len())];
    files.extend(inputs.iter().take(SHOWN).map(|file| format!("{} ({})", printable(&short(&file.name)), file.format)));
    if inputs.len() > SHOWN {
        files.push(format!("{} more", inputs.len() - SHOWN));
    }
    files
}

/// Where the average step's time goes.
fn verdict(rank: &Rank) -> Vec<String> {
    let steps = rank.analysis.average.steps;
    if steps == 0 {
        return vec!["no complete step to average".to_owned()];
    }
    let [step, parts @ ..] = overview(&rank.analysis, None).tiles;
    // A share that is not told has nothing to be compared with: no device, or no time.
    let parts = parts.iter().filter_map(|tile| {
        Some(format!("{} {} ({})", tile.name.replace('_', " "), duration(tile.time), percent(tile.share?)))
    });
    let of = if steps == 1 { "step of".to_owned() } else { format!("average of {} steps:", count(steps)) };
    std::iter::once(format!("{of} {}", duration(step.time))).chain(parts).collect()
}

/// All ranks beside each other.
pub(crate) fn ranks(ranks: &[Rank], look: Look) -> String {
    let heads = ["rank", "steps", "step", "device busy", "exposed\ncommunication", "data wait", "idle"];
    let rows = ranks.iter().map(|rank| {
        let name = rank.rank.map_or_else(|| "–".to_owned(), |number| number.to_string());
        let tiles = overview(&rank.analysis, None).tiles;
        let values = tiles.iter().map(|tile| match tile.share {
            Some(share) => with_share(tile.time, Some(share)),
            None if tile.name == "step" => duration(tile.time),
            // No device: a zero would claim that it was idle.
            None => "–".to_owned(),
        });
        [format!("{name}  {}", rank.file), count(rank.analysis.average.steps)].into_iter().chain(values).collect()
    });
    Grid::new("Ranks, by their average step", heads, rows).to_text(look, 0)
}

/// One table of a rank; nothing if it has no rows.
pub(crate) fn table(rank: &Rank, table: Table, look: Look, top: usize) -> String {
    match table {
        Table::Devices => devices(rank).to_text(look, 0),
        Table::Steps => steps(rank).to_text(look, top),
        Table::Phases => phases(rank).to_text(look, top),
        Table::Operators => operators(rank).to_text(look, top),
        Table::Kernels => kernels(rank).to_text(look, top),
        Table::Copies => copies(rank).to_text(look, top),
        Table::StepTrace => steps::step_trace(rank).to_text(look, top),
        Table::Benchmark => steps::benchmark(rank).to_text(look, 0),
        Table::Pipeline => recorded::pipeline(rank, look, top),
        Table::Recorded => recorded::tables(rank, look, top),
        Table::Counters => counters(rank).to_text(look, top),
        Table::Launches => launches(rank).to_text(look, top),
        Table::Queues => queues(rank).to_text(look, top),
        Table::Idle => idle(rank).to_text(look, 0),
        Table::Gaps => gaps(rank).to_text(look, top),
    }
}

/// A time with its share, as wide as any other such cell.
fn with_share(time: Nanos, share: Option<f64>) -> String {
    format!("{}  {:>7}", duration(time), percent_or_dash(share))
}

fn devices(rank: &Rank) -> Grid {
    let devices = &rank.analysis.devices;
    let heads = devices.iter().map(|device| format!("device {}", device.time.device));
    let columns: Vec<[String; 9]> = devices.iter().map(|device| device_time(&device.time)).collect();
    let names = DEVICE_TIME.iter().enumerate().filter(|_| !columns.is_empty());
    let rows = names.map(|(row, name)| {
        std::iter::once((*name).to_owned()).chain(columns.iter().map(|cells| cells[row].clone())).collect()
    });
    Grid::new("Device time, of the window", std::iter::once(String::new()).chain(heads), rows)
}

/// As [`DEVICE_TIME`] names them.
fn device_time(time: &DeviceTime) -> [String; 9] {
    let of = |part: Nanos| with_share(part, part.ratio_of(time.window));
    [
        of(time.window),
        of(time.busy),
        of(time.idle),
        of(time.compute),
        of(time.communication),
        of(time.overlap),
        of(time.exposed_communication),
        of(time.exposed_memcpy),
        of(time.exposed_memset),
    ]
}

fn steps(rank: &Rank) -> Grid {
    let heads = ["step", "length", "device\nbusy"].into_iter().chain(Role::ALL.iter().map(|role| role.name()));
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
    Grid::new("Steps by role", heads, rows)
}

fn phases(rank: &Rank) -> Grid {
    let analysis = &rank.analysis;
    let heads =
        PHASES.iter().flat_map(|phase| [format!("{}\nhost", phase.name()), format!("{}\ndevice", phase.name())]);
    let rows = analysis.steps.steps.iter().zip(&analysis.phases.steps).map(|(step, times)| {
        let times = PHASES.iter().map(|phase| &times[*phase as usize]);
        let cells = times.flat_map(|time: &PhaseTime| [duration(time.host), duration(time.device)]);
        std::iter::once(step.name.clone()).chain(cells).collect()
    });
    Grid::new("Steps by phase", std::iter::once("step".to_owned()).chain(heads), rows)
}

fn operators(rank: &Rank) -> Grid {
    let (title, head) = match rank.analysis.operators.are {
        OperatorsAre::Operators => ("Operators", "operator"),
        OperatorsAre::Slices => ("Slices", "slice"),
    };
    let heads = [head, "calls", "device\ntotal", "device\nself", "host\ntotal", "host\nself", "host\nmean"];
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
        if let Some(track) = row.thread.get() {
            name = format!("{name} on {}", rank.trace.place_label(&rank.trace.tracks[track.index()]));
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
    Grid::new(title, heads, rows)
}

fn kernels(rank: &Rank) -> Grid {
    let heads = ["kernel", "calls", "total", "share", "mean", "median", "min", "max", "std", "class", "tensor\ncores"];
    let rows = rank.analysis.kernels.iter().map(|row| {
        vec![
            rank.trace.strings.get(row.name).to_owned(),
            count(row.time.calls),
            duration(row.time.total),
            percent(row.share),
            duration(row.time.mean),
            duration(row.time.median),
            duration(row.time.min),
            duration(row.time.max),
            duration(row.time.std),
            if row.communication { "communication" } else { "compute" }.to_owned(),
            if row.tensor_cores { "yes" } else { "" }.to_owned(),
        ]
    });
    Grid::new("Kernels", heads, rows)
}

fn copies(rank: &Rank) -> Grid {
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
    Grid::new("Copies and sets", heads, rows)
}

fn counters(rank: &Rank) -> Grid {
    let heads = ["counter", "process", "values", "min", "max", "mean\nby time", "last"];
    let strings = &rank.trace.strings;
    let rows = rank.analysis.counters.iter().map(|row| {
        vec![
            [strings.get(row.name), strings.get(row.series)].join(" ").trim().to_owned(),
            rank.trace.process_label(row.process),
            count(row.samples),
            number(row.min),
            number(row.max),
            number(row.mean),
            number(row.last),
        ]
    });
    Grid::new("Counters", heads, rows)
}

fn launches(rank: &Rank) -> Grid {
    let launches = &rank.analysis.launches;
    let heads = [
        "launching call".to_owned(),
        "calls".to_owned(),
        "launched".to_owned(),
        "host\ntotal".to_owned(),
        "host\nmean".to_owned(),
        "host\nmax".to_owned(),
        "device\ntotal".to_owned(),
        "delay\nmean".to_owned(),
        "delay\nmax".to_owned(),
        "device\n< host".to_owned(),
        format!("host\n> {}", round(launches.config.slow)),
        format!("delay\n> {}", round(launches.config.late)),
    ];
    let row = |name: &str, sum: &LaunchSum| {
        vec![
            name.to_owned(),
            count(sum.calls),
            count(sum.activities),
            duration(sum.cpu),
            duration(mean(sum.cpu, sum.calls)),
            duration(sum.cpu_max),
            duration(sum.gpu),
            duration(mean(sum.delay, sum.calls)),
            duration(sum.delay_max),
            count(sum.short),
            count(sum.slow),
            count(sum.late),
        ]
    };
    let all = (launches.names.len() > 1).then(|| row("(all)", &launches.total));
    let names = launches.names.iter().map(|(name, sum)| row(rank.trace.strings.get(*name), sum));
    Grid::new("Launches", heads, all.into_iter().chain(names))
}

/// A threshold without the digits that say nothing: `50 µs`.
fn round(threshold: Nanos) -> String {
    duration(threshold).replace(".00 ", " ").replace(".0 ", " ")
}

fn queues(rank: &Rank) -> Grid {
    let heads =
        ["stream", "calls", "waiting\nmean", "waiting\nmax", "in flight\nmean", "in flight\nmax", "blocked", "of"];
    let mean = |mean: Option<f64>| mean.map_or_else(|| "–".to_owned(), |mean| format!("{mean:.2}"));
    let rows = rank.analysis.queues.iter().map(|queue| {
        vec![
            format!("device {} stream {}", queue.stream.device, queue.stream.stream),
            count(queue.calls),
            mean(queue.waiting.mean),
            count(queue.waiting.max),
            mean(queue.in_flight.mean),
            count(queue.in_flight.max),
            duration(queue.blocked),
            duration(queue.waiting.window.len()),
        ]
    });
    Grid::new("Queues", heads, rows)
}

/// Classes as a person asks: is it the host, and if so, what does it do?
const IDLE: [IdleClass; 4] = [IdleClass::HostWait, IdleClass::KernelWait, IdleClass::Other, IdleClass::Unknown];

fn idle(rank: &Rank) -> Grid {
    let classes = IDLE.iter().map(|class| class.name().replace('_', "\n"));
    let hosts = HostActivity::ALL.iter().map(|activity| format!("host:\n{}", activity.name().replace('_', " ")));
    let heads = ["", "window", "busy"].into_iter().map(str::to_owned).chain(classes).chain(hosts);
    let row = |name: String, times: &IdleTimes| {
        let of_window = |time: Nanos| with_share(time, time.ratio_of(times.window));
        let classes = IDLE.iter().map(|class| of_window(times.classes[*class as usize]));
        let hosts = times.host.iter().map(|time| with_share(*time, time.ratio_of(times.window)));
        [name, duration(times.window), of_window(times.busy)].into_iter().chain(classes).chain(hosts).collect()
    };
    let mut rows = Vec::new();
    for device in &rank.analysis.idle {
        rows.push(row(format!("device {}", device.device), &device.times));
        if device.streams.len() > 1 {
            let streams = device.streams.iter();
            rows.extend(streams.map(|(stream, times)| row(format!("  stream {}", stream.stream), times)));
        }
    }
    Grid::new("Idle time, of the window", heads, rows)
}

fn gaps(rank: &Rank) -> Grid {
    let heads = ["the host meanwhile", "device", "from", "length", "why", "until"];
    let trace = &rank.trace;
    let rows = rank.analysis.idle.iter().flat_map(|device| {
        device.longest.iter().map(|listed| {
            let host = listed.host.map(|host| {
                let doing = host.activity.name().replace('_', " ");
                host.slice.map_or_else(|| doing.clone(), |id| format!("{doing}: {}", trace.name_of(id)))
            });
            vec![
                host.unwrap_or_else(|| "–".to_owned()),
                device.device.to_string(),
                duration(listed.gap.span.start),
                duration(listed.gap.span.len()),
                listed.gap.class.name().replace('_', " "),
                shortened(&printable(trace.name_of(listed.gap.after)), ACTIVITY),
            ]
        })
    });
    Grid::new("Longest gaps of the devices", heads, rows)
}

/// The chosen definition's own values; nothing for ours.
pub(crate) fn definition(rank: &Rank, look: Look, top: usize) -> String {
    let found = &rank.analysis.definition;
    let text = |value: &Value| match value {
        Value::Time(time) => duration(*time),
        Value::Ratio(ratio) => percent_or_dash(*ratio),
    };
    let name = found.definition.name();
    let values = found.values.iter().map(|(key, value)| vec![(*key).to_owned(), text(value)]);
    let mut tables = Grid::new(&format!("As {name} defines it"), ["", "value"], values).to_text(look, 0);
    if let Some((_, first)) = found.steps.first() {
        let heads = std::iter::once("step").chain(first.iter().map(|(key, _)| *key));
        let rows = found.steps.iter().map(|(step, values)| {
            std::iter::once(step.clone()).chain(values.iter().map(|(_, value)| text(value))).collect()
        });
        tables.push_str(&Grid::new(&format!("Steps as {name} defines them"), heads, rows).to_text(look, top));
    }
    let types = found.kernel_types.iter().map(|(kind, time)| vec![kind.clone(), duration(*time)]);
    let title = format!("Kernel types as {name} defines them");
    tables.push_str(&Grid::new(&title, ["type", "time"], types).to_text(look, 0));
    tables
}
