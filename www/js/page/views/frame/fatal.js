// When nothing works at all.

import {fill, h} from '../../dom.js';

/** @param {HTMLElement} body @param {string} message */
export function renderFatal(body, message) {
  fill(body, h('main', {class: 'fatal', role: 'alert'}, h('h1', {}, 'Stepscope'), h('p', {}, message)));
}
