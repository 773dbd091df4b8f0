// Light or dark: as the system says, unless the person chose.

import {remember, remembered} from './i18n.js';

/** @typedef {'system' | 'light' | 'dark'} Theme */

const system = matchMedia('(prefers-color-scheme: dark)');

/** @returns {Theme} */
export function chosenTheme() {
  const theme = remembered('theme');
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** @param {Theme} theme */
export function chooseTheme(theme) {
  remember('theme', theme);
  applyTheme();
}

/** Sets the page's colours. */
export function applyTheme() {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
}

export function isDark() {
  const theme = chosenTheme();
  return theme === 'system' ? system.matches : theme === 'dark';
}

/** @param {() => void} listener called when the system changes its mind */
export function onSystemTheme(listener) {
  system.addEventListener('change', listener);
}
