// Chromium as users have it: Playwright's makes every tab believe that it is visible.

import {spawn} from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import {chromium} from 'playwright-core';

import {CHROMIUM, FLAGS} from './browser.mjs';

/** Starts it with a fresh profile. */
export async function untouched() {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'stepscope-profile-'));
  const flags = [...FLAGS, '--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'];
  const started = spawn(CHROMIUM, flags, {stdio: ['ignore', 'ignore', 'pipe']});
  /** @type {string} */
  const address = await new Promise((resolve, reject) => {
    let said = '';
    started.stderr.on('data', (text) => {
      said += text;
      const found = /listening on (ws:\S+)/.exec(said);
      if (found) resolve(found[1]);
    });
    started.on('error', reject);
    started.once('exit', () => reject(new Error(`Chromium ended: ${said}`)));
  });
  const browser = await chromium.connectOverCDP(address, {noDefaults: true, isLocal: true}).catch((error) => {
    started.kill();
    throw error;
  });
  return {
    context: browser.contexts()[0],
    async close() {
      const ended = new Promise((resolve) => started.on('close', resolve));
      await (await browser.newBrowserCDPSession()).send('Browser.close');
      await ended;
      await fs.promises.rm(profile, {recursive: true, force: true, maxRetries: 10});
    },
  };
}
