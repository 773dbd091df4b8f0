// Everything about what was loaded: choices, tabs, and the tab that is open.

import {h} from '../../dom.js';
import {TABS, tabsOf} from '../../state.js';
import {t} from '../../surroundings/i18n.js';
import {AdviceTab} from '../advice/advice.js';
import {CallsTab} from '../calls/calls-tab.js';
import {CompareTab} from '../compare/compare-tab.js';
import {DataTab} from '../data/data-tab.js';
import {IdleTab} from '../idle/idle-tab.js';
import {MemoryTab} from '../memory/memory-tab.js';
import {Overview} from '../overview/overview.js';
import {RanksTab} from '../ranks/ranks-tab.js';
import {ResourcesTab} from '../resources/resources-tab.js';
import {StepsTab} from '../steps/steps-tab.js';
import {RecordedTab} from '../tables/recorded.js';
import {CopiesTab, KernelsTab, OperatorsTab} from '../tables/tables.js';
import {TimelineTab} from '../timeline/timeline-tab.js';
import {Toolbar} from './toolbar.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../state.js').Tab} Tab */
/** @typedef {{element: HTMLElement, show: (now: State, before: State | undefined) => void, search?: () => void, find?: (text: string) => void, redraw?: () => void, key?: (event: KeyboardEvent) => boolean}} Panel */

/** The view of a loaded trace. */
export class Results {
  #toolbar;
  /** @type {Record<Tab, HTMLElement>} */
  #buttons;
  #tabs = h('div', {class: 'tabs', role: 'tablist', 'aria-label': t('tabs')});
  #panel = h('div', {class: 'panel', role: 'tabpanel', id: 'panel', tabindex: '0'});
  /** Made when first shown, kept with their sorting and search. @type {Partial<Record<Tab, Panel>>} */
  #panels = {};

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    this.app = app;
    this.#toolbar = new Toolbar(app);
    const button = (/** @type {Tab} */ tab) => [tab, this.#button(tab)];
    this.#buttons = Object.fromEntries(TABS.map(button));
    this.#tabs.append(...Object.values(this.#buttons));
    this.element = h('div', {class: 'results', 'data-test': 'results'}, this.#toolbar.element, this.#tabs, this.#panel);
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
    if (other) this.#showTabs(now);
    this.#nameTabs(now);
    const panel = this.#panelOf(now.tab);
    if (other) this.#panel.replaceChildren(panel.element);
    panel.show(now, other ? undefined : before);
  }

  /** @param {Tab} tab */
  #button(tab) {
    const choose = () => this.#choose(tab);
    const onkeydown = (/** @type {KeyboardEvent} */ event) => this.#tabKey(event, tab);
    return h(
      'button',
      {role: 'tab', class: 'tab', id: `tab-${tab}`, 'aria-controls': 'panel', onclick: choose, onkeydown, 'data-test': `tab-${tab}`},
      t(`tab.${tab}`),
    );
  }

  /** @param {State} state */
  #showTabs(state) {
    for (const tab of TABS) {
      const chosen = tab === state.tab;
      this.#buttons[tab].setAttribute('aria-selected', String(chosen));
      this.#buttons[tab].tabIndex = chosen ? 0 : -1;
    }
    this.#panel.setAttribute('aria-labelledby', `tab-${state.tab}`);
  }

  /** Names the tabs after what the trace has, and hides those of what it has not. @param {State} state */
  #nameTabs(state) {
    this.#buttons.operators.textContent = t(state.selection?.operators_are === 'slices' ? 'tab.slices' : 'tab.operators');
    const shown = this.#tabsOf(state);
    const order = [...shown, ...TABS.filter((tab) => !shown.includes(tab))];
    for (const tab of TABS) this.#buttons[tab].hidden = !shown.includes(tab);
    if (order.some((tab, index) => this.#tabs.children[index] !== this.#buttons[tab])) this.#tabs.append(...order.map((tab) => this.#buttons[tab]));
  }

  /** @param {State} state @returns {Tab[]} */
  #tabsOf({summary, rank}) {
    return summary ? tabsOf(summary, rank) : TABS;
  }

  /** Draws the charts again: the theme changed. */
  redraw() {
    for (const panel of Object.values(this.#panels)) panel.redraw?.();
  }

  /** @param {Tab} tab */
  #choose(tab) {
    this.app.store.set({tab});
    this.#buttons[tab].focus();
  }

  /** @param {KeyboardEvent} event @param {Tab} tab */
  #tabKey(event, tab) {
    const shown = this.#tabsOf(this.app.state);
    const index = shown.indexOf(tab);
    const to = {ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: shown.length - 1}[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#choose(shown[(to + shown.length) % shown.length]);
  }

  /** @param {Tab} tab @returns {Panel} */
  #panelOf(tab) {
    const make = {
      overview: () => new Overview(this.app),
      ranks: () => new RanksTab(this.app),
      timeline: () => new TimelineTab(this.app),
      steps: () => new StepsTab(this.app),
      idle: () => new IdleTab(this.app),
      calls: () => new CallsTab(this.app),
      operators: () => new OperatorsTab(this.app),
      kernels: () => new KernelsTab(this.app),
      copies: () => new CopiesTab(this.app),
      data: () => new DataTab(this.app),
      resources: () => new ResourcesTab(this.app),
      compare: () => new CompareTab(this.app),
      memory: () => new MemoryTab(this.app),
      advice: () => new AdviceTab(this.app),
      recorded: () => new RecordedTab(this.app),
    };
    return (this.#panels[tab] ??= make[tab]());
  }

  /** Opens a tab's table at what has that in its name. @param {Tab} tab @param {string} text */
  find(tab, text) {
    this.#choose(tab);
    this.#panelOf(tab).find?.(text);
  }

  /** A key that nothing else takes. @param {KeyboardEvent} event @returns {boolean} whether it meant something */
  key(event) {
    const {state} = this.app;
    if (this.#panelOf(state.tab).key?.(event)) return true;
    const tab = this.#tabsOf(state)[Number(event.key) - 1];
    if (tab) {
      this.#choose(tab);
      return true;
    }
    if (event.key === '/') {
      const {tab: shown} = state;
      if (!this.#panelOf(shown).search) this.#choose(this.#tabsOf(state).includes('operators') ? 'operators' : 'recorded');
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
