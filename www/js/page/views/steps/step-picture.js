// A step of the step trace, drawn: a lane of its stages, and a lane of each stream's collectives.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {countOf, spanOf} from './step-lanes.js';

/** @typedef {import('./step-lanes.js').StreamLane} StreamLane */
/** @typedef {{iteration_interval_ns: number, forward_and_backward_ns: number, tail_ns: number, total_ns: number}} Parts */

/** The stages, each with its color class. @type {['iteration_interval_ns' | 'forward_and_backward_ns' | 'tail_ns', string][]} */
const STAGES = [
  ['iteration_interval_ns', 'dataloader'],
  ['forward_and_backward_ns', 'kernel'],
  ['tail_ns', 'communication'],
];

/** Collectives that are drawn; all have a row in the table. */
const MOST_PIECES = 2000;

/** The least share of the width in which a stage has room for its name. */
const NAMED = 0.1;

/** Ticks of the axis. */
const TICKS = 4;

/** The picture. */
export class StepPicture {
  element = h('div', {class: 'step-picture', 'data-test': 'step-picture', role: 'group', tabindex: '0', 'aria-label': t('step_trace.picture')});

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    this.app = app;
  }

  /** @param {Parts} parts @param {StreamLane[]} lanes */
  show(parts, lanes) {
    const {duration, count, percent} = this.app.wasm;
    const [from, to] = spanOf(parts.total_ns, lanes);
    const width = Math.max(1, to - from);
    let left = MOST_PIECES;
    const piece = (/** @type {string} */ color, /** @type {number} */ start, /** @type {number} */ length, /** @type {string} */ name, written = false) => {
      const title = t('step_trace.piece', {name, from: duration(start), to: duration(start + length), length: duration(length)});
      const element = h('span', {class: `step-piece class-${color}`, title}, h('span', {class: written ? null : 'only-read-out'}, written ? name : title));
      element.style.left = `${(100 * (start - from)) / width}%`;
      element.style.width = `${(100 * length) / width}%`;
      return element;
    };
    let begin = 0;
    const stages = STAGES.flatMap(([key, color]) => {
      const start = begin;
      begin += parts[key];
      const name = `${t(`column.${key}`)} · ${percent(parts.total_ns ? parts[key] / parts.total_ns : null)}`;
      return parts[key] > 0 ? [piece(color, start, parts[key], name, parts[key] >= NAMED * width)] : [];
    });
    const line = (/** @type {string} */ name, /** @type {string} */ more, /** @type {HTMLElement[]} */ pieces, /** @type {string} */ test) =>
      h(
        'div',
        {class: 'step-lane', 'data-test': test},
        h('div', {class: 'step-lane-name'}, h('span', {}, name), h('span', {class: 'hint'}, more)),
        h('div', {class: 'step-lane-track'}, pieces),
      );
    const streams = lanes.map(({stream, pieces, total_ns: total}) => {
      const shown = pieces.slice(0, left);
      left -= shown.length;
      return line(
        stream === null ? t('stream.none') : t('step_trace.stream', {stream}),
        t('step_trace.lane', {count: count(pieces.length), total: duration(total)}),
        shown.map(({name, number, start_ns: start, length_ns: length}) =>
          piece('communication', start, length, name ?? t('step_trace.all_reduce', {number: count(number)})),
        ),
        'step-lane-stream',
      );
    });
    const rest = countOf(lanes) - (MOST_PIECES - left);
    const ticks = Array.from({length: TICKS + 1}, (_, index) => h('span', {}, duration(Math.round(from + (width * index) / TICKS))));
    fill(
      this.element,
      line(t('step_trace.stages'), duration(parts.total_ns), stages, 'step-lane-stages'),
      streams,
      h('div', {class: 'step-lane step-axis', 'aria-hidden': 'true'}, h('div', {}), h('div', {class: 'step-ticks'}, ticks)),
      rest > 0 && h('p', {class: 'hint'}, t('step_trace.rest', {count: count(rest)})),
    );
  }
}
