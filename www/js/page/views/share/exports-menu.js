// The exports of the open trace, and their menu.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {menuOf} from '../frame/menu.js';
import {showOpenPerfetto} from './open-perfetto.js';
import {showPrinted} from './printed.js';
import {showShareReport} from './share-report.js';

/** @typedef {{key: string, text: string, act: () => unknown, of?: 'events' | 'several'}} Export `of`: its requirement */

/** @param {import('../../app.js').App} app @returns {Export[]} */
function all(app) {
  const one = (/** @type {string} */ key, /** @type {() => unknown} */ act, /** @type {Export['of']} */ of, text = t(key)) => ({key, text, act, of});
  const {summary, rank, step} = app.state;
  const chosen = step === null ? undefined : summary?.ranks[rank].steps[step];
  return [
    ...(chosen ? [one('export.step', () => exportStep(app, chosen), 'events', t('export.step', {name: chosen.name}))] : []),
    one('export.perfetto', () => app.exports.perfetto(false, false), 'events', t(chosen ? 'export.perfetto.whole' : 'export.perfetto')),
    one('export.summary', () => app.exports.perfetto(true, false), 'events', t(chosen ? 'export.summary.whole' : 'export.summary')),
    one('export.perfetto.all', () => app.exports.perfetto(false, true), 'several'),
    one('export.summary.all', () => app.exports.perfetto(true, true), 'several'),
    one('export.json', () => app.exports.json(), undefined),
    one('report.menu', () => showShareReport(app), undefined),
    one('printed.menu', () => showPrinted(app), undefined),
    one('perfetto.menu', () => showOpenPerfetto(app), 'events'),
  ];
}

/** Saves the part of the shown rank's trace that is a step's. @param {import('../../app.js').App} app @param {{start_ns: number, end_ns: number}} step */
export function exportStep(app, {start_ns: start, end_ns: end}) {
  return app.exports.perfetto(false, false, [start, end]);
}

/** The exports of the shown rank and of the job. @param {import('../../app.js').App} app */
export function exportsOf(app) {
  const {summary, rank} = app.state;
  const has = {events: !summary?.ranks[rank].only_tables, several: (summary?.ranks.length ?? 0) > 1};
  return all(app).filter(({of}) => !of || has[of]);
}

/** The menu of exports. @param {import('../../app.js').App} app */
export function exportsMenu(app) {
  const items = h('div', {class: 'menu-items'});
  const {menu, close} = menuOf(h('summary', {class: 'button', 'data-test': 'export'}, t('export')), items);
  const item = (/** @type {Export} */ {key, text, act}) => {
    const choose = () => {
      close();
      act();
    };
    return h('button', {class: 'menu-item', title: t(`${key}.why`), 'data-test': key, onclick: choose}, text);
  };
  const show = () => fill(items, exportsOf(app).map(item));
  return {element: menu, show};
}
