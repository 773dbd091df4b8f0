// The parallel layout of a job's ranks, and the operators of MindSpore's parallel graph. Nothing here touches the page.

/** @typedef {{parallel: string | null, ranks: number[]}} Group ranks that share work, and how */
/** @typedef {{stage: number, bundles: number[][]}} StageLayout the ranks of a pipeline stage; those of a bundle share tensors */
/** @typedef {{name: string, type: string, full: string, strategy: string, inputs: string[]}} StrategyNode an operator of the graph, by its name there */

/**
 * The stages with their ranks, those that share tensors together.
 * @param {number[][]} stages the ranks of each; one for all where there are none @param {Group[]} groups @param {number[]} ranks all of them @returns {StageLayout[]}
 */
export function layoutOf(stages, groups, ranks) {
  const known = stages.length ? stages : [ranks];
  const tensor = groups.filter(({parallel}) => parallel === 'tensor').map((group) => group.ranks);
  return known.map((of, stage) => {
    const bundles = tensor.filter((group) => group.length > 1 && group.every((rank) => of.includes(rank)));
    const bundled = new Set(bundles.flat());
    const alone = of.filter((rank) => !bundled.has(rank)).map((rank) => [rank]);
    return {stage, bundles: [...bundles, ...alone].sort((a, b) => a[0] - b[0])};
  });
}

/**
 * Whether ranks differ in the part of the model that they hold: of data parallel ranks there is nothing to draw.
 * @param {{ranks: unknown[], stages: unknown[], groups: {parallel: string | null}[]}} spread
 */
export function isSpread({ranks, stages, groups}) {
  return ranks.length > 1 && (stages.length > 1 || groups.some(({parallel}) => parallel !== null && parallel !== 'data'));
}

/** The other ranks of a rank's groups, by how these share work. @param {Group[]} groups @param {number} rank @returns {Map<string, number[]>} */
export function peersOf(groups, rank) {
  /** @type {Map<string, Set<number>>} */
  const found = new Map();
  for (const {parallel, ranks} of groups) {
    if (!parallel || !ranks.includes(rank) || ranks.length < 2) continue;
    const peers = found.get(parallel) ?? new Set();
    for (const peer of ranks) if (peer !== rank) peers.add(peer);
    found.set(parallel, peers);
  }
  return new Map([...found].map(([parallel, peers]) => [parallel, [...peers].sort((a, b) => a - b)]));
}

/** The ranks of each stage, as the recorded table `parallel_strategy` lists them. @param {{columns: {name: string}[], values: (string | number | null)[][]}} table @returns {number[][]} */
export function stagesOf({columns, values}) {
  const at = columns.findIndex(({name}) => name === 'devices');
  return values.map((row) => [...String(row[at] ?? '').matchAll(/\d+/g)].map(Number));
}

/** The operators of the recorded table `parallel_nodes`. @param {{columns: {name: string}[], values: (string | number | null)[][]}} table @returns {StrategyNode[]} */
export function nodesOf({columns, values}) {
  const at = new Map(columns.map(({name}, index) => [name, index]));
  const text = (/** @type {(string | number | null)[]} */ row, /** @type {string} */ name) => String(row[at.get(name) ?? -1] ?? '');
  return values.map((row) => ({
    name: text(row, 'name'),
    type: text(row, 'opType'),
    full: text(row, 'fullName') || [text(row, 'scope'), text(row, 'opType')].filter(Boolean).join('/'),
    strategy: text(row, 'strategy'),
    inputs: text(row, 'input').split(', ').filter(Boolean),
  }));
}

/**
 * The neighbors of an operator: its inputs, which may be parameters, and the operators that take its output.
 * @param {StrategyNode[]} nodes @param {StrategyNode} node @returns {{inputs: (StrategyNode | string)[], outputs: StrategyNode[]}}
 */
export function aroundOf(nodes, node) {
  const named = new Map(nodes.map((one) => [one.name, one]));
  return {inputs: node.inputs.map((name) => named.get(name) ?? name), outputs: nodes.filter(({inputs}) => inputs.includes(node.name))};
}
