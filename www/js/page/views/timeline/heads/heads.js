// The heads of the timeline's rows: names and actions. Their text belongs to the page, so that it can be read out.

import {fill, h} from '../../../dom.js';
import {t} from '../../../environment/i18n.js';
import {focused} from '../../../environment/environment.js';
import {differences} from '../../table/cut.js';

/** @typedef {import('../../../timeline/layout.js').Place} Place */

/**
 * @typedef {object} HeadActions
 * @property {(place: Place) => void} fold
 * @property {(place: Place) => void} pin
 * @property {(place: Place) => void} hide
 * @property {(place: Place, by: 1 | -1) => void} move
 * @property {(place: Place) => void} detail shows all of a rank, or its summary
 * @property {(place: Place) => 'all' | 'summary' | null} detailOf the shown detail of a rank; null where there is no choice
 * @property {(place: Place) => void} among adds it to the rows that the range's report covers, or removes it
 * @property {(place: Place) => boolean | null} amongOf whether the range's report covers it; null where there is no range
 */

/** Rows above this height have room for more than a name, in CSS pixels. */
const TALL = 38;

/** Number of letters that are kept before the place in which titles differ; a title that differs within so many is cut at its end. */
const BEFORE = 3;
const BEGIN = 8;

/** Height of a label, in CSS pixels. */
const LABEL = 24;

/** Heads of rows that scroll, or of rows that stay. */
export class Heads {
  #inner = h('div', {class: 'track-heads-inner', role: 'list', 'aria-label': t('timeline.rows')});
  /** @type {Map<string, {element: HTMLElement, made: string}>} */
  #known = new Map();
  /** Where each title begins to differ from the others. @type {import('../../table/cut.js').Differences} */
  #differ = differences([], String);

  /** @param {HeadActions} actions @param {string} name for tests @param {(place: Place, head: HTMLElement, event: MouseEvent) => void} menu opens the menu of a place */
  constructor(actions, name, menu) {
    this.actions = actions;
    this.menu = menu;
    this.element = h('div', {class: 'track-heads', 'data-test': name}, this.#inner);
  }

  /** Takes in the titles of all rows and groups. @param {string[]} titles */
  among(titles) {
    this.#differ = differences(titles, String);
  }

  /** Shows the heads that can be seen. @param {Place[]} places @param {number} scrolled @param {number} height */
  show(places, scrolled, height) {
    const shown = places.filter((place) => place.y + place.height > scrolled && place.y < scrolled + height);
    const keys = new Set(shown.map(({key}) => key));
    for (const [key, {element}] of this.#known) {
      if (keys.has(key)) continue;
      const hasFocus = element.contains(focused());
      // The focused head keeps the focus, also out of view; but not once it was hidden or folded away.
      if (hasFocus && places.some((place) => place.key === key)) continue;
      if (hasFocus) /** @type {HTMLElement | null} */ (element.closest('.timeline-body')?.querySelector('.timeline-canvas'))?.focus({preventScroll: true});
      element.remove();
      this.#known.delete(key);
    }
    for (const place of shown) {
      // The label of a row that begins above the view is at the top of its visible part.
      const above = Math.max(0, Math.min(scrolled - place.y, place.height - LABEL));
      const made = JSON.stringify([place, above, this.actions.detailOf(place), this.actions.amongOf(place), this.#differ.get(place.title)]);
      const known = this.#known.get(place.key);
      if (known?.made === made) continue;
      const had = known?.element.contains(focused()) ? focused()?.dataset.act : undefined;
      const element = known?.element ?? h('div', {role: 'listitem'});
      this.#fill(element, place);
      element.style.transform = `translateY(${place.y}px)`;
      element.style.height = `${place.height}px`;
      element.style.paddingTop = `${above}px`;
      this.#known.set(place.key, {element, made});
      if (had) /** @type {HTMLElement | null} */ (element.querySelector(`[data-act="${had}"]`))?.focus();
    }
    this.#order(shown);
    this.#inner.style.transform = `translateY(${-scrolled}px)`;
  }

  /** Puts heads in the order of the rows, in which they are read. One that would lose the focus stays where it is. @param {Place[]} shown */
  #order(shown) {
    /** @type {Element | null} */
    let next = null;
    for (const {key} of [...shown].reverse()) {
      const element = /** @type {HTMLElement} */ (this.#known.get(key)?.element);
      const isHere = element.parentElement === this.#inner && element.nextElementSibling === next;
      if (!isHere && !(element.isConnected && element.contains(focused()))) this.#inner.insertBefore(element, next);
      next = element;
    }
  }

  /** @param {HTMLElement} element @param {Place} place */
  #fill(element, place) {
    const {actions} = this;
    const {title, note, group, depth, folded, foldable, pinned} = place;
    const button = (/** @type {string} */ act, /** @type {string} */ sign, /** @type {() => void} */ onclick) =>
      h('button', {class: 'track-head-button', 'data-act': act, title: t(`timeline.${act}`), 'aria-label': `${t(`timeline.${act}`)}: ${title}`, onclick}, sign);
    const detail = actions.detailOf(place);
    element.className = `track-head ${group ? 'track-head-group' : 'track-head-row'} track-head-depth-${Math.min(depth, 4)}${place.height > TALL ? ' track-head-tall' : ''}${detail ? ' track-head-rank' : ''}${actions.amongOf(place) ? ' track-head-chosen' : ''}`;
    element.dataset.key = place.key;
    element.title = [title, note, foldedNote(place)].filter(Boolean).join(' – ');
    const at = this.#differ.get(title) - BEFORE;
    // The first part gives way: where it differs from others stays.
    const parts = h('span', {class: 'track-head-parts'}, h('span', {}, title.slice(0, at)), h('span', {}, title.slice(at)));
    const name = h('span', {class: 'track-head-name'}, at < BEGIN ? title : parts);
    const fold =
      foldable &&
      h(
        'button',
        {
          class: 'track-head-fold',
          'data-act': 'fold',
          'aria-expanded': String(!folded),
          'aria-label': `${t(folded ? 'timeline.unfold' : 'timeline.fold')}: ${title}`,
          onclick: () => actions.fold(place),
        },
        folded ? '▸' : '▾',
      );
    const among = actions.amongOf(place);
    const tools = [
      among !== null &&
        h(
          'button',
          {
            class: 'track-head-button track-head-among',
            'data-act': 'among',
            role: 'checkbox',
            'aria-checked': String(among),
            title: t('timeline.among'),
            'aria-label': `${t('timeline.among')}: ${title}`,
            onclick: () => actions.among(place),
          },
          among ? '☑' : '☐',
        ),
      button(pinned ? 'unpin' : 'pin', pinned ? '⊖' : '⊕', () => actions.pin(place)),
      !pinned && button('up', '↑', () => actions.move(place, -1)),
      !pinned && button('down', '↓', () => actions.move(place, 1)),
      !pinned && button('hide', '×', () => actions.hide(place)),
      // Where there is no room for all of them.
      h(
        'button',
        {
          class: 'track-head-button track-head-more',
          'data-act': 'more',
          title: t('timeline.more'),
          'aria-label': `${t('timeline.more')}: ${title}`,
          'aria-haspopup': 'menu',
          onclick: (/** @type {MouseEvent} */ event) => this.menu(place, element, event),
        },
        '⋯',
      ),
    ];
    const whole =
      detail &&
      h(
        'button',
        {class: 'track-head-button track-head-detail', 'data-act': 'detail', onclick: () => actions.detail(place)},
        t(detail === 'all' ? 'timeline.detail.summary' : 'timeline.detail.all'),
      );
    element.oncontextmenu = (event) => this.menu(place, element, event);
    const roomy = note && place.height > TALL;
    fill(
      element,
      fold,
      h('span', {class: 'track-head-text'}, name, roomy ? h('span', {class: 'track-head-note'}, note) : null),
      h('span', {class: 'track-head-right'}, whole, h('span', {class: 'track-head-tools'}, tools.filter(Boolean))),
    );
  }
}

/** Note on the visible part of a folded row or group. @param {Place} place */
export function foldedNote({group, folded, lanes, bands}) {
  if (!folded || !bands.length) return '';
  if (group) return t('timeline.folded.group');
  return t('timeline.folded', {shown: bands[0].lanes, lanes});
}
