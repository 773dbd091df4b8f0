// The way back from a trace to the one that was open before it.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';

/** @param {HTMLElement} element @param {import('../../app.js').App} app */
export function renderReplaced(element, app) {
  const {replaced} = app.state;
  if (!replaced) return fill(element);
  const {added, name} = replaced;
  const dismiss = () => {
    app.store.set({replaced: null});
    /** @type {HTMLElement | null} */ (element.parentElement?.querySelector('#main'))?.focus();
  };
  fill(
    element,
    h(
      'div',
      {class: 'replaced', 'data-test': 'replaced'},
      h(
        'p',
        {},
        added ? t('replaced.added', {name, count: added}) : t('replaced', {name}),
        ' ',
        h(
          'button',
          {class: 'link', type: 'button', 'data-test': 'replaced-reopen', onclick: () => app.reopen(replaced)},
          t(added ? 'replaced.undo' : 'replaced.reopen'),
        ),
      ),
      h('button', {class: 'button quiet', type: 'button', 'aria-label': t('dismiss'), 'data-test': 'replaced-dismiss', onclick: dismiss}, '✕'),
    ),
  );
}
