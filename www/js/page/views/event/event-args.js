// An event's members as they stand in the file: as text, never as anything else.

import {h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {oneLine} from './one-line.js';

/** @typedef {import('../../../../types/reports.js').EventMemberReport} EventMember */

/** Longer values are folded. */
const LONG = 240;

/** Length of the shown part of a folded value. */
const BEGINNING = 120;

/** @param {EventMember[]} members @param {string} test */
export function memberList(members, test) {
  return h(
    'dl',
    {class: 'event-members', 'data-test': test},
    members.flatMap(([key, value, isText]) => [h('dt', {}, key), h('dd', {class: isText ? null : 'raw'}, shown(isText ? value : oneLine(value)))]),
  );
}

/** @param {string} value */
function shown(value) {
  if (value.length <= LONG) return value;
  const size = t('event.args.long', {count: value.length});
  return h('details', {}, h('summary', {}, `${value.slice(0, BEGINNING)}… `, h('span', {class: 'hint'}, size)), h('div', {class: 'event-text'}, value));
}

/** Where it stands. @param {import('../../../protocol/answers.js').EventText} text @param {(value: number) => string} count */
export function argumentsText({file, at}, count) {
  return t('event.args.place', {file, at: count(at)});
}
