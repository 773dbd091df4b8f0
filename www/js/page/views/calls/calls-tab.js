// The tab of calls: a flame graph of the host's or the devices' time by call stack, by module, by range or by phase, and a table by name;
// of steps or of a range of time.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {Choice} from '../parts/choice.js';
import {heading} from '../parts/heading.js';
import {jumpButton, nameLink} from '../parts/jump.js';
import {canOpen} from '../parts/opened.js';
import {ReportTab} from '../parts/report-tab.js';
import {DataTable} from '../table/data-table.js';
import {Calls} from './calls.js';
import {colorOf} from './flame.js';
import {FlamePanel} from './flame-panel.js';
import {BY, FIRST, MODULES} from './opening.js';

/** @typedef {import('../../../../types/reports.js').CallTreeReport} CallTreeReport */
/** @typedef {import('./calls.js').CallSum} CallSum */
/** @typedef {import('./calls.js').Measure} Measure */

/** Color class of each node class; others have that of `other`. @type {Record<string, string>} */
const COLORS = {operator: 'cpu', annotation: 'annotation', phase: 'annotation', python_frame: 'python', runtime_call: 'runtime'};

/** Shifts of a class's color toward the background, chosen by name so that neighbors differ. */
const SHADES = [0, 14, 28];

/** Number of listed callers, and of listed callees, of a function. */
const AROUND = 8;

/** @extends {ReportTab<'call_tree'>} */
export class CallsTab extends ReportTab {
  #grouping;
  #measure;
  /** Whether a person chose the measure. */
  #isChosen = false;
  #hint = h('p', {class: 'hint'});
  #range = h('p', {class: 'calls-range', hidden: true, 'data-test': 'calls-range'});
  #note = h('p', {class: 'hint', 'data-test': 'calls-note'});
  #waiting = h('p', {class: 'hint calls-waiting', hidden: true, 'data-test': 'calls-waiting'});
  /** Whether threads that only wait are shown. */
  #withWaiting = false;
  #coverage = h('p', {class: 'hint', 'data-test': 'calls-coverage'});
  #heading = h('div', {});
  #panel;
  #table;
  /** The fixed grouping, else the chosen one; another rank may not have it. */
  #wanted;
  /** @type {Calls | undefined} */
  #calls;

  /** @param {import('../../app.js').App} app @param {string} [fixed] the only grouping, which the tab has its name of */
  constructor(app, fixed) {
    super(app, 'call_tree', ({step, callsRange: range}) => ({
      ...(range ? {span_ns: range} : {step, average: true}),
      grouping: this.#wanted,
      waiting: this.#withWaiting,
    }));
    this.#wanted = fixed ?? app.openedIn(BY) ?? FIRST;
    const name = fixed ?? 'calls';
    this.fixed = fixed;
    this.#grouping = new Choice(t('calls.grouping'), `${name}-grouping`, (value) => {
      this.#by(value);
      app.opened(BY, value === FIRST ? undefined : value);
    });
    if (!fixed) canOpen(this.element, BY, (by = FIRST) => by !== this.#wanted && this.#by(by));
    this.#measure = new Choice(t('calls.measure'), `${name}-measure`, () => {
      this.#isChosen = true;
      if (this.#calls) this.#show(this.#calls.report);
    });
    this.#measure.offer([
      ['host', t('calls.host')],
      ['device', t('calls.device')],
    ]);
    /** @type {FlamePanel<Calls>} */
    this.#panel = new FlamePanel(app, {
      name,
      label: t('calls.flame'),
      describe: (calls, stacks) => this.#lines(calls, stacks),
      links: (calls, {nodes}) => [this.#jump(calls, calls.longest(nodes)), this.#all(calls, nodes[0])],
      found: (calls, found, of) => this.#found(calls, found, of),
      color: boxColor,
      // The hint applies to boxes of stacks, not to merged ones.
      onLayout: (isSandwich) => (this.#hint.hidden = isSandwich && this.#calls?.report.grouping === FIRST),
    });
    const {count, duration, percent} = app.wasm;
    const share = (/** @type {number} */ time) => (this.#calls?.whole ? time / this.#calls.whole : 0);
    /** A time, and its share. @param {'self' | 'total'} key @returns {import('../table/columns/column.js').Column<CallSum>[]} */
    const timed = (key) => [
      {
        key,
        title: t(`calls.column.${key}`),
        why: t(`calls.column.${key}.why`),
        text: (row) => duration(row[key]),
        value: (row) => row[key],
        share: (row) => share(row[key]),
      },
      {
        key: `${key}_share`,
        title: t(`calls.column.${key}_share`),
        why: t(`calls.column.${key}_share.why`),
        text: (row) => percent(share(row[key])),
        value: (row) => share(row[key]),
      },
    ];
    const [self, total] = [timed('self'), timed('total')];
    /** @type {DataTable<CallSum>} */
    this.#table = new DataTable(app, {
      name,
      label: t('calls.names'),
      columns: [
        {key: 'name', title: t('calls.column.name'), text: ({name}) => this.#name(name), value: ({name}) => this.#name(name), left: true, width: 16, weight: 5},
        ...(fixed ? [...total, ...self] : [...self, ...total]),
        {key: 'calls', title: t('calls.column.calls'), why: t('calls.column.calls.why'), text: ({calls}) => count(calls), value: ({calls}) => calls},
      ],
      // A module's own time excludes that of its layers.
      sort: {key: fixed ? 'total' : 'self', down: true},
      searched: ({name}) => this.#name(name),
      detail: (row) => [[t('calls.column.name'), this.#name(row.name)], ...this.#around(row, 'callers'), ...this.#around(row, 'callees')],
      empty: () => t('table.empty'),
      links: ({name, node}) =>
        this.#calls ? [this.#panel.sandwichButton(this.#name(name)), this.#jump(this.#calls, node), this.#ofName(this.#calls, name)] : [],
    });
  }

  /** Makes boxes by something else. @param {string} grouping */
  #by(grouping) {
    this.#wanted = grouping;
    this.again();
  }

  /** Goes to the search. */
  search() {
    this.#panel.search.focus();
  }

  /** Draws the graph again. */
  redraw() {
    this.#panel.redraw();
  }

  /** @override @param {CallTreeReport} report */
  draw(report) {
    const {grouping} = report;
    // Modules have a tab.
    const groupings = this.fixed ? [] : report.groupings.filter((name) => name !== MODULES);
    this.#grouping.offer(groupings.map((name) => [name, t(`calls.grouping.${name}`)]));
    this.#grouping.value = grouping;
    this.#grouping.element.hidden = groupings.length < 2;
    const hasDevice = report.device_ns > 0;
    this.#measure.element.hidden = !hasDevice;
    if (!hasDevice) this.#measure.value = 'host';
    else if (this.fixed && !this.#isChosen) this.#measure.value = 'device';
    fill(this.#heading, heading('h2', `calls.names.${grouping}`, 'calls'));
    fill(this.#hint, t(`calls.hint.${grouping}`));
    this.#show(report);
    return [
      this.#hint,
      this.#range,
      h('div', {class: 'table-tools calls-tools'}, this.#grouping.element, this.#measure.element, ...this.#panel.tools),
      this.#note,
      this.#waiting,
      this.#coverage,
      ...this.#panel.parts,
      this.#heading,
      this.#table.element,
    ];
  }

  /** @param {CallTreeReport} report */
  #show(report) {
    const calls = new Calls(report, /** @type {Measure} */ (this.#measure.value));
    this.#calls = calls;
    this.#panel.show(calls);
    this.#table.show(calls.byName());
    this.#range.hidden = !report.range;
    fill(this.#range, report.range && this.#ofRange(report, report.range));
    fill(this.#note, this.#scope(calls).join(' '));
    this.#waiting.hidden = report.waiting_threads === 0 || calls.measure === 'device';
    fill(this.#waiting, this.#ofWaiting(report));
    const coverage = this.#covered(calls);
    this.#coverage.hidden = !coverage;
    fill(this.#coverage, coverage);
  }

  /** Shows the range of the tree, with links to it and back to steps. @param {CallTreeReport} report @param {NonNullable<CallTreeReport['range']>} range */
  #ofRange({host_ns: host, device_ns: device}, {start_ns: from, end_ns: to, length_ns: length, share}) {
    const {duration, percent} = this.app.wasm;
    const key = host || device ? 'calls.range' : 'calls.range.empty';
    const text = t(key, {from: duration(from), to: duration(to), length: duration(length), share: percent(share)});
    const clear = () => {
      this.app.store.set({callsRange: null});
      // The button is gone by then.
      this.search();
    };
    return [
      h('span', {}, text),
      jumpButton(this.app, {span: [from, to]}, t('calls.range.name', {from: duration(from), to: duration(to)}), t('calls.range.show')),
      h('button', {type: 'button', class: 'button', 'data-test': 'calls-range-clear', onclick: clear}, t('calls.range.clear')),
    ];
  }

  /** The threads that only wait, and a button that shows or hides them. @param {CallTreeReport} report */
  #ofWaiting({waiting_threads: threads, waiting_ns: time}) {
    const {count, duration} = this.app.wasm;
    const toggle = () => {
      this.#withWaiting = !this.#withWaiting;
      this.again();
    };
    const [key, label] = this.#withWaiting ? ['shown', 'hide'] : ['apart', 'show'];
    return [
      h('span', {title: t('calls.waiting.why')}, t(`calls.waiting.${key}`, {threads: count(threads), time: duration(time)})),
      h('button', {type: 'button', class: 'button', 'data-test': 'calls-waiting-toggle', onclick: toggle}, t(`calls.waiting.${label}`)),
    ];
  }

  /** @param {number} place in the names */
  #name(place) {
    return this.#calls?.label(place) ?? '';
  }

  /** @param {Calls} calls @param {Set<number>} found @param {readonly number[] | null} of the nodes whose time is the whole; null: all */
  #found(calls, found, of) {
    const {duration, percent} = this.app.wasm;
    const [total, whole] = [calls.totalOf(found), of ? calls.totalOf(new Set(of)) : calls.whole];
    return t('calls.found', {time: duration(total), share: percent(whole ? total / whole : null)});
  }

  /** Scope of the numbers, and the time that is not shown. @param {Calls} calls */
  #scope({measure, report, whole}) {
    const {count, duration} = this.app.wasm;
    const unlinked = measure === 'device' ? report.device_unlinked_ns : 0;
    const {summary, rank, step: chosen} = this.app.state;
    const {steps = [], whole_step: unmarked} = summary?.ranks[rank] ?? {};
    const name = chosen === null ? '' : t('step', {name: steps[chosen]?.name ?? ''});
    const ofSteps = report.steps > 1 ? 'mean' : steps.some(({counted}) => counted) ? 'one' : 'trace';
    const ofRange = report.range !== undefined;
    return [
      t(ofRange && measure === 'device' ? 'calls.note.device.range' : `calls.note.${measure}`, {time: duration(whole)}),
      // Its own line says of which range it is.
      ofRange ? '' : t(`calls.note.${unmarked ? 'trace' : chosen === null ? ofSteps : 'step'}`, {steps: count(report.steps), step: name}),
      unlinked ? t('calls.note.unlinked', {time: duration(unlinked)}) : '',
      report.left_out ? t('calls.note.left_out', {count: count(report.left_out)}) : '',
    ].filter(Boolean);
  }

  /** Share of the time in modules or ranges, and the launchers of the rest of the device time. @param {Calls} calls */
  #covered({measure, report: {coverage, device_ns: launched, grouping}, whole}) {
    if (!coverage) return '';
    const {duration, percent} = this.app.wasm;
    const bySource = (/** @type {string} */ source) => (source === 'absent' ? '' : t('calls.coverage.source', {source: t(`calls.source.${source}`)}));
    const found = (coverage.phases ?? []).map(({phase, source}) => `${t(`calls.coverage.by.${phase}`)}${bySource(source)}`);
    const phases = found.length ? ` ${t('calls.coverage.phases', {parts: found.join(t('calls.coverage.comma'))})}` : '';
    if (measure === 'host') {
      const {host_ns: time} = coverage;
      return `${t(`calls.coverage.host.${grouping}`, {time: duration(time), share: percent(whole ? time / whole : null)})}${phases}`;
    }
    const {device_ns: time, outside} = coverage;
    const parts = outside.map(({by, source, device_ns: time}) => {
      return `${t(`calls.coverage.by.${by}`)} ${duration(time)}${bySource(source)}`;
    });
    const inside = `${t(`calls.coverage.device.${grouping}`, {time: duration(time), share: percent(launched ? time / launched : null)})}${phases}`;
    return parts.length ? `${inside} ${t('calls.coverage.outside', {parts: parts.join(t('calls.coverage.comma'))})}` : inside;
  }

  /** Description lines of a box. @param {Calls} calls @param {import('./stack-tree.js').Stacks} stacks @returns {string[]} */
  #lines(calls, stacks) {
    const {count, duration, percent} = this.app.wasm;
    const {grouping, nodes} = calls.report;
    const {
      role,
      nodes: [node],
    } = stacks;
    const sum = calls.sum(stacks);
    const part = percent(sum.whole ? sum.total / sum.whole : null);
    const share = stacks.of ? t('calls.sandwich.share', {share: part}) : part;
    const [total, self] = [duration(sum.total), duration(sum.self)];
    if (role === 'caller') return [t('calls.sandwich.from', {total, share, self, count: count(sum.calls)})];
    const lines = [`${t('calls.column.total')}: ${total} · ${share}`];
    if (nodes.parent[node] < 0) return grouping === 'calls' ? lines : [...lines, `${t(`calls.outside.${grouping}`)}: ${self}`];
    if (sum.again) lines.push(t('calls.sandwich.again', {time: duration(sum.again)}));
    return [...lines, `${t('calls.column.self')}: ${self}`, `${t('calls.column.calls')}: ${count(sum.calls)}`];
  }

  /** To the longest call of a node. @param {Calls} calls @param {number} node */
  #jump(calls, node) {
    const event = calls.report.nodes.longest[node] ?? -1;
    const name = calls.nameOf(node);
    return jumpButton(this.app, event < 0 ? null : {event}, name, t('calls.longest'), `${t('calls.longest')}, ${name}`);
  }

  /** To all events of a node's name; threads are none. @param {Calls} calls @param {number} node */
  #all(calls, node) {
    const {name, longest} = calls.report.nodes;
    return (longest[node] ?? -1) < 0 ? null : this.#ofName(calls, name[node]);
  }

  /** To all events of a name; phases are none. @param {Calls} calls @param {number} name its place among the names */
  #ofName({phases, report: {names}}, name) {
    return phases.has(name) ? null : nameLink(this.app, names[name]);
  }

  /** @param {CallSum} row @param {'callers' | 'callees'} which @returns {[string, string][]} */
  #around({name}, which) {
    const found = this.#calls?.around(name, which) ?? [];
    const {duration} = this.app.wasm;
    const said = found.slice(0, AROUND).map((other) => `${this.#name(other.name)} ${duration(other.total)}`);
    return said.length ? [[t(`calls.${which}`), said.join(' · ')]] : [];
  }
}

/** The color of a box's class, moved by its name. @param {Calls} calls @param {import('./stack-tree.js').Stacks} stacks @param {CSSStyleDeclaration} style @param {boolean} dark */
function boxColor({report}, {nodes: [node]}, style, dark) {
  const {class: classes, name} = report.nodes;
  const base = colorOf(style, classes[node] === '' ? '--class-idle' : `--class-${COLORS[classes[node]] ?? 'other'}`);
  const shade = SHADES[name[node] % SHADES.length] * (dark ? -1 : 1);
  const moved = (/** @type {number} */ part) => Math.max(0, Math.min(255, part + shade));
  return /** @type {import('./flame.js').Color} */ (base.map(moved));
}
