// The menu of a row or a group, opened by a right click on its head, or by the menu key in it.

import {h} from '../../../dom.js';
import {t} from '../../../environment/i18n.js';

/** @typedef {import('../../../timeline/layout.js').Place} Place */
/** @typedef {import('./heads.js').HeadActions} HeadActions */

/** The menu of a head. @param {HeadActions} actions @returns {(place: Place, head: HTMLElement, event: MouseEvent) => void} opens it */
export function headMenu(actions) {
  return (place, head, event) => {
    event.preventDefault();
    const before = /** @type {HTMLElement | null} */ (head.querySelector(':focus'));
    const among = actions.amongOf(place);
    const detail = actions.detailOf(place);
    let open = true;
    const close = (/** @type {boolean} */ back) => {
      // Removing a focused item fires focusout once more.
      if (!open) return;
      open = false;
      menu.remove();
      if (back && before?.isConnected) before.focus();
    };
    const item = (/** @type {string} */ act, /** @type {string} */ text, /** @type {() => void} */ onclick) =>
      h(
        'button',
        {
          class: 'menu-item',
          role: 'menuitem',
          'data-menu': act,
          onclick: () => {
            close(true);
            onclick();
          },
        },
        text,
      );
    const {pinned, folded, foldable, title} = place;
    const items = [
      foldable && item('fold', t(folded ? 'timeline.unfold' : 'timeline.fold'), () => actions.fold(place)),
      item('pin', t(pinned ? 'timeline.unpin' : 'timeline.pin'), () => actions.pin(place)),
      !pinned && item('up', t('timeline.up'), () => actions.move(place, -1)),
      !pinned && item('down', t('timeline.down'), () => actions.move(place, 1)),
      !pinned && item('hide', t('timeline.hide'), () => actions.hide(place)),
      detail && item('detail', t(detail === 'all' ? 'timeline.detail.summary' : 'timeline.detail.all'), () => actions.detail(place)),
      among !== null && item('among', t(among ? 'timeline.among.not' : 'timeline.among'), () => actions.among(place)),
    ].filter((one) => one instanceof HTMLElement);
    const menu = h('div', {class: 'menu-items head-menu', role: 'menu', 'aria-label': title, 'data-test': 'head-menu'}, items);
    menu.addEventListener('keydown', (event) => {
      const at = items.findIndex((one) => one.contains(/** @type {Node} */ (event.target)));
      const to = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1}[event.key];
      event.stopPropagation();
      if (event.key === 'Escape') close(true);
      if (to === undefined) return;
      event.preventDefault();
      items[(to + items.length) % items.length].focus();
    });
    menu.addEventListener('focusout', (event) => {
      if (!menu.contains(/** @type {Node | null} */ (event.relatedTarget))) close(false);
    });
    const within = /** @type {HTMLElement} */ (head.closest('.timeline'));
    within.append(menu);
    const [box, own] = [within.getBoundingClientRect(), head.getBoundingClientRect()];
    // By the keyboard there is no place of its own.
    const [x, y] = event.clientX || event.clientY ? [event.clientX, event.clientY] : [own.left + 24, own.bottom];
    menu.style.left = `${Math.max(0, Math.min(x - box.left, box.width - menu.offsetWidth))}px`;
    menu.style.top = `${Math.max(0, Math.min(y - box.top, box.height - menu.offsetHeight))}px`;
    items[0].focus();
  };
}
