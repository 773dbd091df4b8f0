//! Decimal microseconds to integer nanoseconds, against exact arithmetic on the digits.

use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest};
use stepscope::Nanos;
use stepscope::parse::{Decimal, Document, Key, Keys, Object, Sink, Value};

/// Digits before and after the point, an exponent, a sign.
type Parts = (bool, String, String, Option<i32>);

fn numbers() -> impl Strategy<Value = Parts> {
    let whole = prop_oneof![Just("0".to_owned()), "[1-9][0-9]{0,15}", "[1-9][0-9]{15}", "[1-9][0-9]{16,24}"];
    let decimals =
        prop_oneof![Just(String::new()), "[0-9]{3}", "[0-9]{1,9}", "[0-9]{10,24}", "[0-9]{3}0{1,6}", "[0-9]{3}50{0,9}"];
    let exponent = prop_oneof![4 => Just(None), 1 => (-30..30_i32).prop_map(Some)];
    (any::<bool>(), whole, decimals, exponent)
}

fn text_of((negative, whole, decimals, exponent): &Parts) -> String {
    let sign = if *negative { "-" } else { "" };
    let point = if decimals.is_empty() { "" } else { "." };
    let exponent = exponent.map(|exponent| format!("e{exponent}")).unwrap_or_default();
    format!("{sign}{whole}{point}{decimals}{exponent}")
}

/// The nearest nanosecond (ties up) of that many microseconds, and whether it differs; `None` beyond ±2^62 ns.
///
/// On the decimal digits alone: no binary fraction, no power of ten.
fn exact((negative, whole, decimals, exponent): &Parts) -> Option<(i64, bool)> {
    let point = i64::try_from(whole.len()).expect("a short text") + i64::from(exponent.unwrap_or(0)) + 3;
    let digits = format!("{whole}{decimals}");
    let (before, behind) = match usize::try_from(point) {
        Ok(point) if point >= digits.len() => (format!("{digits}{}", "0".repeat(point - digits.len())), String::new()),
        Ok(point) => (digits[..point].to_owned(), digits[point..].to_owned()),
        Err(_) => ("0".to_owned(), format!("{}{digits}", "0".repeat(point.unsigned_abs() as usize))),
    };
    let before = before.trim_start_matches('0');
    if before.len() > 25 {
        return None;
    }
    let magnitude: i128 = if before.is_empty() { 0 } else { before.parse().expect("digits") };
    let behind = behind.trim_end_matches('0');
    let up = if *negative { behind > "5" } else { behind >= "5" };
    let magnitude = magnitude + i128::from(up);
    let nanos = i64::try_from(if *negative { -magnitude } else { magnitude }).ok()?;
    (nanos.unsigned_abs() <= 1 << 62).then_some((nanos, !behind.is_empty()))
}

/// Number of significant digits: beyond 19 they are cut, which is documented.
fn significant((_, whole, decimals, _): &Parts) -> usize {
    format!("{whole}{decimals}").trim_start_matches('0').len()
}

/// The value of `"ts"` in a document, as the tokenizer hands it out.
fn tokenized(text: &str) -> Option<Decimal> {
    #[derive(Default)]
    struct First(Option<Decimal>);
    impl Sink for First {
        fn object(&mut self, object: &Object<'_>) {
            const TS: Key = 0;
            if let Some(Value::Number(number)) = object.get(TS) {
                self.0 = Some(number);
            }
        }
        fn member(&mut self, _: &str, _: &[u8], _: u64) {}
        fn fault(&mut self, _: stepscope::parse::Fault) {}
    }
    let text = format!("[{{\"ts\": {text}}}]");
    let mut document = Document::new("traceEvents", Keys::new(&["ts"]));
    let mut first = First::default();
    document.space(text.len()).copy_from_slice(text.as_bytes());
    document.advance(text.len(), &mut first);
    document.finish(&mut first);
    first.0
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_nanosecond_is_the_exact_one(parts in numbers()) {
        let text = text_of(&parts);
        let found = Decimal::parse(text.as_bytes()).expect("a number");
        let in_document = tokenized(&text).expect("a number in a document");
        prop_assert_eq!(in_document.nanos_from_micros(), found.nanos_from_micros(), "{}", &text);
        prop_assert_eq!(in_document.to_i64(), found.to_i64(), "{}", &text);
        let found = found.nanos_from_micros().map(|(nanos, rounded)| (nanos.0, rounded));
        // Digits beyond 10^-12 µs are only known to exist.
        let fine = parts.2.len() <= 9 && parts.3.is_none_or(|exponent| exponent >= -3);
        if significant(&parts) <= 19 && fine {
            prop_assert_eq!(found, exact(&parts), "{}", &text);
        } else if let (Some((found, _)), Some((exact, _))) = (found, exact(&parts)) {
            prop_assert!((found - exact).abs() <= 1 + exact.abs() / 1_000_000_000_000_000_000, "{}: {} for {}", &text, found, exact);
        }
    }

    #[test]
    fn an_end_is_the_exact_sum(start in 0..10_u64.pow(13), duration in 0..10_u64.pow(12), fine in 0..1_000_000_u64, finer in 0..1_000_000_u64) {
        // In units of 10^-6 ns, that is with nine decimals of a microsecond; 19 digits in all, which are kept.
        let text = |nanos: u64, fine: u64| format!("{}.{:03}{fine:06}", nanos / 1000, nanos % 1000);
        let [a, b] = [text(start, fine), text(duration, finer)].map(|text| Decimal::parse(text.as_bytes()).expect("a number"));
        let (from, to, rounded) = Decimal::span_from_micros(a, b).expect("in range");
        let nearest = |units: u128| i64::try_from((units + 500_000) / 1_000_000).expect("in range");
        let units = |nanos: u64, fine: u64| u128::from(nanos) * 1_000_000 + u128::from(fine);
        prop_assert_eq!(from, Nanos(nearest(units(start, fine))));
        prop_assert_eq!(to, Nanos(nearest(units(start, fine) + units(duration, finer))));
        let ends_between = (units(start, fine) + units(duration, finer)) % 1_000_000 != 0;
        prop_assert_eq!(rounded, fine != 0 || ends_between);
    }
}
