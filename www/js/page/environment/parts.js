// The page's files beside scripts and wasm. A build into a single file contains them (`embed/parts.js`, with the same
// exports).

/** The picture of the page, as an address; none where there is no room for one. @type {string | undefined} */
export const ICON = new URL('../../../img/icon.svg', import.meta.url).href;

/** Where the demo trace is, if there is one. @type {URL | undefined} */
export const DEMO = new URL('../../../demo.json.gz', import.meta.url);

/** Where the demo of several ranks is, if there is one. @type {URL | undefined} */
export const DEMO_JOB = new URL('../../../demo-job.zip', import.meta.url);

/** The messages of a language: the page's own, and the analyzer's headings of tables and sentences. @param {string} language @returns {Promise<Record<string, string>>} */
export async function messagesOf(language) {
  const read = async (/** @type {string} */ path) => (await fetch(new URL(path, import.meta.url))).json();
  const files = [`${language}.json`, `tables/${language}.json`, `sentences/${language}.json`];
  return Object.assign({}, ...(await Promise.all(files.map((file) => read(`../../../i18n/${file}`)))));
}

/** Messages that only reports have, in a language. @param {string} language @returns {Promise<Record<string, string>>} */
export async function reportMessagesOf(language) {
  return (await fetch(new URL(`../../../i18n/report/report.${language}.json`, import.meta.url))).json();
}

/** The analyzer as a piece of HTML, for a report that carries it. @returns {Promise<string>} */
export async function analyzer() {
  const answer = await fetch(new URL('../../../analyzer.html', import.meta.url));
  if (!answer.ok) throw new Error(`analyzer.html: ${answer.status} ${answer.statusText}`);
  return answer.text();
}
