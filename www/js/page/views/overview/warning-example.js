// The first case of a warning in the shown language. The analyzer's words for it are English, beside the file's own text.

import {shownLanguage, t} from '../../environment/i18n.js';

/** The analyzer's sentences, and the messages that say them. @type {[RegExp, string][]} */
const SENTENCES = [
  [/^(?<part>\d+) of (?<all>\d+)$/, 'of'],
  [/^(?<part>\d+) of (?<all>\d+) activities$/, 'of_activities'],
  [/^(?<part>\d+) of (?<all>\d+) launching calls$/, 'of_launches'],
  [/^(?<part>\d+) in the table, (?<all>\d+) on the timeline$/, 'steps_of_table'],
  [/^(?<step>.+): (?<part>[\d.]+) of (?<all>[\d.]+) ms not recorded$/, 'of_step'],
  [/^process (?<name>-?\d+) besides (?<first>-?\d+)$/, 'process'],
  [/^(?<count>\d+) processes$/, 'processes'],
  [/^(?<count>\d+) ranks$/, 'ranks'],
  [/^no (?<what>\w+)$/, 'no'],
  [/^(?<fields>\d+) fields under a header of (?<columns>\d+)$/, 'fields'],
  [/^the last row has (?<fields>\d+) of (?<columns>\d+) fields$/, 'last_row'],
  [/^host operators, and what they launched$/, 'operators'],
  [/^device activities$/, 'activities'],
  [/^events$/, 'events'],
];

/** How parsers say what the file should have, which the warning says in other words. */
const EXPECTED = /^expected .+$/;

/** Problem codes that have steps' names as their example. */
const OF_STEPS = ['partial_step', 'warm_up_step', 'capture_step', 'cuda_not_recorded'];

/** The words of the first case; empty where the warning itself and the place say them. @param {Pick<import('../../../../types/reports.js').WarningReport, 'code' | 'example'>} warning */
export function exampleText({code, example}) {
  if (example && OF_STEPS.includes(code)) return t('step', {name: example});
  for (const [sentence, key] of SENTENCES) {
    const found = sentence.exec(example);
    if (found) return t(`example.${key}`, {...found.groups});
  }
  return shownLanguage() !== 'en' && EXPECTED.test(example) ? '' : example;
}
