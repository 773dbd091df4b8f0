// The panel of a call graph: layout, search, the stack that is zoomed into, and a description of the selected box.

import {fill, h} from '../../dom.js';
import {environment} from '../../environment/environment.js';
import {t} from '../../environment/i18n.js';
import {hashed} from '../../hashed.js';
import {canOpen, nodeKey, nodeKeys} from '../parts/opened.js';
import {FlameGraph} from './flame.js';
import {LayoutChoice} from './layout-choice.js';
import {Sandwich} from './sandwich.js';

/** @typedef {import('./stack-tree.js').StackTree} StackTree */
/** @typedef {import('./stack-tree.js').Stacks} Stacks */

/** @typedef {StackTree & {matching(isSuch: (name: string) => boolean): Set<number>}} SearchedTree */

/** @template {SearchedTree} Tree */
export class FlamePanel {
  search;
  #found;
  #all;
  #hint;
  #path;
  #one;
  #card;
  #keys;
  #empty;
  #flame;
  #layout;
  /** The names of the zoom and of the sandwich view in the browser's history. */
  #opens;
  /** The node whose calls are shown. @type {number | null} */
  #focus = null;
  /** The stacks of all calls. @type {Tree | undefined} */
  #source;
  /** The tree that is drawn: that of the stacks, or the sandwich view of a name. @type {Tree | Sandwich | undefined} */
  #tree;
  /** The key of the name whose sandwich view is shown. @type {string | undefined} */
  #key;
  /** That name; empty until a tree has it. */
  #name = '';

  /**
   * @param {import('../../app.js').App} app
   * @param {object} how
   * @param {string} how.name before the names of its parts, for tests
   * @param {string} how.label label of the graph
   * @param {(tree: Tree, stacks: Stacks) => string[]} how.describe lines on the stacks of a box
   * @param {(tree: Tree, stacks: Stacks, name: string) => (Node | null)[]} how.links links of a box
   * @param {(tree: Tree, found: Set<number>, of: readonly number[] | null) => string} how.found summary of the hits of a search, as a share of some nodes or of all
   * @param {(tree: Tree, stacks: Stacks, style: CSSStyleDeclaration, dark: boolean) => import('./flame.js').Color} how.color
   * @param {(tree: Tree, stacks: Stacks) => boolean} [how.isDashed]
   * @param {(isSandwich: boolean) => void} [how.onLayout] the layout is shown
   */
  constructor(app, how) {
    this.app = app;
    this.how = how;
    this.#opens = {zoom: `${how.name}-flame`, name: `${how.name}-name`};
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
    this.#hint = h('p', {class: 'hint', hidden: true, 'data-test': part('sandwich')});
    this.#path = h('nav', {class: 'calls-path', 'aria-label': t('calls.path'), 'data-test': part('path')});
    this.#one = h('div', {class: 'calls-one', 'aria-live': 'polite', 'data-test': part('one')});
    this.#empty = h('p', {class: 'nothing', role: 'status', hidden: true, 'data-test': part('empty')});
    const source = () => /** @type {Tree} */ (this.#source);
    const stacks = (/** @type {number} */ node) => /** @type {StackTree} */ (this.#tree).stacks(node);
    this.#flame = new FlameGraph({
      label: how.label,
      keys: part('keys'),
      name: part('graph'),
      onZoom: (node) => this.#zoom(node),
      onChoose: (node) => this.#choose(node),
      describe: (node) => this.#lines(node),
      color: (node, style, dark) => how.color(source(), stacks(node), style, dark),
      isDashed: (node) => how.isDashed?.(source(), stacks(node)) ?? false,
    });
    this.#layout = new LayoutChoice({
      part,
      names: () => this.#source?.nameSums ?? [],
      onLayout: (layout) => this.#open(layout === 'sandwich' ? this.#likelyName() : undefined),
      onName: (name) => this.#open(name),
      onUnknown: (text) => (text ? this.#say(t('calls.sandwich.unknown', {text})) : this.#explain()),
    });
    const upward = h('input', {
      type: 'checkbox',
      'data-test': part('upward'),
      onchange: () => {
        environment().remember('flame', upward.checked ? 'up' : 'down');
        this.#flame.turn(upward.checked);
        this.#explain();
      },
    });
    upward.checked = environment().remembered('flame') === 'up';
    this.#flame.turn(upward.checked);
    // The layout stands before the graph: it is restored first, then the zoom.
    canOpen(this.#layout.element, this.#opens.name, (key) => key !== this.#key && this.#lay(key));
    canOpen(this.#flame.element, this.#opens.zoom, (key) => this.#focusOn(this.#nodeOf(key)));
    const turn = h('label', {class: 'check', title: t('calls.upward.why')}, upward, t('calls.upward'));
    /** Further controls: the layout, the search, its hits, the direction, and the way back to all. */
    this.tools = [this.#layout.element, this.search, this.#found, h('span', {class: 'space'}), turn, this.#all];
    this.#card = h('div', {class: 'card flame', 'data-test': part('flame')}, this.#flame.element);
    this.#keys = h('p', {class: 'hint', id: part('keys')}, t('calls.keys'));
    /** The name of a sandwich view, the stack, the graph, its keys and the selected box. */
    this.parts = [this.#layout.field, this.#hint, this.#path, this.#empty, this.#card, this.#keys, this.#one];
  }

  /** Shows a tree; zoom and selection stay where the tree has them, too. @param {Tree} source */
  show(source) {
    const before = this.#tree;
    const path = (/** @type {number | null} */ node) => (node === null || !before ? null : before.path(node).map((at) => before.markOf(at)));
    const [focus, chosen] = [path(this.#focus), path(this.#flame.chosen)];
    this.#source = source;
    this.#key ??= this.app.openedIn(this.#opens.name);
    const tree = this.#arrange();
    const found = focus ? tree.find(focus) : this.#nodeOf(this.app.openedIn(this.#opens.zoom));
    this.#focus = found !== null && tree.totals[found] ? found : null;
    const selected = chosen && tree.find(chosen);
    const isThere = selected !== null && tree.totals[selected] > 0 && tree.path(selected).length === chosen?.length;
    this.#select(isThere ? selected : this.#middle());
    this.#draw();
    if (!before) this.#flame.home();
  }

  /** Shows the sandwich view of a name: a person asked for it elsewhere. @param {string} name */
  sandwich(name) {
    this.#open(name);
    this.#card.scrollIntoView({block: 'nearest'});
    this.#flame.focus();
  }

  /** A button for the sandwich view of a name. @param {string} name */
  sandwichButton(name) {
    const attributes = {title: t('calls.sandwich.of', {name}), 'aria-label': t('calls.sandwich.of', {name}), 'data-test': `${this.how.name}-around`};
    return h('button', {type: 'button', class: 'link', ...attributes, onclick: () => this.sandwich(name)}, t('calls.sandwich.show'));
  }

  /** Draws the graph again. */
  redraw() {
    this.#flame.draw();
  }

  /** A person chose another layout, or a name. @param {string | undefined} name */
  #open(name) {
    const key = name === undefined ? undefined : hashed(name);
    if (name !== undefined) this.#name = name;
    this.#lay(key);
    this.app.opened(this.#opens.name, key);
    // It belonged to the layout before.
    this.app.opened(this.#opens.zoom, undefined, true);
  }

  /** Lays the graph out as stacks, or around the name that has a key. @param {string | undefined} key */
  #lay(key) {
    this.#key = key;
    this.#focus = null;
    if (!this.#source) return;
    this.#arrange();
    this.#select(this.#middle());
    this.#draw();
    this.#flame.home();
  }

  /** Makes the tree that is drawn. @returns {Tree | Sandwich} */
  #arrange() {
    const source = /** @type {Tree} */ (this.#source);
    if (this.#key === undefined) this.#tree = source;
    else {
      if (hashed(this.#name) !== this.#key) this.#name = source.nameSums.find(({name}) => hashed(name) === this.#key)?.name ?? '';
      this.#tree = new Sandwich(source, this.#name);
    }
    this.#layout.show(this.#key === undefined ? null : this.#name);
    this.#explain();
    return this.#tree;
  }

  /** Shows how to read the layout, or why it is empty. */
  #explain() {
    const tree = this.#tree;
    if (!tree) return;
    const name = this.#name;
    const isSandwich = tree instanceof Sandwich;
    this.how.onLayout?.(isSandwich);
    this.#hint.hidden = !isSandwich;
    fill(this.#hint, isSandwich ? t(`calls.sandwich.hint.${this.#flame.isUpward ? 'up' : 'down'}`) : '');
    this.#flame.label = isSandwich ? t('calls.sandwich.of', {name}) : this.how.label;
    if (!isSandwich || tree.totals[0]) this.#say('');
    else if (tree.middle === null) this.#say(name ? t('calls.sandwich.absent', {name}) : t('calls.sandwich.absent.unknown'));
    else this.#say(t('calls.sandwich.no_time', {name}));
  }

  /** Shows the reason for no graph, in its place; an empty one shows the graph. @param {string} reason */
  #say(reason) {
    this.#empty.hidden = reason === '';
    for (const part of [this.#card, this.#keys, this.#one]) part.hidden = reason !== '';
    fill(this.#empty, reason);
  }

  /** The row of the name, where it takes any time. @returns {number | null} */
  #middle() {
    const middle = this.#tree?.middle ?? null;
    return middle !== null && this.#tree?.totals[middle] ? middle : null;
  }

  /** The most likely name: that of the selected box, else of a search hit, else the one with the largest self time. */
  #likelyName() {
    const [tree, source] = [/** @type {Tree} */ (this.#tree), /** @type {Tree} */ (this.#source)];
    const {chosen} = this.#flame;
    if (chosen !== null && tree.parents[chosen] >= 0) return tree.nameOf(chosen);
    const wanted = this.#wanted();
    const found = wanted ? source.nameSums.filter(({name}) => name.toLowerCase().includes(wanted)) : [];
    const among = found.length ? found : source.nameSums;
    return among.reduce((most, sum) => (sum.own > most.own ? sum : most), among[0])?.name ?? '';
  }

  /** The text that is searched for. */
  #wanted() {
    return this.search.value.trim().toLowerCase();
  }

  #draw() {
    const [tree, source] = [this.#tree, this.#source];
    if (!tree || !source) return;
    const wanted = this.#wanted();
    const matching = wanted ? source.matching((name) => name.toLowerCase().includes(wanted)) : null;
    const marked = matching && tree instanceof Sandwich ? tree.holding(matching) : matching;
    this.#flame.show(tree, this.#focus, marked);
    fill(this.#found, marked ? this.#foundText(marked) : '');
    this.#all.disabled = this.#focus === null;
    const step = (/** @type {number} */ node) => h('button', {type: 'button', class: 'link', onclick: () => this.#zoomByButton(node)}, tree.nameOf(node));
    const path = this.#focus === null ? [] : tree.path(this.#focus);
    const arrow = (/** @type {number} */ node) => (tree.stacks(node).role === 'caller' ? ' ‹ ' : ' › ');
    fill(
      this.#path,
      path.flatMap((node, place) => (place ? [arrow(node), step(node)] : [step(node)])),
    );
  }

  /** @param {Set<number>} marked boxes that the search found */
  #foundText(marked) {
    const [tree, source] = [this.#tree, /** @type {Tree} */ (this.#source)];
    if (!(tree instanceof Sandwich)) return this.how.found(source, marked, null);
    const sides = /** @type {const} */ (['caller', 'callee']).map((role) => ({role, timed: tree.timed(marked, role)}));
    const found = sides.filter(({timed}) => timed.size > 0);
    const said = found.map(({role, timed}) => t(`calls.sandwich.found.${role}`, {found: this.how.found(source, timed, tree.stacks(0).timed)}));
    return said.join(' · ') || t('calls.sandwich.found.none');
  }

  /** The button goes, or is of no use any more: the focus moves to the graph. @param {number | null} node */
  #zoomByButton(node) {
    this.#zoom(node);
    this.#flame.focus();
  }

  /** @param {number | null} node */
  #zoom(node) {
    const tree = this.#tree;
    // The row of a name is as wide as all.
    const focus = node !== null && node === tree?.middle ? null : node;
    this.#focusOn(focus);
    this.app.opened(this.#opens.zoom, focus === null || !tree ? undefined : nodeKey(tree, focus));
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

  /** @param {number | null} node */
  #select(node) {
    this.#flame.chosen = node;
    if (node === null) fill(this.#one);
    else this.#choose(node);
  }

  /** A box's name and description. @param {number} node */
  #lines(node) {
    const tree = /** @type {StackTree} */ (this.#tree);
    return [tree.nameOf(node), ...this.how.describe(/** @type {Tree} */ (this.#source), tree.stacks(node))];
  }

  /** @param {number} node */
  #choose(node) {
    const [tree, source] = [/** @type {StackTree} */ (this.#tree), /** @type {Tree} */ (this.#source)];
    const [name, ...facts] = this.#lines(node);
    const stacks = tree.stacks(node);
    const attributes = {type: 'button', class: 'link', 'data-test': `${this.how.name}-zoom`, onclick: () => this.#zoom(node)};
    const isCall = source.parents[stacks.nodes[0]] >= 0;
    const links = [
      stacks.role === 'name' ? null : h('button', attributes, t('calls.zoom')),
      stacks.role === 'name' || !isCall ? null : this.sandwichButton(name),
      ...this.how.links(source, stacks, name),
    ].filter((link) => link !== null);
    fill(this.#one, h('strong', {}, name), ' ', h('span', {class: 'hint'}, facts.join(' · ')), ...links.flatMap((link) => [' ', link]));
  }
}
