// Everything about what was loaded: choices, tabs, and the tab that is open.

import {fill, h} from '../dom.js';
import {t} from '../i18n.js';
import {Overview} from './overview.js';
import {StepsTab} from './steps-tab.js';
import {CopiesTab, KernelsTab, OperatorsTab} from './tables.js';
import {renderToolbar} from './toolbar.js';

/** @typedef {import('../state.js').State} State */
/** @typedef {import('../state.js').Tab} Tab */
/** @typedef {{element: HTMLElement, show: (now: State, before: State | undefined) => void, search?: () => void}} Panel */

/** @type {Tab[]} */
const TABS = ['overview', 'steps', 'operators', 'kernels', 'copies'];

/** The view of a loaded trace. */
export class Results {
  #toolbar = h('div', {class: 'toolbar'});
  #tabs = h('div', {class: 'tabs', role: 'tablist', 'aria-label': t('tabs')});
  #panel = h('div', {class: 'panel', role: 'tabpanel', id: 'panel', tabindex: '0'});
  element = h('div', {class: 'results', 'data-test': 'results'}, this.#toolbar, this.#tabs, this.#panel);
  /** Made when first shown, kept with their sorting and search. @type {Partial<Record<Tab, Panel>>} */
  #panels = {};

  /** @param {import('../app.js').App} app */
  constructor(app) {
    this.app = app;
  }

  /** @param {State} now @param {State | undefined} before */
  show(now, before) {
    if (!before || now.summary !== before.summary || now.rank !== before.rank || now.step !== before.step || now.phase !== before.phase) {
      renderToolbar(this.#toolbar, this.app);
    }
    const other = !this.#panel.hasChildNodes() || now.tab !== before?.tab;
    if (other) this.#showTabs(now);
    const panel = this.#panelOf(now.tab);
    if (other) this.#panel.replaceChildren(panel.element);
    panel.show(now, other ? undefined : before);
  }

  /** @param {State} state */
  #showTabs(state) {
    fill(
      this.#tabs,
      TABS.map((tab) =>
        h(
          'button',
          {
            role: 'tab',
            class: 'tab',
            id: `tab-${tab}`,
            'aria-selected': String(tab === state.tab),
            'aria-controls': 'panel',
            tabindex: tab === state.tab ? '0' : '-1',
            onclick: () => this.#choose(tab),
            onkeydown: (/** @type {KeyboardEvent} */ event) => this.#tabKey(event, tab),
            'data-test': `tab-${tab}`,
          },
          t(`tab.${tab}`),
        ),
      ),
    );
    this.#panel.setAttribute('aria-labelledby', `tab-${state.tab}`);
  }

  /** @param {Tab} tab */
  #choose(tab) {
    this.app.store.set({tab});
    /** @type {HTMLElement | null} */ (this.#tabs.querySelector('[aria-selected=true]'))?.focus();
  }

  /** @param {KeyboardEvent} event @param {Tab} tab */
  #tabKey(event, tab) {
    const index = TABS.indexOf(tab);
    const to = {ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: TABS.length - 1}[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#choose(TABS[(to + TABS.length) % TABS.length]);
  }

  /** @param {Tab} tab @returns {Panel} */
  #panelOf(tab) {
    const make = {
      overview: () => new Overview(this.app),
      steps: () => new StepsTab(this.app),
      operators: () => new OperatorsTab(this.app),
      kernels: () => new KernelsTab(this.app),
      copies: () => new CopiesTab(this.app),
    };
    return (this.#panels[tab] ??= make[tab]());
  }

  /** A key that nothing else takes. @param {KeyboardEvent} event @returns {boolean} whether it meant something */
  key(event) {
    const {state} = this.app;
    const tab = TABS[Number(event.key) - 1];
    if (tab) {
      this.#choose(tab);
      return true;
    }
    if (event.key === '/') {
      const {tab: shown} = state;
      if (!this.#panelOf(shown).search) this.#choose('operators');
      this.#panelOf(this.app.state.tab).search?.();
      return true;
    }
    if (event.key === 'Escape' && state.step !== null) {
      this.app.choose({step: null});
      return true;
    }
    if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') return this.#neighbour(event.key === 'ArrowRight' ? 1 : -1);
    return false;
  }

  /** @param {1 | -1} by */
  #neighbour(by) {
    const {summary, rank, step} = this.app.state;
    const steps = summary?.ranks[rank].steps.length ?? 0;
    const next = step === null ? (by > 0 ? 0 : steps - 1) : step + by;
    if (next < 0 || next >= steps) return false;
    this.app.choose({step: next});
    return true;
  }
}
