// The timeline's canvas: the worker draws it, one scene per frame of the page.

import {h} from '../../dom.js';
import {fontOfPage} from '../../environment/face.js';
import {t} from '../../environment/i18n.js';
import {themeColors} from './theme-colors.js';

/** @typedef {import('../../../protocol/timeline.js').Drawn} Drawn */
/** @typedef {import('../../timeline/scene.js').Scene} Scene */
/** @typedef {{rows: number, pinned: number}} Scrolled scroll positions of rows */

/**
 * @typedef {object} Drawing the source of a canvas' frames
 * @property {() => Omit<Scene, 'frame' | 'width' | 'height' | 'scale' | 'dark' | 'font' | 'colors'> | null} scene null: there is nothing yet
 * @property {() => Scrolled} scrolled
 * @property {(scrolled: Scrolled) => void} shown called with the scroll position of the visible frame
 * @property {(height: number) => void} resized called with another height, before the next frame
 */

/** A canvas that was handed over. */
export class TimelineCanvas {
  width = 0;
  #height = 0;
  #client;
  #drawing;
  #name;
  #frame = 0;
  /** Scroll positions of frames that were sent and not yet drawn. @type {Map<number, Scrolled>} */
  #scrolls = new Map();
  #scheduled = false;

  /**
   * @param {import('../../client.js').Client} client @param {Drawing} drawing
   * @param {import('../../../protocol/timeline.js').CanvasName} [name] @param {string} [label] @param {string} [described] the id of the element that describes the view
   */
  constructor(client, drawing, name = 'timeline', label = t('timeline.label'), described) {
    this.#client = client;
    this.#drawing = drawing;
    this.#name = name;
    this.element = h('div', {
      class: 'timeline-canvas',
      tabindex: '0',
      role: 'application',
      'aria-roledescription': t('tab.timeline'),
      'aria-label': label,
      'aria-describedby': described,
      'data-test': `${name}-canvas`,
    });
    const canvas = h('canvas', {'aria-hidden': 'true'});
    this.element.append(canvas);
    // That can be done only once with each.
    const offscreen = canvas.transferControlToOffscreen();
    client.tell({kind: 'canvas', name, canvas: offscreen}, [offscreen]);
    const observer = new ResizeObserver(() => this.resize());
    try {
      // Another density of pixels is another size, too.
      observer.observe(this.element, {box: 'device-pixel-content-box'});
    } catch {
      observer.observe(this.element);
    }
  }

  /** Takes on its size, and draws. @returns {boolean} whether its height is another one */
  resize() {
    const {height} = this.#measure();
    if (this.width) this.draw();
    return height;
  }

  /** Takes on its size. @returns {{width: boolean, height: boolean}} which sides changed */
  #measure() {
    const {clientWidth, clientHeight} = this.element;
    // While it is hidden it keeps its size.
    if (!clientWidth || !clientHeight) return {width: false, height: false};
    const changed = {width: clientWidth !== this.width, height: clientHeight !== this.#height};
    this.width = clientWidth;
    this.#height = clientHeight;
    if (changed.height) this.#drawing.resized(clientHeight);
    return changed;
  }

  /** Lets the worker draw the current scene, once per frame of the page. */
  draw() {
    if (this.#scheduled) return;
    this.#scheduled = true;
    requestAnimationFrame(() => {
      this.#scheduled = false;
      // No observer sees a size that changed and changed back within a frame, but somebody may have asked for it in between.
      this.#measure();
      const scene = this.width ? this.#drawing.scene() : null;
      if (scene) this.#send(scene);
    });
  }

  /** @param {NonNullable<ReturnType<Drawing['scene']>>} shown */
  #send(shown) {
    const scrolled = this.#drawing.scrolled();
    const frame = ++this.#frame;
    this.#scrolls.set(frame, scrolled);
    const {colors, dark} = themeColors(this.element);
    this.#client.tell({
      kind: 'scene',
      name: this.#name,
      scene: {...shown, frame, width: this.width, height: this.#height, scale: devicePixelRatio, dark, font: fontOfPage(), colors},
    });
    if (frame === 1) this.#drawing.shown(scrolled);
  }

  /** A frame is drawn. @param {Drawn} drawn */
  drawn({frame}) {
    const scrolled = this.#scrolls.get(frame);
    for (const one of this.#scrolls.keys()) if (one <= frame) this.#scrolls.delete(one);
    if (scrolled !== undefined) this.#drawing.shown(scrolled);
    const {width, height} = this.#measure();
    if (width || height) this.draw();
  }
}
