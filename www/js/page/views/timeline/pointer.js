// Mouse, wheel, pen and fingers on the timeline.

/**
 * @typedef {object} PointerActions places are in CSS pixels of the canvas
 * @property {(x: number, factor: number) => void} zoom around a place
 * @property {(dx: number, dy: number) => void} pan
 * @property {(from: number, to: number, done: boolean) => void} range
 * @property {(from: {x: number, y: number}, to: {x: number, y: number}, done: boolean) => void} part a range, and the rows between two heights
 * @property {(x: number, y: number, measure: boolean) => void} pick `measure`: from the selection to this
 * @property {(x: number, y: number) => void} jump on the overview
 * @property {(x: number, y: number, event: PointerEvent) => void} point
 * @property {() => void} leave
 * @property {(y: number) => 'overview' | 'axis' | 'rows'} area
 */

/** So many pixels are a click, not a drag. */
const STILL = 4;

/** Follows pointers on an element. @param {HTMLElement} element @param {PointerActions} actions @param {boolean} [scrolls] whether the plain wheel scrolls it, rather than the page */
export function followPointers(element, actions, scrolls = true) {
  /** Pointers that are down. @type {Map<number, {x: number, y: number}>} */
  const down = new Map();
  /** @type {{x: number, y: number, kind: 'range' | 'part' | 'pan' | 'overview' | 'pinch'} | undefined} */
  let drag;
  let moved = false;
  const place = (/** @type {MouseEvent} */ event) => {
    const box = element.getBoundingClientRect();
    return {x: event.clientX - box.left, y: event.clientY - box.top};
  };

  /** @param {NonNullable<typeof drag>} from @param {{x: number, y: number}} to */
  const endRange = (from, to) => {
    if (from.kind === 'range') actions.range(from.x, to.x, true);
    else if (from.kind === 'part') actions.part(from, to, true);
  };

  element.addEventListener(
    'wheel',
    (event) => {
      if (!scrolls && !event.ctrlKey && !event.metaKey && !event.shiftKey) return;
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : event.deltaMode === WheelEvent.DOM_DELTA_PAGE ? 400 : 1;
      const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
      // A pinch on a touchpad comes as a wheel with the control key.
      if (event.ctrlKey || event.metaKey) actions.zoom(place(event).x, Math.exp(Math.max(-60, Math.min(60, dy)) * 0.008));
      else if (event.shiftKey) actions.pan(-(dx || dy), 0);
      else actions.pan(-dx, -dy);
    },
    {passive: false},
  );

  element.addEventListener('pointerdown', (event) => {
    if (event.button > 1) return;
    element.setPointerCapture(event.pointerId);
    const at = place(event);
    // A second pointer zooms: a range that is being drawn ends where it is.
    if (moved && drag && down.size === 1) endRange(drag, [...down.values()][0]);
    down.set(event.pointerId, at);
    moved = false;
    const area = actions.area(at.y);
    const panning = event.pointerType === 'touch' || event.button === 1 || area === 'axis';
    drag = {...at, kind: down.size > 1 ? 'pinch' : area === 'overview' ? 'overview' : panning ? 'pan' : event.shiftKey ? 'part' : 'range'};
    if (drag.kind === 'overview') actions.jump(at.x, at.y);
    // A middle click would begin to scroll.
    if (event.button === 1) event.preventDefault();
    element.focus({preventScroll: true});
  });

  element.addEventListener('pointermove', (event) => {
    const at = place(event);
    const last = down.get(event.pointerId);
    if (!last || !drag) {
      actions.point(at.x, at.y, event);
      return;
    }
    if (down.size > 1) {
      const [a, b] = [...down.values()];
      const before = Math.hypot(a.x - b.x, a.y - b.y);
      down.set(event.pointerId, at);
      const [c, d] = [...down.values()];
      const now = Math.hypot(c.x - d.x, c.y - d.y);
      if (before > 8 && now > 8) actions.zoom((c.x + d.x) / 2, before / now);
      moved = true;
      return;
    }
    if (Math.abs(at.x - drag.x) > STILL || Math.abs(at.y - drag.y) > STILL) moved = true;
    if (!moved) return;
    if (drag.kind === 'overview') actions.jump(at.x, at.y);
    else if (drag.kind === 'pan') actions.pan(at.x - last.x, at.y - last.y);
    else if (drag.kind === 'range') actions.range(drag.x, at.x, false);
    else if (drag.kind === 'part') actions.part(drag, at, false);
    down.set(event.pointerId, at);
  });

  const up = (/** @type {PointerEvent} */ event) => {
    const was = down.delete(event.pointerId);
    if (!was || !drag) return;
    const at = place(event);
    if (down.size) return;
    if (moved) endRange(drag, at);
    else if (drag.kind !== 'overview' && drag.kind !== 'pinch' && event.type === 'pointerup') actions.pick(at.x, at.y, event.shiftKey);
    drag = undefined;
  };
  element.addEventListener('pointerup', up);
  element.addEventListener('pointercancel', up);
  element.addEventListener('pointerleave', () => actions.leave());
}
