// The drawn graph of the operators of MindSpore's parallel graph. This script is loaded when a trace has such a graph: it imports nothing that has a
// state of its own, so that the page has no second one of that, and is given the messages.

import {fill, h} from '../../dom.js';
import {HEADING, itemAfter, pathOf, pictureOf} from './graph-layout.js';
import {ScopedGraph} from './graph-scopes.js';

/** @typedef {import('./graph-scopes.js').Item} Item */
/** @typedef {import('./graph-scopes.js').Link} Link */
/** @typedef {import('./graph-scopes.js').Kind} Kind */
/** @typedef {import('./strategy-layout.js').StrategyNode} StrategyNode */

const SVG = 'http://www.w3.org/2000/svg';

/** Room around the graph, in pixels. */
const MARGIN = 12;

/** The width of a row of boxes where the graph has no width yet, and at least. */
const USUAL_WIDTH = 960;
const LEAST_WIDTH = 380;

/** The place of items that are not drawn. */
const NOWHERE = {x: 0, y: 0, width: 0, height: 0};

/** @param {string} tag @param {Record<string, string | number>} attributes */
function drawn(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

/** The graph, its search, its legend and a note on items that are left out. */
export class StrategyGraph {
  #t;
  #count;
  #onPick;
  /** @type {ScopedGraph | undefined} */
  #graph;
  /** @type {import('./graph-scopes.js').Drawing | undefined} */
  #drawing;
  /** @type {import('./graph-layout.js').Picture | undefined} */
  #picture;
  /** The elements that take the focus. @type {Map<Item, HTMLElement>} */
  #buttons = new Map();
  /** The lines, each with its links. @type {[SVGElement, Set<Link>][]} */
  #lines = [];
  /** The operator that was chosen, by its index. */
  #chosen = -1;
  /** The key of the item that takes the focus by the tab key. */
  #stop = '';
  /** The operators that the search found, and the place in them. @type {number[]} */
  #found = [];
  #place = -1;
  /** Number of boxes that the last step closed, since too much would be drawn. */
  #closed = 0;
  #search;
  #foundText = h('span', {class: 'hint', role: 'status', 'data-test': 'strategy-graph-found'});
  #closeAll;
  #legend = h('p', {class: 'strategy-graph-legend', 'data-test': 'strategy-graph-legend'});
  #said = h('p', {class: 'hint', role: 'status', 'data-test': 'strategy-graph-said'});
  #space = h('div', {class: 'strategy-graph-space'});
  #scroll;

  /**
   * @param {object} how
   * @param {typeof import('../../environment/i18n.js').t} how.t
   * @param {(count: number) => string} how.count
   * @param {(index: number) => void} how.onPick an operator was chosen here
   */
  constructor({t, count, onPick}) {
    this.#t = t;
    this.#count = count;
    this.#onPick = onPick;
    this.#search = h('input', {
      type: 'search',
      class: 'search',
      placeholder: t('strategy.graph.search'),
      'aria-label': t('strategy.graph.search'),
      'data-test': 'strategy-graph-search',
      oninput: () => this.#find(),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.#searchKey(event),
    });
    this.#closeAll = h(
      'button',
      {type: 'button', class: 'button', 'data-test': 'strategy-graph-close', onclick: () => this.#restart()},
      t('strategy.graph.close'),
    );
    this.#scroll = h(
      'div',
      {
        class: 'strategy-graph',
        role: 'group',
        'aria-label': t('strategy.graph'),
        'aria-description': t('strategy.graph.keys'),
        'data-test': 'strategy-graph',
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
        onfocusin: (/** @type {FocusEvent} */ event) => this.#focused(event),
        onfocusout: () => this.#light(undefined),
      },
      this.#space,
    );
    const tools = h('div', {class: 'strategy-graph-tools'}, this.#search, this.#foundText, h('span', {class: 'space'}), this.#closeAll);
    this.element = h('div', {}, tools, this.#legend, this.#scroll, this.#said);
  }

  /** @param {StrategyNode[]} nodes */
  show(nodes) {
    this.#graph = new ScopedGraph(nodes);
    this.#chosen = -1;
    this.#search.value = '';
    this.#found = [];
    this.#closed = 0;
    fill(
      this.#legend,
      this.#graph
        .countsOf(this.#graph.root.operators)
        .map(([kind, count]) =>
          h(
            'span',
            {class: 'strategy-graph-kind'},
            h('span', {class: 'strategy-graph-swatch', 'data-kind': kind, 'aria-hidden': 'true'}),
            this.#kindText(kind, count),
          ),
        ),
    );
    this.#find();
    this.#draw();
    this.#scroll.scrollTo(0, 0);
  }

  /** Opens the boxes around an operator and marks it. @param {number} index @param {{focus?: boolean}} [how] whether it takes the focus */
  reveal(index, {focus = false} = {}) {
    if (!this.#graph) return;
    this.#closed = this.#graph.reveal(index);
    this.#chosen = index;
    this.#stop = `operator ${index}`;
    this.#draw();
    const item = this.#drawing?.itemOf[index];
    if (!item) return;
    this.#center(item);
    if (focus) this.#buttons.get(item)?.focus({preventScroll: true});
  }

  /** No operator is marked. */
  forget() {
    if (this.#chosen < 0) return;
    this.#chosen = -1;
    this.#draw();
  }

  #restart() {
    this.#closed = 0;
    if (!this.#graph) return;
    this.#graph.close(this.#graph.root);
    this.#draw();
    this.#scroll.scrollTo(0, 0);
  }

  /** @param {Item} item */
  #center(item) {
    const box = this.#picture?.boxes.get(item);
    if (!box) return;
    const {clientWidth: width, clientHeight: height} = this.#scroll;
    this.#scroll.scrollTo(box.x + MARGIN + box.width / 2 - width / 2, box.y + MARGIN + box.height / 2 - height / 2);
  }

  /** Handler of a click. @param {Item} item */
  #act(item) {
    const graph = /** @type {ScopedGraph} */ (this.#graph);
    this.#closed = 0;
    if (item.type === 'operator') {
      this.#chosen = item.index;
      this.#draw(item);
      this.#onPick(item.index);
      return;
    }
    if (item.type === 'scope') {
      if (item.children) graph.close(item.scope);
      else this.#closed = graph.open(item.scope);
    } else graph.turn(item.scope, item.type === 'later' ? 1 : -1);
    this.#draw(item);
  }

  /** Draws all anew. @param {Item} [kept] stays where it is on the screen, and keeps the focus */
  #draw(kept) {
    const graph = this.#graph;
    if (!graph) return;
    const before = kept && this.#picture?.boxes.get(kept);
    const room = this.#scroll.clientWidth - 2 * MARGIN;
    const drawing = (this.#drawing = graph.drawing());
    const picture = pictureOf(drawing.items, drawing.links.values(), room > 0 ? Math.max(LEAST_WIDTH, room) : USUAL_WIDTH);
    this.#picture = picture;
    const svg = drawn('svg', {width: picture.width + 2 * MARGIN, height: picture.height + 2 * MARGIN, 'aria-hidden': 'true'});
    const all = drawn('g', {transform: `translate(${MARGIN} ${MARGIN})`});
    svg.append(all);
    this.#lines = picture.lines.map(({points, count, links, isArrow, isUp}) => {
      const line = drawn('g', {class: 'strategy-graph-line'});
      line.append(drawn('path', {d: pathOf(points), 'stroke-width': Math.min(4, 1 + Math.log2(count) / 2)}));
      const {x, y} = isUp ? points[0] : points[points.length - 1];
      if (isArrow)
        line.append(
          drawn('path', {
            class: 'strategy-graph-head',
            d: isUp ? `M${x - 4} ${y + 7}L${x} ${y}L${x + 4} ${y + 7}Z` : `M${x - 4} ${y - 7}L${x} ${y}L${x + 4} ${y - 7}Z`,
          }),
        );
      all.append(line);
      return [/** @type {SVGElement} */ (line), links];
    });
    this.#buttons = new Map();
    const marked = new Set(this.#found.map((index) => drawing.itemOf[index]));
    const boxes = drawing.all.map((item) => this.#box(item, marked.has(item)));
    const frames = drawing.all.filter(({children}) => children).map((item) => this.#frame(item));
    this.#space.style.setProperty('width', `${picture.width + 2 * MARGIN}px`);
    this.#space.style.setProperty('height', `${picture.height + 2 * MARGIN}px`);
    // The focused element is replaced: the focus stays in the graph.
    const {activeElement} = /** @type {Document | ShadowRoot} */ (this.#scroll.getRootNode());
    const hadFocus = this.#scroll.contains(activeElement);
    // Lines are seen in frames, and not on boxes.
    fill(this.#space, frames, svg, boxes);
    const again = kept && drawing.all.find(({key}) => key === kept.key);
    const next = again ?? (kept && this.#nextOf(kept)) ?? drawing.all.find(({key}) => key === this.#stop) ?? drawing.all[0];
    const after = next && picture.boxes.get(next);
    if (before && after) this.#scroll.scrollBy(after.x - before.x, after.y - before.y);
    if (next) {
      this.#stopAt(next);
      if (kept && hadFocus) this.#buttons.get(next)?.focus({preventScroll: true});
    }
    this.#light(undefined);
    this.#closeAll.disabled = !graph.isChanged;
    this.#say();
  }

  /** Where the focus goes from one that is no longer drawn: a last page leads back, a first one on. @param {Item} item */
  #nextOf({type, scope}) {
    const others = this.#drawing?.all.filter((one) => one.scope === scope) ?? [];
    return others.find((one) => one.type === (type === 'later' ? 'earlier' : 'later')) ?? others[0];
  }

  /** @param {HTMLElement} element @param {Item} item @param {number} [height] its own, if that is not the item's */
  #put(element, item, height) {
    const box = this.#picture?.boxes.get(item) ?? NOWHERE;
    const place = {left: box.x + MARGIN, top: box.y + MARGIN, width: box.width, height: height ?? box.height};
    for (const [name, value] of Object.entries(place)) element.style.setProperty(name, `${value}px`);
    return element;
  }

  /** The frame around the children of an open box. @param {Item} item */
  #frame(item) {
    let depth = 0;
    for (let at = item.parent; at; at = at.parent) depth += 1;
    return this.#put(h('div', {class: `strategy-graph-frame${depth % 2 ? ' is-inner' : ''}`}), item);
  }

  /** The button of an item; for an open box, its heading. @param {Item} item @param {boolean} isFound */
  #box(item, isFound) {
    const {name, text, title, kinds} = this.#words(item);
    const isChosen = item.index >= 0 && item.index === this.#chosen;
    const look = [`is-${item.type}`, isFound && 'is-found', isChosen && 'is-chosen'];
    const button = h(
      'button',
      {
        type: 'button',
        class: ['strategy-graph-item', ...look].filter(Boolean).join(' '),
        'data-kind': item.type === 'operator' ? kinds[0][0] : null,
        tabindex: '-1',
        title,
        'aria-expanded': item.type === 'scope' ? String(item.children !== null) : null,
        'aria-pressed': item.type === 'operator' ? String(isChosen) : null,
        'data-test': `strategy-graph-${item.type}`,
        onclick: () => this.#act(item),
        onpointerenter: () => this.#light(item),
        onpointerleave: () => this.#light(undefined),
      },
      h('span', {class: 'strategy-graph-name'}, name),
      ' ',
      h('span', {class: 'strategy-graph-text'}, text),
    );
    this.#buttons.set(item, button);
    if (item.children) return this.#put(button, item, HEADING);
    if (item.type === 'scope') {
      const bar = kinds.map(([kind, count]) => {
        const part = h('span', {'data-kind': kind});
        part.style.setProperty('flex-grow', String(count));
        return part;
      });
      button.append(h('span', {class: 'strategy-graph-bar'}, bar));
    }
    return this.#put(button, item);
  }

  /** @param {Item} item */
  #words(item) {
    const graph = /** @type {ScopedGraph} */ (this.#graph);
    const kinds = graph.countsOf(item.operators);
    const {type, scope, index, operators, children} = item;
    const count = this.#count(operators.length);
    if (type === 'operator') {
      const {full, strategy, type: of} = graph.nodes[index];
      const [[kind]] = kinds;
      const said = strategy && kind === 'split' ? this.#t('strategy.split', {parts: strategy}) : this.#t(`strategy.graph.kind.${kind}`);
      const name = full.split('/').at(-1) || of;
      return {kinds, name, text: strategy && kind === 'split' ? strategy : said, title: [full || name, of, said].filter(Boolean).join('\n')};
    }
    const parts = kinds.map(([kind, of]) => this.#kindText(kind, of)).join(', ');
    const all = this.#t('strategy.graph.operators', {count});
    if (type === 'scope') {
      const act = this.#t(children ? 'strategy.graph.act.close' : 'strategy.graph.act.open');
      return {kinds, name: scope.name, text: all, title: [scope.path.slice(1), `${all}: ${parts}`, act].join('\n')};
    }
    const said = this.#t(`strategy.graph.${type}`, {count});
    return {kinds, name: said, text: '', title: `${said}\n${parts}`};
  }

  /** @param {Kind} kind @param {number} count */
  #kindText(kind, count) {
    return `${this.#t(`strategy.graph.kind.${kind}`)} ${this.#count(count)}`;
  }

  /** Shows the note on items that are left out. */
  #say() {
    const {closed = 0, paged = 0} = this.#drawing ?? {};
    const all = this.#graph?.nodes.length ?? 0;
    const number = this.#count;
    fill(
      this.#said,
      [
        this.#t('strategy.graph.drawn', {drawn: number(all - closed - paged), all: number(all)}),
        closed > 0 && this.#t('strategy.graph.closed', {count: number(closed)}),
        paged > 0 && this.#t('strategy.graph.paged', {count: number(paged)}),
        this.#closed > 0 && this.#t('strategy.graph.full', {count: number(this.#closed)}),
      ]
        .filter(Boolean)
        .join(' · '),
    );
  }

  /** Marks the lines of the chosen operator, and those of an item. @param {Item | undefined} item */
  #light(item) {
    const chosen = this.#drawing?.itemOf[this.#chosen];
    for (const [line, links] of this.#lines) {
      const isLit = [...links].some(({from, to}) => [chosen, item].some((one) => one && (one === from || one === to)));
      line.classList.toggle('is-lit', isLit);
    }
  }

  /** @param {Item} item */
  #stopAt(item) {
    this.#stop = item.key;
    for (const [one, button] of this.#buttons) button.tabIndex = one === item ? 0 : -1;
  }

  /** @param {FocusEvent} event */
  #focused({target}) {
    const item = this.#itemOf(target);
    if (!item) return;
    this.#stopAt(item);
    this.#light(item);
  }

  /** @param {EventTarget | null} target */
  #itemOf(target) {
    return [...this.#buttons].find(([, button]) => button === target)?.[0];
  }

  /** Arrows lead to neighbors. @param {KeyboardEvent} event */
  #key(event) {
    const {key, altKey, ctrlKey, metaKey, target} = event;
    const item = this.#itemOf(target);
    if (!item || !this.#picture || !this.#drawing || altKey || ctrlKey || metaKey) return;
    if (!['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(key)) return;
    // Arrows choose steps elsewhere on the page.
    event.preventDefault();
    event.stopPropagation();
    const to = itemAfter(key, item, this.#picture, this.#drawing.links.values());
    if (to) this.#buttons.get(to)?.focus();
  }

  /** Looks for the text, and marks the items that have it. */
  #find() {
    this.#found = this.#graph?.matching(this.#search.value) ?? [];
    this.#place = -1;
    this.#sayFound();
    const marked = new Set(this.#found.map((index) => this.#drawing?.itemOf[index]));
    for (const [item, button] of this.#buttons) button.classList.toggle('is-found', marked.has(item));
  }

  #sayFound() {
    const all = this.#count(this.#found.length);
    const said = this.#place < 0 ? this.#t('strategy.graph.found', {count: all}) : this.#t('strategy.graph.found.at', {at: this.#count(this.#place + 1), all});
    fill(this.#foundText, this.#search.value.trim() ? said : '');
  }

  /** Enter leads to the next one found. @param {KeyboardEvent} event */
  #searchKey(event) {
    const {length} = this.#found;
    if (event.key !== 'Enter' || !length) return;
    event.preventDefault();
    this.#place = event.shiftKey ? (Math.max(this.#place, 0) + length - 1) % length : (this.#place + 1) % length;
    const index = this.#found[this.#place];
    this.reveal(index);
    this.#sayFound();
    this.#onPick(index);
  }
}
