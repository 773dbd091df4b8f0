// A card of a comparison that is folded until a person opens it, which is remembered: its content takes a while to compute.

import {h} from '../../dom.js';
import {environment} from '../../environment/environment.js';
import {t} from '../../environment/i18n.js';

/**
 * The card, hidden at first. @param {string} name under which it is remembered, and of its test @param {string} key of its heading and meaning
 * @param {Node} body @param {() => void} onToggle @returns {HTMLDetailsElement}
 */
export function foldingCard(name, key, body, onToggle) {
  const open = environment().remembered(name) === 'open';
  const card = h('details', {class: 'card wide', hidden: true, open, 'data-test': name}, h('summary', {}, h('h2', {title: t(`${key}.why`)}, t(key))), body);
  card.addEventListener('toggle', () => {
    environment().remember(name, card.open ? 'open' : 'closed');
    onToggle();
  });
  return card;
}
