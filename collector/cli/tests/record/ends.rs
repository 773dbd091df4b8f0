//! The end of a recording: exit codes and signals are the command's.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::role::script;
use crate::support::{Run, as_in_the_foreground, built, folder, has_recordings, program, read, slices, until};

#[test]
fn options_of_its_own_are_known_ones_and_the_command_s_are_its() {
    let folder = folder("words");
    let run = Run::of(program().current_dir(&folder).args(["record", "--no-such-option", "true"]));
    assert_eq!(run.code, Some(2), "{}", run.err);
    assert!(run.err.contains("unexpected argument '--no-such-option'") && run.err.contains("Usage:"), "{}", run.err);
    assert_eq!(std::fs::read_dir(&folder).expect("the folder").count(), 0);
    for before in [&["--"][..], &[]] {
        let own = ["record", "-o", "out.stepscope", "--no-summary"];
        let words = ["printf", "%s %s %s", "--its-own-option", "-x", "--no-summary"];
        let run = Run::of(program().current_dir(&folder).args(own).args(before).args(words));
        assert_eq!((run.code, run.out.as_str()), (Some(0), "--its-own-option -x --no-summary"), "{}", run.err);
    }
}

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

/// A recording failure never stops a command.
#[test]
fn what_cannot_be_recorded_runs_all_the_same() {
    let folder = folder("unrecorded");
    let run = |temporary: &str| {
        let script = "test -z \"$STEPSCOPE_OPTIONS\" && exit 9";
        Run::shell(&folder.join("out.stepscope"), &["-q", "--temporary", temporary], script)
    };
    // Folders cannot be made there.
    let told = run("/proc");
    assert_eq!(told.code, Some(9), "{}", told.err);
    assert!(told.err.starts_with("error: /proc/out.recording: ") && told.err.lines().count() == 1, "{}", told.err);
    let missing = Run::of(program().current_dir(&folder).args(["record", "--temporary", "/proc", "/no/such/program"]));
    assert_eq!(missing.code, Some(127), "{}", missing.err);
    assert_eq!(std::fs::read_dir(&folder).expect("the folder").count(), 0);

    let disk = folder.join("disk");
    std::fs::create_dir(&disk).expect("a folder");
    let mount = |words: &[&str]| Command::new(words[0]).args(&words[1..]).arg(&disk).output();
    let is_done = |words: &[&str]| mount(words).is_ok_and(|output| output.status.success());
    if !is_done(&["mount", "-t", "tmpfs", "-o", "size=16k", "none"]) {
        eprintln!("SKIPPED: a full disk: a small file system cannot be mounted here");
        return;
    }
    let full = std::fs::write(disk.join("ballast"), vec![1; 16 << 10]);
    let told = run(&disk.to_string_lossy());
    let left = std::fs::read_dir(&disk).map(Iterator::count);
    assert!(is_done(&["umount"]), "{} stays mounted", disk.display());
    full.expect("it holds that much");
    assert_eq!(told.code, Some(9), "{}", told.err);
    let why = format!("error: {}/out.recording/", disk.display());
    assert!(told.err.starts_with(&why) && told.err.lines().count() == 1, "{}", told.err);
    assert!(told.err.contains("No space left"), "{}", told.err);
    assert_eq!(left.expect("the folder"), 1, "no folder stays");
}

/// A program that records itself, and makes files of the recordings, runs as it does alone.
#[test]
fn a_program_that_records_itself_runs_well() {
    for example in ["training", "mlp"] {
        let Some(path) = built(&format!("examples/{example}")) else {
            eprintln!("SKIPPED: the example {example} was not built");
            continue;
        };
        let folder = folder(&format!("itself-{example}"));
        let run = Run::of(program().current_dir(&folder).args(["record", "-q", "--"]).arg(path));
        assert_eq!(run.code, Some(0), "{example}: {}", run.err);
        // Its own recorder prints that once.
        let told = "stepscope: recorded from outside (STEPSCOPE_OPTIONS): ";
        assert!(run.err.starts_with(told) && run.err.lines().count() == 1, "{example}: {}", run.err);
        let trace = read(&folder.join(format!("{example}.stepscope")));
        assert!(slices(&trace, "forward") > 3, "{example}: {}", run.err);
        // The file that it made itself is incomplete, and says so.
        let own = folder.join("recordings/training.stepscope");
        assert_eq!(own.is_file(), example == "training");
        if own.is_file() {
            let summary = Run::of(program().arg("summary").arg(own));
            assert!((summary.out + &summary.err).contains("once this file had been made"));
        }
    }
}

/// Starts to record a script in a group of its own, and waits until it records.
fn begin(folder: &Path, options: &[&str], all: &str, recordings: usize) -> Child {
    let mut command = program();
    command.arg("record").arg("-o").arg(folder.join("out.stepscope")).args(options);
    command.args(["--no-summary", "--", "sh", "-c", all]);
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
        let mut child = begin(&folder, &[], &all, 2);
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

/// A command that ignores signals is killed in the end, but only on request.
#[test]
fn the_third_interrupt_kills() {
    let folder = folder("third");
    let ready = folder.join("ready");
    let all = format!("trap '' INT TERM; touch {}; while :; do sleep 0.05; done", ready.display());
    let child = begin(&folder, &[], &all, 1);
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

/// A command leaves a process that is waited for: the signal is for that process.
#[test]
fn what_is_left_is_told_once_the_command_has_ended() {
    let folder = folder("left-told");
    let [ready, command, told] = ["ready", "command", "told"].map(|name| folder.join(name));
    let left = format!(
        "trap 'touch \"{}\"; exit' TERM; touch '{}'; while :; do sleep 0.05; done",
        told.display(),
        ready.display()
    );
    let all = format!(
        "({left}) >/dev/null 2>&1 & until [ -e '{}' ]; do sleep 0.05; done; echo $$ >'{}'; exit 3",
        ready.display(),
        command.display()
    );
    let child = begin(&folder, &["--wait", "all"], &all, 1);
    let is_gone = || {
        let id = std::fs::read_to_string(&command).unwrap_or_default();
        id.ends_with('\n') && !Path::new("/proc").join(id.trim()).exists()
    };
    until("the command's end", is_gone);
    send("-TERM", &child.id().to_string());
    until("it is told", || told.exists());
    let run = Run::from(child.wait_with_output().expect("an end"));
    assert_eq!(run.code, Some(3), "{}", run.err);
    assert!(folder.join("out.stepscope").is_file(), "{}", run.err);
}

/// As under `nohup`: neither this program nor the command is asked to end.
#[test]
fn a_signal_that_was_ignored_stays_so() {
    let folder = folder("nohup");
    let [ready, never] = ["ready", "never"].map(|name| folder.join(name));
    let all = format!(
        "touch '{}'; until [ -e '{}' ]; do sleep 0.05; done; kill -HUP $$; exit 5",
        ready.display(),
        never.display()
    );
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$@\"", "sh"]).arg(program().get_program());
    command.arg("record").arg("-o").arg(folder.join("out.stepscope")).args(["--no-summary", "--", "sh", "-c", &all]);
    let child = command.env_remove("STEPSCOPE_OPTIONS").stderr(Stdio::piped()).spawn().expect("a shell");
    until("the command", || ready.exists());
    for _ in 0..2 {
        send("-HUP", &child.id().to_string());
    }
    std::fs::write(never, "").expect("the file for which the command waits");
    let run = Run::from(child.wait_with_output().expect("an end"));
    assert_eq!(run.code, Some(5), "{}", run.err);
    assert!(!run.err.contains("once more"), "{}", run.err);
}

/// After the command's end, a signal arrives while files are being made: they are finished, unless it comes again.
#[test]
fn an_interrupt_while_the_files_are_made_holds_nothing_up() {
    for again in [false, true] {
        let folder = folder(if again { "making-again" } else { "making" });
        // Writing stops while the pipe is full.
        let pipe = folder.join("out.stepscope.partial");
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
        let mut command = program();
        command.arg("record").arg("-o").arg(folder.join("out.stepscope")).args(["--no-summary", "--", "sh", "-c"]);
        command.arg(format!("{} >/dev/null; exit 6", script("many"))).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        // Opened once the other end is, which is after the command's.
        let mut pipe = File::open(pipe).expect("a pipe");
        pipe.read_exact(&mut [0]).expect("the first byte");
        let mut said = BufReader::new(child.stderr.take().expect("standard error"));
        let mut line = String::new();
        send("-INT", &child.id().to_string());
        while !line.contains("the files are being made") {
            line.clear();
            assert!(said.read_line(&mut line).expect("a line") > 0, "it says so");
        }
        if again {
            send("-INT", &child.id().to_string());
        } else {
            let mut rest = Vec::new();
            pipe.read_to_end(&mut rest).expect("the file");
            assert!(rest.len() > 1 << 16, "more than a pipe holds");
        }
        let (status, raw) = (child.wait().expect("an end"), folder.join("out.recording"));
        let ended = (status.code(), status.signal(), raw.exists());
        assert_eq!(ended, if again { (None, Some(2), true) } else { (Some(6), None, false) });
    }
}

/// Such as after a terminal was closed.
#[test]
fn nobody_who_listens_is_no_reason_to_stop() {
    let folder = folder("deaf");
    let mut command = program();
    command.arg("record").arg("-o").arg(folder.join("out.stepscope")).args(["--no-summary", "--", "sh", "-c"]);
    let mut child = command.arg("exit 8").stderr(Stdio::piped()).spawn().expect("the program starts");
    drop(child.stderr.take());
    assert_eq!(child.wait().expect("an end").code(), Some(8));
    assert!(folder.join("out.stepscope").is_file() && !folder.join("out.recording").exists());
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

/// The key reaches the command directly: it gets the signal once, not twice.
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
    as_in_the_foreground(&mut command);
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
