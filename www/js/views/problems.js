// What went wrong: which file, where, and why.

import {fill, h} from '../dom.js';
import {has, t} from '../i18n.js';

/** @param {HTMLElement} element @param {import('../app.js').App} app */
export function renderProblems(element, app) {
  const {problems} = app.state;
  fill(
    element,
    problems.map((problem) =>
      h(
        'div',
        {class: 'problem', 'data-test': 'problem', 'data-code': problem.code},
        h('div', {class: 'problem-text'}, ...words(problem)),
        h(
          'button',
          {
            class: 'button quiet',
            'aria-label': t('dismiss'),
            onclick: () => app.dismiss(problem),
          },
          '✕',
        ),
      ),
    ),
  );
}

/** @param {import('../protocol.js').Problem} problem */
function words(problem) {
  const key = `problem.${problem.code}`;
  const place = problem.position === null ? '' : t('problem.at', {byte: problem.position});
  const message = has(key) ? t(key, {expected: problem.expected, message: problem.message}) : problem.message;
  return [
    problem.file && h('strong', {}, problem.file),
    problem.file && ' — ',
    message,
    place && ` ${place}`,
    problem.tried.length > 0 && `. ${t('problem.tried')}`,
    problem.tried.length > 0 && h('ul', {}, ...problem.tried.map(([format, why]) => h('li', {}, `${format}: ${why}`))),
  ];
}
