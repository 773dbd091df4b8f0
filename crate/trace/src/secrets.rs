//! Masks likely secrets in a finished trace, so that nothing shown, saved or exported contains them.

use stepscope_format::secrets::{FoundSecrets, is_secret_name, masked, masked_value};

use super::Trace;
use super::arguments::{Argument, ArgumentValue};
use super::recorded::Cell;
use super::strings::Strings;
use stepscope_base::{Code, Warnings};

/// Masks secrets in names, facts, arguments and recorded tables. Each string is tested once, however many events have
/// it. `found`: secrets elsewhere in the file.
pub(super) fn mask(trace: &mut Trace, mut found: FoundSecrets, warnings: &mut Warnings) {
    let Trace { meta, strings, arguments, instant_arguments, recorded, .. } = trace;
    strings.mask_secrets(&mut found);
    for (key, value) in &mut meta.facts {
        *value = masked_value(key, std::mem::take(value), &mut found);
    }
    let all = arguments.iter_mut().map(|(_, argument)| argument);
    for argument in all.chain(instant_arguments.iter_mut().map(|(_, argument)| argument)) {
        mask_argument(argument, strings, &mut found);
    }
    for cell in recorded.iter_mut().flat_map(|table| table.rows.iter_mut().flatten()) {
        if let Cell::Text(text) = cell {
            *text = masked(std::mem::take(text), &mut found);
        }
    }
    warnings.add_many(Code::Secrets, found.count, None, || found.list());
}

/// Masks an argument whose name means that it is a secret; secrets inside texts are masked with the strings.
fn mask_argument(argument: &mut Argument, strings: &mut Strings, found: &mut FoundSecrets) {
    let ArgumentValue::Text(text) = argument.value else { return };
    let key = strings.get(argument.key);
    if !is_secret_name(key) {
        return;
    }
    let value = masked_value(key, strings.get(text).to_owned(), found);
    argument.value = ArgumentValue::Text(strings.intern(value.as_bytes()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Class, Layer, NewSlice, RawId, TraceBuilder};
    use stepscope_base::Nanos;

    #[test]
    fn a_finished_trace_holds_no_secret() {
        let mut builder = TraceBuilder::default();
        let label = builder.intern(b"python train.py --api-key made-up");
        let track = builder.track(RawId::Number(1), RawId::Number(2), Layer::Host, None);
        let new = NewSlice {
            track,
            class: Class::Annotation,
            category: builder.category(b"user_annotation"),
            name: label,
            start: Nanos(0),
            end: Nanos(5),
            position: 0,
        };
        let row = builder.slice(new);
        for (key, value) in [("password", "made up"), ("batch", "made up"), ("url", "https://me:made-up@host/x")] {
            let value = ArgumentValue::Text(builder.intern(value.as_bytes()));
            let key = builder.intern(key.as_bytes());
            builder.argument(row, Argument { key, value });
        }
        builder.meta.facts.push(("HF_TOKEN".to_owned(), "made up".to_owned()));
        builder.meta.facts.push(("command".to_owned(), "x --max-tokens 3 --token made-up".to_owned()));
        let mut warnings = Warnings::default();
        let trace = builder.finish(&mut warnings).unwrap();
        let id = trace.slices.ids().next().unwrap();
        assert_eq!(trace.name_of(id), "python train.py --api-key *******");
        assert_eq!(trace.strings.find("python train.py --api-key *******"), Some(label), "it is found as it is shown");
        let arguments: Vec<String> =
            trace.arguments_of(id).map(|argument| argument.value.to_text(&trace.strings)).collect();
        assert_eq!(arguments, ["*******", "made up", "https://**********@host/x"]);
        let facts: Vec<&str> = trace.meta.facts.iter().map(|(_, value)| value.as_str()).collect();
        assert_eq!(facts, ["*******", "x --max-tokens 3 --token *******"]);
        let [warning] = &warnings.into_sorted()[..] else { panic!("one warning") };
        assert_eq!((warning.code, warning.count), (Code::Secrets, 5));
        assert!(warning.example.contains("HF_TOKEN") && !warning.example.contains("made"), "{}", warning.example);
    }
}
