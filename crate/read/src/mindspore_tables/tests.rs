//! Content read from odd files, and rejected files.

use super::*;
use stepscope_input::{Intake, Loader};
use stepscope_trace::{Cell, Loaded};

fn load(files: &[(&str, &[u8])], chunk: usize) -> Result<Loaded, Error> {
    let mut loader = Loader::new(files[0].0);
    for (number, (name, bytes)) in files.iter().enumerate() {
        if number > 0 {
            loader.next_file(name)?;
        }
        for piece in bytes.chunks(chunk) {
            loader.space(piece.len()).copy_from_slice(piece);
            loader.advance(piece.len())?;
        }
    }
    loader.finish()
}

/// Code, count and byte of a warning.
type WarningFacts = (Code, u64, Option<u64>);

fn tables(name: &str, text: &str) -> (Vec<RecordedTable>, Vec<WarningFacts>) {
    tables_of(&[(name, text.as_bytes())])
}

fn tables_of(files: &[(&str, &[u8])]) -> (Vec<RecordedTable>, Vec<WarningFacts>) {
    let whole = load(files, usize::MAX).unwrap();
    for chunk in [1, 2, 7, 64] {
        let pieces = load(files, chunk).unwrap_or_else(|error| panic!("chunks of {chunk}: {error}"));
        assert_eq!(pieces.trace.recorded, whole.trace.recorded, "chunks of {chunk}");
        assert_eq!(pieces.trace.slices.len(), whole.trace.slices.len(), "chunks of {chunk}");
        assert_eq!(pieces.warnings, whole.warnings, "chunks of {chunk}");
    }
    let warnings = whole.warnings.iter().map(|warning| (warning.code, warning.count, warning.position));
    (whole.trace.recorded, warnings.collect())
}

#[test]
fn a_file_is_known_by_its_header_whatever_its_name() {
    let text = "kernel_type,total_time,execution_frequency,percent\r\nCast,0.0125,3,1.25\r\n";
    for name in ["aicore_intermediate_0_type.csv", "x.txt", "folder/notes"] {
        let (tables, warnings) = tables(name, text);
        assert_eq!((tables[0].id, tables[0].file.as_str(), warnings.len()), ("aicore_type", name, 0));
        assert_eq!(
            tables[0].rows,
            [[Cell::Text("Cast".into()), Cell::Integer(12_500), Cell::Integer(3), Cell::Real(0.0125)]]
        );
    }
}

#[test]
fn what_looks_alike_is_no_table_of_the_profiler() {
    for text in [
        "name,value\nx,1\n",
        "1 2 3 4\n1 5 6 7\n",
        "hello",
        "0 1 2\n",
        "1 2 3 4 5 6\n",
        "9 1 2 3 4\n",
        "{\"a\": 1}",
        "[]",
        "\u{0}\u{1}",
    ] {
        let verdict = MindSporeTables.sniff("x", Head { bytes: text.as_bytes(), whole: true });
        assert!(matches!(verdict, Verdict::No(_)), "{text:?}: {verdict:?}");
    }
    let head = Head { bytes: b"kernel_type,total_time,exec", whole: false };
    assert_eq!(MindSporeTables.sniff("x", head), Verdict::NeedMore);
    assert_eq!(MindSporeTables.sniff("x", Head { bytes: b"", whole: false }), Verdict::NeedMore);
}

#[test]
fn names_tell_apart_what_looks_alike() {
    let text = "0 0 1 5 100\n1 8 1 0 100\n";
    let (of_device, _) = tables("profiler/device_queue_profiling_0.txt", text);
    let (of_loop, _) = tables("profiler/dataset_iterator_profiling_0.txt", text);
    assert_eq!((of_device[0].id, of_loop[0].id), ("device_queue", "dataset_iterator"));
    assert_eq!(of_device[0].rows, of_loop[0].rows);
    let text = "GetNext 1000 3000 2\n";
    let time = |name: &str| tables(name, text).0[0].rows[0][2].clone();
    assert_eq!(time("minddata_getnext_profiling_0.txt"), Cell::Integer(3000), "ns on a GPU");
    assert_eq!(time("minddata_aicpu_0.txt"), Cell::Integer(3_000_000), "µs on Ascend");
}

#[test]
fn of_a_cut_file_the_rows_before_the_cut_are_there() {
    let text = "kernel_type,total_time,execution_frequency,percent\nCast,0.0125,3,1.25\nMatMul,0.9875,2,98.75\n";
    let cut = |length: usize| tables("x.csv", &text[..length]);
    let (found, warnings) = cut(text.len() - 10);
    assert_eq!((found[0].rows.len(), warnings), (1, vec![(Code::Truncated, 1, Some(70))]));
    let (found, warnings) = cut(70);
    assert_eq!((found[0].rows.len(), warnings), (1, Vec::new()), "cut behind a row nothing shows it");
    let (found, warnings) = cut(52);
    assert_eq!((found[0].rows.len(), warnings), (0, vec![(Code::Truncated, 1, Some(51))]));
    let (found, _) = tables("x.csv", &text[..50]);
    assert_eq!((found.len(), found[0].rows.len()), (1, 0), "a header alone is a table without rows");
}

#[test]
fn of_a_cut_document_the_values_before_the_cut_are_there() {
    let text = r#"{"op_info": [{"op_id": 0, "op_type": "BatchOp", "num_workers": 2}, {"op_id": 1, "op_ty"#;
    let (found, warnings) = tables("pipeline_profiling_0.json", text);
    assert_eq!(found[0].rows.len(), 2);
    assert_eq!(found[0].rows[0][1], Cell::Text("BatchOp".into()));
    assert_eq!(warnings, [(Code::Truncated, 1, Some(text.len() as u64))]);
    let (found, warnings) = tables("x.json", r#"{"FLOPs": 1.5, "FLOPS": 2 "FLOPS_Utilization": 3}"#);
    assert_eq!(found[0].rows, [[Cell::Real(1.5e6), Cell::Real(2e9)]]);
    assert_eq!(warnings, [(Code::MalformedMetadata, 1, Some(26))]);
}

#[test]
fn ranks_of_a_folder_are_told_apart() {
    let mut intake = Intake::default();
    let text = b"kernel_type,total_time,execution_frequency,percent\nCast,0.0125,3,1.25\n";
    for name in ["run/profiler/aicore_intermediate_0_type.csv", "run/profiler/aicore_intermediate_1_type.csv"] {
        intake.add(name, stepscope::read::Head { bytes: text, whole: true });
    }
    let ranks: Vec<Option<u64>> = intake.plan().ranks.iter().map(|rank| rank.rank).collect();
    assert_eq!(ranks, [Some(0), Some(1)]);
}

#[test]
fn the_summary_as_csv_says_what_the_one_as_json_says() {
    let csv = "pipeline_ops,Batch(id=0),Map(id=1)\nop_names,Batch,Map\nop_ids,0,1\nqueue_utilization_pct,-1,25.0\n\
        children_ids,[1],[2, 3]\nper_batch_time,12.5\nbottleneck_warning,Map(id=1), it waits\n";
    let json = r#"{"pipeline_ops": ["Batch(id=0)", "Map(id=1)"], "op_names": ["Batch", "Map"], "op_ids": [0, 1],
        "queue_utilization_pct": [-1, 25.0], "children_ids": [[1], [2, 3]], "per_batch_time": [12.5],
        "bottleneck_warning": ["Map(id=1), it waits"]}"#;
    assert_eq!(tables("x", csv), tables("x", json));
}

#[test]
fn values_of_the_machine_that_are_written_twice_are_one_for_each_sample() {
    let text = r#"{"cpu_processor_num": 2, "time_stamp": [100, 150, 200], "sampling_interval": 50, "op_info": [],
        "device_info": {"runnable_process": [6, 6, 4, 4, 7, 7], "context_switch_count": [0, 0, 434, 0, 1140, 0],
            "user_utilization": [1, 0, 3], "sys_utilization": [1, 0]},
        "process_info": {"user_utilization": [5, 6, 7]}}"#;
    let (found, _) = tables("profiler/minddata_cpu_utilization_0.json", text);
    let table = found.iter().find(|table| table.id == "minddata_cpu").expect("the table");
    let curve = |name: &str| table.rows.iter().map(|row| table.cell(row, name).number()).collect::<Vec<_>>();
    assert_eq!(curve("runnable processes"), [Some(6.0), Some(4.0), Some(7.0)]);
    assert_eq!(curve("context switches"), [Some(0.0), Some(434.0), Some(1140.0)]);
    // These are written twice, too, but cut to the number of samples.
    assert_eq!(curve("machine user"), [Some(0.01), Some(0.03), None]);
    assert_eq!(curve("machine sys"), [Some(0.01), None, None]);
    assert_eq!(curve("process user"), [Some(0.05), Some(0.06), Some(0.07)]);
}

#[test]
fn shares_that_the_hardware_counted_are_averaged_by_time() {
    let text = "Op Name,OP Type,Task Type,Task Duration(us),aic_mac_ratio,aiv_vec_ratio,main_mem_read_bw(GB/s)\n\
        mm,MatMul,AI_CORE,30,0.9,N/A,1\nmm,MatMul,AI_CORE,10,0.5,,5\nadd,Add,AI_VECTOR_CORE,4,N/A,N/A,\n";
    let (tables, warnings) = tables("op_summary_0.csv", text);
    assert_eq!((tables[0].id, warnings.len()), ("op_summary", 0));
    let names: Vec<&str> = tables[0].columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names[7..], ["aic_mac_ratio", "main_mem_read_bw"], "a column without a number says nothing");
    let cell = |row: usize, name: &str| tables[0].cell(&tables[0].rows[row], name).number();
    assert_eq!((cell(0, "aic_mac_ratio"), cell(1, "aic_mac_ratio")), (Some(0.8), None));
    assert_eq!(cell(0, "main_mem_read_bw"), Some(2e9));
}

/// An operator that runs with several shapes has a row for each, with its types and formats.
#[test]
fn shapes_and_formats_of_operators_are_kept() {
    let text = "Op Name,OP Type,Task Type,Task Start Time(us),Task Duration(us),Block Dim,Input Shapes,\
        Input Data Types,Input Formats,Output Shapes,Output Data Types,Output Formats\n\
        mm,MatMul,AI_CORE,100,30,24,\"16,128;128,64\",FLOAT16;FLOAT16,ND;ND,\"16,64\",FLOAT16,ND\n\
        mm,MatMul,AI_CORE,200,10,8,\"4,128;128,64\",FLOAT16;FLOAT16,ND;ND,\"4,64\",FLOAT16,ND\n\
        mm,MatMul,AI_CORE,300,34,24,\"16,128;128,64\",FLOAT16;FLOAT16,ND;ND,\"16,64\",FLOAT16,ND\n";
    let (tables, warnings) = tables("op_summary_0.csv", text);
    let [table] = &tables[..] else { panic!("one table") };
    assert_eq!((table.id, table.rows.len(), warnings), ("op_summary", 2, vec![(Code::RawTimes, 1, None)]));
    let text = |row: usize, name: &str| table.cell(&table.rows[row], name).text().unwrap_or_default();
    let of = |row: usize| ["Block Dim", "Input Shapes", "Input Formats", "Output Shapes"].map(|name| text(row, name));
    assert_eq!(of(0), ["24", "16,128;128,64", "ND;ND", "16,64"]);
    assert_eq!(of(1), ["8", "4,128;128,64", "ND;ND", "4,64"]);
    let count = |row: usize| {
        (table.cell(&table.rows[row], "Count").clone(), table.cell(&table.rows[row], "Total Time").clone())
    };
    assert_eq!(count(0), (Cell::Integer(2), Cell::Integer(64_000)));
}

/// Without another file that has the tasks, each run is on the timeline: their times add up to the column's.
#[test]
fn runs_of_operators_are_kernels_where_no_other_file_has_them() {
    const TEXT: &str = "Device_id,Stream ID,Op Name,OP Type,Task Type,Task Start Time(us),Task Duration(us)\n\
        3,2,mm,MatMul,AI_CORE,1704110400000100.000\t,30.5\n3,2,mm,MatMul,AI_CORE,1704110400000200.000\t,10\n\
        3,9,pick,GetNext,AI_CPU,1704110400000110.000\t,4\n\
        3,4294967295,hcom_allReduce__1,hcom_allReduce_,COMMUNICATION,1704110400000205.000\t,50\n\
        3,2,never,Add,AI_CORE,N/A,1\n";
    let kernels = |files: &[(&str, &[u8])]| {
        let trace = load(files, 7).expect("a trace").trace;
        let of = |activity: &stepscope_trace::Activity| {
            let span = trace.slices.interval(activity.event);
            let stream = trace.stream_of(activity.event).expect("a stream");
            (trace.strings.get(trace.slices.name(activity.event)).to_owned(), stream.stream, span.len().0)
        };
        let mut found: Vec<_> = trace.activities.iter().map(of).collect();
        found.sort_unstable();
        (found, trace.recorded.len())
    };
    let (found, recorded) = kernels(&[("op_summary_20240101120000.csv", TEXT.as_bytes())]);
    let of = |name: &str, stream: i64, length: i64| (name.to_owned(), stream, length);
    let all = [of("hcom_allReduce__1", 70_000, 50_000), of("mm", 2, 10_000), of("mm", 2, 30_500), of("pick", 9, 4_000)];
    assert_eq!((&found[..], recorded), (&all[..], 1));
    // Old versions have no unit in the name of the start.
    let old = TEXT.replace("Start Time(us)", "Start Time");
    assert_eq!(kernels(&[("op_summary_0_1_1.csv", old.as_bytes())]).0, all);
    // A table of all tasks has them, too.
    let times = "kernel_name,kernel_type,stream_id,task_id,task_time(us),task_start(us),task_stop(us)\n\
        mm,AI_CORE,2,1,30.5,1704110400000100,1704110400000130.5\n";
    let both = [("task_time_20240101120000.csv", times.as_bytes()), ("op_summary_20240101120000.csv", TEXT.as_bytes())];
    assert_eq!(kernels(&both), (vec![of("mm", 2, 30_500)], 1));
}

/// MindSpore writes zero for memory that it does not measure in a stage.
#[test]
fn host_memory_of_zero_is_none_that_was_collected() {
    let text = "tid,pid,parent_pid,module_name,event,stage,level,start_end,custom_info,memory_usage,time_stamp\n\
        1,10,9,Parser,parse,Parser.parse,1,0,,2048,1700000000000000\n1,10,9,Compile,c,Compile.c,0,2,,0,1700000000500000\n";
    for (file, id) in [("host_info/host_memory_0.csv", "host_memory"), ("host_info/host_info_0.csv", "host_info")] {
        let (tables, warnings) = tables(file, text);
        assert_eq!((tables[0].id, warnings), (id, Vec::new()));
        let memory = [0, 1].map(|row| tables[0].cell(&tables[0].rows[row], "memory_usage").clone());
        assert_eq!(memory, [Cell::Integer(2 << 20), Cell::Empty]);
    }
}

#[test]
fn operators_of_the_ai_cpu_are_those_of_mindspores_own_table() {
    const NAME: &str = "PROF_1/device_0/data/DATA_PREPROCESS.dev.AICPU.0.slice_0";
    const FILE: &str = "[2292299556] Node:InitData, Run tart:2298200409, Run end:2298200538\0Thread[ 1] process \
        device[0]:aicpu[ 0] task end, dispatchTime=100 us, totalTime=1567 us.\0[1] Node:Lost, Run start:1, Run end:2\0\
        [2292299556] Node:Default/TruncatedNormal-op0, Run start:5, compute start:6,Run end:9\n\0Thread[ 1] task end, \
        dispatchTime=3 us, totalTime=4 us";
    let (found, told) = tables(NAME, FILE);
    let [table] = &found[..] else { panic!("one table") };
    assert_eq!(table.id, "aicpu");
    let row = |number: i64, name: &str, times: [i64; 4]| {
        let cells = [Cell::Integer(number), Cell::Text(name.to_owned())].into_iter();
        cells.chain(times.map(Cell::Integer)).collect::<Vec<_>>()
    };
    let first = row(1, "InitData", [1_567_000, 100_000, 2_298_200_409_000, 2_298_200_538_000]);
    assert_eq!(table.rows, [first, row(2, "TruncatedNormal", [4_000, 3_000, 5_000, 9_000])]);
    // One operator has no thread.
    let lost = FILE.find("[1] Node:Lost").expect("its place") as u64;
    assert_eq!(told, [(Code::MalformedRow, 1, Some(lost))]);
    let (found, told) = tables(NAME, FILE.split_once(", Run start:1").expect("its place").0);
    assert_eq!((found[0].rows.len(), told), (1, vec![(Code::Truncated, 1, Some(lost))]));
}

/// MindSpore 1.x on an Ascend sums microseconds: a timeline of 14 steps with 126 ms of operators each has 1 771
/// 382.85. Later versions, which count scopes, too, sum milliseconds.
#[test]
fn the_time_of_a_timeline_is_in_the_unit_of_its_profiler() {
    let time = |text: &str| {
        let (found, _) = tables("profiler/timeline_summary_1.json", text);
        found[0].cell(&found[0].rows[0], "total_time").clone()
    };
    let counts = r#""num_of_streams": 11, "num_of_ops": 199, "op_exe_times": 2817"#;
    assert_eq!(time(&format!("{{\"total_time\": 1771382.85, {counts}}}")), Cell::Integer(1_771_382_850));
    let later = format!("{{\"total_time\": 797.5, {counts}, \"max_scope_name_num\": 6}}");
    assert_eq!(time(&later), Cell::Integer(797_500_000));
}

#[test]
fn a_graphs_memory_is_known_in_whatever_order_its_members_stand() {
    let parts = [
        r#""fp_start": 11"#,
        r#""bp_end": 12"#,
        r#""graph_id": 3"#,
        r#""static_mem": 0.5"#,
        r#""nodes": [{"name": "Conv2D-op1", "fullname": "Default/Conv2D-op1", "node_id": 11, "size": 0.25, "allocated": 0.25},
            {"name": "Mul-op2", "fullname": "Default/Mul-op2", "node_id": 12, "size": 0.0, "allocated": -0.25}]"#,
        r#""lines": [0.75, 0.5]"#,
        r#""breakdowns": [[{"tensor_name": "Conv2D-op1:0", "size": 0.25}], []]"#,
    ];
    for turn in 0..parts.len() {
        let mut members = parts;
        members.rotate_left(turn);
        let text = format!("{{\"3\": {{{}}}}}", members.join(", "));
        let (found, told) = tables("profiler/memory_usage_details_0.json", &text);
        let ids: Vec<&str> = found.iter().map(|table| table.id).collect();
        assert_eq!(ids, ["memory_curve", "memory_graphs", "memory_nodes", "memory_breakdown"], "{text}");
        let graph = &found[1].rows[0];
        assert_eq!(graph[1..], [Cell::Integer(1 << 29), Cell::Integer(11), Cell::Integer(12)]);
        assert_eq!(found[2].cell(&found[2].rows[1], "allocated"), &Cell::Integer(-(1 << 28)));
        assert_eq!(told, []);
    }
    // Points of the step trace are names.
    let text = r#"{"fp_start": "Default/Cast-op6", "bp_end": "Default/TransData-op7"}"#;
    assert_eq!(tables("step_trace_point_info.json", text).0[0].id, "step_trace_points");
}

/// Two files of a recording with a step each, as msprof writes them.
#[test]
fn records_of_the_step_trace_are_the_rows_of_mindspores_own_table() {
    let records = |records: &[(u64, u16, u64)]| -> Vec<u8> {
        let bytes = records.iter().flat_map(|(tag, stream, counter)| {
            let middle = [0_u16.to_le_bytes(), stream.to_le_bytes()].concat();
            [&tag.to_le_bytes()[..], &middle, &counter.to_le_bytes()].concat()
        });
        bytes.collect()
    };
    let first = records(&[(0, 0, 90), (1, 0, 100), (3, 10, 120), (4, 10, 150), (2, 0, 180), (255, 0, 200)]);
    let second =
        records(&[(0, 0, 205), (1, 0, 210), (2, 0, 280), (3, 10, 285), (255, 0, 300), (0, 0, 305), (7, 0, 306)]);
    const NAME: &str = "JOB1/training_trace.46.dev.profiler_default_tag.0.slice_";
    let (first_name, second_name) = ([NAME, "0"].concat(), [NAME, "1"].concat());
    let files: [(&str, &[u8]); 2] = [(&first_name, &first), (&second_name, &second[..second.len() - 3])];
    let (found, told) = tables_of(&files);
    let [table] = &found[..] else { panic!("one table: {found:?}") };
    let times = |row: usize| table.rows[row].iter().map(|cell| cell.nanos().map(|time| time.0)).collect::<Vec<_>>();
    let names: Vec<&str> = table.columns[9..].iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["stream_10_parallel_0_start_point", "stream_10_parallel_0_end_point", "stream_10_parallel_0"]);
    let some = |times: &[i64]| times.iter().map(|time| Some(*time)).collect::<Vec<_>>();
    assert_eq!(times(0)[1..], some(&[1000, 2000, 1000, 1000, 1800, 0, 800, 200, 1200, 1500, 300]));
    assert_eq!(times(1)[1..9], some(&[2000, 3000, 1000, 2100, 2800, 100, 700, 200]));
    let marks = load(&files, usize::MAX).unwrap().trace.step_marks.len();
    assert_eq!((marks, &told[..2]), (2, &[(Code::Truncated, 1, Some(120)), (Code::MalformedRow, 1, Some(80))][..]));
    // A step that was cut in two by the end of a file is lost, and keeps its number.
    let begun = [&first[..], &records(&[(0, 0, 205), (1, 0, 210)])].concat();
    let rest = records(&[(2, 0, 280), (255, 0, 300), (0, 0, 305), (1, 0, 310), (2, 0, 380), (255, 0, 400)]);
    let (found, told) = tables_of(&[(&first_name, &begun), (&second_name, &rest)]);
    let starts = found[0].rows.iter().map(|row| (row[0].clone(), row[1].clone())).collect::<Vec<_>>();
    let row = |number: &str, start: i64| (Cell::Text(number.to_owned()), Cell::Integer(start));
    assert_eq!((starts, told[0].0), (vec![row("1", 1000), row("3", 3000)], Code::MalformedRow));
    // Where MindSpore analyzed them, its table counts.
    let text = b"step_num,start_point,end_point,total,fp_point,bp_point\n1,100,200,100,100,180\n";
    let (found, told) = tables_of(&[("JOB1/step_trace_raw_0_detail_time.csv", text), files[0]]);
    assert_eq!((found.len(), told.iter().filter(|one| one.0 == Code::RepeatedTimeline).count()), (1, 1));
    // The operators of its points.
    let points = ("JOB1/Framework.host.vm.point.0.slice_0", &b"1 Default/Cast-op6\n2 Default/Mul-op7\n\0"[..]);
    let (found, told) = tables_of(&[files[0], points]);
    assert_eq!((found[1].id, told.len()), ("step_trace_points", 1), "{told:?}");
    assert_eq!(found[1].rows, [["Default/Cast-op6", "Default/Mul-op7"].map(|name| Cell::Text(name.to_owned()))]);
}

/// The points of steps on a GPU, in both layouts: two steps with an all-reduce.
#[test]
fn points_of_steps_on_a_gpu_are_a_step_trace() {
    let of_operators = "Default/Conv2D-op1 1000,1500 5000,5500 \nDefault/ReLUGrad-op9 3000,3500 7000,7600 \n\
                        Default/Momentum-op20 4000,4500 8000,8500 \nDefault/AllReduce-op3 3600,3900 7700,7900 \n";
    let of_steps = "Default/GetNext-op0,9001 Default/Conv2D-op1,10000 Default/ReLUGrad-op9,30000 \
                    Default/Momentum-op20,45000 Default/AllReduce-op3,36000,39000\n\
                    Default/GetNext-op0,46000 Default/Conv2D-op1,50000 Default/ReLUGrad-op9,70000 \
                    Default/Momentum-op20,85000 Default/AllReduce-op3,77000,79000\n";
    // Start, end, total; forward, backward; interval, forward and backward, tail; the collective.
    let by_operators = [
        [10_000, 45_000, 35_000, 10_000, 35_000, 0, 25_000, 10_000, 36_000, 39_000, 3_000],
        [45_000, 85_000, 40_000, 50_000, 76_000, 5_000, 26_000, 9_000, 77_000, 79_000, 2_000],
    ];
    let by_steps = [
        [9_001, 45_000, 35_999, 10_000, 30_000, 999, 20_000, 15_000, 36_000, 39_000, 3_000],
        [46_000, 85_000, 39_000, 50_000, 70_000, 4_000, 20_000, 15_000, 77_000, 79_000, 2_000],
    ];
    for (text, expected, points) in [(of_operators, by_operators, 8), (of_steps, by_steps, 10)] {
        let (tables, warnings) = tables("profiler/step_trace_profiling_0.txt", text);
        let ids: Vec<&str> = tables.iter().map(|table| table.id).collect();
        assert_eq!(ids, ["gpu_step_points", "step_trace_points", "step_trace"]);
        assert_eq!(tables[0].rows.len(), points);
        let names = [Cell::Text("Default/Conv2D-op1".into()), Cell::Text("Default/ReLUGrad-op9".into())];
        assert_eq!(tables[1].rows, [names]);
        assert_eq!(tables[2].columns[11].name, "stream_ops_0_AllReduce-op3");
        let numbers = |row: &Vec<Cell>| row[1..].iter().map(|cell| cell.nanos().expect("a time").0).collect::<Vec<_>>();
        assert_eq!(tables[2].rows.iter().map(numbers).collect::<Vec<_>>(), expected);
        // Marked as steps, with three parts each.
        assert_eq!(warnings, [(Code::RawTimes, 1, None)]);
        let loaded = load(&[("step_trace_profiling_0.txt", text.as_bytes())], 7).unwrap();
        assert_eq!((loaded.trace.step_marks.len(), loaded.trace.slices.len()), (2, 8));
    }
}

#[test]
fn points_of_steps_that_do_not_fit_make_no_steps() {
    let file = "step_trace_profiling_0.txt";
    let of = |text: &str| {
        let (tables, warnings) = tables(file, text);
        (tables.iter().map(|table| table.id).collect::<Vec<_>>(), warnings)
    };
    // An operator ran in another number of steps; two operators only; the last line is cut.
    let uneven = "a 1,2 5,6\nb 2,3\nc 3,4 7,8\n";
    assert_eq!(of(uneven), (vec!["gpu_step_points"], vec![(Code::MalformedRow, 1, None)]));
    assert_eq!(of("a 1,2 5,6\nb 2,3 6,7\n"), (vec!["gpu_step_points"], vec![]));
    let cut = "g,1 a,2 b,3 c,4\ng,5 a,6 b,7 c,";
    let names = vec!["gpu_step_points", "step_trace_points", "step_trace"];
    assert_eq!(of(cut), (names, vec![(Code::Truncated, 1, Some(16)), (Code::RawTimes, 1, None)]));
    // The second step's points are out of order. Its operators are others.
    let odd = "g,1 a,2 b,3 c,4\ng,9 x,8 b,7 c,6\n";
    assert_eq!(
        of(odd),
        (vec!["gpu_step_points", "step_trace"], vec![(Code::MalformedRow, 1, None), (Code::RawTimes, 1, None)])
    );
    // The profiler's own table comes first, and the points are a table only.
    let own =
        "step_num,start_point,end_point,total,fp_point,bp_point,iteration_interval,fp_and_bp,tail\n1,1,9,8,2,5,1,3,4\n";
    let points = "g,1 a,2 b,3 c,4\n";
    let (tables, _) = tables_of(&[("step_trace_raw_0_detail_time.csv", own.as_bytes()), (file, points.as_bytes())]);
    let ids: Vec<&str> = tables.iter().map(|table| table.id).collect();
    assert_eq!(ids, ["step_trace", "gpu_step_points", "step_trace_points"]);
}

/// The tables that msprof exports, each with its unit; the names of metrics and modes have some of them.
#[test]
fn exports_of_msprof_are_tables() {
    let of = |name: &str, text: &str| {
        let (tables, warnings) = tables(name, text);
        assert_eq!(warnings, [], "{name}");
        let units = tables[0].columns.iter().map(|column| column.unit.name()).collect::<Vec<_>>();
        (tables[0].id, units, tables[0].rows[0].clone())
    };
    let text = |text: &str| Cell::Text(text.to_owned());
    let head = "Device_id,Metric,Read(MB/s),Write(MB/s)\n0,Average,1.5,2\n";
    let rates = ["text", "text", "bytes_per_second", "bytes_per_second"];
    let mb = f64::from(1 << 20);
    let row = vec![text("0"), text("Average"), Cell::Real(1.5 * mb), Cell::Real(2.0 * mb)];
    for name in ["hbm_20230818.csv", "ddr_0_1_1.csv", "x"] {
        assert_eq!(of(name, head), ("memory_bandwidth", rates.to_vec(), row.clone()));
    }
    let (id, _, row) = of("l2_cache_1.csv", "Stream Id,Task Id,Hit Rate,Victim Rate,Op Name\n3,12,0.9,N/A,Mul-op1\n");
    assert_eq!((id, &row[2..]), ("l2_cache", &[Cell::Real(0.9), Cell::Empty, text("Mul-op1")][..]));
    let (id, units, row) = of("x", "Device_id,Mode,Task,Hit Rate(%),Throughput(MB/s)\n0,read,0,62.5,8\n");
    assert_eq!((id, units[3], &row[3]), ("llc_read_write", "share", &Cell::Real(0.625)));
    let pcie = "Device_id,Mode,Min,Max,Avg\n0,Tx_p_avg(MB/s),0.1,20,4\n";
    let (id, _, row) = of("p/pcie_1.csv", pcie);
    assert_eq!(
        (id, &row[1..]),
        ("pcie", &[text("Tx_p_avg(MB/s)"), Cell::Real(0.1), Cell::Integer(20), Cell::Integer(4)][..])
    );
    let cores = "Device_id,Core ID,mac_ratio,memory_bound,l1_read_bw(GB/s)\n0,Average,0.25,3.5,2\n";
    let (id, units, _) = of("ai_core_utilization_1.csv", cores);
    assert_eq!((id, &units[2..]), ("core_utilization", &["share", "number", "bytes_per_second"][..]));
    assert_eq!(of("ai_vector_core_utilization_1.csv", cores).0, id);
    // Columns that any program could write need their names.
    for other in [pcie, cores] {
        let verdict = MindSporeTables.sniff("x.csv", Head { bytes: other.as_bytes(), whole: true });
        assert!(matches!(verdict, Verdict::No(_)), "{other}");
    }
}

#[test]
fn iterations_of_msprof_are_a_step_trace() {
    const HEADER: &str = "Device_id,Iteration ID,FP Start(us),BP End(us),Iteration End(us),Iteration Time(us),\
        FP to BP Time(us),Iteration Refresh(us),Data Aug Bound(us),Model ID,Reduce Start(us),Reduce Duration(us),\
        Reduce Start(us),Reduce Duration(us)\n";
    let of = |rows: &str| tables("PROF_1/mindstudio_profiler_output/step_trace_1.csv", &[HEADER, rows].concat());
    let ids = |tables: &[RecordedTable]| tables.iter().map(|table| table.id).collect::<Vec<_>>();
    let first = "0,1,110.5\t,180\t,200\t,100,69.5,20,N/A,4,150,25.5,N/A,N/A\n";
    let rows = [first, "0,2,210,280,300,100,70,20,10,4,250,25,281,4\n"].concat();
    let (found, warnings) = of(&rows);
    assert_eq!((ids(&found), warnings), (vec!["msprof_step_trace", "step_trace"], vec![]), "an export is no raw file");
    let numbers = |row: &Vec<Cell>| row[1..].iter().map(|cell| cell.nanos().map(|time| time.0)).collect::<Vec<_>>();
    let some = |times: &[i64]| times.iter().map(|time| Some(*time)).collect::<Vec<_>>();
    let points = some(&[100_000, 200_000, 100_000, 110_500, 180_000, 10_500, 69_500, 20_000, 150_000, 175_500, 25_500]);
    assert_eq!(numbers(&found[1].rows[0]), [points, vec![None; 3]].concat());
    assert_eq!(numbers(&found[1].rows[1])[8..], some(&[250_000, 275_000, 25_000, 281_000, 285_000, 4_000]));
    let whole = load(&[("step_trace_1.csv", [HEADER, &rows].concat().as_bytes())], usize::MAX).unwrap();
    assert_eq!((whole.trace.step_marks.len(), whole.trace.slices.len()), (2, 8));
    // An inference has neither pass. Several graphs number their own iterations. Several devices in a file of
    // another name make no rank.
    assert_eq!(ids(&of("0,1,N/A,N/A,200,100,N/A,N/A,N/A,4,N/A,N/A,N/A,N/A\n").0), ["msprof_step_trace"]);
    let (found, _) = of(&[first, "0,1,210,280,300,100,70,20,10,5,N/A,N/A,N/A,N/A\n"].concat());
    assert_eq!(found[1].rows.iter().map(|row| row[0].text()).collect::<Vec<_>>(), [Some("4:1"), Some("5:1")]);
    let devices = [first, "1,1,210,280,300,100,70,20,10,4,N/A,N/A,N/A,N/A\n"].concat();
    assert_eq!(ids(&of(&devices).0), ["msprof_step_trace"]);
    // Points out of order, and a length that msprof counted below zero, as a number without a sign.
    let odd = "0,1,190,180,200,100,1,1,1,4,N/A,N/A,N/A,N/A\n";
    let position = (HEADER.len() + first.len()) as u64;
    let (found, warnings) = of(&[first, odd].concat());
    assert_eq!((found[1].rows.len(), warnings[0]), (1, (Code::MalformedRow, 1, Some(position))));
    let (found, _) = of("0,1,110,180,200,100,70,20,N/A,4,150,18446744073709521.304,N/A,N/A\n");
    assert_eq!(numbers(&found[1].rows[0])[8..], vec![None; 6]);
    // The profiler's own table comes first.
    let own = "step_num,start_point,end_point,total,fp_point,bp_point\n1,100,200,100,100,180\n";
    let files = [("step_trace_raw_0_detail_time.csv", own), ("step_trace_1.csv", &[HEADER, first].concat())];
    let (found, _) = tables_of(&files.map(|(name, text)| (name, text.as_bytes())));
    assert_eq!(ids(&found), ["step_trace", "msprof_step_trace"]);
}

/// The records of MindSpore 1.x as text, in slices: the rows of `framework_raw_N.csv`.
#[test]
fn records_of_operators_are_the_rows_of_mindspores_own_table() {
    const GRAPH: &str = "JOB1/Framework.host.vm.graph_desc_info.0.slice_";
    const TASKS: &str = "JOB1/Framework.host.vm.task_desc_info.0.slice_";
    let cast = "op_name:Default/a/Cast-op6 op_type:Cast input_id:0 input_format:FracZ input_data_type:40 \
                input_shape:\"32,3\" output_id:0 output_format:FracZ output_data_type:39 output_shape:\"32,3\"\n";
    let mul =
        "op_name:Gradients/Mul-op7 op_type:Mul input_id:0 input_format:x\"y input_data_type:99 input_shape:\"\"\n";
    let tasks = "Default/a/Cast-op6 32 51517 0\n7 Default/Add-op8 4 51518 2\n";
    let again = "Default/a/Cast-op6 16 51519 0\n";
    let name = |begin: &str, slice: u8| format!("{begin}{slice}");
    let parts = [(GRAPH, 0, cast), (GRAPH, 1, mul), (TASKS, 0, tasks), (TASKS, 1, again)];
    let named = parts.map(|(begin, slice, text)| (name(begin, slice), text));
    let files: Vec<(&str, &[u8])> = named.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    let (found, warnings) = tables_of(&files);
    assert_eq!((found.len(), found[0].id, warnings), (1, "framework", vec![]));
    let info = r#"{"input_0": {"format": "FracZ", "data_type": "NUMBER_TYPE_FLOAT32", "shape": "32,3"}, "output_0": {"format": "FracZ", "data_type": "NUMBER_TYPE_FLOAT16", "shape": "32,3"}}"#;
    let text = |text: &str| if text.is_empty() { Cell::Empty } else { Cell::Text(text.to_owned()) };
    let row = |task: [&str; 2], blocks: Cell, operator: [&str; 6]| {
        task.map(text).into_iter().chain([blocks]).chain(operator.map(text)).collect::<Vec<_>>()
    };
    let operator = ["Default/a/Cast-op6", "Default/a/Cast-op6", "Cast-op6", "Cast", "Default", info];
    let odd = r#"{"input_0": {"format": "x\"y", "data_type": "UNKNOWN", "shape": ""}}"#;
    let other = ["Default/Add-op8", "Default/Add-op8", "Add-op8", "", "Default", ""];
    assert_eq!(
        found[0].rows,
        [
            row(["51517", "0"], Cell::Integer(32), operator),
            row(["", ""], Cell::Empty, ["Gradients/Mul-op7", "Gradients/Mul-op7", "Mul-op7", "Mul", "Gradients", odd]),
            row(["51518", "2"], Cell::Integer(4), other),
            row(["51519", "0"], Cell::Integer(16), operator),
        ]
    );
    // The table is the same when the tasks come first, apart from the order of its rows.
    let (mut turned, _) = tables_of(&[files[2], files[3], files[0], files[1]]);
    turned[0].rows.swap(1, 3);
    turned[0].rows.swap(2, 3);
    assert_eq!(turned[0].rows, found[0].rows);
    // Lines that are no operator or task; a last line that is cut.
    let of = |name: &str, text: &str| {
        let (found, warnings) = tables(name, text);
        (found.first().map_or(0, |table| table.rows.len()), warnings)
    };
    let malformed = |at: usize| (Code::MalformedRow, 1, Some(at as u64));
    let bad = [cast, "op_name:a input_shape:\"1\"\n"].concat();
    assert_eq!(of(&name(GRAPH, 0), &bad), (1, vec![malformed(cast.len())]));
    let cut = [tasks, "Default/b 4 9"].concat();
    assert_eq!(of(&name(TASKS, 0), &cut), (2, vec![(Code::Truncated, 1, Some(tasks.len() as u64))]));
    assert_eq!(of(&name(TASKS, 1), &["32 51520 0\n", tasks].concat()), (2, vec![malformed(0)]));
    // Where MindSpore analyzed them, its table counts.
    let own = "task_id,stream_id,block_dim,full_kernel_name,op_name\n1,9,32,Default/Cast-op1,Default/Cast-op1\n";
    let (found, told) = tables_of(&[("framework_raw_0.csv", own.as_bytes()), files[2]]);
    assert_eq!((found.len(), found[0].rows.len(), told[0].0), (1, 1, Code::RepeatedTimeline));
    // Records of other content have such names, too.
    for (name, text) in [(name(TASKS, 0), "\u{1}\u{2}\n"), ("notes.txt".to_owned(), tasks)] {
        let verdict = MindSporeTables.sniff(&name, Head { bytes: text.as_bytes(), whole: true });
        assert!(matches!(verdict, Verdict::No(_)), "{name}: {verdict:?}");
    }
}
