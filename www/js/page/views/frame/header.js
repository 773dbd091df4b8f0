// The bar at the top: opening, language, theme, help.

import {fill, h} from '../../dom.js';
import {t} from '../../surroundings/i18n.js';
import {ICON} from '../../surroundings/parts.js';
import {around} from '../../surroundings/surroundings.js';
import {chosenTheme} from '../../surroundings/theme.js';
import {showHelp} from './help.js';

/** @param {HTMLElement} element @param {import('../../app.js').App} app */
export function renderHeader(element, app) {
  const language = h(
    'select',
    {
      'aria-label': t('header.language'),
      onchange: (/** @type {any} */ event) => app.chooseLanguage(event.target.value),
      'data-test': 'language',
    },
    h('option', {value: 'en'}, 'English'),
    h('option', {value: 'zh'}, '中文'),
  );
  language.value = around().holder.lang.startsWith('zh') ? 'zh' : 'en';
  const theme = h(
    'select',
    {
      'aria-label': t('header.theme'),
      onchange: (/** @type {any} */ event) => app.chooseTheme(event.target.value),
      'data-test': 'theme',
    },
    ...['system', 'light', 'dark'].map((name) => h('option', {value: name}, t(`theme.${name}`))),
  );
  theme.value = chosenTheme();
  const open = h('button', {class: 'button', 'data-test': 'open', onclick: () => app.openChosen()}, t('header.open'));
  const folder = h('button', {class: 'button', 'data-test': 'open-folder', onclick: () => app.openChosen(true)}, t('header.folder'));
  fill(
    element,
    around().alone &&
      h(
        'a',
        {class: 'brand', href: './', 'aria-label': 'Stepscope'},
        ICON !== undefined && h('img', {src: ICON, alt: '', width: 24, height: 24}),
        h('span', {}, 'Stepscope'),
      ),
    app.state.phase === 'ready' && open,
    app.state.phase === 'ready' && folder,
    h('span', {class: 'space'}),
    h('span', {class: 'private', title: t('header.private.why')}, t('header.private')),
    around().keepsNotAll() && h('span', {class: 'unkept', title: t('header.full.why'), 'data-test': 'full'}, t('header.full')),
    language,
    theme,
    h('button', {class: 'button quiet', 'data-test': 'help', onclick: showHelp, 'aria-label': t('header.help'), title: t('header.help')}, '?'),
  );
}
