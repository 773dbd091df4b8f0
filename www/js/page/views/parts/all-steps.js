// The choice of no single step, in words.

import {t} from '../../environment/i18n.js';

/** All steps as one choice; where a trace marks none, that is the whole trace. @param {import('../../../../types/reports.js').RankReport} rank */
export function allStepsText({average, step_source: source}) {
  return source === 'whole_trace' ? t('toolbar.whole') : t('toolbar.average', {steps: average.steps});
}
