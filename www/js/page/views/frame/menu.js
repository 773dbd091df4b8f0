// Menus that unfold from a button.

import {h} from '../../dom.js';

/** The least distance of a menu from the window's left edge, in pixels. */
const EDGE = 8;

/**
 * A menu that closes by Escape, and when the focus goes elsewhere.
 * @param {HTMLElement} summary the button @param {HTMLElement} items
 */
export function menuOf(summary, items) {
  const menu = /** @type {HTMLDetailsElement} */ (h('details', {class: 'menu'}, summary, items));
  // In a narrow window, the button may be near the left edge.
  menu.addEventListener('toggle', () => {
    items.style.removeProperty('right');
    menu.classList.remove('upwards');
    const {left, bottom, height} = items.getBoundingClientRect();
    if (menu.open && left < EDGE) items.style.right = `${left - EDGE}px`;
    // Near the lower edge it opens upwards, where there is room.
    menu.classList.toggle('upwards', menu.open && bottom > innerHeight && summary.getBoundingClientRect().top > height);
  });
  const close = () => {
    menu.open = false;
    summary.focus();
  };
  menu.addEventListener('focusout', (event) => {
    if (menu.contains(/** @type {Node | null} */ (event.relatedTarget))) return;
    // Not while the focus moves: in JupyterLab, Chromium's tab would crash.
    setTimeout(() => {
      // The focused element may have been replaced by a new one that has the focus.
      if (!menu.contains(/** @type {Document} */ (menu.getRootNode()).activeElement)) menu.open = false;
    });
  });
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !menu.open) return;
    event.stopPropagation();
    close();
  });
  /** An item that closes the menu. @param {string} test its name for tests @param {string} text @param {() => unknown} act @param {string} [title] */
  const item = (test, text, act, title) => {
    const onclick = () => {
      close();
      act();
    };
    return h('button', {type: 'button', class: 'menu-item', title, 'data-test': test, onclick}, text);
  };
  return {menu, item};
}
