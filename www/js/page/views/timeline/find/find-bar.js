// The search for events: hits are marked on the timeline, and the person goes from hit to hit.

import {fill, h} from '../../../dom.js';
import {t} from '../../../environment/i18n.js';
import {HitList} from './hit-list.js';

/** @typedef {import('../../../../protocol/requests.js').FindAnswer} FindAnswer */

/** @typedef {{at: number, event: number | null, moment: [number, number] | null}} From a time in ns or a slice, and the moment that is chosen */

/** Delay after a key, in ms: a person who types looks for the whole word. */
const PAUSE = 150;

/** The bar. */
export class FindBar {
  #input = h('input', {
    type: 'search',
    class: 'search',
    placeholder: t('find.placeholder'),
    'aria-label': t('find'),
    title: t('find.why'),
    'data-test': 'find',
  });
  #args = h('input', {type: 'checkbox', 'data-test': 'find-args', onchange: () => this.#args.checked || this.#look()});
  #said = h('span', {class: 'hint find-said', role: 'status', 'data-test': 'find-said'});
  #buttons;
  #listing = h(
    'button',
    {
      class: 'button',
      type: 'button',
      disabled: true,
      title: t('find.list.why'),
      'aria-expanded': 'false',
      'data-test': 'find-list',
      onclick: () => this.#toggleList(),
    },
    t('find.list'),
  );
  /** The hits as a list, where a person wants one. */
  list;
  #wantsList = false;
  /** @type {FindAnswer | null} */
  #found = null;
  /** The instant event that was gone to last, and the moment that was chosen for it. @type {{index: number, moment: From['moment']} | null} */
  #instant = null;
  /** The last query and its scope, as text. */
  #looked = '';
  /** Identity of that search: the same text may be searched again, in another trace, before the first search has ended. */
  #search = {};
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #waiting;
  /** Settled when the last search is done: Enter waits for it. @type {Promise<void>} */
  #looking = Promise.resolve();

  /**
   * @param {import('../../../app.js').App} app
   * @param {object} how
   * @param {() => From} how.from where the person is
   * @param {(event: number) => Promise<void>} how.goTo shows a hit
   * @param {(instant: import('../../../../../types/reports.js').FoundInstantReport) => void} how.goToInstant likewise
   * @param {() => number} how.end of the time that is shown, in ns
   * @param {(row: number) => string} how.titleOf a row of the timeline
   * @param {(row: number) => boolean} how.isActivity whether a row shows device activity
   * @param {() => number} how.shift where the shown rank's time zero lies
   * @param {() => void} how.resized called when the list appears or disappears
   * @param {(at: number[]) => void} how.mark called with the places of hits when they change
   */
  constructor(app, how) {
    this.app = app;
    this.how = how;
    const button = (/** @type {string} */ key, /** @type {string} */ sign, /** @type {boolean} */ backwards) =>
      h(
        'button',
        {
          class: 'button',
          disabled: true,
          title: t(`find.${key}`),
          'aria-label': t(`find.${key}`),
          'data-test': `find-${key}`,
          onclick: () => this.go(backwards),
        },
        sign,
      );
    this.#buttons = [button('previous', '‹', true), button('next', '›', false)];
    this.list = new HitList(app, (hit) => this.#goToListed(hit), how);
    this.element = h(
      'div',
      {class: 'find-bar', role: 'search', 'aria-label': t('find')},
      this.#input,
      ...this.#buttons,
      this.#listing,
      h('label', {class: 'check', title: t('find.args.why')}, this.#args, t('find.args')),
      this.#said,
    );
    this.#input.addEventListener('input', () => this.#wait());
    this.#input.addEventListener('keydown', (event) => this.#key(event));
    // A search in the text that was given up may still say how far it is.
    app.client.onSearching = (share) => {
      if (this.#args.checked) this.#say(t('find.reading', {share: app.wasm.percent(share)}));
    };
  }

  /** The query. */
  get query() {
    return this.#input.value.trim();
  }

  focus() {
    this.#input.focus();
    this.#input.select();
  }

  /** Whether it is looked for in the files' own text, too. */
  get args() {
    return this.#args.checked;
  }

  /** Looks for something from elsewhere. @param {string} query @param {boolean} [args] */
  show(query, args = this.args) {
    this.#input.value = query;
    this.#args.checked = args;
    return this.#look();
  }

  /** Searches again for another rank, since the hits belong to the previous one. */
  renew() {
    this.#looked = '';
    if (this.#input.value.trim()) this.#look();
  }

  /** Goes to the next hit, or to the one before. @param {boolean} backwards */
  async go(backwards) {
    const {query} = this;
    // The same query may be searched again in between, as when the timeline knows its rank: the last search has the hits.
    for (let looking; query === this.query;) {
      looking = this.#look();
      await looking;
      if (looking !== this.#looking) continue;
      if (!this.#found?.count) return;
      const {moment, ...from} = this.how.from();
      const instant = moment !== null && this.#instant?.moment === moment ? this.#instant.index : null;
      const hit = await this.app.nextHit({...from, instant, backwards});
      if (looking !== this.#looking) continue;
      if (!hit || !this.#found) return;
      await this.#goTo(hit);
      this.list.mark(hit.number);
      return;
    }
  }

  /** Goes to a hit of the list. @param {import('../../../../protocol/requests.js').ListedHit} hit */
  #goToListed({event, instant, number}) {
    return this.#goTo({event, instant, number});
  }

  /** Shows a hit, and says which it is. @param {import('../../../../../types/reports.js').FindHitReport} hit */
  async #goTo(hit) {
    this.#instant = null;
    if (hit.event !== null) await this.how.goTo(hit.event);
    else if (hit.instant) {
      this.how.goToInstant(hit.instant);
      this.#instant = {index: hit.instant.index, moment: this.how.from().moment};
    }
    if (!this.#found) return;
    const {count} = this.app.wasm;
    const said = hit.instant && ` · ${t('find.instant', {name: hit.instant.name, time: this.app.wasm.duration(hit.instant.at_ns)})}`;
    this.#say(t('find.at', {number: count(hit.number + 1), count: count(this.#found.count)}), said, this.#unread());
  }

  /** Shows the hits as a list, or no longer. */
  #toggleList() {
    this.#wantsList = !this.#wantsList;
    this.#renewList();
  }

  /** Updates the list with the current hits; hides it without any. */
  #renewList() {
    const count = this.#found?.count ?? 0;
    this.#listing.disabled = !count;
    const isShown = this.#wantsList && count > 0;
    this.#listing.setAttribute('aria-expanded', String(isShown));
    const wasHidden = this.list.element.hidden;
    if (isShown) this.list.show(count);
    else this.list.hide();
    if (wasHidden === isShown) this.how.resized();
  }

  /** Reading files takes longer than a person types: that waits for Enter. */
  #wait() {
    clearTimeout(this.#waiting);
    if (!this.#args.checked || !this.#input.value.trim()) this.#waiting = setTimeout(() => this.#look(), PAUSE);
  }

  /** Runs the query, once. */
  #look() {
    clearTimeout(this.#waiting);
    const query = this.#input.value;
    const args = this.#args.checked;
    const looked = JSON.stringify([query.trim(), args, this.app.state.rank]);
    if (looked !== this.#looked) {
      this.#looked = looked;
      this.#looking = this.#lookFor(query, args);
    }
    return this.#looking;
  }

  /** @param {string} query @param {boolean} args */
  async #lookFor(query, args) {
    const search = (this.#search = {});
    this.#found = null;
    const found = await this.app.look(query, args, this.how.end());
    if (search !== this.#search) return;
    if (!found) {
      // The search failed, which was reported; the next Enter tries again.
      this.#looked = '';
      this.#say();
      return;
    }
    this.#found = found;
    const {fault} = found;
    this.#input.setAttribute('aria-invalid', String(fault !== null));
    const part = fault ? query.slice(fault.from, fault.to) : '';
    const said = fault ? t(`find.fault.${fault.fault}`, {part}) : query.trim() ? this.#counted(query, found) : '';
    this.#say(said, this.#unread());
    for (const button of this.#buttons) button.disabled = !found.count;
    this.#renewList();
    this.how.mark(found.at);
  }

  /** Text of the number of hits; without any, the parts of the query that match nothing. @param {string} query @param {FindAnswer} found */
  #counted(query, {count, unmatched}) {
    if (count) return t('find.found', {count: this.app.wasm.count(count)});
    const parts = unmatched.map(([from, to]) => query.slice(from, to)).join(', ');
    return parts ? t('find.unmatched', {parts}) : t('find.none_has_all');
  }

  /** Shows the result of the search in an element of constant size; the tooltip has all of a long text. @param {...string | null | false} parts */
  #say(...parts) {
    const text = parts.filter(Boolean).join('');
    fill(this.#said, text);
    this.#said.title = text;
  }

  #unread() {
    const {unread = []} = this.#found ?? {};
    return unread.length ? ` · ${t('find.unread', {files: unread.join(', ')})}` : '';
  }

  /** The first Escape empties it, the next one leaves it. @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === 'Enter') {
      event.preventDefault();
      this.go(event.shiftKey);
    } else if (event.key === 'Escape' && this.#input.value) {
      event.preventDefault();
      event.stopPropagation();
      this.show('');
    }
  }
}
