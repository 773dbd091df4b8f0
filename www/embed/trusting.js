// Trusted Types: a page that requires them lets workers start from trusted addresses only.

/** Name for a page's policy: `trusted-types stepscope-view`. */
const NAME = 'stepscope-view';

/** A policy that trusts the built-in workers, and nothing else; a page may forbid a second one of the name. @returns {(blob: string) => string} */
export function trusting() {
  /** @type {{createPolicy: (name: string, rules: {createScriptURL: (address: string) => string}) => {createScriptURL: (address: string) => string}} | undefined} */
  const types = /** @type {any} */ (globalThis).trustedTypes;
  if (!types) return (blob) => blob;
  try {
    const policy = types.createPolicy(NAME, {
      createScriptURL(address) {
        if (!address.startsWith('blob:')) throw new TypeError(`${address} is none of ours`);
        return address;
      },
    });
    return (blob) => policy.createScriptURL(blob);
  } catch {
    // Forbidden; whether it is demanded is seen when a worker is started.
    return (blob) => blob;
  }
}
