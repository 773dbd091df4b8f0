// The link to the current view of the files; it does not contain these.

import {t} from '../../environment/i18n.js';
import {environment} from '../../environment/environment.js';

/** Whether the page has an address of its own: elements of other pages have none. */
export const hasLink = () => environment().alone;

/** Copies the link to the current view, and says how to open it. @param {import('../../app.js').App} app */
export async function copyLink(app) {
  let said = t('link.copied');
  try {
    await navigator.clipboard.writeText(app.link);
  } catch {
    said = t('table.copy.failed');
  }
  app.message.show(said);
}
