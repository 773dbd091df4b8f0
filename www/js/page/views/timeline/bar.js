// The bar above the timeline's rows: search, colors, filter, zoom.

import {h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {menuOf} from '../frame/menu.js';

/** Classes in the order of the legend; kernels of a known family have its color. */
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
    h(
      'div',
      {class: 'timeline-zoom'},
      tool('zoomin', '+', () => zoom(0.5)),
      tool('zoomout', '−', () => zoom(2)),
      tool('fit', '⤢', fit),
    ),
  );
}

/** Families of kernels, in the order of the legend. */
const FAMILIES = [
  'matrix',
  'attention',
  'convolution',
  'norm',
  'softmax',
  'elementwise',
  'reduction',
  'copy',
  'optimizer',
  'index',
  'sort',
  'experts',
  'quantization',
];

/** The legend of colors as a menu: classes have those of all charts, kernels have those of their families. */
function legend() {
  const item = (/** @type {'class' | 'family'} */ kind, /** @type {string} */ name, /** @type {string} */ text) => {
    const swatch = h('span', {class: 'swatch'});
    swatch.style.background = `var(--${kind}-${name})`;
    return h('li', {}, swatch, text);
  };
  const summary = h('summary', {class: 'button', 'data-test': 'timeline-colours'}, t('timeline.colours'));
  const list = (/** @type {string} */ title, /** @type {HTMLElement[]} */ items) =>
    h('div', {}, h('p', {}, t(title)), h('ul', {'aria-label': t(title)}, items));
  const items = h(
    'div',
    {class: 'menu-items timeline-legend', tabindex: '0', role: 'group', 'aria-label': t('timeline.colours'), 'data-test': 'timeline-legend'},
    list(
      'timeline.legend.classes',
      CLASSES.map((name) => item('class', name, t(`timeline.class.${name}`))),
    ),
    list(
      'timeline.legend.families',
      FAMILIES.map((name) => item('family', name, t(`kernel_family.${name}`))),
    ),
  );
  return menuOf(summary, items).menu;
}
