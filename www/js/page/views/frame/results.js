// The view of a loaded trace: choices, tabs, and the open tab.

import {fill, h} from '../../dom.js';
import {TABS, tabsOf} from '../../state.js';
import {t} from '../../environment/i18n.js';
import {AdviceTab} from '../advice/advice.js';
import {MODULES} from '../calls/opening.js';
import {IdleTab} from '../idle/idle-tab.js';
import {Overview} from '../overview/overview.js';
import {rankTitle} from '../parts/rank-name.js';
import {RanksTab} from '../ranks/ranks-tab.js';
import {StepsTab} from '../steps/steps-tab.js';
import {ViewTables} from '../table/described/view-tables.js';
import {CopiesTab, KernelsTab, OperatorsTab} from '../tables/tables.js';
import {TimelineTab} from '../timeline/timeline-tab.js';
import {LateTab} from './late-tab.js';
import {Navigation} from './navigation.js';
import {Toolbar} from './toolbar.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../state.js').Tab} Tab */
/** @typedef {{element: HTMLElement, show: (now: State, before: State | undefined) => void, search?: () => void, find?: (text: string, isLed: boolean) => void, redraw?: () => void, key?: (event: KeyboardEvent) => boolean}} Panel */

/** The view of a loaded trace. */
export class Results {
  #toolbar;
  #navigation;
  #rereadBar = h('progress', {max: '1', 'aria-label': t('loading.progress')});
  #rereadWhy = h('p', {});
  #reread = h('div', {class: 'reread', hidden: true, 'data-test': 'reread'}, this.#rereadWhy, this.#rereadBar);
  #panel = h('div', {class: 'panel', role: 'tabpanel', id: 'panel', tabindex: '0'});
  /** Made when first shown, kept with their sorting and search. @type {Partial<Record<Tab, Panel>>} */
  #panels = {};

  #below;

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    this.app = app;
    this.#below = new ViewTables(app);
    this.#toolbar = new Toolbar(app);
    this.#navigation = new Navigation(app);
    this.element = h('div', {class: 'results', 'data-test': 'results'}, this.#navigation.element, this.#reread, this.#panel);
  }

  /** The controls of the trace in the header. */
  get bar() {
    return this.#toolbar.element;
  }

  get definition() {
    return this.#toolbar.definition;
  }

  /** @param {State} now @param {State | undefined} before */
  show(now, before) {
    const shown = this.#tabsOf(now);
    if (!shown.includes(now.tab)) {
      // Another rank has nothing for the tab that is open.
      this.app.store.set({tab: shown[0]});
      return;
    }
    this.#toolbar.show(now, this.#panel.hasChildNodes() ? before : undefined);
    const other = !this.#panel.hasChildNodes() || now.tab !== before?.tab;
    this.#navigation.show(shown, now);
    if (other) this.#panel.setAttribute('aria-labelledby', `tab-${now.tab}`);
    const panel = this.#panelOf(now.tab);
    if (other) this.#panel.replaceChildren(panel.element, this.#below.element);
    panel.show(now, other ? undefined : before);
    if (other || now.selection !== before?.selection) this.#below.show(now);
    if (now.reread !== before?.reread || now.rank !== before.rank) this.#showReread(now);
  }

  /** The shown rank's trace is read again: the panel may show another rank until then. @param {State} state */
  #showReread({summary, rank, reread}) {
    const isShown = reread?.rank === rank;
    this.#reread.hidden = !isShown;
    this.#panel.classList.toggle('is-stale', isShown);
    if (!isShown) return;
    this.#rereadBar.value = reread.share;
    fill(this.#rereadWhy, summary && t('ranks.rereading.text', {rank: rankTitle(summary.ranks[rank])}));
  }

  /** @param {State} state @returns {Tab[]} */
  #tabsOf({summary, rank}) {
    return summary ? tabsOf(summary, rank) : TABS;
  }

  /** Draws the charts again: the theme changed. */
  redraw() {
    for (const panel of [...Object.values(this.#panels), this.#below]) panel.redraw?.();
  }

  /** @param {Tab} tab @returns {Panel} */
  #panelOf(tab) {
    const make = {
      overview: () => new Overview(this.app),
      ranks: () => new RanksTab(this.app),
      timeline: () => new TimelineTab(this.app),
      steps: () => new StepsTab(this.app),
      idle: () => new IdleTab(this.app),
      calls: () => new LateTab(this.app, ({CallsTab}) => new CallsTab(this.app)),
      modules: () => new LateTab(this.app, ({CallsTab}) => new CallsTab(this.app, MODULES)),
      operators: () => new OperatorsTab(this.app),
      kernels: () => new KernelsTab(this.app),
      // A table that ends it is all that it has.
      communication: () => ({element: h('div', {hidden: true}), show: () => {}, search: () => this.#below.search()}),
      copies: () => new CopiesTab(this.app),
      data: () => new LateTab(this.app, ({DataTab}) => new DataTab(this.app)),
      resources: () => new LateTab(this.app, ({ResourcesTab}) => new ResourcesTab(this.app)),
      compare: () => new LateTab(this.app, ({CompareTab}) => new CompareTab(this.app)),
      memory: () => new LateTab(this.app, ({MemoryTab}) => new MemoryTab(this.app)),
      advice: () => new AdviceTab(this.app),
      recorded: () => new LateTab(this.app, ({RecordedTab}) => new RecordedTab(this.app)),
    };
    return (this.#panels[tab] ??= make[tab]());
  }

  /** Opens a tab. @param {Tab} tab */
  go(tab) {
    this.#navigation.choose(tab);
  }

  /** Opens a tab's table at the rows that have a text in their names. @param {Tab} tab @param {string} text */
  find(tab, text) {
    const went = tab !== this.app.state.tab;
    this.#navigation.choose(tab);
    this.#panelOf(tab).find?.(text, went);
  }

  /** A key that nothing else takes. @param {KeyboardEvent} event @returns {boolean} whether it meant something */
  key(event) {
    const {state} = this.app;
    if (this.#panelOf(state.tab).key?.(event)) return true;
    if (/^[1-9]$/.test(event.key) && this.#navigation.chooseGroup(Number(event.key) - 1)) return true;
    if (event.key === '/') {
      const {tab: shown} = state;
      if (!this.#panelOf(shown).search) this.#navigation.choose(this.#tabsOf(state).includes('operators') ? 'operators' : 'recorded');
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
    const steps = summary?.ranks[rank].steps ?? [];
    let next = step === null ? (by > 0 ? 0 : steps.length - 1) : step + by;
    while (steps[next] && !steps[next].covered) next += by;
    if (!steps[next]) return false;
    this.app.choose({step: next});
    return true;
  }
}
