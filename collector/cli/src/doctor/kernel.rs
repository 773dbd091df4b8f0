//! The kernel's information about processes and the machine.

use super::check::Check;
use super::root::Root;
use super::system;

pub(super) fn checks(root: &Root) -> Vec<Check> {
    let checks = [
        Some(libc()),
        Some(clock(root)),
        Some(pressure(root)),
        Some(thread_times(root)),
        Some(children(root)),
        Some(processes(root)),
        Some(perf(root)),
        ptrace(root),
        Some(container(root)),
        Some(processor_limit(root)),
        Some(memory_limit(root)),
    ];
    checks.into_iter().flatten().collect()
}

fn libc() -> Check {
    match system::libc_version() {
        Some(version) => Check::ok("libc", "C library", format!("glibc {version}")),
        None => {
            let fix = "run programs that are linked with glibc: NVIDIA's libraries and the injection library need it";
            Check::limited("libc", "C library", "not GNU's", fix)
        }
    }
}

fn clock(root: &Root) -> Check {
    let (id, title) = ("clock", "clock");
    match root.text("/sys/devices/system/clocksource/clocksource0/current_clocksource").as_deref() {
        Some("tsc" | "arch_sys_counter") => Check::ok(id, title, "the processor's counter: a read takes some 20 ns"),
        Some("kvm-clock") => Check::limited(
            id,
            title,
            "kvm-clock: a read takes some 30 ns, and --fast-clock is not used",
            "where the host's counter is steady, `clocksource=tsc` among the kernel's parameters",
        ),
        Some(other) => Check::limited(
            id,
            title,
            format!("{other}: a read is a system call of a microsecond or so, twice per span"),
            "find out why the kernel distrusts the counter: dmesg | grep -i -e clocksource -e tsc",
        ),
        None => Check::limited(id, title, "unknown", "nothing is lost; a clock's cost cannot be foretold"),
    }
}

fn pressure(root: &Root) -> Check {
    match root.text("/proc/pressure/cpu").filter(|text| text.contains("some")) {
        Some(_) => Check::ok("pressure", "pressure (PSI)", "of processors, memory and storage"),
        None => Check::missing(
            "pressure",
            "pressure (PSI)",
            "no /proc/pressure that can be read",
            "`psi=1` among the kernel's parameters (CONFIG_PSI)",
        ),
    }
}

fn thread_times(root: &Root) -> Check {
    let sum = |text: String| text.split_ascii_whitespace().next().and_then(|run| run.parse::<u64>().ok());
    match root.text("/proc/self/schedstat").and_then(sum) {
        Some(_) => Check::ok("thread_times", "threads' times", "running and waiting, in nanoseconds"),
        None => Check::limited(
            "thread_times",
            "threads' times",
            "no /proc/PID/task/TID/schedstat: processes' times are counted in ticks, threads' not at all",
            "a kernel with CONFIG_SCHED_INFO; gVisor and the like have none",
        ),
    }
}

fn children(root: &Root) -> Check {
    let (id, title) = ("process_tree", "process tree");
    let own = std::process::id();
    let here = root.is_here().then(|| format!("/proc/self/task/{own}/children"));
    let listed = here.map_or_else(|| root.path("/proc/self/children").exists(), |path| root.path(&path).exists());
    if listed {
        return Check::ok(id, title, "children are listed by the kernel");
    }
    let fix = "a kernel with CONFIG_PROC_CHILDREN; else all of /proc is searched, now and then";
    Check::limited(id, title, "no /proc/PID/task/TID/children", fix)
}

fn processes(root: &Root) -> Check {
    let (id, title) = ("other_processes", "other users' processes");
    let mounts = root.text("/proc/mounts").unwrap_or_default();
    let mut of_proc = mounts.lines().filter(|line| line.split(' ').nth(2) == Some("proc"));
    let hides = of_proc.next_back().and_then(|line| {
        let options = line.split(' ').nth(3)?;
        options.split(',').find_map(|option| option.strip_prefix("hidepid="))
    });
    match hides {
        None | Some("0" | "off") => Check::ok(id, title, "/proc shows them"),
        Some(how) => Check::limited(
            id,
            title,
            format!("/proc is mounted with hidepid={how}: what runs as another user is not sampled"),
            "mount -o remount,hidepid=0 /proc, or record as the user whose processes these are",
        ),
    }
}

fn perf(root: &Root) -> Check {
    let (id, title) = ("perf_events", "perf events");
    match root.text("/proc/sys/kernel/perf_event_paranoid").and_then(|text| text.parse::<i32>().ok()) {
        Some(level) if level <= 1 => {
            Check::ok(id, title, format!("perf_event_paranoid is {level}; not used by stepscope"))
        }
        Some(level) => Check::limited(
            id,
            title,
            format!("perf_event_paranoid is {level}: no kernel samples for perf and nsys; stepscope does not use them"),
            "sysctl kernel.perf_event_paranoid=1",
        ),
        None => Check::limited(id, title, "the kernel has none; stepscope does not use them", "CONFIG_PERF_EVENTS"),
    }
}

fn ptrace(root: &Root) -> Option<Check> {
    let (id, title) = ("ptrace", "ptrace");
    let level = root.text("/proc/sys/kernel/yama/ptrace_scope")?;
    Some(match level.as_str() {
        "0" | "1" => Check::ok(id, title, format!("ptrace_scope is {level}; recording needs none")),
        _ => Check::limited(
            id,
            title,
            format!("ptrace_scope is {level}: storage and environment of processes may not be readable"),
            "sysctl kernel.yama.ptrace_scope=1",
        ),
    })
}

fn container(root: &Root) -> Check {
    let (id, title) = ("container", "container");
    let first = root.text("/proc/1/cgroup").unwrap_or_default();
    let named = ["docker", "kubepods", "containerd", "lxc", "podman"].into_iter().find(|name| first.contains(name));
    let kind = match named {
        Some(name) => Some(name),
        None if root.path("/.dockerenv").exists() => Some("docker"),
        None if root.path("/run/.containerenv").exists() => Some("podman"),
        None if root.path("/.singularity.d").exists() => Some("apptainer"),
        None => None,
    };
    match kind {
        None => Check::ok(id, title, "none"),
        Some(kind) => Check::limited(
            id,
            title,
            format!("{kind}: processes of other containers are not seen; machine-wide samples are the host's"),
            "record inside the container; pass GPUs with `--gpus all`",
        ),
    }
}

/// The process's own folder among control groups of version 2.
fn group(root: &Root) -> String {
    let groups = root.text("/proc/self/cgroup").unwrap_or_default();
    groups.lines().find_map(|line| line.strip_prefix("0::")).unwrap_or("/").trim_end_matches('/').to_owned()
}

/// A limit of the process's group or of one above it, where it is set.
fn limit<T: Ord>(root: &Root, file: &str, parse: impl Fn(&str) -> Option<T>) -> Option<T> {
    let group = group(root);
    // A container sees its own group as the first one.
    let mut folders: Vec<&str> = vec![&group];
    while let Some((above, _)) = folders.last().and_then(|folder| folder.rsplit_once('/')) {
        folders.push(above);
    }
    folders.iter().filter_map(|folder| parse(&root.text(&format!("/sys/fs/cgroup{folder}/{file}"))?)).min()
}

fn processor_limit(root: &Root) -> Check {
    let (id, title) = ("processor_limit", "processors");
    let online =
        root.text("/proc/cpuinfo").map_or(0, |text| text.lines().filter(|line| line.starts_with("processor")).count());
    let version_2 = |text: &str| {
        let (quota, period) = text.split_once(' ')?;
        Some(quota.parse::<u64>().ok()? * 1000 / period.parse::<u64>().ok()?.max(1))
    };
    let version_1 = || {
        let number = |file: &str| root.text(&format!("/sys/fs/cgroup/cpu/{file}"))?.parse::<u64>().ok();
        Some(number("cpu.cfs_quota_us")? * 1000 / number("cpu.cfs_period_us")?.max(1))
    };
    match limit(root, "cpu.max", version_2).or_else(version_1) {
        Some(thousandths) => Check::limited(
            id,
            title,
            format!("{}.{:02} of {online}, by a control group", thousandths / 1000, thousandths % 1000 / 10),
            "more than that is throttled, which looks like waiting for a processor: raise the limit (docker --cpus)",
        ),
        None => Check::ok(id, title, format!("all {online}")),
    }
}

fn memory_limit(root: &Root) -> Check {
    let (id, title) = ("memory_limit", "memory");
    let parse = |text: &str| text.parse::<u64>().ok().filter(|bytes| *bytes < 1 << 60);
    let version_1 = || parse(&root.text("/sys/fs/cgroup/memory/memory.limit_in_bytes")?);
    match limit(root, "memory.max", parse).or_else(version_1) {
        Some(most) => Check::limited(
            id,
            title,
            format!("{} at most, by a control group", stepscope::present::text::bytes(most)),
            "recordings in a tmpfs count as memory, too: write them to a disk, or raise the limit (docker --memory)",
        ),
        None => Check::ok(id, title, "no limit of a control group"),
    }
}
