// The tab of calls: a flame graph of the host's or the devices' time by call stack, one call of it, and functions by name.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {Choice} from '../frame/toolbar.js';
import {heading} from '../parts/heading.js';
import {jumpButton, nameLink} from '../parts/jump.js';
import {ReportTab} from '../parts/report-tab.js';
import {DataTable} from '../table/data-table.js';
import {Calls} from './calls.js';
import {FlameGraph} from './flame.js';

/** @typedef {import('../../../../types/reports.js').CallTreeReport} CallTreeReport */
/** @typedef {import('./calls.js').CallSum} CallSum */
/** @typedef {import('./calls.js').Measure} Measure */

/** How many callers, and how many calls, of a function are listed. */
const AROUND = 8;

/** @extends {ReportTab<'call_tree'>} */
export class CallsTab extends ReportTab {
  #measure;
  #search = h('input', {type: 'search', class: 'search', placeholder: t('calls.search'), 'aria-label': t('calls.search'), 'data-test': 'calls-search'});
  #found = h('span', {class: 'hint', role: 'status', 'data-test': 'calls-found'});
  #all = h('button', {type: 'button', class: 'button', 'data-test': 'calls-all', onclick: () => this.#zoomByButton(null)}, t('calls.all'));
  #path = h('nav', {class: 'calls-path', 'aria-label': t('calls.path'), 'data-test': 'calls-path'});
  #one = h('div', {class: 'calls-one', 'aria-live': 'polite', 'data-test': 'calls-one'});
  #note = h('p', {class: 'hint', 'data-test': 'calls-note'});
  #flame;
  #table;
  /** @type {CallTreeReport | undefined} */
  #report;
  /** @type {Calls | undefined} */
  #calls;
  /** The node whose calls are shown. @type {number | null} */
  #focus = null;

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    super(app, 'call_tree', ({step}) => ({step, average: true}));
    this.#measure = new Choice(t('calls.measure'), 'calls-measure', () => this.#remeasure());
    this.#measure.offer([
      ['host', t('calls.host')],
      ['device', t('calls.device')],
    ]);
    this.#search.addEventListener('input', () => this.#draw());
    this.#flame = new FlameGraph(
      app,
      (node) => this.#zoom(node),
      (node) => this.#choose(node),
      (node) => this.#lines(node),
    );
    const {count, duration, percent} = app.wasm;
    const share = (/** @type {number} */ time) => (this.#calls?.whole ? time / this.#calls.whole : 0);
    /** @type {DataTable<CallSum>} */
    this.#table = new DataTable(app, {
      name: 'calls',
      label: t('calls.functions'),
      columns: [
        {key: 'name', title: t('calls.column.name'), text: ({name}) => this.#name(name), value: ({name}) => this.#name(name), left: true, width: 16, weight: 5},
        {
          key: 'self',
          title: t('calls.column.self'),
          why: t('calls.column.self.why'),
          text: ({self}) => duration(self),
          value: ({self}) => self,
          share: ({self}) => share(self),
        },
        {
          key: 'self_share',
          title: t('calls.column.share'),
          why: t('calls.column.share.why'),
          text: ({self}) => percent(share(self)),
          value: ({self}) => share(self),
        },
        {
          key: 'total',
          title: t('calls.column.total'),
          why: t('calls.column.total.why'),
          text: ({total}) => duration(total),
          value: ({total}) => total,
          share: ({total}) => share(total),
        },
        {key: 'calls', title: t('calls.column.calls'), why: t('calls.column.calls.why'), text: ({calls}) => count(calls), value: ({calls}) => calls},
      ],
      sort: {key: 'self', down: true},
      searched: ({name}) => this.#name(name),
      detail: (row) => [[t('calls.column.name'), this.#name(row.name)], ...this.#around(row, 'callers'), ...this.#around(row, 'callees')],
      empty: () => t('table.empty'),
      links: ({name, node}) => [this.#jump(node), nameLink(app, this.#name(name))],
    });
  }

  /** Goes to the search. */
  search() {
    this.#search.focus();
  }

  /** Draws the graph again. */
  redraw() {
    this.#flame.draw();
  }

  /** @override @param {CallTreeReport} report */
  draw(report) {
    const had = this.#focus === null || !this.#calls ? null : this.#calls.path(this.#focus).map((node) => this.#calls?.nameOf(node));
    this.#report = report;
    const hasDevice = report.device_ns > 0;
    this.#measure.element.hidden = !hasDevice;
    if (!hasDevice) this.#measure.value = 'host';
    this.#calls = new Calls(report, /** @type {Measure} */ (this.#measure.value));
    this.#focus = had && this.#find(had);
    this.#flame.chosen = null;
    fill(this.#one);
    this.#draw();
    this.#table.show(this.#calls.byName());
    return [
      h('p', {class: 'hint'}, t('calls.hint')),
      h('div', {class: 'table-tools'}, this.#measure.element, this.#search, this.#found, h('span', {class: 'space'}), this.#all),
      this.#note,
      this.#path,
      h('div', {class: 'card flame', 'data-test': 'calls-flame'}, this.#flame.element),
      h('p', {class: 'hint', id: 'calls-keys'}, t('calls.keys')),
      this.#one,
      heading('h2', 'calls.functions', 'calls'),
      this.#table.element,
    ];
  }

  /** The node with these names on its path, in another step's tree. @param {(string | undefined)[]} names @returns {number | null} */
  #find(names) {
    const calls = /** @type {Calls} */ (this.#calls);
    let [found, among] = [/** @type {number | null} */ (null), /** @type {readonly number[]} */ (calls.roots)];
    for (const name of names) {
      const next = among.find((node) => calls.nameOf(node) === name);
      if (next === undefined) return found;
      [found, among] = [next, calls.children(next)];
    }
    return found;
  }

  #remeasure() {
    if (!this.#report) return;
    this.#calls = new Calls(this.#report, /** @type {Measure} */ (this.#measure.value));
    if (this.#focus !== null && !this.#calls.totals[this.#focus]) this.#focus = null;
    const {chosen} = this.#flame;
    this.#draw();
    this.#table.show(this.#calls.byName());
    // What was said of a call was by the other measure.
    if (chosen !== null && this.#calls.totals[chosen]) this.#choose(chosen);
    else {
      this.#flame.chosen = null;
      fill(this.#one);
      this.#flame.draw();
    }
  }

  /** @param {number} place in the names */
  #name(place) {
    return this.#report?.names[place] ?? '';
  }

  #draw() {
    const [calls, report] = [this.#calls, this.#report];
    if (!calls || !report) return;
    const {count, duration, percent} = this.app.wasm;
    const wanted = this.#search.value.trim().toLowerCase();
    const marked = wanted ? calls.matching((name) => name.toLowerCase().includes(wanted)) : null;
    this.#flame.show(calls, this.#focus, marked);
    const total = marked && calls.totalOf(marked);
    fill(this.#found, total === null ? '' : t('calls.found', {time: duration(total), share: percent(calls.whole ? total / calls.whole : null)}));
    this.#all.disabled = this.#focus === null;
    const unlinked = calls.measure === 'device' ? report.device_unlinked_ns : 0;
    const {summary, rank, step: chosen} = this.app.state;
    const {steps = [], whole_step: unmarked} = summary?.ranks[rank] ?? {};
    const name = chosen === null ? '' : t('step', {name: steps[chosen]?.name ?? ''});
    const ofSteps = report.steps > 1 ? 'mean' : steps.some(({counted}) => counted) ? 'one' : 'trace';
    const scope = t(`calls.note.${unmarked ? 'trace' : chosen === null ? ofSteps : 'step'}`, {steps: count(report.steps), step: name});
    const left = report.left_out ? t('calls.note.left_out', {count: count(report.left_out)}) : '';
    fill(
      this.#note,
      [t(`calls.note.${calls.measure}`, {time: duration(calls.whole)}), scope, unlinked ? t('calls.note.unlinked', {time: duration(unlinked)}) : '', left]
        .filter(Boolean)
        .join(' '),
    );
    const step = (/** @type {number} */ node) => h('button', {type: 'button', class: 'link', onclick: () => this.#zoomByButton(node)}, calls.nameOf(node));
    fill(this.#path, this.#focus === null ? [] : calls.path(this.#focus).flatMap((node, place) => (place ? [' › ', step(node)] : [step(node)])));
  }

  /** The button goes, or is of no use any more: the keys go on in the graph. @param {number | null} node */
  #zoomByButton(node) {
    this.#zoom(node);
    this.#flame.focus();
  }

  /** @param {number | null} node */
  #zoom(node) {
    this.#focus = node;
    this.#draw();
  }

  /** What is said of a node. @param {number} node @returns {string[]} */
  #lines(node) {
    const [calls, report] = [/** @type {Calls} */ (this.#calls), /** @type {CallTreeReport} */ (this.#report)];
    const {count, duration, percent} = this.app.wasm;
    const {calls: times, parent} = report.nodes;
    const total = calls.totals[node];
    const lines = [calls.nameOf(node), `${t('calls.column.total')}: ${duration(total)} · ${percent(calls.whole ? total / calls.whole : null)}`];
    if (parent[node] < 0) return lines;
    return [...lines, `${t('calls.column.self')}: ${duration(calls.selves[node])}`, `${t('calls.column.calls')}: ${count(times[node])}`];
  }

  /** @param {number} node */
  #choose(node) {
    const [name, ...facts] = this.#lines(node);
    const zoom = h('button', {type: 'button', class: 'link', 'data-test': 'calls-zoom', onclick: () => this.#zoom(node)}, t('calls.zoom'));
    fill(this.#one, h('strong', {}, name), ' ', h('span', {class: 'hint'}, facts.join(' · ')), ' ', zoom, ' ', this.#jump(node));
  }

  /** To the longest call of a node. @param {number} node */
  #jump(node) {
    const event = this.#report?.nodes.longest[node] ?? -1;
    return jumpButton(this.app, event < 0 ? null : {event}, this.#calls?.nameOf(node) ?? '', t('calls.longest'));
  }

  /** @param {CallSum} row @param {'callers' | 'callees'} which @returns {[string, string][]} */
  #around({name}, which) {
    const found = this.#calls?.around(name, which) ?? [];
    const {duration} = this.app.wasm;
    const said = found.slice(0, AROUND).map((other) => `${this.#name(other.name)} ${duration(other.total)}`);
    return said.length ? [[t(`calls.${which}`), said.join(' · ')]] : [];
  }
}
