// Trusted Types: a page that demands them lets no worker start from an address that nobody vouches for.

/** What a page's policy has to name: `trusted-types stepscope-view`. */
const NAME = 'stepscope-view';

/** What vouches for the workers that are built in, and for nothing else; a page may forbid a second one of the name. @returns {(blob: string) => string} */
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
