// The walk from a long iteration interval to its cause, as questions with their answers.

import {h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {heading} from '../parts/heading.js';
import {jumpButton} from '../parts/jump.js';
import {dataWalk} from './data-walk.js';

/** @typedef {import('../../../../types/reports.js').PipelineReport} Pipeline */

/** @param {import('../../app.js').App} app @param {Pipeline} pipeline */
export function dataWalkCard(app, pipeline) {
  const {duration, count} = app.wasm;
  const {steps, cause} = dataWalk(pipeline);
  const slow = pipeline.operators.filter((operator) => operator.limits_pipeline).map(({id, type}) => `${id} ${type}`);
  const {example} = pipeline.get_next_ahead ?? {};
  const answer = (/** @type {import('./data-walk.js').WalkStep} */ step) =>
    t(`data.walk.${step.question}.${step.answer}`, {
      interval: duration(pipeline.interval_ns ?? 0),
      limit: duration(pipeline.interval_limit_ns ?? 0),
      empty: count(step.empty ?? 0),
      steps: count(step.steps ?? 0),
      operators: slow.join(', '),
      alone: duration(pipeline.get_next_ahead?.alone_ns ?? 0),
      step: duration(pipeline.get_next_ahead?.step_ns ?? 0),
    });
  return h(
    'section',
    {class: 'card wide', 'aria-label': t('data.walk'), 'data-test': 'data-walk'},
    heading('h2', 'data.walk', 'data'),
    h(
      'ol',
      {class: 'walk'},
      steps.map((step) =>
        h(
          'li',
          {class: 'walk-step', 'data-test': `data-walk-${step.question}`},
          h('span', {class: step.answer === 'yes' ? 'is-off' : null}, t(`data.walk.${step.question}`)),
          ' ',
          h('span', {class: 'hint'}, answer(step)),
          step.question === 'get_next_ahead' &&
            example !== undefined && [' ', jumpButton(app, {event: example}, 'GetNext', t('data.walk.get_next_ahead.show'))],
        ),
      ),
    ),
    h(
      'p',
      {class: 'verdict', 'data-test': 'data-walk-cause'},
      t(`data.walk.cause.${cause}`),
      cause === 'get_next' && [
        ' ',
        h('button', {class: 'link', 'data-test': 'data-walk-advice', onclick: () => app.store.set({tab: 'advice'})}, t('data.walk.advice')),
      ],
    ),
  );
}
