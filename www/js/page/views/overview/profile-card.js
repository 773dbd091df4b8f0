// The overview that MindInsight opens with, of traces of MindSpore and Paddle: the average step, operators by type, data, the timeline in all.

import {fill, h} from '../../dom.js';
import {PROFILED, tabsOf} from '../../state.js';
import {t} from '../../environment/i18n.js';
import {heading} from '../parts/heading.js';
import {recordedLanes} from '../steps/recorded-lanes.js';
import {StepPicture} from '../steps/step-picture.js';
import {averageText, lanesOfMean} from '../steps/step-lanes.js';
import {describedSmallTable} from '../table/described/described-small.js';
import {OperatorTypes} from './operator-types.js';

/** @typedef {import('../../../../types/reports.js').Input} Input */
/** @typedef {import('../../../../types/reports.js').RankReport} Rank */
/** @typedef {import('../../state.js').Tab} Tab */
/** @typedef {'step' | 'data' | 'timeline'} PartName */
/** @typedef {{lines: (string | Node)[], tab?: Tab, recorded?: string}} Found the lines of a part, and the tab or recorded table with more */

/** The card; hidden where none of its parts is recorded. */
export class ProfileCard {
  #types;
  #picture;
  /** @type {Record<PartName, {element: HTMLElement, body: HTMLElement}>} */
  #parts;
  /** Counts requests: only the last one's answers are shown. */
  #asked = 0;

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    this.app = app;
    this.#types = new OperatorTypes(app);
    this.#picture = new StepPicture(app);
    this.#parts = {step: part('step'), data: part('data'), timeline: part('timeline')};
    const {step, data, timeline} = this.#parts;
    this.element = h(
      'section',
      {class: 'card wide profile', 'aria-labelledby': 'profile-title', 'data-test': 'profile', hidden: true},
      heading('h2', 'profile', 'overview', {id: 'profile-title'}),
      step.element,
      h('div', {class: 'profile-parts'}, this.#types.element, h('div', {class: 'profile-facts'}, data.element, timeline.element)),
    );
  }

  /** @returns {Rank} */
  get #rank() {
    const {summary, rank} = this.app.state;
    return /** @type {Rank} */ (summary?.ranks[rank]);
  }

  /** Shows the parts that the shown rank has. @param {Input} input */
  async show({framework}) {
    const asked = ++this.#asked;
    const rank = this.#rank;
    const {summary, rank: index} = this.app.state;
    const tabs = summary ? tabsOf(summary, index) : [];
    this.element.hidden = true;
    for (const {element} of Object.values(this.#parts)) element.hidden = true;
    const isTheirs = PROFILED.includes(framework);
    const [types, step, data, timeline] = await Promise.all([
      this.#types.show(rank),
      isTheirs ? this.#step(tabs) : undefined,
      isTheirs && tabs.includes('data') ? this.#data() : undefined,
      isTheirs ? this.#timeline(rank, tabs) : undefined,
    ]);
    if (asked !== this.#asked) return;
    this.#fill('step', step);
    this.#fill('data', data);
    this.#fill('timeline', timeline);
    this.element.hidden = !types && !step && !data && !timeline;
  }

  /** @param {PartName} name @param {Found | undefined} found */
  #fill(name, found) {
    const {element, body} = this.#parts[name];
    element.hidden = !found;
    if (!found) return;
    const {lines, tab, recorded} = found;
    const go = () => (recorded ? this.app.store.set({tab: 'recorded', recordedTable: {id: recorded}}) : tab && this.app.go(tab));
    fill(
      body,
      lines.map((line) => (typeof line === 'string' ? h('p', {}, line) : line)),
      (tab || recorded) &&
        h('p', {}, h('button', {type: 'button', class: 'link', 'data-test': `profile-${name}-more`, onclick: go}, t(`profile.${name}.more`))),
    );
  }

  /** The average step, drawn. @param {Tab[]} tabs @returns {Promise<Found | undefined>} */
  async #step(tabs) {
    const report = await this.app.report('step_trace');
    const own = this.#ownStep();
    if (!report?.steps.length) return own && {lines: [own]};
    this.#picture.show(report.average, lanesOfMean(report, await recordedLanes(this.app, report)) ?? []);
    const {count} = this.app.wasm;
    const about = `${t('profile.step.of', {steps: count(report.steps.length)})} ${t(averageText(report))}`;
    const lines = [h('p', {class: 'hint'}, about), this.#picture.element, ...(own ? [own] : [])];
    return tabs.includes('steps') ? {lines, tab: 'steps'} : {lines, recorded: 'step_trace'};
  }

  /** The rank's own row in the profiler's table of a job, where it has no device. */
  #ownStep() {
    const {rank, device_time: devices} = this.#rank;
    const rows = this.app.state.summary?.cluster?.rows.filter((row) => row.rank === (rank ?? 0) && row.computation_ns > 0) ?? [];
    return devices.length || !rows.length ? undefined : describedSmallTable(this.app, 'cluster.rows', t('ranks.recorded.ranks'), rows);
  }

  /** The steps that data held up: those that found a queue empty, or waited for a loader. @returns {Promise<Found | undefined>} */
  async #data() {
    const found = await this.app.report('data');
    const {count} = this.app.wasm;
    const {pipeline, loading} = found ?? {};
    const {queue, get_next: next} = pipeline ?? {};
    const lines = [
      queue && queue.counted_steps > 0 && t('profile.data.queue', {empty: count(queue.counted_empty), steps: count(queue.counted_steps)}),
      next && t('data.get_next', {empty: count(next.times_empty), steps: count(next.steps)}),
      loading && t('profile.data.waits', {waiting: count(loading.waiting_steps), steps: count(this.#rank.average.steps)}),
    ].filter((line) => typeof line === 'string');
    return lines.length ? {lines, tab: 'data'} : undefined;
  }

  /** Number of streams and tasks on the timeline: as the profiler counted them, else by its events. @param {Rank} rank @param {Tab[]} tabs @returns {Promise<Found | undefined>} */
  async #timeline({recorded = [], steps, only_tables: bare = false}, tabs) {
    const place = recorded.findIndex(({id}) => id === 'timeline_summary');
    const rows = place < 0 ? undefined : await this.app.recorded(place);
    const {columns} = recorded[place] ?? {};
    if (rows?.texts.length && columns) {
      const at = (/** @type {string} */ name) => columns.findIndex((column) => column.name === name);
      const known = ['num_of_streams', 'num_of_ops', 'op_exe_times'].filter((name) => at(name) >= 0);
      return {lines: known.map((name) => t(`profile.timeline.${name}`, {value: rows.texts[0][at(name)]})), recorded: 'timeline_summary'};
    }
    if (bare || !tabs.includes('timeline')) return undefined;
    const idle = await this.app.report('why_idle');
    const streams = (idle?.idle ?? []).reduce((sum, {streams: own}) => sum + own.length, 0);
    const tasks = steps.reduce((sum, {activities}) => sum + activities, 0);
    if (!streams && !tasks) return undefined;
    const {count} = this.app.wasm;
    return {
      lines: [
        streams > 0 && t('profile.timeline.num_of_streams', {value: count(streams)}),
        tasks > 0 && t('profile.timeline.tasks', {value: count(tasks), steps: count(steps.length)}),
      ].filter((line) => typeof line === 'string'),
      tab: 'timeline',
    };
  }

  /** Draws the chart again: the theme changed. */
  redraw() {
    this.#types.redraw();
  }
}

/** @param {PartName} name */
function part(name) {
  const body = h('div', {});
  const element = h(
    'section',
    {class: 'profile-part', 'aria-labelledby': `profile-${name}-title`, 'data-test': `profile-${name}`, hidden: true},
    h('h3', {id: `profile-${name}-title`, title: t(`profile.${name}.why`)}, t(`profile.${name}`)),
    body,
  );
  return {element, body};
}
