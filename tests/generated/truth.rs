//! The cause in the first line, compared with the planted problem: a confusion matrix. INSIGHT section 5, D.

use std::collections::BTreeMap;
use std::fs;

use stepscope::Rank;
use stepscope::analyze::{BudgetMean, CauseKind, FirstLine};
use stepscope_tests::files::root;
use stepscope_tests::generator::{Difference, Problem, Producer, Program, Random};

use crate::planted::{Draw, Expected, KINDS, Planted, healthy};
use crate::savings::{TOLERANCE, bounds, mean, rank_of, rank_of_text, truth};

/// A problem that costs less of a step need not be named first.
const LARGE: f64 = 0.05;

/// Set to run all programs, as `cargo xtask test --all` does.
const ALL: &str = "STEPSCOPE_ALL";

/// The programs of each kind that are always run.
const FEW: u64 = 12;

/// The programs of each kind in the book's page.
const MANY: u64 = 64;

/// The least share of the first lines that name the planted problem, and of the savings that lie between their bounds.
const NAMED: f64 = 0.97;
const BETWEEN: f64 = 0.99;

/// The causes in the first line; without a cause, the first line's own name.
fn named(budget: &BudgetMean) -> Vec<&'static str> {
    let count = match budget.first {
        FirstLine::OneCause => 1,
        FirstLine::TwoCauses => 2,
        other => return vec![other.name()],
    };
    budget.causes.iter().take(count).map(|cause| cause.kind.name()).collect()
}

/// Results for one kind.
#[derive(Default)]
struct Row {
    /// Programs.
    programs: u32,
    /// Programs whose problem takes [`LARGE`] of the step or more, or all if nothing is to be named.
    judged: u32,
    /// Judged programs in which the right cause is named.
    right: u32,
    /// Named causes in judged programs, with their counts.
    named: BTreeMap<&'static str, u32>,
    /// Judged programs whose right first line has the problem's detail, too.
    detailed: u32,
    /// Savings with bounds, and those that lie between.
    bounded: u32,
    between: u32,
    /// Programs by their number that are named wrongly, or of which a saving lies beyond its bounds, and the facts.
    exceptions: Vec<(u64, String)>,
}

/// An exception, explained in both languages.
struct Explained {
    /// The kinds of problem in English.
    of: &'static str,
    /// The programs, by their numbers.
    numbers: &'static [u64],
    why: [&'static str; 2],
}

/// All exceptions among the programs of the page: each has a reason that was found by looking at it.
const EXPLAINED: [Explained; 4] = [
    Explained {
        of: "Garbage collection",
        numbers: &[56],
        why: [
            "The collector runs where one thread hands over to the other: the replay moves the start of the second one up by too little. With a collection after any other number of operators, the saving lies between its bounds.",
            "垃圾回收正好发生在一个线程交接给另一个线程之处：重放把后一个线程的开始提前得不够。在其他数目的算子之后回收时，节省的时间在界限之间。",
        ],
    },
    Explained {
        of: "Matrix products in FP32",
        numbers: &[17, 42, 47, 60],
        why: [
            "The products also run far below their own limit in 32 bits. This part is a cause of its own: the savings of both causes add up to the true one.",
            "这些乘法也远低于其自身的 32 位上限。这一部分是单独的原因：两个原因的节省之和就是真实的节省。",
        ],
    },
    Explained {
        of: "Two causes, 60 : 40",
        numbers: &[16, 57],
        why: [
            "The all-reduce on the device runs beside the collective of the host: without one of them, the other one is still waited for. The bounds of the first are far apart, and their middle is above the saving of the second.",
            "设备上的 all-reduce 与主机上的集合通信同时进行：去掉其中一个，仍要等待另一个。前者的界限相距很远，其中间值高于后者的节省。",
        ],
    },
    Explained {
        of: "Two causes, 60 : 40",
        numbers: &[27],
        why: [
            "While the compiler runs, the device still works. Its delay shows later: the bounds of compilation are far apart, and their middle is below the saving of the other cause.",
            "编译期间设备仍在工作，延迟在之后才显现：编译的界限相距很远，其中间值低于另一个原因的节省。",
        ],
    },
];

/// A program with a problem, and its data.
struct Case {
    problems: Vec<Problem>,
    program: Program,
    rank: Rank,
    /// The steps that count.
    counted: Vec<usize>,
    /// The mean time from step to step, with the problem and without it.
    step: f64,
    without: f64,
}

impl Case {
    fn new(kind: usize, number: u64) -> Self {
        let mut draw = Draw(Random::new(((kind as u64) << 32) + number));
        let spec = healthy(&mut draw);
        let problems = (KINDS[kind].draw)(&mut draw);
        let add = |program: Program, problem: &Problem| program.with(*problem);
        let program = problems.iter().fold(Program::new(spec), add);
        let instead: Vec<Problem> = problems.iter().filter_map(|problem| problem.instead()).collect();
        let other = instead.iter().fold(Program::new(spec), add);
        let rank = rank_of(&program);
        let counted = rank.analysis.steps.counted();
        let of = |program: &Program| mean(&program.steps(Difference::Nothing), &counted);
        let (step, without) = (of(&program), of(&other));
        Self { problems, program, rank, counted, step, without }
    }

    fn budget(&self) -> &BudgetMean {
        self.rank.step_budget().expect("events")
    }

    /// The true share of the step that is saved without a cause.
    fn saves(&self, kind: CauseKind) -> f64 {
        truth(&self.program, &self.counted, kind).unwrap_or_default() / self.step
    }

    /// The planted problem's share of the step: no more than its cause's. A problem also adds other time, such as that
    /// of its operators.
    fn costs(&self, expected: &Expected) -> f64 {
        let share = (self.step - self.without) / self.step;
        match expected {
            Expected::Cause(kinds) => share.min(self.most(kinds)),
            _ => share,
        }
    }

    fn most(&self, kinds: &[CauseKind]) -> f64 {
        kinds.iter().map(|kind| self.saves(*kind)).fold(0.0, f64::max)
    }

    /// The causes of the planted problems, the one that saves the most first.
    fn planted(&self) -> Vec<(CauseKind, f64)> {
        let kinds = self.problems.iter().map(|problem| match problem {
            Problem::OwnLoader(_) => CauseKind::DataPipeline,
            Problem::Compilation(_) => CauseKind::Compile,
            Problem::HostCollective(_) => CauseKind::HostCollective,
            Problem::Reduction(_) => CauseKind::Communication,
            _ => CauseKind::GarbageCollection,
        });
        let mut kinds: Vec<(CauseKind, f64)> = kinds.map(|kind| (kind, self.saves(kind))).collect();
        kinds.sort_by(|a, b| b.1.total_cmp(&a.1));
        kinds
    }

    /// Whether the first cause's wording, largest leaf or function is that of the problem.
    fn has_detail(&self, detail: &[&str]) -> bool {
        let Some(cause) = self.budget().causes.first() else { return false };
        let leaf = cause.leaves.first().map_or("", |(leaf, _)| leaf.name());
        let function = cause.functions.first().map_or("", |function| self.rank.trace.name_of(function.event));
        detail.iter().any(|one| *one == cause.wording || *one == leaf || function.contains(one))
    }

    /// Whether the problem is large enough to be judged, and whether the right cause is named.
    fn judge(&self, expected: &Expected, found: &[&'static str]) -> (bool, bool) {
        let names = |kind: &CauseKind| found.contains(&kind.name());
        let is_large = self.costs(expected) >= LARGE;
        let named = || self.budget().causes.iter().map(|cause| cause.kind).filter(names);
        let all_save = || named().all(|kind| self.saves(kind) >= 0.9 * LARGE);
        match expected {
            Expected::Cause(kinds) => (is_large, kinds.iter().any(&names)),
            Expected::NotEnoughRecorded => (is_large, found == [FirstLine::NotEnoughRecorded.name()]),
            Expected::Nothing => (true, all_save()),
            Expected::InOrder => {
                let [first, second] = self.planted()[..] else { return (false, false) };
                let order: Vec<CauseKind> = self.budget().causes.iter().map(|cause| cause.kind).take(2).collect();
                let differ = second.1 >= LARGE && first.1 >= 1.2 * second.1;
                (differ, names(&first.0) && order == [first.0, second.0])
            }
        }
    }
}

/// Runs the programs of a kind.
fn run(kind: usize, programs: u64) -> Row {
    let Planted { expected, detail, .. } = &KINDS[kind];
    let mut row = Row::default();
    for number in 0..programs {
        let case = Case::new(kind, number);
        let step = case.step;
        let budget = case.budget();
        row.programs += 1;
        for cause in &budget.causes {
            let truth = truth(&case.program, &case.counted, cause.kind);
            let (Some(truth), Some((low, high))) = (truth, bounds(cause)) else { continue };
            row.bounded += 1;
            if (low - truth).max(truth - high) <= TOLERANCE * step {
                row.between += 1;
            } else {
                let [truth, low, high] = [truth, low, high].map(|time| 100.0 * time / step);
                let facts = format!("`{}` {truth:.1} %, {low:.1} … {high:.1} %", cause.kind.name());
                row.exceptions.push((number, facts));
            }
        }
        let found = named(budget);
        let (is_judged, is_right) = case.judge(expected, &found);
        if !is_judged {
            continue;
        }
        row.judged += 1;
        *row.named.entry(found[0]).or_default() += 1;
        if is_right {
            row.right += 1;
            row.detailed += u32::from(case.has_detail(detail));
            continue;
        }
        let of_cause = |kind: CauseKind| format!("`{}` {:.1} %", kind.name(), 100.0 * case.saves(kind));
        let causes: Vec<String> = budget.causes.iter().take(3).map(|cause| of_cause(cause.kind)).collect();
        row.exceptions.push((number, causes.join(", ")));
    }
    row
}

/// The sums of all kinds: programs judged, right, savings with bounds, between them, right ones of kinds with a detail,
/// those with it.
fn totals(rows: &[Row]) -> [u32; 6] {
    let mut totals = [0; 6];
    for (kind, row) in KINDS.iter().zip(rows) {
        if !kind.detail.is_empty() {
            totals[4] += row.right;
            totals[5] += row.detailed;
        }
        totals[0] += row.judged;
        totals[1] += row.right;
        totals[2] += row.bounded;
        totals[3] += row.between;
    }
    totals
}

fn share(part: u32, whole: u32) -> f64 {
    f64::from(part) / f64::from(whole.max(1))
}

/// A share in percent, never rounded up.
fn percent(part: u32, whole: u32) -> f64 {
    (1_000.0 * share(part, whole)).floor() / 10.0
}

/// The texts of a page in one language.
struct Texts {
    language: usize,
    head: &'static str,
    tail: &'static str,
    totals: fn([u32; 6], u32) -> String,
    table: &'static str,
    exceptions: &'static str,
    exception: &'static str,
}

const ENGLISH: Texts = Texts {
    language: 0,
    head: "# Truth test of the step budget

[中文](zh/truth.md)

This page shows how often the first line of [the step budget](budget.md) names the right cause. A simulator runs programs with a planted problem and
writes each trace as PyTorch's profiler does. It runs each program again without the problem: the true saving is known.

- Each program has 5 to 7 steps. Without the problem, kernels run near the device's limit and the host is ahead. Strengths and all lengths are random.
- A program is judged if removing the problem saves at least 5 % of the step, and so does removing its cause alone.
- Two causes are right if both are listed in the order of their true savings and the first line names the first one. The larger one saves at least
  20 % more.
- Where nothing is planted, the first line must not name a cause that saves less than 4.5 % of the step.
- True savings may miss the bounds by 2 % of the step.
",
    tail: "
The simulator has one process, one device and three streams. It has no other ranks: a late rank and a slow network both appear as exposed
communication. CPU contention appears as slow operators. Real traces have more causes at a time; the first lines of 22 real traces are compared with
verdicts of a person in `tests/fixtures/verdicts.toml`.

`STEPSCOPE_ALL=1 STEPSCOPE_BLESS=1 cargo test -p stepscope-tests --test generated truth` writes this page.
",
    totals: |[judged, right, bounded, between, known, detailed], programs| {
        format!(
            "\n## Results\n\n- {programs} programs of {} kinds\n- The first line is right in {right} of {judged} judged programs ({:.1} %).\n- Where a trace shows which of several problems with the same cause it is, {detailed} of {known} right ones ({:.1} %) also name that detail.\n- {between} of {bounded} true savings lie between their bounds ({:.1} %).\n",
            KINDS.len(),
            percent(right, judged),
            percent(detailed, known),
            percent(between, bounded)
        )
    },
    table: "
Rows are planted problems. *Detail* counts the right ones whose first cause has the expected wording, largest part or largest function, such as Python
instead of operators for slow launching; – where the trace does not show which of several problems with one cause it is, or the cause alone says it. The last column lists the first lines of the judged programs with their counts, under the names that `--json` uses.

| Planted problem | Programs | Judged | Right | Detail | First line |
| --- | --: | --: | --: | --: | --- |
",
    exceptions: "
## Exceptions

Each has been looked at. Numbers are shares of the step: for savings beyond their bounds the true one and the bounds, for first lines the true savings of
the causes in their order.

",
    exception: "{kind}, program {number}: {facts}",
};

const CHINESE: Texts = Texts {
    language: 1,
    head: "<div lang=\"zh-CN\">

# 步的时间预算：真值测试

[English](../truth.md)

本页说明[步的时间预算](budget.md)的第一行有多少次给出了正确的原因。模拟器运行植入了一个问题的程序，并按 PyTorch profiler 的格式写出 trace；
再运行一次没有该问题的同一程序，因此真实节省的时间是已知的。

- 每个程序有 5 到 7 步。没有该问题时，kernel 的运行接近设备上限，主机领先于设备。问题的强度和各个长度都是随机的。
- 消除该问题、以及只消除其原因，都节省一步的 5 % 以上时，才计入判断。
- 有两个原因时，两者须按真实节省的顺序列出，且第一行给出其中较大的一个；较大的一个至少多节省 20 %。
- 没有植入问题时，第一行不得给出节省不足一步的 4.5 % 的原因。
- 真实节省可以超出界限，但不超过一步的 2 %。
",
    tail: "
模拟器只有一个进程、一个设备和三条流，没有其他 rank：迟到的 rank 和过慢的网络都表现为未掩盖的通信。CPU 争用表现为过慢的算子。真实的 trace 中同时有更多原因；
22 个真实 trace 的第一行与人的判断的比较见 `tests/fixtures/verdicts.toml`。

本页由 `STEPSCOPE_ALL=1 STEPSCOPE_BLESS=1 cargo test -p stepscope-tests --test generated truth` 写出。

</div>
",
    totals: |[judged, right, bounded, between, known, detailed], programs| {
        format!(
            "\n## 结果\n\n- {programs} 个程序，{} 类问题\n- {judged} 个程序计入判断，其中 {right} 个的第一行正确（{:.1} %）。\n- 在 trace 能区分同一原因的不同问题时，{known} 个正确的程序中有 {detailed} 个（{:.1} %）还给出了该细节。\n- {bounded} 个真实节省中，{between} 个落在界限之间（{:.1} %）。\n",
            KINDS.len(),
            percent(right, judged),
            percent(detailed, known),
            percent(between, bounded)
        )
    },
    table: "
每行是一类植入的问题。“细节”是正确的程序中，第一个原因的说法、最大部分或最大函数也符合预期的个数，例如启动过慢时是 Python 而不是算子；trace 看不出是同一原因的哪个问题、或原因本身已说明时为 –。
最后一列是计入判断的程序的第一行及其次数，名称与 `--json` 中相同。

| 植入的问题 | 程序 | 计入判断 | 正确 | 细节 | 第一行 |
| --- | --: | --: | --: | --: | --- |
",
    exceptions: "
## 例外

每一个都逐一查看过。数值是占一步的比例：超出界限的节省给出真实值和界限，第一行则按顺序给出各原因的真实节省。

",
    exception: "{kind}，程序 {number}：{facts}",
};

fn page(rows: &[Row], texts: &Texts) -> String {
    let list = |counts: &BTreeMap<&'static str, u32>| {
        let mut counts: Vec<(&str, u32)> = counts.iter().map(|(name, count)| (*name, *count)).collect();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        counts.iter().map(|(name, count)| format!("`{name}` {count}")).collect::<Vec<_>>().join(", ")
    };
    let name = |kind: &Planted| if texts.language == 0 { kind.english } else { kind.chinese };
    let mut page = texts.head.to_owned();
    page += &(texts.totals)(totals(rows), rows.iter().map(|row| row.programs).sum());
    page += texts.table;
    for (kind, row) in KINDS.iter().zip(rows) {
        let Row { programs, judged, right, detailed, named, .. } = row;
        let detailed = if kind.detail.is_empty() { "–".to_owned() } else { detailed.to_string() };
        page += &format!("| {} | {programs} | {judged} | {right} | {detailed} | {} |\n", name(kind), list(named));
    }
    page += texts.exceptions;
    for Explained { of, numbers, why } in &EXPLAINED {
        page += &format!("- {}\n", why[texts.language]);
        let (kind, row) = KINDS.iter().zip(rows).find(|(kind, _)| kind.english == *of).expect("a kind");
        for (number, facts) in row.exceptions.iter().filter(|(number, _)| numbers.contains(number)) {
            let text = texts.exception.replace("{kind}", name(kind)).replace("{number}", &number.to_string());
            page += &format!("  - {}\n", text.replace("{facts}", facts));
        }
    }
    page + texts.tail
}

#[test]
fn the_first_line_names_what_was_planted() {
    let all = std::env::var_os(ALL).is_some();
    let rows: Vec<Row> = (0..KINDS.len()).map(|kind| run(kind, if all { MANY } else { FEW })).collect();
    let exceptions =
        || KINDS.iter().zip(&rows).flat_map(|(kind, row)| row.exceptions.iter().map(move |one| (kind, one)));
    let wrong: Vec<String> =
        exceptions().map(|(kind, (number, facts))| format!("{}, {number}: {facts}", kind.english)).collect();
    let wrong = wrong.join("\n");
    let [judged, right, bounded, between, known, detailed] = totals(&rows);
    assert!(judged > 200 && bounded > 400, "{judged} programs are judged, {bounded} savings have bounds");
    assert!(share(right, judged) >= NAMED, "{right} of {judged} first lines are right:\n{wrong}");
    assert!(share(detailed, known) >= NAMED, "{detailed} of {known} first lines have the detail");
    assert!(share(between, bounded) >= BETWEEN, "{between} of {bounded} savings are between:\n{wrong}");
    for (kind, row) in KINDS.iter().zip(&rows) {
        let Row { judged, right, detailed, .. } = *row;
        assert!(judged > 0, "no program has so much of it: {}", kind.english);
        let same = KINDS.iter().filter(|other| other.detail.iter().any(|one| kind.detail.contains(one))).count();
        assert!(same <= 1, "{}: another kind has the same detail", kind.english);
        assert!(right + 1 + judged / 10 >= judged, "{}: {right} of {judged}:\n{wrong}", kind.english);
        assert!(
            kind.detail.is_empty() || detailed + 1 + right / 10 >= right,
            "{}: {detailed} of {right}",
            kind.english
        );
    }
    let explained = |kind: &Planted, number: u64| {
        EXPLAINED.iter().any(|one| one.of == kind.english && one.numbers.contains(&number))
    };
    let unexplained: Vec<String> = exceptions()
        .filter(|(kind, (number, _))| !explained(kind, *number))
        .map(|(kind, (number, facts))| format!("{}, {number}: {facts}", kind.english))
        .collect();
    assert!(unexplained.is_empty(), "look at these, mend or explain them in EXPLAINED:\n{}", unexplained.join("\n"));
    if !all {
        return;
    }
    for Explained { of, numbers, .. } in &EXPLAINED {
        for number in *numbers {
            let is_one = |(kind, (found, _)): (&Planted, &(u64, String))| kind.english == *of && found == number;
            assert!(exceptions().any(is_one), "{of}, {number} is no exception any more");
        }
    }
    for (path, texts) in [("docs/src/truth.md", &ENGLISH), ("docs/src/zh/truth.md", &CHINESE)] {
        let (file, page) = (root().join(path), page(&rows, texts));
        if std::env::var_os("STEPSCOPE_BLESS").is_some() {
            fs::write(&file, &page).expect("the page is written");
        }
        let known = fs::read_to_string(&file).unwrap_or_default();
        assert!(known == page, "{path} is not what was found; {ALL}=1 STEPSCOPE_BLESS=1 writes it:\n{wrong}");
    }
}

/// Whether a problem is visible without records of Python's functions, of shapes and of a third stream.
fn shows_everywhere(problem: &Problem) -> bool {
    !matches!(
        problem,
        Problem::GarbageCollection(..)
            | Problem::Compilation(_)
            | Problem::SlowPython(_)
            | Problem::EventWait(_)
            | Problem::GraphCopy(_)
            | Problem::Products { .. }
            | Problem::Attention { .. }
            | Problem::Sums(..)
    )
}

/// Formats without shapes give no limit of kernels; the largest cause is the same.
#[test]
fn the_largest_cause_is_the_same_in_other_formats() {
    const PROGRAMS: u64 = 6;
    let (mut judged, mut wrong) = (0, Vec::new());
    for (kind, planted) in KINDS.iter().enumerate() {
        let Expected::Cause(kinds) = planted.expected else { continue };
        for number in 0..PROGRAMS {
            let case = Case::new(kind, number);
            if case.costs(&planted.expected) < 0.1 || !case.problems.iter().all(shows_everywhere) {
                continue;
            }
            for (producer, name) in [(Producer::Native, "program.stepscope"), (Producer::Paddle, "program.json")] {
                judged += 1;
                let rank = rank_of_text(name, &case.program.trace_as(producer));
                let first = rank.step_budget().and_then(|budget| Some(budget.causes.first()?.kind));
                if !first.is_some_and(|first| kinds.contains(&first)) {
                    wrong.push(format!("{}, {producer:?}, {number}: {first:?}", planted.english));
                }
            }
        }
    }
    assert!(judged > 50, "{judged} traces");
    assert!(wrong.len() * 20 <= judged, "{} of {judged}:\n{}", wrong.len(), wrong.join("\n"));
}
