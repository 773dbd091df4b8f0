// The page: starts the worker and wires views, state and requests together.

import './environment/lockdown.js';
import {loadWasm} from '../shared/wasm.js';
import {App} from './app.js';
import {Client} from './client.js';
import {acceptDrops} from './files/drops.js';
import {linkedFiles} from './files/files.js';
import {askedLinks} from './files/links.js';
import {offerAgain} from './files/reopening.js';
import {Store} from './state.js';
import {loadFace, useFace} from './environment/face.js';
import {loadLanguage, preferredLanguage, t} from './environment/i18n.js';
import {keep} from './environment/storage.js';
import {lack} from './environment/features.js';
import {applyTheme, onSystemTheme} from './environment/theme.js';
import {renderFatal} from './views/frame/fatal.js';

async function start() {
  const {links: linked, clean} = askedLinks(location.search);
  // Before anything else adds entries to the history, or names this one.
  if (clean !== undefined) history.replaceState(history.state, '', clean + location.hash);
  applyTheme();
  loadFace();
  await loadLanguage(preferredLanguage());
  document.title = 'Stepscope';
  const missing = lack();
  if (missing) {
    renderFatal(document.body, t(missing));
    return;
  }
  const wasm = await loadWasm();
  useFace();
  const app = new App(document.body, new Store(), new Client(), wasm);
  onSystemTheme(() => app.redrawTheme());
  app.redraw();
  acceptDrops(app);
  keep(() => app.redraw());
  offerAgain(app, linked.length === 0);
  if (linked.length) await app.openFrom(() => linkedFiles(linked));
}

start().catch((error) => renderFatal(document.body, `${t('fatal.start')} ${error?.message ?? error}`));
