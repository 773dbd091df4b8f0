// The name of a rank.

import {t} from '../../environment/i18n.js';

/** A rank's number, where it has one, and its file. @param {Pick<import('../../../../types/reports.js').RankReport, 'rank' | 'input'>} rank */
export function rankName({rank, input}) {
  return rank === null ? input : `${t('rank', {rank})} · ${input}`;
}
