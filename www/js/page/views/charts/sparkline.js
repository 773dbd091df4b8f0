// A small chart in a row of a table: a line through the row's values, on a scale that all rows share.

import {HEIGHT, WIDTH, across, down, nearest, pathOf} from './sparkline-points.js';

const SVG = 'http://www.w3.org/2000/svg';

/** @param {string} tag @param {Record<string, string | number>} attributes */
function drawn(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

/**
 * The chart. Pointing at it marks the nearest value and says it on hover.
 * @param {import('./sparkline-points.js').Values} values @param {import('./sparkline-points.js').Scale} scale
 * @param {{label: string, usual: number | null, isJudged: boolean, said: (place: number) => string}} how `label`: as it is read out; `usual`: a value to compare with, drawn as a line across; `said`: a value and its place in words
 */
export function sparkline(values, scale, {label, usual, isJudged, said}) {
  const svg = drawn('svg', {
    class: `sparkline${isJudged ? ' is-judged' : ''}`,
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: 'none',
    role: 'img',
    'aria-label': label,
    'data-test': 'sparkline',
  });
  if (usual !== null) svg.append(drawn('path', {class: 'sparkline-usual', d: `M0 ${down(usual, scale)}H${WIDTH}`}));
  svg.append(drawn('path', {class: 'sparkline-line', d: pathOf(values, scale)}));
  const mark = drawn('path', {class: 'sparkline-mark'});
  const frame = document.createElement('span');
  frame.className = 'sparkline-frame';
  frame.title = label;
  frame.append(svg);
  frame.addEventListener('pointermove', ({clientX}) => {
    const {left, width} = svg.getBoundingClientRect();
    const place = width > 0 ? nearest(values, (clientX - left) / width) : undefined;
    const value = place === undefined ? null : values[place];
    if (place === undefined || value === null) return;
    mark.setAttribute('d', `M${across(place, values.length)} ${down(value, scale)}h0`);
    svg.append(mark);
    frame.title = said(place);
  });
  frame.addEventListener('pointerleave', () => {
    mark.remove();
    frame.title = label;
  });
  return frame;
}
