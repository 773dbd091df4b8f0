// What can be saved of what is open, and the menu of it.

import {h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {menuOf} from '../frame/menu.js';
import {showOpenPerfetto} from './open-perfetto.js';
import {showPrinted} from './printed.js';
import {showShareReport} from './share-report.js';

/** @typedef {{key: string, act: () => unknown, of?: 'events' | 'several'}} Export `of`: what it needs */

/** @param {import('../../app.js').App} app @returns {Export[]} */
const all = (app) => [
  {key: 'export.perfetto', act: () => app.exports.perfetto(false, false), of: 'events'},
  {key: 'export.summary', act: () => app.exports.perfetto(true, false), of: 'events'},
  {key: 'export.perfetto.all', act: () => app.exports.perfetto(false, true), of: 'several'},
  {key: 'export.summary.all', act: () => app.exports.perfetto(true, true), of: 'several'},
  {key: 'export.json', act: () => app.exports.json()},
  {key: 'report.menu', act: () => showShareReport(app)},
  {key: 'printed.menu', act: () => showPrinted(app)},
  {key: 'perfetto.menu', act: () => showOpenPerfetto(app), of: 'events'},
];

/** What the shown rank, and the job, can be saved as. @param {import('../../app.js').App} app */
export function exportsOf(app) {
  const {summary, rank} = app.state;
  const has = {events: !summary?.ranks[rank].only_tables, several: (summary?.ranks.length ?? 0) > 1};
  return all(app).filter(({of}) => !of || has[of]);
}

/** The menu of exports. @param {import('../../app.js').App} app */
export function exportsMenu(app) {
  const items = all(app).map(({key, act}) => {
    const choose = () => {
      close();
      act();
    };
    return h('button', {class: 'menu-item', title: t(`${key}.why`), 'data-test': key, onclick: choose}, t(key));
  });
  const {menu, close} = menuOf(h('summary', {class: 'button', 'data-test': 'export'}, t('export')), h('div', {class: 'menu-items'}, items));
  const show = () => {
    const keys = exportsOf(app).map(({key}) => key);
    for (const item of items) item.hidden = !keys.includes(item.dataset.test ?? '');
  };
  return {element: menu, show};
}
