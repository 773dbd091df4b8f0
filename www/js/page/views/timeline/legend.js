// What the timeline's colours mean: those of all charts.

import {h} from '../../dom.js';
import {t} from '../../surroundings/i18n.js';
import {menuOf} from '../frame/menu.js';

/** Classes in the order in which they are told. */
const CLASSES = ['kernel', 'communication', 'overlap', 'memcpy', 'memset', 'delay', 'idle', 'runtime', 'cpu', 'dataloader', 'annotation', 'python', 'other'];

/** A menu that lists the colours. */
export function legend() {
  const item = (/** @type {string} */ name) => h('li', {}, h('span', {class: `swatch class-${name}`}), t(`timeline.class.${name}`));
  const summary = h('summary', {class: 'button', 'data-test': 'timeline-colours'}, t('timeline.colours'));
  return menuOf(summary, h('ul', {class: 'menu-items timeline-legend'}, CLASSES.map(item))).menu;
}
