// Steps in words: all of them as one choice, and why one does not enter averages.

import {t} from '../../environment/i18n.js';

/** All steps as one choice; where a trace marks none, that is the whole trace. @param {import('../../../../types/reports.js').RankReport} rank */
export function allStepsText({average, step_source: source}) {
  return source === 'whole_trace' ? t('toolbar.whole') : t('toolbar.average', {steps: average.steps});
}

/** Why a step does not enter averages. @param {import('../../../../types/reports.js').StepReport} step */
export function stepFlag({mark}) {
  return mark ? ` (${t(`step_mark.${mark}`)})` : '';
}
