// The first tab: the verdict in a few numbers, where each step's time goes, how good the data is.

import {fill, h} from '../../dom.js';
import {comparedRanks} from '../../state.js';
import {t} from '../../environment/i18n.js';
import {AdviceCard} from '../advice/advice-card.js';
import {BarChart} from '../charts/chart.js';
import {partLines} from '../charts/part-lines.js';
import {theirTile} from '../frame/definition.js';
import {allStepsText, isUnmarked, ofSteps} from '../parts/all-steps.js';
import {busyWhile} from '../parts/busy.js';
import {heading} from '../parts/heading.js';
import {BudgetCard} from './budget-card.js';
import {showAbout, showQuality} from './data-cards.js';
import {DeviceTimeCard} from './device-time.js';
import {JobCard} from './job-card.js';
import {showMissing} from './missing-card.js';
import {ProfileCard} from './profile-card.js';
import {RunsCard} from './runs-card.js';
import {RankPart, isLedToRank} from './rank-part.js';
import {spreadOfSteps, tilesWithValues} from './summary-numbers.js';

/** @typedef {import('../../../../types/reports.js').RankReport} Rank */
/** @typedef {import('../../../protocol/answers.js').CategoryName} CategoryName */
/** @typedef {import('../../../../types/reports.js').TileReport} Tile */
/** @typedef {import('../../state.js').State} State */

/** @type {CategoryName[]} */
const CATEGORIES = ['kernel', 'memcpy', 'memset', 'communication', 'runtime', 'dataloader', 'cpu', 'other'];

/** Outliers that are listed. */
const MOST_OUTLIERS = 5;

/**
 * The categories' lengths in a step, and its part before the first recorded activity: there the device may run earlier
 * work, and the cost of the host's categories is not known.
 * @param {import('../../../../types/reports.js').StepReport} step
 */
function categoryValues({categories, categories_before_first_activity: early}) {
  const of = (/** @type {CategoryName} */ category) => categories[`${category}_ns`] - (early?.[/** @type {'cpu_ns'} */ (`${category}_ns`)] ?? 0);
  return [...CATEGORIES.map(of), early?.total_ns ?? 0];
}

/** The overview of a trace, or that of a job with that of a rank below. */
export class Overview {
  #tiles = h('div', {class: 'tiles', role: 'group'});
  /** The part on one rank, where there are several. */
  #alone = new RankPart();
  #parts;
  /** Whether there are several. @type {boolean | undefined} */
  #isSeveral;
  #early = h('p', {class: 'hint wide', hidden: true, 'data-test': 'before-first'});
  #between = h('p', {class: 'hint wide', hidden: true, 'data-test': 'between-steps'});
  #quality = h('section', {class: 'card', 'aria-labelledby': 'quality-title'});
  #about = h('section', {class: 'card', 'aria-labelledby': 'about-title'});
  #missing = h('section', {class: 'card wide', 'aria-labelledby': 'missing-title', 'data-test': 'missing', hidden: true});
  #stepsNote = h('p', {class: 'hint'});
  #spread = h('p', {class: 'step-spread', hidden: true, 'data-test': 'step-spread'});
  #steps;

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    this.app = app;
    const {duration} = app.wasm;
    this.steps = new BarChart(app, {
      label: t('overview.steps'),
      partName: (part) => t(`category.${part}`),
      describe: (region, part, whole) => {
        const steps = this.#covered.map((index) => this.rank.steps[index]);
        const one = region.end - region.first === 1;
        const names = one ? steps[region.first].name : `${steps[region.first].name} – ${steps[region.end - 1].name}`;
        return [
          t('step', {name: names}),
          ...partLines(app.wasm, duration, t(`category.${part}`), region, whole),
          t(app.state.step === this.#covered[region.first] ? 'chart.unpick' : 'chart.pick'),
        ];
      },
      onPick: (region) => {
        const step = this.#covered[region.first];
        app.choose({step: app.state.step === step ? null : step});
      },
    });
    this.devices = new DeviceTimeCard(app);
    this.advice = new AdviceCard(app);
    this.budget = new BudgetCard(app, (report) => this.devices.showBudget(report && report.budget.branches));
    this.runs = new RunsCard(app);
    this.job = new JobCard(app, this.advice.ofJob);
    this.profile = new ProfileCard(app);
    this.#steps = h(
      'section',
      {class: 'card wide', 'aria-labelledby': 'steps-title'},
      heading('h2', 'steps', 'steps', {id: 'steps-title'}, t('overview.steps')),
      this.#stepsNote,
      this.#spread,
      this.steps.element,
    );
    this.#parts = [
      this.budget.element,
      this.advice.element,
      this.#tiles,
      this.#early,
      this.#between,
      this.devices.note,
      this.#steps,
      this.devices.element,
      this.profile.element,
      this.#quality,
      this.#about,
      this.#missing,
    ];
    this.element = h('div', {class: 'overview'});
  }

  /** @returns {Rank} */
  get rank() {
    const {summary, rank} = this.app.state;
    return /** @type {Rank} */ (summary?.ranks[rank]);
  }

  /** The steps that the timeline shows, by their place among all. */
  get #covered() {
    return this.rank.steps.flatMap((step, index) => (step.covered ? [index] : []));
  }

  /** @param {State} now @param {State | undefined} before */
  show(now, before) {
    const sameRank = before && now.summary === before.summary && now.rank === before.rank;
    // Without events, a zero would be a claim.
    const {only_tables: bare = false} = this.rank;
    if (bare) this.#early.hidden = this.#between.hidden = true;
    this.#tiles.hidden = bare;
    if (bare) this.#steps.hidden = true;
    this.devices.isBare = bare;
    this.#arrange(now, before);
    // Thresholds may have changed while another tab was open, and how the model is spread in the address.
    if (!before || !sameRank || now.parallel !== before.parallel) busyWhile(this.advice.element, this.advice.show(this.rank));
    if (!sameRank && now.summary) {
      const input = now.summary.inputs[now.rank];
      showQuality(this.#quality, this.app, input);
      showAbout(this.#about, this.app, input, this.rank);
      showMissing(this.#missing, now.summary, now.rank);
      this.devices.showDefinition(this.rank);
      busyWhile(this.profile.element, this.profile.show(input));
    }
    if (!sameRank || now.parallel !== before.parallel) busyWhile(this.job.element, this.#showJob(now));
    // The job's card may come above it only now.
    else if (isLedToRank(this.app)) this.#alone.reveal();
    this.advice.showScope(now);
    if (!sameRank || now.step !== before.step) busyWhile(this.budget.element, this.budget.show(now));
    if (bare) return;
    if (!sameRank || now.step !== before.step) this.#showSteps(now);
    if (!sameRank || now.selection !== before.selection) this.#showSelection(now);
  }

  /** With several ranks, moves the cards on one rank into a part of their own. @param {State} now @param {State | undefined} before */
  #arrange(now, before) {
    const {summary, rank, step} = now;
    if (!summary) return;
    const isSeveral = summary.ranks.length > 1;
    if (isSeveral !== this.#isSeveral) {
      const isFirst = this.#isSeveral === undefined;
      this.#isSeveral = isSeveral;
      if (isSeveral) this.#alone.hold(this.#parts);
      fill(this.element, this.runs.element, this.job.element, isSeveral ? this.#alone.element : this.#parts);
      // The address leads to a rank or a step; ranks that are not compared have nothing else here.
      if (comparedRanks(summary).length < 2 || (isFirst && (rank !== 0 || step !== null))) this.#alone.open();
    }
    this.#alone.rank = this.rank;
    // Another rank or step was chosen here.
    if (before && (rank !== before.rank || (step !== before.step && step !== null))) this.#alone.open();
  }

  /** @param {State} state */
  async #showJob(state) {
    const isListed = await this.runs.show(state);
    if (state.summary !== this.app.state.summary) return;
    this.job.isListed = isListed;
    const isJob = await this.job.show(state);
    if (isListed && isJob === false) this.runs.leadToReasons();
    // Traces that are no ranks of one job have nothing else.
    if (isListed || isJob === false) this.#alone.open();
    if (isLedToRank(this.app)) this.#alone.reveal();
  }

  /** Draws the charts again. */
  redraw() {
    this.profile.redraw();
    if (this.rank.only_tables) return;
    this.steps.draw();
    this.devices.chart.draw();
  }

  /** @param {State} state */
  #showSteps(state) {
    const {steps: all, step_source: source} = this.rank;
    const shown = this.#covered;
    const steps = shown.map((index) => all[index]);
    const pale = steps.some((step) => !step.counted);
    const {count} = this.app.wasm;
    const covered = steps.length < all.length ? t('overview.covered', {covered: count(steps.length), steps: count(all.length)}) : '';
    const {whole_step: whole, device_busy_outside_steps_ns: beside} = this.rank;
    const {duration} = this.app.wasm;
    const outside = whole?.outside_ns
      ? t(whole.device_busy_outside_ns ? 'overview.outside.busy' : 'overview.outside', {
          time: duration(whole.outside_ns),
          busy: duration(whole.device_busy_outside_ns),
        })
      : '';
    const before = beside ? t('overview.outside_steps', {busy: duration(beside)}) : '';
    fill(
      this.#stepsNote,
      [t(`overview.source.${source}`, {steps: count(all.length)}), outside, before, covered, pale ? t('overview.pale') : ''].filter(Boolean).join(' '),
    );
    const outliers = this.#showSpread(steps, shown);
    // One bar compares nothing: the budget shows what is in it. That the only step has a mark needs no card.
    this.steps.element.hidden = shown.length < 2;
    this.#steps.hidden = all.length === 1 && source === 'marks' && !outside && !before && !covered && !pale;
    this.steps.show({
      parts: [...CATEGORIES, 'delay'],
      bars: steps.map((step, place) => ({label: outliers.includes(place) ? `▲ ${step.name}` : step.name, values: categoryValues(step), pale: !step.counted})),
      lying: false,
      selected: state.step === null ? null : shown.indexOf(state.step),
    });
  }

  /**
   * Shows the spread of the steps' lengths, with links to the outliers.
   * @param {import('../../../../types/reports.js').StepReport[]} steps @param {number[]} places among all @returns {number[]} the outliers
   */
  #showSpread(steps, places) {
    const spread = spreadOfSteps(steps);
    this.#spread.hidden = !spread;
    if (!spread) return [];
    const {count, duration, percent_change: change} = this.app.wasm;
    const {median, p90, outliers, groups} = spread;
    const link = (/** @type {number} */ place) => {
      const {name, length_ns: length} = steps[place];
      const text = t('overview.spread.outlier', {step: t('step', {name}), length: duration(length), change: change((length - median) / median)});
      return h('button', {type: 'button', class: 'link', 'data-test': 'step-outlier', onclick: () => this.app.choose({step: places[place]})}, text);
    };
    const [short, long] = groups;
    const length = (/** @type {{typical: number}} */ {typical}) => duration(steps[typical].length_ns);
    const found = short && t('overview.spread.groups', {few: count(short.count), short: length(short), more: count(long.count), long: length(long)});
    const listed = outliers.slice(0, MOST_OUTLIERS);
    const why = t('overview.spread.why');
    const links = (/** @type {number[]} */ of) => of.flatMap((place, index) => [index ? ', ' : ' ', link(place)]);
    fill(
      this.#spread,
      t('overview.spread', {median: duration(median), p90: duration(p90)}),
      ' ',
      found && [h('span', {title: why}, found), links([short.typical, long.typical]), ' '].flat(),
      (!found || outliers.length > 0) && h('span', {title: why}, t(outliers.length ? 'overview.spread.outliers' : 'overview.spread.even')),
      links(listed),
      outliers.length > listed.length && `, ${t('overview.spread.more', {count: count(outliers.length - listed.length)})}`,
    );
    return outliers;
  }

  /** @param {State} state */
  #showSelection(state) {
    const {selection, step} = state;
    if (!selection) return;
    const {steps} = this.rank;
    const {before_first_activity_ns: early, uncovered_ns: lost, unrecorded_ns: cut, idle_start_late_ns: late, between_steps_ns: between} = selection;
    const idle = selection.tiles.find((tile) => tile.name === 'idle')?.time_ns ?? 0;
    const {duration} = this.app.wasm;
    // As the program says it: where it is a tenth of the idle time or more.
    const notes = [
      cut && t('overview.unrecorded', {time: duration(cut)}),
      early && t('overview.before_first', {time: duration(early)}),
      lost && t('overview.uncovered', {time: duration(lost)}),
      late * 10 > idle && t('overview.start_late', {time: duration(late)}),
    ].filter(Boolean);
    this.#early.hidden = notes.length === 0;
    fill(this.#early, notes.join(' '));
    this.#between.hidden = !between;
    fill(this.#between, between ? t('overview.between_steps', {time: duration(between)}) : '');
    this.#tiles.setAttribute('aria-label', step === null ? allStepsText(this.rank) : t('step', {name: steps[step].name}));
    const hasDevices = selection.overlap.length > 0;
    fill(
      this.#tiles,
      tilesWithValues(selection.tiles, this.rank).map((tile) => this.#tile(tile, hasDevices, step)),
    );
    this.devices.showSelection(state);
  }

  /** The extent of a step. @param {boolean} hasDevices whether it ends with the activity of devices */
  #stepExtent(hasDevices) {
    const {step_source: source, whole_step: whole} = this.rank;
    if (whole) return t(`tile.step.whole.${whole.span}`);
    if (source === 'table') return t('tile.step.table');
    if (source === 'whole_trace') return t('tile.step.host');
    return t(hasDevices ? 'tile.step.more' : 'tile.step.marked');
  }

  /** The host's wait for data in a step, or on average: a device idles only in a part of that. @param {number | null} step */
  #hostWaits(step) {
    const {average, steps} = this.rank;
    return step === null ? average.data_wait_ns : (steps[step].phases?.dataloader.host_ns ?? 0);
  }

  /** @param {Tile} tile @param {boolean} hasDevices whether devices are recorded @param {number | null} step */
  #tile({name, time_ns: time, share}, hasDevices, step) {
    const {duration, percent} = this.app.wasm;
    const of = name === 'data_wait' && hasDevices ? this.#hostWaits(step) : 0;
    const isPart = of > 0 && duration(of) !== duration(time);
    const length = isPart ? t('tile.data_wait.more', {time: duration(time), all: duration(of)}) : duration(time);
    const [value, more] = name === 'step' ? [duration(time), this.#stepExtent(hasDevices)] : [percent(share), length];
    const isRecordedTime = name === 'step' && this.rank.whole_step;
    // Without a device, nothing is known to idle.
    const isOfHost = name === 'data_wait' && !hasDevices;
    const label = t(isRecordedTime ? 'tile.recorded' : isOfHost ? 'tile.data_wait.host' : `tile.${name}`);
    const formula = isOfHost ? 'tile.data_wait.host.formula' : `tile.${name}.formula`;
    return h(
      'div',
      {
        class: `tile tile-${name}`,
        role: 'group',
        tabindex: '0',
        'aria-label': label,
        'aria-describedby': `formula-${name}`,
        'data-test': `tile-${name}`,
      },
      h('span', {class: 'tile-name'}, label),
      h('span', {class: 'tile-value'}, value),
      h('span', {class: 'tile-more'}, more),
      theirTile(this.app, this.rank, name),
      h('span', {class: 'formula', role: 'tooltip', id: `formula-${name}`}, ofSteps(t(formula), isUnmarked(this.rank))),
    );
  }
}
