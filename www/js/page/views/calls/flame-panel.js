// A flame graph with what belongs to it: a search, the stack that is zoomed into, and what is said of the selected box.

import {fill, h} from '../../dom.js';
import {environment} from '../../environment/environment.js';
import {t} from '../../environment/i18n.js';
import {canOpen, nodeKey, nodeKeys} from '../parts/opened.js';
import {FlameGraph} from './flame.js';

/** @typedef {import('./stack-tree.js').StackTree} StackTree */

/** @typedef {StackTree & {matching(isSuch: (name: string) => boolean): Set<number>}} SearchedTree */

/** @template {SearchedTree} Tree */
export class FlamePanel {
  search;
  #found;
  #all;
  #path;
  #one;
  #flame;
  /** The name of the graph in the browser's history. */
  #name;
  /** The node whose calls are shown. @type {number | null} */
  #focus = null;
  /** @type {Tree | undefined} */
  #tree;

  /**
   * @param {import('../../app.js').App} app
   * @param {object} how
   * @param {string} how.name before the names of its parts, for tests
   * @param {string} how.label what the graph is
   * @param {(tree: Tree, node: number) => string[]} how.describe a node's name, and lines on it
   * @param {(tree: Tree, node: number) => (Node | null)[]} how.links where a node leads
   * @param {(tree: Tree, found: Set<number>) => string} how.found what is said of what a search found
   * @param {(tree: Tree, node: number, style: CSSStyleDeclaration, dark: boolean) => import('./flame.js').Color} how.color
   * @param {(tree: Tree, node: number) => boolean} [how.isDashed]
   */
  constructor(app, how) {
    this.app = app;
    this.how = how;
    this.#name = `${how.name}-flame`;
    const part = (/** @type {string} */ of) => `${how.name}-${of}`;
    this.search = h('input', {
      type: 'search',
      class: 'search',
      placeholder: t('calls.search'),
      'aria-label': t('calls.search'),
      'data-test': part('search'),
      oninput: () => this.#draw(),
    });
    this.#found = h('span', {class: 'hint', role: 'status', 'data-test': part('found')});
    this.#all = h('button', {type: 'button', class: 'button', 'data-test': part('all'), onclick: () => this.#zoomByButton(null)}, t('calls.all'));
    this.#path = h('nav', {class: 'calls-path', 'aria-label': t('calls.path'), 'data-test': part('path')});
    this.#one = h('div', {class: 'calls-one', 'aria-live': 'polite', 'data-test': part('one')});
    const tree = () => /** @type {Tree} */ (this.#tree);
    this.#flame = new FlameGraph({
      label: how.label,
      keys: part('keys'),
      name: part('graph'),
      onZoom: (node) => this.#zoom(node),
      onChoose: (node) => this.#choose(node),
      describe: (node) => how.describe(tree(), node),
      color: (node, style, dark) => how.color(tree(), node, style, dark),
      isDashed: (node) => how.isDashed?.(tree(), node) ?? false,
    });
    const upward = h('input', {
      type: 'checkbox',
      'data-test': part('upward'),
      onchange: () => {
        environment().remember('flame', upward.checked ? 'up' : 'down');
        this.#flame.turn(upward.checked);
      },
    });
    upward.checked = environment().remembered('flame') === 'up';
    this.#flame.turn(upward.checked);
    canOpen(this.#flame.element, this.#name, (key) => this.#focusOn(this.#nodeOf(key)));
    const turn = h('label', {class: 'check', title: t('calls.upward.why')}, upward, t('calls.upward'));
    /** Beside other choices: the search, what it found, which end is up, and the way back to all. */
    this.tools = [this.search, this.#found, h('span', {class: 'space'}), turn, this.#all];
    /** The stack, the graph, its keys and the selected box. */
    this.parts = [
      this.#path,
      h('div', {class: 'card flame', 'data-test': part('flame')}, this.#flame.element),
      h('p', {class: 'hint', id: part('keys')}, t('calls.keys')),
      this.#one,
    ];
  }

  /** Shows a tree; what is zoomed into and selected stays where the tree has it, too. @param {Tree} tree */
  show(tree) {
    const before = this.#tree;
    const path = (/** @type {number | null} */ node) => (node === null || !before ? null : before.path(node).map((at) => before.nameOf(at)));
    const [focus, chosen] = [path(this.#focus), path(this.#flame.chosen)];
    this.#tree = tree;
    const found = focus ? tree.find(focus) : this.#nodeOf(this.app.openedIn(this.#name));
    this.#focus = found !== null && tree.totals[found] ? found : null;
    const selected = chosen && tree.find(chosen);
    const isThere = selected !== null && tree.totals[selected] > 0 && tree.path(selected).length === chosen?.length;
    this.#flame.chosen = isThere ? selected : null;
    this.#draw();
    if (isThere) this.#choose(selected);
    else fill(this.#one);
  }

  /** Draws the graph again. */
  redraw() {
    this.#flame.draw();
  }

  #draw() {
    const tree = this.#tree;
    if (!tree) return;
    const wanted = this.search.value.trim().toLowerCase();
    const marked = wanted ? tree.matching((name) => name.toLowerCase().includes(wanted)) : null;
    this.#flame.show(tree, this.#focus, marked);
    fill(this.#found, marked ? this.how.found(tree, marked) : '');
    this.#all.disabled = this.#focus === null;
    const step = (/** @type {number} */ node) => h('button', {type: 'button', class: 'link', onclick: () => this.#zoomByButton(node)}, tree.nameOf(node));
    fill(this.#path, this.#focus === null ? [] : tree.path(this.#focus).flatMap((node, place) => (place ? [' › ', step(node)] : [step(node)])));
  }

  /** The button goes, or is of no use any more: the keys go on in the graph. @param {number | null} node */
  #zoomByButton(node) {
    this.#zoom(node);
    this.#flame.focus();
  }

  /** @param {number | null} node */
  #zoom(node) {
    this.#focusOn(node);
    const tree = this.#tree;
    this.app.opened(this.#name, node === null || !tree ? undefined : nodeKey(tree, node));
  }

  /** @param {number | null} node */
  #focusOn(node) {
    this.#focus = node;
    this.#draw();
  }

  /** The node that the browser's history names. @param {string | undefined} key @returns {number | null} */
  #nodeOf(key) {
    const node = key === undefined || !this.#tree ? -1 : nodeKeys(this.#tree).indexOf(key);
    return node < 0 ? null : node;
  }

  /** @param {number} node */
  #choose(node) {
    const tree = /** @type {Tree} */ (this.#tree);
    const [name, ...facts] = this.how.describe(tree, node);
    const attributes = {type: 'button', class: 'link', 'data-test': `${this.how.name}-zoom`, onclick: () => this.#zoom(node)};
    const links = [h('button', attributes, t('calls.zoom')), ...this.how.links(tree, node)].filter((link) => link !== null);
    fill(this.#one, h('strong', {}, name), ' ', h('span', {class: 'hint'}, facts.join(' · ')), ...links.flatMap((link) => [' ', link]));
  }
}
