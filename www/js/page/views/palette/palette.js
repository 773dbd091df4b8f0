// The command palette: views, settings, events and rows, found by typing.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {openDialog} from '../../environment/environment.js';
import {commandsOf, detailsFor, searchesOf} from './commands.js';
import {knownDetails, learnDetails} from './details.js';
import {matching} from './match.js';

/** The most shown commands; the most of a kind before anything is typed. */
const MOST = 60;
const EACH = 16;

/** Number of commands that Page Up and Page Down move by. */
const PAGE = 8;

/** Opens it, where a trace is open. @param {import('../../app.js').App} app */
export function showPalette(app) {
  if (app.state.phase === 'ready') openDialog(() => palette(app));
}

/** @param {import('../../app.js').App} app */
function palette(app) {
  let commands = commandsOf(app, knownDetails(app));
  /** The details that are asked for now. @type {Set<import('./details.js').Detail>} */
  const asking = new Set();
  /** @type {import('./commands.js').Command[]} */
  let shown = [];
  let active = 0;
  const said = h('p', {class: 'hint', role: 'status', 'data-test': 'palette-said'});
  const list = h('ul', {class: 'palette-list', role: 'listbox', id: 'palette-list', 'aria-label': t('palette.list')});
  const input = h('input', {
    type: 'text',
    class: 'search',
    role: 'combobox',
    autofocus: true,
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-autocomplete': 'list',
    'aria-controls': 'palette-list',
    'aria-label': t('palette.label'),
    placeholder: t('palette.label'),
    'data-test': 'palette-input',
    oninput: () => {
      find();
      learn();
    },
    onkeydown: (/** @type {KeyboardEvent} */ event) => key(event),
  });
  const dialog = h('dialog', {class: 'dialog palette', 'aria-label': t('palette.title'), 'data-test': 'palette-dialog'}, input, list, said);

  const run = (/** @type {number} */ index) => {
    const command = shown[index];
    if (!command) return;
    // The dialog gives the focus back first: the command may take it.
    dialog.close();
    command.act();
  };
  const mark = (/** @type {number} */ index) => {
    active = index;
    for (const [place, option] of [...list.children].entries()) option.setAttribute('aria-selected', String(place === active));
    const option = list.children[active];
    if (option) input.setAttribute('aria-activedescendant', option.id);
    else input.removeAttribute('aria-activedescendant');
    option?.scrollIntoView({block: 'nearest'});
  };
  const find = () => {
    shown = [...matching(commands, input.value, MOST, EACH), ...searchesOf(app, input.value)];
    fill(
      list,
      shown.map(({kind, text}, index) =>
        h(
          'li',
          {role: 'option', id: `palette-${index}`, class: 'palette-option', title: text, onclick: () => run(index)},
          h('span', {class: 'palette-text'}, text),
          h('span', {class: 'hint'}, kind),
        ),
      ),
    );
    list.hidden = shown.length === 0;
    input.setAttribute('aria-expanded', String(shown.length > 0));
    fill(said, shown.length ? t('palette.found', {count: app.wasm.count(shown.length)}) : t('palette.none'));
    mark(0);
  };
  /** Adds matches that need further reports, once they are there; the marked command stays marked. */
  const learn = async () => {
    const {summary, rank} = app.state;
    const details = knownDetails(app);
    const wanted = [...detailsFor(app, details, input.value)].filter((name) => !asking.has(name));
    if (!wanted.length) return;
    for (const name of wanted) asking.add(name);
    list.setAttribute('aria-busy', 'true');
    await learnDetails(app, wanted);
    for (const name of wanted) asking.delete(name);
    if (!asking.size) list.removeAttribute('aria-busy');
    if (!dialog.open || app.state.summary !== summary || app.state.rank !== rank) return;
    const marked = shown[active];
    commands = commandsOf(app, details);
    find();
    const place = shown.findIndex(({kind, text}) => kind === marked?.kind && text === marked.text);
    if (place > 0) mark(place);
  };
  const key = (/** @type {KeyboardEvent} */ event) => {
    // The page's own keys mean nothing here.
    event.stopPropagation();
    // Enter and arrows are the input method's while it composes.
    if (event.isComposing) return;
    const last = shown.length - 1;
    const to = {
      ArrowDown: active < last ? active + 1 : 0,
      ArrowUp: active > 0 ? active - 1 : last,
      PageDown: Math.min(last, active + PAGE),
      PageUp: Math.max(0, active - PAGE),
    }[event.key];
    if (to !== undefined) mark(to);
    else if (event.key === 'Enter') run(active);
    else if (isPaletteKey(event)) dialog.close();
    else return;
    event.preventDefault();
  };
  find();
  return dialog;
}

/** Whether a key opens the palette. @param {KeyboardEvent} event */
export const isPaletteKey = (event) => event.ctrlKey !== event.metaKey && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k';
