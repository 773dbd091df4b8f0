//! Linker options of the shared library.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        // Programs may unload what they injected, but its threads, its fork handlers and its callbacks stay.
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
}
