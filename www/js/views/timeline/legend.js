// What the timeline's colours mean: those of all charts.

import {h} from '../../dom.js';
import {t} from '../../i18n.js';

/** Classes in the order in which they are told. */
const CLASSES = ['kernel', 'communication', 'overlap', 'memcpy', 'memset', 'delay', 'idle', 'runtime', 'cpu', 'dataloader', 'annotation', 'python', 'other'];

/** A menu that lists the colours. */
export function legend() {
  const item = (/** @type {string} */ name) => h('li', {}, h('span', {class: `swatch class-${name}`}), t(`timeline.class.${name}`));
  const summary = h('summary', {class: 'button', 'data-test': 'timeline-colours'}, t('timeline.colours'));
  const menu = h('details', {class: 'menu'}, summary, h('ul', {class: 'menu-items timeline-legend'}, CLASSES.map(item)));
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !menu.open) return;
    event.stopPropagation();
    menu.open = false;
    summary.focus();
  });
  menu.addEventListener('focusout', (event) => {
    if (!menu.contains(/** @type {Node | null} */ (event.relatedTarget))) menu.open = false;
  });
  return menu;
}
