// The loading view: current stage, progress, speed and remaining time.

import {fill, h} from '../../dom.js';
import {t} from '../../environment/i18n.js';
import {Pace} from './pace.js';

/** @typedef {import('../../../protocol/requests.js').Progress} Progress */

/** The parts of a load, in their order. @type {Progress['stage'][]} */
const STAGES = ['looking', 'reading', 'analyzing'];

/** Where the time that is left is rounded: to seconds, above that to tens of them. In seconds. */
const COARSE = 60;

/** The view of a load. */
export class Loading {
  #file = h('h1', {class: 'loading-file'}, t('loading.start'));
  #stages = STAGES.map((stage) => h('li', {'data-stage': stage}, t(`loading.stage.${stage}`)));
  #what = h('p', {class: 'loading-what', role: 'status', 'data-test': 'loading-what'});
  #bar = h('progress', {max: '1', 'aria-label': t('loading.progress')});
  #numbers = h('p', {class: 'loading-numbers'});
  #pace = h('p', {class: 'loading-pace', 'data-test': 'loading-pace'});
  #paceOf = new Pace();
  /** The part of the work that is shown. */
  #shown = '';

  /** @param {import('../../app.js').App} app */
  constructor(app) {
    this.app = app;
    this.element = h(
      'section',
      {class: 'loading', 'data-test': 'loading'},
      this.#file,
      h('ol', {class: 'loading-stages', 'aria-label': t('loading.stages')}, this.#stages),
      this.#bar,
      this.#numbers,
      this.#pace,
      this.#what,
      h('button', {class: 'button', onclick: () => app.cancel(), 'data-test': 'cancel'}, t('cancel')),
    );
  }

  /** @param {Progress | null} progress @param {number} at the time, in ms */
  show(progress, at) {
    if (!progress) return;
    const {file, index, files, stage} = progress;
    const of = files > 1 && stage !== 'looking' ? ` (${t('loading.of', {index: index + 1, files})})` : '';
    fill(this.#file, file + of);
    this.#showStage(progress);
    const share = shareOf(progress);
    if (share === null) this.#bar.removeAttribute('value');
    else this.#bar.value = share;
    fill(this.#numbers, this.#numbersOf(progress));
    if (stage === 'reading' && share !== null) this.#paceOf.add(at, file, progress.read, share);
    fill(this.#pace, stage === 'reading' ? this.#paceText() : '');
  }

  /** @param {Progress} progress */
  #showStage({stage, files, blocked}) {
    const what = stage === 'looking' && blocked ? 'unpacking' : stage;
    if (what === this.#shown) return;
    this.#shown = what;
    const now = STAGES.indexOf(stage);
    for (const [place, element] of this.#stages.entries()) {
      element.className = place < now ? 'done' : place === now ? 'now' : '';
      if (place === now) element.setAttribute('aria-current', 'step');
      else element.removeAttribute('aria-current');
    }
    // A rank is analyzed before the next one is read: a screen reader reads that once.
    if (files === 1 || stage !== 'analyzing') fill(this.#what, t(`loading.what.${what}`));
  }

  /** @param {Progress} progress */
  #numbersOf({stage, index, files, read, size, bytes: text, events, activities}) {
    const {bytes, count} = this.app.wasm;
    if (stage === 'looking') return t('loading.looking', {index, files});
    return t(stage === 'analyzing' ? 'loading.analyzing' : 'loading.numbers', {
      read: bytes(read),
      size: bytes(size),
      text: bytes(text),
      events: count(events),
      activities: count(activities),
    });
  }

  #paceText() {
    const {bytes} = this.app.wasm;
    const {rate, left} = this.#paceOf;
    const parts = [];
    if (rate !== null) parts.push(t('loading.rate', {rate: bytes(rate)}));
    if (left !== null) parts.push(leftText(left / 1000));
    return parts.join(' · ');
  }
}

/** Read share of all files; null where it is not known. @param {Progress} progress */
function shareOf({stage, index, files, read, size}) {
  const part = size ? Math.min(1, read / size) : 0;
  // Most files are only looked at by their beginning.
  if (stage === 'looking') return read && size ? part : null;
  if (stage === 'analyzing') return files > 1 ? (index + 1) / files : null;
  return (index + part) / Math.max(1, files);
}

/** @param {number} seconds */
function leftText(seconds) {
  if (seconds < COARSE) return t('loading.left.seconds', {seconds: Math.max(1, Math.ceil(seconds))});
  return t('loading.left.minutes', {minutes: Math.ceil(seconds / COARSE)});
}
