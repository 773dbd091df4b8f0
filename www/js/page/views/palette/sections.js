// Cards and tables below headings, by the tab on which they are: the command palette leads to them.

import {environment} from '../../environment/environment.js';
import {t} from '../../environment/i18n.js';

/** @typedef {import('../../state.js').Tab} Tab */
/** @typedef {{tab: Tab, key: string, choose?: [choice: string, value: string]}} Section `key`: of its heading; `choose`: what shows it, where several share a place */

/** @type {Partial<Record<Tab, string[]>>} */
const HEADINGS = {
  overview: ['budget.title', 'budget.causes', 'advice.top', 'steps', 'overview.overlap', 'overview.types', 'quality', 'about', 'about.missing'],
  steps: ['critical', 'step_trace'],
  idle: ['idle.classes', 'idle.leaves', 'idle.host', 'idle.gaps', 'launch', 'queue'],
  calls: ['calls.names.calls'],
  kernels: ['kernel.families'],
  memory: ['memory.chart'],
  data: ['data.pipeline', 'data.loading', 'data.walk'],
  ranks: ['ranks.stragglers', 'ranks.chart', 'ranks.steps', 'ranks.groups', 'ranks.collectives', 'ranks.stages', 'ranks.links', 'drill_down'],
  timeline: ['notes'],
  compare: ['compare.waterfall', 'compare.tree', 'compare.aligned'],
};

/** Tables of a comparison, by what their choice is called. */
const COMPARED = ['contributions', 'families', 'kernels', 'operators', 'functions', 'phases', 'pairs', 'causes'];

/** Headings whose text is another message. @type {Record<string, string>} */
const TEXTS = {steps: 'overview.steps'};

/** How long a heading is waited for, in ms: a tab may have to ask first. */
const PATIENCE = 4000;

/** What the tabs have, in the order of the tabs. @param {Tab[]} tabs @param {boolean} isCompared @returns {Section[]} */
export function sectionsOf(tabs, isCompared) {
  return tabs.flatMap((tab) => [
    ...(HEADINGS[tab] ?? []).map((key) => ({tab, key: TEXTS[key] ?? key})),
    .../** @type {Section[]} */ (
      tab === 'compare' && isCompared ? COMPARED.map((name) => ({tab, key: `compare.${name}`, choose: ['compare-table', name]})) : []
    ),
  ]);
}

/** Shows a section, once it is there. @param {{go: (tab: Tab) => void}} app @param {Section} section */
export function goToSection(app, {tab, key, choose}) {
  app.go(tab);
  const {holder} = environment();
  const text = t(key);
  const until = performance.now() + PATIENCE;
  const look = () => {
    /** @type {HTMLSelectElement | null} */
    const choice = choose ? holder.querySelector(`[data-test="${choose[0]}"]`) : null;
    const headings = [...holder.querySelectorAll('.panel :is(h2, h3)')];
    const found = choice?.checkVisibility() ? choice : headings.find((one) => one.textContent?.startsWith(text) && one.checkVisibility());
    if (!found) {
      if (performance.now() < until) requestAnimationFrame(look);
      return;
    }
    if (choice && choose) {
      choice.value = choose[1];
      choice.dispatchEvent(new Event('change'));
    }
    const card = found.closest('details');
    if (card) card.open = true;
    found.scrollIntoView({block: 'start'});
  };
  requestAnimationFrame(look);
}
