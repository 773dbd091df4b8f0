// Headings that lead to the section of the book about them.

import {h} from '../../dom.js';
import {bookAddress} from '../../environment/book.js';
import {t} from '../../environment/i18n.js';

/** @typedef {import('../../environment/book.js').Section} Section */

/**
 * A link to a section of the book, in a tab of its own: this one keeps the trace. Nothing where no book is shipped.
 * @param {Section} section @param {string} name its subject
 */
export function bookLink(section, name) {
  const href = bookAddress(section);
  const label = t('book.about', {name});
  return href && h('a', {class: 'book-link', href, target: '_blank', rel: 'noopener', title: label, 'aria-label': label, 'data-test': 'book'});
}

/**
 * A heading with its meaning on hover, and a link to the book. Only the text has the `id`.
 * @param {'h2' | 'h3'} tag @param {string} key its message @param {Section} section @param {{id?: string, title?: string}} [attributes] @param {string} [text]
 */
export function heading(tag, key, section, {id, ...attributes} = {}, text = t(key)) {
  // Else the link's name would be a part of the heading's.
  return h(tag, {title: t(`${key}.why`), 'aria-label': text, ...attributes}, id === undefined ? text : h('span', {id}, text), bookLink(section, text));
}
