// The change of each stack, module or range from one side to the other, as a flame graph.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {colorOf} from '../calls/flame.js';
import {FlamePanel} from '../calls/flame-panel.js';
import {Choice} from '../parts/choice.js';
import {jumpButton} from '../parts/jump.js';
import {ChangedCalls} from './changed-calls.js';
import {foldingCard} from './folding-card.js';

/** @typedef {import('../../../../types/reports.js').CallTreeReport} CallTreeReport */
/** @typedef {import('../calls/calls.js').Measure} Measure */
/** @typedef {import('../calls/stack-tree.js').Stacks} Stacks */
/** @typedef {{a: 'shown' | 'other', b: 'shown' | 'other', names: import('./sides.js').SideNames}} Sides */

/** The colors of longer, shorter and equal times. */
const LONGER = '--class-communication';
const SHORTER = '--class-kernel';
const SAME = '--class-idle';

/** The flame graph of a comparison. */
export class ChangedTree {
  #grouping;
  #measure;
  #note = h('p', {class: 'hint', 'data-test': 'changed-note'});
  #body = h('div', {class: 'changed-body', hidden: true, 'data-test': 'changed-body'});
  #panel;
  #wanted = 'calls';
  /** Which side is which; none while nothing is compared. @type {Sides | null} */
  #sides = null;
  /** The reports that are shown. @type {{a: CallTreeReport, b: CallTreeReport} | null} */
  #reports = null;
  /** Counts requests: only the last one's answer is shown. */
  #asked = 0;

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    this.app = app;
    this.#grouping = new Choice(t('calls.grouping'), 'changed-grouping', (value) => {
      this.#wanted = value;
      this.#load();
    });
    this.#measure = new Choice(t('calls.measure'), 'changed-measure', () => this.#draw());
    this.#measure.offer([
      ['host', t('calls.host')],
      ['device', t('calls.device')],
    ]);
    /** @type {FlamePanel<ChangedCalls>} */
    this.#panel = new FlamePanel(app, {
      name: 'changed',
      label: t('compare.tree'),
      describe: (tree, stacks) => this.#lines(tree, stacks),
      links: (tree, stacks, name) => [this.#jump(tree, stacks, name)],
      found: (tree, found) => this.#times(tree.totalOf(found)).join(' · '),
      color: changeColor,
      isDashed: (tree, stacks) => tree.sum(stacks).where !== 'both',
    });
    const sample = (/** @type {string} */ token, /** @type {string} */ text) => {
      const swatch = h('span', {class: 'budget-swatch'});
      if (token) swatch.style.setProperty('--part', `var(${token})`);
      else swatch.classList.add('is-dashed');
      return h('li', {}, swatch, text);
    };
    const legend = h(
      'ul',
      {class: 'legend'},
      sample(LONGER, t('compare.tree.longer')),
      sample(SAME, t('compare.tree.same')),
      sample(SHORTER, t('compare.tree.shorter')),
      sample('', t('compare.tree.one_side')),
    );
    fill(
      this.#body,
      h('p', {class: 'hint'}, t('compare.tree.hint')),
      h('div', {class: 'table-tools calls-tools'}, this.#grouping.element, this.#measure.element, ...this.#panel.tools),
      this.#note,
      legend,
      ...this.#panel.parts,
    );
    this.element = foldingCard('changed', 'compare.tree', this.#body, () => this.#load());
  }

  /** Shows other sides, once that is wanted. @param {Sides} sides */
  show(sides) {
    this.clear();
    this.#sides = sides;
    this.element.hidden = false;
    this.#load();
  }

  /** Shows nothing. */
  clear() {
    this.#asked++;
    this.#sides = null;
    this.#reports = null;
    this.element.hidden = true;
    this.element.removeAttribute('aria-busy');
  }

  /** Draws the graph again. */
  redraw() {
    this.#panel.redraw();
  }

  async #load() {
    const sides = this.#sides;
    if (!sides || !this.element.open || (this.#reports && this.#reports.b.grouping === this.#wanted)) return;
    const asked = ++this.#asked;
    this.element.setAttribute('aria-busy', 'true');
    let reports = await this.#ask(this.#wanted);
    const isSame = reports.shown?.grouping === reports.other?.grouping;
    // A side that has none of it answers with all calls.
    if (asked === this.#asked && !isSame) reports = await this.#ask('calls');
    if (asked !== this.#asked) return;
    this.element.removeAttribute('aria-busy');
    const [a, b] = [reports[sides.a], reports[sides.b]];
    this.element.hidden = !a || !b;
    this.#body.hidden = !a || !b;
    if (!a || !b) return;
    this.#reports = {a, b};
    const groupings = a.groupings.filter((name) => b.groupings.includes(name));
    this.#grouping.offer(groupings.map((name) => [name, t(`calls.grouping.${name}`)]));
    this.#grouping.value = b.grouping;
    this.#grouping.element.hidden = groupings.length === 1;
    const hasDevice = a.device_ns > 0 && b.device_ns > 0;
    this.#measure.element.hidden = !hasDevice;
    if (!hasDevice) this.#measure.value = 'host';
    this.#draw();
  }

  /** @param {string} grouping */
  #ask(grouping) {
    return this.app.comparing.reports('call_tree', {step: null, average: true, grouping});
  }

  #draw() {
    if (!this.#reports) return;
    const {a, b} = this.#reports;
    const measure = /** @type {Measure} */ (this.#measure.value);
    const tree = ChangedCalls.of(a, b, measure, t('compare.tree.threads'));
    this.#panel.show(tree);
    const {count, duration} = this.app.wasm;
    const {rest} = tree;
    const times = this.#times(tree.nodes[0]).join(' · ');
    const notes = [t(`compare.tree.note.${measure}`, {times})];
    const unlinked = measure === 'device' && (a.device_unlinked_ns > 0 || b.device_unlinked_ns > 0);
    if (unlinked) notes.push(t('compare.tree.unlinked', this.#bySide({a: a.device_unlinked_ns, b: b.device_unlinked_ns}, duration)));
    if (a.left_out || b.left_out) {
      notes.push(t('compare.tree.left_out', this.#bySide({a: a.left_out, b: b.left_out}, count)));
      notes.push(t('compare.tree.rest', this.#bySide(rest, duration)));
    }
    fill(this.#note, notes.join(' '));
  }

  /** @param {{a: number, b: number}} values @param {(value: number) => string} text */
  #bySide(values, text) {
    const {a, names} = /** @type {Sides} */ (this.#sides);
    const [shown, other] = a === 'shown' ? [values.a, values.b] : [values.b, values.a];
    return {shown: text(shown), other: text(other), nameShown: names.shown, nameOther: names.other};
  }

  /** @param {{a: number, b: number}} of @returns {string[]} */
  #times({a, b}) {
    const {duration, duration_change: signed, percent_change: percent} = this.app.wasm;
    const {shown, other, nameShown, nameOther} = this.#bySide({a, b}, duration);
    const part = a ? ` (${percent((b - a) / a)})` : '';
    return [`${nameShown}: ${shown}`, `${nameOther}: ${other}`, `${t('compare.column.change')}: ${signed(b - a)}${part}`];
  }

  /** Description lines of a box. @param {ChangedCalls} tree @param {Stacks} stacks @returns {string[]} */
  #lines(tree, stacks) {
    const {duration, duration_change: signed} = this.app.wasm;
    const {a, b, selfA, selfB, where, mostInA, mostInB} = tree.sum(stacks);
    const sides = /** @type {Sides} */ (this.#sides);
    const {names} = sides;
    const [here, there] = where === 'a' ? [names[sides.a], names[sides.b]] : [names[sides.b], names[sides.a]];
    const most = mostInA + mostInB;
    /** @type {string[]} */
    const lines = stacks.role === 'caller' ? [t('compare.tree.from_caller')] : [];
    if (where !== 'both' && most > 0) {
      lines.push(`${here}: ${duration(a + b)}`, t('compare.tree.at_most', {side: there, time: duration(most)}));
    } else if (where !== 'both') lines.push(t('compare.tree.only', {side: here, time: duration(a + b)}));
    else lines.push(...this.#times({a, b}));
    if (where === 'both' && (selfA || selfB)) lines.push(`${t('calls.column.self')}: ${signed(selfB - selfA)}`);
    if (where === 'both' && mostInA) lines.push(t('compare.tree.more', {side: names[sides.a], time: duration(mostInA)}));
    if (where === 'both' && mostInB) lines.push(t('compare.tree.more', {side: names[sides.b], time: duration(mostInB)}));
    return lines;
  }

  /** To the longest call of a box, where its trace is open. @param {ChangedCalls} tree @param {Stacks} stacks @param {string} name */
  #jump(tree, stacks, name) {
    const {a} = /** @type {Sides} */ (this.#sides);
    const {longestA, longestB} = tree.sum(stacks);
    const longest = a === 'shown' ? longestA : longestB;
    return jumpButton(this.app, longest && {event: longest.event}, name, t('calls.longest'), `${t('calls.longest')}, ${name}`);
  }
}

/** A color between that of equal times and that of longer or shorter ones. @param {ChangedCalls} tree @param {Stacks} stacks @param {CSSStyleDeclaration} style */
function changeColor(tree, stacks, style) {
  const change = tree.changeOf(stacks);
  const [from, to] = [colorOf(style, SAME), colorOf(style, change > 0 ? LONGER : SHORTER)];
  // Small changes are to be seen, too: a hundredth has a tenth of the color.
  const share = Math.sqrt(Math.abs(change));
  return /** @type {import('../calls/flame.js').Color} */ (from.map((part, place) => Math.round(part + share * (to[place] - part))));
}
