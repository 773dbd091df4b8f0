// The page: starts the worker and wires views, state and requests together.

import './closed.js';
import {App} from './app.js';
import {Client} from './client.js';
import {acceptDrops} from './drops.js';
import {linkedFiles} from './files.js';
import {loadLanguage, preferredLanguage, t} from './i18n.js';
import {keep} from './keeping.js';
import {lack} from './lack.js';
import {askedLinks} from './links.js';
import {offerAgain} from './reopening.js';
import {Store} from './state.js';
import {applyTheme, onSystemTheme} from './theme.js';
import {renderFatal} from './views/fatal.js';
import {loadWasm} from './wasm.js';

async function start() {
  const {links: linked, clean} = askedLinks(location.search);
  // Before anything else adds entries to the history, or names this one.
  if (clean !== undefined) history.replaceState(history.state, '', clean + location.hash);
  applyTheme();
  await loadLanguage(preferredLanguage());
  document.title = 'Stepscope';
  const missing = lack();
  if (missing) {
    renderFatal(document.body, t(missing));
    return;
  }
  const wasm = await loadWasm();
  const app = new App(document.body, new Store(), new Client(), wasm);
  onSystemTheme(() => app.redrawTheme());
  app.redraw();
  acceptDrops(app);
  keep(() => app.redraw());
  offerAgain(app, linked.length === 0);
  if (linked.length) await app.openFrom(() => linkedFiles(linked));
}

start().catch((error) => renderFatal(document.body, `${t('fatal.start')} ${error?.message ?? error}`));
