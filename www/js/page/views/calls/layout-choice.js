// The layout of a graph of calls: the stacks of all calls, or the sandwich view of one name, and the field for that name.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {Choice} from '../parts/choice.js';

/** @typedef {import('./stack-tree.js').NameSum} NameSum */

/** Number of offered names: a list of thousands is slow to open. */
const OFFERED = 100;

/** A list of layouts and a field for a name. */
export class LayoutChoice {
  #layout;
  #input;
  #names;
  #name = '';

  /**
   * @param {object} how
   * @param {(of: string) => string} how.part names of its parts, for tests
   * @param {() => readonly NameSum[]} how.names the selectable names, the longest time first
   * @param {(layout: string) => void} how.onLayout `stacks` or `sandwich`
   * @param {(name: string) => void} how.onName
   * @param {(text: string) => void} how.onUnknown no name has that text; empty: the name stays
   */
  constructor({part, names, onLayout, onName, onUnknown}) {
    this.names = names;
    this.onName = onName;
    this.onUnknown = onUnknown;
    this.#layout = new Choice(t('calls.layout'), part('layout'), onLayout);
    this.#layout.offer(['stacks', 'sandwich'].map((layout) => [layout, t(`calls.layout.${layout}`)]));
    this.#names = h('datalist', {id: part('names')});
    this.#input = h('input', {
      type: 'search',
      class: 'search',
      list: part('names'),
      autocomplete: 'off',
      placeholder: t('calls.sandwich.name.hint'),
      'data-test': part('name'),
      onfocus: () => this.#input.select(),
      oninput: (/** @type {Event} */ event) => this.#typed(event),
      onchange: () => this.#take(),
    });
    /** The field for the name; hidden in other layouts. */
    this.field = h('label', {class: 'choice calls-name', hidden: true}, h('span', {}, t('calls.sandwich.name')), this.#input, this.#names);
  }

  /** The list of layouts, which is always shown. */
  get element() {
    return this.#layout.element;
  }

  /** Shows the choice. @param {string | null} name of the sandwich view, empty where it is not known; null for all stacks */
  show(name) {
    this.#layout.value = name === null ? 'stacks' : 'sandwich';
    this.field.hidden = name === null;
    this.#name = name ?? '';
    this.#input.value = this.#name;
    this.#input.title = this.#name;
    this.#offer();
  }

  /** @param {Event} event */
  #typed(event) {
    this.#offer();
    // A name that was taken from the list, not typed.
    if (event instanceof InputEvent && event.inputType === 'insertReplacementText') this.#take();
  }

  #offer() {
    const wanted = this.#input.value === this.#name ? '' : this.#input.value.trim().toLowerCase();
    const found = this.names().filter(({name}) => name.toLowerCase().includes(wanted));
    fill(
      this.#names,
      found.slice(0, OFFERED).map(({name}) => h('option', {value: name})),
    );
  }

  /** Takes the name that is typed, or else the one that takes most of those that have the text. */
  #take() {
    const text = this.#input.value.trim();
    if (text === '' || text === this.#name) {
      this.#input.value = this.#name;
      this.onUnknown('');
      return;
    }
    const names = this.names();
    const wanted = text.toLowerCase();
    const found = names.find(({name}) => name === text) ?? names.find(({name}) => name.toLowerCase().includes(wanted));
    if (found) this.onName(found.name);
    else this.onUnknown(text);
  }
}
