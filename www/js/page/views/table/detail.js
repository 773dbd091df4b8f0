// The details of a table's open row: ways to other views, its values, and more of it.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {jumps} from './lines.js';

/** Longer values have a line of their own. */
const LONG = 44;

/** The region below the table. */
export class Detail {
  element = h('div', {class: 'detail', role: 'region', hidden: true, 'data-test': 'detail'});

  /** Whether a row is open. */
  get isOpen() {
    return !this.element.hidden;
  }

  hide() {
    this.element.hidden = true;
  }

  /**
   * @param {object} of a row
   * @param {string} of.name
   * @param {[string, string][]} of.facts its values, each with its heading
   * @param {(Node | null)[]} of.links
   * @param {HTMLElement | undefined} of.pane
   * @param {() => void} of.close
   */
  show({name, facts, links, pane, close}) {
    this.element.hidden = false;
    this.element.scrollTop = 0;
    this.element.setAttribute('aria-label', t('table.details', {name}));
    const fact = ([heading, value] = ['', '']) => h('div', {class: value.length > LONG ? 'wide' : undefined}, h('dt', {}, heading), h('dd', {}, value));
    const [first, ...others] = facts;
    const list = (/** @type {[string, string][]} */ some) => some.length > 0 && h('dl', {class: 'facts in-columns'}, ...some.map(fact));
    fill(
      this.element,
      h('button', {class: 'button quiet close', 'aria-label': t('close'), onclick: close}, '✕'),
      first && h('dl', {class: 'facts in-columns'}, h('div', {class: 'wide'}, h('dt', {}, first[0]), h('dd', {}, first[1]))),
      // Ways to other views come before the facts, however many these are.
      jumps(links),
      pane,
      list(others),
    );
    // They begin below a low window. Charts of a pane may follow, below this.
    this.element.scrollIntoView({block: 'nearest'});
  }
}
