// The width of the column with the rows' names: a person's choice, which the page remembers.

import {environment} from '../../../environment/environment.js';
import {t} from '../../../environment/i18n.js';
import {separator} from '../separator.js';

/** The least width, in CSS pixels, and the largest share of the timeline (as in the style sheet). */
const LEAST = 112;
const MOST = 0.5;

/** Makes the width of the names adjustable. @param {HTMLElement} body of the timeline @param {HTMLElement} names its left column, which begins with an empty corner */
export function adjustNames(body, names) {
  const show = (/** @type {number} */ width) => body.style.setProperty('--names', `${width}px`);
  const resize = (/** @type {number} */ width) => {
    show(width);
    environment().remember('names', String(width));
  };
  /** As wide as the longest name in view. */
  const fitting = () => {
    // They take the width that they want for a moment, of which nothing is drawn.
    names.classList.add('is-measured');
    const widths = [...names.querySelectorAll('.track-head')].map((head) => Math.ceil(head.getBoundingClientRect().width) + 1);
    names.classList.remove('is-measured');
    return widths.length === 0 ? names.offsetWidth : Math.max(...widths);
  };
  names.id = 'timeline-names';
  const line = separator({
    name: 'names-separator',
    label: t('timeline.names.resize'),
    orientation: 'vertical',
    controls: names.id,
    least: LEAST,
    most: () => Math.floor(body.clientWidth * MOST),
    size: () => names.offsetWidth,
    sizeAt: ({clientX}) => clientX - names.getBoundingClientRect().left,
    resize,
    fitting,
  });
  names.firstElementChild?.append(line);
  new ResizeObserver(() => line.setAttribute('aria-valuenow', String(names.offsetWidth))).observe(names);
  const width = Number(environment().remembered('names'));
  if (width) show(width);
}
