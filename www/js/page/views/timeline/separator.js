// A separator between two parts of a view: a person moves it by pointer or keys.

import {h} from '../../dom.js';

/** So far a key moves it, in CSS pixels. */
const KEY = 24;

/**
 * @typedef {object} Separated sizes in CSS pixels are those of the part that it belongs to
 * @property {string} name for tests, and the class
 * @property {string} label
 * @property {'horizontal' | 'vertical'} orientation of the line
 * @property {string} controls the id of the part
 * @property {number} least
 * @property {() => number} most
 * @property {() => number} size
 * @property {(event: PointerEvent) => number} sizeAt the size that it has where the pointer is
 * @property {(size: number) => void} resize
 * @property {() => number} fitting the size that a double click gives it
 * @property {() => void} [enter] what Enter does, if not the same
 */

/** @param {Separated} of */
export function separator(of) {
  const {name, label, orientation, least} = of;
  const [more, less] = orientation === 'horizontal' ? ['ArrowUp', 'ArrowDown'] : ['ArrowRight', 'ArrowLeft'];
  const resize = (/** @type {number} */ to) => {
    const most = Math.max(least, of.most());
    if (Number.isFinite(most)) line.setAttribute('aria-valuemax', String(most));
    of.resize(Math.round(Math.max(least, Math.min(most, to))));
  };
  const fit = () => resize(of.fitting());
  const key = (/** @type {KeyboardEvent} */ event) => {
    const size = of.size();
    const to = {[more]: size + KEY, [less]: size - KEY, Home: least, End: Infinity}[event.key];
    if (to !== undefined) resize(to);
    else if (event.key !== 'Enter') return;
    else if (of.enter) of.enter();
    else fit();
    event.preventDefault();
    event.stopPropagation();
  };
  const line = h('div', {
    class: name,
    role: 'separator',
    tabindex: '0',
    title: label,
    'aria-label': label,
    'aria-orientation': orientation,
    'aria-controls': of.controls,
    'aria-valuemin': least,
    'data-test': name,
    onkeydown: key,
    onpointerdown: (/** @type {PointerEvent} */ event) => line.setPointerCapture(event.pointerId),
    onpointermove: (/** @type {PointerEvent} */ event) => line.hasPointerCapture(event.pointerId) && resize(of.sizeAt(event)),
    ondblclick: fit,
  });
  return line;
}
