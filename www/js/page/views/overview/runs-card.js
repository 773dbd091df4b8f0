// Several runs that are open together: a list to choose one from, or two to compare.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {bookLink} from '../parts/heading.js';
import {utcText} from '../parts/utc.js';
import {compareRanks} from '../ranks/opening.js';

/** @typedef {import('../../../../types/reports.js').RunReport} Run */
/** @typedef {import('../../state.js').State} State */

/** The columns of a run; the first ones are words. */
const HEADS = ['run', 'when', 'framework', 'ranks', 'steps', 'average'];
const WORDS = 3;

/** The card. */
export class RunsCard {
  #title = h('h2', {id: 'runs-title', title: t('runs.why')});
  #why = h('p', {});
  #rows = h('tbody', {});
  #compare = h('button', {class: 'button', type: 'button', disabled: true, 'data-test': 'runs-compare', onclick: () => this.#compareChosen()});
  /** The summary of the shown runs. @type {State['summary'] | undefined} */
  #summary;
  /** @type {Run[]} */
  #runs = [];
  /** The runs to compare, those that were chosen last. @type {Run[]} */
  #chosen = [];
  /** Whether that summary has several runs. @type {Promise<boolean>} */
  #answer = Promise.resolve(false);
  #more;
  #chooseHead = h('th', {scope: 'col', class: 'left', title: t('runs.choose.why')}, h('span', {class: 'only-read-out'}, t('runs.choose')));

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    this.app = app;
    this.#more = h('button', {type: 'button', class: 'link', 'data-test': 'runs-more', onclick: () => app.go('ranks')}, t('runs.more'));
    const head = (/** @type {string} */ key, /** @type {number} */ place) =>
      h('th', {scope: 'col', class: place < WORDS ? 'left' : null, title: t(`runs.${key}.why`)}, t(key === 'framework' ? 'about.framework' : `runs.${key}`));
    this.element = h(
      'section',
      {class: 'card wide runs', 'aria-labelledby': 'runs-title', 'data-test': 'runs', hidden: true},
      h('div', {class: 'card-head'}, this.#title, h('span', {class: 'space'}), this.#compare),
      this.#why,
      h(
        'div',
        {class: 'scroll', tabindex: '0', role: 'group', 'aria-labelledby': 'runs-title'},
        h('table', {class: 'small-table runs-table'}, h('thead', {}, h('tr', {}, this.#chooseHead, HEADS.map(head))), this.#rows),
      ),
    );
  }

  /** @param {State} state @returns {Promise<boolean>} whether there are several runs */
  async show({summary}) {
    if (summary && this.#summary !== summary) {
      this.#summary = summary;
      this.#answer = this.#find(summary);
    }
    // A second request waits for the answer to the first.
    return this.#answer;
  }

  /** @param {NonNullable<State['summary']>} summary @returns {Promise<boolean>} */
  async #find(summary) {
    const runs = summary.ranks.length > 1 ? ((await this.app.runs(summary)) ?? []) : [];
    if (this.#summary !== summary) return this.#answer;
    this.#runs = runs;
    this.element.hidden = runs.length < 2;
    if (this.element.hidden) return false;
    const title = t('runs.title', {count: this.app.wasm.count(runs.length)});
    fill(this.#title, title, bookLink('ranks', title));
    this.#chooseHead.hidden = this.#compare.hidden = this.#offered.length < 2;
    fill(this.#why, this.#text);
    fill(
      this.#rows,
      runs.map((run) => this.#row(run, summary)),
    );
    // By another definition the runs are the same.
    const same = (/** @type {Run} */ {name, ranks}) => this.#offered.find((run) => run.name === name && run.ranks.join() === ranks.join()) ?? [];
    this.#choose(this.#chosen.flatMap(same));
    return true;
  }

  /** Leads to the tab of ranks, which says why these are of no one job. */
  leadToReasons() {
    fill(this.#why, this.#text, ' ', this.#more);
  }

  /** The runs that can be compared. */
  get #offered() {
    return this.#runs.filter((run) => this.#comparedOf(run) !== undefined);
  }

  get #text() {
    return t(this.#offered.length < 2 ? 'runs.tables' : 'runs.why');
  }

  /** @param {Run} run @param {NonNullable<State['summary']>} summary */
  #row(run, summary) {
    const {count, duration} = this.app.wasm;
    const [first] = run.ranks;
    const ranks = run.ranks.map((rank) => summary.ranks[rank]);
    const {framework, framework_version: version} = summary.inputs[first];
    const origins = ranks.flatMap(({origin_unix_ns: origin}) => (origin === null ? [] : [BigInt(origin)]));
    const begun = origins.length ? origins.reduce((least, one) => (one < least ? one : least)) : null;
    const steps = Math.max(...ranks.map((rank) => (rank.step_source === 'whole_trace' ? 0 : rank.steps.length)));
    const worlds = ranks.flatMap(({world_size: world}) => world ?? []);
    const world = worlds.length ? Math.max(...worlds) : ranks.length;
    const choose = h('input', {type: 'checkbox', 'aria-label': t('runs.pick', {name: run.name}), 'data-test': 'runs-pick'});
    choose.addEventListener('change', () => {
      const others = this.#chosen.filter((one) => one !== run);
      this.#choose(choose.checked ? [...others, run] : others);
    });
    const open = h('button', {type: 'button', class: 'link', 'data-test': 'runs-open', onclick: () => this.app.openRun(run, this.#runs.length)}, run.name);
    const average = steps > 0 ? run.step_ns : null;
    return h(
      'tr',
      {'data-test': 'runs-row'},
      !this.#chooseHead.hidden && h('td', {class: 'left'}, this.#comparedOf(run) !== undefined && choose),
      h('th', {scope: 'row', class: 'left runs-name'}, open, run.others > 0 && h('span', {class: 'hint'}, ` ${t('runs.others', {count: count(run.others)})}`)),
      h('td', {class: 'left'}, begun === null ? '–' : utcText(begun)),
      h('td', {class: 'left'}, [framework, version].filter(Boolean).join(' ') || '–'),
      h('td', {}, world > ranks.length ? t('about.of', {rank: count(ranks.length), world: count(world)}) : count(ranks.length)),
      h('td', {}, steps > 0 ? count(steps) : '–'),
      h('td', {}, average ? [...new Set(average.map((time) => duration(time)))].join(' – ') : '–'),
    );
  }

  /** The rank of a run that is compared: its first one with events; nothing where a profiler wrote only tables. @param {Run} run */
  #comparedOf({ranks}) {
    return ranks.find((rank) => !this.#summary?.ranks[rank].only_tables);
  }

  /** Two runs at most are compared: a third one takes the place of the first. @param {Run[]} chosen */
  #choose(chosen) {
    this.#chosen = chosen.slice(-2);
    const boxes = /** @type {NodeListOf<HTMLInputElement>} */ (this.#rows.querySelectorAll('input'));
    const offered = this.#offered;
    for (const [place, box] of boxes.entries()) box.checked = this.#chosen.includes(offered[place]);
    this.#compare.disabled = this.#chosen.length < 2;
    fill(this.#compare, t(this.#chosen.length < 2 ? 'runs.compare.choose' : 'runs.compare'));
  }

  /** Compares a rank of each of the two runs: the later one in the list with the earlier one. */
  #compareChosen() {
    const [base, other] = this.#runs.filter((run) => this.#chosen.includes(run));
    const [from, to] = [base && this.#comparedOf(base), other && this.#comparedOf(other)];
    if (from !== undefined && to !== undefined) compareRanks(this.app, to, from);
  }
}
