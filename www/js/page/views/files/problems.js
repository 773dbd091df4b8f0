// What went wrong: which file, where, and why.

import {fill, h} from '../../dom.js';
import {has, t} from '../../surroundings/i18n.js';

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
    problems.slice(0, MOST).map((problem) => row(problem.code, words(problem), () => app.dismiss(problem))),
    more.length > 0 && row('more', [t('problem.more', {count: app.wasm.count(more.length)})], () => app.dismiss(...more)),
  );
}

/** A problem in words. @param {import('../../../../types/reports.js').ProblemReport} problem @returns {import('../../dom.js').Child[]} */
export function words(problem) {
  const key = `problem.${problem.code}`;
  const place = problem.position === null ? '' : t('problem.at', {byte: problem.position});
  const why = problem.why ? t(`refusal.${problem.why}`) : '';
  const values = {expected: problem.expected, message: problem.message, other: problem.other ?? '', why};
  const message = has(key) ? t(key, values) : problem.message;
  return [
    problem.file && h('strong', {}, problem.file),
    problem.file && ' — ',
    message,
    place && ` ${place}`,
    problem.tried.length > 0 && `. ${t('problem.tried')}`,
    problem.tried.length > 0 && h('ul', {}, ...problem.tried.map(([format, why]) => h('li', {}, `${format}: ${t(`refusal.${why}`)}`))),
  ];
}
