//! Recording that the environment asks for: `STEPSCOPE_OPTIONS='{"start":true,"output":"recordings"}'`.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::de::IntoDeserializer;
use serde::de::value::StrDeserializer;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::clock::ClockSource;
use super::mindspore::{self, MINDSPORE_VARIABLE};
use super::options::{CommandLine, Keep, Options};
use super::target::Target;

/// The variable that holds the options, as JSON. With `"start":true` in it a program is recorded from its first event
/// on, until it ends, whether it calls [`start`](crate::start) and [`stop`](crate::stop) or not. Options that this
/// version does not know or cannot read are left out, with a line on standard error; the rest applies. Only an
/// unreadable `keep` prevents the recording, since it is the limit of disk use.
///
/// ```json
/// {"start":true, "output":"recordings", "clock":"monotonic", "segment_bytes":1048576, "ahead":true,
///  "keep":{"seconds":60, "bytes":100000000}, "facts":{"model":"small"}, "targets":["nvtx", "memory"], "command":"none"}
/// ```
///
/// Names of MindSpore's `MS_PROFILER_OPTIONS` are understood, too: `output_path` is `output`, `op_time` and
/// `profile_memory` switch the targets `cuda` and `memory`, `timeline_limit` is the `bytes` of `keep` in MB. A line
/// lists the options that are not supported here.
pub const VARIABLE: &str = "STEPSCOPE_OPTIONS";

/// Options in the variable; all are optional.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(default)]
pub struct EnvironmentOptions {
    /// Whether to start at once.
    pub start: bool,
    /// The folder for recordings; `recordings` if it is left out.
    pub output: PathBuf,
    /// As [`Options::make_output`], if it is left out.
    pub make_output: bool,
    /// `monotonic` or `counter`.
    pub clock: EnvironmentClock,
    /// Bytes that a thread takes at a time.
    pub segment_bytes: usize,
    /// As [`Options::ahead`]; off by default, so that an unaware program gets no further thread. It may use calls that
    /// only a single-threaded process may (`unshare`, `setns`), and Python warns of each fork in a process with several
    /// threads.
    pub ahead: bool,
    /// A flight recorder: only the latest part is kept.
    pub keep: Option<EnvironmentKeep>,
    /// Facts about the process.
    pub facts: BTreeMap<String, String>,
    /// As [`Options::command_line`]: `masked`, if it is left out, or `none`.
    #[serde(rename = "command")]
    pub command_line: CommandLine,
    /// Further kinds of records; all available ones if it is left out.
    #[serde(deserialize_with = "known_targets")]
    pub targets: Option<Vec<Target>>,
    /// Options that this version does not know or cannot read, and that are left out: they may be meant for another
    /// version.
    #[serde(skip)]
    pub unknown: Vec<String>,
    /// MindSpore's options that are not supported here, or have another meaning.
    #[serde(skip)]
    pub notes: Vec<String>,
}

/// Keys of [`EnvironmentOptions`]; a test keeps the two equal.
const KEYS: [&str; 10] =
    ["start", "output", "make_output", "clock", "segment_bytes", "ahead", "keep", "facts", "targets", "command"];

/// The key that limits a recording's size.
const BOUND: &str = "keep";

/// Keys of its `keep`.
const KEEP_KEYS: [&str; 2] = ["seconds", "bytes"];

fn known_targets<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<Target>>, D::Error> {
    let names = Option::<Vec<String>>::deserialize(deserializer)?;
    Ok(names.map(|names| names.iter().filter_map(|name| target(name)).collect()))
}

fn target(name: &str) -> Option<Target> {
    let name: StrDeserializer<'_, serde::de::value::Error> = name.into_deserializer();
    Target::deserialize(name).ok()
}

/// The options that are not known here.
fn unknown(options: &Map<String, Value>) -> Vec<String> {
    let keys = options.keys().filter(|key| !KEYS.contains(&key.as_str())).cloned();
    let keep = options.get("keep").and_then(Value::as_object).into_iter().flat_map(Map::keys);
    let keep = keep.filter(|key| !KEEP_KEYS.contains(&key.as_str())).map(|key| format!("keep.{key}"));
    let targets = options.get("targets").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let targets = targets.filter(|name| target(name).is_none()).map(|name| format!("targets: {name}"));
    keys.chain(keep).chain(targets).collect()
}

/// Source of times, in [`EnvironmentOptions`].
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum EnvironmentClock {
    /// [`ClockSource::Monotonic`].
    #[default]
    Monotonic,
    /// [`ClockSource::Counter`].
    Counter,
}

/// Limits of a flight recorder, in [`EnvironmentOptions`].
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
pub struct EnvironmentKeep {
    /// At least so long, as far as the bytes allow.
    pub seconds: f64,
    /// At most so many bytes.
    pub bytes: u64,
}

impl Default for EnvironmentOptions {
    fn default() -> Self {
        Self {
            start: false,
            output: PathBuf::from("recordings"),
            make_output: true,
            clock: EnvironmentClock::Monotonic,
            segment_bytes: Options::new("").segment_bytes,
            ahead: false,
            keep: None,
            facts: BTreeMap::new(),
            command_line: CommandLine::Masked,
            targets: None,
            unknown: Vec::new(),
            notes: Vec::new(),
        }
    }
}

impl EnvironmentOptions {
    /// Options from the environment; `None` if there are none. Without [`VARIABLE`] they come from
    /// [`MINDSPORE_VARIABLE`], except in a Python interpreter, where MindSpore's own profiler reads it.
    ///
    /// # Errors
    ///
    /// If the variable does not follow this description, with the position of the error.
    pub fn get() -> io::Result<Option<Self>> {
        match std::env::var(VARIABLE) {
            Ok(text) if text.trim().is_empty() => of_environment(),
            Ok(text) => Self::parse(&text).map(Some),
            Err(std::env::VarError::NotPresent) => of_environment(),
            Err(error) => Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{VARIABLE}: {error}"))),
        }
    }

    /// The options of a text. Unknown and unreadable ones are only in [`unknown`](Self::unknown).
    ///
    /// # Errors
    ///
    /// As [`get`](Self::get).
    pub fn parse(text: &str) -> io::Result<Self> {
        Self::parse_of(VARIABLE, text)
    }

    /// The options of a variable's text.
    pub(super) fn parse_of(variable: &str, text: &str) -> io::Result<Self> {
        let wrong =
            |what: &dyn std::fmt::Display| io::Error::new(io::ErrorKind::InvalidInput, format!("{variable}: {what}"));
        let mut said: Map<String, Value> = serde_json::from_str(text).map_err(|error| wrong(&error))?;
        let (notes, unreadable) = mindspore::translate(&mut said);
        let notes = notes.into_iter().map(|note| format!("{variable}: {note}")).collect();
        let mut unknown = unknown(&said);
        unknown.extend(unreadable);
        for key in KEYS.into_iter().filter(|key| *key != BOUND) {
            let Some(value) = said.get(key) else { continue };
            let alone = Value::Object(Map::from_iter([(key.to_owned(), value.clone())]));
            if let Err(error) = Self::deserialize(alone) {
                unknown.push(format!("{key}: {error}"));
                said.remove(key);
            }
        }
        let options = Self::deserialize(Value::Object(said)).map_err(|error| wrong(&format!("`{BOUND}`: {error}")))?;
        if options.keep.is_some_and(|keep| Duration::try_from_secs_f64(keep.seconds).is_err()) {
            return Err(wrong(&"`keep.seconds` is no time"));
        }
        Ok(Self { unknown, notes, ..options })
    }

    /// Lines about ignored options: [`unknown`](Self::unknown), and [`notes`](Self::notes).
    #[must_use]
    pub fn told(&self) -> Vec<String> {
        self.told_of_unknown().into_iter().chain(self.notes.iter().cloned()).collect()
    }

    /// A line about [`unknown`](Self::unknown), if there is any.
    #[must_use]
    pub fn told_of_unknown(&self) -> Option<String> {
        let unknown = || self.unknown.iter().map(|what| format!("`{what}`")).collect::<Vec<_>>().join(", ");
        (!self.unknown.is_empty()).then(|| format!("{VARIABLE}: not understood here, and left out: {}", unknown()))
    }

    /// Whether something is to be recorded.
    #[must_use]
    pub fn wants(&self, target: Target) -> bool {
        self.targets.as_ref().is_none_or(|targets| targets.contains(&target))
    }
}

impl From<&EnvironmentOptions> for Options {
    fn from(options: &EnvironmentOptions) -> Self {
        Self {
            output: options.output.clone(),
            make_output: options.make_output,
            clock: match options.clock {
                EnvironmentClock::Monotonic => ClockSource::Monotonic,
                EnvironmentClock::Counter => ClockSource::Counter,
            },
            segment_bytes: options.segment_bytes,
            ahead: options.ahead,
            keep: options.keep.map(|keep| Keep {
                time: Duration::try_from_secs_f64(keep.seconds).unwrap_or_default(),
                bytes: keep.bytes,
            }),
            targets: options.targets.clone(),
            command_line: options.command_line,
            facts: options.facts.iter().map(|(key, value)| (key.clone(), value.clone())).collect(),
        }
    }
}

/// The value of MindSpore's variable, unless another profiler reads it.
fn of_environment() -> io::Result<Option<EnvironmentOptions>> {
    let Some(text) = std::env::var(MINDSPORE_VARIABLE).ok().filter(|text| !text.trim().is_empty()) else {
        return Ok(None);
    };
    let program = std::env::current_exe().unwrap_or_default();
    of_text(&text, &program)
}

fn of_text(text: &str, program: &Path) -> io::Result<Option<EnvironmentOptions>> {
    let read = EnvironmentOptions::parse_of(MINDSPORE_VARIABLE, text);
    if !is_python(program) {
        return read.map(Some);
    }
    // MindSpore itself says what is wrong with it.
    let asks = read.is_ok_and(|options| options.start);
    let left = format!(
        "{MINDSPORE_VARIABLE} is left to MindSpore's own profiler, and nothing is recorded here: {VARIABLE} would start it"
    );
    Ok(asks.then(|| EnvironmentOptions { notes: vec![left], ..EnvironmentOptions::default() }))
}

/// Whether a program may import MindSpore.
fn is_python(program: &Path) -> bool {
    let name = program.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    name.starts_with("python") || name.starts_with("pypy")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_what_the_text_says() -> io::Result<()> {
        assert_eq!(EnvironmentOptions::parse("{}")?, EnvironmentOptions::default());
        let text = r#"{"start":true,"output":"there","clock":"counter","segment_bytes":16384,"targets":["nvtx"],
            "keep":{"seconds":1.5,"bytes":1000},"facts":{"command":"train"}}"#;
        let options = EnvironmentOptions::parse(text)?;
        assert!(options.start && options.wants(Target::Nvtx) && !options.wants(Target::Cuda));
        let options = Options::from(&options);
        assert_eq!((options.output.as_path(), options.clock), ("there".as_ref(), ClockSource::Counter));
        assert_eq!(options.keep, Some(Keep { time: Duration::from_millis(1500), bytes: 1000 }));
        assert_eq!(options.facts, [("command".to_owned(), "train".to_owned())]);
        Ok(())
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        for (text, part) in [
            ("{", "line 1 column 1"),
            ("[]", "expected a map"),
            (r#"{"keep":7}"#, "`keep`: "),
            (r#"{"keep":{"seconds":1,"bytes":"1 GB"}}"#, "`keep`: "),
            (r#"{"keep":{"seconds":-1,"bytes":1}}"#, "keep.seconds"),
        ] {
            let error = EnvironmentOptions::parse(text).expect_err(text).to_string();
            assert!(error.contains(VARIABLE) && error.contains(part), "{error}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_left_out_and_told() -> io::Result<()> {
        let text =
            r#"{"start":true,"output":"there","segment_bytes":"many","clock":"sun","targets":[7],"facts":{"a":1}}"#;
        let options = EnvironmentOptions::parse(text)?;
        assert!(options.start && options.wants(Target::Cuda));
        assert_eq!((options.output.as_path(), options.segment_bytes), ("there".as_ref(), 1 << 20));
        assert_eq!((options.clock, options.facts.len()), (EnvironmentClock::Monotonic, 0));
        let told = options.told_of_unknown().unwrap_or_default();
        assert_eq!(told.lines().count(), 1);
        for part in ["`segment_bytes: invalid type: string", "`clock: unknown variant", "`targets: ", "`facts: "] {
            assert!(told.contains(part), "{told}");
        }
        Ok(())
    }

    #[test]
    fn what_is_not_known_is_left_out_and_told() -> io::Result<()> {
        let text = r#"{"start":true,"strat":1,"keep":{"seconds":1,"bytes":2,"names":3},"targets":["nvtx","tpu"]}"#;
        let options = EnvironmentOptions::parse(text)?;
        assert_eq!(options.unknown, ["strat", "keep.names", "targets: tpu"]);
        assert_eq!(options.targets, Some(vec![Target::Nvtx]));
        assert!(options.start && options.keep.is_some());
        let all = r#"{"start":true,"output":"a","make_output":false,"clock":"counter","segment_bytes":1,"ahead":true,
            "keep":{"seconds":1,"bytes":2},"facts":{"a":"b"},"targets":["nvtx","cuda","python","memory"],"command":"none"}"#;
        let options = EnvironmentOptions::parse(all)?;
        assert_eq!(options.told_of_unknown(), None);
        let default = EnvironmentOptions::default();
        // None of these keys has its default value.
        assert!(options.start != default.start && options.output != default.output && options.clock != default.clock);
        assert!(options.make_output != default.make_output && options.ahead != default.ahead);
        assert!(options.segment_bytes != default.segment_bytes && options.keep != default.keep);
        assert!(options.command_line != default.command_line && options.facts != default.facts);
        assert!(options.targets.is_some_and(|targets| targets.len() == 4));
        Ok(())
    }

    #[test]
    fn python_leaves_the_variable_to_mindspore() -> io::Result<()> {
        const TEXT: &str = r#"{"start": true, "output_path": "/XXX"}"#;
        for program in ["/usr/bin/python3.11", "/opt/pypy3"] {
            let options = of_text(TEXT, Path::new(program))?.expect("a line");
            assert!(!options.start && options.told().len() == 1, "{options:?}");
            assert!(options.told()[0].contains(MINDSPORE_VARIABLE), "{options:?}");
            assert_eq!(of_text(r#"{"start": false}"#, Path::new(program))?, None);
            assert_eq!(of_text("{", Path::new(program))?, None);
        }
        let options = of_text(TEXT, Path::new("/usr/bin/train"))?.expect("options");
        assert!(options.start && options.output == Path::new("/XXX"));
        let error = of_text("{", Path::new("train")).expect_err("no JSON").to_string();
        assert!(error.starts_with(MINDSPORE_VARIABLE), "{error}");
        Ok(())
    }
}
