//! Any event, written carelessly, is read as intended.

use stepscope_tests::oracle::{Documents, Json, careless, tokenize};

use super::{found, kinds};

#[test]
fn careless_writing_changes_no_value() {
    let mut events = 0;
    let mut repaired = 0;
    for seed in 0..400 {
        let document = Documents::new(seed).document();
        let meant: Vec<Json> =
            tokenize(&document, document.len()).events.iter().filter_map(|event| Json::parse(&event.text)).collect();
        let text = careless(&meant, seed);
        let found = found(text.as_bytes());
        let read: Vec<Option<Json>> = found.events.iter().map(|event| Json::parse(&event.text)).collect();
        for (index, (read, meant)) in read.iter().zip(&meant).enumerate() {
            let same = read.as_ref().is_some_and(|read| same(read, meant));
            let repairs = &found.events[index].repairs;
            assert!(same, "seed {seed}, event {index}: {read:?} is not {meant:?}; {repairs:?}");
        }
        assert_eq!(read.len(), meant.len(), "seed {seed}: {:?} {}", kinds(&found), text);
        events += read.len();
        repaired += found.events.iter().filter(|event| !event.repairs.is_empty()).count();
    }
    assert!(events > 1000 && repaired * 2 > events, "{repaired} of {events} events were repaired");
}

/// Equal, except that `serde_json` sometimes reads doubles off by one in the last place.
fn same(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Float(a), Json::Float(b)) => (a - b).abs() <= a.abs() * 2.0 * f64::EPSILON,
        (Json::List(a), Json::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((name, a), (other, b))| name == other && same(a, b))
        }
        _ => a == b,
    }
}
