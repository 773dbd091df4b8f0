// The timeline's rows: their order and places, their heads, and a person's choices on them.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {UNTOUCHED, choicesOf, ofOtherRows, passed, toggled, viewOf} from '../../timeline/choices.js';
import {all, groupOf, groupsOf, holds, titlesOf} from '../../timeline/groups.js';
import {inSummary, isSeen, layOut, placeAt, scrolledTo} from '../../timeline/layout.js';
import {TOP, rowsOf} from '../../timeline/scene.js';
import {headMenu} from './heads/head-menu.js';
import {Heads} from './heads/heads.js';
import {groupNames, namesOf, sectionName} from './names.js';

/** @typedef {import('../../../../types/reports.js').TimelineFoundReport} Found */
/** @typedef {import('../../../protocol/timeline.js').TimelineReport} TimelineReport */
/** @typedef {import('../../timeline/choices.js').Choices} Choices */
/** @typedef {import('../../timeline/layout.js').Place} Place */

/** The largest share of the height for pinned rows: other rows below them cannot be scrolled to. */
const PINNED = 0.6;

/** The rows. */
export class Rows {
  #spacer = h('div', {class: 'timeline-spacer'});
  /** Scrolls the rows. */
  scroller = h('div', {class: 'timeline-scroller', tabindex: '-1', 'data-test': 'timeline-scroller'}, this.#spacer);
  filter = h('input', {
    type: 'search',
    class: 'search timeline-filter',
    placeholder: t('timeline.filter'),
    'aria-label': t('timeline.filter'),
    'data-test': 'timeline-filter',
    oninput: () => this.choose({filter: this.filter.value}),
  });
  showHidden = h('button', {class: 'button', hidden: true, 'data-test': 'timeline-unhide', onclick: () => this.choose({hidden: new Set()})});
  #heads;
  #pinnedHeads;
  /** @type {import('../../timeline/groups.js').Group[]} */
  #groups = [];
  /** @type {Choices} */
  #choices = UNTOUCHED;
  #layout = layOut([], UNTOUCHED);
  #height = 0;
  #pinnedScroll = 0;

  /**
   * @param {import('../../app.js').App} app
   * @param {{changed: () => void, amongOf: (rows: number[]) => boolean | null, among: (rows: number[]) => void}} how `changed`: called when the rows change, `amongOf`: whether a range's report
   *   covers all these, null if there is none, `among`: adds these to the report, or removes them
   */
  constructor(app, how) {
    this.app = app;
    this.how = how;
    const actions = {
      fold: (/** @type {Place} */ {key}) => this.choose({folded: toggled(this.#choices.folded, key)}),
      pin: (/** @type {Place} */ {key}) =>
        this.choose({pinned: this.#choices.pinned.includes(key) ? this.#choices.pinned.filter((one) => one !== key) : [...this.#choices.pinned, key]}),
      hide: (/** @type {Place} */ place) => this.#hide(place, true),
      move: (/** @type {Place} */ {key}, /** @type {1 | -1} */ by) =>
        this.choose({order: passed(this.#choices.order, this.#groups, this.#layout.places, key, by)}),
      detail: (/** @type {Place} */ {rank}) => this.choose({detailed: toggled(this.#choices.detailed, rank)}),
      detailOf: (/** @type {Place} */ {key, rank}) =>
        key !== `rank:${rank}` || this.#groups.length < 2
          ? null
          : this.#choices.detailed.has(rank)
            ? /** @type {const} */ ('all')
            : /** @type {const} */ ('summary'),
      among: (/** @type {Place} */ place) => this.how.among(this.#rowsAt(place)),
      amongOf: (/** @type {Place} */ place) => this.how.amongOf(this.#rowsAt(place)),
    };
    const menu = headMenu(actions);
    this.#heads = new Heads(actions, 'timeline-heads', menu);
    this.#pinnedHeads = new Heads(actions, 'timeline-pinned', menu);
    this.left = h('div', {class: 'timeline-left'}, h('div', {class: 'timeline-corner'}), this.#pinnedHeads.element, this.#heads.element);
    this.left.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        this.scroll(event.deltaY, this.#pinnedHeads.element.contains(/** @type {Node} */ (event.target)));
      },
      {passive: false},
    );
  }

  /** Takes in other rows. @param {TimelineReport} report @param {boolean} first whether nothing was chosen of them yet */
  take(report, first) {
    const {summary} = this.app.state;
    if (summary) this.#groups = groupsOf(report.rows, namesOf(this.app.wasm), groupNames(summary), sectionName);
    for (const heads of [this.#heads, this.#pinnedHeads]) heads.among(this.#groups.flatMap(titlesOf));
    if (!first) this.choose(ofOtherRows(this.#choices));
  }

  /** Applies a view. @param {import('../../timeline/view.js').TimelineView} view @param {number} rows their number */
  takeView(view, rows) {
    this.#choices = choicesOf(view, rows);
    this.filter.value = this.#choices.filter;
    this.#layOut();
  }

  /** The part of a view on rows. */
  get view() {
    return viewOf(this.#choices);
  }

  /** @param {Partial<Choices>} change */
  choose(change) {
    this.#choices = {...this.#choices, ...change};
    this.#layOut();
    this.how.changed();
  }

  /** Hides a row or a group, or shows it again: a message and a key undo it. @param {Pick<Place, 'key' | 'title'>} place @param {boolean} isHidden */
  #hide({key, title}, isHidden) {
    const set = (/** @type {boolean} */ isHidden) => () => {
      const others = [...this.#choices.hidden].filter((one) => one !== key);
      this.choose({hidden: new Set(isHidden ? [...others, key] : others)});
      // The message is about the undone action.
      this.app.message.hide();
    };
    set(isHidden)();
    const what = t('timeline.hide.what', {name: title});
    const change = this.app.undos.add({element: this.left, what, kind: `hide ${key} ${isHidden}`, undo: set(!isHidden), redo: set(isHidden)});
    if (isHidden) this.app.message.show(t('timeline.hidden', {name: title}), () => this.app.undos.undo(change));
  }

  #layOut() {
    this.#layout = layOut(this.#groups, this.#choices);
    this.#spacer.style.height = `${this.#layout.height}px`;
    this.showHidden.hidden = !this.#layout.hidden;
    fill(this.showHidden, t('timeline.unhide', {rows: this.#layout.hidden}));
    this.#fit();
  }

  /** @param {number} height of the canvas */
  resize(height) {
    this.#height = height;
    this.#fit();
  }

  /** Gives pinned rows their height. */
  #fit() {
    const height = this.#pinnedHeight;
    this.#pinnedHeads.element.style.height = `${height}px`;
    this.scroller.style.marginTop = `${TOP + height}px`;
    this.#pinnedScroll = Math.max(0, Math.min(this.#pinnedScroll, this.#layout.pinnedHeight - height));
  }

  get #pinnedHeight() {
    return Math.min(this.#layout.pinnedHeight, Math.max(0, Math.floor((this.#height - TOP) * PINNED)));
  }

  /** Scrolls rows, or those that are pinned. @param {number} by @param {boolean} [pinned] */
  scroll(by, pinned = false) {
    if (!pinned || this.#layout.pinnedHeight <= this.#pinnedHeight) {
      this.scroller.scrollTop += by;
      return;
    }
    this.#pinnedScroll += by;
    this.#fit();
    this.how.changed();
  }

  /** Whether a height of the canvas is among the pinned rows. @param {number} y */
  isPinned(y) {
    return y >= TOP && y < TOP + this.#pinnedHeight;
  }

  /** The part of a scene that follows from the rows. @param {{selected: Found | null, arrows: {from: Found, to: Found}[], among: (row: number) => boolean | null}} chosen */
  scene(chosen) {
    const scrolled = {height: this.#height, rows: this.scroller.scrollTop, pinned: this.#pinnedScroll, pinnedHeight: this.#pinnedHeight};
    return rowsOf(this.#layout, scrolled, chosen);
  }

  /** The scroll positions of the rows. */
  get scrolled() {
    return {rows: this.scroller.scrollTop, pinned: this.#pinnedScroll};
  }

  /** The titles of the rows that are there, in their order. */
  get titles() {
    return this.#layout.places.flatMap(({group, title}) => (group ? [] : [title]));
  }

  /** Shows the heads as rows stand in a frame that was drawn. @param {{rows: number, pinned: number}} scrolled */
  showHeads({rows, pinned}) {
    this.#pinnedHeads.show(this.#layout.pinned, pinned, this.#pinnedHeight);
    this.#heads.show(this.#layout.places, rows, Math.max(0, this.#height - TOP - this.#pinnedHeight));
  }

  /** The place at a height of the canvas, and how far below its top that is. @param {number} y */
  #placeAt(y) {
    if (y < TOP) return undefined;
    const pinned = this.isPinned(y);
    const inside = pinned ? y - TOP + this.#pinnedScroll : y - TOP - this.#pinnedHeight + this.scroller.scrollTop;
    const place = placeAt(pinned ? this.#layout.pinned : this.#layout.places, inside);
    return place && {place, below: inside - place.y};
  }

  /** The lane at a height. @param {number} y @returns {{place: Place, row: number, curve: boolean, lane: number} | undefined} */
  laneAt(y) {
    const {place, below} = this.#placeAt(y) ?? {};
    if (!place || below === undefined || !place.bands.length) return undefined;
    const band = place.bands.findLast(({top}) => top <= below) ?? place.bands[0];
    const lane = band.curve ? 0 : Math.max(0, Math.min(band.lanes - 1, Math.floor((below - band.top) / band.laneHeight)));
    return {place, row: band.row, curve: band.curve, lane};
  }

  /** The lanes in view that hold slices, from the uppermost on. */
  lanesInView() {
    /** @type {{row: number, lane: number}[]} */
    const found = [];
    for (let y = 0; y < this.scroller.clientHeight; y++) {
      const at = this.laneAt(y);
      const last = found.at(-1);
      if (at && !at.curve && !(at.row === last?.row && at.lane === last.lane)) found.push({row: at.row, lane: at.lane});
    }
    return found;
  }

  /** The rows between two heights, with those of groups that are folded there. @param {number} from @param {number} to @returns {number[]} */
  between(from, to) {
    const [top, bottom] = [Math.min(from, to), Math.max(from, to)];
    const found = new Set();
    for (let y = top; y <= bottom;) {
      const at = this.#placeAt(y);
      if (!at) break;
      const rows = at.place.group && !at.place.folded ? at.place.bands.map(({row}) => row) : this.#rowsAt(at.place);
      for (const row of rows) found.add(row);
      // To the next place, but not past where pinned rows end.
      const next = y + Math.max(1, at.place.height - at.below);
      y = this.isPinned(y) ? Math.min(next, TOP + this.#pinnedHeight) : next;
    }
    return [...found];
  }

  /** The rows of a place: a group's are all that are in it. @param {Place} place @returns {number[]} */
  #rowsAt({row, key}) {
    if (row >= 0) return [row];
    const group = groupOf(this.#groups, key);
    return group ? all(group).map((one) => one.row) : [];
  }

  /** The ranks that are shown with all of their rows, as text. */
  get detailed() {
    return [...this.#choices.detailed].sort().join();
  }

  /** The rows of a rank that is shown as a summary; null: it is shown with all of its rows. @param {number} rank @returns {number[] | null} */
  summaryOf(rank) {
    if (this.#groups.length < 2 || this.#choices.detailed.has(rank)) return null;
    const group = this.#groups.find((group) => group.rank === rank);
    return group ? all(group).flatMap(({row, of}) => (inSummary(of) ? [row] : [])) : null;
  }

  /** The rows that are pinned. */
  get pinned() {
    return this.#layout.pinned.flatMap((place) => (place.group && !place.folded ? [] : this.#rowsAt(place)));
  }

  /** The rows that are there, wherever a person scrolled: neither hidden nor left out by the filter. */
  get shown() {
    const {hidden} = this.#choices;
    return this.#layout.places.flatMap((place) => (place.group && !place.folded ? [] : this.#rowsAt(place))).filter((row) => !hidden.has(`row:${row}`));
  }

  /** @param {number} row */
  titleOf(row) {
    return this.#groups.flatMap(all).find((one) => one.row === row)?.title ?? '';
  }

  /** The place in which a row's slices are seen. @param {number} row */
  #placeOf(row) {
    return this.#layout.places.find((place) => place.row === row || (place.group && !place.folded && place.bands.some((band) => band.row === row)));
  }

  /** The lane of a slice among the rows that scroll; undefined if its row is not there. @param {Found} found */
  #partOf({row, lane}) {
    const place = this.#placeOf(row);
    const band = place?.bands.find((band) => band.row === row);
    if (!place || !band) return undefined;
    const top = place.y + band.top + Math.min(lane, band.lanes - 1) * band.laneHeight;
    return {top, bottom: top + band.laneHeight};
  }

  get #view() {
    return {scrolled: this.scroller.scrollTop, height: this.#height - TOP - this.#pinnedHeight};
  }

  /** Whether a slice is between the axis and the lower edge. @param {Found} found */
  sees(found) {
    const part = this.#partOf(found);
    return part !== undefined && isSeen(part, this.#view);
  }

  /** Scrolls so that a slice is seen, as far as its row is. @param {Found} found @param {boolean} [least] by no more than that takes */
  scrollTo(found, least = false) {
    const part = this.#partOf(found);
    const to = part && scrolledTo(part, this.#view, least);
    if (to !== undefined && to !== this.scroller.scrollTop) this.scroller.scrollTop = to;
  }

  /** Unfolds and scrolls so that a slice is seen. @param {Found} found @param {number} rank @param {boolean} [least] by no more than that takes */
  reveal(found, rank, least = false) {
    const {row} = found;
    const choices = this.#choices;
    let place = this.#placeOf(row);
    if (!place) {
      const holding = new Set(
        [...choices.folded, ...choices.hidden].filter((key) => !key.startsWith('row:') && this.#groups.some((group) => holds(group, key, row))),
      );
      this.filter.value = '';
      const without = (/** @type {Set<string>} */ keys) => new Set([...keys].filter((key) => !holding.has(key) && key !== `row:${row}`));
      const folded = new Set([...choices.folded].filter((key) => !holding.has(key)));
      this.choose({filter: '', hidden: without(choices.hidden), detailed: new Set([...choices.detailed, rank]), folded});
      place = this.#placeOf(row);
    }
    if (place?.folded && found.lane > 0) this.choose({folded: toggled(this.#choices.folded, place.key)});
    this.scrollTo(found, least);
  }
}
