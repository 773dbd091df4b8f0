//! Devices side by side in one export of msprof: each is a rank of its own.
//!
//! msprof writes one file for all devices of a process, with the time of the export in its name. A row of a table
//! begins with its device. A timeline names the device's rows `NPU 3`; the lowest five bits of a row's process are the
//! device, and 31 for the host.
//!
//! Such a file is added once for each device, and the readers leave out the rows of other devices
//! ([`TraceBuilder::only_device`](stepscope_trace::TraceBuilder::only_device)). Users see it below a folder `device 3`.
//!
//! Source: `GetFormatPid` of msprof's `JsonAssembler`.

use std::io;

use memchr::memmem;

use super::part;
use crate::ReadText;

/// The first column of tables that may have several devices.
const COLUMN: &[u8] = b"Device_id";

/// The label of a device's rows in a timeline, up to the device, which old versions leave out.
const LABEL: &[u8] = b"\"NPU";

/// The device of the host's rows in a timeline.
const HOST: i64 = 31;

/// The folder in which users see a file once for a device.
pub fn folder(device: i64) -> String {
    ["device ", &device.to_string()].concat()
}

/// Whether a file may have several devices: msprof's export of a process, where no other file names the rank.
fn may_be_in(path: &str) -> bool {
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let is_one_rank = folders.split('/').any(|folder| folder.ends_with("_ascend_ms") || part::device(folder).is_some());
    let time = part::stem(file).rsplit_once('_').map_or("", |(_, time)| time);
    !is_one_rank && time.len() >= 12 && time.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a row of a timeline belongs to another device than the only one that is read.
pub(super) fn is_of_another(only: i64, process: i64) -> bool {
    let device = process & HOST;
    process > HOST && device != HOST && device != only
}

/// Adds the devices in a piece of a text; returns the number of bytes that are done with.
type Find = fn(&[u8], &mut Vec<i64>) -> usize;

/// The devices in the text of a file.
pub(crate) fn devices_in(path: &str, read: &mut ReadText<'_>) -> io::Result<Vec<i64>> {
    const CHUNK: usize = 1 << 18;
    if !may_be_in(path) {
        return Ok(Vec::new());
    }
    let (mut found, mut text, mut kept) = (Vec::new(), vec![0; CHUNK], 0);
    let mut find: Option<Find> = None;
    loop {
        let added = read(&mut text[kept..])?;
        let len = kept + added;
        if added == 0 {
            return Ok(found);
        }
        let find = match find {
            Some(find) => find,
            None if begins_with_column(&text) => *find.insert(rows),
            None if matches!(text.trim_ascii_start().first(), Some(b'[' | b'{')) => *find.insert(labels),
            None => return Ok(found),
        };
        let used = find(&text[..len], &mut found);
        text.copy_within(used..len, 0);
        kept = len - used;
    }
}

/// Whether a table has the column, in quotes or not, behind a mark of the byte order or without one.
fn begins_with_column(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    text.strip_prefix(b"\"").unwrap_or(text).starts_with(COLUMN)
}

/// Adds the devices of rows; returns the number of bytes that are done with. A last line without its end is one more
/// row of a device that others have.
fn rows(text: &[u8], found: &mut Vec<i64>) -> usize {
    let end = memchr::memrchr(b'\n', text).map_or(text.len(), |end| end + 1);
    for line in text[..end].split(|byte| *byte == b'\n') {
        let cell = line.split(|byte| *byte == b',').next().unwrap_or_default();
        add(found, number(cell));
    }
    end
}

/// Adds the devices of labels; returns the number of bytes that are done with.
fn labels(text: &[u8], found: &mut Vec<i64>) -> usize {
    const OBJECT: usize = 256;
    for at in memmem::find_iter(text, LABEL) {
        let (before, label) = (&text[at.saturating_sub(OBJECT / 2)..at], &text[at + LABEL.len()..]);
        let device = match memchr::memchr(b'"', label).map(|end| &label[..end]) {
            Some(b"") => process(before).map(|process| process & HOST).filter(|device| *device != HOST),
            Some(named) => named.strip_prefix(b" ").and_then(number),
            None => None,
        };
        add(found, device);
    }
    // An object that is cut comes again, whole.
    text.len().saturating_sub(OBJECT)
}

/// The process of the label that comes next.
fn process(before: &[u8]) -> Option<i64> {
    const PROCESS: &[u8] = b"\"pid\":";
    let at = memmem::rfind(before, PROCESS)? + PROCESS.len();
    let digits = before[at..].split(|byte| matches!(byte, b',' | b'}')).next()?;
    number(digits).filter(|process| *process > HOST)
}

/// Adds a device, in order.
fn add(found: &mut Vec<i64>, device: Option<i64>) {
    if let Some(device) = device
        && let Err(place) = found.binary_search(&device)
    {
        found.insert(place, device);
    }
}

fn number(digits: &[u8]) -> Option<i64> {
    std::str::from_utf8(digits).ok()?.trim().trim_matches('"').parse::<u32>().ok().map(i64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The devices in a text that comes in pieces.
    fn found(text: &str, piece: usize) -> Vec<i64> {
        let mut rest = text.as_bytes();
        let mut read = |buffer: &mut [u8]| {
            let len = piece.min(rest.len()).min(buffer.len());
            buffer[..len].copy_from_slice(&rest[..len]);
            rest = &rest[len..];
            Ok(len)
        };
        devices_in("x_20240101120000", &mut read).expect("a text")
    }

    #[test]
    fn rows_and_labels_name_devices() {
        let table = "Device_id,Iteration ID,FP Start(us)\n0,1,5\n0,2,6\n3,1,5\nhost,1,2\n12,1,5\n";
        let timeline = "[{\"ph\": \"M\", \"args\": {\"labels\": \"NPU 0\"}}, {\"labels\":\"CPU\"},\n\
            {\"name\": \"process_labels\", \"pid\": 1084473762, \"ph\": \"M\", \"args\": {\"labels\": \"NPU\"}},\n\
            {\"args\": {\"labels\":\"NPU 7\"}}, {\"labels\": \"NPU\"}, {\"name\": \"NPU of another kind\"}]";
        for piece in [1, 30, 1 << 20] {
            let head = table.len().min(piece.max(40));
            assert_eq!(found(table, head), [0, 3, 12]);
            assert_eq!(found(timeline, piece), [0, 2, 7], "{piece}");
        }
        assert_eq!(found("\u{feff}Device_id,Iteration ID\n0,1\n3,1\n", 64), [0, 3]);
        assert_eq!(found("\"Device_id\",\"Iteration ID\"\n\"0\",\"1\"\n\"3\",\"1\"\n", 64), [0, 3]);
        assert_eq!(found("Name,Device_id\n1,2\n3,4\n", 64), [0; 0]);
        assert_eq!(found("", 64), [0; 0]);
    }

    #[test]
    fn exports_of_a_process_may_have_several_devices() {
        let output = "PROF_1_A/mindstudio_profiler_output/";
        for name in ["step_trace_20240101120000.csv", "msprof_20240101120000.json", "op_summary_20240101120000.csv.gz"]
        {
            assert!(may_be_in(&[output, name].concat()), "{name}");
            assert!(may_be_in(name), "{name}");
            assert!(!may_be_in(&["job/host_1_ascend_ms/", output, name].concat()), "{name}: one rank");
            assert!(!may_be_in(&["PROF_1/device_3/summary/", name].concat()), "{name}: one device");
        }
        assert!(!may_be_in("PROF_1/device_0/timeline/msprof_0_2_1.json"));
        assert!(!may_be_in("profiler/step_trace_raw_0_detail_time.csv"));
    }

    #[test]
    fn a_file_of_one_device_has_its_folder() {
        let path = ["PROF_1_A/mindstudio_profiler_output/", &folder(3), "/step_trace_20240101120000.csv"].concat();
        let part = part::part_of(&path, crate::Head { bytes: b"", whole: true }).expect("a part");
        assert_eq!((part.run.as_str(), part.rank), ("PROF_1_A", Some(3)));
    }

    #[test]
    fn a_process_of_a_timeline_has_its_device() {
        let of = |device| 41_i64 << 10 | 13 << 5 | device;
        assert!(!is_of_another(0, of(0)) && is_of_another(0, of(1)) && is_of_another(1, of(0)));
        assert!(!is_of_another(0, of(HOST)), "the host is on each");
        assert!(!is_of_another(0, 9), "a number of another kind");
    }
}
