// Notes on events and ranges of the timeline: written, listed, followed, removed, and handed on in a link.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {environment} from '../../environment/environment.js';
import {MOST, merged, sayNotes} from '../../timeline/notes.js';
import {menuOf} from '../frame/menu.js';
import {rankTitle} from '../parts/rank-name.js';
import {goToNote} from './note-flags.js';

/** @typedef {import('../../timeline/notes.js').Note} Note */
/** @typedef {Omit<Note, 'text'>} Noted the selection, as the subject of a note */

/** The menu of notes. */
export class NotesMenu {
  #summary = h('summary', {class: 'button', title: t(environment().alone ? 'notes.hint' : 'notes.hint.here'), 'data-test': 'notes'});
  #text = h('input', {type: 'text', class: 'search', maxlength: '500', placeholder: t('notes.text'), 'aria-label': t('notes.text'), 'data-test': 'note-text'});
  #add = h('button', {class: 'button', type: 'submit', 'data-test': 'note-add'}, t('notes.add'));
  #on = h('p', {class: 'hint', 'data-test': 'note-on'});
  #list = h('ul', {class: 'notes-list', 'data-test': 'notes-list'});
  #link = h('button', {class: 'button', type: 'button', title: t('notes.link.hint'), 'data-test': 'notes-link', onclick: () => this.#copy()}, t('notes.link'));
  #status = h('p', {class: 'hint', role: 'status', 'data-test': 'notes-status'});
  /** The note that was removed last. @type {Note | undefined} */
  #removed;
  /** The notes as they are handed on, and those of which they were made. @type {{of: string, notes: Note[]} | undefined} */
  #masked;

  /** @param {import('../../app.js').App} app @param {() => Noted | null} chosen the subject of a new note */
  constructor(app, chosen) {
    this.app = app;
    this.chosen = chosen;
    const form = h(
      'form',
      {
        class: 'notes-form',
        onsubmit: (/** @type {SubmitEvent} */ event) => {
          event.preventDefault();
          this.#write();
        },
      },
      this.#text,
      this.#add,
    );
    const {menu} = menuOf(this.#summary, h('div', {class: 'menu-items notes-menu'}, this.#on, form, this.#list, this.#link, this.#status));
    menu.addEventListener('toggle', () => menu.open && this.show());
    this.element = menu;
  }

  /** Shows the notes of the trace, and the subject of a new one. */
  show() {
    const {notes} = this.app.state;
    fill(this.#summary, notes.length ? t('notes.count', {count: notes.length}) : t('notes'));
    const on = this.chosen();
    this.#text.disabled = this.#add.disabled = on === null;
    fill(this.#on, on ? t('notes.on', {name: on.name}) : t('notes.on.nothing'));
    this.#on.title = on?.name ?? '';
    fill(
      this.#list,
      notes.map((note) => this.#item(note)),
    );
    this.#list.hidden = notes.length === 0;
    // Elements of other pages have no address of their own.
    this.#link.hidden = notes.length === 0 || !environment().alone;
    // A click that finds none asks again.
    if (this.element.open && !this.#link.hidden) this.#mask().catch(() => {});
  }

  /** The notes without secrets: some browsers let a click copy only a text that is there at once. */
  async #mask() {
    const of = sayNotes(this.app.state.notes);
    const notes = await this.app.notesToHandOn();
    this.#masked = {of, notes};
    return notes;
  }

  /** @param {Note} note */
  #item(note) {
    const {rank, name, text} = note;
    const {summary} = this.app.state;
    const of = summary && summary.ranks.length > 1 && summary.ranks[rank];
    const where = of ? ` · ${rankTitle(of)}` : '';
    return h(
      'li',
      {'data-test': 'note'},
      h('button', {class: 'link', type: 'button', title: t('jump.to', {name}), 'data-test': 'note-go', onclick: () => goToNote(this.app, note)}, name + where),
      h('span', {class: 'note-text'}, text),
      h(
        'button',
        {class: 'button quiet', type: 'button', 'aria-label': t('notes.remove', {name}), 'data-test': 'note-remove', onclick: () => this.#remove(note)},
        '✕',
      ),
    );
  }

  #write() {
    const on = this.chosen();
    if (!on) return;
    let isFull = false;
    const before = this.app.state.notes;
    this.app.changeNotes((notes) => {
      isFull = notes.length >= MOST;
      return isFull ? notes : merged(notes, [{...on, text: this.#text.value.trim()}]);
    });
    this.#changed(before);
    this.show();
    this.#removed = undefined;
    fill(this.#status, isFull ? t('notes.full', {most: MOST}) : '');
    if (!isFull) this.#text.value = '';
    this.#text.focus();
  }

  /** @param {Note} note */
  #remove(note) {
    this.#removed = note;
    const key = sayNotes([note]);
    const before = this.app.state.notes;
    this.app.changeNotes((notes) => notes.filter((one) => sayNotes([one]) !== key));
    this.#changed(before);
    this.show();
    const undo = h('button', {class: 'link', type: 'button', 'data-test': 'note-undo', onclick: () => this.#undo()}, t('replaced.undo'));
    fill(this.#status, `${t('notes.removed', {name: note.name})} `, undo);
    undo.focus();
  }

  /** Records a change of notes, so that a key undoes it, too. @param {Note[]} before */
  #changed(before) {
    const {notes: now} = this.app.state;
    const without = (/** @type {Note[]} */ notes, /** @type {Note[]} */ left) => {
      const keys = new Set(left.map((note) => sayNotes([note])));
      return notes.filter((note) => !keys.has(sayNotes([note])));
    };
    const [came, went] = [without(now, before), without(before, now)];
    const change = (/** @type {Note[]} */ away, /** @type {Note[]} */ back) => () => {
      this.app.changeNotes((notes) => merged(without(notes, away), back));
      this.#removed = undefined;
      fill(this.#status);
      this.show();
    };
    const [undo, redo] = [change(came, went), change(went, came)];
    if (came.length || went.length) this.app.undos.add({element: this.element, what: t('notes'), kind: `notes ${now.length}`, undo, redo});
  }

  #undo() {
    const removed = this.#removed;
    const before = this.app.state.notes;
    if (removed) this.app.changeNotes((notes) => merged(notes, [removed]));
    this.#changed(before);
    this.#removed = undefined;
    this.show();
    fill(this.#status);
    (this.#text.disabled ? this.#summary : this.#text).focus();
  }

  async #copy() {
    let said = t('notes.link.copied');
    try {
      const of = sayNotes(this.app.state.notes);
      const notes = this.#masked?.of === of ? this.#masked.notes : await this.#mask();
      if (sayNotes(notes) !== of) said = t('notes.link.masked');
      await navigator.clipboard.writeText(this.app.linkWithNotes(notes));
    } catch {
      said = t('table.copy.failed');
    }
    fill(this.#status, said);
  }
}
