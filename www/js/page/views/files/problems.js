// The problems of files: which file, where, and why.

import {fill, h} from '../../dom.js';
import {has, t} from '../../environment/i18n.js';
import {codeText} from '../parts/code-text.js';

/** @typedef {import('../../../../types/reports.js').ProblemReport} Problem */

/** Reasons that do not depend on a file's format: they come last. */
const BLUNT = [
  'blank',
  'undecided',
  'not_json',
  'not_json_object',
  'not_sqlite',
  'no_known_header',
  'no_nvprof_line',
  'no_paddle_version',
  'no_raw_line',
  'no_stepscope_export',
  'no_stepscope_tag',
];

/** Problems that are shown at once: a folder of files that are no traces is one thing, not sixty. */
const MOST = 4;

/** @param {HTMLElement} element @param {import('../../app.js').App} app */
export function renderProblems(element, app) {
  const {problems} = app.state;
  const row = (/** @type {string} */ code, /** @type {import('../../dom.js').Child[]} */ text, /** @type {() => void} */ dismiss) =>
    h(
      'div',
      {class: 'problem', 'data-test': 'problem', 'data-code': code},
      h('div', {class: 'problem-text'}, ...text),
      h('button', {class: 'button quiet', 'aria-label': t('dismiss'), onclick: dismiss}, '✕'),
    );
  const more = problems.slice(MOST);
  fill(
    element,
    problems.slice(0, MOST).map((problem) => row(problem.code, [...line(problem), ...further(problem)], () => app.dismiss(problem))),
    more.length > 0 && row('more', [t('problem.more', {count: app.wasm.count(more.length)})], () => app.dismiss(...more)),
  );
}

/** A problem in words. @param {Problem} problem @returns {import('../../dom.js').Child[]} */
export function words(problem) {
  return [...line(problem), attempts(problem)];
}

/** The file, its problem, and where it is. @param {Problem} problem @returns {import('../../dom.js').Child[]} */
function line(problem) {
  const key = `problem.${problem.code}`;
  const place = problem.position === null ? '' : t('problem.at', {byte: problem.position});
  const why = problem.why ? t(`rejection.${problem.why}`) : '';
  const values = {expected: problem.expected, message: problem.message, other: problem.other ?? '', why};
  const message = has(key) ? t(key, values) : problem.message;
  return [problem.file && h('strong', {}, problem.file), problem.file && ' — ', ...codeText(message), place && ` ${place}`];
}

/** The formats that a file was taken for, by why it is none of them. @param {Problem} problem */
function attempts({tried}) {
  if (!tried.length) return null;
  /** @type {Map<string, string[]>} */
  const formats = new Map();
  for (const [format, why] of tried) formats.set(why, [...(formats.get(why) ?? []), format]);
  const reasons = [...formats].sort(([one], [other]) => Number(BLUNT.includes(one)) - Number(BLUNT.includes(other)));
  const item = (/** @type {[string, string[]]} */ [why, of]) => h('li', {}, `${t(`rejection.${why}`)}: `, h('span', {class: 'hint'}, of.join(', ')));
  return h('details', {'data-test': 'problem-tried'}, h('summary', {}, t('problem.tried', {count: tried.length})), h('ul', {}, reasons.map(item)));
}

/** The way out, where there is one; the formats that were tried; the code by which others know the problem. @param {Problem} problem */
function further(problem) {
  const key = `problem.do.${problem.code}`;
  return [has(key) && h('p', {class: 'problem-do'}, codeText(t(key))), attempts(problem), h('p', {class: 'hint'}, t('problem.code', {code: problem.code}))];
}
