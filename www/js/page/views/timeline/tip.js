// What is told of what the pointer is at.

import {fill, h} from '../../dom.js';
import {placeTip} from '../charts/chart.js';

/** A tooltip that follows the pointer. */
export class Tip {
  element = h('div', {class: 'tip timeline-tip', hidden: true, 'aria-hidden': 'true'});
  /** Counts what is pointed at: only the last one's answer is shown. */
  #pointing = 0;

  /** The pointer is elsewhere. */
  leave() {
    this.#pointing++;
    this.hide();
  }

  hide() {
    this.element.hidden = true;
  }

  /** Shows lines once they are known, the first one as a name; of nothing, nothing. @param {Promise<string[] | null>} told @param {HTMLElement} inside @param {PointerEvent} event */
  async show(told, inside, event) {
    const pointing = ++this.#pointing;
    const lines = await told;
    if (pointing !== this.#pointing) return;
    this.element.hidden = !lines;
    if (!lines) return;
    fill(
      this.element,
      lines.map((line, index) => h(index ? 'span' : 'strong', {}, line)),
    );
    placeTip(this.element, inside, event);
  }
}
