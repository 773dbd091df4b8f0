//! The step budget in words: what is said first, and the tree.

use crate::text::{duration, percent};
use stepscope_analyze::{
    Branch, Budget, BudgetCause, BudgetLeaf, BudgetTimes, FirstLine, IdleLeaf, KernelFamily, NamedCause, NoRoof, mean,
};
use stepscope_base::{CompactSort as _, Nanos};
use stepscope_table::messages::{Language, message};

/// What is said first: one or two causes, or that not enough is recorded, and what to do.
#[must_use]
pub fn first_sentences(budget: &Budget, causes: &[BudgetCause], first: FirstLine, language: Language) -> Vec<String> {
    let word = |key: &str| message(language, key).to_owned();
    let named: Vec<(&str, (f64, Nanos))> =
        causes.iter().take(2).map(|cause| (cause.wording, (cause.share, cause.score))).collect();
    let sum = budget.sum();
    let fill = |key: &str, (share, time): (f64, Nanos)| {
        let text = filled(key, budget.are_steps, &named, language);
        text.replace("{share}", &percent(share)).replace("{time}", &duration(time))
    };
    let of = |is_such: &dyn Fn(BudgetLeaf) -> bool| {
        let time = sum.sum(is_such);
        (time.ratio_of(sum.total()).unwrap_or_default(), mean(time, budget.divisor()))
    };
    let mut sentences = vec![fill(
        &format!("budget.first.{}", first.name()),
        match first {
            FirstLine::NotEnoughRecorded => of(&BudgetLeaf::is_unknown),
            _ => of(&|leaf| matches!(leaf, BudgetLeaf::AtRoof(_))),
        },
    )];
    let fix = |number: usize| named.get(number).map(|(wording, _)| fix_of(wording, language));
    match first {
        FirstLine::NotEnoughRecorded => {
            let unknown = sum.leaves().filter(|(leaf, _)| leaf.is_unknown()).max_by_key(|(_, time)| *time);
            sentences.extend(unknown.and_then(|(leaf, _)| ask(leaf)).map(&word));
            if !causes.is_empty() {
                sentences.push(fill("budget.then", (0.0, Nanos::ZERO)));
            }
        }
        FirstLine::OneCause | FirstLine::NoSingleCause => sentences.extend(fix(0)),
        FirstLine::TwoCauses => sentences.extend([fix(0), fix(1)].into_iter().flatten()),
        FirstLine::AtLimit | FirstLine::Nothing | FirstLine::NoDevice => {}
    }
    sentences
}

/// What a single cause costs, and what to do.
#[must_use]
pub fn cause_sentences(cause: &NamedCause, language: Language) -> [String; 2] {
    sentences_of(cause.wording, (cause.share, cause.score), cause.are_steps, language)
}

/// The same of a cause by the last part of its messages' keys, its share and time.
#[must_use]
pub fn sentences_of(wording: &str, costs: (f64, Nanos), are_steps: bool, language: Language) -> [String; 2] {
    [filled("budget.first.one_cause", are_steps, &[(wording, costs)], language), fix_of(wording, language)]
}

fn fix_of(wording: &str, language: Language) -> String {
    message(language, &format!("budget.fix.{wording}")).to_owned()
}

/// A message with the windows' name and what one or two causes cost.
fn filled(key: &str, are_steps: bool, causes: &[(&str, (f64, Nanos))], language: Language) -> String {
    let window = message(language, if are_steps { "budget.window.step" } else { "budget.window.trace" });
    let blanks = [["{cause}", "{cause_share}", "{cause_time}"], ["{second}", "{second_share}", "{second_time}"]];
    let text = message(language, key).replace("{window}", window);
    blanks.iter().zip(causes).fold(text, |text, ([name, share, time], (wording, costs))| {
        let cause_name = format!("budget.cause.{wording}");
        let text = text.replace(name, message(language, &cause_name)).replace(share, &percent(costs.0));
        text.replace(time, &duration(costs.1))
    })
}

/// What to record so that a leaf's cause is known.
fn ask(leaf: BudgetLeaf) -> Option<&'static str> {
    Some(match leaf {
        BudgetLeaf::RoofUnknown(why) => match why {
            NoRoof::Unlinked => "budget.ask.unlinked",
            NoRoof::Graph => "budget.ask.graph",
            NoRoof::NoShapes => "budget.ask.no_shapes",
            NoRoof::NoFormula => "budget.ask.no_formula",
            NoRoof::NoPeaks | NoRoof::Impossible => "budget.ask.no_peaks",
        },
        BudgetLeaf::Idle(leaf) => match leaf {
            IdleLeaf::Unrecorded => "budget.ask.unrecorded",
            IdleLeaf::NoHostRecord => "budget.ask.no_host_record",
            IdleLeaf::StartLate | IdleLeaf::QueuedWaiting => "budget.ask.dependency",
            IdleLeaf::BeforeFirst | IdleLeaf::AfterLast | IdleLeaf::Uncovered => "budget.ask.longer",
            _ => return None,
        },
        _ => return None,
    })
}

/// A row of the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct BudgetRow {
    /// The leaf's or branch's name.
    pub name: String,
    /// How deep it is in the tree.
    pub depth: usize,
    /// Its time per window, the mean over windows and devices.
    pub time: Nanos,
    /// Its share of the windows.
    pub share: f64,
}

/// A leaf has a row above this share.
const SHOWN: f64 = 0.005;

/// Returns the tree of the budget: the branches that have time, and at most so many rows in all. Leaves without a row of their own are
/// in their branch's.
#[must_use]
pub fn budget_rows(budget: &Budget, most: usize, language: Language) -> Vec<BudgetRow> {
    let sum = budget.sum();
    let row = |key: &str, depth: usize, time: Nanos| BudgetRow {
        name: message(language, key).to_owned(),
        depth,
        time: mean(time, budget.divisor()),
        share: time.ratio_of(sum.total()).unwrap_or_default(),
    };
    let branches: Vec<(Branch, Nanos)> = Branch::ALL
        .into_iter()
        .map(|branch| (branch, sum.sum(|leaf| leaf.branch() == branch)))
        .filter(|(_, time)| *time > Nanos::ZERO)
        .collect();
    let mut leaves: Vec<(Branch, String, Nanos)> =
        branches.iter().flat_map(|(branch, _)| of_branch(&sum, *branch)).collect();
    leaves.retain(|(_, _, time)| time.ratio_of(sum.total()).unwrap_or_default() >= SHOWN);
    leaves.compact_sort_by_key(|(_, _, time)| std::cmp::Reverse(*time));
    leaves.truncate(most.saturating_sub(branches.len()));
    let of = |(branch, time): (Branch, Nanos)| {
        let below = leaves.iter().filter(move |(of, _, _)| *of == branch);
        let below = below.map(|(_, key, time)| row(key, 1, *time)).collect::<Vec<_>>();
        std::iter::once(row(&format!("budget.branch.{}", branch.name()), 0, time)).chain(below)
    };
    branches.into_iter().flat_map(of).collect()
}

/// The rows of a branch: kernels at their limit are one.
fn of_branch(sum: &BudgetTimes, branch: Branch) -> Vec<(Branch, String, Nanos)> {
    if matches!(branch, Branch::ExposedSets | Branch::StateUnknown | Branch::NotRecorded | Branch::OutsideSteps) {
        return Vec::new();
    }
    let at_roof: Nanos = KernelFamily::ALL.into_iter().map(|family| sum.get(BudgetLeaf::AtRoof(family))).sum();
    let at_roof = (branch == Branch::Compute).then(|| (branch, "budget.leaf.at_roof".to_owned(), at_roof));
    let others = sum.leaves().filter(|(leaf, _)| leaf.branch() == branch && !matches!(leaf, BudgetLeaf::AtRoof(_)));
    at_roof
        .into_iter()
        .chain(others.map(|(leaf, time)| (branch, format!("budget.leaf.{}", leaf.name()), time)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use stepscope_analyze::CauseKind;

    #[test]
    fn every_name_has_a_message() {
        const FIRST: [FirstLine; 7] = [
            FirstLine::OneCause,
            FirstLine::TwoCauses,
            FirstLine::NoSingleCause,
            FirstLine::NotEnoughRecorded,
            FirstLine::AtLimit,
            FirstLine::Nothing,
            FirstLine::NoDevice,
        ];
        let mut keys: Vec<String> = FIRST.iter().map(|first| format!("budget.first.{}", first.name())).collect();
        let situations = ["launch_bound_long", "copies_on_device"];
        for wording in CauseKind::all().into_iter().map(CauseKind::name).chain(situations) {
            keys.extend([format!("budget.cause.{wording}"), format!("budget.fix.{wording}")]);
        }
        keys.extend(Branch::ALL.iter().map(|branch| format!("budget.branch.{}", branch.name())));
        let leaves = BudgetLeaf::all().into_iter().filter(|leaf| !matches!(leaf, BudgetLeaf::AtRoof(_)));
        for leaf in leaves {
            keys.push(format!("budget.leaf.{}", leaf.name()));
            keys.extend(ask(leaf).map(str::to_owned));
        }
        for language in [Language::English, Language::Chinese] {
            let missing: Vec<&String> = keys.iter().filter(|key| message(language, key) == key.as_str()).collect();
            assert!(missing.is_empty(), "{language:?} has no words for {missing:?}");
        }
    }
}
