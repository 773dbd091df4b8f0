// The assignment of files to ranks: the rule, its result, and a person's own grouping.

import {fill, h} from '../../dom.js';
import {uniqueNumbers} from '../../files/adding.js';
import {t} from '../../environment/i18n.js';
import {openDialog} from '../../environment/environment.js';
import {words} from './problems.js';

/** @typedef {import('../../../protocol/requests.js').Changes} Changes */
/** @typedef {import('../../../protocol/requests.js').Grouping} Grouping */

/** A rank's unique number in the list. @typedef {{name: string, number: number, sources: number[]}} Numbered */

/** Opens the list. @param {import('../../app.js').App} app */
export function showFiles(app) {
  const {files} = app.state;
  if (!files) return;
  openDialog(() => {
    const list = new FileList(app, files);
    const dialog = h('dialog', {class: 'dialog files', 'aria-labelledby': 'files-title', 'data-test': 'files-dialog'}, list.element);
    list.close = () => dialog.close();
    return dialog;
  });
}

/** The list of files, by rank. */
class FileList {
  close = () => {};
  /** The fields of those files that a rank can read, by the numbers of the files. @type {Map<number, HTMLInputElement>} */
  #fields = new Map();
  #apply = h('button', {class: 'button primary', 'data-test': 'files-apply', disabled: true, onclick: () => this.#regroup()}, t('files.apply'));
  #hint = h('p', {class: 'hint', role: 'status'});

  /** @param {import('../../app.js').App} app @param {Grouping} files */
  constructor(app, files) {
    this.app = app;
    this.files = files;
    this.ranks = numbered(files.ranks);
    const read = new Set(this.ranks.flatMap(({sources}) => sources));
    const others = [...files.sources.keys()].filter((source) => !read.has(source));
    const aside = others.filter((source) => files.sources[source].title !== null);
    const rest = others.filter((source) => files.sources[source].title === null);
    const unknown = rest.filter((source) => !isQuiet(files.sources[source]));
    const quiet = rest.filter((source) => isQuiet(files.sources[source]));
    const byRule = () => {
      this.close();
      app.regroup([]);
    };
    this.element = h(
      'div',
      {class: 'files-body'},
      h('h2', {id: 'files-title'}, t('files.title')),
      h('p', {}, t('files.rule')),
      h('p', {}, t('files.change')),
      h(
        'div',
        {class: 'files-scroll'},
        h(
          'table',
          {class: 'files-table'},
          h('thead', {}, h('tr', {}, h('th', {scope: 'col'}, t('files.file')), h('th', {scope: 'col'}, t('files.rank')))),
          this.ranks.map((rank) => this.#rank(rank)),
          aside.length > 0 &&
            h(
              'tbody',
              {},
              heading(t('files.aside')),
              aside.map((source) => this.#row(source, '')),
            ),
        ),
        unknown.length > 0 && this.#details('left-out', t('files.left_out', {count: app.wasm.count(unknown.length)}), unknown, t('files.left_out.why')),
        quiet.length > 0 && this.#details('quiet', t('files.quiet', {count: app.wasm.count(quiet.length)}), quiet),
      ),
      this.#hint,
      h(
        'div',
        {class: 'actions'},
        this.#apply,
        files.changes.length > 0 && h('button', {class: 'button', 'data-test': 'files-rule', onclick: byRule}, t('files.by_rule')),
        h('button', {class: 'button', 'data-test': 'files-close', onclick: () => this.close()}, t('close')),
      ),
    );
  }

  /** @param {Numbered} rank */
  #rank({name, number, sources}) {
    const several = sources.length > 1 && heading(t('files.several', {rank: number, name, count: this.app.wasm.count(sources.length)}));
    return h(
      'tbody',
      {'data-test': 'files-group'},
      several,
      sources.map((source) => this.#row(source, String(number))),
    );
  }

  /** @param {number} source @param {string} number */
  #row(source, number) {
    const {path, bytes, title, problem} = this.files.sources[source];
    const field = h('input', {
      type: 'number',
      class: 'search rank-field',
      min: '0',
      max: '999999',
      step: '1',
      value: number,
      placeholder: '–',
      'aria-label': t('files.rank.of', {path}),
      'data-test': 'files-rank',
      oninput: () => this.#changed(),
      onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === 'Enter' && !this.#apply.disabled && this.#regroup(),
    });
    field.defaultValue = number;
    this.#fields.set(source, field);
    const about = h('span', {class: 'hint'}, [title, this.app.wasm.bytes(bytes)].join(' · '));
    const why = problem && h('span', {class: 'hint'}, words({...problem, file: ''}));
    return h('tr', {}, h('td', {class: 'file-path'}, h('span', {}, path), about, why), h('td', {}, field));
  }

  /** Files that cannot be read, and why. @param {string} name @param {string} title @param {number[]} sources @param {string} [hint] */
  #details(name, title, sources, hint) {
    const item = (/** @type {number} */ source) => {
      const {problem, path} = this.files.sources[source];
      return h('li', {}, problem ? words({...problem, file: path}) : path);
    };
    return h(
      'details',
      {class: 'left-out', 'data-test': `files-${name}`},
      h('summary', {}, title),
      hint && h('p', {class: 'hint'}, hint),
      h('ul', {}, sources.map(item)),
    );
  }

  #changed() {
    const fields = [...this.#fields.values()];
    const wrong = fields.some((field) => !field.validity.valid);
    const none = fields.every((field) => field.value === '');
    for (const field of fields) field.classList.toggle('is-changed', field.value !== field.defaultValue);
    fill(this.#hint, wrong ? t('files.wrong') : none ? t('files.none') : '');
    this.#apply.disabled = wrong || none || !this.#changes().length;
  }

  /** The differences from the current ranks: all files of each changed rank. @returns {Changes} */
  #changes() {
    /** @type {Map<number, number[]>} */
    const groups = new Map();
    /** @type {Changes} */
    const changes = [];
    for (const [source, field] of this.#fields) {
      if (field.value !== '') groups.set(Number(field.value), [...(groups.get(Number(field.value)) ?? []), source]);
      else if (field.defaultValue !== '') changes.push([source, null]);
    }
    const same = (/** @type {number[]} */ a, /** @type {number[]} */ b) => a.length === b.length && a.every((one) => b.includes(one));
    for (const [number, sources] of groups) {
      const before = this.ranks.find((rank) => rank.number === number);
      if (!before || !same(before.sources, sources)) changes.push(...sources.map((source) => /** @type {[number, number]} */ ([source, number])));
    }
    return changes;
  }

  #regroup() {
    // Earlier changes stay.
    const changes = new Map([...this.files.changes, ...this.#changes()]);
    this.close();
    this.app.regroup([...changes], this.app.state.runs);
  }
}

/** Whether a file is known and adds nothing. @param {Grouping['sources'][number]} source */
export function isQuiet({problem}) {
  return problem?.code === 'nothing';
}

/** A row that names the group below it. @param {string} text */
function heading(text) {
  return h('tr', {}, h('th', {scope: 'rowgroup', colspan: '2'}, text));
}

/** Each rank with a number of its own, in their order: two traces may both say that they are rank 0. @param {Grouping['ranks']} ranks @returns {Numbered[]} */
function numbered(ranks) {
  const numbers = uniqueNumbers(ranks);
  const own = ranks.map(({name, sources}, place) => ({name, number: numbers[place], sources}));
  return own.sort((a, b) => a.number - b.number);
}
