// Links to traces, and their secret parts.

/** The user and password of a link, after the text before them. Browsers take `\\` for `/`, and need none after a scheme. */
const USER = /^(\s*(?:[a-z][a-z\d+.-]*:[\\/]*|[\\/]{2,}))[^\\/?#]*@/i;

/** A link as it may be shown: without the user and password that may be in it, and in links within it. @param {string} link */
export const withoutUser = (link) => link.replace(USER, '$1***@').replace(/:\/\/[^/?#\s]*@/g, '://***@');

/** A link that names the same file without a user and password. @param {string} link */
const anonymous = (link) => link.replace(USER, '$1');

/**
 * The links to traces in the page's address, and that address without users and passwords if there are any: it stays in the address bar and in the
 * browser's history, and is copied from there.
 * @param {string} search @returns {{links: string[], clean: string | undefined}}
 */
export function askedLinks(search) {
  const asked = [...new URLSearchParams(search)];
  const clean = asked.map(([name, value]) => [name, name === 'trace' ? anonymous(value) : value]);
  const links = clean.flatMap(([name, value]) => (name === 'trace' && value ? [value] : []));
  const isClean = asked.every(([, value], index) => value === clean[index][1]);
  return {links, clean: isClean ? undefined : `?${new URLSearchParams(clean)}`};
}
