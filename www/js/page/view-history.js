// The view in the browser's history: tabs, ranks, jumps, and places on the timeline are entries of it; what else is chosen within a view is not.

import {environment, focused} from './environment/environment.js';
import {isOfOther, parallelOfHash, traceOf, viewAs, viewOfHash} from './view-hash.js';

/** @typedef {import('./state.js').State} State */

/** Shows in the address and the history what the page shows, and the other way round. */
export class ViewHistory {
  /** Whether the page takes on what the address says. */
  #following = false;
  /** Where the last jump came from; numbers of earlier visits are others. @type {{number: number, element: Element | null}} */
  #left = {number: Date.now(), element: null};

  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.app = app;
    environment().address.follow(() => this.#follow());
  }

  /** Says the view that is shown now: as a new entry where the person went to it. @param {State | undefined} before */
  show(before) {
    const {state} = this.app;
    if (state.phase !== 'ready' || !state.files) return;
    const went = before?.phase === 'ready' && (state.tab !== before.tab || state.rank !== before.rank || state.visit !== before.visit);
    environment().address.show(String(viewAs(state)), traceOf(state.files), went && !this.#following);
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
  #follow() {
    const {phase, summary, files, tab} = this.app.state;
    // `#main` is the link that skips to the content.
    if (phase !== 'ready' || !summary || !files || environment().address.view() === 'main') return;
    this.#following = true;
    try {
      const view = viewOfHash(summary, tab);
      const {rank, step, parallel} = this.app.state;
      if (isOfOther(files)) {
        // Its ranks, steps and events are not those of what is open.
        this.app.store.set({tab: view.tab});
      } else {
        this.app.takeNotes();
        if (parallelOfHash() !== parallel) this.app.setLayout(parallelOfHash());
        // Where only the tab is another one, what was opened there stays so.
        if (view.rank === rank && view.step === step) this.app.store.set({tab: view.tab, ...(view.tab === 'timeline' && {timeline: view.timeline})});
        else this.app.choose({selection: null, ...view});
      }
    } finally {
      this.#following = false;
    }
    const {element} = this.#left.number === environment().address.entry().left ? this.#left : {};
    if (element instanceof HTMLElement && element.isConnected) element.focus();
    else /** @type {HTMLElement | null} */ (focused()?.closest('[role="tab"]') && environment().root.querySelector('.tab[aria-selected="true"]'))?.focus();
  }
}
