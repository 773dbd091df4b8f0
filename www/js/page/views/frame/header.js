// The header: opening files, the controls of a trace, settings, help.

import {fill, h} from '../../dom.js';
import {shownLanguage, t} from '../../environment/i18n.js';
import {ICON} from '../../environment/parts.js';
import {environment} from '../../environment/environment.js';
import {chosenTheme} from '../../environment/theme.js';
import {showHelp} from './help.js';
import {copyLink, hasLink} from '../share/copy-link.js';
import {menuOf} from './menu.js';
import {Choice} from '../parts/choice.js';

/** @param {HTMLElement} element @param {import('../../app.js').App} app @param {import('./results.js').Results} [results] of the open trace */
export function renderHeader(element, app, results) {
  const language = new Choice(t('header.language'), 'language', (value) =>
    app.chooseLanguage(/** @type {import('../../environment/i18n.js').Language} */ (value)),
  );
  language.offer([
    ['en', 'English'],
    ['zh', '中文'],
  ]);
  language.value = shownLanguage();
  const theme = new Choice(t('header.theme'), 'theme', (value) => app.chooseTheme(/** @type {import('../../environment/theme.js').Theme} */ (value)));
  theme.offer(['system', 'light', 'dark'].map((name) => [name, t(`theme.${name}`)]));
  theme.value = chosenTheme();
  const settings = [language.element, theme.element];
  fill(
    element,
    environment().alone &&
      h(
        'a',
        {class: 'brand', href: './', 'aria-label': 'Stepscope'},
        ICON !== undefined && h('img', {src: ICON, alt: '', width: 24, height: 24}),
        h('span', {}, 'Stepscope'),
      ),
    results && h('button', {class: 'button', 'data-test': 'open', onclick: () => app.openChosen()}, t('header.open')),
    results ? results.bar : h('span', {class: 'space'}),
    h('span', {class: 'private', title: t('header.private.why')}, t('header.private')),
    environment().keepsNotAll() && h('span', {class: 'unkept', title: t('header.full.why'), 'data-test': 'full'}, t('header.full')),
    results ? more(app, [results.definition, ...settings]) : settings,
    h('button', {class: 'button quiet', 'data-test': 'help', onclick: () => showHelp(), 'aria-label': t('header.help'), title: t('header.help')}, '?'),
  );
}

/** The menu of rarely used commands. @param {import('../../app.js').App} app @param {HTMLElement[]} settings */
function more(app, settings) {
  const summary = h('summary', {class: 'button quiet', 'aria-label': t('header.more'), title: t('header.more'), 'data-test': 'more'}, '⋯');
  const items = h('div', {class: 'menu-items'});
  const {menu, item} = menuOf(summary, items);
  const folder = item('open-folder', t('header.folder'), () => app.openChosen(true));
  const link = hasLink() && item('link-copy', t('link.copy'), () => copyLink(app));
  fill(items, folder, link, settings);
  return menu;
}
