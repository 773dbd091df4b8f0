// MindData's pipeline as a drawing: operators from the sources to the end, the queues between them.

import {h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {adviceKey} from './pipeline-advice.js';

/** @typedef {import('../../../../types/reports.js').PipelineReport} Pipeline */
/** @typedef {Pipeline['operators'][number]} Operator */

/**
 * @param {import('../../app.js').App} app @param {Pipeline} pipeline
 * @param {(id: number) => (() => void) | null} opening of the queue after an operator; null where its curve is not known
 */
export function drawPipeline(app, pipeline, opening) {
  const byId = new Map(pipeline.operators.map((operator) => [operator.id, operator]));
  /** A damaged table could go in a circle. @type {Set<number>} */
  const drawn = new Set();
  /** @param {Operator} operator @returns {HTMLElement} */
  const tree = (operator) => {
    drawn.add(operator.id);
    const children = operator.children.flatMap((id) => byId.get(id) ?? []).filter(({id}) => !drawn.has(id));
    return h(
      'div',
      {class: 'pipe'},
      children.length
        ? h(
            'div',
            {class: 'pipe-inputs'},
            children.map((child) => h('div', {class: 'pipe-input'}, tree(child), queue(app, child, opening(child.id)))),
          )
        : null,
      box(app, operator),
    );
  };
  const roots = pipeline.operators.filter(({parent}) => parent === null || !byId.has(parent));
  return h('div', {class: 'pipes', role: 'group', 'aria-label': t('data.pipeline'), tabindex: '0', 'data-test': 'pipeline'}, roots.map(tree));
}

/** Advice on an operator that slows the pipeline down. @param {Operator} operator */
export function adviceOn(operator) {
  return t(adviceKey(operator), {operator: `${operator.id} ${operator.type}`});
}

/** @param {import('../../app.js').App} app @param {Operator} operator */
function box(app, operator) {
  const slow = operator.limits_pipeline;
  return h(
    'div',
    {class: slow ? 'pipe-box slow' : 'pipe-box', 'data-test': `operator-${operator.id}`},
    h('strong', {}, operator.type),
    h('span', {}, t('data.workers', {id: operator.id, workers: app.wasm.count(Math.max(0, operator.workers))})),
    slow ? h('span', {class: 'flag'}, t('data.slow')) : null,
  );
}

/** The queue after an operator. @param {import('../../app.js').App} app @param {Operator} operator @param {(() => void) | null} open */
function queue(app, operator, open) {
  const {percent, number, count} = app.wasm;
  const {queue_usage: usage, queue_mean_size: mean, queue_capacity: capacity} = operator;
  if (capacity === null) return h('div', {class: 'pipe-queue'}, h('span', {class: 'arrow', 'aria-hidden': 'true'}, '→'));
  const bar = h('span', {class: 'fill'});
  bar.style.width = `${Math.min(1, Math.max(0, usage ?? 0)) * 100}%`;
  const size = mean === null ? '' : t('data.queue.size', {mean: number(mean), capacity: count(capacity)});
  const shown = [
    h('span', {class: 'pipe-meter'}, bar),
    h('span', {}, percent(usage)),
    h('span', {class: 'hint'}, size),
    h('span', {class: 'arrow', 'aria-hidden': 'true'}, '→'),
  ];
  if (!open) return h('div', {class: 'pipe-queue', title: t('data.queue.why')}, shown);
  const label = t('data.queue.label', {operator: `${operator.id} ${operator.type}`, shown: [percent(usage), size].filter(Boolean).join(' ')});
  return h(
    'button',
    {type: 'button', class: 'pipe-queue', title: t('data.queue.open'), 'aria-label': label, onclick: open, 'data-test': `pipe-queue-${operator.id}`},
    shown,
  );
}
