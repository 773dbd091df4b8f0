// One step of each side on one scale of time, aligned where the steps begin.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {TOP, alignedRows, heightOf, laneAt, typicalStep} from '../../timeline/aligned.js';
import {limited, shifted, zoomed} from '../../timeline/navigation.js';
import {Choice} from '../parts/choice.js';
import {TimelineCanvas} from '../timeline/canvas.js';
import {Keys} from '../timeline/keys.js';
import {describe, namesOf} from '../timeline/names.js';
import {followPointers} from '../timeline/pointer.js';
import {Tip} from '../timeline/tip.js';
import {foldingCard} from './folding-card.js';

/** @typedef {import('../../../../types/reports.js').RankReport} Rank */
/** @typedef {import('../../../protocol/timeline.js').TimelineReport} TimelineReport */
/** @typedef {import('../../timeline/aligned.js').AlignedRow} AlignedRow */
/** @typedef {{start: number, end: number}} Window in ns from where the steps begin */
/** @typedef {{client: import('../../client.js').Client, index: number, rank: Rank, name: string, goTo: ((event: number) => void) | null}} Source a side's worker, its rank there, its name, and a function that shows one of its events */

/** Margin beside both steps, as a share of the longer one. */
const ROOM = 0.01;

/** A side: a rank's step on a canvas. */
class Side {
  #report;
  #rows;
  #tip;
  #names;
  #canvas;
  #isOpen = true;
  /** The shown step, by its index. */
  #step = 0;
  #choice;

  /**
   * @param {AlignedTimelines} aligned @param {'shown' | 'other'} name @param {Source} source @param {TimelineReport} report @param {AlignedRow[]} rows
   * @param {Tip} tip
   */
  constructor(aligned, name, source, report, rows, tip) {
    const {app} = aligned;
    this.aligned = aligned;
    this.source = source;
    this.#report = report;
    this.#tip = tip;
    this.#names = namesOf(app.wasm);
    this.#rows = rows;
    const {steps} = source.rank;
    this.#choice = new Choice(t('compare.aligned.step', {side: source.name}), `aligned-step-${name}`, (value) => {
      this.#step = Number(value);
      aligned.fit();
    });
    const {duration} = app.wasm;
    this.#choice.offer(steps.map((step, index) => [String(index), `${step.name} · ${duration(step.length_ns)}`]));
    this.choose(name === 'shown' ? app.state.step : null);
    this.#canvas = new TimelineCanvas(
      source.client,
      {scene: () => this.#scene(), scrolled: () => ({rows: 0, pinned: 0}), shown: () => {}, resized: () => {}},
      name,
      t('compare.aligned.label', {side: source.name}),
    );
    this.#canvas.element.style.height = `${heightOf(this.#rows)}px`;
    source.client.onDrawn[name] = (drawn) => {
      this.#canvas.drawn(drawn);
      if (!drawn.missing) this.#canvas.element.dataset.frame = String(drawn.frame);
    };
    followPointers(
      this.#canvas.element,
      {
        zoom: (x, factor) => aligned.zoom(factor, this.#timeAt(x)),
        pan: (dx) => aligned.shift(-dx / Math.max(1, this.#canvas.width)),
        range: () => {},
        part: () => {},
        pick: (x, y) => this.#pick(x, y),
        jump: () => {},
        point: (x, y, event) => {
          aligned.pointed = this.#timeAt(x);
          this.#tip.show(this.#linesAt(x, y), aligned.frame, event);
        },
        leave: () => this.#tip.leave(),
        area: () => 'axis',
      },
      false,
    );
    const heads = this.#rows.map(({of, height}) => {
      const title = this.#title(of);
      const head = h('div', {class: 'aligned-head', title}, title);
      head.style.height = `${height}px`;
      return head;
    });
    this.element = h(
      'div',
      {class: 'aligned-side', 'data-test': `aligned-${name}`},
      h('div', {class: 'aligned-title'}, this.#choice.element),
      h('div', {class: 'aligned-rows'}, h('div', {class: 'aligned-heads'}, heads), this.#canvas.element),
    );
  }

  /** Shows another step; the typical one if null. @param {number | null} step */
  choose(step) {
    this.#step = step ?? typicalStep(this.source.rank.steps) ?? 0;
    this.#choice.value = String(this.#step);
  }

  get length() {
    return this.#chosen?.length_ns ?? 0;
  }

  get #chosen() {
    return this.source.rank.steps[this.#step];
  }

  /** Where the step begins, in the time of the worker's timeline. */
  get #origin() {
    return (this.#chosen?.start_ns ?? 0) + (this.#report.shifts_ns[this.source.index] ?? 0);
  }

  draw() {
    this.#canvas.draw();
  }

  /** Draws no more: its worker may be ended, and is not to be started again. */
  close() {
    this.#isOpen = false;
  }

  /** @param {import('../../../../types/reports.js').TimelineRowReport} of */
  #title(of) {
    const {title} = this.#names(of);
    const devices = new Set(this.#rows.map(({of}) => of.device).filter((device) => device !== undefined));
    return of.kind === 'doing' && devices.size > 1 ? `${t('timeline.device', {device: of.device ?? ''})} · ${title}` : title;
  }

  #scene() {
    if (!this.#isOpen) return null;
    const {start, end} = this.aligned.window;
    const origin = this.#origin;
    const bottom = heightOf(this.#rows);
    const lines = this.#rows.map(({row, y, lanes, laneHeight}) => ({row, first: 0, count: lanes, y: y + 3, laneHeight, curve: false}));
    return {
      version: this.#report.version,
      start: origin + start,
      end: origin + end,
      origin,
      whole: this.#report.end_ns,
      clips: [{lines, top: TOP, bottom, pinned: false}],
      grounds: this.#rows.map(({y, height}) => ({y, height, group: false})),
      overview: {lines: [], top: 0, height: 0},
      range: null,
      step: /** @type {[number, number]} */ ([origin, origin + this.length]),
      among: null,
      selected: [],
      arrows: [],
      hits: [],
      notes: [],
    };
  }

  /** The time from where the step begins. @param {number} x */
  #timeAt(x) {
    const {start, end} = this.aligned.window;
    return start + (x / Math.max(1, this.#canvas.width)) * (end - start);
  }

  /** @param {number} x @param {number} y */
  async #at(x, y) {
    const at = laneAt(this.#rows, y);
    if (!at || !this.#isOpen) return null;
    const {start, end} = this.aligned.window;
    const near = (3 * (end - start)) / Math.max(1, this.#canvas.width);
    const {row} = at.place;
    const call = /** @type {const} */ ({call: 'hit', version: this.#report.version, row, lane: at.lane, at: this.#origin + this.#timeAt(x), near});
    try {
      return {of: at.place.of, found: await this.source.client.ask('timeline', call)};
    } catch {
      // Its worker is gone: whoever ended it gets the error.
      return null;
    }
  }

  /** @param {number} x @param {number} y @returns {Promise<string[] | null>} */
  async #linesAt(x, y) {
    const at = await this.#at(x, y);
    if (!at?.found) return null;
    const origin = this.#origin;
    const {start, end} = at.found;
    // Times are those from where the step begins.
    return describe(this.aligned.app.wasm, at.of, {title: this.#title(at.of), found: {...at.found, start: start - origin, end: end - origin}});
  }

  /** @param {number} x @param {number} y */
  async #pick(x, y) {
    const found = (await this.#at(x, y))?.found;
    if (found && found.rank !== null) this.source.goTo?.(found.number);
  }
}

/** Both sides. */
export class AlignedTimelines {
  #sides = /** @type {Side[]} */ ([]);
  #tip = new Tip();
  #places = h('div', {class: 'aligned-places'});
  #keys;
  /** The visible time, in ns from the begin of the steps. @type {Window} */
  window = {start: 0, end: 1};
  /** The time at which the pointer is. */
  pointed = 0;
  /** @type {Record<'shown' | 'other', Source> | null} */
  #sources = null;
  /** Counts requests: only the last one's answer is shown. */
  #asked = 0;

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    this.app = app;
    this.#keys = new Keys({
      zoom: (factor) => this.zoom(factor, this.pointed),
      shift: (share) => this.shift(share),
      fit: () => this.fit(),
      mark: () => {},
      measure: () => {},
      keep: () => {},
      neighbour: () => false,
      follow: () => {},
      clear: () => false,
    });
    const tool = (/** @type {string} */ key, /** @type {string} */ sign, /** @type {() => void} */ onclick) =>
      h(
        'button',
        {class: 'button', type: 'button', title: t(`timeline.${key}`), 'aria-label': t(`timeline.${key}`), 'data-test': `aligned-${key}`, onclick},
        sign,
      );
    const middle = () => (this.window.start + this.window.end) / 2;
    this.frame = h(
      'div',
      {class: 'aligned'},
      h(
        'div',
        {class: 'card-head'},
        h('p', {class: 'hint'}, t('compare.aligned.hint')),
        h('span', {class: 'space'}),
        tool('zoomin', '+', () => this.zoom(0.5, middle())),
        tool('zoomout', '−', () => this.zoom(2, middle())),
        tool('fit', '⤢', () => this.fit()),
      ),
      this.#places,
      this.#tip.element,
    );
    this.element = foldingCard('aligned', 'compare.aligned', this.frame, () => this.#load());
  }

  /** Shows other sides, once that is wanted. @param {Record<'shown' | 'other', Source>} sources */
  show(sources) {
    this.clear();
    this.#sources = sources;
    this.element.hidden = false;
    this.#load();
  }

  /** Shows nothing, and asks no worker any more. */
  clear() {
    this.#asked++;
    this.#sources = null;
    for (const side of this.#sides) side.close();
    this.#sides = [];
    this.#tip.hide();
    fill(this.#places);
    this.element.hidden = true;
  }

  async #load() {
    const sources = this.#sources;
    if (!sources || !this.element.open || this.#sides.length) return;
    const asked = ++this.#asked;
    try {
      const {shown, other} = sources;
      const ask = (/** @type {Source} */ {client, index}) => client.ask('timeline', {call: 'rows', rank: index});
      // One after the other: reading a rank again may change the rows of the other, where both are of one worker.
      const reports = [await ask(shown), await ask(other)];
      if (shown.client === other.client) reports[0] = reports[1];
      if (asked !== this.#asked) return;
      const sides = [shown, other].map(({index}, side) => ({rows: reports[side].rows, rank: index}));
      const [above, below] = alignedRows(sides);
      this.#sides = [new Side(this, 'shown', shown, reports[0], above, this.#tip), new Side(this, 'other', other, reports[1], below, this.#tip)];
    } catch {
      // A worker is gone: whoever ended it gets the error.
      return;
    }
    fill(
      this.#places,
      this.#sides.map(({element}) => element),
    );
    this.fit();
  }

  /** Shows another step of the shown side. @param {number | null} step */
  choose(step) {
    this.#sides[0]?.choose(step);
    this.fit();
  }

  /** The longer step. */
  get #whole() {
    return Math.max(1, ...this.#sides.map(({length}) => length));
  }

  /** Shows both steps. */
  fit() {
    const room = ROOM * this.#whole;
    this.#show(limited({start: -room, end: this.#whole + room}, this.#whole));
  }

  /** @param {number} factor @param {number} at the time that stays where it is */
  zoom(factor, at) {
    this.#show(zoomed(this.window, factor, at, this.#whole));
  }

  /** @param {number} share of the visible time */
  shift(share) {
    this.#show(shifted(this.window, share, this.#whole));
  }

  /** @param {Window} window */
  #show(window) {
    this.window = window;
    this.#tip.hide();
    this.draw();
  }

  draw() {
    for (const side of this.#sides) side.draw();
  }

  /** @param {KeyboardEvent} event @returns {boolean} whether it meant something */
  key(event) {
    return this.#places.contains(/** @type {Node} */ (event.target)) && this.#keys.down(event);
  }
}
