// The menu that copies the rows of a table.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {menuOf} from '../frame/menu.js';

/** Time for which the copy is confirmed, in ms. */
const TOLD = 2000;

/** @param {Record<string, () => string>} formats functions that return the text to copy, by the format's name */
export function copyMenu(formats) {
  const summary = h('summary', {class: 'button', 'data-test': 'copy'}, t('table.copy'));
  const status = h('span', {class: 'only-read-out', role: 'status'});
  const copy = async (/** @type {() => string} */ text) => {
    let said = t('table.copied');
    try {
      await navigator.clipboard.writeText(text());
    } catch {
      said = t('table.copy.failed');
    }
    fill(summary, said);
    fill(status, said);
    setTimeout(() => {
      fill(summary, t('table.copy'));
      fill(status);
    }, TOLD);
  };
  const items = h('div', {class: 'menu-items'});
  const {menu, item} = menuOf(summary, items);
  const choices = Object.entries(formats).map(([name, text]) => item(`copy-${name}`, t(`table.copy.${name}`), () => copy(text), t(`table.copy.${name}.why`)));
  fill(items, choices);
  return h('span', {class: 'copy-menu'}, menu, status);
}
