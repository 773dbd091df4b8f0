// An event that is kept in the drawer, beside the selected one: both durations and how they differ.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {isSame} from '../../timeline/measure.js';
import {KernelNames, isCopy} from '../parts/kernel-names.js';
import {lengthText} from './names.js';

/** @typedef {import('../../../../types/reports.js').TimelineFoundReport} Found */
/** @typedef {{found: Found, name: string, isActivity: boolean}} Named an event, its name, and whether it is on a device */

/** The kept event. */
export class KeptEvent {
  #body = h('tbody', {});
  /** @type {Named | null} */
  #kept = null;
  /** @type {Named | null} */
  #selected = null;

  /** @param {import('../../app.js').App} app @param {{event: (event: Found) => void, forget: () => void}} go to an event; `forget`: keeps none any more */
  constructor(app, go) {
    this.app = app;
    this.go = go;
    const column = (/** @type {string} */ text, /** @type {string} */ title) => h('th', {scope: 'col', title}, text);
    this.element = h(
      'section',
      {class: 'kept-event', 'aria-label': t('timeline.kept'), hidden: true, 'data-test': 'kept-event'},
      h(
        'table',
        {class: 'kept-table'},
        h(
          'thead',
          {class: 'only-read-out'},
          h(
            'tr',
            {},
            h('td', {}),
            column(t('column.name'), t('timeline.kept.name.means')),
            column(t('event.length'), t('row.length.why')),
            column(t('timeline.kept.change'), t('timeline.kept.change.means')),
          ),
        ),
        this.#body,
      ),
      h(
        'button',
        {class: 'button', type: 'button', 'aria-keyshortcuts': 'K', 'data-test': 'kept-forget', onclick: () => go.forget()},
        t('timeline.kept.forget'),
        h('kbd', {'aria-hidden': 'true'}, 'K'),
      ),
    );
  }

  /** Whether an event is the one that is kept. @param {Found | null} found */
  is(found) {
    return this.#kept !== null && found !== null && isSame(this.#kept.found, found);
  }

  /** Whether one is kept. */
  get any() {
    return this.#kept !== null;
  }

  /** Keeps an event, or none. @param {Named | null} kept */
  keep(kept) {
    this.#kept = kept;
    this.#draw();
  }

  /** Compares it with the selected event; beside itself it shows nothing. @param {Named | null} selected */
  compare(selected) {
    this.#selected = selected;
    this.#draw();
  }

  /** Text for screen readers on the difference of the selected event's length from the kept one's. */
  get said() {
    const change = this.#change();
    return this.#kept && change ? t('timeline.kept.said', {change, name: this.#kept.name}) : '';
  }

  #change() {
    const [kept, selected] = [this.#kept, this.#selected];
    if (!kept || !selected || this.is(selected.found)) return '';
    const [before, now] = [kept, selected].map(({found}) => found.end - found.start);
    const {duration_change: change, percent_change: percent} = this.app.wasm;
    return before > 0 ? `${change(now - before)} (${percent((now - before) / before)})` : change(now - before);
  }

  #draw() {
    const [kept, selected] = [this.#kept, this.#selected];
    this.element.hidden = kept === null;
    const shown = kept && selected && !this.is(selected.found) ? [kept, selected] : kept ? [kept] : [];
    const names = new KernelNames(this.app.wasm);
    names.set(shown.flatMap(({isActivity, name}) => (isActivity && !isCopy(name) ? [name] : [])));
    fill(
      this.#body,
      shown.map(({found, name}) =>
        h(
          'tr',
          {},
          h('th', {scope: 'row'}, t(found === kept?.found ? 'timeline.kept.this' : 'timeline.kept.selected')),
          h(
            'td',
            {class: 'kept-name'},
            found === kept?.found
              ? h('button', {class: 'link', type: 'button', title: name, 'data-test': 'kept-go', onclick: () => this.go.event(found)}, names.of(name))
              : h('span', {title: name}, names.of(name)),
          ),
          h('td', {class: 'kept-number'}, lengthText(this.app.wasm, found.end - found.start)),
          h('td', {class: 'kept-number', 'data-test': 'kept-change'}, found === kept?.found ? '' : this.#change()),
        ),
      ),
    );
  }
}
