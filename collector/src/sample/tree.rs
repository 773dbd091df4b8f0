//! The descendants of a process.

use std::collections::BTreeMap;
use std::path::Path;

/// Processes that are followed at most.
const MOST: usize = 1024;

/// The descendants of a process, each with its parent.
///
/// Read from the lists of children of their threads, if the kernel has them (`CONFIG_PROC_CHILDREN`), else from all
/// processes.
#[must_use]
pub fn descendants(proc: &Path, root: u32) -> BTreeMap<u32, u32> {
    let mut found = BTreeMap::new();
    let mut open = vec![root];
    if !proc.join(format!("{root}/task/{root}/children")).exists() {
        return by_parents(proc, root);
    }
    while let Some(parent) = open.pop() {
        let Ok(threads) = std::fs::read_dir(proc.join(format!("{parent}/task"))) else { continue };
        for thread in threads.flatten() {
            let children = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            for child in children.split_ascii_whitespace().filter_map(|child| child.parse().ok()) {
                if found.len() < MOST && found.insert(child, parent).is_none() {
                    open.push(child);
                }
            }
        }
    }
    found
}

/// The same from the parents of all processes.
fn by_parents(proc: &Path, root: u32) -> BTreeMap<u32, u32> {
    let all: Vec<(u32, u32)> = std::fs::read_dir(proc).map_or_else(
        |_| Vec::new(),
        |entries| {
            let id = |entry: std::fs::DirEntry| entry.file_name().to_str()?.parse().ok();
            entries.flatten().filter_map(id).filter_map(|id| Some((id, parent(proc, id)?))).collect()
        },
    );
    let mut found = BTreeMap::new();
    let mut open = vec![root];
    while let Some(parent) = open.pop() {
        for (child, _) in all.iter().filter(|(_, of)| *of == parent) {
            if found.len() < MOST && found.insert(*child, parent).is_none() {
                open.push(*child);
            }
        }
    }
    found
}

/// Parent of a process.
fn parent(proc: &Path, id: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(proc.join(format!("{id}/stat"))).ok()?;
    // After the command, which may contain anything: the state, then the parent.
    stat.rsplit_once(')')?.1.split_ascii_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_find_the_same_processes() {
        let mut child = std::process::Command::new("sh").args(["-c", "sleep 60 & wait"]).spawn().expect("a shell");
        let proc = Path::new("/proc");
        let own = std::process::id();
        let of_shell = |found: &BTreeMap<u32, u32>| {
            let mut of: Vec<u32> =
                found.iter().filter(|(_, parent)| **parent == child.id()).map(|(id, _)| *id).collect();
            of.sort_unstable();
            of
        };
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
        while of_shell(&by_parents(proc, own)).is_empty() && std::time::Instant::now() < deadline {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let (one, other) = (descendants(proc, own), by_parents(proc, own));
        let (one, other, shell) = (of_shell(&one), of_shell(&other), one.get(&child.id()) == Some(&own));
        let sleep = other.first().copied().unwrap_or_default();
        let _ = child.kill();
        let _ = std::process::Command::new("kill").arg(sleep.to_string()).status();
        let _ = child.wait();
        assert!(shell && one.len() == 1 && one == other, "{one:?} {other:?}");
    }
}
