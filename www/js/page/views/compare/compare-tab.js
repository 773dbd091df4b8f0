// The compare tab: the shown rank beside another one, of the same trace or of another, and the causes of the difference.

import {fill, h} from '../../dom.js';
import {chooseFiles} from '../../files/files.js';
import {comparedRanks} from '../../state.js';
import {t} from '../../environment/i18n.js';
import {BarChart} from '../charts/chart.js';
import {partLines} from '../charts/part-lines.js';
import {Choice} from '../parts/choice.js';
import {KernelNames} from '../parts/kernel-names.js';
import {rankName} from '../parts/rank-name.js';
import {descriptionOf} from '../table/described/described.js';
import {TableRows} from '../table/described/table-rows.js';
import {AlignedTimelines} from './aligned.js';
import {ChangedTree} from './changed-tree.js';
import {ENOUGH_STEPS, byBudget, byCategory, byName, inCommon, modelsOf, ownTime, spreadOf, verdictOf} from './changes.js';
import {causesOf, tablesOf} from './compared-tables.js';
import {JobCard} from './job-card.js';
import {paired, pairedCalls, sumsOfCalls, sumsOfTable} from './paired.js';
import {LONGEST, LONGEST_HEADING, sideNames} from './sides.js';
import {Waterfall, partName} from './waterfall.js';

/** @typedef {import('../../../protocol/requests.js').Baseline} Baseline */
/** @typedef {import('../../../../types/reports.js').ChangeReport} Change */
/** @typedef {import('../../../../types/reports.js').ContributionReport} Contribution */
/** @typedef {import('../../../../types/reports.js').Diff} Diff */
/** @typedef {import('../../../protocol/answers.js').Selection} Selection */
/** @typedef {import('../../state.js').State} State */
/** @typedef {import('./compared-tables.js').Pair} Pair */
/** @typedef {import('./compared-tables.js').Sides} Sides */
/** @typedef {import('./sides.js').SideNames} SideNames */

/** @type {import('../../../protocol/answers.js').CategoryName[]} */
const CATEGORIES = ['kernel', 'memcpy', 'memset', 'communication', 'runtime', 'dataloader', 'cpu', 'other'];

const TABLES = /** @type {const} */ (['contributions', 'families', 'kernels', 'operators', 'modules', 'functions', 'phases', 'pairs', 'causes']);

/** Ways in which the waterfall splits the change. */
const SPLITS = /** @type {const} */ (['budget', 'categories', 'names']);

/** Below these shares of time with names in common, the sides run different programs, and kernels cannot be compared by name. */
const SAME_PROGRAM = 0.8;
const SAME_KERNELS = 0.5;

/** @type {Sides} */
const FROM_OTHER = {a: 'other', b: 'shown'};
/** @type {Sides} */
const FROM_SHOWN = {a: 'shown', b: 'other'};

/** The tab that compares. */
export class CompareTab {
  #with;
  #shapes = h('input', {type: 'checkbox', 'data-test': 'compare-shapes', onchange: () => this.#compare(this.app.state)});
  #verdict = h('p', {class: 'verdict', role: 'status', 'data-test': 'compare-verdict'});
  #spread = h('p', {class: 'compare-spread', 'data-test': 'compare-spread'});
  #waits = h('p', {class: 'hint', hidden: true, 'data-test': 'compare-waits'});
  #throughput = h('p', {'data-test': 'compare-throughput'});
  #outcome = h('p', {'data-test': 'compare-outcome', hidden: true});
  #waterfall;
  /** Short names of the kernels among the contributions, and of all of them. @type {{contributed: KernelNames, all: KernelNames}} */
  #kernels;
  #job;
  #aligned;
  #tree;
  #split;
  /** The leaves of both budgets, once they are there. @type {import('./changes.js').Changes | null} */
  #budgets = null;
  #note = h('p', {class: 'hint', 'data-test': 'compare-note'});
  #said = h('span', {});
  #bar = h('progress', {max: '1', 'aria-label': t('loading.progress')});
  #progress;
  #forget;
  #which;
  /** Whether a person chose the table. */
  #isChosen = false;
  #place = h('div', {});
  #found = h('div', {class: 'compare-found', hidden: true});
  #start = h('section', {class: 'compare-start', 'aria-labelledby': 'compare-start-title', 'data-test': 'compare-start'});
  /** The controls that choose the other side: in the line above the numbers, or where there are none yet, in their place. */
  #choosers;
  #head;
  #shapesLabel = h('label', {class: 'check', title: t('compare.shapes.why')}, this.#shapes, t('compare.shapes'));
  #swap = h(
    'button',
    {class: 'button', type: 'button', title: t('compare.swap.hint'), onclick: () => this.#swapSides(), 'data-test': 'compare-swap'},
    t('compare.swap'),
  );
  /** @type {Diff | undefined} */
  #diff;
  #sides = FROM_OTHER;
  /** @type {SideNames} */
  #names = unnamed();
  /** The same, shorter: in headings of columns. */
  #headings = {shown: t('compare.shown'), other: t('compare.other')};
  /** Whether both sides are ranks of one run: then neither is the one before. */
  #areRanks = false;
  /** The own times of both, if they are ranks of one run that wait for each other; `unknown` where one is. @type {Record<'shown' | 'other', import('./changes.js').OwnTime> | 'unknown' | null} */
  #own = null;
  /** Counts requests: only the last one's answer is shown. */
  #asked = 0;
  /** The tables of both sides, once one of them is wanted. @type {Promise<Record<'shown' | 'other', Selection | undefined>> | undefined} */
  #selections;

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    this.app = app;
    const open = (/** @type {boolean} */ folder) => app.comparing.open(() => chooseFiles(folder));
    const button = (/** @type {string} */ key, /** @type {() => unknown} */ act) => h('button', {class: 'button', onclick: act, 'data-test': key}, t(key));
    this.#with = new Choice(t('compare.with'), 'compare-with', (value) => app.store.set({baseline: baselineOf(value)}));
    this.#forget = button('compare.forget', () => app.comparing.forget());
    // The button stays while the numbers change: one that is replaced between press and release is never clicked.
    const cancel = h('button', {class: 'button', onclick: () => app.comparing.forget(), 'data-test': 'compare-cancel'}, t('cancel'));
    this.#progress = h('div', {class: 'compare-progress', hidden: true, 'data-test': 'compare-progress'}, this.#said, this.#bar, cancel);
    this.#which = new Choice(t('compare.table'), 'compare-table', () => {
      this.#isChosen = true;
      this.#showTable();
    });
    this.#waterfall = new Waterfall(app);
    this.#kernels = {contributed: new KernelNames(app.wasm), all: new KernelNames(app.wasm)};
    this.#split = new Choice(t('compare.split'), 'compare-split', () => this.#showWaterfall());
    this.#split.offer(SPLITS.map((name) => [name, t(`compare.split.${name}`)]));
    this.chart = new BarChart(app, {
      label: t('compare.chart'),
      partName: (part) => t(`category.${part}`),
      describe: (region, part, whole) => [
        this.#names[this.#sides[region.first === 0 ? 'b' : 'a']],
        ...partLines(app.wasm, app.wasm.duration, t(`category.${part}`), region, whole),
      ],
    });
    this.#choosers = {trace: [button('compare.open', () => open(false)), button('compare.folder', () => open(true))], rank: this.#with.element};
    this.#head = h('div', {class: 'compare-head'});
    const card = h(
      'section',
      {class: 'card wide', 'aria-label': t('compare.chart')},
      this.#verdict,
      this.#waits,
      this.#spread,
      this.#throughput,
      this.#outcome,
      this.#note,
      this.chart.element,
    );
    const falls = h(
      'section',
      {class: 'card wide', 'aria-labelledby': 'waterfall-title'},
      h(
        'div',
        {class: 'card-head'},
        h('h2', {id: 'waterfall-title', title: t('compare.waterfall.why')}, t('compare.waterfall')),
        h('span', {class: 'space'}),
        this.#split.element,
      ),
      this.#waterfall.element,
    );
    this.#job = new JobCard(app);
    this.#aligned = new AlignedTimelines(app);
    this.#tree = new ChangedTree(app);
    fill(
      this.#found,
      this.#job.element,
      card,
      falls,
      this.#tree.element,
      this.#aligned.element,
      h('div', {class: 'compare-tables'}, this.#which.element),
      this.#place,
    );
    this.element = h('div', {class: 'compare', 'data-test': 'compare'}, this.#head, this.#progress, this.#start, this.#found);
    this.tables = tablesOf(app, {...this.#sides, names: this.#headings, kernels: this.#kernels});
  }

  /** Puts the controls where they belong. @param {boolean} isEmpty whether there is no other side */
  #arrange(isEmpty) {
    const {trace, rank} = this.#choosers;
    if (this.#start.hidden === !isEmpty && this.#head.childElementCount > 0) return;
    this.#start.hidden = !isEmpty;
    const focused = /** @type {Document | ShadowRoot} */ (this.element.getRootNode()).activeElement;
    const way = (/** @type {string} */ key, /** @type {(Node | string)[]} */ ...content) =>
      h('div', {class: 'compare-way'}, h('h3', {title: t(`${key}.why`)}, t(key)), ...content);
    if (isEmpty) {
      fill(
        this.#start,
        h('h2', {id: 'compare-start-title', title: t('compare.title.why')}, t('compare.title')),
        h('p', {}, t('compare.lead')),
        h(
          'div',
          {class: 'compare-ways'},
          way('compare.start.trace', h('p', {class: 'hint'}, t('compare.start.trace.hint')), h('div', {class: 'actions'}, trace)),
          way('compare.start.rank', rank),
        ),
      );
      fill(this.#head, this.#forget);
    } else fill(this.#head, rank, this.#swap, trace, this.#forget, this.#shapesLabel);
    // A control that moves loses the focus.
    if (focused instanceof HTMLElement && this.element.contains(focused)) focused.focus();
  }

  /** Names both sides. */
  async #nameSides() {
    const {comparing, state} = this.app;
    const [shown, other] = [state.summary?.ranks[state.rank], comparing.other];
    const job = other && !other.isAside ? await this.app.job() : undefined;
    this.#areRanks = job !== undefined && 'job' in job && shown?.rank !== other?.rank.rank;
    this.#own = this.#areRanks && job && 'job' in job && other ? this.#ownTimes(job.job, other.index) : null;
    const named = (/** @type {number} */ longest) =>
      shown && other ? sideNames(shown, other.rank, this.#areRanks, (rank) => t('rank', {rank}), longest) : null;
    const headings = named(LONGEST_HEADING) ?? {shown: t('compare.shown'), other: t('compare.other')};
    this.#names = named(LONGEST) ?? unnamed();
    if (headings.shown === this.#headings.shown && headings.other === this.#headings.other) return;
    this.#headings = headings;
    this.tables = tablesOf(this.app, {...this.#sides, names: this.#headings, kernels: this.#kernels});
  }

  /** @param {import('../../../../types/reports.js').JobReport} job @param {number} other its index among the open ranks */
  #ownTimes(job, other) {
    const {summary, rank} = this.app.state;
    if (!summary) return null;
    const places = comparedRanks(summary);
    const [a, b] = [rank, other].map((index) => ownTime(job, places.indexOf(index)));
    if (a === null || b === null) return null;
    return a === 'unknown' || b === 'unknown' ? 'unknown' : {shown: a, other: b};
  }

  /** Counts the differences the other way round. */
  #swapSides() {
    this.#sides = this.#sides === FROM_OTHER ? FROM_SHOWN : FROM_OTHER;
    this.#swap.setAttribute('aria-pressed', String(this.#sides === FROM_SHOWN));
    this.tables = tablesOf(this.app, {...this.#sides, names: this.#headings, kernels: this.#kernels});
    this.#compare(this.app.state);
  }

  /** @param {State} now @param {State | undefined} before */
  show(now, before) {
    if (!before || now.summary !== before.summary || now.rank !== before.rank || now.others !== before.others) this.#offer(now);
    if (!before || now.baseline !== before.baseline) this.#with.value = valueOf(otherThanShown(now));
    if (!before || now.othersProgress !== before.othersProgress) this.#showProgress(now);
    const same = before && now.summary === before.summary && now.rank === before.rank && now.baseline === before.baseline;
    if (!same || !before) this.#compare(now);
    else if (now.held !== before.held) this.#alignAgain();
    else if (now.step !== before.step) this.#aligned.choose(now.step);
  }

  /** Draws the chart again. */
  redraw() {
    this.chart.draw();
    this.#aligned.draw();
    this.#tree.redraw();
  }

  search() {
    this.tables[this.#shown].search();
  }

  /** @param {KeyboardEvent} event @returns {boolean} whether it meant something */
  key(event) {
    return this.#aligned.key(event);
  }

  /** Rows are others once other traces are in memory; but reading one for that may not drop the other in turn. */
  #alignAgain() {
    const {held, rank} = this.app.state;
    const {other} = this.app.comparing;
    if (this.#diff && other && held.includes(rank) && (other.isAside || held.includes(other.index))) this.#align();
  }

  /** The steps of both sides, on one scale of time; nothing where a side has none. */
  #align() {
    const {client, comparing, state} = this.app;
    const {rank: index, summary} = state;
    const [rank, other] = [summary?.ranks[index], comparing.other];
    const isThere = rank !== undefined && other !== null && rank.steps.length > 0 && other.rank.steps.length > 0;
    if (!isThere) {
      this.#aligned.clear();
      return;
    }
    const goTo = (/** @type {number} */ of) => (/** @type {number} */ event) => this.app.jump({event}, of);
    const {shown: name, other: otherName} = this.#names;
    this.#aligned.show({
      shown: {client, index, rank, name, goTo: goTo(index)},
      other: {client: other.client, index: other.index, rank: other.rank, name: otherName, goTo: other.isAside ? null : goTo(other.index)},
    });
  }

  /** Offers the ranks to compare with. @param {State} state */
  #offer(state) {
    const {summary, rank, others} = state;
    const opened = (summary?.ranks ?? [])
      .map((one, index) => /** @type {[string, string]} */ ([valueOf({aside: false, rank: index}), rankName(one)]))
      .filter((_, index) => index !== rank);
    const aside = others.map((one, index) => /** @type {[string, string]} */ ([valueOf({aside: true, rank: index}), rankName(one)]));
    this.#with.offer([['', t('compare.nothing')], ...aside, ...opened]);
    this.#with.element.hidden = !opened.length && !aside.length;
    this.#with.value = valueOf(otherThanShown(state));
    this.#forget.hidden = !others.length;
  }

  /** @param {State} state */
  #showProgress({othersProgress: progress}) {
    this.#progress.hidden = progress === null;
    if (progress === null) return;
    const {bytes} = this.app.wasm;
    fill(this.#said, progress === 'begun' ? t('loading.start') : `${progress.file} · ${bytes(progress.read)} / ${bytes(progress.size)}`);
    if (progress !== 'begun' && progress.stage === 'reading' && progress.size) this.#bar.value = progress.read / progress.size;
    else this.#bar.removeAttribute('value');
  }

  /** @param {State} state */
  async #compare(state) {
    const asked = ++this.#asked;
    this.#selections = undefined;
    const baseline = otherThanShown(state);
    this.#arrange(baseline === null);
    this.#swap.hidden = baseline === null;
    if (!baseline) {
      this.#found.hidden = true;
      this.#aligned.clear();
      this.#tree.clear();
      this.element.removeAttribute('aria-busy');
      return;
    }
    this.element.setAttribute('aria-busy', 'true');
    const sides = this.#sides;
    const {comparing} = this.app;
    const [diff, budgets] = await Promise.all([comparing.compare(this.#shapes.checked, sides === FROM_SHOWN), comparing.reports('budget', {step: null})]);
    if (asked !== this.#asked) return;
    await this.#nameSides();
    if (asked !== this.#asked) return;
    this.element.removeAttribute('aria-busy');
    this.#diff = diff;
    this.#kernels.contributed.set((diff?.contributions ?? []).filter(isKernel).map(({name}) => name));
    this.#budgets = byBudget(budgets[sides.a], budgets[sides.b]);
    this.#found.hidden = !diff;
    if (!diff) return;
    this.#offerTables(state);
    this.#draw(diff);
    this.#align();
    this.#showTree(state);
  }

  /** The flame graph, where the shown side has calls. @param {State} state */
  #showTree({summary, rank}) {
    if (summary?.ranks[rank].topics?.includes('call_tree')) this.#tree.show({...this.#sides, names: this.#names});
    else this.#tree.clear();
  }

  /** Offers the tables for which both sides have something. @param {State} state */
  #offerTables({summary, rank}) {
    const {which, has} = {which: this.#which.value, has: summary?.ranks[rank]};
    const isThere = (/** @type {typeof TABLES[number]} */ name) => {
      if (name === 'families' || name === 'kernels') return (has?.device_time.length ?? 0) > 0;
      if (name === 'modules') return this.#diff?.modules !== undefined;
      return name !== 'functions' || has?.topics?.includes('call_tree');
    };
    const offered = TABLES.filter(isThere);
    this.#which.offer(offered.map((name) => [name, t(`compare.${name}`)]));
    this.#which.value = offered.some((name) => name === which) ? which : offered[0];
  }

  #showWaterfall() {
    const diff = this.#diff;
    if (!diff) return;
    const splits = SPLITS.filter((name) => name !== 'budget' || this.#budgets);
    const had = this.#split.value;
    this.#split.offer(splits.map((name) => [name, t(`compare.split.${name}`)]));
    const split = splits.find((name) => name === had) ?? splits[0];
    this.#split.value = split;
    const changes =
      split === 'budget' && this.#budgets ? this.#budgets : split === 'names' ? byName(diff, (name) => this.#kernels.contributed.of(name)) : byCategory(diff);
    this.#waterfall.show(changes, {a: this.#names[this.#sides.a], b: this.#names[this.#sides.b]});
  }

  /** Shows the length of the step on both sides, or the own time of ranks, its spread, and whether the change exceeds it. @param {Diff} diff */
  #showVerdict(diff) {
    const {step, steps} = diff;
    const {duration} = this.app.wasm;
    const {a, b} = this.#sides;
    const values = {stepA: duration(step.a_ns), stepB: duration(step.b_ns), nameA: this.#names[a], nameB: this.#names[b]};
    const cut = /** @type {const} */ (['a', 'b']).flatMap((side) => {
      const {unrecorded_ns: time} = diff[side].average;
      return time ? [capitalized(t('compare.cut', {side: this.#names[this.#sides[side]], time: duration(time)}))] : [];
    });
    this.#waits.hidden = cut.length > 0 || this.#own === null || this.#own === 'unknown';
    this.#spread.hidden = cut.length > 0 || this.#own === 'unknown';
    if (cut.length) {
      fill(this.#verdict, cut.join(' '));
      this.#verdict.className = 'verdict unclear';
    } else if (this.#own === 'unknown') {
      const largest = (this.#budgets ?? byCategory(diff)).parts.find(({key}) => key !== 'compare.small');
      const said = largest && t('compare.waits.largest', {what: partName(largest), change: this.app.wasm.duration_change(largest.change)});
      fill(this.#verdict, [t('compare.waits.unknown', values), said].filter(Boolean).join(' '));
      this.#verdict.className = 'verdict unclear';
    } else if (this.#own) {
      fill(this.#waits, t('compare.waits', values));
      this.#showTimes('compare.own', this.#own[a], this.#own[b]);
    } else {
      const lengths = (/** @type {'a' | 'b'} */ side) => steps.flatMap((pair) => pair[side]?.length_ns ?? []);
      this.#showTimes(this.#areRanks ? 'compare.ranks' : 'compare', {mean: step.a_ns, steps: lengths('a')}, {mean: step.b_ns, steps: lengths('b')});
    }
  }

  /** @param {'compare' | 'compare.ranks' | 'compare.own'} key prefix of the messages @param {import('./changes.js').OwnTime} first @param {import('./changes.js').OwnTime} second */
  #showTimes(key, first, second) {
    const {duration, duration_change: signed, percent_change: percent} = this.app.wasm;
    const {a, b} = this.#sides;
    const [nameA, nameB] = [this.#names[a], this.#names[b]];
    const [from, to] = [first, second].map(({steps}) => spreadOf(steps));
    const change = second.mean - first.mean;
    const {kind, why} = verdictOf(change, from, to);
    const said = {
      ...{b: duration(second.mean), a: duration(first.mean), nameA, nameB},
      change: signed(change),
      percent: percent(first.mean ? change / first.mean : null),
    };
    fill(this.#verdict, capitalized(t(key === 'compare.ranks' && kind === 'same' ? 'compare.same' : `${key}.${kind}`, said)));
    this.#verdict.className = `verdict ${kind}`;
    if (!from || !to) {
      fill(this.#spread, t('compare.spread.few', {steps: ENOUGH_STEPS}));
      return;
    }
    const text = (/** @type {import('./changes.js').Spread} */ {low, median, high}, /** @type {string} */ side) =>
      capitalized(
        t(key === 'compare.own' ? 'compare.spread.own' : 'compare.spread.side', {side, median: duration(median), low: duration(low), high: duration(high)}),
      );
    const sides = b === 'shown' ? [text(to, nameB), text(from, nameA)] : [text(from, nameA), text(to, nameB)];
    const badge = why === 'apart' && !this.#areRanks && (kind === 'longer' ? 'worse' : 'better');
    fill(
      this.#spread,
      badge && h('strong', {class: `badge ${badge}`}, t(`compare.spread.${badge}`)),
      badge && ' ',
      [...sides, t(`compare.spread.${why}`)].join(' '),
    );
  }

  /** Shows the work per second; not of two ranks, which share their steps. @param {Diff['throughput']} throughput */
  #showThroughput(throughput) {
    this.#throughput.hidden = !throughput || this.#areRanks;
    if (!throughput) return;
    const {count, percent_change: percent} = this.app.wasm;
    const {unit, per_second: rate, change} = throughput;
    const {a, b} = this.#sides;
    const said = {a: count(rate.a), b: count(rate.b), nameA: this.#names[a], nameB: this.#names[b], percent: percent(change ?? undefined)};
    fill(this.#throughput, t(`compare.throughput.${unit}`, said));
  }

  /** Obstacles to a comparison by name: other devices, another program, other kernels. @param {Diff} diff @returns {{notes: string[], advised: string}} the texts, and the table that they advise */
  #differences(diff) {
    const {summary, rank} = this.app.state;
    const [shown, other] = [summary?.ranks[rank], this.app.comparing.other?.rank].map((one) => modelsOf(one).join(', '));
    const {percent} = this.app.wasm;
    const {operators, kernels} = inCommon(diff);
    const notes = shown && other && shown !== other ? [t('compare.devices', {a: other, b: shown})] : [];
    const [isOtherProgram, hasOtherKernels] = [operators !== null && operators < SAME_PROGRAM, kernels !== null && kernels < SAME_KERNELS];
    if (isOtherProgram) notes.push(t('compare.common.operators', {share: percent(operators)}));
    else if (hasOtherKernels) notes.push(t('compare.common.kernels', {share: percent(kernels)}));
    return {notes, advised: isOtherProgram || hasOtherKernels ? 'families' : TABLES[0]};
  }

  /** @param {Diff} diff */
  #draw(diff) {
    const {count} = this.app.wasm;
    const {a, b} = diff;
    const sides = this.#sides;
    const names = this.#names;
    const [shown, other] = sides.b === 'shown' ? [b, a] : [a, b];
    this.#job.show(diff.job, {...sides, names: this.#headings, kernels: this.#kernels});
    this.#showVerdict(diff);
    this.#showThroughput(diff.throughput);
    // A rank did not become another one: nothing was predicted or achieved.
    const outcome = this.#areRanks ? undefined : diff.outcome;
    this.#outcome.hidden = !outcome;
    this.#outcome.textContent = outcome ? outcome.sentences.join(' ') : '';
    const notes = [t('compare.steps', {a: count(other.average.steps), b: count(shown.average.steps), nameA: names.other, nameB: names.shown})];
    for (const [side, name] of /** @type {const} */ ([
      [shown, 'shown'],
      [other, 'other'],
    ])) {
      if (side.step_source === 'whole_trace') notes.push(capitalized(t('compare.whole', {side: names[name]})));
    }
    if (a.framework !== b.framework) notes.push(t('compare.frameworks', {a: other.framework, b: shown.framework}));
    const differences = this.#differences(diff);
    notes.push(...differences.notes);
    if (!this.#isChosen) this.#which.value = differences.advised;
    // Without devices there are no families.
    if (!this.#which.value) this.#which.value = TABLES[0];
    fill(this.#note, notes.join(' '));
    const bar = (/** @type {string} */ label, /** @type {'a_ns' | 'b_ns'} */ side) => ({
      label,
      values: [
        ...CATEGORIES.map((category) => diff.categories.find((one) => one.category === category)?.time[side] ?? 0),
        diff.before_first_activity?.[side] ?? 0,
      ],
      pale: false,
    });
    this.chart.show({
      parts: [...CATEGORIES, 'delay'],
      bars: [bar(names[sides.b], 'b_ns'), bar(names[sides.a], 'a_ns')],
      lying: true,
      selected: null,
    });
    this.#showWaterfall();
    this.#showTable();
  }

  /** @returns {typeof TABLES[number]} */
  get #shown() {
    return TABLES.find((name) => name === this.#which.value) ?? 'contributions';
  }

  #showTable() {
    const diff = this.#diff;
    if (!diff) return;
    const shown = this.#shown;
    this.#place.replaceChildren(this.tables[shown].element);
    if (shown === 'families' || shown === 'kernels' || shown === 'functions') this.#ask(shown);
    else if (shown === 'contributions') this.tables.contributions.show(diff.contributions);
    else if (shown === 'operators' || shown === 'modules') {
      const {[shown]: rows = []} = diff;
      // Without a device all of its times are zero.
      const device = rows.some(({device_self: {a_ns: a, b_ns: b}}) => a || b);
      this.tables[shown].show(rows);
      this.tables[shown].order(device ? 'device_self_change_ns' : 'host_self_change_ns', true);
    } else this.tables[shown].show(shown === 'pairs' ? stepsOf(diff, this.#sides) : shown === 'phases' ? phasesOf(diff) : causesOf(diff.causes));
  }

  /** Shows a table made from the reports of both sides. @param {'families' | 'kernels' | 'functions'} name */
  async #ask(name) {
    const asked = this.#asked;
    const {a, b} = this.#sides;
    this.element.setAttribute('aria-busy', 'true');
    const rows = await (name === 'functions' ? this.#functions(a, b) : this.#ofTables(name === 'kernels' ? 'kernels' : 'kernel_families', a, b));
    if (asked !== this.#asked) return;
    this.element.removeAttribute('aria-busy');
    if (name === 'kernels') this.#kernels.all.set(rows.map((row) => row.name));
    this.tables[name].show(rows);
  }

  /** @param {'kernels' | 'kernel_families'} id @param {'shown' | 'other'} a @param {'shown' | 'other'} b */
  async #ofTables(id, a, b) {
    this.#selections ??= this.app.comparing.reports('selection', {step: null, average: true, grouping: 'name', merge: false});
    const reports = await this.#selections;
    const description = descriptionOf(this.app, id);
    const sums = (/** @type {'shown' | 'other'} */ side) => {
      const values = reports[side]?.tables[id];
      return values ? sumsOfTable(new TableRows(description, values), id === 'kernels' ? 'name' : 'family') : new Map();
    };
    const rows = paired(sums(a), sums(b));
    return id === 'kernels' ? rows : rows.map((row) => ({...row, name: t(`kernel_family.${row.name}`)}));
  }

  /** @param {'shown' | 'other'} a @param {'shown' | 'other'} b */
  async #functions(a, b) {
    const reports = await this.app.comparing.reports('call_tree', {step: null, average: true});
    const [from, to] = [reports[a], reports[b]];
    if (!from || !to) return [];
    const measure = from.device_ns > 0 && to.device_ns > 0 ? 'device' : 'host';
    return pairedCalls(sumsOfCalls(from, measure), sumsOfCalls(to, measure));
  }
}

/** The sides where nothing distinguishes their names. @returns {SideNames} */
const unnamed = () => ({shown: t('compare.unnamed.shown'), other: t('compare.unnamed.other')});

/** A sentence that may begin with such a side: a file's name stays as it is. @param {string} sentence */
function capitalized(sentence) {
  const begins = Object.values(unnamed()).some((name) => sentence.startsWith(name));
  return begins ? sentence[0].toUpperCase() + sentence.slice(1) : sentence;
}

/** The baseline of the shown rank, never the rank itself. @param {State} state */
const otherThanShown = ({baseline, rank}) => (baseline && !baseline.aside && baseline.rank === rank ? null : baseline);

/** @param {Baseline | null} baseline */
const valueOf = (baseline) => (baseline ? `${baseline.aside ? 'aside' : 'rank'}-${baseline.rank}` : '');

/** @param {string} value @returns {Baseline | null} */
function baselineOf(value) {
  const [place, rank] = value.split('-');
  return value ? {aside: place === 'aside', rank: Number(rank)} : null;
}

/** Whether a contribution is a kernel's. @param {Contribution} row */
const isKernel = ({category}) => category === 'kernel' || category === 'communication';

/** @param {Diff} diff @returns {Pair[]} */
function phasesOf({phases}) {
  const pair = (/** @type {string} */ name, /** @type {Change} */ {a_ns: a, b_ns: b, change_ns: change}) => ({name, a, b, change});
  return phases
    .flatMap(({phase, host, device}) => [
      pair(t('compare.phase.host', {phase: t(`phase.${phase}`)}), host),
      pair(t('compare.phase.device', {phase: t(`phase.${phase}`)}), device),
    ])
    .filter(({a, b}) => a || b);
}

/** @param {Diff} diff @param {Sides} sides @returns {Pair[]} */
function stepsOf({steps}, sides) {
  return steps.map(({a, b}) => ({
    shown: (sides.b === 'shown' ? b : a)?.name,
    name: a && b && a.name !== b.name ? `${b.name} | ${a.name}` : ((b ?? a)?.name ?? ''),
    a: a?.length_ns ?? null,
    b: b?.length_ns ?? null,
    change: a && b ? b.length_ns - a.length_ns : null,
  }));
}
