//! Problems of jobs and the reports on them: other libraries, recordings that differ, parallel layouts.

use stepscope::analyze::{
    AnalysisConfig, CollectivePart, DigestGroup, DrillDownKind, DrillDownLook, DrillDownMetric, DrillDownNumber,
    DrillDownStep, Job, JobCode, JobConfig, NO_STEP, ParallelGrid, ParallelKind, ParallelSource, RankDigest, Shared,
    StepDigest, StragglerCause, StragglerPlace, TimeCategory, drill_down,
};
use stepscope::export::report_json::{SummaryParts, SummaryRequest};
use stepscope::{Interval, Nanos, Rank, job_of, job_of_digests};
use stepscope_tests::files::rank;
use stepscope_tests::generator::{Fault, JobSpec, Library, Tells};

use super::job::{codes, finds, found, job, sizes};

/// The ranks of a job, some of them.
fn ranks(spec: &JobSpec, wanted: impl Fn(usize) -> bool) -> Vec<Rank> {
    let some = spec.traces().into_iter().enumerate().filter(|(number, _)| wanted(*number));
    let trace = |(number, text): (usize, Vec<u8>)| {
        rank(&format!("rank{number}.json"), &text, &AnalysisConfig::standard()).expect("a trace")
    };
    some.map(trace).collect()
}

#[test]
fn a_rank_of_a_job_in_three_dimensions() {
    let spec = |fault| JobSpec { faults: vec![fault], ..JobSpec::three_dimensional(30) };
    finds(&spec(Fault::Compute(5, 40)), StragglerPlace::Rank(5), StragglerCause::LongerKernels);
    finds(&spec(Fault::Data(2, 9_000_000)), StragglerPlace::Rank(2), StragglerCause::Data);
    finds(&spec(Fault::Host(1, 9_000_000)), StragglerPlace::Rank(1), StragglerCause::Host);
}

#[test]
fn every_library_of_every_year() {
    use Library::{Bkcl, Hccl, Nccl1, Nccl2, Rccl};
    for library in [Nccl1, Nccl2, Rccl, Hccl, Bkcl] {
        for tells in [Tells::All, Tells::Names] {
            let healthy = JobSpec { library, tells, ..JobSpec::data_parallel(31) };
            let job = job(&healthy);
            assert_eq!((codes(&job), &job.stragglers[..]), (vec![], &[][..]), "{library:?} {tells:?}");
            let spec = JobSpec { faults: vec![Fault::Compute(5, 25)], ..healthy };
            finds(&spec, StragglerPlace::Rank(5), StragglerCause::LongerKernels);
        }
        let spec = JobSpec { library, faults: vec![Fault::Stage(2, 60)], ..JobSpec::three_dimensional(32) };
        finds(&spec, StragglerPlace::Stage(2), StragglerCause::Stage);
    }
}

#[test]
fn nothing_is_found_in_healthy_jobs_of_which_little_is_told() {
    for seed in 0..3 {
        let spec = JobSpec::three_dimensional(seed);
        for spec in [
            JobSpec { tells: Tells::Names, ..spec.clone() },
            JobSpec { tells: Tells::Names, ..JobSpec::one_forward_one_backward(seed) },
            JobSpec { tells: Tells::NoSequence, cut: Some(6), ..spec.clone() },
            JobSpec { base: false, clock_drift: 200, ..spec.clone() },
            JobSpec { tells: Tells::Names, clock_jump: Some(3), ..JobSpec::data_parallel(seed) },
            JobSpec { tells: Tells::NoSequence, clock_jump: Some(3), ..spec.clone() },
            JobSpec { recorded: Some((3, 2, 5)), ..spec.clone() },
            JobSpec { jitter: 15, ..spec },
        ] {
            let job = job(&spec);
            assert_eq!(job.stragglers, [], "{spec:?}");
            assert!(!drill_down(&job).iter().any(|step| matches!(step.kind, DrillDownKind::Place(_))), "{spec:?}");
            let wrong = [JobCode::ClockJump, JobCode::ClockDrift, JobCode::ImplausibleClock];
            let is_wrong = spec.clock_drift > 0 || spec.clock_jump.is_some();
            assert!(is_wrong || codes(&job).iter().all(|code| !wrong.contains(code)), "{:?} {spec:?}", codes(&job));
        }
        let some = ranks(&JobSpec::three_dimensional(seed), |number| !(4..8).contains(&number) && number != 9);
        let job = job_of(&some).expect("several ranks");
        assert_eq!((codes(&job), &job.stragglers[..]), (vec![JobCode::MissingRanks], &[][..]));
    }
}

#[test]
fn ranks_of_which_other_steps_are_recorded() {
    // A rank's first steps, or its last ones, or the others' are not recorded.
    for recorded in [(2, 0, 8), (2, 3, 12), (5, 0, 8), (5, 3, 12)] {
        let spec = JobSpec {
            faults: vec![Fault::Compute(5, 30)],
            steps: 12,
            recorded: Some(recorded),
            ..JobSpec::data_parallel(33)
        };
        finds(&spec, StragglerPlace::Rank(5), StragglerCause::LongerKernels);
        assert_eq!(codes(&job(&spec)), [JobCode::MissingParts], "{recorded:?}");
    }
}

#[test]
fn a_rank_that_was_started_again() {
    let healthy = JobSpec::data_parallel(34);
    let again = JobSpec { faults: vec![Fault::Compute(3, 60)], seed: 35, ..healthy.clone() };
    for faults in [vec![], vec![Fault::Data(6, 3_000_000)]] {
        let expected: Vec<_> = faults.iter().map(|_| StragglerPlace::Rank(6)).collect();
        let mut all = ranks(&JobSpec { faults, ..healthy.clone() }, |_| true);
        all.extend(ranks(&again, |number| number == 3));
        let job = job_of(&all).expect("several ranks");
        assert_eq!(codes(&job), [JobCode::RepeatedRank]);
        assert_eq!(job.stragglers.iter().map(|one| one.place).collect::<Vec<_>>(), expected);
        assert!(job.ranks[8].repeated && job.ranks[8].marks.is_empty() && job.gain.is_some() != expected.is_empty());
    }
}

/// A rank of another job, an hour later, and one without collectives do not reduce the gain.
#[test]
fn a_rank_of_another_job_does_not_hide_a_gain() {
    let spec = JobSpec { faults: vec![Fault::Compute(4, 30)], ..JobSpec::data_parallel(38) };
    let alone = job(&spec);
    let mut digests: Vec<_> = ranks(&spec, |_| true).iter().map(|rank| (rank.rank, rank.digest())).collect();
    let stray = digests[0].1.clone().map(|digest| RankDigest {
        rank: 8,
        origin: digest.origin.map(|origin| origin + 3_600_000_000_000),
        groups: digest.groups.iter().map(|group| DigestGroup { ranks: vec![8, 9], ..group.clone() }).collect(),
        ..digest
    });
    digests.push((Some(8), stray));
    let both = job_of_digests(digests, &JobConfig::default()).expect("several ranks");
    let gains = |job: &Job| job.stragglers.iter().map(|one| (one.place, one.gain)).collect::<Vec<_>>();
    assert_eq!((gains(&both), both.gain), (gains(&alone), alone.gain));
}

/// The same digest without marked steps.
pub(super) fn unmarked(digest: RankDigest) -> RankDigest {
    let span = digest.steps.iter().map(|step| step.span).reduce(|all, step| Interval::new(all.start, step.end));
    let own = [digest.steps[0].own[0], digest.steps[digest.steps.len() - 1].own[1]];
    let mut whole = digest.steps[0].clone();
    for step in &digest.steps[1..] {
        whole.categories = std::array::from_fn(|category| whole.categories[category] + step.categories[category]);
        whole.compute += step.compute;
        whole.communication_alone += step.communication_alone;
    }
    let whole = StepDigest { name: "trace".into(), span: span.expect("steps"), own, counts: true, ..whole };
    let parts = digest.parts.iter().map(|part| CollectivePart { step: NO_STEP, ..*part }).collect();
    RankDigest { marked_steps: false, steps: vec![whole], parts, ..digest }
}

/// A rank's device works longer because its kernels do, or because there are more of them.
#[test]
fn more_kernels_are_told_from_longer_ones() {
    let spec = JobSpec { faults: vec![Fault::Compute(4, 40)], ..JobSpec::data_parallel(38) };
    let digests: Vec<RankDigest> = ranks(&spec, |_| true).iter().filter_map(Rank::digest).collect();
    let with = |percent: u64, copies: bool| {
        let of = |digest: &RankDigest| {
            let mut digest = digest.clone();
            let late = digest.rank == 4;
            for step in digest.steps.iter_mut().filter(|_| late) {
                step.kernels = step.kernels * percent / 100;
                if copies {
                    // The time beyond the others' is made memcpys.
                    let kernels = &mut step.categories[TimeCategory::Kernel as usize];
                    let others = kernels.0 * 100 / 140;
                    let beyond = kernels.0 - others;
                    *kernels = Nanos(others);
                    step.categories[TimeCategory::Memcpy as usize] += Nanos(beyond);
                }
            }
            (Some(digest.rank), Some(digest))
        };
        let job = job_of_digests(digests.iter().map(of).collect(), &JobConfig::default()).expect("several ranks");
        job.stragglers.iter().map(|one| (one.place, one.cause)).collect::<Vec<_>>()
    };
    let late = |cause| vec![(StragglerPlace::Rank(4), cause)];
    for (percent, cause) in [
        (100, StragglerCause::LongerKernels),
        (110, StragglerCause::Compute),
        (130, StragglerCause::MoreKernels),
        (140, StragglerCause::MoreKernels),
        // The additional ones are short: the time is not theirs.
        (300, StragglerCause::Compute),
        (0, StragglerCause::Compute),
    ] {
        assert_eq!(with(percent, false), late(cause), "{percent} % of the kernels");
    }
    assert_eq!(with(100, true), late(StragglerCause::Compute), "copies are no kernels");
}

/// Without marked steps, the gain covers the whole recording.
#[test]
fn what_could_be_gained_without_marked_steps() {
    let spec = JobSpec { faults: vec![Fault::Compute(4, 30)], ..JobSpec::data_parallel(39) };
    let digests = ranks(&spec, |_| true).iter().map(|rank| (rank.rank, rank.digest().map(unmarked))).collect();
    let job = job_of_digests(digests, &JobConfig::default()).expect("several ranks");
    let places: Vec<_> = job.stragglers.iter().map(|one| (one.place, one.cause)).collect();
    assert_eq!(places, [(StragglerPlace::Rank(4), StragglerCause::LongerKernels)]);
    let gain = job.gain.expect("a gain").0 as f64 / spec.gain() as f64 / spec.steps as f64;
    assert!((gain - 1.0).abs() < 0.15, "{gain} of the true gain");
}

#[test]
fn clocks_do_not_hide_a_straggler() {
    let spec = JobSpec { faults: vec![Fault::Compute(4, 30)], steps: 8, ..JobSpec::data_parallel(36) };
    for spec in [
        JobSpec { base: false, clock_offset: 9_000_000, ..spec.clone() },
        JobSpec { clock_offset: 9_000_000, ..spec.clone() },
        JobSpec { clock_jump: Some(3), ..spec.clone() },
        JobSpec { clock_drift: 100, ..spec },
    ] {
        let found = found(&spec);
        let places: Vec<_> = found.iter().map(|(place, cause, _)| (*place, *cause)).collect();
        assert_eq!(places, [(StragglerPlace::Rank(4), StragglerCause::LongerKernels)], "{spec:?}");
    }
}

#[test]
fn how_the_model_is_spread_as_a_person_says_it() {
    let told = |text: &str| JobConfig { parallel: ParallelGrid::named(text).ok() };
    let spec = JobSpec { tells: Tells::NoPurpose, faults: vec![Fault::Stage(2, 60)], ..JobSpec::three_dimensional(37) };
    let digests: Vec<_> = ranks(&spec, |_| true).iter().map(|rank| (rank.rank, rank.digest())).collect();
    let of = |config: &JobConfig| job_of_digests(digests.clone(), config).expect("several ranks");
    let given = of(&told("pp=4,dp=2,cp=2"));
    let expected = [(ParallelKind::Data, 2), (ParallelKind::Pipeline, 4), (ParallelKind::Sequence, 2)];
    assert_eq!(sizes(&given), expected);
    for group in &given.groups {
        let (kind, source) = group.parallel.expect("a kind");
        let apart = group.ranks[1] - group.ranks[0];
        let expected = [ParallelKind::Sequence, ParallelKind::Data, ParallelKind::Pipeline];
        assert_eq!((kind, source), (expected[usize::from(apart > 1) + usize::from(apart > 2)], ParallelSource::Given));
    }
    assert_eq!(given.stragglers.iter().map(|one| one.place).collect::<Vec<_>>(), [StragglerPlace::Stage(2)]);
    // One that does not have the job's sixteen ranks is not used.
    assert_eq!(of(&told("pp=4,dp=2")), of(&JobConfig::default()));
}

/// The deviations from the job to the cause; without exposed communication, which leads to no cause.
fn off(spec: &JobSpec) -> Vec<DrillDownKind> {
    let steps = drill_down(&job(spec));
    let depths: Vec<u8> = steps.iter().map(|step| step.depth).collect();
    assert!(depths[0] == 0 && depths.windows(2).all(|pair| pair[1] <= pair[0] + 1 && pair[1] > 0), "{depths:?}");
    let leads = |(index, step): &(usize, &DrillDownStep)| {
        let below = steps[index + 1..].iter().take_while(|below| below.depth > step.depth);
        matches!(step.kind, DrillDownKind::Cause(_))
            || below.into_iter().any(|below| matches!(below.kind, DrillDownKind::Cause(_)))
    };
    steps.iter().enumerate().filter(leads).map(|(_, step)| step.kind).collect()
}

#[test]
fn the_walk_ends_at_each_cause() {
    let three = |fault| JobSpec { faults: vec![fault], ..JobSpec::three_dimensional(38) };
    let rank = |rank, cause| {
        vec![
            DrillDownKind::Entry,
            // Tensor parallelism comes before data parallelism.
            DrillDownKind::Parallel(ParallelKind::Tensor),
            DrillDownKind::Metric(DrillDownMetric::Own),
            DrillDownKind::Place(StragglerPlace::Rank(rank)),
            DrillDownKind::Cause(cause),
        ]
    };
    assert_eq!(off(&three(Fault::Compute(5, 40))), rank(5, StragglerCause::LongerKernels));
    assert_eq!(off(&three(Fault::Data(2, 9_000_000))), rank(2, StragglerCause::Data));
    let stage = off(&three(Fault::Stage(1, 70)));
    assert_eq!(
        stage[1..3],
        [DrillDownKind::Parallel(ParallelKind::Pipeline), DrillDownKind::Metric(DrillDownMetric::StageCompute)]
    );
    assert_eq!(stage[3], DrillDownKind::Place(StragglerPlace::Stage(1)));
    let slow_link = JobSpec {
        parallel: [1, 1, 4],
        microbatches: 8,
        layers: 4,
        bytes: [40_000_000, 0, 0],
        faults: vec![Fault::Link(1, 2, 400)],
        ..JobSpec::data_parallel(39)
    };
    let link = off(&slow_link);
    assert_eq!(
        link[2..4],
        [DrillDownKind::Metric(DrillDownMetric::LinkBandwidth), DrillDownKind::Place(StragglerPlace::Link([1, 2])),]
    );
    assert_eq!(link[4], DrillDownKind::Cause(StragglerCause::Link));
    // If the user's layout has no stages, the link stands beside the kinds of parallelism.
    let digests = ranks(&slow_link, |_| true).iter().map(|rank| (rank.rank, rank.digest())).collect();
    let config = JobConfig { parallel: ParallelGrid::named("dp=4").ok() };
    let steps = drill_down(&job_of_digests(digests, &config).expect("several ranks"));
    let at = steps.iter().position(|step| step.kind == DrillDownKind::Place(StragglerPlace::Link([1, 2])));
    let above = at.map(|at| (steps[at - 1].kind, steps[at - 1].depth));
    assert_eq!(above, Some((DrillDownKind::Metric(DrillDownMetric::LinkBandwidth), 1)), "{steps:?}");
    assert_eq!(off(&JobSpec::three_dimensional(38)), []);
    // The traces name no groups: the numbers stand right below the job.
    let names = JobSpec { faults: vec![Fault::Compute(5, 25)], tells: Tells::Names, ..JobSpec::data_parallel(40) };
    assert!(off(&names).ends_with(&[DrillDownKind::Cause(StragglerCause::LongerKernels)]));
}

/// The numbers of the drill-down below each kind of parallelism, in their order.
fn checked(steps: &[DrillDownStep]) -> Vec<(ParallelKind, Vec<DrillDownMetric>)> {
    let mut found: Vec<(ParallelKind, Vec<DrillDownMetric>)> = Vec::new();
    for step in steps {
        match (step.kind, found.last_mut()) {
            (DrillDownKind::Parallel(kind), _) => found.push((kind, Vec::new())),
            (DrillDownKind::Metric(metric), Some((_, metrics))) => metrics.push(metric),
            _ => {}
        }
    }
    found
}

/// MindSpore's guide has a drill-down for each layout: the numbers of a data-parallel job are not those of a pipeline.
#[test]
fn each_layout_has_a_walk_of_its_own() {
    use DrillDownMetric as M;
    let walk = |spec: &JobSpec| drill_down(&job(spec));
    let shared_by = |parallel| JobSpec { parallel, ..JobSpec::data_parallel(42) };
    let data = walk(&shared_by([4, 1, 1]));
    let groups = [M::CollectiveParts, M::BusBandwidth];
    // These traces have no step trace; jobs with one compare its parts, too.
    assert_eq!(checked(&data), [(ParallelKind::Data, [&[M::Own, M::ExposedWithoutReceiving][..], &groups].concat())]);
    let model = walk(&shared_by([1, 4, 1]));
    let of_model = [&[M::Own, M::Compute, M::ExposedWithoutReceiving][..], &groups].concat();
    assert_eq!(checked(&model), [(ParallelKind::Tensor, of_model)]);

    let three = JobSpec { faults: vec![Fault::Stage(1, 70)], ..JobSpec::three_dimensional(38) };
    let pipeline = walk(&three);
    let of_stages = [M::StageTime, M::ComputeInStage, M::ExposedInStage, M::StageFlops, M::StageCompute];
    let between = [M::ReceiveAlone, M::LinkBandwidth];
    let found = checked(&pipeline);
    let kinds: Vec<ParallelKind> = found.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds, [ParallelKind::Pipeline, ParallelKind::Tensor, ParallelKind::Data]);
    let known = found[0].1.iter().copied().filter(|metric| *metric != M::IterationInterval).collect::<Vec<_>>();
    let wanted = of_stages.into_iter().filter(|metric| *metric != M::StageFlops || known.contains(metric));
    assert_eq!(known, wanted.chain(between).collect::<Vec<_>>());
    assert_eq!(found[2].1, groups, "other layouts have what their groups show");

    // The stage with more work is the slowest one; its ranks are compared with each other alone.
    let step = |metric| pipeline.iter().find(|step| step.kind == DrillDownKind::Metric(metric)).expect("a number");
    let of_stage_1 = (4..8).collect::<Vec<u64>>();
    assert_eq!((step(M::StageTime).off, &step(M::StageTime).ranks), (true, &of_stage_1), "{pipeline:?}");
    for metric in [M::ComputeInStage, M::ExposedInStage] {
        let step = step(metric);
        assert_eq!((step.stage, step.depth), (Some(1), 3));
        assert!(step.ranks.iter().all(|rank| of_stage_1.contains(rank)), "{step:?}");
    }
    let healthy = walk(&JobSpec::three_dimensional(38));
    let of_healthy = healthy.iter().find(|step| step.kind == DrillDownKind::Metric(M::StageTime)).expect("a number");
    assert!(!of_healthy.off, "{of_healthy:?}");
}

#[test]
fn a_summary_put_together_rank_by_rank_is_the_whole_one() {
    let spec = JobSpec { faults: vec![Fault::Compute(1, 30)], parallel: [3, 1, 1], ..JobSpec::data_parallel(41) };
    let all = ranks(&spec, |_| true);
    let whole = stepscope::export::report_json::Summary::of(&all).to_json();
    let config = stepscope::analyze::AdviceConfig::default();
    let mut parts = SummaryParts::new(SummaryRequest::of(&config));
    for rank in all.into_iter().rev() {
        parts.add(&rank);
    }
    parts.sort();
    assert_eq!(String::from_utf8(parts.finish().to_json()), String::from_utf8(whole));
}

/// A slow rank beside a slower one is not what the others wait for: alone it gains nothing, and the drill-down says so.
#[test]
fn the_walk_says_what_stragglers_gain_together() {
    let together = |faults: Vec<Fault>| -> Vec<Option<DrillDownNumber>> {
        let steps = drill_down(&job(&JobSpec { faults, ..JobSpec::data_parallel(8) }));
        let causes = steps.iter().filter(|step| matches!(step.kind, DrillDownKind::Cause(_)));
        let told = |step: &DrillDownStep| {
            step.numbers.iter().find(|(name, _)| *name == "gain_together").map(|(_, time)| *time)
        };
        causes.map(told).collect()
    };
    let gain =
        job(&JobSpec { faults: vec![Fault::Compute(1, 40), Fault::Compute(6, 40)], ..JobSpec::data_parallel(8) }).gain;
    let told = Some(DrillDownNumber::Time(gain.expect("a gain")));
    assert_eq!(together(vec![Fault::Compute(1, 40), Fault::Compute(6, 40)]), [told, told]);
    assert_eq!(together(vec![Fault::Compute(1, 40)]), [None]);
}

/// Exposed communication of more than a tenth of the step is marked for its ranks, whichever rank waits.
#[test]
fn the_walk_marks_exposed_communication() {
    let marked = |spec: &JobSpec| {
        let job = job(spec);
        let steps = drill_down(&job);
        let mut such =
            steps.iter().filter(|step| step.kind == DrillDownKind::Metric(DrillDownMetric::ExposedWithoutReceiving));
        let (step, more) = (such.next().expect("the number").clone(), such.next());
        assert_eq!((more, steps[0].off), (None, steps.iter().skip(1).any(|step| step.off)));
        (job, step)
    };
    let large = JobSpec { bytes: [1_000, 400_000, 800_000_000], ..JobSpec::data_parallel(41) };
    let (job, step) = marked(&large);
    assert!(step.off && step.ranks.len() == 8 && step.look == DrillDownLook::Collectives, "{step:?}");
    let share = |rank: u64| {
        let row = job.ranks.iter().find(|row| row.rank == rank).expect("a row");
        row.communication_alone.expect("collectives").0 as f64 / row.step.0 as f64
    };
    assert!(step.ranks.is_sorted_by(|a, b| share(*a) >= share(*b)), "{step:?}");
    assert!(step.numbers.contains(&("share_of_step", DrillDownNumber::Share(share(step.ranks[0])))), "{step:?}");
    let waiting = |step: &DrillDownStep| {
        step.numbers.iter().find_map(|(name, number)| match number {
            DrillDownNumber::Share(share) if *name == "waiting" => Some(*share),
            _ => None,
        })
    };
    assert!(waiting(&step).expect("how much is waiting") < 0.1, "{step:?}");
    let small = JobSpec { bytes: [1_000, 400_000, 400_000], ..JobSpec::data_parallel(41) };
    assert!(!marked(&small).1.off);
    let (_, step) = marked(&JobSpec { faults: vec![Fault::Compute(5, 60)], ..small });
    assert!(step.off && !step.ranks.contains(&5) && waiting(&step).expect("how much is waiting") > 0.8, "{step:?}");
    // In a pipeline, only exposed communication without receiving is marked, with its waiting part.
    let pipeline = JobSpec { bytes: [1_000_000, 40_000_000, 400_000], ..JobSpec::three_dimensional(42) };
    let (job, step) = marked(&pipeline);
    let worst = job.ranks.iter().find(|row| row.rank == step.ranks[0]).expect("a row");
    assert!(worst.alone_otherwise < worst.communication_alone, "{worst:?}");
    assert!(waiting(&step).expect("how much is waiting") < 0.2, "{step:?}");
    let (_, step) = marked(&JobSpec { faults: vec![Fault::Compute(5, 100)], ..pipeline });
    assert!(waiting(&step).expect("how much is waiting") > 0.4, "{step:?}");
}

/// Some of a job's ranks.
fn some(spec: &JobSpec, numbers: &[usize]) -> Job {
    let texts = spec.traces().into_iter().enumerate().filter(|(number, _)| numbers.contains(number));
    let trace = |(number, text): (usize, Vec<u8>)| {
        rank(&format!("rank{number}.json"), &text, &AnalysisConfig::standard()).expect("a trace")
    };
    job_of(&texts.map(trace).collect::<Vec<Rank>>()).expect("several ranks")
}

/// Groups list ranks that are not there: stages and sizes are the job's.
#[test]
fn stages_of_missing_ranks_are_told_by_the_groups() {
    for tells in [Tells::All, Tells::NoPurpose] {
        let spec = JobSpec { tells, ..JobSpec::three_dimensional(42) };
        let whole = job(&spec);
        for numbers in [&[8, 12][..], &[0, 12], &[5, 9], &[4, 6, 14]] {
            let job = some(&spec, numbers);
            let sized: Vec<_> = sizes(&job).into_iter().filter(|(kind, _)| *kind == ParallelKind::Pipeline).collect();
            assert_eq!(sized, [(ParallelKind::Pipeline, 4)], "{numbers:?} {:?}", job.parallel);
            assert!(job.parallel.iter().all(|one| one.source != ParallelSource::Seen), "{:?}", job.parallel);
            for row in &job.ranks {
                let expected = whole.ranks.iter().find(|one| one.rank == row.rank).and_then(|one| one.stage);
                assert_eq!(row.stage, expected, "rank {} of {numbers:?}", row.rank);
            }
        }
    }
}

/// If nothing gives the size, the number is marked as that of the loaded ranks.
#[test]
fn sizes_that_nobody_tells_are_those_of_the_ranks_that_are_there() {
    let digest = |number: u64| {
        let spec = JobSpec { tells: Tells::Names, ..JobSpec::data_parallel(43) };
        let text = spec.traces().swap_remove(usize::try_from(number).expect("small"));
        let one = rank(&format!("rank{number}.json"), &text, &AnalysisConfig::standard()).expect("a trace");
        let digest = RankDigest::of(&one.trace, &one.analysis, number, &one.file);
        let groups = digest.groups.into_iter().map(|group| DigestGroup { size: None, ranks: Vec::new(), ..group });
        RankDigest { world_size: Some(8), groups: groups.collect(), ..digest }
    };
    let of = |numbers: &[u64]| {
        let digests = numbers.iter().map(|number| (Some(*number), Some(digest(*number)))).collect();
        let job = job_of_digests(digests, &JobConfig::default()).expect("several ranks");
        job.parallel
    };
    let data = |size, source| [Shared { kind: ParallelKind::Data, size, source }];
    assert_eq!(of(&[2, 5]), data(2, ParallelSource::Seen));
    assert_eq!(of(&[0, 1, 2, 3, 4, 5, 6, 7]), data(8, ParallelSource::Shape));
}

/// If two clocks diverge, nothing shows which one is wrong.
#[test]
fn of_two_ranks_one_clock_jumps_or_drifts() {
    let two = JobSpec { parallel: [2, 1, 1], steps: 12, ..JobSpec::data_parallel(44) };
    let jumps = job(&JobSpec { clock_jump: Some(5), ..two.clone() });
    let [warning, left_out] = &jumps.warnings[..] else { panic!("{:?}", jumps.warnings) };
    assert_eq!((warning.code, warning.count), (JobCode::OneClockJumps, 1));
    // Each may be the one whose step is wrong.
    assert_eq!(left_out.code, JobCode::StepsLeftOut);
    assert!([0, 1].iter().all(|rank| left_out.steps.iter().any(|(of, _)| of == rank)), "{left_out:?}");
    let drifts = job(&JobSpec { clock_drift: 300, ..two });
    let [warning] = &drifts.warnings[..] else { panic!("{:?}", drifts.warnings) };
    assert_eq!((warning.code, warning.count), (JobCode::OneClockDrifts, 1));
}

/// Two ranks of PyTorch's without devices; the second one has recorded collectives only if `records_both`.
fn hosts(collective: &str, records_both: bool) -> Job {
    let text = |number: u32, records: bool| {
        let events: String = (0..3)
            .map(|step| {
                let at = step * 1000;
                let collective = format!(
                    r#"{{"ph":"X","cat":"user_annotation","name":"{collective}","pid":1,"tid":2,"ts":{},"dur":100,"args":{{
                     "Input Dims":[[66752]],"Input type":["float"]}}}},"#,
                    at + 500
                );
                format!(
                    r#"{{"ph":"X","cat":"user_annotation","name":"ProfilerStep#{step}","pid":1,"tid":1,"ts":{at},"dur":900}},
                     {}{{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":{at},"dur":400}},"#,
                    if records { collective.as_str() } else { "" }
                )
            })
            .collect();
        let job = format!(r#"{{"backend":"gloo","rank":{number},"world_size":2}}"#);
        let events = events.trim_end_matches(',');
        format!(r#"{{"deviceProperties":[],"distributedInfo":{job},"traceEvents":[{events}]}}"#)
    };
    let ranks = [true, records_both].into_iter().zip(0..).map(|(records, number): (bool, u32)| {
        let name = format!("rank{number}.json");
        rank(&name, text(number, records).as_bytes(), &AnalysisConfig::standard()).expect("a trace")
    });
    job_of(&ranks.collect::<Vec<Rank>>()).expect("two ranks")
}

/// Gloo's inputs give the bytes, if shapes are recorded.
#[test]
fn bytes_of_host_collectives_are_those_of_their_inputs() {
    // A gathered result has as much from each of the two.
    for (collective, ranks) in [("gloo:all_reduce", 1), ("gloo:all_gather", 2), ("gloo:gather", 2)] {
        let job = hosts(collective, true);
        assert_eq!(job.collectives[0].bytes, Some(ranks * 3 * 4 * 66752), "{:?}", job.collectives);
        assert!(job.collectives[0].algorithm_bandwidth.is_some());
    }
}

#[test]
fn communication_that_nobody_recorded_is_not_known_to_be_nothing() {
    let job = hosts("gloo:all_reduce", false);
    let told = |row: &stepscope::analyze::RankRow| (row.communication.is_some(), row.communication_alone.is_some());
    assert_eq!(job.ranks.iter().map(told).collect::<Vec<_>>(), [(true, true), (false, false)]);
    // The time of a collective without another part is unknown, not zero.
    let rows: Vec<_> = job.collectives.iter().map(|row| (row.count, row.matched, row.sums)).collect();
    assert_eq!(rows, [(3, 0, None), (3, 0, None)]);
}
