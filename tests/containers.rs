//! Containers of all kinds, whole and damaged: every archive and packed file of the golden cases.

use std::cell::Cell;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::rc::Rc;

use stepscope::Code;
use stepscope::analyze::AnalysisConfig;
use stepscope::base::ReadAt;
use stepscope::export::report_json::Summary;
use stepscope::input::{Opened, Sources};
use stepscope_tests::files::{FileOf, files_of, folder_ranks, root};
use stepscope_tests::oracle::{Mutations, check_container};

fn inputs() -> Vec<(PathBuf, Vec<u8>)> {
    let cases = fs::read_dir(root().join("tests/fixtures/containers")).expect("the cases");
    let folders = cases.map(|case| case.expect("an entry").path()).filter(|path| path.is_dir());
    let files =
        folders.flat_map(|folder| fs::read_dir(folder).expect("a case").map(|entry| entry.expect("an entry").path()));
    let inputs = files.filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("input.")));
    inputs.map(|path| (path.clone(), fs::read(path).expect("an input"))).collect()
}

#[test]
fn whole_and_damaged_ones_are_read_or_refused() {
    let inputs = inputs();
    assert!(inputs.len() > 20, "{} inputs", inputs.len());
    for (path, bytes) in inputs {
        check_container(&bytes).unwrap_or_else(|what| panic!("{}: {what}", path.display()));
        for seed in 0..60 {
            let damaged = Mutations::new(seed).damage(&bytes);
            check_container(&damaged).unwrap_or_else(|what| panic!("{}, damage {seed}: {what}", path.display()));
        }
    }
}

/// Text in UTF-16, with its mark, whose units begin with their higher or lower byte.
fn utf16(text: &str, big_endian: bool) -> Vec<u8> {
    let bytes = |unit: u16| if big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() };
    std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(bytes).collect()
}

/// PowerShell's output by `>` reads like that of other programs.
#[test]
fn text_in_utf16_says_the_same() {
    let cases = [
        "kineto/cuda",
        "kineto/odd_names",
        "chrome/viztracer",
        "mindspore_tables/gpu",
        "mindspore_tables/data_pipeline",
        "mindspore_tables/ascend_two_ranks",
        "nvprof/summary_csv",
        "nvprof/gpu_trace",
    ];
    let mut seen = 0;
    for case in cases {
        let folder = root().join("tests/fixtures").join(case);
        if !folder.is_dir() {
            continue;
        }
        seen += 1;
        let input = |(path, _): &FileOf| path.starts_with("input");
        let files: Vec<FileOf> = files_of(&folder).into_iter().filter(input).collect();
        let told = |files: &[FileOf], chunk: usize| -> serde_json::Value {
            let found = folder_ranks(files, chunk, &AnalysisConfig::standard()).expect("a trace");
            let mut summary: serde_json::Value =
                serde_json::from_slice(&Summary::of(&found.ranks).to_json()).expect("JSON");
            // The file is larger, and its text may lack a mark.
            for input in summary["inputs"].as_array_mut().expect("inputs") {
                for key in ["bytes", "text_bytes", "files", "warnings"] {
                    input[key] = serde_json::Value::Null;
                }
            }
            summary
        };
        let expected = told(&files, 1 << 20);
        for (big_endian, chunk) in [(false, 1 << 20), (true, 1 << 20), (false, 7), (true, 1)] {
            let turned = |(path, bytes): &FileOf| {
                let text = std::str::from_utf8(bytes).unwrap_or_else(|error| panic!("{path}: {error}"));
                (path.clone(), utf16(text.trim_start_matches('\u{feff}'), big_endian))
            };
            let turned: Vec<FileOf> = files.iter().map(turned).collect();
            assert_eq!(told(&turned, chunk), expected, "{case}, chunk {chunk}");
        }
    }
    assert!(seen >= 6, "{seen} cases");
}

/// Half a surrogate pair is replaced, and a warning says where.
#[test]
fn half_a_pair_is_warned_of() {
    let json = r#"{"deviceProperties": [], "traceEvents": [
        {"ph": "X", "cat": "cpu_op", "name": "aten::@mm", "pid": 1, "tid": 1, "ts": 2, "dur": 5}]}"#;
    let csv = "serial_number,kernel_type,total_time,dispatch_time,execution_time,run_start,run_end\n\
        1,InitData@,7.906,0.15,7.5,100,7600\n";
    for (name, text) in [("a.json", json), ("profiler/aicpu_intermediate_0.csv", csv)] {
        let mut file = utf16(text, false);
        let at = file.chunks(2).position(|unit| unit == [b'@', 0]).expect("its place") * 2;
        file[at..at + 2].copy_from_slice(&0xd83d_u16.to_le_bytes());
        let files = [(name.to_owned(), file)];
        let found = match folder_ranks(&files, 5, &AnalysisConfig::standard()) {
            Ok(found) => found,
            Err(error) => panic!("{name}: {error}"),
        };
        let warned = found.ranks[0].warnings.iter().find(|warning| warning.code == Code::InvalidUtf8);
        assert!(warned.is_some_and(|warning| warning.position.is_some()), "{name}: {:?}", found.ranks[0].warnings);
        let told = String::from_utf8(Summary::of(&found.ranks).to_json()).expect("UTF-8");
        let replaced = if name == "a.json" { "aten::\u{fffd}mm" } else { "InitData\u{fffd}" };
        assert!(told.contains(replaced), "{told}");
    }
}

/// A file with very many zeros and nothing else; counts the bytes that are read.
struct Zeros(u64, u64);

impl ReadAt for Zeros {
    fn len(&self) -> u64 {
        self.0
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
        let len = buffer.len().min(usize::try_from(self.0.saturating_sub(offset)).unwrap_or(usize::MAX));
        buffer[..len].fill(0);
        self.1 += len as u64;
        Ok(len)
    }
}

#[test]
fn a_large_file_is_known_by_its_beginning() {
    let mut file = Zeros(1 << 40, 0);
    let mut sources = Sources::default();
    sources.add("zeros", &mut file);
    assert!(file.1 < 1 << 20, "{} bytes were read", file.1);
    assert_eq!(sources.plan(&Default::default()).left_out.len(), 1);
}

/// An archive whose directory claims more entries than there are bytes, and one that has very many.
#[test]
fn claims_cost_nothing() {
    let mut end = b"PK\x05\x06".to_vec();
    end.extend([0; 18]);
    let mut claiming = b"PK\x03\x04".to_vec();
    claiming.extend([0; 40]);
    claiming.extend(&end);
    let at = claiming.len() - 22;
    claiming[at + 8..at + 12].fill(0xff);
    check_container(&claiming).unwrap_or_else(|what| panic!("{what}"));
    // Thirty thousand entries that all point to the same data.
    let mut many = b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\x02\0\0\0\x02\0\0\0\x01\0\0\0a{}".to_vec();
    let directory = many.len();
    let count = 30_000_u16;
    for _ in 0..count {
        many.extend(b"PK\x01\x02\x14\0\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\x02\0\0\0\x02\0\0\0\x01\0");
        many.extend([0; 16]);
        many.push(b'a');
    }
    let size = u32::try_from(many.len() - directory).expect("a small directory");
    end[8..10].copy_from_slice(&count.to_le_bytes());
    end[10..12].copy_from_slice(&count.to_le_bytes());
    end[12..16].copy_from_slice(&size.to_le_bytes());
    end[16..20].copy_from_slice(&u32::try_from(directory).expect("a small archive").to_le_bytes());
    many.extend(&end);
    let mut sources = Sources::default();
    let (len, read) = (many.len(), Rc::new(Cell::new(0)));
    sources.add("many.zip", &mut Counted(Rc::new(many), Rc::clone(&read)));
    let left_out = sources.plan(&Default::default()).left_out;
    assert_eq!(left_out.len(), 20_001, "and one line for those beyond");
    assert!(left_out[0].1.to_string().contains("lies over another"), "{}", left_out[0].1);
    assert!(read.get() < 10 * len, "{} bytes read of {len}", read.get());
}

/// A file in memory that counts the bytes that are read.
struct Counted(Rc<Vec<u8>>, Rc<Cell<usize>>);

impl ReadAt for Counted {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = (&mut &self.0[..]).read_at(offset, buffer)?;
        self.1.set(self.1.get() + read);
        Ok(read)
    }
}

/// A tar archive, compressed without making it smaller.
fn tar_gz(files: &[(String, &[u8])]) -> Vec<u8> {
    let mut archive = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    let mut write = |bytes: &[u8]| archive.write_all(bytes).expect("memory");
    for (path, content) in files.iter().map(|(path, content)| (path, *content)) {
        let mut header = [0_u8; 512];
        header[..path.len()].copy_from_slice(path.as_bytes());
        header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
        header[148..156].fill(b' ');
        header[156] = b'0';
        header[257..265].copy_from_slice(b"ustar\x0000");
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        write(&header);
        write(content);
        write(&vec![0; content.len().next_multiple_of(512) - content.len()]);
    }
    write(&[0; 1024]);
    archive.finish().expect("memory")
}

/// Number of reads of each byte of an archive, for finding and reading its files; and the ranks.
fn passes(archive: Vec<u8>) -> (f64, usize) {
    let archive = Rc::new(archive);
    let read = Rc::new(Cell::new(0));
    let file = || Counted(Rc::clone(&archive), Rc::clone(&read));
    let mut sources = Sources::default();
    sources.add("job.tar.gz", &mut file());
    let plan = sources.plan(&Default::default());
    let mut opened = Opened::new(|_| Ok(Box::new(file())));
    let mut failures = Vec::new();
    for rank in &plan.ranks {
        let loaded = sources.load(rank, 1 << 16, &mut opened, &mut failures).expect("a rank");
        assert!(!loaded.loaded.trace.slices.is_empty(), "{}", rank.name);
    }
    assert!(failures.is_empty(), "{failures:?}");
    #[expect(clippy::cast_precision_loss, reason = "of megabytes")]
    let passes = read.get() as f64 / archive.len() as f64;
    (passes, plan.ranks.len())
}

/// The files of a compressed archive are unpacked from its beginning: once for all of them, or once for each kind.
#[test]
fn a_compressed_archive_of_many_ranks_is_read_a_few_times() {
    let of = |path: &str| fs::read(root().join("tests/fixtures").join(path)).expect("a fixture");
    let trace = of("kineto/cuda/input.json");
    let traces: Vec<(String, &[u8])> = (0..200).map(|rank| (format!("job/rank{rank}.json"), &trace[..])).collect();
    let (read, ranks) = passes(tar_gz(&traces));
    assert!(ranks == 200 && read < 2.5, "{ranks} ranks, each byte read {read} times");
    // A profiler's folder, sorted as a shell sorts: rank 10 before rank 2, and each kind of file separately.
    let view = "mindspore/ascend_display/input/summary/profiler/ascend_timeline_display_1.json";
    let raw = "mindspore/raw_times_of_an_ascend/input/profiler";
    let kinds = [
        ("ascend_timeline_display_", ".json", of(view)),
        ("step_trace_raw_", "_detail_time.csv", of(&format!("{raw}/step_trace_raw_2_detail_time.csv"))),
        ("output_timeline_data_", ".txt", of(&format!("{raw}/output_timeline_data_2.txt"))),
    ];
    let mut parts: Vec<(String, &[u8])> = kinds
        .iter()
        .flat_map(|(before, after, bytes)| (0..600).map(move |n| (format!("profiler/{before}{n}{after}"), &bytes[..])))
        .collect();
    parts.sort();
    let (read, ranks) = passes(tar_gz(&parts));
    assert!(ranks == 600 && read < 12.0, "{ranks} ranks, each byte read {read} times");
}

/// Devices in one export are ranks, wherever the export lies. A compressed archive is unpacked once to find them, and once
/// for each kind of file and place of a device.
#[test]
fn devices_of_one_export_are_ranks_in_an_archive_too() {
    let folder = "tests/fixtures/mindspore/several_devices/input";
    let files = files_of(&root().join(folder));
    let parts: Vec<(String, &[u8])> = files.iter().map(|(path, bytes)| (path.clone(), &bytes[..])).collect();
    // The same run again and again, each with three devices.
    let many: Vec<(String, &[u8])> =
        (0..20).flat_map(|run| parts.iter().map(move |(path, bytes)| (format!("run{run}/{path}"), *bytes))).collect();
    let (read, ranks) = passes(tar_gz(&many));
    assert!(ranks == 60 && read < 12.0, "{ranks} ranks, each byte read {read} times");
    let archive = tar_gz(&parts);
    let mut sources = Sources::default();
    sources.add("job.tar.gz", &mut &archive[..]);
    let plan = sources.plan(&Default::default());
    let mut opened = Opened::new(|_| Ok(Box::new(&archive[..])));
    let interval = |rank| {
        let trace = sources.load(rank, 1 << 16, &mut opened, &mut Vec::new()).expect("a rank").loaded.trace;
        let table = trace.recorded.iter().find(|table| table.id == "step_trace").expect("a step trace");
        let kernels = trace.activities.iter().map(|activity| trace.slices.interval(activity.event).len().0);
        let of_rows = table.rows.iter().map(|row| table.cell(row, "iteration_interval").nanos().map(|time| time.0));
        (trace.meta.distributed.rank, kernels.collect::<Vec<_>>(), of_rows.collect::<Vec<_>>())
    };
    let found: Vec<_> = plan.ranks.iter().map(interval).collect();
    let expected = [(0, 700_000, 100_000), (1, 550_000, 250_000), (2, 400_000, 400_000)];
    assert_eq!(found, expected.map(|(rank, kernel, interval)| (Some(rank), vec![kernel; 3], vec![Some(interval); 3])));
}

/// A link may point anywhere: it is reported, and nothing is read for it.
#[test]
fn links_are_left_out_and_said() {
    for (case, links) in [
        ("zip_links/input.zip", &["job/up.json", "job/away.json"][..]),
        ("tar_links/input.tar", &["job/up.json", "job/away.json", "job/again.json"]),
    ] {
        let bytes = fs::read(root().join("tests/fixtures/containers").join(case)).expect("a case");
        let mut sources = Sources::default();
        sources.add("archive", &mut &bytes[..]);
        let plan = sources.plan(&Default::default());
        let left_out: Vec<String> = plan.left_out.iter().map(|(_, why)| why.to_string()).collect();
        for link in links {
            assert!(left_out.iter().any(|why| why.contains(link)), "{case}: {left_out:?}");
        }
        assert_eq!((left_out.len(), plan.ranks.len()), (links.len(), 2), "{case}");
        assert!(left_out.iter().all(|why| why.contains("it is a link")), "{case}");
    }
}
