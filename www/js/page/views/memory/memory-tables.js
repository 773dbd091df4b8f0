// The tables of memory: by operator, live blocks at the peak, the largest blocks, tensors.

import {t} from '../../environment/i18n.js';
import {DescribedTable} from '../table/described/described.js';

/** @typedef {import('../../../../types/reports.js').MemoryReport} MemoryReport */
/** @typedef {[name: string, table: DescribedTable, rows: readonly object[]]} NamedTable */

/** The tables, made once and filled with the chosen memory. @param {import('../../app.js').App} app */
export function memoryTables(app) {
  const table = (/** @type {string} */ id, /** @type {string} */ name) =>
    new DescribedTable(app, `memory.${id}`, {name: `memory-${name}`, label: t(`memory.table.${name}`), empty: () => t('table.empty')});
  const operators = table('places[].operators', 'operators');
  const live = table('places[].live_at_peak.operators', 'live');
  const blocks = table('places[].blocks.largest', 'blocks');
  const recordedBlocks = table('recorded_blocks', 'blocks');
  const recordedOperators = table('recorded_operators', 'recorded');
  const tensors = table('planned[].tensors', 'tensors');
  return {
    tensors,
    /** @param {MemoryReport['places'][number]} place @returns {NamedTable[]} */
    ofPlace({operators: by, live_at_peak: {operators: known, from_before: before, unexplained_bytes: rest}, blocks: {largest}}) {
      const others = [
        ...(before.bytes ? [{name: t('memory.before'), ...before}] : []),
        ...(rest ? [{name: t('memory.unexplained'), blocks: null, bytes: rest}] : []),
      ];
      return [
        // An operator's own blocks may be released elsewhere: what is live at the peak comes first.
        ['live', live, [...known, ...others]],
        ['operators', operators, by],
        ['blocks', blocks, largest],
      ];
    },
    /** @param {MemoryReport} report @returns {NamedTable[]} */
    ofRecorded({recorded_operators: by = [], recorded_blocks: all = []}) {
      return all.length
        ? [
            ['recorded', recordedOperators, by],
            ['blocks', recordedBlocks, all],
          ]
        : [];
    },
  };
}
