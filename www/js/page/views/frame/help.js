// The help dialog: the keyboard shortcuts, and a description of the page.

import {h} from '../../dom.js';
import {bookAddress} from '../../environment/book.js';
import {t} from '../../environment/i18n.js';
import {environment, openDialog} from '../../environment/environment.js';

/** Keys by section, each with the message on its effect; a section is named by its heading. @type {[heading: string | null, keys: [key: string, message: string][]][]} */
const SECTIONS = [
  [
    null,
    [
      ['?', 'help.help'],
      ['Ctrl K', 'help.palette'],
      ['/', 'help.search'],
      ['Shift ↑ ↓', 'help.rows'],
      ['Ctrl C', 'help.copy'],
      ['Shift ← →', 'help.columns'],
      ['→ ←', 'help.groups'],
      ['1 – 9', 'help.tabs'],
      ['← →', 'help.steps'],
      ['Ctrl Z', 'help.undo'],
      ['Alt ←', 'help.back'],
      ['Esc', 'help.escape'],
    ],
  ],
  [
    'help.timeline',
    [
      ['W S', 'help.timeline.zoom'],
      ['A D', 'help.timeline.move'],
      ['F', 'help.timeline.fit'],
      ['M', 'help.timeline.mark'],
      ['X', 'help.timeline.measure'],
      ['K', 'help.timeline.keep'],
      ['← → ↑ ↓', 'help.timeline.neighbours'],
      ['[ ]', 'help.timeline.follow'],
      ['/', 'help.timeline.find'],
      ['Esc', 'help.timeline.clear'],
    ],
  ],
];

/** The ways of a mouse and of fingers on the timeline. */
const POINTERS = ['help.timeline.wheel', 'help.timeline.drag', 'help.timeline.fingers'];

/** Opens it. */
export function showHelp() {
  openDialog(help);
}

function help() {
  return h(
    'dialog',
    {class: 'dialog', 'aria-labelledby': 'help-title'},
    // The first lines are to be read first: focus on a button at the end would scroll there.
    h('h2', {id: 'help-title', tabindex: '-1', autofocus: true}, t('help.title')),
    h('p', {}, t('help.what')),
    toBook(),
    ...SECTIONS.flatMap(([heading, keys]) => [
      heading && h('h3', {}, t(heading)),
      h(
        'table',
        {class: 'keys'},
        h(
          'tbody',
          {},
          ...keys
            .filter(([, message]) => message !== 'help.back' || environment().alone)
            .map(([key, message]) => h('tr', {}, h('th', {scope: 'row'}, h('kbd', {}, key)), h('td', {}, t(message)))),
        ),
      ),
    ]),
    ...POINTERS.map((message) => h('p', {class: 'hint'}, t(message))),
    h('form', {method: 'dialog'}, h('button', {class: 'button'}, t('close'))),
  );
}

/** The way to the book, where it is shipped. */
function toBook() {
  const links = /** @type {const} */ (['introduction', 'page', 'timeline', 'numbers']).map((section) => [bookAddress(section), t(`book.${section}`)]);
  const [[shipped]] = links;
  return (
    shipped &&
    h(
      'p',
      {class: 'jumps', 'data-test': 'help-book'},
      links.map(([href, text]) => h('a', {href, target: '_blank', rel: 'noopener'}, text)),
    )
  );
}
