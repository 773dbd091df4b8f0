//! Secrets in real traces: reported by their names, and absent from all reports.

use stepscope::Code;
use stepscope_format::secrets::{CopyMask, has};
use stepscope_tests::files::{load_file, real_traces, text_of};

#[test]
fn a_token_in_the_environment_of_real_traces_is_told_and_masked() {
    let Some(folder) = real_traces() else { return };
    for name in ["h100_bert", "h100_qwen", "mi300_qwen", "h100_timesformer"] {
        let path = folder.join(format!("pytorch/{name}.json.gz"));
        let loaded = load_file(name, &std::fs::read(&path).expect("a trace"), 1 << 20).expect("a trace");
        let found = loaded.warnings.iter().find(|warning| warning.code == Code::Secrets).expect("a warning");
        assert_eq!((found.example.as_str(), found.count), ("HF_TOKEN", 1), "{name}");
        assert!(loaded.trace.strings.map(|text| has(text.as_bytes())).iter().all(|has| !has), "{name}");
        // A copy has the same bytes but for these.
        let text = text_of(&path);
        let (mut mask, mut copy) = (CopyMask::default(), Vec::new());
        mask.push(&text, &mut copy, &mut ());
        mask.finish(&mut copy, &mut ());
        let changed: Vec<usize> = (0..text.len()).filter(|at| text[*at] != copy[*at]).collect();
        let (first, last) = (changed[0], changed[changed.len() - 1]);
        assert_eq!((copy.len(), last - first + 1), (text.len(), changed.len()), "{name}: one value");
        assert!(text[first..].starts_with(b"hf_"), "{name}");
    }
}

/// Names that only look like secrets are not: names of functions and kernels, packages, sources.
#[test]
fn other_real_traces_hold_none() {
    let Some(folder) = real_traces() else { return };
    for name in
        ["a100_rank0of2_nccl", "v100_rank1of2_test", "mi300_vllm_piecewise", "mtia_inference", "mi300_resnet_rank0of8"]
    {
        let path = folder.join(format!("pytorch/{name}.json.gz"));
        let (mut mask, mut copy) = (CopyMask::default(), Vec::new());
        mask.push(&text_of(&path), &mut copy, &mut ());
        mask.finish(&mut copy, &mut ());
        assert_eq!(mask.found().list(), "", "{name}");
    }
}

/// Traces of VizTracer carry the source code that ran.
#[test]
fn source_code_holds_none() {
    let Some(folder) = real_traces() else { return };
    for name in ["ring_buffer", "small"] {
        let path = folder.join(format!("generated/viztracer/{name}.json.gz"));
        let (mut mask, mut copy) = (CopyMask::default(), Vec::new());
        mask.push(&text_of(&path), &mut copy, &mut ());
        mask.finish(&mut copy, &mut ());
        assert_eq!(mask.found().list(), "", "{name}");
    }
}
