// What the keys do, and what the page is.

import {h} from '../dom.js';
import {t} from '../i18n.js';

const KEYS = [
  ['?', 'help.help'],
  ['/', 'help.search'],
  ['1 – 7', 'help.tabs'],
  ['← →', 'help.steps'],
  ['Esc', 'help.escape'],
];

export function showHelp() {
  if (document.querySelector('dialog[open]')) return;
  const dialog = h(
    'dialog',
    {class: 'dialog', 'aria-labelledby': 'help-title'},
    h('h2', {id: 'help-title'}, t('help.title')),
    h('p', {}, t('help.what')),
    h('table', {}, h('tbody', {}, ...KEYS.map(([key, message]) => h('tr', {}, h('th', {scope: 'row'}, h('kbd', {}, key)), h('td', {}, t(message)))))),
    h('form', {method: 'dialog'}, h('button', {class: 'button', autofocus: true}, t('close'))),
  );
  dialog.addEventListener('close', () => dialog.remove());
  // A click beside the dialog closes it.
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}
