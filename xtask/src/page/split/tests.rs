use super::module::{Module, id, put, put_section, put_vector};
use super::{HEADER, PARTS, is_of, is_pinned, split, without_names};
use crate::setup;
use crate::shell::{capture, command};

/// A module of five functions: `run(x)` is `seldom(stays(x))`, `seldom(x)` is `inner(stays(x)) + 4`, `inner(x)` is
/// `x + 1`, `stays(x)` is `2 x`. The loading function adds 100 to an exported global.
fn sample() -> Vec<u8> {
    let mut out = HEADER.to_vec();
    put_section(&mut out, id::TYPE, 2, &[0x60, 0, 0, 0x60, 1, 0x7f, 1, 0x7f]);
    put_section(&mut out, id::IMPORT, 1, b"\x03out\x04load\0\0");
    put_section(&mut out, id::FUNCTION, 5, &[0, 1, 1, 1, 1]);
    // The second table has JavaScript values, whose number a moved function reads.
    put_section(&mut out, id::TABLE, 2, &[0x70, 1, 2, 2, 0x6f, 0, 4]);
    put_section(&mut out, 5, 1, &[0, 1]);
    put_section(&mut out, id::GLOBAL, 1, &[0x7f, 1, 0x41, 0, 0x0b]);
    let exports = b"\x06memory\x02\0\x0bload_seldom\0\x01\x0bload_output\0\x01\x03run\0\x02\x05loads\x03\0";
    put_section(&mut out, id::EXPORT, 5, exports);
    // `seldom` is in the table.
    put_section(&mut out, id::ELEMENT, 1, &[0, 0x41, 1, 0x0b, 1, 3]);
    let bodies: [&[u8]; 5] = [
        &[0, 0x10, 0, 0x23, 0, 0x41, 0xe4, 0, 0x6a, 0x24, 0, 0x0b],
        &[0, 0x20, 0, 0x10, 5, 0x10, 3, 0x0b],
        &[0, 0x20, 0, 0x10, 5, 0x10, 4, 0xfc, 0x10, 1, 0x6a, 0x0b],
        &[0, 0x20, 0, 0x41, 1, 0x6a, 0x0b],
        &[0, 0x20, 0, 0x41, 2, 0x6c, 0x0b],
    ];
    let mut code = Vec::new();
    for body in bodies {
        put_vector(&mut code, body);
    }
    put_section(&mut out, id::CODE, bodies.len(), &code);
    let functions = [
        (1, "load"),
        (2, "<stepscope[7614419ec7b94c43]::web::session::Session>::run"),
        (3, "stepscope_read[c1745a60d68dc195]::nsys::seldom"),
        (4, "core[c5930c85a12de822]::inner"),
        (5, "stays"),
    ];
    let mut names = Vec::new();
    put(&mut names, functions.len());
    for (function, name) in functions {
        put(&mut names, function);
        put_vector(&mut names, name.as_bytes());
    }
    let mut custom = b"\x04name\x01".to_vec();
    put_vector(&mut custom, &names);
    out.push(id::CUSTOM);
    put_vector(&mut out, &custom);
    out
}

#[test]
fn what_is_seldom_needed_is_moved_with_what_only_that_calls() {
    let sample = sample();
    let parts = split(&sample).expect("a module with names");
    let (whole, first) = (Module::read(&sample).expect("a module"), Module::read(&parts.first).expect("a module"));
    let same: Vec<bool> = whole.bodies.iter().zip(&first.bodies).map(|(body, first)| body == first).collect();
    assert_eq!(same, [true, true, false, false, true]);
    assert_eq!(first.bodies[3], [0, 0, 0x0b], "nobody there calls it");
    assert!(first.names.is_empty());
    let functions: Vec<(&str, usize)> =
        parts.parts.iter().map(|(name, part)| (*name, Module::read_imports_aside(part))).collect();
    assert_eq!(functions, [("output", 0), ("seldom", 2)]);
}

/// In Node, as in a browser: moved functions give the same results as before, and their part is loaded once, at the
/// first call.
#[test]
fn both_modules_together_do_the_same_as_the_whole_one() {
    let folder = std::env::temp_dir().join(format!("stepscope-split-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let sample = sample();
    let parts = split(&sample).expect("a module with names");
    let whole = without_names(&sample).expect("a module");
    let files = [("whole", &whole), ("first", &parts.first)];
    let named = parts.parts.iter().map(|(name, part)| (*name, part));
    for (name, wasm) in files.into_iter().chain(named) {
        std::fs::write(folder.join(name), wasm).expect("a file");
    }
    let node = setup::node().expect("Node");
    let told = capture(command(node).args(["-e", RUN]).arg(&folder)).expect("Node runs it");
    std::fs::remove_dir_all(&folder).expect("it is there");
    assert_eq!(told.trim(), "33 0 | 33 100 61 100");
}

const RUN: &str = "\
const fs = require('fs');
const read = (name) => new WebAssembly.Module(fs.readFileSync(process.argv[1] + '/' + name));
const whole = new WebAssembly.Instance(read('whole'), {out: {load() {}}}).exports;
const before = [whole.run(7), whole.loads.value];
const {exports: first} = new WebAssembly.Instance(read('first'), {out: {load() {
  new WebAssembly.Instance(read('seldom'), {first});
  first.seldom_here.value = 1;
}}});
console.log(before.join(' '), '|', first.run(7), first.loads.value, first.run(14), first.loads.value);
";

#[test]
fn a_module_without_names_or_with_what_is_unknown_is_refused() {
    let sample = sample();
    let bare = without_names(&sample).expect("a module");
    assert!(split(&bare).is_err_and(|error| error.contains("names")));
    assert!(split(&sample[..sample.len() - 40]).is_err());
    let mut atomic = sample.clone();
    let at = atomic.windows(3).position(|bytes| bytes == [0x41, 2, 0x6c]).expect("a body");
    atomic[at] = 0xfe;
    assert!(split(&atomic).is_err_and(|error| error.contains("0xfe")));
}

#[test]
fn functions_are_known_by_where_they_are_written() {
    let moved = [
        "stepscope_analyze[7614419ec7b94c43]::cluster::job_of",
        "<stepscope_read[c1745a60d68dc195]::nsys::Nsys as stepscope_read[c1745a60d68dc195]::reader::Reading>::advance",
    ];
    let pinned = [
        "<stepscope_read[c1745a60d68dc195]::nsys::Nsys as stepscope_read[c1745a60d68dc195]::reader::Reader>::sniff",
        "stepscope_analyze[7614419ec7b94c43]::cluster::operation::kind",
    ];
    let others = [
        "stepscope_analyze[7614419ec7b94c43]::clusters",
        "<[u8; 4] as core[c5930c85a12de822]::fmt::Debug>::fmt",
        // One function may stand for several with the same code.
        "<alloc[3ca501edff3f0c7c]::vec::Vec<stepscope_read[c1745a60d68dc195]::nsys::Row>>::reserve",
    ];
    for (names, expected) in [(&moved[..], (true, false)), (&pinned, (true, true)), (&others, (false, false))] {
        for name in names {
            let is_moved = PARTS.iter().any(|part| is_of(part, name));
            assert_eq!((is_moved, is_pinned(name)), expected, "{name}");
        }
    }
}

impl Module<'_> {
    /// The number of functions of a module with imports of all kinds.
    fn read_imports_aside(wasm: &[u8]) -> usize {
        let mut bytes = super::module::Bytes::new(&wasm[HEADER.len()..]);
        while !bytes.is_empty() {
            let (id, section) = (bytes.byte().expect("a section"), bytes.vector().expect("its bytes"));
            if id == id::CODE {
                return super::module::Bytes::new(section).number().expect("a count") as usize;
            }
        }
        0
    }
}
