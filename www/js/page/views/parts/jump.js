// Links to the timeline: from a row, a point of a chart or a piece of advice to its events.

import {h} from '../../dom.js';
import {t} from '../../environment/i18n.js';

/** @typedef {import('../../state.js').Jump} Jump */

/** Visible time on each side of a moment, in ns. */
const AROUND = 50_000;

/**
 * A button that shows something in the timeline; nothing where there is no timeline to show it in.
 * @param {import('../../app.js').App} app @param {Jump | null} target @param {string} name name of the target
 * @param {string} [text] text of the button, a part of the name
 * @param {string} [short] the name as it is read out
 * @param {number} [rank] its place, if it is not the one that is shown
 */
export function jumpButton(app, target, name, text = t('jump'), short = name, rank = undefined) {
  const {summary, rank: shown} = app.state;
  if (!target || summary?.ranks[rank ?? shown].only_tables) return null;
  const attributes = {title: t('jump.to', {name}), 'aria-label': t('jump.to', {name: short}), 'data-test': 'jump', onclick: () => app.jump(target, rank)};
  return h('button', {type: 'button', class: 'link jump', ...attributes}, text);
}

/** A link to an event that has a name, as the name. @param {import('../../app.js').App} app @param {{slice: number, name: string} | null | undefined} event */
export function eventLink(app, event) {
  return event ? jumpButton(app, {event: event.slice}, event.name, event.name) : null;
}

/** Search query for exactly one name. @param {string} name */
export function inQuotes(name) {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A link to all events of a name. @param {import('../../app.js').App} app @param {string} name */
export function nameLink(app, name) {
  return jumpButton(app, {find: inQuotes(name)}, name, t('jump.all'), `${t('jump.all')}, ${name}`);
}

/** The part of time around a moment. @param {number} at @returns {Jump} */
export function around(at) {
  return {span: [at - AROUND, at + AROUND]};
}

/** From one time to another, where both are known. @param {number | null} from @param {number | null} to @returns {Jump | null} */
export function between(from, to) {
  if (from !== null && to !== null) return {span: [from, to]};
  const at = from ?? to;
  return at === null ? null : around(at);
}
