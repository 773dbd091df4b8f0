// A lane of consecutive parts along the time.

import {CanvasChart, regionAt} from './canvas-chart.js';
import {drawEdges} from './edges.js';

/** @typedef {import('../../../protocol/wasm.js').LaneOptions} LaneOptions */

/** A lane. */
export class Lane extends CanvasChart {
  /** @type {LaneOptions} */
  #options = {parts: [], pieces: []};
  /** @type {import('../../../protocol/wasm.js').Region[]} */
  #regions = [];

  /** @param {import('../../app.js').App} app @param {string} label @param {(piece: number) => string[]} describe @param {(piece: number) => void} onPick */
  constructor(app, label, describe, onPick) {
    super(app, label, 'lane');
    this.describe = describe;
    this.onPick = onPick;
  }

  /** @param {LaneOptions} options */
  show(options) {
    this.#options = options;
    this.draw();
  }

  /** @override @param {HTMLCanvasElement} canvas @param {import('../../../protocol/wasm.js').Look} look */
  paint(canvas, look) {
    this.#regions = this.app.wasm.draw_lane(canvas, {...this.#options, look});
    drawEdges(canvas, this.#regions, look.scale);
  }

  /** @override @param {number} x @param {number} y */
  linesAt(x, y) {
    const region = regionAt(this.#regions, x, y);
    return region ? this.describe(region.first) : null;
  }

  /** @override @param {number} x @param {number} y */
  pick(x, y) {
    const region = regionAt(this.#regions, x, y);
    if (region) this.onPick(region.first);
  }
}
