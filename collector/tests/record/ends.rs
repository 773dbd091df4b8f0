//! How a recording ends: exit codes and signals are the command's.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::role::script;
use crate::support::{Run, folder, has_recordings, program, read, slices, until};

#[test]
fn the_command_s_end_is_passed_on() {
    let folder = folder("codes");
    for (script, code) in [("exit 0", 0), ("exit 3", 3), ("kill -TERM $$", 143), ("kill -KILL $$", 137)] {
        let run = Run::shell(&folder.join("codes.stepscope"), &["--no-summary"], script);
        assert_eq!((run.code, run.out.as_str()), (Some(code), ""), "{script}: {}", run.err);
    }
    for (command, code) in [("/no/such/program", 127), ("/etc/passwd", 126)] {
        let run = Run::of(program().current_dir(&folder).args(["record", command]));
        assert_eq!(run.code, Some(code), "{}", run.err);
        assert!(run.err.contains(command), "{}", run.err);
    }
    let left: Vec<_> = std::fs::read_dir(&folder).expect("the folder").flatten().map(|file| file.file_name()).collect();
    assert_eq!(left, ["codes.stepscope"], "no folder of raw recordings stays");
}

/// Starts to record a script in a group of its own, and waits until it records.
fn begin(folder: &Path, all: &str, recordings: usize) -> Child {
    let mut command = program();
    command.arg("record").arg("-o").arg(folder.join("out.stepscope")).args(["--no-summary", "--", "sh", "-c", all]);
    command.process_group(0).stderr(Stdio::piped());
    let child = command.spawn().expect("the program starts");
    until("recordings", || has_recordings(&folder.join("out.recording"), recordings));
    child
}

fn send(signal: &str, to: &str) {
    let status = Command::new("kill").args([signal, "--", to]).status().expect("kill");
    assert!(status.success(), "kill {signal} {to}");
}

/// As Ctrl-C does it, and as a scheduler does: the command ends, and its recording is there.
#[test]
fn an_interrupt_ends_the_command_and_keeps_the_recording() {
    for group in [true, false] {
        let folder = folder(if group { "interrupt-group" } else { "interrupt" });
        let (ready, never) = (folder.join("ready"), folder.join("never"));
        let role = script(&format!("until {}", never.display()));
        let all = format!("trap 'exit 7' INT; {role} & touch {}; while :; do sleep 0.05; done", ready.display());
        let mut child = begin(&folder, &all, 2);
        until("the trap", || ready.exists());
        send("-INT", &if group { format!("-{}", child.id()) } else { child.id().to_string() });
        child.wait().expect("an end");
        // It has the standard error, too.
        std::fs::write(never, "").expect("the file for which the role waits");
        let run = Run::from(child.wait_with_output().expect("an end"));
        assert_eq!(run.code, Some(7), "{}", run.err);
        assert!(slices(&read(&folder.join("out.stepscope")), "waits") > 0, "{}", run.err);
    }
}

/// Who does not listen is killed in the end, on a person's word only.
#[test]
fn the_third_interrupt_kills() {
    let folder = folder("third");
    let ready = folder.join("ready");
    let all = format!("trap '' INT TERM; touch {}; while :; do sleep 0.05; done", ready.display());
    let child = begin(&folder, &all, 1);
    until("the trap", || ready.exists());
    for _ in 0..3 {
        send("-INT", &child.id().to_string());
        std::thread::sleep(std::time::Duration::from_millis(500));
    }
    let run = Run::from(child.wait_with_output().expect("an end"));
    assert_eq!(run.code, Some(137), "{}", run.err);
    assert!(folder.join("out.stepscope").is_file(), "{}", run.err);
    let said = ["once more terminates it", "once more kills it", "killed the command"];
    assert!(said.iter().all(|part| run.err.contains(part)), "{}", run.err);
}

/// A terminal of its own, in which somebody presses Ctrl-C.
const TERMINAL: &str = "
import os, pty, sys, time
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[2], sys.argv[2:])
while not os.path.exists(sys.argv[1]):
    time.sleep(0.01)
os.write(terminal, b'\\x03')
try:
    while os.read(terminal, 4096):
        pass
except OSError:
    pass
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
";

/// The key reaches the command by itself: it is told once, not twice.
#[test]
fn ctrl_c_at_a_terminal_is_told_once() {
    let folder = folder("terminal");
    let (ready, told) = (folder.join("ready"), folder.join("told"));
    let all = format!(
        "trap 'echo told >> \"{}\"; sleep 0.5; exit 7' INT; touch '{}'; while :; do sleep 0.05; done",
        told.display(),
        ready.display()
    );
    let mut command = Command::new("python3");
    command.args(["-c", TERMINAL]).arg(&ready).arg(program().get_program());
    command.arg("record").arg("-o").arg(folder.join("out.stepscope")).args(["--", "sh", "-c", &all]);
    match command.output() {
        Err(error) => eprintln!("SKIPPED: python3: {error}"),
        Ok(output) => {
            let run = Run::from(output);
            assert_eq!(run.code, Some(7), "{}", run.err);
            assert_eq!(std::fs::read_to_string(told).expect("it was told"), "told\n");
            assert!(folder.join("out.stepscope").is_file());
        }
    }
}
