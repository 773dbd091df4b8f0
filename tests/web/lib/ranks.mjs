// The tab of a job's ranks.

import {csvRecords} from './shown.mjs';

/** @typedef {import('./site.mjs').Visit} Visit */

/** Opens a folder, and the tab of its ranks. @param {Visit} visit @param {string} folder */
export async function openRanks(visit, folder) {
  await visit.drop(folder);
  await visit.results();
  await visit.tab('ranks');
  await visit.part('ranks-facts').waitFor();
}

/** Records that a table of the tab saves as CSV. @param {Visit} visit @param {string} name */
export async function saved(visit, name) {
  const {bytes} = await visit.saved(() => visit.page.locator(`.table-box:has([data-test="table-${name}"]) [data-test="save-csv"]`).click());
  return csvRecords(bytes);
}
