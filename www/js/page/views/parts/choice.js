// A list to choose from.

import {fill, h} from '../../dom.js';

/** A labeled list to choose from. */
export class Choice {
  #select;
  #offered = '';

  /** @param {string} label @param {string} name for tests @param {(value: string) => void} onChange */
  constructor(label, name, onChange) {
    this.#select = h('select', {onchange: () => onChange(this.#select.value), 'data-test': name});
    this.element = h('label', {class: 'choice'}, h('span', {}, label), this.#select);
  }

  /** @param {[value: string, text: string][]} options */
  offer(options) {
    const offered = JSON.stringify(options);
    // Replacing options closes an open list.
    if (offered === this.#offered) return;
    this.#offered = offered;
    fill(
      this.#select,
      options.map(([value, text]) => h('option', {value}, text)),
    );
  }

  get value() {
    return this.#select.value;
  }

  set value(value) {
    this.#select.value = value;
  }
}
