// Texts with code in them.

import {h} from '../../dom.js';

/** A text as elements; parts between backticks are code. @param {string} text @returns {import('../../dom.js').Child[]} */
export function codeText(text) {
  return text.split('`').map((part, index) => (index % 2 ? h('code', {}, part) : part));
}
