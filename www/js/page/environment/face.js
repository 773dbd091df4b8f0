// The face of the page's texts. Widths measured with one face do not fit another: it is used from the start, or not on this visit.

import {environment} from './environment.js';

/** As `fonts/inter.css` names it. */
const FACE = "1em 'Stepscope Inter'";

/** Begins to load it; without it, the page has the system's. */
export function loadFace() {
  document.fonts.load(FACE).catch(() => {});
}

/** The family of texts on canvases, as CSS: an element in another page has the system's. */
export function fontOfPage() {
  const isUsed = environment().alone && document.documentElement.dataset.face !== undefined;
  return `${isUsed ? "'Stepscope Inter', " : ''}system-ui, sans-serif`;
}

/** Uses it if it is there by now, before anything is drawn. */
export function useFace() {
  if (document.fonts.check(FACE)) document.documentElement.dataset.face = '';
}
