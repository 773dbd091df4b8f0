// A message on the last action, below the page: read out, and with an undo button where possible.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';

/** @typedef {import('../../state.js').State} State */

/** The last message. It stays until it is dismissed, or another tab or other files are shown. */
export class Message {
  #text = h('p', {role: 'status', 'data-test': 'message-text'});
  #buttons = h('span', {});
  element = h('div', {class: 'message', hidden: true, 'data-test': 'message'}, this.#text, this.#buttons);

  /** @param {string} text @param {() => void} [undo] handler of the button *Undo* */
  show(text, undo) {
    const button = (/** @type {string} */ test, /** @type {Record<string, string>} */ attributes, /** @type {string} */ text, act = () => {}) => {
      const onclick = () => {
        this.hide();
        act();
      };
      return h('button', {type: 'button', 'data-test': `message-${test}`, onclick, ...attributes}, text);
    };
    this.element.hidden = false;
    fill(this.#text, text);
    fill(
      this.#buttons,
      undo && button('undo', {class: 'link'}, t('replaced.undo'), undo),
      ' ',
      button('dismiss', {class: 'button quiet', 'aria-label': t('dismiss')}, '✕'),
    );
  }

  hide() {
    this.element.hidden = true;
    fill(this.#text);
    fill(this.#buttons);
  }

  /** Hides it where something else is shown. @param {State} now @param {State | undefined} before */
  follow(now, before) {
    if (now.phase !== before?.phase || now.tab !== before.tab || now.files !== before.files) this.hide();
  }
}
