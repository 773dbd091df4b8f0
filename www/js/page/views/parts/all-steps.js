// Steps in words: all of them as one choice, and why one does not enter averages.

import {t} from '../../environment/i18n.js';

/** Whether a trace marks no steps: all of it is one then. @param {Pick<import('../../../../types/reports.js').RankReport, 'step_source'>} rank */
export function isUnmarked({step_source: source}) {
  return source === 'whole_trace';
}

/** All steps as one choice; where a trace marks none, that is the whole trace. @param {import('../../../../types/reports.js').RankReport} rank */
export function allStepsText(rank) {
  return isUnmarked(rank) ? t('toolbar.whole') : t('toolbar.average', {steps: rank.average.steps});
}

/** Why a step does not enter averages. @param {import('../../../../types/reports.js').StepReport} step */
export function stepFlag({mark}) {
  return mark ? ` (${t(`step_mark.${mark}`)})` : '';
}

/** A text that speaks of steps, in either language: MindSpore's step interval, 同步 and 异步 are other words. */
const SAYS_STEP = /\bsteps?\b(?! interval)|(?:^|[^同异])步/i;

/** A text on steps: where none are marked, it says that it is of the recorded time. @param {string} text @param {boolean} areUnmarked */
export const ofSteps = (text, areUnmarked) => (areUnmarked && SAYS_STEP.test(text) ? `${text} ${t('step.recorded')}` : text);

/** The part of the trace that numbers are of: a step, the average step, or the whole trace. @param {Pick<import('../../../protocol/wasm.js').Wasm, 'count'>} wasm @param {string | undefined} step its name @param {number | undefined} averaged number of steps */
export function scopeText({count}, step, averaged) {
  if (step !== undefined) return t('step', {name: step});
  return averaged === undefined ? t('idle.scope.whole') : t('idle.scope.average', {steps: count(averaged)});
}
