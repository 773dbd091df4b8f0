//! Advice in words: the gain of following it.

use crate::messages::message;
use crate::text::{duration, percent};
use stepscope_analyze::{CauseCost, Judgement};
use stepscope_base::Nanos;
use stepscope_table::messages::Language;

/// The gain of following a rule: for a rule about a cause of the step budget from the budget, else the upper bound of
/// its gain.
#[must_use]
pub fn gain_text(judgement: &Judgement, language: Language) -> String {
    let say = |key: &str, values: &[(&str, String)]| {
        let key = if judgement.is_recorded_time { [key, ".recorded"].concat() } else { key.to_owned() };
        let text = message(language, &key).to_owned();
        values.iter().fold(text, |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
    };
    if let Some(cost) = judgement.cost.filter(|_| judgement.holds) {
        return cost_text(&cost, say);
    }
    let Some(gain) = judgement.gain() else { return message(language, "advice.gain.unknown").to_owned() };
    let time = ("time", duration(gain));
    let Some(share) = judgement.gain_share().map(percent) else { return say("advice.gain.absolute", &[time]) };
    match judgement.other_whole {
        Some(whole) => say("advice.gain.of", &[time, ("share", share), ("whole", duration(whole))]),
        None => say("advice.gain", &[time, ("share", share)]),
    }
}

fn cost_text(cost: &CauseCost, say: impl Fn(&str, &[(&str, String)]) -> String) -> String {
    let share = |time: Nanos| percent(time.ratio_of(cost.length).unwrap_or_default());
    let Some(saving) = cost.wide_saving() else {
        let of = [("time", duration(cost.cause.score)), ("share", percent(cost.cause.share))];
        return say("advice.gain.cause", &of);
    };
    let key = if saving.is_low_nothing() { "advice.gain.cause.at_most" } else { "advice.gain.cause.between" };
    let [low, high] = [saving.low, saving.high].map(|time| (duration(time), share(time)));
    say(key, &[("low", low.0), ("low_share", low.1), ("high", high.0), ("high_share", high.1)])
}
