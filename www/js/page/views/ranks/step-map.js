// The map of ranks by steps: excess of each rank's own time in a step over that of its peers.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {allStepsText, isUnmarked} from '../parts/all-steps.js';
import {heading} from '../parts/heading.js';
import {rankTitle} from '../parts/rank-name.js';
import {GridPlace, asGrid} from './grid-keys.js';
import {judgedRanks} from './metrics.js';
import {ranksBySteps} from './own-steps.js';
import {latest, stepCells} from './step-cells.js';

/** @typedef {import('../../../../types/reports.js').JobRankReport} JobRank */

/** Number of steps with a cell of their own. */
const MOST_STEPS = 40;

/** The most steps with room for a number in each cell. */
const WITH_NUMBERS = 14;

/** Least share that a cell shows, and the share of the darkest color, unless others are above that. */
const SAID = 0.02;
const DARK = 0.1;

/** A map of ranks by steps. */
export class StepMap {
  #hint = h('p', {class: 'hint'});
  #place = new GridPlace();
  element = h('div', {class: 'step-map', 'data-test': 'step-map', hidden: true}, this.#hint, this.#place.element);
  /** The same with a heading. */
  get card() {
    return h('div', {class: 'card wide step-map-card'}, heading('h2', 'ranks.steps', 'ranks_numbers'), this.element);
  }

  /**
   * @param {import('../../app.js').App} app @param {number} most ranks that are shown
   * @param {(row: JobRank) => number | undefined} indexOf the place of a rank among those that are open @param {(row: JobRank) => void} open shows a rank
   */
  constructor(app, most, indexOf, open) {
    this.app = app;
    this.most = most;
    this.indexOf = indexOf;
    this.open = open;
  }

  /** @param {Pick<import('../../../../types/reports.js').JobReport, 'ranks' | 'verdict' | 'slow_alone'>} job @param {import('../../../../types/reports.js').StragglersRow[]} stragglers */
  show(job, stragglers) {
    const {ranks: rows, verdict} = job;
    const judged = judgedRanks(job, stragglers);
    const {summary} = this.app.state;
    const shown = ranksBySteps(rows, this.indexOf, summary?.ranks ?? []);
    const found = stepCells(shown, MOST_STEPS);
    const [unmarked] = summary && shown.every(({index}) => isUnmarked(summary.ranks[index])) ? shown.map(({index}) => summary.ranks[index]) : [];
    const isNameless = (/** @type {number} */ index) => summary?.ranks[index].rank === null;
    const stepName = (/** @type {string} */ name) => (unmarked ? allStepsText(unmarked) : t('step', {name}));
    this.element.hidden = shown.length < 2 || found.steps.length === 0;
    if (this.element.hidden) return;
    const places = latest(found, this.most);
    const grouped = found.steps.length < new Set(shown.flatMap(({names}) => names)).size && found.steps.some((name) => name.includes(' – '));
    const notes = [
      t('ranks.steps.why'),
      t(judged.size > 0 ? 'ranks.steps.judged' : 'ranks.steps.plain'),
      verdict === 'no_collectives' && t('ranks.steps.waiting'),
      places.length < shown.length && t('ranks.steps.most', {count: this.app.wasm.count(places.length), all: this.app.wasm.count(shown.length)}),
      grouped && t('ranks.steps.grouped'),
    ];
    fill(this.#hint, notes.filter(Boolean).join(' '));
    const most = Math.max(DARK, ...places.flatMap((place) => found.cells[place].map((cell) => cell?.above ?? 0)));
    /** @type {HTMLElement[][]} */
    const grid = [];
    const lines = places.map((place) => {
      const {row, index, steps} = shown[place];
      const name = rankTitle(summary?.ranks[index] ?? row);
      const head = h('button', {type: 'button', class: 'link', title: name, 'data-test': 'step-map-rank', onclick: () => this.open(row)}, name);
      const cells = found.cells[place].map((cell, column) => {
        const step = cell && steps[cell.step];
        return this.#cell(cell, `${name} · ${stepName(found.steps[column])}`, {
          // Colors follow the verdict: numbers of ranks that it does not name have none.
          most: judged.has(row.rank) ? most : Infinity,
          numbers: found.steps.length <= WITH_NUMBERS,
          go: step ? () => this.app.jump({span: [step.start_ns, step.end_ns]}, index) : undefined,
        });
      });
      grid.push([head, ...cells]);
      return h('tr', {'data-test': 'step-map-line'}, h('th', {scope: 'row', class: 'left'}, head), cells);
    });
    const every = Math.ceil(found.steps.length / WITH_NUMBERS);
    const heads = found.steps.map((name, column) =>
      h(
        'th',
        {scope: 'col', class: 'heat-rank', title: stepName(name)},
        unmarked ? stepName(name) : column % every === 0 ? shortened(name) : h('span', {class: 'only-read-out'}, name),
      ),
    );
    const table = h(
      'table',
      {class: 'heat steps-heat'},
      h('thead', {}, h('tr', {}, h('th', {scope: 'col', class: 'left'}, t('column.job.ranks.rank')), heads)),
      h('tbody', {}, lines),
    );
    if (shown.some(({index}) => isNameless(index))) table.style.setProperty('--head', '12rem');
    // Columns are as wide as each other, and never too narrow to be hit.
    table.style.setProperty('--steps', String(found.steps.length));
    if (found.steps.length <= WITH_NUMBERS) table.style.setProperty('--cell', '4rem');
    asGrid(table, t('ranks.steps'), grid);
    this.#place.show(table);
  }

  /** @param {import('./step-cells.js').Cell | null} cell @param {string} name @param {{most: number, numbers: boolean, go: (() => void) | undefined}} how */
  #cell(cell, name, {most, numbers, go}) {
    const {duration, percent_change: change} = this.app.wasm;
    if (!cell) return h('td', {class: 'heat-cell', title: `${name}: ${t('ranks.steps.none')}`}, h('span', {class: 'only-read-out'}, '–'));
    const {own, usual, above} = cell;
    const beside = usual === null || above === null ? '' : ` · ${t('ranks.steps.usual', {usual: duration(usual), above: change(above)})}`;
    const isMore = above !== null && above >= SAID;
    const text = h('span', {class: numbers && isMore ? null : 'only-read-out'}, above === null ? duration(own) : change(above));
    const td = h(
      'td',
      {
        class: go ? 'heat-cell leads' : 'heat-cell',
        title: `${name}\n${t('ranks.steps.own', {own: duration(own)})}${beside}`,
        'data-test': 'step-map-cell',
        onclick: go,
      },
      text,
    );
    td.style.setProperty('--heat', `${isMore ? Math.round((100 * above) / most) : 0}%`);
    return td;
  }
}

/** The number at the end of a step's name, as of `ProfilerStep#12`; else the name. @param {string} name */
function shortened(name) {
  const short = name.replace(/[^\s–]*?#(\d+)/g, '$1');
  return short.length > 12 ? `${short.slice(0, 11)}…` : short;
}
