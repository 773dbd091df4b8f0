//! An unchanged script without any recorder: its ranges are recorded through the injection library, in the processes
//! that it forks, too. It runs only if that library was built and Python has `nvtx`.

use std::process::Command;

use crate::support::{Run, folder, injection_library, program, read};

const SCRIPT: &str = "
import multiprocessing, nvtx, time
def work(item):
    with nvtx.annotate('work'):
        time.sleep(0.005)
if __name__ == '__main__':
    for step in range(3):
        with nvtx.annotate('step'):
            time.sleep(0.002)
    with multiprocessing.get_context('fork').Pool(2) as pool:
        pool.map(work, range(6))
";

#[test]
fn an_unchanged_script_s_ranges_are_recorded() {
    let python = std::env::var("STEPSCOPE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has_nvtx = Command::new(&python).args(["-c", "import nvtx"]).output().is_ok_and(|ran| ran.status.success());
    let (true, Some(library)) = (has_nvtx, injection_library()) else {
        eprintln!("SKIPPED: no injection library was built, or {python} has no nvtx");
        return;
    };
    let folder = folder("nvtx");
    let script = folder.join("train.py");
    std::fs::write(&script, SCRIPT).expect("a script");
    let mut command = program();
    command.current_dir(&folder).env("STEPSCOPE_LIBRARY", library);
    let run = Run::of(command.args(["record", "--", &python]).arg(&script));
    assert_eq!(run.code, Some(0), "{}", run.err);
    let trace = read(&folder.join("train.stepscope"));
    // Ranges may have their domain before their name.
    let count = |name: &str| trace.slices.ids().filter(|id| trace.name_of(*id).ends_with(name)).count();
    assert_eq!((count("step"), count("work")), (3, 6), "{}", run.err);
    assert!(run.err.contains("work"), "{}", run.err);
}
