// The exports that take their time, each with how far it is and a way to give it up.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';

/** @typedef {import('../../../protocol/requests.js').ExportGoing} ExportGoing */

/** Its parts stay the same elements as long as their exports run, so that they keep the focus. */
export class ExportsGoing {
  element = h('span', {class: 'exports-going'});
  /** Those that are shown, by the page's number. @type {Map<number, {element: HTMLElement, share: HTMLElement}>} */
  #shown = new Map();

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    this.app = app;
  }

  /** @param {ExportGoing[]} exporting */
  show(exporting) {
    for (const [number, {element}] of this.#shown) {
      if (exporting.some((one) => one.number === number)) continue;
      element.remove();
      this.#shown.delete(number);
    }
    for (const one of exporting) {
      const {share} = this.#shown.get(one.number) ?? this.#add(one);
      const said = one.share === null ? t('export.waits') : t('export.going', {share: this.app.wasm.percent(one.share)});
      if (share.textContent !== said) fill(share, said);
    }
  }

  /** @param {ExportGoing} exporting */
  #add({number, name}) {
    const share = h('span', {class: 'hint', role: 'status', title: name, 'data-test': 'exporting'});
    const cancel = h(
      'button',
      {class: 'button', 'aria-label': t('export.cancel', {name}), 'data-test': 'exporting-cancel', onclick: () => this.app.exports.cancel(number)},
      t('cancel'),
    );
    const one = {element: h('span', {}, share, ' ', cancel), share};
    this.element.append(one.element);
    this.#shown.set(number, one);
    return one;
  }
}
