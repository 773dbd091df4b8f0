// The shares of the largest values in their sum, as a pie with a list of its sectors.

import {fill, h} from '../../dom.js';
import {CanvasChart} from './canvas-chart.js';
import {drawCircle} from './edges.js';

/** @typedef {import('../../../protocol/wasm.js').Sector} Sector */

/** A pie. */
export class Pie extends CanvasChart {
  #list;
  /** @type {number[]} */
  #values = [];
  #top = 20;
  /** @type {{sectors: Sector[], others: number}} */
  #drawn = {sectors: [], others: 0};

  /**
   * @param {import('../../app.js').App} app
   * @param {object} how
   * @param {string} how.label
   * @param {(sector: Sector, others: number, sectors: Sector[]) => [name: string, value: string] | [name: string, value: string, whole: string]} how.describe
   * @param {(row: number) => void} how.onPick
   */
  constructor(app, how) {
    const list = h('ol', {class: 'pie-list'});
    super(app, how.label, 'pie', list);
    this.#list = list;
    this.how = how;
  }

  /** @param {number[]} values @param {number} top number of values with a sector of their own */
  show(values, top) {
    this.#values = values;
    this.#top = top;
    this.draw();
  }

  /** @override @param {HTMLCanvasElement} canvas @param {import('../../../protocol/wasm.js').Look} look */
  paint(canvas, look) {
    this.#drawn = this.app.wasm.draw_shares(canvas, {values: this.#values, top: this.#top, look});
    if (this.#drawn.sectors.length) drawCircle(canvas, look.scale);
    const {sectors, others} = this.#drawn;
    fill(
      this.#list,
      sectors.map((sector) => {
        const [name, value, whole] = this.how.describe(sector, others, sectors);
        const swatch = h('span', {class: 'swatch'});
        swatch.style.background = sector.color;
        const words = [swatch, h('span', {class: 'pie-name', title: whole ?? name}, name), h('span', {class: 'pie-value'}, value)];
        const {row} = sector;
        return h(
          'li',
          {},
          row === null ? h('span', {class: 'pie-row'}, ...words) : h('button', {class: 'pie-row', onclick: () => this.how.onPick(row)}, ...words),
        );
      }),
    );
  }

  /** @param {number} x @param {number} y */
  #sectorAt(x, y) {
    const {width, height} = /** @type {HTMLCanvasElement} */ (this.frame.firstElementChild);
    const [right, up] = [x - width / 2, height / 2 - y];
    if (Math.hypot(right, up) > Math.min(width, height) / 2) return undefined;
    const turn = (Math.atan2(right, up) / (2 * Math.PI) + 1) % 1;
    return this.#drawn.sectors.find((sector) => sector.from <= turn && turn < sector.to);
  }

  /** @override @param {number} x @param {number} y */
  linesAt(x, y) {
    const sector = this.#sectorAt(x, y);
    return sector ? this.how.describe(sector, this.#drawn.others, this.#drawn.sectors) : null;
  }

  /** @override @param {number} x @param {number} y */
  pick(x, y) {
    const row = this.#sectorAt(x, y)?.row;
    if (typeof row === 'number') this.how.onPick(row);
  }
}
