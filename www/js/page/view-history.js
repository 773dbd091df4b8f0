// The view in the browser's history: tabs, ranks, steps, definitions, rows and nodes that are opened, jumps, and places on the timeline are entries of it.

import {environment, focused} from './environment/environment.js';
import {OF_CALLS} from './state.js';
import {definitionOf, definitionOfHash, isOfOther, parallelOfHash, traceOf, viewAs, viewOfHash} from './view-hash.js';
import {openAgain} from './views/parts/opened.js';

/** @typedef {import('./state.js').State} State */

/** Changes of the same kind that follow each other within so many ms are one entry. */
const PAUSE = 1000;

/** Keeps the address and the history in step with the page's view, in both directions. */
export class ViewHistory {
  /** Whether the page takes on the view in the address. */
  #following = false;
  /** Whether a definition that the address has already is being requested. */
  #waiting = false;
  /** Counts the entries to which the person went. */
  #followed = 0;
  /** The view's name. */
  #said = '';
  /** The reason of the current entry, the time of its last change, and the view of the entry before it. @type {{kind: string, at: number, from: string}} */
  #last = {kind: '', at: 0, from: ''};
  /** The table or graph in which the person opens something now, unless that belongs to the current entry. */
  #opening = '';
  /** Where the last jump came from; numbers of earlier visits are others. @type {{number: number, element: Element | null}} */
  #left = {number: Date.now(), element: null};

  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.app = app;
    environment().address.follow(() => this.#follow());
  }

  /** Puts the current view into the address: as a new entry where the person went to it. @param {State | undefined} before */
  show(before) {
    const {state} = this.app;
    if (state.phase !== 'ready' || !state.files || this.#waiting) return;
    const view = String(viewAs(state));
    const isEntry = this.#isEntry(before, view);
    this.#said = view;
    environment().address.show(view, traceOf(state.files), isEntry);
  }

  /** The person's change that is an entry of the history; nothing else is. @param {State | undefined} before */
  #kindOf(before) {
    const {state} = this.app;
    if (before?.phase !== 'ready' || this.#following) return '';
    if (state.tab !== before.tab || state.rank !== before.rank || state.visit !== before.visit) return 'place';
    if (definitionOf(state) !== definitionOf(before)) return 'definition';
    if (state.step !== before.step) return 'step';
    if (state.callsRange !== before.callsRange) return 'range';
    return this.#opening;
  }

  /** Whether a view is a new entry: one change in a row of rapid ones is, if the last does not lead back to where they began. @param {State | undefined} before @param {string} view */
  #isEntry(before, view) {
    const kind = this.#kindOf(before);
    if (!kind || view === this.#said) return false;
    const at = performance.now();
    const goesOn = kind !== 'place' && kind === this.#last.kind && at - this.#last.at < PAUSE && view !== this.#last.from;
    this.#last = {kind, at, from: goesOn ? this.#last.from : this.#said};
    return !goesOn;
  }

  /** Records the open row or node of a table or graph of the shown tab. @param {string} name @param {string | undefined} key @param {boolean} isLed whether it belongs to the current entry */
  opened(name, key, isLed) {
    const {tab, opened} = this.app.state;
    const own = {...opened[tab]};
    if (own[name] === key) return;
    if (key === undefined) delete own[name];
    else own[name] = key;
    this.#opening = isLed ? '' : `opened ${name}`;
    this.app.store.set({opened: {...opened, [tab]: own}});
    this.#opening = '';
  }

  /** Shows a slice of a rank, or a span of its time, on the timeline: the way back leads to where the person was. @param {import('./state.js').Jump} jump @param {number} [rank] the one that is shown if no other is named */
  jump(jump, rank = this.app.state.rank) {
    const {tab} = this.app.state;
    this.#left = {number: this.#left.number + 1, element: focused()};
    environment().address.mark(this.#left.number);
    if (rank !== this.app.state.rank) {
      this.app.choose({rank, step: null, selection: null, tab: 'timeline', jump});
      return;
    }
    // Another tab is an entry as it is.
    if (tab === 'timeline') environment().address.push();
    this.app.store.set({tab: 'timeline', jump});
  }

  /** The person went to another entry, or changed the address. */
  async #follow() {
    const {phase, summary, files, tab} = this.app.state;
    // `#main` is the link that skips to the content.
    if (environment().address.view() === 'main') return;
    // Otherwise the grouping that is being read would be shown in this entry, and the entry's own one would be lost.
    if (this.app.isRegrouping) this.app.openGrouping(environment().address.entry().trace);
    if (phase !== 'ready' || !summary || !files) return;
    const view = viewOfHash(summary, tab);
    const [definition, layout, isOther] = [definitionOfHash(), parallelOfHash(), isOfOther(files)];
    const followed = ++this.#followed;
    this.#last = {kind: '', at: 0, from: ''};
    if (isOther && this.app.openGrouping(environment().address.entry().trace)) return;
    this.#waiting = !isOther && definition !== definitionOf(this.app.state);
    if (this.#waiting) {
      await this.app.define(definition);
      // The person went to another entry in between.
      if (followed !== this.#followed) return;
      this.#waiting = false;
      if (this.app.state.phase !== 'ready') return;
    }
    this.#following = true;
    try {
      const {rank, step, parallel, opened} = this.app.state;
      if (isOther) {
        // Its ranks, steps and events are not those of the open trace.
        this.app.store.set({tab: view.tab});
      } else {
        this.app.takeNotes();
        if (layout !== parallel) this.app.setLayout(layout);
        // Rows open on other tabs stay so.
        const rows = {opened: view.rank === rank ? {...opened, ...view.opened} : view.opened};
        // Only some tabs' addresses say it.
        const own = {...(view.tab === 'timeline' && {timeline: view.timeline}), ...(OF_CALLS.includes(view.tab) && {callsRange: view.callsRange})};
        if (view.rank === rank && view.step === step) this.app.store.set({tab: view.tab, ...rows, ...own});
        else this.app.choose({selection: null, ...view, ...rows});
        openAgain(view.opened[view.tab] ?? {});
      }
    } finally {
      this.#following = false;
    }
    const {element} = this.#left.number === environment().address.entry().left ? this.#left : {};
    if (element instanceof HTMLElement && element.isConnected) element.focus();
    else /** @type {HTMLElement | null} */ (focused()?.closest('[role="tab"]') && environment().root.querySelector('.tab[aria-selected="true"]'))?.focus();
  }
}
