// The operators of a parallel graph in boxes by their name scopes: which boxes and operators are drawn, and the edges between these. Nothing here
// touches the page.

/** @typedef {import('./strategy-layout.js').StrategyNode} StrategyNode */
/** @typedef {'split' | 'whole' | 'communication' | 'unknown'} Kind the split of an operator */

/** All kinds, in the order of the legend. @type {Kind[]} */
export const KINDS = ['split', 'whole', 'communication', 'unknown'];

/** Children of an open box that are drawn at once. */
export const PAGE = 24;

/** Boxes and operators that are drawn at once, before the box that was opened first is closed. */
export const MOST = 120;

/**
 * A box of the graph. A scope that has nothing but one other scope is one box with that.
 * @typedef {object} Scope
 * @property {string} path
 * @property {string} name its part of the path
 * @property {Scope | null} parent
 * @property {(Scope | number)[]} children scopes, and operators by their index, inputs first
 * @property {number[]} operators all inside, by their index
 */

/**
 * Something that is drawn.
 * @typedef {object} Item
 * @property {string} key
 * @property {'scope' | 'operator' | 'earlier' | 'later'} type `earlier` and `later`: the children before and after those of the page that is shown
 * @property {Scope} scope the box itself; for other items, the box around
 * @property {number} index of an operator; -1 of others
 * @property {number[]} operators it stands for
 * @property {Item | null} parent the open box around
 * @property {Item[] | null} children of an open box
 */

/** @typedef {{from: Item, to: Item, count: number}} Link between two that are drawn and are no open boxes; `count`: edges of operators */
/** @typedef {{items: Item[], all: Item[], itemOf: Item[], links: Map<string, Link>, closed: number, paged: number}} Drawing `all`: with those inside of others; `itemOf`: the item that stands for each operator; `closed`: operators in closed boxes; `paged`: those on other pages */

/** Communication operators. MindSpore names some of its own with an underscore. */
const COMMUNICATION =
  /^_?(?:Host|MiniStep|MicroStep|Virtual)?(?:AllReduce|AllGather|ReduceScatter|All[Tt]o[Aa]ll|NeighborExchange|CollectiveScatter|CollectiveGather|Mirror\w*Operator)\w*$|^(?:Broadcast|Send|Receive)$/;

/** Boxes and operators up to which the largest boxes are open at first. */
const FIRST = 18;

/** The kind of an operator by its split. @param {StrategyNode} node @returns {Kind} */
export function kindOf({type, strategy}) {
  if (strategy) return (strategy.match(/\d+/g) ?? []).some((parts) => Number(parts) > 1) ? 'split' : 'whole';
  return COMMUNICATION.test(type) ? 'communication' : 'unknown';
}

/** The key by which a link is found. @param {Item} from @param {Item} to */
export const linkKey = (from, to) => `${from.key}>${to.key}`;

/** The graph, and which of its boxes are open. */
export class ScopedGraph {
  /** The scopes that are open, the one that was opened first first. @type {Set<Scope>} */
  #open = new Set();
  /** Where the page of a scope begins. @type {Map<Scope, number>} */
  #from = new Map();
  /** The scope of each operator. @type {Scope[]} */
  #home = [];

  /** @param {StrategyNode[]} nodes */
  constructor(nodes) {
    this.nodes = nodes;
    this.kinds = nodes.map(kindOf);
    const named = new Map(nodes.map(({name}, index) => [name, index]));
    /** From where to where, by the operators' indices. @type {[number, number][]} */
    this.edges = nodes.flatMap(({inputs}, to) =>
      [...new Set(inputs)].flatMap((name) => {
        const from = named.get(name);
        return from === undefined || from === to ? [] : [/** @type {[number, number]} */ ([from, to])];
      }),
    );
    this.root = this.#scopes(inputsFirst(nodes.length, this.edges));
    this.#begin();
  }

  /** Opens the largest boxes while few things are drawn. */
  #begin() {
    for (;;) {
      const {all} = this.drawing();
      const closed = all.flatMap(({type, scope, children}) => (type === 'scope' && !children ? scope : []));
      const [next] = closed
        .filter(({children}) => Math.min(children.length, PAGE) + all.length <= FIRST)
        .sort((a, b) => b.operators.length - a.operators.length);
      if (!next) return;
      this.#open.add(next);
    }
  }

  /** Makes the scopes. @param {number[]} order of the operators */
  #scopes(order) {
    /** @type {Scope} */
    const root = {path: '', name: '', parent: null, children: [], operators: []};
    /** @type {Map<string, Scope>} */
    const known = new Map([['', root]]);
    const scopeOf = (/** @type {string[]} */ path) => {
      let at = root;
      for (const name of path) {
        const key = `${at.path}/${name}`;
        let next = known.get(key);
        if (!next) {
          next = {path: key, name, parent: at, children: [], operators: []};
          known.set(key, next);
          at.children.push(next);
        }
        at = next;
      }
      return at;
    };
    for (const index of order) {
      const home = scopeOf(this.nodes[index].full.split('/').slice(0, -1).filter(Boolean));
      home.children.push(index);
      for (let at = /** @type {Scope | null} */ (home); at; at = at.parent) at.operators.push(index);
    }
    const found = joined(root);
    const settle = (/** @type {Scope} */ scope) => {
      for (const child of scope.children) {
        if (typeof child === 'number') this.#home[child] = scope;
        else settle(child);
      }
    };
    settle(found);
    return found;
  }

  /** @param {Scope} scope */
  isOpen(scope) {
    return this.#open.has(scope);
  }

  /** Whether a box other than the whole graph is open, or another page than the first is shown. */
  get isChanged() {
    return this.#open.size > 0 || this.#from.size > 0;
  }

  /** Opens a box. Those that were opened first are closed where too much would be drawn. @param {Scope} scope @returns {number} number of closed boxes */
  open(scope) {
    this.#open.delete(scope);
    this.#open.add(scope);
    const around = new Set([scope]);
    for (let at = scope.parent; at; at = at.parent) around.add(at);
    let closed = 0;
    for (const old of [...this.#open]) {
      if (this.drawing().all.length <= MOST) break;
      if (around.has(old)) continue;
      this.#open.delete(old);
      closed += 1;
    }
    return closed;
  }

  /** Closes a box, and those in it: it opens again as if it were new. @param {Scope} scope */
  close(scope) {
    for (const one of [...this.#open]) if (isWithin(one, scope)) this.#open.delete(one);
    for (const one of [...this.#from.keys()]) if (isWithin(one, scope)) this.#from.delete(one);
  }

  /** Shows the page before or after in an open box. @param {Scope} scope @param {-1 | 1} way */
  turn(scope, way) {
    const last = Math.floor((scope.children.length - 1) / PAGE) * PAGE;
    const from = Math.max(0, Math.min((this.#from.get(scope) ?? 0) + way * PAGE, last));
    if (from) this.#from.set(scope, from);
    else this.#from.delete(scope);
  }

  /** Opens all boxes around an operator, at its page. @param {number} index @returns {number} number of other boxes that were closed */
  reveal(index) {
    /** @type {Scope | number} */
    let child = index;
    /** @type {Scope[]} */
    const around = [];
    for (let scope = /** @type {Scope | null} */ (this.#home[index]); scope; scope = scope.parent) {
      const from = Math.floor(scope.children.indexOf(child) / PAGE) * PAGE;
      if (from) this.#from.set(scope, from);
      else this.#from.delete(scope);
      if (scope !== this.root) around.unshift(scope);
      child = scope;
    }
    return around.reduce((closed, scope) => closed + (this.isOpen(scope) ? 0 : this.open(scope)), 0);
  }

  /** The current drawing. @returns {Drawing} */
  drawing() {
    /** @type {Item[]} */
    const all = [];
    /** @type {Item[]} */
    const itemOf = [];
    let [closed, paged] = [0, 0];
    const item = (/** @type {Pick<Item, 'key' | 'type' | 'scope' | 'parent' | 'operators'> & {index?: number}} */ of) => {
      /** @type {Item} */
      const made = {index: -1, children: null, ...of};
      all.push(made);
      for (const operator of made.operators) itemOf[operator] = made;
      return made;
    };
    const inside = (/** @type {Scope} */ scope, /** @type {Item | null} */ parent) => {
      const from = this.#from.get(scope) ?? 0;
      const end = from + PAGE;
      const others = (/** @type {'earlier' | 'later'} */ type, /** @type {(Scope | number)[]} */ children) => {
        const operators = children.flatMap((child) => (typeof child === 'number' ? child : child.operators));
        paged += operators.length;
        return children.length ? [item({key: `${type} ${scope.path}`, type, scope, parent, operators})] : [];
      };
      /** @type {Item[]} */
      const found = others('earlier', scope.children.slice(0, from));
      for (const child of scope.children.slice(from, end)) {
        if (typeof child === 'number') found.push(item({key: `operator ${child}`, type: 'operator', scope, parent, index: child, operators: [child]}));
        else {
          const box = item({key: `scope ${child.path}`, type: 'scope', scope: child, parent, operators: child.operators});
          if (this.isOpen(child)) box.children = inside(child, box);
          else closed += child.operators.length;
          found.push(box);
        }
      }
      found.push(...others('later', scope.children.slice(end)));
      return found;
    };
    const items = inside(this.root, null);
    /** @type {Map<string, Link>} */
    const links = new Map();
    for (const [a, b] of this.edges) {
      const [from, to] = [itemOf[a], itemOf[b]];
      if (from === to) continue;
      const key = linkKey(from, to);
      const link = links.get(key);
      if (link) link.count += 1;
      else links.set(key, {from, to, count: 1});
    }
    return {items, all, itemOf, links, closed, paged};
  }

  /** Number of operators of each kind. @param {number[]} operators @returns {[Kind, number][]} those that are there */
  countsOf(operators) {
    const counts = KINDS.map((kind) => [kind, 0]);
    for (const index of operators) /** @type {number} */ (counts[KINDS.indexOf(this.kinds[index])][1]) += 1;
    return /** @type {[Kind, number][]} */ (counts.filter(([, count]) => count));
  }

  /** The operators with a text in one of the list's columns, inputs first. @param {string} text @returns {number[]} */
  matching(text) {
    const wanted = text.trim().toLowerCase();
    if (!wanted) return [];
    return this.root.operators.filter((index) => {
      const {full, type, strategy} = this.nodes[index];
      return [full, type, strategy].join(' ').toLowerCase().includes(wanted);
    });
  }
}

/** Whether a scope is another one, or in it. @param {Scope} scope @param {Scope} other */
function isWithin(scope, other) {
  for (let at = /** @type {Scope | null} */ (scope); at; at = at.parent) if (at === other) return true;
  return false;
}

/** A scope with those joined that have nothing but one other. @param {Scope} scope @returns {Scope} */
function joined(scope) {
  let at = scope;
  while (at.children.length === 1 && typeof at.children[0] !== 'number') {
    const [only] = at.children;
    only.name = [at.name, only.name].filter(Boolean).join('/');
    only.parent = at.parent;
    at = only;
  }
  at.children = at.children.map((child) => {
    if (typeof child === 'number') return child;
    const made = joined(child);
    made.parent = at;
    return made;
  });
  return at;
}

/** The indices of operators in an order in which inputs come first, as far as there are no circles. @param {number} count @param {[number, number][]} edges @returns {number[]} */
function inputsFirst(count, edges) {
  /** @type {number[][]} */
  const inputs = Array.from({length: count}, () => []);
  for (const [from, to] of edges) inputs[to].push(from);
  const seen = new Set();
  /** @type {number[]} */
  const order = [];
  for (let start = 0; start < count; start += 1) {
    // Graphs are deeper than the stack.
    const stack = [{index: start, next: 0}];
    if (seen.has(start)) continue;
    seen.add(start);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const input = inputs[top.index][top.next++];
      if (input === undefined) order.push(/** @type {{index: number}} */ (stack.pop()).index);
      else if (!seen.has(input)) {
        seen.add(input);
        stack.push({index: input, next: 0});
      }
    }
  }
  return order;
}
