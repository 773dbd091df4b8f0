// The critical path of a step, and estimates of its length after changes.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {BarChart} from '../charts/chart.js';
import {partLines} from '../charts/part-lines.js';
import {Lane} from '../charts/lane.js';
import {DescribedTable, descriptionOf} from '../table/described/described.js';
import {TableRows} from '../table/described/table-rows.js';

/** @typedef {import('../../../../types/reports.js').CriticalReport} CriticalReport */
/** @typedef {import('../../../../types/reports.js').ReplayReport} WhatIf */
/** @typedef {import('../../state.js').State} State */

/** The classes of a path, each with its color class. @type {[string, string][]} */
const CLASSES = [
  ['compute', 'kernel'],
  ['communication', 'communication'],
  ['memcpy', 'memcpy'],
  ['memset', 'memset'],
  ['data_loading', 'dataloader'],
  ['host_operator', 'cpu'],
  ['runtime_call', 'runtime'],
  ['launch_delay', 'delay'],
  ['start_late', 'python'],
  ['sync_wait', 'overlap'],
  ['kernel_wait', 'idle'],
  ['other', 'other'],
];
const COLORS = new Map(CLASSES);

/** The card of critical paths: computed when it is opened, since it takes a while. */
export class CriticalCard {
  #body = h('div', {class: 'critical-body', 'aria-live': 'polite'});
  #note = h('p', {class: 'hint', 'data-test': 'critical-note'});
  /** The elements that show the path, if it is known. @type {HTMLElement[]} */
  #paths;
  #lane;
  #bars;
  #table;
  #changes = h('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': t('what_if')});
  /** Changes to replay. @type {string[]} */
  #asked = [];
  #last = '';
  /** @type {CriticalReport | undefined} */
  #report;
  #kernel = h('input', {
    class: 'search',
    list: 'what-if-kernels',
    placeholder: t('what_if.kernel.hint'),
    'aria-label': t('what_if.kernel.name'),
    'data-test': 'what-if-kernel',
  });
  #names = h('datalist', {id: 'what-if-kernels'});
  #factor = h('input', {class: 'search short', inputmode: 'decimal', value: '2', 'aria-label': t('what_if.factor'), 'data-test': 'what-if-factor'});

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    this.app = app;
    const {duration} = app.wasm;
    this.#bars = new BarChart(app, {
      label: t('critical'),
      partName: (part) => t(`path.${CLASSES.find(([, color]) => color === part)?.[0]}`),
      describe: (region, _, whole) => {
        const steps = this.#report?.critical_path?.steps ?? [];
        const last = region.end - 1;
        const name = region.first === last ? steps[region.first].name : `${steps[region.first].name} – ${steps[last].name}`;
        return [t('step', {name}), ...partLines(app.wasm, duration, t(`path.${CLASSES[region.part][0]}`), region, whole), t('chart.pick')];
      },
      onPick: (region) => app.choose({step: app.state.step === region.first ? null : region.first}),
    });
    this.#lane = new Lane(
      app,
      t('critical.lane'),
      (piece) => this.#describe(piece),
      (piece) => this.#jump(piece),
    );
    this.#table = new DescribedTable(app, 'critical_path.rows', {name: 'critical', label: t('critical.rows'), empty: () => t('table.empty')});
    const change = (/** @type {string} */ name) =>
      h('button', {class: 'button', title: t(`what_if.${name}.why`), onclick: () => this.#replay(name), 'data-test': `what-if-${name}`}, t(`what_if.${name}`));
    const faster = (/** @type {Event} */ event) => {
      event.preventDefault();
      if (this.#kernel.value) this.#replay(`kernel=${this.#kernel.value}:${this.#factor.value}`);
    };
    const form = h(
      'form',
      {class: 'what-if', onsubmit: faster},
      h('label', {class: 'choice'}, h('span', {}, t('what_if.kernel')), this.#kernel),
      this.#names,
      h('label', {class: 'choice'}, this.#factor, h('span', {}, t('what_if.times'))),
      h('button', {class: 'button', 'data-test': 'what-if-faster'}, t('what_if.try')),
    );
    const section = (/** @type {string} */ key, /** @type {(Node | string)[]} */ ...parts) =>
      h('section', {class: 'row-section'}, h('h3', {title: t(`${key}.why`)}, t(key)), ...parts);
    const [bars, lane, table] = [
      section('critical.steps', this.#bars.element),
      section('critical.lane', this.#lane.element),
      section('critical.rows', this.#table.element),
    ];
    this.#paths = [bars, lane, table];
    fill(
      this.#body,
      this.#note,
      bars,
      lane,
      section('what_if', h('div', {class: 'card-head'}, change('overlap'), change('data'), change('launches')), form, this.#changes),
      table,
    );
    this.details = h(
      'details',
      {class: 'card wide', 'data-test': 'critical', ontoggle: () => this.show(app.state)},
      h('summary', {}, h('h2', {title: t('critical.why')}, t('critical'))),
      h('p', {class: 'hint'}, t('critical.why')),
      this.#body,
    );
    this.element = this.details;
  }

  /** @param {State} now */
  async show(now) {
    const rank = now.summary?.ranks[now.rank];
    this.element.hidden = !rank?.topics?.includes('critical_path');
    if (!this.details.open || !rank || this.element.hidden) return;
    const step =
      now.step ??
      Math.max(
        0,
        rank.steps.findIndex((one) => one.counted),
      );
    const asked = JSON.stringify([now.rank, step, this.#asked, rank.input]);
    if (asked === this.#last) return;
    this.#last = asked;
    this.#body.setAttribute('aria-busy', 'true');
    const report = await this.app.report('critical_path', {step, what_if: this.#asked});
    if (asked !== this.#last) return;
    this.#body.removeAttribute('aria-busy');
    this.#report = report;
    const values = now.selection?.tables.kernels;
    const kernels = values ? new TableRows(descriptionOf(this.app, 'kernels'), values).texts('name') : [];
    fill(
      this.#names,
      kernels.slice(0, 200).map((name) => h('option', {value: name})),
    );
    this.#draw(step, rank);
  }

  /** Draws the charts again: the theme changed. */
  redraw() {
    if (!this.details.open) return;
    this.#bars.draw();
    this.#lane.draw();
    this.#table.table.redraw();
  }

  /** @param {number} step @param {import('../../../../types/reports.js').RankReport} rank */
  #draw(step, rank) {
    const found = this.#report?.critical_path;
    if (!found) return;
    const {count, duration, percent} = this.app.wasm;
    const ofStep = (/** @type {number} */ time) => ({time: duration(time), share: percent(time / found.step_ns)});
    const unlinked = ofStep(found.unlinked_ns_per_step);
    for (const part of this.#paths) part.hidden = !found.known;
    if (found.known) {
      const mean = t('critical.mean', {steps: count(found.steps_counted), length: duration(found.step_ns)});
      const inferred = found.inferred_ns_per_step ?? 0;
      fill(
        this.#note,
        mean,
        found.unlinked_ns_per_step > 0 ? ` ${t('critical.unlinked', unlinked)}` : null,
        inferred > 0 ? ` ${t('critical.inferred', ofStep(inferred))}` : null,
      );
    } else {
      fill(this.#note, t('critical.unknown', unlinked));
    }
    this.#bars.show({
      parts: CLASSES.map(([, color]) => color),
      bars: found.steps.map((one, index) => ({label: one.name, values: CLASSES.map(([name]) => one.classes[`${name}_ns`]), pale: !rank.steps[index]?.counted})),
      lying: false,
      selected: step,
    });
    const {path} = found;
    this.#lane.show({
      parts: path?.classes.map((name) => COLORS.get(name) ?? 'other') ?? [],
      pieces: path?.pieces.map(([, from, to, part]) => [from, to, part]) ?? [],
    });
    this.#table.show(found.rows);
    this.#drawChanges();
  }

  /** @param {number} piece */
  #describe(piece) {
    const path = this.#report?.critical_path?.path;
    if (!path) return [];
    const [, from, to, part] = path.pieces[piece];
    const {duration} = this.app.wasm;
    const name = path.piece_names[piece];
    const kind = t(`path.${path.classes[part]}`);
    return [
      name === null ? kind : path.names[name],
      `${name === null ? '' : `${kind} · `}${duration(to - from)}`,
      t('critical.from', {start: duration(from - path.start_ns)}),
      t('jump.pick'),
    ];
  }

  /** @param {number} piece */
  #jump(piece) {
    const found = this.#report?.critical_path?.path?.pieces[piece];
    if (found) this.app.jump(target(found[0], found[1], found[2]));
  }

  /** Replays a change beside those that were. @param {string} change */
  #replay(change) {
    this.#asked = [...this.#asked.filter((one) => one !== change), change];
    return this.show(this.app.state);
  }

  #drawChanges() {
    const {duration, percent, count} = this.app.wasm;
    const found = this.#report?.what_if ?? [];
    const name = (/** @type {WhatIf} */ row) =>
      row.change === 'kernel' ? t('what_if.result', {name: row.kernel ?? '', factor: row.factor ?? ''}) : t(`what_if.${row.change}`);
    const heads = ['what_if.change', 'what_if.changed', 'what_if.before', 'what_if.after', 'what_if.gain'].map((key, index) =>
      h('th', {scope: 'col', class: index === 0 ? 'left' : null, title: t(`${key}.why`)}, t(key)),
    );
    const row = (/** @type {WhatIf} */ one) =>
      h(
        'tr',
        {},
        h('th', {scope: 'row', class: 'left'}, name(one)),
        h('td', {}, count(one.changed)),
        h('td', {}, duration(one.step_ns)),
        h('td', {}, duration(one.new_step_ns)),
        h('td', {}, `${duration(one.gain_ns_per_step)} · ${percent(one.step_ns ? one.gain_ns_per_step / one.step_ns : null)}`),
      );
    // Refused: a change that names nothing.
    const refused = found.length < this.#asked.length;
    fill(
      this.#changes,
      found.length > 0 &&
        h('table', {class: 'small-table', 'data-test': 'what-if-results'}, h('thead', {}, h('tr', {}, heads)), h('tbody', {}, found.map(row))),
      refused && h('p', {class: 'hint', role: 'status'}, t('what_if.refused')),
    );
  }
}

/** A piece in the timeline: its slice, else its span. @param {number | null} slice @param {number} from @param {number} to @returns {import('../../state.js').Jump} */
function target(slice, from, to) {
  return slice === null ? {span: [from, to]} : {event: slice};
}
