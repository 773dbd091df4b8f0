// A number that says much, with its formula on hover and focus.

import {h} from '../../dom.js';

/** @param {{name: string, title: string, value: string, more?: string, formula: string}} what `name`: for tests and colors */
export function tile({name, title, value, more = '', formula}) {
  return h(
    'div',
    {class: `tile tile-${name}`, role: 'group', tabindex: '0', 'aria-label': title, 'aria-describedby': `formula-${name}`, 'data-test': `tile-${name}`},
    h('span', {class: 'tile-name'}, title),
    h('span', {class: 'tile-value'}, value),
    h('span', {class: 'tile-more'}, more),
    h('span', {class: 'formula', role: 'tooltip', id: `formula-${name}`}, formula),
  );
}
