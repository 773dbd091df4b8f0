// While files are read.

import {fill, h} from '../../dom.js';
import {t} from '../../surroundings/i18n.js';

/**
 * @param {HTMLElement} element @param {import('../../state.js').State} state @param {import('../../app.js').App} app
 * @param {boolean} again whether the view is there already
 */
export function renderLoading(element, state, app, again) {
  if (!again) {
    fill(
      element,
      h(
        'section',
        {class: 'loading', 'data-test': 'loading'},
        h('h1', {class: 'loading-file'}, t('loading.start')),
        h('progress', {max: '1', 'aria-label': t('loading.progress')}),
        h('p', {class: 'loading-numbers'}),
        h('button', {class: 'button', onclick: () => app.cancel(), 'data-test': 'cancel'}, t('cancel')),
      ),
    );
  }
  const {progress} = state;
  if (!progress) return;
  const {bytes, count} = app.wasm;
  const bar = /** @type {HTMLProgressElement} */ (element.querySelector('progress'));
  if (progress.stage === 'looking') {
    // Of most files only the beginning is looked at.
    if (progress.read && progress.size) bar.value = progress.read / progress.size;
    else bar.removeAttribute('value');
    fill(/** @type {Element} */ (element.querySelector('.loading-file')), progress.file);
    fill(/** @type {Element} */ (element.querySelector('.loading-numbers')), t('loading.looking', {index: progress.index, files: progress.files}));
    return;
  }
  const of = progress.files > 1 ? ` (${t('loading.of', {index: progress.index + 1, files: progress.files})})` : '';
  if (progress.stage === 'analyzing') bar.removeAttribute('value');
  else bar.value = progress.size ? progress.read / progress.size : 0;
  fill(/** @type {Element} */ (element.querySelector('.loading-file')), progress.file + of);
  fill(
    /** @type {Element} */ (element.querySelector('.loading-numbers')),
    t(progress.stage === 'analyzing' ? 'loading.analyzing' : 'loading.numbers', {
      read: bytes(progress.read),
      size: bytes(progress.size),
      text: bytes(progress.bytes),
      events: count(progress.events),
      activities: count(progress.activities),
    }),
  );
}
