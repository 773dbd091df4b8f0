//! The reader, event by event.

use super::{Exported, Kineto};
use crate::reader::Reader;
use crate::{Head, Verdict};
use stepscope_base::Code;
use stepscope_input::Loader;
use stepscope_trace::{AwaitedEvent, Class, EventId, Layer, Loaded, NO_COUNT, NO_SERIAL, RawId, Stream};

/// Reads the given events as a trace.
fn read(events: &str) -> Loaded {
    let text = format!("{{\"deviceProperties\": [], \"traceEvents\": [{events}]}}");
    read_document(&text)
}

fn read_document(text: &str) -> Loaded {
    let mut loader = Loader::new("test.json");
    loader.space(text.len()).copy_from_slice(text.as_bytes());
    loader.advance(text.len()).expect("a trace");
    loader.finish().expect("a trace")
}

fn slice(category: &str, name: &str, args: &str) -> String {
    format!(r#"{{"ph":"X","cat":"{category}","name":"{name}","pid":3,"tid":4,"ts":1,"dur":2,"args":{{{args}}}}}"#)
}

/// The only slice of a trace with one event.
fn only(category: &str, name: &str, args: &str) -> (Loaded, EventId) {
    let loaded = read(&slice(category, name, args));
    assert_eq!(loaded.trace.slices.len(), 1);
    let id = loaded.trace.slices.ids().next().expect("a slice");
    (loaded, id)
}

#[test]
fn the_beginning_of_a_file_tells() {
    let sniff = |text: &[u8], whole| Kineto.sniff("", Head { bytes: text, whole });
    assert_eq!(sniff(b"{\"schemaVersion\": 1, \"deviceProperties\": [", false), Verdict::Yes);
    assert_eq!(sniff(b"[{\"cat\": \"cpu_op\"", false), Verdict::Yes);
    for undecided in [&b""[..], b"  \n", b"\xef", b"\xef\xbb", b"\xef\xbb\xbf", b"\xef\xbb\xbf \n", b"{\"a\": 1"] {
        assert_eq!(sniff(undecided, false), Verdict::NeedMore, "{undecided:?}");
        assert!(matches!(sniff(undecided, true), Verdict::No(_)), "{undecided:?}");
    }
    for other in [&b"<html>"[..], b"\xef\xbb\xbf<", b"name,calls", b"\xefx"] {
        assert!(matches!(sniff(other, false), Verdict::No(_)), "{other:?}");
    }
}

#[test]
fn the_category_decides_in_any_case_of_letters() {
    let cases = [
        ("cpu_op", "a", Class::Operator),
        ("Operator", "a", Class::Operator),
        ("user_annotation", "a", Class::Annotation),
        ("python_function", "a", Class::PythonFrame),
        ("kernel", "Memcpy", Class::Kernel),
        ("Kernel", "a", Class::Kernel),
        ("hpu_op", "a", Class::Kernel),
        ("gpu_memcpy", "a", Class::Memcpy),
        ("Memcpy", "a", Class::Memcpy),
        ("gpu_memset", "a", Class::Memset),
        ("gpu_user_annotation", "a", Class::DeviceAnnotation),
        ("cuda_runtime", "a", Class::RuntimeCall),
        ("Runtime", "a", Class::RuntimeCall),
        ("cuda_driver", "a", Class::RuntimeCall),
        ("privateuse1_runtime", "a", Class::RuntimeCall),
        ("cuda_sync", "a", Class::Synchronization),
        ("cuda_event", "a", Class::DeviceMarker),
        ("mtia_ccp_events", "dma_in", Class::Memcpy),
        ("mtia_ccp_events", "event_wait", Class::DeviceMarker),
        ("mtia_ccp_events", "fc", Class::Kernel),
        ("overhead", "a", Class::Overhead),
        ("Trace", "a", Class::ProfilerSpan),
        ("something new", "a", Class::Other),
        ("", "a", Class::Other),
    ];
    for (category, name, class) in cases {
        let (loaded, id) = only(category, name, "");
        assert_eq!(loaded.trace.slices.class(id), class, "{category} {name}");
    }
}

#[test]
fn what_our_own_export_computed_is_skipped() {
    let text = format!("{},{}", slice("stepscope", "Steps", ""), slice("cpu_op", "a", ""));
    assert_eq!(read(&text).trace.slices.len(), 1);
}

#[test]
fn device_and_stream_are_arguments_or_else_process_and_thread() {
    let stream = |args: &str| {
        let (loaded, id) = only("kernel", "gemm", args);
        loaded.trace.stream_of(id).expect("a stream")
    };
    assert_eq!(stream("\"device\":1,\"stream\":20"), Stream { device: 1, stream: 20 });
    assert_eq!(stream("\"device\":\"1\",\"stream\":\"0x10\""), Stream { device: 1, stream: 16 });
    assert_eq!(stream(""), Stream { device: 3, stream: 4 });
    let (loaded, id) = only("cuda_runtime", "hipLaunchKernel", "\"stream\":\"0x7f10\"");
    assert_eq!(loaded.trace.stream_of(id), None);
    assert!(loaded.trace.stream_arguments.is_empty(), "a handle in quotes numbers no stream");
    let (loaded, id) = only("cpu_op", "aten::record_stream", "\"stream\":7");
    assert_eq!(loaded.trace.stream_arguments, [(id, 7)]);
}

#[test]
fn a_wait_keeps_the_event_it_is_for() {
    let awaited = |args: &str| only("cuda_sync", "Stream Wait Event", args).0.trace.awaited_events;
    let events = awaited(r#""wait_on_stream":7,"wait_on_cuda_event_record_corr_id":5169,"wait_on_cuda_event_id":1"#);
    assert_eq!(events[0].1, AwaitedEvent { stream: 7, record: 5169 });
    // Recorded before the profiler started; in traces of 2023, missing.
    assert_eq!(awaited(r#""wait_on_stream":-1,"wait_on_cuda_event_record_corr_id":-1"#), []);
    assert_eq!(awaited(r#""wait_on_stream":7,"wait_on_cuda_event_id":1"#), []);
}

#[test]
fn a_kernel_keeps_how_it_was_launched() {
    let args = r#""correlation":9,"External id":"12","grid":[2,3,4],"block":[128,1,1],"registers per thread":90,
        "shared memory":32768,"blocks per SM":0.5,"est. achieved occupancy %":25,"graph id":77"#;
    let (loaded, id) = only("kernel", "gemm", args);
    let activity = loaded.trace.activity(id).expect("an activity");
    assert_eq!((activity.correlation, activity.external, activity.graph), (9, 12, 77));
    let config = loaded.trace.config(activity).expect("a configuration");
    assert_eq!((config.grid, config.block), ([2, 3, 4], [128, 1, 1]));
    assert_eq!((config.registers, config.shared_memory), (90, 32_768));
    assert!(config.warps_per_sm.is_nan() && config.blocks_per_sm == 0.5);
    let (loaded, id) = only("kernel", "gemm", "\"correlation\":-1");
    let activity = loaded.trace.activity(id).expect("an activity");
    assert_eq!(activity.correlation, NO_SERIAL, "an id that is none");
    assert!(loaded.trace.config(activity).is_none());
}

#[test]
fn an_operator_keeps_shapes_sequence_and_stack() {
    let args = r#""External id":5,"Sequence number":7,"Fwd thread id":0,"Input Dims":[[32, 64], []],
        "Input type":["float","Scalar"],"Call stack":"leaf;root""#;
    let (loaded, id) = only("cpu_op", "aten::mm", args);
    let trace = &loaded.trace;
    let operation = trace.operation(id).expect("an operation");
    assert_eq!((operation.external, operation.sequence, operation.forward_thread), (5, 7, 0));
    assert_eq!(trace.strings.get(operation.shapes), "[[32, 64], []]");
    assert_eq!(trace.strings.get(operation.types), "[\"float\",\"Scalar\"]");
    assert_eq!(trace.strings.get(trace.stacks[0].1), "leaf;root");
}

#[test]
fn a_convolution_keeps_its_stride_and_padding() {
    let args = r#""Input Dims":[[1, 3, 8, 8], [4, 3, 3, 3], []],"Concrete Inputs":["","","","[2, 2]"]"#;
    let (loaded, id) = only("cpu_op", "aten::conv2d", args);
    assert_eq!(loaded.trace.strings.get(loaded.trace.concrete_inputs(id)), r#"["","","","[2, 2]"]"#);
    let (loaded, id) = only("cpu_op", "aten::add", args);
    assert!(loaded.trace.concrete_inputs(id).get().is_none(), "those of all operators would take too much room");
}

#[test]
fn a_data_type_alone_is_no_collective() {
    let (loaded, _) = only("cpu_op", "aten::to", "\"dtype\":\"Float\"");
    assert!(loaded.trace.collectives.is_empty());
    let args =
        r#""Collective name":"allreduce","dtype":"Float","In msg nelems":1024,"Process Group Ranks":"[0, 1]","Seq":3"#;
    let (loaded, id) = only("cpu_op", "record_param_comms", args);
    let collective = loaded.trace.collective(id).expect("its arguments");
    assert_eq!(loaded.trace.strings.get(collective.name), "allreduce");
    assert_eq!((collective.input_elements, collective.output_elements, collective.sequence), (1024, NO_COUNT, 3));
}

#[test]
fn memory_is_on_the_host_or_on_a_device() {
    let event = |kind: i32, device: i32| {
        let text = format!(
            r#"{{"ph":"i","name":"[memory]","s":"t","pid":1,"tid":1,"ts":1,"args":{{"Addr":140000,"Bytes":-512,
                "Device Type":{kind},"Device Id":{device},"Total Allocated":1024}}}},{}"#,
            slice("cpu_op", "a", "")
        );
        read(&text).trace.memory[0]
    };
    assert_eq!((event(0, -1).on_device(), event(1, 2).on_device()), (None, Some(2)));
    let freed = event(1, 0);
    assert_eq!((freed.address, freed.bytes), (140_000, -512));
    assert_eq!((freed.known_allocated(), freed.known_reserved()), (Some(1024), None));
    let nothing = read(&format!(
        r#"{{"ph":"i","name":"[memory]","s":"t","pid":1,"tid":1,"ts":1,"args":{{}}}},{}"#,
        slice("cpu_op", "a", "")
    ));
    assert_eq!((nothing.trace.memory.len(), nothing.trace.instants.len()), (0, 1), "no size: a mark of that name");
}

#[test]
fn members_around_the_list_say_what_was_traced() {
    let loaded = read_document(&format!(
        r#"{{"deviceProperties": [{{"id": 1, "name": "X", "totalGlobalMem": "1024", "numSms": 8, "computeMajor": 9, "computeMinor": 0}},
                {{"id": 2, "totalGlobalMem": 18446744073709551615, "sharedMemPerBlock": -1}}],
            "distributedInfo": {{"rank": 3, "world_size": "8", "backend": "nccl", "pg_config": [{{"pg_name": "0", "ranks": [2, 3]}}, 7]}},
            "baseTimeNanoseconds": 1000, "cuda_driver_version": 12040, "loss": 51.248178375505404, "torch_version": "2.6", "traceEvents": [{}],
            "ERROR": ["lost", "again"]}}"#,
        slice("cpu_op", "a", "")
    ));
    let meta = &loaded.trace.meta;
    let device = &meta.devices[0];
    assert_eq!((device.id, device.memory_bytes, device.multiprocessors), (1, Some(1024), Some(8)));
    assert_eq!(device.capability, Some((9, 0)));
    let largest = &meta.devices[1];
    assert_eq!((largest.memory_bytes, largest.shared_memory_per_block), (Some(u64::MAX), None));
    let distributed = &meta.distributed;
    assert_eq!((distributed.rank, distributed.world_size, distributed.groups.len()), (Some(3), Some(8), 1));
    assert_eq!(distributed.groups[0].ranks, [2, 3]);
    assert_eq!((meta.framework_version.as_str(), meta.origin_unix_ns), ("2.6", Some(2000)));
    // Reading a fraction must not change its last digit: otherwise each export of an export would differ.
    let facts = [("cuda_driver_version", "12040"), ("loss", "51.248178375505404")];
    assert_eq!(meta.facts, facts.map(|(key, value)| (key.to_owned(), value.to_owned())));
    let errors = loaded.warnings.iter().find(|warning| warning.code == Code::ProfilerErrors).expect("a warning");
    assert_eq!((errors.count, errors.example.as_str()), (2, "lost"));
}

#[test]
fn names_of_processes_and_threads_come_from_anywhere_in_the_file() {
    let name =
        |what: &str, args: &str| format!(r#"{{"ph":"M","name":"{what}","pid":3,"tid":4,"ts":0,"args":{{{args}}}}}"#);
    let text = [
        slice("cpu_op", "a", ""),
        name("process_name", "\"name\":\"python\""),
        name("process_labels", "\"labels\":\"CPU\""),
        name("thread_name", "\"name\":\"thread 4 (main)\""),
        name("thread_sort_index", "\"sort_index\":-2"),
    ];
    let trace = read(&text.join(",")).trace;
    let track = &trace.tracks[0];
    let process = &trace.processes[track.process.index()];
    assert_eq!((process.id, track.thread, track.layer), (RawId::Number(3), RawId::Number(4), Layer::Host));
    assert_eq!((trace.strings.get(process.name), trace.strings.get(process.labels)), ("python", "CPU"));
    assert_eq!((trace.strings.get(track.name), track.sort_index), ("thread 4 (main)", -2));
}

#[test]
fn any_number_of_categories_is_told_apart_as_far_as_numbers_go() {
    let category = |index: usize| format!("category {index}");
    // Twice each, so that known ones are looked up as well.
    let events: Vec<String> = (0..140_000).map(|index| slice(&category(index / 2), "a", "")).collect();
    let trace = read(&events.join(",")).trace;
    for id in trace.slices.ids() {
        let index = id.index() / 2;
        let expected = if index < 65_535 { category(index) } else { String::new() };
        assert_eq!(trace.category_of(id), expected);
    }
}

#[test]
fn hardware_counters_become_a_table() {
    let of = |name: &str, args: &str| slice("cuda_profiler_range", name, args);
    let events = [
        of("gemm", r#""fma.sum": 12.5, "dram.sum": 3"#),
        of("add", r#""dram.sum": "7", "l2.pct": 1"#),
        of("odd", r#""text": "none""#),
    ];
    let tables = read(&events.join(",")).trace.recorded;
    assert_eq!((tables.len(), tables[0].id, tables[0].rows.len()), (1, "cupti_counters", 2));
    let cell = |row: usize, name: &str| tables[0].cell(&tables[0].rows[row], name).number();
    assert_eq!((cell(0, "fma.sum"), cell(0, "dram.sum"), cell(0, "l2.pct")), (Some(12.5), Some(3.0), None));
    assert_eq!((cell(1, "fma.sum"), cell(1, "dram.sum"), cell(1, "l2.pct")), (None, Some(7.0), Some(1.0)));
    assert_eq!(cell(0, "range"), Some(2_000.0));
}

#[test]
fn our_own_export_says_whose_trace_it_was() {
    let begin = "{\n\"schemaVersion\":1,\n\"displayTimeUnit\":\"ms\",\n\"stepscope_export\":{";
    let sniff = |text: &str, whole| Exported.sniff("", Head { bytes: text.as_bytes(), whole });
    assert_eq!((sniff(begin, false), sniff(&begin[..30], false)), (Verdict::Yes, Verdict::NeedMore));
    assert!([&begin[..30], "", "{"].iter().all(|text| matches!(sniff(text, true), Verdict::No(_))));
    assert!(matches!(sniff("{\n\"schemaVersion\": 1", false), Verdict::No(_)));
    let step = slice("user_annotation", "train", r#""stepscope step":"3","partial":true"#);
    let text = |between: &str| {
        format!(
            "{begin}\"framework\":\"Stepscope\",\"framework_version\":\"0.1\"}},{between}\"traceEvents\":[{step}]}}"
        )
    };
    let ours = read_document(&text("\n"));
    assert_eq!(ours.trace.meta.format, "stepscope_export");
    // As rewritten by another tool.
    let changed = read_document(&text("\n").replace(",\n", ", ").replace("{\n", "{"));
    assert_eq!(changed.trace.meta.format, "kineto");
    for loaded in [ours, changed] {
        let meta = &loaded.trace.meta;
        assert_eq!((&*meta.framework, &*meta.framework_version), ("Stepscope", "0.1"));
        let steps = stepscope_analyze::steps(&loaded.trace, &stepscope_analyze::StepsConfig::default());
        assert_eq!(steps.steps.iter().map(|step| (&*step.name, step.partial)).collect::<Vec<_>>(), [("3", true)]);
    }
}

#[test]
fn grids_in_threads_become_grids_in_blocks_once() {
    let grid = |call: &str, ours: bool| {
        let exported = if ours { r#""stepscope_export":{"framework":"PyTorch","framework_version":"2"},"# } else { "" };
        let text = format!(
            r#"{{{exported}"deviceProperties": [], "traceEvents": [
              {{"ph":"X","cat":"cuda_runtime","name":"{call}","pid":1,"tid":1,"ts":5,"dur":2,"args":{{"correlation":9}}}},
              {{"ph":"X","cat":"kernel","name":"Cijk","pid":0,"tid":7,"ts":10,"dur":5,"args":{{"correlation":9,
               "grid":[784,1,64],"block":[256,1,1]}}}}]}}"#
        );
        let trace = read_document(&text).trace;
        trace.config(&trace.activities[0]).expect("a launch").grid
    };
    assert_eq!(grid("hipModuleLaunchKernel", false), [784, 1, 64]);
    assert_eq!(grid("hipExtLaunchKernel", false), [784, 1, 64]);
    assert_eq!(grid("hipExtModuleLaunchKernel", false), [4, 1, 64]);
    assert_eq!(grid("hipExtModuleLaunchKernel", true), [784, 1, 64], "our own export has blocks");
}

/// The file has all members of an event, and users can open them.
#[test]
fn secrets_in_arguments_that_nothing_keeps_are_told_by_name() {
    let told = |events: &str| {
        let loaded = read(events);
        let warning = loaded.warnings.into_iter().find(|warning| warning.code == Code::Secrets);
        warning.map(|warning| (warning.count, warning.example))
    };
    let op = |args: &str| slice("cpu_op", "a", args);
    for (args, name) in [
        (r#""password": "made up""#, "password"),
        (r#""x": 3, "db": {"user": "me", "api_key": "made up"}, "y": 4"#, "api_key"),
        (r#""argv": ["train.py", "--auth-token", "made up"]"#, "auth-token"),
        (r#""data": "https://me:made-up@host/x""#, "user info in a URL"),
        (r#""a \" key": "hf_madeup12345678""#, "hf_"),
        (r#""log": "first\npassword=made-up""#, "password"),
    ] {
        assert_eq!(told(&op(args)), Some((1, name.to_owned())), "{args}");
        // Two equal events are two places in the file.
        assert_eq!(told(&[op(args), op(args)].join(", ")), Some((2, name.to_owned())), "{args}");
    }
    assert_eq!(
        told(r#"{"ph": "i", "name": "m", "pid": 1, "ts": 2, "password": "made up", "args": {"secret": "made up"}}"#),
        Some((2, "password, secret".to_owned())),
    );
    for args in [
        r#""num tokens": "4096", "max_token": 7, "token": 12, "shape": [1, 2], "password": null, "key": "value""#,
        r#""url": "https://host/x", "git": "git@host:x", "password": "****""#,
        "",
    ] {
        assert_eq!(told(&op(args)), None, "{args}");
    }
    let many: Vec<String> = (0..5000).map(|number| format!(r#""k{number}": "v""#)).collect();
    assert_eq!(told(&op(&format!(r#"{}, "secret": "made up""#, many.join(", ")))), Some((1, "secret".to_owned())));
}
