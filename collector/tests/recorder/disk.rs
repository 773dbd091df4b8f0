//! A disk that is full.

use std::path::Path;
use std::process::Command;

use stepscope_collector::{counter, span, stop};
use stepscope_format::Kind;

use crate::recording::RecordedFolder;
use crate::role::{folder, play, record};

const SPANS: u64 = 200_000;

pub(crate) fn fill(folder: &Path) {
    // It takes space that becomes free later.
    let ballast = folder.join("ballast");
    std::fs::write(&ballast, vec![1; 256 << 10]).expect("room for the ballast");
    record(folder);
    let _outer = span!("outer");
    for index in 0..SPANS {
        let _span = span!("span", index);
        if index == SPANS / 2 {
            std::fs::remove_file(&ballast).expect("the ballast");
        }
    }
    counter("after the end", 1.0);
    stop();
}

#[test]
fn a_full_disk_drops_events_and_not_the_program() {
    let folder = folder("full_disk");
    let mount = |arguments: &[&str]| {
        let output = Command::new(arguments[0]).args(&arguments[1..]).arg(&folder).output();
        output.is_ok_and(|output| output.status.success())
    };
    if !mount(&["mount", "-t", "tmpfs", "-o", "size=1536k", "none"]) {
        eprintln!("SKIPPED: a full disk: a small file system cannot be mounted here");
        return;
    }
    let played = std::panic::catch_unwind(|| {
        play("full disk", &folder);
        RecordedFolder::of(&folder)
    });
    assert!(mount(&["umount"]), "{} stays mounted", folder.display());
    let found = played.expect("it survives");
    let spans = found.named(Kind::Span, "span");
    let kept = spans.len() as u64;
    // Each dropped span was counted once; so were some of the other events.
    assert!((SPANS..=SPANS + 3).contains(&(kept + found.recovered.dropped)), "{kept} + {}", found.recovered.dropped);
    assert!(found.recovered.dropped > SPANS / 4, "{} dropped", found.recovered.dropped);
    // 1.5 MiB contain 1536 KiB / 64 KiB segments of 1536 records each, without the ballast, header and names.
    assert!(kept > 20_000, "{kept} spans kept");
    // Events may be dropped before, too, while the last segment for which there is room is still being made ahead.
    let after = spans.iter().map(|span| span.value).find(|value| *value > SPANS / 2).expect("room was found again");
    assert!(after < SPANS / 2 + 10_000, "room was found soon: {after}");
}
