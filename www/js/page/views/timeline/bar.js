// What stands above the rows: finding, colours, filter, zoom.

import {h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {menuOf} from '../frame/menu.js';

/** Classes in the order in which they are told. */
const CLASSES = ['kernel', 'communication', 'overlap', 'memcpy', 'memset', 'delay', 'idle', 'runtime', 'cpu', 'dataloader', 'annotation', 'python', 'other'];

/**
 * @param {HTMLElement} find @param {HTMLElement} notes @param {import('./rows.js').Rows} rows
 * @param {{zoom: (factor: number) => void, fit: () => void}} actions
 */
export function timelineBar(find, notes, rows, {zoom, fit}) {
  const tool = (/** @type {string} */ key, /** @type {string} */ sign, /** @type {() => void} */ onclick) =>
    h('button', {class: 'button', title: t(`timeline.${key}`), 'aria-label': t(`timeline.${key}`), 'data-test': `timeline-${key}`, onclick}, sign);
  return h(
    'div',
    {class: 'timeline-bar'},
    find,
    h('span', {class: 'space'}),
    notes,
    legend(),
    rows.filter,
    rows.showHidden,
    tool('zoomin', '+', () => zoom(0.5)),
    tool('zoomout', '−', () => zoom(2)),
    tool('fit', '⤢', fit),
  );
}

/** A menu that lists what the colours mean: they are those of all charts. */
function legend() {
  const item = (/** @type {string} */ name) => h('li', {}, h('span', {class: `swatch class-${name}`}), t(`timeline.class.${name}`));
  const summary = h('summary', {class: 'button', 'data-test': 'timeline-colours'}, t('timeline.colours'));
  return menuOf(summary, h('ul', {class: 'menu-items timeline-legend'}, CLASSES.map(item))).menu;
}
