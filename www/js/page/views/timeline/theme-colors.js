// The page's colours, for what is drawn in a worker, which has no style sheet.

import {isDark} from '../../environment/theme.js';

/** Those of each theme, once they are known. @type {Map<boolean, import('../../timeline/scene.js').Scene['colors']>} */
const known = new Map();

/** @param {HTMLElement} element @returns {{dark: boolean, colors: import('../../timeline/scene.js').Scene['colors']}} */
export function themeColors(element) {
  const dark = isDark();
  const found = known.get(dark);
  if (found) return {dark, colors: found};
  const style = getComputedStyle(element);
  const color = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
  const veil = dark ? 'rgb(0 0 0 / 55%)' : 'rgb(255 255 255 / 70%)';
  const colors = {
    ground: color('surface'),
    surface: color('hover'),
    line: color('line'),
    text: color('text'),
    muted: color('muted'),
    accent: color('accent'),
    veil,
  };
  known.set(dark, colors);
  return {dark, colors};
}
