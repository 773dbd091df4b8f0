// The way to the tabs: groups of them, and the tabs of the group that is open.

import {fill, h} from '../../dom.js';
import {GROUPS, TABS} from '../../state.js';
import {OF_TABS} from '../../environment/book.js';
import {t} from '../../environment/i18n.js';
import {bookLink} from '../parts/heading.js';
import {tabName} from './tab-name.js';

/** @typedef {import('../../state.js').Group} Group */
/** @typedef {import('../../state.js').Tab} Tab */

/** Whether a group can have several tabs. @param {Group} group */
const isGroup = (group) => GROUPS[group].length > 1;

const NAMES = /** @type {Group[]} */ (Object.keys(GROUPS));

/** Groups and tabs, each row one stop of the Tab key. A group that can only have a single tab is that tab; others have their names also where the trace has one tab of them. */
export class Navigation {
  #main = list(t('tabs'));
  #sub = list('');
  #tabs;
  #groups;
  /** The tabs that the trace has, by group. @type {[Group, Tab[]][]} */
  #shown = [];
  /** The tab that was open last in a group. @type {Partial<Record<Group, Tab>>} */
  #last = {};
  #book = h('span', {class: 'navigation-book'});
  element = h('div', {class: 'navigation'}, this.#main, this.#sub, this.#book);

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    this.app = app;
    const tab = (/** @type {Tab} */ tab) => button('tab', tab, () => this.choose(tab));
    const group = (/** @type {Group} */ group) => button('group', group, () => this.#open(group));
    this.#tabs = each(TABS, tab);
    this.#groups = each(NAMES, group);
  }

  /** @param {Tab[]} tabs that the trace has, in their order @param {import('../../state.js').State} state */
  show(tabs, state) {
    const {tab, selection} = state;
    this.#tabs.operators.textContent = tabName('operators', state);
    this.#tabs.operators.title = selection?.operators_are === 'slices' ? t('slices.why') : '';
    this.#shown = NAMES.flatMap((group) => {
      const own = tabs.filter((one) => GROUPS[group].includes(one));
      return own.length ? /** @type {[Group, Tab[]][]} */ ([[group, own]]) : [];
    });
    const main = this.#shown.map(([group, own]) => (isGroup(group) ? this.#groups[group] : this.#tabs[own[0]]));
    const [group, own] = this.#shown.find(([, own]) => own.includes(tab)) ?? this.#shown[0];
    const open = isGroup(group) ? this.#groups[group] : this.#tabs[tab];
    this.#last[group] = tab;
    fill(this.#book, bookLink(OF_TABS[tab], tabName(tab, state)));
    this.#sub.hidden = !isGroup(group);
    this.#sub.setAttribute('aria-label', t(`group.${group}`));
    replace(this.#main, main, open);
    replace(this.#sub, isGroup(group) ? own.map((one) => this.#tabs[one]) : [], this.#tabs[tab]);
  }

  /** Opens a tab. @param {Tab} tab */
  choose(tab) {
    this.app.store.set({tab});
    this.#tabs[tab].focus();
  }

  /** Opens a group by its place. @param {number} index @returns {boolean} whether there is one */
  chooseGroup(index) {
    const button = /** @type {HTMLElement | undefined} */ (this.#main.children[index]);
    button?.click();
    return button !== undefined;
  }

  /** @param {Group} group */
  #open(group) {
    const own = this.#shown.find(([one]) => one === group)?.[1] ?? [];
    const last = this.#last[group];
    this.app.store.set({tab: last && own.includes(last) ? last : own[0]});
    this.#groups[group].focus();
  }
}

/** @template {string} Name @param {Name[]} names @param {(name: Name) => HTMLElement} make @returns {Record<Name, HTMLElement>} */
const each = (names, make) => /** @type {any} */ (Object.fromEntries(names.map((name) => [name, make(name)])));

/** @param {'tab' | 'group'} kind @param {Tab | Group} name @param {() => void} onclick */
function button(kind, name, onclick) {
  const id = `${kind}-${name}`;
  return h('button', {role: 'tab', class: kind, id, 'aria-controls': 'panel', onclick, 'data-test': id}, t(`${kind}.${name}`));
}

/** A row of tabs, walked through by arrows. @param {string} label */
function list(label) {
  const onkeydown = (/** @type {KeyboardEvent} */ event) => {
    const buttons = /** @type {HTMLElement[]} */ ([...element.children]);
    const index = buttons.indexOf(/** @type {HTMLElement} */ (event.target));
    const to = {ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: buttons.length - 1}[event.key];
    if (to === undefined || index < 0) return;
    event.preventDefault();
    event.stopPropagation();
    buttons[(to + buttons.length) % buttons.length].click();
  };
  const element = h('div', {class: 'tabs', role: 'tablist', 'aria-label': label, onkeydown});
  return element;
}

/** @param {HTMLElement} list @param {HTMLElement[]} buttons @param {HTMLElement} open */
function replace(list, buttons, open) {
  // A button that is put in anew loses the focus.
  if (buttons.length !== list.children.length || buttons.some((one, index) => one !== list.children[index])) fill(list, buttons);
  const isNew = open.getAttribute('aria-selected') !== 'true';
  for (const one of buttons) {
    one.setAttribute('aria-selected', String(one === open));
    one.tabIndex = one === open ? 0 : -1;
  }
  // Once it is laid out.
  if (isNew) requestAnimationFrame(() => reveal(list, open));
}

/** Visible width of the next tab, in CSS pixels. */
const PEEK = 28;

/** Scrolls a row of tabs, and nothing around it, so that one of them is seen. @param {HTMLElement} list @param {HTMLElement} one */
function reveal(list, one) {
  const [inside, around] = [one.getBoundingClientRect(), list.getBoundingClientRect()];
  if (inside.left < around.left) list.scrollLeft += inside.left - around.left - PEEK;
  else if (inside.right > around.right) list.scrollLeft += inside.right - around.right + PEEK;
}
