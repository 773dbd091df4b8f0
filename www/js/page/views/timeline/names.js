// The names of the timeline's rows and their groups.

import {t} from '../../environment/i18n.js';
import {startText} from '../../timeline/start-text.js';
import {shortName} from '../parts/kernel-names.js';
import {rankTitle} from '../parts/rank-name.js';

/** @typedef {import('../../../../types/reports.js').Summary} Summary */
/** @typedef {import('../../../../types/reports.js').TimelineFoundReport} Found */
/** @typedef {import('../../../../types/reports.js').TimelineRowReport} TimelineRow */

/** The name of a stream's row, with the group whose communication is all that it has. Profilers write -1 where an activity is of no single stream. @param {TimelineRow} row */
function streamName({name, stream = 0, layer, group}) {
  const isNone = stream < 0;
  const plain = isNone ? t('stream.none') : name?.trim() || t('timeline.stream', {stream});
  const own = group === undefined ? plain : t(group ? 'timeline.plane.stream' : 'timeline.plane.stream.unnamed', {stream: plain, group});
  return {title: layer === 'device' ? own : `${own} · ${t(`timeline.layer.${layer}`)}`, note: isNone ? t('stream.none.explained', {stream}) : ''};
}

/** @param {TimelineRow} row @returns {{title: string, note: string}} */
function nameOf(row) {
  const {kind, name = '', stream, layer, thread, part} = row;
  const named = (/** @type {string} */ title, note = '') => ({title, note});
  if (kind === 'steps') return named(t('timeline.steps'));
  if (kind === 'doing') return named(t('timeline.doing'));
  if (kind === 'overlap') return named(t(`timeline.overlap.${part}`));
  if (kind === 'communication') return named(name ? t('timeline.plane', {group: name}) : t('timeline.plane.unnamed'));
  if (kind === 'queue') return named(t('timeline.queue', {stream: stream ?? ''}), t('timeline.queue.explained'));
  if (kind === 'memory') return named(t(row.reserved ? 'timeline.memory.reserved' : row.device === undefined ? 'timeline.memory.host' : 'timeline.memory'));
  if (kind === 'counter') return named(name);
  if (kind === 'stream') return streamName(row);
  const own = name || t('timeline.thread', {thread: thread ?? ''});
  // Many names have the number already.
  const isSaid = thread !== undefined && name.split(/[^\p{L}\p{N}]+/u).includes(thread);
  const note = name && name !== thread && !isSaid ? t('timeline.thread', {thread: thread ?? ''}) : '';
  return named(layer === 'host' ? own : `${own} · ${t(`timeline.layer.${layer}`)}`, note);
}

/** Names of rows, with durations as the page's own wasm formats them. @param {import('../../../protocol/wasm.js').Wasm} wasm @returns {(row: TimelineRow) => {title: string, note: string}} */
export function namesOf({duration}) {
  return (row) =>
    row.kind === 'share' ? {title: t(`timeline.share.${row.part}`), note: t('timeline.share.slot', {slot: duration(row.slot_ns ?? 0)})} : nameOf(row);
}

/** @param {Summary} summary @returns {(kind: 'rank' | 'device' | 'process', row: TimelineRow, isNamesake?: boolean) => {title: string, note?: string}} */
export function groupNames(summary) {
  return (kind, row, isNamesake = false) => {
    const rank = summary.ranks[row.rank];
    if (kind === 'rank') return {title: rankTitle(rank), note: rank.input};
    if (kind === 'process') {
      const process = row.process?.[1] ?? '';
      // Some profilers name it so themselves.
      const title = /^process\b/i.test(process) ? process : t('timeline.process', {process});
      return {title: isNamesake && row.thread ? `${title} · ${t('timeline.thread', {thread: row.thread})}` : title};
    }
    const device = rank.devices?.find(({id}) => id === row.device);
    return {title: [t('timeline.device', {device: row.device ?? ''}), device?.name].filter(Boolean).join(' · ')};
  };
}

/** A section with several devices or processes. @param {import('../../timeline/groups.js').Section} section @param {number} count */
export function sectionName(section, count) {
  const note = count > 0 ? t(`timeline.section.${section}.count`, {count}) : '';
  return {title: [t(`timeline.section.${section}`), count > 1 ? count : ''].filter(Boolean).join(' · '), note};
}

/** Kinds of device activity, by number. */
const DOING = ['kernel', 'overlap', 'communication', 'memcpy', 'memset', 'idle', 'delay', 'annotation'];

/** The name of something on the timeline; empty where it has that of its row. @param {TimelineRow['kind'] | undefined} kind of its row @param {Found} found */
export function nameOfFound(kind, {number, text}) {
  if (kind === 'steps') return t('step', {name: text});
  return kind === 'doing' ? t(`overlap.${DOING[number]}`) : text;
}

/** The same, short: whole names of kernels may be longer than all other facts on them. @param {import('../../../protocol/wasm.js').Wasm} wasm @param {TimelineRow['kind'] | undefined} kind of its row @param {Found} found */
export function shortNameOfFound(wasm, kind, found) {
  const name = nameOfFound(kind, found);
  return kind === 'stream' ? shortName(wasm, name) : name;
}

/** Text of an event's length, or a note where it is zero. @param {import('../../../protocol/wasm.js').Wasm} wasm @param {number} length in ns */
export function lengthText({duration}, length) {
  return length === 0 ? t('event.length.none') : duration(length);
}

/**
 * Text lines on the item under the pointer; null without one.
 * @param {import('../../../protocol/wasm.js').Wasm} wasm @param {TimelineRow | undefined} row
 * @param {{title: string, found?: Found | null, value?: [number, number, number] | null}} at `title`: the row's
 */
export function describe(wasm, row, {title, found, value}) {
  const {number, bytes, percent} = wasm;
  if (value) {
    const text = {bytes, share: percent}[row?.unit ?? ''] ?? number;
    return [title, text(value[0]), t('timeline.between', {low: text(value[1]), high: text(value[2])})];
  }
  if (!found) return null;
  const length = found.end - found.start;
  return [shortNameOfFound(wasm, row?.kind, found) || title, lengthText(wasm, length), t('timeline.from', {time: startText(found.start, length, wasm)})];
}

/**
 * A slice as it is read out.
 * @param {import('../../../protocol/wasm.js').Wasm} wasm @param {TimelineRow | undefined} row @param {string} title the row's @param {Found} found
 */
export function saidOf(wasm, row, title, found) {
  const {start, end} = found;
  const name = nameOfFound(row?.kind, found) || title;
  return t('timeline.said', {name, length: lengthText(wasm, end - start), start: wasm.duration(start), row: title});
}
