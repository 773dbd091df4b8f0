//! Reports on ranks whose traces are partly dropped are the same as with all traces.

use stepscope::Rank;
use stepscope::analyze::{AdviceConfig, AnalysisConfig, JobConfig, ParallelGrid};
use stepscope::export::perfetto::{Export, ExportConfig, Level, write};
use stepscope::export::report_json::{
    AdviceReport, RankSet, ReportRequest, Summary, SummaryParts, SummaryRequest, json,
};
use stepscope::table::messages::Language;
use stepscope::{job_of, job_of_digests};
use stepscope_tests::files::rank;
use stepscope_tests::generator::{Fault, JobSpec};

fn ranks() -> Vec<Rank> {
    let faults = vec![Fault::Compute(5, 30)];
    let spec = JobSpec { faults, steps: 4, layers: 2, microbatches: 4, ..JobSpec::three_dimensional(7) };
    let trace = |(number, text): (usize, Vec<u8>)| {
        rank(&format!("rank{number}.json"), &text, &AnalysisConfig::standard()).expect("a trace")
    };
    let read: Vec<Rank> = spec.traces().into_iter().enumerate().map(trace).collect();
    // A copy takes no more memory than it needs, like the copies in sets.
    read.clone()
}

/// Ranks with a budget for kept traces; their order is not that of their numbers.
fn set(ranks: &[Rank], budget: usize) -> RankSet {
    let mut set = RankSet::new(budget);
    for (origin, rank) in ranks.iter().enumerate().rev() {
        set.add(rank.clone(), origin);
    }
    set
}

fn held(set: &RankSet) -> Vec<usize> {
    (0..set.list().len()).filter(|index| set.is_held(*index)).collect()
}

/// Restores a rank, as after reading it again.
fn read_again(set: &mut RankSet, ranks: &[Rank], index: usize) {
    let origin = set.origin(index).expect("a rank");
    set.restore(index, ranks[origin].clone());
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("text")
}

#[test]
fn a_job_of_dropped_ranks_is_the_same() {
    let ranks = ranks();
    let budget = 3 * ranks[0].bytes_held();
    let mut some = set(&ranks, budget);
    let mut all = set(&ranks, usize::MAX);
    assert_eq!(held(&all).len(), ranks.len());
    let first = held(&some);
    assert!((1..=4).contains(&first.len()), "{first:?}");
    assert_eq!(some.job(), job_of(&ranks).as_ref());
    assert_eq!(some.job_json(Language::English), all.job_json(Language::English));
    assert_eq!(text(some.summary_json()), text(Summary::without_tables(&ranks).to_json()));
    assert_eq!(text(some.summary_json()), text(all.summary_json()), "it can be asked for again");
}

#[test]
fn what_was_used_longest_ago_is_dropped() {
    let ranks = ranks();
    let mut set = set(&ranks, 3 * ranks[0].bytes_held());
    let count = held(&set).len();
    for index in [0, 7, 3, 9, 7] {
        if set.is_held(index) {
            set.touch(index);
        } else {
            read_again(&mut set, &ranks, index);
        }
        assert!(set.is_held(index));
        assert!(held(&set).len() <= count + 1, "{:?}", held(&set));
    }
    let kept = held(&set);
    assert!(kept.contains(&7) && kept.contains(&9) && !kept.contains(&0), "{kept:?}");
    let of = |set: &mut RankSet| {
        let answer = set.report(7, &ReportRequest::of("selection").expect("a topic")).expect("a report");
        (text(answer.json), format!("{:?}", answer.tables))
    };
    let mut all = self::set(&ranks, usize::MAX);
    assert_eq!(of(&mut set), of(&mut all), "what was read again says the same");
    assert_eq!(set.job(), job_of(&ranks).as_ref());
}

#[test]
fn one_rank_is_held_whatever_it_takes() {
    let ranks = ranks();
    let mut set = set(&ranks, 0);
    assert_eq!(held(&set).len(), 1);
    read_again(&mut set, &ranks, 4);
    assert_eq!(held(&set), [4]);
    assert_eq!(set.job(), job_of(&ranks).as_ref());
}

#[test]
fn the_whole_summary_is_gathered_rank_by_rank() {
    let ranks = ranks();
    let mut set = set(&ranks, ranks[0].bytes_held());
    for index in 0..ranks.len() {
        if !set.is_held(index) {
            read_again(&mut set, &ranks, index);
        }
        set.gather(index, Language::English, false);
    }
    assert_eq!(text(set.whole_json(Language::English)), text(Summary::of(&ranks).to_json_pretty()));
}

/// With a parallel layout from the user, ranks of a set give the same report as the program with the same option.
#[test]
fn ranks_are_spread_as_a_person_says() {
    let ranks = ranks();
    let mut set = set(&ranks, ranks[0].bytes_held());
    let as_told = set.job_json(Language::English);
    for text in ["dp=2", "pp=4,dp=2,xp=2", "pp=4,dp=2,tp=4"] {
        assert!(set.set_layout(text).is_err(), "{text}");
        assert_eq!(set.job_json(Language::English), as_told, "{text} changes nothing");
    }
    set.set_layout(" pp=4, dp=2,cp=2 ").expect("sixteen ranks");
    let grid = ParallelGrid::named("pp=4,dp=2,cp=2").expect("a grid");
    let chosen = JobConfig { parallel: Some(grid) };
    let digests = ranks.iter().map(|rank| (rank.rank, rank.digest())).collect();
    assert_eq!(set.job(), job_of_digests(digests, &chosen).as_ref());
    assert_ne!(set.job_json(Language::English), as_told);
    for index in 0..ranks.len() {
        if !set.is_held(index) {
            read_again(&mut set, &ranks, index);
        }
        set.gather(index, Language::English, false);
    }
    let config = AdviceConfig::default();
    let mut parts = SummaryParts::new(SummaryRequest { job: chosen, ..SummaryRequest::of(&config) });
    ranks.iter().for_each(|rank| parts.add(rank));
    assert_eq!(text(set.whole_json(Language::English)), text(parts.finish().to_json_pretty()));
    set.set_layout("").expect("as the traces tell");
    assert_eq!(set.job_json(Language::English), as_told);
}

#[test]
fn advice_on_a_rank_compares_it_with_the_others() {
    let ranks = ranks();
    let mut set = set(&ranks, usize::MAX);
    let advice = text(set.report(2, &ReportRequest::of("advice").expect("a topic")).expect("advice").json);
    let job = job_of(&ranks);
    let expected = AdviceReport::among(&ranks, &ranks[2], job.as_ref(), &AdviceConfig::default());
    assert_eq!(advice, text(json(&expected)));
    let slow = advice.find("\"rule\":\"slow_rank\"").expect("the rule");
    assert!(advice[slow..].starts_with("\"rule\":\"slow_rank\",\"value\":0."), "{}", &advice[slow..slow + 80]);
}

#[test]
fn an_export_is_written_rank_by_rank_and_piece_by_piece() {
    const PIECE: usize = 1000;
    let ranks = ranks();
    let chosen: Vec<&Rank> = ranks.iter().take(3).collect();
    for level in [Level::Detail, Level::Summary] {
        let mut whole = Vec::new();
        let written = write(&chosen, ExportConfig::of(level), &mut whole).expect("written");
        // Only the own facts of the other ranks are there when it begins.
        let named: Vec<Rank> = ranks.iter().take(3).cloned().map(dropped).collect();
        let mut parts = Vec::new();
        let clocks = set(&chosen.iter().copied().cloned().collect::<Vec<Rank>>(), usize::MAX).clocks(&[0, 1, 2]);
        let named: Vec<&Rank> = named.iter().collect();
        let mut export = Export::begin(&named, &clocks, ExportConfig::of(level), &mut parts).expect("written");
        for rank in &chosen {
            while !export.rank(rank, PIECE, &mut parts).expect("written") {}
        }
        assert_eq!(export.end(&mut parts).expect("written"), written);
        assert_eq!(text(parts), text(whole));
    }
}

fn dropped(mut rank: Rank) -> Rank {
    rank.drop_events();
    rank
}
