//! Where recordings go.

use std::path::{Path, PathBuf};

use stepscope::present::text::bytes;

use super::check::Check;
use super::root::Root;
use super::system;

/// File systems on a network, or which do not share mapped memory well.
const SLOW: [&str; 11] =
    ["nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "lustre", "ceph", "beegfs", "fuse.sshfs", "fuse.gcsfuse"];

/// Less is little for recordings, and for the batches that data loaders share.
const LITTLE_DISK: u64 = 2 << 30;
const LITTLE_SHARED: u64 = 1 << 30;

pub(super) fn checks(root: &Root, output: &Path) -> Vec<Check> {
    vec![output_folder(root, output), shared_memory(root)]
}

fn output_folder(root: &Root, output: &Path) -> Check {
    let (id, title) = ("output", "recordings' folder");
    let path = output.canonicalize().or_else(|_| std::path::absolute(output)).unwrap_or_else(|_| PathBuf::from(output));
    let shown = path.display();
    let (_, kind) = root.file_system(&path).unwrap_or((PathBuf::new(), "unknown".to_owned()));
    let free = match system::room(&path) {
        Ok((_, free)) => free,
        Err(error) => return Check::missing(id, title, format!("{shown}: {error}"), "choose another with -o"),
    };
    let found = format!("{shown}: {kind}, {} free", bytes(free));
    if SLOW.contains(&kind.as_str()) {
        let fix = "raw recordings are memory-mapped: put them on a local disk with --temporary FOLDER";
        return Check::limited(id, title, found, fix);
    }
    if free < LITTLE_DISK {
        let fix = "a span takes 32 bytes; on a full disk events are dropped and counted. --keep bounds what is kept";
        return Check::limited(id, title, found, fix);
    }
    if kind == "tmpfs" {
        let fix = "recordings there are memory; a disk costs some 10 ns more per span";
        return Check { fix: Some(fix.to_owned()), ..Check::ok(id, title, found) };
    }
    Check::ok(id, title, found)
}

fn shared_memory(root: &Root) -> Check {
    let (id, title) = ("shared_memory", "/dev/shm");
    match system::room(&root.path("/dev/shm")) {
        Ok((all, _)) if all < LITTLE_SHARED => Check::limited(
            id,
            title,
            bytes(all),
            "data loaders with workers need more: docker --shm-size 8g, or --ipc host",
        ),
        Ok((all, _)) => Check::ok(id, title, bytes(all)),
        Err(error) => Check::missing(id, title, error.to_string(), "data loaders with workers need it"),
    }
}
