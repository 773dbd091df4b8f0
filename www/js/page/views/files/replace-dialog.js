// The dialog for files that are dropped while a trace is open.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {environment, openDialog} from '../../environment/environment.js';

/** @typedef {import('../../../protocol/requests.js').Dropped} Dropped */

/**
 * Asks whether to open the files in place of the open trace, to add them to it, or to compare it with them.
 * @param {import('../../app.js').App} app @param {Promise<Dropped[]>} files
 * @returns {Promise<'open' | 'add' | 'compare' | null>} null if the person cancels, or there are no files
 */
export function askToReplace(app, files) {
  // Another dialog makes way, as by Escape. It goes at once: the event that removes it comes later.
  /** @type {HTMLDialogElement | null} */
  const another = environment().root.querySelector('dialog[open]');
  another?.close();
  another?.remove();
  /** @type {'open' | 'add' | 'compare' | null} */
  let answer = null;
  const {summary, rank} = app.state;
  const what = h('p', {'data-test': 'replace-files'}, t('replace.looking'));
  const dialog = openDialog(() => {
    const button = (/** @type {'open' | 'add' | 'compare' | null} */ meaning, /** @type {string} */ key, /** @type {string} */ look) =>
      h(
        'button',
        {
          class: look,
          type: 'button',
          'data-test': `replace-${meaning ?? 'cancel'}`,
          onclick: () => {
            answer = meaning;
            made.close();
          },
        },
        t(key),
      );
    const buttons = [
      button('open', 'replace.open', 'button primary'),
      button('add', 'replace.add', 'button'),
      button('compare', 'replace.compare', 'button'),
      button(null, 'cancel', 'button'),
    ];
    buttons[0].autofocus = true;
    const made = h(
      'dialog',
      {class: 'dialog', 'aria-labelledby': 'replace-title', 'aria-describedby': 'replace-about', 'data-test': 'replace'},
      h('h2', {id: 'replace-title'}, t('replace.title')),
      h(
        'div',
        {id: 'replace-about'},
        what,
        h('p', {}, t('replace.shown', {name: summary?.ranks[rank]?.input ?? ''})),
        h('p', {class: 'hint'}, t('replace.about')),
      ),
      h('div', {class: 'actions'}, ...buttons),
    );
    return made;
  });
  if (!dialog) return Promise.resolve(null);
  files.then(
    (found) =>
      fill(
        what,
        found.length === 1
          ? t('replace.file', {name: found[0].path})
          : t('replace.files', {name: found[0]?.path ?? '', count: app.wasm.count(found.length - 1)}),
      ),
    () => dialog.close(),
  );
  return new Promise((resolve) => dialog.addEventListener('close', () => resolve(answer)));
}
