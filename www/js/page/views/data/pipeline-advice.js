// Advice on an operator of the data pipeline, by its kind. Nothing here touches the page.

/** Kinds of operators with advice of their own. */
const KINDS = ['generator', 'map', 'batch'];

/** The message that advises on an operator that slows the pipeline down. @param {{type: string, children: number[]}} operator */
export function adviceKey({type, children}) {
  const kind = type.replace(/Op$/, '').toLowerCase();
  return `data.advice.${KINDS.includes(kind) ? kind : children.length ? 'other' : 'source'}`;
}
