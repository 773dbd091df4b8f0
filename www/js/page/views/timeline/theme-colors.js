// The page's colors, for drawing in a worker, which has no style sheet.

import {edgeColor, isDark, wantsContrast} from '../../environment/theme.js';

/** Those of each theme, once they are known. @type {Map<string, import('../../timeline/scene.js').Scene['colors']>} */
const known = new Map();

/** @param {HTMLElement} element @returns {{dark: boolean, colors: import('../../timeline/scene.js').Scene['colors']}} */
export function themeColors(element) {
  const dark = isDark();
  const theme = `${dark} ${wantsContrast()}`;
  const found = known.get(theme);
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
    edge: edgeColor(style),
  };
  known.set(theme, colors);
  return {dark, colors};
}
