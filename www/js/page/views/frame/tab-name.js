// Names of tabs. Groups and tabs have the same names whatever the trace has, but for one.

import {t} from '../../environment/i18n.js';

/** The name of a tab. A trace without operators has all slices of its threads in their table: to call these operators would be wrong. @param {import('../../state.js').Tab} tab @param {Pick<import('../../state.js').State, 'selection'>} state */
export function tabName(tab, {selection}) {
  return t(tab === 'operators' && selection?.operators_are === 'slices' ? 'tab.slices' : `tab.${tab}`);
}
