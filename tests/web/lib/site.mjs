// The built page in a browser, served under a path of some host.

import fs from 'node:fs';
import {after, afterEach, before} from 'node:test';

import {launchForTest} from './browser.mjs';
import {environment, scratch} from './program.mjs';
import {serve} from './server.mjs';
import {openTab, tabNames} from './tabs.mjs';
import {PATIENCE, until} from './until.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').BrowserContextOptions} Look */
/** @typedef {import('../../../www/js/shared/spawn.js').WorkerModule} WorkerModule */

/** Path of the page: not the root. */
export const PATH = '/some/where/';

/** The name of a worker; empty for one that ends before it answers, which nothing else tells. @param {import('playwright-core').Worker} worker @returns {Promise<string>} */
function nameOf(worker) {
  const ended = new Promise((resolve) => void worker.once('close', () => resolve('')));
  return Promise.race([worker.evaluate(() => self.name), ended]).catch(() => '');
}

/** A visit to the page. */
export class Visit {
  /** Console messages beyond plain logs, and uncaught errors. @type {string[]} */
  complaints = [];
  /** Addresses of all requests, also of those that were refused. @type {string[]} */
  requests = [];
  /** Requests that were answered by an error. @type {string[]} */
  failures = [];

  /** @param {Page} page @param {string} address */
  constructor(page, address) {
    this.page = page;
    this.address = address;
    page.on('console', (message) => {
      // It would keep files that tests change.
      if (message.text() === 'Service Worker registration blocked by Playwright') return;
      if (['error', 'warning'].includes(message.type())) this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    const context = page.context();
    context.on('request', (request) => this.requests.push(request.url()));
    context.on('response', (response) => {
      if (response.status() >= 400) this.failures.push(`${response.status()} ${response.url()}`);
    });
  }

  /** An element by its name for tests. @param {string} name */
  part(name) {
    return this.page.locator(`[data-test="${name}"]`);
  }

  /** Chooses files with the button, as a user does. @param {...string} files */
  async choose(...files) {
    const chooser = this.page.waitForEvent('filechooser');
    await this.page.locator('[data-test="choose"], [data-test="open"]').first().click();
    await (await chooser).setFiles(files);
  }

  /** Drags files and folders of the disk over the page, lets them go, and opens them in place of what is open. @param {...string} files */
  async drop(...files) {
    const asks = await this.#asksAboutDrops();
    await this.letGo(...files);
    if (asks) await this.part('replace-open').click();
  }

  /** Whether the page asks what is to be done with a drop: where a trace is open, unless ranks are compared. */
  #asksAboutDrops() {
    return this.page.evaluate(
      () => document.querySelector('[data-test="results"]') !== null && document.querySelector('[data-test="tab-compare"][aria-selected="true"]') === null,
    );
  }

  /** Drags files and folders of the disk over the page and lets them go. @param {...string} files */
  async letGo(...files) {
    const session = await this.page.context().newCDPSession(this.page);
    const data = {items: [], files, dragOperationsMask: 1};
    const send = (/** @type {'dragEnter' | 'dragOver' | 'drop'} */ type) => session.send('Input.dispatchDragEvent', {type, x: 200, y: 200, data});
    // The browser hands nothing to a page that it has not drawn yet: a drop then is lost.
    await this.until('the page sees what is dragged over it', async () => {
      await send('dragEnter');
      await send('dragOver');
      return (await this.page.locator('.dropping').count()) > 0;
    });
    await send('drop');
    await session.detach();
  }

  /** Drops made files, one drop right after the other, and opens them in place of what is open. @param {...[name: string, text: string]} files */
  async hand(...files) {
    const asks = await this.#asksAboutDrops();
    await this.page.evaluate((files) => {
      for (const [name, text] of files) {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], name));
        document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: transfer, bubbles: true, cancelable: true}));
      }
    }, files);
    if (asks) await this.part('replace-open').click();
  }

  /** The names of the page's workers, sorted. */
  async workers() {
    const names = await Promise.all(this.page.workers().map(nameOf));
    return names.filter(Boolean).sort();
  }

  /** Waits until something is so. @param {string} what that is @param {() => Promise<boolean> | boolean} isSo */
  until(what, isSo) {
    return until(what, isSo);
  }

  /** Waits until the page's workers run their scripts: the server's next answers are not for these. */
  async workersAreUp() {
    const isUp = () => performance.getEntriesByType('resource').some(({name}) => name.endsWith('.wasm'));
    await this.until('all workers run', async () => {
      const are = await Promise.all(this.page.workers().map((worker) => worker.evaluate(isUp).catch(() => false)));
      return are.every(Boolean);
    });
  }

  /** Waits until these are the page's workers. @param {...string} names */
  async hasWorkers(...names) {
    const wanted = names.sort().join();
    let found = '';
    await this.until(`the workers are ${wanted}`, async () => (found = (await this.workers()).join()) === wanted).catch((error) => {
      throw new Error(`${error.message}: they are ${found}`);
    });
  }

  /** One of the page's workers, once it is there. @param {WorkerModule} name @param {number} [which] index among those with this name, in order of start */
  async worker(name, which = 0) {
    /** @type {import('playwright-core').Worker | undefined} */
    let found;
    await this.until(`the page has the worker ${name}`, async () => {
      let left = which;
      for (const worker of this.page.workers()) {
        // One that has just ended may still be among them.
        if ((await nameOf(worker)) === name && left-- === 0) found = worker;
      }
      return found !== undefined;
    });
    return /** @type {import('playwright-core').Worker} */ (found);
  }

  /** Makes a worker die. @param {WorkerModule} name @param {number} [which] */
  async kill(name, which) {
    const worker = await this.worker(name, which);
    await worker.evaluate(() => {
      setTimeout(() => {
        throw new Error('made to fail');
      });
    });
  }

  /** Opens files and waits for their results. @param {...string} files */
  async open(...files) {
    await this.replaced(() => this.choose(...files));
  }

  /** Gives something to the page and waits for its results. @param {() => Promise<unknown>} give */
  async replaced(give) {
    // The current results stay until the page has the files.
    await this.page.evaluate(() => document.querySelector('[data-test="results"]')?.setAttribute('data-before', ''));
    await give();
    await this.page.waitForFunction(() => !document.querySelector('[data-before]'));
    await this.results();
  }

  /** Waits until results are shown. */
  async results() {
    try {
      await this.part('results').waitFor();
    } catch (error) {
      const shown = await this.page.locator('body').innerText();
      throw new Error(`no results: ${shown.slice(0, 500)}`, {cause: error});
    }
    // The tiles come with the selection, a moment after the rest, and cards one by one.
    await this.page
      .locator('[data-test="tile-step"]:visible, [data-test="job-card"]:visible, [data-test^="table-"]:visible, [data-test="timeline-canvas"]:visible')
      .first()
      .waitFor();
    await this.settled();
  }

  /** Opens a tab. @param {string} name */
  async tab(name) {
    await this.openTab(name);
    await this.settled();
  }

  /** Opens a tab, without waiting for its reports. @param {string} name */
  openTab(name) {
    return openTab(this.page, name);
  }

  /** The tabs that the trace has, by their names. */
  tabs() {
    return tabNames(this.page);
  }

  /** Chooses a setting: with a trace, it is in a menu. @param {'language' | 'theme' | 'definition'} name @param {string} value */
  async set(name, value) {
    await this.toSetting(name);
    await this.part(name).focus();
    await this.part(name).selectOption(value);
    // An open menu covers the elements below it.
    const menu = this.page.locator('details[open]', {has: this.part(name)});
    if (await menu.count()) await this.part(name).press('Escape');
  }

  /** Shows a setting. @param {'language' | 'theme' | 'definition'} name */
  async toSetting(name) {
    if (!(await this.part(name).isVisible())) await this.part('more').click();
  }

  /** Compares the shown trace with a file, which has its own session. @param {string} file */
  async compare(file) {
    await this.tab('compare');
    const chooser = this.page.waitForEvent('filechooser');
    await this.part('compare.open').click();
    await (await chooser).setFiles(file);
    // It opens with families where little has a name on both sides.
    await this.page.locator('[data-test="compare"] [data-test^="table-"]').filter({visible: true}).first().waitFor();
  }

  /** Waits for the open tab's reports. */
  async settled() {
    await this.page.waitForFunction(() => !document.querySelector('#panel [aria-busy="true"]'));
  }

  /** Waits for a problem and returns its words. */
  async problem() {
    const found = this.part('problem').first();
    await found.waitFor();
    return found.innerText();
  }

  /** The text of an element. @param {string} name */
  async text(name) {
    return (await this.part(name).innerText()).trim();
  }

  /** Tiles, as shown. @returns {Promise<Record<string, string[]>>} by name: value, and the text below */
  async tiles() {
    const found = await this.page
      .locator('.tile')
      .evaluateAll((tiles) =>
        tiles.map((tile) => [tile.getAttribute('data-test'), ...[...tile.querySelectorAll('.tile-value, .tile-more')].map((part) => part.textContent)]),
      );
    return Object.fromEntries(found.map(([name, ...values]) => [String(name).replace('tile-', ''), values.map(String)]));
  }

  /** The file that the page saves after a click. @param {() => Promise<unknown>} act @returns {Promise<{name: string, file: string, bytes: Buffer}>} */
  async saved(act) {
    const [download] = await Promise.all([this.page.waitForEvent('download'), act()]);
    const name = download.suggestedFilename();
    const file = scratch(`saved/${name}`);
    await download.saveAs(file);
    return {name, file, bytes: fs.readFileSync(file)};
  }

  /** Chooses from the menu of exports. @param {'step' | 'perfetto' | 'perfetto.all' | 'summary' | 'json'} kind */
  async export(kind) {
    return this.saved(async () => {
      await this.part('export').click();
      await this.part(`export.${kind}`).click();
    });
  }

  async close() {
    await this.page.context().close();
  }
}

/**
 * A browser and a server for the tests of a file.
 * @param {Record<string, string>} [folders] served beside the page, by their paths
 * @param {{warmUp?: boolean}} [options] whether workers compile the module ahead of time, which costs a test time
 */
export function site(folders = {}, {warmUp = false} = {}) {
  /** @type {import('playwright-core').Browser} */
  let browser;
  /** @type {Awaited<ReturnType<typeof serve>>} */
  let server;
  before(async () => {
    [browser, server] = await Promise.all([launchForTest(), serve({[PATH]: environment('STEPSCOPE_PAGE'), ...folders}, {warmUp})]);
  });
  // A test that fails leaves the next one an open gate.
  afterEach(() => server?.gate.open());
  after(async () => {
    await browser?.close();
    server?.close();
  });
  return {
    get origin() {
      return server.origin;
    },

    /** The gate at which the reading of files can be stopped. */
    get gate() {
      return server.gate;
    },

    /**
     * Opens the page in a fresh profile.
     * @param {Look & {query?: string}} [options]
     */
    async visit({query = '', ...look} = {}) {
      const context = await browser.newContext({locale: 'en-GB', viewport: {width: 1280, height: 900}, serviceWorkers: 'block', ...look});
      context.setDefaultTimeout(PATIENCE);
      // Its choice of files cannot be answered by a test.
      await context.addInitScript(() => void Reflect.deleteProperty(globalThis, 'showOpenFilePicker'));
      const visit = new Visit(await context.newPage(), server.origin + PATH);
      await visit.page.goto(visit.address + query);
      await visit.page.locator('#main').waitFor({state: 'attached'});
      return visit;
    },
  };
}
