//! The members around the list of events: devices, ranks, the clock's base, facts.

use serde_json::Value;

use stepscope_base::{Code, Warnings};
use stepscope_trace::{Device, Distributed, Group, Meta};

/// The longest text kept as a fact.
const LONGEST_FACT: usize = 200;

/// Takes one member of the outer object.
pub(super) fn read(meta: &mut Meta, warnings: &mut Warnings, key: &str, text: &[u8], position: u64) {
    let Ok(value) = serde_json::from_slice::<Value>(text) else {
        warnings.add(Code::MalformedMetadata, Some(position), || key.to_owned());
        return;
    };
    match (key, &value) {
        ("deviceProperties", Value::Array(devices)) => meta.devices = devices.iter().map(device).collect(),
        ("distributedInfo", Value::Object(_)) => meta.distributed = distributed(&value),
        ("baseTimeNanoseconds", _) => meta.origin_unix_ns = integer(&value),
        ("ERROR", Value::Array(errors)) if !errors.is_empty() => {
            let first = errors.first().and_then(Value::as_str).unwrap_or_default().chars().take(LONGEST_FACT).collect();
            warnings.add_many(Code::ProfilerErrors, errors.len() as u64, Some(position), || first);
        }
        ("displayTimeUnit", _) => {}
        ("pytorch_version" | "torch_version", Value::String(version)) => {
            version.clone_into(&mut meta.framework_version);
        }
        (_, Value::String(fact)) => meta.facts.push((key.to_owned(), fact.chars().take(LONGEST_FACT).collect())),
        (_, Value::Number(fact)) => meta.facts.push((key.to_owned(), fact.to_string())),
        (_, Value::Bool(fact)) => meta.facts.push((key.to_owned(), fact.to_string())),
        _ => {}
    }
}

/// The framework and its version, from the member in this tool's exports.
pub(super) fn exported(member: &[u8]) -> Option<(String, String)> {
    let value: Value = serde_json::from_slice(member).ok()?;
    Some((text(&value, "framework"), text(&value, "framework_version")))
}

fn device(value: &Value) -> Device {
    let number = |key: &str| value.get(key).and_then(integer);
    let small = |key: &str| number(key).and_then(|number| u32::try_from(number).ok());
    let bytes = |key: &str| value.get(key).and_then(unsigned);
    Device {
        id: number("id").unwrap_or_default(),
        name: text(value, "name"),
        memory_bytes: bytes("totalGlobalMem").or_else(|| bytes("maxMemAllocSize")),
        capability: small("computeMajor").zip(small("computeMinor")),
        multiprocessors: small("numSms").or_else(|| small("maxComputeUnits")),
        warp_size: small("warpSize"),
        max_threads_per_multiprocessor: small("maxThreadsPerMultiprocessor"),
        max_threads_per_block: small("maxThreadsPerBlock").or_else(|| small("maxWorkGroupSize")),
        registers_per_multiprocessor: small("regsPerMultiprocessor"),
        shared_memory_per_multiprocessor: bytes("sharedMemPerMultiprocessor")
            .or_else(|| bytes("maxSharedMemoryPerMultiProcessor")),
        shared_memory_per_block: bytes("sharedMemPerBlockOptin").or_else(|| bytes("sharedMemPerBlock")),
    }
}

fn distributed(value: &Value) -> Distributed {
    let number = |key: &str| value.get(key).and_then(unsigned);
    let groups = value.get("pg_config").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    Distributed {
        rank: number("rank"),
        world_size: number("world_size"),
        backend: text(value, "backend"),
        groups: groups.iter().filter(|group| group.is_object()).map(group).collect(),
    }
}

fn group(value: &Value) -> Group {
    let ranks = value.get("ranks").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    Group {
        name: text(value, "pg_name"),
        description: text(value, "pg_desc"),
        ranks: ranks.iter().filter_map(Value::as_u64).collect(),
    }
}

/// An integer, which may be quoted.
fn integer(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.trim().parse().ok())
}

/// An unsigned integer: exports use all 64 bits for values of other formats.
fn unsigned(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.trim().parse().ok())
}

fn text(value: &Value, key: &str) -> String {
    value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}
