#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| stepscope_fuzz::check("trace", data));
