// Light or dark: as the system says, unless the person chose.

import {environment} from './environment.js';

/** @typedef {'system' | 'light' | 'dark'} Theme */

const system = matchMedia('(prefers-color-scheme: dark)');
const contrast = matchMedia('(prefers-contrast: more)');

/** @returns {Theme} */
export function chosenTheme() {
  const theme = environment().remembered('theme');
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** @param {Theme} theme */
export function chooseTheme(theme) {
  environment().remember('theme', theme);
  applyTheme();
}

/** Sets the colors. */
export function applyTheme() {
  environment().holder.dataset.theme = isDark() ? 'dark' : 'light';
}

export function isDark() {
  const theme = chosenTheme();
  return theme === 'system' ? system.matches : theme === 'dark';
}

/** Whether the system asks for more contrast. */
export const wantsContrast = () => contrast.matches;

/** The color of the edges around bars and slices; empty without any. @param {CSSStyleDeclaration} style */
export function edgeColor(style) {
  return wantsContrast() ? style.getPropertyValue('--edge').trim() : '';
}

/** @param {() => void} listener called when the system changes its mind @param {AbortSignal} [signal] until when */
export function onSystemTheme(listener, signal) {
  for (const one of [system, contrast]) one.addEventListener('change', listener, {signal});
}
