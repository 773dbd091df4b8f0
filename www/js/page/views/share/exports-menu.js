// The exports of the open trace, and their menu.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {menuOf} from '../frame/menu.js';
import {showExportRanks} from './export-ranks.js';
import {showOpenPerfetto} from './open-perfetto.js';
import {showPrinted} from './printed.js';
import {showShareReport} from './share-report.js';

/** @typedef {'events' | 'several'} Requirement events, or several ranks */
/** @typedef {{key: string, text: string, act: () => unknown, needs?: Requirement}} Export */

/** @param {import('../../app.js').App} app @returns {Export[]} */
function all(app) {
  const {summary, rank, step} = app.state;
  const chosen = step === null ? undefined : summary?.ranks[rank].steps[step];
  /** @type {Export[]} */
  const ofStep = chosen ? [{key: 'export.step', text: t('export.step', {name: chosen.name}), act: () => exportStep(app, chosen), needs: 'events'}] : [];
  // With a step chosen, entries of more than the step say so.
  const text = (/** @type {string} */ key) => t(chosen ? `${key}.whole` : key);
  return [
    ...ofStep,
    {key: 'export.perfetto', text: text('export.perfetto'), act: () => app.exports.perfetto(), needs: 'events'},
    {key: 'export.summary', text: text('export.summary'), act: () => app.exports.perfetto({summary: true}), needs: 'events'},
    {key: 'export.perfetto.all', text: text('export.perfetto.all'), act: () => app.exports.perfetto({all: true}), needs: 'several'},
    {key: 'export.summary.all', text: text('export.summary.all'), act: () => app.exports.perfetto({summary: true, all: true}), needs: 'several'},
    {key: 'export.ranks', text: text('export.ranks'), act: () => showExportRanks(app), needs: 'several'},
    {key: 'export.json', text: text('export.json'), act: () => app.exports.json()},
    {key: 'report.menu', text: text('report.menu'), act: () => showShareReport(app)},
    {key: 'printed.menu', text: t('printed.menu'), act: () => showPrinted(app)},
    {key: 'perfetto.menu', text: t('perfetto.menu'), act: () => showOpenPerfetto(app), needs: 'events'},
  ];
}

/** Saves the part of the shown rank's trace that is a step's. @param {import('../../app.js').App} app @param {{name: string, start_ns: number, end_ns: number}} step */
export function exportStep(app, {name, start_ns: start, end_ns: end}) {
  return app.exports.perfetto({part: {name: `step-${name}`, span: [start, end]}});
}

/** The exports of the shown rank and of the job. @param {import('../../app.js').App} app */
export function exportsOf(app) {
  const {summary, rank} = app.state;
  const has = {events: !summary?.ranks[rank].only_tables, several: (summary?.ranks.length ?? 0) > 1};
  return all(app).filter(({needs}) => !needs || has[needs]);
}

/** The menu of exports. @param {import('../../app.js').App} app */
export function exportsMenu(app) {
  const items = h('div', {class: 'menu-items'});
  const {menu, item} = menuOf(h('summary', {class: 'button', 'data-test': 'export'}, t('export')), items);
  const show = () => {
    const shown = exportsOf(app).map(({key, text, act}) => item(key, text, act, t(`${key}.why`)));
    fill(items, shown);
  };
  return {element: menu, show};
}
