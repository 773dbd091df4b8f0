// The hits of a search as a list: each leads to its place on the timeline.

import {fill, h} from '../../../dom.js';
import {t} from '../../../environment/i18n.js';
import {KernelNames, isCopy} from '../../parts/kernel-names.js';
import {lengthText} from '../names.js';

/** @typedef {import('../../../../protocol/requests.js').ListedHit} ListedHit */

/** Number of hits that are listed at first, and added at a time. */
const MOST = 200;

/** Number of letters at the end of a name that stay where it is cut. */
const TAIL = 16;

/** The list. */
export class HitList {
  #title = h('h2', {id: 'hits-title', title: t('find.list.why')});
  #list = h('ol', {class: 'event-list hit-list', 'aria-labelledby': 'hits-title', 'data-test': 'hit-list'});
  #more = h('button', {class: 'button', type: 'button', hidden: true, 'data-test': 'hits-more', onclick: () => this.#add()}, t('find.list.more'));
  element = h('section', {class: 'hits-pane', hidden: true, 'data-test': 'hits', 'aria-labelledby': 'hits-title'}, this.#title, this.#list, this.#more);
  /** The names of kernels that are listed: short ones differ. @type {Set<string>} */
  #kernels = new Set();
  #count = 0;
  /** @type {ListedHit | null} */
  #last = null;
  /** Identity of the current list: late answers belong to another one. */
  #listed = {};

  /**
   * @param {import('../../../app.js').App} app
   * @param {(hit: ListedHit) => void} goTo @param {{titleOf: (row: number) => string, isActivity: (row: number) => boolean, shift: () => number}} how names a row of the timeline; whether it shows device activity; where the shown rank's time zero lies
   */
  constructor(app, goTo, how) {
    this.app = app;
    this.goTo = goTo;
    this.how = how;
  }

  /** Lists the hits of the search. @param {number} count of the hits */
  show(count) {
    this.#count = count;
    this.#last = null;
    this.#listed = {};
    this.element.hidden = false;
    fill(this.#title, t('find.found', {count: this.app.wasm.count(count)}));
    fill(this.#list);
    this.#kernels.clear();
    this.#more.hidden = true;
    if (count) this.#add();
  }

  hide() {
    this.#listed = {};
    this.element.hidden = true;
  }

  /** Marks the current hit. @param {number} number its place among all */
  mark(number) {
    for (const [place, item] of [...this.#list.children].entries()) {
      const button = item.firstElementChild;
      if (place === number) button?.setAttribute('aria-current', 'true');
      else button?.removeAttribute('aria-current');
    }
    this.#list.children[number]?.scrollIntoView({block: 'nearest'});
  }

  /** Adds the next hits. */
  async #add() {
    const listed = this.#listed;
    const hits = await this.app.hits(this.#last, MOST);
    if (listed !== this.#listed) return;
    this.#last = hits[hits.length - 1] ?? this.#last;
    for (const {name, row} of hits) if (row !== null && this.how.isActivity(row) && !isCopy(name)) this.#kernels.add(name);
    const names = new KernelNames(this.app.wasm);
    names.set(this.#kernels);
    this.#list.append(...hits.map((hit) => h('li', {}, this.#item(hit, names.of(hit.name)))));
    this.#more.hidden = hits.length === 0 || this.#list.children.length >= this.#count;
  }

  /** @param {ListedHit} hit @param {string} short its name, as short as it stays distinct from others */
  #item(hit, short) {
    const {wasm} = this.app;
    const {number, name, start_ns: start, length_ns: length, row} = hit;
    // Instant events have the time of their rank.
    const times = [wasm.duration(length === null ? start + this.how.shift() : start), length === null ? t('find.list.instant') : lengthText(wasm, length)];
    const go = () => {
      this.goTo(hit);
      this.mark(number);
    };
    // Where there is no room, the style sheet cuts the end of the first part: the end of a name is distinctive.
    const end = Math.max(short.length - TAIL, Math.ceil(short.length / 2));
    return h(
      'button',
      {
        class: 'event-link',
        type: 'button',
        title: [name, row === null ? '' : this.how.titleOf(row)].filter(Boolean).join('\n'),
        onclick: go,
        'data-test': 'hit',
      },
      // In two parts, the name would be read as two words.
      h('span', {class: 'only-read-out'}, short),
      h('span', {class: 'event-link-name is-cut', 'aria-hidden': 'true'}, h('span', {}, short.slice(0, end)), h('span', {}, short.slice(end))),
      h('span', {class: 'event-link-time'}, times.join(' · ')),
    );
  }
}
