// The timeline's tooltip.

import {fill, h} from '../../dom.js';
import {placeTip} from '../charts/chart.js';

/** A tooltip that follows the pointer. */
export class Tip {
  element = h('div', {class: 'tip timeline-tip', hidden: true, 'aria-hidden': 'true'});
  /** Counts pointer positions: only the last one's answer is shown. */
  #pointing = 0;

  /** Hides it: the pointer left. */
  leave() {
    this.#pointing++;
    this.hide();
  }

  hide() {
    this.element.hidden = true;
  }

  /** Shows lines once they are known, the first one as a name; hides itself without lines. @param {Promise<string[] | null>} told @param {HTMLElement} inside @param {PointerEvent} event */
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
