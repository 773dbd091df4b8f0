// Environment of the page's scripts without a page: messages of the working tree, an address, stored choices.

import fs from 'node:fs';
import path from 'node:path';

import {loadLanguage} from '../../../../www/js/page/environment/i18n.js';
import {setEnvironment} from '../../../../www/js/page/environment/environment.js';

/** @typedef {import('../../../../www/js/page/environment/i18n.js').Language} Language */

const root = path.join(import.meta.dirname, '../../../..');

/** The analyzer's messages, by their folder on the page. @type {Record<string, string>} */
const FOLDERS = {tables: 'crate/table/src/messages', sentences: 'crate/present/src/messages'};

/** Reads the page's files from the working tree, where they lie in other folders than in the page. */
globalThis.fetch = async (/** @type {unknown} */ address) => {
  const [, folder, name] = /\/i18n\/(?:(tables|sentences)\/)?(\w+\.json)$/.exec(String(address)) ?? [];
  if (!name) throw new Error(`no test reads ${address}`);
  return new Response(fs.readFileSync(path.join(root, FOLDERS[folder] ?? 'www/i18n', name)));
};

/**
 * Puts the scripts into a page with a view in its address and stored choices.
 * @param {{view?: string, asked?: string, trace?: string, remembered?: Record<string, string>}} [page]
 */
export function inPage({view = '', asked = '', trace, remembered = {}} = {}) {
  const holder = {lang: ''};
  setEnvironment(
    /** @type {any} */ ({
      holder,
      alone: true,
      address: {view: () => view, asked: () => new URLSearchParams(asked), entry: () => ({trace})},
      remembered: (/** @type {string} */ key) => remembered[key] ?? null,
    }),
  );
  return holder;
}

/** Has the scripts speak a language. @param {Language} [language] */
export async function speak(language = 'en') {
  const holder = inPage();
  await loadLanguage(language);
  return holder;
}
