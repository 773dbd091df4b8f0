//! Both exports, with small files; whole runs are fixtures.

use crate::reader::Reader;
use crate::{Head, Verdict};
use stepscope_base::{Code, Nanos, Warning};
use stepscope_input::Loader;
use stepscope_trace::{Class, Layer, RawId, Trace};

fn read(text: &[u8]) -> (Trace, Vec<Warning>) {
    let mut loader = Loader::new("test");
    loader.space(text.len()).copy_from_slice(text);
    loader.advance(text.len()).expect("a trace");
    let loaded = loader.finish().expect("a trace");
    (loaded.trace, loaded.warnings)
}

fn chrome(events: &str) -> (Trace, Vec<Warning>) {
    read(format!(r#"{{"span_index": "0", "traceEvents": [{events}, {{}}]}}"#).as_bytes())
}

fn slice(category: &str, name: &str, thread: &str, start: &str, end: &str) -> String {
    format!(
        r#"{{"ph":"X","cat":"{category}","name":"{name}[1.000 us]","pid":1,"tid":"{thread}","ts":7,"dur":1,
            "args":{{"start_time":"{start} us","end_time":"{end} us"}}}}"#
    )
}

#[test]
fn rows_of_a_thread_are_one_and_nest() {
    let (trace, _) = chrome(
        &[
            slice("Forward", "Linear", "12(Python)", "0.000", "9.000"),
            slice("Operator", "matmul dygraph", "12(C++)", "1.000", "8.000"),
            slice("PythonUserDefined", "mine", "12(Python)", "2.000", "3.000"),
        ]
        .join(","),
    );
    assert_eq!(trace.tracks.len(), 1);
    assert_eq!((trace.tracks[0].thread, trace.tracks[0].layer), (RawId::Number(12), Layer::Host));
    let drawn: Vec<(&str, Class, u16)> =
        trace.slices.ids().map(|id| (trace.name_of(id), trace.slices.class(id), trace.slices.depth(id))).collect();
    let expected =
        [("Linear", Class::Annotation, 0), ("matmul dygraph", Class::Operator, 1), ("mine", Class::Annotation, 2)];
    assert_eq!(drawn, expected);
}

#[test]
fn every_category_is_known() {
    let classes = [
        ("Operator", Class::Operator),
        ("PythonOp", Class::Operator),
        ("Communication", Class::Operator),
        ("ProfileStep", Class::Annotation),
        ("OperatorInner", Class::Annotation),
        ("StaticKernelLaunch", Class::Annotation),
        ("UserDefined", Class::Annotation),
        ("CudaRuntime", Class::RuntimeCall),
        ("Kernel", Class::Kernel),
        ("Memcpy", Class::Memcpy),
        ("Memset", Class::Memset),
        ("Unknown", Class::Other),
    ];
    for (category, class) in classes {
        let (trace, _) = chrome(&slice(category, "x", "1(C++)", "0.000", "1.000"));
        let id = trace.slices.ids().next().expect("a slice");
        assert_eq!((trace.slices.class(id), trace.category_of(id)), (class, category));
    }
}

#[test]
fn coarse_times_are_told() {
    let told = |end: &str| {
        let (_, warnings) = chrome(&slice("Operator", "x", "1(C++)", "0.000", end));
        warnings.iter().any(|warning| warning.code == Code::CoarseTimes)
    };
    assert!(!told("8388607.500") && told("8388608.000"));
}

#[test]
fn a_trace_without_an_epoch_has_no_absolute_time() {
    let (trace, _) = chrome(&slice("Operator", "x", "1(C++)", "3.000", "4.000"));
    assert_eq!(trace.meta.origin_unix_ns, None);
    assert_eq!(trace.slices.length(trace.slices.ids().next().expect("a slice")), Nanos(1_000));
}

#[test]
fn detection_goes_by_content_and_wants_more_of_a_short_beginning() {
    let chrome = |bytes: &[u8], whole: bool| super::Paddle.sniff("", Head { bytes, whole });
    assert_eq!(chrome(b"\n {\"schemaVersion\": \"1.0.2\", \"span_indx\": \"0\"", false), Verdict::Yes);
    assert_eq!(chrome(b"{\"schemaVersion\"", false), Verdict::NeedMore);
    assert!(matches!(chrome(b"{\"schemaVersion\"", true), Verdict::No(_)));
    let binary = |bytes: &[u8], whole: bool| super::PaddleProtobuf.sniff("", Head { bytes, whole });
    let start = b"\x0a\x051.0.2\x10\x96\x01\x1a";
    for end in 0..start.len() {
        assert_eq!(binary(&start[..end], false), Verdict::NeedMore, "{end} bytes");
        assert!(matches!(binary(&start[..end], true), Verdict::No(_)), "{end} bytes");
    }
    assert_eq!(binary(start, false), Verdict::Yes);
    for other in [
        &b"{\"a\": 1}"[..],
        b"\x0a\x05hello\x10\x00\x1a",
        b"\x0a\x7f1.0",
        b"\x0a\x051.0.2\x12\x00\x1a",
        b"\x1f\x8b\x08",
    ] {
        assert!(matches!(binary(other, false), Verdict::No(_)), "{other:?}");
    }
}

proptest::proptest! {
    #[test]
    fn any_bytes_behind_a_version_are_survived(rest in proptest::collection::vec(proptest::num::u8::ANY, 0..400)) {
        let mut file = b"\x0a\x051.0.2\x10\x00\x1a".to_vec();
        file.extend(rest);
        for chunk in [1, 5, file.len()] {
            let mut loader = Loader::new("test");
            for piece in file.chunks(chunk) {
                loader.space(piece.len()).copy_from_slice(piece);
                let _ = loader.advance(piece.len());
            }
            let _ = loader.finish();
        }
    }
}
