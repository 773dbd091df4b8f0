//! Splits a wasm module into three: one with which the page starts, and two parts that are loaded on demand.
//!
//! All of them share memory, tables and globals, so that no data has to be copied between them. In the first module,
//! a moved function loads its part, if that is not loaded, and calls the function in the table:
//!
//! ```text
//! first   (func $moved (param …) (if (i32.eqz (global.get $here)) (then (call $load_seldom))) (call_indirect (local.get …) …))
//! seldom  (elem (table 0) (i32.const …) $moved …)          puts itself there, and calls the first one's by the same table
//! ```
//!
//! No other function changes by a byte. A [`Part`] lists the moved paths; functions that only these call are moved,
//! too. Parts are taken out one after the other: functions that both parts call stay in the first module, or move
//! with the last part.

mod code;
mod module;

use std::collections::{BTreeMap, HashMap, HashSet};

use self::code::{Uses, uses_of};
use self::module::{HEADER, Module, Signature, id, put, put_section, put_signed, put_vector};
use crate::shell::Result;

/// A part that is loaded on demand.
struct Part {
    /// Its name. The wasm exports `load_NAME`, which makes JavaScript load the part. The first module exports
    /// `NAME_here`, which becomes 1 once it is loaded, for `www/js/shared/wasm.js`. For the part, it exports each
    /// table and each global as `NAME_table_N` and `NAME_global_N`.
    name: &'static str,
    /// The paths of moved functions.
    paths: &'static [&'static str],
}

/// The parts, in the order in which they are taken out.
const PARTS: [Part; 2] = [Part { name: "output", paths: OUTPUT }, Part { name: "seldom", paths: SELDOM }];

/// The module name of a part's imports.
const FIRST: &str = "first";

/// Paths of modules and functions that the page does not need at its start.
///
/// A trace of PyTorch or Chrome from a single file, plain or gzip, is opened and viewed without these
/// (`tests/web/seldom.test.mjs`). A path includes all functions whose names begin with it, so that it may be that of
/// a folder.
const SELDOM: &[&str] = &[
    // Other producers' files.
    "stepscope_read::cupti",
    "stepscope_read::mindspore",
    "stepscope_read::mindspore_tables",
    "stepscope_read::native",
    "stepscope_read::nsys",
    "stepscope_read::nvprof",
    "stepscope_read::nvvp",
    "stepscope_read::paddle",
    "stepscope_read::v8_cpuprofile",
    // Samples of V8 in a Chrome trace.
    "stepscope_read::chrome::samples::Samples>::chunk",
    "stepscope_format::compact",
    "stepscope_format::raw",
    "stepscope_parse::rows",
    "stepscope_parse::sqlite",
    "stepscope_parse::tree",
    "stepscope_parse::document::Document>::repair",
    "stepscope_parse::repair",
    "stepscope_analyze::cuda_gaps::gaps",
    "stepscope_analyze::graphs::graphs",
    "stepscope_analyze::mindspore::get_next_ahead",
    "stepscope_analyze::steps::repeating",
    "stepscope_analyze::mindspore::operators::aicore_operators",
    "stepscope_analyze::mindspore::operators::aicore_types",
    "stepscope_analyze::mindspore::operators::aicpu",
    "stepscope_analyze::mindspore::operators::aicpu_operators",
    "stepscope_analyze::mindspore::operators::aicpu_types",
    "stepscope_analyze::mindspore::operators::host_operators",
    "stepscope_analyze::mindspore::operators::host_types",
    "stepscope_analyze::mindspore::operators_table",
    "stepscope_analyze::mindspore::pipeline::Pipeline",
    "stepscope_analyze::mindspore::pipeline::PipelineOperator",
    "stepscope_analyze::mindspore::pipeline::pipeline",
    "stepscope_analyze::advice::recorded::data_processing",
    "stepscope_analyze::advice::recorded::data_transmission",
    "stepscope_analyze::advice::recorded::empty_source",
    "stepscope_analyze::advice::recorded::get_next",
    "stepscope_analyze::advice::recorded::pipeline_bottleneck",
    "stepscope_analyze::advice::recorded::processor_busy",
    "stepscope_analyze::advice::recorded::processor_few_threads",
    "stepscope_analyze::advice::recorded::processor_many_threads",
    "stepscope_analyze::advice::recorded::slow_unit",
    "stepscope_analyze::advice::table_advice",
    "stepscope_export::report_json::mindspore",
    "stepscope_export::report_json::recorded",
    "stepscope_base::rejection::RejectionReason>::describe",
    "ruzstd",
    "stepscope_input::tar::list",
    "stepscope_input::zip::list",
    // For several ranks.
    "stepscope_analyze::advice::job",
    "stepscope_analyze::advice::job_advice",
    "stepscope_analyze::advice::judgement::Judgement>::among_ranks",
    "stepscope_analyze::rank::all_runs",
    "stepscope_analyze::rank::runs_of",
    "stepscope_analyze::budget::job",
    "stepscope_analyze::budget::late",
    "stepscope_analyze::cluster",
    "stepscope_analyze::mindspore::cluster::Cluster",
    "stepscope_analyze::mindspore::cluster::cluster_of_tables",
    "stepscope_analyze::mindspore::cluster_table",
    "stepscope_export::report_json::digest",
    "stepscope_export::report_json::job",
    "stepscope_export::report_json::not_a_job",
    "stepscope_export::report_json::peers",
    "stepscope_export::report_json::runs",
    "stepscope_present::budget::rank_cause_sentence",
    "stepscope_present::budget::longer_compute_sentence",
    "stepscope_present::budget::slow_alone_sentence",
    "stepscope_present::budget::split_sentence",
    "session_runs",
    // On request of the user.
    "stepscope_analyze::advice::tensorboard",
    "stepscope_analyze::call_tree",
    "std::sync::once_lock::OnceLock<stepscope_analyze::host_threads",
    "stepscope_export::report_json::call_tree",
    "stepscope_analyze::compare",
    "stepscope_analyze::definitions::hta",
    "stepscope_analyze::definitions::mindspore",
    "stepscope_analyze::definitions::paddle",
    "stepscope_analyze::definitions::tensorboard",
    "stepscope_analyze::definitions::tracelens",
    "stepscope_analyze::definitions::values_of_another",
    "stepscope_analyze::point_name",
    "stepscope_analyze::step_trace::named_points",
    "stepscope_analyze::steps::operator::moments",
    "stepscope_analyze::find::in_text",
    "stepscope_analyze::python_stacks",
    "stepscope_analyze::loader_queues",
    "stepscope_analyze::range",
    "stepscope_analyze::row",
    "stepscope_analyze::resources",
    "stepscope_analyze::tensorboard",
    "stepscope_export::report_json::data",
    "stepscope_export::report_json::diff",
    "stepscope_export::report_json::critical",
    "stepscope_export::report_json::diff_side",
    "stepscope_export::report_json::range",
    "stepscope_export::report_json::resources",
    "stepscope_export::report_json::row",
    // With all functions that only these call, except those that read values from rows: the compiler merges equal
    // ones of several tables.
    "stepscope_export::report_json::memory",
    "stepscope_export::report_json::parts",
    "session_compare",
    "session_compare_side",
    "session_summary_json",
];

/// The same for output: exports, reports, tables in other tools' layouts, and masks of secrets.
const OUTPUT: &[&str] = &[
    "stepscope_analyze::paddle",
    "stepscope_export::perfetto",
    "stepscope_format::secrets::copy",
    "stepscope_format::secrets::lines",
    "stepscope_report",
    "stepscope_style",
    "mask_secrets",
    "secretmask_finish",
    "secretmask_new",
    "secretmask_push",
    "session_as_printed",
    "session_export_begin",
    "session_export_rank",
    "stepscope::web::secrets",
    "stepscope::web::style",
];

/// Functions below these paths that stay, with all that they call.
const PINNED: &[&str] = &[
    // The available tabs.
    "stepscope_analyze::call_tree::has_call_tree",
    "stepscope_analyze::call_tree::grouping::call_groupings",
    "stepscope_analyze::call_tree::grouping::CallGrouping",
    // For single ranks, too.
    "stepscope_analyze::cluster::operation",
    "stepscope_analyze::cluster::recorded",
    // For the budget, too.
    "stepscope_analyze::resources::full_name",
    "stepscope_analyze::resources::has_resources",
    "stepscope_export::report_json::data::has_data",
    // For a range of time, too.
    "stepscope_export::report_json::memory::MemoryLevelReport",
];

/// Functions called by pinned ones that are moved nevertheless: only some kinds of files need them.
const BELOW: &[&str] = &["stepscope_parse::sqlite"];

/// All methods of readers stay, too: format detection calls each of them.
const READER: &str = " as stepscope_read::reader::Reader>::";

/// The modules after the split.
pub(super) struct Split {
    pub(super) first: Vec<u8>,
    /// The parts, with their names.
    pub(super) parts: Vec<(&'static str, Vec<u8>)>,
}

/// A module without its names, which are a fifth of its size.
pub(super) fn without_names(wasm: &[u8]) -> Result<Vec<u8>> {
    let mut out = HEADER.to_vec();
    for (id, section) in Module::read(wasm)?.sections {
        out.push(id);
        put_vector(&mut out, section);
    }
    Ok(out)
}

/// Splits a module with names.
pub(super) fn split(wasm: &[u8]) -> Result<Split> {
    let names = Module::read(wasm)?.names;
    let mut first = wasm.to_vec();
    let mut parts = Vec::new();
    // Functions that only stay because the parts before need them.
    let mut called_back: HashSet<u32> = HashSet::new();
    for part in &PARTS {
        // Functions keep their numbers.
        let module = Module { names: names.clone(), ..Module::read(&first)? };
        let plan = Plan::of(&module, part, &called_back)?;
        let own = plan.called_back.keys().copied();
        let own: Vec<u32> = own.filter(|function| !module.elements.contains(function)).collect();
        parts.push((part.name, plan.part()?));
        let rest = plan.first()?;
        called_back.extend(own);
        first = rest;
    }
    Ok(Split { first, parts })
}

/// Whether a function is moved, by its name: one in a moved module, or of a type in it. Other functions with such
/// types move only if no other function calls them, since compilers merge equal functions.
fn is_of(part: &Part, name: &str) -> bool {
    begins_with_one_of(part.paths, name)
}

/// Whether a function stays, with all that it calls.
fn is_pinned(name: &str) -> bool {
    without_hashes(name).contains(READER) || begins_with_one_of(PINNED, name)
}

fn begins_with_one_of(paths: &[&str], name: &str) -> bool {
    let name = without_hashes(name);
    // A type's method is written `<path::Type>::method` or `<path::Type as Trait>::method`.
    let name = name.trim_start_matches(['<', '&']);
    let ends = |rest: &str| !rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_');
    paths.iter().any(|path| name.strip_prefix(path).is_some_and(ends))
}

/// A name without the numbers that distinguish crates of the same name: `stepscope[7614419ec7b94c43]::web` as
/// `stepscope::web`.
fn without_hashes(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    while let Some((before, after)) = rest.split_once('[') {
        out.push_str(before);
        match after.split_once(']') {
            Some((hash, after)) if hash.len() > 8 && hash.bytes().all(|letter| letter.is_ascii_hexdigit()) => {
                rest = after;
            }
            _ => {
                out.push('[');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

impl Part {
    /// The name of one of its exports.
    fn exported(&self, before: &str, after: &str) -> String {
        [before, self.name, after].concat()
    }
}

/// The place of each function after the split.
struct Plan<'a> {
    module: &'a Module<'a>,
    part: &'a Part,
    /// The references of each function that is not imported.
    uses: Vec<Uses>,
    /// Whether each function stays in the first module.
    stays: Vec<bool>,
    /// Functions that stay and are called from the part, with their indices in the table.
    called_back: BTreeMap<u32, usize>,
    /// Functions that are moved and called from the first module, with their indices in the table.
    called: BTreeMap<u32, usize>,
    /// The resulting length of the table.
    table: usize,
    load: u32,
}

impl<'a> Plan<'a> {
    /// `called_back` are functions that are in a table only for the parts before: these need not stay.
    fn of(module: &'a Module<'a>, part: &'a Part, called_back: &HashSet<u32>) -> Result<Self> {
        if module.names.is_empty() {
            return Err("wasm: it has no names of functions to split it by".to_owned());
        }
        let uses: Vec<Uses> = module.bodies.iter().map(|body| uses_of(body)).collect::<Result<_>>()?;
        let load = module.exported(&part.exported("load_", ""))?;
        let of = |function: u32| (function as usize).checked_sub(module.imported).map(|index| &uses[index]);
        let named = |is: &dyn Fn(&str) -> bool| -> Vec<u32> {
            module.names.iter().filter(|(_, name)| is(name)).map(|(function, _)| *function).collect()
        };
        let below: HashSet<u32> = named(&|name| begins_with_one_of(BELOW, name)).into_iter().collect();
        let pinned = reached(module, &uses, named(&is_pinned), |function| below.contains(&function));
        let seldom: HashSet<u32> =
            named(&|name| is_of(part, name)).into_iter().filter(|function| !pinned[*function as usize]).collect();
        let exported = || module.exports.iter().filter(|(_, kind, _)| *kind == 0).map(|(.., function)| *function);
        let outside: Vec<u32> = exported().chain(module.start).chain(module.elements.iter().copied()).collect();
        let rooted = outside.iter().copied().filter(|function| !called_back.contains(function));
        let mut open: Vec<u32> = (0..module.imported as u32).chain(rooted).collect();
        // Including those of the other parts.
        open.extend(PARTS.iter().map(|part| module.exported(&part.exported("load_", ""))).collect::<Result<Vec<_>>>()?);
        open.extend(uses.iter().flat_map(|uses| uses.references.iter().copied()));
        open.extend((0..pinned.len() as u32).filter(|function| pinned[*function as usize]));
        let stays = reached(module, &uses, open, |function| seldom.contains(&function));
        if !stays[load as usize] {
            return Err(format!("wasm: what loads {} is moved itself", part.name));
        }
        let calls_of = |staying: bool| {
            let stays = &stays;
            (0..module.functions.len() as u32)
                .filter(move |function| stays[*function as usize] == staying)
                .filter_map(of)
                .flat_map(|uses| uses.calls.iter().map(|call| call.function))
                .filter(move |function| stays[*function as usize] != staying)
                .collect::<Vec<_>>()
        };
        let mut table = module.tables.first().ok_or("wasm: it has no table")?.limits.least as usize;
        let mut place = |functions: Vec<u32>| {
            let mut places: BTreeMap<u32, usize> = functions.into_iter().map(|function| (function, 0)).collect();
            for place in places.values_mut() {
                *place = table;
                table += 1;
            }
            places
        };
        let called_back = place(calls_of(false));
        let moved = outside.iter().copied().filter(|function| !stays[*function as usize]);
        let called = place(calls_of(true).into_iter().chain(moved).collect());
        Ok(Self { module, part, uses, stays, called_back, called, table, load })
    }

    fn signature(&self, function: u32) -> &Signature<'a> {
        &self.module.types[self.module.functions[function as usize] as usize]
    }

    /// Functions that are not imported, in order.
    fn own(&self) -> impl Iterator<Item = u32> + '_ {
        self.module.imported as u32..self.module.functions.len() as u32
    }

    fn first(&self) -> Result<Vec<u8>> {
        let Module { sections, tables, globals, exports, bodies, .. } = self.module;
        if self.signature(self.load).text != [0x60, 0, 0] {
            return Err(format!("wasm: what loads {} takes or gives something", self.part.name));
        }
        let mut out = HEADER.to_vec();
        let mut has_elements = false;
        for (id, section) in sections {
            // Its own content follows its count.
            let items = {
                let mut items = module::Bytes::new(section);
                if matches!(*id, id::GLOBAL | id::EXPORT | id::ELEMENT) {
                    items.skip_number()?;
                }
                items.at
            };
            let mut written = section[items..].to_vec();
            match *id {
                id::TABLE => {
                    let mut all = Vec::new();
                    for (number, table) in tables.iter().enumerate() {
                        let more = if number == 0 { self.table - table.limits.least as usize } else { 0 };
                        all.extend([table.kind, u8::from(table.limits.most.is_some())]);
                        put(&mut all, table.limits.least as usize + more);
                        if let Some(most) = table.limits.most {
                            put(&mut all, most as usize + more);
                        }
                    }
                    put_section(&mut out, *id, tables.len(), &all);
                }
                id::GLOBAL => {
                    // A mutable number, initially zero.
                    written.extend([0x7f, 1, 0x41, 0, 0x0b]);
                    put_section(&mut out, *id, globals.len() + 1, &written);
                }
                id::EXPORT => {
                    let mut export = |name: &str, kind: u8, index: usize| {
                        put_vector(&mut written, name.as_bytes());
                        written.push(kind);
                        put(&mut written, index);
                    };
                    export(&self.part.exported("", "_here"), 3, globals.len());
                    for table in 0..tables.len() {
                        export(&self.part.exported("", &format!("_table_{table}")), 1, table);
                    }
                    for global in 0..globals.len() {
                        export(&self.part.exported("", &format!("_global_{global}")), 3, global);
                    }
                    put_section(&mut out, *id, exports.len() + 1 + tables.len() + globals.len(), &written);
                }
                id::ELEMENT => {
                    has_elements = true;
                    let (count, _) = counted(section)?;
                    let all: Vec<u32> = self.called_back.keys().copied().collect();
                    if let Some(place) = self.called_back.values().next() {
                        put_elements(&mut written, *place, &all);
                    }
                    put_section(&mut out, *id, count + usize::from(!all.is_empty()), &written);
                }
                id::CODE => {
                    let mut all = Vec::new();
                    for (function, body) in self.own().zip(bodies) {
                        match self.called.get(&function) {
                            _ if self.stays[function as usize] => put_vector(&mut all, body),
                            Some(place) => put_vector(&mut all, &self.stub(function, *place)),
                            // No locals; unreachable, end.
                            None => put_vector(&mut all, &[0, 0, 0x0b]),
                        }
                    }
                    put_section(&mut out, *id, bodies.len(), &all);
                }
                _ => {
                    out.push(*id);
                    put_vector(&mut out, section);
                }
            }
        }
        if has_elements { Ok(out) } else { Err("wasm: nothing is in its table".to_owned()) }
    }

    /// A body that loads the part unless it is loaded, and calls its function with the same parameters.
    fn stub(&self, function: u32, place: usize) -> Vec<u8> {
        // No locals; global.get, i32.eqz, if of no type, call
        let mut body = vec![0, 0x23];
        put(&mut body, self.module.globals.len());
        body.extend([0x45, 0x04, 0x40, 0x10]);
        put(&mut body, self.load as usize);
        body.push(0x0b);
        for parameter in 0..self.signature(function).parameters {
            body.push(0x20);
            put(&mut body, parameter as usize);
        }
        put_indirect(&mut body, place, self.module.functions[function as usize]);
        body.push(0x0b);
        body
    }

    fn part(&self) -> Result<Vec<u8>> {
        let Module { sections, tables, globals, functions, .. } = self.module;
        let moved: Vec<u32> = self.own().filter(|function| !self.stays[*function as usize]).collect();
        let numbers: HashMap<u32, usize> =
            moved.iter().enumerate().map(|(number, function)| (*function, number)).collect();
        let mut out = HEADER.to_vec();
        let types = sections.iter().find(|(id, _)| *id == id::TYPE).ok_or("wasm: it has no types")?;
        out.push(id::TYPE);
        put_vector(&mut out, types.1);

        let mut imports = Vec::new();
        let mut import = |name: &str, what: &[u8]| {
            put_vector(&mut imports, FIRST.as_bytes());
            put_vector(&mut imports, name.as_bytes());
            imports.extend_from_slice(what);
        };
        // A memory of any size; the table of functions, of as many as there are.
        import("memory", &[2, 0, 0]);
        for (number, table) in tables.iter().enumerate() {
            let mut what = vec![1, table.kind, 0];
            put(&mut what, if number == 0 { self.table } else { table.limits.least as usize });
            import(&self.part.exported("", &format!("_table_{number}")), &what);
        }
        for (number, [kind, changes]) in globals.iter().enumerate() {
            import(&self.part.exported("", &format!("_global_{number}")), &[3, *kind, *changes]);
        }
        put_section(&mut out, id::IMPORT, 1 + tables.len() + globals.len(), &imports);

        let mut own_types = Vec::new();
        let mut code = Vec::new();
        for function in &moved {
            put(&mut own_types, functions[*function as usize] as usize);
            put_vector(&mut code, &self.moved_body(*function, &numbers)?);
        }
        put_section(&mut out, id::FUNCTION, moved.len(), &own_types);
        let mut elements = Vec::new();
        if let Some(place) = self.called.values().next() {
            let all: Vec<u32> = self.called.keys().map(|function| numbers[function] as u32).collect();
            put_elements(&mut elements, *place, &all);
            put_section(&mut out, id::ELEMENT, 1, &elements);
        }
        put_section(&mut out, id::CODE, moved.len(), &code);
        Ok(out)
    }

    /// A body with its calls changed for the part.
    fn moved_body(&self, function: u32, numbers: &HashMap<u32, usize>) -> Result<Vec<u8>> {
        let body = self.module.body(function).ok_or("wasm: an imported function is moved")?;
        let mut out = Vec::with_capacity(body.len());
        let mut at = 0;
        for call in &self.uses[function as usize - self.module.imported].calls {
            out.extend_from_slice(&body[at..call.from]);
            at = call.to;
            if let Some(place) = self.called_back.get(&call.function) {
                put_indirect(&mut out, *place, self.module.functions[call.function as usize]);
            } else {
                out.push(0x10);
                put(&mut out, numbers[&call.function]);
            }
        }
        out.extend_from_slice(&body[at..]);
        Ok(out)
    }
}

/// Whether each function is one of the given ones, or called by a reached one; left-out functions are not followed.
fn reached(module: &Module<'_>, uses: &[Uses], mut open: Vec<u32>, is_left_out: impl Fn(u32) -> bool) -> Vec<bool> {
    let mut reached = vec![false; module.functions.len()];
    while let Some(function) = open.pop() {
        if is_left_out(function) || std::mem::replace(&mut reached[function as usize], true) {
            continue;
        }
        let own = (function as usize).checked_sub(module.imported).map(|index| &uses[index]);
        open.extend(own.into_iter().flat_map(|uses| uses.calls.iter().map(|call| call.function)));
    }
    reached
}

/// Calls the function at an index of the table.
fn put_indirect(out: &mut Vec<u8>, place: usize, kind: u32) {
    out.push(0x41);
    put_signed(out, place);
    out.push(0x11);
    put(out, kind as usize);
    out.push(0);
}

/// Puts functions into the table, one after the other.
fn put_elements(out: &mut Vec<u8>, place: usize, functions: &[u32]) {
    out.extend([0, 0x41]);
    put_signed(out, place);
    out.push(0x0b);
    put(out, functions.len());
    for function in functions {
        put(out, *function as usize);
    }
}

/// The number of items in a section, and the items.
fn counted(section: &[u8]) -> Result<(usize, &[u8])> {
    let mut items = module::Bytes::new(section);
    let count = items.number()? as usize;
    Ok((count, &section[items.at..]))
}

#[cfg(test)]
mod tests;
